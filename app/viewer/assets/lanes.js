// Lanes: a row a player from the top, for five and six players, narrow screens, and whoever prefers them.

function laneHead(view, seat, name) {
  const { state, round } = view.replay;
  const gain = state.gain[seat];
  const { team, rank } = view.data.players[seat] || {};
  const about = [rank, team].filter(Boolean).join(" · ");
  return html("div", { class: "lanehead" },
    html("span", { class: seat === round.dealer ? "mark dealer" : "mark" }, windLetter(round, seat)),
    html("span", { class: "name", dir: "auto", title: name.slice(0, 300) }, name),
    about ? html("span", { class: "about", dir: "auto" }, about) : null,
    state.riichi[seat] ? html("span", { class: "riichi" }, own("riichi")) : null,
    html("span", { class: "points", "data-zone": "points", "data-seat": seat },
      gain ? html("span", { class: gain < 0 ? "loss" : "gain" }, signed(gain)) : null,
      html("span", { "data-points": state.points[seat] }, state.points[seat] === null ? "" : number(state.points[seat]))));
}

function laneHand(view, seat, name) {
  const { state } = view.replay;
  const hand = handTiles(view, seat);
  const tiles = hand.tiles.map((tile) => lineTile(tile));
  if (hand.drawn !== null) tiles.push(html("span", { class: "gap" }), lineTile(hand.drawn, { apart: true, win: hand.win }));
  const line = (zone, text, children) =>
    children.length ? tileLine(zone, `${name}, ${own(zone)}: ${text}`, children, { "data-zone": zone, "data-seat": seat }) : null;
  return html("div", { class: "lanehand" },
    line("hand", handName(hand), tiles),
    line("melds", state.melds[seat].map(meldName).join("; "), state.melds[seat].map(lineMeld)),
    line("aside", tileNames(state.aside[seat]), state.aside[seat].map((tile, index) =>
      lineTile(tile, { win: hasMark(state, "aside", seat, index) }))));
}

function laneRiver(view, seat, name) {
  const { state, round } = view.replay;
  const tiles = riverTiles(state, seat).map(({ tile, look }) =>
    look.taken === undefined ? lineTile(tile, look)
      : html("span", { class: "with" }, lineTile(tile, look),
        html("span", { class: `by player${look.taken}`, "aria-hidden": "true" }, windLetter(round, look.taken))));
  const text = tileNames(state.river[seat].map(({ tile }) => tile));
  return tileLine("river", `${name}, ${own("river")}: ${text}`, tiles, { "data-zone": "river", "data-seat": seat });
}

function laneCentre(view) {
  const { state, round } = view.replay;
  return html("div", { class: "lanecentre", "data-zone": "centre", "data-honba": state.honba, "data-sticks": state.sticks, "data-left": state.left },
    html("strong", {}, roundName(round)),
    html("span", {}, `${state.honba} ${own("honba")}`),
    html("span", {}, `${state.sticks} ${own("sticks")}`),
    state.left === null ? null : html("span", {}, leftText(state.left)),
    state.dora.length ? tileLine("dora", `${own("dora")}: ${tileNames(state.dora.filter(Boolean))}`,
      indicators(state.dora).map(({ tile, look }) => lineTile(tile, look)), { "data-zone": "dora" }) : null);
}

function drawLanes(view) {
  const { seats } = view.data;
  const { state, round } = view.replay;
  const lanes = range(seats).map((place) => {
    const seat = (view.seat + place) % seats;
    const name = playerName(view.data, round, seat);
    return html("div", { class: `lane player${seat}${seat === state.turn ? " turn" : ""}` },
      laneHead(view, seat, name), laneHand(view, seat, name), laneRiver(view, seat, name));
  });
  return html("div", { class: "lanes" }, laneCentre(view), lanes);
}
