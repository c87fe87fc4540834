// The page: reads the data, keeps where the reader is, and draws.

// Milliseconds a step, and milliseconds more for each letter of a result or a comment.
const DELAYS = [3000, 2000, 1300, 800, 500, 250, 120];
const LETTER = 25;
const NARROW = matchMedia("(max-width: 899px)");

const DARK = matchMedia("(prefers-color-scheme: dark)");
let current = null;
const THEMES = ["system", "dark", "light"];

// What the reader chose, kept over a reload with `change`. A browser may refuse to keep anything, as for a sandboxed frame.
function settings(change) {
  try {
    const kept = { ...JSON.parse(localStorage.getItem("mjconv")), ...change };
    if (change) localStorage.setItem("mjconv", JSON.stringify(kept));
    return kept;
  } catch {
    return {};
  }
}

let theme = THEMES.find((name) => name === settings().theme) || "system";

const setTheme = () => document.documentElement.classList.toggle("dark", theme === "dark" || (theme === "system" && DARK.matches));

// The symbols of the tiles. They come with the page, never with the record.
function placeSymbols(symbols) {
  document.querySelector(".symbols")?.remove();
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG_SPACE}">${symbols}</svg>`, "image/svg+xml").documentElement;
  parsed.setAttribute("class", "symbols");
  parsed.setAttribute("aria-hidden", "true");
  document.body.prepend(document.adoptNode(parsed));
}

// The first language of the reader that the page has. Chinese of the mainland and of Singapore is in simplified script.
const chooseLanguage = (wanted) => [wanted, ...navigator.languages].filter(Boolean)
  .map((code) => (/^zh[-_](CN|SG|Hans)/i.test(code) ? "zh-Hans" : code.slice(0, 2).toLowerCase())).find((code) => Object.hasOwn(LANGUAGES, code)) || "en";

// What both kinds of page have: the language.
class View {
  constructor(data) {
    this.data = data;
    this.app = document.getElementById("app");
    words = data.words;
    this.setLanguage(settings().language in LANGUAGES ? settings().language : chooseLanguage(data.lang));
  }

  setLanguage(code) {
    language = code;
    document.documentElement.lang = code === "zh" ? "zh-Hant" : code;
  }

  nextLanguage() {
    const codes = Object.keys(LANGUAGES);
    this.setLanguage(codes[(codes.indexOf(language) + 1) % codes.length]);
    settings({ language });
    this.build();
  }

  nextTheme() {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    settings({ theme });
    setTheme();
  }

  head() {
    const { data } = this;
    return html("header", { class: "head" },
      ofGame ? html("button", { type: "button", class: "open", onclick: () => goGame("") }, icon(ICONS.previousRound), games.title) : null,
      html("h1", { dir: "auto", title: data.title.slice(0, 300) }, data.title), drawToggles(this),
      data.head.length ? html("dl", { class: "about" }, headLines(data)) : null);
  }

  // Builds the page anew and keeps the focus on the control that had it.
  replace(...parts) {
    const focused = document.activeElement?.closest("button, input");
    const same = focused && [...this.app.querySelectorAll("button, input")].indexOf(focused);
    this.app.replaceChildren(...parts);
    if (focused && same >= 0) this.app.querySelectorAll("button, input")[same]?.focus();
  }
}

class ScoresView extends View {
  constructor(data) {
    super(data);
    this.build();
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
    const kept = settings();
    const choices = { names: true, hidden: false, lanes: false, stops: false, reads: false, opinions: true, wall: false, quiet: false };
    for (const [name, usual] of Object.entries(choices)) this[name] = typeof kept[name] === "boolean" ? kept[name] : usual;
    this.quiet ||= /[?&]quiet\b/.test(location.search);
    Object.assign(this, { index: 0, seat: open.seat, speed: DELAYS[kept.speed] ? kept.speed : 3, timer: null });
    this.openRound = (index) => this.show(index, 0);
    this.replay = new Replay(data.rounds[0], data.reading);
    this.place(readAddress(data.rounds, location.hash) || open);
    this.build();
  }

