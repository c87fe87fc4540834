"""Writes Mahjong Soul records in the shape that RiichiEnv reads: a list of records for each round."""

from functools import partial
from typing import Final

from msgspec import UNSET

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.majsoul.containers import Fields, FileContents, RecordedAct
from mjconv.converters.majsoul.head import written_head
from mjconv.converters.majsoul.reader import MajsoulReader, digest_tokens
from mjconv.converters.majsoul.round_writer import MajsoulRoundWriter
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.completed import complete
from mjconv.converters.shared.json_values import refusing
from mjconv.converters.shared.note_json import MARK
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match

#: The version of records that are one list of actions.
_VERSION: Final = 210715


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    r"""Write a match as one JSON object, a record on each line. The check of notes needs no text of the records.

    Raises `UnsupportedError` for hidden tiles, and for rounds without hands.

    >>> from mjconv.ir.events import StartGame
    >>> render(Match(opening=[StartGame()]), None, True, WriteOptions()).parts[0].text
    b'{"version":210715,"writer":"mjconv","rounds":[\n'
    """
    for one in match.rounds:
        if one.start is None or not one.start.tehais:
            raise UnsupportedError(f"round {one.label}: a Mahjong Soul record needs the hands that are dealt")
    head = written_head(match)
    # The text of a game that breaks off states more than its reader keeps: it has no sign, and is an original.
    ends = all(one.select(ev.Win, ev.Ryukyoku) for one in match.rounds[-1:])
    sign = {"writer": MARK} if ends else {}
    fields = {"version": _VERSION, **sign, **({"head": head} if head else {})}
    parts = [Part(jsontext.dumps(fields)[:-1] + b',"rounds":[\n', tokens=partial(digest_tokens, head), offset=1)]
    totals = [0] * USUAL_SEATS
    rounds: list[list[tuple[str, Fields]]] = []
    for game_round, whole in zip(match.rounds, complete(match), strict=True):
        with refusing("Mahjong Soul", game_round):
            records = MajsoulRoundWriter(game_round, whole, totals).write()
        text = _text(records, first=not rounds) if options.rounds is None else b""
        parts.append(Part(text, tokens=partial(digest_tokens, records), offset=text.find(b"{") + 1))
        rounds.append(records)
    parts.append(Part(b"]}\n"))
    return Rendered(parts, partial(_read, match, head, rounds), after="a match")


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note: a key of the object, or of the first record of the round."""
    offset = part.offset or 0
    return b'%b"%b":%b,%b' % (part.text[:offset], MARK.encode(), note, part.text[offset:])


def _text(records: list[tuple[str, Fields]], *, first: bool) -> bytes:
    named = [{"name": name, "data": data} for name, data in records]
    return (b"[" if first else b",[") + b",\n".join(jsontext.dumps_each(named)) + b"]\n"


def _read(match: Match, head: Fields, rounds: list[list[tuple[str, Fields]]]) -> Match:
    """Return the match that the reader makes of records; raises `UnsupportedError` if the reader refuses them."""
    walls = any(game_round.wall is not UNSET for game_round in match.rounds)
    acts = [RecordedAct(*record) for records in rounds for record in records]
    contents = FileContents(head, acts, None, lambda _: Place(1, 1, ""))
    reader = MajsoulReader(contents, Report(walls=walls, compares=False))
    try:
        reader.read()
    except InputError as error:
        label = match.rounds[len(reader.match.rounds)].label
        raise UnsupportedError(f"round {label}: Mahjong Soul cannot hold it: {error.message}") from None
    return reader.match
