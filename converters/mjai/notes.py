"""The ``mjconv`` key: where a note stands in mjai, on the first message of its match or round."""

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
    """Write events as JSON lines, unknown keys after the known."""
    try:
        return _ENCODER.encode_lines(events)
    except TypeError:  # some event has unknown keys
        return b"".join(jsontext.dumps(to_message(event)) + b"\n" for event in events)


def round_tokens(game_round: Round) -> bytes:
    """Return what the digest of a round's note is taken of: its messages, whatever the order of their keys."""
    return _canonical(game_round.events)


def match_tokens(match: Match) -> bytes:
    """Return what the digest of a match's note is taken of: the messages around the rounds, and the names."""
    names = msgspec.json.encode([player.name for player in match.players])
    return names + _canonical(match.opening) + _canonical(match.closing)


def with_players(match: Match) -> Match:
    """Move the names of the start of the game to the match's players."""
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
