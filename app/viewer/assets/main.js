// The page: reads the data, keeps where the reader is, and draws.

const DELAYS = [3000, 2000, 1300, 800, 500, 250, 120];
const NARROW = matchMedia("(max-width: 899px)");

// The symbols of the tiles. They come with the page, never with the record.
function placeSymbols(symbols) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG_SPACE}">${symbols}</svg>`, "image/svg+xml").documentElement;
  parsed.setAttribute("class", "symbols");
  parsed.setAttribute("aria-hidden", "true");
  document.body.prepend(document.adoptNode(parsed));
}

const chooseLanguage = (wanted) =>
  [wanted, ...navigator.languages.map((code) => code.slice(0, 2))].find((code) => Object.hasOwn(LANGUAGES, code)) || "en";

// What both kinds of page have: the language.
class View {
  constructor(data) {
    this.data = data;
    this.app = document.getElementById("app");
    this.chosen(chooseLanguage(data.lang));
  }

  chosen(code) {
    language = code;
    words = this.data.words;
    document.documentElement.lang = code === "zh" ? "zh-Hant" : code;
  }

  setLanguage(code) {
    this.chosen(code);
    this.build();
  }

  nextLanguage() {
    const codes = Object.keys(LANGUAGES);
    this.setLanguage(codes[(codes.indexOf(language) + 1) % codes.length]);
  }

  head() {
    const { data } = this;
    return html("header", { class: "head" },
      html("h1", { dir: "auto", title: data.title.slice(0, 300) }, data.title), drawToggles(this),
      data.head.length ? html("dl", { class: "about" }, headLines(data)) : null);
  }

  // Builds the page anew and keeps the focus on the control that had it.
  replace(...parts) {
    const focused = document.activeElement?.closest("button, select, input");
    const same = focused && [...this.app.querySelectorAll("button, select, input")].indexOf(focused);
    this.app.replaceChildren(...parts);
    if (focused && same >= 0) this.app.querySelectorAll("button, select, input")[same]?.focus();
  }
}

class ScoresView extends View {
  constructor(data) {
    super(data);
    this.build();
    NARROW.addEventListener("change", () => this.build());
  }

  build() {
    this.app.className = "scoreview";
    this.replace(this.head(), drawScores(this.data));
  }
}

class PlayView extends View {
  constructor(data) {
    super(data);
    const { open } = data;
    Object.assign(this, { index: 0, seat: open.seat, names: false, hidden: false, wall: Boolean(open.wall), speed: 3, timer: null });
    this.sheetClosed = false;
    this.closeSheet = () => {
      this.sheetClosed = true;
      this.draw();
    };
    this.openRound = (index) => this.show(index, 0);
    this.replay = new Replay(data.rounds[0]);
    const there = readAddress(data.rounds, location.hash) || open;
    this.place(there);
    this.build();
    NARROW.addEventListener("change", () => this.build());
    addEventListener("hashchange", (event) => {
      // Not location.hash: the address of an earlier step may have been written since.
      const wanted = readAddress(data.rounds, new URL(event.newURL).hash);
      if (wanted) this.place(wanted) && this.build();
    });
    addEventListener("beforeprint", () => document.getElementById("print").replaceChildren(...drawPrint(this)));
  }

  get square() {
    return seatCount(this.replay.round) <= 4 && !NARROW.matches;
  }

  place({ round, step, seat }) {
    this.index = Math.min(Math.max(round, 0), this.data.rounds.length - 1);
    if (this.replay.round !== this.data.rounds[this.index]) this.replay = new Replay(this.data.rounds[this.index]);
    if (seat !== null) this.seat = seat;
    this.seat %= seatCount(this.replay.round);
    this.replay.go(step);
    return true;
  }

  // Builds everything, in the language chosen. `draw` fills in what a step changes.
  build() {
    this.app.className = `player ${this.square ? "withsquare" : "withlanes"}`;
    this.stage = html("main", { class: "stage", "aria-label": own("table") });
    this.rounds = roundsList(this);
    this.points = pointsGraph(this);
    this.caption = html("p", { class: "caption", "aria-live": "polite", dir: "auto" });
    this.notes = html("div", { class: "notes" });
    this.wallBox = html("section", { class: "wallbox", "aria-label": own("wall") });
    this.dock = html("div", { class: "dock" });
    listenStage(this.stage, this);
    this.buildRound();
    this.replace(this.head(), this.stage, this.wallBox, html("div", { class: "lists" }, this.rounds, this.points), this.dock);
    this.draw();
  }

