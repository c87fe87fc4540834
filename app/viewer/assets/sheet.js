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

function winSheet(view, result, talk) {
  return [
    resultHand(result),
    resultDora(result),
    result.yaku?.length ? html("ul", { class: "yaku" }, result.yaku.map((yaku) =>
      html("li", {}, html("span", {}, word(yaku.name)), html("span", { class: "han" }, yakuWorth(yaku))))) : null,
    result.value ? html("p", { class: "value" }, say(result.value, talk)) : null,
    result.worked ? html("p", { class: "quiet" }, own("worked")) : null,
    result.liable === undefined ? null : html("p", { class: "quiet" }, `${own("liable")}: ${talk(result.liable)}`),
  ];
}

function drawSheet(view, result) {
  const seats = range(seatCount(view.replay.round));
  return seats.filter((seat) => result.hands[seat] || result.tenpai[seat] !== null || result.gains?.[seat]).map((seat) => {
    const hand = tilesOf(result.hands[seat]);
    const waits = result.waits[seat] || [];
    const state = result.tenpai[seat];
    const gain = result.gains?.[seat];
    return html("div", { class: `drawhand player${seat}` },
      shape(seat),
      html("span", { class: "name", dir: "auto" }, playerName(view.data, seat)),
      state === null ? null : html("span", { class: "quiet" }, own(state ? "tenpai" : "noten")),
      gain ? html("span", { class: gain < 0 ? "loss" : "gain" }, signed(gain)) : null,
      hand.length ? tileLine("small", tileNames([...hand, ...result.melds[seat].flatMap(meldTiles)]), [hand.map((tile) => lineTile(tile)), result.melds[seat].map((meld) => lineMeld(meld))]) : null,
      waits.length ? html("span", { class: "waits" }, own("waits"),
        tileLine("small", tileNames(waits), waits.map((tile) => lineTile(tile)))) : null);
  });
}

