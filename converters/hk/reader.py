"""Read HK scores: the matches of a file, each game a round that is only its result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from mjconv.converters import notes
from mjconv.converters.hk.drafts import Draft, FoundNote, Game, drafts, finish
from mjconv.converters.hk.lines import SEATS, State, spell_base
from mjconv.ir import patch
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

_BOM: Final = "\ufeff"
Whole = TypeVar("Whole", Round, Match)


def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
    r"""Read the matches of a file, one by one: four names begin one, and every game is a round.

    What a file does not declare is the scorer's default: base 1, at most 13 faan, full responsibility, half
    growth. Raises `InputError` with the line. A note whose game was edited is left out, with a warning.

    >>> [match] = read(b"B=0.5\nA B C D\n- 3 - S\n", Report())
    >>> match.rounds[0].events, match.rules.base
    ([Win(actor=1, target=1, fan=3, liable=3)], Decimal('0.5'))
    """
    del flavour
    for number, draft in enumerate(drafts(text_of(data).splitlines())):
        yield _Reading(draft, report, number).match()


def locate(data: bytes, match: int, game_round: int, event: int) -> Place | None:
    r"""Find the line of a game that was read, counting from 0.

    >>> locate(b"A B C D\n- - - -  # dull\n", 0, 0, 0).line
    2
    """
    del event  # what a note restores has no place of its own
    lines = text_of(data).splitlines()
    for number, draft in enumerate(drafts(lines)):
        if number == match and game_round < len(draft.games):
            game = draft.games[game_round]
            return game.place if isinstance(game, FoundNote) else Place(game.number, 1, lines[game.number - 1])
    return None


def text_of(data: bytes) -> str:
    r"""Decode a file. Raises `InputError` with the place of what is no UTF-8.

    >>> text_of(b"\xef\xbb\xbfM=8")
    'M=8'
    """
    try:
        return data.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        lines = f"{data[: error.start].decode().removeprefix(_BOM)}\ufffd".splitlines()
        place = Place(len(lines), len(lines[-1]), lines[-1])
        said = f"not UTF-8: byte 0x{data[error.start]:02x} at byte offset {error.start}"
        raise InputError(said, place) from None


def match_digest(names: Sequence[str], state: State) -> str:
    """Digest what a match's note belongs to: the names, and what holds for its first game."""
    told = (
        *names,
        str(state.date),
        spell_base(state.base),
        str(state.max_faan),
        state.responsibility,
        state.growth,
    )
    return notes.digest(" ".join(told).encode())


def game_digest(result: object) -> str:
    """Digest what a round's note belongs to: the four results."""
    return notes.digest(str(result).encode())


class _Reading:
    """Gives a draft's match what its notes carry, and tells which of them no longer fit."""

    def __init__(self, draft: Draft, report: Report, number: int) -> None:
        self.draft = draft
        self.report = report
        self.number = number

    def match(self) -> Match:
        match = finish(self.draft)
        plain, match.rounds = iter(match.rounds), []
        for game in self.draft.games:
            if isinstance(game, Game):
                match.rounds.append(self._round(game, next(plain)))
            else:
                match.rounds += self._left_out(game)
        digest = match_digest(self.draft.names, self.draft.first)
        fits = False
        for found in self.draft.notes:
            note = found.note.match or found.note.round or notes.Note()
            if not fits and found.note.match is not None and _fits(note, digest):
                match = _patched(note, match, found.place)
                fits = True
            else:
                what = "match" if found.note.match is not None else "round"
                self.report.warn(notes.let_go(note, what), match=self.number, line=found.place.line)
        return match

    def _round(self, game: Game, game_round: Round) -> Round:
        fits = False
        for found in game.notes:
            note = found.note.round or notes.Note()
            if not fits and _fits(note, game_digest(game.result)):
                game_round = _patched(note, game_round, found.place)
                fits = True
            else:
                self._warn(note, found)
        return game_round

    def _left_out(self, found: FoundNote) -> list[Round]:
        note = found.note.left_out or notes.Note()
        if note.v == notes.VERSION:
            return [_patched(note, Round(), found.place)]
        self._warn(note, found)
        return []

    def _warn(self, note: notes.Note, found: FoundNote) -> None:
        self.report.warn(notes.let_go(note, "round"), match=self.number, line=found.place.line)


def _fits(note: notes.Note, digest: str) -> bool:
    return note.v == notes.VERSION and note.digest == digest


def _patched(note: notes.Note, whole: Whole, place: Place) -> Whole:
    try:
        return patch.apply(note, whole, seats=SEATS)
    except patch.PatchError as error:
        raise InputError(f"the note does not fit: {error}", place) from None
