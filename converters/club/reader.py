"""Read club results: each game is a match without rounds, with the points at its end.

The writer reads its own lines with the same code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import sub

from msgspec import UNSET

from mjconv.converters.club.lines import Game, LineError, State, code_of, read_line, written
from mjconv.converters.interface import Reading
from mjconv.converters.shared.carry import Note, NoteError
from mjconv.converters.shared.contradictions import restored
from mjconv.converters.shared.ends import is_chombo
from mjconv.converters.shared.look_alikes import LookAlikes
from mjconv.converters.shared.restore import FoundNote
from mjconv.converters.shared.text_lines import (
    NO_ERRORS,
    RoundHints,
    is_left_out,
    is_note,
    place_of,
    read_notes,
    text_lines,
)
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Text
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules.scores import after_uma


@dataclass(slots=True)
class GameLine:
    """The line of a game: its place, its meaning, the state at it, its comments, and the notes below it.

    `entering` is the state after the game before it, or at the beginning of the file.
    """

    place: Place
    game: Game
    entering: State
    state: State
    comments: list[str]
    notes: list[FoundNote] = field(default_factory=list)
    rounds: int = 0

    def tokens(self) -> bytes:
        """Return the text whose digest the note of the game has."""
        return repr(self.game).encode("utf-8", "replace")

    def outside(self) -> bytes:
        """Return the date and the settings in force, which a note must not contradict."""
        return repr(self.state[:2]).encode()

    def take(self, note: Note, place: Place) -> None:
        """Add a note: of the match, or of a round, which has no line."""
        near = None
        if is_left_out(note):
            near, self.rounds = self.rounds, self.rounds + 1
        self.notes.append(FoundNote(note, lambda: place, near))


def read(data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the games of a file one by one. Raises `InputError` with the place.

    With a lenient report an error in a line is a fault, and the line is skipped. Names that look alike are
    reported after the last game.

    >>> [(match, locate)] = read(b"uma 30 10\nAnn 42.3 Ben 31 Cho 18.2 Dee 8.5\n", Report())
    >>> match.closing[0].scores, match.final_scores
    ((42300, 31000, 18200, 8500), (47300, 16000, -16800, -46500))
    >>> locate(None, 0, "").line
    2
    """
    lines, broken = text_lines(data, lenient=report.lenient)
    names: LookAlikes[tuple[int, Place]] = LookAlikes()
    for number, line in enumerate(game_lines(lines, State(), report, broken)):
        if report.lenient:
            names.add(line.game.names, (number, line.place))
        yield _reading(line, report, number)
    for alike in names.pairs():
        match, place = alike.place
        column = max(place.text.find(written(alike.name)) + 1, 1)
        report.warn(str(alike), match=match, line=place.line, column=column)


def game_lines(
    lines: Iterable[str], state: State, report: Report, broken: Mapping[int, InputError] = NO_ERRORS
) -> Iterator[GameLine]:
    """Read lines into games, one by one. Raises `InputError`; with a lenient report it is a fault.

    `broken` has errors that were found before, by the number of the line.
    """
    entering, comments, count = state, list[str](), 0
    waiting: GameLine | None = None
    for number, line in enumerate(lines, 1):
        error, game = broken.get(number), None
        try:
            if is_note(line):
                for note in read_notes(line) if waiting is not None else ():
                    waiting.take(note, place_of(line, number))  # type: ignore[union-attr]
                continue
            state, game = read_line(line, state)
        except LineError as wrong:
            error = error or wrong.at(line, number)
        except NoteError as wrong:
            error = error or InputError(str(wrong), place_of(line, number))
        if error is not None:
            report.fault(error, match=count - is_note(line) if count else None)
            continue
        code = code_of(line)
        if code != line:
            comments.append(line[len(code) + 1 :].rstrip())
        if game is not None:
            if waiting is not None:
                yield waiting
            waiting = GameLine(place_of(line, number), game, entering, state, comments)
            entering, comments, count = state, [], count + 1
    if waiting is not None:
        waiting.comments += comments
        yield waiting


def _reading(line: GameLine, report: Report, number: int) -> Reading:
    """Return the match of a line, with what its notes restore."""
    plain = match_of(line)

    def locate(game_round: int | None, event: int, key: str) -> Place | None:  # noqa: ARG001 - as `Locate`
        return line.place if game_round is None or 0 <= game_round < line.rounds else None

    return restored(
        *("club", Reading(plain, locate), line.notes, lambda key: line.tokens() if key is None else b""),
        *(report, number),
        seats=ev.MOST_SEATS,
        outside_of=lambda key: line.outside() if key is None else b"",
        shown_of=lambda whole: shown if isinstance(whole, Match) else lambda _: [],
        before=line.entering,
        hints=RoundHints,
    )


def match_of(line: GameLine) -> Match:
    """Return the match that a line is read as, without its notes."""
    names, points, chombo = line.game
    rules = line.state.settings.rules(len(names))
    match = Match(
        [Player(Name(Text(native=name))) for name in names],
        [Round() for _ in range(line.rounds)],
        [ev.StartGame()],
        date=line.state.date or UNSET,
        rules=rules,
    )
    if points is not None:
        match.closing = [ev.EndGame(points)]
        if rules is not UNSET:
            costs = [times * (rules.chombo or 0) for times in chombo]
            match.final_scores = tuple(map(sub, after_uma(points, rules), costs))
    marks = [Annotation(0, "mark", seat, CHOMBO) for seat, times in enumerate(chombo) for _ in range(times)]
    match.annotations = (*(Annotation(0, "comment", value=text) for text in line.comments), *marks)
    return match


def shown(one: Annotation) -> list[str]:
    """Return the lines by which a file shows an annotation of a match: a comment, or a chombo."""
    if not isinstance(one.value, str) or one.kind not in ("comment", "mark"):
        return []
    if is_chombo(one):
        return [CHOMBO]
    lines = f"{one.value}.".splitlines()
    return [line.rstrip() for line in [*lines[:-1], lines[-1][:-1]] if not is_note(f"#{line} ")]
