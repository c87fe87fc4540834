"""Reads one round of an mjlog: from INIT to the element before the next INIT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mjconv.converters.shared.tile_numbers import TILES
from mjconv.converters.tenhou import attributes
from mjconv.converters.tenhou.attributes import LISTED, differing
from mjconv.converters.tenhou.bounds import MOST_COUNT
from mjconv.converters.tenhou.copies import BIT
from mjconv.converters.tenhou.extras import BESIDE
from mjconv.converters.tenhou.plays import DISCARDS, DRAWS, Play, plays
from mjconv.converters.tenhou.round_record import REPLACED, RoundRecord
from mjconv.converters.tenhou.scanner import Scan
from mjconv.converters.tenhou.values import Values
from mjconv.converters.tenhou.xml_calls import MOST_CALL, ReadCall, read_call, usual_call
from mjconv.converters.tenhou.xml_head import returned_seat
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.match import Annotation, AnnotationKind

#: The pieces that are read at once.
_AT_ONCE: Final = 256
_MOST_ROUND: Final = 15
_HAND: Final = 13
_SIDES: Final = 6
#: The attributes of INIT in every file, but for those of some rooms.
_INIT: Final = ("seed", "ten", "oya", "hai0", "hai1", "hai2", "hai3")
#: The attributes of REACH where it states the points.
_ACCEPTED: Final = ("who", "ten", "step")
#: The declarations of riichi as Tenhou writes them.
_RIICHI: Final = {f'REACH who="{seat}" step="1"/>': ev.Riichi(seat) for seat in range(LISTED)}


class Game(NamedTuple):
    """The values of a file that its rounds need: seats, red fives, names as they are written.

    `full` says whether the rounds have all of their extras. `plays` has the play of each piece of the file; None
    for a piece that is no draw and no discard.
    """

    seats: int
    reds: bool
    names: dict[str, str]
    full: bool
    plays: Sequence[Play | None]


class RoundReader(RoundRecord):
    """Reads the elements of one round."""

    def __init__(self, scan: Scan, at: int, game: Game, warn: Callable[[str, Values, str], None]) -> None:
        super().__init__(game.seats, reds=game.reds, full=game.full)
        self.scan = scan
        self.begin = self.at = at
        self.game = game
        self.warn = warn
        #: The number of events before each piece that is no event.
        self.skipped: list[int] = []
        #: The seed of this round alone, if it has one.
        self.shuffle: str | None = None

    def read(self) -> None:
        """Read the round up to the next INIT, the end of the root, or the end of the file."""
        self._deal()
        plays, end, until = self.game.plays, len(self.scan.pieces), self.at
        rest: Iterator[Play | None] = iter(())
        while self.at < end:
            if self.at == until:
                until += _AT_ONCE
                rest = iter(plays[self.at : until])
            self.seeks = self.full or (self.seeks and not (self.kept or self.copies.picked))
            if not self.seeks or not self._plays(rest):
                self._plays_alone(rest)
            if self.at < min(until, end):
                if not self._other():
                    return
                self.at += 1

    def _plays_alone(self, found: Iterable[Play | None]) -> None:
        """Take draws and discards as `_plays` does, without the tiles that players hold."""
        events, draws, drawn = self.events, self.draws, self.standing.drawn
        before = len(events)
        for play in found:
            if play is None:
                break
            _, tile, _, _, draw, from_hand, at_once = play
            if draw is not None:
                drawn = tile
                draws.append(tile)
                events.append(draw)
            else:
                events.append(at_once if tile == drawn else from_hand)
                drawn = -1
        self.at += len(events) - before
        self.standing.drawn = drawn

    def _plays(self, found: Iterable[Play | None]) -> bool:
        """Take draws and discards, and the None of the element after them. Most elements are these.

        If the extras state only whether there are values, stops after the first discard that they state. Returns
        whether all were taken.
        """
        copies, standing = self.copies, self.standing
        held, before = copies.held, len(self.events)
        take_event, take_draw = self.events.append, self.draws.append
        drawn, last, actor = standing.drawn, copies.last, self.last_actor
        # The bit of a drawn tile that is not among the tiles held yet: most of these tiles are discarded at once.
        drawer, pending = -1, 0
        stop: Sequence[str] = () if self.full else copies.picked
        for play in found:
            if play is None:
                break
            seat, tile, bit, alike, draw, from_hand, at_once = play
            if draw is not None:
                if pending or held[seat] & bit:
                    if pending:
                        held[drawer] |= pending
                    held[seat] |= bit
                    pending = 0
                else:
                    drawer, pending = seat, bit
                drawn = tile
                take_draw(tile)
                take_event(draw)
                continue
            actor, last = seat, tile
            if pending and seat == drawer:
                if tile == drawn:
                    take_event(at_once)
                else:
                    hand = held[seat]
                    if alike & hand == bit:
                        held[seat] = hand ^ bit | pending
                    else:
                        held[seat] = hand | pending
                        if not copies.lay_down(seat, tile, pending):
                            self.keep({"tile": str(tile)})
                    take_event(from_hand)
                pending = 0
            else:
                if pending:
                    held[drawer] |= pending
                    pending = 0
                if tile == drawn:
                    held[seat] &= ~bit
                    take_event(at_once)
                else:
                    if not copies.lay_down(seat, tile, BIT[drawn] if drawn >= 0 else 0):
                        self.keep({"tile": str(tile)})
                    take_event(from_hand)
            drawn = -1
            if stop:
                self.seeks = False
                break
        if pending:
            held[drawer] |= pending
        self.at += len(self.events) - before
        standing.drawn, copies.last, self.last_actor = drawn, last, actor
        return self.seeks

    def _other(self) -> bool:
        """Read an element that is neither a usual draw nor a usual discard. Return whether the round goes on."""
        piece = self.scan.pieces[self.at]
        call = usual_call(piece, self.seats, self.reds) if piece[:1] == "N" else None
        if call is not None:
            self._called(call)
            return True
        riichi = _RIICHI.get(piece)
        if riichi is not None and riichi.actor < self.seats:
            self.riichi(riichi)
            self.events.append(riichi)
            return True
        if piece[:1] == "/":
            self.skipped.append(len(self.events))
            return not self.scan.is_root_end(self.at)
        element = self.scan.element(self.at)
        if element.name == "INIT":
            return False
        values = Values(self.scan, self.at, element)
        if element.tile is not None:
            (self._plays if self.seeks else self._plays_alone)([self._spelled_play(values)])
            self.at -= 1
            return True
        handler = _HANDLERS.get(element.name)
        if handler is None:
            raise InputError(f"the element {element.name} is not known in a round", self.scan.place(self.at))
        handler(self, values)
        return True

    def _spelled_play(self, values: Values) -> Play:
        """Return a draw or discard that is not written in the usual way, such as with spaces."""
        name = f"{values.element.name}{values.element.tile}"
        play = plays(self.reds, self.seats).get(f"{name}/>")
        if play is None:
            raise InputError(
                f"the element {name} is no draw and no discard: expected a letter of {DRAWS} or {DISCARDS} for "
                f"one of {self.seats} players, and a tile from 0 to {TILES - 1}",
                self.scan.place(self.at),
            )
        self._note_unknown(values)
        return play

    # One method for each element.

    def _deal(self) -> None:
        values = Values(self.scan, self.at, self.scan.element(self.at))
        seats = self.seats
        number, honba, sticks, *dice, indicator = values.numbers("seed", 6)
        if not (0 <= number <= _MOST_ROUND and 0 <= honba <= MOST_COUNT and 0 <= sticks <= MOST_COUNT):
            raise values.wrong("seed", "round, honba, riichi sticks, two dice less one, and the dora indicator")
        if not (0 <= indicator < TILES and all(0 <= die < _SIDES for die in dice)):
            raise values.wrong("seed", "dice from 0 to 5 and a dora indicator from 0 to 135")
        ten = values.hundreds("ten", LISTED)
        hands = values.hands(seats, _HAND)
        oya = values.number("oya", 0, seats - 1)
        deal = self.deal((number, honba, sticks), oya, ten, hands, indicator, (dice[0] + 1, dice[1] + 1))
        self.shuffle = values.attributes.get("shuffle")
        four = seats == LISTED or values.attributes.get("hai3") == ""
        if four and self._is_usual(ten) and tuple(values.attributes) == _INIT:
            # A number has one spelling: the writer writes the same text.
            self.events.append(deal)
        else:
            self._add(deal, values, attributes.init(deal, self.hands, indicator, self.dice))
        self.at += 1

    def _call(self, values: Values) -> None:
        actor = values.number("who", 0, self.seats - 1)
        found = read_call(actor, values.number("m", 0, MOST_CALL), self.seats, self.reds)
        if found is None:
            raise values.wrong("m", "the number of a call")
        self._called(found, values)

    def _called(self, found: ReadCall, values: Values | None = None) -> None:
        """Take a call. Without `values`, its element is spelled in the usual way."""
        if not self.seeks:
            self.standing.drawn = -1
            if found.call.kind in REPLACED:
                self.replacements.append(len(self.draws))
            self.events.append(found.event)
            if values is not None:
                self._note_unknown(values)
            return
        usual = self.call(found)
        if values is None and usual == found.code:
            self.events.append(found.event)
        else:
            values = values or Values(self.scan, self.at, self.scan.element(self.at))
            self._add(found.event, values, {"who": str(found.actor), "m": str(usual)})

    def _reach(self, values: Values) -> None:
        actor = values.number("who", 0, self.seats - 1)
        event: ev.Riichi | ev.RiichiAccepted
        usual = False
        if values.number("step", 1, 2) == 1:
            event = ev.Riichi(actor)
        elif "ten" not in values.attributes:
            event = ev.RiichiAccepted(actor)
        else:
            ten = values.hundreds("ten", LISTED)
            event = ev.RiichiAccepted(actor, scores=self.points(ten))
            usual = tuple(values.attributes) == _ACCEPTED and self._is_usual(ten)
        self.riichi(event)
        if usual:
            self.events.append(event)
        else:
            self._add(event, values, attributes.reach(event))

    def _dora(self, values: Values) -> None:
        [tile] = values.tiles("hai", 1, 1)
        self._add(self.dora(tile), values, {"hai": str(tile)})

    def _agari(self, values: Values) -> None:
        self.win(values)
        self._note_unknown(values)

    def _ryuukyoku(self, values: Values) -> None:
        self.draw(values)
        self._note_unknown(values)

    def _left(self, values: Values) -> None:
        seat = values.number("who", 0, LISTED - 1)
        self._annotate("left", seat, values, {"who": str(seat)})

    def _returned(self, values: Values) -> None:
        seat, usual = returned_seat(values, self.game.names)
        self._annotate("returned", seat, values, usual)

    def _annotate(self, kind: AnnotationKind, seat: int, values: Values, usual: dict[str, str]) -> None:
        other = differing(values.attributes, usual)
        if other:
            self.kept[f"{BESIDE}{len(self.annotations)}"] = other
            self._note_unknown(values)
        self.annotations.append(Annotation(len(self.events), kind, seat))
        self.skipped.append(len(self.events))

    def _is_usual(self, hundreds: Sequence[int]) -> bool:
        """Return whether the writer writes a list of four numbers so: a seat where nobody sits has 0."""
        return self.seats == LISTED or hundreds[-1] == 0

    def _add(self, event: ev.Event, values: Values, usual: dict[str, str]) -> None:
        """Add an event. Warn of attributes that are not known."""
        self.add(event, values.attributes, usual if self.seeks else None)
        self._note_unknown(values)

    def _note_unknown(self, values: Values) -> None:
        known = attributes.KNOWN.get(values.element.name, _NONE)
        if known.issuperset(values.attributes):
            return
        for name in values.attributes:
            if name not in known:
                self.warn(f"{values.element.name} has the unknown attribute {name}. It was kept", values, name)


_NONE: Final[frozenset[str]] = frozenset()
_HANDLERS: Final[dict[str, Callable[[RoundReader, Values], None]]] = {
    "N": RoundReader._call,
    "REACH": RoundReader._reach,
    "DORA": RoundReader._dora,
    "AGARI": RoundReader._agari,
    "RYUUKYOKU": RoundReader._ryuukyoku,
    "BYE": RoundReader._left,
    "UN": RoundReader._returned,
}
