"""Games in the shape of M-League, made of games that the hub holds: an encoder apart from the reader."""

import json
from collections.abc import Sequence
from typing import Any

from msgspec import structs

import mjconv
from engine import play
from mjconv.converters.shared.winning_hands import hub_yaku, winning_hand
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.ir.table import Table
from mjconv.ir.vocabulary import YAKU as VOCABULARY
from mjconv.rules.riichi_values import payment

Command = dict[str, Any]

HONOURS = dict(zip("ESWNPFC", range(1, 8), strict=True))
#: The spellings of yaku that are not their Japanese names.
YAKU = {
    "riichi": "リーチ",
    "double_riichi": "ダブルリーチ",
    "menzen_tsumo": "門前自摸",
    "tanyao": "タンヤオ",
    "haku": "白",
    "hatsu": "発",
    "chun": "中",
    "red_dora": "赤",
    "chanta": "チャンタ",
    "junchan": "純チャン",
}
WINDS = dict(zip(("east", "south", "west", "north"), "東南西北", strict=True))
LIMITS = {2000: "満貫", 3000: "跳満", 4000: "倍満", 6000: "三倍満", 8000: "役満"}
TEAMS = ("青葉クラブ", "港サンライズ", "朱雀", "白波")


def spelled(tile: str) -> str:
    """Return a tile as a record spells it."""
    if tile in HONOURS:
        return f"{HONOURS[tile]}z"
    return f"5{tile[1].upper()}" if tile.endswith("r") else tile


def tiles(hand: Sequence[str]) -> str:
    return "".join(map(spelled, hand))


def dora(indicator: str) -> str:
    """Return the dora of an indicator."""
    if indicator in HONOURS:
        group = "ESWN" if indicator in "ESWN" else "PFC"
        return group[(group.index(indicator) + 1) % len(group)]
    return f"{int(indicator[0]) % 9 + 1}{indicator[1]}"


