// The table of three or four players: one square of 1000, a quarter turn a player. The viewed seat is at the bottom.
// Lanes: a row a player from the top, for five and six players, for narrow screens, and for readers who choose them.

const ANGLES = { 3: [0, -90, 90], 4: [0, -90, 180, 90] };
const PLATES = { 0: "below", "-90": "right", 180: "above", 90: "left" };
// On a telephone, the hand of the viewed seat lies below the table or beside it, where its tiles are larger.
const PHONE = matchMedia("(max-width: 599px), (max-height: 519px)");

// Where things lie before a player: the tiles of rivers and melds; half of the side of the centre; where a river begins;
// for the viewed seat and for others the tiles of the hand, where it begins and where the melds end, and the room for waits.
const WIDE = {
  laid: 38.9, half: 150, left: 383, long: 22, aside: { x: 645, bottom: 900, width: 30 },
  own: { width: 54, hand: 80, melds: 950, waits: { bottom: 905, room: 270 } },
  other: { width: 33.5, hand: 190, melds: 905, waits: { bottom: 933, room: 92 } },
};
// A river goes past the corner of the centre, where it meets no other river: so its tiles are larger around a small centre.
const SMALL = {
  laid: 50, half: 98, left: 397, long: 20, aside: { x: 600, bottom: 878, width: 36 },
  own: { width: 0, hand: 100, melds: 925, waits: { bottom: 905, room: 115 } },
  other: { width: 45, hand: 100, melds: 905, waits: { bottom: 912, room: 115 } },
};
// A picture has no plates and no line above: their words are beside the table, and names above the hands.
const PICTURE = {
  ...SMALL, laid: 52, half: 106, left: 397, long: 20, aside: { x: 720, bottom: 884, width: 40 }, own: { width: 60, hand: 80, melds: 970 }, other: { width: 45, hand: 100, melds: 905 },
};
let pictured = false;
const isSmall = () => pictured || PHONE.matches;
const places = () => (pictured ? PICTURE : PHONE.matches ? SMALL : WIDE);
const EDGE = 985;

// A named part of the table. A screen reader skips a part that is empty.
const group = (zone, seat, name, children) =>
  svg("g", { "data-zone": zone, "data-seat": seat, ...(children.length ? { role: "img", "aria-label": name } : {}) }, children);

function drawHand(view, seat, row, name) {
  const hand = handTiles(view, seat);
  const parts = hand.tiles.map(({ tile, look }, index) => tableTile(tile, row.hand + index * row.width, EDGE, row.width, look));
  if (hand.drawn) {
    const x = row.hand + (hand.tiles.length + 0.25) * row.width;
    parts.push(tableTile(hand.drawn.tile, x, EDGE, row.width, hand.drawn.look));
  }
  return group("hand", seat, `${name}, ${own("hand")}: ${handName(hand)}`, parts);
}

// The waits of a hand in tenpai lie above its first tiles, in two lines where there are many.
function drawWaits(view, seat, { hand, waits: { bottom, room } }, name) {
  const kinds = shownWaits(view, seat);
  const lines = room > 200 || kinds.length < 4 ? 1 : 2;
  const count = Math.max(3, Math.ceil(kinds.length / lines));
  const width = Math.min(places().laid * 0.75, room / count);
  return group("waits", seat, `${name}, ${own("waits")}: ${kindNames(kinds)}`, kinds.map((kind, index) =>
    tableTile(KINDS[kind], hand + (index % count) * width, bottom - (lines - 1 - Math.floor(index / count)) * (width * RATIO + 3), width)));
}

