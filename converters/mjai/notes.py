"""Notes in mjai: the key ``mjconv`` of the first message of a match or of a round. Also their digests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET, structs

from mjconv.converters.interface import Part
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.carry import MARK
from mjconv.ir import events as ev
from mjconv.ir.events import Event, to_message
from mjconv.ir.match import Match, Name, Player, Round, Text

_ENCODER: Final = msgspec.json.Encoder()


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note in its first message."""
    return b"%b,%b:%b%b" % (part.text[: part.at], jsontext.dumps(MARK), note, part.text[part.at :])


def encode(events: Sequence[Event]) -> bytes:
    """Return events as JSON lines. Keys that mjai does not define follow the others."""
    try:
        return _ENCODER.encode_lines(events)
    except TypeError:  # some event has `extras`
        return b"".join(jsontext.dumps(to_message(event)) + b"\n" for event in events)


def round_tokens(game_round: Round) -> bytes:
    """Return the bytes for the digest of a round's note: its messages, independent of the order of their keys."""
    return _canonical(game_round.events)


def match_tokens(match: Match) -> bytes:
    """Return the bytes for the digest of a match's note: the messages around the rounds, and the names."""
    names = msgspec.json.encode([player.name for player in match.players])
    return names + _canonical(match.opening) + _canonical(match.closing)


def with_players(match: Match) -> Match:
    """Move the names of the message `start_game` to `Match.players`. Return the match."""
    for index, event in enumerate(match.opening):
        if isinstance(event, ev.StartGame) and event.names is not UNSET:
            match.players = [Player(Name(Text(name))) for name in event.names]
            match.opening[index] = structs.replace(event, names=UNSET)
            break
    return match


def _canonical(events: Sequence[Event]) -> bytes:
    try:
        return _ENCODER.encode_lines(events)
    except TypeError:
        return b"".join(
            _ENCODER.encode(structs.replace(event, extras=UNSET))
            + (jsontext.dumps(dict(sorted(event.extras.items()))) if event.extras else b"")
            for event in events
        )
