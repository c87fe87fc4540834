"""What a view shows beside the play: facts about the match, notes of persons and platforms, findings, opinions.

Opinions are what programs wrote about the choices of players: Mortal's `meta` and Manue's `logs`, in mjai records.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, DecodeError, UnsetType, json

from mjconv.archive.facts import facts_of
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, AnnotationKind, Match, Player, Round, Rules, Text, Tournament
from mjconv.ir.tiles import RED_FIVES, TILE_KINDS, TILES, Tile, plain
from mjconv.referee.findings import Finding
from mjconv.viewer.state import StatePart
from mjconv.viewer.steps import Step
from mjconv.viewer.words import MOST_KYOKU, Sentence


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


def players_of(match: Match) -> list[Player]:
    """Return the players of a match by seat, also if the record names none."""
    return match.players or [Player()] * match.seats


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
    first, *others = map(_facts, matches)
    first["date"] = "text", _dates(matches)
    for key, fact in first.items():
        if fact != ("text", "") and (key == "date" or all(other.get(key) == fact for other in others)):
            yield key, fact


def _facts(match: Match) -> dict[str, Sentence]:
    """Return the facts about a match. A sentence `text` is the same in all languages; it is empty if not known."""
    rules, tournament = match.rules or Rules(), match.tournament or Tournament()
    known = facts_of(match)
    names = _text(tournament.name), str(tournament.year or ""), _text(tournament.stage)
    found: dict[str, Sentence] = {
        "tournament": ("text", " ".join(filter(None, names))),
        "date": ("text", ""),
        "time": ("text", "" if known.time is UNSET else known.time.isoformat("minutes")),
        "room": ("text", known.room or ""),
        "place": ("text", _text(match.place)),
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
    if text := _text(record.comment):
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


#: A choice: the key of the word for the act, empty for a discard, and its tiles.
Choice: TypeAlias = tuple[str, tuple[Tile, ...]]
#: The values of Mortal, Manue's average rank, and the expected points of older versions of Manue.
Unit: TypeAlias = Literal["q", "rank", "points"]

_RIICHI, _CHI, _PASS, _CALL = "call.riichi", "call.chi", "call.pass", "call.any"
#: The bits of Mortal's mask: a discard of each of these tiles, then these acts.
_KINDS: Final = (*TILE_KINDS, *RED_FIVES)
_ACTS: Final = (_RIICHI, _CHI, _CHI, _CHI, "call.pon", "call.kan", "call.win", "reason.nine_kinds", _PASS)
#: The tiles of the three chis, counted from the called tile.
_CHIS: Final = ((1, 2), (-1, 1), (-2, -1))
_TAKEN: Final[Mapping[type, str]] = {
    ev.Riichi: _RIICHI,
    ev.Pon: "call.pon",
    ev.Daiminkan: "call.kan",
    ev.Kakan: "call.kan",
    ev.Ankan: "call.kan",
    ev.Win: "call.win",
    ev.Ryukyoku: "reason.nine_kinds",
    ev.Pass: _PASS,
}
#: The columns of Manue's tables.
_COLUMNS: Final[Mapping[str, str]] = {"rank": "avgRank", "points": "expPt"}
#: The amounts and the acts in them: a call or riichi and its discard, such as ``0.5mr``, a discard, or nothing.
_AMOUNT: Final = re.compile(r"-?\d{1,6}(\.\d{1,4})?", re.ASCII)
_MANUE: Final = re.compile(r"(?:(-1|\d)\.)?(none|[1-9][mps]|5[mps]r|[ESWNPFC])")
#: The limits: the letters of a log, the amount of a value, and the opinions of a round.
_MOST_LETTERS, _MOST, _MOST_OPINIONS = 20_000, 1e6, 1000
#: A player acts after an event within so many events.
_SOON: Final = 8
_DIGITS: Final = 4


class Opinion(StatePart, frozen=True):
    """The values of the choices of a seat, the best first. `taken` is the index of the choice that was taken."""

    seat: int
    unit: Unit
    choices: tuple[Choice, ...]
    values: tuple[float, ...]
    taken: int | UnsetType = UNSET


def opinions_by_step(
    events: Sequence[ev.Event], steps: Sequence[Step], observer: int | None = None
) -> dict[int, list[Opinion]]:
    """Return the opinions of a round by the step after which the player chose.

    `observer` is the seat of an in-game stream, whose messages ``none`` name no player. Other extras are left out,
    and opinions beyond the first thousand.
    """
    found: dict[int, list[Opinion]] = {}
    indices = [-1 if step.event is None else step.event for step in steps]
    count = 0
    for index, event in enumerate(events):
        if not event.extras or count >= _MOST_OPINIONS:
            continue
        before = max(0, bisect_left(indices, index) - 1)
        read = [(before, _of_mortal(event, steps[before], observer))]
        after = max(0, bisect_left(indices, index + 1) - 1)
        read += [(after, each) for each in _of_manue(events, index, len(steps[0].winds))]
        for step, opinion in read:
            if opinion is not None:
                found.setdefault(step, []).append(opinion)
                count += 1
    return found


def _opinion(
    seat: int, unit: Unit, valued: Mapping[Choice, float], taken: Choice | None, *, low: bool = False
) -> Opinion | None:
    """Return an opinion with its best choice first: the lowest, if `low`; None of fewer than two choices."""
    if len(valued) < 2:
        return None
    choices = sorted(valued, key=valued.__getitem__, reverse=not low)
    place = UNSET if taken is None or taken not in valued else choices.index(taken)
    return Opinion(seat, unit, tuple(choices), tuple([valued[choice] for choice in choices]), place)


def _number(value: Any) -> float | None:
    """Return a number of JSON as a float; None for other values, and for numbers beyond the limit."""
    measured = type(value) in (int, float, Decimal) and -_MOST <= value <= _MOST
    return round(float(value), _DIGITS) if measured else None


def _of_mortal(event: Any, before: Step, observer: int | None) -> Opinion | None:
    """Return the opinion in a message of Mortal: a value for each bit of its mask, which is for four players."""
    meta = event.extras.get("meta")
    seat: int | None = getattr(event, "actor", observer)
    if not isinstance(meta, dict) or len(before.winds) != 4 or seat is None or not 0 <= seat < 4:
        return None
    mask, values = meta.get("mask_bits"), meta.get("q_values")
    if type(mask) is not int or not isinstance(values, list) or not 0 < mask < 1 << len(_KINDS) + len(_ACTS):
        return None
    bits = [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
    numbers = [number for value in values[: len(bits) + 1] if (number := _number(value)) is not None]
    if len(numbers) != len(bits):
        return None
    last = before.state.last
    called = "" if last is None else before.state.river[last[0]][last[1]].tile
    valued = {_mortal_choice(bit, called): number for bit, number in zip(bits, numbers, strict=True)}
    return _opinion(seat, "q", valued, _taken(event))


def _mortal_choice(bit: int, called: Tile) -> Choice:
    if bit < len(_KINDS):
        return "", (_KINDS[bit],)
    act = bit - len(_KINDS)
    if _ACTS[act] != _CHI or not called[:1].isdigit():
        return _ACTS[act], ()
    tiles = tuple([f"{int(called[0]) + offset}{called[1]}" for offset in _CHIS[act - 1]])
    return _CHI, tiles if TILES.issuperset(tiles) else ()


def _taken(event: Any) -> Choice | None:
    """Return the choice of Mortal that an event is."""
    kind = type(event)
    if kind is ev.Discard:
        return "", (event.pai,)
    if kind is ev.Chi:
        return _CHI, tuple(sorted(map(plain, event.consumed)))
    return (_TAKEN[kind], ()) if kind in _TAKEN else None


def _of_manue(events: Sequence[ev.Event], index: int, seats: int) -> Iterator[Opinion | None]:
    """Yield the opinions in a message of Manue's server: for each seat a table in text, its best row first."""
    event: Any = events[index]
    logs = event.extras.get("logs")
    for seat, log in enumerate(logs[:seats] if isinstance(logs, list) else ()):
        if not isinstance(log, str) or len(log) > _MOST_LETTERS:
            continue
        rows = [[cell.strip() for cell in line.split("|")] for line in log.splitlines() if line.startswith("|")]
        head = rows[0] if rows else []
        unit: Unit = "rank" if "avgRank" in head else "points"
        if _COLUMNS[unit] not in head:
            continue
        own = getattr(event, "actor", None) == seat and type(event) is not ev.Discard
        valued: dict[Choice, float] = {}
        for row in rows[1:]:
            act = _MANUE.fullmatch(row[1]) if len(row) == len(head) else None
            if act and _AMOUNT.fullmatch(value := row[head.index(_COLUMNS[unit])]):
                # Which call has which number is not in the log: the best of those with the same discard stays.
                valued.setdefault(_manue_choice(act, own=own), float(value))
        soon = events[index + 1 : index + _SOON]
        yield _opinion(seat, unit, valued, _act(soon, seat) if own else _answer(soon, seat), low=unit == "rank")


