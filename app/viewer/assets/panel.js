// Beside the table: the list of rounds with the graph, the caption with its comments and findings, and the wall.

const WARNING = "M12 3L2 21H22zM12 10V15M12 18V18.5";

function roundsList(view) {
  const { data } = view;
  const items = data.rounds.map((round, index) => {
    const name = (seat) => playerName(data, seat);
    const found = round.findings?.length || round.steps.some((step) => step.findings);
    return html("li", {}, html("button", { type: "button", "data-round": index, onclick: () => view.openRound(index) },
      html("span", { class: "label" }, roundLabel(round)),
      html("span", { class: "brief", dir: "auto" }, round.brief.map((sentence) => say(sentence, name)).join(word("list"))),
      found ? html("span", { class: "warn", role: "img", "aria-label": own("finding") }, icon(WARNING)) : null));
  });
  const final = html("button", { type: "button", onclick: () => view.goFinal() }, own("final"));
  return html("nav", { class: "rounds", "aria-label": own("rounds") }, html("ol", {}, items, html("li", {}, final)));
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
