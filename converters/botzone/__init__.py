"""Botzone: the logs of single hands of Chinese Official by the programs of its competition."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import PLAY, Format

FORMAT: Final = Format(
    "botzone",
    "Botzone's logs of Chinese Official, one hand a block",
    extensions={".botzone": ""},
    owner="Botzone, of Peking University",
    platform="botzone",
    name="Botzone",
    tiles="all",
    games=("mcr",),
    spelling_module="vocabulary",
    shows={
        **PLAY,
        "dahai": frozenset({"actor", "pai"}),
        "nukidora": frozenset({"actor", "pai"}),
        "start_kyoku": frozenset({"bakaze", "oya", "tehais"}),
        "hora": frozenset({"actor", "target", "pai", "deltas", "yakus", "fan"}),
        "ryukyoku": frozenset({"reason", "deltas"}),
        "end_kyoku": frozenset(),
        "round": frozenset({"annotations", "extras"}),
        "match": frozenset({"id"}),
    },
)
