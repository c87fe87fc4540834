"""From the text of a jmjp file to its matches, frames and flows; the metadata become a `Match` of the IR.

The grammar checks the acts and hands of a flow. They are kept as they are spelled: `frame_reading` reads them.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET, Struct, field

from mjconv.converters.jmjp.grammar import load
from mjconv.converters.jmjp.spelling import read_points
from mjconv.converters.jmjp.tables import Mismatch, TableParser
from mjconv.converters.jmjp.tables import load as load_tables
from mjconv.converters.jmjp.text import STRING, read_string
from mjconv.ir.errors import InputError
from mjconv.ir.match import Match, Name, Player, Recorder, RoundId, Rules, Text, Tournament, TournamentPoints

if TYPE_CHECKING:
    from lark import Lark, UnexpectedInput

    from mjconv.converters.jmjp.text import ParsedText, StrippedText

#: The most digits of the number of a match, and of a honba.
NUMBER_DIGITS: Final = 9
HONBA_DIGITS: Final = 4

_HANDS: Final = 4


class Flow(Struct):
    """The play of a frame: hands at its start, acts, hands at its end, as spelled, without outer brackets.

    A hand is ``e,hnd[...]``, an act ``e,5m,tg``. The offsets are those of the first entry's bracket in the
    stripped text. Entries follow each other without a gap.
    """

    start: list[str]
    acts: list[str]
    end: list[str]
    start_at: int
    acts_at: int
    end_at: int

    def start_offset(self, index: int) -> int:
        """Return the offset of a starting hand's bracket in the stripped text."""
        return _offset(self.start, self.start_at, index)

    def act_offset(self, index: int) -> int:
        """Return the offset of an act's bracket in the stripped text.

        >>> Flow([], ["e,5m,tg", "s,ew,"], [], 0, 100, 0).act_offset(1)
        109
        """
        return _offset(self.acts, self.acts_at, index)

    def end_offset(self, index: int) -> int:
        """Return the offset of a final hand's bracket in the stripped text."""
        return _offset(self.end, self.end_at, index)


class Frame(Struct):
    """One frame (section 4.2): points as points, in the order e, s, w, n of the frame; dora as spelled.

    `dice` are two dice, or one total. `begin` and `end` are offsets in the stripped text, of ``frm[`` and after
    its ``]``. A value that the text does not state is None. `spelled` has the fields with unusual numbers
    (``E1-00``): it maps their usual spelling to their spelling in the text.
    """

    wind: str
    number: int
    honba: int
    kyoutak: int | None
    dice: tuple[int, ...] | None
    pfs: tuple[int, ...] | None
    dora: tuple[str, ...] | None
    flows: list[Flow]
    pfe: tuple[int, ...] | None
    comment: Text | None
    begin: int
    end: int
    spelled: Mapping[str, str] = field(default_factory=dict)


class MatchSyntax(Struct):
    """One match: its metadata in a `Match` without rounds, its frames, its place in the stripped text.

    `broken` are the indices of frames that could not be read, and have only a place. `unfinished` are the
    indices of frames that could be read as far as their first error.
    """

    info: Match
    frames: list[Frame]
    begin: int
    end: int
    broken: frozenset[int] = frozenset()
    unfinished: frozenset[int] = frozenset()


class File(Struct):
    """A whole file: the version it is written in, and its matches, one or more."""

    version: str
    major: int
    matches: list[MatchSyntax]


def parse(source: StrippedText) -> File:
    """Parse a file of version 0 or 1.x.

    Raises `InputError` with its place, what was found and what was expected.

    >>> from mjconv.converters.jmjp.text import StrippedText
    >>> players = "".join(f"ply[{player},,,,]" for player in range(4))
    >>> file = parse(StrippedText(f"jmjp[1.0](mtp[20181001,mon,1900,mlg-std]{players}frm[E1-0,,3-4,,,,,])"))
    >>> file.matches[0].info.date, file.matches[0].info.place
    (datetime.date(2018, 10, 1), Text(code='mlg-std'))
    >>> file.matches[0].frames[0].dice
    (3, 4)
    """
    try:
        matches = matches_in(source.stripped, source.major)
    except refusals() as error:
        raise refusal(source, error) from None
    return File(source.version, source.major, matches)


