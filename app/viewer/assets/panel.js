// Beside the table: the list of rounds with the graph, the caption with its comments and findings, the opinions of programs
// that the record has, and the wall.

// A graph of points, one line a player. Players differ by colour, by the dashes of the line and by letter.

const DASHES = [null, "7 3", "2 3", "9 3 2 3", "4 4", "12 3"];
const GRAPH = { left: 52, right: 18, top: 8, bottom: 138, height: 150 };

// Round steps of the scale, so that it has two to five lines.
function scaleStep(span) {
  const size = 10 ** Math.floor(Math.log10(span));
  return [0.2, 0.5, 1, 2, 5].map((part) => part * size).find((step) => span / step <= 5) || size * 10;
}

function scaleOf(lines) {
  const values = lines.flat().filter((value) => value !== null);
  const low = Math.min(0, ...values);
  const high = Math.max(1, ...values);
  const step = scaleStep(high - low);
  const [bottom, top] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const y = (value) => GRAPH.bottom - ((value - bottom) / (top - bottom)) * (GRAPH.bottom - GRAPH.top);
  const count = Math.round((top - bottom) / step);
  return { y, ticks: range(count + 1).map((index) => bottom + index * step) };
}

function short(value) {
  const [unit, sign] = [[1e6, "M"], [1e3, "k"]].find(([size]) => Math.abs(value) >= 10 * size) || [1, ""];
  return number(value / unit) + sign;
}

