"""Writes Mahjong Soul records in the shape that RiichiEnv reads: a list of records for each round."""

from functools import partial
from typing import Final

from msgspec import UNSET

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.majsoul.containers import Fields, contents_of
from mjconv.converters.majsoul.head import written_head
from mjconv.converters.majsoul.reader import MajsoulReader, digest_tokens
from mjconv.converters.majsoul.round_writer import MajsoulRoundWriter
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.carry import MARK
from mjconv.converters.shared.completed import CompleteRound, complete
from mjconv.converters.shared.json_values import refusing
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match, Round

#: The version of records that are one list of actions.
_VERSION: Final = 210715


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    r"""Write a match as one JSON object, a record on each line.

    Raises `UnsupportedError` for hidden tiles, and for rounds without hands.

    >>> from mjconv.ir.events import StartGame
    >>> render(Match(opening=[StartGame()]), None, True, WriteOptions()).parts[0].text
    b'{"version":210715,"writer":"mjconv","rounds":[\n'
    """
    for game_round in match.rounds:
        if game_round.start is None or not game_round.start.tehais:
            raise UnsupportedError(
                f"round {game_round.label}: a Mahjong Soul record needs the hands that are dealt"
            )
    head = written_head(match)
    # The text of a game that breaks off states more than its reader keeps: it has no sign, and is an original.
    ends = all(one.select(ev.Win, ev.Ryukyoku) for one in match.rounds[-1:])
    sign = {"writer": MARK} if ends else {}
    fields = {"version": _VERSION, **sign, **({"head": head} if head else {})}
    parts = [Part(jsontext.dumps(fields)[:-1] + b',"rounds":[\n', tokens=partial(digest_tokens, head), offset=1)]
    totals = [0] * USUAL_SEATS
    rounds = []
    for game_round, whole in zip(match.rounds, complete(match), strict=True):
        rounds.append(_records(game_round, whole, totals))
        parts.append(_part(rounds[-1], first=len(rounds) == 1))
    parts.append(Part(b"]}\n"))
    return Rendered(parts, partial(_read, match, {**fields, "rounds": rounds}), after="a match")


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note: a key of the object, or of the first record of the round."""
    offset = part.offset or 0
    return b'%b"%b":%b,%b' % (part.text[:offset], MARK.encode(), note, part.text[offset:])


def _records(game_round: Round, whole: CompleteRound, totals: list[int]) -> list[Fields]:
    with refusing("Mahjong Soul", game_round):
        return MajsoulRoundWriter(game_round, whole, totals).write()


def _part(records: list[Fields], *, first: bool) -> Part:
    begin = b"[" if first else b",["
    text = begin + b",\n".join(jsontext.dumps_each(records)) + b"]\n"
    named = [(record["name"], record["data"]) for record in records]
    return Part(text, tokens=partial(digest_tokens, named), offset=len(begin) + 1)


def _read(match: Match, value: Fields) -> Match:
    """Return the match that the reader makes of a value; raises `UnsupportedError` if the reader refuses it."""
    walls = any(game_round.wall is not UNSET for game_round in match.rounds)
    reader = MajsoulReader(contents_of(value, lambda _: Place(1, 1, "")), Report(walls=walls, compares=False))
    try:
        reader.read()
    except InputError as error:
        label = match.rounds[len(reader.match.rounds)].label
        raise UnsupportedError(f"round {label}: Mahjong Soul cannot hold it: {error.message}") from None
    return reader.match
