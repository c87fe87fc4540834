"""Wins: a complete hand with a yaku, without furiten, on the right tile, with the value that the record states."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.message_names import KNOWN_YAKU, YAKU_IN_MESSAGES
from mjconv.ir.tiles import HIDDEN, Tile, plain, sorted_tiles
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, YAKU
from mjconv.referee.round_state import Check, RoundState
from mjconv.rules.decomposition import ORPHANS
from mjconv.rules.hands import groups
from mjconv.rules.payments import honba_paid
from mjconv.rules.riichi_values import HandValue, payment
from mjconv.rules.riichi_wins import WonHand, stakes_of, won_hand

#: The events that may come between a tile and a win on it.
_BETWEEN: Final = frozenset({ev.Dora, ev.Win})
#: The names of the yakuman that a record shows. Houses count renhou in many ways, and no round shows paarenchan.
_YAKUMAN: Final = frozenset(
    YAKU_IN_MESSAGES[name] for name, yaku in YAKU.items() if yaku.yakuman and name not in ("renhou", "paarenchan")
)


def shown_hand(state: RoundState, win: ev.Win) -> WonHand | None:
    """Return the hand of the present win, or None where the record does not show it or it is suspect."""
    seat = win.actor
    if not (state.riichi and 0 <= seat < state.seats and state.knows(seat)):
        return None
    tsumo = win.giver == seat
    suspect = state.suspect
    if (suspect.last_tile and not tsumo) or (suspect.wall and (state.undrawn or 0) <= state.seats):
        return None
    before = state.events[: state.index]
    return won_hand(state.table, state.start, before, win, left=state.left, ignored=state.out_of_order)


def possible_values(state: RoundState, win: ev.Win, hand: WonHand) -> Iterator[HandValue]:
    """Yield the values that a hand may have, for each number of unseen dora, and with the yaku of its house."""
    own = _han_of_local_yaku(state, win)
    # An open riichi may include the han of the riichi.
    least = own - (own > 0 and hand.history.riichi and all(name != "reach" for name, _ in win.yakus or ()))
    dealer, tsumo = win.actor == state.start.oya, hand.circumstances.tsumo
    for more in range(least, own + hand.unseen + 1):
        number = sum(han for _, han in win.yakus or ()) // HAN_OF_YAKUMAN
        for value in hand.readings(state.house, more):
            yield value
            if number and state.house.local_yaku and (value.yakuman or own >= HAN_OF_YAKUMAN):
                yield structs.replace(value, yakuman=number, payment=payment(0, 0, number, dealer, tsumo))


def _han_of_local_yaku(state: RoundState, win: ev.Win) -> int:
    """Return the stated han of yaku that mjconv does not know, if the house has such yaku."""
    stated = win.yakus if state.house.local_yaku and win.yakus else ()
    return sum(han for name, han in stated if name not in KNOWN_YAKU)


class WinCheck(Check):
    """Checks each win: the hand, furiten, and the values that the record states."""

    _wins = 0

    def _after_hora(self, win: ev.Win) -> None:
        state, actor = self.state, win.actor
        self._wins += 1
        # Each win reads all of the round, and a round has at most one win a player.
        if self._wins > state.seats or state.index in state.out_of_order or state.refused == state.index:
            return
        hand = shown_hand(state, win)
        if self._robs_concealed_kan(win) and not self._may_be_orphans(actor, hand):
            sentence = "{} wins on a concealed kan of {}, but only thirteen orphans can"
            state.blame("R048", sentence, actor, plain(state.table.last_tile))
            return
        if hand is None:
            if not state.riichi and 0 <= actor < state.seats and state.knows(actor):
                drawn = win.giver == actor
                if drawn or not state.suspect.last_tile:
                    last = () if drawn else (state.table.last_tile,)
                    self._is_complete(actor, (*state.hand(actor), *last), state.table.melds[actor])
            return
        self._shown(win, hand)
        if not self._is_complete(actor, hand.tiles, hand.melds) or actor in state.suspect.riichi:
            return
        if not hand.circumstances.tsumo:
            self._furiten(win, hand)
        value = hand.value(state.house)
        if value is None:
            return
        if value.yaku:
            self._stated(win, hand, value)
        elif "R060" not in state.disputed and not _han_of_local_yaku(state, win):
            # With another round wind the hand may have a yaku.
            state.blame("R041", "{} wins with {} without a yaku", actor, tuple(sorted_tiles(hand.tiles)))

    def _is_complete(self, actor: int, tiles: Sequence[Tile], melds: Sequence[Meld]) -> bool:
        """Return whether the winner's hand is complete, and report one that is not."""
        is_complete = self.state.ruleset.is_complete
        complete = is_complete is None or HIDDEN in tiles or is_complete(tiles, melds)
        if not complete:
            sentence = "{} wins with {}, which is no complete hand"
            self.state.blame("R040", sentence, actor, tuple(sorted_tiles(list(tiles))))
        return complete

    def _robs_concealed_kan(self, win: ev.Win) -> bool:
        """Return whether a win is on the tile of a concealed kan, in a game of riichi."""
        state = self.state
        if not state.riichi or win.giver == win.actor or not 0 <= win.actor < state.seats:
            return False
        before = (event for event in reversed(state.events[: state.index]) if type(event) not in _BETWEEN)
        return isinstance(next(before, None), ev.Ankan)

    def _may_be_orphans(self, seat: int, hand: WonHand | None) -> bool:
        """Return whether a winner may have thirteen orphans, by the tile, the melds, and the hand if known."""
        table = self.state.table
        tile = table.last_tile
        if tile != HIDDEN and tile not in ORPHANS:
            return False
        return not groups(table.melds[seat]) and (hand is None or set(hand.tiles) == ORPHANS)

    def _shown(self, win: ev.Win, hand: WonHand) -> None:
        """Compare the hand that the win shows, with the winning tile or without it."""
        if win.hora_tehais is UNSET or HIDDEN in win.hora_tehais:
            return
        held = Counter(hand.tiles)
        if Counter(win.hora_tehais) not in (held, held - Counter((hand.tile,))):
            self.state.blame("R045", "{} shows {}, but holds {}", win.actor, win.hora_tehais, hand.tiles)

    def _furiten(self, win: ev.Win, hand: WonHand) -> None:
        state, actor = self.state, win.actor
        waits = hand.waits
        own = [tile for tile in state.table.rivers[actor] if plain(tile) in waits]
        passed = [tile for tile in hand.history.passed if plain(tile) in waits]
        if own:
            state.blame("R042", "{} wins on {} after discarding {}", actor, hand.tile, own[0])
        elif passed:
            state.blame("R043", "{} wins on {} after passing {}", actor, hand.tile, passed[0])

    def _stated(self, win: ev.Win, hand: WonHand, value: HandValue) -> None:
        """Compare the stated value. Records count han of yakuman in many ways: only their names are compared."""
        known = list(possible_values(self.state, win, hand))
        if value.yakuman:
            right = _same_yakuman(win, known)
        else:
            fan = win.fan is UNSET or any(win.fan == each.han for each in known)
            fu = win.fu is UNSET or any(win.fu == each.fu for each in known)
            right = fan and fu and _same_yaku(win, known)
        if not right:
            self.state.blame("R046", f"the hand of {{}} has {_in_words(value)}", win.actor)
        liable = [each.seat for each in hand.liability(value)]
        if win.liable is not UNSET and win.liable not in liable:
            reason = "the calls make {} liable" if liable else "the calls of the hand make nobody liable"
            about = win.liable, *liable[:1]
            self.state.report("R049", f"{{}} is stated as liable, but {reason}", *about, actor=win.actor)
        self._points(win, known)

    def _points(self, win: ev.Win, known: list[HandValue]) -> None:
        if win.hora_points is UNSET:
            return
        state = self.state
        right = [each.payment.total(state.seats - 1, dealer_wins=win.actor == state.start.oya) for each in known]
        stakes = stakes_of(state.start, state.events, win, state.seats, state.house)[-1]
        honba = {sum(paid) for paid in honba_paid(stakes)}
        if win.hora_points not in right and not any(win.hora_points - points in honba for points in right):
            sentence = f"the hand of {{}} is worth {right[0]} points, but {win.hora_points} are stated"
            state.blame("R047", sentence, win.actor)


