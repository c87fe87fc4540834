"""The writer keeps comments, declarations and notes of a file. Notes never contradict its lines."""

import json
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_files import CORPUS, SAMPLE
from hk_scores import write_file
from looped import looped
from mjconv.ir.events import Dora, Draw, EndGame, EndRound, Ryukyoku, StartGame, StartRound, Win
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Rules, Text
from noted import annotations
from trips import Was, known, read, write

PLAYED = [path for path in sorted((CORPUS / "hk").glob("*.hk")) if path.stem != "comments"]
seeds = looped("seed", *range(20))
#: The names that are written where a record has none.
UNNAMED = "P1 P2 P3 P4"


def text_of(matches: list[Match], *, plain: bool = False) -> str:
    return write(matches, "hk", plain=plain).data.decode()


def again(matches: list[Match]) -> list[Match]:
    return read(write(matches, "hk").data, "hk").matches


def tokens(text: str) -> list[tuple[list[str], str | None]]:
    """Give the words of each line and its comment; blank lines are spacing."""
    lines = []
    for line in text.removeprefix("\ufeff").splitlines():
        said, mark, comment = line.partition("#")
        if said.split() or mark:
            lines.append((said.split(), comment.rstrip() if mark else None))
    return lines


def hk(*results: Win | Ryukyoku, names: str = "ABCD", **rules: Any) -> Match:
    players = [Player(Name(Text(name))) for name in names]
    full: dict[str, Any] = {"base": Decimal(1), "max_faan": 13, "responsibility": "full", "growth": "half"} | rules
    return Match(players, [Round([one]) for one in results], [StartGame()], [EndGame()], rules=Rules(**full))


class TestFiles:
    @pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
    def test_a_file_is_written_back_as_it_is(self, path: Path) -> None:
        text = path.read_text("utf-8")
        written = write(read(text.encode(), "hk").matches, "hk")
        assert written.data.decode() == text
        assert written.losses == []

    @seeds
    def test_any_file_comes_back_with_its_comments(self, seed: int) -> None:
        text = write_file(random.Random(seed), 400)
        matches = read(text.encode(), "hk").matches
        written = write(matches, "hk")
        assert tokens(written.data.decode()) == tokens(text)
        assert read(written.data, "hk").matches == matches
        assert written.losses == []
        assert text_of(matches, plain=True) == text_of(matches)

    def test_line_ends_and_the_space_between_matches_are_tidied(self) -> None:
        text = "\ufeff\r\n\r\nA B C D  \r\n1 - - -\t# x \r\nE F G H\r\n\r\n\r\n"
        assert text_of(read(text.encode(), "hk").matches) == "A B C D\n1 - - -\t# x\n\nE F G H\n"

    def test_comments_right_under_a_game_stay_with_it_others_go_with_what_follows(self) -> None:
        text = "A B C D\n1 - - -\n# well played\n\n# the others\nE F G H\n"
        one, two = read(text.encode(), "hk").matches
        assert text_of([one]) == "A B C D\n1 - - -\n# well played\n"
        assert text_of([two]) == "# the others\nE F G H\n"


