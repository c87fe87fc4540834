"""The table of answers in in-game streams: a player's answers to each message, and the host's next message.

`docs/mjai.md` shows `ANSWERS`. The host sends a message to each player, and waits for one answer of each. If
all players answer `none`, the order of messages (`order_table`) has the messages that the host may send.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

#: The origin of a message: the player who answers, another player, or the table.
Whose: TypeAlias = Literal["the player", "another player", ""]


class Answers(NamedTuple):
    """The answers to a message of the host."""

    message: str
    whose: Whose
    answers: tuple[str, ...]


_NONE: Final = ("none",)
_TURN: Final = ("dahai", "reach", "ankan", "kakan", "nukidora", "hora", "ryukyoku")
_CLAIMS: Final = ("chi", "pon", "daiminkan")
_Rows: TypeAlias = tuple[tuple[Whose, tuple[str, ...]], ...]
_THEN_DISCARD: Final[_Rows] = (("the player", ("dahai",)), ("another player", _NONE))
_ROBBED: Final[_Rows] = (("the player", _NONE), ("another player", (*_NONE, "hora")))

#: The messages of the host, each with the messages by which the player may answer.
ANSWERS: Final[tuple[Answers, ...]] = (
    Answers("hello", "", ("join",)),
    *(Answers(message, "", _NONE) for message in ("start_game", "start_kyoku")),
    Answers("tsumo", "the player", (*_TURN, "none")),
    Answers("tsumo", "another player", _NONE),
    Answers("dahai", "the player", _NONE),
    Answers("dahai", "another player", (*_NONE, *_CLAIMS, "hora")),
    *(Answers(call, *row) for call in ("chi", "pon") for row in _THEN_DISCARD),
    Answers("daiminkan", "the player", _NONE),
    Answers("daiminkan", "another player", _NONE),
    *(Answers(call, *row) for call in ("ankan", "kakan", "nukidora") for row in _ROBBED),
    Answers("dora", "", (*_NONE, *_TURN, *_CLAIMS)),
    Answers("reach", "the player", ("dahai", "none")),
    Answers("reach", "another player", _NONE),
    Answers("reach_accepted", "the player", _NONE),
    Answers("reach_accepted", "another player", (*_NONE, *_CLAIMS)),
    *(Answers(message, "", _NONE) for message in ("hora", "ryukyoku", "end_kyoku", "end_game")),
    Answers("error", "", ()),
)

#: The messages of a player, each with the messages that the host may send next. After `none` these are the
#: messages of the order.
REPLIES: Final[dict[str, tuple[str, ...]]] = {
    "join": ("start_game", "error"),
    **{own: (own, "dora", "error") for own in ("dahai", "reach", "ankan", "kakan", "nukidora")},
    "chi": ("chi", "pon", "daiminkan", "hora", "ryukyoku", "reach_accepted", "dora", "error"),
    "pon": ("pon", "hora", "ryukyoku", "reach_accepted", "dora", "error"),
    "daiminkan": ("daiminkan", "hora", "ryukyoku", "reach_accepted", "dora", "error"),
    "hora": ("hora", "ryukyoku", "error"),
    "ryukyoku": ("ryukyoku", "error"),
    "error": (),
}


def answers(message: Mapping[str, Any], seat: int) -> tuple[str, ...]:
    """Return the types of messages by which the player at `seat` may answer a message of the host.

    Raises `KeyError` for a message without a type.

    >>> answers({"type": "dahai", "actor": 1, "pai": "9p", "tsumogiri": True}, 2)
    ('none', 'chi', 'pon', 'daiminkan', 'hora')
    >>> answers({"type": "pon", "actor": 2, "target": 1, "pai": "9p", "consumed": ["9p", "9p"]}, 2)
    ('dahai',)
    """
    whose = "the player" if message.get("actor") == seat else "another player"
    rows = (row for row in ANSWERS if row.message == message["type"] and row.whose in ("", whose))
    return next((row.answers for row in rows), ())
