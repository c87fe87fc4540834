// Reads a hand: how many tiles it is from tenpai, its useful tiles or waits, and whether a win has a yaku.

const KINDS = [..."mps"].flatMap((suit) => range(9).map((index) => `${index + 1}${suit}`)).concat([..."ESWNPFC"]);
const ENDS = [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];
const KIND_OF = new Map([...KINDS.entries(), [4, "5mr"], [13, "5pr"], [22, "5sr"]].map(([kind, tile]) => [tile, kind]));
const kindOf = (tile) => KIND_OF.get(tile) ?? -1;
const SUITS = [[0, 9], [9, 18], [18, 27], [27, 34]];

// Tiles as 123m0p: 0 is a red five, z are the honours. A tile that this notation does not have, such as a flower or one
// that is face down, leaves all of them in their usual spelling.
function shortHand(tiles) {
  if (tiles.some((tile) => kindOf(tile) < 0)) return tiles.join(" ");
  const sorted = [...tiles].sort((one, other) => kindOf(one) - kindOf(other));
  return SUITS.map(([from, to], index) => {
    const ranks = sorted.filter((tile) => kindOf(tile) >= from && kindOf(tile) < to).map((tile) => (tile.endsWith("r") ? 0 : kindOf(tile) - from + 1));
    return ranks.length ? `${ranks.join("")}${"mpsz"[index]}` : "";
  }).join("");
}

function countsOf(tiles) {
  const counts = Array(34).fill(0);
  for (const tile of tiles) counts[kindOf(tile)] += 1;
  return counts;
}

// The counts with `more` tiles of a kind.
const plus = (counts, kind, more) => counts.with(kind, counts[kind] + more);

// The tiles that a suit lacks for each number of sets, without a pair and with one: [sets * 2 + pair]. A set may use
// at most four tiles of a kind. A state is [sets, pair, runs begun two tiles before, runs begun one tile before].
const LACKS = new Map();
function lacks(counts, runs) {
  const key = counts.join("") + runs;
  if (LACKS.has(key)) return LACKS.get(key);
  let states = new Map([[0, 0]]);
  counts.forEach((count, index) => {
    const next = new Map();
    for (const [state, lack] of states) {
      const [sets, pair, two, one] = [state >> 6, (state >> 4) & 1, (state >> 2) & 3, state & 3];
      for (let begun = 0; begun <= (runs && index < 7 ? 2 : 0); begun += 1) {
        for (let same = 0; same <= 5 - 2 * pair; same += 1) {
          // `same` tiles of one kind: none, a pair, a triplet, or both.
          const used = two + one + begun + same;
          const total = sets + begun + (same === 3 || same === 5 ? 1 : 0);
          if (same === 1 || same === 4 || used > 4 || total > 4) continue;
          const to = (total << 6) | ((pair | (same === 2 || same === 5 ? 1 : 0)) << 4) | (one << 2) | begun;
          const cost = lack + Math.max(0, used - count);
          if (!(next.get(to) <= cost)) next.set(to, cost);
        }
      }
    }
    states = next;
  });
  const best = Array(10).fill(Infinity);
  for (const [state, lack] of states) if (!(state & 15)) best[(state >> 6) * 2 + ((state >> 4) & 1)] = Math.min(best[(state >> 6) * 2 + ((state >> 4) & 1)], lack);
  LACKS.set(key, best);
  return best;
}

// How many tiles a hand is from tenpai: 0 is tenpai, -1 is won. `melds` is the number of its melds.
function shantenOf(counts, melds) {
  let sum = [0];
  for (const [from, to] of SUITS) {
    const suit = lacks(counts.slice(from, to), from < 27);
    const next = Array(10).fill(Infinity);
    sum.forEach((lack, at) => suit.forEach((more, to_) => {
      const [sets, pair] = [(at >> 1) + (to_ >> 1), (at & 1) + (to_ & 1)];
      if (sets < 5 && pair < 2) next[sets * 2 + pair] = Math.min(next[sets * 2 + pair], lack + more);
    }));
    sum = next;
  }
  const usual = sum[(4 - melds) * 2 + 1] - 1;
  if (melds) return usual;
  const kinds = counts.filter(Boolean).length;
  const pairs = counts.filter((count) => count > 1).length;
  const ends = ENDS.filter((kind) => counts[kind]).length;
  return Math.min(usual, 6 - pairs + Math.max(0, 7 - kinds), 13 - ends - (ENDS.some((kind) => counts[kind] > 1) ? 1 : 0));
}

