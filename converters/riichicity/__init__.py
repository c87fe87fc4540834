"""Records of Riichi City (Mahjong Ichibangai): JSON of its server, read, and written back unchanged."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Format

FORMAT: Final = Format(
    "riichicity",
    "records of Riichi City, as its server sends them, with whole walls; written only unchanged",
    extensions={".json": ""},
    owner="Riichi City",
    platform="riichicity",
    name="Riichi City",
    shared=(".json",),
    keeps_original=True,
    games=("riichi",),
    seats=(3, 4),
    writer_plays=True,
    spelling_module="tiles",
    writes=False,
    writes_originals=True,
    one_match_a_file=("",),
    notes=False,
)