def matches_in(text: str, major: int) -> list[MatchSyntax]:
    """Parse a stripped text. Raises lark's `UnexpectedInput`, or `RefusedValueError`."""
    matches: list[MatchSyntax]
    parser = _table_parser(major)
    if parser is not None:
        try:
            matches = parser.parse(text)
        except Mismatch:
            # Lark finds the place of the error.
            pass
        else:
            return matches
    matches = _coarse_parser(major).parse(text)  # type: ignore[assignment]
    return matches


def refusals() -> tuple[type[UnexpectedInput], type[RefusedValueError]]:
    """Return the errors that `matches_in` raises. Only who meets an error calls this: it loads lark."""
    from lark import UnexpectedInput

    return UnexpectedInput, RefusedValueError


def refusal(source: ParsedText, error: UnexpectedInput | RefusedValueError) -> InputError:
    """Return the error of a text that did not parse: the place, the text found there, and the text expected."""
    if isinstance(error, RefusedValueError):
        return InputError(error.message, source.place(error.offset))
    from mjconv.converters.jmjp.explain import explain

    return explain(source, error)


class RefusedValueError(Exception):
    """A value that the grammar accepts and that is impossible: a message, and an offset in the stripped text."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@cache
def _table_parser(major: int) -> TableParser | None:
    tables = load_tables(major)
    return None if tables is None else TableParser(tables, Builder(major))


@cache
def _coarse_parser(major: int) -> Lark:
    return load(major, fine=False, transformer=Builder(major))


class Builder:
    """Makes the values of the rules: one method a rule, called by lark with what the rule holds.

    Optional parts that are absent are None. Some rules reach it as one token (``$name`` in the grammar), which is
    known to be well-formed.
    """

    def __init__(self, major: int) -> None:
        self._major = major

    def file(self, parts: list[Any]) -> list[MatchSyntax]:
        """Return the matches. The source holds the version."""
        return parts[1:]

    def match(self, parts: list[Any]) -> MatchSyntax:
        """Join the parts before and after the frames."""
        opening, before, frames, after, closing = parts
        return MatchSyntax(Match(**before, **after), frames, opening.start_pos, closing.end_pos)

    def pre_match_info(self, parts: list[Any]) -> dict[str, Any]:
        """Return the text before the first frame as fields of a `Match`."""
        tournament, when_where, recorders, players, rules = parts
        fields = {"tournament": tournament, "rules": rules and _rules(rules), **when_where}
        return {"recorders": recorders, "players": players, **_present(fields)}

    def tour_info(self, parts: list[Any]) -> Tournament:
        """Return the tournament (section 4.1.1)."""
        return Tournament(**_present(dict(zip(Tournament.__struct_fields__, parts, strict=True))))

    def tour_year(self, parts: list[Any]) -> int | None:
        """Return the year as a number."""
        return parts[0] and int(parts[0])

    def match_num(self, parts: list[Any]) -> int | None:
        """Return a match's number."""
        return parts[0] and _number(parts[0])

    def match_tp(self, parts: list[Any]) -> dict[str, Any]:
        """Return date, weekday, time and place as fields of a `Match` (section 4.1.2)."""
        when, place = parts
        date, weekday, time, _ = when[len("mtp[") :].split(",")
        date_at = when.start_pos + len("mtp[")
        time_at = date_at + len(date) + len(weekday) + 2
        return {
            "date": _date(date, date_at) if date else None,
            "weekday": weekday or None,
            "time": _time(time, time_at) if time else None,
            "place": place,
        }

    def recer_infos(self, parts: list[Any]) -> list[Recorder]:
        """Return the recorders in order."""
        return parts

    def recer_info(self, parts: list[Any]) -> Recorder:
        """Return a recorder (section 4.1.3)."""
        return Recorder(**_present({"name": parts[0] and self._name(parts[0]), "rounds": parts[1]}))

    def frames_recd(self, parts: list[Any]) -> str | tuple[RoundId, ...] | None:
        """Return ``all``, or the frames, or None for neither."""
        if parts and parts[0].type == "ALL":
            return "all"
        return tuple(RoundId(*_frame_id(token, token.start_pos)) for token in parts) or None

    def plyer_infos(self, parts: list[Any]) -> list[Player]:
        """Return the four players in the order of their ids, or none if all their fields are empty."""
        players: dict[str, Player] = {}
        for seat, player, offset in parts:
            if seat in players:
                missing = " and ".join(sorted({"0", "1", "2", "3"} - {part[0] for part in parts}))
                raise RefusedValueError(f"player {seat} stands twice, and player {missing} is missing", offset)
            players[seat] = player
        nobody = Player()
        return [] if all(player == nobody for player in players.values()) else [players[seat] for seat in "0123"]

    def plyer_info(self, parts: list[Any]) -> tuple[str, Player, int]:
        """Return the player's id, the player (section 4.1.4), and the offset of the id."""
        head, name, team, affiliation, end = parts
        fields = {
            "name": name and self._name(name),
            "team": team,
            "affiliation": affiliation,
            "points_before": next(iter(_tour_points(end)), None),
        }
        at = len("ply[")
        return head[at], Player(**_present(fields)), head.start_pos + at

    def frames(self, parts: list[Any]) -> list[Frame]:
        """Return the frames in order."""
        return parts

    def frame(self, parts: list[Any]) -> Frame:
        """Return a frame (section 4.2)."""
        head, flows, result = parts
        # Commas separate the fields, and pfs has three commas of its own.
        frame_id, kyoutak, dice, *pfs, dora, _ = head[len("frm[") :].split(",")
        offset = head.start_pos + len("frm[")
        sticks_at = offset + len(frame_id) + 1
        pfs_at = sticks_at + len(kyoutak) + len(dice) + 2
        pfe = result[: result.index("]")] if result.startswith(",pfe[") else ""
        comment = result[len(pfe) + 2 : -1]
        spelled: Mapping[str, str] = {}
        if ODD_NUMBER.search(head) or ODD_NUMBER.search(pfe):
            spelled = _unusual((frame_id, kyoutak, ",".join(pfs), pfe and pfe[1:] + "]"))
        return Frame(
            *_frame_id(frame_id, offset),
            _points(kyoutak, sticks_at) if kyoutak else None,
            tuple(map(int, dice.split("-"))) if dice else None,
            _all_points(",".join(pfs), pfs_at) or None,
            tuple(map("".join, zip(dora[::2], dora[1::2], strict=True))) or None,
            flows,
            _all_points(pfe, result.start_pos) or None,
            self._text(comment) if comment else None,
            head.start_pos,
            result.end_pos,
            spelled,
        )

    def frame_flows(self, parts: list[Any]) -> list[Flow]:
        """Return the flows; each is one token (section 4.2.2)."""
        return [_flow(token) for token in parts]

    def post_match_info(self, parts: list[Any]) -> dict[str, Any]:
        """Return the text after the last frame as fields of a `Match` (section 4.3)."""
        end, tournament = parts
        fields = {
            "final_scores": end and _all_points(end, end.start_pos),
            "points_after": tournament and _tour_points(tournament),
        }
        return _present(fields)

    def _name(self, token: str) -> Name:
        """Return a name, last name first (section 2.3.2)."""
        last = _STR_LIT[self._major].match(token, 1)
        first = token[(last.end() if last else 1) + 1 : -1]
        fields = {"last": last and self._text(last[0]), "first": self._text(first) if first else None}
        return Name(**_present(fields))

    def _text(self, token: str) -> Text:
        """Return a text from its native part, its romanised part, or both (section 2.3.1)."""
        spelled = _STR_PART[self._major].findall(token)
        return Text(**{_SCRIPTS[script]: read_string(string, self._major) for script, string in spelled})

    def coded(self, parts: list[Any]) -> Text | None:
        """Return a text, or the shorthand token that stands for one (section 2.3.3)."""
        (token,) = parts
        if token is None:
            return None
        return self._text(token) if token.type == "STR_LIT" else Text(code=str(token))

    tour_name = tour_stage = match_place = plyer_team = plyer_affil = coded


