// Buttons, the slider, keys, wheel and touch. Each calls an action of the view by its name.

const ICONS = {
  first: "M6 5V19M19 5L9 12L19 19Z", last: "M18 5V19M5 5L15 12L5 19Z",
  previousRound: "M12 5L4 12L12 19ZM20 5L12 12L20 19Z", nextRound: "M12 5L20 12L12 19ZM4 5L12 12L4 19Z",
  back: "M16 5L7 12L16 19Z", forward: "M8 5L17 12L8 19Z", play: "M7 4L20 12L7 20Z", stop: "M7 5H10V19H7ZM14 5H17V19H14Z",
  nextRiichi: "M2 10H18V14H2ZM20 7L23 12L20 17", nextCall: "M2 6H7V18H2ZM10 11H18V18H10ZM20 7L23 12L20 17", nextFinding: "M10 3L1 20H19ZM10 10V14M10 17V17.5M20 7L23 12L20 17",
  h: "M4 6H9V18H4ZM10 6H15V18H10ZM16 6H21V18H16Z", s: "M5 12A7 7 0 1 1 12 19M12 19L15 16M12 19L15 22",
  whole: "M14 4H20V10M20 4L11 13M18 14V20H4V6H10", share: "M12 15V3M8 7L12 3L16 7M6 11H4V21H20V11H18", "?": "M4 6H20M4 12H20M4 18H20",
};

// What each key does: an action of the view and its argument.
const KEYS = {
  ArrowRight: ["move", 1], ArrowLeft: ["move", -1], ArrowDown: ["jump", "ownDiscard", 1], ArrowUp: ["jump", "ownDiscard", -1],
  PageDown: ["moveRound", 1], PageUp: ["moveRound", -1], Home: ["goStep", 0], End: ["goStep", Infinity], " ": ["togglePlay"],
  "+": ["faster", 1], "=": ["faster", 1], "-": ["faster", -1], "−": ["faster", -1], h: ["toggle", "hidden"], w: ["toggle", "wall"],
  n: ["toggle", "names"], v: ["toggle", "lanes"], e: ["toggle", "stops"], t: ["toggle", "reads"], s: ["nextSeat"], l: ["nextLanguage"], d: ["nextTheme"], p: ["printRound"], y: ["copy", "address"], Y: ["copy", "handText"], T: ["copy", "roundLink"], M: ["copy", "roundMessages"], b: ["toggle", "opinions"], q: ["toggle", "quiet"], Q: ["copy", "question"],
  "?": ["menu"], Escape: ["closeSheet"],
  r: ["jump", "riichi", 1], c: ["jump", "call", 1], f: ["jump", "finding", 1],
  R: ["jump", "riichi", -1], C: ["jump", "call", -1], F: ["jump", "finding", -1],
};

const CALLS = ["chi", "pon", "kan", "kakan", "ankan"];
const JUMPS = {
  ownDiscard: (step, seat) => step.kind === "discard" && step.actor === seat,
  riichi: (step) => step.kind === "riichi",
  call: (step) => CALLS.includes(step.kind),
  finding: (step) => Boolean(step.findings) || step.kind === "end",
};

function press(view, key) {
  const [action, ...values] = KEYS[key] || [];
  if (view[action]) view[action](...values);
  return Boolean(view[action]);
}

const button = (name, action, attributes) =>
  html("button", { type: "button", class: name, "aria-label": own(name), title: own(name), onclick: action, ...attributes }, icon(ICONS[name]));

// The marks over the slider: where there is a riichi, a win, a comment or a finding. A click leads there.
function sliderMarks(view) {
  const { replay } = view;
  const kind = (step) => (JUMPS.finding(step) ? "finding" : step.notes?.some((note) => note.kind === "comment") ? "comment"
    : step.kind === "riichi" || step.kind === "win" ? step.kind : null);
  const marks = replay.round.steps.map((step, index) => [kind(step), index]).filter(([name]) => name);
  return svg("svg", { class: "marks", viewBox: `0 0 ${Math.max(replay.last, 1)} 1`, preserveAspectRatio: "none", "aria-hidden": "true" },
    marks.map(([name, index]) => svg("g", { class: name, onclick: () => view.goStep(index) }, svg("path", { class: "near", d: `M${index} 0V1` }), svg("path", { d: `M${index} 0V1` }))));
}

