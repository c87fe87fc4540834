"""States in the shape of mjx, made of games that the hub holds, with whole walls."""

from collections.abc import Sequence
from typing import Any

from mjconv.converters.shared.meldcode import NumberedCall, encode
from mjconv.converters.shared.tile_numbers import COPIES
from mjconv.converters.shared.walls import deal
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round

Value = dict[str, Any]
CALLS = {ev.Chi: ("CHI", "chi"), ev.Pon: ("PON", "pon"), ev.Daiminkan: ("OPEN_KAN", "daiminkan")}
REASONS = {
    "kyushu_kyuhai": "ABORTIVE_DRAW_NINE_TERMINALS",
    "suucha_riichi": "ABORTIVE_DRAW_FOUR_RIICHIS",
    "sanchaho": "ABORTIVE_DRAW_THREE_RONS",
    "suukansansen": "ABORTIVE_DRAW_FOUR_KANS",
    "sufuurenta": "ABORTIVE_DRAW_FOUR_WINDS",
    "exhaustive_draw": "EXHAUSTIVE_DRAW_NORMAL",
    "nagashimangan": "EXHAUSTIVE_DRAW_NAGASHI_MANGAN",
}
YAKU = {
    "menzenchin_tsumoho": 0, "reach": 1, "ippatsu": 2, "chankan": 3, "rinshankaiho": 4, "haiteiraoyue": 5,
    "hoteiraoyui": 6, "pinfu": 7, "tanyaochu": 8, "ipeko": 9, "jikaze": 10, "bakaze": 14, "sangenpai": 18,
    "double_reach": 21, "chitoitsu": 22, "honchantaiyao": 23, "ikkitsukan": 24, "sanshokudojun": 25,
    "sanshokudoko": 26, "sankantsu": 27, "toitoiho": 28, "sananko": 29, "shosangen": 30, "honroto": 31,
    "ryanpeko": 32, "junchantaiyao": 33, "honiso": 34, "chiniso": 35, "renho": 36, "tenho": 37, "chiho": 38,
    "daisangen": 39, "suanko": 40, "tsuiso": 42, "ryuiso": 43, "chinroto": 44, "churenpoton": 45,
    "kokushimuso": 47, "daisushi": 49, "shosushi": 50, "sukantsu": 51, "dora": 52, "uradora": 53, "akadora": 54,
}  # fmt: skip


def trimmed(value: Any) -> Any:
    """Return a value without the fields that are zero, false or empty."""
    if isinstance(value, dict):
        found = {key: trimmed(part) for key, part in value.items()}
        return {
            key: part for key, part in found.items() if part or (part == {} and key in ("initHand", "currHand"))
        }
    return [trimmed(part) for part in value] if isinstance(value, list) else value


def tenhou_order(wall: Sequence[int], replaced: int) -> list[int]:
    """Return a wall with the stacks of its dead wall as Tenhou has them."""
    found = list(wall)
    for place in range(135, 122 - replaced, -2):
        found[place - 1 : place + 1] = found[place - 1 : place + 1][::-1]
    return found


