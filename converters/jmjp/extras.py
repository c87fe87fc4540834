"""Keep the text that the hub has no field for: earlier flows of a frame, and unusual spellings of fields.

They are in the extras of the round or of the match, under the id of the format. Such a spelling is a match number
``007``, points ``025.0``, or a dora field with ura at a draw or with a red five. The events and values state less
than these texts, and the writer would write ``7``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from mjconv.converters.jmjp.frames import INDICATED, dora_field, frame_fields
from mjconv.converters.jmjp.grammar import pattern
from mjconv.converters.jmjp.head import RULES, RefusedValueError, respelled
from mjconv.converters.jmjp.spelling import UNKNOWN
from mjconv.converters.jmjp.syntax import Frame, usual_numbers
from mjconv.converters.jmjp.text import StrippedText
from mjconv.converters.shared.extras import put_part, read_part
from mjconv.ir import events as ev
from mjconv.ir.match import Frozen, Match, Round

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
    return tuple(text.stripped[flow.start_at : flow.end_offset(len(flow.end))] for flow in frame.flows[:-1])


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
    rule = RULES[usual[:3]]
    if own is None or pattern(rule, major).fullmatch(own) is None:
        return usual
    try:
        return own if respelled(own, major) == usual else usual
    except RefusedValueError:
        return usual
