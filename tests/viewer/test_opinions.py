"""Opinions of programs: the values of Mortal and Manue, answers beside the play, nothing hostile."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

import mjconv
from looped import looped
from mjconv import Chi, Discard, Draw, Match, Riichi, StartRound
from mjconv.ir import events as ev
from mjconv.ir.match import Answer, Round
from mjconv.viewer.opinions import Opinion, opinions_by_step
from mjconv.viewer.page import payload

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


def read(*events: Any, answers: tuple[Answer, ...] = ()) -> dict[int, list[Opinion]]:
    match = Match(rounds=[Round([START, *events], answers=answers)])
    return opinions_by_step(match, 0, list(mjconv.steps(match)))


def one(*events: Any, answers: tuple[Answer, ...] = ()) -> tuple[int, Opinion]:
    [(step, [opinion])] = read(*events, answers=answers).items()
    return step, opinion


def test_a_discard_of_mortal_has_its_values_at_the_draw_before() -> None:
    values = {0: -0.25, 34: 0.5, 27: 1.123456}
    step, opinion = one(Draw(0, "2m"), Discard(0, "5mr", tsumogiri=False, extras=mortal(values)))
    assert (step, opinion.seat, opinion.unit, opinion.taken) == (1, 0, "q", 1)
    assert opinion.choices == (("", ("E",)), ("", ("5mr",)), ("", ("1m",)))
    assert opinion.values == (1.1235, 0.5, -0.25)


@looped(("value", "tiles"), (1, ("6m", "7m")), (2, ("4m", "6m")), (3, ("3m", "4m")), ids=["low", "middle", "high"])
def test_the_chis_of_mortal_are_named_by_their_tiles(value: int, tiles: tuple[str, str]) -> None:
    extras = mortal({CHI_LOW: 1, CHI_MIDDLE: 2, CHI_HIGH: 3, PASS: 4})
    step, opinion = one(Draw(0, "5m"), Discard(0, "5m", tsumogiri=True), Chi(1, 0, "5m", tiles, extras=extras))
    assert (step, opinion.choices[0]) == (2, ("call.pass", ()))
    assert isinstance(opinion.taken, int)
    assert opinion.choices[opinion.taken] == ("call.chi", tiles)
    assert opinion.values[opinion.taken] == value


def test_riichi_and_its_discard_are_two_choices_of_mortal() -> None:
    riichi, discard = (mortal({0: 0, act: 1}) for act in (RIICHI, 1))
    found = read(Draw(0, "2m"), Riichi(0, extras=riichi), Discard(0, "1m", tsumogiri=False, extras=discard))
    choices = {step: [(each.choices[0], each.taken) for each in read] for step, read in found.items()}
    assert choices == {1: [(("call.riichi", ()), 0)], 2: [(("", ("2m",)), 1)]}


#: Seat 1 may call pon of the 1s, or pass.
PONNED = (Draw(0, "1s"), Discard(0, "1s", tsumogiri=True))
CALLED = ev.Pon(1, 0, "1s", ("1s", "1s"))


def test_an_answer_is_beside_the_choice_that_was_taken() -> None:
    step, opinion = one(*PONNED, CALLED, answers=(Answer(3, ev.Pass(extras=mortal({PON: 1, PASS: 2})), 1),))
    assert (step, opinion.seat, opinion.unit, opinion.illegal) == (2, 1, "q", False)
    assert (opinion.choices, opinion.values) == ((("call.pass", ()), ("call.pon", ())), (2, 1))
    assert (opinion.answered, opinion.taken) == (0, 1)
    assert opinion.line == ("answer.other", ("answer.unnamed",), 1, ("call.pass",), ("call.pon",))


SAME, OTHER, ILLEGAL = ((f"answer.{word}", ("answer.unnamed",), 1) for word in ("same", "other", "illegal"))
DRAWN = (Draw(1, "9s"),)


@looped(
    ("after", "answer", "line"),
    (DRAWN, ev.Pass(), (*SAME, ("call.pass",), ("call.pass",))),
    ((CALLED,), ev.Pass(), (*OTHER, ("call.pass",), ("call.pon",))),
    ((), CALLED, ("answer.only", ("answer.unnamed",), 1, ("call.pon",))),
    (DRAWN, Discard(1, "3m"), (*ILLEGAL, ("choice.tiles", ("3m",)), ("call.pass",))),
    (DRAWN, Chi(1, 0, "1s", ("2s", "3s")), (*ILLEGAL, ("choice", "call.chi", ("2s", "3s")), ("call.pass",))),
)
def test_an_answer_is_a_sentence(after: tuple[Any, ...], answer: Any, line: Any) -> None:
    _, opinion = one(*PONNED, *after, answers=(Answer(3, answer, 1),))
    assert (opinion.line, opinion.illegal) == (line, line[0] == "answer.illegal")
    assert opinion.values == ()


def test_where_nothing_is_to_decide_only_an_act_is_an_opinion_and_illegal() -> None:
    quiet, act = Answer(3, ev.Pass(), 2), Answer(3, Discard(2, "9p"), 2)
    assert read(*PONNED, answers=(quiet, Answer(3, ev.Hello()), Answer(3, ev.Join(), 1))) == {}
    _, opinion = one(*PONNED, answers=(act,))
    assert opinion.illegal is False, "the hand is hidden: its decisions are not known"
    _, opinion = one(*PONNED, answers=(Answer(3, Discard(0, "E"), 0),))
    assert opinion.illegal is True


def test_calls_with_a_red_five_and_without_differ() -> None:
    hands = (*HANDS[:1], ("5s", "5s", "5sr", *HANDS[1][3:]), *HANDS[2:])
    calls = [ev.Pon(1, 0, "5s", own) for own in (("5s", "5s"), ("5s", "5sr"))]
    play = [replace(START, tehais=hands), Draw(0, "5s"), Discard(0, "5s", tsumogiri=True), calls[0]]
    match = Match(rounds=[Round([*play], answers=tuple(Answer(3, call, 1) for call in calls))])
    [(_, found)] = opinions_by_step(match, 0, list(mjconv.steps(match))).items()
    shown = [(each.line and each.line[0], each.taken == each.answered) for each in found]
    assert shown == [("answer.same", True), ("answer.other", False)]


def test_a_choice_alone_is_no_decision() -> None:
    """A player in riichi can only discard the tile drawn."""
    hands = (("2m", "3m", "4m", "5m", "6m", "7m", "3s", "4s", "5s", "8p", "8p", "6s", "7s"), *HANDS[1:])
    play = [replace(START, tehais=hands), Draw(0, "E"), Riichi(0), Discard(0, "E", tsumogiri=True)]
    for index, answer, count in ((2, Riichi(0), 1), (3, play[-1], 0), (3, Discard(0, "2m"), 1)):
        match = Match(rounds=[Round([*play], answers=(Answer(index, answer, 0),))])
        assert len(opinions_by_step(match, 0, list(mjconv.steps(match)))) == count


def test_an_answer_to_a_dora_is_no_second_answer() -> None:
    again = tuple(Answer(index, ev.Pass(), 1) for index in (3, 4))
    assert one(*PONNED, ev.Dora("1p"), Draw(1, "9s"), answers=again)[0] == 2
    assert one(*PONNED, ev.Dora("1p"), Draw(1, "9s"), answers=again[1:])[0] == 2


def test_several_programs_have_their_names() -> None:
    metas: tuple[Any, ...] = ({"name": " Mor\ntal "}, {"name": "x" * 99}, {"name": 5}, {"name": " "}, [], None)
    answers = tuple(Answer(3, ev.Pass(extras=ev.Extras({"meta": meta})), 1) for meta in metas)
    [(_, found)] = read(*PONNED, answers=answers).items()
    assert [each.name for each in found] == ["Mor tal", "x" * 40, *[UNSET] * 4]


def test_a_list_of_actions_and_numbers_has_values() -> None:
    pairs = [
        [{"type": "none"}, 0.25],
        [{"type": "pon", "consumed": ["1s", "1s"]}, 0.125],
        [{"type": "pon", "actor": 1, "target": 0, "pai": "1s", "consumed": ["1s", "1s"]}, 0.5],
        [{"type": "chi", "consumed": ["3s", "2s"]}, 0.1],
        [{"type": "pon"}, 0.375],
        [{"type": "dahai", "pai": "5mr"}, -1],
    ]
    answer = Answer(3, ev.Pass(extras=ev.Extras({"meta": {"values": pairs}})), 1)
    _, opinion = one(*PONNED, Draw(1, "9s"), answers=(answer,))
    assert opinion.unit == "value"
    assert opinion.choices == (("call.pon", ()), ("call.pass", ()), ("call.chi", ("2s", "3s")), ("", ("5mr",)))
    assert (opinion.values, opinion.answered) == ((0.5, 0.25, 0.1, -1.0), 1)


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


@looped(
    ("answer", "taken"),
    ((Draw(1, "?"),), ("call.pass", ())),
    ((ev.Chi(1, 0, "5m", ("4m", "6m")), Discard(1, "C", tsumogiri=False)), ("call.any", ("C",))),
    ((ev.Pon(2, 0, "5m", ("?", "?")), Discard(2, "1s", tsumogiri=False)), None),
    ((), None),
    ids=["passed", "called", "called by another", "the record ends"],
)
def test_a_call_of_manue_is_taken_if_nobody_else_takes_the_tile(answer: tuple[Any, ...], taken: object) -> None:
    extras = manue(1, "none | 2.5", "0.W | 2.6", "1.C | 2.7", "0.C | 2.8")
    step, opinion = one(Draw(0, "5m"), Discard(0, "5m", tsumogiri=True, extras=extras), *answer)
    assert (step, opinion.seat) == (2, 1)
    # Two calls with the same discard are one choice with the better value.
    assert dict(zip(opinion.choices, opinion.values, strict=True))["call.any", ("C",)] == 2.7
    assert (None if opinion.taken is UNSET else opinion.choices[opinion.taken]) == taken


def test_older_tables_of_manue_have_expected_points() -> None:
    log = "| action | expPt |\n| 1m     | -200 |\n| 5mr    | 1300 |"
    _, opinion = one(Draw(0, "2m", extras=ev.Extras({"logs": [log, None, None, None]})), Discard(0, "5mr"))
    assert (opinion.unit, opinion.values, opinion.taken) == ("points", (1300.0, -200.0), 0)


HOSTILE = {
    "values that are no pairs": {"meta": {"values": [[{"type": "none"}], 5, {}]}},
    "a value of text": {"meta": {"values": [[{"type": "none"}, "1"], [{"type": "reach"}, 1]]}},
    "actions of no kind": {"meta": {"values": [[{"type": ["none"]}, 1], [{"type": "tsumo"}, 1]]}},
    "tiles that are none": {"meta": {"values": [[{"type": "dahai", "pai": {}}, 1], [{"type": "dahai"}, 2]]}},
    "unknown tiles": {"meta": {"values": [[{"type": "chi", "consumed": "12"}, 1], [{"type": "none"}, 2]]}},
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
    assert (opinion["seat"], opinion["unit"], opinion["taken"]) == (0, "q", 1)
    assert opinion["choices"] == [["call.riichi", []], ["", ["1m"]], ["call.pass", []]]
    assert opinion["values"] == [2.0, 1.0, 0.0]
    assert {"call.riichi", "call.pass", "tile.1m"} <= data["words"]["en"].keys()
