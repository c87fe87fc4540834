"""Writes the elements of one round of an mjlog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.shared import meldcode
from mjconv.converters.shared.completed import CompleteRound
from mjconv.converters.shared.meldcode import Call
from mjconv.converters.shared.tile_numbers import TILES
from mjconv.converters.tenhou import attributes
from mjconv.converters.tenhou.attributes import LISTED
from mjconv.converters.tenhou.copies import BIT
from mjconv.converters.tenhou.elements import element
from mjconv.converters.tenhou.extras import BESIDE, RoundExtras
from mjconv.converters.tenhou.numbering import Numbering
from mjconv.converters.tenhou.plays import DISCARDS, DRAWS, turns
from mjconv.converters.tenhou.round_record import RoundRecord
from mjconv.converters.tenhou.scanner import Element, Scan
from mjconv.converters.tenhou.values import Values
from mjconv.converters.tenhou.xml_calls import read_call
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.match import Annotation, Round
from mjconv.ir.tiles import ORDER

_KINDS: Final = {ev.Chi: "chi", ev.Pon: "pon", ev.Daiminkan: "daiminkan"}


class RoundWriter:
    """Writes a round: `write` returns its text.

    `names` are the names of the players as UN states them. `ends` is the value of `owari` at the last result, or
    None where the game does not end with this round.
    """

    def __init__(
        self,
        source: Round,
        completed: CompleteRound,
        numbers: Numbering,
        extras: RoundExtras,
        names: Sequence[str],
        *,
        reds: bool,
        ends: str | None,
    ) -> None:
        self.source = source
        self.completed = completed
        self.extras = extras
        self.names = names
        self.numbers = numbers
        self.draws = iter(numbers.draws)
        self.turned = iter(numbers.indicators[1:])
        self.picks = iter(extras.copies)
        self.ends = ends
        #: The round that the text is read as, if `is_recorded`: no element has attributes of its own.
        self.record = RoundRecord(len(numbers.hands), reds=reds)
        self.is_recorded = not (extras.attributes or any(one.kind in _BESIDE for one in source.annotations))
        self.copies = self.record.copies
        self.standing = self.record.standing
        self.text: list[str] = []
        self.own: dict[str, str | None] = {}
        #: Whether the record states no yaku of the win that is written.
        self.computed = False

    def write(self) -> str:
        """Return the text of the round."""
        events, origins = self.completed.events, self.completed.origins
        last = len(events) - 1
        while last >= 0 and type(events[last]) not in ev.RESULTS:
            last -= 1
        beside = [one for one in enumerate(self.source.annotations) if one[1].kind in _BESIDE]
        kept = self.extras.attributes
        before, at, end = -1, 0, len(events)
        while at < end:
            if not kept and not beside and type(events[at]) in _TURN:
                at = self._turns(events, at)
                continue
            event = events[at]
            kind = type(event)
            origin = origins[at]
            while beside and beside[0][1].index <= origin and origin != before:
                self._beside(*beside.pop(0))
            # An event that was added has no attributes of its own.
            self.own = kept.get(str(origin), _NONE) if kept and origin != before else _NONE
            before = origin
            self.computed = kind is ev.Win and getattr(self.source.events[origin], "yakus", None) is UNSET
            if at == last:
                self.standing.ends = self.ends
            _WRITERS[kind](self, event)
            at += 1
        for one in beside:
            self._beside(*one)
        self.is_recorded = self.is_recorded and not self.copies.astray
        return "".join(self.text)

    def _turns(self, events: Sequence[Any], at: int) -> int:
        """Write draws and discards up to another event, and return its index. Most events are these."""
        copies, standing = self.copies, self.standing
        held, spellings, draws, add = copies.held, copies.spellings, self.draws, self.text.append
        drawn, last, end = standing.drawn, copies.last, len(events)
        record = self.record
        draw_of, from_hand, at_once = turns(record.reds, record.seats)
        take, take_draw = record.events.append, record.draws.append
        seat = record.last_actor
        # The bit of a drawn tile that is not among the tiles held yet: most of these tiles are discarded at once.
        drawer, pending = -1, 0
        while at < end:
            event = events[at]
            kind = type(event)
            if kind is ev.Draw:
                if pending:
                    held[drawer] |= pending
                drawn, drawer = next(draws), event.actor
                pending = BIT[drawn]
                add(_DRAWN[drawer][drawn])
                take_draw(drawn)
                # The event of the source is the one that is read, unless it has keys of its own.
                take(event if event.extras is UNSET else draw_of[drawer][drawn])
            elif kind is ev.Discard:
                seat = event.actor
                if pending and seat != drawer:
                    held[drawer] |= pending
                    pending = 0
                if event.tsumogiri and drawn >= 0:
                    last = drawn
                    if not pending:
                        held[seat] &= ~BIT[drawn]
                    take(event if event.extras is UNSET else at_once[seat][last])
                else:
                    hand = held[seat]
                    free = spellings.get(event.pai, 0) & hand
                    if pending and free and not free & (free - 1):
                        last = free.bit_length() - 1
                        held[seat] = hand ^ free | pending
                    else:
                        held[seat] = hand | pending
                        last = copies.discard(seat, event.pai, self.picks, drawn)
                    take((at_once if last == drawn else from_hand)[seat][last])
                drawn, pending = -1, 0
                add(_DISCARDED[seat][last])
            else:
                break
            at += 1
        if pending:
            held[drawer] |= pending
        copies.last, standing.drawn, record.last_actor = last, drawn, seat
        return at

    def _write(self, name: str, found: dict[str, str]) -> None:
        self.text.append(element(name, found, self.own))

    def _beside(self, number: int, one: Annotation) -> None:
        seat = one.seat if isinstance(one.seat, int) and 0 <= one.seat < LISTED else 0
        self.own = self.extras.attributes.get(f"{BESIDE}{number}", _NONE)
        if one.kind == "left":
            self._write("BYE", {"who": str(seat)})
        else:
            self.text.append(element("UN", {f"n{seat}": self.names[seat]}, self.own, spaced=True))

    def _deal(self, event: ev.StartRound) -> None:
        hands, indicator, dice = self.numbers.hands, self.numbers.indicators[0], two_dice(self.source.dice or ())
        self._write("INIT", attributes.init(event, hands, indicator, dice))
        place = attributes.number_of(event), int(event.honba or 0), int(event.kyotaku or 0)
        ten = attributes.hundreds(event.scores or ())
        record = self.record
        record.events.append(record.deal(place, int(event.oya or 0), ten, hands, indicator, dice))
        self.standing = record.standing
        self.standing.ura = self.numbers.ura

    def _draw(self, event: ev.Draw) -> None:
        number = next(self.draws)
        if self.own:
            number = _stated(self.own, number)
        self.copies.held[event.actor] |= BIT[number]
        self.standing.drawn = number
        self.text.append(_DRAWN[event.actor][number])

    def _discard(self, event: ev.Discard) -> None:
        copies, drawn = self.copies, self.standing.drawn
        seat = event.actor
        if self.own:
            number = _stated(self.own, -1)
            copies.held[seat] &= ~BIT[number]
        elif event.tsumogiri and drawn >= 0:
            number = drawn
            copies.held[seat] &= ~BIT[drawn]
        else:
            number = copies.take(seat, event.pai, self.picks, BIT[drawn] if drawn >= 0 else 0)
        copies.last, self.standing.drawn = number, -1
        self.text.append(_DISCARDED[seat][number])

    def _call(self, event: Any) -> None:
        copies, record = self.copies, self.record
        actor = event.actor
        held = copies.held[actor]
        giver = 0
        if isinstance(event, ev.Kakan):
            added = copies.take(actor, event.pai, self.picks)
            code = copies.kakan_code(actor, added)
            call = Call("kakan", (), added, 0)
        elif isinstance(event, ev.Nukidora):
            call = Call("nukidora", (), copies.take(actor, "N", self.picks), 0)
            code = meldcode.encode(call)
        else:
            tiles = sorted(event.consumed, key=ORDER.__getitem__)
            own = tuple([copies.take(actor, tile, self.picks) for tile in tiles])
            if isinstance(event, ev.Ankan):
                call = Call("ankan", own, min(own) & ~3, 0)
            else:
                giver = (event.target - actor) % LISTED
                call = Call(_KINDS[type(event)], own, copies.last, giver)  # type: ignore[arg-type]
            code = meldcode.encode(call)
        self._write("N", {"who": str(actor), "m": str(code)})
        found = read_call(actor, code, record.seats, record.reds)
        if found is not None and not self.own:
            # The record takes the tiles out of the hand, in the order of the reader.
            copies.held[actor] = held
            usual = record.call(found)
            record.add(found.event, {"m": str(code)}, {"m": str(usual)})
            return
        self.is_recorded = False
        stated = self.own.get("m")
        if stated is not None and stated.isdecimal() and len(stated) < 6:
            code = int(stated)
        copies.call(actor, call, code)
        if call.kind not in ("chi", "pon"):
            copies.last = call.tile
        self.standing.drawn = -1

    def _riichi(self, event: ev.Riichi | ev.RiichiAccepted) -> None:
        record = self.record
        record.riichi(event)
        self._write("REACH", attributes.reach(event))
        if isinstance(event, ev.Riichi):
            record.events.append(ev.Riichi(event.actor))
        else:
            scores = UNSET if event.scores is UNSET else record.points(attributes.hundreds(event.scores))
            record.events.append(ev.RiichiAccepted(event.actor, scores=scores))

    def _dora(self, event: ev.Dora) -> None:  # noqa: ARG002 - its number is known
        number = next(self.turned)
        self._write("DORA", {"hai": str(number)})
        self.record.events.append(self.record.dora(number))

    def _win(self, event: ev.Win) -> None:
        self._result("AGARI", attributes.agari(event, self.standing, ordered=self.computed), self.record.win)
        self.standing.won = True

    def _drawn_game(self, event: ev.Ryukyoku) -> None:
        found = attributes.ryuukyoku(event, self.standing, self.source.blocked)
        self._result("RYUUKYOKU", found, self.record.draw)

    def _result(self, name: str, found: dict[str, str], take: Callable[[Values], object]) -> None:
        self._write(name, found)
        if self.is_recorded:
            try:
                take(Values(_NOWHERE, 0, Element(name, None, found)))
            except InputError:
                self.is_recorded = False

    def _nothing(self, event: ev.Event) -> None:
        pass


#: The annotations that are elements.
_BESIDE: Final = frozenset({"left", "returned"})
_NOWHERE: Final = Scan("")
_TURN: Final = frozenset({ev.Draw, ev.Discard})
#: The texts of draws and of discards, by seat and tile.
_DRAWN: Final = [[f"<{letter}{tile}/>" for tile in range(TILES)] for letter in DRAWS]
_DISCARDED: Final = [[f"<{letter}{tile}/>" for tile in range(TILES)] for letter in DISCARDS]
_NONE: Final[dict[str, str | None]] = {}
_WRITERS: Final[dict[type, Callable[[RoundWriter, Any], None]]] = {
    **dict.fromkeys(ev.KINDS.values(), RoundWriter._nothing),
    ev.StartRound: RoundWriter._deal,
    ev.Draw: RoundWriter._draw,
    ev.Discard: RoundWriter._discard,
    **dict.fromkeys((ev.Chi, ev.Pon, ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora), RoundWriter._call),
    ev.Riichi: RoundWriter._riichi,
    ev.RiichiAccepted: RoundWriter._riichi,
    ev.Dora: RoundWriter._dora,
    ev.Win: RoundWriter._win,
    ev.Ryukyoku: RoundWriter._drawn_game,
}


def two_dice(dice: Sequence[int]) -> tuple[int, int]:
    """Return two dice from 1 to 6: those of a round, two with their total, or ones where nothing is known.

    >>> two_dice((3, 4)), two_dice((9,)), two_dice(())
    ((3, 4), (6, 3), (1, 1))
    """
    if len(dice) == 2 and all(1 <= die <= 6 for die in dice):
        return dice[0], dice[1]
    total = min(max(sum(dice), 2), 12) if dice else 2
    first = min(6, total - 1)
    return first, total - first


def _stated(own: dict[str, str | None], usual: int) -> int:
    """Return the number of a tile that the extras state, or the usual one."""
    text = own.get("tile") or ""
    if text.isascii() and text.isdecimal() and len(text) < 4 and int(text) < TILES:
        return int(text)
    return usual
