"""Reads the records of one round: its events, and what happened beside the play."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.majsoul import schema
from mjconv.converters.majsoul.containers import Fields, RecordedAct
from mjconv.converters.majsoul.deal import read_deal
from mjconv.converters.majsoul.head import honba_of
from mjconv.converters.majsoul.repeats import Difference, differences_of_draw, differences_of_wins
from mjconv.converters.majsoul.tiles import AT_ONCE, DRAWS, FROM_HAND, TILE_OF, in_order
from mjconv.converters.majsoul.vocabulary import EVENT_YAKU, REASON_NUMBERS, REASONS, names_of
from mjconv.converters.shared.json_values import Warn, WrongValueError, as_struct, within
from mjconv.converters.shared.wins import split_gains
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, AnnotationKind, Round
from mjconv.ir.message_names import REASON_IN_MESSAGES, YAKU_IN_MESSAGES
from mjconv.ir.play import Play, keep_play
from mjconv.ir.table import Table
from mjconv.ir.tiles import NORTH, Tile, plain
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN
from mjconv.rules.riichi_values import Payment
from mjconv.rules.scores import RIICHI_STICK

#: The calls by their numbers.
_CALLS: Final[tuple[Any, ...]] = (ev.Chi, ev.Pon, ev.Daiminkan)
_OPEN_KAN: Final = 2
_CONCEALED: Final = 3
_ALIKE: Final = 4
#: The yaku for which a player may be liable, as `Win.yakus` names them.
_LIABLE_FOR: Final = frozenset({YAKU_IN_MESSAGES[name] for name in ("daisangen", "daisuushii", "suukantsu")})
#: The events whose tile another player may win on.
_SHOW_TILES: Final = (ev.Discard, ev.Ankan, ev.Kakan, ev.Nukidora)
#: The kinds of the events of a player's connection, by their numbers.
_USER_EVENTS: Final[Mapping[int, AnnotationKind]] = {1: "returned", 2: "left"}


class MajsoulRoundReader:
    """Reads the records of a round. The first one is the deal. `head` is the head of the game.

    If it `compares`, it warns of values that differ from the play.
    """

    def __init__(self, warn: Warn, head: schema.GameHead, *, walls: bool, compares: bool) -> None:
        self.warn = warn
        self.head = head
        self.walls = walls
        self.compares = compares
        self.events: list[ev.Event] = []
        #: The index of the act that is read.
        self.index = 0
        #: The index of each record among the acts, and the number of events before it.
        self.records: list[int] = []
        self.firsts: list[int] = []
        self.annotations: list[Annotation] = []
        self.blocked: tuple[int, ...] = ()
        self.wall: tuple[Tile, ...] | UnsetType = UNSET
        self.fourteen = False
        self.over = False
        self.seats = 0
        self.oya = 0
        self.honba = 0
        self.sticks = 0
        #: The points of the seats, without the sticks of this round.
        self.scores: list[int] = []
        #: The number of tiles left, if the records state it.
        self.left: int | UnsetType = UNSET
        #: The dora indicators, as records spell them.
        self.doras: tuple[str, ...] = ()
        self.discarded = False
        #: The time of the last record.
        self.passed: int | None = None
        #: The play, if the deal was read.
        self.play: Play

    def read(self, acts: Sequence[RecordedAct]) -> None:
        """Read the records of the round, and what happened beside the play. Raises `WrongValueError`."""
        events, records, firsts = self.events, self.records, self.firsts
        for self.index, act in enumerate(acts):
            begin = len(events)
            if not act.name:
                self._read_beside(act.data)
                continue
            records.append(self.index)
            firsts.append(begin)
            if self.over:
                raise WrongValueError(f"{act.name} comes after the result of its round")
            kind, handler = _HANDLERS[act.name]
            seat = handler(self, as_struct(act.data, kind, "a tile such as 1m, 0m or 1z"))
            passed = act.passed
            if passed is not None:
                if seat is not None and self.passed is not None:
                    took = max(passed - self.passed, 0)
                    self.annotations.append(Annotation(begin, "think_time", seat, took))
                self.passed = passed

    def round(self) -> Round:
        """Return the round of the records so far."""
        game_round = Round(
            self.events,
            wall=self.wall,
            blocked=self.blocked,
            dealt_fourteen=self.fourteen,
            assumed=("tehais",) if self.fourteen else (),
            annotations=tuple(self.annotations),
        )
        return keep_play(game_round, self.play)

    def _read_beside(self, data: Fields) -> None:
        """Read an emote of a player, or a player who leaves or comes back."""
        user, event = data.get("user_input"), data.get("user_event")
        if type(user) is dict and user.get("emo"):
            self._annotate("emote", user, user["emo"])
        if type(event) is dict:
            kind = _USER_EVENTS.get(_number_of(event, "type"))
            if kind is not None:
                self._annotate(kind, event, UNSET)

    def _annotate(self, kind: AnnotationKind, user: Fields, value: Any) -> None:
        seat = _number_of(user, "seat")
        if 0 <= seat < self.seats and (kind != "emote" or type(value) in (int, str)):
            self.annotations.append(Annotation(len(self.events), kind, seat, value))

    # The records. Each returns the seat that acted, if one did.

    def _newround(self, record: schema.NewRound) -> None:
        deal = read_deal(record, self.warn, walls=self.walls)
        self.events += deal.events
        self.play = Play(deal.start)
        self.seats = self.play.table.seats
        self.oya = record.ju
        self.honba = deal.start.honba or 0
        self.sticks = record.liqibang
        self.scores = list(record.scores)
        self.left = record.left_tile_count
        self.doras = deal.doras
        self.wall = deal.wall
        self.fourteen = deal.fourteen

    def _dealtile(self, record: schema.DealTile) -> None:
        seat = self._seated(record.seat)
        if record.liqi is not None:
            self._accept(record.liqi)
        if record.doras:
            self._turn_stated(record.doras)
        elif record.dora_marker:
            self._turn((*self.doras, record.dora_marker))
        self.events.append(DRAWS[seat][record.tile])
        if self.left is not UNSET:
            self.left -= 1
            if record.left_tile_count not in (UNSET, self.left):
                message = f"left_tile_count is {record.left_tile_count}, and the play makes it {self.left}"
                self.warn(message, ("left_tile_count",))
                # One warning a round.
                self.left = UNSET

    def _discardtile(self, record: schema.DiscardTile) -> int:
        seat = self._seated(record.seat)
        if record.is_liqi or record.is_wliqi:
            if record.is_wliqi and any(type(event) is ev.Discard and event.actor == seat for event in self.events):
                self.warn("is_wliqi is true, but it is not the first discard of the player", ("is_wliqi",))
            self.events.append(ev.Riichi(seat))
        event = (AT_ONCE if record.moqie else FROM_HAND)[seat][record.tile]
        if not self.discarded:
            self.discarded = True
            event = event if record.moqie else self._first(event)
        self.events.append(event)
        if record.doras:
            self._turn_stated(record.doras)
        return seat

    def _first(self, event: ev.Discard) -> ev.Discard:
        """Return the first discard of the round: no record states that it is the tile drawn."""
        table = self.play.follow(self.events)
        if event.pai != table.drawn:
            return event
        alone = table.hands[event.actor].count(event.pai) == 1
        return ev.Discard(event.actor, event.pai, tsumogiri=True if alone else UNSET)

    def _chipenggang(self, record: schema.ChiPengGang) -> int:
        seat = self._seated(record.seat)
        if record.liqi is not None:
            self._accept(record.liqi)
        if len(record.tiles) != len(record.froms):
            raise WrongValueError("tiles and froms have different lengths", ("froms",))
        if len(record.tiles) != (4 if record.type == _OPEN_KAN else 3):
            raise WrongValueError(f"{len(record.tiles)} tiles make no call of type {record.type}", ("tiles",))
        places = [place for place, whose in enumerate(record.froms) if whose != seat]
        if len(places) != 1:
            message = f"froms is {list(record.froms)}: expected one tile of another player"
            raise WrongValueError(message, ("froms",))
        target = self._seated(record.froms[places[0]])
        tiles = [TILE_OF[tile] for tile in record.tiles]
        called = tiles.pop(places[0])
        self.events.append(_CALLS[record.type](seat, target, called, tuple(tiles)))
        return seat

    def _angangaddgang(self, record: schema.AnGangAddGang) -> int:
        seat = self._seated(record.seat)
        tile = TILE_OF[record.tiles]
        table = self.play.follow(self.events)
        if record.type == _CONCEALED:
            alike = [held for held in table.hands[seat] if plain(held) == plain(tile)]
            if len(alike) < _ALIKE:
                message = f"the player holds {len(alike)} tiles of {record.tiles}: a kan needs four"
                raise WrongValueError(message, ("tiles",))
            self.events.append(ev.Ankan(seat, tuple(in_order(alike)[:_ALIKE])))
        else:
            pon = table.pon_of(seat, tile)
            if pon is None or pon.called is UNSET:
                raise WrongValueError(f"the player has no pon that {record.tiles} can join", ("tiles",))
            self.events.append(ev.Kakan(seat, tile, (*pon.own, pon.called)))
        self._turn_stated(record.doras)
        return seat

    def _babei(self, record: schema.BaBei) -> int:
        seat = self._seated(record.seat)
        self.events.append(ev.Nukidora(seat, NORTH))
        self._turn_stated(record.doras)
        return seat

    def _dora(self, record: schema.DoraTurned) -> None:
        self._turn((*self.doras, record.dora_marker))

    def _hule(self, record: schema.Hule) -> int:
        self._turn(max(record.hules, key=lambda item: len(item.doras)).doras)
        deltas = self._checked(record.delta_scores)
        wins: list[ev.Win] = []
        for index, item in enumerate(record.hules):
            with within("hules", index):
                wins.append(self._win(item))
        if 0 < record.baopai <= self.seats and all(win.liable is UNSET for win in wins):
            _name_liable(wins, record.baopai - 1)
        if deltas:
            wins = split_gains(wins, deltas, self.sticks, self.honba, honba_of(self.head, self.seats))
        self._compare(lambda table: differences_of_wins(record, wins, table, self.doras, self.scores))
        self._end(*wins)
        return wins[0].actor

    def _win(self, item: schema.HuleItem) -> ev.Win:
        seat = self._seated(item.seat)
        target = seat if item.zimo else self._last_actor()
        if target < 0 or (target == seat and not item.zimo):
            raise WrongValueError("a win on a discard, and no other player discarded last")
        if any(fan.id >= EVENT_YAKU for fan in item.fans):
            raise WrongValueError("the yaku belong to an event mode: only riichi mahjong is read", ("fans",))
        # `baopai` is a seat and 1. Newer records also state the seats.
        liable = item.baopai - 1 if item.baopai else next(iter(item.baopai_seats), UNSET)
        if liable is not UNSET and liable >= self.seats:
            field = "baopai" if item.baopai else "baopai_seats"
            raise WrongValueError(f"{field} names seat {liable}, and the game has {self.seats} players", (field,))
        ura = item.li_doras if item.li_doras is not UNSET else item.ura_dora_indicators
        unknown = ura is UNSET and ev.Riichi(seat) in self.events
        points = item.dadian or item.point_rong
        if item.zimo and not item.dadian:
            dealer = seat == self.oya
            paid = Payment(0, 0 if dealer else item.point_zimo_qin, item.point_zimo_xian)
            points = paid.total(self.seats - 1, dealer_wins=dealer)
        return ev.Win(
            seat,
            target,
            TILE_OF[item.hu_tile],
            ura_markers=UNSET if unknown else tuple([TILE_OF[tile] for tile in ura or ()]),
            yakus=names_of(item.fans, yakuman=item.yiman),
            fu=item.fu,
            fan=item.count * (HAN_OF_YAKUMAN if item.yiman else 1),
            hora_points=points,
            liable=liable,
        )

    def _notile(self, record: schema.NoTile) -> None:
        played = [event for event in self.events if type(event) is not ev.Dora]
        match played[-2:]:
            case [ev.Riichi(actor), ev.Discard()]:
                # Nobody won on the last discard, so its riichi is accepted. No record states it.
                self._accept(schema.Liqi(actor))
        deltas = [0] * self.seats
        for index, score in enumerate(record.scores):
            moved = self._checked(score.delta_scores, "scores", index) or (0,) * self.seats
            deltas = [a + b for a, b in zip(deltas, moved, strict=True)]
        self._compare(lambda table: differences_of_draw(record, table, self.scores))
        reason = "nagashi_mangan" if record.liujumanguan else "exhaustive_draw"
        tenpais = tuple([player.tingpai for player in record.players])
        stated = tenpais if len(tenpais) == self.seats else UNSET
        self._end(ev.Ryukyoku(REASON_IN_MESSAGES[reason], tenpais=stated, deltas=tuple(deltas)))

    def _liuju(self, record: schema.LiuJu) -> None:
        if record.liqi is not None:
            self._accept(record.liqi)
        self._compare(lambda table: differences_of_draw(record, table, self.scores))
        if record.type == REASON_NUMBERS["triple_ron"]:
            last = self._last_actor()
            self.blocked = tuple([seat for seat in range(self.seats) if seat != last])
        self._end(ev.Ryukyoku(REASON_IN_MESSAGES[REASONS[record.type]]))

    # Parts of records.

    def _seated(self, seat: int) -> int:
        """Return a seat. Raises `WrongValueError` if the game has no such seat."""
        if seat >= self.seats:
            raise WrongValueError(f"seat is {seat}, and the game has {self.seats} players", ("seat",))
        return seat

    def _checked(self, deltas: tuple[int, ...], *path: str | int) -> tuple[int, ...]:
        """Return `delta_scores`, which are empty or those of all players. Raises `WrongValueError`."""
        if len(deltas) not in (0, self.seats):
            message = f"there are points of {len(deltas)} players, and the game has {self.seats}"
            raise WrongValueError(message, (*path, "delta_scores"))
        return deltas

    def _accept(self, liqi: schema.Liqi) -> None:
        seat = self._seated(liqi.seat)
        if not liqi.failed:
            self.sticks += 1
            self.scores[seat] -= RIICHI_STICK
            if liqi.score not in (UNSET, self.scores[seat]) or liqi.liqibang not in (UNSET, self.sticks):
                message = f"liqi states {liqi.score} points and {liqi.liqibang} sticks, and the play makes it"
                self.warn(f"{message} {self.scores[seat]} and {self.sticks}", ("liqi",))
            self.events.append(ev.RiichiAccepted(seat))

    def _compare(self, differences: Callable[[Table], Iterable[Difference]]) -> None:
        if self.compares:
            for message, path in differences(self.play.follow(self.events)):
                self.warn(message, path)

    def _turn_stated(self, doras: tuple[str, ...]) -> None:
        """Turn the dora that are new in `doras` of a record. Warn if the old ones differ."""
        if doras[: len(self.doras)] != self.doras[: len(doras)]:
            self.warn(f"doras is {' '.join(doras)}, and the play makes it {' '.join(self.doras)}", ("doras",))
        self._turn(doras)

    def _turn(self, doras: tuple[str, ...]) -> None:
        """Turn the dora that are new. `doras` are all of them, and some records repeat old ones."""
        known = len(self.doras)
        if len(doras) > known and doras[:known] == self.doras:
            self.events += [ev.Dora(TILE_OF[tile]) for tile in doras[known:]]
            self.doras = doras

    def _last_actor(self) -> int:
        """Return the player of the last discard, kan or north, or -1."""
        return next((event.actor for event in reversed(self.events) if isinstance(event, _SHOW_TILES)), -1)

    def _end(self, *results: ev.Event) -> None:
        self.events += [*results, ev.EndRound()]
        self.over = True


def _name_liable(wins: list[ev.Win], seat: int) -> None:
    """Name the liable player of a record whose wins name none, as older records do: for the first such yakuman."""
    for index, win in enumerate(wins):
        if win.actor != seat and not _LIABLE_FOR.isdisjoint([name for name, _ in win.yakus or ()]):
            wins[index] = structs.replace(win, liable=seat)
            return


def _number_of(fields: Fields, key: str) -> int:
    """Return a whole number, 0 where there is none."""
    value = fields.get(key)
    return value if type(value) is int else 0


#: The fields of each record, and the method that reads it, which has its name in lower case.
_HANDLERS: Final[Mapping[str, tuple[type, Callable[[MajsoulRoundReader, Any], int | None]]]] = {
    name: (kind, getattr(MajsoulRoundReader, f"_{name.lower()}")) for name, kind in schema.RECORDS.items()
}
