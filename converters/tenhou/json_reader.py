"""Reads tenhou.net/6 JSON: objects with the rounds of a game, and what their notes restore.

A link that opens a round in Tenhou's viewer holds such an object: ``https://tenhou.net/6/#json=`` and the JSON.
Nothing is fetched from the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, repeat
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from msgspec import UNSET, structs

from mjconv.converters.interface import Reading
from mjconv.converters.shared.contradictions import with_notes
from mjconv.converters.shared.dora import CUSTOMS, Custom
from mjconv.converters.shared.ends import three_rons
from mjconv.converters.shared.extras import as_extras, read_part
from mjconv.converters.shared.json_file import JsonText, Located, grouped, load
from mjconv.converters.shared.json_log import LOG, JsonGame, head_tokens, round_tokens
from mjconv.converters.shared.json_values import CannotHoldError, Path, WrongValueError, shown
from mjconv.converters.shared.restore import MatchNotes, Scope
from mjconv.converters.shared.winning_hands import misnamed
from mjconv.converters.tenhou.json_head import KEY, JsonHeadExtras, JsonRoundExtras, read_head
from mjconv.converters.tenhou.json_results import RESULT, differences_of_value
from mjconv.converters.tenhou.json_round import JsonRoundReading, path_of, read_round, seats_of, write_round
from mjconv.converters.tenhou.yaku import read_yaku
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Frozen, Match, Round
from mjconv.ir.play import Play, keep_play, play_of
from mjconv.ir.tiles import WINDS
from mjconv.rules.scores import scores_after

#: The flavour of objects: several may hold one match.
_JSON: Final = "tenhou-json"
_SITE: Final = r"\s*(?i:(?:https?://)?tenhou\.net)/"
_LINK: Final = re.compile(_SITE + r"[0-9]{1,2}/(?:\?[^\s#]*+)?#json=")
#: The end of the JSON of a link, encoded or not, and what the viewer adds behind it.
_CLOSING: Final = re.compile(r"\}|%7[Dd]")
_ADDED: Final = re.compile(r"(?>&t[sw]=[0-9]*+)*+\s*+")
_ON_SERVER: Final = re.compile(_SITE + r"\S{0,80}[?&]log=")
#: The index of the first word of a win: the value of the hand. The yaku follow.
_FIRST_WORD: Final = 3
_ENCODED: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})|(?s:.)")


class JsonRoundHints(Frozen, frozen=True):
    """The hints of a round: the moment at which the dora of an open kan is turned."""

    dora: Custom = CUSTOMS[0]


def read_objects(games: Iterable[Located], report: Report, flavour: str) -> Iterator[Reading]:
    """Read the matches of objects one by one. Raises `InputError` with its place.

    If each object continues the object before, by names, rules, rounds and points, they are one match. With a
    lenient report, an error in a round is a fault, and the reader continues with the next round. `flavour` is the
    flavour of the file.

    >>> from mjconv.converters.shared.json_file import objects
    >>> games = objects(b'{"name":["A","B","C","D"],"rule":{"disp":"","aka":1},"log":[]}', Report())
    >>> [reading] = read_objects(games, Report(), "tenhou-json")
    >>> reading.match.players[2].name.shown
    'C'
    """

    def read(one: Located, number: int, _: int) -> GameObject | None:
        game = GameObject(one, report, number)
        return game if game.is_object else None

    for number, group in grouped(games, read, GameObject.continues, report):
        yield _JsonMatchReader(group, report, number, flavour).reading()


class GameObject(JsonGame):
    """One object, with the number of its players, and the events of its rounds."""

    def __init__(self, located: Located, report: Report, number: int) -> None:
        super().__init__(located, report, number)
        self.seats = seats_of(self.values, self.head.get("rule"))
        self.rounds = self.read_rounds(partial(read_round, seats=self.seats), JsonRoundReading(None, []))

    def continues(self, before: GameObject) -> bool:
        """Return whether the first round of this object follows the last one of another, in the same game."""
        if not (self.rounds and before.rounds and self.head == before.head and self.seats == before.seats):
            return False
        return follows(self.rounds[0].events, before.rounds[-1].events)


def follows(events: Sequence[ev.Event], before: Sequence[ev.Event]) -> bool:
    """Return whether a round follows another in the same game: by wind, number and honba, and by the points."""
    if not events or not before or type(before[-1]) is not ev.EndRound:
        return False
    deal: Any = events[0]
    last: Any = before[0]
    return scores_after(Round(), last.scores, before) == deal.scores and _name(deal) > _name(last)


def _name(deal: ev.StartRound) -> tuple[int, int, int]:
    return "ESWN".index(deal.bakaze or "E"), int(deal.kyoku or 0), int(deal.honba or 0)


class LoggedRound(NamedTuple):
    """A round of an object: its reading, and its index in the log."""

    reading: JsonRoundReading
    log_index: int
    game: GameObject


def match_of(
    head: Mapping[str, Any],
    readings: Sequence[JsonRoundReading],
    seats: int,
    sizes: Sequence[int] = (),
    plays: Iterable[Play | None] = repeat(None),
) -> Match:
    """Return the match of a head and the readings of its rounds. Raises `WrongValueError`.

    `sizes` is the number of rounds of each object of the match. `plays` are the plays of rounds that were written.
    """
    last = readings[-1].events if readings else ()
    match = read_head(head, seats, closed=not readings or not last or type(last[-1]) is ev.EndRound)
    match.rounds = [_round_of(one.value, one.events, play) for one, play in zip(readings, plays, strict=False)]
    if len(sizes) > 1:
        extras = read_part(match, KEY, JsonHeadExtras)
        match.extras = as_extras(KEY, structs.replace(extras, sizes=list(sizes)))
    return match


def _round_of(value: Any, events: list[ev.Event], play: Play | None) -> Round:
    """Return a round. Parts of its value that the writer would write otherwise are kept in the extras."""
    if not events:
        return Round()
    deal: Any = events[0]
    game_round = keep_play(Round(events), play)
    table = play_of(game_round).table
    game_round.blocked = three_rons(events, table)
    try:
        usual = write_round(events, deal, table)
    except CannotHoldError:
        return game_round
    kept = {str(slot): part for slot, part in enumerate(value) if part != usual[slot]} if usual != value else {}
    if any(map(_is_bare, events[-3:])):
        kept[str(RESULT)] = value[RESULT]
    game_round.extras = as_extras(KEY, JsonRoundExtras(kept))
    return game_round


def _is_bare(event: ev.Event) -> bool:
    """Return whether a result does not state all that the writer would work out."""
    if type(event) is ev.Win:
        return UNSET in (event.hora_points, event.yakus)
    return type(event) is ev.Ryukyoku and event.deltas is UNSET


class _JsonMatchReader:
    """Makes the match of its objects, with what their notes restore."""

    def __init__(self, games: Sequence[GameObject], report: Report, number: int, flavour: str) -> None:
        self.games = games
        self.report = report
        self.number = number
        self.flavour = flavour
        self.seats = games[0].seats
        for game in games:
            game.number = number
        self.rounds = [
            LoggedRound(reading, index, game) for game in games for index, reading in enumerate(game.rounds)
        ]
        self.match = self._match()

    def _match(self) -> Match:
        game = self.games[0]
        readings = [each.reading for each in self.rounds]
        sizes = [len(each.rounds) for each in self.games] if self.flavour == _JSON else ()
        try:
            return match_of(game.head, readings, self.seats, sizes)
        except WrongValueError as error:
            game.fault(error)
            return match_of({}, readings, self.seats, sizes)

    def reading(self) -> Reading:
        """Return the match, with what its notes restore."""
        self._warn_of_words()
        visible = Reading(self.match, partial(self._locate, self.match.rounds))
        notes = [note for game in self.games for note in game.notes(self.match)]
        return with_notes(
            *(KEY, visible, notes, self._tokens, self.report, self.number),
            seats=self.seats,
            flavour=lambda: self.flavour,
            reread=self._reread,
        )

    def _warn_of_words(self) -> None:
        """Warn of unknown words of wins, and of words that contradict each other or the hand."""
        for index, one in enumerate(self.rounds):
            found = [
                (path, f"the win has words that mjconv does not know: {shown(text)}. They were kept")
                for path, text in one.reading.unknown
            ]
            game_round = self.match.rounds[index]
            for path, message in (*found, *_wrong_words(one.reading.value, game_round)):
                one.game.warn(message, (LOG, one.log_index, *path), index, game_round.label)

    def _reread(self, notes: MatchNotes) -> Reading:
        rounds = list(self.match.rounds)
        for index, game_round in enumerate(rounds):
            custom = notes.hints(index, JsonRoundHints).dora
            if custom != CUSTOMS[0] and game_round.events:
                events = read_round(self.rounds[index].reading.value, self.seats, custom).events
                rounds[index] = structs.replace(game_round, events=events)
        return Reading(structs.replace(self.match, rounds=rounds), partial(self._locate, rounds))

    def _tokens(self, scope: Scope) -> bytes:
        if scope is None:
            return head_tokens(self.games[0].head)
        one = self.rounds[scope]
        return round_tokens(one.game.values[one.log_index])

    def _locate(self, rounds: Sequence[Round], number: int | None, event: int, key: str) -> Place:
        if number is None:
            return self.games[0].located.place()
        one = self.rounds[number]
        path: Path = ()
        if 0 <= event < len(rounds[number].events):
            path = path_of(rounds[number].events, event, key, one.reading.value)
        return one.game.located.place((LOG, one.log_index, *path))


def _wrong_words(value: Any, game_round: Round) -> Iterator[tuple[Path, str]]:
    """Yield a message for each win of a round whose words contradict each other or the hand, with its path."""
    if str(RESULT) not in read_part(game_round, KEY, JsonRoundExtras).values:
        # The writer makes the same words of the hand.
        return
    for number, win in enumerate(game_round.select(ev.Win)):
        path = (RESULT, 2 * number + 2)
        words = value[RESULT][path[1]][_FIRST_WORD:]
        yaku = [one for one in map(read_yaku, words[1:]) if one is not None]
        play = play_of(game_round)
        message = misnamed([name for name, _ in yaku], win, play.table, play.deal.bakaze or WINDS[0])
        if message is not None:
            yield path, message
        for message in differences_of_value("".join(words[:1]), yaku, win, play.table):
            yield (*path, _FIRST_WORD), message


# Links.


def links(data: bytes, report: Report) -> Iterator[Located]:
    """Yield the objects of a file of links, one a line.

    Raises `InputError` with its place, also for a link that only names a record on Tenhou's server.

    >>> link = b"https://tenhou.net/6/#json=%7B%22name%22:[%22A%22,%22B%22,%22C%22,%22D%22],%22log%22:[]%7D"
    >>> [game] = links(link, Report())
    >>> game.value["name"]
    ['A', 'B', 'C', 'D']
    """
    for number, line in enumerate(data.split(b"\n"), 1):
        text = line.decode("utf-8", "replace")
        if number == 1:
            text = text.removeprefix("\ufeff")
        if not text.strip():
            continue
        try:
            source = _source(text, number)
            game = Located(load(source), source)
        except InputError as error:
            report.fault(error)
            continue
        yield game


def _source(line: str, number: int) -> JsonText:
    """Return the JSON of a link. Its places are places in the encoded text."""
    form = _LINK.match(line)
    if form is None:
        message = "expected a link that begins with https://tenhou.net/6/#json="
        if _ON_SERVER.match(line):
            message = (
                "the link names a record on Tenhou's server, and mjconv fetches nothing from the network. "
                "docs/get-records.md explains how people get the file"
            )
        raise InputError(message, Place(number, 1, line))
    begin, end = form.end(), len(line)
    closing = max((bracket.end() for bracket in _CLOSING.finditer(line, begin)), default=end)
    payload = line[begin : closing if _ADDED.fullmatch(line, closing) else end]

    @cache
    def columns() -> list[int]:
        """Return the column of each character of the JSON, and of its end."""
        pieces = _ENCODED.finditer(payload)
        starts = [piece.start() for piece in pieces for _ in (piece[0].encode() if len(piece[0]) == 1 else "%")]
        # The bytes of a character are encoded one by one.
        sizes = accumulate([len(each.encode()) for each in text.decode("utf-8", "replace")], initial=0)
        starts.append(len(payload))
        return [begin + starts[min(size, len(starts) - 1)] + 1 for size in sizes]

    def place_at(offset: int) -> Place:
        return Place(number, columns()[min(offset, len(columns()) - 1)], line)

    text = unquote_to_bytes(payload)
    try:
        text.decode()
    except UnicodeDecodeError as error:
        place = place_at(len(text[: error.start].decode()))
        raise InputError("the link has a broken character. It may be cut here", place) from None
    return JsonText(text, number, place_at)
