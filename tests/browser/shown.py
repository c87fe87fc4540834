"""What the page shows after a step, and what the table of mjconv is: both in one form, to compare."""

from collections.abc import Sequence
from typing import Any

from records import Record

from mjconv import Step

#: Reads the table from the elements of the page, whichever layout it has.
READ = """
const tiles = (root) => [...root.querySelectorAll("[data-tile]")];
const flag = (tile, name) => tile.dataset[name] !== undefined;
const zone = (name, seat) => document.querySelector(`[data-zone="${name}"][data-seat="${seat}"]`);
const all = (name, seat) => { const root = zone(name, seat); return root ? tiles(root) : []; };
const names = (found) => found.map((tile) => tile.dataset.tile);
const number = (text) => text === undefined ? null : Number(text);
function melds(seat) {
  const root = zone("melds", seat);
  return root ? [...root.querySelectorAll("[data-meld]")].map((meld) => [meld.dataset.meld,
    tiles(meld).map((tile) => [tile.dataset.tile, flag(tile, "turned"), flag(tile, "down")]).sort()]) : [];
}
function read() {
  const centre = document.querySelector('[data-zone="centre"]').dataset;
  const seats = [...document.querySelectorAll('[data-zone="points"]')].length;
  const each = (get) => Array.from({length: seats}, (_, seat) => get(seat));
  const dora = document.querySelector('[data-zone="dora"]');
  return {
    hands: each((seat) => names(all("hand", seat).filter((tile) => !flag(tile, "apart")))),
    drawn: each((seat) => names(all("hand", seat).filter((tile) => flag(tile, "apart")))),
    melds: each(melds),
    aside: each((seat) => names(all("aside", seat))),
    river: each((seat) => all("river", seat).map((tile) => [tile.dataset.tile, flag(tile, "drawn"),
      flag(tile, "turned"), number(tile.dataset.taken), flag(tile, "last")])),
    points: each((seat) => number(zone("points", seat).querySelector("[data-points]")?.dataset.points)),
    win: document.querySelectorAll(".table [data-win], .lanes [data-win]").length > 0,
    dora: dora ? tiles(dora).map((tile) => flag(tile, "down") ? null : tile.dataset.tile) : [],
    sticks: Number(centre.sticks), honba: Number(centre.honba), left: number(centre.left),
    results: document.querySelectorAll("[data-result]").length,
    caption: document.querySelector(".caption").textContent,
  };
}
"""

#: Steps through the round with a key until the step `to`, and reads the page after each step.
WALK = f"""{READ}
const [key, count] = arguments;
const seen = [read()];
for (let step = 0; step < count; step += 1) {{
  document.body.dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true}}));
  seen.push(read());
}}
return seen;
"""


def names_of(game: Record) -> list[str]:
    return game.match.names


def expected(step: Step, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return the table after a step in the form of `READ`, with the names of the players by seat."""
    state = step.state
    return {
        "hands": [hand.split() for hand in state.hands],
        "drawn": [[] if tile is None else [tile] for tile in state.drawn],
        "melds": [[_meld(meld) for meld in melds] for melds in state.melds],
        "aside": [list(tiles) for tiles in state.aside],
        "river": [_river(step, seat) for seat in range(len(state.river))],
        **{name: getattr(state, name) for name in ("sticks", "honba", "left", "results")},
        "points": list(state.points),
        "win": bool(state.win),
        "dora": list(state.dora),
        "caption": step.caption("en", names),
    }


def _meld(meld: Any) -> list[Any]:
    tiles = [[tile.tile, tile.turned, tile.down] for tile in meld.tiles]
    tiles += [[tile.on, True, False] for tile in meld.tiles if isinstance(tile.on, str)]
    return [meld.kind, sorted(tiles)]


def _river(step: Step, seat: int) -> list[Any]:
    shown = []
    for index, one in enumerate(step.state.river[seat]):
        taken = one.taken if isinstance(one.taken, int) else None
        shown.append([one.tile, one.drawn is True, one.riichi, taken, step.state.last == (seat, index)])
    return shown