// The kinds of tiles that bring a hand nearer to a win. A hand is read once: most are the same at the next step.
const USEFUL = new Map();
function usefulKinds(counts, melds) {
  const key = `${counts} ${melds}`;
  if (!USEFUL.has(key)) {
    const shanten = shantenOf(counts, melds);
    USEFUL.set(key, range(34).filter((kind) => counts[kind] < 4 && shantenOf(plus(counts, kind, 1), melds) < shanten));
  }
  return USEFUL.get(key);
}

// The ways to part a won hand into sets, each the kinds of its tiles, with the pair first.
function partitions(counts) {
  const sets = (left) => {
    const kind = left.findIndex(Boolean);
    if (kind < 0) return [[]];
    const takes = [[kind, kind, kind]].concat(kind < 27 && kind % 9 < 7 ? [[kind, kind + 1, kind + 2]] : []);
    return takes.flatMap((set) => {
      const rest = set.reduce((held, each) => plus(held, each, -1), left);
      return rest.some((count) => count < 0) ? [] : sets(rest).map((others) => [set, ...others]);
    });
  };
  return range(34).filter((kind) => counts[kind] > 1)
    .flatMap((kind) => sets(plus(counts, kind, -2)).map((others) => [[kind, kind], ...others]));
}

const isEnd = (kind) => ENDS.includes(kind);
const isRun = (set) => set[0] !== set[1];

// Whether a hand that wins by ron on `won` has a yaku, apart from riichi and those of chance. `melds` are the kinds of
// their tiles; `winds` are the kinds of the player's wind and of the round's; `tanyao` is whether an open hand may have it.
function hasYaku(counts, melds, open, won, winds, tanyao) {
  const all = [...range(34).flatMap((kind) => Array(counts[kind]).fill(kind)), ...melds.flat()];
  const suits = new Set(all.filter((kind) => kind < 27).map((kind) => Math.floor(kind / 9)));
  if ((!all.some(isEnd) && (tanyao || !open)) || all.every(isEnd) || suits.size < 2) return true;
  if (!melds.length && range(34).filter((kind) => counts[kind] === 2).length === 7) return true;
  return partitions(counts).some(([pair, ...closed]) => {
    const sets = [...closed, ...melds];
    const triplets = sets.filter((set) => !isRun(set)).map(([kind]) => kind);
    const runs = sets.filter(isRun).map(([kind]) => kind);
    const [head] = pair;
    const value = (kind) => kind > 30 || winds.includes(kind);
    if (triplets.some(value) || triplets.length === 4) return true;
    if ([pair, ...sets].every((set) => set.some(isEnd))) return true;
    if (range(9).some((index) => [0, 9, 18].every((suit) => runs.includes(suit + index)) || [0, 9, 18].every((suit) => triplets.includes(suit + index)))) return true;
    if ([0, 9, 18].some((suit) => [0, 3, 6].every((index) => runs.includes(suit + index)))) return true;
    if (melds.filter((set) => set.length > 3).length === 3) return true;
    const waited = closed.some((set) => isRun(set) && set.includes(won)) || head === won;
    const concealed = closed.filter((set) => !isRun(set) && (set[0] !== won || waited)).length + melds.filter((set) => set.concealed).length;
    if (concealed >= 3) return true;
    if (open) return false;
    const twoSided = closed.some((set) => isRun(set) && ((set[0] === won && won % 9 !== 6) || (set[2] === won && won % 9 !== 2)));
    return new Set(runs).size < runs.length || (runs.length === 4 && !value(head) && twoSided);
  });
}

