"""PMN: Portable Majiang Notation, tags in brackets for each hand of Chinese Official."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import PLAY, Format

FORMAT: Final = Format(
    "pmn",
    "Portable Majiang Notation, tags for each hand of Chinese Official",
    extensions={".pmn": ""},
    owner="the author of python-majiang",
    name="PMN",
    tiles="all",
    games=("mcr",),
    spelling_module="tiles",
    shows={
        **PLAY,
        "nukidora": frozenset({"actor", "pai"}),
        "start_kyoku": frozenset({"bakaze", "kyoku", "oya", "scores", "tehais"}),
        "hora": frozenset({"actor", "target", "deltas", "yakus", "fan"}),
        "ryukyoku": frozenset({"reason", "deltas"}),
        "end_kyoku": frozenset(),
        "round": frozenset({"extras", "scores_after"}),
        "match": frozenset({"players", "tournament", "date", "place"}),
    },
)
