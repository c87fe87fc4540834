"""Reads the records of one round: its events, and the wall."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.riichicity import schema
from mjconv.converters.riichicity.results import TRIPLE, by_seat, read_result
from mjconv.converters.riichicity.schema import ActionData, HandRecord
from mjconv.converters.riichicity.tiles import TILE_OF, WIND_OF
from mjconv.converters.riichicity.wall import read_wall
from mjconv.converters.riichicity.yaku import HUB_NAMES
from mjconv.converters.shared.json_values import Warn, WrongValueError, check_number, shown
from mjconv.converters.shared.walls import drawn_tiles
from mjconv.converters.shared.winning_hands import misnamed, winning_hand
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Round
from mjconv.ir.play import Play, keep_play
from mjconv.ir.table import RIICHI_ACCEPTED, Table
from mjconv.ir.tiles import HAND, NORTH, RED_FIVES, Tile, plain
from mjconv.rules.scores import RIICHI_STICK

#: The actions of a player, as `action` has them.
_PON: Final = 5
_OPEN_KAN: Final = 6
_RON: Final = 7
_CLOSED_KAN: Final = 8
_ADDED_KAN: Final = 9
_DISCARD: Final = 11
_NORTH: Final = 13
#: Declarations of a win and of nine kinds: the result follows.
_DECLARED: Final = frozenset({_RON, 10, 12})
#: The calls of a discard: the event, and the number of tiles of the hand.
_CALLS: Final[Mapping[int, tuple[Callable[..., ev.Event], int]]] = {
    **dict.fromkeys((2, 3, 4), (ev.Chi, 2)),
    _PON: (ev.Pon, 2),
    _OPEN_KAN: (ev.Daiminkan, 3),
}
#: The events that the server may send before the acceptance of the riichi whose discard was called.
_AFTER_RIICHI: Final = frozenset({ev.Chi, ev.Pon, ev.Daiminkan, ev.Dora})
_RECORDS: Final = "handEventRecord"
_MOST_HONBA: Final = 9999
_MOST_DIE: Final = 6
#: The longest think time in milliseconds.
_LONGEST: Final = 10_000_000


class HandReader:
    """Reads the records of a round one by one.

    `seats` maps the id of each player to the seat. `first_dealer` is the position of the first dealer of the game.
    """

    def __init__(self, hand: HandRecord, seats: Mapping[int, int], first_dealer: int, warn: Warn) -> None:
        self.hand = hand
        self.seats = seats
        self.first_dealer = first_dealer
        self.warn = warn
        self.events: list[ev.Event] = []
        #: The index of the record of each event.
        self.origins: list[int] = []
        self.dealt: dict[int, tuple[Tile, ...]] = {}
        self.scores: tuple[int, ...] | UnsetType = UNSET
        #: The points of the players, which each hand repeats.
        self.points: list[schema.PlayerPoints] | None = None
        #: The play, if all hands were dealt.
        self.play: Play
        self.dice: tuple[int, ...] | UnsetType = UNSET
        self.turned: list[Tile] = []
        self.sticks = self.honba = 0
        #: The time of the last draw or offer of each seat, until the player acts.
        self.offered: dict[int, int] = {}
        self.declared: list[int] = []
        self.blocked: tuple[int, ...] = ()
        self.annotations: list[Annotation] = []
        self.over = False

    def read(self, index: int, record: schema.EventRecord, data: schema.Data) -> None:
        """Read the record with this index. Raises `WrongValueError`."""
        kind, moment = record.event_type, record.start_time
        if self.over and kind not in schema.BESIDE:
            raise WrongValueError("a record comes after the result of its round")
        if not self.events and kind != schema.DEAL and kind not in schema.BESIDE:
            raise WrongValueError("play begins before each player has a hand")
        match data:
            case schema.DrawData():
                self._draw(self._seat(record.user_id), data, moment)
            case schema.ActionData():
                if data.user_id not in (UNSET, record.user_id):
                    message = f"userId is {record.user_id}, and user_id in its data is {data.user_id}"
                    self.warn(message, (_RECORDS, index))
                if data.action == _RON:
                    self._compare_won(data, index)
                self._action(self._seat(record.user_id), data, moment)
            case schema.DealData():
                self._deal(self._seat(record.user_id), data, index)
            case schema.DoraData():
                self._dora(data, index)
            case schema.ResultData():
                self._result(data, index)
            case _ if kind == schema.ACCEPTED:
                self._accepted(self._seat(record.user_id), index)
            case _ if kind not in schema.BESIDE:
                raise WrongValueError(f"eventType is {kind}: no record of riichi mahjong has it")
            case _ if kind == schema.OFFER and record.user_id in self.seats:
                self.offered[self.seats[record.user_id]] = moment
        self.origins += [index] * (len(self.events) - len(self.origins))

    def round(self, *, walls: bool) -> Round:
        """Return the round of the records so far, with its wall if `walls` is true."""
        wall: tuple[Tile, ...] | UnsetType = UNSET
        if walls:
            turns = [(self.play.table.oya + turn) % len(self.seats) for turn in range(len(self.seats))]
            hands = [self.dealt[seat][:HAND] for seat in turns]
            wall = read_wall(self.hand, hands, drawn_tiles(self.events), self.turned, self.warn)
        annotations = tuple(self.annotations)
        game_round = Round(self.events, wall=wall, dice=self.dice, blocked=self.blocked, annotations=annotations)
        return keep_play(game_round, self.play)

    @property
    def table(self) -> Table:
        """The table after the events so far."""
        return self.play.follow(self.events)

    def _seat(self, user: int) -> int:
        seat = self.seats.get(user)
        if seat is None:
            raise WrongValueError(f"userId is {user}, and no player of the game has this id")
        return seat

    # The deal.

    def _deal(self, seat: int, data: schema.DealData, index: int) -> None:
        """Read a hand. The last one begins the play."""
        if self.events:
            raise WrongValueError("a hand is dealt after the play began")
        if self.points is not None and data.user_info_list != self.points:
            self.warn("this hand states other points than the hand before it", (_RECORDS, index))
        self.points = data.user_info_list
        self.dealt[seat] = tuple([TILE_OF[number] for number in data.hand_cards or ()])
        if len(self.dealt) < len(self.seats):
            return
        start = self._start(data)
        self.sticks, self.honba = data.li_zhi_bang_num, start.honba or 0
        if isinstance(data.dices, list) and len(data.dices) == 2 and all(map(_is_die, data.dices)):
            self.dice = tuple(data.dices)
        self.turned = [TILE_OF[data.bao_pai_card]]
        self.scores = start.scores
        self.events.append(start)
        self.play = Play(start)
        oya = self.play.table.oya
        self.events += [ev.Draw(oya, tile) for tile in self.dealt[oya][HAND:]]

    def _start(self, data: schema.DealData) -> ev.StartRound:
        """Return the begin of the round. `data` are the fields of the last hand."""
        hand, count = self.hand, len(self.seats)
        dealer, kyoku = dealer_and_kyoku(hand, data, count)
        oya = (dealer - self.first_dealer) % count
        for holder in range(count):
            tiles = len(self.dealt[holder])
            if tiles != HAND and not (holder == oya and tiles == HAND + 1):
                message = f"the hand of seat {holder} has {tiles} tiles: expected 13, or 14 of the dealer"
                raise WrongValueError(message)
        scores = by_seat("user_info_list", data.user_info_list, "hand_points", self.seats)
        indicator = TILE_OF[_tile(data.bao_pai_card, "bao_pai_card")]
        wind = _stated(hand.quan_feng, data.quan_feng, 0)
        if type(wind) is not int or wind not in WIND_OF:
            raise WrongValueError(f"the round wind is {shown(wind)}: expected 49, 65, 81 or 97", ("quan_feng",))
        honba = _stated(hand.ben_chang_num, data.ben_chang_num, 0)
        honba = check_number(honba, ("ben_chang_num",), f"a number from 0 to {_MOST_HONBA}", 0, _MOST_HONBA)
        repeated = (("quanFeng", hand.quan_feng, wind), ("changCi", hand.chang_ci, kyoku))
        for key, value, right in (*repeated, ("benChangNum", hand.ben_chang_num, honba)):
            if value not in (UNSET, right):
                self.warn(f"{key} is {shown(value)}, and the play makes it {right}", (key,))
        hands = tuple([self.dealt[holder][:HAND] for holder in range(count)])
        return ev.StartRound(WIND_OF[wind], indicator, kyoku, honba, data.li_zhi_bang_num, oya, scores, hands)

    # The play.

    def _draw(self, seat: int, data: schema.DrawData, moment: int) -> None:
        self.offered[seat] = moment
        if data.in_card:
            self.events.append(ev.Draw(seat, TILE_OF[data.in_card]))

    def _dora(self, data: schema.DoraData, record: int) -> None:
        """Turn the new indicators: the record states all of the kans so far."""
        stated = [TILE_OF[number] for number in data.cards or ()]
        before, new = stated[: len(self.turned) - 1], stated[len(self.turned) - 1 :]
        if before != self.turned[1 : len(before) + 1]:
            self.warn("cards states other dora indicators than the records before it", (_RECORDS, record))
        self.events += [ev.Dora(tile) for tile in new]
        self.turned += new

    def _accepted(self, seat: int, record: int) -> None:
        """Read the acceptance of a riichi.

        If the discard was called, the server sends the acceptance after the call. At the table it comes before:
        the call shows that nobody won on the discard.
        """
        self.sticks += 1
        index = len(self.events)
        while type(self.events[index - 1]) in _AFTER_RIICHI:
            index -= 1
        self.annotations = [
            structs.replace(one, index=one.index + 1) if index <= one.index < len(self.events) else one
            for one in self.annotations
        ]
        if index < len(self.play.events):
            # The order of the events that were played changes.
            self.play = Play(self.play.deal)
        self.events.insert(index, ev.RiichiAccepted(seat))
        self.origins.insert(index, record)

    def _action(self, seat: int, data: ActionData, moment: int) -> None:
        since, before = self.offered.pop(seat, None), len(self.events)
        if data.action == _DISCARD:
            self._discard(seat, data)
        elif data.action in _CALLS:
            self._call(seat, data)
        elif data.action == _RON:
            self.declared.append(seat)
        elif data.action not in _DECLARED:
            self.events.append(self._kan_or_north(seat, data, TILE_OF[_tile(data.card)]))
        if since is not None and 0 <= moment - since <= _LONGEST:
            self.annotations.append(Annotation(before, "think_time", seat, moment - since))

    def _compare_won(self, data: ActionData, index: int) -> None:
        """Warn if a ron is declared on another tile than the play makes it."""
        tile = self.table.last_tile
        if data.card and tile is not None and TILE_OF[data.card] != tile:
            message = f"the ron is declared on {TILE_OF[data.card]}, and the play makes it {tile}"
            self.warn(message, (_RECORDS, index))

    def _discard(self, seat: int, data: ActionData) -> None:
        tile, places = TILE_OF[_tile(data.card)], data.move_cards_pos
        if places is not None and not (isinstance(places, list) and places and type(places[0]) is int):
            raise WrongValueError(f"expected places of tiles, not {shown(places)}", ("move_cards_pos",))
        # The hand is shown in order with the tile drawn behind it, and places count from 1.
        table = self.table
        last = places is None or places[0] == len(table.hands[seat])
        tsumogiri = last and tile == table.drawn
        if data.is_li_zhi:
            self.events.append(ev.Riichi(seat))
        self.events.append(ev.Discard(seat, tile, tsumogiri=tsumogiri))

    def _call(self, seat: int, data: ActionData) -> None:
        giver = self.table.last_actor
        if giver < 0:
            raise WrongValueError("a call, and no tile was discarded")
        kind, expected = _CALLS[data.action]
        own = [TILE_OF[number] for number in data.group_cards or ()]
        if len(own) != expected:
            message = f"a call with {len(own)} tiles of the hand: expected {expected}"
            raise WrongValueError(message, ("group_cards",))
        self.events.append(kind(seat, giver, TILE_OF[_tile(data.card)], tuple(own)))

    def _kan_or_north(self, seat: int, data: ActionData, tile: Tile) -> ev.Event:
        """Return a kan of the hand, or a north that is set aside. Raises `WrongValueError`."""
        if data.action == _CLOSED_KAN:
            own = [TILE_OF[number] for number in data.group_cards or ()]
            four = own if len(own) == 4 else [tile, *own]
            if len(four) != 4:
                four = four_of(self.table.hands[seat], tile)
            if len(four) != 4:
                raise WrongValueError(f"the player holds {len(four)} such tiles: a kan needs four", ("card",))
            return ev.Ankan(seat, tuple(four))
        if data.action == _ADDED_KAN:
            pon = self.table.pon_of(seat, tile)
            if pon is None or pon.called is UNSET:
                raise WrongValueError("the player has no pon that the tile can join", ("card",))
            return ev.Kakan(seat, tile, (*pon.own, pon.called))
        if data.action == _NORTH:
            if tile != NORTH:
                raise WrongValueError("a tile is set aside, and it is no north", ("card",))
            return ev.Nukidora(seat, NORTH)
        raise WrongValueError(f"the action is {data.action}: riichi mahjong has none of this number", ("action",))

    def _result(self, data: schema.ResultData, at: int) -> None:
        results, warning = read_result(data, self.table, self.seats, self.sticks, self.honba)
        wins = {event.actor: event for event in results if type(event) is ev.Win}
        for message in filter(None, (warning, *self._repeated(data, wins))):
            self.warn(message, (_RECORDS, at))
        winners = {*wins}
        if winners or data.end_type == TRIPLE:
            self.blocked = tuple(sorted({*self.declared} - winners))
        self.events += [*results, ev.EndRound()]
        self.over = True

    def _repeated(self, data: schema.ResultData, wins: Mapping[int, ev.Win]) -> Iterator[str | None]:
        """Yield a warning for each value that the result repeats and that differs from the play, or None.

        `wins` are the wins that were read, by seat.
        """
        table, liable = self.table, {win.liable for win in wins.values()}
        for win in data.win_info or ():
            seat = self.seats.get(win.user_id)
            if seat is not None and seat in wins:
                names = [HUB_NAMES.get(yaku.fang_type, "") for yaku in win.fang_info or ()]
                yield misnamed(names, wins[seat], table)
            if seat is not None and win.user_cards:
                hand = winning_hand(table, ev.Win(seat, table.turn))
                # A self-drawn tile is among them; a discard is not.
                right = hand.tiles if seat == table.turn else hand.held
                if sorted(TILE_OF[number] for number in win.user_cards) != sorted(right):
                    yield f"user_cards of seat {seat} differ from the hand that the play makes"
        for profit in data.user_profit or ():
            seat = self.seats.get(profit.user_id)
            if profit.is_bao_pai and seat not in liable:
                yield f"is_bao_pai of seat {seat} is true, and mjconv takes this player as liable for no win"
            if seat is not None and self.scores is not UNSET:
                stick = RIICHI_STICK * (table.riichi[seat] == RIICHI_ACCEPTED)
                points = self.scores[seat] + profit.point_profit - stick
                if profit.user_point not in (UNSET, points):
                    yield f"user_point of seat {seat} is {profit.user_point}, and the play makes it {points}"


def dealer_and_kyoku(hand: schema.HandRecord, data: schema.DealData, count: int) -> tuple[int, int]:
    """Return the position of the dealer and the kyoku of a round of `count` players. Raises `WrongValueError`."""
    dealer = check_number(data.dealer_pos, ("dealer_pos",), f"a number from 0 to {count - 1}", 0, count - 1)
    kyoku = _stated(hand.chang_ci, data.chang_ci, 1)
    return dealer, check_number(kyoku, ("chang_ci",), f"a number from 1 to {count}", 1, count)


def _stated(of_round: Any, of_deal: int | UnsetType, usual: int) -> Any:
    """Return a value of the deal, or that of the round where the deal has none."""
    return next((value for value in (of_deal, of_round) if value is not UNSET), usual)


def _tile(number: int, field: str = "card") -> int:
    """Return the number of a tile of a field. Raises `WrongValueError` if the field has none."""
    if not number:
        raise WrongValueError("expected the number of a tile, not 0", (field,))
    return number


def _is_die(value: Any) -> bool:
    return type(value) is int and 1 <= value <= _MOST_DIE


def four_of(hand: list[Tile], tile: Tile) -> list[Tile]:
    """Return the tiles of a hand that are like a tile, four at most, a red five first.

    >>> four_of(["5p", "5pr", "1p", "5p", "5p"], "5p")
    ['5pr', '5p', '5p', '5p']
    """
    like = [held for held in hand if plain(held) == plain(tile)]
    return sorted(like, key=lambda held: held not in RED_FIVES)[:4]
