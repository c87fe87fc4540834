"""Writes tenhou.net/6 JSON: one object a match, on one line, or a link for each round, which holds an object."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, Final, NamedTuple
from urllib.parse import quote_from_bytes

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.completed import CompleteRound
from mjconv.converters.shared.dora import CUSTOMS, Custom, custom_of
from mjconv.converters.shared.extras import read_part
from mjconv.converters.shared.json_log import LOG, WrittenValues, head_tokens, played_rounds, round_tokens
from mjconv.converters.shared.json_values import refusing
from mjconv.converters.tenhou.json_head import KEY, JsonHeadExtras, JsonRoundExtras, write_head
from mjconv.converters.tenhou.json_reader import follows, match_of
from mjconv.converters.tenhou.json_round import JsonRoundReading, read_round, write_round
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round
from mjconv.ir.play import Play

#: The begin of every link.
_PREFIX: Final = b"https://tenhou.net/6/#json="
#: The characters that JavaScript's encodeURI leaves as they are, besides letters and digits.
_SAFE: Final = ";,/?:@&=+$-_.!~*'()#"


class _WrittenRound(NamedTuple):
    """A round that was written: its values, its source, its play, and when the dora of open kans are turned."""

    values: WrittenValues[JsonRoundReading]
    source: Round
    play: Play
    custom: Custom

    def reading(self) -> JsonRoundReading:
        """Return the reading of the values. Raises `UnsupportedError` if the reader refuses them."""
        with refusing("tenhou.net/6", self.source):
            return self.values.reading


class After(NamedTuple):
    """The end of a match, for the next one of the file: its head, and its last round, if it has one."""

    head: Mapping[str, Any]
    last: _WrittenRound | None


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
        words = text = round_tokens(written.values.values)
        if index not in begins:
            text = b"," + text
        elif index:
            text = b"]}\n" + opening + text
        part = Part(text, partial(bytes, words), in_tail=True)
        # The reader needs the moment of the dora before it reads the round.
        if written.custom != CUSTOMS[0]:
            part.hints = {"dora": written.custom}
        parts.append(part)
    parts.append(Part(b"]}\n", offset=1))
    reads_as = partial(_read, head, rounds, match.seats, sizes)
    return Rendered(parts, reads_as, After(head, rounds[-1] if rounds else None))


def _read(
    head: Mapping[str, Any], rounds: Sequence[_WrittenRound], seats: int, sizes: Sequence[int] = ()
) -> Match:
    return match_of(head, [one.reading() for one in rounds], seats, sizes, [one.play for one in rounds])


def _write_rounds(match: Match, *, plain: bool) -> list[_WrittenRound]:
    """Return the rounds of a match as they are written. Raises as `render` does."""
    rounds = played_rounds(match, "tenhou.net/6")
    return [_written(game_round, whole, match.seats, plain=plain) for game_round, whole in rounds]


def _written(game_round: Round, whole: CompleteRound, seats: int, *, plain: bool) -> _WrittenRound:
    with refusing("tenhou.net/6", game_round, whole.origins):
        value = write_round(whole.events, whole.deal, whole.table)
        custom = CUSTOMS[0]
        if not plain and not ev.OPEN_KANS.isdisjoint(map(type, whole.events)):
            custom = custom_of(whole.events, lambda one: read_round(value, seats, one).events)
        usual = WrittenValues(value, partial(read_round, seats=seats, custom=custom))
        kept = read_part(game_round, KEY, JsonRoundExtras).values
        return _WrittenRound(usual.with_kept(kept, game_round.events), game_round, whole.play, custom)


def _sizes(match: Match, rounds: Sequence[_WrittenRound]) -> Sequence[int]:
    """Return the number of rounds of each object: of one, if others would not be read as one match."""
    sizes = read_part(match, KEY, JsonHeadExtras).sizes
    if len(sizes) < 2 or sum(sizes) != len(rounds) or min(sizes) < 1:
        return (len(rounds),)
    begin = 0
    for size in sizes[:-1]:
        begin += size
        if not follows(rounds[begin].reading().events, rounds[begin - 1].reading().events):
            return (len(rounds),)
    return sizes


def _check_apart(before: After | None, head: Mapping[str, Any], rounds: Sequence[_WrittenRound]) -> None:
    """Check that a match is not read as more rounds of the match before it in the file."""
    last = before.last if before is not None and rounds and before.head == head else None
    if last is not None and follows(rounds[0].reading().events, last.reading().events):
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
        if not follows(written.reading().events, last.reading().events):
            raise UnsupportedError(
                f"round {match.rounds[index].label}: it does not continue the round before it by its number and "
                "points, so links would be read as several matches. tenhou-json holds them in one object"
            )
    texts = [jsontext.dumps({**head, LOG: [written.values.values]}) for written in rounds]
    links = [Part(b"%b%b\n" % (_PREFIX, quote_from_bytes(text, _SAFE).encode())) for text in texts]
    reads_as = partial(_read, head, rounds, match.seats)
    return Rendered([Part(b""), *links, Part(b"")], reads_as, After(head, rounds[-1]))
