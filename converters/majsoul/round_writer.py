"""Writes the records of one round."""

from itertools import takewhile
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.majsoul.containers import Fields
from mjconv.converters.majsoul.deal import wall_fields
from mjconv.converters.majsoul.results import AtEnd, hule, liu_ju, no_tile
from mjconv.converters.majsoul.tiles import SPELLED, spelled
from mjconv.converters.majsoul.vocabulary import REASON_NUMBERS
from mjconv.converters.shared.completed import CompleteRound
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.walls import MOST_INDICATORS, WHOLE
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import NORTH, WINDS, Tile
from mjconv.rules.scores import RIICHI_STICK

#: The events whose records state the dora that are turned after them.
_STATE_DORA: Final = frozenset({ev.Discard, ev.Ankan, ev.Kakan, ev.Nukidora})
#: The records that state that a riichi was accepted before them.
_CARRY_LIQI: Final = frozenset({"DealTile", "ChiPengGang", "LiuJu"})
#: The numbers of calls.
_CALLS: Final[dict[type, int]] = {ev.Chi: 0, ev.Pon: 1, ev.Daiminkan: 2}
#: The tiles that are left to draw after the dealer's first draw, by the number of players.
_LEFT: Final = {3: 54, 4: 69}


class MajsoulRoundWriter:
    """Writes a round record by record. `totals` are the values of the wins of each seat so far: they change."""

    def __init__(self, game_round: Round, whole: CompleteRound, totals: list[int]) -> None:
        self.round = game_round
        self.whole = whole
        self.totals = totals
        self.records: list[tuple[str, Fields]] = []
        deal = whole.deal
        self.wind: Tile = deal.bakaze or WINDS[0]
        self.seats = whole.table.seats
        self.oya = whole.table.oya
        self.scores = list(deal.scores or (0,) * self.seats)
        self.sticks = int(deal.kyotaku or 0)
        self.left = _LEFT.get(self.seats, 0)
        self.drawn: Tile | None = None
        #: The players who discarded while nobody had called.
        self.discarded: set[int] = set()
        self.calm = True
        #: The dora indicators, as records spell them.
        self.doras: list[str] = []
        #: The riichi that was accepted, and that no record states yet.
        self.accepted: Fields | None = None
        self.declared = False
        #: Whether a dora was turned that the next draw states.
        self.turned = False
        self.index = 0

    def write(self) -> list[tuple[str, Fields]]:
        """Return the records: the name and the fields of each. Raises `CannotHoldError`."""
        events = self.whole.events
        self._deal()
        first = self.index
        for self.index, event in enumerate(events[first:], first):
            _WRITERS[type(event)](self, event)
        if self.declared:
            raise CannotHoldError("a riichi is declared, and no discard follows")
        return self.records

    def _deal(self) -> None:
        deal, oya = self.whole.deal, self.oya
        events = self.whole.events
        hands = [spelled(hand) for hand in deal.tehais or ()]
        if deal.dora_marker is UNSET:
            raise CannotHoldError("a Mahjong Soul record needs the dora indicator")
        self.doras = [SPELLED[deal.dora_marker]]
        self.index = 1
        first = events[1] if len(events) > 1 else None
        if isinstance(first, ev.Draw) and first.actor == oya:
            hands[oya].append(SPELLED[first.pai])
            self.drawn = first.pai
            self.index = 2
        data: Fields = {
            "chang": WINDS.index(self.wind),
            "ju": oya,
            "ben": int(deal.honba or 0),
            "liqibang": self.sticks,
            "scores": list(self.scores),
            **{f"tiles{seat}": hands[seat] if seat < len(hands) else [] for seat in range(4)},
            "doras": list(self.doras),
            "left_tile_count": self.left,
        }
        wall = self.round.wall
        if wall is not UNSET and len(wall) == WHOLE[self.seats] and all(tile in SPELLED for tile in wall):
            data |= wall_fields(wall, self.seats, rest=self.round.dealt_fourteen)
        self._put("NewRound", data)

    # The events.

    def _tsumo(self, event: ev.Draw) -> None:
        self.left -= 1
        self.drawn = event.pai
        data: Fields = {"seat": event.actor, "tile": SPELLED[event.pai], "left_tile_count": self.left}
        if self.turned:
            data["doras"] = list(self.doras)
            self.turned = False
        self._put("DealTile", data)

    def _reach(self, event: ev.Riichi) -> None:  # noqa: ARG002 - all handlers take the event
        self.declared = True

    def _reach_accepted(self, event: ev.RiichiAccepted) -> None:
        self.scores[event.actor] -= RIICHI_STICK
        self.sticks += 1
        self.accepted = {"seat": event.actor, "score": self.scores[event.actor], "liqibang": self.sticks}

    def _dahai(self, event: ev.Discard) -> None:
        actor = event.actor
        first = self.calm and not self.discarded
        data = {
            "seat": actor,
            "tile": SPELLED[event.pai],
            "is_liqi": self.declared,
            "is_wliqi": self.declared and self.calm and actor not in self.discarded,
            "moqie": bool(event.tsumogiri) and (not first or self._is_stated_drawn(event)),
        }
        self.declared = False
        self.discarded.add(actor)
        # It never states that a riichi was accepted.
        self.records.append(("DiscardTile", data))

    def _is_stated_drawn(self, event: ev.Discard) -> bool:
        """Return whether the dealer's first discard is the tile drawn only because the source states it.

        Mahjong Soul never states it. The reader works it out where the hand has no other such tile.
        """
        source = self.round.events[self.whole.origins[self.index]]
        stated = isinstance(source, ev.Discard) and source.tsumogiri is True
        return stated and event.pai in (self.whole.deal.tehais or ())[event.actor]

    def _call(self, event: ev.Chi | ev.Pon | ev.Daiminkan) -> None:
        self.calm = False
        data = {
            "seat": event.actor,
            "type": _CALLS[type(event)],
            "tiles": spelled((*event.consumed, event.pai)),
            "froms": [*(event.actor for _ in event.consumed), event.target],
        }
        self._put("ChiPengGang", data)

    _chi = _pon = _daiminkan = _call

    def _ankan(self, event: ev.Ankan) -> None:
        self.calm = False
        plain = min(spelled(event.consumed), key=lambda tile: tile[0] == "0")
        self._put("AnGangAddGang", {"seat": event.actor, "type": 3, "tiles": plain})

    def _kakan(self, event: ev.Kakan) -> None:
        self._put("AnGangAddGang", {"seat": event.actor, "type": 2, "tiles": SPELLED[event.pai]})

    def _nukidora(self, event: ev.Nukidora) -> None:
        self.calm = False
        self._put("BaBei", {"seat": event.actor, "moqie": self.drawn == NORTH})

    def _dora(self, event: ev.Dora) -> None:
        """Turn a dora: the record before or after it states it, else a record of its own."""
        self.doras.append(SPELLED[event.dora_marker])
        events = self.whole.events
        before = type(events[self.index - 1])
        if before is ev.Dora and self.turned:
            return
        rest = (type(event) for event in events[self.index + 1 : self.index + 1 + MOST_INDICATORS])
        draws = next((kind for kind in rest if kind is not ev.Dora), None) is ev.Draw
        if draws and (before in ev.REPLACED or self.accepted is not None):
            self.turned = True
        elif before in _STATE_DORA or (before is ev.Dora and self.records[-1][0] == "DiscardTile"):
            self.records[-1][1]["doras"] = list(self.doras)
        else:
            self._put("dora", {"dora_marker": self.doras[-1]})

    def _hora(self, event: ev.Win) -> None:  # noqa: ARG002 - all handlers take the event
        events = self.whole.events
        if isinstance(events[self.index - 1], ev.Win):
            return
        wins: list[Any] = list(takewhile(lambda one: isinstance(one, ev.Win), events[self.index :]))
        self._put("Hule", hule(self._at_end(), wins, self.totals))

    def _ryukyoku(self, event: ev.Ryukyoku) -> None:
        reason = reason_of(event.reason) if event.reason else None
        if reason in REASON_NUMBERS:
            self._put("LiuJu", liu_ju(self._at_end(), reason))
        else:
            self._put("NoTile", no_tile(self._at_end(), event, nagashi=reason == "nagashi_mangan"))

    def _nothing(self, event: ev.Event) -> None:
        """Write no record."""

    # Records.

    def _at_end(self) -> AtEnd:
        return AtEnd(self.whole.table, self.wind, self.doras, self.scores)

    def _put(self, name: str, data: Fields) -> None:
        """Add a record. It states that a riichi was accepted, if it can and no record does yet."""
        if self.accepted is not None and name in _CARRY_LIQI:
            data["liqi"] = self.accepted
            self.accepted = None
        self.records.append((name, data))


_WRITERS: Final = dict.fromkeys(ev.KINDS.values(), MajsoulRoundWriter._nothing) | ev.handlers(MajsoulRoundWriter)
