"""The metadata of a match, read and written: one table of fields for each statement around the frames.

A field that the version cannot spell is left out. It is then missing from the match that is returned.
"""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, get_args

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.jmjp.grammar import pattern
from mjconv.converters.jmjp.spelling import CODES, Field, read_points, write_points
from mjconv.converters.jmjp.text import STRING, read_string, write_string
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import AtOffsetError
from mjconv.ir.match import (
    USUAL_SEATS,
    Match,
    Name,
    Player,
    Recorder,
    RoundId,
    Rules,
    Text,
    Tournament,
    TournamentPoints,
    Weekday,
)
from mjconv.ir.seats import turned
from mjconv.ir.tiles import WINDS

#: The most digits of the number of a match, and of a honba.
_NUMBER_DIGITS: Final = 9
_HONBA_DIGITS: Final = 4
#: The largest values that are spelled.
MOST_YEAR: Final = 9999
MOST_NUMBER: Final = 10**_NUMBER_DIGITS - 1
MOST_HONBA: Final = 10**_HONBA_DIGITS - 1


class RefusedValueError(AtOffsetError):
    """A value that the grammar accepts and that is impossible: a message, and an offset in the stripped text."""


class Spelled(NamedTuple):
    """The spelling of a value, empty if it is left out, and the value that the reader reads from it."""

    text: str
    value: Any


ABSENT: Final = Spelled("", UNSET)


class _Kind(NamedTuple):
    """How fields of one kind are read and written.

    `read` takes the text and its offset in the stripped text; it raises `RefusedValueError`. `spell` returns None
    for a value that cannot be spelled.
    """

    read: Callable[[str, int], Any]
    spell: Callable[[Any], str | None]

    def write(self, value: Any) -> Spelled:
        text = None if value is UNSET else self.spell(value)
        return ABSENT if text is None else Spelled(text, value)


class _Group(NamedTuple):
    """Fields that make one value, with commas between them and brackets around them.

    `major` is the version, `rule` their rule in the grammar. `fields` has their kinds by their keys in the value.
    With `whole`, the group is left out if one of its fields cannot be spelled.
    """

    major: int
    rule: str
    make: Callable[..., Any]
    opening: str
    fields: Mapping[str, Any]
    closing: str
    whole: bool = False

    def read(self, text: str, offset: int) -> Any:
        form = pattern(self.rule, self.major).fullmatch(text)
        assert form is not None, "the grammar accepted the text"
        values = {}
        # A player's id comes before the fields.
        for group, (key, kind) in enumerate(self.fields.items(), len(form.groups()) - len(self.fields) + 1):
            if form[group]:
                values[key] = kind.read(form[group], offset + form.start(group))
        return self.make(**values)

    def write(self, value: Any) -> Spelled:
        if value is UNSET:
            return ABSENT
        fields = {key: kind.write(getattr(value, key)) for key, kind in self.fields.items()}
        if self.whole and not all(field.text for field in fields.values()):
            return ABSENT
        text = f"{self.opening}{','.join(field.text for field in fields.values())}{self.closing}"
        values = {key: field.value for key, field in fields.items() if field.value is not UNSET}
        return Spelled(text, self.make(**values))


class _FixedRow(NamedTuple):
    """A fixed number of values of one kind, with commas between them and brackets around them.

    `item` matches the text of one value. The row is left out if one of its values cannot be spelled.
    """

    item: re.Pattern[str]
    opening: str
    kind: Any
    size: int
    closing: str

    def read(self, text: str, offset: int) -> tuple[Any, ...]:
        return tuple([self.kind.read(one[0], offset + one.start()) for one in self.item.finditer(text)])

    def write(self, values: Sequence[Any] | UnsetType) -> Spelled:
        if values is UNSET or len(values) != self.size:
            return ABSENT
        spelled = [self.kind.write(value) for value in values]
        if not all(one.text for one in spelled):
            return ABSENT
        text = f"{self.opening}{','.join(one.text for one in spelled)}{self.closing}"
        return Spelled(text, tuple(one.value for one in spelled))


# The kinds of fields.

_SCRIPTS: Final = {"snt": "native", "srm": "roman"}
_STR_PART: Final = {major: re.compile(rf"(snt|srm)\[({string})\]") for major, string in STRING.items()}


def read_text(text: str, major: int) -> Text:
    """Return a text from its native part, its romanised part, or both (section 2.3.1); or of a shorthand token.

    >>> read_text('snt["a"]srm["b"]', 1), read_text("mlg", 1)
    (Text(native='a', roman='b'), Text(code='mlg'))
    """
    parts = _STR_PART[major].findall(text)
    return Text(**{_SCRIPTS[word]: read_string(part, major) for word, part in parts}) if parts else Text(code=text)


