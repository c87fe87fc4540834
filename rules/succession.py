"""From round to round: the next dealer, the name of the round, honba, riichi sticks and scores.

A record need not state all of them, nor whether a discard is the tile just drawn. A value that is derived serves a
target that needs it. It never becomes a value of the source.
"""

from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.play import with_tsumogiri
from mjconv.ir.tiles import WINDS
from mjconv.rules.rulesets import RIICHI, RuleSet, rulesets_of
from mjconv.rules.scores import scores_after, scores_before, sticks_left

#: The values of a deal that follow from the round before.
VALUES: Final = ("bakaze", "kyoku", "honba", "kyotaku", "oya", "scores")


def next_deal(
    deal: ev.StartRound, game_round: Round, stated: ev.StartRound, seats: int, rules: RuleSet = RIICHI
) -> ev.StartRound:
    """Return the deal after a round: the values that are `stated`, and the others as they follow from the round.

    `deal` is the deal of the round, with all values but the scores. If `stated` has no dealer and no number, the
    results decide who deals; the dealer deals again if they do not show it. The name of a round follows from its
    dealer, also where rounds were left out between the two. Scores that are not known stay absent. `rules` are
    those of the game.

    >>> first = ev.StartRound("E", kyoku=4, honba=2, kyotaku=1, oya=3)
    >>> next_deal(first, Round([ev.Win(0, 3)]), ev.StartRound(), 4)
    StartRound(bakaze='S', kyoku=1, honba=0, kyotaku=0, oya=0)
    >>> next_deal(first, Round([ev.Ryukyoku()]), ev.StartRound(oya=3), 4)
    StartRound(bakaze='E', kyoku=4, honba=3, kyotaku=1, oya=3)
    """
    last = int(deal.oya or 0)
    if stated.oya is not UNSET:
        oya = stated.oya
    elif stated.kyoku is not UNSET:
        oya = (stated.kyoku - 1) % seats
    else:
        follows = rules.next_dealer(game_round, last, seats)
        oya = (last if follows is None else follows) % seats
    winds, number = divmod(int(deal.kyoku or 1) - 1 + (oya - last) % seats, seats)
    bakaze = WINDS[(WINDS.index(deal.bakaze or "E") + winds) % len(WINDS)] if not stated.bakaze else stated.bakaze
    kyoku = stated.kyoku or number + 1
    drawn = bool(game_round.select(ev.Ryukyoku)) and not game_round.select(ev.Win)
    again = drawn or (bakaze, kyoku) == (deal.bakaze, deal.kyoku)
    after = scores_after(game_round, deal.scores or None)
    known = ev.StartRound(
        bakaze=bakaze,
        kyoku=kyoku,
        honba=int(deal.honba or 0) + 1 if again and rules.counts_repeats else 0,
        kyotaku=sticks_left(game_round, deal),
        oya=oya,
        scores=UNSET if after is None else after,
    )
    return _filled(stated, known)


def starts(match: Match) -> list[ev.StartRound]:
    """Return the deal of each round, its absent values filled in where they can be derived.

    Wind and number are derived from the dealer and the sequence of rounds (the first round is an east round),
    honba and sticks from the round before, scores from a result that states them. A complete deal is returned
    unchanged.
    """
    deals: list[ev.StartRound] = []
    before: Round | None = None
    seats = match.seats
    for game_round, rules in zip(match.rounds, rulesets_of(match), strict=True):
        start = game_round.start or ev.StartRound()
        if any(getattr(start, name) is UNSET for name in VALUES):
            scores = scores_before(game_round, seats)
            start = _filled(start, ev.StartRound(scores=UNSET if scores is None else scores))
            if before is None:
                oya = (start.kyoku - 1) % seats if start.oya is UNSET and start.kyoku else int(start.oya or 0)
                first = ev.StartRound(bakaze="E", kyoku=oya + 1, honba=0, kyotaku=0, oya=oya)
                start = _filled(start, first)
            else:
                start = next_deal(deals[-1], before, start, seats, rules)
        deals.append(start)
        before = game_round
    return deals


def _filled(stated: ev.StartRound, known: ev.StartRound) -> ev.StartRound:
    """Return a deal with the known values that it does not state."""
    absent = {name: getattr(known, name) for name in VALUES if getattr(stated, name) is UNSET}
    return structs.replace(stated, **absent)


def fill(match: Match) -> Match:
    """Return a match in which deals and `tsumogiri` are filled in where they can be derived.

    `tsumogiri` is derived from the last draw. After a hidden draw it stays absent.
    """
    rounds = []
    for game_round, start in zip(match.rounds, starts(match), strict=True):
        events: list[Any] = list(game_round.events)
        for index, event in enumerate(events):
            if type(event) is ev.StartRound:
                events[index] = start
            elif type(event) is ev.Discard and event.tsumogiri is UNSET:
                events[index] = with_tsumogiri(events, index)
        rounds.append(structs.replace(game_round, events=events, assumed=()))
    return structs.replace(match, rounds=rounds)