// Melds lie from the right: the oldest outside, the newest nearest the hand. They are smaller where they would cover the hand.
function drawMelds(view, seat, row, name) {
  const { state } = view.replay;
  const laid = state.melds[seat];
  const across = laid.flatMap(({ tiles }) => tiles).reduce((sum, { turned }) => sum + (turned ? RATIO : 1), 0);
  const hand = (Math.max(0, 13 - 3 * laid.length) + 1.5) * row.width;
  const width = Math.min(places().laid, (row.melds - row.hand - hand - 8 * laid.length) / across);
  let x = row.melds;
  const melds = laid.map((meld, index) => {
    x -= 8;
    // A robbed kan: the tile that was added is the winning one.
    const win = hasMark(state, "meld", seat, index);
    const added = meld.tiles.some(({ on }) => on);
    const tiles = meld.tiles.toReversed().map((tile) => {
      x -= tile.turned ? width * RATIO : width;
      return [tableTile(tile.tile, x, EDGE, width, { ...tile, dora: isDora(state, tile.tile), win: win && !added }),
        tile.on ? tableTile(tile.on, x, EDGE - width, width, { turned: true, dora: isDora(state, tile.on), win }) : null];
    });
    return svg("g", { "data-meld": meld.kind }, tiles.reverse());
  });
  return group("melds", seat, `${name}, ${own("melds")}: ${laid.map(meldName).join("; ")}`, melds);
}

function drawAside(view, seat, name) {
  const { state } = view.replay;
  const { x, bottom, width } = places().aside;
  const tiles = state.aside[seat];
  const parts = tiles.map((tile, index) => tableTile(tile, x + index * width, bottom, width, { win: hasMark(state, "aside", seat, index), dora: isDora(state, tile) }));
  return group("aside", seat, `${name}, ${own("aside")}: ${tileNames(tiles)}`, parts);
}

// The lines of a river: six tiles, six, and the third grows. A longer river has smaller tiles, eight a line.
function drawRiver(view, seat, name, angle) {
  const { laid, half, left, long } = places();
  const { state } = view.replay;
  const tiles = riverTiles(state, seat);
  const [width, ends] = tiles.length <= long ? [laid, [6, 12]] : [laid * 0.75, [8, 16, 24]];
  let line = 0;
  let x = left;
  const parts = tiles.map(({ tile, look }, index) => {
    if (index === ends[line]) {
      line += 1;
      x = left;
    }
    const wide = look.turned ? width * RATIO : width;
    const bottom = 504 + half + (line + 1) * (width * RATIO + 3);
    const drawn = tableTile(tile, x, bottom, width, look);
    drawn.dataset.discard = index;
    // A small mark of the player who called the tile, at its edge: the tile stays readable.
    const mark = look.taken === undefined ? null
      : svg("g", { transform: `translate(${x + wide / 2} ${bottom - 4})rotate(${-angle})` }, shape(look.taken, { x: -8, y: -8, width: 16, height: 16 }));
    x += wide;
    return [drawn, mark];
  });
  return group("river", seat, riverName(state, seat, name), parts);
}

// The letter of a wind, or its character. A seat without a wind has its number.
const windLetter = (round, seat) => {
  const wind = round.winds?.[seat];
  return wind ? own(`winds.${wind}`) || wind : String(seat + 1);
};

// The size of a text that has room for `most` letters of the usual size.
const fit = (text, most, size) => Math.min(size, (size * most) / text.length);

// The strip of a player at the centre: wind, points, the change of points, and the stick of a riichi. On a telephone the
// plate has the points. The words of the player opposite are upright, because upside down nobody reads them.
function drawStrip(view, seat, name, angle) {
  const { state, round } = view.replay;
  const gain = state.gain[seat];
  const points = state.points[seat];
  const text = points === null ? "" : number(points);
  const place = gain ? { x: 441, class: "points from", "font-size": fit(text, 6, 21) }
    : { x: 517, class: "points", "font-size": fit(text, 9, 26) };
  const small = isSmall();
  const edge = 500 + places().half;
  const [x, side, high] = small ? [478, 44, 46] : [406, 30, 36];
  return svg("g", { class: `strip player${seat}${seat === state.turn ? " turn" : ""}`, ...(small ? {} : { "data-zone": "points", "data-seat": seat }) },
    svg("rect", { class: "field", x: small ? 440 : 402, y: edge - 16 - high, width: small ? 120 : 196, height: high, rx: 5 }),
    svg("g", { transform: angle === 180 ? `rotate(180 500 ${edge - 16 - high / 2})` : null },
      svg("g", { class: seat === round.dealer ? "wind dealer" : "wind" },
        svg("rect", { x, y: edge - 16 - high / 2 - side / 2, width: side, height: side, rx: 4 }),
        svg("text", { x: x + side / 2, y: edge - 16 - high / 2 + side / 4, "font-size": 0.74 * side }, windLetter(round, seat))),
      small ? null : svg("text", { ...place, y: edge - 26, "data-points": points }, text),
      gain && !small ? svg("text", { class: gain < 0 ? "loss to" : "gain to", x: 596, y: edge - 27, "font-size": fit(signed(gain), 7, 15) }, signed(gain)) : null),
    state.riichi[seat] === 2 ? svg("g", { class: "stick", role: "img", "aria-label": `${name}: ${own("riichi")}` },
      svg("rect", { x: 440, y: edge - 12, width: 120, height: 9, rx: 4 }), svg("circle", { cx: 500, cy: edge - 7.5, r: 3 })) : null);
}

