"""From round to round: dealer, name, honba, sticks and scores that follow, and the points at the end of the match.

Only neighbours are compared: a round that is empty, or breaks off, parts what comes before from what comes after.
Where a round's own deal does not follow, the next may follow either from what it says or from what it should say:
one slip is told once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET, UnsetType, structs

from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK, scores_after, starts, sticks_left
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match, Round
from mjconv.ir.plural import counted
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.referee.draws import BROKEN_OFF
from mjconv.referee.findings import Code
from mjconv.referee.payments import NOTEN, of_tenpai
from mjconv.referee.suspect_state import Doubt
from mjconv.referee.values import countable, waits

CODES: Final = {
    "R060": Code("the round is not the one that follows"),
    "R061": Code("the dealer is not the one that follows"),
    "R062": Code("the honba are not those that follow"),
    "R063": Code("the riichi sticks on the table are not those left before"),
    "R064": Code("the scores at the deal are not those after the round before"),
    "R065": Code("points were lost or won that nobody had"),
    "R066": Code("a first round with unequal scores, or with riichi sticks on the table", "warning"),
    "R067": Code("the scores at the end of the game are not those of the last round"),
    "R068": Code("the final points do not follow from the scores, the returning points and the uma"),
    "R069": Code("play goes on after a player had less than nothing", "warning"),
}

#: Called with a code, a sentence with gaps, what fills them, and the round and event it is about.
Tell: TypeAlias = Callable[..., None]

_CHOMBO: Final = "chombo"
#: Ways in which a match may stand that are followed at once: of an unsaid draw there are two, of the next four.
_MOST_STANDINGS: Final = 8
_FIELDS: Final = ("bakaze", "kyoku", "oya", "honba", "kyotaku", "scores")


class Standing(NamedTuple):
    """How a match stands at a deal; None is not known."""

    bakaze: Tile | None = None
    kyoku: int | None = None
    oya: int | None = None
    honba: int | None = None
    kyotaku: int | None = None
    scores: tuple[int, ...] | None = None

    @classmethod
    def at(cls, start: ev.StartRound) -> Standing:
        """Give how a deal says that the match stands."""
        return cls(*(None if value is UNSET else value for value in (getattr(start, name) for name in _FIELDS)))


def check_sequence(match: Match, tell: Tell, doubts: Mapping[int, Doubt] | None = None) -> None:
    """Tell what does not follow from round to round, and at the end of the match.

    `tell` is called with a code, a sentence, and what fills its gaps, `round` and `event` as keywords.
    `doubts` are what is in doubt of rounds that were played: nothing is held against the next deal for it.

    >>> first = Round([ev.StartRound("E", kyoku=1, honba=0, oya=0), ev.Win(0, target=1), ev.EndRound()])
    >>> second = Round([ev.StartRound("E", kyoku=2, honba=0, oya=1)])
    >>> match = Match(rounds=[first, second])
    >>> check_sequence(match, lambda code, sentence, *about, **where: print(code, sentence))
    R060 the round is E2, and E1 follows
    """
    if not _by_riichi_rules(match):
        return
    _opening(match, tell)
    # The match looks through its rounds for it.
    seats = match.seats
    known: list[Standing] = []
    for number, (game_round, start) in enumerate(zip(match.rounds, starts(match), strict=True)):
        if game_round.start is None:
            known = []
            continue
        stated = _stated(game_round)
        if known:
            _compare(stated, known, number, tell)
        told = Standing.at(start)
        _below_zero(match, number, told, tell)
        _points_kept(match, number, told, tell)
        fitting = [standing for standing in known if _fits(stated, standing, _FIELDS)]
        following = [_complete(told, standing) for standing in fitting or known]
        candidates = dict.fromkeys(following if fitting else [told, *following])
        after = dict.fromkeys(
            each
            for standing in candidates
            for each in _after(seats, game_round, start, standing, (doubts or {}).get(number, Doubt()))
        )
        known = list(after)[:_MOST_STANDINGS]
    _ending(match, known, tell)


def _by_riichi_rules(match: Match) -> bool:
    """Tell whether the match goes by riichi rules: it has dora or riichi, and no base points."""
    all_rules = [match.rules, *(game_round.rules for game_round in match.rounds)]
    if any(rules is not UNSET and rules.base is not UNSET for rules in all_rules):
        return False
    if any(player_round.select(ev.Riichi) for player_round in match.rounds):
        return True
    deals = [game_round.start for game_round in match.rounds]
    return all(start is None or start.dora_marker is not UNSET or start.tehais is UNSET for start in deals)


def _stated(game_round: Round) -> Standing:
    """Give what the record itself says at a deal."""
    start = game_round.start or ev.StartRound()
    return Standing.at(start)._replace(**{name: None for name in game_round.assumed if name in _FIELDS})


def _complete(told: Standing, following: Standing) -> Standing:
    """Give how the match should stand, as far as that is known."""
    known = {name: value for name, value in following._asdict().items() if value is not None}
    return told._replace(**known)


def _opening(match: Match, tell: Tell) -> None:
    """Look at the first deal of a match that begins at its beginning."""
    start = match.rounds[0].start if match.rounds else None
    if start is None or (start.bakaze, start.kyoku, start.honba) != ("E", 1, 0):
        return
    where: dict[str, Any] = {"round": 0, "event": 0}
    if start.scores is not UNSET and len(set(start.scores)) > 1:
        tell("R066", f"the match begins with the scores {_points(start.scores)}", **where)
    elif start.kyotaku:
        tell("R066", f"the match begins with {counted(start.kyotaku, 'riichi stick')} on the table", **where)


def _compare(stated: Standing, known: Sequence[Standing], number: int, tell: Tell) -> None:
    """Compare a deal with all that may follow from the round before."""

    def wrong(*names: str) -> bool:
        return not any(_fits(stated, each, names) for each in known)

    where: dict[str, Any] = {"round": number, "event": 0}
    right = known[0]
    if wrong("bakaze", "kyoku"):
        tell(
            "R060",
            f"the round is {stated.bakaze or ''}{stated.kyoku or ''}, and {_either(known, _name)} follows",
            **where,
        )
        return
    if wrong("oya"):
        # No winds: they would be counted from this very dealer.
        tell("R061", f"the dealer is player {stated.oya}, and should be player {right.oya}", **where)
    if wrong("honba"):
        tell("R062", f"the honba are {stated.honba}, and should be {_either(known, _honba)}", **where)
    if wrong("kyotaku"):
        said, held = counted(stated.kyotaku or 0, "riichi stick"), right.kyotaku
        tell("R063", f"the table is said to hold {said}, and should hold {held}", **where)
    if wrong("scores") and stated.scores is not None and right.scores is not None:
        tell(
            "R064",
            f"the scores at the deal are {_points(stated.scores)}, and should be {_points(right.scores)}",
            **where,
        )


def _fits(stated: Standing, following: Standing, names: Sequence[str]) -> bool:
    """Tell whether what a deal says may follow, as far as both are known."""
    pairs = [(getattr(stated, name), getattr(following, name)) for name in names]
    return all(said is None or right in (None, said) for said, right in pairs)


def _name(standing: Standing) -> str:
    return f"{standing.bakaze or ''}{standing.kyoku or ''}"


def _honba(standing: Standing) -> str:
    return str(standing.honba)


def _either(known: Sequence[Standing], say: Callable[[Standing], str]) -> str:
    """Say what may follow, the likeliest first."""
    return " or ".join(dict.fromkeys(map(say, known)))


def _after(
    seats: int, game_round: Round, start: ev.StartRound, standing: Standing, doubt: Doubt
) -> Iterator[Standing]:
    """Give how the match may stand after a round that stood so; nothing where the round has no result."""
    results = game_round.select(ev.Win, ev.Ryukyoku)
    unsaid = all(type(result) is ev.Ryukyoku and not result.reason and not result.deltas for result in results)
    if unsaid and game_round.scores_after is UNSET and _draws(game_round) < _DRAWS.get(seats, 0):
        # There is no result, or it says so little that the record may only break off.
        return
    kyotaku = None if standing.kyotaku is None else sticks_left(game_round, _with(start, kyotaku=standing.kyotaku))
    scores = None if doubt.scores else scores_after(game_round, standing.scores)
    carried = standing._replace(kyotaku=None if doubt.sticks else kyotaku, scores=scores)
    if not results:
        yield Standing(kyotaku=None, scores=carried.scores)
        return
    if doubt.cut:
        return
    drawn = not any(type(result) is ev.Win for result in results)
    for stays in (True, False) if doubt.dealer else _dealer_stays(game_round, standing, seats):
        named = carried if stays else _next_dealer(carried, seats)
        more = None if standing.honba is None else standing.honba + 1 if stays or drawn else 0
        yield named._replace(honba=more)
        if any(type(result) is ev.Ryukyoku and result.reason == _CHOMBO for result in results):
            # In some houses the round is simply played again.
            yield carried._replace(honba=standing.honba)


def _with(start: ev.StartRound, kyotaku: int) -> ev.StartRound:
    return structs.replace(start, kyotaku=kyotaku)


def _next_dealer(standing: Standing, seats: int) -> Standing:
    bakaze, kyoku, oya = standing.bakaze, standing.kyoku, standing.oya
    last = kyoku == seats
    return standing._replace(
        bakaze=WINDS[(WINDS.index(bakaze) + 1) % len(WINDS)] if bakaze in WINDS and last else bakaze,
        kyoku=None if kyoku is None else 1 if last else kyoku + 1,
        oya=None if oya is None else (oya + 1) % seats,
    )


def _dealer_stays(game_round: Round, standing: Standing, seats: int) -> tuple[bool, ...]:
    """Tell whether the dealer stays: after a win, tenpai, or a round broken off; both where it is not known."""
    either = (True, False)
    oya = standing.oya
    wins = game_round.select(ev.Win)
    if oya is None:
        return either
    if wins:
        return (any(win.actor == oya for win in wins),)
    drawn = game_round.select(ev.Ryukyoku)[-1]
    if drawn.reason == _CHOMBO:
        return (True,)
    deltas = drawn.deltas
    if deltas is not UNSET and len(deltas) == seats and any(deltas):
        tenpai = {seat for seat, moved in enumerate(deltas) if moved > 0}
        if any(deltas == of_tenpai(tenpai, seats, total) for total in NOTEN.get(seats, ())):
            return (oya in tenpai,)
    if drawn.reason is not UNSET and any(drawn.reason.lower() in reason.names for reason in BROKEN_OFF):
        return (True,)
    if drawn.tenpais is not UNSET and oya < len(drawn.tenpais):
        return (drawn.tenpais[oya],)
    tenpai_at_end = _tenpai(game_round, oya)
    return either if tenpai_at_end is None else (tenpai_at_end,)


#: Draws of a round that is played to the last tile.
_DRAWS: Final = {3: 55, 4: 70}


def _tenpai(game_round: Round, seat: int) -> bool | None:
    """Tell whether a round that is played out left a seat tenpai, or was broken off before; None if unknown."""
    start = game_round.start
    draws = _draws(game_round)
    if start is None or not draws:
        return None
    try:
        table = Table.dealt(start)
        for event in game_round.events:
            table.apply(event)
    except IllegalPlayError:
        return None
    if draws < _DRAWS.get(table.seats, 0):
        return True
    hand, melds = table.hands[seat], table.melds[seat]
    if HIDDEN in hand or not countable(hand, melds):
        return None
    found = bool(waits(hand, melds))
    return found if found or not waits(hand, melds, fifth=True) else None


def _draws(game_round: Round) -> int:
    return sum(type(event) is ev.Draw for event in game_round.events)


def _points_kept(match: Match, number: int, told: Standing, tell: Tell) -> None:
    """Look at the points after a round that tells no result: with the sticks they are those before."""
    after = match.rounds[number].scores_after
    if after is UNSET or told.scores is None or told.kyotaku is None:
        return
    lost = sum(told.scores) + RIICHI_STICK * told.kyotaku - sum(after)
    if lost < 0 or lost % RIICHI_STICK:
        tell(
            "R065",
            f"the scores after the round, {_points(after)}, add up to {sum(after)}, where"
            f" {sum(told.scores)} and {counted(told.kyotaku, 'riichi stick')} were before",
            round=number,
        )


def _below_zero(match: Match, number: int, told: Standing, tell: Tell) -> None:
    # Leagues play on, and say which they are.
    if told.scores is None or match.rules is not UNSET or match.tournament is not UNSET:
        return
    seat = next((seat for seat, points in enumerate(told.scores) if points < 0), None)
    before = match.rounds[number - 1].start if number else None
    if seat is None or before is None or (before.scores is not UNSET and min(before.scores) < 0):
        return
    tell(
        "R069", f"play goes on, where {{}} has {told.scores[seat]} points", seat, round=number, event=0, actor=seat
    )


def _ending(match: Match, known: Sequence[Standing], tell: Tell) -> None:
    """Compare what is said at the end with the scores after the last round."""
    possible = [standing for standing in known if standing.scores is not None]
    if not possible:
        return
    totals = [total for standing in possible for total in _sticks_given(standing)]
    for event in match.closing:
        if type(event) is ev.EndGame and event.scores is not UNSET and event.scores not in totals:
            tell("R067", f"the scores at the end are {_points(event.scores)}, and should be {_points(totals[0])}")
    final = match.final_scores
    if final is not UNSET and not any(_follows(match, final, total) for total in totals):
        tell("R068", f"the final points are {_points(final)}, which do not follow from {_points(totals[0])}")


def _sticks_given(standing: Standing) -> Iterator[tuple[int, ...]]:
    """Give the last scores, as they are and with the sticks left on the table given to one who is first."""
    scores = standing.scores or ()
    yield scores
    for seat, points in enumerate(scores):
        if standing.kyotaku and points == max(scores):
            yield (*scores[:seat], points + RIICHI_STICK * standing.kyotaku, *scores[seat + 1 :])


def _follows(match: Match, final: tuple[int, ...], scores: tuple[int, ...]) -> bool:
    """Tell whether final points follow from scores: less the returning points or not, with oka and uma by rank.

    The oka goes to the first, and where it is negative comes from the last. Those of equal points may stand in any
    order, or share: what they have together is compared.
    """
    rules = match.rules
    if rules is UNSET or rules.uma is UNSET or rules.returning is UNSET or len(scores) != len(final):
        return True
    start = _start(match, rules.start)
    if start is None or len(scores) != len(WINDS):
        return True
    first, second = rules.uma
    oka = (rules.returning - start) * len(scores)
    by_rank = (first + max(oka, 0), second, -second, -first + min(oka, 0))
    return any(_ranked(final, scores, by_rank, less) for less in (rules.returning, 0))


def _ranked(final: tuple[int, ...], scores: tuple[int, ...], by_rank: tuple[int, ...], less: int) -> bool:
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    place = 0
    for points, tied in groupby(order, key=lambda seat: scores[seat]):
        seats = list(tied)
        if sum(final[seat] for seat in seats) != sum(
            points - less + more for more in by_rank[place : place + len(seats)]
        ):
            return False
        place += len(seats)
    return True


def _start(match: Match, stated: int | UnsetType) -> int | None:
    """Give the points that each began with."""
    if stated is not UNSET:
        return stated
    start = match.rounds[0].start if match.rounds else None
    return None if start is None or not start.scores else start.scores[0]


def _points(scores: Iterable[int]) -> str:
    return "(" + ", ".join(map(str, scores)) + ")"
