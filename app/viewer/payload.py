"""The data of the page of a match: all steps as JSON values, and the words that they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from mjconv.converters.formats import LINKS, find
from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared.prepare import prepare
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError
from mjconv.ir.match import Match
from mjconv.ir.stream import recorded_seat
from mjconv.ir.tiles import DORA_OF
from mjconv.referee.findings import Finding
from mjconv.rules.rulesets import RIICHI, ruleset_of
from mjconv.viewer.cursor import RoundView, point_lines, points_after, round_views
from mjconv.viewer.facts import facts, findings_by_step, note_of, player_facts, round_name, title
from mjconv.viewer.opinions import Opinion, opinions_by_step
from mjconv.viewer.results import Result, WinResult
from mjconv.viewer.results_table import results_table
from mjconv.viewer.state import shown_tiles, to_json
from mjconv.viewer.steps import Step
from mjconv.viewer.words import LANGUAGES, Language, Sentence, keys_of, texts

#: The version of the data.
VERSION: Final = 1


def payload(
    match: Match,
    *,
    findings: Sequence[Finding] = (),
    language: Language | None = None,
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
    data = _Data([match])
    number, step, seat = opens
    views = round_views(match, findings)
    rounds = [data.round(view, wall) for view in views]
    reads = ruleset_of(match) is RIICHI
    if reads:
        # The page names useful tiles and waits, which the record need not hold.
        data.use_tiles(DORA_OF.values())
    of_match = [finding for finding in findings if finding.round is None]
    return {
        **data.head(language),
        "kind": "play",
        "reading": {"tanyao": match.rules is UNSET or match.rules.open_tanyao is not False} if reads else None,
        "open": {"round": number, "step": step, "seat": seat},
        "seats": max([match.seats, *(len(one["winds"]) for one in rounds)]),
        "players": [player_facts(player) for player in match.players] or [{}] * match.seats,
        **({} if match.final_scores is UNSET else {"final": list(match.final_scores)}),
        "notes": [to_json(note_of(annotation, of_match=True)) for annotation in match.annotations],
        "findings": to_json(tuple(findings_by_step(of_match, [0]).get(None, ()))),
        "graph": {"lines": point_lines(views)},
        "rounds": rounds,
        "words": data.words(),
        "links": _copies(match, LINKS),
        "mjai": _copies(match, "mjai"),
    }


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


def results_payload(matches: Sequence[Match], *, language: Language | None = None) -> dict[str, Any]:
    """Return the data of the page of matches that are known only by their results, as a JSON value."""
    data = _Data(matches)
    players, table = results_table(matches)
    for game in table.games:
        data.use(game.brief)
    return {
        **data.head(language),
        "kind": "results",
        "open": {"round": 0, "step": 0, "seat": 0},
        "seats": len(players),
        "players": [player_facts(player) for player in players],
        "notes": [to_json(note_of(note, of_match=True)) for match in matches for note in match.annotations],
        "findings": [],
        "rounds": [],
        "table": to_json(table),
        "words": data.words(),
    }


class _Data:
    """Collects the data of matches, and the keys of the words that it uses."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.matches: Final = matches
        self.keys: Final[dict[str, None]] = dict.fromkeys(
            (*_ALWAYS, *(key for key in texts() if key.startswith(("seat.", "wind.", "note."))))
        )

    def use(self, sentence: Sentence) -> Sentence:
        """Note the keys of a sentence, which may be empty."""
        self.keys.update(dict.fromkeys(keys_of(sentence) if sentence else ()))
        return sentence

    def words(self) -> dict[str, dict[str, str]]:
        """Return the words used, by language and key."""
        known = texts()
        used = [key for key in self.keys if key in known]
        return {language: {key: known[key][at] for key in used} for at, language in enumerate(LANGUAGES)}

    def head(self, language: Language | None) -> dict[str, Any]:
        """Return the head of the data: version, language, title, and facts about the match with their keys."""
        head = [(f"head.{key}", self.use(fact)) for key, fact in facts(self.matches)]
        self.keys.update(dict.fromkeys(key for key, _ in head))
        return {"v": VERSION, "lang": language, "title": title(self.matches), "head": head}

    def round(self, view: RoundView, wall: bool) -> dict[str, Any]:
        """Return the data of one round."""
        record, steps = view.record, view.steps
        start = record.start or ev.StartRound()
        opinions = opinions_by_step(record.events, steps, recorded_seat(self.matches[0].opening))
        first = steps[0].state
        data: dict[str, Any] = {
            "label": record.label,
            "title": self.use(round_name(record)),
            "wind": start.bakaze or None,
            "number": start.kyoku or None,
            "honba": first.honba,
            "dealer": steps[0].winds.index("E"),
            "winds": steps[0].winds,
            "brief": [self.use(sentence) for sentence in view.brief],
            "points": first.points,
            "after": points_after(view),
            "state": to_json(first),
            "steps": [self.step(step, view, opinions.get(step.step, ())) for step in steps],
            "results": [self.result(step, step.result) for step in steps if step.result is not UNSET],
            "findings": to_json(tuple(view.findings.get(None, ()))),
        }
        if record.dice is not UNSET:
            data["dice"] = record.dice
        if record.date is not UNSET and record.date != self.matches[0].date:
            data["date"] = record.date.isoformat()
        if wall and view.wall is not None:
            self.use_tiles(view.wall.tiles.split())
            data["wall"] = to_json(view.wall)
        # Each tile that the page draws is in the state of the deal or in the last state.
        for state in (first, steps[-1].state):
            self.use_tiles(shown_tiles(state))
        self.keys.update(dict.fromkeys(f"call.{step.kind}" for step in steps if step.kind in _CALLS))
        return data

    def step(self, step: Step, view: RoundView, opinions: Sequence[Opinion]) -> dict[str, Any]:
        """Return the data of one step of a round."""
        self.keys[step.sentence[0]] = None
        data: dict[str, Any] = {"kind": step.kind, "caption": step.sentence}
        if step.actor is not UNSET:
            data["actor"] = step.actor
        changed = step.changes
        if changed:
            data["changes"] = changed
        beside = {
            "notes": view.notes.get(step.step),
            "findings": view.findings.get(step.step),
            "opinions": opinions,
        }
        data.update({key: to_json(tuple(values)) for key, values in beside.items() if values})
        for act, tiles in (choice for opinion in opinions for choice in opinion.choices):
            self.keys[act] = None
            self.use_tiles(tiles)
        return data

    def result(self, step: Step, result: Result) -> dict[str, Any]:
        """Return the data of the result of a step."""
        self.use(step.sentence)
        self.use(result.title)
        if isinstance(result, WinResult):
            self.use(result.value or ())
            self.keys.update(dict.fromkeys(each.name for each in result.yaku))
            self.use_tiles((*result.ura, *([] if result.tile is UNSET else [result.tile])))
        else:
            self.use_tiles(tile for tiles in result.waits for tile in tiles or ())
        data: dict[str, Any] = to_json(result)
        return data

    def use_tiles(self, tiles: Iterable[str]) -> None:
        self.keys.update(dict.fromkeys(f"tile.{tile}" for tile in tiles))


#: The words that every page needs.
_ALWAYS: Final = ("list", "number", "tile.?")
_CALLS: Final = frozenset({"chi", "pon", "kan", "kakan", "ankan", "aside"})
