"""Ùzje replay notation: the whole wall, and turns with much left out (see ``docs/uzje.md``)."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import PLAY, Code, Files, Format, Holds

FORMAT: Final = Format(
    "uzje",
    "Ùzje replay notation, as the UJMJ engine reads it: the whole wall, and turns",
    files=Files(extensions={".uzje": ""}),
    code=Code(typed=("tidy", "sheet", "editing"), spelling="spelling"),
    name="Ùzje",
    flavours={
        "uzje-long": "every player and draw written out",
        "uzje-commands": "the engine's command strings for turns",
    },
    aliases=("ujmj",),
    owner="isoraqathedh",
    holds=Holds(seats=(3, 4, 6), tiles="all"),
    shows={
        **PLAY,
        # Of two like tiles the text does not show which one is discarded.
        "dahai": frozenset({"actor", "pai"}),
        # The word of a call names its player; its own tiles are like the one called.
        "pon": frozenset({"actor", "target", "pai"}),
        "daiminkan": frozenset({"actor", "target", "pai"}),
        "nukidora": frozenset({"actor", "pai"}),
        "start_kyoku": frozenset({"bakaze", "kyoku", "honba", "oya", "tehais"}),
        "hora": frozenset({"actor", "target"}),
        "round": frozenset({"wall", "annotations", "extras"}),
        "match": frozenset({"annotations", "extras"}),
        "annotations": frozenset({"comment", "mark"}),
    },
)
