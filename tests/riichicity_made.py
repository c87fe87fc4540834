"""Games in the shape of Riichi City, made of games that the hub holds: an encoder apart from the reader."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from mjconv.converters.shared.walls import deal
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HAND

Value = dict[str, Any]

NUMBER: dict[str, int] = {f"{rank}p": rank for rank in range(1, 10)}
NUMBER |= {f"{rank}s": 16 + rank for rank in range(1, 10)}
NUMBER |= {f"{rank}m": 32 + rank for rank in range(1, 10)}
NUMBER |= {"E": 49, "S": 65, "W": 81, "N": 97, "P": 113, "F": 129, "C": 145}
NUMBER |= {"5pr": 261, "5sr": 277, "5mr": 293}
#: The numbers of yaku by their names in wins, one of those that share a name.
YAKU = {
    "reach": 0, "menzenchin_tsumoho": 1, "ippatsu": 2, "rinshankaiho": 3, "haiteiraoyue": 4, "hoteiraoyui": 5,
    "chankan": 6, "sangenpai": 7, "bakaze": 10, "jikaze": 11, "ipeko": 12, "pinfu": 13, "tanyaochu": 14,
    "double_reach": 15, "toitoiho": 16, "chitoitsu": 17, "sananko": 18, "sankantsu": 19, "honroto": 20,
    "honchantaiyao": 21, "ikkitsukan": 22, "sanshokudojun": 23, "shosangen": 24, "sanshokudoko": 25,
    "junchantaiyao": 26, "honiso": 27, "ryanpeko": 28, "chiniso": 29, "tenho": 31, "chiho": 32, "renho": 33,
    "kokushimuso": 34, "churenpoton": 36, "suanko": 38, "sukantsu": 40, "chinroto": 41, "tsuiso": 42,
    "daisushi": 43, "shosushi": 44, "daisangen": 45, "ryuiso": 46, "akadora": 49, "dora": 50, "uradora": 51,
    "nukidora": 55,
}  # fmt: skip
ENDS = {
    "sufuurenta": 2, "suukansansen": 3, "suucha_riichi": 4, "sanchaho": 5, "kyushu_kyuhai": 6,
    "exhaustive_draw": 7, "nagashimangan": 7,
}  # fmt: skip
YAKUMAN = range(31, 49)


def spelled(tiles: Sequence[str]) -> str:
    """Return tiles as `handCardEncode` spells them."""
    spelling = {tile: f"{rank}z" for rank, tile in enumerate("ESWNPFC", 1)}
    return "".join([spelling.get(tile) or (f"0{tile[1]}" if len(tile) == 3 else tile) for tile in tiles])


class Encoder:
    """Makes the record of a game. The first dealer sits at the position `first`."""

    def __init__(self, match: Match, first: int = 2) -> None:
        self.match = match
        self.seats = match.seats
        self.first = first % self.seats
        self.moment = 1_700_000_000_000
        self.position = 0
        self.records: list[Value] = []

    def user(self, seat: int) -> int:
        return 1001 + (seat + self.first) % self.seats

    def by_position(self, values: Sequence[Any]) -> list[tuple[int, Any]]:
        """Return pairs of an id and the value of its seat, by position."""
        return sorted([(self.user(seat), value) for seat, value in enumerate(values)])

    def record(self) -> Value:
        rounds = [self.round(one) for one in self.match.rounds]
        head = {"keyValue": "x" * 20, "playerCount": self.seats, "gamePlay": 1003, "nowTime": 1_700_009_999}
        start = self.match.rounds[0].start if self.match.rounds else None
        points = (start.scores or (25000,))[0] if start else 25000
        data = {**head, "initPoints": points, "round": 2, "isKaiLiZhi": False, "handRecord": rounds}
        return {"code": 0, "message": "ok", "data": data}

    def add(self, kind: int, seat: int | None, data: Value, after: int = 700) -> None:
        self.moment += after
        user = 0 if seat is None else self.user(seat)
        text = json.dumps(data, separators=(",", ":"))
        record = {"data": text, "eventPos": self.position, "eventType": kind, "handId": ""}
        self.records.append({**record, "startTime": self.moment, "userId": user})
        self.position += 1

    def round(self, one: Round) -> Value:
        self.records = []
        start = one.start
        assert start is not None
        oya, scores = int(start.oya or 0), list(start.scores or ())
        hands = [list(hand) for hand in start.tehais or ()]
        wall = list(one.wall or ())
        if wall:
            for turn, hand in enumerate(deal(wall, self.seats)):
                hands[(oya + turn) % self.seats] = list(hand)
        play = one.events[1:]
        first = play[0]
        if isinstance(first, ev.Draw):
            hands[oya].append(first.pai)
            del play[0]
        for user, seat in sorted((self.user(seat), seat) for seat in range(self.seats)):
            cards = [NUMBER[tile] for tile in hands[seat]]
            data = {"hand_cards": cards, "dealer_pos": (oya + self.first) % self.seats}
            data |= {"dices": list(one.dice or (1, 1)), "bao_pai_card": NUMBER[start.dora_marker or "E"]}
            data |= {"quan_feng": NUMBER[start.bakaze or "E"], "chang_ci": start.kyoku}
            infos = [{"user_id": who, "hand_points": score} for who, score in self.by_position(scores)]
            data |= {"ben_chang_num": start.honba, "li_zhi_bang_num": start.kyotaku, "user_info_list": infos}
            self.add(1, seat, data, 0)
            assert user == self.user(seat)
        self.add(2, oya, {"in_card": 0, "is_gang_incard": False, "oper_fixed_time": 5})
        self.play(play, hands, scores, one.blocked)
        names = [player.name.shown if player.name else "" for player in self.match.players or ()] or [*"ABCD"]
        placed = zip(self.by_position(names[: self.seats]), self.by_position(start.scores or ()), strict=True)
        players = [
            {"nickname": name, "userId": user, "points": score, "position": at}
            for at, ((user, name), (_, score)) in enumerate(placed)
        ]
        head = {"quanFeng": NUMBER[start.bakaze or "E"], "changCi": start.kyoku, "benChangNum": start.honba}
        text = spelled(wall)
        stored = {"handCardEncode": text, "handCardsSHA256": sha256(text.encode()).hexdigest()} if wall else {}
        rest = {"paiShan": [NUMBER[tile] for tile in wall[HAND * self.seats + 1 :]]} if wall else {}
        return {**head, **stored, **rest, "players": players, "handEventRecord": self.records}

    def play(
        self, events: Sequence[ev.Event], hands: list[list[str]], scores: list[int], blocked: Sequence[int]
    ) -> None:
        turned: list[int] = []
        riichi = kan = False
        wins: list[ev.Win] = []
        for event in events:
            match event:
                case ev.Draw(actor=seat, pai=tile):
                    hands[seat].append(tile)
                    self.add(2, seat, {"in_card": NUMBER[tile], "is_gang_incard": kan, "oper_fixed_time": 5})
                    kan = False
                case ev.Riichi():
                    riichi = True
                case ev.RiichiAccepted(actor=seat):
                    scores[seat] -= 1000
                    self.add(8, seat, {"user_id": self.user(seat), "is_auto_gang": True}, 1)
                case ev.Discard(actor=seat, pai=tile):
                    place = len(hands[seat]) if event.tsumogiri else 1
                    data = {"action": 11, "card": NUMBER[tile], "move_cards_pos": [place, 3], "is_li_zhi": riichi}
                    self.act(seat, {**data, "li_zhi_type": int(riichi)})
                    hands[seat].remove(tile)
                    riichi = False
                case ev.Chi() | ev.Pon() | ev.Daiminkan():
                    self.call(event, hands)
                    kan = isinstance(event, ev.Daiminkan)
                case ev.Ankan(actor=seat, consumed=four):
                    first, *others = [NUMBER[tile] for tile in four]
                    self.act(seat, {"action": 8, "card": first, "group_cards": others})
                    for tile in four:
                        hands[seat].remove(tile)
                    kan = True
                case ev.Kakan(actor=seat, pai=tile):
                    self.act(seat, {"action": 9, "card": NUMBER[tile]})
                    hands[seat].remove(tile)
                    kan = True
                case ev.Nukidora(actor=seat):
                    self.act(seat, {"action": 13, "card": 97})
                    hands[seat].remove("N")
                    kan = True
                case ev.Dora(dora_marker=tile):
                    turned.append(NUMBER[tile])
                    self.add(7, None, {"cards": list(turned)}, 1)
                case ev.Win():
                    self.act(
                        event.actor,
                        {"action": 10 if event.actor == event.target else 7, "card": NUMBER[str(event.pai)]},
                    )
                    wins.append(event)
                case ev.Ryukyoku():
                    for seat in blocked:
                        self.act(seat, {"action": 7, "card": 0})
                    self.drawn_game(event, hands, scores)
                case ev.EndRound():
                    pass
        if wins:
            self.won(wins, hands, scores)

    def act(self, seat: int, data: Value) -> None:
        nothing = {"move_cards_pos": None, "hand_cards": None, "group_cards": None, "is_li_zhi": False}
        self.add(4, seat, {**nothing, "user_id": self.user(seat), **data}, 1300)

    def call(self, event: ev.Chi | ev.Pon | ev.Daiminkan, hands: list[list[str]]) -> None:
        action = 5 if isinstance(event, ev.Pon) else 6
        if isinstance(event, ev.Chi):
            ranks = sorted(int(tile[0]) for tile in (*event.consumed, event.pai))
            action = 2 + ranks.index(int(event.pai[0]))
        seat = event.actor
        self.add(3, seat, {"out_card": NUMBER[event.pai], "action_list": [action], "oper_fixed_time": 5}, 1)
        group = [NUMBER[tile] for tile in event.consumed]
        self.act(seat, {"action": action, "card": NUMBER[event.pai], "group_cards": group})
        for tile in event.consumed:
            hands[seat].remove(tile)
        if not isinstance(event, ev.Daiminkan):
            self.add(2, seat, {"in_card": 0, "is_gang_incard": False, "oper_fixed_time": 5}, 1)

    def profits(self, gained: Sequence[int], scores: Sequence[int], liable: Sequence[int] = ()) -> list[Value]:
        after = self.by_position([(seat, scores[seat] + gained[seat]) for seat in range(self.seats)])
        return [
            {"user_id": user, "point_profit": gained[seat], "is_bao_pai": seat in liable, "user_point": points}
            for user, (seat, points) in after
        ]

    def won(self, wins: Sequence[ev.Win], hands: list[list[str]], scores: list[int]) -> None:
        infos = []
        for win in wins:
            hand = [NUMBER[tile] for tile in hands[win.actor]]
            yaku = [(YAKU[name], han) for name, han in win.yakus or ()]
            fans = [{"fang_type": at, "fang_num": han // 13 if at in YAKUMAN else han} for at, han in yaku]
            total = sum(fan["fang_num"] for fan in fans)
            ura = [NUMBER[tile] for tile in win.ura_markers or ()]
            info = {"fang_info": fans, "all_fang_num": total, "all_fu": win.fu, "all_point": win.hora_points}
            infos.append({**info, "user_cards": hand, "li_bao_card": ura, "user_id": self.user(win.actor)})
        gained = [sum(column) for column in zip(*[win.deltas or () for win in wins], strict=True)]
        liable = [win.liable for win in wins if isinstance(win.liable, int)]
        end = 1 if wins[0].actor == wins[0].target else 0
        profits = self.profits(gained, scores, liable)
        self.add(5, None, {"end_type": end, "win_info": infos, "user_profit": profits})

    def drawn_game(self, draw: ev.Ryukyoku, hands: list[list[str]], scores: list[int]) -> None:
        infos: list[dict[str, Any]] = [
            {"user_id": self.user(seat), "user_cards": [NUMBER[tile] for tile in hands[seat]], "fang_info": None}
            for seat, ready in enumerate(draw.tenpais or ())
            if ready and ENDS[draw.reason or ""] == 7
        ]
        gained = draw.deltas or (0,) * self.seats
        if draw.reason == "nagashimangan":
            winner = max(range(self.seats), key=lambda seat: gained[seat])
            infos.append({"user_id": self.user(winner), "fang_info": [{"fang_type": 30, "fang_num": 5}]})
        if draw.reason == "kyushu_kyuhai":
            self.act(int(draw.actor or 0), {"action": 12, "card": 0})
        end = ENDS[draw.reason or ""]
        self.add(5, None, {"end_type": end, "win_info": infos, "user_profit": self.profits(gained, scores)})
