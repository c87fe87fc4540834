"""Whether the tiles are those of one set: four of a kind, the red fives of the rules, whole hands."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.tiles import COPIES, FLOWERS, HIDDEN, NORTH, RED_FIVES, RIICHI_TILES, Tile, plain
from mjconv.referee.round_state import Check, RoundState

_NOT_HELD: Final = frozenset({"held", "drawn"})
#: The tiles without a red copy. Every house has four of them.
_PLAINEST: Final = frozenset(tile for tile in RIICHI_TILES if not tile.startswith("5"))


class TileCheck(Check):
    """Counts every tile when it is first seen: dealt, drawn, turned, or shown by a hidden hand."""

    def __init__(self, state: RoundState) -> None:
        super().__init__(state)
        self._seen: Counter[Tile] = Counter()
        self._ura: Counter[Tile] = Counter()
        #: The seats that gave away a tile that they did not hold: one of their tiles was another one.
        self._unsure: set[int] = set()
        #: The tiles seen of each seat.
        self._of: dict[int | None, Counter[Tile]] = defaultdict(Counter)
        self._reported: set[Tile] = set()
        #: The seats whose seen tiles are not known any more.
        self._clouded: set[int] = set()
        self._reds = dict(zip(RED_FIVES, _reds(state), strict=True))
        wall = state.record.wall
        self._wall = Counter(wall) if wall is not UNSET and wall and HIDDEN not in wall else None
        #: The tiles of which only a fifth copy is wrong.
        plainest = _PLAINEST if self._wall is None else frozenset[Tile]()
        self._plainest = plainest & state.ruleset.tiles.get(state.seats, plainest)

    def refused(self, event: Any, error: IllegalPlayError) -> None:
        """Note the seats that play a tile that they do not hold."""
        if error.rule in _NOT_HELD:
            self._unsure.add(event.actor)

    def _after_start_kyoku(self, _: ev.StartRound) -> None:
        start = self.state.start
        hands: Sequence[Sequence[Tile]] = () if start.tehais is UNSET else start.tehais
        dealt = self.state.ruleset.hand
        for seat, hand in enumerate(hands):
            if len(hand) != dealt:
                self.state.blame("R019", f"{{}} is dealt {len(hand)} tiles, not {dealt}", seat)
            self._see(hand, seat)
        if start.dora_marker is not UNSET:
            self._see([start.dora_marker])

    def _after_tsumo(self, event: ev.Draw) -> None:
        if self.state.index not in self.state.out_of_order:
            self._see([event.pai], event.actor)

    def _after_dora(self, event: ev.Dora) -> None:
        self._see([event.dora_marker])

    def _after_hora(self, event: ev.Win) -> None:
        # Several winners are shown the same ura indicators.
        ura = Counter(event.ura_markers or ())
        self._see((ura - self._ura).elements())
        self._ura |= ura

    def _given(self, event: Any) -> None:
        """Count the tiles that a hand gives away and had hidden before, and a called tile that was hidden."""
        seat, called = event.actor, type(event) in ev.CALL_KINDS
        tiles = event.consumed if called or type(event) is ev.Ankan else (event.pai or NORTH,)
        hand = self.state.hand(seat)
        hidden = hand.count(HIDDEN)
        if (HIDDEN in tiles and not hidden) or self.state.index in self.state.out_of_order:
            self._clouded.add(seat)
        if hidden and seat not in self._clouded:
            self._see((Counter(tiles) - Counter(hand)).elements(), seat)
        if called and self.state.table.last_tile == HIDDEN:
            self._see([event.pai])

    _before_dahai = _before_kakan = _before_nukidora = _before_ankan = _given
    _before_chi = _before_pon = _before_daiminkan = _given

    def _see(self, tiles: Iterable[Tile], seat: int | None = None) -> None:
        seen, of_seat = self._seen, self._of[seat]
        for tile in tiles:
            if tile != HIDDEN:
                seen[tile] += 1
                of_seat[tile] += 1
                # Most tiles need no further check.
                if seen[tile] > COPIES or tile not in self._plainest:
                    self._count(tile, seat)

    def _count(self, tile: Tile, seat: int | None) -> None:
        state = self.state
        kind = plain(tile)
        if kind in self._reported:
            return
        seen = self._seen
        copies = _copies(seen, kind)
        most = 1 if kind in FLOWERS else COPIES
        if copies > most:
            # A tile of an unsure hand may have been another one: that hand is reported already.
            if copies - sum(_copies(self._of[seat_unsure], kind) for seat_unsure in self._unsure) <= most:
                return
            sentence = "there is a fifth {}" if most == COPIES else "there is a second {}"
            self._report("R001", sentence, tile, seat)
        elif tile in self._reds and seen[tile] > self._reds[tile]:
            have = self._reds[tile]
            self._report("R002", f"there are {seen[tile]} red fives {{}}, but the rules have {have}", tile, seat)
        elif self._wall is not None and seen[tile] > self._wall[tile]:
            self._report("R003", f"there are {seen[tile]} {{}}, but the wall holds {self._wall[tile]}", tile, seat)
        elif kind not in state.ruleset.tiles.get(state.seats, (kind,)):
            sentence = "{} is no tile of a game of three players"
            game = state.ruleset.name.english
            self._report("R004", sentence if state.seats == 3 else f"{{}} is no tile of {game}", tile, seat)

    def _report(self, code: str, sentence: str, tile: Tile, seat: int | None) -> None:
        # A wrong tile is one finding, however often it is seen.
        self._reported.add(plain(tile))
        self.state.report(code, sentence, tile, actor=seat, key=self._dealt_at(tile, seat))
        if seat is not None:
            self.state.suspect.note_tile(seat, tile, max(self.state.hand(seat).count(tile), 1))

    def _dealt_at(self, tile: Tile, seat: int | None) -> str | None:
        """Return the key of the tile of a hand at the deal that was counted last; None after the deal."""
        deal = self.state.events[self.state.index]
        if seat is None or type(deal) is not ev.StartRound or not deal.tehais:
            return None
        alike = [place for place, held in enumerate(deal.tehais[seat]) if plain(held) == plain(tile)]
        # A second deal is counted, too.
        return f"tehais.{seat}.{alike[(_copies(self._of[seat], plain(tile)) - 1) % len(alike)]}"


def _copies(seen: Counter[Tile], kind: Tile) -> int:
    return seen[kind] + (seen[f"{kind}r"] if kind[0] == "5" else 0)


def _reds(state: RoundState) -> tuple[int, int, int]:
    """Return the most red fives of each suit: none where the game has none, or the record states so."""
    stated = (event.aka_flag for event in state.match.opening if type(event) is ev.StartGame)
    return (0, 0, 0) if False in stated or not state.ruleset.reds else state.house.reds or (0, 0, 0)
