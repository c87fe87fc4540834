"""The digest of the play of a match: the same for all records of one game, whatever their format."""

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET, json
from msgspec.structs import astuple

from mjconv.archive.facts import Facts
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HIDDEN, RED_FIVES

#: The discards and calls of a match that no other game shares by chance.
_ENOUGH: Final = 24
#: The names that Tenhou shows where it hides the players'.
_NO_NAMES: Final = ("Aさん", "Bさん", "Cさん", "Dさん")
#: A sign for each kind of call.
_CALLS: Final = {ev.Chi: "c", ev.Pon: "p", ev.Daiminkan: "d", ev.Kakan: "k", ev.Ankan: "a"}
_ACTS: Final = frozenset({ev.Draw, ev.Discard, *_CALLS})


def play_digest(match: Match) -> str:
    """Return a digest of the play of a match: 128 bits, as 32 hexadecimal digits.

    The discards and calls of each round count: their order, their seats from the dealer on, their tiles, and
    whether somebody won after them. Other data does not count, because some formats do not state it, or a record
    hides it: names, hands, draws, red fives, riichi, points, times, comments. So the record of a whole game and
    the stream of one of its seats have one digest. Of a match with fewer than 24 discards and calls, the known
    hands and draws count too. Of a round without tiles, the wins count: winner, who paid, and fan. If no round has
    tiles, the names of the players and the dates count too: many evenings have the same few results.

    >>> one = Match(rounds=[Round([ev.Draw(0, "5mr"), ev.Discard(0, "5mr", tsumogiri=True)])])
    >>> play_digest(one)
    '5ea8c1a04b5127788f1914782bd7d6ca'
    >>> play_digest(one) == play_digest(Match(rounds=[Round([ev.Draw(2, "5m"), ev.Discard(2, "5m")])]))
    True
    """
    seats = match.seats
    plays = [_moves(one, seats) for one in match.rounds]
    if sum(map(len, plays)) < _ENOUGH:
        plays += [_hands(one, seats) for one in match.rounds]
    if not any(one.is_played for one in match.rounds):
        plays.append(match.names)
        plays.append([str(one.date or match.date or "") for one in match.rounds])
    text = "\n".join(map(" ".join, plays))
    for red in RED_FIVES:
        text = text.replace(red, red[:2])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def measure(match: Match, facts: Facts) -> int:
    """Return a number that says how much a record states, below 2**40: it is larger for the better of two records.

    First the known tiles of hands and draws count, then the facts, then all values of the rounds.

    >>> from mjconv.archive.facts import facts_of
    >>> one, same = Match(id="a", rounds=[Round([ev.Draw(0, "?")])]), Match(rounds=[Round([ev.Draw(0, "5m")])])
    >>> measure(one, facts_of(one)) < measure(same, facts_of(same))
    True
    """
    tiles = 0
    for one in match.rounds:
        hands = () if one.start is None or one.start.tehais is UNSET else one.start.tehais
        tiles += sum(len(hand) - hand.count(HIDDEN) for hand in hands)
        tiles += sum(draw.pai != HIDDEN for draw in ev.select(one.events, ev.Draw))
    values = json.encode(match.rounds, enc_hook=dict).count(b'":')
    stated = 0
    for value in astuple(facts):
        several = value if isinstance(value, tuple) else (value,)
        stated += sum(each is not None and each is not UNSET and each not in _NO_NAMES for each in several)
    return min(tiles, 0xFFFF) << 24 | min(stated, 0xFF) << 16 | min(values, 0xFFFF)


def _moves(one: Round, seats: int) -> list[str]:
    """Return the discards and calls of a round, and whether somebody won. If it is only a result: the wins."""
    first = _dealer(one)
    signs = [str((seat - first) % seats) for seat in range(ev.MOST_SEATS)]
    moves = []
    wins: list[ev.Win] = []
    event: Any
    for event in one.events:
        kind: Any = type(event)
        if kind is ev.Discard:
            moves.append(signs[event.actor] + event.pai)
        elif kind in _CALLS:
            moves.append(f"{signs[event.actor]}{_CALLS[kind]}{''.join(sorted(event.consumed))}")
        elif kind is ev.Win:
            wins.append(event)
    if not moves and not one.is_played:
        return sorted(f"{win.actor} {win.target if win.liable is UNSET else win.liable} {win.fan}" for win in wins)
    # Not how many: some formats state one of several winners.
    return [*moves, "won"] if wins else moves


def _hands(one: Round, seats: int) -> list[str]:
    """Return the known tiles of the hands and draws of a round."""
    first = _dealer(one)
    hands = () if one.start is None or one.start.tehais is UNSET else one.start.tehais
    known = ["".join(sorted(hand)) for hand in hands[first:] + hands[:first]]
    known += [f"{(draw.actor - first) % seats}{draw.pai}" for draw in ev.select(one.events, ev.Draw)]
    return ["".join(known).replace(HIDDEN, "")]


def _dealer(one: Round) -> int:
    """Return the seat that acts first. Some formats do not state the dealer."""
    acts: Iterator[Any] = (event for event in one.events if type(event) in _ACTS)
    return next((act.actor for act in acts), 0)
