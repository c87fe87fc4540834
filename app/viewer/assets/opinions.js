// The opinions of programs that the record has: the choices of a player with their values, and where the choice taken is
// furthest from the best one.

const DIGITS = { q: 2, rank: 3, points: 0 };
const MOST_DIFFERENCES = 20;

const choiceName = ([act, tiles]) => [act && word(act), tileNames(tiles)].filter(Boolean).join(" ");
const worth = (unit, value, more = 0) => value.toFixed(DIGITS[unit] + more).replace("-", "−");
const difference = ({ values, taken }) => Math.abs(values[0] - values[taken]);

// A choice as a bar over its tiles, whose length is between those of the worst and the best choice.
function choiceBar({ unit, values, taken, choices }, index) {
  const [best, worst] = [values[0], values.at(-1)];
  const [act, tiles] = choices[index];
  const length = best === worst ? 1 : (values[index] - worst) / (best - worst);
  return html("li", { class: index === taken ? "taken" : null },
    svg("svg", { class: "amount", viewBox: "0 0 10 20", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { x: 0, y: 19 * (1 - length), width: 10, height: 20 })),
    html("span", { class: "tiles small", "aria-hidden": "true" }, tiles.map((tile) => lineTile(tile)), act ? html("b", {}, word(act)) : null),
    html("span", { class: "unseen" }, choiceName(choices[index]), index === taken ? `, ${own("taken")}` : ""),
    html("small", {}, worth(unit, values[index])));
}

// The values of a hand that is face down are hidden.
const shownOpinions = ({ hidden, seat }, opinions = []) => opinions.filter((opinion) => !hidden || opinion.seat === seat);

// The opinions at this step, those about the viewed seat first.
function drawOpinions(view) {
  const { replay, seat } = view;
  return shownOpinions(view, replay.now.opinions).sort((one, other) => (other.seat === seat) - (one.seat === seat)).map((opinion) => html("div", { class: "opinion" },
      html("span", { class: "quiet" }, shape(opinion.seat), " ", seatName(view.data, replay.round, opinion.seat, view.names), " · ", own(opinion.unit)),
      html("ul", {}, range(opinion.choices.length).map((index) => choiceBar(opinion, index)))));
}

// The opinions of a match whose best choice was not taken: those that differ most first. Values of several units do not compare.
function differences(view) {
  return view.data.rounds.flatMap((round, index) => round.steps.flatMap(({ opinions }, step) =>
    shownOpinions(view, opinions).filter(({ taken }) => taken > 0).map((opinion) => ({ round, index, step, opinion }))))
    .sort((one, other) => (one.opinion.unit > other.opinion.unit) - (one.opinion.unit < other.opinion.unit) || difference(other.opinion) - difference(one.opinion))
    .slice(0, MOST_DIFFERENCES);
}

function differencesList(view) {
  const items = differences(view).map(({ round, index, step, opinion }) => html("li", {},
    html("button", { type: "button", onclick: () => view.show(index, step) },
      html("span", { class: "label" }, roundLabel(round)), shape(opinion.seat),
      html("span", { class: "brief" }, `${choiceName(opinion.choices[opinion.taken])} → ${choiceName(opinion.choices[0])}`),
      html("span", { class: "points" }, worth(opinion.unit, difference(opinion), 1)))));
  return items.length ? html("nav", { class: "rounds differences", "aria-label": own("differences") }, html("h2", {}, own("differences")), html("ol", {}, items)) : null;
}