_SCRIPTS: Final = {"snt": "native", "srm": "roman"}
#: A text in one script, and in one or both, by version.
_STR_PART: Final = {major: re.compile(rf"(snt|srm)\[({string})\]") for major, string in STRING.items()}
_STR_LIT: Final = {major: re.compile(rf"(?>(?:snt|srm)\[{string}\])++") for major, string in STRING.items()}
_POINTS: Final = re.compile(r"-?[0-9]+\.[0-9]")
#: A number with needless zeros before it, or a negative zero.
ODD_NUMBER: Final = re.compile(r"(?<![0-9.])(?:0[0-9]|(?<=[,(\[])-0+\.0)")
_ZEROS: Final = re.compile(r"(?<![0-9.])0+(?=[0-9])")
_NEGATIVE_ZERO: Final = re.compile(r"(?<=[,(\[])-0\.0|^-0\.0")
_TOUR_POINTS: Final = re.compile(r"\(([^,]*),([^)]*)\)")


def _unusual(fields: Sequence[str]) -> dict[str, str]:
    usual = [_NEGATIVE_ZERO.sub("0.0", _ZEROS.sub("", text)) for text in fields]
    return {spelled: text for spelled, text in zip(usual, fields, strict=True) if spelled != text}


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


def _offset(entries: list[str], begin: int, index: int) -> int:
    return begin + sum(map(len, entries[:index])) + 2 * index


