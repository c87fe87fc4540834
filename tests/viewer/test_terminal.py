"""The viewer in the terminal, by Textual's own pilot: each key goes where the page's key goes."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import pytest

import mjconv
from corpus_files import CORPUS
from mjconv.command import view as view_command
from mjconv.ir.match import Answer, Match, Name, Player, Round, Text
from mjconv.referee.findings import Finding
from mjconv.viewer.cursor import round_views
from mjconv.viewer.text import text_lines
from mjconv.viewer.words import Language

pytest.importorskip("textual", reason="Textual is not installed: pip install -e '.[view]'")
from textual.events import MouseScrollDown, MouseScrollUp
from textual.widgets import OptionList, Static

from mjconv.viewer.terminal import Viewer

Value = TypeVar("Value")


def played() -> Match:
    return mjconv.read(CORPUS / "sample" / "game.mjson")


class Shown:
    def __init__(self, app: Any) -> None:
        self.place = app.cursor.round, app.cursor.at
        self.seat = app.cursor.seat
        self.table = text_of(app, "table")
        self.caption = text_of(app, "caption")
        self.wall = text_of(app, "wall")
        self.status = text_of(app, "status")
        self.playing = app._timer is not None
        self.open = [part for part in ("wall", "help") if not app.query_one(f"#{part}").has_class("off")]
        self.points = text_of(app, "points")
        self.rounds = [str(option.prompt) for option in app.query_one(OptionList).options]


def text_of(app: Any, part: str) -> str:
    return str(app.query_one(f"#{part}", Static).content)


def shown_in(
    act: Callable[[Any, Any], Awaitable[Value]],
    match: Match | None = None,
    *,
    language: Language = "en",
    opens: tuple[int, int, int] = (0, 0, 0),
    findings: Sequence[Finding] = (),
    size: tuple[int, int] = (120, 50),
) -> Value:
    """Show a match, and return what is done in the application and its pilot."""
    shown = match or played()

    async def session() -> Value:
        app = Viewer(shown, round_views(shown, findings), language, opens)
        async with app.run_test(size=size) as pilot:
            return await act(app, pilot)

    return asyncio.run(session())


def press(*keys: str, **options: Any) -> Shown:
    async def act(app: Any, pilot: Any) -> Shown:
        await pilot.press(*keys)
        await pilot.pause()
        return Shown(app)

    return shown_in(act, **options)


#: Keys one after another, and the round and the step after each.
WAY: list[tuple[str, tuple[int, int]]] = [
    ("left", (0, 0)), ("right", (0, 1)), ("right", (0, 2)), ("left", (0, 1)), ("end", (0, 23)),
    ("right", (1, 0)), ("left", (0, 23)), ("home", (0, 0)), ("pagedown", (1, 0)), ("pageup", (0, 0)),
    ("down", (0, 2)), ("down", (0, 12)), ("up", (0, 2)), ("s", (0, 2)), ("down", (0, 4)), ("r", (0, 8)),
    ("c", (1, 5)), ("f", (1, 5)),
]  # fmt: skip


def test_keys_go_to_steps() -> None:
    async def act(app: Any, pilot: Any) -> list[tuple[str, tuple[int, int]]]:
        found = []
        for key, _ in WAY:
            await pilot.press(key)
            found.append((key, (app.cursor.round, app.cursor.at)))
        return found

    assert shown_in(act) == WAY


def test_the_table_and_the_caption_are_those_of_the_step() -> None:
    shown = press("pagedown", *["right"] * 5)
    assert shown.caption.splitlines()[0] == "West calls pon of 5m from South."
    assert "[<5m 5m 5m]" in shown.table
    assert "(5m)" in shown.table
    assert shown.status.startswith("E2-0  5/67")


def test_a_result_shows_yaku_and_points() -> None:
    shown = press("end")
    assert "riichi 1, ippatsu 1, pinfu 1, red dora 1" in shown.caption
    assert "33,700 (+9,700)" in shown.table
    assert "1m*" not in shown.table
    assert "1p*" in shown.table


def test_an_answer_of_a_program_is_one_line() -> None:
    match = played()
    match.rounds[0].answers = (Answer(2, match.rounds[0].events[2], 0),)
    assert press("right", match=match).caption.splitlines() == [
        "East draws 5p.",
        "  # Answer for East: 5p, as played",
    ]


def test_hands_of_the_others_can_be_hidden() -> None:
    assert press("h").table.count("▒▒") == 4 + 3 * 13
    assert press("h", "h").table.count("▒▒") == 4


def test_the_wall_and_the_help_are_shown_by_a_key() -> None:
    shown = press("w", "question_mark")
    assert shown.open == ["wall", "help"]
    assert shown.wall == "The wall is not known."
    walled = press("w", "w", match=mjconv.read(CORPUS / "tenhou" / "hanchan.mjlog"))
    assert walled.open == []
    assert len(walled.wall.split()) == 136


def test_the_language_changes_by_a_key() -> None:
    assert press("right", "l").caption == "東家 5筒ツモ"
    assert press("right", "l", language="ja").caption == "東家摸五筒"
    assert press("right", "l", language="zh").caption == "东家摸五筒"
    assert press("right", "l", language="zh-Hans").caption == "East draws 5p."


def test_space_plays_and_stops() -> None:
    assert press("space", "plus", "minus").playing
    assert not press("space", "space").playing


def test_the_seat_looked_from_is_last() -> None:
    shown = press("s", opens=(1, 3, 1))
    assert shown.seat == 2
    assert shown.table.splitlines()[-2].startswith("▶ South")


async def turn_wheel(pilot: Any, kind: type[MouseScrollDown | MouseScrollUp], part: str) -> None:
    await pilot._post_mouse_events([kind], widget=part)
    await pilot.pause()


def test_the_wheel_steps_over_the_table_and_scrolls_elsewhere() -> None:
    async def act(app: Any, pilot: Any) -> list[int]:
        found = []
        for kind in (MouseScrollDown, MouseScrollDown, MouseScrollDown, MouseScrollUp):
            await turn_wheel(pilot, kind, "#table")
            found.append(app.cursor.at)
        await turn_wheel(pilot, MouseScrollDown, "#rounds")
        await turn_wheel(pilot, MouseScrollDown, "#caption")
        return [*found, app.cursor.at]

    assert shown_in(act, size=(120, 30)) == [1, 2, 3, 2, 2]


def test_the_caption_and_the_help_are_in_sight_in_a_small_terminal() -> None:
    async def act(app: Any, pilot: Any) -> tuple[Any, Any]:
        await pilot.press("question_mark")
        await pilot.pause()
        return app.query_one("#caption").region, app.query_one("#help").region

    caption, keys = shown_in(act, mjconv.read(CORPUS / "uzje" / "six.uzje"), opens=(0, 20, 0), size=(80, 24))
    assert caption.height >= 1
    assert keys.height > 1
    assert 0 <= keys.y < keys.bottom <= caption.y < caption.bottom <= 23


def test_the_points_of_each_player_are_beside_the_name() -> None:
    lines = press().points.splitlines()
    assert len(lines) == 4
    assert lines[0].split() == ["朝倉", "春", "15,300"]


def test_a_later_round_may_have_more_players_than_the_first() -> None:
    deals = [
        mjconv.StartRound("E", kyoku=1, honba=0, oya=0, scores=(points,) * seats, tehais=(("?",) * 13,) * seats)
        for seats, points in ((3, 35_000), (4, 25_000))
    ]
    match = Match(rounds=[Round([deal, mjconv.Ryukyoku()]) for deal in deals])
    assert [line.split() for line in press(match=match).points.splitlines()] == [
        [seat, "25,000"] for seat in "1234"
    ]


def test_rounds_are_listed_with_their_results() -> None:
    shown = press()
    assert [line.split("  ")[0] for line in shown.rounds] == ["E1-0", "E2-0", "E3-0"]
    assert shown.rounds[0].endswith("ron 7,700")


def test_rounds_are_named_as_in_the_language() -> None:
    assert [line.split("  ")[0] for line in press("l").rounds] == ["東1局0本場", "東2局0本場", "東3局0本場"]
    shown = press("l", "l", "pagedown")
    assert [line.split("  ")[0] for line in shown.rounds] == ["東一局0本場", "東二局0本場", "東三局0本場"]
    assert shown.status.startswith("東二局0本場  0/67")


def test_findings_are_shown_at_their_steps() -> None:
    match = played()
    match.rounds[1].events[7] = mjconv.Draw(0, "5mr")
    shown = press("f", match=match, findings=mjconv.check(match))
    assert shown.place == (1, 31)
    assert "! error: R" in shown.caption


def test_hostile_names_stay_text() -> None:
    match = played()
    match.players[0] = Player(Name(Text("[bold]x[/bold]\x1b[2J\u202e" + "y" * 10_000)))
    shown = press(match=match)
    assert "[bold]x[/bold]\\x1b[2J" in shown.table
    assert "\x1b" not in shown.table + shown.status + "".join(shown.rounds)
    assert max(map(len, shown.table.splitlines())) < 200


def test_matches_without_play_are_their_text(capsys: pytest.CaptureFixture[str]) -> None:
    matches = mjconv.read_all(CORPUS / "hk" / "evenings.hk")
    view_command._show_in_terminal(matches, "en", [], (0, 0, 0))
    assert capsys.readouterr().out.splitlines() == list(text_lines(matches))


def test_without_textual_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    with pytest.raises(mjconv.UsageError, match=r"--terminal needs Textual: pip install textual"):
        view_command._show_in_terminal([played()], "en", [], (0, 0, 0))


def test_a_step_that_does_not_exist_is_refused() -> None:
    with pytest.raises(mjconv.UsageError, match="there is no step 99"):
        view_command._show_in_terminal([played()], "en", [], (0, 99, 0))


@pytest.mark.parametrize(
    ("keys", "columns", "shown"),
    [((), 80, ["play"]), (("o",), 80, ["side"]), (("o", "o"), 80, ["play"]), ((), 120, ["play", "side"])],
)
def test_a_narrow_terminal_is_for_the_table_and_a_key_shows_the_rounds(
    keys: tuple[str, ...], columns: int, shown: list[str]
) -> None:
    async def act(app: Any, pilot: Any) -> list[str]:
        await pilot.press(*keys)
        await pilot.pause()
        widest = max(map(len, text_of(app, "table").splitlines()))
        assert app.query_one("#play").size.width >= widest + 2 or "play" not in shown
        return [part for part in ("play", "side") if app.query_one(f"#{part}").display]

    match = mjconv.read(CORPUS / "tenhou" / "hanchan.mjlog")
    assert shown_in(act, match, opens=(1, 84, 0), size=(columns, 24)) == shown
