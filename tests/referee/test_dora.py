"""Dora indicators are turned one a kan, at their time by one of the customs; draws end with the wall."""

from typing import Any

from msgspec import structs
from shorthand import HIDDEN, dealt, game, play

from logs import logs
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round
from mjconv.referee import referee
from mjconv.referee.codes import CODES, codes_of
from trips import known, read

Found = list[tuple[str, int]]
CHECKED = codes_of(["R07"])


def check(match: Match) -> Found:
    """Return the codes that the check reports, each with the index of the event in its round."""
    return [(found.code, found.event or 0) for found in referee.check(match) if found.code in CHECKED]


def reported(letters: str, hands: tuple[tuple[str, ...], ...] = HIDDEN) -> Found:
    return check(game(dealt(letters, hands=hands)))


IN_TIME = {
    "none without a kan": "t0 d0 t1 d1 y e",
    "at once for a concealed kan": "t0 n0 x t0 d0 t1 d1 y e",
    "at once for a concealed kan, then another": "t0 n0 x t0 n0 x t0 d0 t1 d1",
    "before the discard, for an added kan": "t0 d0 p10 d1 t2 d2 t3 d3 t0 d0 t1 k1 t1 x d1 t2 d2",
    "before the discard, for an open kan": "t0 d0 m10 t1 x d1 t2 d2",
    "before riichi": "t0 d0 m10 t1 x r1 d1 a1 t2",
    "between riichi and its discard": "t0 k0 t0 r0 x d0 a0 t1 d1",
    "after the discard": "t0 d0 m10 t1 d1 x t2 d2",
    "after the riichi discard": "t0 k0 t0 r0 d0 x a0 t1 d1",
    "after the riichi is accepted": "t0 k0 t0 r0 d0 a0 x t1 d1",
    "after the discard, before a call": "t0 d0 m10 t1 d1 x p21 d2 t3",
    "of two added kans, the first before the second's replacement": "t0 k0 t0 k0 x t0 x d0 t1",
    "of two added kans, both before the discard": "t0 k0 t0 k0 t0 x x d0 t1",
    "of two added kans, both after the discard": "t0 k0 t0 k0 t0 d0 x x t1",
    "of an added kan before a concealed one": "t0 k0 t0 x n0 x t0 d0 t1",
    "of an added kan with a concealed one": "t0 k0 t0 n0 x x t0 d0 t1",
    "of an added kan after a concealed one": "t0 k0 t0 n0 x t0 x d0 t1",
    "of an open kan after a north": "t0 k0 t0 z0 x t0 d0 t1",
    "none for a north": "t0 z0 t0 d0 t1 d1",
    "none when the kan is robbed": "t0 k0 w10 e",
    "none when a concealed kan is robbed": "t0 n0 w10 e",
    "none when the replacement wins": "t0 k0 t0 w0 e",
    "none when the discard after an open kan is won on": "t0 d0 m10 t1 d1 w21 e",
    "none when the discard after an open kan breaks the round off": "t0 d0 m10 t1 d1 y e",
    "none where play breaks off": "t0 d0 m10 t1 d1",
}


def test_in_time() -> None:
    for name, letters in IN_TIME.items():
        assert reported(letters) == [], name


