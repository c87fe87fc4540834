"""Lines of mjai: events as JSON, the usual lines, notes and their digests.

Usual lines are draws and discards, which are six of seven messages of a log. The reader looks such a line up, and
neither decodes nor checks it. The writer does not check it. The events are made once, and all logs share them.
Reading and writing mjai by default take half the time by this: 15 ms against 30 ms for 18 games.

A note is the key ``mjconv`` of the first message of a match or of a round.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal

import msgspec
from msgspec import UNSET, structs

from mjconv.converters.shared import jsontext
from mjconv.ir import events as ev
from mjconv.ir.answers import together
from mjconv.ir.events import Discard, Draw, Event, to_message
from mjconv.ir.match import USUAL_SEATS, Match, Name, Player, Round, Text
from mjconv.ir.tiles import HIDDEN, RIICHI_TILES

_ENCODER: Final = msgspec.json.Encoder()


def encode(events: Sequence[Event]) -> bytes:
    """Return events as JSON lines. Keys that mjai does not define follow the others."""
    try:
        return _ENCODER.encode_lines(events)
    except TypeError:  # some event has `extras`
        return b"".join(jsontext.dumps(to_message(event)) + b"\n" for event in events)


def round_tokens(game_round: Round) -> bytes:
    """Return the bytes for the digest of a round's note: its messages, the answers among them.

    They do not depend on the order of the keys.
    """
    return canonical(together(game_round))


def match_tokens(match: Match) -> bytes:
    """Return the bytes for the digest of a match's note: the messages around the rounds, and the names."""
    names = msgspec.json.encode([player.name for player in match.players])
    return names + canonical(match.opening) + canonical(match.closing)


def with_players(match: Match) -> Match:
    """Move the names of the message `start_game` to `Match.players`. Return the match."""
    for index, event in enumerate(match.opening):
        if isinstance(event, ev.StartGame) and event.names is not UNSET:
            match.players = [Player(Name(Text(name))) for name in event.names]
            match.opening[index] = structs.replace(event, names=UNSET)
            break
    return match


def canonical(events: Sequence[Event]) -> bytes:
    """Return the bytes for a digest of messages. Those without unknown keys are as `encode` writes them."""
    try:
        return _ENCODER.encode_lines(events)
    except TypeError:
        return b"".join(
            _ENCODER.encode(structs.replace(event, extras=UNSET))
            + (jsontext.dumps(dict(sorted(event.extras.items()))) if event.extras else b"")
            for event in events
        )


# The usual lines.


#: The bytes at the beginning of a log by which its spelling is recognised.
_HEAD: Final = 4096


def spelled_as(data: bytes) -> Mapping[bytes, Event]:
    r"""Return the event of each usual line, as this log spells them: with sorted keys or not, with spaces or not.

    The lines are without line breaks.

    >>> spelled_as(b'{"actor": 0, "pai": "9p", "type": "tsumo"}\n')[b'{"actor": 3, "pai": "E", "type": "tsumo"}']
    Draw(actor=3, pai='E')
    """
    head = data[:_HEAD]
    return usual_lines("sorted" if b'{"actor"' in head else None, spaced=b'": ' in head)


@cache
def usual_lines(order: Literal["sorted"] | None = None, *, spaced: bool = False) -> Mapping[bytes, Event]:
    """Return the event of each usual line, by default as mjconv writes them.

    If `order` is None, the keys are in the order of mjai. Lines that are `spaced` have a space after each colon
    and comma, as Python's `json` writes them.

    >>> usual_lines()[b'{"type":"dahai","actor":1,"pai":"9p","tsumogiri":true}']
    Discard(actor=1, pai='9p', tsumogiri=True)
    """
    events = list(_turns())
    text = msgspec.json.Encoder(order=order).encode_lines(events)
    if spaced:
        text = text.replace(b":", b": ").replace(b",", b", ")
    return dict(zip(text.splitlines(), events, strict=True))


def _turns() -> Iterator[Event]:
    """Yield the draw and both discards of each tile by each player."""
    for actor in range(USUAL_SEATS):
        for tile in (*RIICHI_TILES, HIDDEN):
            yield Draw(actor, tile)
            yield Discard(actor, tile, tsumogiri=False)
            yield Discard(actor, tile, tsumogiri=True)
