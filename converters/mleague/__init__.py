"""Records of M-League: the page of its viewer, or the JSON array in it; read, and written back unchanged."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.match import House

FORMAT: Final = Format(
    "mleague",
    "records of M-League, as the page of its viewer has them; written only unchanged",
    extensions={".html": "", ".htm": "", ".json": ""},
    owner="M.LEAGUE",
    platform="mleague",
    name="M-League",
    aliases=("m-league",),
    shared=(".html", ".htm", ".json"),
    keeps_original=True,
    games=("riichi",),
    # The published rules of the league.
    house=House(reds=(1, 1, 1), open_tanyao=True, kiriage=True),
    reader_plays=True,
    spelling_module="vocabulary",
    writes=False,
    writes_originals=True,
    one_match_a_file=("",),
    notes=False,
)
