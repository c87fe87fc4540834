"""Writes the elements of one round of an mjlog."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.shared.completed import CompleteRound
from mjconv.converters.shared.ends import shown_hands
from mjconv.converters.shared.meldcode import NumberedCall, add_call, encode
from mjconv.converters.shared.tile_numbers import COPIES, TILES
from mjconv.converters.tenhou.vocabulary import DISCARDS, DRAWS, LISTED, TYPE_BY_REASON
from mjconv.converters.tenhou.xml_scanner import HUNDRED, encoded
from mjconv.converters.tenhou.yaku import listed_yaku, yaku_of
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Annotation, Match, Round
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.rules.riichi_values import limit_of

#: The elements that end with a space before the slash.
_SPACED: Final = frozenset({"N", "DORA", "AGARI", "RYUUKYOKU", "BYE"})
#: The elements of draws and of discards, by the player and the tile: most elements of a round are among them.
_DRAWN, _DISCARDED = (
    [[f"<{letter}{tile}/>" for tile in range(TILES)] for letter in letters] for letters in (DRAWS, DISCARDS)
)


class TileNumbers:
    """The numbers of the tiles of a round: the tiles in the hands, and the tiles that are left.

    A tile gets the lowest copy that is left. Raises `UnsupportedError` for a tile without a number. `source` is
    the round.
    """

    def __init__(self, seats: int, source: Round, *, reds: bool) -> None:
        self._source = source
        self._reds = reds
        self._left = {tile: iter(copies) for tile, copies in COPIES[reds].items()}
        #: The indicators are in a hand of their own, the last one.
        self._hands: list[defaultdict[Tile, list[int]]] = [defaultdict(list) for _ in range(seats + 1)]

    def draw(self, seat: int, tile: Tile) -> int:
        """Put a tile into a hand, and return its number."""
        try:
            number = next(self._left[tile])
        except (KeyError, StopIteration):
            raise self._lacking(tile) from None
        self._hands[seat][tile].append(number)
        return number

    def turn(self, tile: Tile) -> int:
        """Return the number of an indicator."""
        return self.draw(-1, tile)

    def take(self, seat: int, tile: Tile, *, drawn: bool = False) -> int:
        """Take a tile out of a hand, and return its number. `drawn`: whether it is the tile just drawn.

        Any other tile is another copy, if the hand holds one: the tile just drawn is the last of its copies.
        """
        try:
            return self._hands[seat][tile].pop(-1 if drawn else 0)
        except IndexError:
            # The table accepts a hidden tile as any tile of the hand.
            raise self._lacking(tile) from None

    def held(self, seat: int) -> list[int]:
        """Return the tiles of a hand, ascending."""
        return sorted([number for copies in self._hands[seat].values() for number in copies])

    def _lacking(self, tile: Tile) -> UnsupportedError:
        if tile == HIDDEN:
            reason = "mjlog has no hidden tile"
        elif tile not in self._left:
            reason = f"mjlog has no tile {tile} here: its set has {'' if self._reds else 'no '}red fives"
        else:
            reason = f"mjlog has {len(COPIES[self._reds][tile])} of {tile}, and the round has more"
        return UnsupportedError(f"round {self._source.label}: {reason}")


class XmlRoundWriter:
    """Writes a round of a match: `write` returns its text.

    `ends` is the value of `owari` at the last result, or None where the game does not end with this round.
    """

    def __init__(
        self, match: Match, source: Round, completed: CompleteRound, ends: str | None, *, reds: bool
    ) -> None:
        self.match = match
        self.source = source
        self.deal, self.events, self.origins, play, self.blocked = completed
        self.table = play.table
        self.ends = ends
        self.seats = len(self.deal.tehais or ())
        self.numbers = TileNumbers(self.seats, source, reds=reds)
        #: The index of the event that is written.
        self.index = 0
        self.melds: list[list[NumberedCall]] = [[] for _ in range(self.seats)]
        self.riichi: set[int] = set()
        self.sticks = int(self.deal.kyotaku or 0)
        self.indicators: list[int] = []
        #: The ura indicators: all winners have the same.
        self.ura: list[int] = []
        #: The player who drew last; the tile just drawn, by its number, or -1 after a call.
        self.drawer = self.drawn = -1
        #: The tile of the last discard or kan, by its number.
        self.last = -1

    def write(self) -> str:
        """Return the text of the round."""
        text: list[str] = []
        draw, take = self.numbers.draw, self.numbers.take
        event: Any
        for index, event in enumerate(self.events):
            kind = type(event)
            # Most events are draws and discards: they are written here, without another call.
            if kind is ev.Draw:
                actor = self.drawer = event.actor
                tile = self.drawn = draw(actor, event.pai)
                text.append(_DRAWN[actor][tile])
            elif kind is ev.Discard:
                actor = event.actor
                tile = self.last = take(actor, event.pai, drawn=self.drawn >= 0 and event.tsumogiri is True)
                self.drawn = -1
                text.append(_DISCARDED[actor][tile])
            else:
                self.index = index
                text.append(_WRITERS[kind](self, event))
        for one in reversed(presences(self.source.annotations)):
            # Before INIT, it would belong to the round before.
            text.insert(max(bisect_left(self.origins, one.index), 1), write_presence(one, self.match))
        return "".join(text)

    # One method for each kind of event.

    def _start_kyoku(self, deal: ev.StartRound) -> str:
        hands = [[self.numbers.draw(seat, tile) for tile in hand] for seat, hand in enumerate(deal.tehais or ())]
        self.indicators.append(self.numbers.turn(deal.dora_marker or HIDDEN))
        number = WINDS.index(deal.bakaze or "E") * LISTED + int(deal.kyoku or 1) - 1
        first, second = two_dice(self.source.dice or ())
        seed = [number, int(deal.honba or 0), self.sticks, first - 1, second - 1, *self.indicators]
        attributes = {"seed": joined(seed), "ten": _hundreds(deal.scores or ()), "oya": str(deal.oya or 0)}
        for seat in range(LISTED):
            attributes[f"hai{seat}"] = joined(hands[seat]) if seat < self.seats else ""
        return element("INIT", attributes)

    def _call(self, event: Any) -> str:
        call = add_call(self.melds[event.actor], event, partial(self.numbers.take, event.actor), self.last)
        if call.kind not in ("chi", "pon"):
            self.last = call.tile
        self.drawn = -1
        return element("N", {"who": str(event.actor), "m": str(encode(call))})

    _chi = _pon = _daiminkan = _kakan = _ankan = _nukidora = _call

    def _reach(self, event: ev.Riichi) -> str:
        self.riichi.add(event.actor)
        return element("REACH", {"who": str(event.actor), "step": "1"})

    def _reach_accepted(self, event: ev.RiichiAccepted) -> str:
        self.sticks += 1
        return element("REACH", {"who": str(event.actor), "ten": _hundreds(event.scores or ()), "step": "2"})

    def _dora(self, event: ev.Dora) -> str:
        self.indicators.append(self.numbers.turn(event.dora_marker))
        return element("DORA", {"hai": str(self.indicators[-1])})

    def _hora(self, win: ev.Win) -> str:
        who, target = win.actor, win.giver
        machi = self.drawn if target == who else self.last
        held = self.numbers.held(who)
        attributes = {"ba": self._ba(), "hai": joined(held if target == who else sorted([*held, machi]))}
        if self.melds[who]:
            attributes["m"] = joined([encode(call) for call in reversed(self.melds[who])])
        attributes["machi"] = str(machi)
        # The yaku of a record stay in its own order.
        computed = getattr(self.source.events[self.origins[self.index]], "yakus", None) is UNSET
        wind = self.deal.bakaze or WINDS[0]
        yaku = listed_yaku(yaku_of(win, self.table, wind, ordered=computed))
        fu = int(win.fu or 0)
        attributes["ten"] = f"{fu},{int(win.hora_points or 0)},{limit_of(yaku.han, fu, yaku.yakuman)}"
        attributes["yakuman" if yaku.yakuman else "yaku"] = yaku.text
        attributes["doraHai"] = joined(self.indicators)
        if who in self.riichi and win.ura_markers is not UNSET:
            attributes["doraHaiUra"] = joined(self._turned_ura())
        attributes |= {"who": str(who), "fromWho": str(target)}
        if win.liable is not UNSET:
            attributes["paoWho"] = str(win.liable)
        # The first winner takes the sticks.
        self.sticks = 0
        return element("AGARI", attributes | self._points(win))

    def _turned_ura(self) -> list[int]:
        if not self.ura:
            wins = ev.select(self.events, ev.Win)
            longest = max((win.ura_markers or () for win in wins), key=len)
            self.ura = [self.numbers.turn(tile) for tile in longest]
        return self.ura

    def _ryukyoku(self, event: ev.Ryukyoku) -> str:
        reason = reason_of(event.reason or "exhaustive_draw") or "exhaustive_draw"
        kind = TYPE_BY_REASON.get(reason)
        points = self._points(event)
        attributes = {**({"type": kind} if kind else {}), "ba": self._ba(), "sc": points.pop("sc")}
        drawer = self.drawer if self.drawn >= 0 else None
        for seat in shown_hands(reason, event.tenpais or (), drawer, self.blocked, self.seats):
            attributes[f"hai{seat}"] = joined(self.numbers.held(seat))
        return element("RYUUKYOKU", attributes | points)

    def _nothing(self, event: ev.Event) -> str:  # noqa: ARG002 - all methods take the event
        return ""

    def _ba(self) -> str:
        return f"{self.deal.honba or 0},{self.sticks}"

    def _points(self, event: ev.Win | ev.Ryukyoku) -> dict[str, str]:
        """Return the attributes `sc`, and `owari` at the last result of a game."""
        scores, deltas = event.scores or (), event.deltas or ()
        before = [score - gain for score, gain in zip(scores, deltas, strict=False)]
        pairs = [
            f"{score // HUNDRED},{gain // HUNDRED}" for score, gain in zip_longest(before, deltas, fillvalue=0)
        ]
        points = {"sc": ",".join(pairs + ["0,0"] * (LISTED - len(pairs)))}
        if self.ends is not None and ev.RESULTS.isdisjoint(map(type, self.events[self.index + 1 :])):
            points["owari"] = self.ends
        return points


_WRITERS: Final = dict.fromkeys(ev.KINDS.values(), XmlRoundWriter._nothing) | ev.handlers(XmlRoundWriter)


def _hundreds(points: Sequence[int]) -> str:
    return joined([*[each // HUNDRED for each in points], *[0] * (LISTED - len(points))])


def two_dice(dice: Sequence[int]) -> tuple[int, int]:
    """Return two dice from 1 to 6: the dice of a round, or two with their total, or ones if nothing is known.

    >>> two_dice((3, 4)), two_dice((9,)), two_dice(())
    ((3, 4), (6, 3), (1, 1))
    """
    if len(dice) == 2 and all(1 <= die <= 6 for die in dice):
        return dice[0], dice[1]
    total = min(max(sum(dice), 2), 12) if dice else 2
    first = min(6, total - 1)
    return first, total - first


# Elements.


def written_names(match: Match) -> list[str]:
    """Return the names of four players as UN writes them.

    >>> from mjconv.ir.match import Name, Player, Text
    >>> written_names(Match([Player(Name(Text("A東")))]))
    ['%41%E6%9D%B1', '', '', '']
    """
    names = [encoded(name.encode("utf-8", "surrogatepass")) for name in match.names[:LISTED]]
    return [*names, *[""] * (LISTED - len(names))]


def presences(annotations: Sequence[Annotation]) -> list[Annotation]:
    """Return the annotations that an mjlog has elements for: a player left, or came back."""
    return [one for one in annotations if one.kind in ("left", "returned")]


def write_presence(one: Annotation, match: Match) -> str:
    """Return BYE for a player who left, or UN for one who came back."""
    seat = one.seat if isinstance(one.seat, int) and 0 <= one.seat < LISTED else 0
    if one.kind == "left":
        return element("BYE", {"who": str(seat)})
    return element("UN", {f"n{seat}": written_names(match)[seat]}, spaced=True)


def element(name: str, attributes: Mapping[str, str], *, spaced: bool = False) -> str:
    """Return an element as text, with the spaces that Tenhou writes.

    >>> element("GO", {"type": "169"}), element("DORA", {"hai": "5"})
    ('<GO type="169"/>', '<DORA hai="5" />')
    """
    text = "".join([f' {key}="{value}"' for key, value in attributes.items()])
    return f"<{name}{text}{' ' if spaced or name in _SPACED else ''}/>"


def joined(values: Sequence[int]) -> str:
    """Return numbers as a list.

    >>> joined([250, -10])
    '250,-10'
    """
    return ",".join(map(str, values))
