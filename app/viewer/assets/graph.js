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
