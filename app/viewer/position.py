"""One position as an SVG drawing that needs no other file, for books and papers.

The places are those of the page's table: a square of 1000, whose sides are a quarter turn apart. Five and six
players have their sides in two columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from msgspec import UNSET

from mjconv.ir.errors import visible
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.languages import Language
from mjconv.viewer.facts import round_name
from mjconv.viewer.rounds import RoundView
from mjconv.viewer.state import RiverTile, State, shown_tiles
from mjconv.viewer.tiles import PREFIX, symbols
from mjconv.viewer.words import Speaker

#: The width of a tile in the hand of the viewed seat, in the hands of others, and in rivers and melds.
_OWN, _OTHER, _LAID = 54.0, 33.5, 38.9
RATIO: Final = 1.36
#: The lower edge of hands and melds, and the upper edge of a river.
_EDGE, _RIVER = 985, 654
#: The turns of the sides, by the number of players.
_ANGLES: Final = {3: (0, -90, 90), 4: (0, -90, 180, 90)}
#: Where sides lie in two columns: the height of the centre, and of each side, which begins at `_TOP`.
_CENTRE, _SIDE, _TOP = 200, 400, 598
#: A long river has smaller tiles: so many tiles are short, and the scale and the tiles a line of both lengths.
_SHORT: Final = 22
STYLE: Final = (
    ".face{fill:#fff}.edge{fill:#999}.back{fill:#bbb}.face,.back{stroke:#444;stroke-width:6}text{font-family:sans-serif}"
    ".taken{opacity:.4}.drawn{opacity:.18}.last{fill:none;stroke:#c00;stroke-width:16}"
)
_OVERLAY: Final = '<rect class="{}" x="6" y="5" width="288" height="388" rx="27"/>'


def position_svg(
    view: RoundView, step: int, seat: int, names: Sequence[str] = (), language: Language = "en"
) -> str:
    """Return a step of a round, seen from a seat, as SVG text. `names` are those of the players by seat.

    >>> from mjconv.ir import events as ev
    >>> from mjconv.ir.match import Match, Round
    >>> from mjconv.viewer.rounds import round_views
    >>> [view] = round_views(Match(rounds=[Round([ev.StartRound(tehais=(("1m",) * 13,) * 4)])]))
    >>> position_svg(view, 0, 0).count('href="#t-1m"')
    52
    """
    shown = view.steps[step]
    state, winds = shown.state, shown.winds
    speaker = Speaker(language, winds)
    seats = [(seat + place) % len(winds) for place in range(len(winds))]
    angles = _ANGLES.get(len(winds))
    centre = "".join(_centre(state, speaker.say(round_name(view.record)), speaker))
    parts = [centre if angles else f'<g transform="translate(500 -400)">{centre}</g>']
    for place, each in enumerate(seats):
        angle = angles[place] if angles else 0
        about = " ".join(filter(None, (speaker.seat(each), names[each] if each < len(names) else "")))
        side = "".join(_side(state, each, escaped(about), own=each == seat, upside_down=angle == 180))
        turn = (
            f"rotate({angle} 500 500)"
            if angles
            else f"translate({place % 2 * 1000} {_CENTRE + place // 2 * _SIDE - _TOP})"
        )
        parts.append(f'<g data-seat="{each}" transform="{turn}">{side}</g>')
    wide, high = (1000, 1000) if angles else (2000, _CENTRE + (len(winds) + 1) // 2 * _SIDE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"><style>{STYLE}</style>'
        f'<defs>{symbols({HIDDEN, *shown_tiles(state)})}</defs><rect width="{wide}" height="{high}" fill="#fff"/>'
        f"{''.join(parts)}</svg>\n"
    )


def escaped(text: str) -> str:
    """Return a text of the record as it stands in XML, which allows no control characters."""
    return escape(visible(text))


def drawn_text(x: float, y: float, size: float, text: str, *, anchor: str = "middle", turned: bool = False) -> str:
    """Return a text at (x, y), whose markup is escaped already. A turned one is upside down."""
    turn = f' transform="rotate(180 {x:g} {y - 7:g})"' if turned else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"{turn}>{text}</text>'


def drawn_tile(
    tile: Tile, x: float, bottom: float, width: float, *, turned: bool = False, marks: Sequence[str] = ()
) -> str:
    """Return a tile whose lower left corner is at (x, bottom). A turned one lies on its left side."""
    high = width * RATIO
    place = f"translate({x:g} {bottom:g})rotate(-90)" if turned else f"translate({x:g} {bottom - high:g})"
    faded = ' class="taken"' if "taken" in marks else ""
    reference = f"#{PREFIX}{'back' if tile == HIDDEN else tile}"
    overlays = "".join(_OVERLAY.format(mark) for mark in marks if mark != "taken")
    return (
        f'<g transform="{place}scale({width / 300:.4g})">'
        f'<use href="{reference}" width="300" height="408"{faded}/>{overlays}</g>'
    )


def _centre(state: State, name: str, speaker: Speaker) -> Iterator[str]:
    yield drawn_text(500, 444, 34, escaped(name))
    counts = [f"{state.sticks} × 1,000"] if state.sticks else []
    counts += [speaker.say(("page.left", state.left))] if state.left is not None else []
    yield drawn_text(500, 490, 22, escaped("   ".join(counts)))
    begin = 500 - len(state.dora) * _LAID / 2
    for index, tile in enumerate(state.dora):
        yield drawn_tile(tile or HIDDEN, begin + index * _LAID, 580, _LAID)


def _side(state: State, seat: int, name: str, *, own: bool, upside_down: bool) -> Iterator[str]:
    """Yield what lies before a player: points, riichi stick, river, hand and melds."""
    points = state.points[seat]
    if points is not None:
        yield drawn_text(500, 626, 24, f"{points:,}", turned=upside_down)
    if state.riichi[seat]:
        yield '<rect x="440" y="638" width="120" height="9" rx="4" fill="#fff" stroke="#444"/>'
        yield '<circle cx="500" cy="642.5" r="3" fill="#c00"/>'
    yield from _river(state.river[seat], state.last[1] if state.last and state.last[0] == seat else None)
    width, x, end = (_OWN, 80.0, 950.0) if own else (_OTHER, 190.0, 905.0)
    above = _EDGE - width * RATIO - 8
    yield drawn_text(x, above, 22, name, anchor="end" if upside_down else "start", turned=upside_down)
    for tile in state.hands[seat].split():
        yield drawn_tile(tile, x, _EDGE, width)
        x += width
    if (drawn := state.drawn[seat]) is not None:
        won = ("last",) if ("drawn", seat) in state.win else ()
        yield drawn_tile(drawn, x + width / 4, _EDGE, width, marks=won)
    for index, tile in enumerate(state.aside[seat]):
        yield drawn_tile(tile, 645 + index * 30, 900, 30)
    melds = state.melds[seat]
    across = sum(RATIO if laid.turned else 1 for meld in melds for laid in meld.tiles)
    # Melds are smaller where they would cover the drawn tile, such as four kans.
    laid_width = min(_LAID, (end - x - width * 1.5 - 8 * len(melds)) / max(1, across))
    for meld in melds:
        end -= 8
        for laid in reversed(meld.tiles):
            end -= laid_width * (RATIO if laid.turned else 1)
            yield drawn_tile(HIDDEN if laid.down else laid.tile, end, _EDGE, laid_width, turned=laid.turned)
            if laid.on is not UNSET:
                yield drawn_tile(laid.on, end, _EDGE - laid_width, laid_width, turned=True)


def _river(river: Sequence[RiverTile], last: int | None) -> Iterator[str]:
    width, most = (_LAID, 6) if len(river) <= _SHORT else (_LAID * 0.75, 8)
    x, line = 0.0, 1
    for index, discard in enumerate(river):
        # The last line grows.
        if index in range(most, 4 * most if most > 6 else 3 * most, most):
            x, line = 0.0, line + 1
        marked = {"taken": discard.taken is not UNSET, "drawn": discard.drawn is True, "last": index == last}
        marks = [mark for mark, holds in marked.items() if holds]
        bottom = _RIVER + line * (width * RATIO + 3)
        yield drawn_tile(discard.tile, 500 - 3 * _LAID + x, bottom, width, turned=discard.riichi, marks=marks)
        x += width * (RATIO if discard.riichi else 1)
