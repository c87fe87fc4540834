"""Points of wins and of riichi: deltas that add up and are what the hand is worth, and the scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, UnsetType, structs

from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK, accepted_riichi
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Rules
from mjconv.ir.plural import counted
from mjconv.referee.findings import Code
from mjconv.referee.game import Check, Game, Hooks
from mjconv.referee.payments import HONBA, Deltas, Stakes, liability, of_win
from mjconv.referee.values import payment
from mjconv.referee.winning import Winning, winning
from mjconv.referee.worth import Worth

CODES: Final = {
    "R050": Code("the deltas of a win do not add up to the riichi sticks it takes"),
    "R051": Code("the deltas of a win are not what the hand is worth"),
    "R052": Code("the deltas of a win are right only by rules of other houses", "warning"),
    "R059": Code("scores that do not follow from those before, the riichi sticks and the deltas"),
}

#: What in a deal a hand is worth more or less by: winds and honba.
_WORTH_OF_THE_DEAL: Final = frozenset({"R060", "R061", "R062"})
#: Honba are worth this many shares in the rules that a record states.
_SHARES: Final = 3
#: From so many han on a hand counts as a yakuman, or in some houses as the sanbaiman below.
_COUNTED_YAKUMAN: Final = 13
_SANBAIMAN: Final = 12


class PointsCheck(Check):
    """Looks at the deltas of wins, and at all scores in a round."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._refused = -1
        self._results = 0
        self._scores_told = False
        self._accepted = [0] * game.seats

    def after(self) -> Hooks:
        """Give what to do after events."""
        return {ev.RiichiAccepted: self._riichi_accepted, ev.Win: self._won, ev.Ryukyoku: self._drawn}

    def refused(self, event: object, error: IllegalPlayError) -> None:  # noqa: ARG002 - as all checks
        """Leave a win alone that cannot be: it is told already."""
        self._refused = self.game.index

    def _riichi_accepted(self, event: ev.RiichiAccepted) -> None:
        game = self.game
        if not 0 <= event.actor < game.seats:
            return
        self._accepted[event.actor] += 1
        stick = tuple([-RIICHI_STICK * (seat == event.actor) for seat in range(game.seats)])
        if event.deltas is not UNSET and event.deltas != stick:
            self._tell_scores("the riichi of {} moves " + _told(event.deltas), event.actor)
        self._compare(event, self._accepted, (0,) * game.seats)

    def _counts(self) -> bool:
        """Tell whether a result is one of those that a round can have; each looks at all the round."""
        self._results += 1
        return self._results <= self.game.seats

    def _drawn(self, event: ev.Ryukyoku) -> None:
        moved = event.deltas
        if self._counts() and moved is not UNSET and len(moved) == self.game.seats:
            self._compare(event, accepted_riichi(self.game.record.events, self.game.seats), moved)

    def _won(self, win: ev.Win) -> None:
        game = self.game
        if win.deltas is UNSET or len(win.deltas) != game.seats:
            return
        if not self._counts() or self._refused == game.index or game.index in game.told:
            return
        if game.riichi:
            self._value(win, win.deltas)
        elif sum(win.deltas):
            game.tell("R050", f"the deltas {_told(win.deltas)} do not add up to 0", actor=win.actor)
        moved = [0] * game.seats
        results: list[ev.Win | ev.Ryukyoku] = ev.select(game.events[: game.index + 1], ev.Win, ev.Ryukyoku)
        for result in results:
            if result.deltas is UNSET or len(result.deltas) != game.seats:
                return
            moved = [a + b for a, b in zip(moved, result.deltas, strict=True)]
        self._compare(win, accepted_riichi(game.record.events, game.seats), tuple(moved))

    def _value(self, win: ev.Win, deltas: Deltas) -> None:
        """Compare the deltas of a win with its value: first their sum, then each."""
        game = self.game
        first = _takes_sticks(game, win)
        sticks = None if game.start.kyotaku is UNSET else first * (game.start.kyotaku + _sticks(game))
        if game.doubt.sticks and abs(sum(deltas) - RIICHI_STICK * (sticks or 0)) == RIICHI_STICK:
            return
        if "R063" in game.disputed and sum(deltas) >= 0 and sum(deltas) % RIICHI_STICK == 0:
            sticks = sum(deltas) // RIICHI_STICK
        if sticks is not None and sum(deltas) != RIICHI_STICK * sticks:
            taken = counted(sticks, "riichi stick")
            game.tell(
                "R050",
                f"the deltas {_told(deltas)} add up to {sum(deltas)}, where {{}} takes {taken}",
                win.actor,
                actor=win.actor,
            )
            return
        found = None if win.actor in game.doubt.riichi else winning(game, win)
        value = None if found is None else found.worth(game)
        if found is None or value is None or not value.yaku or sticks is None or game.start.honba is UNSET:
            return
        several = _several(game)
        if not game.disputed.isdisjoint(_WORTH_OF_THE_DEAL):
            # By the round before it may be right.
            return
        for stakes in _stakes(game, win, sticks, first, several):
            if any(deltas in _expected(win, stakes, found, worth) for worth in _values(game, found)):
                return
        stakes = next(_stakes(game, win, sticks, first, several))
        if any(deltas in _expected(win, stakes, found, worth) for worth in _elsewhere(game, found)):
            game.tell("R052", f"{_told(deltas)} is right only by other rules", actor=win.actor)
            return
        right = _expected(win, stakes, found, value)[0]
        game.tell(
            "R051",
            f"the deltas are {_told(deltas)}, and the hand of {{}}, {value.han} han {value.fu} fu, moves"
            f" {_told(right)}",
            win.actor,
            actor=win.actor,
        )

    def _compare(
        self, event: ev.Win | ev.Ryukyoku | ev.RiichiAccepted, paid: list[int], moved: tuple[int, ...]
    ) -> None:
        """Compare the scores that an event tells with those at the deal, the sticks paid and the points moved."""
        before = self.game.start.scores
        if event.scores is UNSET or before is UNSET or len(before) != len(paid):
            return
        scores = tuple([a - RIICHI_STICK * b + c for a, b, c in zip(before, paid, moved, strict=True)])
        if event.scores != scores:
            self._tell_scores(f"the scores are {_told(event.scores)}, and should be {_told(scores)}")

    def _tell_scores(self, sentence: str, *about: int) -> None:
        # One slip would go on to the end of the round.
        if not self._scores_told:
            self._scores_told = True
            self.game.tell("R059", sentence, *about)


