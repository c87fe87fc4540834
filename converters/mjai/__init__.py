"""mjai: JSON messages of mahjong AI programs, one for each event."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Code, Files, Format, Holds, Points
from mjconv.ir.events import KINDS

FORMAT: Final = Format(
    "mjai",
    "JSON lines for mahjong programs, one message an event",
    files=Files(
        extensions={".mjson": "", ".jsonl": "", ".json": ""},
        of_flavours={"mjai-batch": ".json"},
        one_match_a_line=("mjai-batch",),
        empty=b"",
    ),
    code=Code(typed=("editing",)),
    flavours={
        "mjai-riichienv": "as RiichiEnv reads it: kita for nukidora",
        "mjai-batch": "one JSON array of messages a match, a line each",
    },
    aliases=("mjson",),
    owner="Gimite, Cryolite",
    holds=Holds(seats=(3, 4), points=Points(1, "hora.deltas"), in_game=True),
    # Every key of a message is in its text.
    shows={
        **dict.fromkeys(KINDS, None),
        "round": frozenset({"answers"}),
        "match": frozenset({"players"}),
        "players": frozenset({"name"}),
    },
)
