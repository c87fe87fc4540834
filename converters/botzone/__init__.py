"""Botzone: the logs of single hands of Chinese Official by the programs of its competition."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import PLAY, Code, Files, Format, Holds, Platform

FORMAT: Final = Format(
    "botzone",
    "Botzone's logs of Chinese Official, one hand a block",
    files=Files(extensions={".botzone": ""}, marks=(r"Match[ \t]+\S{1,200}[ \t]*\r?\n\s{0,64}Wind[ \t]+[0-3]\s",)),
    code=Code(spelling="vocabulary"),
    name="Botzone",
    owner="Botzone, of Peking University",
    platform=Platform(id="botzone"),
    holds=Holds(tiles="all", games=("mcr",)),
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