class Encoder:
    def __init__(self, one: Round, match: Match, *, last: bool) -> None:
        self.round = one
        self.match = match
        self.last = last
        copies = {tile: list(numbers) for tile, numbers in COPIES[True].items()}
        self.wall = [copies[tile].pop() for tile in one.wall or ()]
        start = one.start
        assert start is not None
        self.start = start
        self.oya = int(start.oya or 0)
        dealt = deal(self.wall, 4)
        self.hands = [list(dealt[(seat - self.oya) % 4]) for seat in range(4)]
        self.init = [list(hand) for hand in self.hands]
        self.draws: list[list[int]] = [[] for _ in range(4)]
        self.opens: list[list[int]] = [[] for _ in range(4)]
        self.pons: dict[str, NumberedCall] = {}
        self.listed: list[Value] = []
        self.spelled = {number: tile for tile, numbers in COPIES[True].items() for number in numbers}

    def take(self, seat: int, tile: str) -> int:
        """Take a tile out of a hand, the first of several."""
        number = next(each for each in self.hands[seat] if self.spelled[each] == tile)
        self.hands[seat].remove(number)
        return number

    def add(self, kind: str, seat: int = 0, **others: int) -> None:
        self.listed.append({"type": f"EVENT_TYPE_{kind}", "who": seat, **others})

    def state(self) -> Value:
        front, back = iter(self.wall[52:]), iter(reversed(self.wall))
        indicators = [131 - 2 * number for number in range(5)]
        turned, last, drawn, replaced = 1, -1, -1, 0
        kan = False
        wins: list[Value] = []
        score: Value = {
            "tens": list(self.start.scores or ()),
            "honba": self.start.honba,
            "riichi": self.start.kyotaku,
        }
        score["round"] = "ESWN".index(self.start.bakaze or "E") * 4 + int(self.start.kyoku or 1) - 1
        final: Value = {**score, "tens": list(score["tens"])}
        ended: Value | None = None
        for event in self.round.events[1:]:
            match event:
                case ev.Draw(actor=seat):
                    drawn = next(back if kan else front)
                    kan = False
                    self.hands[seat].append(drawn)
                    self.draws[seat].append(drawn)
                    self.add("DRAW", seat)
                case ev.Discard(actor=seat, pai=tile):
                    last = drawn if event.tsumogiri else self.take(seat, tile)
                    if event.tsumogiri:
                        self.hands[seat].remove(drawn)
                    self.add("TSUMOGIRI" if last == drawn else "DISCARD", seat, tile=last)
                    if last != drawn:
                        del self.listed[-1]["type"]
                    drawn = -1
                case ev.Riichi(actor=seat):
                    self.add("RIICHI", seat)
                case ev.RiichiAccepted(actor=seat):
                    final["tens"][seat] -= 1000
                    final["riichi"] = int(final["riichi"] or 0) + 1
                    self.add("RIICHI_SCORE_CHANGE", seat)
                case ev.Dora():
                    self.add("NEW_DORA", tile=self.wall[indicators[turned]])
                    turned += 1
                case ev.Chi() | ev.Pon() | ev.Daiminkan():
                    seat, (kind, name) = event.actor, CALLS[type(event)]
                    own = tuple(sorted(self.take(seat, tile) for tile in event.consumed))
                    call = NumberedCall(name, own, last, (event.target - seat) % 4)  # type: ignore[arg-type]
                    self.pons[event.pai[:2]] = call
                    self.called(seat, kind, encode(call))
                    kan = name == "daiminkan"
                    replaced += kan
                    drawn = -1
                case ev.Kakan(actor=seat, pai=tile):
                    pon, last = self.pons[tile[:2]], self.take(seat, tile)
                    self.called(
                        seat, "ADDED_KAN", encode(NumberedCall("kakan", (pon.tile, *pon.own), last, pon.giver))
                    )
                    kan, replaced = True, replaced + 1
                case ev.Ankan(actor=seat, consumed=four):
                    own = tuple(sorted(self.take(seat, tile) for tile in four))
                    self.called(seat, "CLOSED_KAN", encode(NumberedCall("ankan", own, own[0], 0)))
                    kan, replaced = True, replaced + 1
                case ev.Win(actor=seat):
                    won = drawn if event.target == seat else last
                    self.hands[seat] += [] if event.target == seat else [won]
                    self.add("TSUMO" if event.target == seat else "RON", seat, tile=won)
                    wins.append(self.win(event, won, indicators[:turned]))
                    final["tens"] = [a + b for a, b in zip(final["tens"], event.deltas or (), strict=True)]
                    final["riichi"] = 0
                case ev.Ryukyoku():
                    self.add(REASONS[event.reason or ""])
                    ready = [seat for seat, tenpai in enumerate(event.tenpais or ()) if tenpai]
                    hands = [{"who": seat, "hand": self.hand(seat)} for seat in ready or self.round.blocked]
                    moved = list(event.deltas or (0,) * 4)
                    ended = {"tenpais": hands, "tenChanges": moved}
                    final["tens"] = [a + b for a, b in zip(final["tens"], moved, strict=True)]
        terminal = {"finalScore": final, "wins": wins, "noWinner": ended, "isGameOver": self.last}
        names = [player.name.shown if player.name else "" for player in self.match.players or ()] or list("ABCD")
        public = {"playerIds": names, "initScore": score, "events": self.listed}
        markers = [self.wall[place] for place in indicators[:turned]]
        private = [
            {
                "who": seat,
                "initHand": {"closedTiles": self.init[seat]},
                "drawHistory": self.draws[seat],
                "currHand": self.hand(seat),
            }
            for seat in range(4)
        ]
        ura = [self.wall[place - 1] for place in indicators[:turned]]
        hidden = {"wall": tenhou_order(self.wall, replaced), "uraDoraIndicators": ura}
        state: Value = trimmed(
            {
                "hiddenState": hidden,
                "publicObservation": {**public, "doraIndicators": markers},
                "privateObservations": private,
                "roundTerminal": terminal,
            }
        )
        # A field of points is a list, whose zeros stay.
        if ended is not None:
            state["roundTerminal"]["noWinner"]["tenChanges"] = ended["tenChanges"]
        return state

    def called(self, seat: int, kind: str, code: int) -> None:
        """Add a call. A kan takes the place of its pon."""
        pons = [place for place, one in enumerate(self.opens[seat]) if one & 8 and one >> 9 == code >> 9]
        if kind == "ADDED_KAN":
            self.opens[seat][pons[0]] = code
        else:
            self.opens[seat].append(code)
        self.add(kind, seat, open=code)

    def hand(self, seat: int) -> Value:
        return {"closedTiles": sorted(self.hands[seat]), "opens": list(self.opens[seat])}

    def win(self, win: ev.Win, tile: int, indicators: Sequence[int]) -> Value:
        found: Value = {"who": win.actor, "fromWho": win.target, "hand": self.hand(win.actor), "winTile": tile}
        winds = {"jikaze": (win.actor - self.oya) % 4, "bakaze": "ESWN".index(self.start.bakaze or "E")}
        pairs = [(YAKU[name] + winds.get(name, 0), han) for name, han in win.yakus or ()]
        if any(han >= 13 for _, han in pairs):
            found["yakumans"] = [number for number, _ in pairs]
        else:
            found |= {"fu": win.fu, "yakus": [number for number, _ in pairs], "fans": [han for _, han in pairs]}
        if win.ura_markers:
            found["uraDoraIndicators"] = [self.wall[place - 1] for place in indicators]
        return {**found, "ten": win.hora_points, "tenChanges": list(win.deltas or ())}


def states(match: Match) -> list[Value]:
    """Return the states of a game: a round without a whole wall or without a result is left out."""
    rounds = [one for one in match.rounds if one.wall and type(one.events[-2]) in ev.RESULTS]
    return [Encoder(one, match, last=one is rounds[-1]).state() for one in rounds]
