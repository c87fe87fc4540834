// The page's own words, and the sentences of the record. `language` is the language that the reader chose.

const LANGUAGES = { en: "English", ja: "日本語", zh: "繁體中文", "zh-Hans": "简体中文" };

const OWN = {
  en: {
    winds: { E: "E", S: "S", W: "W", N: "N", H: "H", V: "V" },
    table: "Table", rounds: "Rounds", graph: "Points before each round", graphGames: "Points after each game",
    first: "First step", last: "Last step", back: "Step back", forward: "Step forward", play: "Play", stop: "Stop",
    previousRound: "Round before", nextRound: "Next round", step: "Step", controls: "Controls", switches: "Switches", close: "Close", hand: "hand",
    nextRiichi: "Next riichi", nextCall: "Next call", nextFinding: "Next finding", speed: "Seconds a step",
    river: "discards", melds: "melds", aside: "set aside", dora: "Dora indicators", ura: "Ura indicators", asDrawn: "as drawn",
    honba: "{n} honba|{n} honba", sticks: "{n} stick|{n} sticks", left: "{n} left", riichi: "riichi",
    finding: "Finding", liable: "liable", worked: "worked out by the rules",
    aid: "Reader's aid", shanten: "{n}-shanten", furiten: "furiten", genbutsu: "genbutsu", suji: "suji", kabe: "kabe", q: "Q value", value: "value", rank: "average rank", taken: "taken", answered: "answer of the program", agreement: "Agreement", illegal: "against the rules", otherwise: "Played → answered", differences: "Furthest from the best choice", noYaku: "no yaku without riichi or tsumo", tenpai: "tenpai", noten: "noten", waits: "waits for", dealt: "dealt to", came: "step", never: "not drawn", wall: "Wall",
    deadWall: "Dead wall", replacement: "replacement", draw: "draw", discard: "discard", dice: "Dice", deal: "Deal",
    result: "Result", day: "Day", byDay: "By day", byGame: "Game by game", games: "Games", game: "Game", graphMatches: "Points after each game", byMatch: "Game by game", matches: "Games", match: "Game", sum: "Sum", final: "Final result",
    points: "points", settled: "after oka and uma", copied: "Copied", atRound: "{w}{n}", empty: "The record has no round.", broken: "The data of this page is damaged.", player: "Player {n}",
    menu: {
      h: "hands of others", s: "next seat", n: "names or winds", w: "wall", t: "reading the hand", v: "table or lanes", d: "colours: of the system, light, dark", l: "language", e: "stop at each result", p: "print this round", y: "copy link to this step", Y: "copy this hand", T: "copy this round for Tenhou's viewer", M: "copy this round as mjai", b: "values of a program", "?": "this menu",
    },
    keys: {
      "→ ←": "step", "↓ ↑": "next, previous discard of your seat", "Page Down, Page Up": "next, previous round", "Home, End": "first, last step",
      "r, c, f": "next riichi, call, finding (Shift: previous)", Space: "play, stop", "+ −": "speed",
    },
  },
  ja: {
    winds: { E: "東", S: "南", W: "西", N: "北", H: "東西", V: "南北" },
    table: "卓", rounds: "局", graph: "各局の前の点数", graphGames: "各局の後の点数",
    first: "最初", last: "最後", back: "一手戻る", forward: "一手進む", play: "再生", stop: "停止",
    previousRound: "前の局", nextRound: "次の局", step: "手", controls: "操作", switches: "表示", close: "閉じる", hand: "手牌",
    nextRiichi: "次のリーチ", nextCall: "次の鳴き", nextFinding: "次の指摘", speed: "一手の秒数",
    river: "河", melds: "副露", aside: "抜き", dora: "ドラ表示牌", ura: "裏ドラ表示牌", asDrawn: "ツモ切り",
    honba: "{n}本場|{n}本場", sticks: "供託{n}本|供託{n}本", left: "残り {n}", riichi: "リーチ",
    finding: "指摘", liable: "責任払い", worked: "ルールから計算",
    aid: "読みの補助", shanten: "{n}向聴", furiten: "フリテン", genbutsu: "現物", suji: "筋", kabe: "壁", q: "Q値", value: "評価値", rank: "平均順位", taken: "選択", answered: "プログラムの解答", agreement: "一致率", illegal: "ルール違反", otherwise: "実戦 → 解答", differences: "最善手との差", noYaku: "リーチかツモ以外役なし", tenpai: "聴牌", noten: "不聴", waits: "待ち", dealt: "配牌", came: "手", never: "未使用", wall: "牌山",
    deadWall: "王牌", replacement: "嶺上牌", draw: "摸", discard: "打", dice: "サイコロ", deal: "配牌",
    result: "結果", day: "日", byDay: "日ごと", byGame: "局ごと", games: "局数", game: "局", graphMatches: "各試合の後の点数", byMatch: "試合ごと", matches: "試合数", match: "試合", sum: "合計", final: "最終結果",
    points: "点", settled: "オカ・ウマの後", copied: "コピーしました", atRound: "{w}{n}局", empty: "局がありません。", broken: "このページのデータは壊れています。", player: "プレイヤー{n}",
    menu: {
      h: "他家の手牌", s: "次の席", n: "名前または風", w: "牌山", t: "手牌の分析", v: "卓または一覧", d: "配色：システム、明るい、暗い", l: "言語", e: "結果ごとに停止", p: "この局を印刷", y: "この手へのリンクをコピー", Y: "手牌をコピー", T: "天鳳の牌譜ビューア用にこの局をコピー", M: "この局をmjaiでコピー", b: "プログラムの評価", "?": "このメニュー",
    },
    keys: {
      "→ ←": "一手", "↓ ↑": "自席の次・前の打牌", "Page Down, Page Up": "次・前の局", "Home, End": "最初・最後",
      "r, c, f": "次のリーチ・鳴き・指摘（Shift：前）", Space: "再生・停止", "+ −": "速さ",
    },
  },
  zh: {
    winds: { E: "東", S: "南", W: "西", N: "北", H: "東西", V: "南北" },
    table: "牌桌", rounds: "各局", graph: "每局開始時的點數", graphGames: "每局之後的點數",
    first: "開始", last: "結束", back: "後退一步", forward: "前進一步", play: "播放", stop: "停止",
    previousRound: "上一局", nextRound: "下一局", step: "步", controls: "操作", switches: "顯示", close: "關閉", hand: "手牌",
    nextRiichi: "下一個立直", nextCall: "下一個副露", nextFinding: "下一個問題", speed: "每步秒數",
    river: "牌河", melds: "副露", aside: "拔出", dora: "寶牌指示牌", ura: "裏寶牌指示牌", asDrawn: "摸切",
    honba: "{n}本場|{n}本場", sticks: "立直棒{n}根|立直棒{n}根", left: "剩餘 {n}", riichi: "立直",
    finding: "問題", liable: "包牌", worked: "按規則計算",
    aid: "閱讀輔助", shanten: "{n}向聽", furiten: "振聽", genbutsu: "現物", suji: "筋", kabe: "壁", q: "Q值", value: "評價值", rank: "平均順位", taken: "所選", answered: "程式的回答", agreement: "一致率", illegal: "違反規則", otherwise: "實戰 → 回答", differences: "與最佳選擇的差距", noYaku: "非立直或自摸則無役", tenpai: "聽牌", noten: "未聽", waits: "聽", dealt: "配牌", came: "步", never: "未摸", wall: "牌山",
    deadWall: "王牌", replacement: "嶺上牌", draw: "摸", discard: "打", dice: "骰子", deal: "配牌",
    result: "結果", day: "日期", byDay: "按日", byGame: "逐局", games: "局數", game: "局", graphMatches: "每場之後的點數", byMatch: "逐場", matches: "場數", match: "場", sum: "合計", final: "最終結果",
    points: "點", settled: "含順位點", copied: "已複製", atRound: "{w}{n}局", empty: "沒有任何一局。", broken: "此頁面的資料已損壞。", player: "玩家{n}",
    menu: {
      h: "他家手牌", s: "下一座位", n: "名字或風位", w: "牌山", t: "手牌分析", v: "牌桌或列表", d: "配色：系統、淺色、深色", l: "語言", e: "每個結果處停止", p: "列印此局", y: "複製此步的連結", Y: "複製手牌", T: "複製此局（天鳳）", M: "複製此局（mjai）", b: "程式的評價", "?": "此選單",
    },
    keys: {
      "→ ←": "一步", "↓ ↑": "本座位的下一次、上一次打牌", "Page Down, Page Up": "下一局、上一局", "Home, End": "開始、結束",
      "r, c, f": "下一個立直、副露、問題（Shift：上一個）", Space: "播放、停止", "+ −": "速度",
    },
  },
};

