"""The viewer in the terminal, by Textual's own pilot: keys go to steps, and the table is that of the step."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

import pytest

import mjconv
from corpus_files import CORPUS, SAMPLE
from mjconv.command import view as view_command
from mjconv.ir.match import Answer, Match, Name, Player, Text
from mjconv.languages import Language
from mjconv.referee.findings import Finding
from mjconv.viewer.rounds import round_views
from mjconv.viewer.text import text_lines

pytest.importorskip("textual", reason="Textual is not installed: pip install -e '.[view]'")
from textual.widgets import Static, Tree

from mjconv.viewer.terminal import Viewer


def played() -> Match:
    return mjconv.read(SAMPLE)


class Shown:
    """What the terminal shows: `places` are the round and the step after each key."""

    def __init__(self, app: Any, places: list[tuple[str, int]]) -> None:
        self.places = places
        self.seat = app.seat
        self.table, self.help = (str(app.query_one(f"#{part}", Static).content) for part in ("table", "help"))
        tree = app.query_one(Tree)
        self.rounds = [str(node.label) for node in tree.root.children]
        self.in_sight = tree.scroll_y <= tree.cursor_line < tree.scroll_y + tree.size.height


def press(
    *keys: str,
    match: Match | None = None,
    language: Language = "en",
    opens: tuple[int, int, int] = (0, 0, 0),
    findings: Sequence[Finding] = (),
    size: tuple[int, int] = (120, 40),
) -> Shown:
    """Show a match, and press keys one after another."""
    shown = match or played()

    async def session() -> Shown:
        app = Viewer(shown, round_views(shown, findings), language, opens)
        places = []
        async with app.run_test(size=size) as pilot:
            for key in ["", *keys]:
                await pilot.press(*[key] * bool(key))
                await pilot.pause()
                view, step = app.places[app.at]
                places.append((view.record.label, step.step))
            return Shown(app, places[1:])

    return asyncio.run(session())


#: Keys one after another, and the round and the step after each.
WAY: list[tuple[str, tuple[str, int]]] = [
    ("left", ("E1-0", 0)), ("right", ("E1-0", 1)), ("down", ("E1-0", 2)), ("up", ("E1-0", 1)), ("r", ("E1-0", 8)),
    ("pagedown", ("E2-0", 0)), ("left", ("E1-0", 23)), ("pageup", ("E1-0", 0)), ("c", ("E2-0", 5)),
    ("pageup", ("E2-0", 0)), ("f", ("E2-0", 31)), ("f", ("E2-0", 31)), ("end", ("E3-0", 0)),
    ("right", ("E3-0", 1)), ("end", ("E3-0", 4)), ("right", ("E3-0", 4)), ("home", ("E1-0", 0)),
]  # fmt: skip


def test_keys_go_to_steps() -> None:
    match = played()
    match.rounds[1].events[7] = mjconv.Draw(0, "5mr")
    shown = press(*[key for key, _ in WAY], match=match, findings=mjconv.check(match))
    assert shown.places == [place for _, place in WAY]
    assert "! error: R" in press("f", match=match, findings=mjconv.check(match)).table


def test_the_table_is_that_of_the_step() -> None:
    assert press("pagedown", *["right"] * 5).table.splitlines() == [
        "E2-0   68 left   dora W",
        "  East  別府 夏子  33,700",
        "    2237m 477p 5667s NP",
        "    4m",
        "  South  千早 秋  25,000",
        "    678m 34678p 2330s N",
        "    (5m)",
        "▶ West  堂本 冬美  24,000",
        "    77m 22238p 367s N  [<5m 5m 5m]",
        "",
        "  North  朝倉 春  17,300",
        "    2366m 578p 22348s N",
        "",
        "",
        "堂本 冬美 calls pon of 5m from 千早 秋.",
    ]


def test_a_result_shows_yaku_and_points() -> None:
    shown = press("pagedown", "left")
    for part in ("riichi 1, ippatsu 1, pinfu 1, red dora 1", "33,700  (+9,700)", "1p*"):
        assert part in shown.table


def test_an_answer_of_a_program_is_one_line() -> None:
    match = played()
    match.rounds[0].answers = (Answer(2, match.rounds[0].events[2], 0),)
    assert "  # Answer for 朝倉 春: 5p, as played" in press("right", match=match).table.splitlines()


def test_hands_of_the_others_can_be_hidden() -> None:
    assert [press(*keys).table.count("?") for keys in (("h",), ("h", "h"))] == [3 * 13, 0]


def test_the_last_discard_is_marked_and_one_as_drawn() -> None:
    assert "    >5p'" in press("right", "right").table.splitlines()


def test_the_seat_looked_from_is_last() -> None:
    shown = press("s", opens=(1, 3, 1))
    assert (shown.seat, shown.table.splitlines()[10][:7]) == (2, "▶ South")


def test_rounds_are_listed_with_their_results_as_in_the_language() -> None:
    rounds = press().rounds
    assert [line.split("  ")[0] for line in rounds] == ["E1-0", "E2-0", "E3-0"]
    assert rounds[0].endswith("ron 7,700")
    shown = press("right", language="zh-Hans")
    assert [line.split("  ")[0] for line in shown.rounds] == ["东一局0本场", "东二局0本场", "东三局0本场"]
    assert "朝倉 春摸五筒" in shown.table


@pytest.mark.parametrize("keys", [(), ("end",), ("pagedown",)])
def test_the_chosen_step_is_in_sight_in_a_small_terminal(keys: tuple[str, ...]) -> None:
    match = mjconv.read(CORPUS / "tenhou" / "hanchan.mjlog")
    assert press(*keys, match=match, opens=(4, 20, 0), size=(80, 24)).in_sight


def test_hostile_names_stay_text() -> None:
    match = played()
    match.players[0] = Player(Name(Text("[bold]x[/bold]\x1b[2J\u202e")))
    shown = press(match=match)
    assert "[bold]x[/bold]\\x1b[2J" in shown.table
    assert "\x1b" not in shown.table + shown.help + "".join(shown.rounds)


def test_a_match_without_play_is_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    path = CORPUS / "hk" / "evenings.hk"
    view_command.view_file(str(path), view_command.ViewOptions.of(files=[str(path)], terminal=True))
    assert capsys.readouterr().out.splitlines() == list(text_lines(mjconv.read_all(path)))


def show(step: int) -> None:
    view_command._show_in_terminal(played(), round_views(played(), []), (0, step, 0))


def test_without_textual_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    with pytest.raises(mjconv.UsageError, match=r"--terminal needs Textual: .*pip install textual"):
        show(0)


def test_a_step_that_does_not_exist_is_refused() -> None:
    with pytest.raises(mjconv.UsageError, match="there is no step 99"):
        show(99)
