"""Reads the records of M-League: a page or an array, with one game in it."""

import datetime
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.converters.interface import Reading
from mjconv.converters.mleague.page import Page, read_page
from mjconv.converters.mleague.points import RETURNING, START, settle
from mjconv.converters.mleague.round_reader import ImpossibleError, RecordCommand, RoundReader
from mjconv.converters.mleague.vocabulary import PLAYERS, SEAT_OF
from mjconv.converters.shared.json_file import load
from mjconv.converters.shared.json_values import WrongValueError, as_struct, check_list, shown
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place, PlayError, Proposal
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Original, Player, Rules, Text, Tournament

#: The points that the last pays the first, and the third the second.
_UMA: Final = (30_000, 10_000)
_LEAGUE: Final = Text("Mリーグ", "M.LEAGUE")
#: The season and the game of the evening, in the identifier of a game.
_ID: Final = re.compile(r"id=(?P<id>L\d{1,9}_S(?P<season>\d{1,9})_\d{1,9}_(?P<game>\d{1,4})[A-Z]?)", re.ASCII)
_SEASON: Final = re.compile(r"(?P<year>[0-9]{4})(?P<stage>.*)", re.DOTALL)
_NUMBER: Final = re.compile(r"[^0-9]{0,40}(?P<number>[0-9]{1,9})", re.ASCII)
_MOMENT: Final = re.compile(
    r"(?P<year>[0-9]{4})[/-](?P<month>[0-9]{1,2})[/-](?P<day>[0-9]{1,2})(?:[^0-9]{1,20}"
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}))?"
)
_JAPAN: Final = datetime.timezone(datetime.timedelta(hours=9))
_POINTS: Final = re.compile(r"-?[0-9]{1,5}(?:\.[0-9]{1,3})?", re.ASCII)


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the game of a file. Raises `InputError` with its place.

    With a lenient report, a mistake of the record is a fault, and the reader continues behind it. A tile that is
    missing or that cannot be read is then ``?``.

    >>> import mjconv.ir.losses as losses
    >>> report = losses.Report(lenient=True)
    >>> [reading] = read(b'[{"time":"","id":"0","cmd":"area","args":["-"]}]', report)
    >>> reading.match.rounds, [fault.error.message for fault in report.faults]
    ([], ['the record has no game: expected the command gamestart'])
    """
    try:
        page = read_page(data)
        values = load(page.record)
        check_list(values, (), "a list of commands")
    except WrongValueError as error:
        report.fault(InputError(str(error), page.record.place(error.path)))
        return
    except InputError as error:
        report.fault(error)
        return
    game = _GameReader(page, report)
    game.read(values)
    game.match.original = Original("mleague", data)
    yield Reading(game.match, game.locate)


class _GameReader:
    """Reads the commands of one game."""

    def __init__(self, page: Page, report: Report) -> None:
        self.page = page
        self.report = report
        rules = Rules(
            players=len(PLAYERS), length="south", start=START, returning=RETURNING, uma=_UMA, ties="share"
        )
        self.match = Match(opening=[ev.StartGame()], rules=rules)
        self.players: dict[int, Player] = {}
        self.rounds: list[RoundReader] = []
        self.commands: list[RecordCommand] = []
        #: The index of the command with the final points.
        self.end_at = 0

    def read(self, values: list[Any]) -> None:
        """Read all commands into the match."""
        for index, value in enumerate(values):
            self.commands.append(self._command(index, value))
        current: RoundReader | None = None
        for index, command in enumerate(self.commands):
            try:
                if command.cmd == "kyokustart":
                    fault = partial(self._fault, round=len(self.rounds), mended=True)
                    strict = not (self.report.lenient or self.report.mends)
                    current = RoundReader(self.commands, fault, strict=strict)
                    self.rounds.append(current)
                if current is None or command.cmd in _AROUND:
                    self._around(index, command)
                else:
                    current.read(index)
                    current = None if command.cmd == "kyokuend" else current
            except WrongValueError as error:
                event, number = (None, None) if current is None else (len(current.events), len(self.rounds) - 1)
                self._fault(error, index, event, round=number)
        for reader in self.rounds:
            reader.finish()
        settle(self.rounds, self.match.final_scores or ())
        self.match.rounds = [reader.round() for reader in self.rounds]
        if not self.match.id and not self.rounds:
            self._fault(WrongValueError("the record has no game: expected the command gamestart"), None)
        elif not self.match.closing:
            self.report.warn("the game has no end: the record breaks off", match=0)
        self._read_page()
        if self.players:
            self.match.players = [self.players.get(seat, Player()) for seat in range(len(PLAYERS))]

    def _command(self, index: int, value: Any) -> RecordCommand:
        try:
            return as_struct(value, RecordCommand)
        except WrongValueError as error:
            self._fault(error, index)
            return RecordCommand()

    # Around the rounds.

    def _around(self, index: int, command: RecordCommand) -> None:
        args = command.args
        if command.cmd == "player":
            seat = SEAT_OF.get(args[0]) if args else None
            if seat is None or len(args) < 2:
                raise WrongValueError(f"expected a player from A0 to D0 and a name, not {shown(args)}", ("args",))
            last, _, first = args[1].replace("\u3000", " ").strip().partition(" ")
            name = Name(Text(last), Text(first.strip())) if first else Name(Text(last)) if last else UNSET
            code = args[3] if len(args) > 3 and args[3] else UNSET
            self.players[seat] = Player(name, Text(code=code) if code else UNSET)
        elif command.cmd == "gamestart":
            self._game(args)
        elif command.cmd == "gameend":
            self.end_at = index
            self._end(args)
        elif command.cmd not in _BETWEEN:
            raise WrongValueError(f"the command {shown(command.cmd)} belongs to no round", ("cmd",))

    def _game(self, args: Sequence[str]) -> None:
        text = args[0] if args else ""
        if self.match.id:
            raise WrongValueError("a second game begins: a file holds one", ("args", 0))
        self.match.id = text.removeprefix("id=") or UNSET
        known = _ID.fullmatch(text)
        stage = Text(code=f"S{known['season']}") if known else UNSET
        number = int(known["game"]) if known else UNSET
        self.match.tournament = Tournament(_LEAGUE, stage=stage, number_in_day=number)

    def _end(self, args: Sequence[str]) -> None:
        self.match.closing = [ev.EndGame()]
        stated: dict[int, int] = {}
        pairs = [pair for pair in zip(args[::2], args[1::2], strict=False) if "=" not in pair[0]]
        for place, (player, points) in enumerate(pairs[: len(PLAYERS)]):
            if player not in SEAT_OF or not _POINTS.fullmatch(points):
                message = f"expected a player and points such as 59.5, not {shown(player)} and {shown(points)}"
                raise WrongValueError(message, ("args", 2 * place))
            stated[SEAT_OF[player]] = int(Decimal(points) * 1000)
        if len(stated) < len(PLAYERS):
            raise WrongValueError("expected the points of four players", ("args",))
        self.match.final_scores = tuple([stated[seat] for seat in range(len(PLAYERS))])

    # The page around the record.

    def _read_page(self) -> None:
        """Read what the page shows around the record: the season, the date, and the teams."""
        page, match = self.page, self.match
        moment, time = page.text("dateTime"), next((one.time for one in self.commands if one.time), "")
        if not self._date(moment):
            proposal = Proposal(moment, time, "the time of the first command") if self._date(time) else None
            if "dateTime" in page.shown:
                message = f"the page states no date: expected one such as 2023/04/28, not {shown(moment)}"
                error = InputError(message, page.place("dateTime"), proposal=proposal)
                self.report.fault(error, match=0, mended=True)
        if not page.shown:
            return
        season, number = _SEASON.match(page.text("seasonName")), _NUMBER.match(page.text("round"))
        tournament = match.tournament or Tournament(_LEAGUE)
        name, code = (season["stage"].strip() if season else ""), tournament.stage and tournament.stage.code
        match.tournament = structs.replace(
            tournament,
            year=int(season["year"]) if season else UNSET,
            stage=Text(name, code=code or UNSET) if name else tournament.stage,
            number_in_stage=int(number["number"]) if number else UNSET,
        )
        for seat in range(len(PLAYERS)):
            team, player = page.text(f"teamName{seat + 1}"), self.players.get(seat)
            if team and player is not None:
                code = UNSET if player.team is UNSET else player.team.code
                self.players[seat] = structs.replace(player, team=Text(team, code=code))

    def _date(self, text: str) -> bool:
        found = _MOMENT.match(text)
        if found is None:
            return False
        try:
            self.match.date = datetime.date(int(found["year"]), int(found["month"]), int(found["day"]))
            if found["hour"]:
                self.match.time = datetime.time(int(found["hour"]), int(found["minute"]), tzinfo=_JAPAN)
        except ValueError:
            return False
        return True

    # Mistakes and places.

    def _fault(
        self,
        error: WrongValueError,
        index: int | None,
        event: int | None = None,
        proposal: Proposal | None = None,
        *,
        round: int | None = None,  # noqa: A002 - the field's word
        mended: bool = False,
    ) -> None:
        """Report a mistake at a value of a command, or of the record for None."""
        place = self._place(() if index is None else (index, *error.path))
        if isinstance(error, ImpossibleError):
            self.report.fault(PlayError(str(error), place), match=0, round=round, event=event)
        else:
            fault = InputError(str(error), place, proposal=proposal)
            self.report.fault(fault, match=0, round=round, event=event, mended=mended)

    def _place(self, path: Sequence[str | int]) -> Place:
        place = self.page.record.place(path)
        index = path[0] if path else None
        cited = self.commands[index].id if isinstance(index, int) and index < len(self.commands) else ""
        return structs.replace(place, cited=cited)

    def locate(self, number: int | None, event: int, key: str) -> Place:
        """Return the place of an event, or of a key of it."""
        if number is None:
            return self._place((self.end_at, "args") if key == "final_scores" else ())
        return self._place(self.rounds[number].path(event, key))


#: The commands that may come between rounds and state nothing.
_BETWEEN: Final = frozenset({"area", "kyokuend", ""})
#: The commands that are in no round.
_AROUND: Final = frozenset({"player", "gamestart", "gameend", "area"})
