"""The page reads hands as `mahjong` does, and states which tiles are safe from what the viewed seat sees."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from chromium import Browser
from records import FLOWERS, FOUR, TENHOU, THREE, Record

import mjconv
from engine import play
from mjconv import Discard, Draw, EndRound, Match, StartRound
from mjconv.ir.match import Round
from mjconv.viewer.page import payload

HANDS = 10_000
KINDS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + list("ESWNPFC")
DOWN = ("?",) * 13


def kind(tile: str) -> int:
    return KINDS.index(tile.removesuffix("r"))


def counts_of(tiles: list[int]) -> list[int]:
    found = Counter(tiles)
    return [found[each] for each in range(len(KINDS))]


def shanten(counts: list[int], melds: int) -> int:
    from mahjong.shanten import Shanten

    count = Shanten()
    return count.calculate_shanten_for_regular_hand(counts) if melds else count.calculate_shanten(counts)


def test_the_distance_of_ten_thousand_hands_is_that_of_the_package(browser: Browser) -> None:
    random = Random(11)
    hands = []
    for number in range(HANDS):
        # All kinds, or two suits, or one suit and honours: such hands are nearer to a win.
        kinds = (range(34), range(18), [*range(9), *range(27, 34)])[number % 3]
        melds = random.choice((0, 0, 0, 1, 2, 3, 4))
        tiles = random.sample([each for each in kinds for _ in range(4)], 13 - 3 * melds + random.randrange(2))
        hands.append((counts_of(tiles), melds))
    browser.open(FOUR.data)
    found = browser.run("return arguments[0].map(([counts, melds]) => shantenOf(counts, melds))", hands)
    assert found == [shanten(counts, melds) for counts, melds in hands]
    assert {-1, 0, 1, 2, 3, 4, 5} <= set(found)


def won_hand(random: Random) -> tuple[list[int], list[dict[str, Any]], int]:
    """Return the kinds of the concealed tiles of a won hand, its melds, and the kind of the winning tile."""
    while True:
        kinds = random.choice(
            (range(34), range(18), [*range(1, 8), *range(10, 17), *range(19, 26)], range(22, 34))
        )
        sets: list[list[int]] = []
        while len(sets) < 4:
            first = random.choice(list(kinds))
            run = first < 27 and first % 9 < 7 and random.random() < 0.6
            sets.append([first, first + 1, first + 2] if run else [first] * 3)
        pair = [random.choice(list(kinds))] * 2
        melds = [{"tiles": sets.pop(), "concealed": False} for _ in range(random.choice((0, 0, 1, 2, 3)))]
        closed = [*pair, *(each for one in sets for each in one)]
        if max(counts_of([*closed, *(each for meld in melds for each in meld["tiles"])])) <= 4:
            return closed, melds, random.choice(closed)


def has_yaku(closed: list[int], melds: list[dict[str, Any]], won: int, winds: tuple[int, int]) -> bool:
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld

    used: Counter[int] = Counter()

    def tiles(kinds: list[int]) -> list[int]:
        found = []
        for each in kinds:
            found.append(4 * each + used[each])
            used[each] += 1
        return found

    hand = tiles(closed)
    win = next(tile for tile in hand if tile // 4 == won)
    called = []
    for meld in melds:
        shape = Meld.CHI if meld["tiles"][0] != meld["tiles"][1] else Meld.PON
        called.append(Meld(shape, tiles(meld["tiles"])))
    everything = [*hand, *(tile for meld in called for tile in meld.tiles)]
    config = HandConfig(player_wind=winds[0], round_wind=winds[1], options=OptionalRules(has_open_tanyao=True))
    result = HandCalculator().estimate_hand_value(everything, win, melds=called, config=config)
    assert result.error in (None, "no_yaku"), result.error
    return result.error is None


def test_a_hand_has_a_yaku_if_the_package_finds_one(browser: Browser) -> None:
    random = Random(12)
    hands = []
    for _ in range(3000):
        closed, melds, won = won_hand(random)
        winds = random.choice((27, 28, 29, 30)), random.choice((27, 28))
        hands.append((closed, melds, won, winds))
    browser.open(FOUR.data)
    script = """
        return arguments[0].map(([closed, melds, won, winds]) => {
          const counts = Array(34).fill(0);
          for (const kind of closed) counts[kind] += 1;
          return hasYaku(counts, melds.map(({ tiles }) => tiles), melds.length > 0, won, winds, true);
        });
    """
    found = browser.run(script, hands)
    wanted = [has_yaku(*hand) for hand in hands]
    wrong = [(hand, page) for hand, page, package in zip(hands, found, wanted, strict=True) if page != package]
    assert wrong == []
    assert 300 < sum(wanted) < 2900


READ_ALL = """
const found = [];
for (let step = 0; step <= current.replay.last; step += 1) {
  current.goStep(step);
  const { shanten, unseen, kinds, choices } = readHand(current) || {};
  found.push({ shanten, unseen, kinds, choices });
}
return found;
"""


@pytest.mark.parametrize("game", [FOUR, THREE, TENHOU], ids=lambda game: game.name)
@pytest.mark.parametrize("hidden", [True, False], ids=["hidden", "open"])
def test_a_step_has_the_useful_tiles_and_how_many_are_unseen(browser: Browser, game: Record, hidden: bool) -> None:
    """From the viewed seat: what is face down on the page is not seen. A called tile counts once."""
    browser.open(game.data)
    if hidden:
        browser.press("h")
    found = browser.run(READ_ALL)
    for step in (step for step in mjconv.steps(game.match) if step.round == 0):
        state, read = step.state, found[step.step]
        if state.results:
            assert read["shanten"] is None if "shanten" in read else True
            continue
        tiles = [kind(tile) for tile in [*state.hands[0].split(), state.drawn[0]] if tile]
        counts, melds = counts_of(tiles), len(state.melds[0])
        seats = range(len(state.hands))
        called = [part for seat in seats for meld in state.melds[seat] for part in meld.tiles]
        seen = [tile for part in called for tile in (part.tile, part.on)]
        seen += [tile.tile for seat in seats for tile in state.river[seat] if not isinstance(tile.taken, int)]
        seen += [tile for seat in seats for tile in state.aside[seat]] + list(state.dora)
        for seat in seats:
            if not hidden or seat == 0:
                seen += [*state.hands[seat].split(), state.drawn[seat]]
        left = [4 - count for count in counts_of([kind(tile) for tile in seen if isinstance(tile, str)])]
        if len(state.hands) == 3:
            left[1:8] = [0] * 7
        assert read["unseen"] == left

        def useful(counts: list[int], melds: int = melds) -> list[int]:
            now = shanten(counts, melds)
            more = [[*counts[:each], counts[each] + 1, *counts[each + 1 :]] for each in range(34)]
            return [each for each in range(34) if counts[each] < 4 and shanten(more[each], melds) < now]

        if len(tiles) % 3 == 2:
            less = {each: [*counts[:each], counts[each] - 1, *counts[each + 1 :]] for each in set(tiles)}
            best = min(shanten(each, melds) for each in less.values())
            wanted = {each: useful(rest) for each, rest in less.items() if shanten(rest, melds) == best}
            assert {choice["kind"]: choice["kinds"] for choice in read["choices"]} == wanted
            order = [choice["count"] for choice in read["choices"]]
            assert order == sorted((sum(left[each] for each in kinds) for kinds in wanted.values()), reverse=True)
        else:
            assert (read["shanten"], read["kinds"]) == (shanten(counts, melds), useful(counts))


def tenpai(*events: Any) -> dict[str, Any]:
    """Return the data of a round in which seat 0 waits for 3m and 6m, closed."""
    hand = ("4m", "5m", "1p", "1p", "1p", "7p", "8p", "9p", "2s", "3s", "4s", "W", "W")
    start = StartRound("E", dora_marker="8s", kyoku=1, honba=0, kyotaku=0, oya=0, scores=(25000,) * 4,
                       tehais=(hand, DOWN, DOWN, DOWN))  # fmt: skip
    data: dict[str, Any] = payload(Match(rounds=[Round([start, *events, EndRound()])]))
    return data


FIRST = (Draw(0, "N"), Discard(0, "N", tsumogiri=True))


@pytest.mark.parametrize(
    ("events", "furiten"),
    [
        (FIRST, False),
        ((Draw(0, "6m"), Discard(0, "6m", tsumogiri=True)), True),
        ((*FIRST, Draw(1, "3m"), Discard(1, "3m", tsumogiri=True)), False),
        ((*FIRST, Draw(1, "3m"), Discard(1, "3m", tsumogiri=True), Draw(2, "?")), True),
    ],
    ids=["none", "own discard", "a discard to win on", "a discard that was passed"],
)
def test_furiten_and_hands_without_yaku_are_said(browser: Browser, events: tuple[Any, ...], furiten: bool) -> None:
    browser.open(tenpai(*events))
    browser.press("End", "t")
    [shown] = browser.texts(".reading p")
    assert "tenpai" in shown
    assert ("furiten" in shown) == furiten
    # 7p 8p 9p and 1p 1p 1p, the guest wind: nothing but riichi or tsumo.
    assert shown.endswith("no yaku without riichi or tsumo: 3m 6m")


def test_the_aid_is_off_at_first_and_absent_where_it_is_not_defined(browser: Browser) -> None:
    browser.open(TENHOU.data)
    assert not browser.run("return document.querySelector('.reading').checkVisibility()")
    browser.press("t")
    assert browser.texts(".reading")[0].startswith("Reader's aid: ")
    browser.press("s", "t")
    assert not browser.run("return document.querySelector('.reading').checkVisibility()")
    browser.open(FLOWERS.data)
    browser.press("t")
    assert browser.texts(".reading") == ["Reader's aid: –"]
    assert browser.run("return document.querySelectorAll('.key-t').length") == 0


# The page states which tiles of a hand are safe against each riichi, from what the viewed seat sees.
SAFE_AT_STEPS = """
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
    for number, at, seat, riichi, shown in browser.run(SAFE_AT_STEPS):
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
