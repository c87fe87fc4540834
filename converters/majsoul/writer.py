"""Writes Mahjong Soul records in the shape that RiichiEnv reads: a list of records for each round."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.majsoul.extras import MatchExtras, RoundExtras, read_extras
from mjconv.converters.majsoul.head import written_head
from mjconv.converters.majsoul.round_writer import CannotWriteError, RoundWriter
from mjconv.converters.majsoul.tiles import SPELLED
from mjconv.converters.majsoul.tokens import head_tokens, round_tokens
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.carry import MARK
from mjconv.converters.shared.completed import CompleteRound, complete
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HIDDEN

#: The version of the list of records: those that have one record after another.
_VERSION: Final = 210715
_MOST_SEATS: Final = 4
_OWN: Final = frozenset({"head", "rounds", "inputs", "version", "data", "actions", "records", MARK})


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    r"""Write a match as one JSON object, a record on each line.

    Raises `UnsupportedError` for hidden tiles, and for rounds without hands.

    >>> from mjconv.ir.events import StartGame
    >>> render(Match(opening=[StartGame()]), None, True, WriteOptions()).parts[0].text
    b'{"version":210715,"rounds":[\n'
    """
    for game_round in match.rounds:
        _check(game_round)
    rounds = complete(match)
    head, text = _head(match)
    parts = [Part(text, tokens=partial(head_tokens, head), at=1)]
    totals = [0] * _MOST_SEATS
    for index, (game_round, whole) in enumerate(zip(match.rounds, rounds, strict=True)):
        parts.append(_round(game_round, whole, totals, first=index == 0))
    parts.append(Part(b"]}\n"))
    return Rendered(parts, after="a match")


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note: a key of the object, or of the first record of the round."""
    at = part.at or 0
    return b'%b"%b":%b,%b' % (part.text[:at], MARK.encode(), note, part.text[at:])


def _check(game_round: Round) -> None:
    start = game_round.start
    if start is None or not start.tehais:
        raise UnsupportedError(f"round {game_round.label}: a Mahjong Soul record needs the hands that are dealt")
    for event in game_round.events:
        for tile in _tiles(event):
            if tile == HIDDEN:
                raise UnsupportedError(
                    f"round {game_round.label}: a Mahjong Soul record has no hidden tiles, and this round has them"
                )
            if tile and tile not in SPELLED:
                raise UnsupportedError(f"round {game_round.label}: Mahjong Soul has no tile {tile}")


def _tiles(event: ev.Event) -> list[str]:
    if isinstance(event, ev.StartRound):
        return [*(tile for hand in event.tehais or () for tile in hand), event.dora_marker or ""]
    return [getattr(event, "pai", "") or "", *(getattr(event, "consumed", ()) or ())]


def _head(match: Match) -> tuple[dict[str, Any], bytes]:
    """Return the head of a match, and the text of the part."""
    extras = read_extras(match, MatchExtras)
    head = written_head(match, extras)
    other = {key: value for key, value in extras.other.items() if key not in _OWN}
    fields: dict[str, Any] = {"version": _VERSION, **other}
    if head:
        fields["head"] = head
    if extras.inputs:
        fields["inputs"] = extras.inputs
    return head, jsontext.dumps(fields)[:-1] + b',"rounds":[\n'


def _round(game_round: Round, whole: CompleteRound, totals: list[int], *, first: bool) -> Part:
    extras = read_extras(game_round, RoundExtras)
    try:
        written = RoundWriter(game_round, whole, extras, totals).write()
    except CannotWriteError as error:
        raise UnsupportedError(f"round {game_round.label}: {error}") from None
    lines = jsontext.dumps_each(written)
    begin = b"[" if first else b",["
    text = begin + b",\n".join(lines) + b"]\n"
    records = [(record["name"], record["data"]) for record in written]
    return Part(text, tokens=partial(round_tokens, records), at=len(begin) + 1)
