"""Hands of Chinese Official, played at random on the table: each player draws from a wall of their own."""

import random
from collections.abc import Sequence

from msgspec import UNSET, structs

from mjconv.converters.pmn.tiles import read_hand, write_hand
from mjconv.converters.shared.single_hands import claim
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Rules, Text
from mjconv.ir.mcr_fan import FAN
from mjconv.ir.table import Table
from mjconv.ir.tiles import FLOWERS, TILE_KINDS, WINDS, sorted_tiles

NAMES = ("Mei", "Jun", "Tao", "Ling")
#: A hand that waits for the 5p, and its fan when the tile is discarded and when it is drawn.
_READY = (*(f"{rank}s" for rank in range(1, 10)), "2p", "2p", "2p", "5p")
_RON = ("pure_straight", "concealed_hand", "one_voided_suit", "no_honors", "single_wait")
_DRAWN = ("pure_straight", "fully_concealed_hand", "one_voided_suit", "no_honors", "single_wait")


def match_of(*rounds: Round, name: str | None = None, names: Sequence[str] = ()) -> Match:
    return Match(
        [Player(Name(Text(one))) for one in names],
        list(rounds),
        opening=[ev.StartGame()],
        closing=[ev.EndGame()],
        rules=Rules(game="mcr"),
        id=name or UNSET,
    )


def hand(seed: int, *, wind: str = "E", oya: int = 0, ready: int | None = None, flowers: bool = False) -> Round:
    """Play a hand. The player `ready` is dealt a hand that waits, and calls nothing."""
    return _Play(seed, wind, oya, ready, flowers=flowers).round()


