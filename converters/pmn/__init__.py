"""PMN: Portable Majiang Notation, tags in brackets for each hand of Chinese Official."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import PLAY, Code, Files, Format, Holds

FORMAT: Final = Format(
    "pmn",
    "Portable Majiang Notation, tags for each hand of Chinese Official",
    files=Files(
        extensions={".pmn": ""},
        # The tags of the second are not those of chess's PGN.
        marks=(
            r'\[[A-Za-z]{1,40}[ \t]{1,64}"',
            r'(?m)^[ \t]{0,64}\[(?:PWind|Deal)[ \t]{1,64}"(?:[ESWN]"|(?:[cdbwrf]\d{0,13}){1,6} )',
        ),
    ),
    code=Code(spelling="tiles"),
    name="PMN",
    owner="the author of python-majiang",
    holds=Holds(tiles="all", games=("mcr",)),
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
