"""Keep the text that the hub has no field for: earlier flows of a frame, and unusual spellings of fields.

They are in the extras of the round or of the match, under the id of the format. Such a spelling is a match number
``007``, points ``025.0``, or a dora field with ura at a draw or with a red five. The events and values state less
than these texts, and the writer would write ``7``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec
from msgspec.structs import replace

from mjconv.converters.jmjp.frames import INDICATED, dora_field, frame_lines
from mjconv.converters.jmjp.grammar import BARE
from mjconv.converters.jmjp.info import write_info
from mjconv.converters.jmjp.spelling import UNKNOWN
from mjconv.converters.jmjp.syntax import ODD_NUMBER, File, Frame, MatchSyntax, parse
from mjconv.converters.jmjp.text import STRING, StrippedText
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.match import Frozen, Match, Round

#: The key of the extras that is jmjp's.
KEY: Final = "jmjp"


class RoundExtras(Frozen, frozen=True):
    """The text of a frame that the hub's round does not hold.

    `flows` are the flows before the last one. `spelled` maps fields, as the writer would spell them, to their
    spelling in the text.
    """

    flows: tuple[str, ...] = ()
    spelled: dict[str, str] = msgspec.field(default_factory=dict)


class MatchExtras(Frozen, frozen=True):
    """The text around the frames that the hub's match does not hold: `spelled`, as in `RoundExtras`."""

    spelled: dict[str, str] = msgspec.field(default_factory=dict)


def round_extras(game_round: Round) -> RoundExtras:
    """Return what a round keeps for jmjp; nothing if its extras have another form."""
    if KEY not in game_round.extras:
        return _NO_ROUND_EXTRAS
    try:
        return msgspec.convert(game_round.extras[KEY], RoundExtras)
    except msgspec.ValidationError:
        return _NO_ROUND_EXTRAS


_NO_ROUND_EXTRAS: Final = RoundExtras()


def put_round_extras(game_round: Round, frame: Frame, flows: Sequence[str]) -> None:
    """Keep in a round what its frame states beyond it. `flows` are the texts of the frame's earlier flows."""
    spelled = frame.spelled
    if frame.dora is not None and not _states_dora(game_round, frame, frame.dora):
        usual, text = "".join(dora_field(game_round.events) or ()), "".join(frame.dora)
        if usual != text:
            spelled = {**spelled, usual: text}
    extras: dict[str, object] = {}
    if flows:
        extras["flows"] = list(flows)
    if spelled:
        extras["spelled"] = dict(spelled)
    if extras:
        game_round.extras = {**game_round.extras, KEY: extras}


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
    return tuple(text.stripped[flow.start_at : flow.end_offset(len(flow.end))] for flow in frame.flows[:-1])


def are_flows(texts: Sequence[str], major: int) -> bool:
    """Return whether the texts are flows in this version, and so can be written before the last flow of a frame.

    >>> are_flows([], 1), are_flows(["(e,5m,tg)"], 1)
    (True, False)
    """
    if not texts:
        return True
    text = f"jmjp[{major}]{BARE}frm[E1-0,,,,,{''.join(texts)},,])"
    source = _stripped(text)
    file = source and _parsed(source)
    if not (source and file) or len(file.matches[0].frames) != 1:
        return False
    return [
        source.stripped[f.start_at : f.end_offset(len(f.end))] for f in file.matches[0].frames[0].flows
    ] == list(texts)


def spelled_frame(frame: Frame, game_round: Round, major: int) -> Frame:
    """Return a frame with the spellings that its round keeps for it, as far as they state the same values."""
    kept = round_extras(game_round).spelled
    if not kept:
        return frame
    text = "".join(frame.dora or ())
    if text in kept:
        dora = _dora(kept[text])
        if dora is not None and _restates(dora, frame):
            frame = replace(frame, dora=dora)
    spelled = {usual: own for usual, own in kept.items() if usual != text}
    if not spelled:
        return frame
    bare = replace(frame, flows=[], comment=None, begin=0, end=0, spelled=spelled)
    source = _stripped(f"jmjp[{major}]{BARE}{frame_lines(bare, major).text()})")
    file = source and _parsed(source)
    if not file or len(file.matches) != 1 or len(file.matches[0].frames) != 1:
        return frame
    read = file.matches[0].frames[0]
    same = replace(read, begin=0, end=0, spelled=spelled) == bare
    return replace(frame, spelled=read.spelled) if same else frame