def _manue_choice(act: re.Match[str], *, own: bool) -> Choice:
    call, tile = act.groups()
    tiles = () if tile == "none" else (tile,)
    if call in (None, "-1"):
        return ("" if tiles else _PASS), tiles
    return (_RIICHI if own else _CALL), tiles


def _act(soon: Sequence[ev.Event], seat: int) -> Choice | None:
    """Return the discard of the player who acts next, with riichi if it is declared first."""
    declared = ""
    for event in soon:
        if isinstance(event, ev.Riichi) and event.actor == seat:
            declared = _RIICHI
        elif not isinstance(event, ev.Dora):
            return (declared, (event.pai,)) if isinstance(event, ev.Discard) and event.actor == seat else None
    return None


def _answer(soon: Sequence[ev.Event], seat: int) -> Choice | None:
    """Return the call of a discard, or the pass. If another player calls it or wins, nobody knows."""
    for at, event in enumerate(soon, 1):
        if isinstance(event, ev.Draw):
            return _PASS, ()
        if isinstance(event, ev.Chi | ev.Pon) and event.actor == seat:
            discard = _act(soon[at:], seat)
            return None if discard is None else (_CALL, discard[1])
        if not isinstance(event, ev.RiichiAccepted | ev.Dora):
            return (_CALL, ()) if isinstance(event, ev.Daiminkan) and event.actor == seat else None
    return None
