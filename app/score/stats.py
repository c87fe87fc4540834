"""Statistics of the players of riichi games, computed by polars from the columns of events.

Needs polars and pyarrow, which the extra ``stats`` installs.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from mjconv.archive.facts import Facts
from mjconv.archive.where import Where
from mjconv.columns.rows import record_batches
from mjconv.columns.tables import KINDS, OF_ROUNDS, of_seat, rounds_of, seats_of
from mjconv.ir.match import Match
from mjconv.rules.circumstances import DRAWS
from mjconv.score.table import PLACES, Cell, Grid
from mjconv.source import Record

By: TypeAlias = Literal["month", "room", "seat", "rank", "team"]
GROUPS: Final[tuple[By, ...]] = get_args(By)

#: The facts that statistics need.
_FACTS: Final = ("players", "date", "room", "names", "ranks", "places", "points")
#: The columns of events that statistics need.
COLUMNS: Final = (*OF_ROUNDS, "facts")
_COUNTS: Final = ("games", "rounds", *PLACES)
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
#: The sums over the rounds of a seat.
_SUMS: Final = {
    "rounds": pl.len(),
    "wins": pl.col("won").sum(),
    "tsumos": pl.col("tsumo").sum(),
    "won": pl.col("value").sum(),
    "won_known": pl.col("value").count(),
    "dora": pl.col("dora").sum(),
    "dora_known": pl.col("dora").count(),
    "deal_ins": pl.col("dealt_in").sum(),
    "lost": pl.col("lost").sum(),
    "lost_known": pl.col("lost").count(),
    "riichi": pl.col("riichi_turn").count(),
    "riichi_turns": pl.col("riichi_turn").cast(pl.Int64).sum(),
    "first_riichi": pl.col("first_riichi").sum(),
    "called": (pl.col("calls") > 0).sum(),
    "draws": pl.col("exhausted").sum(),
    "tenpai": pl.col("tenpai").sum(),
    "tenpai_known": pl.col("tenpai").count(),
}
#: The columns to read from Parquet if no filter needs the other facts: they take half of the time of reading.
FEW_COLUMNS: Final = (*COLUMNS[:-1], "facts.game", *(f"facts.{name}" for name in (*_FACTS, "teams")))
#: The number of frames of sums that are held before they are added.
_HELD: Final = 64

_SEAT: Final = ["game", "seat"]


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
        drawn = kinds.filter(pl.col("type") == "tsumo").group_by("game", "round").agg(drawn=pl.len())
        first = pc.is_valid(pc.struct_field(table["facts"], "players"))
        rows = pc.or_(first, kinds["type"].is_in(KINDS).to_arrow())
        events = pl.DataFrame(pl.from_arrow(table.select(COLUMNS).filter(rows)))
        matches = events.filter(pl.col("facts").struct.field("players").is_not_null()).select("game", "facts")
        self.matches += matches.height
        if self.where is not None:
            fits = [self.where.fits(_facts(row)) for row in matches["facts"].to_list()]
            matches = matches.filter(pl.Series(fits, dtype=pl.Boolean))
        kept = matches.height
        game, players = (pl.col("facts").struct.field(name) for name in ("game", "players"))
        riichi = matches.filter(game == "riichi", players.is_in(list(DRAWS)))
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
            "rank": of_seat("ranks").fill_null(""),
            "team": of_seat("teams").fill_null(""),
        }
        place, points = of_seat("places").cast(pl.Int64), of_seat("points").cast(pl.Int64)
        seats = seats_of(matches).select(
            *_SEAT,
            of_seat("names").fill_null(pl.format("seat {}", "seat")).alias("player"),
            *(() if self.by is None else (by[self.by].alias("group"),)),
            games=pl.lit(1, pl.Int64),
            **{name: place == number for number, name in enumerate(PLACES, 1)},
            places=place,
            placed=place.is_not_null(),
            points_sum=points,
            scored=points.is_not_null(),
        )
        played = events.filter(pl.col("round").is_not_null())
        rounds = rounds_of(played, drawn, matches.select("game", "players"))
        seats = seats.join(rounds.group_by(_SEAT).agg(**_SUMS), on=_SEAT, how="left")
        sums = pl.all().exclude(*_SEAT, *self._keys)
        return seats.select(*self._keys, sums.cast(pl.Int64).fill_null(0))


def _facts(row: dict[str, Any]) -> Facts:
    return msgspec.convert({name: value for name, value in row.items() if value is not None}, Facts)


def event_tables(matches: Iterable[Match | Record]) -> Iterator[pa.Table]:
    """Return the events of matches as tables in which no match is divided."""
    return (pa.Table.from_batches([batch]) for batch in record_batches(matches))


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
