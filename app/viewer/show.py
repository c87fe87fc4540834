"""The view of a match: a page that is written to a file, opened in the browser, or shown in a notebook."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from mjconv.files.writing import check_writable, packed_for, write_bytes
from mjconv.ir.errors import UsageError
from mjconv.ir.match import House, Match
from mjconv.ir.seats import seat_number
from mjconv.validation.check import check as find_faults
from mjconv.viewer.cursor import round_views
from mjconv.viewer.facts import player_name
from mjconv.viewer.page import page, payload, results_payload
from mjconv.viewer.position import position_svg
from mjconv.viewer.results_table import is_results_alone
from mjconv.viewer.words import LANGUAGES, language_of

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
        """The position where the page opens, as an SVG drawing. Raises `UsageError` if the match has no rounds."""
        if self._draw is None:
            raise UsageError("there is no position to draw: the match has no rounds with their play")
        return self._draw()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, or the position if its name ends in ``.svg``. A name in ``.gz`` is compressed.

        Raises `OSError`, and `UsageError` as `svg` does.
        """
        name = os.fspath(path)
        check_writable(name)
        text = self.svg if name.removesuffix(".gz").endswith(".svg") else self.html
        write_bytes(name, packed_for(name, text.encode()))

    def _repr_html_(self) -> str:
        """Return the frame that a notebook shows. The page in it can neither read nor change the notebook."""
        return (
            f'<iframe title="{escape(self._title)}" sandbox="allow-scripts" srcdoc="{escape(self.html)}" '
            f'style="width:100%;height:{_FRAME_HEIGHT}px;border:0"></iframe>'
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
) -> View:
    """Return the page that shows a match.

    `match` may be several matches if only their results are known: they become one table of points. The page opens
    at the step `step` of `round`, seen from `seat`. Seats, rounds and steps are counted from 0. A round may also
    be named by its label (``S3-1``, ``south 3``), and a seat by its first wind or the name of its player. Without
    `seat`, an in-game stream opens at the seat of its player, and any other match at seat 0. `lang` is ``en``,
    ``ja`` or ``zh``, or a tag of these, such as ``zh-CN`` for simplified script; without it the reader's browser
    decides. With `check`, the page marks the findings of the referee, by the rules of `house`. Without `wall` it
    shows no walls. Raises `UsageError` if there is no such seat, round, step or language.

    >>> from mjconv.ir.events import StartRound
    >>> from mjconv.ir.match import Round
    >>> found = view(Match(rounds=[Round([StartRound("E", kyoku=1, honba=0, tehais=(("?",) * 13,) * 4)])]))
    >>> found.html.startswith("<!doctype html>")
    True
    """
    language = language_of(lang or "en")
    if language is None:
        raise UsageError(f"there is no language {lang!r}; expected {', '.join(LANGUAGES)}")
    matches = [match] if isinstance(match, Match) else list(match)
    if not matches:
        raise UsageError("there is no match to show")
    draw = None
    if all(map(is_results_alone, matches)):
        data = results_payload(matches, language=lang)
    elif len(matches) > 1:
        raise UsageError(
            f"a page shows one match, not {len(matches)}; only matches without play are shown together"
        )
    else:
        [shown] = matches
        number, seat = round_number(shown, round), seat_number(shown, seat)
        findings = find_faults(shown, house=house) if check else ()
        data = payload(shown, findings=findings, language=lang, opens=(number, step, seat), wall=wall)
        rounds = data["rounds"]
        check_step(rounds[number]["steps"] if rounds else [None], step)

        def draw_position() -> str:
            names = [player_name(player) for player in shown.players]
            return position_svg(round_views(shown)[number], step, seat, names, language)

        draw = draw_position if rounds else None
    return View(page(data), data["title"], draw)


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
