"""The format `tenhou`: mjlog XML, tenhou.net/6 JSON, and links that hold a record."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import WHOLE_ROUNDS, Code, Files, Format, Holds, Notes, Platform, Points

FORMAT: Final = Format(
    "tenhou",
    "records of Tenhou: mjlog XML, with the wall that its seed determines",
    files=Files(
        extensions={".mjlog": "", ".xml": "", ".json": "tenhou-json", ".jsonl": "tenhou-json"},
        of_flavours={"tenhou-url": ".txt"},
        one_match_a_file=("",),
        shared=(".xml", ".json", ".jsonl"),
    ),
    code=Code(spelling="vocabulary"),
    name="Tenhou",
    flavours={
        "tenhou-json": "the JSON of tenhou.net/6, which Tenhou's viewer and editor open",
        "tenhou-url": "a link for each round, which opens it in Tenhou's viewer",
    },
    aliases=("mjlog",),
    owner="Tenhou",
    platform=Platform(
        id="tenhou",
        open_room="ippan",
        dated_id=r"(?P<id>(?P<moment>20[0-9]{8})gm-[0-9a-f]{4}-[0-9]{4,6}-[0-9a-fx]{8,64})",
    ),
    holds=Holds(games=("riichi",), seats=(3, 4), points=Points(100, "hora.deltas")),
    writer_plays=True,
    notes=Notes(
        # Many programs shorten a long link, and people send links to others.
        without=("tenhou-url",)
    ),
    original="kept",
    shows={
        **WHOLE_ROUNDS,
        "nukidora": frozenset({"actor", "pai"}),
        "start_game": frozenset({"kyoku_first", "aka_flag"}),
        "reach_accepted": frozenset({"actor", "scores"}),
        "hora": frozenset({"scores", *(WHOLE_ROUNDS["hora"] or ())}),
        "ryukyoku": frozenset({"reason", "tenpais", "deltas", "scores"}),
        "round": frozenset({"wall", "dice", "blocked", "annotations", "extras"}),
        "match": frozenset(
            {"players", "rules", "tournament", "final_scores", "annotations", "extras", "id", "room", "lobby"}
        ),
        "annotations": frozenset({"left", "returned"}),
    },
)