  // Builds what a new round changes: the table, the controls, the wall, and the mark in the lists.
  buildRound() {
    this.table = this.square ? drawTable(this) : drawLanes(this);
    this.sheet = null;
    this.stage.replaceChildren(this.table.root);
    this.controls = drawControls(this);
    this.dock.replaceChildren(html("section", { class: "say", tabindex: 0, "aria-label": own("step") }, this.caption, this.notes), this.controls);
    this.walls = this.wall ? drawWall(this) : null;
    this.wallBox.hidden = !this.wall;
    this.wallBox.replaceChildren(...(this.walls ? [this.walls] : []));
    for (const item of this.rounds.querySelectorAll("button")) {
      const here = Number(item.dataset.round) === this.index;
      item.toggleAttribute("aria-current", here);
      if (here) item.scrollIntoView({ block: "nearest" });
    }
    this.points?.mark(this.index);
  }

  draw() {
    const { replay } = this;
    this.table.update();
    this.drawSheet();
    const talk = (seat) => seatName(this.data, replay.round, seat, this.names);
    this.caption.textContent = say(replay.now.caption, talk);
    this.notes.replaceChildren(...drawNotes(this));
    this.walls?.update?.(replay.step);
    this.controls.update();
    this.app.dataset.round = this.index;
    this.app.dataset.step = replay.step;
    this.keepAddress();
  }

  drawSheet() {
    const count = this.sheetClosed ? 0 : this.replay.state.results;
    if (count === (this.sheet?.count || 0)) return;
    this.sheet?.root.remove();
    this.sheet = count ? { count, root: resultsSheet(this, count) } : null;
    if (this.sheet) this.stage.append(this.sheet.root);
  }

  // Browsers limit how often the address may change, so it follows when the reader pauses.
  keepAddress() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      const address = writeAddress(this.data.rounds, { round: this.index, step: this.replay.step, seat: this.seat });
      try {
        history.replaceState(null, "", address);
      } catch {
        // A sandboxed frame has no address of its own.
      }
    }, 200);
  }

  show(index, step) {
    if (index < 0 || index >= this.data.rounds.length) return;
    this.index = index;
    this.replay = new Replay(this.data.rounds[index]);
    this.replay.go(step);
    this.seat %= seatCount(this.replay.round);
    this.sheetClosed = false;
    const had = this.dock.contains(document.activeElement) ? document.activeElement.className : null;
    this.buildRound();
    this.draw();
    if (had) this.dock.querySelector(`.${had}`)?.focus();
  }

  goStep(step) {
    this.sheetClosed = false;
    this.replay.go(step);
    this.draw();
  }

  // One step; over the end of a round into the next, and back.
  move(direction) {
    const { replay, index } = this;
    const step = replay.step + direction;
    if (step > replay.last) this.show(index + 1, 0);
    else if (step < 0) this.show(index - 1, Infinity);
    else this.goStep(step);
  }

  moveRound(direction) {
    this.show(this.index + direction, 0);
  }

  ownDiscard(direction) {
    this.goFound(direction, (step) => step.kind === "discard" && step.actor === this.seat);
  }

  jump(kind, direction) {
    this.goFound(direction, JUMPS[kind]);
  }

  // Goes to the next wanted step, in this round or a later one (an earlier one, if direction is -1).
  goFound(direction, wanted) {
    const here = this.replay.find(direction, wanted);
    if (here !== null) {
      this.goStep(here);
      return;
    }
    for (let index = this.index + direction; this.data.rounds[index]; index += direction) {
      const { steps } = this.data.rounds[index];
      const step = direction > 0 ? steps.findIndex(wanted) : steps.findLastIndex(wanted);
      if (step >= 0) {
        this.show(index, step);
        return;
      }
    }
  }

  toggle(name) {
    this[name] = !this[name];
    this.build();
  }

  nextSeat() {
    this.seat = (this.seat + 1) % seatCount(this.replay.round);
    this.build();
  }

  faster(change) {
    this.speed = Math.min(Math.max(this.speed + change, 0), DELAYS.length - 1);
    if (this.timer) {
      this.stopPlay();
      this.togglePlay();
    }
  }

  togglePlay() {
    if (this.timer) this.stopPlay();
    else this.timer = setInterval(() => this.playOn(), DELAYS[this.speed]);
    this.controls.update();
  }

  playOn() {
    if (this.index === this.data.rounds.length - 1 && this.replay.step === this.replay.last) this.stopPlay();
    else this.move(1);
    this.controls.update();
  }

  stopPlay() {
    clearInterval(this.timer);
    this.timer = null;
  }

  help() {
    const dialog = helpDialog();
    this.app.append(dialog);
    dialog.showModal();
  }
}

function main({ symbols, data }) {
  try {
    placeSymbols(symbols);
    const view = data.kind === "results" || !data.rounds.length ? new ScoresView(data) : new PlayView(data);
    listenKeys(view);
    document.documentElement.dataset.ready = "";
  } catch (problem) {
    document.getElementById("app").replaceChildren(html("p", { class: "message", role: "alert" }, own("broken")));
    throw problem;
  }
}

main(packed);
