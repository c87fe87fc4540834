"""The results of a round as a viewer shows them: hand, yaku, value, payments; or who was tenpai on which tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from mjconv.converters.shared.winning_hands import WinningHand, hub_yaku
from mjconv.ir import events as ev
from mjconv.ir.match import Rules
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.ir.vocabulary import REASONS, YAKU
from mjconv.rules.hands import countable, waits
from mjconv.rules.riichi_values import LIMITS, limit_of
from mjconv.rules.riichi_wins import Settlement
from mjconv.rules.rulesets import RuleSet, Settle
from mjconv.rules.tenpai import stated_tenpai, tenpai_of
from mjconv.viewer.captions import draw_title, win_title
from mjconv.viewer.replay import RoundReplay
from mjconv.viewer.state import LaidMeld, StatePart
from mjconv.viewer.words import Sentence, count_key, texts

#: The han of one yakuman.
_YAKUMAN: Final = 13
#: The points of a mangan. A hand with these points may be one that the house rounds up.
_MANGAN_POINTS: Final = frozenset({8000, 12000})

_NAGASHI: Final = "nagashi_mangan"

Gains: TypeAlias = tuple[int, ...]


class ScoredYaku(StatePart, frozen=True):
    """A yaku of a win: the key of its name, and its han, or the number of yakuman that it counts."""

    name: str
    han: int | UnsetType = UNSET
    yakuman: int | UnsetType = UNSET


class WinResult(StatePart, frozen=True, rename={"source": "from"}, tag_field="kind", tag="win"):
    """A win. Values that are not known are absent.

    `how` is ``ron``, ``tsumo``, or ``win`` if the record does not state which. `source` is the discarder (``from``
    in JSON). `hand` are the concealed tiles without the winning `tile`. `title` and `value` are sentences. `pays`
    are payments: from, to, points. `sticks` are the points that the winner takes from the table. `worked`: yaku,
    han, fu or points are worked out by the rules, and not stated by the record.
    """

    how: Literal["ron", "tsumo", "win"]
    winner: int
    title: Sentence
    hand: str
    melds: tuple[LaidMeld, ...] = ()
    aside: tuple[Tile, ...] = ()
    source: int | UnsetType = UNSET
    liable: int | UnsetType = UNSET
    tile: Tile | UnsetType = UNSET
    dora: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()
    yaku: tuple[ScoredYaku, ...] = ()
    han: int | UnsetType = UNSET
    fu: int | UnsetType = UNSET
    limit: str | UnsetType = UNSET
    points: int | UnsetType = UNSET
    value: Sentence | UnsetType = UNSET
    gains: Gains | UnsetType = UNSET
    pays: tuple[tuple[int, int, int], ...] = ()
    sticks: int | UnsetType = UNSET
    worked: bool = False


class DrawResult(StatePart, frozen=True, tag_field="kind", tag="draw"):
    """A round that ended without a win. `seat` made a false win. None in a tuple: not known, or not tenpai."""

    title: Sentence
    tenpai: tuple[bool | None, ...]
    hands: tuple[str | None, ...]
    waits: tuple[tuple[Tile, ...] | None, ...]
    gains: Gains | UnsetType = UNSET
    seat: int | UnsetType = UNSET


Result: TypeAlias = WinResult | DrawResult


def settlement(
    settle: Settle | None,
    replay: RoundReplay,
    deal: ev.StartRound,
    events: Sequence[ev.Event],
    index: int,
    rules: Rules | UnsetType,
) -> Settlement | None:
    """Return the value of a win by its rule set. None if the hand or its dora are not known, or it has no yaku."""
    if settle is None or deal.dora_marker in (UNSET, HIDDEN):
        return None
    found: Settlement | None = settle(replay.table, deal, events, index, rules=rules)
    return found if found is not None and found.value.yaku else None


def gains_of(event: ev.Win | ev.Ryukyoku, settled: Settlement | None, seats: int) -> Gains | None:
    """Return the points that each seat gains: those of the record, else those by the rules; None if not known."""
    if event.deltas is not UNSET:
        return event.deltas if len(event.deltas) == seats else None
    if isinstance(event, ev.Ryukyoku):
        return (0,) * seats if event.scores is UNSET else None
    return settled.deltas if settled is not None else None


def win_result(
    event: ev.Win,
    replay: RoundReplay,
    deal: ev.StartRound,
    settled: Settlement | None,
    gains: Gains | None,
    ruleset: RuleSet,
) -> WinResult:
    """Return the result of a win. `replay` has played the win. `ruleset` are the rules of the game."""
    state, seat = replay.state, event.actor
    target = event.target
    how: Literal["ron", "tsumo", "win"] = "win" if target is UNSET else "tsumo" if target == seat else "ron"
    tile = event.pai if event.pai is not UNSET else _tile(replay, how, seat)
    yaku, worked = _yaku(event, replay, deal, settled, tile)
    # Some records count the ura dora of each riichi, also those of 0 han.
    yaku = tuple([each for each in yaku if each.han != 0])
    han, fu, points = event.fan, event.fu, event.hora_points
    if settled is not None:
        worked = worked or UNSET in (han, points)
        agrees = han is UNSET or han == settled.value.han
        han = settled.value.han if han is UNSET else han
        fu = settled.value.fu if fu is UNSET and agrees else fu
        points = settled.points if points is UNSET and agrees else points
    yakuman = sum(each.yakuman for each in yaku if each.yakuman is not UNSET)
    limit, value = _value(han, fu, points, yakuman, ruleset)
    liable = event.liable
    if liable is UNSET and settled is not None and settled.liable is not None:
        liable = settled.liable
    return WinResult(
        how=how,
        winner=seat,
        title=win_title(event, tile),
        hand=state.hands[seat],
        melds=state.melds[seat],
        aside=state.aside[seat],
        source=target if how == "ron" else UNSET,
        liable=liable,
        tile=UNSET if tile is None else tile,
        dora=tuple([mark for mark in state.dora if mark is not None]),
        ura=tuple(event.ura_markers or ()),
        yaku=yaku,
        han=han,
        fu=fu,
        limit=UNSET if limit is None else limit,
        points=points,
        value=UNSET if value is None else value,
        gains=UNSET if gains is None else gains,
        pays=() if gains is None else tuple([(a, seat, -paid) for a, paid in enumerate(gains) if paid < 0]),
        sticks=UNSET if gains is None else max(0, sum(gains)),
        worked=worked,
    )


def _tile(replay: RoundReplay, how: str, seat: int) -> Tile | None:
    if how == "tsumo":
        return replay.state.drawn[seat]
    return replay.table.last_tile if how == "ron" else None


def _yaku(
    event: ev.Win, replay: RoundReplay, deal: ev.StartRound, settled: Settlement | None, tile: Tile | None
) -> tuple[tuple[ScoredYaku, ...], bool]:
    """Return the yaku of a win, and whether they are worked out by the rules."""
    if event.yakus is UNSET:
        return (
            () if settled is None else tuple(_scored(*each) for each in settled.value.yaku)
        ), settled is not None
    oya = replay.table.oya
    hand = WinningHand(
        [*replay.state.hands[event.actor].split(), *([] if tile is None else [tile])],
        tile or HIDDEN,
        [meld.own[0] for meld in replay.table.melds[event.actor] if meld.kind != "nukidora"],
        deal.bakaze or "E",
        WINDS[(event.actor - oya) % replay.seats % len(WINDS)],
    )
    named = hub_yaku(event.yakus, hand)
    if named is None:
        return tuple([_scored(name, han) for name, han in event.yakus]), False
    return tuple([_scored(name, han) for name, han in named]), False


def _scored(name: str, han: int) -> ScoredYaku:
    yaku = YAKU.get(name)
    if yaku is not None and yaku.yakuman:
        return ScoredYaku(f"yaku.{name}", yakuman=max(1, han // _YAKUMAN))
    return ScoredYaku(f"yaku.{name}" if f"yaku.{name}" in texts() else name, han)


def _value(
    han: int | UnsetType, fu: int | UnsetType, points: int | UnsetType, yakuman: int, ruleset: RuleSet
) -> tuple[str | None, Sentence | None]:
    """Return the key of the limit of a value, and the value as a sentence; None where there is none.

    >>> from mjconv.rules.rulesets import RIICHI
    >>> _value(4, 40, 8000, 0, RIICHI)
    ('limit.mangan', ('value.limit_han_fu', 'limit.mangan', 4, 40, 8000))
    >>> _value(3, 40, 7700, 0, RIICHI)
    (None, ('value.han_fu', 3, 40, 7700))
    """
    if han is UNSET or points is UNSET:
        if points is not UNSET:
            return None, ("value.points", points)
        counted = han is not UNSET and ruleset.settle is None
        return None, ("value.count", han, count_key(ruleset)) if counted else None
    if yakuman > 1:
        return "limit.yakuman", ("value.yakuman", yakuman, points)
    if limit := LIMITS[limit_of(han, fu or 0, yakuman, kiriage=points in _MANGAN_POINTS)]:
        key = f"limit.{limit}"
        if yakuman:
            return key, ("value.limit", key, points)
        return key, ("value.limit_han", key, han, points) if not fu else (
            "value.limit_han_fu",
            key,
            han,
            fu,
            points,
        )
    return None, ("value.han", han, points) if not fu else ("value.han_fu", han, fu, points)


def draw_result(event: ev.Ryukyoku, replay: RoundReplay, gains: Gains | None) -> DrawResult:
    """Return the result of a round without a win. `replay` has played it."""
    seats, state, melds = replay.seats, replay.state, replay.table.melds
    hands = [[*hand.split(), *filter(None, [drawn])] for hand, drawn in zip(state.hands, state.drawn, strict=True)]
    reason = reason_of(event.reason) if event.reason else None
    # Whether a draw without a known reason is an exhaustive one, the record does not state.
    exhaustive = reason is not None and not REASONS[reason].abortive
    tenpai = tenpai_of(event, hands, melds) if exhaustive else stated_tenpai(event, seats)
    found: list[tuple[Tile, ...] | None] = [None] * seats
    for seat in range(seats):
        if tenpai[seat] and countable(hands[seat], melds[seat]):
            found[seat] = tuple(sorted(waits(hands[seat], melds[seat]), key=_by_suit))
    title = draw_title(event, tuple([seat for seat in range(seats) if tenpai[seat]]))
    if reason == _NAGASHI and (winners := tuple([seat for seat, gain in enumerate(gains or ()) if gain > 0])):
        title = ("drawn.nagashi", f"reason.{reason}", winners)
    return DrawResult(
        title=title,
        tenpai=tenpai,
        hands=tuple([hand if shown else None for hand, shown in zip(state.hands, state.open, strict=True)]),
        waits=tuple(found),
        gains=UNSET if gains is None else gains,
        seat=event.actor,
    )


def _by_suit(tile: Tile) -> tuple[str, str]:
    return tile[1:], tile


def briefly(results: Sequence[Result]) -> list[Sentence]:
    """Return the results of a round for the list of rounds."""
    found: list[Sentence] = []
    for result in results:
        if isinstance(result, DrawResult):
            found.append(_brief_draw(result))
        else:
            points = _won_points(result)
            key = f"brief.{result.how}"
            found.append((f"{key}_only", result.winner) if points is None else (key, result.winner, points))
    return found or [("brief.none",)]


def _won_points(result: WinResult) -> int | None:
    if result.points is not UNSET:
        return result.points
    return result.gains[result.winner] if result.gains is not UNSET else None


def _brief_draw(result: DrawResult) -> Sentence:
    key, *values = result.title
    if key == "drawn.chombo":
        return "brief.chombo", values[0]
    if key == "drawn.tenpai":
        return "brief.tenpai", values[0], len(values[1])
    return ("brief.draw", values[0]) if values else ("brief.only",)
