"""A match in the terminal: a tree of its rounds and their steps, and the table after the chosen step."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static, Tree
from textual.widgets.tree import TreeNode

from mjconv.ir.errors import visible
from mjconv.ir.match import Match
from mjconv.languages import Language
from mjconv.viewer.facts import title
from mjconv.viewer.rounds import RoundView
from mjconv.viewer.text import Reporter, remarks, table_lines

#: The columns from which the tree has room beside the table.
_BESIDE: Final = 120
#: How tiles look, by a pattern of their text: suits, red fives, discards as drawn, the last discard.
_STYLES: Final = {
    r"[\d()]+m": "red",
    r"[\d()]+p": "cyan",
    r"[\d()]+s": "green",
    r"0(?=[\d()]*[mps])": "bold reverse",
    r"\S+'": "dim",
    r">\S+": "reverse",
}
#: The kinds of calls.
_CALLS: Final = ("chi", "pon", "kan", "kakan", "ankan")


class Viewer(App[None]):
    """The application: `rounds` are those of the match, `opens` are the round, the step and the seat at first."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "assets/terminal.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "move(1)"),
        Binding("left", "move(-1)"),
        Binding("pagedown", "find(1, ['deal'])", priority=True),
        Binding("pageup", "find(-1, ['deal'])", priority=True),
        Binding("r", "find(1, ['riichi'])"),
        Binding("c", f"find(1, {_CALLS})"),
        Binding("f", "find(1)"),
        Binding("s", "seat"),
        Binding("h", "hide"),
        Binding("q", "quit"),
    ]

    def __init__(
        self, match: Match, rounds: Sequence[RoundView], language: Language, opens: tuple[int, int, int]
    ) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_BESIDE, "-wide")]
        self.heading: Final = title([match])
        self.names: Final = match.names
        self.language: Final[Language] = language
        self.hidden = False
        self.seat = opens[-1]
        self.listed: Final[Tree[None]] = Tree("")
        self.listed.show_root = False
        #: All steps with their rounds, and the node of each. The node of a round is its deal.
        self.places: Final = [(view, step) for view in rounds for step in view.steps]
        self.nodes: list[TreeNode[None]] = []
        for view in rounds:
            speaker = Reporter(language, view.steps[0].winds, self.names)
            brief = "; ".join(map(speaker.say, view.brief))
            node = self.listed.root.add(Text(visible(f"{speaker.label(view.record)}  {brief}")))
            captions = [visible(f"{step.step:>3}  {speaker.say(step.sentence)}") for step in view.steps[1:]]
            self.nodes += [node, *(node.add_leaf(Text(caption)) for caption in captions)]
        self.opens: Final = sum(len(view.steps) for view in rounds[: opens[0]]) + opens[1]

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        with Horizontal():
            with VerticalScroll(can_focus=False):
                yield Static(id="table")
            yield self.listed
        words = Reporter(self.language).word("screen.help")
        yield Static(Text(visible(self.heading) + "\n" + words), id="help")

    def on_mount(self) -> None:
        """Show the first place."""
        self.listed.root.expand()
        self._go(self.opens)

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[None]) -> None:
        """Show the step, and the steps of its round."""
        event.node.expand()
        self.call_after_refresh(self.listed.scroll_to_node, event.node, animate=False)
        self._show()

    @property
    def at(self) -> int:
        """The number of the step under the cursor, of all rounds together."""
        return self.nodes.index(self.listed.cursor_node or self.nodes[0])

    def _show(self) -> None:
        view, step = self.places[self.at]
        speaker = Reporter(self.language, step.winds, self.names)
        table = list(table_lines(view, step, speaker, self.seat, hidden=self.hidden))
        text = Text("\n").join(Text(visible(line)) for line in table)
        for pattern, style in _STYLES.items():
            text.highlight_regex(pattern, style)
        lines = [speaker.say(step.sentence), *(f"  {line}" for line in remarks(view, step, speaker))]
        text.append("\n\n" + "\n".join(map(visible, lines)))
        self.query_one("#table", Static).update(text)

    def _go(self, at: int) -> None:
        node = self.nodes[min(max(at, 0), len(self.nodes) - 1)]
        (node.parent or node).expand()
        # A tree gives its lines their numbers when it is asked for one.
        if self.listed.last_line >= 0:
            self.listed.move_cursor(node)

    def action_move(self, by: int) -> None:
        """Go to the next step, or to the step before."""
        self._go(self.at + by)

    def action_find(self, by: int, kinds: Sequence[str] = ()) -> None:
        """Go to the next step of these kinds (1), or to the one before (-1); without kinds, to a finding."""
        for at in range(self.at + by, len(self.nodes) if by > 0 else -1, by):
            view, step = self.places[at]
            if step.kind in kinds or (not kinds and step.step in view.findings):
                self._go(at)
                return

    def action_seat(self) -> None:
        """View the table from the next seat."""
        self.seat = (self.seat + 1) % len(self.places[self.at][1].winds)
        self._show()

    def action_hide(self) -> None:
        """Turn the hands of the others face down, or up."""
        self.hidden = not self.hidden
        self._show()
