"""The view of a match: a page that is written to a file, opened in the browser, or shown in a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from typing import Final, get_args

from mjconv.files.writing import check_writable, packed_for, write_bytes
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Match
from mjconv.rules.house import House
from mjconv.validation.check import check as find_faults
from mjconv.viewer.page import page
from mjconv.viewer.payload import payload, results_payload
from mjconv.viewer.results_table import is_results_alone
from mjconv.viewer.words import LANGUAGES, Language

#: The height of the frame in a notebook, in pixels.
_FRAME_HEIGHT: Final = 720


class View:
    """A page that shows a match step by step: one file, without network.

    In a notebook, the value of a cell is shown as the page itself, in a sandboxed frame.
    """

    def __init__(self, html: str, title: str) -> None:
        self.html: Final = html
        self._title: Final = title

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file. A name in ``.gz`` is compressed. Raises `OSError`."""
        name = os.fspath(path)
        check_writable(name)
        write_bytes(name, packed_for(name, self.html.encode()))

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
    seat: int = 0,
    round: str | int = 0,  # noqa: A002 - the field's word
    step: int = 0,
    lang: Language | None = None,
    check: bool = False,
    house: House | None = None,
    wall: bool = True,
) -> View:
    """Return the page that shows a match.

    `match` may be several matches if only their results are known: they become one table of points. The page opens
    at the step `step` of `round`, seen from `seat`. Seats, rounds and steps are counted from 0. A round may also
    be named by its label (``S3-1``). `lang` is ``en``, ``ja`` or ``zh``; without it the reader's browser decides.
    With `check`, the page marks the findings of the referee, by the rules of `house`. Without `wall` it shows no
    walls. Raises `UsageError` if there is no such seat, round, step or language.

    >>> from mjconv.ir.events import StartRound
    >>> from mjconv.ir.match import Round
    >>> found = view(Match(rounds=[Round([StartRound("E", kyoku=1, honba=0, tehais=(("?",) * 13,) * 4)])]))
    >>> found.html.startswith("<!doctype html>")
    True
    """
    if lang is not None and lang not in LANGUAGES:
        raise UsageError(f"there is no language {lang!r}; expected {', '.join(get_args(Language))}")
    matches = [match] if isinstance(match, Match) else list(match)
    if not matches:
        raise UsageError("there is no match to show")
    if all(map(is_results_alone, matches)):
        data = results_payload(matches, language=lang)
    elif len(matches) > 1:
        raise UsageError(
            f"a page shows one match, not {len(matches)}; only matches without play are shown together"
        )
    else:
        [shown] = matches
        number = round_number(shown, round)
        findings = find_faults(shown, house=house) if check else ()
        data = payload(shown, findings=findings, language=lang, opens=(number, step, seat), wall=wall)
        rounds = data["rounds"]
        check_opening(rounds[number]["steps"] if rounds else [None], step, seat, data["seats"])
    return View(page(data), data["title"])


def round_number(match: Match, wanted: str | int) -> int:
    """Return the index of a round by its index or its name.

    Raises `UsageError` if the match has no such round. Index 0 is allowed in a match without rounds.

    >>> from mjconv.ir.events import StartRound
    >>> from mjconv.ir.match import Round
    >>> match = Match(rounds=[Round([StartRound("E", kyoku=1, honba=honba)]) for honba in (0, 1)])
    >>> round_number(match, "E1-1"), round_number(match, 1)
    (1, 1)
    """
    labels = [played.label for played in match.rounds]
    if isinstance(wanted, int):
        if 0 <= wanted < max(1, len(labels)):
            return wanted
        raise UsageError(f"there is no round {wanted}: the match has {len(labels)}, counted from 0")
    if wanted in labels:
        return labels.index(wanted)
    raise UsageError(f"there is no round {wanted!r} in the match; its rounds: {', '.join(dict.fromkeys(labels))}")


def check_opening(steps: Sequence[object], step: int, seat: int, seats: int) -> None:
    """Raise `UsageError` if a round has no such step, or the match no such seat."""
    if not 0 <= seat < seats:
        raise UsageError(f"there is no seat {seat}: the match has {seats}, counted from 0")
    if not 0 <= step < len(steps):
        raise UsageError(f"there is no step {step} in the round: it has {len(steps)}, counted from 0")
