"""The table as coloured text for a terminal: tiles as words, a block for each player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.text import Text

from mjconv.ir.errors import visible
from mjconv.ir.tiles import HIDDEN, RED_FIVES, Tile
from mjconv.viewer.cursor import Cursor
from mjconv.viewer.facts import round_name
from mjconv.viewer.state import STICK_PAID, LaidMeld, RiverTile, State
from mjconv.viewer.text import Reporter

#: The colours of the suits, and of the dragons.
_COLOURS: Final = {"m": "red", "p": "cyan", "s": "green", "C": "bold red", "F": "bold green", "P": "bold"}
_RED_FIVE: Final = "bold reverse red"
_LAST: Final = "reverse"
_WON: Final = "bold reverse yellow"
_QUIET: Final = "dim"
#: The word of a tile that is face down.
DOWN: Final = "▒▒"
#: The longest name that is shown.
_LONGEST: Final = 24
#: The tiles of a wall in a line.
_ROW: Final = 17


def tile_text(tile: Tile | None, extra: str = "") -> Text:
    """Return a tile as a coloured word: ``5m``, a red five ``0m``, a tile face down as `DOWN`.

    >>> tile_text("5pr").plain, tile_text("E").plain, tile_text(None).plain
    ('0p', 'E', '▒▒')
    """
    if tile is None or tile == HIDDEN:
        return Text(DOWN, _QUIET)
    red = tile in RED_FIVES
    style = _RED_FIVE if red else _COLOURS.get(tile[-1], "bold")
    return Text(f"0{tile[1]}" if red else tile, f"{style} {extra}".strip())


def _tiles(tiles: Iterable[Text]) -> Text:
    return Text(" ").join(tiles)


class Screen:
    """Draws the place of a cursor. `hidden`: the hands of the others are face down."""

    def __init__(self, names: Sequence[str], speaker: Reporter, *, hidden: bool = False) -> None:
        self.names: Final = names
        self.speaker: Final = speaker
        self.hidden: Final = hidden

    def table(self, cursor: Cursor) -> Text:
        """Return the table: its centre, then the players, the viewed seat last."""
        state = cursor.step.state
        lines = [self._centre(cursor, state)]
        seats = len(state.hands)
        for place in range(1, seats + 1):
            seat = (cursor.seat + place) % seats
            lines += [Text(), *self._player(state, seat, mine=seat == cursor.seat)]
        return Text("\n").join(lines)

    def _centre(self, cursor: Cursor, state: State) -> Text:
        label, name = cursor.view.record.label, self.speaker.say(round_name(cursor.view.record))
        line = Text(visible(f"{label}  {name}" if name != "?" else label), "bold")
        if state.sticks:
            line.append(f"   | {state.sticks}", "yellow")
        if state.left is not None:
            line.append(f"   {self.speaker.say(('page.left', state.left))}")
        for key, marks in (("dora", state.dora), ("ura", state.ura)):
            if any(mark is not None for mark in marks):
                line.append(f"   {self.speaker.word(f'screen.{key}')} ")
                line.append_text(_tiles(map(tile_text, marks)))
        return line

    def _player(self, state: State, seat: int, *, mine: bool) -> Iterator[Text]:
        turn = "▶ " if state.turn == seat else "  "
        head = Text(turn + self.speaker.seat(seat), "bold" if mine else "")
        if seat < len(self.names) and self.names[seat]:
            head.append(f"  {shortened(self.names[seat])}")
        points, gain = state.points[seat], state.gain[seat]
        if points is not None:
            head.append(f"  {points:,}")
        if gain:
            head.append(f" ({gain:+,})", "bold green" if gain > 0 else "bold red")
        if state.riichi[seat]:
            head.append(
                f"  {self.speaker.word('call.riichi')}", "yellow" if state.riichi[seat] == STICK_PAID else ""
            )
        yield head
        yield self._hand(state, seat, mine=mine)
        if state.river[seat]:
            places = [("river", seat, at) for at in range(len(state.river[seat]))]
            marks = [self._mark(state, place) for place in places]
            yield Text("    ") + _tiles(map(self._discard, state.river[seat], marks))

    def _hand(self, state: State, seat: int, *, mine: bool) -> Text:
        shown = mine or state.open[seat] or not self.hidden
        tiles = [tile_text(tile if shown else None) for tile in state.hands[seat].split()]
        parts = [_tiles(tiles)]
        if state.drawn[seat] is not None:
            parts.append(tile_text(state.drawn[seat] if shown else None, self._mark(state, ("drawn", seat))))
        for at, meld in enumerate(state.melds[seat]):
            parts.append(self._meld(meld, self._mark(state, ("meld", seat, at))))
        if state.aside[seat]:
            parts.append(Text("+") + _tiles(map(tile_text, state.aside[seat])))
        return Text("    ") + Text("  ").join(parts)

    @staticmethod
    def _mark(state: State, place: tuple[str, int] | tuple[str, int, int]) -> str:
        if place in state.win:
            return _WON
        return _LAST if state.last is not None and place == ("river", *state.last) else ""

    @staticmethod
    def _discard(tile: RiverTile, mark: str) -> Text:
        """Return a discard: in brackets if it was called, ``*`` for riichi, dim if it was discarded as drawn."""
        word = tile_text(tile.tile, mark or (_QUIET if tile.drawn is True else ""))
        if tile.riichi:
            word.append("*", "yellow")
        return Text("(") + word + Text(")") if isinstance(tile.taken, int) else word

    @staticmethod
    def _meld(meld: LaidMeld, mark: str) -> Text:
        """Return a meld in brackets: ``<`` before the called tile, ``+`` before the added one."""
        words = []
        for tile in meld.tiles:
            word = Text("<" if tile.turned else "") + tile_text(None if tile.down else tile.tile, mark)
            words.append(word if not tile.on else word + Text("+") + tile_text(tile.on, mark))
        return Text("[") + _tiles(words) + Text("]")

    def caption(self, cursor: Cursor) -> Text:
        """Return the caption of the step, its result, notes and findings."""
        step, view = cursor.step, cursor.view
        lines = [Text(visible(self.speaker.say(step.sentence)), "bold")]
        lines += [Text(f"  {visible(line)}") for line in self.speaker.result(step)]
        for note in view.notes.get(cursor.at, ()):
            lines += [Text(f"  # {visible(line)}", "italic") for line in self.speaker.note(note)]
        answers = self.speaker.answers(view.opinions.get(cursor.at, ()))
        lines += [Text(f"  # {visible(line)}", "italic") for line in answers]
        found = [*view.findings.get(cursor.at, ()), *(view.findings.get(None, ()) if not cursor.at else ())]
        lines += [Text(f"  ! {visible(self.speaker.finding(finding))}", "bold red") for finding in found]
        return Text("\n").join(lines)

    def wall(self, cursor: Cursor) -> Text:
        """Return the wall: tiles already drawn are dim, those of the dead wall underlined."""
        wall = cursor.view.wall
        if wall is None:
            return Text(self.speaker.word("screen.no_wall"), _QUIET)
        words = []
        for place, tile in enumerate(wall.tiles.split()):
            step = wall.step[place]
            drawn = step is not None and step <= cursor.at
            dead = wall.dead is not None and place >= wall.dead
            words.append(tile_text(tile, _QUIET if drawn else "underline" if dead else ""))
        rows = [_tiles(words[at : at + _ROW]) for at in range(0, len(words), _ROW)]
        return Text("\n").join(rows)


def shortened(name: str) -> str:
    """Return a name on one line, not too long.

    >>> shortened("a" * 99)
    'aaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    return visible(name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…")
