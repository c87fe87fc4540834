"""Writes mjai: JSON lines or batch arrays, in the standard dialect."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import filterfalse
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType, structs

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.mjai import aliases
from mjconv.converters.mjai.lines import canonical, encode, match_tokens, usual_lines, with_players
from mjconv.converters.shared.json_values import plain_reason
from mjconv.converters.shared.note_json import MARK
from mjconv.converters.shared.note_json import place_in_object as place_note
from mjconv.ir import events as ev
from mjconv.ir.answers import apart, recorded_seat, together
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HIDDEN, OTHER_TILES, Tile
from mjconv.rules import succession
from mjconv.rules.rulesets import ruleset_of

__all__ = ["place_note", "render"]

#: The text that the flavour `mjai-riichienv` replaces, and its replacement.
_RIICHIENV: Final = (
    (rb'^\{"type":"nukidora"', rb'{"type":"kita"'),
    (rb'^\{"type":"start_game","id":([0-3])', rb'{"type":"start_game","id":"\1"'),
)
_OTHER: Final = frozenset(OTHER_TILES)
_ENCODER: Final = msgspec.json.Encoder()
_CHECK: Final = msgspec.json.Decoder(ev.Event)


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    r"""Write a match as mjai, one message on each line; in flavour ``mjai-batch`` one array for each match.

    The writer fills in keys that mjai requires and the record lacks. Raises `UnsupportedError` for tiles, seats
    and numbers that mjai does not have.

    >>> [head, tail] = render(Match(opening=[ev.StartGame(), ev.EndGame()]), None, True, WriteOptions()).parts
    >>> head.text
    b'{"type":"start_game"}\n{"type":"end_game"}\n'
    """
    encoded = [_encoded(events) for events in (_opening(match), *_rounds(match), match.closing)]
    (opening, _, _), *played, (closing, _, _) = encoded
    parted = [apart(messages, recorded_seat(opening)) for messages, _, _ in played]
    rounds = [Round(events, answers=answers) for events, answers in parted]
    is_usual = usual_lines().__contains__
    for index, (events, lines, _) in enumerate(encoded):
        try:
            _CHECK.decode_lines(b"\n".join(filterfalse(is_usual, lines.split(b"\n"))))
        except msgspec.ValidationError:
            _refuse(events, ["opening", *(f"round {one.label}" for one in rounds), "closing"][index])
    reading = with_players(Match(opening=list(opening), rounds=rounds, closing=closing))
    parts = [Part(lines, tokens, lines.find(b"\n") - 1) for _, lines, tokens in encoded]
    if options.flavour:
        _FLAVOURS[options.flavour](parts)
    parts[0].tokens = partial(match_tokens, reading)
    return Rendered(parts, lambda: reading)


def _for_riichienv(parts: list[Part]) -> None:
    for part in parts:
        for standard, theirs in _RIICHIENV:
            part.text = re.sub(standard, theirs, part.text, flags=re.MULTILINE)
        part.offset = part.text.find(b"\n") - 1


def _in_batch(parts: list[Part]) -> None:
    """Join the lines of all parts to one array."""
    begun = False
    for part in parts:
        if part.text:
            part.text = (b"," if begun else b"[") + part.text.rstrip(b"\n").replace(b"\n", b",")
            part.offset = (part.offset or 0) + 1
            begun = True
    parts[-1].text += b"]\n" if begun else b"[]\n"


_FLAVOURS: Final[dict[str, Callable[[list[Part]], None]]] = {
    "mjai-riichienv": _for_riichienv,
    "mjai-batch": _in_batch,
}


def _opening(match: Match) -> list[ev.Event]:
    """Return the messages before the first round, with the names of the players."""
    opening = list(match.opening)
    names = _names(match)
    begins = any(isinstance(event, ev.StartGame) for event in opening)
    if not begins and (names is not UNSET or not (opening or match.rounds or match.closing)):
        opening.append(ev.StartGame())
    for index, event in enumerate(opening):
        if isinstance(event, ev.StartGame):
            opening[index] = structs.replace(event, names=names)
            break
    return opening


def _names(match: Match) -> tuple[str, ...] | UnsetType:
    return tuple(match.names) if any(player.name is not UNSET for player in match.players) else UNSET


def _rounds(match: Match) -> Iterator[list[ev.Event]]:
    """Yield the messages of each round, with the keys filled in that mjai requires and the record lacks."""
    deals: list[ev.StartRound] | None = None
    seats, seat = match.seats, recorded_seat(match.opening)
    for index, game_round in enumerate(match.rounds):
        if not _is_whole(game_round):
            deals = deals or succession.starts(match)
            hidden = (HIDDEN,) * ruleset_of(match, game_round).hand
            yield _completed(game_round.events, deals[index], (hidden,) * seats)
        else:
            yield _messages(game_round, seat)


def _messages(game_round: Round, seat: int | None) -> list[ev.Event]:
    """Return the events of a round, with its answers among them if the reader takes these apart as they are."""
    answers = [answer.message for answer in game_round.answers]
    # A line before the deal belongs to the round before it, or to the opening.
    if not answers or game_round.answers[0].index == 0:
        return game_round.events
    # The reader refuses a win without a target, and begins a match at a `hello`.
    if any(type(one) is ev.Hello or (type(one) is ev.Win and one.target is UNSET) for one in answers):
        return game_round.events
    messages = together(game_round)
    return messages if apart(messages, seat) == (game_round.events, game_round.answers) else game_round.events


def _encoded(events: list[ev.Event]) -> tuple[list[ev.Event], bytes, Callable[[], bytes]]:
    """Return events, their lines, and the function that returns the words of the lines.

    Other keys that a reader of mjai would take for a note or for a standard key are left out.
    """
    try:
        lines = _ENCODER.encode_lines(events)
    except TypeError:  # some event has other keys
        events = [_without_meaning(event) if event.extras else event for event in events]
        return events, encode(events), partial(canonical, events)
    return events, lines, partial(bytes, lines)


def _without_meaning(event: ev.Event) -> ev.Event:
    """Leave out the other keys of one event that have a meaning in mjai."""
    standard = aliases.KEYS.get(ev.name_of(event), {})
    kept = {
        key: value
        for key, value in (event.extras or {}).items()
        if key != MARK and not (key in standard and getattr(event, standard[key]) is UNSET)
    }
    return structs.replace(event, extras=ev.Extras(kept) or UNSET)


def _is_whole(game_round: Round) -> bool:
    start = game_round.events[0] if game_round.events else None
    return (
        isinstance(start, ev.StartRound)
        # The keys that a deal has in every dialect. A deal without one of them comes from another format.
        and UNSET not in (start.oya, start.dora_marker, start.tehais)
        and UNSET not in [event.target for event in game_round.events if type(event) is ev.Win]
    )


def _completed(
    events: Sequence[ev.Event], deal: ev.StartRound, hidden: tuple[tuple[Tile, ...], ...]
) -> list[ev.Event]:
    if deal.tehais is UNSET:
        deal = structs.replace(deal, tehais=hidden)
    if deal.dora_marker is UNSET:
        deal = structs.replace(deal, dora_marker=HIDDEN)
    completed: list[ev.Event] = [deal]
    for event in events:
        if isinstance(event, ev.Win) and event.target is UNSET:
            # If the source states only the liable player, mjai names that player as the discarder.
            target = event.actor if event.liable is UNSET else event.liable
            completed.append(structs.replace(event, target=target))
        elif not isinstance(event, ev.StartRound):
            completed.append(event)
    return completed


def _refuse(events: Sequence[ev.Event], where: str) -> None:
    """Raise `UnsupportedError` for the first event that mjai cannot hold: tiles, seats, or numbers beyond mjai."""
    for index, event in enumerate(events):
        known: Any = structs.replace(event, extras=UNSET)
        try:
            _CHECK.decode(msgspec.json.encode(known))
        except msgspec.ValidationError as error:
            tile = next((tile for tile in _strings(msgspec.to_builtins(known)) if tile in _OTHER), None)
            stated, _, way = str(error).partition(" - at `$.")
            wrong = f"{way.rstrip('`')}: {plain_reason(stated)}"
            reason = f"mjai has no tile {tile}" if tile else f"mjai cannot hold this: {wrong}"
            raise UnsupportedError(f"{where}, message {index + 1} ({ev.name_of(event)}): {reason}") from None


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, dict):
        yield from _strings(list(value.values()))
