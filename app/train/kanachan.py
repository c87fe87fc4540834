"""Rows of Kanachan, a program that learns riichi mahjong: one decision a line, in seven columns.

The columns are separated by tabs: the name of the game, sparse features, numeric features, the play so far, the
actions, the index of the action taken, and the results. The numbers inside a column are separated by commas. The
rows need the legal actions of the engine, so they are written here, and not by a format of `converters/`.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from msgspec import UNSET

from mjconv.converters.interface import Reading
from mjconv.converters.shared.ends import ranks_of
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError, UsageError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match
from mjconv.ir.tiles import WINDS, Tile
from mjconv.messages import spreadsheet_text
from mjconv.train.answers import EngineAnswer
from mjconv.train.engine import tile_of
from mjconv.train.kanachan_play import SLOTS, PlayNumbers, tile_number
from mjconv.train.outcomes import GameEnd, RoundOutcome, end_of_match, outcome_of
from mjconv.train.replay import Replayed, replayed
from mjconv.train.rows import report_left_out

#: The tiles that can be drawn after the deal.
_LIVE: Final = 70
#: The round winds that the rows can express.
_WINDS: Final = WINDS[:3]

# Where each kind of sparse feature begins.
_LENGTH, _SEAT, _WIND, _DEALER, _INDICATORS, _LEFT, _PLAYERS, _HAND, _DRAW = (5, 7, 11, 14, 18, 203, 273, 353, 489)
#: How many numbers one dora indicator has, and how many one player has. The current place begins at `_PLACE`.
_TILES, _PLAYER, _PLACE = 37, 20, 16

#: The winner and the discarder, or twice the winner, of each result of a win, relative to the own seat.
_WINS: Final = (
    *((0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)),
    *((1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)),
)
_NOTEN, _TENPAI, _ABORTED = 16, 17, 18


class KanachanSettings(NamedTuple):
    """The values that records do not state: the room, the level of the players, and the change of their grades."""

    room: int = 0
    level: int = 0
    grading: int = 0


#: The least and the most of each setting.
_BOUNDS: Final = {"room": (0, 4), "level": (0, 15), "grading": (-100_000, 100_000)}


def settings_of(text: str) -> KanachanSettings:
    """Read settings such as ``room=3,level=10``; raises `UsageError`.

    >>> settings_of("room=3,level=10")
    KanachanSettings(room=3, level=10, grading=0)
    """
    values: dict[str, int] = {}
    for part in text.split(",") if text else ():
        name, _, number = part.partition("=")
        least, most = _BOUNDS.get(name, (0, -1))
        digits = number.removeprefix("-")
        if name in values or not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
            least, most = 0, -1
        if most < least or not least <= int(number) <= most:
            known = ", ".join(f"{each}={low}..{high}" for each, (low, high) in _BOUNDS.items())
            raise UsageError(f"--kanachan takes {known}, separated by commas, not {part!r}")
        values[name] = int(number)
    return KanachanSettings(**values)


def kanachan_rows(
    readings: Iterable[Reading], report: Report, *, source: str = "", settings: str = ""
) -> Iterator[str]:
    """Yield the rows of the decisions of matches, each with its line break.

    A match that breaks off has no rows, and neither has a round without a result: the rows end with the results of
    the round and of the game. They are reported as losses. Values that `settings` does not state are reported as
    assumed. Raises `UnsupportedError` for a game that is not of four players.
    """
    known = settings_of(settings)
    for number, reading in enumerate(readings):
        match = reading.match
        if match.seats != USUAL_SEATS:
            raise UnsupportedError(f"match {number + 1} has {match.seats} players; Kanachan plays games of four")
        for name in KanachanSettings._fields:
            if f"{name}=" not in settings:
                report.lose(f"kanachan.{name}", "assumed", match=number, detail="the record does not state it")
        outcomes = [outcome_of(each, USUAL_SEATS) for each in match.rounds]
        game = _KanachanGame(_name(source, number), end_of_match(match, outcomes), known, _is_south(match))
        for each in replayed(reading):
            report_left_out(each, number, report)
            if not each.answers:
                # The engine does not allow the round, and its tiles or calls may have no numbers.
                continue
            outcome = outcomes[each.round]
            missing = game.missing(each, outcome)
            if missing:
                report.lose("match.rounds", "dropped", match=number, round=each.round, detail=missing)
            elif outcome is not None:
                yield from game.rows(each, outcome)


def _name(source: str, number: int) -> str:
    """Return the name of a game: its file, with the number of the match unless it is the first."""
    whole = source if number == 0 else f"{source}#{number}"
    return spreadsheet_text("".join(char if char.isprintable() else "_" for char in whole))


class _KanachanGame(NamedTuple):
    """The rows of one game."""

    name: str
    ending: GameEnd | None
    settings: KanachanSettings
    south: bool

    def missing(self, each: Replayed, outcome: RoundOutcome | None) -> str | None:
        """Return the reason why a round has no rows, or None."""
        start = each.events[0]
        if isinstance(start, ev.StartRound) and start.bakaze not in _WINDS:
            return "Kanachan has no north rounds"
        if self.ending is None:
            return "the game has no end"
        if outcome is None or outcome.deltas is None:
            return "the round has no result"
        return "it is not known who is in tenpai" if outcome.tenpai and None in outcome.tenpai else None

    def rows(self, each: Replayed, outcome: RoundOutcome) -> Iterator[str]:
        """Yield the rows of a round, player by player."""
        play = PlayNumbers(each.events)
        for seat in range(USUAL_SEATS):
            results = [",".join(map(str, result)) for result in self._results(seat, outcome)]
            own = [one for one in each.answers if one.seat == seat]
            for index, one in enumerate(own):
                following = own[index + 1] if index + 1 < len(own) else None
                choice = play.choice(one, following)
                if choice is None:
                    continue
                candidates, taken = choice
                columns = (
                    self._sparse(one, play),
                    _numeric(one),
                    play.progression[: play.lengths[one.event]],
                    candidates,
                    (candidates.index(taken),),
                )
                row = "\t".join((self.name, *(",".join(map(str, column)) for column in columns)))
                for result in results:
                    yield f"{row}\t{result}\n"

    def _sparse(self, one: EngineAnswer, play: PlayNumbers) -> list[int]:
        seen = one.observation
        features = [
            self.settings.room,
            _LENGTH + self.south,
            _SEAT + one.seat,
            _WIND + seen.round_wind,
            _DEALER + seen.oya,
            _LEFT + _LIVE - play.draws[one.event],
        ]
        features += [
            _INDICATORS + _TILES * number + tile_number(tile_of(tile))
            for number, tile in enumerate(seen.dora_indicators)
        ]
        places = ranks_of(seen.scores)
        for index, seat in enumerate(_from(one.seat)):
            first = _PLAYERS + _PLAYER * index
            features += [first + self.settings.level, first + _PLACE + places[seat]]
        drawn = play.drawn(one)
        hand = [tile_of(tile) for tile in seen.hand]
        if drawn is not None:
            hand.remove(drawn)
            features.append(_DRAW + tile_number(drawn))
        counts: dict[Tile, int] = {}
        for tile in hand:
            features.append(_HAND + SLOTS[tile_number(tile)] + counts.get(tile, 0))
            counts[tile] = counts.get(tile, 0) + 1
        return sorted(features)

    def _results(self, seat: int, outcome: RoundOutcome) -> list[list[int]]:
        """Return the results of a round and of the game for one player: one for each win."""
        assert outcome.deltas is not None
        assert outcome.scores is not None
        assert self.ending is not None
        places = ranks_of(outcome.scores)
        rest = [
            *(outcome.deltas[other] for other in _from(seat)),
            *(places[other] for other in _from(seat)),
            self.ending.places[seat] - 1,
            self.ending.scores[seat],
            self.settings.grading,
        ]
        return [[number, *rest] for number in round_results(outcome, seat)]


def round_results(outcome: RoundOutcome, seat: int) -> list[int]:
    """Return the numbers of the results of a round for one player, one for each win.

    >>> round_results(RoundOutcome(((2, 0),), None, None, None), 1)
    [11]
    """
    if outcome.wins:
        seats = [((winner - seat) % USUAL_SEATS, (target - seat) % USUAL_SEATS) for winner, target in outcome.wins]
        return list(map(_WINS.index, seats))
    if outcome.tenpai is None:
        return [_ABORTED]
    return [_TENPAI if outcome.tenpai[seat] else _NOTEN]


def _from(seat: int) -> list[int]:
    """Return all seats, the own first, then to the right, across, and to the left."""
    return [(seat + turn) % USUAL_SEATS for turn in range(USUAL_SEATS)]


def _numeric(one: EngineAnswer) -> list[int]:
    seen = one.observation
    return [seen.honba, seen.riichi_sticks, *(seen.scores[seat] for seat in _from(one.seat))]


def _is_south(match: Match) -> bool:
    """Return whether a game is planned to have south rounds: as stated, else by the rounds played, else yes."""
    if match.rules is not UNSET and match.rules.length is not UNSET:
        return match.rules.length != "east"
    winds = [start.bakaze for each in match.rounds if (start := each.start) is not None]
    return any(wind != WINDS[0] for wind in winds) or not match.closing
