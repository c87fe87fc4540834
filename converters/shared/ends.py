"""Ends of rounds and games: the hands that are shown, the scores with the sticks that were left, and the ranks."""

from collections.abc import Collection, Sequence

from msgspec import UNSET, UnsetType

from mjconv.converters.interface import Format
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Match
from mjconv.ir.table import Table
from mjconv.ir.vocabulary import CHOMBO, SHOW_TENPAI
from mjconv.rules.scores import RIICHI_STICK, is_triple_ron, scores_after, scores_before, sticks_left


def shown_hands(
    reason: str | None, tenpais: Sequence[bool], drawer: int | None, blocked: Collection[int], seats: int
) -> Sequence[int]:
    """Return the seats whose hands are shown at a draw. `reason` is the hub's name of the reason.

    `drawer` is the player who has just drawn, if one has, and `blocked` are the seats of three rons.

    >>> shown_hands("exhaustive_draw", (True, False, True, False), None, (), 4)
    [0, 2]
    """
    if reason in SHOW_TENPAI:
        return [seat for seat, tenpai in enumerate(tenpais) if tenpai]
    if reason == "triple_ron":
        return sorted(blocked)
    if reason == "nine_kinds":
        return [] if drawer is None else [drawer]
    return range(seats if reason == "four_riichi" else 0)


def three_rons(events: Sequence[ev.Event], table: Table) -> tuple[int, ...]:
    """Return the seats of three rons that end a round: all players but the discarder; none for another end.

    `table` is that of the result.

    >>> table = Table(((), ("E",), (), ()), oya=1)
    >>> table.apply(ev.Draw(1, "1m"))
    >>> table.apply(ev.Discard(1, "E"))
    >>> three_rons([ev.Ryukyoku("sanchaho")], table), three_rons([ev.Ryukyoku("fanpai")], table)
    ((0, 2, 3), ())
    """
    # A draw is the last event, or the one before end_kyoku.
    if not any(map(is_triple_ron, events[-2:])):
        return ()
    return tuple([seat for seat in range(table.seats) if seat != table.last_actor])


def final_scores(scores: Sequence[int], sticks: int) -> tuple[int, ...]:
    """Return the scores at the end of a game: the leader takes the riichi sticks that were left.

    >>> final_scores((24000, 30000, 24000, 21000), 1)
    (24000, 31000, 24000, 21000)
    """
    first = ranking(scores)[0]
    return tuple([score + RIICHI_STICK * sticks * (seat == first) for seat, score in enumerate(scores)])


def states_end(match: Match, form: Format | None = None) -> bool:
    """Return whether a record states the end of its game: by points of the end, or by a message of its own.

    Readers close each game with ``end_game``. Only a format that shows all its keys has this message in its text.
    """
    ends = ev.select(match.closing, ev.EndGame)
    message = form is None or form.shows.get("end_game", frozenset()) is None
    return bool(match.final_scores or (ends and (ends[-1].scores or message)))


def points_at_end(match: Match) -> tuple[int, ...] | UnsetType:
    """Return the points at the end of a game, by seat: the stated ones, or those after its last round.

    The leader takes the riichi sticks that were left.

    >>> from mjconv.ir.match import Round
    >>> deal = ev.StartRound(kyotaku=1, scores=(25000, 26000, 24000, 24000))
    >>> last = Round([deal, ev.Ryukyoku(deltas=(-1500, -1500, 1500, 1500))])
    >>> points_at_end(Match(rounds=[last], closing=[ev.EndGame()]))
    (23500, 24500, 26500, 25500)
    >>> points = Round([deal], scores_after=(26000, 25000, 24000, 24000))
    >>> points_at_end(Match(rounds=[points], closing=[ev.EndGame()]))
    (27000, 25000, 24000, 24000)
    """
    ends = ev.select(match.closing, ev.EndGame)
    if not ends or ends[-1].scores or not match.rounds:
        return ends[-1].scores if ends else UNSET
    last = match.rounds[-1]
    after = scores_after(last, scores_before(last, match.seats))
    if after is None:
        return UNSET
    return final_scores(after, sticks_left(last, last.start))


def ranking(scores: Sequence[int]) -> list[int]:
    """Return the seats from the first to the last. Of equal scores, the lower seat is before the other.

    >>> ranking((25000, 30000, 25000, 20000))
    [1, 0, 2, 3]
    """
    return sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))


def ranks_of(scores: Sequence[int]) -> list[int]:
    """Return the rank of each seat, from 0. Of equal scores, the lower seat is before the other.

    >>> ranks_of((25000, 30000, 25000, 20000))
    [1, 0, 2, 3]
    """
    order = ranking(scores)
    return [order.index(seat) for seat in range(len(scores))]


def is_chombo(one: Annotation) -> bool:
    """Return whether an annotation is the mark of a chombo.

    >>> is_chombo(Annotation(0, "mark", 1, "chombo")), is_chombo(Annotation(0, "mark", 1, "(a)"))
    (True, False)
    """
    return one.kind == "mark" and one.value == CHOMBO and one.seat is not UNSET