  // Follows an address. The address of an earlier step may have been written since.
  follow(address) {
    const wanted = readAddress(this.data.rounds, address);
    if (!wanted) return;
    this.place(wanted);
    this.build();
  }

  print() {
    document.getElementById("print").replaceChildren(...drawPrint(this));
  }

  printRound() {
    this.printed = this.index;
    window.print();
    this.printed = undefined;
  }

  // The texts that can be copied: the address of the step, the hand of the viewed seat as 123m0p, where 0 is a red five
  // and z the honours, and the link and the messages that Python wrote for the round.
  get copies() {
    const { data, index, seat } = this;
    const address = (more, from = seat) => location.href.split("#")[0] + writeAddress(data.rounds, { round: index, step: this.replay.step, seat: from, more });
    return {
      address: address(this.final ? "final" : this.asks ? "ask" : ""),
      question: address("ask", this.replay.decider),
      handText: shortHand(allTiles(handTiles(this, seat))),
      roundLink: data.links?.[index],
      roundMessages: data.messages?.[index],
    };
  }

  async copy(name) {
    const text = this.copies[name];
    if (!text) return;
    try {
      await navigator.clipboard.writeText(text);
      this.caption.textContent = own("copied");
    } catch {
      // A sandboxed frame may not write to the clipboard: the text stands selected where the reader can copy it.
      this.caption.textContent = text;
      getSelection().selectAllChildren(this.caption);
    }
  }

  get square() {
    return seatCount(this.replay.round) <= 4 && !this.lanes;
  }

  // Goes to a place. `sheetClosed`: the reader closed the sheet. `final`: the sheet of the whole match follows the last step.
  // `asks`: the page asks which tile to discard, and shows nothing of the answer until the next step.
  place({ round, step, seat, more }) {
    const last = this.data.rounds.length - 1;
    this.final = more === "final" && round === last;
    this.asks = more === "ask";
    this.quiet ||= this.asks;
    this.sheetClosed = false;
    this.index = Math.min(Math.max(round, 0), last);
    if (this.replay.round !== this.data.rounds[this.index]) this.replay = new Replay(this.data.rounds[this.index], this.data.reading);
    this.replay.go(this.final ? Infinity : step);
    // A question without a seat asks the player who decides.
    this.seat = (seat ?? (this.asks ? this.replay.decider : this.seat)) % seatCount(this.replay.round);
  }

  // Builds everything, in the language chosen. `draw` fills in what a step changes.
  build() {
    this.hasOpinions = this.data.rounds.some((round) => round.steps.some((step) => step.opinions));
    const beside = [this.reads, this.opinions && this.hasOpinions].filter(Boolean).length;
    this.app.className = `player ${this.square ? "withsquare" : "withlanes"} beside${beside}`;
    this.stage = html("main", { class: "stage", "aria-label": own("table") });
    this.rounds = roundsList(this);
    this.points = this.quiet ? null : pointsGraph(this);
    this.events = html("nav", { class: "events", "aria-label": own("events") });
    this.caption = html("p", { class: "caption", "aria-live": "polite", dir: "auto" });
    this.notes = html("div", { class: "notes" });
    this.reading = html("div", { class: "reading", hidden: !this.reads });
    this.valued = html("div", { class: "opinions", hidden: !this.opinions });
    this.wallBox = html("section", { class: "wallbox", "aria-label": own("wall") });
    this.dock = html("div", { class: "dock" });
    listenStage(this.stage, this);
    this.buildRound();
    const scrolled = this.lists ? [this.lists.scrollTop, this.lists.firstChild.scrollTop] : [0, 0];
    this.lists = html("div", { class: "lists" }, this.rounds, this.events, this.points, this.opinions && !this.quiet ? differencesList(this) : null, creditLine(this.data));
    this.replace(this.head(), this.stage, this.wallBox, this.lists, this.dock);
    [this.lists.scrollTop, this.rounds.scrollTop] = scrolled;
    this.markRound();
    this.draw();
  }

