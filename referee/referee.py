"""The referee: it follows a match round by round, and reports every error."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import House, Match
from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.stream import overruled, recorded_seat
from mjconv.referee.dora import DoraCheck
from mjconv.referee.draws import DrawCheck
from mjconv.referee.finding_log import FindingLog
from mjconv.referee.findings import Finding, Level
from mjconv.referee.host_stream import events_of_play
from mjconv.referee.houses import explained
from mjconv.referee.mcr import McrCheck
from mjconv.referee.order import misplaced
from mjconv.referee.picture import picture
from mjconv.referee.play import CallCheck, PlayCheck
from mjconv.referee.points import PointsCheck
from mjconv.referee.riichi import RiichiCheck
from mjconv.referee.round_state import Check, Hooks, RoundState, SuspectState
from mjconv.referee.sequence import check_sequence
from mjconv.referee.tiles import TileCheck
from mjconv.referee.wins import WinCheck
from mjconv.rules.house import USUAL, first_stated
from mjconv.rules.rulesets import RuleSet, ruleset_of, rulesets_of
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
    DoraCheck,
    PointsCheck,
    DrawCheck,
    McrCheck,
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
    of `house`, then those that the record states, then the usual ones of its format. If other house rules explain
    findings, in all rounds, the match is checked by these, and a note names them. Level ``syntax``
    checks files, and finds nothing in a match. With `pictures`, each finding shows the table. `number` is the
    index of the match in its file. Messages and pictures spell players and tiles by `spelling`.

    >>> deal = ev.StartRound(oya=0, dora_marker="1m", tehais=(("1p",) * 13, *(("?",) * 13,) * 3))
    >>> from mjconv.ir.match import Round
    >>> match = Match(rounds=[Round([deal, ev.Draw(0, "9p"), ev.Discard(0, "8p"), ev.Ryukyoku(), ev.EndRound()])])
    >>> [finding.code for finding in check(match) if finding.severity == "error"]
    ['R001']
    """
    if level == "syntax":
        return []
    by_hand = house or House()
    usual = first_stated(match.house, USUAL)

    def judged(one: Match, found: House, pictures: bool = False) -> FindingLog:
        log = FindingLog(one, number, spelling)
        order = _check_order(one, log)
        if level == "rules":
            _check_rules(one, log, by_hand, first_stated(found, usual), order, pictures=pictures)
        elif pictures and order:
            _draw_pictures(one, log, order)
        return log

    log = judged(match, House(), pictures)
    if level == "rules" and log.findings and "R052" in ruleset_of(match).checks:
        stated = first_stated(by_hand, match.rules)
        found, words = explained(match, stated, usual, lambda *tried: judged(*tried).findings, log.findings)
        if words:
            log = judged(match, found, pictures)
            log.add("R052", f"plays {', '.join(words)}", label="")
    return log.findings


def _check_order(match: Match, log: FindingLog) -> dict[int, OrderCodes]:
    """Check the order of messages; return the reported codes, by round and event."""
    order: dict[int, OrderCodes] = {}
    for found in misplaced(match):
        log.add(
            found.code,
            found.sentence,
            *found.about,
            round=found.round,
            event=found.event,
            actor=found.actor,
            label=found.where,
        )
        if found.round is not None and found.event is not None:
            order.setdefault(found.round, {}).setdefault(found.event, found.code)
    return order


def _check_rules(
    match: Match, log: FindingLog, by_hand: House, usual: House, order: dict[int, OrderCodes], *, pictures: bool
) -> None:
    played, indices = events_of_play(match, log.add, order)
    cut = _cut(played, indices, order)
    suspects: dict[int, SuspectState] = {}
    #: The codes of values that do not follow, by round; None for the match.
    disputed: dict[int | None, set[str]] = {}

    def dispute(code: str, *_: Any, round: int | None = None, **__: Any) -> None:  # noqa: A002 - the field's word
        disputed.setdefault(round, set()).add(code)

    house_of_match = first_stated(by_hand, played.rules, usual)
    check_sequence(played, dispute, house_of_match)
    rulesets = rulesets_of(played)
    for number, start in enumerate(starts(played)):
        if played.rounds[number].events:
            codes = order.get(number, {})
            ruleset, stated = rulesets[number], played.rounds[number].rules
            house = first_stated(by_hand, played.rules if stated is UNSET else stated, usual)
            round_check = _RoundCheck(played, number, ruleset, log, indices[number], codes, pictures=pictures)
            suspects[number] = round_check.follow(start, house, CHECKS, frozenset(disputed.get(number, ())))
            suspects[number].cut = number in cut
            _check_answers(played, number, ruleset, log, house, indices[number], start)

    def report(code: str, sentence: str, *about: Any, **where: Any) -> None:
        if where.get("round") is not None and where.get("event") is not None:
            where["event"] = indices[where["round"]][where["event"]]
        log.add(code, sentence, *about, **where)

    # Suspect parts only remove findings. Without a finding there is nothing to remove.
    if disputed:
        check_sequence(played, report, house_of_match, suspects)


