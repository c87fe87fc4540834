"""The referee: it follows a match round by round, and reports every error."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Final, TypeAlias

from msgspec import structs

from mjconv.ir import events as ev
from mjconv.ir.answers import check_match, overruled, passes_for_discards
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import House, Match
from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.suggestion import check_word
from mjconv.referee.dora import DoraCheck, WallCheck
from mjconv.referee.draws import DrawCheck
from mjconv.referee.finding_log import FindingLog
from mjconv.referee.findings import LEVELS, Finding, Level
from mjconv.referee.games import GameCheck
from mjconv.referee.houses import explain
from mjconv.referee.known_seats import of_known_seats, of_seats
from mjconv.referee.mcr import McrCheck
from mjconv.referee.order import misplaced
from mjconv.referee.picture import picture
from mjconv.referee.play import CallCheck, PlayCheck
from mjconv.referee.points import PointsCheck
from mjconv.referee.riichi import RiichiCheck
from mjconv.referee.round_state import AddFinding, Check, Hooks, RoundState, SuspectState
from mjconv.referee.sequence import check_sequence
from mjconv.referee.tiles import TileCheck
from mjconv.referee.wins import WinCheck
from mjconv.rules.house import USUAL, first_stated
from mjconv.rules.rulesets import ruleset_of, rulesets_of
from mjconv.rules.succession import starts

#: The codes that the order check reported for a round, by the index of the event.
OrderCodes: TypeAlias = dict[int, str]

#: The most pictures of a match: each reads all of its round.
MOST_PICTURES: Final = 100
#: The most results of a round that are checked: each reads all of its round. More are out of order anyway.
MOST_RESULTS: Final = 12
#: The most answers of a round that are checked: each plays all of its round.
MOST_ANSWERS: Final = 20
#: The events after which a round is over.
_OVER: Final = ev.RESULTS | {ev.EndRound}
_AFTER_THE_END: Final = "O007"
#: The codes that are reported at the last event, which itself is right.
_BREAKS_OFF: Final = frozenset({"O009", "O010"})
#: The families of rules, in the order in which they check an event.
CHECKS: Final[tuple[type[Check], ...]] = (
    PlayCheck,
    TileCheck,
    CallCheck,
    RiichiCheck,
    WinCheck,
    WallCheck,
    DoraCheck,
    PointsCheck,
    DrawCheck,
    McrCheck,
    GameCheck,
)


def check(
    match: Match,
    *,
    level: Level = "rules",
    house: House | None = None,
    pictures: bool = False,
    number: int = 0,
    spelling: Spelling = PLAIN,
) -> list[Finding]:
    """Return all findings of a match, in the order of the record; an empty list if the match is right.

    Level ``order`` checks only the order of the messages. Level ``rules`` also checks the rules of play: by those
    of `house`, then the rules in the record, then the usual rules of its format. If other house rules explain
    findings, in all rounds, the match is checked by these, and a note names them. Level ``syntax``
    checks files, and finds nothing in a match. With `pictures`, each finding shows the table. `number` is the
    index of the match in its file. Messages and pictures spell players and tiles by `spelling`. Raises
    `UsageError` for an unknown level, and `UnsupportedError` where answers do not fit their round.

    >>> deal = ev.StartRound(oya=0, dora_marker="1m", tehais=(("1p",) * 13, *(("?",) * 13,) * 3))
    >>> from mjconv.ir.match import Round
    >>> match = Match(rounds=[Round([deal, ev.Draw(0, "9p"), ev.Discard(0, "8p"), ev.Ryukyoku(), ev.EndRound()])])
    >>> [finding.code for finding in check(match) if finding.severity == "error"]
    ['R001']
    """
    check_word("level", level, LEVELS)
    check_match(match)
    if level == "syntax":
        return []

    def judged(one: Match, explained: House, pictures: bool = False) -> FindingLog:
        log = FindingLog(one, number, spelling)
        order = _check_order(one, log)
        if level == "rules":
            _MatchCheck(log, order, log.add, pictures).by_rules(by_hand, first_stated(explained, usual))
        elif pictures and order:
            _MatchCheck(log, order, lambda *_, **__: None, pictures).draw_pictures()
        return log

    by_hand, usual = house or House(), first_stated(match.house, USUAL)
    log = judged(match, House(), pictures)
    if level == "rules" and log.findings and "R052" in ruleset_of(match).checks:
        stated = first_stated(by_hand, match.rules)
        explained, words = explain(match, stated, usual, lambda *tried: judged(*tried).findings, log.findings)
        if words:
            log = judged(match, explained, pictures)
            log.add("R052", f"plays {', '.join(words)}", label="")
    return log.findings


def _check_order(match: Match, log: FindingLog) -> dict[int, OrderCodes]:
    """Check the order of messages; return the reported codes, by round and event."""
    order: dict[int, OrderCodes] = {}
    for code, sentence, about, number, event, actor, label in misplaced(match):
        log.add(code, sentence, *about, round=number, event=event, actor=actor, label=label)
        if number is not None and event is not None:
            order.setdefault(number, {}).setdefault(event, code)
    for number, game_round in enumerate(match.rounds):
        for answer, seat in passes_for_discards(game_round):
            sentence = "{} answers `none` after the own call, and must discard"
            log.add("O001", sentence, seat, round=number, actor=seat, answer=answer)
    return order


class _MatchCheck:
    """The check of one match, round by round.

    `match` has only the events of play, and `indices` has their indices in the record, by round. `order` are the
    codes of the order check, by round and by index in the record. `report` takes findings about unknown seats.
    """

    def __init__(self, log: FindingLog, order: dict[int, OrderCodes], report: AddFinding, pictures: bool) -> None:
        self.log = log
        self.order = order
        self.pictures = pictures
        self.match, self.indices = of_known_seats(log.match, report, order)
        self.rulesets = rulesets_of(self.match)
        self.starts = starts(self.match)
        self.state: RoundState

    def by_rules(self, by_hand: House, usual: House) -> None:
        """Check the play by the rules of a house that are set by hand, else stated, else usual."""
        cut, match = self._cut(), self.match
        suspects: dict[int, SuspectState] = {}
        #: The codes of values that do not follow, by round; None for the match.
        disputed: dict[int | None, set[str]] = {}

        def dispute(code: str, *_: Any, round: int | None = None, **__: Any) -> None:  # noqa: A002 - the field's word
            disputed.setdefault(round, set()).add(code)

        def report(code: str, sentence: str, *about: Any, **where: Any) -> None:
            if where.get("round") is not None and where.get("event") is not None:
                where["event"] = self.indices[where["round"]][where["event"]]
            self.log.add(code, sentence, *about, **where)

        house_of_match = first_stated(by_hand, match.rules, usual)
        check_sequence(match, dispute, house_of_match)
        for number, game_round in enumerate(match.rounds):
            if game_round.events:
                house = first_stated(by_hand, match.rules_of(game_round), usual)
                suspects[number] = self.follow(number, house, CHECKS, frozenset(disputed.get(number, ())))
                suspects[number].cut = number in cut
                self._check_answers(number, house)
        # Suspect parts only remove findings. Without a finding there is nothing to remove.
        if disputed:
            check_sequence(match, report, house_of_match, suspects)

    def draw_pictures(self) -> None:
        """Play the rounds with findings of the order check, for the pictures alone."""
        for number, game_round in enumerate(self.match.rounds):
            if number in self.order and game_round.events:
                self.follow(number, House(), ())

    def follow(
        self, number: int, house: House, families: Sequence[type[Check]], disputed: frozenset[str] = frozenset()
    ) -> SuspectState:
        """Play a round, with the checks before and after each event; return its suspect parts."""
        indices, order = self.indices[number], self.order.get(number, {})
        try:
            state = self.state = RoundState(
                self.match, number, self.starts[number], self.rulesets[number], house, self._report
            )
        except IllegalPlayError as error:
            self.log.add("R008", error.sentence, *error.about, round=number, event=0)
            return SuspectState()
        if state.seats != self.log.seats:
            # Neither hands nor scores show how many play in this round.
            return SuspectState()
        state.out_of_order = {
            index: order[in_record]
            for index, in_record in enumerate(indices)
            if in_record in order and order[in_record] not in _BREAKS_OFF
        }
        state.disputed = disputed
        left_out = self._left_out(number)
        checks = [check for family in families if (check := family(state)).applies]
        before = _hooks([check.before() for check in checks])
        after = _hooks([check.after() for check in checks])
        results = 0
        event: Any
        for index, event in enumerate(state.events):
            state.index = index
            state.played = False
            kind = type(event)
            for missing in left_out.get(index, ()):
                state.note_out_of_order("R008", missing)
                state.suspect.note_refusal("turn", state.table.turn, {(state.table.last_actor + 1) % state.seats})
            if indices[index] in order:
                self._picture(index)
            if index in state.out_of_order:
                state.note_out_of_order(state.out_of_order[index], event)
            if kind in ev.RESULTS:
                results += 1
                if results > MOST_RESULTS:
                    continue
            for hook in before.get(kind, ()):
                hook(event)
            try:
                state.table.apply(event)
            except IllegalPlayError as error:
                for check in checks:
                    check.refused(event, error)
                state.note_refusal(event, error)
                state.table.play_anyway(event)
            state.played = True
            for hook in after.get(kind, ()):
                hook(event)
        for check in checks:
            check.end()
        return state.suspect

    def _check_answers(self, number: int, house: House) -> None:
        """Check the answers that no event repeats, each after the events before it."""
        log, record = self.log, self.log.match.rounds[number]
        events = self.match.rounds[number].events
        for answer in overruled(record)[:MOST_ANSWERS]:
            index, stated, _ = structs.astuple(record.answers[answer])
            before = events[: bisect_left(self.indices[number], index)]
            if not before or type(before[-1]) in _OVER:
                continue
            message, wrong = of_seats(stated, log.seats)
            if message is None:
                log.add("R008", str(wrong), round=number, answer=answer)
                continue
            rounds = [*self.match.rounds]
            rounds[number] = structs.replace(rounds[number], events=[*before, message])
            trial = copy(self)
            trial.match = structs.replace(self.match, rounds=rounds)
            trial.log = FindingLog(trial.match, log.number, log.spelling)
            trial.indices = [[*range(len(before) + 1)]] * (number + 1)
            trial.order, trial.pictures = {}, False
            trial.follow(number, house, CHECKS)
            for finding in trial.log.findings:
                if finding.event == len(before):
                    log.add_of_answer(finding, answer)

    def _cut(self) -> set[int]:
        """Remove the events after the end of each round. Return the rounds where they have another result."""
        cut: set[int] = set()
        for number, codes in self.order.items():
            over = min((index for index, code in codes.items() if code == _AFTER_THE_END), default=None)
            if over is not None:
                keep = bisect_left(self.indices[number], over)
                game_round = self.match.rounds[number]
                if any(type(event) in ev.RESULTS for event in game_round.events[keep:]):
                    cut.add(number)
                self.match.rounds[number] = structs.replace(game_round, events=game_round.events[:keep])
                self.indices[number] = self.indices[number][:keep]
        return cut

    def _left_out(self, number: int) -> dict[int, list[ev.Event]]:
        """Return the reported events of a round that were left out, by the index of the event after them."""
        left_out: dict[int, list[ev.Event]] = {}
        for in_record in sorted(self.order.get(number, {}).keys() - set(self.indices[number])):
            after = bisect_left(self.indices[number], in_record)
            left_out.setdefault(after, []).append(self.log.match.rounds[number].events[in_record])
        return left_out

    def _report(self, code: str, sentence: str, *about: Any, event: int | None = None, **of: Any) -> None:
        """Add a finding about the present event, or another one. `of` are its `actor` and its `key`."""
        state = self.state
        if state.has(code):
            index = state.index if event is None else event
            state.suspect.note_finding(code, of.get("actor"))
            where = self.indices[state.number][index]
            self.log.add(code, sentence, *about, round=state.number, event=where, **of)
            self._picture(index)

    def _picture(self, index: int) -> None:
        pictures, number = self.log.pictures, self.state.number
        place = number, self.indices[number][index]
        if self.pictures and len(pictures) < MOST_PICTURES and place not in pictures:
            pictures[place] = picture(self.state, self.log.spelling, self.log.seating(number))


def _hooks(all_hooks: Sequence[Hooks]) -> dict[type, list[Callable[..., Any]]]:
    by_kind: dict[type, list[Callable[..., Any]]] = {}
    for hooks in all_hooks:
        for kind, hook in hooks.items():
            by_kind.setdefault(kind, []).append(hook)
    return by_kind
