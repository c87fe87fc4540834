// The whole wall: whom each tile was dealt to, at which step it was drawn, and the dead wall apart.

// A sentence about a tile of the wall: its name, the player who got it, and the step.
function wallText(view, index, tile) {
  const { wall } = view.replay.round;
  const [seat, step, role] = [wall.seat[index], wall.step[index], wall.role?.[index]];
  const parts = [tileName(tile)];
  if (role) parts.push(`${own(role[0])} ${role[1]}`);
  if (seat !== null && step === 0) parts.push(`${own("dealt")} ${seatName(view.data, view.replay.round, seat, view.names)}`);
  else if (seat !== null) parts.push(`${own("came")} ${step}: ${seatName(view.data, view.replay.round, seat, view.names)}`);
  else if (!role) parts.push(own("never"));
  return parts.join(", ");
}

// How many draws a seat has made from the wall, before and with each tile.
function drawCounts(wall) {
  const counts = {};
  return wall.seat.map((seat, index) => {
    if (seat === null || !wall.step[index]) return null;
    counts[seat] = (counts[seat] || 0) + 1;
    return counts[seat];
  });
}

function wallLabel(view, index, count) {
  const { wall } = view.replay.round;
  const role = wall.role?.[index];
  if (role) return `${{ dora: "D", ura: "U", replacement: "R" }[role[0]]}${role[1]}`;
  const seat = wall.seat[index];
  if (seat === null) return "";
  return wall.step[index] === 0 ? windLetter(view.replay.round, seat) : `${windLetter(view.replay.round, seat)}${count}`;
}

// Draws the wall of a round. Its tiles are one stop of Tab; Shift and an arrow move among them.
function drawWall(view) {
  const { wall } = view.replay.round;
  if (!wall) return html("p", { class: "quiet" }, own("never"));
  const info = html("p", { class: "wallinfo", role: "status" });
  const counts = drawCounts(wall);
  const tiles = tilesOf(wall.tiles);
  const show = (index) => info.replaceChildren(wallText(view, index, tiles[index]));
  const cells = tiles.map((tile, index) => html("button", {
    class: `cell${wall.seat[index] === null ? "" : ` player${wall.seat[index]}`}`, type: "button", tabindex: index ? -1 : 0,
    // The name begins with the visible text, so that voice control finds it.
    "data-index": index, "aria-label": `${wallLabel(view, index, counts[index])} ${wallText(view, index, tile)}`.trim(),
    onmouseenter: () => show(index), onfocus: () => show(index),
    onclick: () => wall.step[index] !== null && view.goStep(wall.step[index]),
  }, lineTile(tile), html("span", { class: "when", "aria-hidden": "true" }, wallLabel(view, index, counts[index]))));
  const dead = wall.dead ?? tiles.length;
  const part = (name, from, to) => (from < to ? html("div", { class: "cells", role: "group", "aria-label": name },
    html("span", { class: "quiet", "aria-hidden": "true" }, name), cells.slice(from, to)) : null);
  const root = html("div", { class: "walls", onkeydown: (event) => moveInWall(event, cells) },
    part(own("deal"), 0, wall.dealt), part(own("wall"), wall.dealt, dead), part(own("deadWall"), dead, tiles.length), info);
  root.update = (step) => cells.forEach((cell, index) => {
    const came = wall.step[index];
    cell.classList.toggle("came", came !== null && came <= step);
    cell.classList.toggle("now", came !== null && came === step && step > 0);
  });
  return root;
}

function moveInWall(event, cells) {
  const moves = { ArrowLeft: -1, ArrowRight: 1 };
  const from = cells.indexOf(document.activeElement);
  if (from < 0 || !event.shiftKey || !(event.key in moves)) return;
  event.preventDefault();
  event.stopPropagation();
  const to = cells[from + moves[event.key]];
  if (!to) return;
  cells[from].tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}
