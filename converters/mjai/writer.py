"""Write mjai: JSON lines or batch arrays, in the standard dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType, structs

from mjconv.converters.mjai.notes import MessageNote, encode, match_digest, round_digest
from mjconv.converters.mjai.reader import with_players
from mjconv.converters.options import WriteOptions
from mjconv.converters.shared import notes
from mjconv.ir import derive, patch
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round
from mjconv.ir.riichi_only import as_riichi
from mjconv.ir.tiles import HIDDEN, OTHER_TILES
from mjconv.rules.hongkong_points import with_points

#: What `mjai-riichienv` calls otherwise than the standard.
_RIICHIENV: Final = (
    (rb'^\{"type":"nukidora"', rb'{"type":"kita"'),
    (rb'^\{"type":"start_game","id":([0-3])', rb'{"type":"start_game","id":"\1"'),
)
#: What a deal says in every dialect; one that lacks any of it was never mjai.
_DEAL: Final = ("oya", "dora_marker", "tehais")
_SEATS: Final = (3, 4)
_OTHER: Final = frozenset(OTHER_TILES)
_HIDDEN_HAND: Final = (HIDDEN,) * 13
_CHECK: Final = msgspec.json.Decoder(ev.Event)
_NO_NOTE: Final = MessageNote()


def write(matches: Iterable[Match], report: Report, options: WriteOptions) -> bytes:
    r"""Write matches as mjai, one message a line; flavour ``mjai-batch`` one array a match.

    What a message has no key for goes into its `mjconv` key, unless `options.plain`; what mjai requires and the
    record leaves open is filled in and reported. Raises `UnsupportedError` for tiles or seats beyond mjai's.

    >>> write([Match(opening=[ev.StartGame(), ev.EndGame()])], Report(), WriteOptions())
    b'{"type":"start_game"}\n{"type":"end_game"}\n'
    """
    return b"".join(
        _in_flavour(_write_match(match, number, report, options), options.flavour)
        for number, match in enumerate(matches)
    )


def _in_flavour(lines: bytes, flavour: str) -> bytes:
    if flavour == "mjai-riichienv":
        for standard, theirs in _RIICHIENV:
            lines = re.sub(standard, theirs, lines, flags=re.MULTILINE)
    elif flavour == "mjai-batch":
        lines = b"[" + lines.rstrip(b"\n").replace(b"\n", b",") + b"]\n"
    return lines


def _write_match(source: Match, number: int, report: Report, options: WriteOptions) -> bytes:
    if source.seats not in _SEATS:
        raise UnsupportedError(
            f"mjai records games of three or four players, and match {number + 1} has {source.seats} players"
        )
    scored, scale = with_points(as_riichi(source) if options.lossy else source)
    notes.tell_scale(report, "hora.deltas", scale, carried=not options.plain, match=number)
    filled = derive.fill(scored) if options.fill else scored
    rounds = _rounds(filled)
    opening = _opening(filled)
    reading = with_players(Match(opening=list(opening), rounds=rounds, closing=filled.closing))
    parts = [opening, *(game_round.events for game_round in rounds), filled.closing]
    encoded = [encode(events) for events in parts]
    for index, lines in enumerate(encoded):
        try:
            _CHECK.decode_lines(lines)
        except msgspec.ValidationError:
            labels = ["opening", *(f"round {game_round.label}" for game_round in rounds), "closing"]
            _refuse(parts[index], f"{labels[index]} of match {number + 1}")

    said = [_NO_NOTE] * len(parts)
    for index, (game_round, original) in enumerate(zip(rounds, source.rounds, strict=True), 1):
        found, differences = patch.diff(game_round, original)
        notes.tell(
            report, differences, carried=not options.plain, match=number, round=index - 1, label=original.label
        )
        if found:
            said[index] = MessageNote(round=notes.of(found, round_digest(game_round)))
    found, differences = patch.diff(reading, source)
    notes.tell(report, differences, carried=not options.plain, match=number)
    if found:
        first = next(index for index, part in enumerate(parts) if part)
        said[first] = structs.replace(said[first], match=notes.of(found, match_digest(reading), scale))
    if options.plain:
        said = [_NO_NOTE] * len(said)

    return b"".join(
        encoding if note is _NO_NOTE else _noted(events, note)
        for events, encoding, note in zip(parts, encoded, said, strict=True)
    )


def _noted(events: Sequence[ev.Event], note: MessageNote) -> bytes:
    """Write events, the note on the first."""
    first = events[0]
    extras = {**(first.extras or {}), notes.MARK: msgspec.to_builtins(note)}
    return encode([structs.replace(first, extras=ev.Extras(extras))]) + encode(events[1:])


def _opening(match: Match) -> list[ev.Event]:
    """Give the messages before the first round, the names among them."""
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
    names = ["" if player.name is UNSET else player.name.shown for player in match.players]
    return tuple(names) if any(player.name is not UNSET for player in match.players) else UNSET


def _rounds(match: Match) -> list[Round]:
    """Give the rounds as mjai can say them: what it requires and the record leaves open is filled in."""
    deals: list[ev.StartRound] | None = None
    seats = match.seats
    rounds = []
    for index, game_round in enumerate(match.rounds):
        events = game_round.events
        if not _is_whole(game_round):
            deals = deals or derive.starts(match)
            events = _completed(events, deals[index], seats)
        rounds.append(Round(events))
    return rounds


def _is_whole(game_round: Round) -> bool:
    start = game_round.events[0] if game_round.events else None
    return (
        isinstance(start, ev.StartRound)
        and all(getattr(start, key) is not UNSET for key in _DEAL)
        and all(event.target is not UNSET for event in game_round.select(ev.Win))
    )


def _completed(events: Sequence[ev.Event], deal: ev.StartRound, seats: int) -> list[ev.Event]:
    if deal.tehais is UNSET:
        deal = structs.replace(deal, tehais=(_HIDDEN_HAND,) * seats)
    if deal.dora_marker is UNSET:
        deal = structs.replace(deal, dora_marker=HIDDEN)
    completed: list[ev.Event] = [deal]
    for event in events:
        if isinstance(event, ev.Win) and event.target is UNSET:
            # Where the source says only who is liable, they stand in for who discarded.
            target = event.actor if event.liable is UNSET else event.liable
            completed.append(structs.replace(event, target=target))
        elif not isinstance(event, ev.StartRound):
            completed.append(event)
    return completed


def _refuse(events: Sequence[ev.Event], where: str) -> None:
    """Refuse the first event that is no mjai: other tiles, more seats, numbers out of bounds."""
    for place, event in enumerate(events):
        known: Any = structs.replace(event, extras=UNSET)
        try:
            _CHECK.decode(msgspec.json.encode(known))
        except msgspec.ValidationError as error:
            tile = next((tile for tile in _strings(msgspec.to_builtins(known)) if tile in _OTHER), None)
            said = f"mjai has no tile {tile}" if tile else f"mjai cannot hold this: {error}"
            raise UnsupportedError(f"{where}, message {place + 1} ({ev.name_of(event)}): {said}") from None


def _strings(value: Any) -> Iterator[str]:
    """Give the strings in a value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, dict):
        yield from _strings(list(value.values()))
