"""Mahjong Soul records: the replies of the game server, and what programs make of them."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import WHOLE_ROUNDS, Code, Files, Format, Holds, Platform
from mjconv.ir.match import House

FORMAT: Final = Format(
    "majsoul",
    "records of Mahjong Soul: the replies of its server, and what programs make of them",
    files=Files(extensions={".json": "", ".jsonl": ""}, shared=(".json", ".jsonl"), one_match_a_file=("",)),
    code=Code(spelling="tiles"),
    name="Mahjong Soul",
    owner="Mahjong Soul",
    platform=Platform(id="majsoul"),
    holds=Holds(games=("riichi",), house=House(double_yakuman=True), seats=(3, 4)),
    writer_plays=True,
    original="kept",
    shows={
        **WHOLE_ROUNDS,
        "nukidora": frozenset({"actor"}),
        "round": frozenset({"wall", "dealt_fourteen"}),
        "match": frozenset({"players", "date", "time", "rules", "final_scores", "id", "room", "lobby"}),
    },
)