class Encoder:
    """Makes the commands of a game. Points are those of the rounds; the final points have uma and oka."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.commands: list[Command] = []
        self.number = 0
        self.table = Table([[]] * 4)
        self.wind = "E"
        self.points: list[int] = []

    def add(self, cmd: str, *args: str, same: bool = False) -> None:
        """Add a command. `same` keeps the id of the command before."""
        moment = f"2031-04-01 19:{len(self.commands) // 60 % 60:02}:{len(self.commands) % 60:02}"
        self.number -= same
        self.commands.append({"time": moment, "id": str(self.number), "cmd": cmd, "args": list(args)})
        self.number += 1

    def record(self) -> list[Command]:
        """Return all commands."""
        self.add("area", "-")
        for seat, player in enumerate(self.match.players):
            self.add(
                "player", f"{'ABCD'[seat]}0", player.name.shown if player.name else "", "user", f"T00{seat + 1}"
            )
        self.add("gamestart", "id=L001_S099_0003_02A")
        for one in self.match.rounds:
            self.round(one)
        self.end()
        return self.commands

    def round(self, one: Round) -> None:
        start = one.start
        assert start is not None
        assert start.scores
        oya, scores = int(start.oya or 0), start.scores
        wind = "ESWN".index(start.bakaze or "E")
        self.number = (wind * 10 + oya) * 100_000 + (start.honba or 0) * 1000
        winds = [f"{(seat - oya) % 4 + 1}z" for seat in range(4)]
        self.add(
            "kyokustart",
            "0",
            self.player(oya),
            str(start.honba),
            str(1000 * (start.kyotaku or 0)),
            f"{wind + 1}z",
            *winds,
        )
        for seat in range(4):
            self.add("point", self.player(seat), f"={scores[seat]}")
        self.add("dice", "1", "1")
        self.turn("dora", start.dora_marker or "E")
        hands = [list(hand) for hand in start.tehais or ()]
        for begin, end in ((0, 4), (4, 8), (8, 12), (12, 13)):
            for turn in range(4):
                seat = (oya + turn) % 4
                self.add("haipai", self.player(seat), tiles(hands[seat][begin:end]))
        self.points = list(scores)
        self.table, self.wind = Table.dealt(start), start.bakaze or "E"
        self.play(one.events[1:], hands, 70)

    def player(self, seat: int) -> str:
        return f"{'ABCD'[seat]}0"

    def turn(self, cmd: str, indicator: str) -> None:
        self.add(cmd, spelled(dora(indicator.removesuffix("r"))), spelled(indicator))

    def play(self, events: Sequence[ev.Event], hands: list[list[str]], left: int) -> None:
        """Add the commands of the play and of the result."""
        paid = [0] * 4
        riichi: int | None = None
        for event in events:
            match event:
                case ev.Draw(actor=seat, pai=tile):
                    left -= 1
                    hands[seat].append(tile)
                    self.add("tsumo", self.player(seat), str(left), spelled(tile))
                case ev.Riichi(actor=seat):
                    riichi = seat
                    self.add("say", self.player(seat), "richi")
                case ev.Discard(actor=seat, pai=tile):
                    hands[seat].remove(tile)
                    marks = (["tsumogiri"] if event.tsumogiri else []) + (["richi"] if riichi == seat else [])
                    called = self.commands[-1]["cmd"] == "open"
                    self.add("sutehai", self.player(seat), spelled(tile), *marks, same=called)
                    riichi = None
                case ev.RiichiAccepted(actor=seat):
                    paid[seat] = 1000
                    self.add("richi", self.player(seat), "-1000")
                case ev.Chi(actor=seat) | ev.Pon(actor=seat) | ev.Daiminkan(actor=seat):
                    word = {"chi": "chi", "pon": "pon", "daiminkan": "kan"}[ev.name_of(event)]
                    self.call(seat, word, event.consumed, hands, event.pai)
                case ev.Ankan(actor=seat):
                    self.call(seat, "kan", event.consumed, hands)
                case ev.Kakan(actor=seat, pai=tile):
                    self.call(seat, "kan", (), hands, tile, event.consumed)
                    hands[seat].remove(tile)
                case ev.Dora(dora_marker=tile):
                    self.turn("dora", tile)
                case ev.Win():
                    self.win(event, hands[event.actor])
                    break
                case ev.Ryukyoku():
                    self.draw(event, hands)
                    break
            self.table.apply(event)
        result: Any = events[-2]
        for seat, gained in enumerate(result.deltas or ()):
            self.points[seat] += gained - paid[seat]
            if gained - paid[seat]:
                self.add("point", self.player(seat), f"{gained - paid[seat]:+}")
        self.add("kyokuend")

    def call(
        self,
        seat: int,
        word: str,
        own: Sequence[str],
        hands: list[list[str]],
        tile: str | None = None,
        pon: Sequence[str] = (),
    ) -> None:
        for each in own:
            hands[seat].remove(each)
        self.add("say", self.player(seat), word)
        self.add("open", self.player(seat), f"<{tiles(pon or own)}>", *([] if tile is None else [spelled(tile)]))

    def win(self, win: ev.Win, hand: list[str]) -> None:
        drawn = win.actor == win.target
        self.add("say", self.player(win.actor), "tsumo" if drawn else "ron")
        self.add("open", self.player(win.actor), tiles(hand))
        for marker in win.ura_markers or ():
            self.turn("uradora", marker)
        if not win.ura_markers:
            self.add("uradora", "", "")
        named = hub_yaku(win.yakus or (), winning_hand(self.table, win, self.wind)) or []
        winds = [name.rpartition("_")[2] for name, _ in named if "_wind_" in name]
        pairs: list[str] = []
        for name, han in named:
            wind = name.rpartition("_")[2]
            double = "_wind_" in name and winds.count(wind) == 2
            if double and name.startswith("seat"):
                continue
            spelling = WINDS[wind] if "_wind_" in name else YAKU.get(name, VOCABULARY[name].japanese)
            number = han // 13 if VOCABULARY[name].yakuman else han
            pairs += [f"ダブ{spelling}", "2"] if double else [spelling, str(number)]
        yakuman = [name for name, _ in named if VOCABULARY[name].yakuman]
        values = (0, 0, len(yakuman)) if yakuman else (int(win.fan or 0), int(win.fu or 0), 0)
        dealer = win.actor == self.table.oya
        value = payment(*values, dealer, False, True).discarder
        points = LIMITS.get(value // (6 if dealer else 4), str(value))
        first = [] if drawn else [f"ron={spelled(win.pai or '')}"]
        self.add("agari", *first, self.player(win.actor), points, "0" if yakuman else str(win.fu), *pairs)

    def draw(self, draw: ev.Ryukyoku, hands: list[list[str]]) -> None:
        for seat, ready in enumerate(draw.tenpais or ()):
            if ready:
                self.add("open", self.player(seat), tiles(hands[seat]))
            self.add("say", self.player(seat), "tenpai" if ready else "noten")
        self.add("ryukyoku")

    def end(self) -> None:
        scores = self.points
        order = sorted(range(4), key=lambda seat: -scores[seat])
        uma = dict(zip(order, (50, 10, -10, -30), strict=True))
        pairs = [(self.player(seat), f"{(scores[seat] - 30_000) / 1000 + uma[seat]:.1f}") for seat in order]
        ranks = [f"{self.player(seat)}_rank={rank}" for rank, seat in enumerate(order)]
        self.add("gameend", *[text for pair in pairs for text in pair], *ranks)


def page(
    commands: Sequence[Command], date: str = "2031/04/01 (火) 19:00 〜 20:30", escaped: bool = False
) -> bytes:
    """Return the page of a viewer around a record. `escaped`: its text has escapes of JavaScript."""
    record = json.dumps(commands, ensure_ascii=False, separators=(",", ":"))
    if escaped:
        record = json.dumps(commands).replace("\\", "\\\\").replace("'", "\\'").replace("/", "\\/")
    shown = {"seasonName": "2030セミファイナルシリーズ", "round": "ラウンド 7", "dateTime": date}
    infos = "".join(f'  <div class="gameInfo" id="{name}">{text}</div>\n' for name, text in shown.items())
    teams = "".join(
        f'  <div class="playerInfo text-left" id="teamName{seat}"> {team}</div>\n'
        for seat, team in enumerate(TEAMS, 1)
    )
    text = (
        f'<!DOCTYPE html>\n<html lang="ja">\n<body>\n{infos}<script>\n'
        f"UMP_PLAYER.init(true, true, '{record}', autoplay);\n</script>\n{teams}</body>\n</html>\n"
    )
    return text.encode()


def game() -> Match:
    """Return the game of the corpus: seven rounds of players who like kans, with all values of the wins."""
    log = play(13, rules="mjsoul", length="half", chooser="kans")
    match = mjconv.read(mjconv.convert(log, source="mjai", target="tenhou", plain=True).data, format="tenhou")
    names = ("朝倉 春", "別府 夏子", "千早 秋", "堂本 冬美")
    return structs.replace(match, players=[Player(Name(Text(name))) for name in names])