// How many tiles of each kind the viewed seat does not see: the hands that are face down, and the wall. `hidden` is
// whether hands that do not lie open are face down.
function unseenCounts(view, hidden = view.hidden) {
  const { state, round } = view.replay;
  const seats = range(seatCount(round));
  const shown = seats.flatMap((seat) => {
    return [...allTiles(handTiles(view, seat, hidden)), ...state.melds[seat].flatMap(meldTiles), ...state.aside[seat], ...state.river[seat].filter(({ taken }) => taken === undefined).map(({ tile }) => tile)];
  });
  const seen = countsOf([...shown, ...state.dora].filter((tile) => tile && tile !== "?"));
  // Three players have no tiles between 1m and 9m.
  return seen.map((count, kind) => (seats.length === 3 && kind > 0 && kind < 8 ? 0 : Math.max(0, 4 - count)));
}

// The kinds that others discarded since the last discard of a seat, or since its riichi. It did not win on them.
function passedKinds({ round, step, state }, seat) {
  const { steps } = round;
  const at = range(step + 1).findLast((index) => steps[index].actor === seat && steps[index].kind === (state.riichi[seat] ? "riichi" : "discard")) ?? step;
  return range(step).slice(at + 1).filter((index) => steps[index].kind === "discard" && steps[index].actor !== seat)
    .flatMap((index) => steps[index].changes.filter(([path]) => path.startsWith(`river.${steps[index].actor}.`)).map(([, { tile }]) => kindOf(tile)));
}

// The kinds of the viewed hand that are safe from a seat in riichi in some way, each in the first list that it belongs to.
// genbutsu: the seat cannot win on it, because of its furiten. suji: because of its furiten no two-sided wait wins on it.
// kabe: no two-sided wait wins on it, because of furiten or because the viewed seat sees all four tiles of a kind.
function safeKinds(view, riichi) {
  const { state } = view.replay;
  const unseen = unseenCounts(view, true);
  const missed = new Set([...state.river[riichi].map(({ tile }) => kindOf(tile)), ...passedKinds(view.replay, riichi)]);
  const found = { genbutsu: [], suji: [], kabe: [] };
  for (const kind of new Set([...tilesOf(state.hands[view.seat]), state.drawn[view.seat]].filter(Boolean).map(kindOf))) {
    // The two-sided waits that win on this kind: the other kind that each wins on, and the two kinds that it holds.
    const waits = [1, -1].map((way) => [kind + 3 * way, kind + way, kind + 2 * way])
      .filter(([other]) => kind < 27 && other >= 0 && Math.floor(other / 9) === Math.floor(kind / 9));
    if (missed.has(kind)) found.genbutsu.push(kind);
    else if (!waits.length) continue;
    else if (waits.every(([other]) => missed.has(other))) found.suji.push(kind);
    else if (waits.every(([other, ...held]) => missed.has(other) || held.some((each) => !unseen[each]))) found.kabe.push(kind);
  }
  return found;
}

// The hand of the viewed seat as facts, or null where a hand is not known or the game is no riichi. `choices` are the
// discards that keep it nearest to tenpai, the one with the most useful tiles first.
function readHand(view) {
  const { state, round } = view.replay;
  const { seat } = view;
  const tiles = [...tilesOf(state.hands[seat]), state.drawn[seat]].filter(Boolean);
  const melds = state.melds[seat].map((meld) => Object.assign(meldTiles(meld).map(kindOf), { concealed: meld.kind === "ankan" }));
  if (!view.data.reading || state.results || [...tiles.map(kindOf), ...melds.flat()].includes(-1)) return null;
  const counts = countsOf(tiles);
  const unseen = unseenCounts(view);
  const useful = (held) => {
    const kinds = usefulKinds(held, melds.length);
    return { kinds, count: kinds.reduce((sum, kind) => sum + unseen[kind], 0) };
  };
  if (tiles.length % 3 !== 2) {
    const found = { shanten: shantenOf(counts, melds.length), unseen, ...useful(counts) };
    if (found.shanten) return found;
    const open = melds.some(({ concealed }) => !concealed);
    const winds = [kindOf(round.winds[seat]), kindOf(round.wind || "E")];
    const missed = [...state.river[seat].map(({ tile }) => kindOf(tile)), ...passedKinds(view.replay, seat)];
    const yaku = (kind) => hasYaku(plus(counts, kind, 1), melds, open, kind, winds, view.data.reading.tanyao);
    return { ...found, furiten: found.kinds.some((kind) => missed.includes(kind)),
      without: state.riichi[seat] ? [] : found.kinds.filter((kind) => !yaku(kind)) };
  }
  const kept = range(34).filter((kind) => counts[kind]).map((kind) => ({ kind, held: plus(counts, kind, -1) }));
  const shanten = Math.min(...kept.map(({ held }) => shantenOf(held, melds.length)));
  const choices = kept.filter(({ held }) => shantenOf(held, melds.length) === shanten).map(({ kind, held }) => ({ kind, ...useful(held) }));
  return { shanten, unseen, choices: choices.sort((one, other) => other.count - one.count) };
}

