"""The differences between two readings of a round or of a match, as a patch that can be written down and applied.

The hub knows the match that a writer's plain text is read as. `diff` compares that reading with the source. Its
patch is the content of a note, and its differences are the losses. So a note restores the source exactly, by
construction.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from itertools import compress, count
from operator import ne
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, UnsetType, structs
from msgspec.structs import astuple

from mjconv.ir.events import AnySeat, Event, from_message, name_of, to_message
from mjconv.ir.match import BESIDE, Annotation, Answer, Frozen, Match, Round
from mjconv.ir.play import share_play
from mjconv.ir.wide_events import from_wide_message

#: The comparison searches this many events ahead for the point where two lists of events agree again.
_LOOK_AHEAD: Final = 16

#: The fields that are not set as a whole: a patch edits them event by event, or does not hold them.
_EVENT_LISTS: Final = {"events", "opening", "closing", "rounds", *BESIDE}
#: The fields of a round whose values have the index of an event, and move with the events.
_INDEXED: Final = ("annotations", "answers")
#: The fields of a match that are no part of the comparison: each round has a patch.
_NOT_COMPARED: Final = {"rounds", *BESIDE}

Side: TypeAlias = Literal["lacks", "differs", "adds"]
Whole = TypeVar("Whole", Round, Match)
Indexed = TypeVar("Indexed", Annotation, Answer)


class Edit(Frozen, frozen=True):
    """One change to a list of events. `at` is an index of the list before any change.

    The edit deletes `delete` events from `at` on, and inserts the messages of `insert` there. Then it sets the
    keys `set` of the next event, and removes its keys `unset`.
    """

    at: int
    delete: int = 0
    insert: tuple[dict[str, Any], ...] = ()
    set: dict[str, Any] = msgspec.field(default_factory=dict)
    unset: tuple[str, ...] = ()


class Patch(Frozen, frozen=True):
    """The changes from one round or match to another: fields to set, fields to remove, and edits of events."""

    set: dict[str, Any] = msgspec.field(default_factory=dict)
    unset: tuple[str, ...] = ()
    events: tuple[Edit, ...] = ()
    opening: tuple[Edit, ...] = ()
    closing: tuple[Edit, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.set or self.unset or self.events or self.opening or self.closing)


class _StatedAnswer(Frozen, frozen=True):
    """An answer in a patch."""

    index: int
    message: dict[str, Any]
    seat: AnySeat | UnsetType = UNSET


class _StatedAnswers(Frozen, frozen=True):
    """The answers in a patch."""

    answers: tuple[_StatedAnswer, ...] = ()


class Difference(msgspec.Struct, frozen=True, gc=False):
    """One difference of a reading from the source.

    `what` names an event (``dora``), a key of an event (``dahai.pai``), or a field (``round.dice``). `side` says
    how the reading compares: it ``lacks`` the value of the source, ``differs`` from it, or ``adds`` a value.
    `event` is an index in the source's list of events, None for a field. `part` is the list, ``opening`` or
    ``closing``, empty for the events of a round.
    """

    what: str
    side: Side
    event: int | None = None
    part: str = ""


class PatchError(ValueError):
    """The patch does not fit the round or match that it is applied to."""


def diff(reading: Whole, source: Whole, *, restores: bool = True) -> tuple[Patch, list[Difference]]:
    """Compare a reading with the source. Return the patch that restores the source, and the differences.

    The rounds of a match are not compared: each round has a patch of its own. Unless `restores`, the patch has no
    values of fields, which saves time.

    >>> patch, differences = diff(Round(), Round(dice=(3, 4)))
    >>> patch.set, differences
    ({'dice': (3, 4)}, [Difference(what='round.dice', side='lacks', event=None, part='')])
    """
    # The comparison of two matches would be that of their rounds.
    if isinstance(source, Round) and reading == source:
        return Patch(), []
    differences: list[Difference] = []
    fields: dict[str, Any] = {}
    unset: list[str] = []
    edits: dict[str, tuple[Edit, ...]] = {}
    prefix = type(source).__name__.lower()
    defaults = _defaults(type(source)).items()
    for (name, default), ours, theirs in zip(defaults, astuple(reading), astuple(source), strict=True):
        if name in _INDEXED and ours:
            # Applying the edits moves annotations and answers with the events.
            ours = move(ours, edits.get("events", ()))
        if ours is theirs or name in _NOT_COMPARED:
            continue
        if name in _EVENT_LISTS:
            changes: list[Difference] = []
            edits[name] = tuple(_diff_events(ours, theirs, changes))
            part = "" if name == "events" else name
            differences += [structs.replace(difference, part=part) for difference in changes] if part else changes
        elif ours == theirs:
            continue
        elif name == "assumed":
            # `assumed` is no loss by itself: the keys that it names are.
            if restores:
                fields[name] = msgspec.to_builtins(theirs)
        elif theirs == default:
            unset.append(name)
            differences.append(Difference(f"{prefix}.{name}", "adds"))
        else:
            if restores:
                if name == "answers":
                    theirs = [_StatedAnswer(one.index, to_message(one.message), one.seat) for one in theirs]
                # The exact numbers of a JSON source stay numbers.
                exact = (Decimal,) if name in ("extras", "answers") else ()
                fields[name] = msgspec.to_builtins(theirs, enc_hook=dict, builtin_types=exact)
            side: Side = "lacks" if ours == default else "differs"
            differences.append(Difference(f"{prefix}.{name}", side))
    return Patch(fields, tuple(unset), **edits), differences


def apply(patch: Patch, reading: Whole, *, seats: int = 0) -> Whole:
    """Return the source that a patch was made from. Raises `PatchError` if the patch does not fit.

    `seats` is the number of players of a game beyond mjai: its events may hold the tiles of any set. 0 allows only
    the seats and tiles of mjai.

    >>> apply(Patch(set={"dice": [3, 4]}), Round()).dice
    (3, 4)
    """
    kind = type(reading)
    names = (*patch.set, *patch.unset)
    for name in names:
        if name in _EVENT_LISTS or name not in kind.__struct_fields__:
            raise PatchError(f"a {kind.__name__.lower()} has no {name!r}")
    # Messages of answers have keys that no type defines.
    fields = {name: value for name, value in patch.set.items() if name != "answers"}
    # A field that is removed has its default here.
    stated = _converted(fields, kind)
    changed: dict[str, Any] = {name: getattr(stated, name) for name in names}
    if "answers" in patch.set:
        made = _converted({"answers": patch.set["answers"]}, _StatedAnswers).answers
        changed["answers"] = tuple([Answer(one.index, _made(one.message, seats), one.seat) for one in made])
    for name in ("events", "opening", "closing"):
        edits = getattr(patch, name)
        if edits:
            if not hasattr(reading, name):
                raise PatchError(f"a {kind.__name__.lower()} has no {name!r}")
            changed[name] = _apply_events(edits, getattr(reading, name), seats)
    if patch.events and isinstance(reading, Round):
        for name in _INDEXED:
            if getattr(reading, name) and name not in changed:
                changed[name] = move(getattr(reading, name), patch.events)
    restored: Whole = structs.replace(reading, **changed)
    if isinstance(reading, Round) and isinstance(restored, Round):
        share_play(reading, restored)
    return restored


def move(beside: tuple[Indexed, ...], edits: Sequence[Edit]) -> tuple[Indexed, ...]:
    """Return the annotations or answers of a round after edits of its events: each still follows the same event.

    >>> edits = [Edit(2, insert=({"type": "reach", "actor": 0},))]
    >>> [moved.index for moved in move((Annotation(2, "comment"), Annotation(3, "comment")), edits)]
    [2, 4]
    """
    moved = {index: _moved(edits, index) for index in {one.index for one in beside}}
    return tuple([structs.replace(one, index=moved[one.index]) for one in beside])


def _moved(edits: Sequence[Edit], index: int) -> int:
    """Return the number of events before an annotation or an answer once the edits are applied."""
    more = 0
    for edit in edits:
        if edit.at >= index:
            break
        deleted = min(edit.delete, index - edit.at)
        # Of events that replace others, as many come before the annotation as there were.
        inserted = len(edit.insert) if deleted == edit.delete else min(len(edit.insert), deleted)
        more += inserted - deleted
    return index + more


def origin(edits: Sequence[Edit], index: int) -> int:
    """Return the index, before the edits, of the event at `index` after them.

    For an event that an edit inserts, returns the index of the event that it replaces, or else follows.

    >>> edits = [Edit(2, insert=({"type": "reach", "actor": 0},)), Edit(3, unset=("tsumogiri",))]
    >>> [origin(edits, index) for index in range(5)]
    [0, 1, 1, 2, 3]
    """
    more = 0
    for edit in edits:
        begin = edit.at + more
        if index < begin:
            break
        inserted = len(edit.insert)
        if index < begin + inserted:
            return edit.at + min(index - begin, edit.delete - 1) if edit.delete else max(edit.at - 1, 0)
        more += inserted - edit.delete
    return index - more


@cache
def _defaults(kind: type[Any]) -> Mapping[str, Any]:
    """Return the default of each field of a round or match."""
    return structs.asdict(kind())


def _diff_events(
    reading: Sequence[Event], source: Sequence[Event], differences: list[Difference]
) -> Iterator[Edit]:
    """Yield the edits that make the source of the reading, and add what differs to `differences`."""
    # `at` is the place in the reading, as in `Edit`, and `index` the one in the source.
    at = index = 0
    while at < len(reading) or index < len(source):
        # The number of events before each that is not equal in both lists.
        for same in compress(count(), map(ne, reading[at:], source[index:])):
            ours, theirs = reading[at + same], source[index + same]
            if not _alike(ours, theirs):
                break
            yield _diff_event(at + same, ours, theirs, index + same, differences)
        else:
            same = min(len(reading) - at, len(source) - index)
        at, index = at + same, index + same
        skip, insert = _meet_again(reading, source, at, index)
        if not skip and not insert:
            return
        for theirs in source[index : index + insert]:
            differences.append(Difference(name_of(theirs), "lacks", index))
            index += 1
        differences.extend([Difference(name_of(ours), "adds", index) for ours in reading[at : at + skip]])
        yield Edit(at, skip, tuple([to_message(event) for event in source[index - insert : index]]))
        at += skip


def _diff_event(at: int, ours: Event, theirs: Event, index: int, differences: list[Difference]) -> Edit:
    kind = name_of(theirs)
    fields: dict[str, Any] = {}
    unset: list[str] = []
    for key, before, after in _values_of_both(ours, theirs):
        if before == after:
            continue
        if after is UNSET:
            unset.append(key)
        else:
            fields[key] = after
            differences.append(Difference(f"{kind}.{key}", "lacks" if before is UNSET else "differs", index))
    differences.extend([Difference(f"{kind}.{key}", "adds", index) for key in unset])
    return Edit(at, set=fields, unset=tuple(unset))


def _values_of_both(ours: Event, theirs: Event) -> Iterable[tuple[str, Any, Any]]:
    """Return each key of two events of a kind with both values, UNSET for an absent one."""
    if ours.extras is UNSET and theirs.extras is UNSET:
        return zip(type(theirs).__struct_encode_fields__, astuple(ours), astuple(theirs), strict=True)
    before, after = to_message(ours), to_message(theirs)
    return [(key, before.get(key, UNSET), after.get(key, UNSET)) for key in after | before]


def _alike(ours: Event, theirs: Event) -> bool:
    """Return whether an edit of keys makes one event of the other: both are of one kind and one player."""
    return type(ours) is type(theirs) and getattr(ours, "actor", None) == getattr(theirs, "actor", None)


def _meet_again(reading: Sequence[Event], source: Sequence[Event], at: int, index: int) -> tuple[int, int]:
    """Return the numbers of events to delete and to insert until both lists agree again."""
    if at == len(reading) or index == len(source):
        return len(reading) - at, len(source) - index
    for ahead in range(1, _LOOK_AHEAD):
        if index + ahead < len(source) and _alike(reading[at], source[index + ahead]):
            return 0, ahead
        if at + ahead < len(reading) and _alike(reading[at + ahead], source[index]):
            return ahead, 0
    if len(reading) - at < _LOOK_AHEAD:
        # A short reading, such as a result alone, may agree again anywhere in the source.
        for further in range(index + _LOOK_AHEAD, len(source)):
            if _alike(reading[at], source[further]):
                return 0, further - index
    if len(reading) - at == 1:
        # The last event, such as a result by another player, replaces the first of its kind.
        for further in range(index + 1, len(source)):
            if type(source[further]) is type(reading[at]) is not type(source[index]):
                return 0, further - index
    return 1, 1


def _apply_events(edits: Sequence[Edit], reading: Sequence[Event], seats: int) -> list[Event]:
    events: list[Event] = []
    done = 0
    for edit in edits:
        if edit.delete < 0 or not done <= edit.at <= edit.at + edit.delete <= len(reading):
            raise PatchError(f"no events {edit.at} to {edit.at + edit.delete}, in order, among {len(reading)}")
        events += reading[done : edit.at]
        done = edit.at + edit.delete
        for message in edit.insert:
            events.append(_made(message, seats))
        if edit.set or edit.unset:
            if done >= len(reading):
                raise PatchError(f"no event {done} among {len(reading)}")
            message = {**to_message(reading[done]), **edit.set}
            for key in edit.unset:
                message.pop(key, None)
            events.append(_made(message, seats))
            done += 1
    return events + list(reading[done:])


def _converted(value: Any, kind: type[Any]) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        raise PatchError(f"{path.strip('.`')}: {reason}") from None


def _made(message: dict[str, Any], seats: int) -> Event:
    try:
        return from_message(message)
    except msgspec.ValidationError as error:
        if not seats:
            raise PatchError(str(error)) from None
    try:
        return from_wide_message(message, seats)
    except msgspec.ValidationError as error:
        raise PatchError(str(error)) from None
