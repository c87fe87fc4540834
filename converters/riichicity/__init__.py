"""Records of Riichi City (Mahjong Ichibangai): JSON of its server, read, and written back unchanged."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Code, Files, Format, Holds, Platform

FORMAT: Final = Format(
    "riichicity",
    "records of Riichi City, as its server sends them, with whole walls; written only unchanged",
    files=Files(
        extensions={".json": "", ".jsonl": ""},
        marks=(r"[\[{]", r'"handRecord"\s{0,64}:'),
        shared=(".json", ".jsonl"),
        one_match_a_file=("",),
    ),
    code=Code(spelling="tiles"),
    name="Riichi City",
    owner="Riichi City",
    platform=Platform(id="riichicity"),
    holds=Holds(games=("riichi",), seats=(3, 4)),
    writes=False,
    writer_plays=True,
    notes=None,
    original="only",
)
