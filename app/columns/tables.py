"""Tables of games, of seats and of rounds, made by polars from the columns of events.

Loading this module loads polars and pyarrow.
"""

from collections.abc import Callable
from typing import Final

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from mjconv.columns.names import EVENTS
from mjconv.columns.schema import FACTS_BY_SEAT, TABLE_COLUMNS, schema_of
from mjconv.ir.events import CALLS
from mjconv.ir.message_names import YAKU_IN_MESSAGES, reason_of
from mjconv.ir.vocabulary import SHOW_TENPAI, YAKU
from mjconv.rules.circumstances import DRAWS

#: The columns of events from which rounds are made, and those of their deals.
OF_ROUNDS: Final = (
    *("game", "round", "event", "turn", "type", "actor", "target", "deltas", "tsumo"),
    *("yakus", "hora_points", "reason", "tenpais"),
)
_OF_DEALS: Final = ("bakaze", "kyoku", "honba", "oya", "kyotaku", "scores")
#: The kinds of events that rounds need, beside draws.
KINDS: Final = ("reach", *CALLS, "hora", "ryukyoku")
_DORA: Final = [YAKU_IN_MESSAGES.get(name, name) for name, yaku in YAKU.items() if yaku.dora]
#: The most points that players in tenpai receive from the others.
_NOTEN: Final = 3000
#: The points of a riichi stick.
_STICK: Final = 1000

_ROUND: Final = ("game", "round")
_SEAT: Final = (*_ROUND, "seat")
_ACTOR: Final = pl.col("actor").alias("seat")


def of_seat(column: str) -> pl.Expr:
    """Return the value of a row's seat in a column with a list by seat."""
    return pl.col(column).list.get(pl.col("seat"), null_on_oob=True)


