"""majiang: the JSON records of the open mahjong engine and viewer of that name."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import WHOLE_ROUNDS, Code, Files, Format, Holds, Points
from mjconv.ir.match import House

FORMAT: Final = Format(
    "majiang",
    "JSON records of the open engine and viewer majiang",
    files=Files(extensions={".json": "", ".jsonl": ""}, shared=(".json", ".jsonl")),
    code=Code(spelling="tiles"),
    owner="kobalab",
    holds=Holds(games=("riichi",), house=House(late_dora=True, fifth_wait=True), points=Points(1, "hora.deltas")),
    writer_plays=True,
    shows={
        **WHOLE_ROUNDS,
        "round": frozenset({"blocked", "extras"}),
        "match": frozenset({"players", "tournament", "final_scores", "extras"}),
        "players": frozenset({"name"}),
    },
)
