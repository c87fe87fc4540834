"""Notes of HK never contradict the lines: a note that changes a visible result is ignored with a warning."""

import json
from decimal import Decimal
from typing import Any

from corpus_files import CORPUS
from mjconv.ir.events import Draw, Ryukyoku, StartRound, Win
from mjconv.ir.match import Match, Name, Player, Round, Rules, Text
from trips import Was, known, read, write

PLAYERS = [Player(Name(Text(name))) for name in "ABCD"]
RULES = Rules(base=Decimal(1), max_faan=13, responsibility="full", growth="half", start=25000)
#: The match and each round have a note: rounds 0 and 1 a result and more, round 2 no result.
RESULTS = [[Win(1, target=2, fan=3, yakus=(("x", 1),))], [Ryukyoku(reason="nagashi")]]
MATCH = Match(PLAYERS, [*map(Round, RESULTS), Round([StartRound(kyoku=2), Draw(1, "?")])], rules=RULES)
#: The line of the note of the match, and of each round.
LINES = {None: 1, 0: 3, 1: 5, 2: 6}


def with_patch(key: int | None, **patch: Any) -> Was:
    """Read the match with another patch in the note of a round, or of the match for None."""
    lines = write([MATCH], "hk").data.decode().splitlines()
    mark, text = lines[LINES[key]].split(maxsplit=1)
    note = json.loads(text)
    whole = "match" if key is None else "round"
    hints = {"hints": note[whole]["hints"]} if "hints" in note[whole] else {}
    note[whole] = patch | hints
    lines[LINES[key]] = f"{mark} {json.dumps(note)}"
    return read("\n".join(lines).encode(), "hk")


def test_the_notes_are_where_these_tests_expect_them() -> None:
    lines = write([MATCH], "hk").data.decode().splitlines()
    assert [at for at, line in enumerate(lines) if line.startswith("#@mjconv ")] == list(LINES.values())
    assert read("\n".join(lines).encode(), "hk").matches == [MATCH]


DRAWN = {"type": "tsumo", "actor": 1, "pai": "1m"}


def test_a_note_may_change_what_the_lines_do_not_show() -> None:
    for key, edit, found in (
        (0, {"at": 0, "set": {"yakus": [["y", 2]]}}, [Win(1, target=2, fan=3, yakus=(("y", 2),))]),
        (0, {"at": 0, "set": {"deltas": [0, 9, -9, 0]}}, [Win(1, target=2, fan=3, deltas=(0, 9, -9, 0))]),
        (0, {"at": 0, "insert": [DRAWN]}, [Draw(1, "1m"), Win(1, target=2, fan=3)]),
        (1, {"at": 0, "set": {"reason": "kyushukyuhai"}}, [Ryukyoku(reason="kyushukyuhai")]),
        (2, {"at": 0, "insert": [{"type": "start_kyoku", "kyoku": 4}]}, [StartRound(kyoku=4)]),
    ):  # fmt: skip
        was = with_patch(key, events=[edit])
        assert was.warnings == [], key
        assert was.match.rounds[key].events == found, key


def test_hints_of_another_kind_are_an_error() -> None:
    lines = write([MATCH], "hk").data.decode().replace('{"left_out":true}', '{"left_out":1}')
    was = read(lines.encode(), "hk")
    assert len(was.match.rounds) == 2
    assert [warning.line for warning in was.warnings] == [LINES[2] + 1]


def test_the_note_of_a_match_does_not_change_the_rules_of_an_edited_game() -> None:
    was = read(CORPUS.joinpath("sample/game.mjson").read_bytes(), "mjai")
    edited = read(write(was.matches, "hk").data.replace(b"\nd 2 - -\n", b"\nd 3 - -\n"), "hk")
    assert [warning.message.partition(",")[0] for warning in edited.warnings] == [
        "the round was edited",
        "the text was edited. For the match",
    ]
    rules = known(edited.match.rules)
    assert (rules.base, edited.match.rounds[0].events) == (1, [Win(1, target=0, fan=3)])