def _flow(token: Any) -> Flow:
    entries = token[1:-1].split(")(")
    start, acts, end = entries[:_HANDS], entries[_HANDS:-_HANDS], entries[-_HANDS:]
    acts_at = _offset(start, token.start_pos, _HANDS)
    return Flow(start, acts, end, token.start_pos, acts_at, token.end_pos - _offset(end, 0, _HANDS))


def _frame_id(text: str, offset: int) -> tuple[str, int, int]:
    honba = text[3:]
    if len(honba) > HONBA_DIGITS:
        raise RefusedValueError(f"the honba has {len(honba)} digits, at most {HONBA_DIGITS} are read", offset + 3)
    return text[0], int(text[1]), int(honba)


def _number(token: Any) -> int:
    if len(token) > NUMBER_DIGITS:
        raise RefusedValueError(
            f"the number has {len(token)} digits, at most {NUMBER_DIGITS} are read", token.start_pos
        )
    return int(token)


def _points(text: str, offset: int) -> int:
    try:
        return read_points(text)
    except ValueError as error:
        raise RefusedValueError(str(error), offset) from None


def _all_points(text: str, offset: int) -> tuple[int, ...]:
    return tuple([_points(number[0], offset + number.start()) for number in _POINTS.finditer(text)])


def _tour_points(token: Any) -> tuple[TournamentPoints, ...]:
    return tuple(
        TournamentPoints(
            **{
                key: _points(pair[group], token.start_pos + pair.start(group))
                for group, key in ((1, "personal"), (2, "team"))
                if pair[group]
            }
        )
        for pair in _TOUR_POINTS.finditer(token)
    )


def _rules(token: Any) -> Rules:
    """Version 0 has no ptTenpai."""
    start, returning, first, third, honba, *tenpai = _all_points(token, token.start_pos)
    return Rules(start, returning, (first, third), honba, tenpai[0] if tenpai else UNSET)


def _date(text: str, offset: int) -> datetime.date:
    try:
        return datetime.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        raise RefusedValueError(f"there is no date {text}: expected YYYYMMDD", offset) from None


def _time(text: str, offset: int) -> datetime.time:
    try:
        return datetime.time(int(text[:2]), int(text[2:]))
    except ValueError:
        raise RefusedValueError(f"there is no time {text}: expected HHMM", offset) from None
