// The page's own words, OWN, by language and key, and the sentences of the record. `language` is the language that the reader chose.

const LANGUAGES = { en: "English", ja: "日本語", zh: "繁體中文", "zh-Hans": "简体中文" };

let language = "en";
let words = {};

const own = (key) => OWN[language][key];
// The own words whose keys begin in the same way: the rest of each key, and its text.
const ownList = (begin) => Object.entries(OWN[language]).filter(([key]) => key.startsWith(begin)).map(([key, text]) => [key.slice(begin.length), text]);

// A count with its noun, such as "1 stick".
const counted = (key, count) => own(key).split("|")[count === 1 ? 0 : 1].replace("{n}", count);

// The text of a key of the record. A key without a text is itself the text.
const word = (key) => (Object.hasOwn(words[language] || {}, key) ? words[language][key] : key);

const tileName = (tile) => word(`tile.${tile}`);
const tileNames = (tiles) => tiles.map(tileName).join(" ");
const number = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en").replace("-", "−"));
const signed = (value) => (value < 0 ? number(value) : `+${number(value)}`);

// The name of a player, or else their number.
const playerName = (data, seat) => data.players[seat]?.name || own("player").replace("{n}", seat + 1);

// How a sentence names a seat: by name if it is known and `names` are wanted, or else by its wind.
function seatName(data, round, seat, names) {
  const wind = names && data.players[seat]?.name ? null : round.winds[seat];
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
