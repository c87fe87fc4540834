"""The values of hands against an engine that is not ours, and the results of whole games."""

from collections import Counter

import pytest
from msgspec import UNSET

from engine import Deal, Rules, play, wins
from looped import looped
from mjconv.converters.mjai.reader import read
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import House, Match
from mjconv.ir.table import Table
from mjconv.referee.codes import codes_of
from mjconv.referee.referee import check
from mjconv.rules.riichi_values import HandValue
from mjconv.rules.riichi_wins import settle
from mjconv.rules.succession import starts

#: Codes of results; single rounds are dealt in the middle of a match, under any name.
CODES = codes_of(["R04", "R05", "R06"]) - {"R052", "R066"}
HOUSES: dict[Rules, House] = {
    "tenhou": House(fifth_wait=True),
    "mjsoul": House(fifth_wait=True, double_yakuman=True),
}


def matches(data: bytes) -> list[Match]:
    return [match for match, _ in read(data, Report())]


def worths(match: Match, house: House) -> list[tuple[int, int, HandValue]]:
    """Value each win of a match by the hand it was played with: the round, the winner, the worth."""
    found = []
    for number, start in enumerate(starts(match)):
        table = Table.dealt(start)
        events = match.rounds[number].events
        for index, event in enumerate(events):
            if isinstance(event, ev.Win):
                settled = settle(table, start, events, index, house=house)
                assert settled
                if event.liable is UNSET:
                    assert settled.deltas == event.deltas
                found.append((number, event.actor, settled.value))
            table.apply(event)
    return found


def reported(match: Match, house: House | None = None) -> Counter[str]:
    return Counter(finding.code for finding in check(match, house=house) if finding.code in CODES)


def compare(data: bytes, rules: Rules) -> int:
    """Compare each value with the engine's, and the results with the findings of the referee; count the wins."""
    [match] = matches(data)
    theirs = wins(data, rules=rules)
    ours = worths(match, HOUSES[rules])
    assert [(win.round, win.actor) for win in theirs] == [(number, actor) for number, actor, _ in ours]
    for win, (_, _, worth) in zip(theirs, ours, strict=True):
        if not worth.yakuman:
            assert (win.han, win.fu) == (worth.han, worth.fu), (win, worth)
    assert reported(match, HOUSES[rules]) == Counter()
    return len(theirs)


@pytest.mark.parametrize("rules", HOUSES)
@pytest.mark.parametrize("players", [3, 4])
def test_wins_of_whole_games(players: int, rules: Rules) -> None:
    assert sum(compare(play(seed, players=players, rules=rules), rules) for seed in range(300, 303)) > 2


WINNERS: list[tuple[Deal, str]] = [
    ("waits", "riichi"), ("triplets", "kans"), ("close", "caller"), ("close", "riichi"), ("close", "kans"),
]  # fmt: skip


@looped("rules", *HOUSES)
@looped(("deal", "chooser"), *WINNERS)
def test_wins_of_stacked_rounds(deal: Deal, chooser: str, rules: Rules) -> None:
    rounds = [play(seed, length="round", deal=deal, chooser=chooser, rules=rules) for seed in range(6)]
    assert sum(compare(data, rules) for data in rounds) > 2


DRAWN: list[tuple[Deal, str]] = [
    ("orphans", "mixed"),
    ("river", "thrower"),
    ("winds", "thrower"),
    ("waits", "riichi"),
]


@looped("rules", *HOUSES)
@looped(("deal", "chooser"), *DRAWN)
def test_rounds_without_a_win(deal: Deal, chooser: str, rules: Rules) -> None:
    for seed in range(4):
        [match] = matches(play(seed, length="round", deal=deal, chooser=chooser, rules=rules))
        assert reported(match, HOUSES[rules]) == Counter()
