"""The ``mjconv`` key: a match's note on its first message, a round's on its deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import structs

from mjconv.converters.shared import jsontext
from mjconv.converters.shared.notes import Note, digest
from mjconv.ir.events import Event, to_message
from mjconv.ir.match import Match, Record, Round

_ENCODER: Final = msgspec.json.Encoder()


class MessageNote(Record, frozen=True):
    """What the key holds: notes of the match that begins here, and of the round."""

    match: Note | None = None
    round: Note | None = None


def encode(events: Sequence[Event]) -> bytes:
    """Write events as JSON lines, unknown keys after the known."""
    try:
        return _ENCODER.encode_lines(events)
    except TypeError:  # some event has unknown keys
        return b"".join(jsontext.dumps(to_message(event)) + b"\n" for event in events)


def round_digest(game_round: Round) -> str:
    """Digest the messages of a round, whatever the order of their keys."""
    return digest(_canonical(game_round.events))


def match_digest(match: Match) -> str:
    """Digest the messages around the rounds, and the names."""
    names = msgspec.json.encode([player.name for player in match.players])
    return digest(names + _canonical(match.opening) + _canonical(match.closing))


def _canonical(events: Sequence[Event]) -> bytes:
    try:
        return _ENCODER.encode_lines(events)
    except TypeError:
        return b"".join(
            _ENCODER.encode(structs.replace(event, extras=msgspec.UNSET))
            + (jsontext.dumps(dict(sorted(event.extras.items()))) if event.extras else b"")
            for event in events
        )
