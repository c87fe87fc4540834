"""Objects that hold a game as JSON: a list of rounds under the key ``log``, and keys around it.

Keys that the source spells otherwise than the writer come back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from msgspec import UNSET, UnsetType

from mjconv.converters.shared import jsontext
from mjconv.converters.shared.json_file import Located
from mjconv.converters.shared.json_values import Path, WrongValueError, check_list, shown
from mjconv.converters.shared.restore import FoundNote, notes_of_value
from mjconv.ir.errors import InputError, UnsupportedError
from mjconv.ir.events import RESULTS, Event
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round, Text, Tournament

if TYPE_CHECKING:
    from mjconv.converters.shared.completed import CompleteRound


class WithEvents(Protocol):
    """The reading of the values of a round."""

    @property
    def events(self) -> Sequence[Event]:
        """The events of the round."""


Read = TypeVar("Read", bound=WithEvents)

#: The key of the rounds, and the key of the notes.
LOG: Final = "log"
NOTE: Final = "mjconv"


def head_and_log(value: Any) -> tuple[dict[str, Any], list[Any]]:
    """Return the keys around the rounds, and the rounds. Raises `WrongValueError` if the value is no such object.

    >>> head_and_log({"title": "", "log": [[]], "mjconv": {}})
    ({'title': ''}, [[]])
    """
    if not isinstance(value, dict):
        raise WrongValueError(f"expected an object with the key {LOG}, not {shown(value)}")
    if LOG not in value:
        raise WrongValueError(f"the object has no key {LOG} with the rounds")
    head = {key: each for key, each in value.items() if key not in (LOG, NOTE)}
    return head, check_list(value[LOG], (LOG,), "a list of rounds")


def kept_keys(head: Mapping[str, Any], usual: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the keys of the source with other values than the usual ones, and the usual keys that it lacks.

    >>> kept_keys({"title": "A", "lobby": 1}, {"title": "", "name": []})
    ({'title': 'A', 'lobby': 1}, ['name'])
    """
    other = {key: value for key, value in head.items() if key not in usual or usual[key] != value}
    return other, [key for key in usual if key not in head]


def with_kept_keys(
    usual: Mapping[str, Any],
    kept: Mapping[str, Any],
    absent: Collection[str],
    own: Match,
    stated_by: Callable[[Mapping[str, Any]], Match],
    following: Collection[str] = (),
) -> dict[str, Any]:
    """Return the usual keys of an object, with the keys of the source as far as they state the same.

    `kept` are the keys that the source spells otherwise, `absent` the usual keys that it does not have. `own` is
    the match without its rounds. `stated_by` returns the match that keys state, or raises `WrongValueError`. If
    all keys of the source together do not state `own`, the match was changed. Then each key of the source is taken
    that states the same as the usual key, except keys that follow from other keys (`following`).

    >>> from mjconv.ir.match import Name, Player, Text
    >>> def stated_by(keys):
    ...     return Match([Player(Name(Text(keys["name"].strip())))])
    >>> with_kept_keys({"name": "A"}, {"name": " A", "log": 1}, (), stated_by({"name": "A"}), stated_by)
    {'name': ' A'}
    >>> with_kept_keys({"name": "B"}, {"name": " A"}, (), stated_by({"name": "B"}), stated_by)
    {'name': 'B'}
    """
    written = dict(usual)
    other = {key: value for key, value in kept.items() if key not in (LOG, NOTE)}
    missing = [key for key in absent if key in usual]
    if not other and not missing:
        return written

    def states(keys: Mapping[str, Any], match: Match) -> bool:
        try:
            return stated_by(keys) == match
        except WrongValueError:
            return False

    whole = {key: value for key, value in {**written, **other}.items() if key not in missing}
    if states(whole, own):
        return whole
    stated = stated_by(written)
    for key, value in other.items():
        if key not in following and states({**written, key: value}, stated):
            written[key] = value
    for name in missing:
        fewer = {key: value for key, value in written.items() if key != name}
        if states(fewer, stated):
            written = fewer
    return written


