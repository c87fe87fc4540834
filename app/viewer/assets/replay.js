// One round, step by step: applies the changes of the data to a state. With `reads` the state has the kinds of dora. The address
// keeps round, step and seat, as #E2-0.40.s2, so that a link leads there; and .final for the sheet of the match, or .ask for
// the question which tile to discard.

class Replay {
  constructor(round, reads) {
    Object.assign(this, { round, reads, step: 0, state: structuredClone(round.state) });
    this.markDora();
  }

  markDora() {
    this.state.doraKinds = this.reads ? doraKinds(this.state.dora.filter(Boolean), seatCount(this.round)) : [];
  }

  get last() {
    return this.round.steps.length - 1;
  }

  get now() {
    return this.round.steps[this.step];
  }

  // The seat that decides what comes after this step.
  get decider() {
    return this.round.steps[this.step + 1]?.actor ?? this.state.turn;
  }

  // A step back begins anew from the deal.
  go(step) {
    const wanted = Math.min(Math.max(step, 0), this.last);
    if (wanted < this.step) Object.assign(this, new Replay(this.round, this.reads));
    while (this.step < wanted) {
      this.step += 1;
      for (const [path, value] of this.now.changes || []) {
        const keys = path.split(".");
        const key = keys.pop();
        const inside = keys.reduce((part, name) => part[name], this.state);
        inside[key] = value === undefined ? inside[key] - 1 : structuredClone(value);
      }
    }
    this.markDora();
  }

  // The step of a discard of a seat, by its place in the river.
  discardStep(seat, place) {
    const steps = range(this.last + 1).filter((step) => this.round.steps[step].kind === "discard" && this.round.steps[step].actor === seat);
    return steps[place];
  }
}

// Rounds of one record may differ in the number of players.
const seatCount = (round) => round.winds.length;

const tilesOf = (hand) => (hand ? hand.split(" ") : []);

// The name of a round in the address: its label, and ~2 for the second round of that label.
function roundAddress(rounds, index) {
  const { label } = rounds[index];
  const same = rounds.slice(0, index).filter((round) => round.label === label).length;
  return same ? `${label}~${same + 1}` : label;
}

// The address of a page in a frame ends with "embed": the table fills the frame, and a link leads to the whole page.
const EMBED = /[#./]embed$/.test(location.hash);
const FRAMED = self !== top;
// A sandboxed frame has no origin, as a file has none. A frame without an address of its own cannot be linked.
const SANDBOXED = self.origin === "null" && location.protocol !== "file:";
const LINKED = /^https?:|^file:/.test(location.protocol);

// The number of the game and "/", where the page shows a game of several.
let ofGame = "";

const writeAddress = (rounds, { round, step, seat, more }) =>
  `#${ofGame}${encodeURIComponent(roundAddress(rounds, round))}.${step}.s${seat}${more ? `.${more}` : ""}`;

// Reads an address. Returns null where it names no round.
function readAddress(rounds, hash) {
  const text = hash.replace(`#${ofGame}`, "#").replace(/[./]?embed$/, "");
  if (text === "#final") return { round: rounds.length - 1, seat: null, more: "final" };
  const parts = /^#(.+?)(?:\.(\d+))?(?:\.s(\d))?(?:\.(final|ask))?$/.exec(text);
  if (!parts) return null;
  let name;
  try {
    name = decodeURIComponent(parts[1]);
  } catch {
    return null;
  }
  const round = rounds.findIndex((_, index) => roundAddress(rounds, index) === name);
  if (round < 0) return null;
  return { round, step: Number(parts[2] || 0), seat: parts[3] === undefined ? null : Number(parts[3]), more: parts[4] };
}