// The kinds that are dora by the indicators: after 9 comes 1, after north east, after red white. Three players have no 2m to 8m.
const doraKinds = (indicators, seats) => indicators.map(kindOf).filter((kind) => kind >= 0).map((kind) => {
  const [from, to] = [[0, 9], [9, 18], [18, 27], [27, 31], [31, 34]].find(([, end]) => kind < end);
  return seats === 3 && kind === 0 ? 8 : kind + 1 < to ? kind + 1 : from;
});

// The waits of a hand in tenpai that lies face up, without its drawn tile, while the reader has the aid.
function shownWaits(view, seat) {
  const { state } = view.replay;
  if (!view.reads || !view.data.reading || state.results) return [];
  const tiles = handTiles(view, seat).tiles.map(({ tile }) => tile);
  const melds = state.melds[seat].length;
  if (tiles.length % 3 !== 1 || !tiles.every((tile) => kindOf(tile) >= 0)) return [];
  const counts = countsOf(tiles);
  return shantenOf(counts, melds) ? [] : usefulKinds(counts, melds);
}

const kindNames = (kinds) => tileNames(kinds.map((kind) => KINDS[kind]));

// The safe tiles of the viewed hand against a seat in riichi.
function safeLine(view, riichi) {
  const lists = Object.entries(safeKinds(view, riichi)).filter(([, kinds]) => kinds.length).map(([name, kinds]) =>
    [html("span", { class: "quiet" }, own(name)), tileLine("small", kindNames(kinds), kinds.map((kind) => lineTile(KINDS[kind])))]);
  return html("p", { class: "safe" }, shape(riichi), html("span", { dir: "auto" }, seatName(view.data, view.replay.round, riichi, view.names)), lists.length ? lists : "–");
}

function drawReading(view) {
  const found = readHand(view);
  if (!found) return [html("p", { class: "quiet" }, `${own("aid")}: –`)];
  const line = ({ kinds, count }) => [` ${count}: `, tileLine("small", kindNames(kinds),
    kinds.map((kind) => html("span", { class: "counted" }, lineTile(KINDS[kind]), html("small", {}, found.unseen[kind]))))];
  const inRiichi = range(seatCount(view.replay.round)).filter((seat) => view.replay.state.riichi[seat] && seat !== view.seat);
  return [
    html("p", {}, html("span", { class: "quiet" }, `${own("aid")}: `), html("strong", {}, found.shanten ? own("shanten").replace("{n}", found.shanten) : own("tenpai")),
      found.kinds ? line(found) : null, found.furiten ? html("strong", { class: "loss" }, ` ${own("furiten")}`) : null,
      found.without?.length ? html("span", { class: "loss" }, ` ${own("noYaku")}: ${kindNames(found.without)}`) : null),
    inRiichi.map((riichi) => safeLine(view, riichi)),
    (found.choices || []).map((choice) => html("p", {}, tileLine("small", KINDS[choice.kind], [lineTile(KINDS[choice.kind])]), " →", line(choice))),
  ].flat();
}
