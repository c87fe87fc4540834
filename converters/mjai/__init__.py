"""mjai: JSON messages of mahjong AI programs, one for each event."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Format, Points
from mjconv.ir.events import KINDS

FORMAT: Final = Format(
    "mjai",
    "JSON lines for mahjong programs, one message an event",
    extensions={".mjson": "", ".jsonl": "", ".json": ""},
    typed=("editing",),
    owner="Gimite, Cryolite",
    flavours={
        "mjai-riichienv": "as RiichiEnv reads it: kita for nukidora",
        "mjai-batch": "one JSON array of messages a match, a line each",
    },
    flavour_extensions={"mjai-batch": ".json"},
    aliases=("mjson",),
    seats=(3, 4),
    points=Points(1, "hora.deltas"),
    one_match_a_line=("mjai-batch",),
    in_game=True,
    empty=b"",
    # Every key of a message is in its text.
    shows={**dict.fromkeys(KINDS, None), "match": frozenset({"players"})},
)
