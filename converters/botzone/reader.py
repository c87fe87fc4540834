"""Reads Botzone's logs: blocks of lines, each a hand of Chinese Official."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.converters.botzone.vocabulary import KIND_OF, SPELLING_OF, TILE_OF, read_fan, spell_fan
from mjconv.converters.interface import Reading
from mjconv.converters.shared.extras import as_extras
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.note_json import MARK
from mjconv.converters.shared.single_hands import SEATS, PlayedHand, StatedHand, claim, decoded, readings
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, LineError, Place
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.losses import Report
from mjconv.ir.match import Frozen, Match, Round
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import HAND, WINDS, Tile

#: The key of the format in `extras`.
KEY: Final = "botzone"
#: The id of a match that has none.
NO_ID: Final = "-"
#: The word with which the line of a note begins.
NOTE: Final = f"# {MARK} "

_TILE: Final = "[WBT][1-9]|F[1-4]|J[1-3]|H[1-8]"
_MATCH: Final = re.compile(r"Match[ \t]+(\S+)")
_NUMBERED: Final = re.compile(r"(?P<id>[^/]+)/(?P<number>[1-9][0-9]{0,5})")
_DEAL: Final = re.compile(rf"Player ([0-3]) Deal((?: (?:{_TILE}))*)")
_ACT: Final = re.compile(rf"Player ([0-3]) (Draw|Play|{'|'.join(KIND_OF)}) ({_TILE})((?: .*)?)")
_CLAIM: Final = re.compile(rf" Ignore Player ([0-3]) (Chi|Peng|Gang|Hu) ({_TILE})", re.IGNORECASE)
_FAN: Final = re.compile(r"Fan(?: ([0-9]{1,9}))?(?: (\S.*))?")
_SCORE: Final = re.compile(r"Score((?: -?[0-9]{1,10}){4})")
_CLAIMS: Final = {word.lower(): word for word in KIND_OF}
#: The words with which lines begin, each read by the method of its name.
_WORDS: Final = ("Wind", "Player", "Fan", "Huang", "Score")
#: The lines that state the keys of events.
_LINES: Final = {"tehais": "deal", "deltas": "score", "fan": "fan", "yakus": "fan"}


class BotzoneRoundExtras(Frozen, frozen=True):
    """The names of fan of a hand as the log spells them, if the writer spells them otherwise."""

    fan: str = ""


def read(data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the hands of a log one by one: each is a match of one round.

    Raises `InputError` with its place. With a lenient report, an error in a hand is a fault, and the reader
    continues with the next hand.

    >>> deal = "".join(f"Player {player} Deal{' W1' * 13}\n" for player in range(4))
    >>> text = f"Match a1\nWind 2\n{deal}Player 0 Draw B2\nPlayer 0 Play B2\nHuang\nScore 0 0 0 0\n"
    >>> [(match, locate)] = read(text.encode(), Report())
    >>> match.id, match.rounds[0].start.bakaze, match.rounds[0].events[2]
    ('a1', 'W', Discard(actor=0, pai='2p'))
    """
    return readings(KEY, parse(decoded(data, report)), report)


def parse(text: str) -> Iterator[StatedHand]:
    """Yield the hands of a log. A hand with an error has no events, and states its error."""
    lines = [line.rstrip() for line in text.split("\n")]
    begins = [number for number, line in enumerate(lines) if line.startswith("Match")]
    first = next((number for number, line in enumerate(lines) if line), 0)
    if not begins or first < begins[0]:
        place = Place(first + 1, 1, lines[first])
        error = InputError("expected the first line of a hand, such as Match 61602cb4", place)
        yield StatedHand(place, fault=error)
    for begin, end in pairwise([*begins, len(lines)]):
        yield _LogReader(lines, begin).read(end)