class TestMatchesMadeByHand:
    def test_rules_that_differ_or_changed_are_declared(self) -> None:
        half = hk(Win(1, target=0, fan=3), base=Decimal("0.50"))
        matches = [half, hk(Ryukyoku(), base=Decimal("0.5"), growth="spicy")]
        assert text_of(matches) == "B=0.5\nA B C D\nd 3 - -\n\nS=spicy\nA B C D\n- - - -\n"
        assert again(matches) == read(write(matches, "hk").data, "hk").matches
        # Rules and results that changed win over the lines that were kept.
        [match] = read(b"B=2  # two\nA B C D  # us\n- 2 d -  # cheap\n", "hk").matches
        match.rules = Rules(base=Decimal(5), max_faan=13, responsibility="full", growth="half")
        match.rounds[0].events = [Win(1, target=1, fan=4)]
        assert text_of([match], plain=True) == "B=2  # two\nA B C D  # us\nB=5\n- 4 - -  # cheap\n"
        assert again([match]) == [match]

    def test_lines_that_were_not_kept_by_a_reader_do_no_harm(self) -> None:
        for extras in (
            {"hk": 5},
            {"hk": {"before": "x"}},
            {"hk": {"before": ["A B C D", "1 - - -", "#@mjconv {}", "M=8\nM=9", "what is this"]}},
            {"hk": {"line": "- - - -\n- - - -", "after": ["2 - - -", "# ok", "E F G H"]}},
            {"other": {"a": 1}},
        ):
            match = hk(Win(0, target=0, fan=1))
            match.extras = extras
            match.rounds[0].extras = extras
            written = text_of([match], plain=True)
            assert [line for line in written.splitlines() if "#" not in line] == ["A B C D", "1 - - -"], extras
            assert again([match]) == [match], extras

    @looped(
        "rules",
        *(Rules(base=Decimal(base)) for base in ("Infinity", "-1", "1E-20", "1E+999999")),
        *(Rules(base=Decimal(1), max_faan=10**6), Rules(base=Decimal(3), start=25000)),
    )
    def test_rules_that_no_line_can_declare_are_carried(self, rules: Rules) -> None:
        match = hk(Win(0, target=0, fan=1))
        match.rules = rules
        [back] = again([match])
        assert str(back) == str(match)

    def test_faan_and_guarantors_that_hk_does_not_hold(self) -> None:
        match = hk(Win(0, target=0, fan=20))
        written = write([match], "hk", plain=True)
        assert written.data == b"A B C D\n13 - - -\n"
        assert [(loss.what, loss.fate) for loss in written.losses] == [("hora.fan", "approximated")]
        assert again([match]) == [match]
        # A guarantor of a discard is its discarder where the discarder pays all.
        match = hk(Win(0, fan=2, liable=3))
        assert text_of([match], plain=True) == "A B C D\n2 - - d\n"
        assert again([match]) == [match]
        match = hk(Win(0, fan=2, liable=3), responsibility="half")
        assert text_of([match], plain=True) == "R=half\nA B C D\n2 - - D\n"

    def test_a_date_that_would_run_backward_is_carried(self) -> None:
        later, earlier = read(b"2024-01-20\nA B C D\n- - - -\n", "hk").matches * 2
        earlier = read(b"2024-01-19  # earlier\nA B C D\n- - - -\n2024-01-20\n- - - -\n", "hk").match
        assert again([later, earlier]) == [later, earlier]
        plain = write([later, earlier], "hk", plain=True)
        assert plain.data.count(b"2024") == 1
        assert ("match.date", "approximated") in {(loss.what, loss.fate) for loss in plain.losses}

    def test_names_that_hk_cannot_spell_are_escaped_and_restored(self) -> None:
        match = hk(Ryukyoku(), names="ABCD")
        match.players = [Player(Name(Text(name))) for name in ("-ron-", "7 pairs*", "a#b", "100%25")]
        assert text_of([match], plain=True).splitlines()[0] == "%2Dron- %37%20pairs%2A a%23b %3100%2525"
        assert again([match]) == [match]

    def test_names_that_are_alike_or_missing_get_different_spellings(self) -> None:
        match = hk(Ryukyoku())
        some = ["A", "A", "A~2", ""], "A A~3 A~2 P4"
        for names, line in (some, ([""] * 4, UNNAMED), (["あ"] * 4, "あ あ~2 あ~3 あ~4"), ([], UNNAMED)):
            match.players = [Player(Name(Text(name))) for name in names]
            assert text_of([match], plain=True).splitlines()[0] == line
            assert again([match]) == [match]


class TestSplitAndMerge:
    @seeds
    def test_of_random_files_too(self, seed: int) -> None:
        matches = read(write_file(random.Random(seed), 120).encode(), "hk").matches
        assert [read(write([match], "hk").data, "hk").match for match in matches] == matches

    def test_files_of_any_rules_and_comments_can_be_joined(self) -> None:
        one = read(b"B=2\nM=6\nA B C D\n1 - - -\n# fine\n\n# The end\n", "hk").matches
        two = read(b"# Wednesday\nA B C D\n- - 9 -\nR=half\n- 1 - D\nM=8 # at last\n", "hk").matches
        assert again([*one, *two]) == [*one, *two]
        assert again([*two, *one, *two]) == [*two, *one, *two]


#: Texts that are comments in other formats, or that HK would read as something else.
TEXTS = st.text(alphabet="a #@\n\t=M8-", max_size=9) | st.sampled_from(
    ["", "@mjconv {}", "@mjconv ", "M=8", "A B C D", "- - - -", "東風", "a\x85b", "a\u2028"]
)