def _check_answers(
    played: Match,
    number: int,
    ruleset: RuleSet,
    log: FindingLog,
    house: House,
    indices: Sequence[int],
    start: ev.StartRound,
) -> None:
    """Check the answers of a player that the host of a stream did not repeat, each after the play before it."""
    events = played.rounds[number].events
    for at in overruled(log.match.rounds[number], recorded_seat(log.match.opening))[:MOST_ANSWERS]:
        before = events[: bisect_left(indices, at)]
        if not before or type(before[-1]) in _OVER:
            continue
        rounds = [*played.rounds]
        rounds[number] = structs.replace(rounds[number], events=[*before, log.match.rounds[number].events[at]])
        answered = structs.replace(played, rounds=rounds)
        own = FindingLog(answered, log.number, log.spelling)
        trial = _RoundCheck(answered, number, ruleset, own, range(len(before) + 1), {}, pictures=False)
        trial.follow(start, house, CHECKS)
        for finding in own.findings:
            if finding.event == len(before):
                log.add_of_answer(finding, at)


def _cut(played: Match, indices: list[list[int]], order: dict[int, OrderCodes]) -> set[int]:
    """Remove the events after the end of each round; return the rounds where these are another round's play."""
    cut: set[int] = set()
    for number, codes in order.items():
        over = min((at for at, code in codes.items() if code == _AFTER_THE_END), default=None)
        if over is not None:
            keep = bisect_left(indices[number], over)
            game_round = played.rounds[number]
            if any(type(event) in ev.RESULTS for event in game_round.events[keep:]):
                cut.add(number)
            played.rounds[number] = structs.replace(game_round, events=game_round.events[:keep])
            del indices[number][keep:]
    return cut


def _draw_pictures(match: Match, log: FindingLog, order: dict[int, OrderCodes]) -> None:
    """Play the rounds with findings of the order check, for the pictures alone."""
    played, indices = events_of_play(match, lambda *_, **__: None)
    rulesets = rulesets_of(played)
    for number, start in enumerate(starts(played)):
        if number in order and played.rounds[number].events:
            codes, ruleset = order[number], rulesets[number]
            round_check = _RoundCheck(played, number, ruleset, log, indices[number], codes, pictures=True)
            round_check.follow(start, House(), ())


class _RoundCheck:
    """The check of one round.

    `indices` are those of its events in the record. `order` are the codes of the order check, by these indices.
    """

    def __init__(
        self,
        match: Match,
        number: int,
        ruleset: RuleSet,
        log: FindingLog,
        indices: Sequence[int],
        order: OrderCodes,
        *,
        pictures: bool,
    ) -> None:
        self.match = match
        self.number = number
        self.ruleset = ruleset
        self.log = log
        self.indices = indices
        self.order = order
        self.pictures = pictures
        self.state: RoundState

    def follow(
        self,
        start: ev.StartRound,
        house: House,
        families: Sequence[type[Check]],
        disputed: frozenset[str] = frozenset(),
    ) -> SuspectState:
        """Play the round, with the checks before and after each event; return its suspect parts."""
        try:
            state = self.state = RoundState(self.match, self.number, start, self.ruleset, house, self._report)
        except IllegalPlayError as error:
            self.log.add("R008", error.sentence, *error.about, round=self.number, event=0)
            return SuspectState()
        if state.seats != self.log.seats:
            # Neither hands nor scores show how many play in this round.
            return SuspectState()
        state.out_of_order = {
            index: self.order[at] for index, at in enumerate(self.indices) if self._out_of_order(at)
        }
        state.disputed = disputed
        left_out = self._left_out()
        checks = [family(state) for family in families]
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
            if self.indices[index] in self.order:
                self._picture()
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

    def _out_of_order(self, at: int) -> bool:
        return at in self.order and self.order[at] not in _BREAKS_OFF

    def _left_out(self) -> dict[int, list[ev.Event]]:
        """Return the reported events that were left out, by the index of the event after them."""
        found: dict[int, list[ev.Event]] = {}
        for at in sorted(self.order.keys() - set(self.indices)):
            found.setdefault(bisect_left(self.indices, at), []).append(
                self.log.match.rounds[self.number].events[at]
            )
        return found

    def _report(
        self, code: str, sentence: str, *about: Any, actor: int | None = None, event: int | None = None
    ) -> None:
        if not self.state.has(code):
            return
        index = self.state.index if event is None else event
        self.state.suspect.note_finding(code, actor)
        self.log.add(code, sentence, *about, round=self.number, event=self.indices[index], actor=actor)
        self._picture(index)

    def _picture(self, index: int | None = None) -> None:
        pictures = self.log.pictures
        if self.pictures and len(pictures) < MOST_PICTURES:
            at = self.indices[self.state.index if index is None else index]
            if (self.number, at) not in pictures:
                pictures[self.number, at] = picture(self.state, self.log.spelling, self.log.seating(self.number))


def _hooks(all_hooks: Sequence[Hooks]) -> dict[type, list[Callable[[Any], None]]]:
    found: dict[type, list[Callable[[Any], None]]] = {}
    for hooks in all_hooks:
        for kind, hook in hooks.items():
            found.setdefault(kind, []).append(hook)
    return found