const SIMPLIFIED = new Map(SIMPLE.match(/../gu).map(([from, to]) => [from, to]));

let language = "en";
let words = {};

const texts = (every) => every[language] || every.zh || {};
const simple = (text) => (language === "zh-Hans" ? text.replace(/./gu, (sign) => SIMPLIFIED.get(sign) || sign) : text);
const own = (key) => {
  const found = texts(OWN)[key];
  return typeof found === "string" ? simple(found) : Object.fromEntries(Object.entries(found).map(([name, text]) => [name, simple(text)]));
};

// A count with its noun, such as "1 stick".
const counted = (key, count) => own(key).split("|")[count === 1 ? 0 : 1].replace("{n}", count);

// The text of a key of the record. A key without a text is itself the text.
const word = (key) => (Object.hasOwn(texts(words), key) ? simple(texts(words)[key]) : key);

const tileName = (tile) => word(`tile.${tile}`);
const tileNames = (tiles) => tiles.map(tileName).join(" ");
const number = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en").replace("-", "−"));
const signed = (value) => (value < 0 ? number(value) : `+${number(value)}`);

// The name of a player, or else their number.
const playerName = (data, seat) => data.players[seat]?.name || own("player").replace("{n}", seat + 1);

// How a sentence names a seat: by its wind, or by name.
function seatName(data, round, seat, names) {
  const wind = names ? null : round.winds[seat];
  return wind ? word(`seat.${wind}`) : playerName(data, seat);
}

// The text of a sentence [key, argument, ...]: the template of the key, with its places filled in.
function say(sentence, seat) {
  if (!sentence) return "";
  const [key, ...values] = sentence;
  const one = { s: seat, t: tileName, n: number, g: signed, w: word, x: String };
  const many = { T: tileName, S: seat, W: word };
  return word(key).replace(/\{([a-zA-Z])(\d+)\}/g, (place, kind, index) => {
    const value = values[index];
    if (kind === "c") return say(value, seat);
    if (Object.hasOwn(one, kind)) return value === null || value === undefined ? "?" : one[kind](value);
    return Object.hasOwn(many, kind) ? value.map(many[kind]).join(word("list")) : place;
  });
}
