"""Runs of plain turns: the loop, the rules of the table, and another engine have the same result."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, structs
from riichienv import ActionType

from engine import STYLES, play
from logs import Log, logs
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.table import DECLARED, RULES, IllegalPlayError, Table
from mjconv.ir.turns import play_turns
from mjconv.rules.succession import starts
from trips import known, read

FEW = ("1m", "5m", "5mr", "E", "?")
draw, discard = ev.Draw, ev.Discard

#: The dealer has discarded.
BEGUN = (draw(0, "9s"), discard(0, "9s", tsumogiri=True))


def table(*events: ev.Event, seats: int = 4) -> Table:
    played = Table([["1m", "1m", "2m"], ["3m", "3m", "4m"], ["5m", "5mr", "E"], ["?", "?", "?"]][:seats])
    for event in (*BEGUN, *events):
        played.apply(event)
    return played


def state(at: Table) -> dict[str, object]:
    # The order of tiles in a hand has no meaning.
    kept = {name: getattr(at, name) for name in Table.__slots__}
    return {**kept, "hands": [sorted(hand) for hand in at.hands]}


def check(at: Table, events: list[ev.Event], begin: int) -> int:
    """Play turns, and check that the rules play the same. Return the index after them."""
    alone = deepcopy(at)
    after = play_turns(at, events, begin)
    for event in events[begin:after]:
        alone.apply(event)
    assert state(at) == state(alone)
    return after


PLAIN = [draw(1, "9p"), discard(1, "3m", tsumogiri=False), draw(2, "9p"), discard(2, "9p", tsumogiri=True)]


def test_a_run_of_turns() -> None:
    at = table()
    assert check(at, PLAIN, 0) == 4
    assert (at.hands[1], at.rivers[1], at.turn, at.last_tile) == (["3m", "4m", "9p"], ["3m"], 2, "9p")
    assert check(table(), [ev.Dora("E"), *PLAIN], 1) == 5
    # After the last player comes the first.
    events = [*PLAIN[:2], draw(2, "1s"), discard(2, "1s", True), draw(0, "E"), discard(0, "1m", False)]
    assert check(table(seats=3), events, 0) == 6


def test_what_is_not_plain_is_left_to_the_rules() -> None:
    drawn, own = draw(1, "9p"), discard(1, "9p", True)
    for turn in (
        (draw(2, "9p"), discard(2, "9p", True)),
        (drawn, discard(2, "9p", True)),
        (drawn, discard(1, "9s", False)),
        (drawn, discard(1, "3m", True)),
        (drawn, discard(1, "9p", False)),
        (drawn, discard(1, "9p")),
        (draw(1, "?"), discard(1, "?", True)),
        (draw(1, "?"), discard(1, "3m", False)),
        (structs.replace(drawn, extras=ev.Extras({"wall": 3})), own),
        (drawn, structs.replace(own, extras=ev.Extras({"shanten": 1}))),
        (drawn, ev.Riichi(1)),
        (ev.Pass(), ev.Pass()),
        (drawn,),
    ):
        at = table()
        before = state(deepcopy(at))
        assert play_turns(at, turn, 0) == 0, turn
        assert state(at) == before, turn


def test_runs_begin_with_the_dealer_and_never_after_a_call() -> None:
    events = [draw(2, "9p"), discard(2, "1m", tsumogiri=False), draw(3, "E"), discard(3, "E", tsumogiri=True)]
    assert check(Table([["1m"]] * 4, oya=2), events, 0) == 4
    assert check(Table([["1m"]] * 4, oya=1), events, 0) == 0
    called = table(ev.Pon(3, 0, "9s", ("?", "?")))
    assert play_turns(called, [draw(1, "9p"), discard(1, "9p", tsumogiri=True)], 0) == 0


@st.composite
def turns(pick: st.DrawFn) -> list[ev.Event]:
    """Return events that are mostly turns, and mostly in order."""
    events: list[ev.Event] = []
    for player in range(1, pick(st.integers(2, 12))):
        seat = pick(st.sampled_from([player % 4] * 9 + [0]))
        drawn = pick(st.sampled_from(FEW))
        tile = pick(st.sampled_from([drawn, drawn, *FEW, "3m"]))
        flag = pick(st.sampled_from([tile == drawn] * 9 + [tile != drawn]))
        events += [draw(seat, drawn), discard(seat, tile, tsumogiri=flag)]
    return events


@given(turns())
def test_turns_are_played_as_the_rules_play_them(events: list[ev.Event]) -> None:
    at = table()
    index = 0
    try:
        while index < len(events):
            after = check(at, events, index)
            if after == index:
                at.apply(events[index])
                after += 1
            index = after
    except IllegalPlayError:
        with pytest.raises(IllegalPlayError):
            table(*events)
    else:
        assert state(at) == state(table(*events))


@looped("log", *(logs(4) + logs(3)), ids=str, every=2)
def test_whole_games_are_played_alike(log: Log) -> None:
    for match in read(log.data, "mjai").matches:
        for game_round, start in zip(match.rounds, starts(match), strict=True):
            events = game_round.events
            at = Table.dealt(start)
            index = 0
            while index < len(events):
                after = check(at, events, index)
                if after == index:
                    RULES[type(events[index])](at, events[index])
                    after += 1
                index = after
            melded = [3 * sum(meld.kind != "nukidora" for meld in melds) for melds in at.melds]
            assert {len(hand) + tiles for hand, tiles in zip(at.hands, melded, strict=True)} <= {13, 14}


# The table and another engine have the same state during random rounds.
KINDS = {"Chi": "chi", "Pon": "pon", "Daiminkan": "daiminkan", "Kakan": "kakan", "Ankan": "ankan"}

Melds = list[list[tuple[str, list[str], int | None]]]


@dataclass(frozen=True)
class Seen:
    """The table as the player whose turn it is sees it."""

    seat: int
    hand: list[str]
    drawn: str | None
    rivers: list[list[str]]
    melds: Melds
    riichi: list[bool]


def name(tile: int) -> str:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + list("ESWNPFC")
    return kinds[tile // 4] + ("r" if tile in (16, 52, 88) else "")


def seen_by_the_engine(seed: int, players: int, style: str, deal: Any) -> tuple[bytes, list[Seen]]:
    """Play a round on the engine. Return the view of each player on each of their turns."""
    shown: list[Seen] = []

    def look_and_choose(seen: Any, actions: Sequence[Any], rng: Random) -> Any:
        if all(action.action_type != ActionType.PASS for action in actions):
            melds: Melds = [[] for _ in seen.melds]
            for seat, meld in ((seat, meld) for seat, of_seat in enumerate(seen.melds) for meld in of_seat):
                kind = KINDS[str(meld.meld_type).split(".")[1]]
                melds[seat].append((kind, sorted(map(name, meld.tiles)), meld.from_who if meld.opened else None))
            hand, rivers = sorted(map(name, seen.hand)), [list(map(name, river)) for river in seen.discards]
            drawn = None if seen.drawn_tile is None else name(seen.drawn_tile)
            shown.append(Seen(seen.player_id, hand, drawn, rivers, melds, list(seen.riichi_declared)))
        return STYLES[style](seen, actions, rng)

    return play(seed, length="round", chooser=look_and_choose, deal=deal, players=players), shown


def seen_at_the_table(game: bytes) -> list[Seen]:
    """Replay a log on the table. Return the view of each player on each of their turns."""
    [game_round] = read(game, "mjai").match.rounds
    played = Table.dealt(known(game_round.start))
    shown: list[Seen] = []
    for event in game_round.events:
        played.apply(event)
        if isinstance(event, (ev.Draw, ev.Chi, ev.Pon, ev.Riichi)):
            melds: Melds = [[] for _ in played.melds]
            for seat, meld in ((seat, meld) for seat, of_seat in enumerate(played.melds) for meld in of_seat):
                if meld.kind != "nukidora":
                    tiles = [*meld.own, *(tile for tile in (meld.called, meld.added) if tile is not UNSET)]
                    melds[seat].append((meld.kind, sorted(tiles), None if meld.target is UNSET else meld.target))
            # In the engine a riichi begins with its discard.
            declaring = played.turn if played.phase is DECLARED else None
            riichi = [bool(far) and seat != declaring for seat, far in enumerate(played.riichi)]
            hand = sorted(played.hands[played.turn])
            rivers = [list(river) for river in played.rivers]
            shown.append(Seen(played.turn, hand, played.drawn, rivers, melds, riichi))
    return shown


@pytest.mark.parametrize("players", [4, 3])
@pytest.mark.parametrize("deal", ["fair", "triplets", "close"])
@pytest.mark.parametrize("style", ["riichi", "caller", "kans", "wild"])
def test_another_engine_sees_the_same_hands_rivers_melds_and_riichi(players: int, deal: str, style: str) -> None:
    compared = 0
    for seed in range(6):
        game, theirs = seen_by_the_engine(seed, players, style, deal)
        assert seen_at_the_table(game) == theirs
        compared += len(theirs)
    assert compared > 30
