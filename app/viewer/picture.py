"""Pictures to send: a position beside its caption, or the result of a round, as SVG, and as PNG by resvg."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import UNSET

from mjconv.ir.errors import UsageError, width
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.languages import Language
from mjconv.viewer.facts import round_name
from mjconv.viewer.position import RATIO, STYLE, drawn_text, drawn_tile, escaped, position_svg
from mjconv.viewer.results import Result, WinResult
from mjconv.viewer.rounds import RoundView, points_after
from mjconv.viewer.state import MeldTile, shown_tiles
from mjconv.viewer.tiles import symbols
from mjconv.viewer.words import Speaker

_WIDE, _HIGH, _MARGIN = 1200, 630, 40
#: The most players around a square table. More players sit in two columns, which are wider.
_SQUARE: Final = 4
#: The usual width of a letter, as a part of its size. The width of a sign of East Asia is its size.
_LETTER: Final = 0.54
#: The gap between groups of tiles, as a part of the width of a tile.
_GAP: Final = 0.4
#: What stays together at the end of a line: a word, or one sign of East Asia.
_WORD: Final = re.compile(r"[^\s\u2e80-\uffef]+\s*|.")
#: A sign that no font has.
_MISSING: Final = "\U0010fffd"


class _Picture:
    """A drawing that is filled from the top. `room` is the width of its column, which begins at `x`."""

    def __init__(self, x: float, room: float) -> None:
        self.x: Final = x
        self.room: Final = room
        self.y = 24.0
        self.parts: Final[list[str]] = []

    def write(self, text: str, size: float) -> None:
        """Write a text, in as many lines as it needs."""
        lines = [""]
        for word in _WORD.findall(text):
            if lines[-1] and _extent(lines[-1] + word.rstrip()) * size > self.room:
                lines.append("")
            lines[-1] += word
        for line in lines:
            self.y += 1.35 * size
            self.parts.append(drawn_text(self.x, self.y, size, escaped(line), anchor="start"))

    def lay(self, groups: Iterable[Sequence[MeldTile]], most: float, *, won: bool = False) -> None:
        """Lay groups of tiles in a row. `most` is the widest tile. `won`: mark the last group."""
        shown = [group for group in groups if group]
        tile = min(most, self.room / max(1, sum(_GAP + sum(map(_columns, group)) for group in shown)))
        x, self.y = self.x, self.y + 14 + tile * RATIO
        for group in shown:
            marks = ("last",) if won and group is shown[-1] else ()
            for each in group:
                face = HIDDEN if each.down else each.tile
                self.parts.append(drawn_tile(face, x, self.y, tile, turned=each.turned, marks=marks))
                x += tile * _columns(each)
            x += tile * _GAP

    def svg(self, tiles: Iterable[Tile], about: str) -> str:
        """Return the drawing as SVG text. It needs the symbols of `tiles`; `about` is the line at the bottom."""
        foot = drawn_text(_WIDE - _MARGIN, _HIGH - 16, 20, escaped(about), anchor="end")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDE}" height="{_HIGH}"><style>{STYLE}</style>'
            f'<defs>{symbols({HIDDEN, *tiles})}</defs><rect width="100%" height="100%" fill="#fff"/>'
            f"{''.join(self.parts)}{foot}</svg>\n"
        )


def _extent(text: str) -> float:
    """Return the width of a text, as a multiple of the size of its letters."""
    return _LETTER * len(text) + (1 - _LETTER) * (width(text) - len(text))


def _columns(tile: MeldTile) -> float:
    return RATIO if tile.turned else 1


def position_picture(
    view: RoundView, step: int, seat: int, names: Sequence[str], language: Language, about: str
) -> str:
    """Return a position beside its caption, as SVG text. `about` is the line at the bottom."""
    speaker = Speaker(language, view.steps[step].winds, names)
    board = position_svg(view, step, seat, names, language)
    wide = _HIGH if len(speaker.winds) <= _SQUARE else 900
    size = (_WIDE - wide) / (_WIDE - _HIGH)
    picture = _Picture(wide + 20, _WIDE - wide - 20 - _MARGIN)
    picture.parts.append(board.replace("<svg ", f'<svg width="{wide}" height="{_HIGH}" ', 1))
    picture.write(speaker.say(round_name(view.record)), 48 * size)
    picture.write(speaker.say(view.steps[step].sentence), 36 * size)
    picture.y += 40
    winds = Speaker(language, view.steps[step].winds)
    for at, points in enumerate(view.steps[step].state.points):
        name = names[at] if at < len(names) else ""
        picture.write(
            "  ".join(filter(None, (winds.seat(at), name, "" if points is None else f"{points:,}"))), 30 * size
        )
    return picture.svg((), about)


def result_card(view: RoundView, names: Sequence[str], language: Language, about: str) -> str:
    """Return the results of a round and the points after it, as SVG text. Raises `UsageError` without a result."""
    state, winds = view.steps[-1].state, view.steps[-1].winds
    results = [(step.sentence, step.result) for step in view.steps if step.result is not UNSET]
    if not results:
        raise UsageError(f"the round {view.record.label} has no result")
    speaker = Speaker(language, winds, names)
    picture = _Picture(_MARGIN, _WIDE - 2 * _MARGIN)
    picture.write(speaker.say(round_name(view.record)), 28)
    if dora := [mark for mark in state.dora if mark]:
        corner = _Picture(_WIDE / 2 + 60, _WIDE / 2 - 60 - _MARGIN)
        corner.y = 6
        corner.lay([_flat(dora), _flat(mark for mark in state.ura if mark)], 40)
        label = drawn_text(corner.x - 12, 62, 28, speaker.word("screen.dora"), anchor="end")
        picture.parts.extend([label, *corner.parts])
    picture.y += 16
    for sentence, result in results:
        size = 1 if len(results) == 1 else 0.55
        picture.write(speaker.say(sentence), 40 * size)
        _lay_result(picture, result, speaker, size)
    after = points_after(view)
    for seat, (was, points) in enumerate(zip(view.steps[0].state.points, after, strict=True)):
        column = _Picture(_MARGIN + seat * picture.room / len(after), picture.room / len(after))
        column.y = _HIGH - 155
        name = speaker.seat(seat)
        column.write(name, min(28, column.room / (_extent(name) + 1)))
        column.write("" if points is None else f"{points:,}", 34)
        gain = 0 if was is None or points is None else points - was
        column.write(f"{gain:+,}" if gain else "", 24)
        picture.parts.extend(column.parts)
    return picture.svg(shown_tiles(state), about)


def _lay_result(picture: _Picture, result: Result, speaker: Speaker, size: float) -> None:
    if isinstance(result, WinResult):
        won = [] if result.tile is UNSET else [result.tile]
        melds = [meld.tiles for meld in result.melds]
        groups = [_flat(result.hand.split()), *melds, _flat(result.aside), _flat(won)]
        picture.lay(groups, 74 * size, won=bool(won))
        worth = [f"{speaker.word(yaku.name)} {yaku.han or ''}".strip() for yaku in result.yaku]
        picture.write(" · ".join(worth), 34 * size)
        return
    for seat, waits in enumerate(result.waits):
        if waits or result.hands[seat]:
            picture.write(speaker.seat(seat), 22)
            picture.lay([_flat((result.hands[seat] or "").split()), _flat(waits or ())], 34)


def _flat(tiles: Iterable[Tile]) -> list[MeldTile]:
    return [MeldTile(tile) for tile in tiles]


def png(drawing: str, font: str | None = None) -> bytes:
    """Return an SVG drawing as a PNG picture. `font` is the path of a font beside those of the system.

    Raises `OSError`, and `UsageError` without resvg, or if no font has a sign of the drawing.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UsageError("a PNG picture needs resvg: pip install resvg-py; .svg needs no package") from None

    if font is not None:
        # resvg skips a font that is not there.
        os.stat(font)

    def drawn(text: str) -> bytes:
        return bytes(svg_to_bytes(svg_string=text, font_files=None if font is None else [font]))

    def alone(text: str) -> bytes:
        return drawn(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text y="30">{text}</text></svg>'
        )

    signs = {sign for text in re.findall(r">([^<>]+)</text>", drawing) for sign in text if not sign.isascii()}
    unknown = alone(_MISSING) if signs else b""
    missing = sorted(each for each in signs if not each.isspace() and alone(each) == unknown)
    if missing:
        raise UsageError(f"no font here has {' '.join(missing)}: name a font that has them with --font FILE")
    return drawn(drawing)