NOT_IN_TIME: dict[str, tuple[str, Found]] = {
    "without a kan": ("t0 d0 x t1 d1", [("R070", 3)]),
    "for a north": ("t0 z0 x t0 d0 t1", [("R070", 3)]),
    "twice for one kan": ("t0 n0 x x t0 d0 t1", [("R070", 4)]),
    "twice for one open kan": ("t0 d0 m10 t1 x d1 x t2 d2", [("R070", 7)]),
    "before the kan": ("t0 x n0 t0 d0 t1", [("R070", 2)]),
    "not for a concealed kan": ("t0 n0 t0 d0 t1 d1", [("R071", 3)]),
    "late for one of two concealed kans": ("t0 n0 t0 x n0 x t0 d0 t1 d1", [("R071", 3)]),
    "not for a concealed kan that wins": ("t0 n0 t0 w0 e", [("R071", 3)]),
    "not for an open kan": ("t0 d0 m10 t1 d1 t2 d2", [("R071", 6)]),
    "not before a call": ("t0 d0 m10 t1 d1 p21 d2 t3 d3", [("R071", 6)]),
    "not before a chi": ("t0 d0 m10 t1 d1 c21 d2 t3 d3", [("R071", 6)]),
    "not before another open kan": ("t0 d0 m10 t1 d1 m21 t2 x d2 t3", [("R071", 6)]),
    "late for an open kan": ("t0 d0 m10 t1 d1 t2 x d2 t3", [("R071", 6)]),
    "not for an added kan before a riichi passes": ("t0 k0 t0 r0 d0 a0 t1 d1", [("R071", 7)]),
    "not for the second of two": ("t0 k0 t0 k0 x t0 d0 t1 d1", [("R071", 8)]),
    "not for two": ("t0 k0 t0 k0 t0 d0 t1 d1", [("R071", 7)]),
    "early for an added kan": ("t0 k0 x t0 d0 t1 d1", [("R072", 3)]),
    "early for an open kan": ("t0 d0 m10 x t1 d1 t2 d2", [("R072", 4)]),
}


def test_not_in_time() -> None:
    for name, (letters, expected) in NOT_IN_TIME.items():
        assert reported(letters) == expected, name


@looped("marker", "?", ev.UNSET)
def test_nothing_is_reported_where_dora_are_not_known(marker: Any) -> None:
    game_round = dealt("t0 n0 t0 r0 d0 a0 x t1 d1", hands=HIDDEN)
    start = known(game_round.start)
    game_round.events[0] = structs.replace(start, dora_marker=marker)
    assert check(game(game_round)) == []


def test_a_house_may_turn_the_dora_of_a_concealed_kan_after_the_replacement() -> None:
    for letters, usual, late in (
        ("t0 n0 t0 x d0 t1 d1", ["R071"], []),
        ("t0 n0 t0 x n0 t0 x d0 t1", ["R071", "R071"], []),
        ("t0 n0 x t0 d0 t1 d1", [], []),
        ("t0 n0 t0 d0 t1 d1", ["R071"], ["R071"]),
        ("t0 n0 t0 w0 e", ["R071"], []),
    ):
        for house, expected in ((House(late_dora=False), usual), (House(late_dora=True), late)):
            found = referee.check(game(dealt(letters)), house=house)
            assert [each.code for each in found if each.code in CHECKED] == expected, letters


def with_ura(letters: str, *uras: tuple[str, ...]) -> Found:
    """Check a round whose wins show these ura dora."""
    game_round = dealt(letters, hands=HIDDEN)
    wins = [index for index, event in enumerate(game_round.events) if isinstance(event, ev.Win)]
    for index, ura in zip(wins, uras, strict=True):
        game_round.events[index] = structs.replace(game_round.events[index], ura_markers=ura)
    return check(game(game_round))


def test_ura_dora_are_as_many_as_dora_indicators_and_shown_to_riichi_alone() -> None:
    riichi, concealed = "t0 r0 d0 a0 t1 d1 w01", "t0 r0 d0 a0 t1 n1 x t1 d1 w01"
    added, spare = "t0 r0 d0 a0 t1 k1 t1 d1 w01", "t0 r0 d0 a0 t1 x d1 w01"
    for letters, counts, expected in (
        (riichi, (1,), []),
        # A list of ura dora in riichi is never empty.
        (riichi, (0, 2), [("R073", 7)]),
        (concealed, (2,), []),
        (concealed, (0, 1), [("R073", 10)]),
        ("t0 d0 t1 d1 w01", (0,), []),
        ("t0 d0 t1 d1 w01", (1,), [("R073", 5)]),
        # The indicator that the win left unturned may be among them, and one that no kan requires may be absent.
        (added, (1, 2), []),
        (added, (0, 3), [("R073", 9)]),
        (spare, (1, 2), [("R070", 6)]),
        (spare, (3,), [("R070", 6), ("R073", 8)]),
    ):
        for count in counts:
            assert with_ura(letters, ("1m", "2m", "3m")[:count]) == expected, (letters, count)
    # A record that states no list at all states nothing wrong.
    assert reported(f"{riichi} e") == []


