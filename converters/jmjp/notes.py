"""What the events of a match do not state: comments, notes, and the text that the hub has no field for.

A note is a comment ``//@mjconv {...}``: the match's is before its metadata, a round's after its frame.
Of the other comments the reader makes annotations, and the writer writes these as comments. The standard has
programs ignore comments. An annotated record is worth more than that.

The extras keep earlier flows of a frame, and unusual spellings of fields: a match number ``007``, points
``025.0``, or a dora field with ura at a draw or with a red five. The writer would write ``7``.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from mjconv.converters.interface import Part
from mjconv.converters.jmjp.frames import (
    INDICATED,
    File,
    Frame,
    MatchSyntax,
    dora_field,
    frame_fields,
    usual_numbers,
)
from mjconv.converters.jmjp.grammar import pattern
from mjconv.converters.jmjp.head import RULES, RefusedValueError, respelled
from mjconv.converters.jmjp.spelling import UNKNOWN
from mjconv.converters.jmjp.text import SourceComment, StrippedText
from mjconv.converters.shared import note_json
from mjconv.converters.shared.dora import Custom
from mjconv.converters.shared.extras import put_part, read_part
from mjconv.converters.shared.text_lines import is_text
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Frozen, Match, Round

#: The beginning of a comment that is a note.
_PREFIX: Final = f"@{note_json.MARK} "


class FrameHints(Frozen, frozen=True):
    """The hints of a round.

    `dealer` is the hub's seat of the dealer, if the number of the frame implies another. `dora` is the custom by
    which the dora of open kans are turned, if it is not the usual one.
    """

    dealer: int | UnsetType = UNSET
    dora: Custom | UnsetType = UNSET


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note on a line of its own."""
    offset = len(part.text) if part.offset is None else part.offset
    return b"%b//%b%b\n%b" % (part.text[:offset], _PREFIX.encode(), note, part.text[offset:])


def note_in(comment: str) -> tuple[str, int] | None:
    """Return the JSON of the note in a comment and its offset in the comment, or None if the comment is no note.

    A formatter may have put a blank before the mark.

    >>> note_in(" @mjconv {}"), note_in(" East")
    (('{}', 9), None)
    """
    text = comment.lstrip(" \t")
    if not text.startswith(_PREFIX):
        return None
    note = text[len(_PREFIX) :]
    return note, len(comment) - len(note)


#: The slot of a comment before the acts of its frame. Slots from 0 on are the acts of the frame.
BEFORE_ACTS: Final = -1


def text_of(annotation: Annotation) -> str | None:
    """Return the text of an annotation that a comment can hold: one line of UTF-8 that is no note; else None.

    >>> text_of(Annotation(0, "comment", value=" East")), text_of(Annotation(0, "comment", value="@mjconv {}"))
    (' East', None)
    """
    text = annotation.value
    if annotation.kind != "comment" or not isinstance(text, str) or not is_text(text):
        return None
    return None if "\n" in text or "\r" in text or note_in(text) else text


def lines_of(annotation: Annotation) -> tuple[str, ...]:
    """Return the texts of the comments that the writer writes for an annotation: one or none."""
    text = text_of(annotation)
    return () if text is None else (text,)


def owner(comment: SourceComment, file: File) -> int:
    """Return the index of the match of a comment: the match around it, else the next match, else the last."""
    return min(bisect_right(file.matches, comment.offset, key=lambda match: match.end), len(file.matches) - 1)


class SortedComments(NamedTuple):
    """The comments of a match: outside its frames as annotations, inside each frame with their slots."""

    match: tuple[Annotation, ...]
    rounds: dict[int, list[tuple[int, str]]]


def sort_comments(comments: Sequence[SourceComment], syntax: MatchSyntax) -> SortedComments:
    """Find the places of a match's comments."""
    outside: list[Annotation] = []
    inside: dict[int, list[SourceComment]] = {}
    for comment in comments:
        index = bisect_right(syntax.frames, comment.offset, key=lambda frame: frame.end)
        if index == len(syntax.frames) or comment.offset <= syntax.frames[index].begin:
            outside.append(Annotation(index, "comment", value=comment.text))
        else:
            inside.setdefault(index, []).append(comment)
    rounds = {index: _with_slots(those, syntax.frames[index]) for index, those in inside.items()}
    return SortedComments(tuple(outside), rounds)


def _with_slots(comments: Sequence[SourceComment], frame: Frame) -> list[tuple[int, str]]:
    """Return the comments of a frame with their slots.

    A slot is the first act that begins at or after the comment; after the acts their number; then one more.
    """
    if not frame.flows:
        return [(BEFORE_ACTS, comment.text) for comment in comments]
    flow = frame.flows[-1]
    begins = list(accumulate((len(act) + 2 for act in flow.acts), initial=flow.acts_at))
    return [
        (BEFORE_ACTS if comment.offset < flow.acts_at else bisect_left(begins, comment.offset), comment.text)
        for comment in comments
    ]


def annotations_of(
    comments: Sequence[tuple[int, str]], events: Sequence[ev.Event], acts: int
) -> tuple[Annotation, ...]:
    """Return comments with slots as annotations of a round with these events and this number of acts."""
    if not comments:
        return ()
    indices = slot_indices(events, acts)
    return tuple([Annotation(indices[slot + 1], "comment", value=text) for slot, text in comments])