def _dora(text: str) -> tuple[str, ...] | None:
    tiles = tuple(text[at : at + 2] for at in range(0, len(text), 2))
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


# The text around the frames.

_PIECE: Final = re.compile(r"(?:tnm|mtp|rec|ply|ptr|pme|ptn)\[")
#: Strings. One without its end reaches to the end of the text, so no other string is searched in it.
_STRINGS: Final = {major: re.compile(f"{string}?") for major, string in STRING.items()}


def match_extras(text: StrippedText, syntax: MatchSyntax) -> dict[str, object]:
    """Return the extras of a match: the spellings of its fields that the writer would not choose."""
    frames = syntax.frames
    whole = text.stripped
    around = (
        [whole[syntax.begin + 1 : frames[0].begin], whole[frames[-1].end : syntax.end - 1]]
        if frames
        else [whole[syntax.begin + 1 : syntax.end - 1]]
    )
    if not any(map(ODD_NUMBER.search, around)):
        return {}
    pieces = [piece for part in around for piece in _pieces(part, text.major)]
    spelled = spellings(pieces, syntax.info, text.major)
    return {KEY: {"spelled": spelled}} if spelled else {}


def spellings(pieces: Sequence[str], info: Match, major: int) -> dict[str, str]:
    """Return the pieces that the writer would spell otherwise, by the writer's spelling."""
    before, after, _ = write_info(info, major)
    usual = [*before, *after]
    # The players may be in any order.
    own = sorted(pieces, key=lambda piece: (_ORDER[piece[:4]], piece[4] if piece[:4] == "ply[" else ""))
    if [piece[:4] for piece in own] != [piece[:4] for piece in usual]:
        return {}
    return {theirs: ours for ours, theirs in zip(own, usual, strict=True) if ours != theirs}


_ORDER: Final = {f"{word}[": place for place, word in enumerate(("tnm", "mtp", "rec", "ply", "ptr", "pme", "ptn"))}


def _pieces(text: str, major: int) -> list[str]:
    """Cut the text around the frames before each of its pieces.

    >>> _pieces('tnm[snt["rec["],,,,]mtp[,,,]', 1)
    ['tnm[snt["rec["],,,,]', 'mtp[,,,]']
    """
    masked = _STRINGS[major].sub(lambda string: '"' * len(string[0]), text)
    return [
        text[begin:end] for begin, end in pairwise([*[one.start() for one in _PIECE.finditer(masked)], len(text)])
    ]


def spelled_info(
    match: Match, before: Sequence[str], after: Sequence[str], info: Match, major: int
) -> tuple[list[str], list[str], Mapping[str, str]]:
    """Return the pieces before and after the frames in the spelling that a match keeps, and the spellings taken.

    `before` and `after` are the pieces in the usual spelling, `info` their values. The usual spelling is kept if
    the other does not state the same values.
    """
    kept = _match_spellings(match)
    own = [kept.get(piece, piece) for piece in before], [kept.get(piece, piece) for piece in after]
    if own != (before, after):
        source = _stripped(f"jmjp[{major}]({''.join(own[0])}{''.join(own[1])})")
        file = source and _parsed(source)
        if file and len(file.matches) == 1 and not file.matches[0].frames and file.matches[0].info == info:
            return *own, spellings([*own[0], *own[1]], info, major)
    return list(before), list(after), {}


def _match_spellings(match: Match) -> Mapping[str, str]:
    if KEY not in match.extras:
        return {}
    try:
        return msgspec.convert(match.extras[KEY], MatchExtras).spelled
    except msgspec.ValidationError:
        return {}


def _stripped(text: str) -> StrippedText | None:
    """Return a text that is stripped already; None if it has comments or blanks, or a string that does not end."""
    try:
        source = StrippedText(text)
    except InputError:
        return None
    return source if source.stripped == text else None


def _parsed(source: StrippedText) -> File | None:
    try:
        return parse(source)
    except InputError:
        return None