// The path of a line; it breaks where points are not known.
function linePath(line, x, y) {
  let pen = "M";
  return line.map((value, index) => {
    const command = value === null ? "" : `${pen}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = value === null ? "M" : "L";
    return command;
  }).join("");
}

// The marks of the players at the ends of the lines, moved apart where they would overlap.
function endMarks(lines, x, y) {
  const ends = lines.map((line, seat) => {
    const index = line.findLastIndex((value) => value !== null);
    return index < 0 ? null : { seat, x: x(index) + 4, y: y(line[index]) + 4 };
  }).filter(Boolean).sort((one, other) => one.y - other.y);
  ends.forEach((end, index) => {
    if (index) end.y = Math.max(end.y, ends[index - 1].y + 12);
  });
  const over = ends.length ? Math.max(0, ends.at(-1).y - GRAPH.height + 2) : 0;
  return ends.map((end) => shape(end.seat, { x: end.x, y: end.y - over - 9, width: 10, height: 10 }));
}

// Draws the lines, `width` units wide. `choose` is called with the number of the interval that was clicked; `bars` are the first points
// of days, which get a vertical line.
function drawGraph({ lines, name, choose, width = 360, bars = [] }) {
  const right = width - GRAPH.right;
  const count = Math.max(...lines.map((line) => line.length), 2);
  const x = (index) => GRAPH.left + (index / (count - 1)) * (right - GRAPH.left);
  const { y, ticks } = scaleOf(lines);
  const band = svg("rect", { class: "band", x: 0, y: GRAPH.top, width: x(1) - x(0), height: GRAPH.bottom - GRAPH.top });
  const clicked = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM().inverse());
    const index = Math.floor(((point.x - GRAPH.left) / (right - GRAPH.left)) * (count - 1));
    choose(Math.min(Math.max(index, 0), count - 2));
  };
  const root = svg("svg", { class: "graph", viewBox: `0 0 ${width} ${GRAPH.height}`, role: "img", "aria-label": name,
    onclick: choose ? clicked : null },
    choose ? band : null,
    bars.map((index) => svg("path", { class: "bar", d: `M${x(index)} ${GRAPH.top}V${GRAPH.bottom}` })),
    ticks.map((tick) => [
      svg("path", { class: "tick", d: `M${GRAPH.left} ${y(tick)}H${right}` }),
      svg("text", { x: GRAPH.left - 4, y: y(tick) + 4, "text-anchor": "end" }, short(tick))]),
    lines.map((line, seat) => svg("path", { class: `line ${colour(seat)}`, d: linePath(line, x, y), "stroke-dasharray": DASHES[seat % 6] })),
    svg("g", {}, endMarks(lines, x, y)));
  root.mark = (index) => band.setAttribute("x", x(index));
  return root;
}

// The names beside the lines, with the points of each player at the end, and the points after oka and uma if they are known.
function graphLegend(data, points, settled = []) {
  return html("ul", { class: "legend" }, range(data.seats).map((seat) => html("li", { class: colour(seat) },
    svg("svg", { class: "sample", viewBox: "0 0 26 8", "aria-hidden": "true" },
      svg("path", { class: `line ${colour(seat)}`, d: "M1 4H25", "stroke-dasharray": DASHES[seat % 6] })),
    shape(seat),
    html("span", { class: "name", dir: "auto" }, playerName(data, seat)),
    html("span", { class: "points" }, points?.[seat] ?? ""),
    settled[seat] === undefined ? null : html("span", { class: "settled", title: own("settled") }, settled[seat]))));
}

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

// A game of riichi is a match of many rounds, and has another word than a game by Hong Kong rules.
const RIICHI_WORDS = { graphGames: "graphMatches", byGame: "byMatch", games: "matches", game: "match" };
const ofGames = (data, key) => (data.standings?.columns.includes("score.average_place") ? RIICHI_WORDS[key] : key);

function daysTable(data) {
  return html("table", { class: "scores" }, html("caption", {}, own("byDay")),
    scoreHead(data, [own("day"), own(ofGames(data, "games"))]),
    html("tbody", {}, data.table.days.map((day) => html("tr", {},
      html("th", { scope: "row" }, day.date || "–"), html("td", {}, day.games), scoreCells(day.gains)))),
    html("tfoot", {}, html("tr", {}, html("th", { scope: "row" }, own("sum")), html("td", {}, data.table.games.length),
      scoreCells(data.table.days.at(-1)?.sums || []))));
}

function gamesTable(data) {
  const name = (seat) => playerName(data, seat);
  return html("table", { class: "scores games" }, html("caption", {}, own(ofGames(data, "byGame"))),
    scoreHead(data, [own(ofGames(data, "game")), own("result")]),
    html("tbody", {}, data.table.games.map((game) => html("tr", {},
      html("th", { scope: "row" }, game.label),
      html("td", { class: "brief" }, html("span", { dir: "auto" }, say(game.brief, name)),
        (game.notes || []).map((note) => noteLine(note, name))),
      scoreCells(game.gains)))));
}

// A number with two decimals at most.
const rounded = (text) => exact(/\.\d{3}/.test(text) ? Number(text).toFixed(2) : text);

// The games of a page of several: a button that opens each, and its players by their places with their points.
function playsTable(data) {
  const { games } = data.table;
  const placed = ({ brief: [key, seats], gains }) => (key === "game.places" ? seats
    : range(data.seats).filter((seat) => gains?.[seat] != null).sort((one, other) => gains[other] - gains[one]));
  return html("table", { class: "scores plays" }, html("caption", {}, own("matches")),
    html("thead", {}, html("tr", {}, [own("match"), ...data.places.map(word)].map((text) => html("th", { scope: "col" }, text)))),
    html("tbody", {}, games.map((game, index) => html("tr", {},
      html("th", { scope: "row" }, html("button", { type: "button", class: "open", onclick: () => goGame(index + 1) }, icon(ICONS.play), game.label), game.date ? html("small", { class: "quiet" }, game.date) : null),
      placed(game).length ? placed(game).map((seat) => html("td", {}, html("span", { class: "name", dir: "auto" }, playerName(data, seat)), " ", html("span", {}, exact(game.gains[seat]))))
        : html("td", { colspan: data.places.length }, say(game.brief))))));
}

// The standings. On a telephone they are two tables, one below the other. A column of false wins is there if there were any.
function standingsTables({ columns, rows }) {
  const all = range(columns.length).filter((at) => at && (columns[at] !== "score.chombo" || rows.some((row) => row[at] !== "0")));
  const most = PHONE.matches ? 6 : all.length;
  return range(Math.ceil(all.length / most)).map((part) => all.slice(part * most, (part + 1) * most)).map((shown, part) =>
    html("table", { class: "scores" }, part ? null : html("caption", {}, own("standings")),
      html("thead", {}, html("tr", {}, [0, ...shown].map((at) => html("th", { scope: "col" }, word(columns[at]))))),
      html("tbody", {}, rows.map((row) => html("tr", {},
        html("th", { scope: "row" }, html("span", { class: "name", dir: "auto" }, row[0])),
        shown.map((at) => html("td", { class: row[at].startsWith("-") ? "loss" : null }, rounded(row[at]))))))));
}

// The games with which a new day begins.
const dayBars = (games) => range(games.length).filter((index) => index && games[index].date !== games[index - 1].date);

function drawScores(data) {
  if (!data.table) return html("main", { class: "results" }, html("p", { class: "message" }, own("empty")));
  const scroll = (name, table) => html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, table);
  const sums = data.table.days.at(-1)?.sums || [];
  return html("main", { class: "results" },
    data.plays ? scroll(own("matches"), playsTable(data)) : null,
    data.standings ? scroll(own("standings"), standingsTables(data.standings)) : null,
    drawGraph({ lines: data.table.lines, name: own(ofGames(data, "graphGames")), width: NARROW.matches ? 360 : 720, bars: dayBars(data.table.games) }),
    graphLegend(data, sums.map(exact)),
    html("div", { class: "notes" }, (data.notes || []).map((note) => noteLine(note, (seat) => playerName(data, seat)))),
    data.plays ? null : [scroll(own("byDay"), daysTable(data)), scroll(own(ofGames(data, "byGame")), gamesTable(data))], creditLine(data));
}

const WARNING = "M12 3L2 21H22zM12 10V15M12 18V18.5";

function roundsList(view) {
  const { data } = view;
  const items = data.rounds.map((round, index) => {
    const name = (seat) => playerName(data, seat);
    const found = round.findings?.length || round.steps.some(JUMPS.finding);
    return html("li", {}, html("button", { type: "button", "data-round": index, onclick: () => view.openRound(index) },
      html("span", { class: "label" }, roundLabel(round)),
      html("span", { class: "brief", dir: "auto" }, view.quiet ? "" : round.brief.map((sentence) => say(sentence, name)).join(word("list"))),
      found ? html("span", { class: "warn", role: "img", "aria-label": own("finding") }, icon(WARNING)) : null));
  });
  const final = html("button", { type: "button", onclick: () => view.goFinal() }, own("final"));
  return html("nav", { class: "rounds", "aria-label": own("rounds") }, html("ol", {}, items, html("li", {}, final)));
}

// The events of the round, each with a jump to its step: riichi, calls, kans and wins.
function eventButtons(view) {
  const { data, replay } = view;
  const talk = (seat) => seatName(data, replay.round, seat, view.names);
  return replay.round.steps.map((step, index) => [step, index]).filter(([{ kind }]) => [...CALLS, "riichi", "win"].includes(kind)).map(([{ kind, actor, caption }, index]) =>
    html("button", { type: "button", "data-step": index, title: say(caption, talk), onclick: () => view.goStep(index) }, shape(actor), word(`call.${kind}`)));
}

// Points after oka and uma, in thousands, as platforms show them.
const settlement = (points) => signed(Math.round(points / 100) / 10);

const lastPoints = (data) => data.graph.lines.map((line) => line.findLast((value) => value !== null));

function pointsGraph(view) {
  const { data } = view;
  if (!data.graph?.lines.some((line) => line.some((value) => value !== null))) return null;
  const root = drawGraph({ lines: data.graph.lines, name: own("graph"), choose: view.openRound });
  const box = html("section", { class: "pointsbox", "aria-label": own("graph") }, root, graphLegend(data, lastPoints(data).map((points) => number(points)), (data.final || []).map(settlement)));
  box.mark = root.mark;
  return box;
}

const seconds = (ms) => `${(ms / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} s`;

// A note's words: who, and what. A comment is its own text.
function noteLine(note, talk) {
  const who = note.seat === undefined ? "" : `${talk(note.seat)}: `;
  if (note.kind === "comment") return html("p", { class: "note comment", dir: "auto" }, who + note.text);
  return html("p", { class: "note", dir: "auto" }, `${who}${word(`note.${note.kind}`)} ${note.ms === undefined ? note.text ?? "" : seconds(note.ms)}`);
}

const findingLine = (finding) =>
  html("p", { class: `finding ${finding.severity}` }, icon(WARNING), html("strong", {}, `${finding.code} ${finding.name}`), ` ${finding.text}`);

// Notes of the match before a round are shown with the deal of this round.
function notesNow(view) {
  const { data, replay, index } = view;
  const before = replay.step ? [] : (data.notes || []).filter((note) => (note.round || 0) === index);
  const after = index === data.rounds.length - 1 && replay.step === replay.last
    ? (data.notes || []).filter((note) => note.round > index) : [];
  return [...before, ...(replay.now.notes || []), ...after];
}

function findingsNow(view) {
  const { data, replay } = view;
  const general = replay.step ? [] : [...(data.findings || []), ...(replay.round.findings || [])];
  return [...general, ...(replay.now.findings || [])];
}

function drawNotes(view) {
  const talk = (seat) => seatName(view.data, view.replay.round, seat, view.names);
  return [...findingsNow(view).map(findingLine), ...notesNow(view).map((note) => noteLine(note, talk))];
}

// The head of the record: date, place, rules.
const headLines = (data) => data.head.map(([key, fact]) => html("div", {}, html("dt", {}, word(key)), html("dd", { dir: "auto" }, say(fact))));

const DIGITS = { q: 2, rank: 3, points: 0, value: 2 };
const MOST_DIFFERENCES = 20;

const choiceName = ([act, tiles]) => [act && word(act), tileNames(tiles)].filter(Boolean).join(" ");
const worth = (unit, value, more = 0) => value.toFixed(DIGITS[unit] + more).replace("-", "−");
// The play is compared with the answer of the program, or else with the best of its values.
const differs = ({ taken, answered = 0, illegal }) => Boolean(illegal) || (taken !== undefined && taken !== answered);
// The distance of the two values; -1 where one of them is not known.
const difference = ({ values, taken, answered = 0 }) => (taken < values.length && answered < values.length ? Math.abs(values[answered] - values[taken]) : -1);

// A choice as a bar over its tiles, whose length is between those of the worst and the best choice.
function choiceBar({ unit, values, taken, answered, choices }, index) {
  const [best, worst] = [values[0], values.at(-1)];
  const [act, tiles] = choices[index];
  const length = best === worst ? 1 : (values[index] - worst) / (best - worst);
  const marks = [index === taken && "taken", index === answered && "answered"].filter(Boolean);
  return html("li", { class: marks.join(" ") || null },
    svg("svg", { class: "amount", viewBox: "0 0 10 20", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { x: 0, y: 19 * (1 - length), width: 10, height: 20 })),
    html("span", { class: "tiles small", "aria-hidden": "true" }, tiles.map((tile) => lineTile(tile)), act ? html("b", {}, word(act)) : null),
    html("span", { class: "unseen" }, [choiceName(choices[index]), ...marks.map(own)].join(", ")),
    html("small", {}, worth(unit, values[index])));
}

// The values of a hand that is face down are hidden.
const shownOpinions = ({ hidden, seat }, opinions = []) => opinions.filter((opinion) => !hidden || opinion.seat === seat);

// The opinions at this step, those about the viewed seat first.
function drawOpinions(view) {
  const { replay, seat } = view;
  const talk = (who) => seatName(view.data, replay.round, who, view.names);
  return shownOpinions(view, replay.now.opinions).sort((one, other) => (other.seat === seat) - (one.seat === seat)).map((opinion) => html("div", { class: "opinion" },
    html("span", { class: opinion.illegal ? "quiet illegal" : "quiet", dir: "auto" }, shape(opinion.seat), " ", opinion.line ? say(opinion.line, talk) : talk(opinion.seat), opinion.unit ? ` · ${own(opinion.unit)}` : ""),
    opinion.values.length ? html("ul", {}, range(opinion.values.length).map((index) => choiceBar(opinion, index))) : null));
}

// All opinions of a match that are shown, in the order of the game.
const everyOpinion = (view) => view.data.rounds.flatMap((round, index) => round.steps.flatMap(({ opinions }, step) =>
  shownOpinions(view, opinions).map((opinion) => ({ round, index, step, opinion }))));

// Where the play differs: answers against the rules, then the largest distances. Values of several units do not compare. All answers are in the list.
function differences(all) {
  const found = all.filter(({ opinion }) => differs(opinion)).sort(({ opinion: one }, { opinion: other }) =>
    Boolean(other.illegal) - Boolean(one.illegal) || (one.unit || "").localeCompare(other.unit || "") || difference(other) - difference(one));
  let room = MOST_DIFFERENCES;
  return found.filter(({ opinion }) => opinion.answered !== undefined || room-- > 0);
}

// How often each program and the player of a seat agree, and how many answers are against the rules.
function agreements(view, all) {
  const groups = {};
  for (const one of all) (groups[`${one.opinion.seat} ${one.opinion.name || ""}`] ||= []).push(one);
  return Object.values(groups).map((group) => {
    const [{ opinion: { seat, name } }] = group;
    const known = group.filter(({ opinion }) => opinion.taken !== undefined);
    const same = known.filter(({ opinion }) => !differs(opinion)).length;
    const illegal = group.filter(({ opinion }) => opinion.illegal).length;
    const part = known.length ? `${Math.round((100 * same) / known.length)}% (${same}/${known.length})` : "–";
    return html("p", { class: "agreement" }, shape(seat), html("span", { class: "name", dir: "auto" }, name || playerName(view.data, seat)),
      html("span", {}, `${own("agreement")} ${part}`), illegal ? html("span", { class: "illegal" }, `${own("illegal")}: ${illegal}`) : null);
  });
}

function differencesList(view) {
  const all = everyOpinion(view);
  if (!all.length) return null;
  const title = own(all.some(({ opinion }) => opinion.answered !== undefined) ? "otherwise" : "differences");
  const items = differences(all).map(({ round, index, step, opinion }) => html("li", {},
    html("button", { type: "button", onclick: () => view.show(index, step) },
      html("span", { class: "label" }, roundLabel(round)), shape(opinion.seat),
      html("span", { class: "brief" }, [opinion.taken, opinion.answered ?? 0].filter((place) => place !== undefined).map((place) => choiceName(opinion.choices[place])).join(" → ")),
      opinion.illegal ? html("span", { class: "illegal" }, own("illegal")) : null,
      html("span", { class: "points" }, difference(opinion) < 0 ? "" : worth(opinion.unit, difference(opinion), 1)))));
  return html("nav", { class: "rounds differences", "aria-label": title }, agreements(view, all),
    items.length ? [html("h2", {}, title), html("ol", {}, items)] : null);
}

// The tiles of a wall: who got each, at which step, its part of the dead wall, and how many draws its player had made then.
function wallTiles({ tiles, seat, step, role }) {
  const counts = {};
  return tilesOf(tiles).map((tile, index) => {
    const [who, came] = [seat[index], step[index]];
    if (came) counts[who] = (counts[who] || 0) + 1;
    return { tile, who, came, role: role[index], count: came ? counts[who] : "" };
  });
}

// A sentence about a tile of the wall: its name, the player who got it, and the step.
function wallText(view, { tile, who, came, role }) {
  const name = who === null ? "" : seatName(view.data, view.replay.round, who, view.names);
  const got = who === null ? (role ? "" : own("never")) : came ? `${own("came")} ${came}: ${name}` : `${own("dealt")} ${name}`;
  return [tileName(tile), role ? `${own(role[0])} ${role[1]}` : "", got].filter(Boolean).join(", ");
}

function wallLabel(round, { who, role, count }) {
  if (role) return `${{ dora: "D", ura: "U", replacement: "R" }[role[0]]}${role[1]}`;
  return who === null ? "" : `${windLetter(round, who)}${count}`;
}

// Draws the wall of a round. Its tiles are one stop of Tab; Shift and an arrow move among them.
function drawWall(view) {
  const { round } = view.replay;
  if (!round.wall) return html("p", { class: "quiet" }, own("never"));
  const { dealt, dead } = round.wall;
  const info = html("p", { class: "wallinfo", role: "status" });
  const tiles = wallTiles(round.wall);
  const cells = tiles.map((tile, index) => {
    const [label, text] = [wallLabel(round, tile), wallText(view, tile)];
    const show = () => info.replaceChildren(text);
    return html("button", {
      class: `cell${tile.who === null ? "" : ` player${tile.who}`}`, type: "button", tabindex: index ? -1 : 0,
      // The name begins with the visible text, so that voice control finds it.
      "data-index": index, "aria-label": `${label} ${text}`.trim(), onmouseenter: show, onfocus: show,
      onclick: () => tile.came !== null && view.goStep(tile.came),
    }, lineTile(tile.tile), html("span", { class: "when", "aria-hidden": "true" }, label));
  });
  const part = (name, from, to) => (from < to ? html("div", { class: "cells", role: "group", "aria-label": name },
    html("span", { class: "quiet", "aria-hidden": "true" }, name), cells.slice(from, to)) : null);
  const root = html("div", { class: "walls", onkeydown: (event) => moveInWall(event, cells) },
    part(own("deal"), 0, dealt), part(own("wall"), dealt, dead ?? tiles.length), part(own("deadWall"), dead ?? tiles.length, tiles.length), info);
  root.update = (step) => cells.forEach((cell, index) => {
    const { came } = tiles[index];
    cell.classList.toggle("came", came !== null && came <= step);
    cell.classList.toggle("now", came === step && step > 0);
  });
  return root;
}

function moveInWall(event, cells) {
  const moves = { ArrowLeft: -1, ArrowRight: 1 };
  const from = cells.indexOf(document.activeElement);
  if (from < 0 || !event.shiftKey || !(event.key in moves)) return;
  event.preventDefault();
  event.stopPropagation();
  const to = cells[from + moves[event.key]];
  if (!to) return;
  cells[from].tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}
