"""The page states which tiles of a hand are safe against each riichi, from what the viewed seat sees."""

from collections import Counter
from typing import Any

from chromium import Browser
from records import THREE

import mjconv
from engine import play
from mjconv import Match
from mjconv.viewer.page import payload

READ_ALL = """
const found = [];
for (let round = 0; round < current.data.rounds.length; round += 1) {
  current.show(round, 0);
  for (let step = 0; step <= current.replay.last; step += 1) {
    current.goStep(step);
    for (let seat = 0; seat < seatCount(current.replay.round); seat += 1) {
      current.seat = seat;
      current.replay.state.riichi.forEach((riichi, other) => {
        if (!riichi || other === seat) return;
        const named = safeKinds(current, other);
        for (const name of Object.keys(named)) named[name] = named[name].map((kind) => KINDS[kind]);
        found.push([round, step, seat, other, named]);
      });
    }
  }
}
return found;
"""
SUITS = "mps"


def plain(tile: str) -> str:
    return tile.removesuffix("r")


def passed(match: Match, number: int, until: int, riichi: int) -> set[str]:
    """Return the tiles that a player in riichi may no longer win on, before the event `until` of a round."""
    found: set[str] = set()
    declared = False
    for index, event in enumerate(match.rounds[number].events[: until + 1]):
        declared = declared or (isinstance(event, mjconv.Riichi) and event.actor == riichi)
        # The last discard of another player may still be won on.
        if isinstance(event, mjconv.Discard) and (event.actor == riichi or (declared and index < until)):
            found.add(plain(event.pai))
    return found


def seen_tiles(state: Any, seat: int) -> Counter[str]:
    """Count the tiles that a seat sees: its hand, hands that lie open, melds, rivers and indicators."""
    found = [tile for tile in state.dora if tile]
    for each, river in enumerate(state.river):
        found += [tile.tile for tile in river if not isinstance(tile.taken, int)]
        found += state.aside[each]
        found += [tile.tile for meld in state.melds[each] for tile in meld.tiles]
        found += [tile.on for meld in state.melds[each] for tile in meld.tiles if isinstance(tile.on, str)]
        if each == seat or state.open[each]:
            found += [*state.hands[each].split(), *filter(None, [state.drawn[each]])]
    return Counter(plain(tile) for tile in found if tile != "?")


def safe(hand: set[str], missed: set[str], seen: Counter[str]) -> dict[str, set[str]]:
    """Sort the tiles of a hand by going through every two-sided wait that there is."""
    found: dict[str, set[str]] = {"genbutsu": set(), "suji": set(), "kabe": set()}
    for tile in hand:
        if tile in missed:
            found["genbutsu"].add(tile)
        if tile in missed or tile[-1] not in SUITS:
            continue
        suit = tile[-1]
        by_furiten, by_any = [], []
        for low in range(2, 8):
            ends = {f"{low - 1}{suit}", f"{low + 2}{suit}"}
            if tile in ends:
                furiten = bool(ends & missed)
                by_furiten.append(furiten)
                by_any.append(furiten or 4 in (seen[f"{low}{suit}"], seen[f"{low + 1}{suit}"]))
        if all(by_furiten):
            found["suji"].add(tile)
        elif all(by_any):
            found["kabe"].add(tile)
    return found


def check(browser: Browser, match: Match) -> Counter[str]:
    """Compare each position with a riichi; return how often each fact was stated."""
    browser.open(payload(match))
    steps = {(step.round, step.step): step for step in mjconv.steps(match)}
    counts: Counter[str] = Counter()
    for number, at, seat, riichi, shown in browser.run(READ_ALL):
        step = steps[number, at]
        state, until = step.state, step.event
        assert until is not None
        tiles = [*state.hands[seat].split(), *filter(None, [state.drawn[seat]])]
        seen = seen_tiles(state, seat)
        if len(state.hands) == 3:
            seen.update({f"{rank}m": 4 for rank in range(2, 9)})
        wanted = safe({plain(tile) for tile in tiles}, passed(match, number, until, riichi), seen)
        assert {name: set(kinds) for name, kinds in shown.items()} == wanted, (number, at, seat, riichi)
        assert all(len(kinds) == len(set(kinds)) for kinds in shown.values())
        counts.update({name: len(kinds) for name, kinds in wanted.items()}, positions=1)
    return counts


def test_safe_tiles_are_those_of_another_implementation(browser: Browser) -> None:
    counts = check(browser, mjconv.read(play(0), format="mjai"))
    assert counts["positions"] > 300
    assert min(counts["genbutsu"], counts["suji"], counts["kabe"]) > 30


def test_three_players_have_no_waits_between_1m_and_9m(browser: Browser) -> None:
    assert check(browser, THREE.match)["positions"] > 0


def test_the_aid_names_the_player_in_riichi_and_the_safe_tiles(browser: Browser) -> None:
    match = mjconv.read(play(0), format="mjai")
    number, event = next(
        (number, event)
        for number, played in enumerate(match.rounds)
        for event in played.events
        if isinstance(event, mjconv.Riichi)
    )
    step = next(step for step in mjconv.steps(match) if step.round == number and step.kind == "riichi")
    browser.open(payload(match), f"#{match.rounds[number].label}.{step.step - 1}.s{(event.actor + 1) % 4}")
    browser.press("t")
    assert browser.texts(".safe") == []
    browser.press("ArrowRight")
    [line] = browser.texts(".safe")
    wind = {"E": "East", "S": "South", "W": "West", "N": "North"}[step.winds[event.actor]]
    assert line.startswith(wind)
    safe = browser.run("return safeKinds(current, arguments[0])", event.actor)
    assert [name in line for name in safe] == [bool(kinds) for kinds in safe.values()]
    assert safe["genbutsu"]