function drawControls(view) {
  // In a quiet view the slider ends at the furthest step that was seen, so it does not show how long the round is.
  let seen = view.quiet ? 0 : view.replay.last;
  const slider = html("input", { type: "range", min: 0, max: seen, value: view.replay.step, "aria-label": own("step"),
    oninput: (event) => view.goStep(Number(event.target.value)) });
  const count = html("span", { class: "count" });
  const track = html("div", { class: "track" }, view.quiet ? null : sliderMarks(view), slider);
  const keyed = (name, key) => button(name, () => press(view, key));
  const play = keyed("play", " ");
  const speed = html("button", { type: "button", class: "speed", title: own("speed"), onclick: () => view.faster(1, true) });
  const findings = view.data.rounds.some((round) => round.steps.some(JUMPS.finding));
  const whole = EMBED && LINKED ? html("a", { class: "whole", target: "_blank", rel: "noopener", "aria-label": own("share.whole"), title: own("share.whole") }, icon(ICONS.whole)) : null;
  const root = html("section", { class: "controls", "aria-label": own("controls") },
    html("div", { class: "buttons" },
      keyed("previousRound", "PageUp"), keyed("first", "Home"), keyed("back", "ArrowLeft"), play,
      keyed("forward", "ArrowRight"), keyed("last", "End"), keyed("nextRound", "PageDown")),
    html("div", { class: "buttons jumps" }, keyed("nextRiichi", "r"), keyed("nextCall", "c"), findings ? keyed("nextFinding", "f") : null, speed),
    track, count, whole);
  root.update = () => {
    if (whole) whole.href = view.copies.address;
    const { step } = view.replay;
    seen = Math.max(seen, step);
    slider.max = seen;
    slider.value = step;
    count.textContent = view.quiet ? step : `${step} / ${seen}`;
    slider.setAttribute("aria-valuetext", count.textContent);
    speed.textContent = `${DELAYS[view.speed] / 1000} s`;
    speed.setAttribute("aria-label", `${speed.textContent}, ${own("speed")}`);
    const name = view.timer ? "stop" : "play";
    play.replaceChildren(icon(ICONS[name]));
    play.setAttribute("aria-label", own(name));
    play.title = own(name);
  };
  return root;
}

// The buttons in the head of the page: hands, seat and share with words, and the menu. A switch knows whether it is on.
function drawToggles(view) {
  const worded = (name, action, on) => html("button", { type: "button", class: `key-${name}`, "aria-pressed": on === undefined ? null : String(on), onclick: action },
    icon(ICONS[name]), html("span", {}, own(`button.${name}`)));
  const menu = own("menu.?");
  return html("div", { class: "toggles", role: "group", "aria-label": own("switches") },
    view.data.kind === "play" ? [worded("h", () => press(view, "h"), !view.hidden), worded("s", () => press(view, "s")), worded("share", () => view.share()),
      html("button", { type: "button", class: "key-menu", "aria-label": menu, title: `${menu} (?)`, onclick: () => view.menu() }, icon(ICONS["?"]))]
      : html("button", { type: "button", class: "language", "aria-label": `${LANGUAGES[language]}, ${own("menu.l")}`, onclick: () => view.nextLanguage() }, LANGUAGES[language]));
}

// The menu: every action with its key. Those of one key are buttons.
function menuDialog(view) {
  const dialog = html("dialog", { class: "keys", "aria-label": own("menu.?"), onclose: () => dialog.remove() });
  const act = (key) => {
    dialog.close();
    press(view, key);
  };
  const row = (key, text) => html("div", {}, html("dt", {}, html("kbd", {}, key)), html("dd", {}, text));
  const absent = { "?": true, T: !view.copies.roundLink, M: !view.copies.roundMessages, b: !view.hasOpinions, w: !view.data.rounds.some((round) => round.wall), t: !view.data.reading };
  const state = (key) => (KEYS[key][0] === "toggle" ? String(view[KEYS[key][1]] !== (key === "h")) : null);
  dialog.append(
    html("dl", {}, ownList("menu.").filter(([key]) => !absent[key]).map(([key, text]) =>
      row(key, html("button", { type: "button", "aria-pressed": state(key), onclick: () => act(key) }, key === "l" ? `${text}: ${LANGUAGES[language]}` : text)))),
    html("dl", {}, ownList("keys.").map(([keys, text]) => row(keys, text))),
    html("button", { type: "button", onclick: () => dialog.close() }, own("close")));
  return dialog;
}

// Keys mean the same whatever has the focus. Enter presses a button.
function listenKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (press(current, event.key)) event.preventDefault();
  });
  // Some browsers press a button when the space bar is released.
  document.addEventListener("keyup", (event) => event.key === " " && !document.querySelector("dialog[open]") && event.preventDefault());
}

// The wheel, a click and a swipe over the table step. A click in a river leads to the discard. A press that is held repeats.
function listenStage(stage, view) {
  let turned = 0;
  stage.addEventListener("wheel", (event) => {
    // A page in a frame takes the wheel only after a click.
    if (event.ctrlKey || !view.square || (FRAMED && !document.hasFocus())) return;
    event.preventDefault();
    turned += event.deltaY * (event.deltaMode ? 30 : 1);
    if (Math.abs(turned) < 50) return;
    view.move(Math.sign(turned));
    turned = 0;
  }, { passive: false });
  let [start, held, repeated] = [null, null, false];
  const release = () => clearInterval(held);
  stage.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
    repeated = false;
    release();
    if (event.button || event.target.closest("button, [data-discard]")) return;
    held = setTimeout(() => {
      repeated = true;
      held = setInterval(() => view.move(1), 120);
    }, 500);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) stage.addEventListener(name, release);
  stage.addEventListener("pointerup", (event) => {
    if (!start || event.pointerType !== "touch") return;
    const [across, down] = [event.clientX - start[0], event.clientY - start[1]];
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down) && !repeated) view.move(across < 0 ? 1 : -1);
  });
  stage.addEventListener("contextmenu", (event) => repeated && event.preventDefault());
  stage.addEventListener("click", (event) => {
    if (repeated || event.target.closest("button")) return;
    const tile = event.target.closest("[data-discard]");
    if (!tile) view.move(1);
    else view.goStep(view.replay.discardStep(Number(tile.closest("[data-zone]").dataset.seat), Number(tile.dataset.discard)));
  });
}
