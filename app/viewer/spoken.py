"""The texts of a view in one language: captions, results, notes and findings as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import UNSET

from mjconv.ir.match import Round
from mjconv.referee.picture import short
from mjconv.viewer.facts import FindingNote, ShownRemark, round_name
from mjconv.viewer.results import Result, WinResult
from mjconv.viewer.state import LaidMeld
from mjconv.viewer.steps import Step
from mjconv.viewer.words import Language, Sentence, fill


class Speaker:
    """Returns texts in one language. `winds` are those of the seats of a round."""

    def __init__(self, language: Language, winds: Sequence[str] = ()) -> None:
        self.language: Final = language
        self.winds: Final = winds

    def word(self, key: str) -> str:
        """Return the text of a key; a key without a text is itself the text."""
        return fill((key,), self.language, str)

    def say(self, sentence: Sentence, seat: Callable[[int], str] | None = None) -> str:
        """Return a sentence as text. Players are called by their winds, or as `seat` names them."""
        return fill(sentence, self.language, seat or self.seat)

    def seat(self, seat: int) -> str:
        """Return the wind of a seat as its name."""
        return self.word(f"seat.{self.winds[seat]}") if 0 <= seat < len(self.winds) else "?"

    def label(self, record: Round) -> str:
        """Return the short name of a round: ``E1-0`` in English, 東1局0本場 in Japanese."""
        name = self.say(round_name(record))
        return record.label if self.language == "en" or name == "?" else name

    def note(self, note: ShownRemark, seat: Callable[[int], str] | None = None) -> Iterator[str]:
        """Yield the lines of a note. Players are called by their winds, or as `seat` names them."""
        who = "" if note.seat is UNSET else f"{(seat or self.seat)(note.seat)}: "
        text = note.text or ""
        if note.ms is not UNSET:
            text = f"{note.ms / 1000:.1f} s"
        if note.kind != "comment":
            text = f"{self.word(f'note.{note.kind}')} {text}"
        for line in text.splitlines():
            yield f"{who}{line.strip()}"

    def finding(self, finding: FindingNote) -> str:
        """Return a finding as a line."""
        name = f"{finding.code} ({finding.name}): " if finding.code else ""
        return f"{finding.severity}: {name}{finding.text}"

    def result(self, step: Step) -> Iterator[str]:
        """Yield the lines of the result of a step: hand and yaku, or who was tenpai, and the points that moved."""
        if step.result is UNSET:
            return
        yield from self._shown(step.result)
        gains = [f"{self.seat(seat)} {gain:+,}" for seat, gain in enumerate(step.state.gain) if gain]
        if gains:
            yield self._list(gains)

    def _shown(self, result: Result) -> Iterator[str]:
        if isinstance(result, WinResult):
            melds = " ".join(f"[{meld_text(meld)}]" for meld in result.melds)
            won = "" if result.tile is UNSET else f"+ {short([result.tile])}"
            aside = f"({short(result.aside)})" if result.aside else ""
            yield "  ".join(filter(None, (short(result.hand.split()), won, melds, aside)))
            yaku = [f"{self.word(each.name)} {_han(each.han)}".rstrip() for each in result.yaku]
            if yaku:
                yield self._list(yaku)
            if result.liable is not UNSET:
                yield self.say(("liable", result.liable))
            return
        for seat, waited in enumerate(result.waits):
            if waited:
                yield f"{self.seat(seat)}  {short((result.hands[seat] or '').split())}  → {short(waited)}"

    def _list(self, parts: Sequence[str]) -> str:
        return self.word("list").join(parts)


def _han(han: object) -> str:
    return "" if han is UNSET else str(han)


def meld_text(meld: LaidMeld) -> str:
    """Return the tiles of a meld in the short spelling.

    >>> from mjconv.viewer.state import MeldTile
    >>> meld_text(LaidMeld("pon", (MeldTile("5p", turned=True), MeldTile("5p"), MeldTile("5pr"))))
    '550p'
    """
    tiles = [each for tile in meld.tiles for each in (tile.tile, tile.on) if each]
    return short(tiles)