def seats_of(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with a row for each seat of the number in the column `players`."""
    return frame.with_columns(seat=pl.int_ranges(0, pl.col("players"), dtype=pl.Int8)).explode("seat")


def made_table(events: pa.Table, name: str) -> pa.Table:
    """Return a table of whole games, made from their events: a name of `TABLE_COLUMNS`, or the events.

    >>> from mjconv.columns import to_arrow
    >>> from mjconv.ir.events import Riichi, Ryukyoku
    >>> from mjconv.ir.match import Match, Round
    >>> table = made_table(to_arrow(Match(rounds=[Round([Riichi(2), Ryukyoku()])])), "rounds")
    >>> table.select(["round", "seat", "riichi_turn"]).to_pylist()[1:3]
    [{'round': 0, 'seat': 1, 'riichi_turn': None}, {'round': 0, 'seat': 2, 'riichi_turn': 1}]
    """
    if name == EVENTS:
        return events
    schema = schema_of(TABLE_COLUMNS[name])
    return _MADE[name](events).select(schema.names).to_arrow().cast(schema)


def _games(events: pa.Table) -> pl.DataFrame:
    """Return the games with their facts, whose `game` is named `rules`."""
    # Few rows have facts, and polars would convert all their fields.
    firsts = events.select(["game", "source", "facts"]).filter(pc.is_valid(events["facts"]))
    frame = pl.DataFrame(pl.from_arrow(firsts))
    return frame.select("game", "source").hstack(frame["facts"].struct.unnest().rename({"game": "rules"}))


def _seats(events: pa.Table) -> pl.DataFrame:
    lists = {name: of_seat(fact) for fact, name in FACTS_BY_SEAT.items()}
    return seats_of(_games(events)).select("game", "seat", **lists)


def _rounds(events: pa.Table) -> pl.DataFrame:
    """Return the rounds with their deals, their points, and the places before and after them."""
    frame = pl.DataFrame(pl.from_arrow(events.select([*OF_ROUNDS, *_OF_DEALS])))
    drawn = frame.select(*_ROUND, "type").filter(pl.col("type") == "tsumo").group_by(_ROUND).agg(drawn=pl.len())
    frame = frame.filter(
        pl.col("round").is_not_null(), pl.col("type").is_in([*KINDS, "start_kyoku", "reach_accepted"])
    )
    deals = frame.filter(pl.col("type") == "start_kyoku").unique(_ROUND, keep="first").select(*_ROUND, *_OF_DEALS)
    ends = frame.filter(pl.col("type").is_in(["hora", "ryukyoku"])).unique(_ROUND, keep="last")
    sticks = frame.filter(pl.col("type") == "reach_accepted").group_by(*_ROUND, _ACTOR).agg(sticks=pl.len())
    seats = rounds_of(frame, drawn, _games(events).select("game", "players"))
    seats = seats.join(ends.select(*_ROUND, after="scores"), on=_ROUND, how="left")
    seats = seats.join(deals, on=_ROUND, how="left").join(sticks, on=_SEAT, how="left").sort(_SEAT)
    paid = pl.col("sticks").cast(pl.Int64).fill_null(0) * _STICK
    seats = seats.with_columns(
        dealer=pl.col("oya") == pl.col("seat"), points_before=of_seat("scores"), delta=pl.col("gained") - paid
    )
    after = pl.coalesce(of_seat("after"), pl.col("points_before") + pl.col("delta"))
    seats = seats.with_columns(points_after=after)
    # Of equal points, the seat nearest to the first dealer is before the others.
    places = pl.col("points_before", "points_after").rank("ordinal", descending=True).over(_ROUND)
    return seats.with_columns(places.name.replace("points", "place"))


_MADE: Final[dict[str, Callable[[pa.Table], pl.DataFrame]]] = {"games": _games, "seats": _seats, "rounds": _rounds}


def rounds_of(played: pl.DataFrame, drawn: pl.DataFrame, games: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each seat of each round that has a result: what its player did, and what it brought.

    `played` are the events of `KINDS` with the columns `OF_ROUNDS`, `drawn` the number of draws of each round, and
    `games` the number of `players` of each game.
    """
    played = played.join(games, on="game")
    results = played.filter(pl.col("type").is_in(["hora", "ryukyoku"]))
    seats = seats_of(results.select(*_ROUND, "players").unique())
    draws = _draws(results.join(drawn, on=_ROUND, how="left"))
    gains = seats_of(results).group_by(_SEAT).agg(gained=of_seat("deltas").cast(pl.Int64).sum())
    for part in (_wins(results), _deal_ins(results), _riichi(played), _calls(played), draws, gains):
        seats = seats.join(part, on=_SEAT, how="left")
    flags = pl.col("won", "dealt_in", "first_riichi", "exhausted").fill_null(False)
    return seats.with_columns(flags, pl.col("calls").fill_null(0))


def _wins(results: pl.DataFrame) -> pl.DataFrame:
    wins = results.filter(pl.col("type") == "hora")
    value = pl.coalesce("hora_points", pl.col("deltas").list.get(pl.col("actor"), null_on_oob=True))
    yaku = pl.element().struct
    dora = yaku.field("fan").filter(yaku.field("name").is_in(_DORA)).sum()
    return wins.unique((*_ROUND, "actor"), keep="first").select(
        *_ROUND,
        _ACTOR,
        won=pl.lit(True),
        tsumo=pl.col("tsumo").fill_null(False) | (pl.col("target") == pl.col("actor")),
        win_turn="turn",
        value=value.cast(pl.Int64),
        dora=pl.when(pl.col("yakus").list.len() > 0).then(pl.col("yakus").list.eval(dora).list.first()),
    )


def _deal_ins(results: pl.DataFrame) -> pl.DataFrame:
    """Return who discarded winning tiles, with the value of the hands that won if all of them are known."""
    wins = results.filter(pl.col("type") == "hora", pl.col("target") != pl.col("actor"))
    paid = -pl.col("deltas").list.get(pl.col("target"), null_on_oob=True)
    value = pl.coalesce("hora_points", paid).cast(pl.Int64)
    return wins.group_by(*_ROUND, pl.col("target").alias("seat")).agg(
        dealt_in=pl.lit(True), lost=pl.when(value.is_not_null().all()).then(value.sum())
    )


def _riichi(played: pl.DataFrame) -> pl.DataFrame:
    riichi = played.filter(pl.col("type") == "reach")
    first = pl.col("event") == pl.col("event").min().over(_ROUND)
    riichi = riichi.with_columns(first=first).unique((*_ROUND, "actor"), keep="first")
    return riichi.select(*_ROUND, _ACTOR, riichi_turn="turn", first_riichi="first")


def _calls(played: pl.DataFrame) -> pl.DataFrame:
    calls = played.filter(pl.col("type").is_in(list(CALLS)))
    return calls.group_by(*_ROUND, _ACTOR).agg(calls=pl.len(), first_call_turn=pl.col("turn").min())


def _draws(results: pl.DataFrame) -> pl.DataFrame:
    """Return the seats at draws, with the hub's reason: whether the wall was empty, and who was tenpai.

    A player is tenpai as the record states it, else by the points that are paid for it.
    """
    draws = results.filter(pl.col("type") == "ryukyoku").unique(_ROUND, keep="last")
    draws = draws.with_columns(pl.col("reason").cast(pl.String))
    named = {spelling: reason_of(spelling) for spelling in draws["reason"].drop_nulls().unique()}
    draws = draws.with_columns(named=pl.col("reason").replace_strict(named, return_dtype=pl.String))
    empty = pl.col("drawn") >= pl.col("players").replace_strict(DRAWS, default=None, return_dtype=pl.Int64)
    exhausted = pl.col("named").is_in(list(SHOW_TENPAI)) | (pl.col("reason").is_null() & empty)
    gains = pl.col("deltas").list.eval(pl.element().filter(pl.element() > 0)).list.sum()
    usual = pl.col("named").fill_null("exhaustive_draw") == "exhaustive_draw"
    by_points = pl.when((gains > 0) & (gains <= _NOTEN) & usual).then(of_seat("deltas") > 0)
    tenpai = pl.when("exhausted").then(pl.coalesce(of_seat("tenpais"), by_points))
    return seats_of(draws.with_columns(exhausted=exhausted.fill_null(False))).select(
        *_SEAT, "exhausted", reason=pl.coalesce("named", "reason"), tenpai=tenpai
    )
