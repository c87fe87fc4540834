"""Statistics of the players of riichi games, computed by polars from the columns of events.

Needs polars and pyarrow, which the extra ``stats`` installs.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from mjconv.archive.facts import Facts
from mjconv.archive.where import Where
from mjconv.ir.events import CALLS
from mjconv.ir.message_names import YAKU_IN_MESSAGES, reason_of
from mjconv.ir.vocabulary import SHOW_TENPAI, YAKU
from mjconv.score.table import Cell, Grid

By: TypeAlias = Literal["month", "room", "seat", "rank", "team"]
GROUPS: Final[tuple[By, ...]] = get_args(By)

#: The facts that statistics need.
_FACTS: Final = ("players", "date", "room", "names", "ranks", "places", "points")
#: The columns of events that statistics need.
COLUMNS: Final = (
    *("game", "round", "event", "turn", "type", "actor", "target", "deltas", "tsumo"),
    *("yakus", "hora_points", "reason", "tenpais", "facts"),
)
_PLACES: Final = ("first", "second", "third", "fourth")
#: The kinds of events that statistics need, beside draws.
_KINDS: Final = ["reach", *CALLS, "hora", "ryukyoku"]
_COUNTS: Final = ("games", "rounds", *_PLACES)
#: The other columns of the table: the sum that is divided, and the sum that it is divided by.
_RATES: Final = {
    "average_place": ("places", "placed"),
    "points": ("points_sum", "scored"),
    "win_rate": ("wins", "rounds"),
    "deal_in_rate": ("deal_ins", "rounds"),
    "riichi_rate": ("riichi", "rounds"),
    "call_rate": ("called", "rounds"),
    "tsumo_rate": ("tsumos", "wins"),
    "tenpai_rate": ("tenpai", "tenpai_known"),
    "draw_rate": ("draws", "rounds"),
    "average_win": ("won", "won_known"),
    "average_deal_in": ("lost", "lost_known"),
    "riichi_turn": ("riichi_turns", "riichi"),
    "dora_per_win": ("dora", "dora_known"),
    "first_riichi_share": ("first_riichi", "riichi"),
}
#: The columns to read from Parquet if no filter needs the other facts: they take half of the time of reading.
FEW_COLUMNS: Final = (*COLUMNS[:-1], "facts.game", *(f"facts.{name}" for name in _FACTS))
_DORA: Final = [YAKU_IN_MESSAGES.get(name, name) for name, yaku in YAKU.items() if yaku.dora]
#: The draws of a round, of the dead wall too, after which the wall is empty, by the number of players.
_DRAWS: Final = {4: 70, 3: 55}
#: The most points that players in tenpai receive from the others.
_NOTEN: Final = 3000
#: The number of frames of sums that are held before they are added.
_HELD: Final = 64

_GAME: Final = ["game"]
_ROUND: Final = ["game", "round"]
_SEAT: Final = ["game", "seat"]
_ACTOR: Final = pl.col("actor").alias("seat")
_TARGET: Final = pl.col("target").alias("seat")


class Stats:
    """Statistics under construction, a row for each player, and for each value of `by`.

    `where` keeps some matches. `matches` counts the matches that were added, `others` those of them that are no
    riichi games of three or four players.

    >>> from mjconv.columns import to_arrow
    >>> from mjconv.ir.events import Riichi, Ryukyoku
    >>> from mjconv.ir.match import Match, Round
    >>> stats = Stats()
    >>> stats.add(to_arrow(Match(rounds=[Round([Riichi(2), Ryukyoku()])])))
    >>> [row[0] for row in stats.grid().rows if row[stats.grid().columns.index("riichi_rate")]]
    ['seat 2']
    """

    def __init__(self, by: By | None = None, where: Where | None = None) -> None:
        self.by = by
        self.where = where
        self.matches = 0
        self.others = 0
        self._keys = ["player"] if by is None else ["group", "player"]
        self._sums: list[pl.DataFrame] = []

    def add(self, table: pa.Table) -> None:
        """Add the matches whose events an Arrow table has in `COLUMNS`. No match is divided between tables."""
        # Most rows are draws and discards: of these, only the number of draws is needed.
        kinds = pl.DataFrame(pl.from_arrow(table.select(["game", "round", "type"])))
        drawn = kinds.filter(pl.col("type") == "tsumo").group_by(_ROUND).agg(drawn=pl.len())
        first = pc.is_valid(pc.struct_field(table["facts"], "players"))
        rows = pc.or_(first, kinds["type"].is_in(_KINDS).to_arrow())
        events = pl.DataFrame(pl.from_arrow(table.select(COLUMNS).filter(rows)))
        matches = events.filter(pl.col("facts").struct.field("players").is_not_null()).select("game", "facts")
        self.matches += matches.height
        if self.where is not None:
            fits = [self.where.fits(_facts(row)) for row in matches["facts"].to_list()]
            matches = matches.filter(pl.Series(fits, dtype=pl.Boolean))
        kept = matches.height
        game, players = (pl.col("facts").struct.field(name) for name in ("game", "players"))
        riichi = matches.filter(game == "riichi", players.is_in(list(_DRAWS)))
        facts = (*_FACTS, "teams") if self.by == "team" else _FACTS
        matches = riichi.select("game", *(pl.col("facts").struct.field(name) for name in facts))
        self.others += kept - matches.height
        self._sums.append(self._added([self._seats(events, drawn, matches)]))
        if len(self._sums) > _HELD:
            self._sums = [self._added(self._sums)]

    def grid(self) -> Grid:
        """Return the table: the players with the most games first; with `by`, its values in their order."""
        added = self._added(self._sums) if self._sums else pl.DataFrame()
        rows: list[list[Cell]] = []
        if added.height:
            order = [*self._keys[:-1], "games", "player"]
            added = added.sort(order, descending=[name == "games" for name in order])
            rows = [self._row(sums) for sums in added.iter_rows(named=True)]
        keys = ["player"] if self.by is None else [self.by, "player"]
        return Grid([*keys, *_COUNTS, *_RATES], rows, missing="")

    def _row(self, sums: dict[str, Any]) -> list[Cell]:
        rates = (Fraction(sums[part], sums[whole]) if sums[whole] else None for part, whole in _RATES.values())
        return [*(sums[name] for name in (*self._keys, *_COUNTS)), *rates]

    def _added(self, frames: list[pl.DataFrame]) -> pl.DataFrame:
        return pl.concat(frames).group_by(self._keys).agg(pl.all().sum())

    def _seats(self, events: pl.DataFrame, drawn: pl.DataFrame, matches: pl.DataFrame) -> pl.DataFrame:
        """Return the sums of each seat of each match, with the name of its player."""
        by = {
            "month": pl.col("date").dt.strftime("%Y-%m").fill_null(""),
            "room": pl.col("room").fill_null(""),
            "seat": pl.col("seat"),
            "rank": _of_seat("ranks").fill_null(""),
            "team": _of_seat("teams").fill_null(""),
        }
        place, points = _of_seat("places").cast(pl.Int64), _of_seat("points").cast(pl.Int64)
        seats = (
            matches.with_columns(seat=pl.int_ranges(0, pl.col("players"), dtype=pl.Int8))
            .explode("seat")
            .select(
                *_SEAT,
                _of_seat("names").fill_null(pl.format("seat {}", "seat")).alias("player"),
                *(() if self.by is None else (by[self.by].alias("group"),)),
                games=pl.lit(1, pl.Int64),
                **{name: place == number for number, name in enumerate(_PLACES, 1)},
                places=place,
                placed=place.is_not_null(),
                points_sum=points,
                scored=points.is_not_null(),
            )
        )
        played = events.join(matches, on=_GAME, how="semi").filter(pl.col("round").is_not_null())
        results = played.filter(pl.col("type").is_in(["hora", "ryukyoku"]))
        finished = results.select(_ROUND).unique()
        played = played.join(finished, on=_ROUND, how="semi")
        draws = _draws(results.join(drawn, on=_ROUND, how="left"), matches)
        seats = seats.join(finished.group_by(_GAME).agg(rounds=pl.len()), on=_GAME, how="left")
        seats = seats.join(draws.group_by(_GAME).agg(draws=pl.len()), on=_GAME, how="left")
        for part in (_wins(results), _deal_ins(results), _riichi(played), _calls(played), _tenpais(draws)):
            seats = seats.join(part, on=_SEAT, how="left")
        sums = pl.all().exclude(*_SEAT, *self._keys)
        return seats.select(*self._keys, sums.cast(pl.Int64).fill_null(0))


def _facts(row: dict[str, Any]) -> Facts:
    return msgspec.convert({name: value for name, value in row.items() if value is not None}, Facts)


def _of_seat(column: str) -> pl.Expr:
    return pl.col(column).list.get(pl.col("seat"), null_on_oob=True)


def _wins(results: pl.DataFrame) -> pl.DataFrame:
    wins = results.filter(pl.col("type") == "hora")
    value = pl.coalesce("hora_points", pl.col("deltas").list.get(pl.col("actor"), null_on_oob=True))
    yaku = pl.element().struct
    dora = yaku.field("fan").filter(yaku.field("name").is_in(_DORA)).sum()
    return wins.group_by("game", _ACTOR).agg(
        wins=pl.len(),
        tsumos=(pl.col("tsumo").fill_null(False) | (pl.col("target") == pl.col("actor"))).sum(),
        won=value.cast(pl.Int64).sum(),
        won_known=value.count(),
        dora=pl.col("yakus").list.eval(dora).list.first().sum(),
        dora_known=(pl.col("yakus").list.len() > 0).sum(),
    )


def _deal_ins(results: pl.DataFrame) -> pl.DataFrame:
    wins = results.filter(pl.col("type") == "hora", pl.col("target") != pl.col("actor"))
    paid = -pl.col("deltas").list.get(pl.col("target"), null_on_oob=True)
    value = pl.coalesce("hora_points", paid).cast(pl.Int64)
    rounds = wins.group_by(*_ROUND, _TARGET).agg(lost=value.sum(), known=value.is_not_null().all())
    return rounds.group_by(_SEAT).agg(
        deal_ins=pl.len(), lost=pl.col("lost").filter(pl.col("known")).sum(), lost_known=pl.col("known").sum()
    )


def _riichi(played: pl.DataFrame) -> pl.DataFrame:
    riichi = played.filter(pl.col("type") == "reach")
    first = pl.col("event") == pl.col("event").min().over(_ROUND)
    return (
        riichi.with_columns(first=first)
        .group_by("game", _ACTOR)
        .agg(riichi=pl.len(), riichi_turns=pl.col("turn").cast(pl.Int64).sum(), first_riichi=pl.col("first").sum())
    )


def _calls(played: pl.DataFrame) -> pl.DataFrame:
    calls = played.filter(pl.col("type").is_in(list(CALLS)))
    return calls.select(*_ROUND, _ACTOR).unique().group_by(_SEAT).agg(called=pl.len())


def _draws(results: pl.DataFrame, matches: pl.DataFrame) -> pl.DataFrame:
    """Return the draws at which the wall was empty, with the column `named` for the hub's name of the reason."""
    draws = results.filter(pl.col("type") == "ryukyoku").unique(_ROUND, keep="last")
    draws = draws.with_columns(pl.col("reason").cast(pl.String))
    spellings = draws["reason"].drop_nulls().unique()
    named = {spelling: reason_of(spelling) for spelling in spellings}
    draws = draws.with_columns(named=pl.col("reason").replace_strict(named, return_dtype=pl.String))
    draws = draws.join(matches.select("game", "players"), on=_GAME)
    empty = pl.col("drawn") >= pl.col("players").replace_strict(_DRAWS, return_dtype=pl.Int64)
    return draws.filter(pl.col("named").is_in(list(SHOW_TENPAI)) | (pl.col("reason").is_null() & empty))


def _tenpais(draws: pl.DataFrame) -> pl.DataFrame:
    """Return who was tenpai: as the record states it, else by the points that are paid for it."""
    gains = pl.col("deltas").list.eval(pl.element().filter(pl.element() > 0)).list.sum()
    paid = (gains > 0) & (gains <= _NOTEN) & (pl.col("named").fill_null("exhaustive_draw") == "exhaustive_draw")
    by_points = pl.when(paid).then(_of_seat("deltas") > 0)
    seats = draws.with_columns(seat=pl.int_ranges(0, pl.col("players"), dtype=pl.Int8)).explode("seat")
    tenpai = pl.coalesce(_of_seat("tenpais"), by_points)
    return seats.group_by(_SEAT).agg(tenpai=tenpai.sum(), tenpai_known=tenpai.count())


def complete_games(tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Return tables in which no game is divided, from tables with games in their order."""
    rest: pa.Table | None = None
    for table in tables:
        joined = table if rest is None else pa.concat_tables([rest, table]).unify_dictionaries()
        if joined.num_rows:
            begin = joined["game"].index(joined["game"][-1]).as_py()
            yield joined.slice(0, begin)
            rest = joined.slice(begin)
    if rest is not None:
        yield rest