  // Builds what a new round changes: the table, the controls, the wall, and the mark in the lists.
  buildRound() {
    this.table = this.square ? drawTable(this) : drawLanes(this);
    this.sheet = null;
    this.stage.replaceChildren(this.table.root);
    this.controls = drawControls(this);
    this.dock.replaceChildren(html("section", { class: "say", tabindex: 0, "aria-label": own("step") }, this.caption, this.valued, this.reading, this.notes), this.controls);
    // The wall shows how the round goes on.
    this.walls = this.wall && !this.quiet ? drawWall(this) : null;
    this.wallBox.hidden = !this.walls;
    this.wallBox.replaceChildren(...(this.walls ? [this.walls] : []));
    this.events.replaceChildren(...eventButtons(this));
    this.markRound();
  }

  // Marks the round in the lists, and brings it in sight. In a quiet view later rounds are not in the list.
  markRound() {
    for (const item of this.rounds.querySelectorAll("button")) {
      const here = Number(item.dataset.round) === this.index;
      item.toggleAttribute("aria-current", here);
      item.hidden = this.quiet && Number(item.dataset.round) > this.index;
      // Not scrollIntoView, which scrolls the page too.
      if (here) this.rounds.scrollTop += Math.min(0, item.offsetTop - this.rounds.scrollTop) || Math.max(0, item.offsetTop + item.offsetHeight - this.rounds.scrollTop - this.rounds.clientHeight);
    }
    this.points?.mark(this.index);
  }

  draw() {
    const { replay } = this;
    this.table.update();
    this.drawSheet();
    const talk = (seat) => seatName(this.data, replay.round, seat, this.names);
    const { caption, actor } = replay.now;
    this.caption.textContent = this.final ? own("final") : this.asks ? own("ask").replace("{s0}", talk(this.seat)) : say(caption, talk);
    // The wind is a small mark beside a name.
    this.caption.dataset.wind = this.names && !this.final && actor !== undefined && !this.asks ? windLetter(replay.round, actor) : "";
    this.notes.replaceChildren(...(this.asks ? [html("button", { class: "answer", type: "button", onclick: () => this.move(1) }, own("answer"))] : drawNotes(this)));
    if (this.reads) become(this.reading, html("div", { class: "reading" }, this.asks ? [] : drawReading(this)));
    if (this.opinions) this.valued.replaceChildren(...(this.asks ? [] : drawOpinions(this)));
    for (const item of this.events.children) item.hidden = this.quiet && item.dataset.step > replay.step;
    this.walls?.update?.(replay.step);
    this.controls.update();
    this.app.dataset.round = this.index;
    this.app.dataset.step = replay.step;
    this.app.classList.toggle("final", this.final);
    this.keepAddress();
  }

  drawSheet() {
    const count = this.final ? Infinity : this.sheetClosed ? 0 : this.replay.state.results;
    if (count === (this.sheet?.count || 0)) return;
    this.sheet?.root.remove();
    this.sheet = count ? { count, root: this.final ? finalSheet(this) : resultsSheet(this, count) } : null;
    if (this.sheet) this.dock.prepend(this.sheet.root);
  }

