"""The view of a match: one HTML file with its data, styles, script and tiles, which uses no network.

The page draws and applies no rule of mahjong. Its data is the value of `payload`: all steps as JSON values, and
the words that they need. Data, tiles, style and script are packed (zlib, base64), and a short script unpacks them.
The security policy of the page allows the two scripts and the style by their hashes, and nothing else: no network,
no other code.
"""

import base64
import hashlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

from msgspec import UNSET, json
from msgspec.structs import replace

from mjconv.converters.formats import LINKS, MESSAGES, find
from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared.prepare import prepare
from mjconv.files.writing import check_writable, packed_for, write_bytes
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError, UsageError
from mjconv.ir.match import House, Match, Player
from mjconv.ir.seats import seat_number
from mjconv.ir.tiles import HIDDEN, TILE_KINDS, Tile
from mjconv.languages import LANGUAGES, language_of
from mjconv.referee.findings import Finding
from mjconv.rules.rulesets import RIICHI, ruleset_of
from mjconv.validation.check import check as find_faults
from mjconv.viewer import picture
from mjconv.viewer.card import card as card_of
from mjconv.viewer.facts import (
    facts,
    finding_note,
    note_of,
    player_facts,
    players_of,
    round_name,
    title,
)
from mjconv.viewer.results_table import ResultsTable, is_results_alone, results_table
from mjconv.viewer.rounds import RoundView, point_lines, points_after, round_views
from mjconv.viewer.state import to_json
from mjconv.viewer.steps import Step
from mjconv.viewer.tiles import SHAPES, symbols
from mjconv.viewer.words import Speaker, catalogue, texts

#: The height of the frame in a notebook, in pixels.
_FRAME_HEIGHT: Final = 720
#: The version of the data.
VERSION: Final = 1
#: The level of compression: it pays for the links of a page, and takes a quarter longer than level 6.
_LEVEL: Final = 9
#: A page with copies of its rounds has at most so many characters. A larger one leaves out these, in this order.
_MOST: Final = 120_000
_COPIES: Final = ("messages", "links")
#: The parts of the page's script, in their order. Together they are one script.
_SCRIPTS: Final = (
    "dom",
    "words",
    "replay",
    "tiles",
    "hands",
    "table",
    "sheet",
    "panel",
    "share",
    "controls",
    "main",
)
_TILE_WORD: Final = "tile."
#: The most players that the description of a page names.
_PREVIEWED: Final = 8
#: Between the packed parts. None of them holds this character: JSON escapes it.
_BETWEEN: Final = b"\0"


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

    def write(self, path: str | os.PathLike[str], font: str | None = None) -> None:
        """Write the page to a file, or the picture if its name ends in ``.svg`` or ``.png``.

        A name in ``.gz`` is compressed. `font` is as in `png`. Raises `OSError`, and `UsageError` as `png` does.
        """
        name = os.fspath(path)
        check_writable(name)
        bare = name.removesuffix(".gz").lower()
        if bare.endswith(".png"):
            data = self.png(font)
        else:
            data = (self.svg if bare.endswith(".svg") else self.html).encode()
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
) -> View:
    """Return the page that shows a match.

    `match` may be several matches if only their results are known: they become one table of points. The page opens
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


def page(data: Mapping[str, Any]) -> str:
    """Return the whole HTML text of the page that shows `data`, the value of `payload`.

    No text of the record becomes markup: the title is escaped, and everything else is packed. The copies of the
    rounds are left out of a page that would be large with them.
    """
    loader = _code("loader.js")
    preview, points = _preview(data)
    # Each tile that the data names has a word.
    words: Mapping[str, str] = next(iter(data["words"].values()), {})
    tiles = {HIDDEN, *(key.removeprefix(_TILE_WORD) for key in words if key.startswith(_TILE_WORD))}
    text = _asset("page.html").format(
        title=escape(data["title"]),
        preview=escape(preview or data["title"]),
        points=escape(points),
        style_hash=_hash(_code("page.css")),
        script_hash=_hash(_script()),
        loader_hash=_hash(loader),
        loader=loader,
        data=_packed(symbols(tiles).encode(), json.encode(data)),
    )
    copies = next((key for key in _COPIES if data.get(key)), None)
    return page({**data, copies: []}) if len(text) > _MOST and copies else text


def _preview(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return what a link shows: the title of an evening, dates and winner; and all players by points."""
    lines = (data.get("graph") or data["table"])["lines"]
    ends = [next((points for points in reversed(line) if points is not None), None) for line in lines]
    players = [
        (player.get("name") or str(seat), end)
        for seat, (player, end) in enumerate(zip(data["players"], ends, strict=False), 1)
    ]
    players.sort(key=lambda one: -(one[1] or 0))
    ranked = [f"{name} {end:,.10g}" for name, end in players if end is not None]
    dates = [fact[1] for key, fact in data["head"] if key == "head.date"]
    evening = [data["title"]] if "standings" in data else []
    return " · ".join([*evening, *dates, *ranked[:1]]), ", ".join(ranked[:_PREVIEWED])


