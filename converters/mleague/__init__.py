"""Records of M-League: the page of its viewer, or the JSON array in it; read, and written back unchanged."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Code, Files, Format, Holds, Platform
from mjconv.ir.match import House

FORMAT: Final = Format(
    "mleague",
    "records of M-League, as the page of its viewer has them; written only unchanged",
    files=Files(
        extensions={".html": "", ".htm": "", ".json": ""},
        shared=(".html", ".htm", ".json"),
        one_match_a_file=("",),
    ),
    code=Code(spelling="vocabulary"),
    name="M-League",
    aliases=("m-league",),
    owner="M.LEAGUE",
    platform=Platform(id="mleague"),
    holds=Holds(
        games=("riichi",),
        # The published rules of the league.
        house=House(reds=(1, 1, 1), open_tanyao=True, kiriage=True),
    ),
    writes=False,
    reader_plays=True,
    notes=None,
    original="only",
)