def _same_yaku(win: ev.Win, known: list[HandValue]) -> bool:
    """Return whether the stated yaku are those of a value; names that are not mjai's own are not compared."""
    if win.yakus is UNSET:
        return True
    stated: Counter[str] = Counter()
    for name, han in win.yakus:
        stated[name] += han
    return any(stated.total() == each.han for each in known) and (
        not KNOWN_YAKU.issuperset(stated) or any(stated == _in_messages(each) for each in known)
    )


def _same_yakuman(win: ev.Win, known: list[HandValue]) -> bool:
    """Return whether the stated yakuman are those of a value, apart from yakuman that the hand hides."""
    stated = {name for name, _ in win.yakus or ()}
    if win.yakus is UNSET or not KNOWN_YAKU.issuperset(stated):
        return True
    return any(stated & _YAKUMAN == set(_in_messages(each)) for each in known)


def _in_messages(value: HandValue) -> Counter[str]:
    """Return the han of a value by mjai's names of yaku: it has one name for the three dragons."""
    han_by_name: Counter[str] = Counter()
    for name, han in value.yaku:
        han_by_name[YAKU_IN_MESSAGES.get(name, name)] += han
    return han_by_name


def _in_words(value: HandValue) -> str:
    yaku = ", ".join(f"{name.replace('_', ' ')} {han}" for name, han in value.yaku)
    return f"{value.han} han and {value.fu} fu: {yaku}"
