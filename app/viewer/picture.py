"""Pictures to send, 1200 x 630: a position beside its caption, or the card of a round; as SVG, or PNG by resvg.

They need no other file. The page draws the same: the numbers of the table are those of `PICTURE` in its script.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import astuple

from mjconv.ir.catalogue import beside
from mjconv.ir.errors import UsageError, visible, width
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.languages import Language
from mjconv.packages import pip
from mjconv.rules.riichi_values import dora_of
from mjconv.viewer.card import RATIO, SIZE, CardPart, Look, look_of
from mjconv.viewer.facts import round_name
from mjconv.viewer.rounds import RoundView
from mjconv.viewer.state import STICK_PAID, shown_tiles
from mjconv.viewer.tiles import PREFIX, SHAPES, symbols
from mjconv.viewer.words import Speaker

#: The width of a tile in the hand of the viewed seat, in the hands of others, in rivers and melds, and set aside.
_OWN, _OTHER, _LAID, _ASIDE = 60.0, 45.0, 52.0, 40.0
#: The lower edge of hands and melds, and where a river begins.
_EDGE, _BEGIN, _RIVER = 985, 397, 613
#: The turns of the sides, by the number of players. More players have their sides in two columns.
_ANGLES: Final = {3: (0, -90, 90), 4: (0, -90, 180, 90)}
#: The usual width of a letter, as a part of its size, and the smallest size of a text that has no room.
_LETTER, _SMALLEST = 0.56, 0.6
#: A river of more tiles has smaller ones.
_SHORT: Final = 20
#: The colours of the page in the light. Who prints a drawing gets black on white.
_STYLE: Final = beside(__name__, "assets/picture.css").decode()
#: Fonts with Latin letters. The last is the usual one of the system, which some versions of resvg do not find.
_LATIN: Final = "Arial,'DejaVu Sans','Liberation Sans','Noto Sans',sans-serif"
#: Fonts with the signs of East Asia, for drawings with such signs.
_FONTS: Final = {
    "JP": "'Noto Sans CJK JP','Noto Sans JP','Hiragino Sans','Yu Gothic UI',Meiryo,IPAexGothic",
    "SC": "'Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei','WenQuanYi Zen Hei'",
    "TC": "'Noto Sans CJK TC','Noto Sans TC','PingFang TC','Microsoft JhengHei'",
}
_FIRST: Final[dict[Language, str]] = {"zh": "TC", "zh-Hans": "SC"}
#: What stays in one line: a word, or one sign of East Asia, with the marks that may begin no line.
_WORD: Final = re.compile(r"(?:[^\s\u2e80-\uffef]+|.)[\s,.:;、。，：；）]*")
#: A sign that no font has.
_MISSING: Final = "\U0010fffd"
_OVER: Final = '<rect class="{}" x="6" y="5" width="288" height="388" rx="27"/>'
#: The marks of a tile by their names.
_MARKS: Final = {
    "drawn": _OVER.format("dim"),
    "taken": _OVER.format("hollow"),
    "dora": '<path class="dora" d="M186 5H267Q294 5 294 32V113Z"/>',
    "last": _OVER.format("ring"),
    "win": _OVER.format("ring strong"),
}


def _extent(text: str) -> float:
    """Return the width of a text, as a multiple of the size of its letters."""
    return _LETTER * len(text) + (1 - _LETTER) * (width(text) - len(text))


def _text(x: float, y: float, size: float, room: float, look: str, text: str, turn: str = "") -> str:
    """Return a text that is at most `room` wide: smaller where it is long, and then without its end."""
    text = visible(text)
    size = max(_SMALLEST * size, min(size, room / max(1, _extent(text))))
    # No room has more signs, however narrow they are: the loop below takes one away at a time.
    text = text[: 2 + int(room / size / (2 * _LETTER - 1))]
    while len(text) > 1 and _extent(text) * size > room:
        text = f"{text.removesuffix('…')[:-1]}…"
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:.4g}" class="{look}"{turn}>{escape(text)}</text>'


def _tile(x: float, bottom: float, width: float, tile: Tile, look: Look) -> str:
    """Return a tile whose lower left corner is at (x, bottom). A turned one lies on its left side."""
    turned = look.get("turned")
    place = f"translate({x:g} {bottom - (0 if turned else width * RATIO):g}){'rotate(-90)' if turned else ''}"
    name = "back" if look.get("down") or tile == HIDDEN else tile
    ghost = ' class="ghost"' if look.get("taken") else ""
    return (
        f'<g transform="{place}scale({width / 300:.4g})">'
        f'<use href="#{PREFIX}{name}" width="300" height="408"{ghost}/>'
        f"{''.join(mark for key, mark in _MARKS.items() if look.get(key))}</g>"
    )


def _shape(seat: int, x: float, y: float, size: float, angle: int = 0) -> str:
    """Return the mark of a player around (x, y)."""
    place = f"translate({x:g} {y:g})rotate({angle})scale({size / 20:g})translate(-10 -10)"
    return f'<path class="shape player{seat % 6}" transform="{place}" d="{SHAPES[seat % 6]}"/>'


def _rect(look: str, x: float, y: float, wide: float, high: float, more: str = "") -> str:
    return f'<rect class="{look}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"{more}/>'


def _svg(parts: Iterable[str], tiles: Iterable[Tile], language: Language) -> str:
    """Return a drawing as SVG text. All its texts have one family of fonts."""
    inside = "".join(parts)
    wide = dict.fromkeys((_FIRST.get(language, "JP"), *_FONTS)) if width(inside) > len(inside) else ()
    fonts = ",".join([*(_FONTS[key] for key in wide), _LATIN])
    size = f'width="{SIZE[0]}" height="{SIZE[1]}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE[0]} {SIZE[1]}" {size}>'
        f"<style>{_STYLE}text{{font-family:{fonts}}}</style><defs>{symbols({HIDDEN, *tiles})}</defs>"
        f"{_rect('ground', 0, 0, *SIZE)}{inside}</svg>\n"
    )


def result_card(parts: Sequence[CardPart], speaker: Speaker, about: str) -> str:
    """Return the card of a round as SVG text. `parts` are those of `card`, `about` is the line at its corner."""

    def drawn(kind: str, x: float, y: float, wide: float, *more: Any) -> str:
        if kind == "text":
            room, look, sentence = more
            return _text(x, y, wide, room, look, speaker.say(sentence))
        return _tile(x, y, wide, *more) if kind == "tile" else _rect(more[1], x, y, wide, more[0])

    tiles = [part[4] for part in parts if part[0] == "tile"]
    shown = [*(drawn(*part) for part in parts), _text(1160, 36, 20, 400, "on end", about)]
    return _svg(shown, tiles, speaker.language)


def position_picture(
    view: RoundView, step: int, seat: int, names: Sequence[str], language: Language, about: str
) -> str:
    """Return a position beside its caption, as SVG text. `about` is the line at the bottom.

    >>> from mjconv.ir import events as ev
    >>> from mjconv.ir.match import Match, Round
    >>> from mjconv.viewer.rounds import round_views
    >>> [view] = round_views(Match(rounds=[Round([ev.StartRound(tehais=(("1m",) * 13,) * 4)])]))
    >>> position_picture(view, 0, 0, (), "en", "").count('href="#t-1m"')
    52
    """
    board = _Board(view, step, seat, Speaker(language, view.steps[step].winds, names))
    parts = board.square(about) if len(board.seats) in _ANGLES else board.columns(about)
    return _svg(parts, shown_tiles(board.state), language)


class _Board:
    """The table at a step, seen from a seat."""

    def __init__(self, view: RoundView, step: int, seat: int, speaker: Speaker) -> None:
        self.state: Final = view.steps[step].state
        self.speaker: Final = speaker
        self.title: Final = speaker.say(round_name(view.record))
        self.caption: Final = speaker.say(view.steps[step].sentence)
        seats = len(speaker.winds)
        self.seats: Final = [(seat + place) % seats for place in range(seats)]
        self._dora: Final = {dora_of(mark, seats) for mark in self.state.dora if mark}
        wind, number = (*round_name(view.record), "", "")[1:3] if view.record.start else ("", "?")
        place = speaker.word("page.atRound").replace("{w}", speaker.word(f"page.winds.{wind[5:]}") if wind else "")
        self._round: Final = place.replace("{n}", speaker.word(number))
        sticks, left = self.state.sticks, self.state.left
        facts = [speaker.word("page.sticks").split("|")[sticks > 1].replace("{n}", str(sticks))] * bool(sticks)
        facts += [speaker.say(("page.left", left))] if left is not None else []
        self.facts: Final = " · ".join(facts)

    def square(self, about: str) -> Iterator[str]:
        """Yield the table of three or four players, and beside it the caption and the points."""
        yield f'<g transform="scale(.63)">{_rect("cloth", 0, 0, 1000, 1000)}{_rect("field", 394, 394, 212, 212)}'
        yield _text(500, 515, 46, 95, "on bold middle", self._round)
        for seat, angle in zip(self.seats, _ANGLES[len(self.seats)], strict=True):
            yield f'<g data-seat="{seat}" transform="rotate({angle} 500 500)">'
            own = seat == self.seats[0]
            size, x, end = (_OWN, 80.0, 970.0) if own else (_OTHER, 100.0, 905.0)
            # The melds of the neighbour end beside the name.
            yield from self._seat(seat, angle, x + 50 * own, _EDGE - size * RATIO)
            yield from self._side(seat, size, x, end, angle)
            yield "</g>"
        yield "</g>"
        x, room, y = SIZE[1] + 30, SIZE[0] - SIZE[1] - 60, 120
        yield _text(x, 62, 44, room, "bold", self.title) + _text(x, 104, 28, room, "quiet", self.facts)
        if self.state.dora:
            yield _text(x, y + 44, 28, 270, "quiet", self.speaker.word("card.dora"))
            for at, tile in enumerate(self.state.dora):
                yield _tile(x + room - 44 * (len(self.state.dora) - at), y + 60, 44, tile or HIDDEN, {})
            y += 74
        lines = [""]
        for word in _WORD.findall(self.caption):
            if lines[-1] and _extent(lines[-1] + word.rstrip()) * 34 > room:
                lines.append("")
            lines[-1] += word
        yield "".join(_text(x, y + 44 * at, 34, room, "bold", line) for at, line in enumerate(lines, 1))
        y = max(350, y + 44 * len(lines) + 14)
        high = min(60, (SIZE[1] - 40 - y) / len(self.seats))
        for seat, points in enumerate(self.state.points):
            base, now = y + (seat + 0.7) * high, " bold" * (seat == self.state.turn)
            yield _shape(seat, x + 12, base - 10, 24)
            yield _text(x + 50, base, 28, 40, "middle", self._wind(seat))
            yield _text(x + 82, base, 30, room - 240, now, self.speaker.seat(seat))
            yield _text(x + room, base, 32, 150, "bold end", "" if points is None else f"{points:,}")
        yield _text(x + room, SIZE[1] - 14, 20, room, "quiet end", about)

    def columns(self, about: str) -> Iterator[str]:
        """Yield the sides of five and six players in two columns under the caption."""
        yield _rect("cloth", 0, 0, *SIZE) + _text(14, 40, 30, 360, "on bold", self.title)
        yield _text(400, 40, 32, 560, "on bold", self.caption)
        yield _text(1186, 36, 22, 200, "on end", " · ".join(filter(None, (self.facts, about))))
        for place, seat in enumerate(self.seats):
            x, y = place % 2 * 600, 190 * (place // 2) - 245
            yield f'<g data-seat="{seat}" transform="translate({x} {y})scale(.5)">'
            yield _rect("field turned" if seat == self.state.turn else "field", 16, 608, 1168, 374)
            points = self.state.points[seat]
            name = f"{self._wind(seat)}  {self.speaker.seat(seat)}"
            yield _shape(seat, 44, 650, 30) + _text(72, 662, 40, 320, "on bold", name)
            yield _text(72, 716, 40, 320, "on", "" if points is None else f"{points:,}")
            yield from self._side(seat, 68.0, 30.0, 1180.0)
            yield "</g>"

    def _wind(self, seat: int) -> str:
        return self.speaker.word(f"page.winds.{self.speaker.winds[seat]}")

    def _look(self, tile: Tile, *place: Any, **marks: bool) -> Look:
        """Return the look of a tile, which has won if its place is one of those of winning tiles."""
        return look_of(tile, self._dora, win=place in self.state.win, **marks)

    def _seat(self, seat: int, angle: int, x: float, top: float) -> Iterator[str]:
        """Yield the wind and the riichi stick of a player at the centre, and the name over the hand."""
        if seat == self.state.turn:
            yield _rect("turn", 440, 544, 120, 46, ' rx="5"')
        upright = ' transform="rotate(180 500 567)"' if angle == 180 else ""
        dealer = self.speaker.winds[seat] == "E"
        yield _rect("wind dealer" if dealer else "wind", 478, 545, 44, 44, ' rx="4"')
        look = "dark" if dealer or seat == self.state.turn else "on"
        yield _text(500, 578, 32, 44, f"{look} bold middle", self._wind(seat), upright)
        if self.state.riichi[seat] == STICK_PAID:
            yield _rect("stick", 440, 594, 120, 9, ' rx="4"')
            yield '<circle class="riichi" cx="500" cy="598.5" r="3"/>'
        turn, look = (f' transform="rotate(180 {x + 28:g} {top - 18:g})"', "on end") if upright else ("", "on")
        yield _shape(seat, x + 10, top - 18, 20)
        yield _text(x + 28, top - 10, 24, 400, look, self.speaker.seat(seat), turn)

    def _side(self, seat: int, size: float, x: float, end: float, angle: int = 0) -> Iterator[str]:
        """Yield the tiles of a player: the hand from `x` on, with tiles of a size, and the melds up to `end`."""
        state, edge = self.state, _EDGE
        yield from self._river(seat, angle)
        small = min(_ASIDE, 200 / max(1, len(state.aside[seat])))
        for at, tile in enumerate(state.aside[seat]):
            yield _tile(720 + at * small, 884, small, tile, self._look(tile, "aside", seat, at))
        hand = state.hands[seat].split()
        yield from (_tile(x + at * size, edge, size, tile, self._look(tile)) for at, tile in enumerate(hand))
        if (drawn := state.drawn[seat]) is not None:
            look = self._look(drawn, "drawn", seat, last=True)
            yield _tile(x + (len(hand) + 0.25) * size, edge, size, drawn, look)
        melds = state.melds[seat]
        across = sum(RATIO if laid.turned else 1 for meld in melds for laid in meld.tiles)
        # Melds are smaller where they would cover the hand, such as four kans.
        room = end - x - (max(0, 13 - 3 * len(melds)) + 1.5) * size - 8 * len(melds)
        width = min(_LAID, room / max(1, across))
        for index, meld in enumerate(melds):
            end -= 8
            added = any(laid.on is not UNSET for laid in meld.tiles)
            for laid in reversed(meld.tiles):
                end -= width * (RATIO if laid.turned else 1)
                place = () if added else ("meld", seat, index)
                look = self._look(laid.tile, *place, turned=laid.turned, down=laid.down)
                yield _tile(end, edge, width, laid.tile, look)
                if laid.on is not UNSET:
                    look = self._look(laid.on, "meld", seat, index, turned=True)
                    yield _tile(end, edge - width, width, laid.on, look)

    def _river(self, seat: int, angle: int) -> Iterator[str]:
        """Yield a river: lines of six tiles. The third line takes all others. A long river has smaller tiles."""
        river = self.state.river[seat]
        width, ends = (_LAID, (6, 12)) if len(river) <= _SHORT else (_LAID * 0.75, (8, 16, 24))
        x, bottom = float(_BEGIN), _RIVER + width * RATIO
        for index, (tile, drawn, riichi, taken) in enumerate(map(astuple, river)):
            if index in ends:
                x, bottom = float(_BEGIN), bottom + width * RATIO + 3
            called, last = taken is not UNSET, self.state.last == (seat, index)
            marks = {"turned": riichi, "drawn": drawn is True, "taken": called, "last": last}
            wide = width * (RATIO if riichi else 1)
            yield _tile(x, bottom, width, tile, self._look(tile, "river", seat, index, **marks))
            if called:
                yield _shape(taken, x + wide / 2, bottom - 4, 16, -angle)
            x += wide


def png(drawing: str, font: str | None = None) -> bytes:
    """Return an SVG drawing as a PNG picture. `font` is the path of a font beside those of the system.

    Raises `OSError`, and `UsageError` without resvg, or if no font has a sign of the drawing.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UsageError(f"a PNG picture needs resvg: {pip()} install resvg-py; .svg needs no package") from None

    if font is not None:
        # resvg skips a font that is not there.
        os.stat(font)

    def drawn(text: str) -> bytes:
        return bytes(svg_to_bytes(svg_string=text, font_files=None if font is None else [font]))

    style = re.search("<style>.*?</style>", drawing, re.DOTALL)

    def alone(text: str) -> bytes:
        return drawn(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{style and style[0]}'
            f'<text y="30">{text}</text></svg>'
        )

    texts = map(unescape, re.findall(r">([^<>]+)</text>", drawing))
    signs = {sign for text in texts for sign in text if not sign.isspace()}
    unknown = alone(_MISSING) if signs else b""
    missing = sorted(each for each in signs if alone(escape(each)) == unknown)
    if missing:
        raise UsageError(f"no font here has {' '.join(missing)}: name a font that has them with --font FILE")
    return drawn(drawing)
