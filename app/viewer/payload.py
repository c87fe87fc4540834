"""The data of the page of a match: all steps as JSON values, and the words that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.derive import scores_after, starts
from mjconv.ir.match import Match, Player, Round, Text
from mjconv.referee.findings import Finding
from mjconv.viewer.remarks import FindingNote, findings_by_step, note_of, notes_by_step
from mjconv.viewer.results import briefly
from mjconv.viewer.results_table import is_results_alone, results_table
from mjconv.viewer.sentences import Sentence, keys_of
from mjconv.viewer.sheet import turns
from mjconv.viewer.state import to_json
from mjconv.viewer.steps import RoundSteps, Step
from mjconv.viewer.wall import wall_view
from mjconv.viewer.words import LANGUAGES, Language, texts

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
    data = _Data(match)
    seats = match.seats
    alone = is_results_alone(match)
    number, step, seat = opens
    before, found = _by_round(findings)
    table = results_table(match) if alone else None
    if table is not None:
        for game in table.games:
            data.use(game.brief)
    rounds = (
        [] if alone else [data.round(*each, found.get(each[0], ()), wall) for each in enumerate(starts(match))]
    )
    return {
        "v": VERSION,
        "kind": "results" if alone else "play",
        "lang": language,
        "open": {"round": number, "step": step, "seat": seat},
        "title": _title(match),
        "head": list(data.head()),
        "seats": max([seats, *(len(one["winds"]) for one in rounds)]),
        "players": [_player(player) for player in match.players] or [{}] * seats,
        **({} if match.final_scores is UNSET else {"final": list(match.final_scores)}),
        "notes": [to_json(note_of(annotation, of_match=True)) for annotation in match.annotations],
        "findings": to_json(tuple(findings_by_step(before, [0]).get(None, ()))),
        "graph": _graph(rounds),
        "rounds": rounds,
        **({} if table is None else {"table": to_json(table)}),
        "words": data.words(),
    }


class _Data:
    """Collects the data of a match, and the keys of the words that it uses."""

    def __init__(self, match: Match) -> None:
        self.match: Final = match
        self.keys: Final[dict[str, None]] = dict.fromkeys(
            (*_ALWAYS, *(key for key in texts() if key.startswith(("seat.", "wind."))))
        )

    def use(self, sentence: Sentence) -> Sentence:
        """Note the keys of a sentence."""
        self.keys.update(dict.fromkeys(keys_of(sentence)))
        return sentence

    def words(self) -> dict[str, dict[str, str]]:
        """Return the words used, by language and key."""
        known = texts()
        used = [key for key in self.keys if key in known]
        return {language: {key: known[key][at] for key in used} for at, language in enumerate(LANGUAGES)}

    def head(self) -> Iterator[tuple[str, str]]:
        """Yield the facts about the match: the key of each, and its text."""
        for key, text in _facts(self.match):
            if not text:
                continue
            self.keys[f"head.{key}"] = None
            yield f"head.{key}", text

    def round(self, number: int, deal: ev.StartRound, findings: Sequence[Finding], wall: bool) -> dict[str, Any]:
        """Return the data of one round."""
        match, record = self.match, self.match.rounds[number]
        replay = RoundSteps(match, number, deal)
        played = list(replay)
        results = [step.result for step in played if step.result is not UNSET]
        brief = briefly(results)
        start = record.start or ev.StartRound()
        events = [step.event for step in played]
        notes = notes_by_step(record, events)
        found = findings_by_step(findings, events)
        if played[-1].trouble:
            found.setdefault(len(played) - 1, []).append(FindingNote("", "", "error", played[-1].trouble))
        points = played[0].state.points
        data: dict[str, Any] = {
            "label": record.label,
            "title": self.use(_name(start)),
            "wind": start.bakaze or None,
            "number": start.kyoku or None,
            "honba": deal.honba or 0,
            "dealer": replay.dealer,
            "winds": replay.winds,
            "brief": [self.use(sentence) for sentence in brief],
            "points": points,
            "after": _after(record, points, played[-1].state.points),
            "state": to_json(played[0].state),
            "steps": [self.step(step, notes.get(step.step, ()), found.get(step.step, ())) for step in played],
            "results": [self.result(result) for result in results],
            "turns": to_json(tuple(turns(played, record.events))),
            "findings": to_json(tuple(found.get(None, ()))),
        }
        if record.dice is not UNSET:
            data["dice"] = record.dice
        if record.date is not UNSET and record.date != match.date:
            data["date"] = record.date.isoformat()
        if wall and record.wall is not UNSET:
            view = wall_view(record.wall, played, record.events)
            if view is not None:
                self._use_tiles(view.tiles.split())
                data["wall"] = to_json(view)
        self._use_tiles(tile for hand in played[0].state.hands for tile in hand.split())
        self.keys.update(dict.fromkeys(f"call.{step.kind}" for step in played if step.kind in _CALLS))
        return data

    def step(self, step: Step, notes: Iterable[Any], findings: Iterable[Any]) -> dict[str, Any]:
        """Return the data of one step."""
        data: dict[str, Any] = {"kind": step.kind, "caption": self.use(step.sentence)}
        if step.event is not None:
            data["event"] = step.event
        if step.actor is not UNSET:
            data["actor"] = step.actor
        for key, values in (("changes", step.changes), ("notes", notes), ("findings", findings)):
            if values:
                data[key] = to_json(tuple(values))
        return data

    def result(self, result: Any) -> dict[str, Any]:
        """Return the data of one result."""
        self.use(result.title)
        if getattr(result, "value", None):
            self.use(result.value)
        yaku = getattr(result, "yaku", ())
        self.keys.update(dict.fromkeys(each.name for each in yaku))
        self._use_tiles(tile for tiles in getattr(result, "waits", ()) for tile in tiles or ())
        data: dict[str, Any] = to_json(result)
        return data

    def _use_tiles(self, tiles: Iterable[str]) -> None:
        self.keys.update(dict.fromkeys(f"tile.{tile}" for tile in tiles))


def _after(record: Round, before: Sequence[int | None], last: Sequence[int | None]) -> Sequence[int | None]:
    """Return the points after a round: those of its last step, unless the record states others."""
    known = [points for points in before if points is not None]
    stated = scores_after(record, tuple(known)) if len(known) == len(before) else None
    return stated if stated is not None and len(stated) == len(last) else last


#: The words that every page needs.
_ALWAYS: Final = ("list", "number", "tile.?")
_CALLS: Final = frozenset({"chi", "pon", "kan", "kakan", "ankan", "aside"})


def _by_round(findings: Iterable[Finding]) -> tuple[list[Finding], dict[int, list[Finding]]]:
    """Return the findings about the whole match, and those about each round."""
    of_match: list[Finding] = []
    of_rounds: dict[int, list[Finding]] = {}
    for finding in findings:
        (of_match if finding.round is None else of_rounds.setdefault(finding.round, [])).append(finding)
    return of_match, of_rounds


def _name(start: ev.StartRound) -> Sentence:
    if UNSET in (start.bakaze, start.kyoku):
        return ("?",)
    return "round", f"wind.{start.bakaze}", start.kyoku, start.honba or 0


def _graph(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the points before each round and after the last, as one line a seat."""
    columns = [one["points"] for one in rounds] + [one["after"] for one in rounds[-1:]]
    seats = max(map(len, columns), default=0)
    lines = [[column[seat] if seat < len(column) else None for column in columns] for seat in range(seats)]
    return {"labels": [*(one["label"] for one in rounds), *([""] * bool(rounds))], "lines": lines}


