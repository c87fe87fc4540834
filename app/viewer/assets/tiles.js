// A tile: in the table, where it has a place, and in a line of text, where it flows.

const RATIO = 1.36;

const reference = (tile) => `#t-${tile === "?" ? "back" : tile}`;

// The parts of a tile 300 x 408 and its marks. `look` has the flags down, drawn, taken, dora, last and win.
function tileParts(tile, look) {
  const overlay = (name) => svg("rect", { class: name, x: 6, y: 5, width: 288, height: 388, rx: 27 });
  return [
    svg("use", { href: reference(look.down ? "?" : tile), width: 300, height: 408, class: look.taken !== undefined ? "ghost" : null }),
    look.drawn ? overlay("dim") : null,
    look.taken !== undefined ? overlay("hollow") : null,
    look.dora && !look.down ? svg("path", { class: "dora", d: "M186 5H267Q294 5 294 32V113Z" }) : null,
    look.last ? overlay("ring") : null,
    look.win ? overlay("ring strong") : null,
  ];
}

const FLAGS = ["apart", "turned", "down", "drawn", "taken", "last", "win", "dora"];
const tileData = (tile, look) => Object.fromEntries([["data-tile", tile], ...FLAGS.map((flag) => [`data-${flag}`, look[flag]])]);

// A tile of width w in the table, its lower left corner at (x, y). A turned one lies on its left side.
function tableTile(tile, x, y, w, look = {}) {
  const scale = w / 300;
  const place = look.turned ? `translate(${x} ${y})rotate(-90)` : `translate(${x} ${y - w * RATIO})`;
  return svg("g", { transform: `${place}scale(${scale})`, ...tileData(tile, look) }, tileParts(tile, look));
}

// A tile in a line. CSS sets its size by the variable --w of the line.
function lineTile(tile, look = {}) {
  const parts = tileParts(tile, look);
  const attributes = { class: look.turned ? "tile turned" : "tile", ...tileData(tile, look), "aria-hidden": "true" };
  if (!look.turned) return svg("svg", { ...attributes, viewBox: "0 0 300 408" }, parts);
  return svg("svg", { ...attributes, viewBox: "0 0 408 300" }, svg("g", { transform: "translate(0 300)rotate(-90)" }, parts));
}

// A named line of tiles. A screen reader hears the name, and skips a line that is empty.
const tileLine = (className, name, tiles, attributes) =>
  html("span", { class: `tiles ${className}`, ...(tiles.length ? { role: "img", "aria-label": name } : {}), ...attributes }, tiles);

// Whether a tile is a dora by the indicators that are turned: the tile after an indicator, and red fives.
const isDora = (state, tile) => state.doraKinds.includes(kindOf(tile)) || (state.doraKinds.length > 0 && tile.endsWith("r"));

const hasMark = (state, ...mark) => state.win.some((win) => win.join() === mark.join());

// What the river of a seat shows: for each tile its spelling and its look.
function riverTiles(state, seat) {
  return state.river[seat].map((discard, index) => ({
    tile: discard.tile,
    look: {
      drawn: discard.drawn === true,
      turned: discard.riichi === true,
      taken: discard.taken ?? undefined,
      last: state.last !== null && state.last[0] === seat && state.last[1] === index,
      win: hasMark(state, "river", seat, index),
      dora: isDora(state, discard.tile),
    },
  }));
}

// The name of a river: its tiles, and how each was discarded.
function riverName(state, seat, name) {
  const named = ({ tile, drawn, riichi }) => [tileName(tile), drawn ? own("asDrawn") : "", riichi ? own("riichi") : ""].filter(Boolean).join(" ");
  return `${name}, ${own("river")}: ${state.river[seat].map(named).join(word("list"))}`;
}

// What the strip of a player and the centre of the table show.
const stripInputs = ({ points, gain, riichi, turn }, seat) => [points[seat], gain[seat], riichi[seat], turn === seat];
const centreInputs = ({ honba, sticks, left, dora }) => [honba, sticks, left, dora];

// What the hand of a seat shows: face up, or the backs of as many tiles.
function handTiles(view, seat, hidden = view.hidden || view.asks) {
  const { state } = view.replay;
  const isDown = hidden && seat !== view.seat && !state.open[seat];
  const shown = (tile, look) => (isDown ? { tile: "?", look } : { tile, look: { ...look, dora: isDora(state, tile) } });
  const drawn = state.drawn[seat];
  // On a telephone a hand that is face down is away.
  if (isDown && PHONE.matches && !pictured && view.square) return { tiles: [], drawn: null };
  return {
    tiles: tilesOf(state.hands[seat]).map((tile) => shown(tile)),
    drawn: drawn === null ? null : shown(drawn, { apart: true, last: pictured, win: hasMark(state, "drawn", seat) }),
  };
}

const allTiles = ({ tiles, drawn }) => (drawn === null ? tiles : [...tiles, drawn]).map(({ tile }) => tile);
const handName = (hand) => tileNames(allTiles(hand));
// A hand in a line: larger than on the table of a telephone, and in lanes.
function lineHand(view, seat, name) {
  const hand = handTiles(view, seat);
  const tiles = hand.tiles.map(({ tile, look }) => lineTile(tile, look));
  if (hand.drawn) tiles.push(html("span", { class: "gap" }), lineTile(hand.drawn.tile, hand.drawn.look));
  return tileLine("hand", `${name}, ${own("hand")}: ${handName(hand)}`, tiles, { "data-zone": "hand", "data-seat": seat });
}

const meldTiles = (meld) => meld.tiles.flatMap(({ tile, on }) => (on ? [tile, on] : [tile]));
const meldName = (meld) => tileNames(meldTiles(meld));

// A meld in a line. An added tile lies on top of the turned one, and is the winning tile of a robbed kan.
function lineMeld(meld, win = false, state = { doraKinds: [] }) {
  const added = meld.tiles.some(({ on }) => on);
  const dora = (tile) => isDora(state, tile);
  return html("span", { class: "meld", "data-meld": meld.kind }, meld.tiles.map(({ tile, turned, down, on }) =>
    (on ? html("span", { class: "stack" }, lineTile(on, { turned, win, dora: dora(on) }), lineTile(tile, { turned, dora: dora(tile) }))
      : lineTile(tile, { turned, down, win: win && !added, dora: dora(tile) }))));
}
