"""Club results: the text of the results of riichi games, as families and clubs write them down."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Code, Files, Format, Holds

FORMAT: Final = Format(
    "club",
    "results of riichi games, one line a game",
    files=Files(extensions={".club": "", ".txt": ""}, shared=(".txt",), empty=b""),
    code=Code(typed=("tidy", "sheet")),
    name="club results",
    owner="mjconv",
    holds=Holds(seats=(3, 4), tiles="all", games=("riichi",)),
    shows={
        "end_game": frozenset({"scores"}),
        "match": frozenset({"players", "rules", "date", "final_scores", "annotations"}),
    },
)