def write_text(text: Text | UnsetType, major: int, field: Field | None = None) -> str | None:
    r"""Spell a text, or the code of a field that has shorthand tokens; None for a text that cannot be spelled.

    A text without any part cannot: reading it back gives no text.

    >>> write_text(Text(native="局"), 1), write_text(Text(code="mlg"), 1, "tour_name"), write_text(Text("\\"), 1)
    ('snt["局"]', 'mlg', None)
    """
    if text is UNSET:
        return None
    if text.code is not UNSET:
        known = text.code in CODES and field in CODES[text.code].fields
        return text.code if known and text.native is UNSET and text.roman is UNSET else None
    spelled = [
        (word, write_string(getattr(text, script), major))
        for word, script in _SCRIPTS.items()
        if getattr(text, script) is not UNSET
    ]
    if not spelled or any(string is None for _, string in spelled):
        return None
    return "".join(f"{word}[{string}]" for word, string in spelled)


def points_at(text: str, offset: int) -> int:
    """Return the points of a number at an offset of the stripped text. Raises `RefusedValueError`."""
    try:
        return read_points(text)
    except ValueError as error:
        raise RefusedValueError(str(error), offset) from None


_PT: Final = re.compile(r"-?[0-9]+\.[0-9]")
_TOUR: Final = re.compile(r"\([^()]*\)")
_ROUND_ID: Final = re.compile(r"[ESWN][1-4]-[0-9]+")


def points_in(text: str, offset: int) -> tuple[int, ...]:
    """Return the points of all numbers in a text at an offset of the stripped text. Raises `RefusedValueError`."""
    return tuple([points_at(number[0], offset + number.start()) for number in _PT.finditer(text)])


def round_id_at(text: str, offset: int) -> RoundId:
    """Return the round of a frame id at an offset of the stripped text. Raises `RefusedValueError`."""
    honba = text[3:]
    if len(honba) > _HONBA_DIGITS:
        raise RefusedValueError(f"the honba has {len(honba)} digits, at most {_HONBA_DIGITS} are read", offset + 3)
    return RoundId(text[0], int(text[1]), int(honba))


def _number_at(text: str, offset: int) -> int:
    if len(text) > _NUMBER_DIGITS:
        raise RefusedValueError(f"the number has {len(text)} digits, at most {_NUMBER_DIGITS} are read", offset)
    return int(text)


def _date_at(text: str, offset: int) -> datetime.date:
    try:
        return datetime.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        raise RefusedValueError(f"there is no date {text}: expected YYYYMMDD", offset) from None


def _time_at(text: str, offset: int) -> datetime.time:
    try:
        return datetime.time(int(text[:2]), int(text[2:]))
    except ValueError:
        raise RefusedValueError(f"there is no time {text}: expected HHMM", offset) from None


def _rounds_at(text: str, offset: int) -> str | tuple[RoundId, ...]:
    if text == "all":
        return text
    return tuple([round_id_at(one[0], offset + one.start()) for one in _ROUND_ID.finditer(text)])


def _spell_rounds(rounds: str | tuple[RoundId, ...]) -> str | None:
    if rounds == "all":
        return "all"
    ids = [round_id for round_id in rounds if isinstance(round_id, RoundId)]
    spellable = bool(ids) and all(
        round_id.wind in WINDS and 1 <= round_id.number <= USUAL_SEATS and 0 <= round_id.honba <= MOST_HONBA
        for round_id in ids
    )
    return "".join(map(str, ids)) if spellable else None


def _spell_time(time: datetime.time) -> str | None:
    whole_minute = time == datetime.time(time.hour, time.minute)
    return f"{time.hour:02}{time.minute:02}" if whole_minute else None


_POINTS: Final = _Kind(points_at, write_points)
_NUMBER: Final = _Kind(_number_at, lambda number: str(number) if 0 <= number <= MOST_NUMBER else None)
_YEAR: Final = _Kind(_number_at, lambda year: f"{year:04}" if 0 <= year <= MOST_YEAR else None)
# Not strftime: it leaves out the zeros of early years.
_DATE: Final = _Kind(_date_at, lambda date: f"{date.year:04}{date.month:02}{date.day:02}")
_TIME: Final = _Kind(_time_at, _spell_time)
_WEEKDAY: Final = _Kind(lambda text, _: text, lambda day: day if day in get_args(Weekday) else None)
_ROUNDS: Final = _Kind(_rounds_at, _spell_rounds)

#: The rules of the statements around the frames, by their words.
RULES: Final = catalogue(__name__, "statements.json", dict[str, str])


