// The page's own words, and the sentences of the record. `language` is the language that the reader chose.

const LANGUAGES = { en: "English", ja: "日本語", zh: "中文" };

const OWN = {
  en: {
    winds: { E: "E", S: "S", W: "W", N: "N", H: "H", V: "V" },
    table: "Table", rounds: "Rounds", graph: "Points before each round", graphGames: "Points after each game",
    first: "First step", last: "Last step", back: "Step back", forward: "Step forward", play: "Play", stop: "Stop",
    previousRound: "Round before", nextRound: "Next round", step: "Step", controls: "Controls", switches: "Switches", hands: "Hands of others", seat: "Next seat",
    names: "Names or winds", wall: "Wall", help: "Keys", language: "Language", close: "Close", hand: "hand",
    river: "discards", melds: "melds", aside: "set aside", dora: "Dora indicators", ura: "Ura indicators",
    honba: "honba", sticks: "sticks", left: "left", riichi: "riichi",
    finding: "Finding", liable: "liable", worked: "worked out by the rules",
    tenpai: "tenpai", noten: "noten", waits: "waits for", dealt: "dealt to", came: "step", never: "not drawn",
    deadWall: "Dead wall", replacement: "replacement", left_: "left the table", returned: "came back",
    think_time: "thought for", emote: "emote", mark: "mark", claim: "also claimed", draw: "draw", discard: "discard", dice: "Dice", deal: "Deal",
    result: "Result", day: "Day", byDay: "By day", byGame: "Game by game", games: "Games", game: "Game", sum: "Sum",
    settled: "after oka and uma", atRound: "{w}{n}", empty: "The record has no round.", broken: "The data of this page is damaged.", player: "Player",
    keys: {
      "→ ←": "step", "↓ ↑": "next, previous discard of your seat", "Page Down, Page Up": "next, previous round",
      "Home, End": "first, last step", "r, c, f": "next riichi, call, finding (Shift: previous)", Space: "play, stop",
      "+ −": "speed", h: "hands of others", w: "wall", s: "next seat", n: "names or winds", l: "language", "?": "this help",
    },
  },
  ja: {
    winds: { E: "東", S: "南", W: "西", N: "北", H: "東西", V: "南北" },
    table: "卓", rounds: "局", graph: "各局の前の点数", graphGames: "各局の後の点数",
    first: "最初", last: "最後", back: "一手戻る", forward: "一手進む", play: "再生", stop: "停止",
    previousRound: "前の局", nextRound: "次の局", step: "手", controls: "操作", switches: "表示", hands: "他家の手牌", seat: "次の席",
    names: "名前または風", wall: "牌山", help: "キー", language: "言語", close: "閉じる", hand: "手牌",
    river: "河", melds: "副露", aside: "抜き", dora: "ドラ表示牌", ura: "裏ドラ表示牌",
    honba: "本場", sticks: "供託", left: "残り", riichi: "リーチ",
    finding: "指摘", liable: "責任払い", worked: "ルールから計算",
    tenpai: "聴牌", noten: "不聴", waits: "待ち", dealt: "配牌", came: "手", never: "未使用",
    deadWall: "王牌", replacement: "嶺上牌", left_: "退席", returned: "復帰",
    think_time: "考慮時間", emote: "スタンプ", mark: "印", claim: "他の宣言", draw: "摸", discard: "打", dice: "サイコロ", deal: "配牌",
    result: "結果", day: "日", byDay: "日ごと", byGame: "局ごと", games: "局数", game: "局", sum: "合計",
    settled: "オカ・ウマの後", atRound: "{w}{n}局", empty: "局がありません。", broken: "このページのデータは壊れています。", player: "プレイヤー",
    keys: {
      "→ ←": "一手", "↓ ↑": "自席の次・前の打牌", "Page Down, Page Up": "次・前の局",
      "Home, End": "最初・最後", "r, c, f": "次のリーチ・鳴き・指摘（Shift：前）", Space: "再生・停止",
      "+ −": "速さ", h: "他家の手牌", w: "牌山", s: "次の席", n: "名前または風", l: "言語", "?": "このヘルプ",
    },
  },
  zh: {
    winds: { E: "東", S: "南", W: "西", N: "北", H: "東西", V: "南北" },
    table: "牌桌", rounds: "各局", graph: "每局開始時的點數", graphGames: "每局之後的點數",
    first: "開始", last: "結束", back: "後退一步", forward: "前進一步", play: "播放", stop: "停止",
    previousRound: "上一局", nextRound: "下一局", step: "步", controls: "操作", switches: "顯示", hands: "他家手牌", seat: "下一座位",
    names: "名字或風位", wall: "牌山", help: "按鍵", language: "語言", close: "關閉", hand: "手牌",
    river: "牌河", melds: "副露", aside: "拔出", dora: "寶牌指示牌", ura: "裏寶牌指示牌",
    honba: "本場", sticks: "供託", left: "剩餘", riichi: "立直",
    finding: "問題", liable: "包牌", worked: "按規則計算",
    tenpai: "聽牌", noten: "未聽", waits: "聽", dealt: "配牌", came: "步", never: "未摸",
    deadWall: "王牌", replacement: "嶺上牌", left_: "離開", returned: "回來",
    think_time: "思考", emote: "表情", mark: "記號", claim: "另有", draw: "摸", discard: "打", dice: "骰子", deal: "配牌",
    result: "結果", day: "日期", byDay: "按日", byGame: "逐局", games: "局數", game: "局", sum: "合計",
    settled: "含順位點", atRound: "{w}{n}局", empty: "沒有任何一局。", broken: "此頁面的資料已損壞。", player: "玩家",
    keys: {
      "→ ←": "一步", "↓ ↑": "本座位的下一次、上一次打牌", "Page Down, Page Up": "下一局、上一局",
      "Home, End": "開始、結束", "r, c, f": "下一個立直、鳴牌、問題（Shift：上一個）", Space: "播放、停止",
      "+ −": "速度", h: "他家手牌", w: "牌山", s: "下一座位", n: "名字或風位", l: "語言", "?": "此說明",
    },
  },
};

let language = "en";
let words = {};

const own = (key) => OWN[language][key];

// The text of a key of the record. A key without a text is itself the text.
const word = (key) => (Object.hasOwn(words[language] || {}, key) ? words[language][key] : key);

const tileName = (tile) => word(`tile.${tile}`);
const tileNames = (tiles) => tiles.map(tileName).join(" ");
const number = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en").replace("-", "−"));
const signed = (value) => (value < 0 ? number(value) : `+${number(value)}`);

// The name of a player; their wind in this round, or else their number, if the record has no name.
function playerName(data, round, seat) {
  return data.players[seat]?.name || windName(round, seat) || `${own("player")} ${seat + 1}`;
}

function windName(round, seat) {
  const wind = round?.winds?.[seat];
  return wind ? word(`seat.${wind}`) : "";
}

// How a sentence names a seat: by its wind, or by name.
const seatName = (data, round, seat, names) =>
  (!names && windName(round, seat)) || playerName(data, round, seat);

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
