"""The in-game stream that one player of a match receives, made from its record."""

from collections.abc import Collection
from typing import TypeAlias

from msgspec import UNSET, UnsetType, structs

from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Answer, Match, Round
from mjconv.ir.tiles import HIDDEN, Tile

Hands: TypeAlias = tuple[tuple[Tile, ...], ...]


def seat_stream(match: Match, seat: int, number: int = 0, *, answers: bool = False) -> Match:
    """Return the match as the host of the game sends it to the player at `seat`: other players' tiles are hidden.

    The other hands, the tiles that others draw, and the hands that stay closed at a draw are hidden. Keys that no
    kind of event defines are left out, because programs put hidden tiles into them. Everything beside the events,
    such as walls and comments, is left out, and so are the answers of all players. With `answers`, those of this
    player stay, without ``logs``, which hold what other players think. `number` is the index of the match, for
    messages. Raises `UnsupportedError` if the record hides the tiles of this player.

    >>> from mjconv.ir.events import Draw
    >>> seat_stream(Match(rounds=[Round([Draw(0, "5m"), Draw(1, "6m")])]), 1).rounds[0].events
    [Draw(actor=0, pai='?'), Draw(actor=1, pai='6m')]
    """
    rounds = [_round_of_seat(game_round, seat, number, answers) for game_round in match.rounds]
    opening = [_event_of_seat(event, seat) for event in match.opening if type(event) not in ev.CONVERSATION]
    if not any(type(event) is ev.StartGame for event in opening):
        opening.insert(0, ev.StartGame(id=seat))
    closing = [_event_of_seat(event, seat) for event in match.closing if type(event) not in ev.CONVERSATION]
    return Match(players=match.players, rounds=rounds, opening=opening, closing=closing)


def _round_of_seat(game_round: Round, seat: int, number: int, answers: bool) -> Round:
    events = game_round.events
    if game_round.is_played and any(_hides_own(event, seat) for event in events):
        raise UnsupportedError(
            f"match {number + 1}, round {game_round.label}: the record hides tiles of the player at seat {seat}"
        )
    own = [_without_logs(one) for one in game_round.answers if answers and one.seat == seat]
    return Round([_event_of_seat(event, seat) for event in events], answers=tuple(own))


def _without_logs(answer: Answer) -> Answer:
    extras = answer.message.extras
    if extras is UNSET or "logs" not in extras:
        return answer
    kept = ev.Extras({key: value for key, value in extras.items() if key != "logs"})
    return structs.replace(answer, message=structs.replace(answer.message, extras=kept or UNSET))


def _hides_own(event: ev.Event, seat: int) -> bool:
    """Return whether an event hides tiles that the player at `seat` sees in the game."""
    if isinstance(event, ev.StartRound):
        hands = event.tehais or ()
        return seat >= len(hands) or HIDDEN in hands[seat]
    return isinstance(event, ev.Draw) and event.actor == seat and event.pai == HIDDEN


def _event_of_seat(event: ev.Event, seat: int) -> ev.Event:
    if event.extras is not UNSET:
        event = structs.replace(event, extras=UNSET)
    if isinstance(event, ev.Draw):
        return event if event.actor == seat else ev.Draw(event.actor, HIDDEN)
    if isinstance(event, ev.StartRound):
        return structs.replace(event, tehais=_alone(event.tehais, {seat}))
    if isinstance(event, ev.Ryukyoku):
        # The player sees the own hand, the ready ones, and that of the declaring player.
        ready = {player for player, tenpai in enumerate(event.tenpais or ()) if tenpai}
        return structs.replace(event, tehais=_alone(event.tehais, {seat, event.actor, *ready}))
    if isinstance(event, ev.StartGame):
        # The address of the game leads to its record, which shows all hands.
        return structs.replace(event, id=seat, uri=UNSET)
    return event


def _alone(hands: Hands | UnsetType, shown: Collection[int | UnsetType]) -> Hands | UnsetType:
    """Return hands in which the tiles of all players but those of `shown` are hidden."""
    if hands is UNSET:
        return UNSET
    return tuple([hand if player in shown else (HIDDEN,) * len(hand) for player, hand in enumerate(hands)])
