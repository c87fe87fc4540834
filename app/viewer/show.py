"""The views of matches: the page of one match, of results alone, or of an evening with its standings."""

import base64
import os
import re
import zlib
from collections.abc import Callable, Sequence
from datetime import date, time
from fractions import Fraction
from html import escape
from typing import Any, Final

from msgspec import json

from mjconv.converters.shared.standings import UNITS, ScoredGame
from mjconv.files.compression import ending_of
from mjconv.files.writing import check_writable, packed_for, write_bytes
from mjconv.ir.errors import UsageError
from mjconv.ir.match import House, Match, Name, Player, Text
from mjconv.ir.seats import seat_number
from mjconv.languages import language_of
from mjconv.score.riichi import is_riichi, names_of, scored_game
from mjconv.score.score import standings
from mjconv.score.table import PLACES
from mjconv.source import FileName
from mjconv.validation.check import check as find_faults
from mjconv.viewer import picture
from mjconv.viewer.card import card as card_of
from mjconv.viewer.facts import title as title_of
from mjconv.viewer.page import data_of_results, page, payload
from mjconv.viewer.results_table import MOST_CELLS, GameRow, is_results_alone, results_table, table_of
from mjconv.viewer.rounds import point_lines, round_views
from mjconv.viewer.words import Sentence, Speaker

#: The height of the frame in a notebook, in pixels.
_FRAME_HEIGHT: Final = 720


