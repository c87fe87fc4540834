"""What a view shows beside the play: facts about the match, notes of persons and platforms, findings."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec import UNSET, DecodeError, UnsetType, json

from mjconv.archive.facts import facts_of
from mjconv.ir.match import Annotation, AnnotationKind, Match, Player, Round, Rules
from mjconv.referee.findings import Finding
from mjconv.viewer.state import StatePart
from mjconv.viewer.words import Sentence, catalogue


def title(matches: Sequence[Match]) -> str:
    """Return the names of the players of matches and the dates in one line.

    >>> title([Match()])
    'mahjong'
    """
    names = dict.fromkeys(name for match in matches for name in match.names)
    return ", ".join(filter(None, [*names, _dates(matches)])) or "mahjong"


def players_of(match: Match) -> list[Player]:
    """Return the players of a match by seat, also if the record names none."""
    return match.players or [Player()] * match.seats


def player_facts(player: Player) -> dict[str, str]:
    """Return the name, team and rank of a player, as far as they are known."""
    found = {"name": player.called, "team": player.team and player.team.shown, "rank": player.rank}
    return {key: value for key, value in found.items() if value}


def round_name(record: Round) -> Sentence:
    """Return the name of a round as a sentence.

    >>> round_name(Round())
    ('?',)
    """
    start = record.start
    if start is None or UNSET in (start.bakaze, start.kyoku):
        return ("?",)
    number = key if (key := f"kyoku.{start.kyoku}") in catalogue("en") else str(start.kyoku)
    return "round", f"wind.{start.bakaze}", number, start.honba or 0


def facts(matches: Sequence[Match]) -> Iterator[tuple[str, Sentence]]:
    """Yield the facts that are the same in all matches: a key in the words under ``head``, and a sentence.

    Of several dates, these are the first and the last.
    """
    first, *others = map(_facts, matches)
    first["date"] = "text", _dates(matches)
    for key, fact in first.items():
        if fact != ("text", "") and (key == "date" or all(other.get(key) == fact for other in others)):
            yield key, fact


def _facts(match: Match) -> dict[str, Sentence]:
    """Return the facts about a match. A sentence `text` is the same in all languages; it is empty if not known."""
    rules, known = match.rules or Rules(), facts_of(match)
    found: dict[str, Sentence] = {
        "tournament": ("text", match.tournament.shown if match.tournament else ""),
        "date": ("text", ""),
        "time": ("text", "" if known.time is UNSET else known.time.isoformat("minutes")),
        "room": (room,) if (room := f"room.{known.room}") in catalogue("en") else ("text", known.room or ""),
        "place": ("text", match.place.shown if match.place else ""),
        "length": ("text", "") if rules.length is UNSET else (f"length.{rules.length}",),
    }
    for key in ("start", "base", "max_faan"):
        value = getattr(rules, key)
        if value is not UNSET:
            found[key] = "text", f"{value:,}" if isinstance(value, int) else str(value)
    if rules.reds is not UNSET:
        found["reds"] = "reds", *rules.reds
    return found


def _dates(matches: Sequence[Match]) -> str:
    """Return the date of the matches; of several dates the first and the last."""
    days = [day for match in matches if (day := facts_of(match).date) is not UNSET]
    return " – ".join(dict.fromkeys(day.isoformat() for day in (min(days), max(days)))) if days else ""


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
    if record.comment and record.comment.shown:
        found.setdefault(0, []).append(ShownRemark("comment", text=record.comment.shown))
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
