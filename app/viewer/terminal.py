"""A match in the terminal: the table, the rounds, the points, the captions; keys as in the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, get_args

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import MouseScrollDown, MouseScrollUp
from textual.timer import Timer
from textual.widgets import OptionList, Static

from mjconv.ir.errors import visible
from mjconv.ir.match import Match
from mjconv.viewer.cursor import Cursor, RoundView, point_lines
from mjconv.viewer.facts import player_name, title
from mjconv.viewer.screen import Screen, shortened
from mjconv.viewer.text import Reporter
from mjconv.viewer.words import Language

#: The columns at the side, and those in its padding.
_SIDE, _PADDING = 34, 3
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
    #points { height: auto; padding: 0 1; border-top: solid $panel; }
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
                yield Static(self._points(), id="points")
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

    def _points(self) -> Text:
        """Return the players by name, or by number, with the last points that are known of each."""
        text = Text()
        for seat, line in enumerate(point_lines(self.cursor.rounds)):
            last = next((points for points in reversed(line) if points is not None), None)
            points = "" if last is None else f"{last:,}"
            name = Text(shortened(self.names[seat]) if seat < len(self.names) else "") or Text(str(seat + 1))
            name.truncate(max(0, _SIDE - _PADDING - len(points) - 1), overflow="ellipsis", pad=True)
            text.append("\n" * bool(text)).append_text(name).append(f" {points}")
        return text

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
        """Show the rounds and the points instead of the table, or the table, where both have no room."""
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
