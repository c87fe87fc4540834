"""Replays a round on the table, and returns the state that a viewer draws after each event."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from mjconv.converters.shared.walls import MOST_INDICATORS
from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.table import FLOWER, KAN, Table
from mjconv.ir.tiles import HIDDEN, Tile, sorted_tiles
from mjconv.rules.rulesets import UNKNOWN, RuleSet
from mjconv.rules.scores import RIICHI_STICK, is_triple_ron
from mjconv.viewer.state import STICK_PAID, LaidMeld, MeldTile, RiverTile, TableState, WinningPlace

#: The tiles of a concealed kan that lie face down.
_DOWN: Final = (0, 3)


@lru_cache(maxsize=512)
def laid(meld: Meld, seat: int, seats: int) -> LaidMeld:
    """Return a meld as it lies before a player.

    The called tile lies sideways: at the left if it came from the player on the left, at the right if it came from
    the player on the right, else second from the left.

    >>> [tile.turned for tile in laid(Meld("pon", ("5p", "5pr"), "5p", target=3), 0, 4).tiles]
    [True, False, False]
    >>> laid(Meld("kakan", ("E", "E"), "E", target=2, added="E"), 0, 4).tiles[1]
    MeldTile(tile='E', turned=True, on='E')
    """
    own = [MeldTile(tile) for tile in sorted_tiles(meld.own)]
    if meld.kind == "ankan":
        own = [MeldTile(tile.tile, down=index in _DOWN) for index, tile in enumerate(own)]
    if meld.called is UNSET:
        return LaidMeld(meld.kind, tuple(own))
    source = meld.target
    distance = None if source is UNSET else (source - seat) % seats
    place = 0 if distance == seats - 1 else len(own) if distance == 1 else 1
    own.insert(place, MeldTile(meld.called, turned=True, on=meld.added))
    return LaidMeld(meld.kind, tuple(own), source)


#: The kinds of events that show that nobody won on the riichi discard before them.
_PASSED: Final = frozenset({ev.Draw, ev.Chi, ev.Pon, ev.Daiminkan, ev.Ryukyoku})


class RoundReplay:
    """A round on the table. `state` is the table as a viewer draws it after the events played so far.

    `deal` is the deal with the values that `rules.succession.starts` completes. `ruleset` are the rules of the
    game. `left` is the number of tiles that can still be drawn, None if not known.

    >>> deal = ev.StartRound(oya=0, tehais=(("1m",), ("2m",), ("3m",), ("4m",)), scores=(0,) * 4)
    >>> replay = RoundReplay(deal, Table.dealt(deal))
    >>> replay.play(ev.Draw(0, "9p"))
    >>> replay.state.hands[0], replay.state.drawn[0]
    ('1m', '9p')
    """

    def __init__(
        self, deal: ev.StartRound, table: Table, ruleset: RuleSet = UNKNOWN, left: int | None = None
    ) -> None:
        self.deal: Final = deal
        self.table: Final = table
        self.ruleset: Final = ruleset
        self.seats: Final = table.seats
        self._nothing: Final = (0,) * table.seats
        #: The player who declared riichi and whose discard is to come.
        self._declaring: int | None = None
        #: The players whose next discard lies sideways.
        self._turns: Final[set[int]] = set()
        #: The player whose riichi discard waits for a win.
        self._unpaid: int | None = None
        empty: Any = ((),) * self.seats
        scores: Sequence[int | None] = () if deal.scores is UNSET else deal.scores
        indicators = [None if deal.dora_marker is UNSET else deal.dora_marker, *[None] * (MOST_INDICATORS - 1)]
        self.state = TableState(
            hands=tuple([_hand(hand) for hand in table.hands]),
            drawn=(None,) * self.seats,
            open=(False,) * self.seats,
            melds=empty,
            aside=empty,
            river=empty,
            riichi=self._nothing,
            points=tuple(scores) if len(scores) == self.seats else (None,) * self.seats,
            gain=self._nothing,
            turn=table.turn,
            dora=tuple(indicators) if ruleset.dora else (),
            ura=(None,) * MOST_INDICATORS if ruleset.dora else (),
            sticks=deal.kyotaku or 0,
            honba=deal.honba or 0,
            left=left,
        )

    @property
    def replaces(self) -> bool:
        """Whether the next draw replaces the tile of a kan, or one that was set aside."""
        return self.table.phase in (KAN, FLOWER)

    def play(self, event: ev.Event, gains: Sequence[int] | UnsetType = UNSET) -> None:
        """Play an event. `gains` are the points that the seats gain by it, if it is a result.

        Raises `IllegalPlayError`, and changes nothing, if the table refuses the event.
        """
        kind = type(event)
        self.table.apply(event)
        if self.state.gain is not self._nothing:
            self.state = replace(self.state, gain=self._nothing)
        if self._unpaid is not None and kind in _PASSED:
            self._pay_stick(self._unpaid, event)
        if handler := _HANDLERS.get(kind):
            handler(self, event)
        if kind in ev.RESULTS:
            self._settle(event, gains)
        if self.state.turn != self.table.turn:
            self.state = replace(self.state, turn=self.table.turn)

    # One method for each kind of event, as `ev.handlers` names them.

    def _tsumo(self, event: ev.Draw) -> None:
        actor, left = event.actor, self.state.left
        if self.table.drawn is None or self.table.turn != actor:
            # The replacement of a flower that was dealt joins the hand.
            fields = self._hand_of(actor)
        else:
            fields = {"drawn": _with(self.state.drawn, actor, event.pai)}
        self._change(**fields, left=None if left is None else max(0, left - 1))

    def _dahai(self, event: ev.Discard) -> None:
        actor = event.actor
        riichi = actor in self._turns
        self._turns.discard(actor)
        if self._declaring == actor:
            self._declaring, self._unpaid = None, actor
        river = (*self.state.river[actor], RiverTile(event.pai, event.tsumogiri, riichi))
        self._change(
            **self._hand_of(actor), river=_with(self.state.river, actor, river), last=(actor, len(river) - 1)
        )

    def _chi(self, event: ev.Chi | ev.Pon | ev.Daiminkan) -> None:
        target = event.target
        river = self.state.river[target]
        taken = river[-1]
        if taken.riichi:
            # The discard that marked the riichi was called: the next discard lies sideways in its place.
            self._turns.add(target)
        river = (*river[:-1], replace(taken, taken=event.actor))
        self._change(**self._own_of(event.actor), river=_with(self.state.river, target, river), last=None)

    _pon = _daiminkan = _chi

    def _kakan(self, event: ev.Kakan | ev.Ankan | ev.Nukidora) -> None:
        self._change(**self._own_of(event.actor), last=None)

    _ankan = _nukidora = _kakan

    def _dora(self, event: ev.Dora) -> None:
        dora = list(self.state.dora)
        at = dora.index(None) if None in dora else len(dora)
        dora[at : at + 1] = [event.dora_marker]
        self._change(dora=tuple(dora))

    def _reach(self, event: ev.Riichi) -> None:
        self._declaring = event.actor
        self._turns.add(event.actor)
        self._change(riichi=_with(self.state.riichi, event.actor, self.table.riichi[event.actor]))

    def _reach_accepted(self, event: ev.RiichiAccepted) -> None:
        self._pay_stick(event.actor, event)

    def _pay_stick(self, seat: int, event: ev.Event) -> None:
        """Pay the stick of a riichi. If a record has no event for this, the next event shows the acceptance."""
        if is_triple_ron(event):
            return
        self._unpaid = None
        gains = [-RIICHI_STICK * (seat == each) for each in range(self.seats)]
        stated = event.scores if isinstance(event, ev.RiichiAccepted) else UNSET
        self._change(
            riichi=_with(self.state.riichi, seat, STICK_PAID),
            sticks=self.state.sticks + 1,
            **self._paid(gains, stated),
        )

    def _hora(self, event: ev.Win) -> None:
        actor = event.actor
        place = self._winning_place(event)
        turned = event.ura_markers or ()
        self._change(
            **self._shown_hand(actor, event.hora_tehais, event.pai),
            open=_with(self.state.open, actor, True),
            win=self.state.win if place is None or place in self.state.win else (*self.state.win, place),
            ura=(*turned, *self.state.ura[len(turned) :]),
        )

    def _winning_place(self, event: ev.Win) -> WinningPlace | None:
        table, state = self.table, self.state
        target = event.giver
        if target == event.actor:
            return ("drawn", target) if state.drawn[target] is not None else None
        if state.last is not None:
            return ("river", *state.last)
        # The tile of a kan, or one set aside, was robbed.
        if state.aside[target] and state.aside[target][-1] == table.last_tile:
            return "aside", target, len(state.aside[target]) - 1
        for index, meld in enumerate(state.melds[target]):
            if any(table.last_tile in (tile.tile, tile.on) for tile in meld.tiles) and meld.kind in _ROBBED:
                return "meld", target, index
        return None

    def _ryukyoku(self, event: ev.Ryukyoku) -> None:
        shown = () if event.tehais is UNSET else event.tehais
        is_open = list(self.state.open)
        for seat, hand in enumerate(shown[: self.seats]):
            if hand and HIDDEN not in hand:
                is_open[seat] = True
                if HIDDEN in self.table.hands[seat]:
                    self._change(**self._shown_hand(seat, hand, UNSET))
        for seat, tenpai in enumerate((event.tenpais or ())[: self.seats]):
            is_open[seat] = tenpai
        self._change(open=tuple(is_open))

    def _settle(self, event: Any, gains: Sequence[int] | UnsetType) -> None:
        fields = self._paid(gains, event.scores)
        if type(event) is ev.Win:
            # The sum of all gains is the number of points that the winner took from the table.
            taken = sum(gains) // RIICHI_STICK if gains is not UNSET else self.state.sticks
            fields["sticks"] = max(0, self.state.sticks - max(0, taken))
        self._change(**fields, results=self.state.results + 1)

    # Shared by the methods.

    def _change(self, **fields: Any) -> None:
        self.state = replace(self.state, **fields)

    def _hand_of(self, seat: int) -> dict[str, Any]:
        """Return the fields of a hand that holds no drawn tile."""
        return {
            "hands": _with(self.state.hands, seat, _hand(self.table.hands[seat])),
            "drawn": _with(self.state.drawn, seat, None),
        }

    def _shown_hand(self, seat: int, tiles: Sequence[Tile] | UnsetType, won: Tile | UnsetType) -> dict[str, Any]:
        """Return the fields of a hand that a result shows, if the record had hidden it."""
        held = self.table.hands[seat]
        if not tiles or HIDDEN not in held:
            return {}
        hand = list(tiles)
        drawn = self.state.drawn[seat]
        if won is not UNSET and won in hand and len(hand) > len(held) - (drawn is not None):
            hand.remove(won)
        if drawn == HIDDEN and won is not UNSET:
            drawn = won
        return {"hands": _with(self.state.hands, seat, _hand(hand)), "drawn": _with(self.state.drawn, seat, drawn)}

    def _own_of(self, seat: int) -> dict[str, Any]:
        """Return the fields of the hand, the melds and the tiles set aside of a seat."""
        aside = [meld.own[0] for meld in self.table.melds[seat] if meld.kind == "nukidora"]
        melds = [laid(meld, seat, self.seats) for meld in self.table.melds[seat] if meld.kind != "nukidora"]
        return {
            **self._hand_of(seat),
            "melds": _with(self.state.melds, seat, tuple(melds)),
            "aside": _with(self.state.aside, seat, tuple(aside)),
        }

    def _paid(self, gains: Sequence[int] | UnsetType, stated: Sequence[int] | UnsetType) -> dict[str, Any]:
        """Return the points after a payment, as the record states them. If it does not, add the payment."""
        state = self.state
        if stated is not UNSET and len(stated) == self.seats:
            points: tuple[int | None, ...] = tuple(stated)
        elif gains is UNSET:
            points = (None,) * self.seats
        else:
            pairs = zip(state.points, gains, strict=True)
            points = tuple([None if before is None else before + gained for before, gained in pairs])
        gained = zip(state.gain, gains or self._nothing, strict=True)
        return {"points": points, "gain": tuple([a + b for a, b in gained])}


#: The kans of the hand, whose tile can be robbed.
_ROBBED: Final = frozenset({"kakan", "ankan"})


def _hand(tiles: Collection[Tile]) -> str:
    return " ".join(sorted_tiles(list(tiles)))


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """Return the tuple with one item replaced; the same tuple if the item is the same."""
    return values if values[index] == value else (*values[:index], value, *values[index + 1 :])


_HANDLERS: Final = ev.handlers(RoundReplay)
