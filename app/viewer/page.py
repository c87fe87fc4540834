"""The page of a match or of results: one HTML file with its data, styles, script and tiles, which uses no network.

The page draws and applies no rule of mahjong. Its data is the value of `payload`: all steps as JSON values, and
the words that they need. Data, tiles, style and script are packed (zlib, base64), and a short script unpacks them.
The security policy of the page allows the two scripts and the style by their hashes, and nothing else: no network,
no other code.
"""

import base64
import hashlib
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any, Final

from msgspec import UNSET, json
from msgspec.structs import replace

from mjconv.converters.formats import LINKS, MESSAGES, find
from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared.prepare import prepare
from mjconv.ir import events as ev
from mjconv.ir.catalogue import beside
from mjconv.ir.errors import MjconvError
from mjconv.ir.match import Match, Player
from mjconv.ir.tiles import HIDDEN, TILE_KINDS, Tile
from mjconv.languages import LANGUAGES
from mjconv.referee.findings import Finding
from mjconv.rules.rulesets import RIICHI, ruleset_of
from mjconv.viewer.card import card as card_of
from mjconv.viewer.facts import facts, finding_note, note_of, player_facts, players_of, round_name, title
from mjconv.viewer.results_table import ResultsTable
from mjconv.viewer.rounds import RoundView, point_lines, points_after, round_views
from mjconv.viewer.state import to_json
from mjconv.viewer.steps import Step
from mjconv.viewer.tiles import SHAPES, symbols
from mjconv.viewer.words import catalogue, texts

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
    return beside(__name__, f"assets/{name}").decode()


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
    constants = [f"const {name} = {json.encode(each).decode()};\n" for name, each in data.items()]
    return "".join(['"use strict";\n', *constants, *(_code(f"{name}.js") for name in _SCRIPTS)])


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
    reads = ruleset_of(match).id == RIICHI.id
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


def data_of_results(
    players: Sequence[Player], table: ResultsTable, language: str | None, matches: Sequence[Match], **more: Any
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
    changes = to_json(step.changes)
    if step.before is not None and step.before.left:
        # A change without a value is one less: a long game has hundreds of these.
        one_less = ["left", step.before.left - 1]
        changes = [["left"] if change == one_less else change for change in changes]
    return data | {key: to_json(values) for key, values in {"changes": changes, **beside}.items() if values}