def slot_indices(events: Sequence[ev.Event], acts: int) -> list[int]:
    """Return the number of events before each slot: before the acts, each act, after the acts, at the end.

    >>> slot_indices([ev.StartRound(), ev.Draw(0, "E"), ev.Win(0, 0), ev.EndRound()], 1)
    [1, 1, 2, 4]
    """
    takes = [index for index, event in enumerate(events) if type(event) in ev.TAKES]
    end = next((index for index, event in enumerate(events) if type(event) in ev.RESULTS), len(events))
    if end == len(events) and end and type(events[-1]) is ev.EndRound:
        end -= 1
    rons = sum(type(event) is ev.Win and event.actor != event.target for event in events)
    # The last acts are rons. A ron may be no win.
    claims = [min(end + place, end + rons) for place in range(acts - len(takes))]
    return [min(1, len(events)), *takes[:acts], *claims, end + rons, len(events)]


def slot_of(index: int, indices: Sequence[int]) -> int:
    """Return the slot of an annotation: the first act from its index on, else a slot after the acts.

    >>> [slot_of(index, [1, 1, 2, 4]) for index in range(5)]
    [0, 0, 1, 2, 2]
    """
    place = min(bisect_left(indices, index, lo=1), len(indices) - 1)
    # A ron that is no win has no event: the comment is about it, and comes after it.
    while place + 2 < len(indices) and indices[place + 1] == indices[place]:
        place += 1
    return place - 1


#: The key of jmjp in extras.
KEY: Final = "jmjp"


class KeptText(Frozen, frozen=True):
    """The text of a frame, or around the frames, that the hub's round or match does not hold.

    `flows` are the flows of a frame before the last one. `spelled` maps fields and statements, as the writer would
    spell them, to their spelling in the text.
    """

    flows: tuple[str, ...] = ()
    spelled: dict[str, str] = msgspec.field(default_factory=dict)


def put_round_extras(game_round: Round, frame: Frame, flows: Sequence[str]) -> None:
    """Keep in a round what its frame states beyond it. `flows` are the texts of the frame's earlier flows."""
    spelled = frame.spelled
    if frame.dora is not None and not _states_dora(game_round, frame, frame.dora):
        usual, text = "".join(dora_field(game_round.events) or ()), "".join(frame.dora)
        if usual != text:
            spelled = {**spelled, usual: text}
    if flows or spelled:
        put_part(game_round, KEY, KeptText(tuple(flows), dict(spelled)))


_REDS: Final = frozenset({"0m", "0p", "0s"})
_NO_URA: Final = (UNKNOWN,) * 5
#: No round has more wins than three and one event after them.
_RESULTS: Final = slice(-4, None)


def _states_dora(game_round: Round, frame: Frame, dora: tuple[str, ...]) -> bool:
    """Return whether the events state the whole dora field, as they do in most rounds. False if in doubt."""
    if not frame.flows or not _REDS.isdisjoint(dora):
        return False
    if dora[1::2] == _NO_URA:
        return True
    return any(type(event) is ev.Win and event.ura_markers for event in game_round.events[_RESULTS])


def flows_before(text: StrippedText, frame: Frame) -> tuple[str, ...]:
    """Return the text of each flow before the last one of a frame."""
    return tuple(text.stripped[flow.start_at : flow.offset("end", len(flow.end))] for flow in frame.flows[:-1])


def are_flows(texts: Sequence[str], major: int) -> bool:
    """Return whether the texts are flows in this version, and so can be written before the last flow of a frame.

    >>> are_flows([], 1), are_flows(["(e,5m,tg)"], 1)
    (True, False)
    """
    return all(pattern("frame_flow", major).fullmatch(text) for text in texts)


def spelled_frame(frame: Frame, game_round: Round, major: int) -> Frame:
    """Return a frame with the spellings that its round keeps for it, as far as they state the same values."""
    kept = read_part(game_round, KEY, KeptText).spelled
    usual = "".join(frame.dora or ())
    if usual in kept:
        dora = _dora(kept[usual])
        if dora is not None and _restates(dora, frame):
            frame = replace(frame, dora=dora)
    spelled = {}
    for rule, field in zip(_FIELDS, frame_fields(frame), strict=True):
        own = kept.get(field, field)
        if own != field and usual_numbers(own) == field and pattern(rule, major).fullmatch(own):
            spelled[field] = own
    return replace(frame, spelled=spelled) if spelled else frame


#: The rules of the fields of a frame whose numbers may have another spelling, in the order of `frame_fields`.
_FIELDS: Final = ("FRAME_ID", "PT", "pt_frm_start", "pt_frm_end")


def _dora(text: str) -> tuple[str, ...] | None:
    tiles = tuple(text[begin : begin + 2] for begin in range(0, len(text), 2))
    return tiles if len(tiles) == 2 * len(_NO_URA) and INDICATED.issuperset(tiles) else None


def _restates(dora: Sequence[str], frame: Frame) -> bool:
    """Return whether a dora field has the tiles of a frame's own field, where that one has any, red or not.

    The events of a frame with a flow state all dora.
    """
    for place, (own, usual) in enumerate(zip(dora, frame.dora or (), strict=True)):
        is_dora = place % 2 == 0
        if _PLAIN.get(own, own) != usual and (usual != UNKNOWN or (is_dora and frame.flows)):
            return False
    return True


_PLAIN: Final = {f"0{suit}": f"5{suit}" for suit in "mps"}


def spelled_info(match: Match, statements: Sequence[str], major: int) -> list[str]:
    """Return the statements around the frames in the spelling that a match keeps, if it states the same values."""
    kept = read_part(match, KEY, KeptText).spelled
    return [_as_spelled(statement, kept.get(statement), major) for statement in statements]


def _as_spelled(usual: str, own: str | None, major: int) -> str:
    if own is None or pattern(RULES[usual[:3]], major).fullmatch(own) is None:
        return usual
    try:
        return own if respelled(own, major) == usual else usual
    except RefusedValueError:
        return usual
