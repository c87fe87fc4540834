"""Write the metadata of a match: the text before its frames, and after.

A field that the version cannot spell is left out. It is then missing from the match that is returned.
"""

from __future__ import annotations

import datetime
from typing import Any, Final, NamedTuple, get_args

from msgspec import UNSET, UnsetType

from mjconv.converters.jmjp.spelling import CODES, Field, write_points
from mjconv.converters.jmjp.syntax import HONBA_DIGITS, NUMBER_DIGITS
from mjconv.converters.jmjp.text import write_string
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
from mjconv.ir.tiles import WINDS

__all__ = ["write_info", "write_points", "write_text"]

#: Largest values that are spelled.
MOST_YEAR: Final = 9999
MOST_NUMBER: Final = 10**NUMBER_DIGITS - 1
MOST_HONBA: Final = 10**HONBA_DIGITS - 1

_NAME_BRACKETS: Final = {0: ("[", "]"), 1: ("(", ")")}


class Spelled(NamedTuple):
    """A field's spelling, empty if it is left out, and the value that the reader reads from it."""

    text: str
    value: Any


ABSENT: Final = Spelled("", UNSET)


def write_info(match: Match, major: int) -> tuple[list[str], list[str], Match]:
    """Spell the metadata of a match of four, or of one that names no players, in version 0 or 1.x.

    Gives the pieces that stand before the frames, those after, and a match with the metadata that reading them
    gives back. A field that the version cannot spell is left out: 1.x a text that ends in a backslash, version 0
    one with a quote; points that are no multiple of 100; numbers out of range; a code that Table 1 does not have
    for that field; point rules of which one is missing.

    >>> before, after, spelled = write_info(Match(place=Text(code="mlg-std"), final_scores=(1, 0, 0, 0)), 1)
    >>> before[0], before[1], after
    ('mtp[,,,mlg-std]', 'ply[0,,,,]', [])
    >>> spelled.place, spelled.final_scores
    (Text(code='mlg-std'), UNSET)
    """
    return _Writer(major).match(match)