class _LogReader:
    """Reads the lines of one hand."""

    def __init__(self, lines: Sequence[str], begin: int) -> None:
        self.lines = lines
        self.number = begin
        self.hand = StatedHand(self._place())
        self.wind: int | None = None
        self.deals: dict[int, tuple[Tile, ...]] = {}
        self.play = PlayedHand(SPELLING_OF)
        #: The index of the line of each event, and of the lines of deal, fan and score.
        self.of_event: list[int] = []
        self.of_key: dict[str, int] = {}
        self.result: Any = None
        self.spelled = ""

    def read(self, end: int) -> StatedHand:
        """Return the hand whose last line is before `end`."""
        try:
            self._match(self.lines[self.number])
            for number in range(self.number + 1, end):
                self.number = number
                self._line(self.lines[number])
            self._finish()
        except (LineError, CannotHoldError) as error:
            self.hand.fault = InputError(str(error), self._place(getattr(error, "offset", 0)))
        else:
            self.hand.locate = self._locate
        return self.hand

    def _place(self, offset: int = 0, number: int | None = None) -> Place:
        number = self.number if number is None else number
        return Place(number + 1, offset + 1, self.lines[number])

    def _match(self, line: str) -> None:
        stated = _MATCH.fullmatch(line)
        if stated is None:
            raise LineError("expected Match and the id of the hand")
        name = stated[1]
        numbered = _NUMBERED.fullmatch(name)
        if numbered is not None:
            name, self.hand.number = numbered["id"], int(numbered["number"])
        self.hand.match = Match(id=UNSET if name == NO_ID else name)
        self.hand.key = self.hand.head = name.encode("utf-8", "replace")

    def _line(self, line: str) -> None:
        if not line:
            return
        if line.startswith(NOTE):
            self.hand.notes.append((line[len(NOTE) :], self._place(len(NOTE))))
            return
        self.hand.tokens += line.encode("utf-8", "replace") + b"\n"
        word = line.split(" ", 1)[0]
        if word not in _WORDS:
            raise LineError('expected a line of a log, such as "Player 0 Play W1"')
        getattr(self, f"_{word.lower()}")(line)

    def _wind(self, line: str) -> None:
        words = line.split()
        if len(words) != 2 or words[1] not in ("0", "1", "2", "3"):
            raise LineError("expected Wind and the wind of the round, from 0 (east) to 3 (north)")
        self.wind = int(words[1])

    def _player(self, line: str) -> None:
        act = _ACT.fullmatch(line)
        if act is None:
            self._deal(line)
            return
        if self.wind is None or len(self.deals) < SEATS:
            raise LineError("expected the wind and the deal of four players before the first act")
        if self.result is not None:
            raise LineError("expected no act after the end of the hand")
        actor, word, tile = int(act[1]), act[2], TILE_OF[act[3]]
        self._claims(act[4], act.start(4))
        self.of_event.append(self.number)
        if word == "Draw":
            self.play.draw(actor, tile)
        elif word == "Play":
            self.play.discard(ev.Discard(actor, tile))
        elif word == "Hu":
            self.result = self.play.called("hora", actor, tile)
        else:
            self.play.call(KIND_OF[word], actor, tile)

    def _claims(self, text: str, offset: int) -> None:
        """Read the claims that the act of a line overrode."""
        begin = 0
        while begin < len(text):
            stated = _CLAIM.match(text, begin)
            if stated is None:
                raise LineError("expected Ignore and a claim, such as Ignore Player 2 Chi W2", offset + begin)
            kind = KIND_OF[_CLAIMS[stated[2].lower()]]
            event = self.play.called(kind, int(stated[1]), TILE_OF[stated[3].upper()])
            # The deal is an event too.
            self.play.annotations.append(claim(len(self.play.events) + 1, event))
            begin = stated.end()

    def _deal(self, line: str) -> None:
        stated = _DEAL.fullmatch(line)
        if stated is None:
            raise LineError("expected a player from 0 to 3, an act and a tile, such as Player 0 Play W1")
        player, tiles = int(stated[1]), stated[2].split()
        if player in self.deals:
            raise LineError(f"the hand of player {player} is dealt twice")
        if len(tiles) != HAND:
            raise LineError(f"expected {HAND} tiles in a dealt hand, not {len(tiles)}")
        self.deals[player] = tuple([TILE_OF[tile] for tile in tiles])
        self.of_key.setdefault("deal", self.number)
        self.of_event = self.of_event or [self.number]

    def _fan(self, line: str) -> None:
        stated = _FAN.fullmatch(line)
        if stated is None or type(self.result) is not ev.Win:
            raise LineError("expected Fan after Hu, with the sum and the names, such as Fan 9 混一色*1")
        self.of_key["fan"] = self.number
        yakus = UNSET if stated[2] is None else read_fan(stated[2])
        if stated[2] is not None and stated[2] != spell_fan(yakus or ()):
            self.spelled = stated[2]
        fan = UNSET if stated[1] is None else int(stated[1])
        self.result = structs.replace(self.result, fan=fan, yakus=yakus)

    def _huang(self, line: str) -> None:
        if line != "Huang" or self.result is not None or len(self.deals) < SEATS:
            raise LineError("expected Huang alone, once, after the deal")
        self.of_event.append(self.number)
        self.result = ev.Ryukyoku(REASON_IN_MESSAGES["exhaustive_draw"])

    def _score(self, line: str) -> None:
        stated = _SCORE.fullmatch(line)
        if stated is None or self.result is None:
            raise LineError("expected Score after the end of the hand, with four numbers")
        deltas = tuple(map(int, stated[1].split()))
        if max(map(abs, deltas)) > MOST_POINTS:
            raise LineError(f"expected points up to {MOST_POINTS}")
        self.of_key["score"] = self.number
        self.result = structs.replace(self.result, deltas=deltas)

    def _finish(self) -> None:
        if self.wind is None or len(self.deals) < SEATS:
            raise LineError("expected the wind and the deal of four players")
        start = ev.StartRound(bakaze=WINDS[self.wind], oya=0, tehais=tuple([self.deals[p] for p in range(SEATS)]))
        events = [start, *self.play.events]
        if self.result is not None:
            events += [self.result, ev.EndRound()]
            self.of_event.append(self.of_key.get("score", self.of_event[-1]))
        extras = as_extras(KEY, BotzoneRoundExtras(self.spelled))
        self.hand.round = Round(events, annotations=tuple(self.play.annotations), extras=extras)

    def _locate(self, event: int, key: str) -> Place:
        own = self.of_event[event] if event < len(self.of_event) else self.of_key["deal"]
        return self._place(number=self.of_key.get(_LINES.get(key, ""), own))
