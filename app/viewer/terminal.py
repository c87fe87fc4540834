"""A match in the terminal: the table, the rounds, the graph of points, the captions; keys as in the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import ClassVar, Final, TypeAlias, get_args

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.timer import Timer
from textual.widgets import OptionList, Static

from mjconv.ir.errors import visible
from mjconv.ir.match import Match
from mjconv.viewer.cursor import Cursor, RoundView, point_lines
from mjconv.viewer.facts import player_name, title
from mjconv.viewer.screen import Screen, shortened
from mjconv.viewer.text import Reporter
from mjconv.viewer.words import Language

#: The colours of the lines by player, as the page has them on a dark ground.
COLOURS: Final = ("#fb923c", "#60a5fa", "#4ade80", "#e879f9", "#fbbf24", "#2dd4bf")
#: The width of the numbers at the left, and of the letters at the right.
_LEFT, _RIGHT = 7, 2
_MARK: Final = "▲"
#: The bits of the dots of a braille character, by column and row.
_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_WIDE, _HIGH = len(_DOTS), len(_DOTS[0])
_BRAILLE: Final = 0x2800

Line: TypeAlias = Sequence[int | None]


class Plot:
    """Lines on a field of `width` x `rows` characters. All lines have one length; None interrupts a line.

    The numbers at the left and the letters at the right belong to the field.

    >>> print(Plot([[0, 10, 0]], 15, 1).text(0, ["E"]).plain)
         10 ⡠⠊⠉⠒⢄E
             ▲
    """

    def __init__(self, lines: Sequence[Line], width: int, rows: int) -> None:
        self.lines: Final = lines
        known = [value for line in lines for value in line if value is not None]
        #: Whether there is a value to draw.
        self.has_values: Final = bool(known)
        self.low: Final = min([0, *known])
        self.high: Final = max([1, *known])
        self.columns, self.rows = max(1, width - _LEFT - 1 - _RIGHT), rows
        self.intervals: Final = max([1, *(len(line) - 1 for line in lines)])
        #: By row and column: the dots of a cell, and the line that was drawn in it last.
        self._cells: dict[tuple[int, int], tuple[int, int]] = {}
        for number, line in enumerate(lines):
            places = [None if value is None else (self._x(at), self._y(value)) for at, value in enumerate(line)]
            for begin, end in zip_longest(places, places[1:]):
                if begin is not None:
                    self._draw(number, begin, end or begin)

    def _draw(self, number: int, begin: tuple[int, int], end: tuple[int, int]) -> None:
        """Draw the dots of a line from one place to another."""
        (x, y), (to_x, to_y) = begin, end
        count = max(abs(to_x - x), abs(to_y - y), 1)
        for part in range(count + 1):
            across, down = x + (to_x - x) * part // count, y + (to_y - y) * part // count
            cell = down // _HIGH, across // _WIDE
            dots, _ = self._cells.get(cell, (0, 0))
            self._cells[cell] = dots | _DOTS[across % _WIDE][down % _HIGH], number

    def _x(self, index: int) -> int:
        return index * (self.columns * _WIDE - 1) // self.intervals

    def _y(self, value: int) -> int:
        """Return the row of dots of a value, counted from the top."""
        return (self.high - value) * (self.rows * _HIGH - 1) // (self.high - self.low)

    def interval(self, column: int) -> int:
        """Return the interval that is drawn at a column of `text`, the nearest one for a column beside the field.

        >>> [Plot([[0] * 5], 18, 2).interval(column) for column in (0, 8, 10, 12, 14, 99)]
        [0, 0, 1, 2, 3, 3]
        """
        return min(max(0, (column - _LEFT - 1) * self.intervals // self.columns), self.intervals - 1)

    def text(self, at: int, letters: Sequence[str]) -> Text:
        """Return the graph with the interval `at` marked, and the letter of each line beside its end."""
        ends = self._ends()
        text = Text()
        for row in range(self.rows):
            number = self.high if row == 0 else self.low if row == self.rows - 1 else None
            text.append(f"{'' if number is None else short_number(number):>{_LEFT}} ", "dim")
            for column in range(self.columns):
                dots, owner = self._cells.get((row, column), (0, None))
                text.append(chr(_BRAILLE + dots), "" if owner is None else COLOURS[owner % len(COLOURS)])
            for line in ends.get(row, ()):
                text.append(letters[line], f"bold {COLOURS[line % len(COLOURS)]}")
            text.append("\n")
        place = (self._x(at) + self._x(at + 1)) // 2 // _WIDE
        return text.append(" " * (_LEFT + 1 + place) + _MARK)

    def _ends(self) -> dict[int, list[int]]:
        """Return the lines that end in each row. A row has room for the letters of two lines."""
        found: dict[int, list[int]] = {}
        ends = [(line[-1], number) for number, line in enumerate(self.lines) if line and line[-1] is not None]
        for value, number in sorted(ends, key=lambda end: -(end[0] or 0)):
            wanted = self._y(value or 0) // _HIGH
            free = [row for row in range(self.rows) if len(found.get(row, ())) < _RIGHT]
            if free:
                found.setdefault(min(free, key=lambda row: abs(row - wanted)), []).append(number)
        return found


def short_number(number: int) -> str:
    """Return a number of points in at most seven characters.

    >>> short_number(900), short_number(25000), short_number(48300), short_number(-1_000_000_000)
    ('900', '25k', '48.3k', '-1000M')
    """
    for size, sign in ((1_000_000, "M"), (1000, "k")):
        if abs(number) >= 10 * size:
            return f"{number / size:.1f}".removesuffix(".0") + sign
    return str(number)


#: The columns at the side, those in its padding, and the rows of the graph.
_SIDE, _PADDING, _GRAPH_ROWS = 34, 3, 7
#: The columns from which the rounds have room beside the table.
_BESIDE: Final = 108
#: Seconds a step while it plays: the slowest, the first and the fastest.
_SLOWEST, _USUAL, _FASTEST = 4.0, 1.0, 0.125


class TableWidget(Static):
    """The table. The wheel steps over it, and scrolls elsewhere."""

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Go to the next step."""
        event.stop()
        self.app.call_later(self.app.run_action, "go('move', 1)")

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Go to the step before."""
        event.stop()
        self.app.call_later(self.app.run_action, "go('move', -1)")


class PointsGraph(Static):
    """The graph of points. A click goes to the round that is drawn there."""

    def __init__(self, plot: Plot) -> None:
        super().__init__(id="graph")
        self.plot: Final = plot

    def on_click(self, event: Click) -> None:
        """Go to the round that is clicked."""
        place = event.get_content_offset(self)
        if place is not None:
            self.app.call_later(self.app.run_action, f"go('to_round', {self.plot.interval(place.x)})")

    def show(self, speaker: Reporter, names: Sequence[str], number: int) -> None:
        """Draw the graph with the round `number` marked, and below it the players with their points at the end."""
        # Later rounds may have more players than the first.
        winds = speaker.winds
        letters = [winds[seat] if seat < len(winds) else str(seat + 1) for seat in range(len(self.plot.lines))]
        text = self.plot.text(number, letters)
        for seat, line in enumerate(self.plot.lines):
            last = next((points for points in reversed(line) if points is not None), None)
            points = "" if last is None else f"{last:,}"
            name = Text(shortened(names[seat]) if seat < len(names) else "")
            name.truncate(max(0, _SIDE - _PADDING - len(points) - 3), overflow="ellipsis", pad=True)
            text.append(f"\n{letters[seat]} ", f"bold {COLOURS[seat % len(COLOURS)]}")
            text.append_text(name).append(f" {points}")
        self.update(text)


#: The action of each key.
_KEYS: Final = {
    "right": "go('move', 1)",
    "left": "go('move', -1)",
    "down": "go('to_discard', 1)",
    "up": "go('to_discard', -1)",
    "pagedown": "go('turn', 1)",
    "pageup": "go('turn', -1)",
    "home": "go('home')",
    "end": "go('end')",
    "r": "go('to_next', 'riichi')",
    "c": "go('to_next', 'call')",
    "f": "go('to_next', 'finding')",
    "s": "go('next_seat')",
    "space": "play",
    "plus,equals_sign": "speed(0.5)",
    "minus": "speed(2)",
    "h": "hide",
    "w": "toggle_part('#wall')",
    "question_mark": "toggle_part('#help')",
    "o": "sides",
    "l": "language",
    "q": "quit",
}


class Viewer(App[None]):
    """The application: `rounds` are those of the match, `opens` are the round, the step and the seat at first."""

    TITLE = "mjconv view"
    ENABLE_COMMAND_PALETTE = False
    CSS = (
        f"#side {{ width: {_SIDE}; }}"
        + """
    #side { border-left: solid $panel; }
    #rounds { height: 1fr; }
    #graph { height: auto; padding: 0 1; border-top: solid $panel; }
    #table, #caption, #wall, #help { padding: 0 1; }
    #say { height: auto; min-height: 2; max-height: 40%; }
    #wall { height: auto; border-top: solid $panel; }
    #status { height: 1; background: $panel; padding: 0 1; }
    .off { display: none; }
    /* A narrow terminal is for the table alone, until the key of the rounds shows them instead. */
    .-narrow #side { display: none; border-left: none; width: 100%; }
    .-narrow.sides #side { display: block; }
    .-narrow.sides #play { display: none; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding(*keyed, priority=True) for keyed in _KEYS.items()]

    def __init__(
        self, match: Match, rounds: Sequence[RoundView], language: Language, opens: tuple[int, int, int]
    ) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_BESIDE, "-wide")]
        self.cursor: Final = Cursor(rounds, opens)
        self.names: Final = [player_name(player) for player in match.players]
        self.plot: Final = Plot(point_lines(rounds), _SIDE - _PADDING, _GRAPH_ROWS)
        self.heading: Final = visible(title([match]))
        self.language: Language = language
        self.hidden = False
        self.pace = _USUAL
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        with Horizontal():
            with Vertical(id="play"):
                with VerticalScroll():
                    yield TableWidget(id="table")
                    yield Static(id="wall", classes="off")
                    yield Static(id="help", classes="off")
                with VerticalScroll(id="say"):
                    yield Static(id="caption")
            with Vertical(id="side"):
                yield OptionList(id="rounds")
                if self.plot.has_values:
                    yield PointsGraph(self.plot)
        yield Static(id="status")

    def on_mount(self) -> None:
        """Show the first place."""
        self.refresh_view()

    def refresh_view(self) -> None:
        """Draw the place of the cursor."""
        cursor = self.cursor
        speaker = Reporter(self.language, cursor.step.winds)
        screen = Screen(self.names, speaker, hidden=self.hidden)
        self.query_one("#table", Static).update(screen.table(cursor))
        self.query_one("#caption", Static).update(screen.caption(cursor))
        self.query_one("#wall", Static).update(screen.wall(cursor))
        self.query_one("#help", Static).update(speaker.word("screen.help"))
        last = len(cursor.view.steps) - 1
        place = f"{speaker.label(cursor.view.record)}  {cursor.at}/{last}"
        status = f"{place}   {self.heading}   ? {speaker.word('screen.keys')}"
        self.query_one("#status", Static).update(Text(visible(status)))
        listed = self.query_one("#rounds", OptionList)
        listed.set_options(self._round_lines())
        listed.highlighted = cursor.round
        for graph in self.query(PointsGraph):
            # The letter of a player is the wind in the first round, and never changes.
            graph.show(Reporter(self.language, cursor.rounds[0].steps[0].winds), self.names, cursor.round)

    def _round_lines(self) -> list[Text]:
        lines = []
        for view in self.cursor.rounds:
            speaker = Reporter(self.language, view.steps[0].winds, self.names)
            line = visible(f"{speaker.label(view.record)}  {'; '.join(map(speaker.say, view.brief))}")
            lines.append(Text(line, no_wrap=True, overflow="ellipsis"))
        return lines

    # The actions of the keys.

    def action_go(self, move: str, *values: int | str) -> None:
        """Move the cursor by one of its methods."""
        getattr(self.cursor, move)(*values)
        self.refresh_view()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the round that is chosen in the list."""
        self.screen.remove_class("sides")
        self.action_go("to_round", event.option_index)

    def action_play(self) -> None:
        """Play step by step, or stop."""
        self._play(on=self._timer is None)

    def _play(self, *, on: bool) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_interval(self.pace, self._tick) if on else None

    def _tick(self) -> None:
        before = self.cursor.round, self.cursor.at
        self.action_go("move", 1)
        if (self.cursor.round, self.cursor.at) == before:
            self._play(on=False)

    def action_speed(self, factor: float) -> None:
        """Play faster or slower."""
        self.pace = min(_SLOWEST, max(_FASTEST, self.pace * factor))
        if self._timer is not None:
            self._play(on=True)

    def action_hide(self) -> None:
        """Turn the hands of the others face down, or up."""
        self.hidden = not self.hidden
        self.refresh_view()

    def action_sides(self) -> None:
        """Show the rounds and the graph instead of the table, or the table, where both have no room."""
        self.screen.toggle_class("sides")

    def action_toggle_part(self, part: str) -> None:
        """Show the wall or the keys, or not."""
        widget = self.query_one(part)
        widget.toggle_class("off")
        if not widget.has_class("off"):
            self.call_after_refresh(widget.scroll_visible, animate=False)

    def action_language(self) -> None:
        """Go to the next language."""
        languages = get_args(Language)
        self.language = languages[(languages.index(self.language) + 1) % len(languages)]
        self.refresh_view()
