"""The words of the viewer in English, Japanese and Chinese: sentences, tiles, winds, and terms of results.

A sentence has gaps. The letter of a gap is the kind of its value, the digit the number of its value:

| gap | value |
| --- | --- |
| ``{s0}``, ``{S0}`` | a seat, several seats |
| ``{t0}``, ``{T0}`` | a tile, several tiles |
| ``{n0}``, ``{g0}`` | a number, a number with its sign |
| ``{w0}``, ``{W0}`` | the key of a word, several keys |
| ``{x0}`` | a text |
| ``{c0}`` | a sentence |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias, get_args

from mjconv.ir.errors import UsageError
from mjconv.ir.tiles import RED_FIVES, SUITS
from mjconv.ir.vocabulary import REASONS
from mjconv.rules.rulesets import UNKNOWN, RuleSet, Term, all_rulesets

Language: TypeAlias = Literal["en", "ja", "zh", "zh-Hans"]
#: The languages of the texts in the tables, in their order. ``zh-Hans`` has the texts of ``zh``, in other signs.
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ja", "zh")
#: The tags of Chinese in simplified script: by script, or by country.
_SIMPLIFIED_TAG: Final = re.compile("zh-(hans|cn|sg)\\b")
#: Languages that are meant by codes of countries.
_COUNTRIES: Final = {"jp": "ja", "cn": "zh-CN", "tw": "zh-TW"}
_CHINESE_NUMBERS: Final = "零一二三四五六七八九十"
#: The most rounds of a wind, by which rounds are named: one for each player.
MOST_KYOKU: Final = 6
#: A text in each language.
Texts: TypeAlias = tuple[str, str, str]

WORDS: Final[dict[str, Texts]] = {
    # Play.
    "deal": ("The hands are dealt. {s0} is the dealer.", "配牌。親は{s0}", "配牌，{s0}為莊家"),
    "draw": ("{s0} draws {t1}.", "{s0} {t1}ツモ", "{s0}摸{t1}"),
    "draw.hidden": ("{s0} draws a tile.", "{s0} ツモ", "{s0}摸牌"),
    "draw.replacement": ("{s0} draws {t1} as replacement.", "{s0} 嶺上{t1}ツモ", "{s0}嶺上摸{t1}"),
    "draw.replacement_hidden": ("{s0} draws a replacement.", "{s0} 嶺上ツモ", "{s0}嶺上摸牌"),
    "discard": ("{s0} discards {t1}.", "{s0} {t1}切り", "{s0}切{t1}"),
    "discard.hand": ("{s0} discards {t1} from the hand.", "{s0} {t1}手出し", "{s0}手切{t1}"),
    "discard.drawn": ("{s0} draws and discards {t1}.", "{s0} {t1}ツモ切り", "{s0}摸切{t1}"),
    "discard.drawn_hand": (
        "{s0} draws {t1} and discards {t2} from the hand.",
        "{s0} {t1}ツモ、{t2}手出し",
        "{s0}摸{t1}，手切{t2}",
    ),
    "discard.drawn_any": ("{s0} draws {t1} and discards {t2}.", "{s0} {t1}ツモ、{t2}切り", "{s0}摸{t1}，切{t2}"),
    "chi": ("{s0} calls chi of {t1} with {T2}.", "{s0} {t1}を{T2}でチー", "{s0}以{T2}吃{t1}"),
    "pon": ("{s0} calls pon of {t1} from {s2}.", "{s0} {s2}の{t1}をポン", "{s0}碰{s2}的{t1}"),
    "kan": ("{s0} calls kan of {t1} from {s2}.", "{s0} {s2}の{t1}をカン", "{s0}明槓{s2}的{t1}"),
    "kakan": ("{s0} adds {t1} to a pon: kan.", "{s0} {t1}を加槓", "{s0}加槓{t1}"),
    "ankan": ("{s0} makes a concealed kan of {t1}.", "{s0} {t1}を暗槓", "{s0}暗槓{t1}"),
    "aside": ("{s0} sets {t1} aside.", "{s0} {t1}を抜く", "{s0}拔{t1}"),
    "dora": ("A dora indicator is turned: {t0}.", "新ドラ表示牌 {t0}", "翻開寶牌指示牌{t0}"),
    "dora.dealt": ("The dora indicator is {t0}.", "ドラ表示牌 {t0}", "寶牌指示牌{t0}"),
    "riichi": ("{s0} declares riichi.", "{s0} リーチ", "{s0}立直"),
    "stick": ("{s0} pays a riichi stick of {n1}.", "{s0} 供託{n1}点", "{s0}付立直棒{n1}點"),
    "stopped": ("The record cannot be played on: {x0}", "これ以上再生できません：{x0}", "無法繼續播放：{x0}"),
    # Answers of programs.
    "answer.unnamed": ("Answer", "応答", "應答"),
    "answer.same": (
        "{c0} for {s1}: {c2}, as played",
        "{c0}（{s1}）：{c2}、実戦と同じ",
        "{c0}（{s1}）：{c2}，與實戰相同",
    ),
    "answer.other": (
        "{c0} for {s1}: {c2}; played {c3}",
        "{c0}（{s1}）：{c2}、実戦は{c3}",
        "{c0}（{s1}）：{c2}，實戰為{c3}",
    ),
    "answer.illegal": (
        "{c0} for {s1}: {c2}, against the rules",
        "{c0}（{s1}）：{c2}、ルール違反",
        "{c0}（{s1}）：{c2}，違反規則",
    ),
    "answer.only": ("{c0} for {s1}: {c2}", "{c0}（{s1}）：{c2}", "{c0}（{s1}）：{c2}"),
    "choice": ("{w0} {T1}", "{w0} {T1}", "{w0} {T1}"),
    "choice.tiles": ("{T0}", "{T0}", "{T0}"),
    # Results.
    "win": ("{c0}.", "{c0}", "{c0}"),
    "win.value": ("{c0}: {c1}.", "{c0}　{c1}", "{c0}，{c1}"),
    "won.ron": ("{s0} wins by ron on {t2} from {s1}", "{s0} {s1}の{t2}でロン", "{s0}榮和{s1}的{t2}"),
    "won.tsumo": ("{s0} wins by tsumo on {t1}", "{s0} {t1}でツモ和了", "{s0}自摸{t1}和牌"),
    "won.any": ("{s0} wins", "{s0} 和了", "{s0}和牌"),
    "liable": ("{s0} is liable.", "{s0} 責任払い", "{s0}包牌"),
    "drawn": ("The round is drawn: {w0}.", "{w0}", "{w0}"),
    "drawn.only": ("The round is drawn.", "流局", "流局"),
    "drawn.tenpai": ("The round is drawn: {w0}. Tenpai: {S1}.", "{w0}　聴牌：{S1}", "{w0}。聽牌：{S1}"),
    "drawn.nagashi": ("The round is drawn: {w0} of {S1}.", "{S1}の{w0}", "{S1}{w0}"),
    "drawn.chombo": ("{s0} makes a false win.", "{s0} チョンボ", "{s0}錯和"),
    "value.han_fu": ("{n0} han {n1} fu, {n2} points", "{n1}符{n0}飜 {n2}点", "{n1}符{n0}番 {n2}點"),
    "value.limit": ("{w0}, {n1} points", "{w0} {n1}点", "{w0} {n1}點"),
    "value.limit_han": ("{w0} ({n1} han), {n2} points", "{w0}（{n1}飜） {n2}点", "{w0}（{n1}番） {n2}點"),
    "value.limit_han_fu": (
        "{w0} ({n1} han, {n2} fu), {n3} points",
        "{w0}（{n2}符{n1}飜） {n3}点",
        "{w0}（{n2}符{n1}番） {n3}點",
    ),
    "value.yakuman": ("{n0} yakuman, {n1} points", "{n0}倍役満 {n1}点", "{n0}倍役滿 {n1}點"),
    "value.han": ("{n0} han, {n1} points", "{n0}飜 {n1}点", "{n0}番 {n1}點"),
    "value.points": ("{n0} points", "{n0}点", "{n0}點"),
    "value.count": ("{n0} {w1}", "{n0}{w1}", "{n0}{w1}"),
    # The list of rounds.
    "round": ("{w0} {w1}, honba {n2}", "{w0}{w1}局{n2}本場", "{w0}{w1}局{n2}本場"),
    "brief.ron": ("{s0} ron", "{s0} ロン", "{s0} 榮和"),
    "brief.tsumo": ("{s0} tsumo", "{s0} ツモ", "{s0} 自摸"),
    "brief.win": ("{s0} win", "{s0} 和了", "{s0} 和牌"),
    "brief.points": ("{c0} {n1}", "{c0} {n1}", "{c0} {n1}"),
    "brief.draw": ("{w0}", "{w0}", "{w0}"),
    "brief.only": ("draw", "流局", "流局"),
    "brief.tenpai": ("{w0}, {n1} tenpai", "{w0} 聴牌{n1}人", "{w0} {n1}家聽牌"),
    "brief.chombo": ("{s0} false win", "{s0} チョンボ", "{s0} 錯和"),
    "brief.none": ("no result", "結果なし", "無結果"),
    # Games known only by their results.
    "game.discard": ("{s0} wins {n2} {w3} from {s1}", "{s0} {s1}から{n2}{w3}", "{s0}食{s1} {n2}{w3}"),
    "game.self": ("{s0} self-drawn, {n1} {w2}", "{s0} 自摸 {n1}{w2}", "{s0}自摸 {n1}{w2}"),
    "game.guaranteed": (
        "{s0} wins {n2} {w3}, guaranteed by {s1}",
        "{s0} {n2}{w3} 責任払い：{s1}",
        "{s0} {n2}{w3}，{s1}包",
    ),
    "game.first": ("1st: {s0}", "1位 {s0}", "第一名 {s0}"),
    # The standings.
    "score.name": ("Player", "名前", "姓名"),
    "score.game_count": ("Games", "試合数", "場數"),
    "score.win_count": ("Wins", "和了", "和牌"),
    "score.win_fraction": ("Win rate", "和了率", "和牌率"),
    "score.first": ("1st", "1位", "一位"),
    "score.second": ("2nd", "2位", "二位"),
    "score.third": ("3rd", "3位", "三位"),
    "score.fourth": ("4th", "4位", "四位"),
    "score.average_place": ("Avg. place", "平均順位", "平均順位"),
    "score.net_score": ("Points", "合計", "總分"),
    "score.net_score_per_game": ("Per game", "平均", "場均"),
    "score.best": ("Best", "最高", "最高"),
    "score.worst": ("Worst", "最低", "最低"),
    "score.chombo": ("Chombo", "チョンボ", "錯和"),
    "score.streak": ("Wins in a row", "連勝", "連勝"),
    "game.draw": ("draw", "流局", "流局"),
    # Between the parts of a list.
    "list": (", ", "、", "、"),
    # Players by their wind, and by place in games without winds.
    "seat.E": ("East", "東家", "東家"),
    "seat.S": ("South", "南家", "南家"),
    "seat.W": ("West", "西家", "西家"),
    "seat.N": ("North", "北家", "北家"),
    "seat.H": ("East-West", "東西家", "東西家"),
    "seat.V": ("North-South", "南北家", "南北家"),
    "seat.5": ("Fifth", "五家", "五家"),
    "wind.E": ("East", "東", "東"),
    "wind.S": ("South", "南", "南"),
    "wind.W": ("West", "西", "西"),
    "wind.N": ("North", "北", "北"),
    **{f"kyoku.{n}": (str(n), str(n), _CHINESE_NUMBERS[n]) for n in range(1, MOST_KYOKU + 1)},
    "call.chi": ("chi", "チー", "吃"),
    "call.pon": ("pon", "ポン", "碰"),
    "call.kan": ("kan", "カン", "明槓"),
    "call.kakan": ("added kan", "加槓", "加槓"),
    "call.ankan": ("concealed kan", "暗槓", "暗槓"),
    "call.aside": ("set aside", "抜き", "拔"),
    "call.riichi": ("riichi", "リーチ", "立直"),
    "call.any": ("call", "鳴き", "副露"),
    "call.win": ("win", "和了", "和牌"),
    "call.pass": ("pass", "見送り", "過"),
    "limit.mangan": ("mangan", "満貫", "滿貫"),
    "limit.haneman": ("haneman", "跳満", "跳滿"),
    "limit.baiman": ("baiman", "倍満", "倍滿"),
    "limit.sanbaiman": ("sanbaiman", "三倍満", "三倍滿"),
    "limit.yakuman": ("yakuman", "役満", "役滿"),
    "head.date": ("Date", "日付", "日期"),
    "head.time": ("Time", "時刻", "時間"),
    "head.room": ("Room", "部屋", "房間"),
    "head.place": ("Place", "場所", "地點"),
    "head.tournament": ("Tournament", "大会", "賽事"),
    "head.start": ("Start", "持ち点", "起始點"),
    "head.length": ("Length", "対局形式", "賽制"),
    "head.reds": ("Red fives", "赤牌", "赤牌"),
    "text": ("{x0}", "{x0}", "{x0}"),
    "reds": ("{n0} x 5m, {n1} x 5p, {n2} x 5s", "五萬{n0}・五筒{n1}・五索{n2}", "五萬{n0}・五筒{n1}・五索{n2}"),
    "room.ippan": ("ippan", "一般", "一般"),
    "room.joukyuu": ("joukyuu", "上級", "上級"),
    "room.tokujou": ("tokujou", "特上", "特上"),
    "room.houou": ("houou", "鳳凰", "鳳凰"),
    "room.bronze": ("bronze", "銅の間", "銅之間"),
    "room.silver": ("silver", "銀の間", "銀之間"),
    "room.gold": ("gold", "金の間", "金之間"),
    "room.jade": ("jade", "玉の間", "玉之間"),
    "room.throne": ("throne", "王座の間", "王座之間"),
    "length.one round": ("one round", "一局戦", "一局"),
    "length.east": ("east rounds", "東風戦", "東風戰"),
    "length.south": ("east and south rounds", "東南戦", "半莊"),
    "length.west": ("east to west rounds", "東場から西場", "東南西場"),
    "head.base": ("Base", "底", "底"),
    "head.max_faan": ("Most faan", "最大番", "封頂番數"),
    # The terminal.
    "screen.left": ("left", "残り", "餘"),
    "screen.dora": ("dora", "ドラ", "寶牌"),
    "screen.ura": ("ura", "裏ドラ", "裏寶牌"),
    "screen.no_wall": ("The wall is not known.", "牌山は不明です。", "牌山未知。"),
    "screen.keys": ("keys", "キー", "按鍵"),
    "screen.help": (
        "right left: step   down up: discard of this seat   PgDn PgUp: round   Home End: ends of the round\n"
        "r riichi   c call   f finding   space play   + - speed   h hands   w wall   s seat   o rounds\n"
        "l language   q quit   dim: discarded as drawn   *: riichi   ( ): called   [<9m: the called tile",
        "→ ←：一手　↓ ↑：この席の打牌　PgDn PgUp：局　Home End：局の始めと終わり\n"
        "r リーチ　c 鳴き　f 指摘　space 再生　+ - 速さ　h 手牌　w 牌山　s 席　o 局　l 言語　q 終了\n"
        "薄い色：ツモ切り　*：リーチ　( )：鳴かれた牌　[<9m：鳴いた牌",
        "→ ←：一步　↓ ↑：本席打牌　PgDn PgUp：局　Home End：局首與局尾\n"
        "r 立直　c 副露　f 指出　space 播放　+ - 速度　h 手牌　w 牌山　s 座位　o 各局　l 語言　q 離開\n"
        "淡色：摸切　*：立直　( )：被副露的牌　[<9m：副露所得的牌",
    ),
    "note.left": ("left the table", "退席", "離席"),
    "note.returned": ("came back", "復帰", "返回"),
    "note.comment": ("comment", "コメント", "評論"),
    "note.mark": ("mark", "印", "標記"),
    "note.claim": ("also claimed", "他の宣言", "另有"),
    "note.emote": ("emote", "スタンプ", "表情"),
    "note.think_time": ("thought for", "考慮時間", "思考"),
    "reason.none": ("draw", "流局", "流局"),
    # Names in messages that mean several yaku.
    "yaku.sangenpai": ("dragon", "役牌", "役牌"),
    "yaku.jikaze": ("seat wind", "自風", "自風"),
    "yaku.bakaze": ("round wind", "場風", "場風"),
}

#: The suits, and the tiles without a number of a suit.
_SUITS: Final[dict[str, Texts]] = {"m": ("m", "萬", "萬"), "p": ("p", "筒", "筒"), "s": ("s", "索", "索")}
_HONOURS: Final[dict[str, Texts]] = {
    "E": ("east wind", "東", "東"),
    "S": ("south wind", "南", "南"),
    "W": ("west wind", "西", "西"),
    "N": ("north wind", "北", "北"),
    "P": ("white dragon", "白", "白"),
    "F": ("green dragon", "發", "發"),
    "C": ("red dragon", "中", "中"),
    "Z": ("zero", "零", "零"),
    "H": ("east-west", "東西", "東西"),
    "V": ("north-south", "南北", "南北"),
    "?": ("a hidden tile", "伏せ牌", "暗牌"),
    "1f": ("spring", "春", "春"),
    "2f": ("summer", "夏", "夏"),
    "3f": ("autumn", "秋", "秋"),
    "4f": ("winter", "冬", "冬"),
    **{f"{n + 4}f": (f"flower {n}", f"花{n}", f"花{n}") for n in range(1, 5)},
}
_MOST_RANK: Final = 16


def _tiles() -> Iterator[tuple[str, Texts]]:
    for suit in SUITS:
        english, japanese, chinese = _SUITS[suit]
        for rank in range(1, _MOST_RANK + 1):
            spelled = _CHINESE_NUMBERS[rank] if rank <= 10 else f"十{_CHINESE_NUMBERS[rank - 10]}"
            yield f"{rank}{suit}", (f"{rank}{english}", f"{rank}{japanese}", f"{spelled}{chinese}")
    for red in RED_FIVES:
        english, japanese, chinese = _SUITS[red[1]]
        yield red, (f"red 5{english}", f"赤5{japanese}", f"赤五{chinese}")
    yield from _HONOURS.items()


def language_of(tag: str) -> Language:
    """Return the language of a tag of BCP 47, such as ``zh-Hant-TW``. Raises `UsageError` for another language.

    >>> language_of("zh-CN"), language_of("ja_JP")
    ('zh-Hans', 'ja')
    """
    lower = tag.lower().replace("_", "-")
    if _SIMPLIFIED_TAG.match(lower):
        return "zh-Hans"
    begin = lower.split("-")[0]
    found = next((language for language in LANGUAGES if language == begin), None)
    if found is None:
        meant = f": did you mean {_COUNTRIES[begin]}?" if begin in _COUNTRIES else ""
        raise UsageError(f"--lang takes {', '.join(get_args(Language))}, not {tag!r}{meant}")
    return found


@cache
def _simple() -> dict[int, str]:
    """Return the simplified form of each traditional character that has one: the page has the same table."""
    pairs = (files("mjconv.viewer.assets") / "simplified.js").read_text("utf-8").split('"')[1]
    return {ord(old): new for old, new in zip(pairs[::2], pairs[1::2], strict=True)}


def _texts(names: Term) -> Texts:
    """Return a name in the languages of the viewer, whose Chinese is in traditional script."""
    return names.english, names.japanese, names.traditional


def count_key(rules: RuleSet) -> str:
    """Return the key of the unit in which a game counts wins.

    >>> from mjconv.rules.rulesets import HONGKONG
    >>> texts()[count_key(HONGKONG)]
    ('faan', '番', '番')
    """
    return f"count.{rules.id}"


@cache
def texts() -> dict[str, Texts]:
    """Return all texts by their keys.

    >>> texts()["tile.5pr"], texts()["yaku.ura_dora"], texts()["reason.nine_kinds"][0]
    (('red 5p', '赤5筒', '赤五筒'), ('ura dora', '裏ドラ', '裏寶牌'), 'nine kinds of terminals and honours')
    """
    return {
        **WORDS,
        **{f"tile.{tile}": names for tile, names in _tiles()},
        **{f"yaku.{name}": _texts(names) for rules in all_rulesets() for name, names in rules.names().items()},
        **{count_key(rules): _texts(rules.unit) for rules in (*all_rulesets(), UNKNOWN)},
        **{
            f"reason.{reason.name}": (reason.english, reason.japanese, reason.chinese)
            for reason in REASONS.values()
        },
    }


#: A sentence: the key of its template, and the values of its gaps.
Sentence: TypeAlias = tuple[Any, ...]

_GAP: Final = re.compile(r"\{([a-zA-Z])(\d)\}")


class Speaker:
    """Returns texts in one language. Players are called by `names`, or else by `winds`, both by seat.

    >>> Speaker("en", names=["East", "South"]).say(("discard.drawn_hand", 1, "4p", "9m"))
    'South draws 4p and discards 9m from the hand.'
    """

    def __init__(self, language: Language, winds: Sequence[str] = (), names: Sequence[str] = ()) -> None:
        self.language: Final = language
        self.winds: Final = winds
        self.names: Final = names
        #: What fills each kind of gap.
        self._fillers: Final[dict[str, Callable[[Any], str]]] = {
            "s": self.seat,
            "t": lambda tile: self.word(f"tile.{tile}"),
            "n": lambda number: f"{number:,}",
            "g": lambda number: f"{number:+,}",
            "w": self.word,
            "x": str,
            "c": self.say,
        }

    def word(self, key: str) -> str:
        """Return the text of a key; a key without a text is itself the text."""
        if key not in texts():
            return key
        if self.language == "zh-Hans":
            return texts()[key][LANGUAGES.index("zh")].translate(_simple())
        return texts()[key][LANGUAGES.index(self.language)]

    def say(self, sentence: Sentence) -> str:
        """Return a sentence as text."""

        def value(found: re.Match[str]) -> str:
            letter, each = found[1], sentence[int(found[2]) + 1]
            if letter.isupper():
                return self.word("list").join(map(self._fillers[letter.lower()], each))
            return self._fillers[letter](each)

        return _GAP.sub(value, self.word(sentence[0]))

    def seat(self, seat: int) -> str:
        """Return the name of the player of a seat, or else its wind."""
        if 0 <= seat < len(self.names) and self.names[seat]:
            return self.names[seat]
        return self.word(f"seat.{self.winds[seat]}") if 0 <= seat < len(self.winds) else "?"
