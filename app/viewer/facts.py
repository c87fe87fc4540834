"""What a view shows beside the play: facts about the match, notes of persons and platforms, and findings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec import UNSET, DecodeError, UnsetType, json

from mjconv.ir.match import Annotation, AnnotationKind, Match, Player, Round, Text
from mjconv.referee.findings import Finding
from mjconv.viewer.state import StatePart
from mjconv.viewer.words import MOST_KYOKU, Sentence

#: The rules that are shown, by their names in `mjconv.ir.match.Rules`.
_RULES = ("start", "base", "max_faan")


def title(matches: Sequence[Match]) -> str:
    """Return the names of the players of matches and the dates in one line.

    >>> title([Match()])
    'mahjong'
    """
    names = dict.fromkeys(player_name(player) for match in matches for player in match.players)
    return ", ".join(filter(None, [*names, _dates(matches)])) or "mahjong"


def player_name(player: Player) -> str:
    """Return the name of a player, empty if it is not known."""
    return player.name.shown if player.name is not UNSET else ""


def player_facts(player: Player) -> dict[str, str]:
    """Return the name, team and rank of a player, as far as they are known."""
    found = {"name": player_name(player), "team": _text(player.team), "rank": player.rank or ""}
    return {key: value for key, value in found.items() if value}


def round_name(record: Round) -> Sentence:
    """Return the name of a round as a sentence.

    >>> round_name(Round())
    ('?',)
    """
    start = record.start
    if start is None or UNSET in (start.bakaze, start.kyoku):
        return ("?",)
    number = f"kyoku.{start.kyoku}" if start.kyoku in range(1, MOST_KYOKU + 1) else str(start.kyoku)
    return "round", f"wind.{start.bakaze}", number, start.honba or 0


def facts(matches: Sequence[Match]) -> Iterator[tuple[str, Sentence]]:
    """Yield the facts that are the same in all matches: a key in the words under ``head``, and a sentence.

    Of several dates, these are the first and the last.
    """
    first, *others = [dict(_facts(match)) for match in matches]
    first["date"] = _as_it_is(_dates(matches))
    for key, fact in first.items():
        if fact != _as_it_is("") and (key == "date" or all(other.get(key) == fact for other in others)):
            yield key, fact


def _facts(match: Match) -> Iterator[tuple[str, Sentence]]:
    rules, tournament = match.rules, match.tournament
    if tournament is not UNSET:
        year = "" if tournament.year is UNSET else str(tournament.year)
        names = (_text(tournament.name), year, _text(tournament.stage))
        yield "tournament", _as_it_is(" ".join(filter(None, names)))
    yield "date", _as_it_is("")
    if match.time is not UNSET:
        yield "time", _as_it_is(match.time.isoformat("minutes"))
    yield "place", _as_it_is(_text(match.place))
    if rules is not UNSET:
        if rules.length is not UNSET:
            yield "length", (f"length.{rules.length}",)
        for key in _RULES:
            value = getattr(rules, key)
            if value is not UNSET:
                yield key, _as_it_is(f"{value:,}" if isinstance(value, int) else str(value))
        if rules.reds is not UNSET:
            yield "reds", ("reds", *rules.reds)


def _as_it_is(text: str) -> Sentence:
    """Return a sentence that is the same text in all languages."""
    return "text", text


def _dates(matches: Sequence[Match]) -> str:
    """Return the date of the matches; of several dates the first and the last."""
    days = [match.date for match in matches if match.date is not UNSET]
    return " – ".join(dict.fromkeys(day.isoformat() for day in (min(days), max(days)))) if days else ""


def _text(text: Any) -> str:
    return (text.native or text.roman or text.code or "") if isinstance(text, Text) else ""


#: The kinds of annotations that are about the event after them. The others are about the event before them.
_ABOUT_NEXT: Final = frozenset({"think_time", "mark", "claim"})


class ShownRemark(StatePart, frozen=True):
    """A remark: its kind, the seat that it is about, and its text; `ms` for a think time in milliseconds.

    `round` is the number of rounds before a remark about the match.
    """

    kind: AnnotationKind
    seat: int | UnsetType = UNSET
    text: str | UnsetType = UNSET
    ms: int | UnsetType = UNSET
    round: int | UnsetType = UNSET


class FindingNote(StatePart, frozen=True):
    """A finding of the referee: its code and name (empty if the table refused the event), and its message."""

    code: str
    name: str
    severity: str
    text: str


def note_of(annotation: Annotation, *, of_match: bool = False) -> ShownRemark:
    """Return an annotation as a note.

    >>> note_of(Annotation(3, "think_time", 1, 1200))
    ShownRemark(kind='think_time', seat=1, ms=1200)
    """
    number = annotation.index if of_match else UNSET
    if annotation.kind == "think_time" and isinstance(annotation.value, int):
        return ShownRemark(annotation.kind, annotation.seat, ms=annotation.value, round=number)
    text = UNSET if annotation.value is UNSET else str(annotation.value).strip()
    if annotation.kind == "claim":
        with suppress(DecodeError, AttributeError):
            message = json.decode(str(text))
            text = f"{message.get('type')} {message.get('pai', '')}".strip()
    return ShownRemark(annotation.kind, annotation.seat, text, round=number)


def notes_by_step(record: Round, indices: Sequence[int]) -> dict[int, list[ShownRemark]]:
    """Return the notes of a round by step. `indices` are those of the events of its steps, -1 for no event.

    A think time, a mark and a claim belong to the step of the event after them, every other note to the step
    before it. The comment on the whole round belongs to the deal.
    """
    found: dict[int, list[ShownRemark]] = {}
    if record.comment is not UNSET:
        text = record.comment.native or record.comment.roman
        if text:
            found.setdefault(0, []).append(ShownRemark("comment", text=text))
    for annotation in record.annotations:
        step = bisect_left(indices, annotation.index)
        if annotation.kind not in _ABOUT_NEXT:
            step -= 1
        step = min(max(step, 0), len(indices) - 1)
        found.setdefault(step, []).append(note_of(annotation))
    return found


def finding_note(finding: Finding) -> FindingNote:
    """Return a finding as a view shows it."""
    # Imported here: most pages show no findings.
    from mjconv.referee.codes import CODES

    return FindingNote(finding.code, CODES[finding.code].name, finding.severity, finding.message)


def findings_by_step(found: Iterable[Finding], indices: Sequence[int]) -> dict[int | None, list[FindingNote]]:
    """Return the findings of a round by step, with None for those about the whole round."""
    noted: dict[int | None, list[FindingNote]] = {}
    for finding in found:
        step = None if finding.event is None else min(bisect_left(indices, finding.event), len(indices) - 1)
        noted.setdefault(step, []).append(finding_note(finding))
    return noted