// The places of the indicators. A place is face down until it is turned.
const indicators = (places) => places.map((tile) => (tile === null ? { tile: "?", look: { down: true } } : { tile, look: {} }));

// A small stick with its dots, and how many of it lie on the table.
function stickCount(x, y, count, name, dots) {
  return svg("g", { role: "img", "aria-label": name, transform: `translate(${x} ${y})` },
    svg("rect", { class: "counter", x: 0, y: -11, width: 40, height: 9, rx: 3 }), dots,
    svg("text", { class: "from", x: 45, y: 0, "font-size": fit(String(count), 2, 20) }, count));
}

const HONBA_DOTS = range(8).map((dot) => [12 + 5 * (dot % 4), dot < 4 ? -8.6 : -4.6]);

function drawCentre(view) {
  const { state, round } = view.replay;
  const { half } = places();
  const field = svg("rect", { class: "field", x: 500 - half, y: 500 - half, width: 2 * half, height: 2 * half, rx: 14 });
  // On a telephone the line above the table has all the rest.
  if (isSmall()) return svg("g", { class: "centre" }, field, svg("text", { class: "round", x: 500, y: 515, "font-size": fit(roundName(round), 1.9, 46) }, roundName(round)));
  const dora = indicators(state.dora);
  const width = 37;
  const left = 500 - (dora.length * width) / 2;
  const down = dora.length ? 0 : 26;
  return svg("g", { class: "centre", "data-zone": "centre", "data-honba": state.honba, "data-sticks": state.sticks, "data-left": state.left },
    field,
    svg("text", { class: "round", x: 500, y: 454 + down, "font-size": 46 }, roundName(round)),
    hasSticks(state) ? [
      stickCount(425, 490 + down, state.honba, counted("honba", state.honba),
        HONBA_DOTS.map(([cx, cy]) => svg("circle", { class: "honba", cx, cy, r: 1.4 }))),
      stickCount(510, 490 + down, state.sticks, counted("sticks", state.sticks), svg("circle", { class: "riichi", cx: 20, cy: -6.5, r: 2.8 })),
    ] : null,
    state.left === null ? null : svg("text", { x: 500, y: 522 + down, "font-size": 20 }, leftText(state.left)),
    group("dora", null, `${own("dora")}: ${tileNames(state.dora.filter(Boolean))}`,
      dora.map(({ tile, look }, index) => tableTile(tile, left + index * width, 590, width, look))));
}

// Whether the game counts honba and sticks: games without dora do not, unless the record states some.
const hasSticks = ({ dora, honba, sticks }) => dora.length + honba + sticks > 0;

const leftText = (left) => own("left").replace("{n0}", left);

// The short name of a round: "E2" or 東2局. Its label, if the record does not name it.
const roundName = (round) =>
  round.wind && round.number
    ? own("atRound").replace("{w}", own(`winds.${round.wind}`)).replace("{n}", word(round.title[2]))
    : round.label;

// The name of a round with its honba, as it is written in the language: "E2-0" or 東2局0本場. The address keeps the label.
const roundLabel = (round) => (language !== "en" && round.wind && round.number ? say(round.title) : round.label);