def _takes_sticks(game: Game, win: ev.Win) -> bool:
    """Tell whether a win takes the sticks: of several on a discard the first in turn."""
    if win.target is UNSET or win.target == win.actor:
        return True
    target = win.target
    winners = [win.actor for win in ev.select(game.events, ev.Win)]
    return win.actor == min(winners, key=lambda seat: (seat - target) % game.seats)


def _several(game: Game) -> bool:
    return len(ev.select(game.events, ev.Win)) > 1


def _sticks(game: Game) -> int:
    return sum(accepted_riichi(game.record.events, game.seats))


def _stakes(game: Game, win: ev.Win, sticks: int, first: bool, several: bool) -> Iterator[Stakes]:
    """Give what the win is about; of several on one discard the first has the honba, in some houses each."""
    rules: Rules | UnsetType = game.match.rules if game.record.rules is UNSET else game.record.rules
    each = HONBA if rules is UNSET or rules.honba is UNSET else rules.honba // _SHARES
    honba = each * int(game.start.honba or 0)
    target = win.actor if win.target is UNSET else win.target
    oya = int(game.start.oya or 0)
    for counts in (first, True) if several else (True,):
        yield Stakes(game.seats, win.actor, target, oya, honba * counts, sticks)


def _values(game: Game, found: Winning) -> Iterator[Worth]:
    """Give what the hand may be worth by the rules of the house, whatever dora the record does not show."""
    for unseen in range(found.unseen + 1):
        value = found.worth(game, unseen)
        if value is not None:
            yield value
            if value.fu_less != value.fu and not value.yakuman:
                yield _paying(game, found, value, value.han, value.fu_less)


def _elsewhere(game: Game, found: Winning) -> Iterator[Worth]:
    """Give what the hand is worth by the rules of other houses."""
    house = game.house
    for other in (
        structs.replace(house, kiriage=not house.kiriage),
        structs.replace(house, double_yakuman=not house.double_yakuman),
    ):
        for unseen in range(found.unseen + 1):
            value = found.worth(game, unseen, other)
            if value is not None:
                yield value
                if value.han >= _COUNTED_YAKUMAN and not value.yakuman:
                    yield _paying(game, found, value, _SANBAIMAN, value.fu)


def _paying(game: Game, found: Winning, value: Worth, han: int, fu: int) -> Worth:
    said = found.circumstances
    paid = payment(han, fu, 0, said.seat_wind == "E", said.tsumo, game.house.kiriage)
    return structs.replace(value, payment=paid)


def _expected(win: ev.Win, stakes: Stakes, found: Winning, worth: Worth) -> list[Deltas]:
    """Give what the win may move; whom the record calls liable is, and else who fed the hand."""
    told = None if win.liable is UNSET or not 0 <= win.liable < stakes.seats else win.liable
    liable, part = liability(worth, found.melds) or (None, 0)
    if told is not None:
        liable, part = told, part or worth.yakuman
    expected = of_win(stakes, worth, liable, part)
    if liable is not None and told is None and any(name == "sukantsu" for name, _ in worth.yaku):
        # Not every house has somebody answer for four kans.
        expected += of_win(stakes, worth)
    return expected


def _told(points: Deltas) -> str:
    return "(" + ", ".join(map(str, points)) + ")"