def write_text(text: Text | UnsetType, major: int, field: Field | None = None) -> str | None:
    r"""Spell a text, or the code of a field that has shorthand tokens; None for what cannot be spelled.

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
        (keyword, write_string(part, major))
        for keyword, part in (("snt", text.native), ("srm", text.roman))
        if part is not UNSET
    ]
    if not spelled or any(string is None for _, string in spelled):
        return None
    return "".join(f"{keyword}[{string}]" for keyword, string in spelled)


class _Writer:
    """Spells each part in one version."""

    def __init__(self, major: int) -> None:
        self.major = major

    def match(self, match: Match) -> tuple[list[str], list[str], Match]:
        tournament = self.tournament(match.tournament)
        when_where = self.when_where(match)
        recorders = [self.recorder(recorder) for recorder in match.recorders]
        players = [
            self.player(seat, player)
            for seat, player in enumerate(match.players or [Player() for _ in range(USUAL_SEATS)])
        ]
        rules = self.rules(match.rules)
        final = self.final_scores(match.final_scores)
        after = self.points_after(match.points_after)
        nobody = Player()
        spelled_players = [player.value for player in players]
        spelled = Match(
            players=[] if all(player == nobody for player in spelled_players) else spelled_players,
            tournament=tournament.value,
            recorders=[recorder.value for recorder in recorders],
            rules=rules.value,
            final_scores=final.value,
            points_after=after.value,
            **when_where.value,
        )
        pieces = [tournament, when_where, *recorders, *players, rules]
        return (
            [piece.text for piece in pieces if piece.text],
            [piece.text for piece in (final, after) if piece.text],
            spelled,
        )

    def tournament(self, tournament: Tournament | UnsetType) -> Spelled:
        if tournament is UNSET:
            return ABSENT
        fields = {
            "name": self.text(tournament.name, "tour_name"),
            "year": _number(tournament.year, MOST_YEAR, "04"),
            "stage": self.text(tournament.stage, "tour_stage"),
            "number_in_stage": _number(tournament.number_in_stage, MOST_NUMBER),
            "number_in_day": _number(tournament.number_in_day, MOST_NUMBER),
        }
        return Spelled(_bracket("tnm[", fields, "]"), Tournament(**_values(fields)))

    def when_where(self, match: Match) -> Spelled:
        fields = {
            "date": _date(match.date),
            "weekday": _if(match.weekday in get_args(Weekday), match.weekday, str(match.weekday)),
            "time": _time(match.time),
            "place": self.text(match.place, "match_place"),
        }
        return Spelled(_bracket("mtp[", fields, "]"), _values(fields))

    def recorder(self, recorder: Recorder) -> Spelled:
        fields = {"name": self.name(recorder.name), "rounds": _rounds(recorder.rounds)}
        return Spelled(_bracket("rec[", fields, "]"), Recorder(**_values(fields)))

    def player(self, seat: int, player: Player) -> Spelled:
        fields = {
            "name": self.name(player.name),
            "team": self.text(player.team, "plyer_team"),
            "affiliation": self.text(player.affiliation, "plyer_affil"),
            "points_before": _tour_points(player.points_before),
        }
        return Spelled(_bracket(f"ply[{seat},", fields, "]"), Player(**_values(fields)))

    def rules(self, rules: Rules | UnsetType) -> Spelled:
        if rules is UNSET or rules.uma is UNSET or len(rules.uma) != 2:
            return ABSENT
        first, third = map(_points, rules.uma)
        fields = {
            "start": _points(rules.start),
            "returning": _points(rules.returning),
            "uma": _if(bool(first.text and third.text), rules.uma, f"({first.text},{third.text})"),
            "honba": _points(rules.honba),
        }
        if self.major:
            fields["tenpai"] = _points(rules.tenpai)
        complete = all(field.text for field in fields.values())
        return _if(complete, Rules(**_values(fields)), _bracket("ptr[", fields, "]"))

    def final_scores(self, scores: tuple[int, ...] | UnsetType) -> Spelled:
        if scores is UNSET or len(scores) != USUAL_SEATS:
            return ABSENT
        spelled = [_points(points) for points in scores]
        numbers = ",".join(points.text for points in spelled)
        return _if(all(points.text for points in spelled), tuple(scores), f"pme[{numbers}]")

    def points_after(self, points: tuple[TournamentPoints, ...] | UnsetType) -> Spelled:
        if points is UNSET or len(points) != USUAL_SEATS:
            return ABSENT
        spelled = [_tour_points(points) for points in points]
        pairs = ",".join(points.text for points in spelled)
        return Spelled(f"ptn[{pairs}]", tuple(points.value for points in spelled))

    def name(self, name: Name | UnsetType) -> Spelled:
        if name is UNSET:
            return ABSENT
        fields = {"last": self.text(name.last), "first": self.text(name.first)}
        opening, closing = _NAME_BRACKETS[self.major]
        return Spelled(_bracket(opening, fields, closing), Name(**_values(fields)))

    def text(self, value: Text | UnsetType, field: Field | None = None) -> Spelled:
        text = write_text(value, self.major, field)
        return _if(text is not None, value, text)


def _bracket(opening: str, fields: dict[str, Spelled], closing: str) -> str:
    return f"{opening}{','.join(field.text for field in fields.values())}{closing}"


def _values(fields: dict[str, Spelled]) -> dict[str, Any]:
    return {key: field.value for key, field in fields.items() if field.value is not UNSET}


def _if(spellable: bool, value: object, text: str | None) -> Spelled:
    return Spelled(text or "", value) if spellable else ABSENT


def _points(points: int | UnsetType) -> Spelled:
    text = None if points is UNSET else write_points(points)
    return _if(text is not None, points, text)


def _tour_points(value: TournamentPoints | UnsetType) -> Spelled:
    if value is UNSET:
        return ABSENT
    fields = {"personal": _points(value.personal), "team": _points(value.team)}
    return Spelled(_bracket("(", fields, ")"), TournamentPoints(**_values(fields)))


def _number(number: int | UnsetType, most: int, form: str = "") -> Spelled:
    if number is UNSET:
        return ABSENT
    return _if(0 <= number <= most, number, format(number, form))


def _date(date: datetime.date | UnsetType) -> Spelled:
    # Not strftime: it leaves out the zeros of early years.
    return ABSENT if date is UNSET else Spelled(f"{date.year:04}{date.month:02}{date.day:02}", date)


def _time(time: datetime.time | UnsetType) -> Spelled:
    if time is UNSET:
        return ABSENT
    whole_minute = time == datetime.time(time.hour, time.minute)
    return _if(whole_minute, time, f"{time.hour:02}{time.minute:02}")


def _rounds(rounds: str | tuple[RoundId, ...] | UnsetType) -> Spelled:
    if rounds is UNSET or rounds == "all":
        return _if(rounds is not UNSET, rounds, "all")
    ids = [round_id for round_id in rounds if isinstance(round_id, RoundId)]
    spellable = bool(ids) and all(
        round_id.wind in WINDS and 1 <= round_id.number <= USUAL_SEATS and 0 <= round_id.honba <= MOST_HONBA
        for round_id in ids
    )
    return _if(spellable, rounds, "".join(map(str, ids)))