// Team and rank of a player.
function aboutPlayer(data, seat) {
  const { team, rank } = data.players[seat] || {};
  const about = [rank, team].filter(Boolean).join(" · ");
  return about ? html("span", { class: "about", dir: "auto" }, about) : null;
}

const pointsParts = ({ points, gain }, seat) => [
  gain[seat] ? html("span", { class: gain[seat] < 0 ? "loss" : "gain" }, signed(gain[seat])) : null,
  html("span", { "data-points": points[seat] }, points[seat] === null ? "" : number(points[seat]))];

// Name, team and rank before the player's own hand, upright whatever way the player sits; on a telephone the points too. A
// name is never wider than its plate. A click looks from that seat.
function namePlate(view, seat, place) {
  const name = playerName(view.data, seat);
  return html("button", { type: "button", class: `plate ${place} ${colour(seat)}`, "data-plate": seat, "aria-pressed": String(seat === view.seat),
    title: name.slice(0, 300), onclick: () => view.lookFrom(seat) },
    shape(seat), html("span", { class: "name", dir: "auto" }, name),
    isSmall() ? html("span", { class: "points", "data-zone": "points", "data-seat": seat }, pointsParts(view.replay.state, seat)) : aboutPlayer(view.data, seat));
}

// The name of a player over the hand, upright at the side across.
function drawName(seat, name, { width, hand }, angle) {
  const y = EDGE - width * RATIO - 10;
  // The melds of the neighbour end beside the name.
  const x = hand + (angle ? 0 : 50);
  return [shape(seat, { x, y: y - 18, width: 20, height: 20 }),
    fitted(x + 28, y, 24, 400, angle === 180 ? "to" : "from", name, angle === 180 ? `rotate(180 ${x + 28} ${y - 8})` : null)];
}

// Builds the table. Its `update` draws the state of the view anew.
function drawTable(view) {
  const seats = seatCount(view.replay.round);
  const turns = range(seats).map((place) => ({ seat: (view.seat + place) % seats, angle: ANGLES[seats][place] }));
  const parts = [];
  const table = () => view.replay.state;
  const small = isSmall();
  // Tiles set aside lie beside the plate.
  const { round } = view.replay;
  const short = round.state.aside.flat().length || round.steps.some(({ kind }) => kind === "aside") ? " short" : "";
  const players = turns.map(({ seat, angle }) => {
    const name = playerName(view.data, seat);
    const row = angle === 0 ? places().own : places().other;
    return svg("g", { transform: `rotate(${angle} 500 500)` },
      live(parts, () => stripInputs(table(), seat), () => drawStrip(view, seat, name, angle)),
      live(parts, () => riverTiles(table(), seat), () => drawRiver(view, seat, name, angle)),
      live(parts, () => [table().aside[seat], table().win, table().dora], () => drawAside(view, seat, name)),
      row.width ? live(parts, () => handTiles(view, seat), () => drawHand(view, seat, row, name)) : [],
      pictured ? drawName(seat, seatName(view.data, view.replay.round, seat, true), row, angle) : [],
      view.reads && !pictured ? live(parts, () => shownWaits(view, seat), () => drawWaits(view, seat, row, name)) : [],
      live(parts, () => [table().melds[seat], table().win, table().dora], () => drawMelds(view, seat, row, name)));
  });
  const root = html("div", { class: "square" },
    svg("svg", { class: "board", viewBox: "0 0 1000 1000" },
      live(parts, () => centreInputs(table()), () => drawCentre(view)), players),
    turns.map(({ seat, angle }) => live(parts, () => stripInputs(table(), seat), () => namePlate(view, seat, PLATES[angle] + short))));
  return { root: html("div", { class: "table" },
    small ? live(parts, () => centreInputs(table()), () => laneCentre(view)) : null, root,
    small ? live(parts, () => handTiles(view, view.seat), () => lineHand(view, view.seat, playerName(view.data, view.seat))) : null),
  update: () => parts.forEach((part) => part.update()) };
}

