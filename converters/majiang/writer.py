"""Writes majiang records: one object for each match, in a list if there are several."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.majiang.head import KEY, read_head, write_head
from mjconv.converters.majiang.round_reader import MajiangRoundExtras, RoundReading, read_round
from mjconv.converters.majiang.round_writer import write_round
from mjconv.converters.majiang.tiles import SEATS
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.completed import CompleteRound
from mjconv.converters.shared.extras import read_part
from mjconv.converters.shared.json_log import LOG, WrittenValues, head_tokens, played_rounds, round_tokens
from mjconv.converters.shared.json_values import refusing
from mjconv.converters.shared.note_json import place_in_object as place_note
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round

__all__ = ["place_note", "render"]

#: The keys that majiang writes after the rounds.
_AFTER: Final = ("defen", "point", "rank")


class _WrittenRound(NamedTuple):
    """A round that was written: its steps, and its source."""

    steps: WrittenValues[RoundReading]
    source: Round
    completed: CompleteRound

    def reading(self) -> Round:
        """Return the round that the steps are read as. Raises `UnsupportedError` if the reader refuses them."""
        with refusing("majiang", self.source, self.completed.origins):
            return self.steps.reading.round()


def render(
    match: Match,
    before: bool | None,
    last: bool,
    options: WriteOptions,  # noqa: ARG001 - all writers take the options
) -> Rendered:
    r"""Write a match as one object on one line.

    `before` is true if a match precedes it in the file: then the file is a list. Raises `UnsupportedError` for a
    round that majiang cannot hold, and `PlayError` if its events cannot be played.

    >>> from mjconv.ir.events import StartGame
    >>> match = Match(opening=[StartGame()])
    >>> b"".join(part.text for part in render(match, None, True, WriteOptions()).parts).decode()
    '{"title":"","player":["","","",""],"qijia":0,"log":[],"defen":[0,0,0,0],"point":[],"rank":[]}\n'
    """
    if match.seats != SEATS:
        raise UnsupportedError(f"majiang holds games of {SEATS} players only")
    written = [_written(*one) for one in played_rounds(match, "majiang")]
    with refusing("majiang"):
        head = write_head(match, [one.reading() for one in written[-1:]])
    parts = [Part(_opening(head, before=before, last=last), partial(head_tokens, head), in_tail=True)]
    for index, one in enumerate(written):
        words = round_tokens(one.steps.values)
        parts.append(Part((b"," if index else b"") + words, partial(bytes, words), in_tail=True))
    closing = b"".join(
        b",%b:%b" % (jsontext.dumps(key), jsontext.dumps(head[key])) for key in _AFTER if key in head
    )
    end = b"\n" if before is None and last else b"]\n" if last else b""
    parts.append(Part(b"]" + closing + b"}" + end, offset=1))
    return Rendered(parts, partial(_read, head, written), after=True)


def _read(head: Mapping[str, Any], written: Sequence[_WrittenRound]) -> Match:
    with refusing("majiang"):
        return read_head(head, [one.reading() for one in written])


def _opening(head: Mapping[str, Any], *, before: bool | None, last: bool) -> bytes:
    """Return the text before the first round: the keys that precede the log."""
    keys = {key: value for key, value in head.items() if key not in _AFTER}
    text = jsontext.dumps(keys)[:-1] + (b"," if keys else b"") + jsontext.dumps(LOG) + b":["
    if before is not None:
        return b",\n" + text
    return text if last else b"[" + text


def _written(game_round: Round, whole: CompleteRound) -> _WrittenRound:
    kept = read_part(game_round, KEY, MajiangRoundExtras).steps
    with refusing("majiang", game_round, whole.origins):
        usual = WrittenValues(write_round(whole), partial(read_round, play=whole.play))
        return _WrittenRound(usual.with_kept(kept, game_round.events), game_round, whole)
