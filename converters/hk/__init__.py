"""HK scores: the text format of a scorer for Hong Kong rules."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Code, Files, Format, Holds

FORMAT: Final = Format(
    "hk",
    "scores by Hong Kong rules, one line a game",
    files=Files(extensions={".hk": "", ".txt": ""}, shared=(".txt",), empty=b""),
    code=Code(typed=("tidy", "sheet", "editing"), score_table="tally", spelling="names"),
    name="HK scores",
    owner="yawnoc",
    holds=Holds(tiles="all"),
    reader_plays=True,
    writer_plays=True,
    shows={
        "hora": frozenset({"actor", "target", "fan", "pao"}),
        # A false win is a `ryukyoku`, and its actor is shown.
        "ryukyoku": frozenset({"reason", "actor"}),
        "round": frozenset({"rules", "date", "annotations", "extras"}),
        "match": frozenset({"players", "rules", "date", "annotations", "extras"}),
    },
)