function laneHead(view, seat, name) {
  const { state, round } = view.replay;
  const waits = shownWaits(view, seat);
  return html("div", { class: "lanehead" },
    shape(seat), html("span", { class: seat === round.dealer ? "wind dealer" : "wind" }, windLetter(round, seat)),
    html("button", { type: "button", class: "name", dir: "auto", title: name.slice(0, 300), onclick: () => view.lookFrom(seat) }, name),
    aboutPlayer(view.data, seat),
    html("span", state.riichi[seat] ? { class: "stick riichi", role: "img", "aria-label": own("riichi") } : { class: "stick" }),
    view.reads ? tileLine("small waits", `${name}, ${own("waits")}: ${kindNames(waits)}`, waits.map((kind) => lineTile(KINDS[kind]))) : null,
    html("span", { class: "points", "data-zone": "points", "data-seat": seat }, pointsParts(state, seat)));
}

function laneHand(view, seat, name) {
  const { state } = view.replay;
  const line = (zone, text, children) =>
    children.length ? tileLine(zone, `${name}, ${own(zone)}: ${text}`, children, { "data-zone": zone, "data-seat": seat }) : null;
  return html("div", { class: "lanehand" },
    lineHand(view, seat, name),
    line("melds", state.melds[seat].map(meldName).join("; "), state.melds[seat].map((meld, index) =>
      lineMeld(meld, hasMark(state, "meld", seat, index), state))),
    line("aside", tileNames(state.aside[seat]), state.aside[seat].map((tile, index) =>
      lineTile(tile, { win: hasMark(state, "aside", seat, index), dora: isDora(state, tile) }))));
}

function laneRiver(view, seat, name) {
  const { state, round } = view.replay;
  const tiles = riverTiles(state, seat).map(({ tile, look }, index) =>
    html("span", { class: "with", "data-discard": index }, lineTile(tile, look), look.taken === undefined ? null : shape(look.taken)));
  // Room for the whole river from the deal on, so that the lanes below do not move; in a quiet view, for a usual one.
  const most = view.quiet ? 24 : round.steps.filter(({ kind, actor }) => kind === "discard" && actor === seat).length + 1;
  const room = Math.max(0, most - tiles.length);
  const line = tileLine("river", riverName(state, seat, name), tiles, { "data-zone": "river", "data-seat": seat });
  line.append(...range(room).map(() => html("span", { class: "room" })));
  return line;
}

function laneCentre(view) {
  const { state, round } = view.replay;
  return html("div", { class: "lanecentre", "data-zone": "centre", "data-honba": state.honba, "data-sticks": state.sticks, "data-left": state.left },
    html("strong", {}, roundName(round)),
    hasSticks(state) ? [html("span", { class: "counter" }, counted("honba", state.honba)), html("span", { class: "counter" }, counted("sticks", state.sticks))] : null,
    state.left === null ? null : html("span", {}, leftText(state.left)),
    state.dora.length ? tileLine("dora", `${own("dora")}: ${tileNames(state.dora.filter(Boolean))}`,
      indicators(state.dora).map(({ tile, look }) => lineTile(tile, look)), { "data-zone": "dora" }) : null);
}

// Builds the lanes. Their `update` draws the state of the view anew.
function drawLanes(view) {
  const { round } = view.replay;
  const seats = seatCount(round);
  const parts = [];
  const table = () => view.replay.state;
  const lanes = range(seats).map((place) => {
    const seat = (view.seat + place) % seats;
    const name = playerName(view.data, seat);
    const lane = html("div", { class: `lane player${seat}` },
      live(parts, () => [stripInputs(table(), seat), shownWaits(view, seat)], () => laneHead(view, seat, name)),
      live(parts, () => [handTiles(view, seat), table().melds[seat], table().aside[seat], table().win],
        () => laneHand(view, seat, name)),
      live(parts, () => riverTiles(table(), seat), () => laneRiver(view, seat, name)));
    const turn = { update: () => lane.classList.toggle("turn", seat === table().turn) };
    turn.update();
    parts.push(turn);
    return lane;
  });
  const centre = live(parts, () => centreInputs(table()), () => laneCentre(view));
  return { root: html("div", { class: "lanes" }, centre, lanes), update: () => parts.forEach((part) => part.update()) };
}
