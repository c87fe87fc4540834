// One round, step by step: applies the changes of the data to a state. It knows no rule of mahjong.

class Replay {
  constructor(round) {
    this.round = round;
    this.step = 0;
    this.state = structuredClone(round.state);
    this.undo = [];
  }

  get last() {
    return this.round.steps.length - 1;
  }

  get now() {
    return this.round.steps[this.step];
  }

  go(step) {
    const wanted = Math.min(Math.max(step, 0), this.last);
    while (this.step < wanted) this.forward();
    while (this.step > wanted) this.back();
  }

  forward() {
    this.step += 1;
    this.undo.push((this.now.changes || []).map(([path, value]) => this.assign(path, structuredClone(value))));
  }

  back() {
    for (const restore of this.undo.pop().reverse()) restore();
    this.step -= 1;
  }

  // Sets a place of the state. Returns the function that restores it.
  assign(path, value) {
    const keys = path.split(".");
    const key = keys.pop();
    const place = keys.reduce((inside, name) => inside[name], this.state);
    const before = place[key];
    const size = place.length;
    place[key] = value;
    return () => {
      if (before !== undefined) place[key] = before;
      else if (Array.isArray(place)) place.length = size;
      else delete place[key];
    };
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
