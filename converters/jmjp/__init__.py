"""jmjp: paifu files of the Japanese Mahjong Paifu standard, versions 0 and 1.x."""

from __future__ import annotations

from typing import Final

from mjconv.converters.interface import DEAL, PLAY, Code, Files, Format, Holds, Notes, Points

FORMAT: Final = Format(
    "jmjp",
    "paifu text of the Japanese Mahjong Paifu standard, version 1.0",
    files=Files(extensions={".jmjp": ""}),
    code=Code(typed=("tidy", "fill", "sheet", "editing"), spelling="spelling"),
    flavours={"jmjp-0": "version 0 of the standard"},
    aliases=("jmjp-1",),
    owner="ChemistMikeLam",
    holds=Holds(points=Points(100, "round.scores_after")),
    reader_plays=True,
    writer_plays=True,
    notes=Notes(
        # The text names the dora, which a red and a plain indicator share.
        plain_fives=frozenset({"dora_marker", "ura_markers"})
    ),
    shows={
        **PLAY,
        "start_kyoku": DEAL,
        "reach": frozenset({"actor"}),
        "reach_accepted": frozenset({"actor"}),
        "dora": frozenset({"dora_marker"}),
        "hora": frozenset({"actor", "target", "deltas", "ura_markers"}),
        "ryukyoku": frozenset({"deltas"}),
        # The acts are complete: no tile is set aside between them, and play ends after the last one.
        "nukidora": frozenset(),
        "end_kyoku": frozenset(),
        "round": frozenset(
            {
                *("dice", "comment", "scores_after", "blocked", "dealt_fourteen", "final_hands", "assumed"),
                "extras",
            }
        ),
        "match": frozenset(
            {
                *("players", "tournament", "date", "weekday", "time", "place", "recorders", "rules"),
                *("final_scores", "points_after", "extras"),
            }
        ),
        "players": frozenset({"name", "team", "affiliation", "points_before"}),
        "rules": frozenset({"start", "returning", "uma", "honba", "tenpai"}),
    },
)
