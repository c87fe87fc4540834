"""Reads the records of one round: their events, the wall, and the values that no event holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType, ValidationError, convert

from mjconv.converters.riichicity import fields
from mjconv.converters.riichicity.call_reader import CALLS, KANS, read_call
from mjconv.converters.riichicity.deal_reader import read_deal
from mjconv.converters.riichicity.extras import Fields, built, rest
from mjconv.converters.riichicity.results import (
    TRIPLE,
    Position,
    concealed,
    others_of_result,
    read_result,
)
from mjconv.converters.riichicity.tiles import AT_ONCE, DRAWS, FROM_HAND, TILE_OF
from mjconv.converters.riichicity.usual import DEAL, RESULT, Header, Record, Turn
from mjconv.converters.riichicity.wall_reader import Warn, read_wall, states_wall
from mjconv.converters.shared.json_values import WrongValueError, shown
from mjconv.converters.shared.walls import HAND, drawn_tiles
from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.match import Annotation, Round
from mjconv.ir.tiles import Tile, plain

_DRAW: Final = 2
_OFFER: Final = 3
_ACTION: Final = 4
_DORA: Final = 7
_ACCEPTED: Final = 8
#: Furiten, a pause, and waits: nothing that happens at the table.
_BESIDE: Final = frozenset({_OFFER, 9, 10, 11})
_DISCARD: Final = 11
#: Declarations of a win and of nine kinds: the result follows.
_RON: Final = 7
_DECLARED: Final = frozenset({_RON, 10, 12})
_USUAL_RIICHI: Final = 1
_LONGEST: Final = 10_000_000
#: The fields that the reader reads, by the kind of record.
_READ: Final[Mapping[int, frozenset[str]]] = {
    DEAL: frozenset(
        {
            *("hand_cards", "dealer_pos", "dices", "bao_pai_card", "quan_feng", "chang_ci", "ben_chang_num"),
            *("li_zhi_bang_num", "user_info_list"),
        }
    ),
    _DRAW: frozenset({"in_card", "is_gang_incard"}),
    _ACTION: frozenset({"action", "card", "move_cards_pos", "user_id", "hand_cards", "group_cards", "is_li_zhi"}),
    _DORA: frozenset({"cards"}),
    _ACCEPTED: frozenset({"user_id"}),
}
_OF_PLAYER: Final = frozenset({"user_id", "hand_points"})
_NONE: Final = frozenset[str]()


class RoundReader:
    """Reads the records of a round one by one.

    `seats` maps the id of each player to the seat. `value` is the round without its records. `walls` says whether
    to read the wall, `whole_walls` whether to read its tiles too. `extras` says whether to keep the values that no
    event holds. `checked` says that the fields of the records are known to have the right types; then there are no
    extras.
    """

    def __init__(
        self,
        value: Fields,
        seats: Mapping[int, int],
        first_dealer: int,
        *,
        walls: bool,
        whole_walls: bool,
        extras: bool,
        checked: bool = False,
    ) -> None:
        self.value = value
        self.seats = seats
        self.count = len(seats)
        self.first_dealer = first_dealer
        self.walls = walls
        self.whole_walls = whole_walls
        self.extras = extras
        self.checked = checked
        self.events: list[ev.Event] = []
        #: The number of events before each record.
        self.firsts: list[int] = []
        self.dealt: dict[int, list[int]] = {}
        self.hands: list[list[int]] = [[] for _ in seats]
        self.pons: list[dict[Tile, tuple[Tile, ...]]] = [{} for _ in seats]
        self.riichi = [False] * self.count
        self.declared: list[int] = []
        self.blocked: tuple[int, ...] = ()
        self.scores: list[int] | None = None
        self.wall_fields: Fields = {}
        self.turned: list[int] = []
        self.sticks = 0
        self.drawn: int | None = None
        self.last_actor = -1
        self.last_tile = 0
        self.offered: dict[int, int] = {}
        self.dice: tuple[int, ...] | UnsetType = UNSET
        self.oya = 0
        self.over = False
        self.annotations: list[Annotation] = []
        self.kept: list[Any] = []
        self.warning = ""

    def read(self, kind: int, user: int, data: Fields, moment: int) -> None:
        """Read a record: its kind, the id of its player, its fields, its time in ms. Raises `WrongValueError`."""
        begin = len(self.events)
        self.firsts.append(begin)
        if self.over and kind not in _BESIDE:
            raise WrongValueError("a record comes after the result of its round")
        if not self.events and kind != DEAL and kind not in _BESIDE:
            raise WrongValueError("play begins before each player has a hand")
        handler = _HANDLERS.get(kind)
        if kind == RESULT:
            kept = self._result(data)
        elif handler is not None:
            handler(self, user, data, moment)
            kept = rest(data, _READ[kind]) if self.extras else {}
            if not self.checked and (kind == DEAL or data.get("hand_cards") is not None or data.get("is_li_zhi")):
                self._trim(kind, data, kept)
        elif kind in _BESIDE:
            kept = rest(data, _NONE) if self.extras else {}
            if kind == _OFFER and user in self.seats:
                self.offered[self.seats[user]] = moment
        else:
            raise WrongValueError(f"eventType is {kind}: no record of riichi mahjong has it")
        if self.extras:
            self.kept.append([begin, kind, self.seats.get(user), moment, kept])

    def read_turns(self, records: Sequence[Any], found: Sequence[Any], at: int) -> int:
        """Read hands, draws, discards, offers, accepted riichi and waits in one loop. With extras, read nothing.

        `found` are the fields in the `data` of each record, if these are read already. Returns the index of the
        first record that is another one, or that may be wrong: `read` reads it.
        """
        if self.extras or self.over:
            return at
        if not self.events:
            return self._read_deals(records, found, at)
        seats, hands, offered, firsts, events = self.seats, self.hands, self.offered, self.firsts, self.events
        drawn = self.drawn
        while at < len(records):
            record, data = records[at], found[at]
            if type(record) is not Record:
                try:
                    record, data = convert(record, Header), convert(data, Turn)
                except ValidationError:
                    # Not read yet, or wrong.
                    break
            seat, kind = seats.get(record.user_id), record.event_type
            moment, first = record.start_time or 0, len(events)
            if seat is None:
                break
            if kind == _DRAW:
                number = data.in_card
                if number:
                    events.append(DRAWS[seat][number])
                    hands[seat].append(number)
                    drawn = number
                offered[seat] = moment
            elif kind == _ACTION:
                number, places, hand = data.card, data.move_cards_pos, hands[seat]
                if data.action != _DISCARD or data.hand_cards or not (number and places):
                    break
                since = offered.pop(seat, None)
                if since is not None and 0 <= moment - since <= _LONGEST:
                    self.annotations.append(Annotation(first, "think_time", seat, moment - since))
                if data.is_li_zhi:
                    events.append(ev.Riichi(seat))
                    self.riichi[seat] = True
                at_once = number == drawn and places[0] == len(hand)
                events.append((AT_ONCE if at_once else FROM_HAND)[seat][number])
                if number in hand:
                    hand.remove(number)
                self.last_actor, self.last_tile = seat, number
                drawn = None
            elif kind == _OFFER:
                offered[seat] = moment
            elif kind == _ACCEPTED:
                self._accepted(record.user_id, data, moment)
            elif kind not in _BESIDE:
                break
            firsts.append(first)
            at += 1
        self.drawn = drawn
        return at

    def _read_deals(self, records: Sequence[Any], found: Sequence[Any], at: int) -> int:
        """Read all hands but the last one. `read` reads that one, which begins the play."""
        while at < len(records) and len(self.dealt) < self.count - 1:
            record = records[at]
            seat = self.seats.get(record.user_id or 0) if type(record) is Record else None
            if seat is None or seat in self.dealt or record.event_type != DEAL:
                break
            self.dealt[seat] = found[at].hand_cards or []
            self.firsts.append(0)
            at += 1
        return at

    def _trim(self, kind: int, data: Fields, kept: Fields) -> None:
        """Leave out values that others determine."""
        if kind == _ACTION:
            if data.get("is_li_zhi") and kept.get("li_zhi_type") == _USUAL_RIICHI:
                del kept["li_zhi_type"]
            hand = fields.tiles(data, "hand_cards")
            if (
                self.extras
                and hand
                and (data.get("action") not in _DECLARED or not self._holds(data.get("user_id"), hand))
            ):
                kept["hand_cards"] = hand
        elif kind == DEAL:
            players = [rest(one, _OF_PLAYER) for one in fields.objects(data, "user_info_list")]
            if any(players):
                kept["user_info_list"] = players

    def _holds(self, user: Any, shown_hand: list[int]) -> bool:
        """Return whether these are the concealed tiles of a player, with or without the tile just drawn."""
        held = self.hands[self.seats[user]] if type(user) is int and user in self.seats else []
        return concealed(held, None) == sorted(shown_hand) or concealed(held, self.drawn) == sorted(shown_hand)

    def round(self, warn: Warn) -> Round:
        """Return the round of the records so far."""
        return Round(
            self.events,
            wall=self._wall(warn),
            dice=self.dice,
            blocked=self.blocked,
            annotations=tuple(self.annotations),
            extras=built(
                full=self.extras,
                round=rest(self.value, _READ_OF_ROUND) | self.wall_fields,
                records=self.kept if self.extras else self.firsts[:1],
            ),
        )

    def _wall(self, warn: Warn) -> tuple[Tile, ...] | UnsetType:
        """Return the whole wall. Its fields are kept if it cannot be read, or is not the wall of the round."""
        if not self.walls:
            return UNSET
        if not self.whole_walls:
            return () if states_wall(self.value, self.dealt[self.oya], warn) else UNSET
        turns = [(self.oya + turn) % self.count for turn in range(self.count)]
        hands = [[TILE_OF[number] for number in self.dealt[seat]] for seat in turns]
        turned = [TILE_OF[number] for number in self.turned]
        found = read_wall(self.value, hands, drawn_tiles(self.events), turned, warn)
        stated = {key: self.value[key] for key in _WALL if self.value.get(key)}
        if found.tiles is UNSET:
            self.wall_fields = stated
        elif not found.right_hash and "handCardsSHA256" in stated:
            self.wall_fields = {"handCardsSHA256": stated["handCardsSHA256"]}
        return found.tiles

    # The records.

    def _deal(self, user: int, data: Fields, moment: int) -> None:  # noqa: ARG002 - the hands have no time
        seat = self._seat(user)
        if self.events:
            raise WrongValueError("a hand is dealt after the play began")
        self.dealt[seat] = fields.tiles(data, "hand_cards")
        if len(self.dealt) < self.count:
            return
        hands = [self.dealt[holder] for holder in range(self.count)]
        deal = read_deal(self.value, data, hands, self.seats, self.first_dealer)
        self.oya = deal.oya
        self.dice = deal.dice
        self.scores = deal.scores
        self.sticks = deal.sticks
        self.turned = [deal.turned]
        self.events.append(deal.start)
        self.hands = [list(hand) for hand in hands]
        first = hands[self.oya][HAND:]
        if first:
            self.drawn = first[0]
            self.events.append(DRAWS[self.oya][first[0]])

    def _draw(self, user: int, data: Fields, moment: int) -> None:
        seat = self._seat(user)
        self.offered[seat] = moment
        number = data.get("in_card", 0)
        if number == 0:
            return
        number = fields.tile(data, "in_card")
        self.events.append(DRAWS[seat][number])
        self.hands[seat].append(number)
        self.drawn = number

    def _dora(self, user: int, data: Fields, moment: int) -> None:  # noqa: ARG002 - the table's
        cards = fields.tiles(data, "cards", most=4)
        for number in cards[len(self.turned) - 1 :]:
            self.events.append(ev.Dora(TILE_OF[number]))
            self.turned.append(number)

    def _accepted(self, user: int, data: Fields, moment: int) -> None:  # noqa: ARG002 - it took no time
        seat = self._seat(user)
        self.events.append(ev.RiichiAccepted(seat))
        self.sticks += 1
        if self.scores is not None:
            self.scores[seat] -= RIICHI_STICK

    def _action(self, user: int, data: Fields, moment: int) -> None:
        seat = self._seat(user)
        offered = self.offered.pop(seat, None)
        if offered is not None and 0 <= moment - offered <= _LONGEST:
            self.annotations.append(Annotation(len(self.events), "think_time", seat, moment - offered))
        action = fields.number(data, "action")
        if action == _DISCARD:
            self._discard(seat, data)
        elif action in _DECLARED:
            if action == _RON:
                self.declared.append(seat)
        elif action in CALLS:
            self._call(seat, action, data)
        elif action in KANS:
            self._kan_or_north(seat, action, data)
        else:
            raise WrongValueError(f"the action is {action}: riichi mahjong has none of this number", ("action",))

    def _discard(self, seat: int, data: Fields) -> None:
        number = fields.tile(data, "card")
        hand = self.hands[seat]
        if data.get("is_li_zhi") is True:
            self.events.append(ev.Riichi(seat))
            self.riichi[seat] = True
        places = data.get("move_cards_pos")
        if places is not None and not (isinstance(places, list) and places and type(places[0]) is int):
            raise WrongValueError(f"expected places of tiles, not {shown(places)}", ("move_cards_pos",))
        # The hand is shown in order with the tile drawn behind it, and places count from 1.
        at_once = number == self.drawn and (places is None or places[0] == len(hand))
        self.events.append((AT_ONCE if at_once else FROM_HAND)[seat][number])
        if number in hand:
            hand.remove(number)
        self._played(seat, number)

    def _call(self, seat: int, action: int, data: Fields) -> None:
        event, own = read_call(seat, self.last_actor, action, data)
        self.events.append(event)
        if type(event) is ev.Pon:
            self.pons[seat][plain(event.pai)] = (*event.consumed, event.pai)
        self._take(seat, own)
        self.drawn = None

    def _kan_or_north(self, seat: int, action: int, data: Fields) -> None:
        number = fields.tile(data, "card")
        event, own = KANS[action](seat, number, data, self.hands[seat], self.pons[seat])
        self.events.append(event)
        self._take(seat, own)
        self._played(seat, number)

    def _result(self, data: Fields) -> Fields:
        position = Position(
            self.seats,
            self.hands,
            self.drawn,
            self.last_actor,
            self.last_tile,
            self.sticks,
            self.riichi,
            self.scores,
        )
        result = read_result(data, position)
        kept = {} if self.checked else others_of_result(data, position, result)
        winners = {event.actor for event in result.events if type(event) is ev.Win}
        if winners or data.get("end_type") == TRIPLE:
            self.blocked = tuple(
                [seat for seat in range(self.count) if seat in self.declared and seat not in winners]
            )
        self.events += [*result.events, ev.EndRound()]
        self.warning = result.warning
        self.over = True
        return kept

    # Parts of records.

    def _seat(self, user: int) -> int:
        seat = self.seats.get(user)
        if seat is None:
            raise WrongValueError(f"userId is {user}, and no player of the game has this id")
        return seat

    def _take(self, seat: int, numbers: list[int]) -> None:
        """Take tiles out of a hand. The referee finds those that are not there."""
        hand = self.hands[seat]
        for number in numbers:
            if number in hand:
                hand.remove(number)

    def _played(self, seat: int, number: int) -> None:
        self.last_actor = seat
        self.last_tile = number
        self.drawn = None


_WALL: Final = ("handCardEncode", "handCardsSHA256", "paiShan")
_READ_OF_ROUND: Final = frozenset({"quanFeng", "changCi", "benChangNum", "players", *_WALL})
_HANDLERS: Final = {
    DEAL: RoundReader._deal,
    _DRAW: RoundReader._draw,
    _DORA: RoundReader._dora,
    _ACTION: RoundReader._action,
    _ACCEPTED: RoundReader._accepted,
}
