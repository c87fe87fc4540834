"""The samples that the kit runs on: records of a format, and the games of the corpus that are run into it."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from mjconv.converters import formats, hub
from mjconv.converters.interface import HEAD, Format
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Answer, Match, Name, Player, Round, Text

#: The games of mjconv itself.
CORPUS = Path(__file__).resolve().parents[1] / "corpus"
#: Longer samples are left to other tests: the checks read each sample some hundred times.
MOST_BYTES = 12_000
#: Folders of inputs that readers refuse.
_WRONG = {"broken", "crashes"}


class Sample(NamedTuple):
    """The bytes of a right record, and its name in messages."""

    name: str
    data: bytes


class Game(NamedTuple):
    """One match of the corpus, its name in messages, and the id of the format that it was read from."""

    name: str
    source: str
    match: Match


def from_files(paths: Sequence[Path]) -> list[Sample]:
    """Return files as samples."""
    return [Sample(path.name, path.read_bytes()) for path in paths]


def samples_of(form: Format) -> tuple[Sample, ...]:
    """Return the right records of a format in the corpus, but not the long ones."""
    return _samples(form.id)


@cache
def _samples(name: str) -> tuple[Sample, ...]:
    form, _ = formats.find(name)
    paths = [path for path in sorted(CORPUS.rglob("*")) if path.suffix in form.files.extensions and path.is_file()]
    right = [path for path in paths if not _WRONG & set(path.parts) and path.stat().st_size <= MOST_BYTES]
    own = [
        Sample(str(path.relative_to(CORPUS)), path.read_bytes())
        for path in right
        if formats.of_file(path.name, path.read_bytes()[:HEAD]) is form
    ]
    # A file of comments alone is no record.
    return tuple(sample for sample in own if hub.read_matches(form, sample.data, Report(lenient=True)))


def games(original: bool = True) -> Iterator[Game]:
    """Return the games of the corpus and some made by hand.

    Where `original` is false, a game has no `Match.original`, and the games that had none are left out.
    """
    for game in _games():
        if original:
            yield game
        elif game.match.original is not None:
            yield game._replace(match=without_original(game.match))


@cache
def _games() -> tuple[Game, ...]:
    read = [
        Game(f"{sample.name}, match {number}", form.id, match)
        for form in formats.FORMATS
        for sample in samples_of(form)
        for number, match in enumerate(hub.read_matches(form, sample.data, Report()), 1)
    ]
    return (*read, *(Game(name, "", match) for name, match in HANDMADE.items()))


def without_original(match: Match) -> Match:
    """Return the match without the record that it was read from: a writer then renders what the hub holds."""
    return match if match.original is None else structs.replace(match, original=None)


def _short(start: ev.StartRound, *play: ev.Event) -> Match:
    """Return a match of one round, with a place and dice, for which few formats have words."""
    return Match(
        [Player(Name(Text(name))) for name in "ABCD"],
        [Round([start, *play, ev.EndRound()], dice=(2, 3))],
        opening=[ev.StartGame()],
        closing=[ev.EndGame()],
        place=Text("somewhere"),
    )


_HAND = ("9p",) * 2 + ("1s",) * 3 + ("?",) * 8
_WON = ev.Win(1, 1, deltas=(-1000, 3000, -1000, -1000), yakus=(("riichi", 1),), fu=30)
#: Games that no platform writes so: the usual dealer, and dealers whom the name of the round does not name.
HANDMADE = {
    "a short game made by hand": _short(
        ev.StartRound("E", "1m", 1, 0, 0, 0, (25000,) * 4, (_HAND,) * 4),
        ev.Draw(0, "9p"),
        ev.Discard(0, "9p", tsumogiri=True),
        ev.Draw(1, "E"),
        _WON,
    ),
    "a game made by hand, dealt by player 2 in E1": _short(
        ev.StartRound("E", "1m", 1, 0, 0, 2, (25000,) * 4, (_HAND,) * 4),
        ev.Draw(2, "9p"),
        ev.Discard(2, "9p", tsumogiri=True),
        ev.Draw(3, "2m"),
        ev.Discard(3, "2m", tsumogiri=True),
        ev.Ryukyoku(deltas=(1000, -3000, 1000, 1000)),
    ),
    "a game made by hand, dealt by player 1 in E3": _short(
        ev.StartRound("E", "1m", 3, 1, 0, 1, (24000, 26000, 25000, 25000), (_HAND,) * 4),
        ev.Draw(1, "9p"),
        ev.Discard(1, "9p", tsumogiri=True),
        ev.Win(3, 1, pai="9p", deltas=(0, -2000, 0, 2000)),
    ),
}


def _answered(match: Match) -> Match:
    """Return the match with answers of two players to the first discard: no text shows both."""
    claim = ev.Pon(2, 0, "9p", ("9p", "9p"), extras=ev.Extras({"meta": {"values": [0.5]}}))
    answers = (Answer(1, ev.Pass(), 1), Answer(3, claim, 2), Answer(3, ev.Pass(), 1))
    return structs.replace(match, rounds=[structs.replace(match.rounds[0], answers=answers)])


HANDMADE["a short game with answers of two players"] = _answered(HANDMADE["a short game made by hand"])
