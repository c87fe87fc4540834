"""Count the statistics of players in plain loops over matches, as docs/archives.md defines them."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from mjconv.archive.facts import Facts
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round

#: A numerator and a denominator by the name of the column.
Tally = dict[str, list[int]]
EXHAUSTED = {"exhaustive_draw", "fanpai", "nagashimangan"}
DORA = {"dora", "uradora", "akadora", "nukidora"}


def count(matches: Iterable[tuple[Match, Facts]], by: str | None = None) -> dict[tuple[Any, str], dict[str, Any]]:
    """Return the columns of each row, by the value of `by` (None without it) and the player."""
    tallies: defaultdict[tuple[Any, str], Tally] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for match, facts in matches:
        rounds = [played for played in match.rounds if any(type(event) in ev.RESULTS for event in played.events)]
        for seat in range(facts.players):
            name = (facts.names and facts.names[seat]) or f"seat {seat}"
            groups = {
                "month": "" if facts.date is UNSET else str(facts.date)[:7],
                "room": facts.room or "",
                "seat": seat,
                "rank": (facts.ranks and facts.ranks[seat]) or "",
                "team": (facts.teams and facts.teams[seat]) or "",
                None: None,
            }
            tally = tallies[groups[by], name]
            tally["games"][0] += 1
            if facts.places:
                place = facts.places[seat]
                tally[("first", "second", "third", "fourth")[place - 1]][0] += 1
                add(tally, "average_place", place)
            if facts.points:
                add(tally, "points", facts.points[seat])
            for played in rounds:
                tally["rounds"][0] += 1
                count_round(tally, played, seat, facts.players)
    counts = ("games", "rounds", "first", "second", "third", "fourth")
    return {
        key: {
            **{name: tally[name][0] for name in counts},
            **{
                name: Fraction(value[0], value[1]) if value[1] else None
                for name, value in tally.items()
                if name not in counts
            },
        }
        for key, tally in tallies.items()
    }


def add(tally: Tally, name: str, value: int, weight: int = 1) -> None:
    tally[name][0] += value
    tally[name][1] += weight


def count_round(tally: Tally, played: Round, seat: int, players: int) -> None:
    wins = played.select(ev.Win)
    own = [win for win in wins if win.actor == seat]
    for name, happened in (
        ("win_rate", bool(own)),
        ("deal_in_rate", any(win.target == seat != win.actor for win in wins)),
        ("call_rate", any(call.actor == seat for call in played.select(ev.Chi, ev.Pon, ev.Daiminkan))),
    ):
        add(tally, name, happened)
    for win in own:
        add(tally, "tsumo_rate", win.target == seat or win.tsumo is True)
        value = win.hora_points if win.hora_points is not UNSET else win.deltas and win.deltas[seat]
        if value is not UNSET:
            add(tally, "average_win", value)
        if win.yakus:
            add(tally, "dora_per_win", sum(han for yaku, han in win.yakus if yaku in DORA))
    paid = [win for win in wins if win.target == seat != win.actor]
    lost = [win.hora_points if win.hora_points is not UNSET else -win.deltas[seat] for win in paid]
    if lost:
        add(tally, "average_deal_in", sum(lost))
    count_riichi(tally, played, seat)
    count_draw(tally, played, seat, players)


def count_riichi(tally: Tally, played: Round, seat: int) -> None:
    discards, declared, first = 0, None, None
    for event in played.events:
        if type(event) is ev.Riichi:
            first = event.actor if first is None else first
            if event.actor == seat:
                declared = discards + 1
        discards += type(event) is ev.Discard and event.actor == seat
    add(tally, "riichi_rate", declared is not None)
    if declared is not None:
        add(tally, "riichi_turn", declared)
        add(tally, "first_riichi_share", first == seat)


def count_draw(tally: Tally, played: Round, seat: int, players: int) -> None:
    draws = played.select(ev.Ryukyoku)
    walls_end = len(played.select(ev.Draw)) >= {4: 70, 3: 55}[players]
    reason = draws[-1].reason if draws else UNSET
    exhausted = bool(draws) and (walls_end if reason is UNSET else reason in EXHAUSTED)
    add(tally, "draw_rate", exhausted)
    if exhausted:
        drawn = draws[-1]
        received = sum(delta for delta in drawn.deltas or () if delta > 0)
        if drawn.tenpais is not UNSET:
            add(tally, "tenpai_rate", drawn.tenpais[seat])
        elif reason != "nagashimangan" and 0 < received <= 3000:
            add(tally, "tenpai_rate", drawn.deltas[seat] > 0)
