"""A round of an mjlog as it is read, or as it is written: its events, and the tiles that its players hold.

The reader and the writer add each element to a `RoundRecord`. So the writer has the round that a reader makes from
its text, and does not read the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.converters.shared import meldcode
from mjconv.converters.shared.extras import stated
from mjconv.converters.shared.tile_numbers import PLAIN, WITH_REDS
from mjconv.converters.tenhou import attributes
from mjconv.converters.tenhou.attributes import LISTED, Found, Standing, differing
from mjconv.converters.tenhou.copies import Copies, bits_of, digits_of, has_seen_digits, seen_digits
from mjconv.converters.tenhou.extras import KEY, RoundExtras, built
from mjconv.converters.tenhou.seeds import MOST_INDICATORS, Seen
from mjconv.converters.tenhou.values import Values
from mjconv.converters.tenhou.xml_calls import ReadCall
from mjconv.converters.tenhou.xml_results import ends_of, norths_of, read_draw, read_ends, read_win
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Round
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import ORDER, WINDS

HUNDRED: Final = 100
#: The calls after which a tile is drawn from the back of the wall.
REPLACED: Final = frozenset({"kakan", "ankan", "daiminkan", "nukidora"})
#: The places of tiles, by their numbers, in a sorted hand, and the tile of each place. A red five follows the
#: plain fives.
_SORTED: Final = {
    reds: [ORDER[spelling] for spelling in spelled].__getitem__
    for reds, spelled in ((False, PLAIN), (True, WITH_REDS))
}
_IN_ORDER: Final = {place: spelling for spelling, place in ORDER.items()}.__getitem__


class RoundRecord:
    """The events of a round so far, and the values that its attributes and its extras need.

    `kept` are the attributes that the writer would not write so, by the index of the event. If the record is not
    `full`, its extras state only whether there are values: `seeks` is true until the first one is found.
    """

    def __init__(self, seats: int, *, reds: bool, full: bool = True) -> None:
        self.full = full
        self.seeks = True
        self.seats = seats
        self.reds = reds
        self.copies = Copies(seats, reds=reds)
        self.standing = Standing(self.copies, ev.StartRound())
        self.events: list[ev.Event] = []
        self.annotations: list[Annotation] = []
        self.kept: dict[str, Found] = {}
        self.hands: Sequence[Sequence[int]] = ()
        self.indicator = 0
        self.dice = (1, 1)
        #: The tiles that were drawn, and the places among them of the replacements, drawn from the back.
        self.draws: list[int] = []
        self.replacements: list[int] = []
        self.ura: list[int] = []
        self.ends: tuple[tuple[int, ...], tuple[int, ...]] | None = None
        self.blocked: tuple[int, ...] = ()
        self.last_actor = -1
        self.has_result = False
        #: Whether an accepted riichi states no points.
        self.bare = False

    # One method for each element. Draws and discards have none: the reader and the writer take them in loops.

    def deal(
        self,
        place: Sequence[int],
        oya: int,
        ten: Sequence[int],
        hands: Sequence[Sequence[int]],
        indicator: int,
        dice: tuple[int, int],
    ) -> ev.StartRound:
        """Begin the round. `place` is its number, honba and sticks, `ten` the points of four seats in hundreds."""
        number, honba, sticks = place
        self.hands, self.indicator, self.dice = hands, indicator, dice
        self.copies.held = [bits_of(hand) for hand in hands]
        self.copies.indicators = [indicator]
        deal = ev.StartRound(
            WINDS[number // LISTED],
            self.copies.spelled[indicator],
            number % LISTED + 1,
            honba,
            sticks,
            oya,
            self.points(ten),
        )
        self.standing = Standing(self.copies, deal)
        return deal

    def points(self, hundreds: Sequence[int]) -> tuple[int, ...]:
        """Return the points of the seats, from a list of four numbers."""
        return tuple([HUNDRED * points for points in hundreds[: self.seats]])

    def call(self, found: ReadCall) -> int:
        """Take a call out of the hand. Return the number of the call that the writer works out."""
        copies, actor, call, laid = self.copies, found.actor, found.call, found.laid
        usual = self._usual(found)
        held = copies.held[actor]
        if held & laid.alike == laid.bits:
            copies.held[actor] = held ^ laid.bits
            copies.picked += laid.digits
        else:
            for tile in laid.tiles:
                if not copies.lay_down(actor, tile):
                    usual = -1
        copies.call(actor, call, found.code)
        if call.kind in REPLACED:
            self.replacements.append(len(self.draws))
            copies.last, self.last_actor = call.tile, actor
        self.standing.drawn = -1
        return usual

    def _usual(self, found: ReadCall) -> int:
        call = found.call
        if call.kind == "kakan":
            return self.copies.kakan_code(found.actor, call.tile)
        if call.kind == "ankan":
            return meldcode.encode(call._replace(tile=call.own[0]))
        if call.kind == "nukidora" or (call.tile, found.target) == (self.copies.last, self.last_actor):
            return found.code
        return -1

    def riichi(self, event: ev.Riichi | ev.RiichiAccepted) -> None:
        """Take the declaration of a riichi, or its acceptance."""
        if isinstance(event, ev.Riichi):
            self.standing.riichi[event.actor] = True
        else:
            self.standing.sticks += 1
            self.bare = event.scores is UNSET

    def dora(self, tile: int) -> ev.Dora:
        """Turn a dora indicator."""
        self.copies.indicators.append(tile)
        return ev.Dora(self.copies.spelled[tile])

    def win(self, values: Values) -> None:
        """Add the win of AGARI."""
        standing = self.standing
        actor = values.number("who", 0, self.seats - 1)
        norths = norths_of(self.events, actor) if self.seats < LISTED else 0
        win = read_win(values, self.copies.spelled, self.seats, riichi=standing.riichi, norths=norths)
        if "doraHaiUra" in values.attributes:
            standing.ura = self.ura = values.tiles("doraHaiUra", 0, MOST_INDICATORS)
        self._end(values)
        self.add(win, values.attributes, attributes.agari(win, standing) if self.seeks else None)
        standing.won = self.has_result = True

    def draw(self, values: Values) -> None:
        """Add the draw of RYUUKYOKU."""
        draw, shown = read_draw(values, self.seats)
        if draw.reason == REASON_IN_MESSAGES["triple_ron"]:
            self.blocked = shown
        self._end(values)
        self.has_result = True
        usual = attributes.ryuukyoku(draw, self.standing, self.blocked) if self.seeks else None
        self.add(draw, values.attributes, usual)

    def _end(self, values: Values) -> None:
        ends = read_ends(values, self.seats)
        if ends is not None:
            self.ends = ends
            self.standing.ends = ends_of(*ends)

    def add(self, event: ev.Event, found: dict[str, str], usual: dict[str, str] | None) -> None:
        """Add an event. Keep the attributes that the writer would not write so.

        `usual` are the attributes that the writer writes; None if the extras need no more values.
        """
        other = {} if usual is None else differing(found, usual)
        if other:
            self.keep(other)
        self.events.append(event)

    def keep(self, other: Found) -> None:
        """Keep attributes of the next event."""
        self.kept[str(len(self.events))] = other

    # The round as a whole.

    def round(self, wall: list[int] | None, *, seeded: bool) -> Round:
        """Return the round that was read. `wall` is its whole wall by the numbers of tiles, if it is known.

        If a seed determines the wall, the hands are sorted: the wall has the order in which they were dealt.
        """
        spelled = self.copies.spelled
        if seeded:
            place = _SORTED[self.reds]
            tehais = tuple([tuple(map(_IN_ORDER, sorted(map(place, hand)))) for hand in self.hands])
        else:
            tehais = tuple([tuple(map(spelled.__getitem__, hand)) for hand in self.hands])
        self.events[0] = structs.replace(self.standing.deal, tehais=tehais)
        return Round(
            self.events,
            wall=UNSET if wall is None else tuple(map(spelled.__getitem__, wall)),
            dice=self.dice,
            blocked=self.blocked,
            annotations=tuple(self.annotations),
            extras=self._extras(seeded=seeded),
        )

    def _extras(self, *, seeded: bool) -> dict[str, Any]:
        """Return the extras of the round. Without a seed, they state the copies of all tiles that were seen."""
        if self.full:
            drawn = "" if seeded else seen_digits(self._shown(), reds=self.reds)
            return built(RoundExtras(digits_of(self.copies.picked), drawn, self.kept))
        found = not self.seeks or bool(self.kept or self.copies.picked)
        return stated(KEY, [found or (not seeded and has_seen_digits(self._shown(), reds=self.reds))])

    def seen(self) -> Seen:
        """Return the tiles of the round that its record shows."""
        oya = int(self.standing.deal.oya or 0)
        indicators = self.copies.indicators
        return Seen(self.hands, oya, self.draws, self.replacements, indicators, self.ura, self.dice)

    def _shown(self) -> list[int]:
        """Return the tiles dealt, drawn and turned."""
        return [*chain(*self.hands), self.indicator, *self.draws, *self.copies.indicators[1:], *self.ura]
