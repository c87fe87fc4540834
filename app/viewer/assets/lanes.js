// Lanes: a row a player from the top, for five and six players, for narrow screens, and for readers who choose them.

function laneHead(view, seat, name) {
  const { state, round } = view.replay;
  const gain = state.gain[seat];
  return html("div", { class: "lanehead" },
    shape(seat), html("span", { class: seat === round.dealer ? "wind dealer" : "wind" }, windLetter(round, seat)),
    html("button", { type: "button", class: "name", dir: "auto", title: name.slice(0, 300), onclick: () => view.lookFrom(seat) }, name),
    aboutPlayer(view.data, seat),
    html("span", state.riichi[seat] ? { class: "stick riichi", role: "img", "aria-label": own("riichi") } : { class: "stick" }),
    html("span", { class: "points", "data-zone": "points", "data-seat": seat },
      gain ? html("span", { class: gain < 0 ? "loss" : "gain" }, signed(gain)) : null,
      html("span", { "data-points": state.points[seat] }, state.points[seat] === null ? "" : number(state.points[seat]))));
}

function laneHand(view, seat, name) {
  const { state } = view.replay;
  const line = (zone, text, children) =>
    children.length ? tileLine(zone, `${name}, ${own(zone)}: ${text}`, children, { "data-zone": zone, "data-seat": seat }) : null;
  return html("div", { class: "lanehand" },
    lineHand(view, seat, name),
    line("melds", state.melds[seat].map(meldName).join("; "), state.melds[seat].map((meld, index) =>
      lineMeld(meld, hasMark(state, "meld", seat, index)))),
    line("aside", tileNames(state.aside[seat]), state.aside[seat].map((tile, index) =>
      lineTile(tile, { win: hasMark(state, "aside", seat, index) }))));
}

function laneRiver(view, seat, name) {
  const { state, round } = view.replay;
  const tiles = riverTiles(state, seat).map(({ tile, look }, index) =>
    html("span", { class: "with", "data-discard": index }, lineTile(tile, look), look.taken === undefined ? null : shape(look.taken)));
  // Room for the whole river from the deal on, so that the lanes below do not move.
  const room = round.steps.filter(({ kind, actor }) => kind === "discard" && actor === seat).length + 1 - tiles.length;
  const line = tileLine("river", riverName(state, seat, name), tiles, { "data-zone": "river", "data-seat": seat });
  line.append(...range(room).map(() => html("span", { class: "room" })));
  return line;
}

function laneCentre(view) {
  const { state, round } = view.replay;
  return html("div", { class: "lanecentre", "data-zone": "centre", "data-honba": state.honba, "data-sticks": state.sticks, "data-left": state.left },
    html("strong", {}, roundName(round)),
    hasSticks(state) ? [html("span", {}, counted("honba", state.honba)), html("span", {}, counted("sticks", state.sticks))] : null,
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
      live(parts, () => stripInputs(table(), seat), () => laneHead(view, seat, name)),
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
