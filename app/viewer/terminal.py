"""A match in the terminal: the table, the rounds, and the captions, by the same keys as the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.timer import Timer
from textual.widgets import OptionList, Static

from mjconv.ir.errors import visible
from mjconv.ir.match import Match
from mjconv.viewer.cursor import Cursor, RoundView
from mjconv.viewer.facts import player_name, title
from mjconv.viewer.screen import Screen
from mjconv.viewer.spoken import Speaker
from mjconv.viewer.words import LANGUAGES, Language

#: Seconds a step while it plays: the slowest, the first and the fastest.
_SLOWEST, _USUAL, _FASTEST = 4.0, 1.0, 0.125


class Viewer(App[None]):
    """The application: `rounds` are those of the match, `opens` are the round, the step and the seat at first."""

    TITLE = "mjconv view"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #side { width: 34; border-left: solid $panel; }
    #table, #caption, #wall, #help { padding: 0 1; }
    #caption { height: auto; min-height: 3; border-top: solid $panel; }
    #wall { height: auto; border-top: solid $panel; }
    #status { height: 1; background: $panel; padding: 0 1; }
    .off { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "go('forward')", priority=True),
        Binding("left", "go('back')", priority=True),
        Binding("down", "discard(False)", priority=True),
        Binding("up", "discard(True)", priority=True),
        Binding("pagedown", "turn(1)", priority=True),
        Binding("pageup", "turn(-1)", priority=True),
        Binding("home", "go('home')", priority=True),
        Binding("end", "go('end')", priority=True),
        Binding("r", "go('to_riichi')"),
        Binding("c", "go('to_call')"),
        Binding("f", "go('to_finding')"),
        Binding("s", "go('next_seat')"),
        Binding("space", "play", priority=True),
        Binding("plus,equals_sign", "speed(0.5)"),
        Binding("minus", "speed(2)"),
        Binding("h", "hide"),
        Binding("w", "wall"),
        Binding("l", "language"),
        Binding("question_mark", "help"),
        Binding("q", "quit"),
    ]

    def __init__(
        self, match: Match, rounds: Sequence[RoundView], language: Language, opens: tuple[int, int, int]
    ) -> None:
        super().__init__()
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
            with VerticalScroll():
                yield Static(id="table")
                yield Static(id="caption")
                yield Static(id="wall", classes="off")
                yield Static(id="help", classes="off")
            yield OptionList(id="side")
        yield Static(id="status")

    def on_mount(self) -> None:
        """Show the first place."""
        self.refresh_view()

    @property
    def screen_text(self) -> Screen:
        """The screen that draws the current round in the current language."""
        return Screen(self.names, Speaker(self.language, self.cursor.step.winds), hidden=self.hidden)

    def refresh_view(self) -> None:
        """Draw the place of the cursor."""
        cursor, screen = self.cursor, self.screen_text
        self.query_one("#table", Static).update(screen.table(cursor))
        self.query_one("#caption", Static).update(screen.caption(cursor))
        self.query_one("#wall", Static).update(screen.wall(cursor))
        self.query_one("#help", Static).update(screen.speaker.word("screen.help"))
        last = len(cursor.view.steps) - 1
        place = f"{screen.speaker.label(cursor.view.record)}  {cursor.at}/{last}"
        status = f"{place}   {self.heading}   ? {screen.speaker.word('screen.keys')}"
        self.query_one("#status", Static).update(Text(visible(status)))
        side = self.query_one("#side", OptionList)
        side.set_options(self._round_lines(screen.speaker))
        side.highlighted = cursor.round

    def _round_lines(self, speaker: Speaker) -> list[Text]:
        def seat(number: int) -> str:
            return self.names[number] if number < len(self.names) and self.names[number] else winds.seat(number)

        lines = []
        for view in self.cursor.rounds:
            winds = Speaker(self.language, view.steps[0].winds)
            brief = "; ".join(speaker.say(sentence, seat) for sentence in view.brief)
            lines.append(Text(visible(f"{speaker.label(view.record)}  {brief}"), no_wrap=True, overflow="ellipsis"))
        return lines

    # The actions of the keys.

    def action_go(self, move: str) -> None:
        """Move the cursor."""
        moves: dict[str, Callable[[], None]] = {
            "forward": self.cursor.forward,
            "back": self.cursor.back,
            "home": self.cursor.home,
            "end": self.cursor.end,
            "to_riichi": self.cursor.to_riichi,
            "to_call": self.cursor.to_call,
            "to_finding": self.cursor.to_finding,
            "next_seat": self.cursor.next_seat,
        }
        moves[move]()
        self.refresh_view()

    def action_discard(self, back: bool) -> None:
        """Go to the next discard of the viewed seat, or back to the last one."""
        self.cursor.to_discard(back=back)
        self.refresh_view()

    def action_turn(self, by: int) -> None:
        """Go to the next round or the last."""
        self.cursor.to_round(self.cursor.round + by)
        self.refresh_view()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the round that is chosen in the list."""
        self.cursor.to_round(event.option_index)
        self.refresh_view()

    def action_play(self) -> None:
        """Play step by step, or stop."""
        if self._timer is None:
            self._start()
        else:
            self._stop()

    def _start(self) -> None:
        self._timer = self.set_interval(self.pace, self._tick)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _tick(self) -> None:
        before = self.cursor.round, self.cursor.at
        self.action_go("forward")
        if (self.cursor.round, self.cursor.at) == before:
            self._stop()

    def action_speed(self, factor: float) -> None:
        """Play faster or slower."""
        self.pace = min(_SLOWEST, max(_FASTEST, self.pace * factor))
        if self._timer is not None:
            self._stop()
            self._start()

    def action_hide(self) -> None:
        """Turn the hands of the others face down, or up."""
        self.hidden = not self.hidden
        self.refresh_view()

    def action_wall(self) -> None:
        """Show the wall, or not."""
        self.query_one("#wall").toggle_class("off")

    def action_help(self) -> None:
        """Show the keys, or not."""
        self.query_one("#help").toggle_class("off")

    def action_language(self) -> None:
        """Go to the next language."""
        self.language = LANGUAGES[(LANGUAGES.index(self.language) + 1) % len(LANGUAGES)]
        self.refresh_view()


class TextViewer(App[None]):
    """The application for a match without play: its lines of text, which scroll."""

    TITLE = Viewer.TITLE
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit")]

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines: Final = lines

    def compose(self) -> ComposeResult:
        """Make the widget."""
        with VerticalScroll():
            yield Static(Text("\n".join(self.lines)), id="text")
