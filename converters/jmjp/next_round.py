"""The round that follows another one by the rules, for a frame without a name."""

from msgspec import UNSET

from mjconv.converters.shared.completed import CompleteRound, complete
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.match import USUAL_SEATS, Match, Round
from mjconv.rules.succession import next_deal, starts


def deal_after(game_round: Round) -> tuple[ev.StartRound, str]:
    """Return the deal after a round, and why it does not follow for sure; an empty text if it does.

    >>> hands = (("1m",) * 13,) * 4
    >>> deal_after(Round([ev.StartRound("E", kyoku=4, honba=0, oya=3, tehais=hands), ev.Draw(3, "1m")]))[1]
    'the name of this round does not follow, because the result of E4-0 is not clear: type the name'
    """
    match = Match(rounds=[game_round])
    rounds = playable_rounds(match)
    if rounds and decides(game_round, rounds[0]):
        return next_deal(rounds[0].deal, Round(rounds[0].events), ev.StartRound(), USUAL_SEATS), ""
    [deal] = starts(match)
    reason = f"the result of {game_round.label} is not clear: type the name"
    if not rounds:
        reason = f"{game_round.label} cannot be played: mend it, or type the name"
    reason = f"the name of this round does not follow, because {reason}"
    return next_deal(deal, game_round, ev.StartRound(), USUAL_SEATS), reason


def playable_rounds(match: Match) -> list[CompleteRound]:
    """Return the rounds with all values that the rules determine; none if one of them cannot be played."""
    try:
        return complete(match)
    except (PlayError, UnsupportedError):
        return []


def decides(game_round: Round, played: CompleteRound) -> bool:
    """Return whether the result of a round is clear: its acts decide it, or its points do beside its acts."""
    has_result = bool(game_round.select(ev.Win, ev.Ryukyoku))
    return played.result_follows or (has_result and is_stated(game_round))


def is_stated(game_round: Round) -> bool:
    """Return whether the points of the result are typed."""
    results: list[ev.Win | ev.Ryukyoku] = game_round.select(ev.Win, ev.Ryukyoku)
    return game_round.scores_after is not UNSET or any(result.deltas is not UNSET for result in results)
