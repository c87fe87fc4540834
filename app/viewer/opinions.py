"""Opinions of programs on the choices of players: answers beside the play, and values that a record holds.

Values are Mortal's `meta`, Manue's `logs`, or any list of actions and numbers in the `meta` of a message.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match
from mjconv.ir.tiles import RED_FIVES, TILE_KINDS, TILES, Tile, plain
from mjconv.referee.choices import PASS, matching
from mjconv.referee.decisions import SeatDecision, decision_at, decisions
from mjconv.viewer.state import StatePart
from mjconv.viewer.steps import Step
from mjconv.viewer.words import Sentence

#: A choice: the key of the word for the act, empty for a discard, and its tiles.
Choice: TypeAlias = tuple[str, tuple[Tile, ...]]
#: The values of Mortal, Manue's average rank, the expected points of its older versions, and any other values.
Unit: TypeAlias = Literal["q", "rank", "points", "value"]

_RIICHI, _CHI, _PASS, _CALL = "call.riichi", "call.chi", "call.pass", "call.any"
#: The bits of Mortal's mask: a discard of each of these tiles, then these acts.
_KINDS: Final = (*TILE_KINDS, *RED_FIVES)
_ACTS: Final = (_RIICHI, _CHI, _CHI, _CHI, "call.pon", "call.kan", "call.win", "reason.nine_kinds", _PASS)
#: The tiles of the three chis, counted from the called tile.
_CHIS: Final = ((1, 2), (-1, 1), (-2, -1))
#: The acts by the types of their messages. A discard is named by its tile alone.
_ACT_OF: Final[Mapping[Any, str]] = {
    "dahai": "",
    "reach": _RIICHI,
    "chi": _CHI,
    "pon": "call.pon",
    **dict.fromkeys(("daiminkan", "kakan", "ankan"), "call.kan"),
    "nukidora": "call.aside",
    "hora": "call.win",
    "ryukyoku": "reason.nine_kinds",
    "none": _PASS,
}
#: The columns of Manue's tables.
_COLUMNS: Final[Mapping[str, str]] = {"rank": "avgRank", "points": "expPt"}
#: The amounts and the acts in them: a call or riichi and its discard, such as ``0.5mr``, a discard, or nothing.
_AMOUNT: Final = re.compile(r"-?\d{1,6}(\.\d{1,4})?", re.ASCII)
_MANUE: Final = re.compile(r"(?:(-1|\d)\.)?(none|[1-9][mps]|5[mps]r|[ESWNPFC])")
#: The limits: the letters of a log and of a name, the amount of a value, and the numbers of values and opinions.
_MOST_LETTERS, _LONGEST_NAME, _MOST, _MOST_VALUES, _MOST_OPINIONS = 20_000, 40, 1e6, 100, 1000
#: A player acts after an event within so many events.
_SOON: Final = 8
_DIGITS: Final = 4


class Opinion(StatePart, frozen=True):
    """What a program thinks of the choices of a seat, the best choice first.

    `taken` is the index of the choice that was taken, `answered` that of the choice with which the program
    answered in the place of the player. Choices beyond the `values` have no value. `illegal`: the rules do not
    allow the answer. `name` is the name of the program, and `line` the answer as a sentence.
    """

    seat: int
    unit: Unit | UnsetType
    choices: tuple[Choice, ...]
    values: tuple[float, ...]
    taken: int | UnsetType = UNSET
    answered: int | UnsetType = UNSET
    illegal: bool = False
    name: str | UnsetType = UNSET
    line: Sentence | UnsetType = UNSET


def opinions_by_step(match: Match, number: int, steps: Sequence[Step]) -> dict[int, list[Opinion]]:
    """Return the opinions on the round `number` of a match by the step after which the player chose.

    They are in the answers beside the round, and in the keys of its events. Answers where a player has one choice
    alone are left out, other keys too, and opinions beyond the first thousand.
    """
    record = match.rounds[number]
    indices = [-1 if step.event is None else step.event for step in steps]
    read: list[tuple[int, Opinion | None]] = []
    for index, *about in _answers(match, number):
        read.append((index, _of_answer(steps[_at(indices, index)], *about)))
    for index, event in enumerate(record.events):
        if event.extras:
            valued = _valued(event.extras, steps[_at(indices, index)])
            if valued is not None and (seat := getattr(event, "actor", -1)) in range(len(steps[0].winds)):
                read.append((index, _opinion(seat, *valued, _choice(ev.to_message(event)))))
            read += [(index + 1, each) for each in _of_manue(record.events, index, len(steps[0].winds))]
    found: dict[int, list[Opinion]] = {}
    known = ((index, opinion) for index, opinion in read if opinion is not None)
    for index, opinion in islice(known, _MOST_OPINIONS):
        found.setdefault(_at(indices, index), []).append(opinion)
    return found


def _at(indices: Sequence[int], index: int) -> int:
    """Return the last step before the event `index`."""
    return max(0, bisect_left(indices, index) - 1)


def _answers(match: Match, number: int) -> Iterator[tuple[int, int, Any, SeatDecision | None]]:
    """Yield the answers of a round to decisions: index, seat, message, decision; None if there is no decision.

    A player may answer a decision again after a dora or an accepted riichi. Then the first answer counts.
    """
    record = match.rounds[number]
    found: dict[int, dict[int, SeatDecision] | None] = {}
    first: dict[tuple[int, int], int] = {}
    for answer in record.answers:
        seat, message = answer.seat, answer.message
        if seat is UNSET or seat >= match.seats or ev.name_of(message) not in _ACT_OF:
            continue
        if seat not in found:
            try:
                found[seat] = {one.index: one for one in decisions(match, number, seat)}
            except UnsupportedError:
                found[seat] = None
        known = found[seat]
        decision = decision_at(known, record.events, answer.index) if known else None
        if decision is None:
            if type(message) is not ev.Pass:
                yield answer.index, seat, message, SeatDecision(answer.index, (PASS,), None) if known else None
        elif first.setdefault((seat, decision.index), answer.index) == answer.index:
            yield decision.index, seat, message, decision


def _of_answer(before: Step, seat: int, message: Any, decision: SeatDecision | None) -> Opinion | None:
    """Return the opinion in an answer. `decision` is None where the rules of the game are not known."""
    offered, played = (decision.choices, decision.taken) if decision else ((), None)
    illegal = decision is not None and matching(offered, message) is None
    answered = _choice(ev.to_message(message))
    if answered is None or (len(offered) == 1 and not illegal):
        return None
    unit, valued = _valued(message.extras or {}, before) or (UNSET, {})
    taken = None if played is None else _choice(ev.to_message(played))
    if played is not None and answered == taken and matching((played,), message) is None:
        # They differ in tiles that the act alone does not name, such as a red five.
        answered, taken = ((answered[0], getattr(one, "consumed", ())) for one in (message, played))
    meta = (message.extras or {}).get("meta")
    name = meta.get("name") if isinstance(meta, dict) else None
    name = (" ".join(name.split())[:_LONGEST_NAME] if isinstance(name, str) else "") or UNSET
    kind = "illegal" if illegal else "only" if taken is None else "same" if taken == answered else "other"
    who = ("text", name) if name else ("answer.unnamed",)
    line = (f"answer.{kind}", who, seat, *(_said(each) for each in (answered, taken) if each is not None))
    return _opinion(seat, unit, valued, taken, answered=answered, illegal=illegal, name=name, line=line)


def _said(choice: Choice) -> Sentence:
    """Return a choice as a sentence."""
    act, tiles = choice
    return ("choice", act, tiles) if act and tiles else ("choice.tiles", tiles) if tiles else (act,)


def _opinion(
    seat: int,
    unit: Unit | UnsetType,
    valued: Mapping[Choice, float],
    taken: Choice | None,
    *,
    answered: Choice | None = None,
    low: bool = False,
    **more: Any,
) -> Opinion | None:
    """Return an opinion with its best choice first: the lowest, if `low`; None of fewer than two choices."""
    if len(valued) < 2 and answered is None:
        return None
    ranked = sorted(valued, key=valued.__getitem__, reverse=not low)
    beside = [each for each in (answered, taken) if answered and each]
    choices = list(dict.fromkeys((*ranked, *beside)))
    values = tuple([valued[choice] for choice in ranked])
    more |= {key: choices.index(one) for key, one in (("taken", taken), ("answered", answered)) if one in choices}
    return Opinion(seat, unit, tuple(choices), values, **more)


def _valued(extras: Mapping[str, Any], before: Step) -> tuple[Unit, dict[Choice, float]] | None:
    """Return the values in the key ``meta`` of a message: of Mortal, or a list of actions and numbers."""
    meta = extras.get("meta")
    if not isinstance(meta, dict):
        return None
    if not isinstance(pairs := meta.get("values"), list | tuple):
        return _of_mortal(meta, before)
    valued: dict[Choice, float] = {}
    for pair in pairs[:_MOST_VALUES]:
        action, value = pair if isinstance(pair, list | tuple) and len(pair) == 2 else (None, None)
        choice = _choice(action) if isinstance(action, dict) else None
        if choice is None or (number := _number(value)) is None:
            return None
        valued[choice] = max(number, valued.get(choice, number))
    return "value", valued


def _choice(message: Mapping[str, Any]) -> Choice | None:
    """Return the choice that an mjai message is; None for another message.

    >>> _choice({"type": "chi", "consumed": ["6p", "5pr"]})
    ('call.chi', ('5p', '6p'))
    """
    act = _ACT_OF.get(kind) if isinstance(kind := message.get("type"), str) else None
    tiles = [message.get("pai")] if act == "" else message.get("consumed") if act == _CHI else []
    if act is None or not isinstance(tiles, list | tuple) or not all(isinstance(one, str) for one in tiles):
        return None
    if not TILES.issuperset(tiles):
        return None
    return act, tuple(sorted(map(plain, tiles))) if act else tuple(tiles)


def _number(value: Any) -> float | None:
    """Return a number of JSON as a float; None for other values, and for numbers beyond the limit."""
    measured = type(value) in (int, float, Decimal) and -_MOST <= value <= _MOST
    return round(float(value), _DIGITS) if measured else None


def _of_mortal(meta: Mapping[str, Any], before: Step) -> tuple[Unit, dict[Choice, float]] | None:
    """Return the values of Mortal: one for each bit of its mask, which is for four players."""
    if len(before.winds) != 4:
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
    return "q", {_mortal_choice(bit, called): number for bit, number in zip(bits, numbers, strict=True)}


def _mortal_choice(bit: int, called: Tile) -> Choice:
    if bit < len(_KINDS):
        return "", (_KINDS[bit],)
    act = bit - len(_KINDS)
    if _ACTS[act] != _CHI or not called[:1].isdigit():
        return _ACTS[act], ()
    tiles = tuple([f"{int(called[0]) + offset}{called[1]}" for offset in _CHIS[act - 1]])
    return _CHI, tiles if TILES.issuperset(tiles) else ()


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
