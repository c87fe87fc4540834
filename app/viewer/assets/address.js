// The address keeps round, step and seat, as #E2-0.40.s2, so that a link leads there.

// The name of a round in the address: its label, and ~2 for the second round of that label.
function roundAddress(rounds, index) {
  const { label } = rounds[index];
  const same = rounds.slice(0, index).filter((round) => round.label === label).length;
  return same ? `${label}~${same + 1}` : label;
}

const writeAddress = (rounds, { round, step, seat }) =>
  `#${encodeURIComponent(roundAddress(rounds, round))}.${step}.s${seat}`;

// Reads an address. Returns null where it names no round.
function readAddress(rounds, hash) {
  const parts = /^#(.+?)(?:\.(\d+))?(?:\.s(\d))?$/.exec(hash);
  if (!parts) return null;
  let name;
  try {
    name = decodeURIComponent(parts[1]);
  } catch {
    return null;
  }
  const round = rounds.findIndex((_, index) => roundAddress(rounds, index) === name);
  if (round < 0) return null;
  return { round, step: Number(parts[2] || 0), seat: parts[3] === undefined ? null : Number(parts[3]) };
}