def test_ura_dora_copied_to_a_winner_without_riichi_are_a_warning() -> None:
    """Converters copy the ura dora of a double ron to both winners."""
    double = "t0 d0 t1 r1 d1 a1 t2 d2 t3 d3 t0 d0 w10 w20 e"
    assert with_ura(double, ("1m",), ()) == []
    assert with_ura(double, ("1m",), ("1m",)) == [("R075", 14)]
    assert with_ura(double, ("1m",), ("2m",)) == [("R073", 14)]
    assert (CODES["R073"].severity, CODES["R075"].severity) == ("error", "warning")


def turns(count: int, seats: int) -> str:
    return " ".join(f"t{turn % seats} d{turn % seats}" for turn in range(count))


@looped(("seats", "draws"), (4, 70), (3, 55))
def test_the_wall_ends_before_the_dead_wall(seats: int, draws: int) -> None:
    hands = HIDDEN[:seats]
    assert reported(f"{turns(draws, seats)} y e", hands) == []
    assert reported(f"{turns(draws + 1, seats)} y e", hands) == [("R074", 2 * draws + 1)]
    # One draw too many leads to another, and is reported once.
    assert reported(f"{turns(draws + 3, seats)} y e", hands) == [("R074", 2 * draws + 1)]


@looped(("seats", "draws"), (4, 70), (3, 55))
@looped("replaced", "t0 n0 x t0 n0 x", "t0 z0 t0 z0")
def test_each_replacement_leaves_one_tile_less(seats: int, draws: int, replaced: str) -> None:
    hands = HIDDEN[:seats]
    assert reported(f"{replaced} {turns(draws - 2, seats)} y e", hands) == []
    last = len(play(replaced)) + 2 * (draws - 2) + 1
    assert reported(f"{replaced} {turns(draws - 1, seats)} y e", hands) == [("R074", last)]


def test_the_wall_is_counted_where_dora_are_not_known_and_in_riichi_alone() -> None:
    events = [ev.StartRound(oya=0, tehais=HIDDEN), *play(f"{turns(3, 4)} t3 r3 d3 a3 {turns(66, 4)}")]
    assert check(game(Round(events))) == []
    events += play("t2 d2 t3 d3")
    assert check(game(Round(events))) == [("R074", len(events) - 4)]
    events = [ev.StartRound(oya=0, tehais=HIDDEN), *play(turns(90, 4))]
    assert check(game(Round(events))) == []


def test_a_draw_or_a_kan_out_of_order_is_no_finding_of_dora() -> None:
    again = f"{turns(4, 4)} t0 t0 d0 " + " ".join(f"t{turn % 4} d{turn % 4}" for turn in range(5, 70))
    assert reported(f"{again} y e") == []
    # Nobody knows any more how many were drawn.
    assert reported(f"{again} t2 d2 y e") == []
    assert reported("t0 n0 n0 x t0 d0 t1 d1") == []
    assert reported("t0 d0 n1 x t1 d1 t2 d2") == []


def test_every_code_has_its_test() -> None:
    codes = {code for _, expected in NOT_IN_TIME.values() for code, _ in expected}
    assert codes | {"R073", "R074", "R075"} == CHECKED


def test_logs_turn_dora_in_time_and_each_that_is_dropped_is_reported() -> None:
    """A dora is missed when play goes on after the next discard, or at the replacement of a concealed kan."""
    dropped = 0
    for log in (*logs(4), *logs(3)):
        match = read(log.data, "mjai").match
        assert check(match) == []
        for game_round in match.rounds:
            for place, event in enumerate(game_round.events):
                if isinstance(event, ev.Dora) and _goes_on(game_round.events[place:]):
                    events = [*game_round.events[:place], *game_round.events[place + 1 :]]
                    assert [code for code, _ in check(Match(rounds=[Round(events)]))] == ["R071"]
                    dropped += 1
    assert dropped > 20


def _goes_on(events: list[ev.Event]) -> bool:
    """Return whether a tile is discarded and another drawn after: then the indicator must have been turned."""
    kinds = [type(event) for event in events]
    return ev.Discard in kinds and ev.Draw in kinds[kinds.index(ev.Discard) :]
