"""From round to round: the dealer, name, honba, sticks and scores that follow, and the points at the end.

Only neighbouring rounds are compared. Nothing is known to follow from an empty round, or from one that breaks
off. If the values of a deal do not follow, the next deal may follow either from these values or from the right
ones. So one mistake is reported once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import eq
from types import MappingProxyType
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.illegal import Amounts
from mjconv.ir.match import House, Match, Round
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.play import play_of, refusals
from mjconv.ir.plural import counted
from mjconv.ir.vocabulary import CHOMBO
from mjconv.referee.round_state import AddFinding, SuspectState
from mjconv.rules.hands import in_tenpai
from mjconv.rules.rulesets import RuleSet, in_house, ruleset_of
from mjconv.rules.scores import RIICHI_STICK, accepted_riichi, sticks_shown, with_last_sticks, with_uma
from mjconv.rules.succession import VALUES, next_deal, starts

#: The most possible states of a match that are followed together: an unstated draw allows two, a second one four.
_MOST_STATES: Final = 8
#: The points by which three rounded shares may differ from their sum.
_ROUNDED_THIRDS: Final = 150
#: The reason of a round that is broken off: the dealer deals again after any of them.
_BROKEN_OFF: Final = REASON_IN_MESSAGES["four_kans"]
_TRUSTED: Final[Mapping[int, SuspectState]] = MappingProxyType({})


def check_sequence(
    match: Match, report: AddFinding, house: House, suspects: Mapping[int, SuspectState] = _TRUSTED
) -> None:
    """Report the values that do not follow from round to round, and at the end of the match.

    `report` takes a code, a sentence, the values of its gaps, and `round` and `event` as keywords. `house` are the
    rules of the house. `suspects` are the suspect parts of rounds by index: the next deal is not compared with
    these.

    >>> first = Round([ev.StartRound("E", kyoku=1, honba=0, oya=0), ev.Win(0, target=1), ev.EndRound()])
    >>> second = Round([ev.StartRound("E", kyoku=2, honba=0, oya=1)])
    >>> from mjconv.ir.match import Rules
    >>> match = Match(rounds=[first, second], rules=Rules(game="riichi"))
    >>> check_sequence(match, lambda code, sentence, *about, **where: print(code, sentence), House())
    R060 the round is E2, but E1 follows
    """
    rules = in_house(ruleset_of(match), house)
    if not any(code.startswith("R06") for code in rules.checks):
        return
    _opening(match, report)
    # Kept, because the match counts its seats anew each time.
    seats = match.seats
    # The possible values of the next deal, the likeliest first. An absent value is not known.
    known: list[ev.StartRound] = []
    for number, (game_round, start) in enumerate(zip(match.rounds, starts(match), strict=True)):
        if game_round.start is None:
            known = []
            continue
        stated = _values(game_round.start, game_round.assumed)
        if known:
            _compare(stated, known, number, report)
        dealt = _values(start)
        _below_zero(match, number, dealt, report)
        _points_kept(match, number, dealt, report)
        fitting = [state for state in known if _fits(stated, state, VALUES)]
        following = [_complete(dealt, state) for state in fitting or known]
        candidates = dict.fromkeys(following if fitting else [dealt, *following])
        after = dict.fromkeys(
            each
            for state in candidates
            for each in _after(rules, seats, game_round, state, suspects.get(number, SuspectState()))
        )
        known = list(after)[:_MOST_STATES]
    _ending(match, known, report)


def _values(start: ev.StartRound, without: Sequence[str] = ()) -> ev.StartRound:
    """Return a deal that states only the values that follow from the round before, less those in `without`."""
    return ev.StartRound(**{name: getattr(start, name) for name in VALUES if name not in without})


def _complete(dealt: ev.StartRound, following: ev.StartRound) -> ev.StartRound:
    """Return the values that the match should have, as far as they are known."""
    known = {name: value for name in VALUES if (value := getattr(following, name)) is not UNSET}
    return structs.replace(dealt, **known)


def _opening(match: Match, report: AddFinding) -> None:
    """Check the first deal of a match, if it is E1-0."""
    start = match.rounds[0].start if match.rounds else None
    if start is None or (start.bakaze, start.kyoku, start.honba) != ("E", 1, 0):
        return
    where: dict[str, Any] = {"round": 0, "event": 0}
    if start.scores is not UNSET and len(set(start.scores)) > 1:
        report("R066", "the match begins with the scores {}", Amounts(start.scores), **where)
    elif start.kyotaku:
        report("R066", f"the match begins with {counted(start.kyotaku, 'riichi stick')} on the table", **where)


def _compare(stated: ev.StartRound, known: Sequence[ev.StartRound], number: int, report: AddFinding) -> None:
    """Compare a deal with all values that may follow from the round before."""

    def wrong(*names: str) -> bool:
        return not any(_fits(stated, each, names) for each in known)

    where: dict[str, Any] = {"round": number, "event": 0}
    right = known[0]
    if wrong("bakaze", "kyoku"):
        report("R060", f"the round is {_name(stated)}, but {_either(map(_name, known))} follows", **where)
        return
    if wrong("oya"):
        # Seats are not named by wind here: winds are counted from this wrong dealer.
        report("R061", f"the dealer is player {stated.oya}, and should be player {right.oya}", **where)
    if wrong("honba"):
        right_ones = _either(str(each.honba) for each in known)
        report("R062", f"the honba are {stated.honba}, and should be {right_ones}", **where)
    if wrong("kyotaku"):
        sticks = counted(stated.kyotaku or 0, "riichi stick")
        report("R063", f"the table has {sticks}, and should have {right.kyotaku}", **where)
    if wrong("scores") and stated.scores is not UNSET and right.scores is not UNSET:
        sentence = "the scores at the deal are {}, and should be {}"
        report("R064", sentence, Amounts(stated.scores), Amounts(right.scores), **where)


def _fits(stated: ev.StartRound, following: ev.StartRound, names: Sequence[str]) -> bool:
    """Return whether stated values may follow. A value that is not known always may."""
    pairs = [(getattr(stated, name), getattr(following, name)) for name in names]
    return all(value is UNSET or right in (UNSET, value) for value, right in pairs)


def _name(state: ev.StartRound) -> str:
    return f"{state.bakaze or ''}{state.kyoku or ''}"


def _either(values: Iterable[str]) -> str:
    """Return the values that may follow, the likeliest first, each once."""
    return " or ".join(dict.fromkeys(values))


def _after(
    rules: RuleSet, seats: int, game_round: Round, state: ev.StartRound, suspect: SuspectState
) -> Iterator[ev.StartRound]:
    """Yield the values that may follow a round; nothing where the round has no result."""
    results = game_round.select(ev.Win, ev.Ryukyoku)
    unstated = all(type(result) is ev.Ryukyoku and not result.reason and not result.deltas for result in results)
    if unstated and game_round.scores_after is UNSET and _draws(game_round) < rules.draws.get(seats, 0):
        # There is no result, or it states so little that the record may only break off.
        return
    oya = int(state.oya or 0)
    dealer = rules.next_dealer(game_round, oya, seats)
    if dealer is None and not suspect.dealer and (shown := _shown_draw(rules, game_round, oya)) is not None:
        dealer = rules.next_dealer(Round([shown]), oya, seats)
    suspects = [name for name, doubt in (("kyotaku", suspect.sticks), ("scores", suspect.scores)) if doubt]
    for each in (oya, (oya + 1) % seats) if dealer is None or suspect.dealer else (dealer,):
        following = _values(next_deal(state, game_round, ev.StartRound(oya=each), seats, rules), suspects)
        if not results:
            sticks = sticks_shown(game_round, state)
            yield ev.StartRound(kyotaku=UNSET if sticks is None else sticks, scores=following.scores)
            return
        if suspect.cut:
            return
        yield following
        if any(type(result) is ev.Ryukyoku and result.reason == CHOMBO for result in results):
            # In some houses the round is played again with the same honba.
            yield structs.replace(state, kyotaku=following.kyotaku, scores=following.scores)
            # In some houses the players also take back the riichi sticks of the round.
            yield from _sticks_returned(game_round, state, following)


def _sticks_returned(game_round: Round, state: ev.StartRound, following: ev.StartRound) -> Iterator[ev.StartRound]:
    """Yield the values that may follow a round whose sticks are returned: one more honba, or the same number."""
    scores = following.scores
    if scores is not UNSET:
        paid = accepted_riichi(game_round.events, len(scores))
        scores = tuple([points + RIICHI_STICK * sticks for points, sticks in zip(scores, paid, strict=True)])
    for honba in (following.honba, state.honba):
        yield structs.replace(following, honba=honba, kyotaku=state.kyotaku, scores=scores)


def _shown_draw(rules: RuleSet, game_round: Round, oya: int) -> ev.Ryukyoku | None:
    """Return the draw of a round of riichi as the play shows it: broken off, or with the tenpai of the dealer."""
    start = game_round.start
    draws = _draws(game_round)
    if start is None or not draws or "R054" not in rules.checks or refusals(game_round):
        return None
    table = play_of(game_round).table
    if draws < rules.draws.get(table.seats, 0):
        return ev.Ryukyoku(_BROKEN_OFF)
    ready = in_tenpai(table.hands[oya], table.melds[oya])
    # Houses differ in hands that wait only for a fifth tile.
    if ready is None or ready != in_tenpai(table.hands[oya], table.melds[oya], fifth=True):
        return None
    return ev.Ryukyoku(tenpais=tuple([ready and seat == oya for seat in range(table.seats)]))


def _draws(game_round: Round) -> int:
    return sum(type(event) is ev.Draw for event in game_round.events)


def _points_kept(match: Match, number: int, dealt: ev.StartRound, report: AddFinding) -> None:
    """Compare the points after a round without a result with those before it, riichi sticks included."""
    after = match.rounds[number].scores_after
    if after is UNSET or dealt.scores is UNSET or dealt.kyotaku is UNSET:
        return
    if sticks_shown(match.rounds[number], dealt) is None:
        sticks = counted(dealt.kyotaku, "riichi stick")
        sentence = f"the scores after the round, {{}}, add up to {{}}, but {{}} and {sticks} were before"
        report("R065", sentence, *map(Amounts, (after, (sum(after),), (sum(dealt.scores),))), round=number)


def _below_zero(match: Match, number: int, dealt: ev.StartRound, report: AddFinding) -> None:
    # Leagues play on, and their records state the rules or the tournament.
    if dealt.scores is UNSET or match.rules is not UNSET or match.tournament is not UNSET:
        return
    seat = next((seat for seat, points in enumerate(dealt.scores) if points < 0), None)
    before = match.rounds[number - 1].start if number else None
    if seat is None or before is None or (before.scores is not UNSET and min(before.scores) < 0):
        return
    sentence = f"play continues, but {{}} has {dealt.scores[seat]} points"
    report("R069", sentence, seat, round=number, event=0, actor=seat)


def _ending(match: Match, known: Sequence[ev.StartRound], report: AddFinding) -> None:
    """Compare the points that the record states at the end with the scores after the last round."""
    possible = [state for state in known if state.scores is not UNSET]
    if not possible:
        return
    totals = [total for state in possible for total in with_last_sticks(state)]
    for event in match.closing:
        if type(event) is ev.EndGame and event.scores is not UNSET and event.scores not in totals:
            sentence = "the scores at the end are {}, and should be {}"
            report("R067", sentence, Amounts(event.scores), Amounts(totals[0]))
    final = match.final_scores
    if final is not UNSET:
        ranked = [(total, points) for total in totals for points in with_uma(match, total)]
        if ranked and not any(_same(final, points, total) for total, points in ranked):
            # The returning points may be subtracted or not: show the points that are the same for most seats.
            right = max((points for _, points in ranked), key=lambda each: sum(map(eq, each, final)))
            report("R068", "the final points are {}, and should be {}", Amounts(final), Amounts(right))


def _same(final: Sequence[int], right: Sequence[int], scores: Sequence[int]) -> bool:
    """Return whether final points are the right ones.

    Players of equal scores may have any order, or share, so their sums are compared. The shares of three are
    rounded to tenths of a thousand.
    """
    if len(final) != len(right):
        return True
    sums: dict[int, int] = {}
    for score, stated, expected in zip(scores, final, right, strict=True):
        sums[score] = sums.get(score, 0) + stated - expected
    bounds = {score: _ROUNDED_THIRDS if scores.count(score) == 3 else 0 for score in sums}
    return all(abs(total) <= bounds[score] for score, total in sums.items())