def _packed(*parts: bytes) -> str:
    """Return the style, the script, and the parts that differ from page to page, packed."""
    packer, begun = _packer()
    packer = packer.copy()
    packed = [begun, packer.compress(_BETWEEN.join(parts)), packer.flush()]
    return base64.b64encode(b"".join(packed)).decode("ascii")


@cache
def _packer() -> tuple[Any, bytes]:
    """Return the compressor after the parts that are the same in every page, and these parts compressed."""
    packer = zlib.compressobj(_LEVEL)
    return packer, packer.compress(b"".join(part.encode() + _BETWEEN for part in (_code("page.css"), _script())))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


@cache
def _asset(name: str) -> str:
    return (files("mjconv.viewer.assets") / name).read_text("utf-8")


@cache
def _code(name: str) -> str:
    """Return the lines of a script or a style, without indentation and lines of comment."""
    lines = [line.strip() for line in _asset(name).splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(("//", "/*")))


@cache
def _script() -> str:
    own = {
        language: {key[5:]: text for key, text in catalogue(language).items() if key.startswith("page.")}
        for language in LANGUAGES
    }
    data = {"OWN": own, "SHAPES": SHAPES}
    begin = '"use strict";\n' + "".join(
        f"const {name} = {json.encode(each).decode()};\n" for name, each in data.items()
    )
    return begin + "".join(_code(f"{name}.js") for name in _SCRIPTS)


def payload(
    match: Match,
    *,
    findings: Sequence[Finding] = (),
    language: str | None = None,
    opens: tuple[int, int, int] = (0, 0, 0),
    wall: bool = True,
) -> dict[str, Any]:
    """Return the data of the page of a match, as a JSON value.

    `findings` are those of the referee. Without `language` the reader's browser decides. The page opens with the
    round, the step and the seat of `opens`. Without `wall` the page shows no walls.

    >>> data = payload(Match())
    >>> data["kind"], data["seats"], data["rounds"]
    ('play', 4, [])
    """
    views = round_views(match, findings)
    rounds = [_round(view, wall) for view in views]
    reads = ruleset_of(match) is RIICHI
    data = {
        **_head("play", [match], players_of(match), language, opens),
        "reading": {"tanyao": match.rules is UNSET or match.rules.open_tanyao is not False} if reads else None,
        "seats": max([match.seats, *(len(one["winds"]) for one in rounds)]),
        **({} if match.final_scores is UNSET else {"final": list(match.final_scores)}),
        "findings": [to_json(finding_note(finding)) for finding in findings if finding.round is None],
        "graph": {"lines": point_lines(views)},
        "rounds": rounds,
    }
    # The page names useful tiles and waits, which the record need not hold.
    words = _words(data, TILE_KINDS if reads else ())
    return {**data, "words": words, "links": _copies(match, LINKS), "messages": _copies(match, MESSAGES)}


