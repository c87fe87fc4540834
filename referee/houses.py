"""The house rules of a match that does not state them: those that explain its findings, one after another."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import House, Match
from mjconv.referee.findings import Finding
from mjconv.rules.house import RULES_OF_VALUES, first_stated

_OF_VALUES: Final = frozenset({"R041", "R046", "R047", "R051"})
_OF_DEALERS: Final = frozenset({"R060", "R061"})
_OF_WAITS: Final = frozenset({"R031", "R035", "R053", "R054"})


#: The errors of a match: their codes, rounds, events and players.
Keys: TypeAlias = frozenset[tuple[str, int | None, int | None, int | None]]
#: Returns whether a match shows a rule. Takes the match, the indices of the rounds with errors that the rule
#: explains, and the errors that it leaves.
Shows: TypeAlias = Callable[[Match, Collection[int], Keys], bool]


def _once(_: Match, explained: Collection[int], __: Keys) -> bool:
    return bool(explained)


def _twice(_: Match, explained: Collection[int], __: Keys) -> bool:
    return len(explained) > 1


def _turned_late(match: Match, _: Collection[int], __: Keys) -> bool:
    """Return whether the dora indicators of concealed kans are turned after the replacement, and none at once."""
    kinds = [list(map(type, game_round.events)) for game_round in match.rounds]
    pairs = [pair for one in kinds for pair in pairwise(one)]
    late = ((ev.Ankan, ev.Draw), (ev.Draw, ev.Dora)) in pairwise(pairs)
    return late and (ev.Ankan, ev.Dora) not in pairs


def _played_on(match: Match, explained: Collection[int], left: Keys) -> bool:
    """Return whether all dealers are explained, and a next deal follows from a right round of one of them."""
    wrong = {number for _, number, *_ in left} | {len(match.rounds) - 1}
    return all(code not in _OF_DEALERS for code, *_ in left) and any(
        match.rounds[number].select(ev.Win, ev.Ryukyoku) for number in explained if number not in wrong
    )


class HouseRule(NamedTuple):
    """A rule of some houses: its words in a note, the codes that it may explain, and whether a match shows it.

    A rule that allows what usually is a fault needs two rounds.
    """

    house: House
    words: str
    codes: frozenset[str]
    shows: Shows = _once


HOUSE_RULES: Final = (
    *(HouseRule(house, words, _OF_VALUES) for house, words in RULES_OF_VALUES),
    # Free parlours often play both: a match may show them in one win alone.
    HouseRule(House(kiriage=True, honba=1500), "kiriage mangan, 1500 points a honba", _OF_VALUES),
    HouseRule(House(local_yaku=True), "yaku that mjconv does not know", _OF_VALUES),
    HouseRule(House(wareme=True), "wareme", _OF_VALUES, _twice),
    *(HouseRule(House(honba=each), f"{each} points a honba", _OF_VALUES, _twice) for each in (0, 600, 1000, 3000)),
    HouseRule(House(late_dora=True), "late dora indicators of concealed kans", frozenset({"R071"}), _turned_late),
    HouseRule(House(fifth_wait=True), "tenpai that waits for a fifth tile", _OF_WAITS),
    HouseRule(House(swap_calling=True), "swap calling", frozenset({"R016"}), _twice),
    HouseRule(House(late_riichi=True), "riichi without a draw left", frozenset({"R033"}), _twice),
    HouseRule(House(riichi_in_debt=True), "riichi with fewer than 1000 points", frozenset({"R032"}), _twice),
    HouseRule(House(reds=(1, 2, 1)), "two red fives of circles", frozenset({"R002"}), _twice),
    HouseRule(House(reds=(2, 2, 2)), "two red fives of each suit", frozenset({"R002"}), _twice),
    HouseRule(House(renchan="draw"), "renchan after every draw", _OF_DEALERS, _played_on),
    HouseRule(House(renchan="win"), "renchan after wins alone", _OF_DEALERS, _played_on),
    HouseRule(House(renchan="never"), "no renchan", _OF_DEALERS, _played_on),
)
_EXPLAINED: Final = frozenset[str]().union(*(rule.codes for rule in HOUSE_RULES))
#: The rounds with findings that are tried before the match.
_MOST_TRIED: Final = 3

#: Returns the findings of a match in a house.
Judge: TypeAlias = Callable[[Match, House], Sequence[Finding]]


def explain(
    match: Match, stated: House, usual: House, judge: Judge, findings: Sequence[Finding]
) -> tuple[House, list[str]]:
    """Return the rules that explain findings of a match, and their names.

    `stated` are the rules that are known, `usual` those that count else. A rule explains findings if fewer of
    them are left, in all rounds, and no others come up.
    """
    house, words = House(), list[str]()
    keys = _keys(findings)
    while rule := _better(match, first_stated(house, stated), usual, judge, keys):
        house = first_stated(house, rule.house)
        words.append(rule.words)
        keys = _keys(judge(match, house))
    return house, words


def _better(match: Match, known: House, usual: House, judge: Judge, keys: Keys) -> HouseRule | None:
    """Return a rule with which fewer findings are left."""
    codes = {code for code, *_ in keys} & _EXPLAINED
    if not codes:
        return None
    rounds = sorted({number for code, number, *_ in keys if code in codes and number is not None})
    # With the round before, from which the deal follows.
    shorter = [
        structs.replace(match, rounds=match.rounds[max(index - 1, 0) : index + 1], closing=[], final_scores=UNSET)
        for index in rounds[:_MOST_TRIED]
    ]
    before = [_keys(judge(one, known)) for one in shorter]
    present = first_stated(known, usual)
    possible = [
        rule
        for rule in HOUSE_RULES
        if not rule.codes.isdisjoint(codes) and first_stated(known, rule.house, usual) != present
    ]
    for rule in possible:
        tried = first_stated(known, rule.house)
        if not any(_keys(judge(one, tried)) < left for one, left in zip(shorter, before, strict=True)):
            continue
        after = _keys(judge(match, tried))
        gone = {number for _, number, *_ in keys - after if number is not None}
        if after < keys and rule.shows(match, gone, after):
            return rule
    return None


def _keys(findings: Sequence[Finding]) -> Keys:
    return frozenset((one.code, one.round, one.event, one.actor) for one in findings if one.severity == "error")
