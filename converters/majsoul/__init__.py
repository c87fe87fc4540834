"""Mahjong Soul records: the replies of the game server, and what programs make of them."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import WHOLE_ROUNDS, Format
from mjconv.ir.match import House

FORMAT: Final = Format(
    "majsoul",
    "records of Mahjong Soul: the replies of its server, and what programs make of them",
    extensions={".json": ""},
    owner="Mahjong Soul",
    platform="majsoul",
    name="Mahjong Soul",
    shared=(".json",),
    keeps_original=True,
    games=("riichi",),
    house=House(double_yakuman=True),
    one_match_a_file=("",),
    seats=(3, 4),
    writer_plays=True,
    spelling_module="tiles",
    shows={
        **WHOLE_ROUNDS,
        "nukidora": frozenset({"actor"}),
        "round": frozenset({"wall", "dealt_fourteen"}),
        "match": frozenset({"players", "date", "time", "rules", "final_scores", "id", "room", "lobby"}),
    },
)