class View:
    """A page that shows a match step by step: one file, without network. `svg` draws the position where it opens.

    In a notebook, the value of a cell is shown as the page itself, in a sandboxed frame.
    """

    def __init__(self, html: str, title: str, draw: Callable[[], str] | None = None) -> None:
        self.html: Final = html
        self._title: Final = title
        self._draw: Final = draw

    @property
    def svg(self) -> str:
        """The picture of the position where the page opens, or of a card, as an SVG drawing of 1200 x 630.

        Raises `UsageError` if the match has no rounds, and for a card, if the round has no result.
        """
        if self._draw is None:
            raise UsageError("there is no position to draw: the match has no rounds with their play")
        return self._draw()

    def png(self, font: str | None = None) -> bytes:
        """Return the same picture as PNG.

        `font` is the path of a font that its texts have, beside those of the system. Raises `UsageError` as `svg`
        does, without resvg, and if no font has a sign of a name.
        """
        return picture.png(self.svg, font)

    def write(self, path: FileName, font: str | None = None) -> None:
        """Write the page to a file, or the picture if its name ends in ``.svg`` or ``.png``.

        A name in ``.gz``, ``.zst``, ``.xz`` or ``.bz2`` is compressed. `font` is as in `png`. Raises `OSError`,
        and `UsageError` as `png` does.
        """
        name = os.fspath(path)
        check_writable(name)
        text = self.svg if ending_of(name) == ".svg" else self.html
        data = self.png(font) if ending_of(name) == ".png" else text.encode()
        write_bytes(name, packed_for(name, data))

    def _repr_html_(self) -> str:
        """Return the frame that a notebook shows. The page in it can neither read nor change the notebook."""
        return (
            f'<iframe title="{escape(self._title)}" sandbox="allow-scripts allow-downloads" '
            f'srcdoc="{escape(self.html)}" style="width:100%;height:{_FRAME_HEIGHT}px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<View: {len(self.html)} characters of HTML>"


def view(
    match: Match | Sequence[Match],
    *,
    seat: int | str | None = None,
    round: str | int = 0,  # noqa: A002 - the field's word
    step: int = 0,
    lang: str | None = None,
    check: bool = False,
    house: House | None = None,
    wall: bool = True,
    card: bool = False,
    credit: bool = True,
    title: str | None = None,
) -> View:
    """Return the page that shows a match, or several.

    Several matches that are known only by their results become one table of points. Other matches become the page
    of an evening: their standings, and each game a click away; `title` is its title. The page of one match opens
    at the step `step` of `round`, seen from `seat`. Seats, rounds and steps are counted from 0; -1 is the last
    step. A round may also be named by its label (``S3-1``, ``south 3``), and a seat by its first wind or the name
    of its player. Without `seat`, a stream of a player opens at the seat of the player, other matches at seat 0.
    `lang` is ``en``, ``ja`` or ``zh``, or a tag of these, such as ``zh-CN`` for simplified script; without it the
    reader's browser decides. With `check`, the page marks the findings of the referee, by the rules of `house`.
    Without `wall` it shows no walls. With `card`, the drawing of the view is the result of the round. Without
    `credit`, the page and the drawing have no line of mjconv. Raises `UsageError` if there is no such seat, round,
    step or language.

    >>> from mjconv.ir.events import StartRound
    >>> from mjconv.ir.match import Round
    >>> found = view(Match(rounds=[Round([StartRound("E", kyoku=1, honba=0, tehais=(("?",) * 13,) * 4)])]))
    >>> found.html.startswith("<!doctype html>")
    True
    """
    language = language_of(lang or "en")
    matches = [match] if isinstance(match, Match) else list(match)
    if not matches:
        raise UsageError("there is no match to show")
    draw = None
    if all(map(is_results_alone, matches)):
        data = data_of_results(*results_table(matches), lang, matches)
    elif len(matches) > 1:
        places = {"seat": seat, "round": round, "step": step, "card": card, "check": check}
        if given := [name for name, place in places.items() if place]:
            raise UsageError(f"a page of several games opens at its first sheet: leave {', '.join(given)} out")
        return evening_of(matches, title or title_of(matches), lang=lang, wall=wall, credit=credit)
    else:
        [shown] = matches
        number, seat = round_number(shown, round), seat_number(shown, seat)
        findings = find_faults(shown, house=house) if check else ()
        data = payload(shown, findings=findings, language=lang, opens=(number, step, seat), wall=wall)
        rounds = data["rounds"]
        steps = rounds[number]["steps"] if rounds else [None]
        if step == -1:
            data["open"]["step"] = step = len(steps) - 1
        check_step(steps, step)

        def draw_view() -> str:
            names, shown_round = shown.names, round_views(shown)[number]
            about = " · ".join([*[day.isoformat() for day in [shown.date] if day], *["mjconv"] * credit])
            if not card:
                return picture.position_picture(shown_round, step, seat, names, language, about)
            if not (parts := card_of(shown_round)):
                raise UsageError(f"the round {shown_round.record.label} has no result")
            return picture.result_card(parts, Speaker(language, shown_round.steps[-1].winds, names), about)

        draw = draw_view if rounds else None
    return View(page({**data, "credit": credit}), data["title"], draw)


def round_number(match: Match, wanted: str | int) -> int:
    """Return the index of a round by its index or its name.

    The name may be written in words or in lower case, and without the honba: then the first such round is meant.
    Raises `UsageError` if the match has no such round. Index 0 is allowed in a match without rounds.

    >>> from mjconv.ir.events import StartRound
    >>> from mjconv.ir.match import Round
    >>> match = Match(rounds=[Round([StartRound("E", kyoku=1, honba=honba)]) for honba in (0, 1)])
    >>> [round_number(match, wanted) for wanted in ("E1-1", 1, "east 1", "東一局1本場", "東１局")]
    [1, 1, 0, 1, 0]
    """
    labels = [played.label for played in match.rounds]
    if isinstance(wanted, int):
        if 0 <= wanted < max(1, len(labels)):
            return wanted
        raise UsageError(f"there is no round {wanted}: the match has {len(labels)}, counted from 0")
    if wanted in labels:
        return labels.index(wanted)
    if named := _ROUND.fullmatch(wanted.strip().translate(_NUMERALS)):
        wind, kyoku, honba = named.groups()
        begin = f"{_WINDS.get(wind, wind[0].upper())}{int(kyoku)}-{'' if honba is None else int(honba)}"
        for number, label in enumerate(labels):
            if label == begin or (honba is None and label.startswith(begin)):
                return number
    raise UsageError(f"there is no round {wanted!r} in the match; its rounds: {', '.join(dict.fromkeys(labels))}")


#: A round as people name it: `e3`, `East 3-1`, `東3局1本場`.
_ROUND: Final = re.compile(
    r"(e|east|s|south|w|west|n|north|[東南西北])\s*(\d{1,2})局?(?:[\s.-]*(\d{1,3})(?:本場)?)?", re.IGNORECASE
)
_WINDS: Final = dict(zip("東南西北", "ESWN", strict=True))
_NUMERALS: Final = str.maketrans("一二三四", "1234")


def check_step(steps: Sequence[object], step: int) -> None:
    """Raise `UsageError` if a round has no such step."""
    if not 0 <= step < len(steps):
        raise UsageError(f"there is no step {step} in the round: it has {len(steps)}, counted from 0")


def evening(
    games: Sequence[ScoredGame],
    title: str,
    *,
    least: int = 0,
    sort: str | None = None,
    lang: str | None = None,
    played: Sequence[Match] = (),
    wall: bool = True,
    credit: bool = True,
) -> View:
    """Return the page of games in their order: their standings, the graph of the points, days and games.

    `least` is the smallest number of games of a player in the standings, `sort` their column. `lang` is a
    language as `view` takes it; without it the reader's browser decides. `played` are the records of the games:
    then each game opens by a click. Without `wall` it shows no walls, without `credit` no line of mjconv. Raises
    `UsageError` if the page would be too large.

    >>> games = [ScoredGame(None, ("Ann", "Ben", "Cho"), (UNITS, 0, -UNITS), (1, 2, 3), (0, 0, 0))]
    >>> evening(games, "May").html.startswith("<!doctype html>")
    True
    """
    table = standings(games, least=least, sort=sort)
    names = list(dict.fromkeys([row.name for row in table.rows] + [name for game in games for name in game.names]))
    if len(names) * len(games) > MOST_CELLS:
        raise UsageError(f"the page would have more than {MOST_CELLS} cells: choose games by --since or --until")
    numbers = {name: number for number, name in enumerate(names)}
    rows = []
    for game in games:
        gained: dict[int, Fraction] = {}
        for name, units in zip(game.names, game.units, strict=False):
            gained[numbers[name]] = gained.get(numbers[name], Fraction(0)) + Fraction(units, UNITS)
        first = max(gained, key=lambda number: gained[number], default=None)
        brief: Sentence = ("game.draw",) if first is None or not gained[first] else ("game.first", first)
        if not game.units:
            brief = ("brief.none",)
        elif game.places:
            placed = sorted(zip(game.places, game.names, strict=True))
            brief = ("game.places", [numbers[name] for _, name in placed])
        rows.append((GameRow("?", game.day.isoformat() if game.day else "", brief, None, None), gained))
    grid = table.grid()
    # The points are seen first on a narrow screen.
    order = sorted(range(len(grid.columns)), key=lambda column: grid.columns[column] not in ("name", "net_score"))
    shown = {
        "columns": [f"score.{grid.columns[column]}" for column in order],
        "rows": [[grid.text(row[column]) for column in order] for row in grid.rows],
    }
    players = [Player(Name(Text(name))) for name in names]
    more = {"standings": shown, "places": [f"score.{place}" for place in PLACES], "notes": []}
    table_of_games = table_of(rows, len(names))
    data = data_of_results(players, table_of_games, lang, played or [Match()], title=title, **more)
    if any(match.rounds for match in played):
        data["plays"] = [_packed(match, data, wall) for match in played]
    return View(page({**data, "credit": credit}), title)


def evening_of(
    matches: Sequence[Match], title: str, *, lang: str | None = None, wall: bool = True, credit: bool = True
) -> View:
    """Return the page of games in the order of their dates, each a click away from their standings.

    The points of a game of riichi are those after oka and uma where the record states them or its rules; a game
    without an end has none. The other parameters are as in `evening`. Raises `UsageError` for games
    of riichi beside others.
    """
    played = sorted(matches, key=lambda match: (match.date or date.min, match.time or time.min))
    if any(map(is_results_alone, played)):
        raise UsageError("a page shows results alone, or games with their play: choose files of one kind")
    if len(set(map(is_riichi, played))) > 1:
        raise UsageError("games of riichi and of other rules have no common standings: choose files of one kind")
    return evening(list(map(_game, played)), title, least=1, lang=lang, played=played, wall=wall, credit=credit)


def _game(match: Match) -> ScoredGame:
    """Return the result of a match: a game of riichi with its places, another with the points that moved."""
    game = ScoredGame(match.date or None, names_of(match))
    if is_riichi(match):
        return scored_game(match) or game
    lines = point_lines(round_views(match))
    moved = [after - before for before, *_, after in lines if before is not None and after is not None]
    return game._replace(units=tuple([points * UNITS for points in moved])) if len(moved) == match.seats else game


def _packed(match: Match, data: dict[str, Any], wall: bool) -> str:
    """Return the data of a match, without its rounds as messages. Its words join those of the page."""
    shown = payload(match, wall=wall)
    for language, words in shown.pop("words").items():
        data["words"][language].update(words)
    del shown["messages"]
    return base64.b64encode(zlib.compress(json.encode(shown))).decode("ascii")