def _player(player: Player) -> dict[str, str]:
    facts = {
        "name": player.name.shown if player.name is not UNSET else "",
        "team": _text(player.team),
        "rank": player.rank or "",
    }
    return {key: value for key, value in facts.items() if value}


def _title(match: Match) -> str:
    names = [player.name.shown for player in match.players if player.name is not UNSET]
    return ", ".join(filter(None, [*(name for name in names), _date(match)])) or "mahjong"


def _date(match: Match) -> str:
    return "" if match.date is UNSET else match.date.isoformat()


def _text(text: Any) -> str:
    return (text.native or text.roman or text.code or "") if isinstance(text, Text) else ""


def _facts(match: Match) -> Iterator[tuple[str, str]]:
    """Yield the facts about a match that are known, by the ends of their keys."""
    rules, tournament = match.rules, match.tournament
    if tournament is not UNSET:
        year = "" if tournament.year is UNSET else str(tournament.year)
        yield "tournament", " ".join(filter(None, (_text(tournament.name), year, _text(tournament.stage))))
    yield from (("date", _date(match)), ("place", _text(match.place)))
    if match.time is not UNSET:
        yield "time", match.time.isoformat("minutes")
    if rules is not UNSET:
        for key in ("start", "length", "base", "max_faan"):
            value = getattr(rules, key)
            if value is not UNSET:
                yield key, f"{value:,}" if isinstance(value, int) else str(value)
        if rules.reds is not UNSET:
            yield "reds", " ".join(map(str, rules.reds))
