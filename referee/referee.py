"""The referee: follows a match round by round, and tells all that is not right."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from msgspec import structs

from mjconv.ir import events as ev
from mjconv.ir.derive import starts
from mjconv.ir.force import force
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match
from mjconv.referee.calls import CallCheck
from mjconv.referee.dora import DoraCheck
from mjconv.referee.draws import DrawCheck
from mjconv.referee.finding_log import Clerk
from mjconv.referee.findings import Finding, Level
from mjconv.referee.game import Check, Game, Hooks, House
from mjconv.referee.host_stream import as_played
from mjconv.referee.order import misplaced
from mjconv.referee.picture import picture
from mjconv.referee.play import PlayCheck
from mjconv.referee.points import PointsCheck
from mjconv.referee.riichi import RiichiCheck
from mjconv.referee.sequence import check_sequence
from mjconv.referee.suspect_state import Doubt
from mjconv.referee.tiles import TileCheck
from mjconv.referee.wins import WinCheck

#: The codes of what was told of a round before its rules are looked at, by the event.
Told: TypeAlias = dict[int, str]

#: A match has no more pictures: each looks back at all of its round.
MOST_PICTURES: Final = 100
#: Of a round no more results are looked at, as each looks back as well: more are out of order anyway.
MOST_RESULTS: Final = 12
_AFTER_THE_END: Final = "O007"
#: Told at what is last, which itself is right.
_BREAKS_OFF: Final = frozenset({"O009", "O010"})
#: The families of rules, in the order in which they look at an event.
CHECKS: Final[tuple[type[Check], ...]] = (
    PlayCheck,
    TileCheck,
    CallCheck,
    RiichiCheck,
    WinCheck,
    DoraCheck,
    PointsCheck,
    DrawCheck,
)


def check(
    match: Match,
    *,
    level: Level = "rules",
    house: House | None = None,
    pictures: bool = False,
    number: int = 0,
) -> list[Finding]:
    """Tell all that is not right in a match, in the order of the record; an empty list when it is.

    At level ``order`` only the order of the messages is looked at, at ``rules`` also the rules of play, as `house`
    has them; ``syntax`` is the matter of files, and finds nothing here. `pictures` shows the table at each
    finding. `number` is that of the match in its file, from 0.

    >>> deal = ev.StartRound(oya=0, dora_marker="1m", tehais=(("1p",) * 13, *(("?",) * 13,) * 3))
    >>> from mjconv.ir.match import Round
    >>> match = Match(rounds=[Round([deal, ev.Draw(0, "9p"), ev.Discard(0, "8p"), ev.Ryukyoku(), ev.EndRound()])])
    >>> [finding.code for finding in check(match) if finding.severity == "error"]
    ['R001']
    """
    clerk = Clerk(match, number)
    if level == "syntax":
        return []
    told = _check_order(match, clerk)
    if level == "rules":
        _check_rules(match, clerk, house or House(), told, pictures=pictures)
    elif pictures and told:
        _draw_pictures(match, clerk, told)
    return clerk.findings


def _check_order(match: Match, clerk: Clerk) -> dict[int, Told]:
    """Look at the order of messages; gives the code of each event of a round that something was told of."""
    told: dict[int, Told] = {}
    for found in misplaced(match):
        clerk.write(
            found.code,
            found.sentence,
            *found.about,
            round=found.round,
            event=found.event,
            actor=found.actor,
            label=found.where,
        )
        if found.round is not None and found.event is not None:
            told.setdefault(found.round, {}).setdefault(found.event, found.code)
    return told


def _check_rules(match: Match, clerk: Clerk, house: House, told: dict[int, Told], *, pictures: bool) -> None:
    played, places = as_played(match, clerk.write, told)
    cut = _cut(played, places, told)
    doubts: dict[int, Doubt] = {}
    #: The codes of what does not follow, by round; None for the match.
    disputed: dict[int | None, set[str]] = {}

    def dispute(code: str, *_: Any, round: int | None = None, **__: Any) -> None:  # noqa: A002 - the field's word
        disputed.setdefault(round, set()).add(code)

    check_sequence(played, dispute)
    for number, start in enumerate(starts(played)):
        if played.rounds[number].events:
            sitting = _Sitting(played, number, clerk, places[number], told.get(number, {}), pictures=pictures)
            doubts[number] = sitting.follow(start, house, CHECKS, frozenset(disputed.get(number, ())))
            doubts[number].cut = number in cut

    def tell(code: str, sentence: str, *about: Any, **where: Any) -> None:
        if where.get("round") is not None and where.get("event") is not None:
            where["event"] = places[where["round"]][where["event"]]
        clerk.write(code, sentence, *about, **where)

    # Doubts leave out what would be told without them, and add nothing.
    if disputed:
        check_sequence(played, tell, doubts)


def _cut(played: Match, places: list[list[int]], told: dict[int, Told]) -> set[int]:
    """Leave out of each round what comes after its end; gives those where that is the play of a missing deal."""
    cut: set[int] = set()
    for number, codes in told.items():
        over = min((at for at, code in codes.items() if code == _AFTER_THE_END), default=None)
        if over is not None:
            keep = bisect_left(places[number], over)
            game_round = played.rounds[number]
            if any(type(event) in ev.RESULTS for event in game_round.events[keep:]):
                cut.add(number)
            played.rounds[number] = structs.replace(game_round, events=game_round.events[:keep])
            del places[number][keep:]
    return cut


def _draw_pictures(match: Match, clerk: Clerk, told: dict[int, Told]) -> None:
    """Play the rounds of which something was told, for the pictures alone."""
    played, places = as_played(match, lambda *_, **__: None)
    for number, start in enumerate(starts(played)):
        if number in told and played.rounds[number].events:
            _Sitting(played, number, clerk, places[number], told[number], pictures=True).follow(start, House(), ())


class _Sitting:
    """One round being followed: `places` are the indices of its events in the record, `told` those spoken of."""

    def __init__(
        self, match: Match, number: int, clerk: Clerk, places: Sequence[int], told: Told, *, pictures: bool
    ) -> None:
        self.match = match
        self.number = number
        self.clerk = clerk
        self.places = places
        self.told = told
        self.pictures = pictures
        self.game: Game

    def follow(
        self,
        start: ev.StartRound,
        house: House,
        families: Sequence[type[Check]],
        disputed: frozenset[str] = frozenset(),
    ) -> Doubt:
        """Play the round, each event seen by the checks before and after; gives what is in doubt of it."""
        try:
            game = self.game = Game(self.match, self.number, start, house, self._tell)
        except IllegalPlayError as error:
            self.clerk.write("R008", error.sentence, *error.about, round=self.number, event=0)
            return Doubt()
        if game.seats != self.clerk.seats:
            # Neither hands nor scores tell how many play in this round.
            return Doubt()
        game.told = {index: self.told[at] for index, at in enumerate(self.places) if self._out_of_order(at)}
        game.disputed = disputed
        lost = self._lost()
        checks = [family(game) for family in families]
        before = _hooks([check.before() for check in checks])
        after = _hooks([check.after() for check in checks])
        results = 0
        event: Any
        for index, event in enumerate(game.events):
            game.index = index
            game.played = False
            kind = type(event)
            for left_out in lost.get(index, ()):
                game.misplace("R008", left_out)
                game.doubt.refused("turn", game.table.turn, {(game.table.last_actor + 1) % game.seats})
            if self.places[index] in self.told:
                self._picture()
            if index in game.told:
                game.misplace(game.told[index], event)
            if kind in ev.RESULTS:
                results += 1
                if results > MOST_RESULTS:
                    continue
            for look in before.get(kind, ()):
                look(event)
            try:
                game.table.apply(event)
            except IllegalPlayError as error:
                for check in checks:
                    check.refused(event, error)
                game.refuse(event, error)
                force(game.table, event)
            game.played = True
            game.draws += kind is ev.Draw
            for look in after.get(kind, ()):
                look(event)
        for check in checks:
            check.end()
        return game.doubt

    def _out_of_order(self, at: int) -> bool:
        return at in self.told and self.told[at] not in _BREAKS_OFF

    def _lost(self) -> dict[int, list[ev.Event]]:
        """Give what was told of and left out, by the event that comes after it."""
        lost: dict[int, list[ev.Event]] = {}
        for at in sorted(self.told.keys() - set(self.places)):
            lost.setdefault(bisect_left(self.places, at), []).append(
                self.clerk.match.rounds[self.number].events[at]
            )
        return lost

    def _tell(
        self, code: str, sentence: str, *about: Any, actor: int | None = None, event: int | None = None
    ) -> None:
        index = self.game.index if event is None else event
        self.game.doubt.told(code, actor)
        self.clerk.write(code, sentence, *about, round=self.number, event=self.places[index], actor=actor)
        self._picture(index)

    def _picture(self, index: int | None = None) -> None:
        pictures = self.clerk.pictures
        if self.pictures and len(pictures) < MOST_PICTURES:
            at = self.places[self.game.index if index is None else index]
            if (self.number, at) not in pictures:
                pictures[self.number, at] = picture(self.game)


def _hooks(all_hooks: Sequence[Hooks]) -> dict[type, list[Callable[[Any], None]]]:
    found: dict[type, list[Callable[[Any], None]]] = {}
    for hooks in all_hooks:
        for kind, look in hooks.items():
            found.setdefault(kind, []).append(look)
    return found
