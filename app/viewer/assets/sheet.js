// The sheet of results over the table: hand, yaku, points and payments of each win, or who was tenpai on what.

function resultHand(result) {
  const tiles = tilesOf(result.hand);
  const all = [...tiles, ...(result.melds || []).flatMap(meldTiles), ...(result.aside || []), ...(result.tile ? [result.tile] : [])];
  if (!all.length) return null;
  return tileLine("resulthand", tileNames(all), [
    tiles.map((tile) => lineTile(tile)),
    (result.melds || []).map((meld) => lineMeld(meld)),
    result.aside?.length ? html("span", { class: "meld" }, result.aside.map((tile) => lineTile(tile))) : null,
    result.tile ? [html("span", { class: "gap" }), lineTile(result.tile, { win: true })] : null,
  ]);
}

const turned = (tiles) => (tiles || []).filter((tile) => tile !== null);

function resultDora(result) {
  const lines = ["dora", "ura"].filter((kind) => turned(result[kind]).length).map((kind) =>
    html("span", { class: "indicators" }, html("span", {}, own(kind)),
      tileLine("small", `${own(kind)}: ${tileNames(turned(result[kind]))}`, turned(result[kind]).map((tile) => lineTile(tile)))));
  return lines.length ? html("div", { class: "doras" }, lines) : null;
}

const yakuWorth = ({ han, yakuman }) =>
  yakuman ? (yakuman > 1 ? `${word("limit.yakuman")} × ${yakuman}` : word("limit.yakuman")) : han === undefined ? "" : String(han);

// Payments: one arrow a payer, then what honba and sticks add to the points of the hand.
function payments(view, { pays, points, sticks }) {
  if (!pays?.length) return null;
  const name = (seat) => html("span", { class: `who ${colour(seat)}`, dir: "auto" }, shape(seat), playerName(view.data, seat));
  const honba = points === undefined ? 0 : pays.reduce((sum, [, , paid]) => sum + paid, -points);
  const more = [honba > 0 && view.replay.round.honba ? `${counted("honba", view.replay.round.honba)} ${signed(honba)}` : "",
    sticks ? `${counted("sticks", sticks / 1000)} ${signed(sticks)}` : ""].filter(Boolean).join(word("list"));
  return html("ul", { class: "pays" }, pays.map(([from, to, paid]) => html("li", {}, name(from),
    html("span", { class: "arrow" }, `${number(paid)} →`), name(to))), more ? html("li", { class: "more" }, more) : null);
}

function gainsLine(view, gains) {
  if (!gains?.some((gain) => gain)) return null;
  const { data, replay } = view;
  return html("ul", { class: "gains" }, gains.map((gain, seat) => html("li", { class: `player${seat}` },
    shape(seat),
    html("span", { class: "name", dir: "auto" }, playerName(data, seat)),
    html("span", { class: gain < 0 ? "loss" : gain > 0 ? "gain" : "" }, gain ? signed(gain) : "0"))));
}

function winSheet(view, result, talk) {
  const liable = result.liable === undefined ? null
    : html("p", { class: "quiet" }, `${own("liable")}: ${talk(result.liable)}`);
  return [
    resultHand(result),
    resultDora(result),
    result.yaku?.length ? html("ul", { class: "yaku" }, result.yaku.map((yaku) =>
      html("li", {}, html("span", {}, word(yaku.name)), html("span", { class: "han" }, yakuWorth(yaku))))) : null,
    result.value ? html("p", { class: "value" }, say(result.value, talk)) : null,
    result.worked ? html("p", { class: "quiet" }, own("worked")) : null,
    liable,
  ];
}

function drawSheet(view, result) {
  const seats = range(seatCount(view.replay.round));
  const round = view.replay.round;
  const rows = seats.filter((seat) => result.hands?.[seat] || result.tenpai?.[seat] !== null && result.tenpai?.[seat] !== undefined);
  return rows.map((seat) => {
    const hand = tilesOf(result.hands?.[seat]);
    const waits = result.waits?.[seat] || [];
    const state = result.tenpai?.[seat];
    return html("div", { class: `drawhand player${seat}` },
      shape(seat),
      html("span", { class: "name", dir: "auto" }, playerName(view.data, seat)),
      state === null || state === undefined ? null : html("span", { class: "quiet" }, own(state ? "tenpai" : "noten")),
      hand.length ? tileLine("small", tileNames(hand), hand.map((tile) => lineTile(tile))) : null,
      waits.length ? html("span", { class: "waits" }, own("waits"),
        tileLine("small", tileNames(waits), waits.map((tile) => lineTile(tile)))) : null);
  });
}

function resultSheet(view, result) {
  const talk = (seat) => playerName(view.data, seat);
  const body = result.kind === "win" ? winSheet(view, result, talk) : drawSheet(view, result);
  return html("section", { class: "result", "data-result": result.kind },
    html("h2", {}, say(result.title, talk)), body, payments(view, result),
    result.pays?.length ? null : gainsLine(view, result.gains));
}

const sheet = (view, name, ...parts) => html("div", { class: "sheet", role: "region", "aria-label": name, tabindex: 0 },
  html("button", { class: "close", type: "button", "aria-label": own("close"), onclick: () => view.closeSheet() }, icon("M6 6L18 18M18 6L6 18")), parts);

// The sheet of the first results of the round.
const resultsSheet = (view, count) =>
  sheet(view, own("result"), view.replay.round.results.slice(0, count).map((result) => resultSheet(view, result)));

// The sheet of the match: the players by their places, with their points, and the points after oka and uma.
function finalSheet(view) {
  const { data } = view;
  const points = lastPoints(data);
  const rank = data.final || points;
  const seats = range(data.seats).sort((one, other) => (rank[other] ?? -Infinity) - (rank[one] ?? -Infinity) || one - other);
  return sheet(view, own("final"), html("h2", {}, own("final")),
    html("table", { class: "places" }, html("thead", {}, html("tr", {}, html("td"), html("td"), html("th", { scope: "col" }, own("points")),
      data.final ? html("th", { scope: "col" }, own("settled")) : null)),
    html("tbody", {}, seats.map((seat, place) => html("tr", { class: colour(seat) }, html("td", {}, place + 1),
      html("th", { scope: "row" }, shape(seat), html("span", { class: "name", dir: "auto" }, playerName(data, seat))),
      html("td", {}, number(points[seat])), data.final ? html("td", {}, settlement(data.final[seat])) : null)))),
    drawGraph({ lines: data.graph.lines, name: own("graph") }));
}
