"""Mistakes in hands of Chinese Official are found, and play that only riichi forbids is not."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET, structs

import mjconv
from mcr_made import hand, match_of
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round, Rules

Events: TypeAlias = list[Any]
#: A hand with flowers and calls that is won on a discard, one that is won on a draw, and one with an added kong.
RON, DRAWN, KONG = hand(1, ready=1, flowers=True), hand(5, ready=1, flowers=True), hand(4)


def codes(*rounds: Sequence[ev.Event], game: str = "mcr") -> set[str]:
    match = match_of(*(Round([*events]) for events in rounds))
    found = mjconv.check(structs.replace(match, rules=Rules(game=game)))
    return {finding.code for finding in found if finding.severity in ("error", "warning")}


def at(events: Sequence[ev.Event], kind: type, number: int = 0) -> int:
    """Return the index of an event of a kind; `number` counts from 0."""
    return [index for index, event in enumerate(events) if type(event) is kind][number]


def change(events: Events, index: int, **values: Any) -> None:
    events[index] = structs.replace(events[index], **values)


def deal(events: Events, seat: int, tiles: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
    hands = [tiles(one) if number == seat else one for number, one in enumerate(events[0].tehais)]
    change(events, 0, tehais=tuple(hands))


def first(hand: int, tiles: str) -> Callable[[Events], None]:
    """Return a mistake: a hand whose first tiles are these."""
    return lambda events: deal(events, hand, lambda dealt: (*tiles.split(), *dealt[len(tiles.split()) :]))


def fifth(events: Events) -> None:
    first(1, "E E E")(events)
    first(2, "E E")(events)


def flower(number: int, tile: Callable[[Events], str]) -> Callable[[Events], None]:
    """Return a mistake: another flower is drawn and set aside."""

    def mistake(events: Events) -> None:
        index = at(events, ev.Nukidora, number)
        change(events, index - 1, pai=tile(events))
        change(events, index, pai=tile(events))

    return mistake


def discard_unheld(events: Events) -> None:
    missing = next(tile for tile in ("S", "W", "N", "1m", "9m", "9p") if tile not in events[0].tehais[0])
    change(events, at(events, ev.Discard), pai=missing)


def another_is_called(events: Events) -> None:
    index = at(events, ev.Pon)
    tile = "1s" if events[index].pai != "1s" else "9s"
    change(events, index, pai=tile, consumed=(tile, tile))


def kong_without_pung(events: Events) -> None:
    kong = events[at(events, ev.Kakan)]
    events.remove(next(event for event in events if type(event) is ev.Pon and event.pai == kong.pai))


def of(kind: type, number: int = 0, **values: Callable[[Any], Any]) -> Callable[[Events], None]:
    """Return a mistake: other values of an event, each made of the event."""

    def mistake(events: Events) -> None:
        index = at(events, kind, number)
        change(events, index, **{key: value(events[index]) for key, value in values.items()})

    return mistake


def other(seat: int) -> int:
    """Return another of the players 2 and 3."""
    return next(each for each in (2, 3) if each != seat)


MISTAKES: dict[str, tuple[Round, Callable[[Events], None], str]] = {
    "a fifth tile": (RON, fifth, "R001"),
    "the same flower twice": (RON, flower(1, lambda events: str(events[at(events, ev.Nukidora)].pai)), "R001"),
    "a red five": (RON, first(0, "5mr"), "R002"),
    "a zero": (RON, first(0, "Z"), "R004"),
    "a discard that is not held": (RON, discard_unheld, "R005"),
    "a draw of another": (RON, of(ev.Draw, 2, actor=lambda draw: (draw.actor + 1) % 4), "O002"),
    "a call of another tile": (RON, another_is_called, "R009"),
    "a chow that is no run": (RON, of(ev.Chi, consumed=lambda chi: (chi.consumed[0],) * 2), "R011"),
    "a kong without its pung": (KONG, kong_without_pung, "R012"),
    "a hand of fourteen": (RON, lambda events: deal(events, 3, lambda tiles: (*tiles, tiles[0])), "R019"),
    "a north set aside": (RON, flower(0, lambda _: "N"), "R020"),
    "riichi": (RON, lambda events: events.insert(at(events, ev.Discard), ev.Riichi(events[1].actor)), "R021"),
    "a dora": (RON, lambda events: events.insert(at(events, ev.Discard) + 1, ev.Dora("9s")), "R021"),
    "another winner": (RON, of(ev.Win, actor=lambda win: other(win.target)), "R040"),
    "another winning tile that was drawn": (DRAWN, of(ev.Win, pai=lambda _: "6p"), "R044"),
    "another winning tile": (RON, of(ev.Win, pai=lambda _: "6p"), "R044"),
    "another discarder": (RON, of(ev.Win, target=lambda win: other(win.target)), "O003"),
    "points from nowhere": (RON, of(ev.Win, deltas=lambda win: (*win.deltas[:3], win.deltas[3] + 1)), "R050"),
    "points at a draw": (KONG, of(ev.Ryukyoku, deltas=lambda _: (3, -1, -1, 0)), "R053"),
}


def test_a_mistake_is_found() -> None:
    for name, (played, mistake, code) in MISTAKES.items():
        events = [*played.events]
        assert codes(events) == set(), name
        mistake(events)
        assert code in codes(events), name


class TestFair:
    """Nothing is found in fair play, also where riichi forbids it."""

    def test_rounds_may_have_any_dealer_wind_and_name(self) -> None:
        rounds = [hand(4, wind=wind, oya=oya).events for wind, oya in (("E", 0), ("E", 2), ("N", 1), ("E", 1))]
        assert codes(*rounds) == set()
        name = {"bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0}
        named = [[structs.replace(one.events[0], **name), *one.events[1:]] for one in (RON, KONG)]
        assert codes(*named) == set()
        assert "R060" in codes(*named, game="riichi")

    def test_a_called_tile_may_be_discarded_and_a_discarded_one_won_on(self) -> None:
        hands = ((*["1m", "2m", "4p", "4p", "4p", "7s", "7s", "E", "E", "S", "W", "N", "P"],), *(("?",) * 13,) * 3)
        play = [ev.StartRound("E", oya=3, tehais=hands), ev.Draw(3, "3m"), ev.Discard(3, "3m")]
        play += [ev.Chi(0, 3, "3m", ("1m", "2m")), ev.Discard(0, "4p"), ev.Draw(1, "?"), ev.Discard(1, "4p")]
        play += [ev.Pon(0, 1, "4p", ("4p", "4p")), ev.Discard(0, "7s"), ev.Ryukyoku(), ev.EndRound()]
        assert codes(play) == set()
        ready = (*(f"{rank}s" for rank in range(1, 10)), "2p", "2p", "2p", "5p")
        deal = ev.StartRound("E", kyoku=2, oya=1, tehais=(("?",) * 13, ready, *(("?",) * 13,) * 2))
        play = [deal, ev.Draw(1, "5p"), ev.Discard(1, "5p"), ev.Draw(2, "?"), ev.Discard(2, "5p")]
        play += [ev.Win(1, 2, "5p", deltas=(-8, 45, -29, -8), fan=21), ev.EndRound()]
        assert codes(play) == set()
        assert "R042" in codes(play, game="riichi")

    def test_results_alone_follow_in_any_order(self) -> None:
        win = ev.Win(0, 1, deltas=(8, -8, 0, 0))
        rounds = [Round([ev.StartRound("E", kyoku=kyoku, oya=kyoku - 1), win]) for kyoku in (4, 4, 2, 1)]
        match = Match(rounds=rounds, opening=[ev.StartGame()], closing=[ev.EndGame()])
        for rules in (UNSET, Rules(game="mcr"), Rules(game="hongkong")):
            assert {finding.code for finding in mjconv.check(structs.replace(match, rules=rules))} <= {"O010"}
