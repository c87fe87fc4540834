// A record of results alone: the points of each game and day, exact as the record has them, and their graph.

// An exact text with the sign for minus. A player who does not take part has none.
const exact = (text) => (text === null ? "" : text.replace("-", "−"));

function scoreHead(data, columns) {
  return html("thead", {}, html("tr", {}, columns.map((text) => html("th", { scope: "col" }, text)),
    range(data.seats).map((seat) => html("th", { scope: "col", class: colour(seat) },
      html("span", { class: "name", dir: "auto" }, playerName(data, seat))))));
}

const scoreCells = (values) => values.map((value) =>
  html("td", { class: value?.startsWith("-") ? "loss" : value === "0" ? null : "gain" }, exact(value)));

function daysTable(data) {
  return html("table", { class: "scores" }, html("caption", {}, own("byDay")),
    scoreHead(data, [own("day"), own("games")]),
    html("tbody", {}, data.table.days.map((day) => html("tr", {},
      html("th", { scope: "row" }, day.date || "–"), html("td", {}, day.games), scoreCells(day.gains)))),
    html("tfoot", {}, html("tr", {}, html("th", { scope: "row" }, own("sum")), html("td", {}, data.table.games.length),
      scoreCells(data.table.days.at(-1)?.sums || []))));
}

function gamesTable(data) {
  const name = (seat) => playerName(data, seat);
  return html("table", { class: "scores games" }, html("caption", {}, own("byGame")),
    scoreHead(data, [own("game"), own("result")]),
    html("tbody", {}, data.table.games.map((game) => html("tr", {},
      html("th", { scope: "row" }, game.label),
      html("td", { class: "brief" }, html("span", { dir: "auto" }, say(game.brief, name)),
        (game.notes || []).map((note) => noteLine(note, name))),
      scoreCells(game.gains)))));
}

// The games with which a new day begins.
const dayBars = (games) => range(games.length).filter((index) => index && games[index].date !== games[index - 1].date);

function drawScores(data) {
  if (!data.table) return html("main", { class: "results" }, html("p", { class: "message" }, own("empty")));
  const scroll = (name, table) => html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, table);
  const sums = data.table.days.at(-1)?.sums || [];
  return html("main", { class: "results" },
    drawGraph({ lines: data.table.lines, name: own("graphGames"), width: NARROW.matches ? 360 : 720, bars: dayBars(data.table.games) }),
    graphLegend(data, sums.map(exact)),
    html("div", { class: "notes" }, (data.notes || []).map((note) => noteLine(note, (seat) => playerName(data, seat)))),
    scroll(own("byDay"), daysTable(data)),
    scroll(own("byGame"), gamesTable(data)));
}