@cache
def statements(major: int) -> Mapping[str, Any]:
    """Return how the statements around the frames are read and written, by their words.

    The value of ``mtp`` is a dictionary of fields of a `Match`. For ``ply``, the word and the player's id are
    written before the text of the value.
    """

    def text(field: Field | None = None) -> _Kind:
        # Some fields may hold a shorthand token (section 2.3.3).
        return _Kind(lambda text, _: read_text(text, major), lambda text: write_text(text, major, field))

    def group(word: str, make: Callable[..., Any], opening: str, fields: Mapping[str, Any], **how: bool) -> _Group:
        return _Group(major, RULES[word], make, opening, fields, "]", **how)

    opening, closing = "()" if major else "[]"
    name = _Group(major, "name", Name, opening, {"last": text(), "first": text()}, closing)
    tour_points = _Group(major, "pt_tour", TournamentPoints, "(", {"personal": _POINTS, "team": _POINTS}, ")")
    tournament = {
        "name": text("tour_name"),
        "year": _YEAR,
        "stage": text("tour_stage"),
        "number_in_stage": _NUMBER,
        "number_in_day": _NUMBER,
    }
    when_where = {"date": _DATE, "weekday": _WEEKDAY, "time": _TIME, "place": text("match_place")}
    player = {
        "name": name,
        "team": text("plyer_team"),
        "affiliation": text("plyer_affil"),
        "points_before": tour_points,
    }
    uma = _FixedRow(_PT, "(", _POINTS, 2, ")")
    rules = {"start": _POINTS, "returning": _POINTS, "uma": uma, "honba": _POINTS}
    if major:
        rules["tenpai"] = _POINTS
    return {
        "tnm": group("tnm", Tournament, "tnm[", tournament),
        "mtp": group("mtp", dict, "mtp[", when_where),
        "rec": group("rec", Recorder, "rec[", {"name": name, "rounds": _ROUNDS}),
        "ply": group("ply", Player, ",", player),
        "ptr": group("ptr", Rules, "ptr[", rules, whole=True),
        "pme": _FixedRow(_PT, "pme[", _POINTS, USUAL_SEATS, "]"),
        "ptn": _FixedRow(_TOUR, "ptn[", tour_points, USUAL_SEATS, "]"),
    }


#: The length of the word of a player and the id: ``ply[0``.
_PLAYER_HEAD: Final = 5


def respelled(statement: str, major: int) -> str:
    """Return the usual spelling of the value of a statement, which the grammar accepts.

    >>> respelled("pme[040.0,-0.0,0.0,1.0]", 1)
    'pme[40.0,0.0,0.0,1.0]'
    """
    kind = statements(major)[statement[:3]]
    value = kind.read(statement, 0)
    if statement.startswith("mtp"):
        value = Match(**value)
    head = statement[:_PLAYER_HEAD] if statement.startswith("ply") else ""
    return head + str(kind.write(value).text)


def write_info(match: Match, major: int) -> tuple[list[str], list[str], Match]:
    """Spell the metadata of a match of four players, or of no named players, in version 0 or 1.x.

    Returns the statements before the frames, the statements after them, and a match with the metadata that their
    reading has. A field that the version cannot spell is left out: 1.x a text that ends in a backslash, version 0
    one with a quote; points that are no multiple of 100; numbers out of range; a code that Table 1 does not have
    for that field; point rules without one of their values.

    >>> before, after, spelled = write_info(Match(place=Text(code="mlg-std"), final_scores=(1, 0, 0, 0)), 1)
    >>> before[0], before[1], after
    ('mtp[,,,mlg-std]', 'ply[0,,,,]', [])
    >>> spelled.place, spelled.final_scores
    (Text(code='mlg-std'), UNSET)
    """
    kinds = statements(major)
    tournament = kinds["tnm"].write(match.tournament)
    when_where = kinds["mtp"].write(match)
    recorders = [kinds["rec"].write(recorder) for recorder in match.recorders]
    players = [kinds["ply"].write(player) for player in match.players or [Player()] * USUAL_SEATS]
    rules = kinds["ptr"].write(match.rules)
    final = kinds["pme"].write(match.final_scores)
    after = kinds["ptn"].write(match.points_after)
    spelled = Match(
        players=players_or_none([player.value for player in players]),
        tournament=tournament.value,
        recorders=[recorder.value for recorder in recorders],
        rules=rules.value,
        final_scores=final.value,
        points_after=after.value,
        **when_where.value,
    )
    before = [
        *(one.text for one in (tournament, when_where, *recorders)),
        *(f"ply[{seat}{player.text}" for seat, player in enumerate(players)),
        rules.text,
    ]
    return list(filter(None, before)), list(filter(None, (final.text, after.text))), spelled


def players_or_none(players: list[Player]) -> list[Player]:
    """Return the players, or none if the text states nothing about any of them."""
    return [] if all(player == Player() for player in players) else players


def rotated(match: Match, steps: int) -> Match:
    """Return the match with its players renumbered: player `steps` becomes player 0.

    >>> from mjconv.ir.match import Name, Player, Text
    >>> match = Match(players=[Player(Name(Text(letter))) for letter in "abcd"])
    >>> rotated(match, 1).players[0].name.shown
    'b'
    """
    if not steps % USUAL_SEATS:
        return match
    changed = {
        name: turned(value, steps)
        for name in ("players", "final_scores", "points_after")
        if (value := getattr(match, name))
    }
    return structs.replace(match, **changed)
