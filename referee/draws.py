"""Rounds without a win: tenpai and its payments, nagashi mangan, and draws that break a round off."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.illegal import Amounts
from mjconv.ir.match import USUAL_SEATS
from mjconv.ir.message_names import reason_of
from mjconv.ir.plural import counted
from mjconv.ir.table import NO_RIICHI
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.ir.vocabulary import CHOMBO, REASONS, SHOW_TENPAI
from mjconv.referee.choices import MOST_KANS, is_first_turn
from mjconv.referee.round_state import Check, RoundState
from mjconv.rules.hands import countable, in_tenpai, is_complete, may_have_nine_kinds
from mjconv.rules.payments import Deltas, nagashi_deltas, nagashi_winners
from mjconv.rules.riichi_wins import points_of_honba
from mjconv.rules.tenpai import noten_totals, tenpai_deltas

_KANS: Final = frozenset({"daiminkan", "kakan", "ankan"})


def _nine_kinds(state: RoundState) -> bool:
    """Return whether the present player may break off: nine kinds of orphans at the first draw, without calls."""
    last = _last(state)
    if not isinstance(last, ev.Draw):
        return False
    seat = last.actor
    early = is_first_turn(state.table, state.events[: state.index], seat)
    return early and (not state.knows(seat) or may_have_nine_kinds(state.hand(seat)))


def _four_winds(state: RoundState) -> bool:
    """Return whether the first discards of all four are the same wind."""
    rivers = state.table.rivers
    called = any(type(event) in ev.MELDS for event in _play(state))
    firsts = {river[0] for river in rivers if len(river) == 1}
    one_each = len(rivers) == USUAL_SEATS and all(len(river) == 1 for river in rivers)
    return one_each and not called and len(firsts - {HIDDEN}) <= 1 and firsts <= {*WINDS, HIDDEN}


def _four_riichi(state: RoundState) -> bool:
    """Return whether all four are in riichi, after a discard."""
    return (
        state.seats == USUAL_SEATS
        and NO_RIICHI not in state.table.riichi
        and isinstance(_last(state), (ev.Discard, ev.RiichiAccepted))
    )


def _four_kans(state: RoundState) -> bool:
    """Return whether there are four kans of several players, with at most one discard after the last."""
    discards = 0
    for event in reversed(_play(state)):
        if type(event) in ev.KANS:
            break
        discards += isinstance(event, ev.Discard)
    if discards > 1:
        return False
    makers = [seat for seat, melds in enumerate(state.table.melds) for meld in melds if meld.kind in _KANS]
    return len(makers) >= MOST_KANS and (len(set(makers)) > 1 or len(makers) > MOST_KANS)


def _triple_ron(state: RoundState) -> bool:
    """Return whether all three others can win on the last tile."""
    last: Any = next((event for event in reversed(_play(state)) if type(event) is not ev.RiichiAccepted), None)
    if state.seats != USUAL_SEATS or type(last) not in ev.SHOWS:
        return False
    tile = state.table.last_tile
    return all(_wins_on(state, seat, tile) for seat in range(state.seats) if seat != last.actor)


def _wins_on(state: RoundState, seat: int, tile: Tile) -> bool:
    hand = [*state.hand(seat), tile]
    melds = state.table.melds[seat]
    return not state.knows(seat) or not countable(hand, melds) or is_complete(hand, melds)


def _play(state: RoundState) -> list[ev.Event]:
    return [event for event in state.events[: state.index] if not isinstance(event, (ev.Dora, ev.StartRound))]


def _last(state: RoundState) -> ev.Event | None:
    return next(reversed(_play(state)), None)


#: Whether the round can be broken off now, by the hub's name of the reason.
_MAY_BREAK_OFF: Final[dict[str, Callable[[RoundState], bool]]] = {
    "nine_kinds": _nine_kinds,
    "four_winds": _four_winds,
    "four_riichi": _four_riichi,
    "four_kans": _four_kans,
    "triple_ron": _triple_ron,
}
#: The finding about a tenpai that is stated or paid wrongly.
_WRONG_CLAIMS: Final = {
    True: ("R054", "{} is not tenpai, but is stated or paid as tenpai"),
    False: ("R055", "{} is tenpai, but is stated or made to pay as noten"),
}


class DrawCheck(Check):
    """Checks the end of a round that nobody wins."""

    _over = False

    def _after_ryukyoku(self, event: ev.Ryukyoku) -> None:
        if self._over:
            return
        self._over = True
        state = self.state
        deltas = event.deltas
        if deltas is not UNSET and len(deltas) != state.seats:
            return
        if deltas is not UNSET and sum(deltas) != 0:
            state.report("R053", "the deltas {} do not add up to 0", Amounts(deltas))
            return
        checked = state.has("R056") and state.table.draws and event.reason != CHOMBO
        if not checked or state.index in state.out_of_order:
            return
        self._shown(event)
        reason = None if event.reason is UNSET else reason_of(event.reason)
        abortive = reason in _MAY_BREAK_OFF
        if reason in _MAY_BREAK_OFF and not _MAY_BREAK_OFF[reason](state):
            english = REASONS[reason].english
            state.report("R056", f"the round is broken off for {english}, but the play does not allow it")
        elif state.suspect.wall and not abortive and not (deltas is not UNSET and any(deltas)):
            # It is not known whether the round was played to its last tile.
            return
        elif abortive or (state.left or 0) > 0:
            # Without reason and deltas the record may only break off. Houses have reasons of their own.
            if reason in SHOW_TENPAI or abortive or (event.reason is UNSET and deltas is not UNSET):
                self._broken_off(event, abortive)
        else:
            self._exhausted(event, deltas, reason == "nagashi_mangan")

    def _broken_off(self, event: ev.Ryukyoku, abortive: bool) -> None:
        state = self.state
        if not abortive and not any(allowed(state) for allowed in _MAY_BREAK_OFF.values()):
            left = counted(state.left or 0, "tile")
            state.report("R056", f"the round is drawn with {left} left to draw, but the play does not allow it")
        elif event.deltas is not UNSET and any(event.deltas):
            state.report("R057", "the round is broken off, but moves {}", Amounts(event.deltas))

    def _shown(self, event: ev.Ryukyoku) -> None:
        """Compare the hands that the draw shows."""
        state = self.state
        for seat, hand in enumerate((event.tehais or ())[: state.seats]):
            if hand and HIDDEN not in hand and state.knows(seat) and Counter(hand) != Counter(state.hand(seat)):
                state.blame("R058", "{} shows {}, but holds {}", seat, hand, tuple(state.hand(seat)))

    def _exhausted(self, event: ev.Ryukyoku, deltas: Deltas | UnsetType, nagashi: bool) -> None:
        state = self.state
        stated = event.reason is not UNSET or deltas is not UNSET
        if stated and not isinstance(_last(state), (ev.Discard, ev.RiichiAccepted)):
            state.blame("R056", "the round is drawn, but {} has not discarded the last tile", state.table.turn)
            return
        winners = nagashi_winners(state.table, hidden=True)
        if nagashi and not winners:
            state.report("R056", "the round ends by nagashi mangan, but nobody has it")
            return
        if deltas is not UNSET and winners and deltas in set(_nagashi_payments(state, winners)):
            deltas = UNSET
            nagashi = True
        if deltas is not UNSET and nagashi:
            right = next(_nagashi_payments(state, winners))
            state.report("R053", "the deltas are {}, but nagashi mangan moves {}", Amounts(deltas), Amounts(right))
            return
        claims = event.tenpais if event.tenpais is not UNSET else None if nagashi else _paid(state, deltas)
        truth = [
            in_tenpai(state.hand(seat), state.table.melds[seat], fifth=bool(state.house.fifth_wait))
            if state.knows(seat)
            else None
            for seat in range(state.seats)
        ]
        if claims is not None and len(claims) == state.seats:
            self._claims(claims, truth)
        if deltas is not UNSET:
            self._payments(deltas, event, truth)

    def _claims(self, claims: tuple[bool, ...], truth: list[bool | None]) -> None:
        for seat, claim in enumerate(claims):
            if truth[seat] not in (None, claim):
                code, sentence = _WRONG_CLAIMS[claim]
                self.state.blame(code, sentence, seat)

    def _payments(self, deltas: Deltas, event: ev.Ryukyoku, truth: list[bool | None]) -> None:
        """Check the payments by the tenpai that the record states, or else by the tenpai of the hands."""
        state = self.state
        totals = noten_totals(state.rules, state.seats)
        if not totals:
            return
        if event.tenpais is not UNSET and len(event.tenpais) == state.seats:
            tenpai = {seat for seat, claim in enumerate(event.tenpais) if claim}
        elif any(deltas):
            tenpai = {seat for seat, moved in enumerate(deltas) if moved > 0}
        else:
            tenpai = {seat for seat, ready in enumerate(truth) if ready}
            if not tenpai or False not in truth:
                return
        possible = [tenpai_deltas(tenpai, state.seats, total) for total in totals]
        if deltas not in possible:
            message = "the deltas are {}, but the tenpai of the hands moves {}"
            state.report("R053", message, Amounts(deltas), Amounts(possible[0]))


def _paid(state: RoundState, deltas: Deltas | UnsetType) -> tuple[bool, ...] | None:
    """Return whether each seat is paid as tenpai, or None where the deltas do not show it."""
    if deltas is UNSET or not any(deltas):
        return None
    claims = tuple([moved > 0 for moved in deltas])
    tenpai = {seat for seat, claim in enumerate(claims) if claim}
    totals = noten_totals(state.rules, state.seats)
    return claims if any(deltas == tenpai_deltas(tenpai, state.seats, total) for total in totals) else None


def _nagashi_payments(state: RoundState, winners: list[int]) -> Iterator[Deltas]:
    oya, honba = int(state.start.oya or 0), int(state.start.honba or 0)
    for several in (winners, *([winner] for winner in winners)):
        yield nagashi_deltas(several, state.seats, oya)
        yield nagashi_deltas(several, state.seats, oya, honba, points_of_honba(state.house))
