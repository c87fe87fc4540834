"""The review of a match: a bot answers the messages of the game in the place of a player."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, structs

from mjconv.converters.formats import MESSAGES, find
from mjconv.converters.interface import EVERY_SEAT, WriteOptions
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.prepare import prepare
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Answer, Match
from mjconv.ir.seats import seat_number
from mjconv.ir.tiles import HIDDEN
from mjconv.referee.choices import matching
from mjconv.referee.decisions import SeatDecision, decision_at, decisions
from mjconv.referee.referee import check
from mjconv.reviewer.bot import AnswerError, Bot, Called, Function, answer_of
from mjconv.reviewer.rows import KIND_OF, Lost, ReviewRow
from mjconv.reviewer.streams import BotError, LateError
from mjconv.rules.rulesets import RIICHI, UNKNOWN, ruleset_of
from mjconv.rules.succession import starts

#: The illegal answers of a game whose rule the referee looks for: each plays all of a round.
_EXPLAINED: Final = 20
#: A message that opens no decision.
_NONE: Final = SeatDecision(0, (), None)


class Review(NamedTuple):
    """The review of a match: its rows, the match with the answers of the bot beside its events, and lost games.

    `seats` are the seats that the bot took, in a game each. `errors` is the end of what a program wrote on
    standard error, if an answer has a fault or a game was lost.
    """

    rows: list[ReviewRow]
    match: Match
    lost: list[Lost]
    seats: list[int]
    errors: str = ""

    @property
    def agreement(self) -> float | None:
        """The share of the decisions with two or more choices in which bot and player agree; None without any.

        No late, broken or illegal answer agrees. Decisions whose `same` is None are not counted.
        """
        counted = [row.same for row in self.rows if row.same is not None and row.choices > 1]
        return sum(counted) / len(counted) if counted else None


def review(match: Match, seat: int | str | None, bot: Bot | Function) -> Review:
    r"""Let a bot answer in the place of a player, and return the answers beside the game.

    `seat` is a number from 0, a first wind, the name of a player, or ``all``; None is the player whose hand the
    record shows, or 0. `bot` is a `Bot`, or a function. The function is called with a list of mjai messages, those
    since its last call, and returns its answer to the last of them: a message, also as JSON, or None for a pass.
    It is called before each decision, and at the end of each round. Raises `UnsupportedError` for a game that is
    no riichi, has no round with its play, or hides the tiles of the player.

    >>> hands = [[f"{seat}m", *"4m 7m 2p 5p 8p 3s 6s 9s E S W N".split()] for seat in range(1, 5)]
    >>> deal = ev.StartRound("E", "1p", 1, 0, 0, 0, (25000,) * 4, tuple(map(tuple, hands)))
    >>> from mjconv.ir.match import Round
    >>> play = [deal, ev.Draw(0, "C"), ev.Discard(0, "7m", tsumogiri=False)]
    >>> found = review(Match(rounds=[Round(play)]), 0, lambda messages: '{"type":"dahai","actor":0,"pai":"C"}')
    >>> [(row.choices, row.same, row.answered) for row in found.rows if row.choices > 1]
    [(14, False, '{"type":"dahai","actor":0,"pai":"C"}')]
    """
    rules = ruleset_of(match).id
    if rules in (RIICHI.id, UNKNOWN.id) and not any(one.is_played for one in match.rounds):
        raise UnsupportedError("there is nothing to decide: the match has no rounds with their play")
    player = bot if isinstance(bot, Bot) else Called(bot)
    rows: list[ReviewRow] = []
    lost: list[Lost] = []
    errors = ""
    answers: list[list[Answer]] = [[] for _ in match.rounds]
    seats = seats_of(match, seat)
    for number in seats:
        game = _Game(match, number, player)
        try:
            game.play()
        except BotError as error:
            lost.append(Lost(number, error.message))
            errors = player.kept
            player.close()
        if any(row.fault for row in game.rows):
            errors = player.kept or errors
        rows += game.rows
        for several, more in zip(answers, game.answers, strict=True):
            several += more
    return Review(rows, with_answers(match, answers), lost, seats, errors)


def seats_of(match: Match, wanted: int | str | None) -> list[int]:
    """Return the seats that are reviewed; of all seats, those whose tiles the record shows.

    Raises as `seat_number`.
    """
    if wanted != EVERY_SEAT:
        return [seat_number(match, wanted)]
    deals = [one.start for one in match.rounds if one.is_played and one.start is not None]
    return [
        seat
        for seat in range(match.seats)
        if all(deal.tehais is not UNSET and HIDDEN not in deal.tehais[seat] for deal in deals)
    ]


def with_answers(match: Match, answers: Sequence[Sequence[Answer]]) -> Match:
    """Return a match with more answers: one list for each round."""
    rounds = [
        structs.replace(one, answers=tuple(sorted((*one.answers, *given), key=attrgetter("index"))))
        for one, given in zip(match.rounds, answers, strict=True)
    ]
    return structs.replace(match, rounds=rounds)


class _Game:
    """A match that a bot plays at one seat."""

    def __init__(self, match: Match, seat: int, player: Bot | Called) -> None:
        self.match, self.seat, self.player = match, seat, player
        self.rows: list[ReviewRow] = []
        self.answers: list[list[Answer]] = [[] for _ in match.rounds]
        self._illegal = 0
        self.deals = starts(match)

    def play(self) -> None:
        """Play the game to its end. Raises `BotError`."""
        opening, *rounds, closing = self._stream()
        self.player.begin(self.seat)
        for line in opening:
            given, _ = self.player.ask([line])
            try:
                answer_of(given, self.seat)
            except AnswerError as error:
                # A program that greets would be one answer behind to the end.
                raise BotError(f"its first answer: {error}") from None
        for number, lines in enumerate(rounds):
            self._play_round(number, lines)
        self.player.finish(closing or [b'{"type":"end_game"}'])

    def _stream(self) -> list[list[bytes]]:
        """Return the messages that the seat receives: before the rounds, of each round, and after them."""
        form, _ = find(MESSAGES)
        options = WriteOptions(plain=True, fill=True, seat=self.seat)
        parts = form.render(prepare(self.match, form, options).match, None, True, options).parts
        return [part.text.splitlines() for part in parts]

    def _play_round(self, number: int, lines: Sequence[bytes]) -> None:
        events = self.match.rounds[number].events
        asked = {one.index: one for one in decisions(self.match, number, self.seat, deal=self.deals[number])}
        begin = 0
        for end in range(1, len(lines) + 1) if self.player.one_by_one else sorted({*asked, len(lines)}):
            decision = asked.get(end, _NONE)
            try:
                given, seconds = self.player.ask(lines[begin:end], decision.choices)
            except BotError as error:
                fault = "late" if isinstance(error, LateError) else "broken"
                self._add(number, end, decision, 0.0, fault=fault, problem=error.message)
                raise
            begin = end
            try:
                answer = answer_of(given, self.seat)
            except AnswerError as error:
                self._add(number, end, decision, seconds, fault="broken", problem=str(error))
                continue
            # A bot may answer again after a dora or an accepted riichi: its first answer counts.
            if decision.choices or (type(answer) is not ev.Pass and decision_at(asked, events, end) is None):
                self._answered(number, end, decision, seconds, answer)

    def _answered(self, number: int, index: int, decision: SeatDecision, seconds: float, answer: ev.Event) -> None:
        self.answers[number].append(Answer(index, answer, self.seat))
        extras = answer.extras
        given: dict[str, Any] = {
            "answered": _text(answer),
            "legal": matching(decision.choices, answer) is not None,
            "values": None if extras is UNSET else jsontext.dumps(dict(extras)).decode("utf-8", "replace"),
        }
        if not given["legal"]:
            given |= {"fault": "illegal", "problem": self._rule(number, index, decision, _plain(answer))}
        elif decision.taken is not None:
            given["same"] = matching((decision.taken,), answer) is not None
        self._add(number, index, decision, seconds, **given)

    def _add(self, number: int, index: int, decision: SeatDecision, seconds: float, **given: Any) -> None:
        taken = decision.taken
        if taken is not None:
            given = {"taken": _text(taken), "kind": KIND_OF[type(taken)], "same": False} | given
        row = ReviewRow(
            round=number,
            label=self.match.rounds[number].label,
            event=index,
            seat=self.seat,
            choices=len(decision.choices),
            seconds=round(seconds, 6),
            **given,
        )
        self.rows.append(row)

    def _rule(self, number: int, index: int, decision: SeatDecision, answer: ev.Event) -> str:
        """Return why an answer is illegal: what the referee finds if it is played."""
        self._illegal += 1
        record = self.match.rounds[number]
        played = structs.replace(record, events=[*record.events[:index], answer], answers=())
        if type(answer) is not ev.Pass and self._illegal <= _EXPLAINED:
            trial = structs.replace(self.match, rounds=[*self.match.rounds[:number], played], closing=[])
            for finding in check(trial):
                if finding.round == number and finding.event == index and finding.severity == "error":
                    return f"{finding.code}: {finding.message}"
        choices = ", ".join(dict.fromkeys(map(ev.name_of, decision.choices))) or "none"
        return f"{ev.name_of(answer)} is not among the choices: {choices}"


def _text(event: ev.Event) -> str:
    """Return an event as an mjai message in JSON, without the keys that mjai does not define."""
    return msgspec.json.encode(_plain(event)).decode()


def _plain(event: ev.Event) -> ev.Event:
    return event if event.extras is UNSET else structs.replace(event, extras=UNSET)
