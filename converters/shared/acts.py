"""The acts that are open to a player at the end of a text that is being typed, for completion in editors."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from mjconv.ir import events as ev
from mjconv.ir.match import House, Match
from mjconv.ir.melds import could_take, is_run
from mjconv.ir.play import play_of
from mjconv.ir.table import DISCARDED, Table
from mjconv.ir.tiles import plain, sorted_tiles
from mjconv.rules.house import USUAL, first_stated
from mjconv.rules.rulesets import UNKNOWN, RuleSet, ruleset_of

Call: TypeAlias = ev.Chi | ev.Pon | ev.Daiminkan
Own: TypeAlias = ev.Discard | ev.Ankan | ev.Kakan
#: The code of the referee's check of kuikae: games without the check allow it.
_KUIKAE: Final = "R016"
_KAN: Final = 4


class Typed(NamedTuple):
    """A table after the last act, and the call that kuikae forbids to undo, if the act is one."""

    table: Table
    call: ev.Chi | ev.Pon | None = None

    def calls(self, player: int) -> Iterator[Call]:
        """Yield the calls of the last discard that the hand of a player allows."""
        table = self.table
        if table.phase is not DISCARDED or table.last_actor == player or table.riichi[player]:
            return
        tile, target, hand = table.last_tile, table.last_actor, table.hands[player]
        if player == (target + 1) % table.seats:
            for pair in dict.fromkeys(combinations(sorted_tiles(hand), 2)):
                if is_run((*pair, tile)):
                    yield ev.Chi(player, target, tile, pair)
        like = sorted_tiles([own for own in hand if plain(own) == plain(tile)])
        yield from (ev.Pon(player, target, tile, own) for own in dict.fromkeys(combinations(like, 2)))
        yield from (ev.Daiminkan(player, target, tile, own) for own in dict.fromkeys(combinations(like, 3)))

    def discards(self, player: int) -> Iterator[Own]:
        """Yield the discards and kans that the hand of a player allows; first the tile drawn, if there is one."""
        table = self.table
        rest = list(table.hands[player])
        if table.drawn is not None and table.turn == player:
            yield ev.Discard(player, table.drawn, tsumogiri=True)
            rest.remove(table.drawn)
        if table.riichi[player]:
            return
        for tile in dict.fromkeys(sorted_tiles(rest)):
            if self.call is None or not could_take(self.call.pai, self.call.consumed, tile):
                yield ev.Discard(player, tile, tsumogiri=False)
        if table.drawn is not None:
            yield from self._kans(player)

    def _kans(self, player: int) -> Iterator[ev.Ankan | ev.Kakan]:
        hand = sorted_tiles(self.table.hands[player])
        for kind in dict.fromkeys(map(plain, hand)):
            own = tuple([tile for tile in hand if plain(tile) == kind])
            if len(own) == _KAN:
                yield ev.Ankan(player, own)
            for tile in dict.fromkeys(own):
                pon = self.table.pon_of(player, tile)
                if pon is not None:
                    yield ev.Kakan(player, tile, (*pon.own, pon.called or tile))


def typed(match: Match, usual: House, game: RuleSet = UNKNOWN) -> Typed | None:
    """Return the table after the last round of a match that has a deal; None if there is none.

    The house is the house of the match, else `usual`. `game` are the rules of a match that does not show its own.
    """
    rounds = [each for each in match.rounds if each.start is not None]
    if not rounds:
        return None
    last = rounds[-1]
    table = play_of(last).end
    rules = ruleset_of(match, last)
    forbids = _KUIKAE in (game if rules is UNKNOWN else rules).checks
    house = first_stated(match.rules, usual, USUAL)
    call = last.events[-1]
    if isinstance(call, (ev.Chi, ev.Pon)) and forbids and not house.swap_calling:
        return Typed(table, call)
    return Typed(table)
