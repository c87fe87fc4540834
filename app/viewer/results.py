"""The results of a round as a viewer shows them: hand, yaku, value, payments; or who was tenpai on which tiles."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import UNSET, UnsetType

from mjconv.converters.shared.winning_hands import WinningHand, hub_yaku
from mjconv.ir import events as ev
from mjconv.ir.display import Ending, ending
from mjconv.ir.match import Rules
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.ir.vocabulary import CHOMBO, HAN_OF_YAKUMAN, REASONS, YAKU
from mjconv.rules.hands import countable, waits
from mjconv.rules.riichi_values import LIMITS, limit_of
from mjconv.rules.riichi_wins import Settlement
from mjconv.rules.rulesets import RuleSet
from mjconv.rules.tenpai import stated_tenpai, tenpai_of
from mjconv.viewer.replay import RoundReplay
from mjconv.viewer.state import LaidMeld, StatePart
from mjconv.viewer.words import Sentence, count_key, texts

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

    how: Ending
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
    """A round that ended without a win. `seat` made a false win. None in a tuple: not known, or not tenpai.

    `melds` are those of the hands that lie open.
    """

    title: Sentence
    tenpai: tuple[bool | None, ...]
    hands: tuple[str | None, ...]
    waits: tuple[tuple[Tile, ...] | None, ...]
    melds: tuple[tuple[LaidMeld, ...], ...]
    gains: Gains | UnsetType = UNSET
    seat: int | UnsetType = UNSET


ShownResult: TypeAlias = WinResult | DrawResult


def settlement(
    replay: RoundReplay, events: Sequence[ev.Event], index: int, rules: Rules | UnsetType
) -> Settlement | None:
    """Return the value of a win by its rule set. None if the hand or its dora are not known, or it has no yaku."""
    settle = replay.ruleset.settle
    if settle is None or replay.deal.dora_marker in (UNSET, HIDDEN):
        return None
    found: Settlement | None = settle(replay.table, replay.deal, events, index, rules=rules)
    return found if found is not None and found.value.yaku else None


def gains_of(event: ev.Win | ev.Ryukyoku, settled: Settlement | None, seats: int) -> Gains | UnsetType:
    """Return the points that each seat gains: those of the record, else those by the rules; UNSET if not known."""
    if event.deltas is not UNSET:
        return event.deltas if len(event.deltas) == seats else UNSET
    if isinstance(event, ev.Ryukyoku):
        return (0,) * seats if event.scores is UNSET else UNSET
    return settled.deltas if settled is not None else UNSET


def win_result(
    event: ev.Win, replay: RoundReplay, settled: Settlement | None, gains: Gains | UnsetType
) -> WinResult:
    """Return the result of a win. `replay` has played the win."""
    state, seat, how = replay.state, event.actor, ending(event)
    tile = event.pai
    if tile is UNSET and how != "win":
        tile = (state.drawn[seat] if how == "tsumo" else replay.table.last_tile) or UNSET
    yaku, worked = _yaku(event, replay, settled, tile)
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
    limit, value = _value(han, fu, points, yakuman, replay.ruleset)
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
        source=event.target if how == "ron" else UNSET,
        liable=liable,
        tile=tile,
        dora=tuple([mark for mark in state.dora if mark is not None]),
        ura=tuple(event.ura_markers or ()),
        yaku=yaku,
        han=han,
        fu=fu,
        limit=limit,
        points=points,
        value=value,
        gains=gains,
        pays=tuple([(payer, seat, -paid) for payer, paid in enumerate(gains or ()) if paid < 0]),
        sticks=UNSET if gains is UNSET else max(0, sum(gains)),
        worked=worked,
    )


def _yaku(
    event: ev.Win, replay: RoundReplay, settled: Settlement | None, tile: Tile | UnsetType
) -> tuple[tuple[ScoredYaku, ...], bool]:
    """Return the yaku of a win, and whether they are worked out by the rules."""
    if event.yakus is UNSET:
        worked = settled.value.yaku if settled is not None else ()
        return tuple([_scored(*each) for each in worked]), settled is not None
    hand = WinningHand(
        [*replay.state.hands[event.actor].split(), *([] if tile is UNSET else [tile])],
        tile or HIDDEN,
        [meld.own[0] for meld in replay.table.melds[event.actor] if meld.kind != "nukidora"],
        replay.deal.bakaze or "E",
        WINDS[(event.actor - replay.table.oya) % replay.seats % len(WINDS)],
    )
    named = hub_yaku(event.yakus, hand)
    return tuple([_scored(name, han) for name, han in (event.yakus if named is None else named)]), False


def _scored(name: str, han: int) -> ScoredYaku:
    yaku = YAKU.get(name)
    if yaku is not None and yaku.yakuman:
        return ScoredYaku(f"yaku.{name}", yakuman=max(1, han // HAN_OF_YAKUMAN))
    return ScoredYaku(f"yaku.{name}" if f"yaku.{name}" in texts("en") else name, han)


def _value(
    han: int | UnsetType, fu: int | UnsetType, points: int | UnsetType, yakuman: int, ruleset: RuleSet
) -> tuple[str | UnsetType, Sentence | UnsetType]:
    """Return the key of the limit of a value, and the value as a sentence; UNSET where there is none.

    >>> from mjconv.rules.rulesets import RIICHI
    >>> _value(4, 40, 8000, 0, RIICHI)
    ('limit.mangan', ('value.worth', ('value.limit_han_fu', 'limit.mangan', 4, 40), 8000))
    >>> _value(3, 40, 7700, 0, RIICHI)
    (UNSET, ('value.worth', ('value.han_fu', 3, 40), 7700))
    """
    if points is UNSET:
        counted = han is not UNSET and ruleset.settle is None
        return UNSET, ("value.count", han, count_key(ruleset)) if counted else UNSET
    if han is UNSET:
        return UNSET, ("value.points", points)
    if yakuman > 1:
        return "limit.yakuman", ("value.worth", ("value.yakuman", yakuman), points)
    kind, counts = ("han_fu", (han, fu)) if fu else ("han", (han,))
    if limit := LIMITS[limit_of(han, fu or 0, yakuman, kiriage=points in _MANGAN_POINTS)]:
        key = f"limit.{limit}"
        worth = ("value.limit", key) if yakuman else (f"value.limit_{kind}", key, *counts)
        return key, ("value.worth", worth, points)
    return UNSET, ("value.worth", (f"value.{kind}", *counts), points)


def draw_result(event: ev.Ryukyoku, replay: RoundReplay, gains: Gains | UnsetType) -> DrawResult:
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
            found[seat] = tuple(sorted(waits(hands[seat], melds[seat]), key=lambda tile: (tile[1:], tile)))
    title = draw_title(event, tuple([seat for seat in range(seats) if tenpai[seat]]))
    if reason == _NAGASHI and (winners := tuple([seat for seat, gain in enumerate(gains or ()) if gain > 0])):
        title = ("drawn.nagashi", f"reason.{reason}", winners)
    return DrawResult(
        title=title,
        tenpai=tenpai,
        hands=tuple([hand if shown else None for hand, shown in zip(state.hands, state.open, strict=True)]),
        waits=tuple(found),
        melds=tuple([laid if shown else () for laid, shown in zip(state.melds, state.open, strict=True)]),
        gains=gains,
        seat=event.actor,
    )


def briefly(results: Sequence[ShownResult]) -> list[Sentence]:
    """Return the results of a round for the list of rounds."""
    found: list[Sentence] = []
    for result in results:
        if isinstance(result, DrawResult):
            found.append(_brief_draw(result))
        else:
            points = result.points
            if points is UNSET and result.gains is not UNSET:
                points = result.gains[result.winner]
            brief = (f"brief.{result.how}", result.winner)
            found.append(brief if points is UNSET else ("brief.points", brief, points))
    return found or [("brief.none",)]


def _brief_draw(result: DrawResult) -> Sentence:
    key, *values = result.title
    if key == "drawn.chombo":
        return "brief.chombo", values[0]
    if key == "drawn.tenpai":
        return "brief.tenpai", values[0], len(values[1])
    return ("brief.draw", values[0]) if values else ("brief.only",)


def win_title(event: ev.Win, tile: Tile | UnsetType) -> Sentence:
    """Return the sentence of a win without its value: who wins, on which tile, from whom."""
    if event.target is UNSET or tile is UNSET:
        return "win", ("won.any", event.actor)
    if event.target == event.actor:
        return "win", ("won.tsumo", event.actor, tile)
    return "win", ("won.ron", event.actor, event.target, tile)


def draw_title(event: ev.Ryukyoku, tenpai: tuple[int, ...]) -> Sentence:
    """Return the sentence of a round that ends without a win. `tenpai` are the seats known to be in tenpai."""
    reason = reason_key(event)
    if reason == f"reason.{CHOMBO}" and event.actor is not UNSET:
        return "drawn.chombo", event.actor
    if tenpai:
        return "drawn.tenpai", reason, tenpai
    return ("drawn", reason) if event.reason else ("drawn.only",)


def reason_key(event: ev.Ryukyoku) -> str:
    """Return the key of the reason of a draw; the record's own word if it is not known.

    >>> reason_key(ev.Ryukyoku("kyushu_kyuhai")), reason_key(ev.Ryukyoku()), reason_key(ev.Ryukyoku("rain"))
    ('reason.nine_kinds', 'reason.none', 'rain')
    """
    if not event.reason:
        return "reason.none"
    name = reason_of(event.reason)
    return event.reason if name is None else f"reason.{name}"