class WrittenValues(Generic[Read]):
    """The values of a round as they are written. Their reading is made when it is first asked for."""

    def __init__(self, values: list[Any], read: Callable[[list[Any]], Read]) -> None:
        self.values = values
        self._read = read

    @cached_property
    def reading(self) -> Read:
        """The reading of the values. Raises `WrongValueError` if the reader refuses them."""
        return self._read(self.values)

    def with_kept(self, kept: Mapping[str, Any], source: Sequence[Event]) -> WrittenValues[Read]:
        """Return the values, spelled as in the source where they state the same.

        `kept` are the values that the source spells otherwise, by their index. If all values of the source
        together do not state the events of the `source`, the round was changed, or comes without its events. Then
        each value is taken that states the same as the usual one.
        """
        usual = self
        other = {at: kept[str(at)] for at in range(len(self.values) if kept else 0) if str(at) in kept}
        if not other:
            return usual
        whole = WrittenValues([other.get(index, value) for index, value in enumerate(self.values)], self._read)
        if whole._states(source):
            return whole
        for index, value in other.items():
            tried = WrittenValues([*usual.values[:index], value, *usual.values[index + 1 :]], self._read)
            if tried._states(self.reading.events):
                usual = tried
        return usual

    def _states(self, events: Sequence[Event]) -> bool:
        try:
            return self.reading.events == events
        except WrongValueError:
            return False


def played_rounds(match: Match, name: str) -> list[tuple[Round, CompleteRound]]:
    """Return each round of a match with its derived values. `name` is the name of the format in errors.

    Raises `UnsupportedError` for a round without a deal, or with a result and no play, and `PlayError` for events
    that cannot be played.
    """
    for one in match.rounds:
        if one.start is None:
            raise UnsupportedError(f"round {one.label}: the deal is missing")
        # A deal alone has neither play nor a result.
        if not one.is_played and not RESULTS.isdisjoint(map(type, one.events)):
            raise UnsupportedError(f"round {one.label}: {name} holds rounds with their play only")
    # Imported here: readers need no derived values, and the rules take long to load.
    from mjconv.converters.shared.completed import complete

    return list(zip(match.rounds, complete(match), strict=True))


class JsonGame:
    """One object: its keys around the rounds, the values of the rounds, and where it is.

    `number` is the index of its match. If it is no such object, that is a fault, and `is_object` is false.
    """

    def __init__(self, located: Located, report: Report, number: int) -> None:
        self.located = located
        self.report = report
        self.number = number
        self.head: dict[str, Any] = {}
        self.values: list[Any] = []
        self.is_object = True
        try:
            self.head, self.values = head_and_log(located.value)
        except WrongValueError as error:
            self.fault(error)
            self.is_object = False

    def read_rounds(self, read: Callable[[Any], Read], unread: Read) -> list[Read]:
        """Return what each round is read as. A round that cannot be read is a fault, and is `unread`."""
        readings: list[Read] = []
        for index, value in enumerate(self.values):
            try:
                readings.append(read(value))
            except WrongValueError as error:
                self.fault(error.within(LOG, index), index)
                readings.append(unread)
        return readings

    def fault(self, error: WrongValueError, index: int | None = None) -> None:
        """Report a wrong value in the object, or in the round of an index."""
        place = self.located.place(error.path)
        self.report.fault(InputError(str(error), place), match=self.number, round=index)

    def warn(self, message: str, path: Path, index: int | None = None, label: str | None = None) -> None:
        """Warn of a value of the object, or of the round of an index. `label` is the name of the round."""
        self.report.warn(message, match=self.number, round=index, label=label, place=self.located.place(path))

    def notes(self, match: Match) -> list[FoundNote]:
        """Return the notes of the object. `match` is its match, whose rounds the notes name."""
        if NOTE not in self.located.value:
            return []
        labels = {each.label: index for index, each in reversed(list(enumerate(match.rounds)))}
        value, place = self.located.value[NOTE], self.located.place
        return list(notes_of_value(value, (NOTE,), place, self.report, self.number, labels=labels))


def round_tokens(value: Any) -> bytes:
    """Return the bytes for the digest of a round's note: its value, without the layout of the text."""
    return jsontext.dumps(value)


def head_tokens(head: Mapping[str, Any]) -> bytes:
    """Return the bytes for the digest of a match's note: the keys around the rounds, sorted by their names."""
    return jsontext.dumps(dict(sorted(head.items())))


def tournament_of(name: str, stage: str) -> Tournament | UnsetType:
    """Return the tournament of the two texts of a title; absent if both are empty.

    >>> tournament_of("Open", ""), tournament_of("", "")
    (Tournament(name=Text(native='Open')), UNSET)
    """
    if not name and not stage:
        return UNSET
    return Tournament(name=Text(name) if name else UNSET, stage=Text(stage) if stage else UNSET)


def texts_of(tournament: Tournament | UnsetType) -> list[str]:
    """Return the two texts of a title: the name of the tournament, and the stage.

    >>> texts_of(Tournament(name=Text("Open"))), texts_of(UNSET)
    (['Open', ''], ['', ''])
    """
    texts = (UNSET, UNSET) if tournament is UNSET else (tournament.name, tournament.stage)
    return ["" if text is UNSET else text.shown for text in texts]