class _Play:
    def __init__(self, seed: int, wind: str, oya: int, ready: int | None, *, flowers: bool) -> None:
        self.rng = random.Random(seed)
        self.ready = ready
        tiles = list(TILE_KINDS) * 4 + (list(FLOWERS) if flowers else [])
        dealt: dict[int, list[str]] = {}
        if ready is not None:
            dealt[ready] = list(_READY)
            for tile in _READY:
                tiles.remove(tile)
        # Flowers are drawn, not dealt.
        self.rng.shuffle(tiles)
        tiles.sort(key=lambda tile: tile in FLOWERS)
        for seat in range(4):
            if seat not in dealt:
                dealt[seat] = [tiles.pop(0) for _ in range(13)]
            self.rng.shuffle(dealt[seat])
        self.rng.shuffle(tiles)
        self.walls = [tiles[seat::4] for seat in range(4)]
        hands = tuple(tuple(dealt[seat]) for seat in range(4))
        self.start = ev.StartRound(bakaze=wind if wind in WINDS else UNSET, oya=oya, tehais=hands)
        self.table = Table(hands, oya)
        self.events: list[ev.Event] = [self.start]
        self.annotations: list[Annotation] = []

    def round(self) -> Round:
        actor = int(self.start.oya or 0)
        drawing = True
        while True:
            if drawing and not self.walls[actor]:
                self._add(ev.Ryukyoku("exhaustive_draw", deltas=(0,) * 4))
                break
            if drawing and self._draw(actor):
                break
            tile = self._discard(actor)
            if self._won(tile, actor):
                break
            actor, drawing = self._next(actor, tile)
        self.events.append(ev.EndRound())
        return Round(self.events, annotations=tuple(self.annotations))

    def _add(self, event: ev.Event) -> None:
        self.table.apply(event)
        self.events.append(event)

    def _draw(self, actor: int) -> bool:
        """Draw, and replace flowers and tiles of kongs. Return whether the hand is over."""
        while self.walls[actor]:
            tile = self.walls[actor].pop()
            self._add(ev.Draw(actor, tile))
            held = self.table.hands[actor]
            if tile in FLOWERS:
                self._add(ev.Nukidora(actor, tile))
            elif actor == self.ready and tile == "5p":
                self._win(actor, actor, _DRAWN)
                return True
            elif actor != self.ready and held.count(tile) == 4:
                self._add(ev.Ankan(actor, (tile,) * 4))
            elif self.table.pon_of(actor, tile) is not None:
                self._add(ev.Kakan(actor, tile, (tile,) * 3))
            else:
                return False
        self._add(ev.Ryukyoku("exhaustive_draw", deltas=(0,) * 4))
        return True

    def _discard(self, actor: int) -> str:
        held = self.table.hands[actor]
        own = self.table.drawn if actor == self.ready else None
        tile = own or self.rng.choice([one for one in held if one not in FLOWERS])
        self._add(ev.Discard(actor, tile))
        return tile

    def _won(self, tile: str, actor: int) -> bool:
        if self.ready is None or tile != "5p" or actor == self.ready:
            return False
        for claimed in self._calls(tile, actor):
            self.annotations.append(claim(len(self.events), claimed))
        self._win(self.ready, actor, _RON)
        return True

    def _win(self, actor: int, target: int, names: Sequence[str]) -> None:
        flowers = len(self.table.melds[actor])
        yakus = tuple((name, FAN[name].fan) for name in names)
        if flowers:
            yakus += (("flower_tiles", flowers),)
        total = sum(fan for _, fan in yakus)
        paid = [8 + total * (target in (actor, seat)) for seat in range(4)]
        deltas = tuple(sum(paid) - paid[actor] if seat == actor else -paid[seat] for seat in range(4))
        self._add(ev.Win(actor, target, "5p", yakus=yakus, fan=total, deltas=deltas))

    def _calls(self, tile: str, target: int) -> list[ev.Daiminkan | ev.Pon | ev.Chi]:
        found: list[ev.Daiminkan | ev.Pon | ev.Chi] = []
        for steps in (1, 2, 3):
            actor = (target + steps) % 4
            held = self.table.hands[actor]
            if actor == self.ready or not self.walls[actor]:
                continue
            if held.count(tile) == 3:
                found.append(ev.Daiminkan(actor, target, tile, (tile,) * 3))
            elif held.count(tile) == 2:
                found.append(ev.Pon(actor, target, tile, (tile,) * 2))
        left = (target + 1) % 4
        if left != self.ready and self.walls[left] and len(tile) == 2:
            for first in range(int(tile[0]) - 2, int(tile[0]) + 1):
                own = [f"{rank}{tile[1]}" for rank in range(first, first + 3)]
                own.remove(tile)
                if all(one in self.table.hands[left] for one in own):
                    found.append(ev.Chi(left, target, tile, tuple(sorted_tiles(own))))
                    break
        return found

    def _next(self, actor: int, tile: str) -> tuple[int, bool]:
        """Return the next player, and whether that player draws."""
        calls = self._calls(tile, actor)
        if not calls or self.rng.random() < 0.3:
            return (actor + 1) % 4, True
        self.annotations += [claim(len(self.events), call) for call in calls[1:] if call.actor != calls[0].actor]
        self._add(calls[0])
        return calls[0].actor, isinstance(calls[0], ev.Daiminkan)


def in_pmn(game_round: Round) -> Round:
    """Return a hand as PMN states it: sorted hands, discards of the tile just drawn, a win without its tile."""
    events: list[ev.Event] = []
    drawn = None
    for event in game_round.events:
        if isinstance(event, ev.StartRound) and event.tehais:
            tehais = tuple(read_hand(write_hand(tiles)) or () for tiles in event.tehais)
            event = structs.replace(event, tehais=tehais, kyoku=2, scores=(0,) * 4)
        elif isinstance(event, ev.Discard):
            event = structs.replace(event, tsumogiri=event.pai == drawn)
        elif isinstance(event, ev.Win):
            event = structs.replace(event, pai=UNSET)
        drawn = event.pai if isinstance(event, ev.Draw) else None
        events.append(event)
    return structs.replace(game_round, events=events, annotations=())
