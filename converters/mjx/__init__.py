"""The states of the simulator mjx: a round on each line."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import WHOLE_ROUNDS, Code, Files, Format, Holds, Points

FORMAT: Final = Format(
    "mjx",
    "states of the simulator mjx, one round a line, with whole walls",
    files=Files(
        extensions={".json": "", ".jsonl": ""},
        marks=(r"[\[{]", r'"publicObservation"\s{0,64}:'),
        shared=(".json", ".jsonl"),
    ),
    code=Code(spelling="vocabulary"),
    owner="the mjx project",
    holds=Holds(games=("riichi",), points=Points(1, "hora.deltas")),
    writer_plays=True,
    notes=None,
    original="kept",
    shows={**WHOLE_ROUNDS, "round": frozenset({"wall", "blocked"}), "match": frozenset({"players"})},
)
