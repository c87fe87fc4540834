"""The table of next messages: which message may follow, and whose it may be. `docs/mjai.md` shows this table.

Each row of a state names a message that may come, the player whose message it may be, and the state after it.
In-game messages (`none`, `hello`, `join`, `error`) belong to no round, and may come anywhere.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias

from mjconv.ir import events as ev


class Who(IntEnum):
    """Whose message it may be, relative to the player who drew, called or discarded last."""

    SAME = 0
    NEXT = 1
    TABLE = 2
    DEALER = 3
    NEXT_ON_IT = 4
    OTHER_ON_IT = 5
    ON_THEIR_OWN = 6
    LATER_ON_IT = 7
    IF_STATED = 8
    ANYONE = 9


class Next(NamedTuple):
    """A message that may come, whose it may be, and the state after it; `when` is a condition in words."""

    message: str
    who: Who
    state: str
    when: str = ""


_DISCARD: Final = Next("dahai", Who.SAME, "discarded")
_REPLACEMENT: Final = Next("tsumo", Who.SAME, "drawn")
_PASSED: Final = (
    Next("tsumo", Who.NEXT, "drawn"),
    Next("chi", Who.NEXT_ON_IT, "called"),
    Next("pon", Who.OTHER_ON_IT, "called"),
    Next("daiminkan", Who.OTHER_ON_IT, "open kan"),
)
_RON: Final = Next("hora", Who.OTHER_ON_IT, "won")
_DRAWN_GAME: Final = Next("ryukyoku", Who.TABLE, "over")
_END_ROUND: Final = Next("end_kyoku", Who.TABLE, "between rounds")
_HIDDEN: Final = "all hands are hidden"


def _turned(state: str) -> Next:
    return Next("dora", Who.TABLE, state, "a kan owes it")


#: The states, each with the messages that may come.
TABLE: Final[dict[str, tuple[Next, ...]]] = {
    "nothing": (Next("start_game", Who.TABLE, "between rounds"),),
    "between rounds": (
        Next("start_kyoku", Who.TABLE, "dealt"),
        Next("end_game", Who.TABLE, "game over"),
    ),
    "dealt": (
        Next("tsumo", Who.DEALER, "drawn"),
        Next("nukidora", Who.ANYONE, "flower", "it is a flower of a larger set"),
        Next("hora", Who.ANYONE, "result alone", _HIDDEN),
        Next("ryukyoku", Who.TABLE, "result alone", _HIDDEN),
        _END_ROUND._replace(when=_HIDDEN),
    ),
    "flower": (Next("tsumo", Who.SAME, "dealt"),),
    "drawn": (
        _DISCARD,
        Next("reach", Who.SAME, "declared"),
        Next("ankan", Who.SAME, "kan"),
        Next("kakan", Who.SAME, "kan"),
        Next("nukidora", Who.SAME, "kan"),
        Next("hora", Who.ON_THEIR_OWN, "self-drawn"),
        Next("ryukyoku", Who.IF_STATED, "over"),
        _turned("drawn"),
    ),
    "declared": (_DISCARD._replace(state="riichi discard"), _turned("declared")),
    "riichi discard": (
        Next("reach_accepted", Who.SAME, "accepted"),
        _RON,
        _DRAWN_GAME,
        _turned("riichi discard"),
    ),
    "accepted": (*_PASSED, _DRAWN_GAME, _turned("accepted")),
    "discarded": (*_PASSED, _RON, _DRAWN_GAME, _turned("discarded")),
    "called": (_DISCARD,),
    "open kan": (_REPLACEMENT, _DRAWN_GAME, _turned("open kan")),
    "kan": (_REPLACEMENT, _RON, _DRAWN_GAME, _turned("kan")),
    "won": (Next("hora", Who.LATER_ON_IT, "won"), _END_ROUND),
    "self-drawn": (_END_ROUND,),
    "over": (_END_ROUND,),
    "result alone": (
        Next("hora", Who.ANYONE, "result alone"),
        Next("ryukyoku", Who.TABLE, "result alone"),
        _END_ROUND,
    ),
    "game over": (),
}

#: The event that play waits for in each state, for messages.
WAITS: Final = {
    "nothing": "the beginning of the game",
    "between rounds": "a deal or the end of the game",
    "dealt": "the dealer's first draw",
    "flower": "a replacement of a flower",
    "drawn": "a discard",
    "declared": "the riichi discard",
    "riichi discard": "the riichi to be accepted, or a win",
    "accepted": "a draw or a call",
    "discarded": "a draw, a call or a win",
    "called": "a discard after a call",
    "open kan": "a replacement draw",
    "kan": "a replacement draw",
    "won": "another win or the end of the round",
    "self-drawn": "the end of the round",
    "over": "the end of the round",
    "result alone": "the end of the round",
    "game over": "nothing more",
}
#: The states in which the player of the last event must act again.
OWN_TURN: Final = frozenset({"dealt", "flower", "drawn", "declared", "called", "open kan", "kan"})
#: The states of a round with its result.
RESULTS: Final = frozenset({"won", "self-drawn", "over", "result alone"})
#: The states of a round that is being played.
PLAY: Final = frozenset(TABLE) - RESULTS - {"nothing", "between rounds", "game over"}

#: A state for the fast check: by kind of event, whose it must be, and the state after it.
Node: TypeAlias = dict[type, tuple[Who, Any]]

NODES: Final[dict[str, Node]] = {state: {} for state in TABLE}
for _state, _rows in TABLE.items():
    NODES[_state].update({ev.KINDS[row.message]: (row.who, NODES[row.state]) for row in _rows})

#: The name of each node, by its identity.
STATES: Final = {id(node): state for state, node in NODES.items()}

#: The state after a message that was out of order.
AFTER: Final[dict[type, str]] = {
    ev.KINDS[row.message]: row.state
    for rows in reversed(TABLE.values())
    for row in rows
    if not row.when and row.state != "result alone"
}
