"""Reads one round of an mjlog: from INIT to the element before the next INIT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from msgspec import UNSET, structs

from mjconv.converters.shared import meldcode
from mjconv.converters.shared.tile_numbers import PLAIN, TILES, WITH_REDS
from mjconv.converters.tenhou import attributes
from mjconv.converters.tenhou.attributes import LISTED, Found, Standing, differing
from mjconv.converters.tenhou.bounds import MOST_COUNT
from mjconv.converters.tenhou.copies import BIT, Copies, bits_of, digits_of, seen_digits
from mjconv.converters.tenhou.extras import BESIDE, RoundExtras, built
from mjconv.converters.tenhou.plays import DISCARDS, DRAWS, Play, plays
from mjconv.converters.tenhou.scanner import Scan
from mjconv.converters.tenhou.seeds import Seen
from mjconv.converters.tenhou.values import Values
from mjconv.converters.tenhou.xml_calls import MOST_CALL, ReadCall, read_call, usual_call
from mjconv.converters.tenhou.xml_head import returned_seat
from mjconv.converters.tenhou.xml_results import ends_of, norths_of, read_draw, read_ends, read_win
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.match import Annotation, AnnotationKind, Round
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import ORDER, WINDS

_HUNDRED: Final = 100
_MOST_ROUND: Final = 15
_HAND: Final = 13
_SIDES: Final = 6
_REPLACED: Final = frozenset({"kakan", "ankan", "daiminkan", "nukidora"})
#: The attributes of INIT in every file, but for those of some rooms.
_INIT: Final = ("seed", "ten", "oya", "hai0", "hai1", "hai2", "hai3")
#: The places of tiles, by their numbers, in a sorted hand, and the tile of each place. A red five follows the
#: plain fives.
_SORTED: Final = {
    reds: [ORDER[spelling] for spelling in spelled].__getitem__
    for reds, spelled in ((False, PLAIN), (True, WITH_REDS))
}
_IN_ORDER: Final = {place: spelling for spelling, place in ORDER.items()}.__getitem__
#: The pieces that are read at once.
_AT_ONCE: Final = 256
#: The attributes of REACH where it states the points.
_ACCEPTED: Final = ("who", "ten", "step")
#: The declarations of riichi as Tenhou writes them.
_RIICHI: Final = {f'REACH who="{seat}" step="1"/>': ev.Riichi(seat) for seat in range(LISTED)}


class Game(NamedTuple):
    """The values of a file that its rounds need: seats, red fives, names as they are written.

    `plays` has the play of each piece of the file; None for a piece that is no draw and no discard.
    """

    seats: int
    reds: bool
    names: dict[str, str]
    plays: Sequence[Play | None]


class RoundReader:
    """Reads the elements of one round. `events` are the events so far."""

    def __init__(self, scan: Scan, at: int, game: Game, warn: Callable[[str, Values, str], None]) -> None:
        self.scan = scan
        self.begin = self.at = at
        self.game = game
        self.warn = warn
        self.events: list[ev.Event] = []
        self.annotations: list[Annotation] = []
        #: The number of events before each piece that is no event.
        self.skipped: list[int] = []
        self.kept: dict[str, Found] = {}
        self.copies = Copies(game.seats, reds=game.reds)
        self.standing = Standing(self.copies, ev.StartRound())
        self.hands: list[list[int]] = []
        self.indicator = 0
        self.dice = (1, 1)
        #: The tiles that were drawn, and the places among them of the replacements, drawn from the back.
        self.draws: list[int] = []
        self.replacements: list[int] = []
        self.ura: list[int] = []
        self.ends: tuple[tuple[int, ...], tuple[int, ...]] | None = None
        self.blocked: tuple[int, ...] = ()
        self.last_actor = -1
        #: Whether an accepted riichi states no points.
        self.bare = False

    def read(self) -> None:
        """Read the round up to the next INIT, the end of the root, or the end of the file."""
        self._deal()
        plays, end, until = self.game.plays, len(self.scan.pieces), self.at
        rest: Iterator[Play | None] = iter(())
        while self.at < end:
            if self.at == until:
                until += _AT_ONCE
                rest = iter(plays[self.at : until])
            self._plays(rest)
            if self.at < min(until, end):
                if not self._other():
                    return
                self.at += 1

    def _plays(self, found: Iterable[Play | None]) -> None:
        """Take draws and discards, and the None of the element after them. Most elements are these."""
        copies, standing = self.copies, self.standing
        held, before = copies.held, len(self.events)
        take_event, take_draw = self.events.append, self.draws.append
        drawn, last, actor = standing.drawn, copies.last, self.last_actor
        # The bit of a drawn tile that is not among the tiles held yet: most of these tiles are discarded at once.
        drawer, pending = -1, 0
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
                            self._keep({"tile": str(tile)})
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
                        self._keep({"tile": str(tile)})
                    take_event(from_hand)
            drawn = -1
        if pending:
            held[drawer] |= pending
        self.at += len(self.events) - before
        standing.drawn, copies.last, self.last_actor = drawn, last, actor

    def _other(self) -> bool:
        """Read an element that is neither a usual draw nor a usual discard. Return whether the round goes on."""
        piece = self.scan.pieces[self.at]
        call = usual_call(piece, self.game.seats, self.game.reds)
        if call is not None:
            self._called(call)
            return True
        riichi = _RIICHI.get(piece)
        if riichi is not None and riichi.actor < self.game.seats:
            self.standing.riichi[riichi.actor] = True
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
            self._plays((self._spelled_play(values),))
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
        play = plays(self.game.reds, self.game.seats).get(f"{name}/>")
        if play is None:
            raise InputError(
                f"the element {name} is no draw and no discard: expected a letter of {DRAWS} or {DISCARDS} for "
                f"one of {self.game.seats} players, and a tile from 0 to {TILES - 1}",
                self.scan.place(self.at),
            )
        self._note_unknown(values, ())
        return play

    # One method for each element.

    def _deal(self) -> None:
        values = Values(self.scan, self.at, self.scan.element(self.at))
        seats = self.game.seats
        number, honba, sticks, *dice, indicator = values.numbers("seed", 6)
        if not (0 <= number <= _MOST_ROUND and 0 <= honba <= MOST_COUNT and 0 <= sticks <= MOST_COUNT):
            raise values.wrong("seed", "round, honba, riichi sticks, two dice less one, and the dora indicator")
        if not (0 <= indicator < TILES and all(0 <= die < _SIDES for die in dice)):
            raise values.wrong("seed", "dice from 0 to 5 and a dora indicator from 0 to 135")
        ten = values.hundreds("ten", LISTED)
        self.hands = values.hands(seats, _HAND)
        self.indicator = indicator
        self.dice = (dice[0] + 1, dice[1] + 1)
        deal = ev.StartRound(
            WINDS[number // LISTED],
            self.copies.spelled[indicator],
            number % LISTED + 1,
            honba,
            sticks,
            values.number("oya", 0, seats - 1),
            self._points(ten),
        )
        self.copies.held = [bits_of(hand) for hand in self.hands]
        self.copies.indicators = [indicator]
        self.standing = Standing(self.copies, deal)
        four = seats == LISTED or values.attributes.get("hai3") == ""
        if four and self._is_usual(ten) and tuple(values.attributes) == _INIT:
            # A number has one spelling: the writer writes the same text.
            self.events.append(deal)
        else:
            self._add(deal, values, attributes.init(deal, self.hands, indicator, self.dice))
        self.at += 1

    def _call(self, values: Values) -> None:
        actor = values.number("who", 0, self.game.seats - 1)
        found = read_call(actor, values.number("m", 0, MOST_CALL), self.game.seats, self.game.reds)
        if found is None:
            raise values.wrong("m", "the number of a call")
        self._called(found, values)

    def _called(self, found: ReadCall, values: Values | None = None) -> None:
        """Take a call. Without `values`, its element is spelled in the usual way."""
        event, actor, code, call, _, laid = found
        copies = self.copies
        usual = self._usual(found)
        held = copies.held[actor]
        if held & laid.alike == laid.bits:
            copies.held[actor] = held ^ laid.bits
            copies.picked += laid.digits
        else:
            for tile in laid.tiles:
                if not copies.lay_down(actor, tile):
                    usual = -1
        if values is None and usual == code:
            self.events.append(event)
        else:
            values = values or Values(self.scan, self.at, self.scan.element(self.at))
            self._add(event, values, {"who": str(actor), "m": str(usual)})
        copies.call(actor, call, code)
        if call.kind in _REPLACED:
            self.replacements.append(len(self.draws))
            copies.last, self.last_actor = call.tile, actor
        self.standing.drawn = -1

    def _usual(self, found: ReadCall) -> int:
        """Return the number of a call that the writer works out."""
        call = found.call
        if call.kind == "kakan":
            return self.copies.kakan_code(found.actor, call.tile)
        if call.kind == "ankan":
            return meldcode.encode(call._replace(tile=call.own[0]))
        if call.kind == "nukidora" or (call.tile, found.target) == (self.copies.last, self.last_actor):
            return found.code
        return -1

    def _reach(self, values: Values) -> None:
        actor = values.number("who", 0, self.game.seats - 1)
        event: ev.Riichi | ev.RiichiAccepted
        if values.number("step", 1, 2) == 1:
            self.standing.riichi[actor] = True
            event = ev.Riichi(actor)
        else:
            self.standing.sticks += 1
            event = ev.RiichiAccepted(actor)
            self.bare = "ten" not in values.attributes
            if not self.bare:
                ten = values.hundreds("ten", LISTED)
                event = ev.RiichiAccepted(actor, scores=self._points(ten))
                if tuple(values.attributes) == _ACCEPTED and self._is_usual(ten):
                    self.events.append(event)
                    return
        self._add(event, values, attributes.reach(event))

    def _dora(self, values: Values) -> None:
        [tile] = values.tiles("hai", 1, 1)
        self.copies.indicators.append(tile)
        self._add(ev.Dora(self.copies.spelled[tile]), values, {"hai": str(tile)})

    def _agari(self, values: Values) -> None:
        standing = self.standing
        actor = values.number("who", 0, self.game.seats - 1)
        norths = norths_of(self.events, actor) if self.game.seats < LISTED else 0
        win = read_win(values, self.copies.spelled, self.game.seats, riichi=standing.riichi, norths=norths)
        if "doraHaiUra" in values.attributes:
            standing.ura = self.ura = values.tiles("doraHaiUra", 0, 5)
        self._end(values)
        self._add(win, values, attributes.agari(win, standing))
        standing.won = True

    def _ryuukyoku(self, values: Values) -> None:
        draw, shown = read_draw(values, self.game.seats)
        if draw.reason == REASON_IN_MESSAGES["triple_ron"]:
            self.blocked = shown
        self._end(values)
        self._add(draw, values, attributes.ryuukyoku(draw, self.standing, self.blocked))

    def _end(self, values: Values) -> None:
        ends = read_ends(values, self.game.seats)
        if ends is not None:
            self.ends = ends
            self.standing.ends = ends_of(*ends)

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
            self._note_unknown(values, attributes.ORDER[values.element.name])
        self.annotations.append(Annotation(len(self.events), kind, seat))
        self.skipped.append(len(self.events))

    def _points(self, hundreds: Sequence[int]) -> tuple[int, ...]:
        """Return the points of the seats, from a list of four numbers."""
        return tuple([_HUNDRED * points for points in hundreds[: self.game.seats]])

    def _is_usual(self, hundreds: Sequence[int]) -> bool:
        """Return whether the writer writes a list of four numbers so: a seat where nobody sits has 0."""
        return self.game.seats == LISTED or hundreds[-1] == 0

    # The round as a whole.

    def _add(self, event: ev.Event, values: Values, usual: dict[str, str]) -> None:
        """Add an event. Attributes that the writer would not write so are kept."""
        other = differing(values.attributes, usual)
        if other:
            self._keep(other)
            self._note_unknown(values, attributes.ORDER[values.element.name])
        self.events.append(event)

    def _keep(self, other: Found) -> None:
        self.kept[str(len(self.events))] = other

    def _note_unknown(self, values: Values, known: tuple[str, ...]) -> None:
        for name in values.attributes:
            if name not in known:
                self.warn(f"{values.element.name} has the unknown attribute {name}. It was kept", values, name)

    def round(self, wall: list[int] | None, *, seeded: bool) -> Round:
        """Return the round that was read. `wall` is its whole wall by the numbers of tiles, if it is known.

        If a seed determines the wall, the hands are sorted: the wall has the order in which they were dealt.
        """
        spelled = self.copies.spelled
        if seeded:
            tehais = tuple(
                [tuple(map(_IN_ORDER, sorted(map(_SORTED[self.game.reds], hand)))) for hand in self.hands]
            )
        else:
            tehais = tuple([tuple(map(spelled.__getitem__, hand)) for hand in self.hands])
        self.events[0] = structs.replace(self.standing.deal, tehais=tehais)
        drawn = "" if seeded else self._drawn_copies()
        extras = RoundExtras(digits_of(self.copies.picked), drawn, self.kept)
        return Round(
            self.events,
            wall=UNSET if wall is None else tuple([spelled[tile] for tile in wall]),
            dice=self.dice,
            blocked=self.blocked,
            annotations=tuple(self.annotations),
            extras=built(extras),
        )

    def seen(self) -> Seen:
        """Return the tiles of the round that its record shows."""
        oya = int(self.standing.deal.oya or 0)
        indicators = self.copies.indicators
        return Seen(self.hands, oya, self.draws, self.replacements, indicators, self.ura, self.dice)

    def _drawn_copies(self) -> str:
        """Return the digits of the tiles dealt, drawn and turned, for a round without a seed."""
        copies = self.copies
        return seen_digits(
            [*chain(*self.hands), self.indicator, *self.draws, *copies.indicators[1:], *self.ura],
            reds=self.game.reds,
        )


_HANDLERS: Final[dict[str, Callable[[RoundReader, Values], None]]] = {
    "N": RoundReader._call,
    "REACH": RoundReader._reach,
    "DORA": RoundReader._dora,
    "AGARI": RoundReader._agari,
    "RYUUKYOKU": RoundReader._ryuukyoku,
    "BYE": RoundReader._left,
    "UN": RoundReader._returned,
}
