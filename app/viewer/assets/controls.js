// Buttons, the slider, keys, wheel and touch. Each calls an action of the view by its name.

const ICONS = {
  first: "M6 5V19M19 5L9 12L19 19Z", last: "M18 5V19M5 5L15 12L5 19Z",
  previousRound: "M12 5L4 12L12 19ZM20 5L12 12L20 19Z", nextRound: "M12 5L20 12L12 19ZM4 5L12 12L4 19Z",
  back: "M16 5L7 12L16 19Z", forward: "M8 5L17 12L8 19Z", play: "M7 4L20 12L7 20Z", stop: "M7 5H10V19H7ZM14 5H17V19H14Z",
  hands: "M4 6H9V18H4ZM10 6H15V18H10ZM16 6H21V18H16Z", seat: "M5 12A7 7 0 1 1 12 19M12 19L15 16M12 19L15 22",
  names: "M12 4A4 4 0 1 1 12 12A4 4 0 1 1 12 4M4 21C4 12 20 12 20 21Z", wall: "M3 5H21V11H3ZM3 13H21V19H3ZM9 5V11M15 5V11M9 13V19M15 13V19",
  help: "M8 9C8 3 16 3 16 8C16 12 12 11 12 15M12 19V19.5",
};

// What each key does: an action of the view and its argument.
const KEYS = {
  ArrowRight: ["move", 1], ArrowLeft: ["move", -1], ArrowDown: ["ownDiscard", 1], ArrowUp: ["ownDiscard", -1],
  PageDown: ["moveRound", 1], PageUp: ["moveRound", -1], Home: ["goStep", 0], End: ["goStep", Infinity], " ": ["togglePlay"],
  "+": ["faster", 1], "=": ["faster", 1], "-": ["faster", -1], "−": ["faster", -1], h: ["toggle", "hidden"], w: ["toggle", "wall"],
  n: ["toggle", "names"], s: ["nextSeat"], l: ["nextLanguage"], "?": ["help"], Escape: ["closeSheet"],
  r: ["jump", "riichi", 1], c: ["jump", "call", 1], f: ["jump", "finding", 1],
  R: ["jump", "riichi", -1], C: ["jump", "call", -1], F: ["jump", "finding", -1],
};

const CALLS = ["chi", "pon", "kan", "kakan", "ankan"];
const JUMPS = {
  riichi: (step) => step.kind === "riichi",
  call: (step) => CALLS.includes(step.kind),
  finding: (step) => Boolean(step.findings),
};

const button = (name, action, attributes) =>
  html("button", { type: "button", class: name, "aria-label": own(name), title: own(name), onclick: action, ...attributes }, icon(ICONS[name]));

// The marks over the slider: where there is a riichi, a win, a comment or a finding.
function sliderMarks(replay) {
  const kind = (step) => (step.findings ? "finding" : step.notes?.some((note) => note.kind === "comment") ? "comment"
    : step.kind === "riichi" || step.kind === "win" ? step.kind : null);
  const marks = replay.round.steps.map((step, index) => [kind(step), index]).filter(([name]) => name);
  return svg("svg", { class: "marks", viewBox: `0 0 ${Math.max(replay.last, 1)} 1`, preserveAspectRatio: "none", "aria-hidden": "true" },
    marks.map(([name, index]) => svg("path", { class: name, d: `M${index} 0V1` })));
}

function drawControls(view) {
  const slider = html("input", { type: "range", min: 0, max: view.replay.last, value: view.replay.step, "aria-label": own("step"),
    oninput: (event) => view.goStep(Number(event.target.value)) });
  const count = html("span", { class: "count" });
  const track = html("div", { class: "track" }, sliderMarks(view.replay), slider);
  const play = button("play", () => view.togglePlay());
  const root = html("section", { class: "controls", "aria-label": own("controls") },
    html("div", { class: "buttons" },
      button("previousRound", () => view.moveRound(-1)), button("first", () => view.goStep(0)), button("back", () => view.move(-1)), play,
      button("forward", () => view.move(1)), button("last", () => view.goStep(Infinity)), button("nextRound", () => view.moveRound(1))),
    track, count);
  root.update = () => {
    const { step, last } = view.replay;
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} / ${last}`);
    count.textContent = `${step} / ${last}`;
    const name = view.timer ? "stop" : "play";
    play.replaceChildren(icon(ICONS[name]));
    play.setAttribute("aria-label", own(name));
    play.title = own(name);
  };
  return root;
}

// The switches in the head of the page. A switch knows whether it is on.
function drawToggles(view) {
  const switched = (name, key, on) => button(name, () => view.toggle(key), { "aria-pressed": String(on) });
  const playing = view.data.kind === "play";
  return html("div", { class: "toggles", role: "group", "aria-label": own("switches") },
    playing ? [switched("hands", "hidden", !view.hidden), button("seat", () => view.nextSeat()),
      switched("names", "names", view.names),
      view.data.rounds.some((round) => round.wall) ? switched("wall", "wall", view.wall) : null,
      button("help", () => view.help())] : null,
    html("select", { "aria-label": own("language"), onchange: (event) => view.setLanguage(event.target.value) },
      Object.entries(LANGUAGES).map(([code, name]) => html("option", { value: code, lang: code, selected: code === language }, name))));
}

function helpDialog() {
  const dialog = html("dialog", { class: "keys", "aria-label": own("help"), onclose: () => dialog.remove() },
    html("h2", {}, own("help")),
    html("dl", {}, Object.entries(own("keys")).map(([keys, text]) => html("div", {}, html("dt", {}, html("kbd", {}, keys)), html("dd", {}, text)))),
    html("button", { type: "button", onclick: () => dialog.close() }, own("close")));
  return dialog;
}

function listenKeys(view) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.matches("select, input") && event.key !== "?" && !/^[a-z]$/i.test(event.key)) return;
    if (target.matches("button, .sheet") && [" ", "Enter"].includes(event.key)) return;
    const [action, ...values] = KEYS[event.key] || [];
    if (!action || !view[action]) return;
    event.preventDefault();
    view[action](...values);
  });
}

const canScroll = (element, down) =>
  element && (down > 0 ? element.scrollTop + element.clientHeight < element.scrollHeight - 1 : element.scrollTop > 0);

// The wheel steps over the table, unless something under it can scroll. A swipe steps too.
function listenStage(stage, view) {
  let turned = 0;
  stage.addEventListener("wheel", (event) => {
    if (event.ctrlKey || !view.square || canScroll(event.target.closest(".sheet"), event.deltaY)) return;
    event.preventDefault();
    turned += event.deltaY * (event.deltaMode ? 30 : 1);
    if (Math.abs(turned) < 50) return;
    view.move(Math.sign(turned));
    turned = 0;
  }, { passive: false });
  let start = null;
  stage.addEventListener("touchstart", (event) => {
    const [{ clientX, clientY }] = event.touches;
    start = event.touches.length === 1 ? [clientX, clientY] : null;
  }, { passive: true });
  stage.addEventListener("touchend", (event) => {
    if (!start) return;
    const [{ clientX, clientY }] = event.changedTouches;
    const [across, down] = [clientX - start[0], clientY - start[1]];
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) view.move(across < 0 ? 1 : -1);
    start = null;
  });
}