function resultSheet(view, result) {
  const talk = (seat) => playerName(view.data, seat);
  const body = result.kind === "win" ? winSheet(view, result, talk) : drawSheet(view, result);
  return html("section", { class: "result", "data-result": result.kind },
    html("h2", {}, say(result.title, talk)), body, payments(view, result));
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

// Print: a round a page, as a kyoku sheet. A line of draws and a line of discards for each player, turn by turn.

const TURNS_A_LINE = 20;

// A tile in the columns of turns, as a short word: some hundreds of drawings would make a print slow and large.
const tileCode = (tile) => tile.replace(/^5(.)r$/, "0$1").replace(/^[ESWNHV]$/, (wind) => own(`winds.${wind}`));

function turnCell(act, round) {
  if (!act) return html("td");
  if (act.call) {
    const from = act.from === undefined ? "" : windLetter(round, act.from);
    return html("td", { "data-tile": act.tile }, html("small", {}, word(act.call), " ", from), tileCode(act.tile));
  }
  return html("td", { class: act.taken === undefined ? null : "gone", "data-tile": act.tile }, act.riichi ? html("small", {}, own("riichi")) : null,
    act.drawn ? html("small", {}, "↓") : null, tileCode(act.tile),
    act.taken === undefined ? null : html("small", {}, "→", windLetter(round, act.taken)));
}

// The turns of each seat: the tile drawn or called, kans and tiles set aside after it, and the discard. `n` is the row
// of the sheet. A row has at most one turn of each player, from the dealer on.
function turnsOf(round) {
  const end = new Replay(round);
  end.go(end.last);
  const seats = seatCount(round);
  const found = range(seats).map(() => []);
  const discards = Array(seats).fill(0);
  let [row, last] = [0, -1];
  for (const { kind, actor, caption } of round.steps) {
    if (![...CALLS, "draw", "aside", "discard"].includes(kind)) continue;
    const turns = found[actor];
    const begins = ["draw", "chi", "pon", "kan"].includes(kind);
    if (!turns.length || (begins && !caption[0].startsWith("draw.replacement"))) {
      const place = (actor - round.dealer + seats) % seats;
      if (last >= place) row += 1;
      last = place;
      turns.push({ n: row, more: [] });
    }
    const turn = turns.at(-1);
    const got = { tile: caption[2] ?? "?", call: kind === "draw" ? undefined : `call.${kind}`, from: kind === "chi" ? (actor + seats - 1) % seats : kind === "draw" ? undefined : caption[3] };
    if (kind === "discard") turn.out = end.state.river[actor][discards[actor]++];
    else if (begins && !turn.got) turn.got = got;
    else turn.more.push(got);
  }
  return found;
}

function turnLines(round, turns) {
  const most = turns.reduce((row, turn) => Math.max(row, turn.n), 0);
  const byNumber = new Map(turns.map((turn) => [turn.n, turn]));
  const from = turns.length && turns[0].n === 0 ? 0 : 1;
  const lines = [];
  for (let start = from; start <= most; start += TURNS_A_LINE) {
    const numbers = range(Math.min(TURNS_A_LINE, most - start + 1)).map((index) => start + index);
    const more = numbers.some((n) => byNumber.get(n)?.more.length);
    lines.push(html("table", { class: "turns" },
      html("tr", {}, html("th", { scope: "row" }, own("draw")), numbers.map((n) => turnCell(byNumber.get(n)?.got, round))),
      more ? html("tr", {}, html("th", { scope: "row" }, "+"), numbers.map((n) => html("td", {},
        (byNumber.get(n)?.more || []).map((act) => [act.call ? html("small", {}, word(act.call)) : null, tileCode(act.tile)])))) : null,
      html("tr", {}, html("th", { scope: "row" }, own("discard")), numbers.map((n) => turnCell(byNumber.get(n)?.out, round)))));
  }
  return lines;
}

function kyokuPlayer(view, round, seat, turns) {
  const { data } = view;
  return html("section", { class: `kyokuplayer ${colour(seat)}` },
    html("h3", {},
      html("span", { class: seat === round.dealer ? "wind dealer" : "wind" }, windLetter(round, seat)),
      html("span", { class: "name", dir: "auto" }, playerName(data, seat)),
      html("span", {}, [round.points?.[seat], round.after?.[seat]].filter((points) => points !== null && points !== undefined)
        .map(number).join(" → "))),
    html("div", { class: "tiles" }, tilesOf(round.state.hands[seat]).map((tile) => lineTile(tile))),
    turnLines(round, turns[seat]));
}

function kyokuComments(view, round, talk) {
  const notes = round.steps.flatMap((step, index) => (step.notes || []).filter((note) => note.kind === "comment")
    .map((note) => html("li", { dir: "auto" }, `${index}: `, note.seat === undefined ? "" : `${talk(note.seat)}: `, note.text)));
  return notes.length ? html("ul", { class: "comments" }, notes) : null;
}

function kyokuSheet(view, round, first) {
  const turns = turnsOf(round);
  const named = { ...view, replay: { round, state: round.state }, names: true };
  const talk = (seat) => playerName(view.data, seat);
  const dora = (round.results.at(-1)?.dora || round.state.dora).filter((tile) => tile !== null);
  return html("article", { class: seatCount(round) > 4 ? "kyoku many" : "kyoku" },
    html("h2", {}, html("span", { dir: "auto" }, view.data.title), html("span", {}, say(round.title, talk))),
    first ? html("dl", { class: "about" }, headLines(view.data)) : null,
    html("p", { class: "kyokuhead" },
      dora.length ? [own("dora"), html("span", { class: "tiles" }, dora.map((tile) => lineTile(tile)))] : null,
      round.dice ? html("span", {}, `${own("dice")} ${round.dice.join("+")}`) : null,
      round.state.sticks ? html("span", {}, counted("sticks", round.state.sticks)) : null),
    range(seatCount(round)).map((place) => kyokuPlayer(named, round, (place + round.dealer) % seatCount(round), turns)),
    html("div", { class: "kyokuresults" }, round.results.map((result) => resultSheet(named, result))),
    kyokuComments(view, round, talk));
}

// The sheets of all rounds, or of the one that the reader asked for.
const drawPrint = (view) => view.data.rounds.map((round, index) => [round, index])
  .filter(([, index]) => view.printed === undefined || index === view.printed)
  .map(([round, index]) => kyokuSheet(view, round, index === (view.printed ?? 0)));
