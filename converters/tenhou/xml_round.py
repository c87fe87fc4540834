"""Reads one round of an mjlog: from INIT to the element before the next INIT.

A result states again what the round shows: hands, calls, indicators, honba, sticks, and the limit. The reader
compares these values with the round, and warns where they differ.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from functools import cache
from operator import add
from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET, UnsetType

from mjconv.converters.shared import meldcode
from mjconv.converters.shared.ends import shown_hands, three_rons
from mjconv.converters.shared.repeated import hand_played
from mjconv.converters.shared.tile_numbers import IN_HAND, PLAIN, TILES, WITH_REDS, tiles_of
from mjconv.converters.shared.walls import MOST_INDICATORS
from mjconv.converters.shared.winning_hands import YAKU_BY_ID, misnamed
from mjconv.converters.tenhou.vocabulary import (
    DISCARDS,
    DRAWS,
    LISTED,
    MOST_COUNT,
    MOST_FU,
    MOST_HAN,
    MOST_RESULT,
    MOST_WON,
    REASON_BY_TYPE,
)
from mjconv.converters.tenhou.wall import SeenTiles
from mjconv.converters.tenhou.xml_scanner import HUNDRED, TILE_NUMBERS, Element, Scan, Warner, numbers_in
from mjconv.converters.tenhou.yaku import in_messages
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.match import Annotation, Round
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.play import Play, keep_play
from mjconv.ir.tiles import HAND, WINDS, Tile
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, SHOW_TENPAI
from mjconv.rules.riichi_values import limit_of

_THOUSAND: Final = 1000
_MOST_ROUND: Final = 15
_MOST_CALL: Final = 0xFFFF
_MOST_SHOWN: Final = 14
#: The most tiles of a hand that are compared.
_MOST_COMPARED: Final = 20
#: A result in thousands, with at most one decimal.
_RESULT: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]?)?")
_SIDES: Final = 6
_HANDS: Final = tuple(f"hai{seat}" for seat in range(LISTED))
#: How many numbers `sc` and `owari` have. In rooms with chips, the chips are listed after the points.
_POINTS_LISTED: Final = (2 * LISTED, 4 * LISTED)

#: A draw or a discard: two tiles by their numbers, and two events.
#:
#: The first tile is drawn, the second is discarded; -1 and -2 where there is none. The first event is the discard
#: if the tile is from the hand, the second if it was just drawn. A draw is both events.
DrawOrDiscard: TypeAlias = tuple[int, int, ev.Event, ev.Event]


@cache
def draws_and_discards(reds: bool, seats: int) -> dict[str, DrawOrDiscard]:
    """Return the draws and discards of a game by the piece of text that states them.

    The events are made once: most pieces of a file are these, and a reader finds them without parsing.

    >>> draws_and_discards(True, 4)["D16/>"][1:3]
    (16, Discard(actor=0, pai='5mr', tsumogiri=False))
    """
    plays: dict[str, DrawOrDiscard] = {}
    for number, tile in enumerate(WITH_REDS if reds else PLAIN):
        for seat in range(seats):
            draw = ev.Draw(seat, tile)
            from_hand = ev.Discard(seat, tile, tsumogiri=False)
            at_once = ev.Discard(seat, tile, tsumogiri=True)
            plays[f"{DRAWS[seat]}{number}/>"] = number, -2, draw, draw
            plays[f"{DISCARDS[seat]}{number}/>"] = -1, number, from_hand, at_once
    return plays


class HeadValues(NamedTuple):
    """The values of the head that the rounds need.

    `names` are the attributes of UN that are names of players. `sorts` says whether the seed of the game
    determines the walls: then the hands of the hub are sorted, because the wall has their order.
    """

    seats: int
    reds: bool
    names: Collection[str]
    sorts: bool


#: The scores of all seats, and their points after uma, at the end of a game.
Ends: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


class XmlRoundReader:
    """Reads the elements of one round.

    `plays` has the draw or discard of each piece of the file; None for another piece, and after the last one.
    `others` are the places of None in it. `piece` is the piece that is read next. If it `compares`, it warns of
    values of results that differ from the round.
    """

    def __init__(
        self,
        scan: Scan,
        piece: int,
        head: HeadValues,
        plays: list[DrawOrDiscard | None],
        others: Sequence[int],
        warn: Warner,
        *,
        compares: bool,
    ) -> None:
        self.scan = scan
        self.begin = self.piece = piece
        self.head = head
        self.plays = plays
        self.others = others
        self.warn = warn
        self.compares = compares
        self.seats = head.seats
        self.spelled = WITH_REDS if head.reds else PLAIN
        self.events: list[ev.Event] = []
        #: The play, if the deal was read.
        self.play: Play
        #: The INIT of the next round, if it was read.
        self.next_deal: Element | None = None
        self.annotations: list[Annotation] = []
        #: The number of events before each piece that is no event.
        self.skipped: list[int] = []
        #: The seed of this round alone, if it has one.
        self.shuffle: str | None = None
        #: The tiles that the round shows, if the deal was read.
        self.seen: SeenTiles
        #: The elements of the results, each with the end of the game that its `owari` states.
        self.results: list[tuple[Element, Ends | None]] = []
        self._blocked: tuple[int, ...] = ()
        #: The tile just drawn, by its number; -1 after a discard or a call.
        self._drawn = -1
        self._riichi: set[int] = set()
        #: The number of norths that each player set aside.
        self._norths = [0] * head.seats

    def read(self, deal: Element | None) -> None:
        """Read the round up to the next INIT, the end of the root, or the end of the file.

        `deal` is its INIT, if that was read.
        """
        self._deal(deal or self.scan.element(self.piece))
        end = len(self.scan.pieces)
        while True:
            begin, self.piece = self.piece, self.others[bisect_left(self.others, self.piece)]
            self._play(self.plays[begin : self.piece])
            if self.piece == end or not self._other():
                return
            self.piece += 1

    def draws(self) -> list[int]:
        """Return all tiles that were drawn, by number."""
        return [play[0] for play in self.plays[self.begin : self.piece] if play is not None and play[0] >= 0]

    def round(self, wall: list[int] | None) -> Round:
        """Return the round that was read. `wall` is its whole wall by the numbers of tiles, if it is known."""
        game_round = Round(
            self.events,
            wall=UNSET if wall is None else tiles_of(wall, self.spelled),
            dice=self.seen.dice,
            blocked=self._blocked,
            annotations=tuple(self.annotations),
        )
        return keep_play(game_round, self.play)

    def _play(self, plays: Sequence[DrawOrDiscard | None]) -> None:
        """Read draws and discards."""
        last, append = self._drawn, self.events.append
        for play in plays:
            drawn, discarded, from_hand, at_once = play  # type: ignore[misc]
            append(at_once if discarded == last else from_hand)
            last = drawn
        self._drawn = last

    def _other(self) -> bool:
        """Read an element that is no usual draw and no usual discard. Return whether the round continues."""
        if self.scan.pieces[self.piece].startswith("/"):
            self.skipped.append(len(self.events))
            return self.scan.is_end(self.piece)
        element = self.scan.element(self.piece)
        if element.name == "INIT":
            self.next_deal = element
            return False
        if element.tile is not None:
            self.plays[self.piece] = self._spelled_play(element)
            self._play(self.plays[self.piece : self.piece + 1])
        elif element.name in _HANDLERS:
            _HANDLERS[element.name](self, element)
        else:
            raise InputError(f"the element {element.name} is not known in a round", self.scan.place(self.piece))
        element.warn_of_unknown(self.warn)
        return True

    def _spelled_play(self, element: Element) -> DrawOrDiscard:
        """Return a draw or discard that is not written in the usual way, such as with spaces."""
        name = f"{element.name}{element.tile}"
        play = draws_and_discards(self.head.reds, self.seats).get(f"{name}/>")
        if play is None:
            raise InputError(
                f"the element {name} is no draw and no discard: expected a letter of {DRAWS} or {DISCARDS} for "
                f"one of {self.seats} players, and a tile from 0 to {TILES - 1}",
                self.scan.place(self.piece),
            )
        return play

    # One method for each element.

    def _deal(self, element: Element) -> None:
        number, honba, sticks, *dice, indicator = element.numbers("seed", 6)
        if not (0 <= number <= _MOST_ROUND and 0 <= honba <= MOST_COUNT and 0 <= sticks <= MOST_COUNT):
            raise element.wrong("seed", "round, honba, riichi sticks, two dice less one, and the dora indicator")
        if not (0 <= indicator < TILES and all(0 <= die < _SIDES for die in dice)):
            raise element.wrong("seed", "dice from 0 to 5 and a dora indicator from 0 to 135")
        scores = self._scores(element)
        hands = [element.tiles(key, HAND, HAND) for key in _HANDS[: self.seats]]
        oya = element.number("oya", 0, self.seats - 1)
        self.shuffle = element.attributes.get("shuffle")
        shown: Sequence[Sequence[int]] = hands
        if self.head.sorts or self.shuffle:
            shown = [sorted(hand, key=IN_HAND.__getitem__) for hand in hands]
        tehais = tuple([tiles_of(hand, self.spelled) for hand in shown])
        wind, kyoku = WINDS[number // LISTED], number % LISTED + 1
        marker = self.spelled[indicator]
        start = ev.StartRound(wind, marker, kyoku, honba, sticks, oya, scores, tehais)
        self.seen = SeenTiles(hands, oya, (dice[0] + 1, dice[1] + 1), [indicator])
        self.events.append(start)
        self.play = Play(start)
        self._honba, self._sticks = honba, sticks
        element.warn_of_unknown(self.warn)
        self.piece += 1

    def _scores(self, element: Element) -> tuple[int, ...]:
        return tuple(element.points("ten", LISTED)[: self.seats])

    def _call(self, element: Element) -> None:
        actor = element.number("who", 0, self.seats - 1)
        call = meldcode.decode(element.number("m", 0, _MOST_CALL))
        if call is None or (actor + call.giver) % LISTED >= self.seats:
            raise element.wrong("m", "the number of a call")
        self._norths[actor] += call.kind == "nukidora"
        if call.kind not in ("chi", "pon"):
            self.seen.replacements.append(len(ev.select(self.events, ev.Draw)))
        self._drawn = -1
        self.events.append(meldcode.event_of(call, actor, self.spelled))

    def _reach(self, element: Element) -> None:
        actor = element.number("who", 0, self.seats - 1)
        if element.number("step", 1, 2) == 1:
            self._riichi.add(actor)
            self.events.append(ev.Riichi(actor))
        else:
            scores = self._scores(element) if "ten" in element.attributes else UNSET
            self.events.append(ev.RiichiAccepted(actor, scores=scores))
            self._sticks += 1

    def _dora(self, element: Element) -> None:
        [tile] = element.tiles("hai", 1, 1)
        self.seen.indicators.append(tile)
        self.events.append(ev.Dora(self.spelled[tile]))

    def _presence(self, element: Element) -> None:
        self.annotations.append(element.presence(len(self.events), self.head.names))
        self.skipped.append(len(self.events))

    # Results.

    def _agari(self, element: Element) -> None:
        attributes, last = element.attributes, self.seats - 1
        actor, target = element.number("who", 0, last), element.number("fromWho", 0, last)
        [machi] = element.tiles("machi", 1, 1)
        fu, points, limit = element.numbers("ten", 3)
        yaku = self._yaku(element)
        scores, deltas = self._points(element)
        ura: tuple[Tile, ...] | UnsetType = UNSET if actor in self._riichi else ()
        if "doraHaiUra" in attributes:
            self.seen.ura = element.tiles("doraHaiUra", 0, MOST_INDICATORS)
            ura = tuple([self.spelled[tile] for tile in self.seen.ura])
        if not 0 <= fu <= MOST_FU or not 0 <= points <= MOST_WON:
            raise element.wrong("ten", "fu, points, and the number of the limit")
        win = ev.Win(
            actor,
            target,
            self.spelled[machi],
            deltas=deltas,
            scores=scores,
            ura_markers=ura,
            yakus=tuple([one for name, han in yaku for one in in_messages(name, han, self._norths[actor])]),
            fu=fu,
            fan=sum([han for _, han in yaku]),
            hora_points=points,
            liable=element.number("paoWho", 0, last) if "paoWho" in attributes else UNSET,
        )
        self._read_ends(element)
        if self.compares:
            self._compare_win(element, win, machi, limit)
            self._compare_yaku(element, win, [name for name, _ in yaku])
        # Of several wins, only the first takes the sticks.
        self._sticks = 0
        self.events.append(win)

    def _yaku(self, element: Element) -> list[tuple[str, int]]:
        """Return the yaku of a win by the hub's names, and the han of each; each yakuman has 13 han."""
        yaku, yakuman = element.attributes.get("yaku"), element.attributes.get("yakuman")
        key = "yaku" if yakuman is None else "yakuman"
        numbers = element.numbers(key)
        if yaku is None:
            pairs = [(number, HAN_OF_YAKUMAN) for number in numbers]
        elif yakuman is not None or len(numbers) % 2:
            raise element.wrong("yaku", "pairs of a yaku and its han, and no yakuman beside them")
        else:
            pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        if not all(0 <= number < len(YAKU_BY_ID) and 0 <= han <= MOST_HAN for number, han in pairs):
            raise element.wrong(key, f"numbers of yaku from 0 to {len(YAKU_BY_ID) - 1}")
        return [(YAKU_BY_ID[number], han) for number, han in pairs]

    def _points(self, element: Element) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the scores after a result, and the points that each seat gains."""
        listed = element.points("sc")
        if len(listed) not in _POINTS_LISTED:
            raise element.wrong("sc", "points before and gain of each of four seats, in hundreds")
        before, gained = listed[: 2 * self.seats : 2], listed[1 : 2 * self.seats : 2]
        return tuple(map(add, before, gained)), tuple(gained)

    def _ryuukyoku(self, element: Element) -> None:
        reason = REASON_BY_TYPE.get(element.attributes.get("type", ""))
        if reason is None:
            raise element.wrong("type", f"one of {', '.join(filter(None, REASON_BY_TYPE))}")
        shown = tuple([seat for seat in range(self.seats) if f"hai{seat}" in element.attributes])
        for seat in shown:
            element.tiles(f"hai{seat}", 0, _MOST_SHOWN)
        scores, deltas = self._points(element)
        tenpais = tuple([seat in shown for seat in range(self.seats)]) if reason in SHOW_TENPAI else UNSET
        if reason == "triple_ron":
            self._blocked = shown
        self._read_ends(element)
        draw = ev.Ryukyoku(REASON_IN_MESSAGES[reason], UNSET, tenpais, deltas, scores)
        if self.compares:
            for seat in shown:
                self._compare_hand(element, f"hai{seat}", seat)
            self._compare(element, "ba", (self._honba, self._sticks))
            self._compare_shown(element, reason, draw, shown)
        self.events.append(draw)

    def _compare_shown(self, element: Element, reason: str, draw: ev.Ryukyoku, shown: Sequence[int]) -> None:
        """Warn if hands are shown at a draw that are not those of its reason. Some programs show none."""
        table = self.play.follow(self.events)
        drawer = None if table.drawn is None else table.turn
        right = shown_hands(reason, draw.tenpais or (), drawer, three_rons([draw], table), self.seats)
        if shown and [*shown] != [*right]:
            message = (
                f"RYUUKYOKU shows the hands of players {[*shown]}, but by its type those of {[*right]} are shown"
            )
            self.warn(message, element, f"hai{shown[0]}")

    def _read_ends(self, element: Element) -> None:
        text = element.attributes.get("owari")
        ends = None if text is None else ends_in(text, self.seats)
        if text is not None and ends is None:
            raise element.wrong("owari", "score in hundreds and result in thousands of each of four seats")
        self.results.append((element, ends))

    # What a result states again.

    def _compare_win(self, element: Element, win: ev.Win, machi: int, limit: int) -> None:
        """Warn of the attributes of a win that differ from the round, and of its limit."""
        calls = map(meldcode.decode, numbers_in(element.attributes.get("m")) or [])
        # The tiles of a north and of an ankan include the tile that names the call.
        melds = [[self.spelled[tile] for tile in {*call.own, call.tile}] for call in calls if call is not None]
        won = None if win.target == win.actor else self.spelled[machi]
        self._compare_hand(element, "hai", win.actor, melds, won)
        self._compare(element, "doraHai", self.seen.indicators)
        self._compare(element, "ba", (self._honba, self._sticks))
        han, fu, yakuman = win.fan or 0, win.fu or 0, "yakuman" in element.attributes
        right = limit_of(han, fu, yakuman)
        if limit != right and limit != limit_of(han, fu, yakuman, kiriage=True):
            self._compare(element, "ten", (fu, win.hora_points or 0, right))

    def _compare_yaku(self, element: Element, win: ev.Win, names: Sequence[str]) -> None:
        self.play.follow(self.events)
        message = misnamed(names, win, self.play.table, self.play.deal.bakaze or WINDS[0])
        if message is not None:
            self.warn(message, element, "yakuman" if "yakuman" in element.attributes else "yaku")

    def _compare_hand(
        self,
        element: Element,
        key: str,
        seat: int,
        melds: Sequence[Sequence[Tile]] | None = None,
        won: Tile | None = None,
    ) -> None:
        if key not in element.attributes:
            return
        numbers = map(TILE_NUMBERS.get, element.attributes[key].split(",", _MOST_COMPARED))
        tiles = [self.spelled[tile] for tile in numbers if tile is not None]
        self.play.follow(self.events)
        right = hand_played(self.play, seat, tiles, melds, won)
        if right is not None:
            stated = key if melds is None else f"{key} and m"
            self.warn(f"{stated} of {element.name}: the hand that was played is {right}", element, key)

    def _compare(self, element: Element, key: str, right: Sequence[int]) -> None:
        stated = element.attributes.get(key)
        expected = ",".join(map(str, right))
        if stated is not None and stated != expected and numbers_in(stated) != list(right):
            message = f"{key} of {element.name} is {stated[:40]!r}, but by the round it is {expected!r}"
            self.warn(message, element, key)


_HANDLERS: Final[Mapping[str, Callable[[XmlRoundReader, Element], None]]] = {
    "N": XmlRoundReader._call,
    "REACH": XmlRoundReader._reach,
    "DORA": XmlRoundReader._dora,
    "AGARI": XmlRoundReader._agari,
    "RYUUKYOKU": XmlRoundReader._ryuukyoku,
    "BYE": XmlRoundReader._presence,
    "UN": XmlRoundReader._presence,
}


def ends_in(text: str, seats: int) -> Ends | None:
    """Return the scores and the results of all seats that a value of `owari` states, or None if it is none.

    >>> ends_in("263,6.0,344,54.0,245,-15.0,148,-45.0", 4)
    ((26300, 34400, 24500, 14800), (6000, 54000, -15000, -45000))
    """
    parts = text.split(",")
    if len(parts) not in _POINTS_LISTED:
        return None
    hundreds, thousands = numbers_in(",".join(parts[: 2 * seats : 2])), parts[1 : 2 * seats : 2]
    if hundreds is None or not all(map(_RESULT.fullmatch, thousands)):
        return None
    scores = tuple([HUNDRED * points for points in hundreds])
    results = tuple([int(Decimal(part) * _THOUSAND) for part in thousands])
    if max(map(abs, scores)) > MOST_POINTS or max(map(abs, results)) > MOST_RESULT:
        return None
    return scores, results
