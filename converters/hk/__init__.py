"""HK scores: the text format of a scorer for Hong Kong rules."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Format

FORMAT: Final = Format(
    "hk",
    "scores by Hong Kong rules, one line a game",
    extensions={".hk": "", ".txt": ""},
    typed=("tidy", "sheet", "editing"),
    owner="yawnoc",
    name="HK scores",
    score_table="tally",
    reader_plays=True,
    writer_plays=True,
    spelling_module="names",
    shared=(".txt",),
    tiles="all",
    empty=b"",
    shows={
        "hora": frozenset({"actor", "target", "fan", "pao"}),
        # A false win is a `ryukyoku`, and its actor is shown.
        "ryukyoku": frozenset({"reason", "actor"}),
        "round": frozenset({"rules", "date", "annotations"}),
        "match": frozenset({"players", "rules", "date", "annotations"}),
    },
)
