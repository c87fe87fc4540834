"""The states of the simulator mjx: a round on each line."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import WHOLE_ROUNDS, Format, Points

FORMAT: Final = Format(
    "mjx",
    "states of the simulator mjx, one round a line, with whole walls",
    extensions={".json": "", ".jsonl": ""},
    owner="the mjx project",
    shared=(".json", ".jsonl"),
    keeps_original=True,
    games=("riichi",),
    notes=False,
    points=Points(1, "hora.deltas"),
    writer_plays=True,
    spelling_module="vocabulary",
    shows={**WHOLE_ROUNDS, "round": frozenset({"wall", "blocked"}), "match": frozenset({"players"})},
)