def _copies(match: Match, name: str) -> list[str]:
    """Return each round as a text of its own in a format; no texts where the format cannot hold the match."""
    form, flavour = find(name)
    options = WriteOptions(flavour, plain=True)
    # The points at the end of the match are not those at the end of a round.
    ended = replace(match, closing=[ev.EndGame()])
    try:
        head, *rounds, tail = form.render(prepare(ended, form, options).match, None, True, options).parts
    except MjconvError:
        return []
    return [(head.text + part.text + tail.text).decode("utf-8").rstrip() for part in rounds]


def results_payload(matches: Sequence[Match], *, language: str | None = None) -> dict[str, Any]:
    """Return the data of the page of matches that are known only by their results, as a JSON value."""
    players, table = results_table(matches)
    return data_of_results(players, table, language, matches)


def data_of_results(
    players: Sequence[Player],
    table: ResultsTable,
    language: str | None,
    matches: Sequence[Match] = (),
    **more: Any,
) -> dict[str, Any]:
    """Return the data of the page of a table of results. `more` are parts of the data beside it."""
    data = {
        **_head("results", matches, players, language, (0, 0, 0)),
        "seats": len(players),
        "findings": [],
        "rounds": [],
        "table": to_json(table),
        **more,
    }
    return {**data, "words": _words(data)}


def _head(
    kind: str, matches: Sequence[Match], players: Sequence[Player], language: str | None, opens: Sequence[int]
) -> dict[str, Any]:
    """Return what both kinds of data have. Facts about the match are in it with their keys."""
    return {
        "v": VERSION,
        "lang": language,
        "title": title(matches),
        "head": [(f"head.{key}", fact) for key, fact in facts(matches)],
        "kind": kind,
        "open": dict(zip(("round", "step", "seat"), opens, strict=True)),
        "players": [player_facts(player) for player in players],
        "notes": [to_json(note_of(note, of_match=True)) for match in matches for note in match.annotations],
    }


def _words(data: Mapping[str, Any], tiles: Iterable[Tile] = ()) -> dict[str, dict[str, str]]:
    """Return the words that the page needs, by language and key.

    The data has the key of each word as a text of its own, or as a word in a text. Of tiles, winds and kinds it
    has the part of the key that follows one of `_BEGINS`.
    """
    named = {*_ALWAYS, *tiles}
    for text in set(_TEXT.findall(json.encode(data).decode())):
        named.update(text.split())
    known = texts("en")
    used = [key for key in known if key in named or (key.startswith(_BEGINS) and key.partition(".")[2] in named)]
    return {language: {key: texts(language)[key] for key in used} for language in LANGUAGES}


#: The words that every page needs.
_ALWAYS: Final = ("list", "limit.yakuman", HIDDEN)
#: The words of tiles, winds and kinds, which the data names without these beginnings.
_BEGINS: Final = ("tile.", "seat.", "wind.", "call.", "note.")
#: A text in JSON.
_TEXT: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"')


def _round(view: RoundView, wall: bool) -> dict[str, Any]:
    """Return the data of one round."""
    record, steps = view.record, view.steps
    start = record.start or ev.StartRound()
    first = steps[0].state
    data: dict[str, Any] = {
        "label": record.label,
        "title": round_name(record),
        "wind": start.bakaze or None,
        "number": start.kyoku or None,
        "honba": first.honba,
        "dealer": steps[0].winds.index("E"),
        "winds": steps[0].winds,
        "brief": view.brief,
        "points": first.points,
        "after": points_after(view),
        "state": to_json(first),
        "steps": [_step(step, view) for step in steps],
        "results": [to_json(step.result) for step in steps if step.result is not UNSET],
        "card": card_of(view),
        "findings": to_json(view.findings.get(None, ())),
    }
    if record.dice is not UNSET:
        data["dice"] = record.dice
    if wall and view.wall is not None:
        data["wall"] = to_json(view.wall)
    return data


def _step(step: Step, view: RoundView) -> dict[str, Any]:
    """Return the data of one step of a round."""
    data: dict[str, Any] = {"kind": step.kind, "caption": step.sentence}
    if step.actor is not UNSET:
        data["actor"] = step.actor
    beside = {name: getattr(view, name).get(step.step) for name in ("notes", "findings", "opinions")}
    more = {"changes": step.changes, **beside}
    return data | {key: to_json(values) for key, values in more.items() if values}
