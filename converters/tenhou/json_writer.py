"""Writes tenhou.net/6 JSON: one object a match, on one line, or a link for each round, which holds an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, Final, NamedTuple
from urllib.parse import quote_from_bytes

from mjconv.converters.interface import Part, Remark, Rendered, WriteOptions
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.completed import CompleteRound, complete
from mjconv.converters.shared.dora import CUSTOMS
from mjconv.converters.shared.extras import read_part
from mjconv.converters.shared.json_log import LOG, head_tokens, round_tokens, with_kept_values
from mjconv.converters.shared.json_values import WrongValueError
from mjconv.converters.tenhou.json_head import KEY, JsonHeadExtras, JsonRoundExtras, write_head
from mjconv.converters.tenhou.json_reader import follows, match_of
from mjconv.converters.tenhou.json_results import UnwritableEventError
from mjconv.converters.tenhou.json_round import JsonRoundReading, read_round, write_round
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round

#: The begin of every link.
_PREFIX: Final = b"https://tenhou.net/6/#json="
#: The characters that JavaScript's encodeURI leaves as they are, besides letters and digits.
_SAFE: Final = ";,/?:@&=+$-_.!~*'()#"
_OPEN_KANS: Final = frozenset({ev.Kakan, ev.Daiminkan})


class After(NamedTuple):
    """The end of a match, for the next one of the file: its head, and the events of its last round."""

    head: Mapping[str, Any]
    events: Sequence[ev.Event]


def render_json(match: Match, before: After | None, options: WriteOptions) -> Rendered:
    r"""Write a match as one object on one line.

    `before` is the end of the match before it in the file. Raises `UnsupportedError` for a round without play, or
    one that cannot be read back in its order, and `PlayError` if its events cannot be played.

    >>> match = Match(opening=[ev.StartGame()], closing=[ev.EndGame()])
    >>> b"".join(part.text for part in render_json(match, None, WriteOptions()).parts).decode()
    '{"title":["",""],"name":["","","",""],"rule":{"disp":"般南喰赤","aka":1},"log":[]}\n'
    """
    head = write_head(match)
    rounds = _write_rounds(match, plain=options.plain)
    sizes = _sizes(match, rounds)
    _check_apart(before, head, rounds)
    opening = jsontext.dumps(head)[:-1] + b"," + jsontext.dumps(LOG) + b":["
    begins = set(accumulate(sizes[:-1], initial=0))
    parts = [Part(opening, partial(head_tokens, head), in_tail=True)]
    for index, written in enumerate(rounds):
        text = jsontext.dumps(written.value)
        if index not in begins:
            text = b"," + text
        elif index:
            text = b"]}\n" + opening + text
        part = Part(text, partial(round_tokens, written.value), in_tail=True)
        # The reader needs the moment of the dora before it reads the round.
        if written.custom != CUSTOMS[0]:
            part.hints = {"dora": written.custom}
            part.remarks = [Remark("round.dora")]
        parts.append(part)
    parts.append(Part(b"]}\n", offset=1))
    reads_as = partial(match_of, head, rounds, match.seats, sizes)
    return Rendered(parts, reads_as, After(head, rounds[-1].events if rounds else ()))


def _write_rounds(match: Match, *, plain: bool) -> list[JsonRoundReading]:
    """Return the rounds of a match, each with the reading of its value. Raises as `render` does."""
    seats = match.seats
    for game_round in match.rounds:
        if game_round.start is None:
            raise UnsupportedError(f"round {game_round.label}: the deal is missing")
        # A deal alone has neither play nor a result.
        if not game_round.is_played and not ev.RESULTS.isdisjoint(map(type, game_round.events)):
            raise UnsupportedError(f"round {game_round.label}: tenhou.net/6 holds rounds with their play only")
    completed = complete(match)
    return [
        _written(game_round, whole, seats, plain=plain)
        for game_round, whole in zip(match.rounds, completed, strict=True)
    ]


def _written(game_round: Round, whole: CompleteRound, seats: int, *, plain: bool) -> JsonRoundReading:
    label = game_round.label
    try:
        value = write_round(whole.events, whole.deal, seats)
        reading = read_round(value, seats)
    except UnwritableEventError as error:
        raise UnsupportedError(f"round {label}, message {whole.origins[error.event] + 1}: {error}") from None
    except WrongValueError as error:
        raise UnsupportedError(f"round {label}: tenhou.net/6 cannot hold it: {error}") from None
    if not plain and not _OPEN_KANS.isdisjoint(map(type, whole.events)):
        reading = _with_dora_of(whole.events, reading, seats)
    read = partial(read_round, seats=seats, custom=reading.custom)
    kept = read_part(game_round, KEY, JsonRoundExtras).values
    return with_kept_values(value, reading, kept, read, game_round.events)[1]


def _with_dora_of(events: Sequence[ev.Event], reading: JsonRoundReading, seats: int) -> JsonRoundReading:
    """Return the reading with the dora at the places of the source, if a custom has them there."""
    wanted = _dora_places(events)
    tried = (read_round(reading.value, seats, custom) for custom in CUSTOMS)
    return next((one for one in tried if _dora_places(one.events) == wanted), reading)


def _dora_places(events: Sequence[ev.Event]) -> list[int]:
    return [index for index, event in enumerate(events) if type(event) is ev.Dora]


def _sizes(match: Match, rounds: Sequence[JsonRoundReading]) -> Sequence[int]:
    """Return the number of rounds of each object: of one, if others would not be read as one match."""
    sizes = read_part(match, KEY, JsonHeadExtras).sizes
    if len(sizes) < 2 or sum(sizes) != len(rounds) or min(sizes) < 1:
        return (len(rounds),)
    begin = 0
    for size in sizes[:-1]:
        begin += size
        if not follows(rounds[begin].events, rounds[begin - 1].events):
            return (len(rounds),)
    return sizes


def _check_apart(before: After | None, head: Mapping[str, Any], rounds: Sequence[JsonRoundReading]) -> None:
    """Check that a match is not read as more rounds of the match before it in the file."""
    if before is not None and rounds and before.head == head and follows(rounds[0].events, before.events):
        raise UnsupportedError(
            "it continues the match before it, by its names, rounds and points, and would be read as part of it. "
            "Write it to a file of its own"
        )


# Links.


def render_links(match: Match, before: After | None) -> Rendered:
    """Write a match as links, one for each round.

    Raises as `render_json` does, and `UnsupportedError` if the links would not be read as one match.
    """
    head = write_head(match)
    rounds = _write_rounds(match, plain=True)
    if not rounds:
        raise UnsupportedError("there is a link for each round, and the match has no rounds")
    _check_apart(before, head, rounds)
    for index, (written, last) in enumerate(zip(rounds[1:], rounds, strict=False), 1):
        if not follows(written.events, last.events):
            raise UnsupportedError(
                f"round {match.rounds[index].label}: it does not continue the round before it by its number and "
                "points, so links would be read as several matches. tenhou-json holds them in one object"
            )
    texts = [jsontext.dumps({**head, LOG: [written.value]}) for written in rounds]
    links = [Part(b"%b%b\n" % (_PREFIX, quote_from_bytes(text, _SAFE).encode())) for text in texts]
    reads_as = partial(match_of, head, rounds, match.seats)
    return Rendered([Part(b""), *links, Part(b"")], reads_as, After(head, rounds[-1].events))
