"""The outcomes of rounds and of a game, for each of its players."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from msgspec import UNSET

from mjconv.converters.shared.ends import points_at_end, ranks_of
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.message_names import reason_of
from mjconv.ir.play import play_of, refusals
from mjconv.ir.vocabulary import CHOMBO, REASONS
from mjconv.rules.scores import scores_after, scores_before
from mjconv.rules.tenpai import Tenpai, stated_tenpai, tenpai_of

#: The outcome of a round for one player: their win, by whom they paid, or the kind of draw.
SeatResult: TypeAlias = Literal[
    "tsumo", "ron", "paid tsumo", "dealt in", "bystander", "tenpai", "noten", "abortive draw"
]
RESULTS: Final[tuple[SeatResult, ...]] = get_args(SeatResult)


class RoundOutcome(NamedTuple):
    """The outcome of a round. Each field is None where the record does not state it.

    `wins` are the winners with the players whose tile they won, the winner for a self-drawn tile. `tenpai` is by
    seat, with None for a player whose hand is not known; it is None if the round is no exhaustive draw.
    `deltas` are the changes of points from the deal to the end of the round, riichi sticks included, and `scores`
    the points at the end, both by seat.
    """

    wins: tuple[tuple[int, int], ...]
    tenpai: Tenpai | None
    deltas: tuple[int, ...] | None
    scores: tuple[int, ...] | None

    def result(self, seat: int) -> SeatResult | None:
        """Return the outcome for one player; of several wins, the player's own, else one that they pay.

        None at an exhaustive draw if it is not known whether the player is in tenpai.
        """
        results = [_result(win, seat) for win in self.wins]
        if results:
            return min(results, key=RESULTS.index) if "dealt in" not in results else "dealt in"
        if self.tenpai is None:
            return "abortive draw"
        tenpai = self.tenpai[seat]
        return None if tenpai is None else "tenpai" if tenpai else "noten"


def _result(win: tuple[int, int], seat: int) -> SeatResult:
    winner, target = win
    if winner == target:
        return "tsumo" if seat == winner else "paid tsumo"
    if seat == winner:
        return "ron"
    return "dealt in" if seat == target else "bystander"


def outcome_of(game_round: Round, seats: int) -> RoundOutcome | None:
    """Return the outcome of a round that has its result; None for a round that breaks off or ends by a false win.

    >>> deal = ev.StartRound(oya=0, scores=(25000,) * 4)
    >>> won = [deal, ev.Win(2, 0, deltas=(-1000, 0, 1000, 0)), ev.EndRound()]
    >>> outcome = outcome_of(Round(won), 4)
    >>> [outcome.result(seat) for seat in range(4)], outcome.scores
    (['dealt in', 'bystander', 'ron', 'bystander'], (24000, 25000, 26000, 25000))
    """
    won = game_round.select(ev.Win)
    wins = tuple((win.actor, win.giver) for win in won)
    draws = game_round.select(ev.Ryukyoku)
    if not (wins or draws) or any(draw.reason == CHOMBO for draw in draws):
        return None
    if not wins:
        wins = _nagashi(draws[0])
    before = scores_before(game_round, seats)
    after = scores_after(game_round, before)
    deltas = None
    if before is not None and after is not None:
        deltas = tuple(new - old for new, old in zip(after, before, strict=True))
    return RoundOutcome(wins, None if wins else _tenpai(draws[0], game_round, seats), deltas, after)


def _nagashi(draw: ev.Ryukyoku) -> tuple[tuple[int, int], ...]:
    """Return the wins of a draw: nagashi mangan counts as a win on one's own draw."""
    if not draw.reason or not draw.deltas or reason_of(draw.reason) != "nagashi_mangan":
        return ()
    return tuple((seat, seat) for seat, delta in enumerate(draw.deltas) if delta > 0)


def _tenpai(draw: ev.Ryukyoku, game_round: Round, seats: int) -> Tenpai | None:
    """Return who is tenpai at an exhaustive draw; None for an abortive one."""
    reason = reason_of(draw.reason) if draw.reason else None
    if reason is not None and REASONS[reason].abortive:
        return None
    known = stated_tenpai(draw, seats)
    if None not in known:
        return known
    # A draw without a reason is an exhaustive one if the round is near the end of its wall.
    late = reason is not None or len(game_round.select(ev.Draw)) >= _LAST_DRAWS
    if late and game_round.start is not None and not refusals(game_round):
        table = play_of(game_round).table
        if table.seats == seats:
            return tenpai_of(draw, table.hands, table.melds)
    return None if reason is None and not any(known) else known


#: The number of draws from which a draw without a reason is taken for an exhaustive one.
_LAST_DRAWS: Final = 50


class GameEnd(NamedTuple):
    """The end of a game: the points and the places of the players, by seat. 1 is the first place."""

    scores: tuple[int, ...]
    places: tuple[int, ...]


def end_of_match(match: Match, outcomes: Sequence[RoundOutcome | None]) -> GameEnd | None:
    """Return the end of a game; None for a game that breaks off. `outcomes` are those of its rounds.

    Of equal points, the player nearer to the first dealer is placed first.
    """
    stated = any(end.scores for end in ev.select(match.closing, ev.EndGame))
    scores = points_at_end(match) if stated or (outcomes and outcomes[-1] is not None) else UNSET
    if not scores or len(scores) != match.seats:
        return None
    return GameEnd(scores, tuple(rank + 1 for rank in ranks_of(scores)))
