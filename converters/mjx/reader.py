"""Reads states of mjx: lines, or a JSON array. States that follow each other are the rounds of one game."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from mjconv.converters.interface import Reading
from mjconv.converters.mjx.round_reader import EVENTS, StateReader
from mjconv.converters.mjx.state import STATE, MjxState, state_of
from mjconv.converters.mjx.wall import SEATS
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.json_file import Located, grouped, objects
from mjconv.converters.shared.json_values import Path, WrongValueError
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Original, Player, Round, Rules, Text

#: The ways to the values of a deal, and in an event, by the keys. Other keys have the place of the event.
_WAYS: Final = catalogue(__name__, "fields.json", dict[str, dict[str, tuple[str | int, ...]]])


class _Line(NamedTuple):
    """A state of the file: its place, its values, and the round that was read of it."""

    located: Located
    state: MjxState | None
    round: Round
    places: dict[int, Path]


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the games of a file one by one. Raises `InputError` with its place.

    A state continues the state before it if the players are the same, the round is a later one, and the points
    are those at the end of the state before. With a lenient report, a state that cannot be read is a fault, and
    the reader continues with the next one.

    >>> list(read(b"", Report(lenient=True)))
    []
    """
    for number, lines in grouped(objects(data, report, STATE), partial(_line, report), _follows, report):
        yield _reading(lines, report, number)


def _line(report: Report, located: Located, number: int, index: int) -> _Line:
    state: MjxState | None = None
    reader: StateReader | None = None

    def warn(message: str, path: Path) -> None:
        report.warn(message, match=number, round=index, place=located.place(path))

    try:
        state = state_of(located.value)
        reader = StateReader(state)
        reader.read()
    except WrongValueError as error:
        event = len(reader.events) or None if reader is not None else None
        report.fault(InputError(str(error), located.place(error.path)), match=number, round=index, event=event)
    else:
        if state.round_terminal is None:
            warn("the round has no result", ())
        if report.compares:
            reader.compare(warn)
    if reader is None or not reader.events:
        return _Line(located, None, Round(), {})
    return _Line(located, state, reader.round(warn, walls=report.walls), reader.places)


def _follows(line: _Line, before: _Line) -> bool:
    """Return whether a state is the next round of a game. A state that could not be read counts as one."""
    return line.state is None or before.state is None or follows(line.state, before.state)


def follows(state: MjxState, before: MjxState) -> bool:
    """Return whether a state is the next round of the game of the state before it."""
    end = before.round_terminal
    public, last = state.public_observation, before.public_observation
    if end is None or end.is_game_over or public.player_ids != last.player_ids:
        return False
    score, left = public.init_score, end.final_score
    return score.tens == left.tens and (score.round, score.honba) > (last.init_score.round, last.init_score.honba)


def match_of(rounds: list[Round], states: Sequence[MjxState]) -> Match:
    """Return the match of these rounds: its players, and its end if the last state is the end of a game.

    >>> match_of([], []).closing
    []
    """
    match = Match(opening=[ev.StartGame()], rounds=rounds, rules=Rules(players=SEATS))
    names = states[0].public_observation.player_ids if states else ()
    if names:
        match.players = [Player(Name(Text(name))) for name in (*names, *("",) * SEATS)[:SEATS]]
    end = states[-1].round_terminal if states else None
    if end is not None and end.is_game_over:
        match.closing = [ev.EndGame(scores=end.final_score.tens)]
    return match


def _reading(lines: list[_Line], report: Report, number: int) -> Reading:
    states = [line.state for line in lines if line.state is not None]
    match = match_of([line.round for line in lines], states)
    match.original = Original("mjx", b"\n".join([_on_one_line(line.located) for line in lines]))
    if not match.closing:
        report.warn("the game has no end: the record breaks off", match=number)
    return Reading(match, partial(_locate, lines))


def _on_one_line(located: Located) -> bytes:
    """Return the text of a state. If it is one of an array, it has no line break."""
    text = located.text.strip()
    return jsontext.dumps(located.value) if located.path and b"\n" in text else text


def _locate(lines: list[_Line], number: int | None, event: int, key: str) -> Place:
    if number is None:
        return lines[0].located.place()
    line = lines[number]
    if not 0 <= event < len(line.round.events):
        return line.located.place()
    path = line.places.get(event, (*EVENTS, event - 1))
    if event == 0:
        return line.located.place(_WAYS["deal"].get(key, path))
    if type(line.round.events[event]) is ev.Ryukyoku and key == "deltas":
        return line.located.place(("roundTerminal", "noWinner", "tenChanges"))
    return line.located.place((*path, *_WAYS["event"].get(key, ())))