class TestAnnotations:
    def test_comments_are_annotations_of_matches_and_rounds(self) -> None:
        text = "# evening\nM=8  # eight\nA B C D  # us\n# first\n- 2 d -  # cheap\n- - - -\n# late\n"
        match = read(text.encode(), "hk").match
        assert [(one.index, one.value) for one in match.annotations] == [(0, " evening"), (0, " us"), (2, " late")]
        assert [(one.index, one.value) for one in match.rounds[0].annotations] == [(0, " first"), (1, " cheap")]
        assert match.extras == {"hk": {"before": ["#", "M=8  # eight"], "line": "A B C D  #"}}
        assert [game_round.extras for game_round in match.rounds] == [{}, {}]
        assert text_of([match]) == text

    def test_comments_above_and_after_a_game(self) -> None:
        above, after = "#x\n- 1 - -\n", "- 1 - -  #x\n"
        for index, text in ((0, above), (3, above), (4, after), (5, after)):
            match = hk(Win(1, target=1, fan=1))
            match.rounds[0].events = [StartRound(), Dora("1m"), Dora("2m"), Win(1, target=1, fan=1), EndRound()]
            match.rounds[0].annotations = (Annotation(index, "comment", value="x"),)
            assert text_of([match], plain=True) == f"A B C D\n{text}", index
            assert again([match]) == [match], index
        match = hk(Win(1, target=1, fan=1))
        match.rounds[0].annotations = tuple(Annotation(1, "comment", value=value) for value in ("x", "y\nz"))
        assert text_of([match], plain=True) == "A B C D\n#x\n#y\n#z\n- 1 - -\n"
        assert again([match]) == [match]

    @given(st.tuples(annotations(2, TEXTS), annotations(3, TEXTS), annotations(1, TEXTS)), st.integers(0, 2))
    def test_any_annotations_come_back(self, found: tuple[tuple[Annotation, ...], ...], games: int) -> None:
        of_match, *of_rounds = found
        match = hk(*(Win(1, target=0, fan=3), Ryukyoku())[:games])
        match.annotations = tuple(one for one in of_match if one.index <= games)
        for game_round, own in zip(match.rounds, of_rounds, strict=False):
            game_round.annotations = own
        if games:
            match.rounds[0].events = [StartRound(), Win(1, target=0, fan=3), EndRound()]
        assert again([match]) == [match]
        assert again([match, match]) == [match, match]

    def test_comments_of_the_text_win_over_the_note_and_the_rest_of_the_note_stays(self) -> None:
        match = hk(Win(1, target=1, fan=1))
        match.rounds[0].events = [StartRound(), Dora("1m"), Win(1, target=1, fan=1), EndRound()]
        match.rounds[0].annotations = (Annotation(1, "comment", value=" risky"), Annotation(4, "left", 3))
        text = text_of([match])
        assert "# risky\n- 1 - -\n" in text
        edited = read(text.replace("# risky", "# bold").replace("1 - -\n", "1 - -  # new\n").encode(), "hk")
        assert edited.warnings == []
        assert edited.match.rounds[0].events == match.rounds[0].events
        bold, new = Annotation(0, "comment", value=" bold"), Annotation(3, "comment", value=" new")
        assert edited.match.rounds[0].annotations == (bold, new, Annotation(4, "left", 3))


class TestNotes:
    #: Two rounds that need a note each, and a match that does.
    MATCH = Match(
        [Player(Name(Text(name))) for name in "ABCD"],
        [Round([Win(1, target=2, fan=3, yakus=(("x", 1),))]), Round([Ryukyoku(reason="nagashi")]), Round([])],
        rules=Rules(base=Decimal(1), start=25000),
    )

    def test_reflowing_and_commenting_keep_them(self) -> None:
        text = text_of([self.MATCH]).replace("- 3 d -", "# first\n\n\t-  3\u3000d -  # easily\n\n# on")
        was = read(text.replace("\n", "\r\n").encode(), "hk")
        assert was.warnings == []
        assert was.match.rounds[0].events == self.MATCH.rounds[0].events
        assert len(was.match.rounds) == 3

    def test_texts_that_look_like_notes(self) -> None:
        match = hk(Ryukyoku(reason="a\x85b\u2028c\u2029d\ne\x1cf"))
        assert len(text_of([match]).splitlines()) == 4
        assert again([match]) == [match]
        # A comment that only looks like a note is kept.
        text = "A B C D  #@mjconv {}\n- - - -  #@mjconv x\n#@mjconvert\n"
        assert text_of(read(text.encode(), "hk").matches) == text

    def test_plain_leaves_them_out(self) -> None:
        assert text_of([self.MATCH], plain=True) == "A B C D\n- 3 d -\n- - - -\n"


def test_text_that_is_no_text_is_left_out() -> None:
    """Half of a pair of surrogates, which JSON can spell and UTF-8 cannot."""
    match = hk(Ryukyoku())
    match.extras = {"hk": {"before": ["# \ud800"]}}
    match.players = [Player(Name(Text(name))) for name in ("\ud800", "B", "C", "D")]
    assert text_of([match], plain=True) == "%ED%A0%80 B C D\n- - - -\n"


# Notes of HK never contradict the lines: a note that changes a visible result is ignored with a warning.
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
    was = read(SAMPLE.read_bytes(), "mjai")
    edited = read(write(was.matches, "hk").data.replace(b"\nd 2 - -\n", b"\nd 3 - -\n"), "hk")
    assert [warning.message.partition(",")[0] for warning in edited.warnings] == [
        "the round was edited",
        "the text was edited. For the match",
    ]
    rules = known(edited.match.rules)
    assert (rules.base, edited.match.rounds[0].events) == (1, [Win(1, target=0, fan=3)])