  // Browsers limit how often the address may change, so it follows when the reader pauses.
  keepAddress() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      try {
        history.replaceState(null, "", new URL(this.copies.address).hash + (EMBED ? ".embed" : ""));
      } catch {
        // A sandboxed frame has no address of its own.
      }
    }, 200);
  }

  show(index, step) {
    if (!this.data.rounds[index]) return;
    const isNew = index !== this.index;
    const had = isNew && this.dock.contains(document.activeElement) ? document.activeElement.className : null;
    this.place({ round: index, step, seat: null });
    if (isNew) this.buildRound();
    this.draw();
    if (had) this.dock.querySelector(`.${had}`)?.focus();
  }

  goStep(step) {
    this.show(this.index, step);
  }

  closeSheet() {
    this.sheetClosed = true;
    this.showFinal(false);
  }

  goFinal() {
    this.show(this.data.rounds.length - 1, Infinity);
    this.showFinal(true);
  }

  showFinal(on) {
    this.final = on;
    this.draw();
  }

  // One step; over the end of a round into the next, and back. After the last step is the sheet of the match.
  move(direction) {
    const { replay, index } = this;
    const step = replay.step + direction;
    if (this.final) this.showFinal(direction > 0);
    else if (step > replay.last && index === this.data.rounds.length - 1) this.showFinal(true);
    else if (step > replay.last) this.show(index + 1, 0);
    else if (step < 0) this.show(index - 1, Infinity);
    else this.goStep(step);
  }

  moveRound(direction) {
    this.show(this.index + direction, 0);
  }

  // Goes to the next step of a kind, in this round or a later one (an earlier one, if direction is -1).
  jump(kind, direction) {
    const { rounds } = this.data;
    let step = this.replay.step + direction;
    for (let { index } = this; rounds[index]; index += direction) {
      while (rounds[index].steps[step] && !JUMPS[kind](rounds[index].steps[step], this.seat)) step += direction;
      if (rounds[index].steps[step]) {
        this.show(index, step);
        return;
      }
      step = direction > 0 ? 0 : rounds[index - 1]?.steps.length - 1;
    }
  }

  toggle(name) {
    this[name] = !this[name];
    settings({ [name]: this[name] });
    this.build();
  }

  nextSeat() {
    this.lookFrom((this.seat + 1) % seatCount(this.replay.round));
  }

  lookFrom(seat) {
    this.seat = seat;
    this.build();
  }

  // Faster by `change` steps. With `around`, the slowest speed follows the fastest.
  faster(change, around) {
    const speed = this.speed + change;
    this.speed = around ? speed % DELAYS.length : Math.min(Math.max(speed, 0), DELAYS.length - 1);
    settings({ speed: this.speed });
    this.play(this.timer);
  }

  togglePlay() {
    this.play(!this.timer);
  }

  // Plays on, or stops. The next step comes later where there is more to read.
  play(on) {
    clearTimeout(this.timer);
    const letters = (this.sheet ? 40 + this.sheet.root.textContent.length : 0) + this.notes.textContent.length;
    this.timer = on ? setTimeout(() => this.playOn(), DELAYS[this.speed] + LETTER * letters) : null;
    this.controls.update();
  }

  playOn() {
    this.move(1);
    this.play(!this.final && !(this.stops && this.sheet));
  }

  share() {
    share(this);
  }

  menu() {
    const dialog = menuDialog(this);
    this.app.append(dialog);
    dialog.showModal();
  }
}

// The data of a page of several games, and the way to one of them, or with "" to their sheet.
let games = null;
const goGame = (number) => {
  location.hash = number;
};

// Follows an address. A game is unpacked when it is opened.
async function follow(hash) {
  const asked = /^#(\d+)(?:\/|$)/.exec(hash)?.[1];
  const number = games?.plays[asked - 1] ? asked : "";
  const wanted = number && `${number}/`;
  if (wanted === ofGame) return current.follow?.(hash);
  const game = number ? JSON.parse(await unpack(games.plays[number - 1])) : null;
  current.play?.(false);
  ofGame = wanted;
  current = game ? new PlayView({ ...game, words: games.words, credit: games.credit }) : new ScoresView(games);
  scrollTo(0, 0);
}

const creditLine = ({ credit }) => (credit ? html("footer", { class: "credit" }, html("a", { href: "https://pypi.org/project/mjconv/", target: "_blank", rel: "noopener" }, "mjconv")) : null);

// Shows a record. A page that shows one can be given another, and keeps its place by the address.
function main({ symbols, data }) {
  try {
    placeSymbols(symbols);
    current?.play?.(false);
    current = data.kind === "results" || !data.rounds.length ? new ScoresView(data) : new PlayView(data);
    if (data.plays) {
      games = data;
      follow(location.hash);
    }
    document.documentElement.dataset.ready = "";
  } catch (problem) {
    document.getElementById("app").replaceChildren(html("p", { class: "message", role: "alert" }, own("broken")));
    throw problem;
  }
}

listenKeys();
setTheme();
document.documentElement.classList.toggle("embed", EMBED);
DARK.addEventListener("change", setTheme);
for (const medium of [NARROW, PHONE]) medium.addEventListener("change", () => current.build());
addEventListener("hashchange", (event) => follow(new URL(event.newURL).hash));
addEventListener("beforeprint", () => current.print?.());
main(packed);
