"""Opinions of programs in a record: Mortal's values by the bits of its mask, Manue's tables, nothing hostile."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import UNSET

import mjconv
from mjconv import Chi, Discard, Draw, Match, Riichi, StartRound
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.viewer.facts import Opinion, opinions_by_step
from mjconv.viewer.show import payload

HANDS = (
    ("1m", "2m", "3m", "4m", "5mr", "6m", "1p", "1p", "1p", "7s", "8s", "9s", "E"),
    ("3m", "4m", "6m", "7m", "1s", "1s", "1s", "9p", "9p", "9p", "W", "W", "C"),
    ("?",) * 13,
    ("?",) * 13,
)
START = StartRound("E", dora_marker="8s", kyoku=1, honba=0, kyotaku=0, oya=0, scores=(25000,) * 4, tehais=HANDS)
#: The bits of Mortal's acts.
RIICHI, CHI_LOW, CHI_MIDDLE, CHI_HIGH, PON, PASS = 37, 38, 39, 40, 41, 45


def mortal(values: Mapping[int, Any]) -> ev.Extras:
    """Return the key `meta` with a value for each bit."""
    return ev.Extras({"meta": {"q_values": [values[bit] for bit in sorted(values)], "mask_bits": mask(values)}})


def mask(bits: Mapping[int, Any]) -> int:
    return sum(1 << bit for bit in bits)


def read(*events: Any, observer: int | None = None) -> dict[int, list[Opinion]]:
    played = [START, *events]
    steps = list(mjconv.steps(Match(rounds=[Round(played)])))
    return opinions_by_step(played, steps, observer)


def one(*events: Any, observer: int | None = None) -> tuple[int, Opinion]:
    [(step, [opinion])] = read(*events, observer=observer).items()
    return step, opinion


def test_a_discard_of_mortal_has_its_values_at_the_draw_before() -> None:
    values = {0: -0.25, 34: 0.5, 27: 1.123456}
    step, opinion = one(Draw(0, "2m"), Discard(0, "5mr", tsumogiri=False, extras=mortal(values)))
    assert step == 1
    assert (opinion.seat, opinion.unit) == (0, "q")
    assert opinion.choices == (("", ("E",)), ("", ("5mr",)), ("", ("1m",)))
    assert opinion.values == (1.1235, 0.5, -0.25)
    assert opinion.taken == 1


@pytest.mark.parametrize(
    ("value", "tiles"), [(1, ("6m", "7m")), (2, ("4m", "6m")), (3, ("3m", "4m"))], ids=["low", "middle", "high"]
)
def test_the_chis_of_mortal_are_named_by_their_tiles(value: int, tiles: tuple[str, str]) -> None:
    extras = mortal({CHI_LOW: 1, CHI_MIDDLE: 2, CHI_HIGH: 3, PASS: 4})
    discard = Discard(0, "5m", tsumogiri=True)
    step, opinion = one(Draw(0, "5m"), discard, Chi(1, 0, "5m", tiles, extras=extras))
    assert step == 2
    assert opinion.choices[0] == ("call.pass", ())
    assert isinstance(opinion.taken, int)
    assert opinion.choices[opinion.taken] == ("call.chi", tiles)
    assert opinion.values[opinion.taken] == value


def test_riichi_and_its_discard_are_two_choices_of_mortal() -> None:
    found = read(
        Draw(0, "2m"),
        Riichi(0, extras=mortal({0: 0, RIICHI: 1})),
        Discard(0, "1m", tsumogiri=False, extras=mortal({0: 0, 1: 1})),
    )
    assert {step: [each.choices[0] for each in read] for step, read in found.items()} == {
        1: [("call.riichi", ())],
        2: [("", ("2m",))],
    }
    assert [each.taken for read in found.values() for each in read] == [0, 1]


def test_a_pass_belongs_to_the_player_of_the_stream() -> None:
    passing = ev.Pass(extras=mortal({PON: 1, PASS: 2}))
    play = (Draw(0, "?"), Discard(0, "1s", tsumogiri=True), passing)
    step, opinion = one(*play, observer=1)
    assert (step, opinion.seat, opinion.taken) == (2, 1, 0)
    assert read(*play) == {}


TABLE = """| action | avgRank | expPt | shanten | \n{}\n\ntenpaiProbs:  1: 0.043  \n"""


def manue(seat: int, *rows: str) -> ev.Extras:
    logs: list[str | None] = [None] * 4
    logs[seat] = TABLE.format("\n".join(f"| {row} | 0 | 3 | " for row in rows))
    return ev.Extras({"logs": logs})


def test_a_turn_of_manue_has_riichi_and_discards_lowest_rank_first() -> None:
    draw = Draw(0, "2m", extras=manue(0, " 0.1m | 2.5", "-1.5mr | 2.4", "-1.1m | 2.75"))
    step, opinion = one(draw, Riichi(0), Discard(0, "1m", tsumogiri=False))
    assert (step, opinion.seat, opinion.unit) == (1, 0, "rank")
    assert opinion.choices == (("", ("5mr",)), ("call.riichi", ("1m",)), ("", ("1m",)))
    assert opinion.taken == 1
    _, silent = one(draw, Discard(0, "1m", tsumogiri=False))
    assert silent.taken == 2


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        ((Draw(1, "?"),), ("call.pass", ())),
        ((ev.Chi(1, 0, "5m", ("4m", "6m")), Discard(1, "C", tsumogiri=False)), ("call.any", ("C",))),
        ((ev.Pon(2, 0, "5m", ("?", "?")), Discard(2, "1s", tsumogiri=False)), None),
        ((), None),
    ],
    ids=["passed", "called", "called by another", "the record ends"],
)
def test_a_call_of_manue_is_taken_if_nobody_else_takes_the_tile(answer: tuple[Any, ...], taken: object) -> None:
    discard = Discard(
        0, "5m", tsumogiri=True, extras=manue(1, "none | 2.5", "0.W | 2.6", "1.C | 2.7", "0.C | 2.8")
    )
    step, opinion = one(Draw(0, "5m"), discard, *answer)
    assert (step, opinion.seat) == (2, 1)
    # Two calls with the same discard are one choice with the better value.
    assert dict(zip(opinion.choices, opinion.values, strict=True))["call.any", ("C",)] == 2.7
    assert (None if opinion.taken is UNSET else opinion.choices[opinion.taken]) == taken


def test_older_tables_of_manue_have_expected_points() -> None:
    log = "| action | expPt |\n| 1m     | -200 |\n| 5mr    | 1300 |"
    _, opinion = one(Draw(0, "2m", extras=ev.Extras({"logs": [log, None, None, None]})), Discard(0, "5mr"))
    assert (opinion.unit, opinion.values, opinion.taken) == ("points", (1300.0, -200.0), 0)


HOSTILE = {
    "no meta": {"meta": None},
    "a mask of text": {"meta": {"q_values": [1, 2], "mask_bits": "3"}},
    "a mask beyond the acts": {"meta": {"q_values": [1, 2], "mask_bits": 1 | 1 << 46}},
    "a negative mask": {"meta": {"q_values": [1, 2], "mask_bits": -3}},
    "too few values": {"meta": {"q_values": [1], "mask_bits": 3}},
    "too many values": {"meta": {"q_values": [1.0] * 100_000, "mask_bits": 3}},
    "no numbers": {"meta": {"q_values": [True, "2"], "mask_bits": 3}},
    "numbers beyond all measure": {"meta": {"q_values": [1e300, 2], "mask_bits": 3}},
    "an integer beyond all measure": {"meta": {"q_values": [10**400, 2], "mask_bits": 3}},
    "logs of another kind": {"logs": {"0": "| action | avgRank |"}},
    "logs without rows": {"logs": ["| action | avgRank |", 7, None]},
    "a table without action": {"logs": ["| avgRank |\n|\n| 1 |\n", "|", "||\n||"]},
    "values of text": {"logs": ["| action | avgRank |\n| -1.1m | nan |\n| -1.2m | 1e999 |\n| -1.3m | x |"]},
    "a long log": {"logs": ["| action | avgRank |\n" + "| -1.1m | 2.5 |\n| -1.2m | 2.5 |\n" * 1000]},
    "tiles that no set has": {"logs": ["| action | avgRank |\n| -1.0m | 2.5 |\n| -1.5zr | 2.5 |"]},
}


def test_other_values_are_no_opinion() -> None:
    for extras in HOSTILE.values():
        assert read(Draw(0, "2m", extras=ev.Extras(extras)), Discard(0, "1m", extras=ev.Extras(extras))) == {}


def test_a_round_has_a_thousand_opinions_at_most() -> None:
    turns: list[Any] = []
    for _ in range(700):
        turns += [Draw(0, "1m", extras=mortal({0: 1, 1: 2})), Discard(0, "1m", extras=mortal({0: 1, 1: 2}))]
    assert sum(map(len, read(*turns).values())) == 1000


def test_a_page_has_no_opinions_of_a_record_without_any() -> None:
    data = payload(Match(rounds=[Round([START, Draw(0, "2m"), Discard(0, "1m", tsumogiri=False)])]))
    assert not any("opinions" in step for step in data["rounds"][0]["steps"])


def test_the_page_has_the_words_and_tiles_of_the_choices() -> None:
    event = Discard(0, "1m", tsumogiri=False, extras=mortal({0: 1, RIICHI: 2, PASS: 0}))
    data = payload(Match(rounds=[Round([START, Draw(0, "2m"), event])]))
    [opinion] = data["rounds"][0]["steps"][1]["opinions"]
    assert opinion == {
        "seat": 0,
        "unit": "q",
        "choices": [["call.riichi", []], ["", ["1m"]], ["call.pass", []]],
        "values": [2.0, 1.0, 0.0],
        "taken": 1,
    }
    assert {"call.riichi", "call.pass", "tile.1m"} <= data["words"]["en"].keys()
