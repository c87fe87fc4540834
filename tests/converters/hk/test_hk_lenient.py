"""Reading HK scores on after what is wrong: each bad line a fault, the games after it read as before."""

import json
import re
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

import faults
from corpus_files import CORPUS
from faults import leniently, reported, spot, where
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.losses import Fault, Warn
from mjconv.ir.match import Match, Round
from trips import places, read, write

EVENINGS = (CORPUS / "hk" / "evenings.hk").read_text("utf-8")

GAMES = ["M=8", "A B C D", "- 2 d -", "3 - - -", "# so far", "- - - -", "E F G H", "- - f -", "1 - - -"]


def read_on(data: bytes | str) -> tuple[list[Match], list[Fault], list[Warn]]:
    was = reported(data, "hk")
    return was.matches, was.faults, was.warnings


refused = partial(faults.refused, source="hk")


def with_line(at: int, text: str, lines: list[str] = GAMES) -> str:
    return "\n".join([*lines[:at], text, *lines[at + 1 :]])


def results(matches: list[Match]) -> list[list[list[ev.Event]]]:
    return [[game_round.events for game_round in match.rounds] for match in matches]


WHOLE = results(read("\n".join(GAMES).encode(), "hk").matches)


class TestBadGames:
    def test_are_empty_rounds_in_their_places(self) -> None:
        wrong = (
            "- 2 d x, - x d -, 9 - - d, 1 2 - -, - 2 d d, d - - -, f 1 - -, - 2 d, - 2 d - -, - 2 D -, 1 -1 - -"
        )
        for line in (*wrong.split(", "), "٣ - - -", "- - - 99999999999999999999"):
            for at, match, game_round in ((3, 0, 1), (5, 0, 2), (7, 1, 0)):
                matches, [fault], _ = read_on(with_line(at, line))
                assert where(fault) == (match, game_round, 0)
                expected = [[list(one) for one in rounds] for rounds in WHOLE]
                expected[match][game_round] = []
                assert results(matches) == expected, (line, at)

    def test_of_those_before_any_names_only_the_first_is_a_fault(self) -> None:
        matches, faults, _ = read_on("\n".join(["1 - - -", "2 - - -", "M=x", "- 3 - x", *GAMES]))
        assert [(spot(fault)[0], where(fault)) for fault in faults] == [(at, (None,) * 3) for at in (1, 3)]
        assert results(matches) == WHOLE


class TestBadNames:
    @looped("line", "E F E H", "E F* G H", "d d d D")
    def test_begin_a_match_and_are_taken_as_they_are(self, line: str) -> None:
        matches, [fault], _ = read_on(with_line(6, line))
        assert where(fault) == (1, None, None)
        assert results(matches) == WHOLE
        assert [player.name.shown for player in matches[1].players if player.name] == line.split()

    def test_their_match_can_be_written_and_read_again(self) -> None:
        matches, _, _ = read_on(with_line(6, "E F* E H"))
        assert read(write(matches, "hk").data, "hk").matches == matches


class TestBadDeclarations:
    @looped(
        ("number", "line", "left"),
        *((6, line, [[*WHOLE[0], *WHOLE[1]]]) for line in ("E F G", "E F G H I")),
        *(
            (4, line, WHOLE)
            for line in ["M=x", "B=", "R=both", "S=hot", "2024-02-30", "X=1", "M=9999999", "hello"]
        ),
    )
    def test_are_left_out_and_too_many_or_few_names_too(self, number: int, line: str, left: object) -> None:
        matches, [fault], _ = read_on(with_line(number, line))
        assert where(fault) == (0, None, None)
        assert results(matches) == left

    def test_a_date_that_runs_backward_does_not_hold(self) -> None:
        [match], [_], _ = read_on("2024-02-02\nA B C D\n1 - - -\n2024-01-01\n1 - - -\n2024-03-03\n- 1 - -\n")
        dates = [str(game_round.date or match.date) for game_round in match.rounds]
        assert dates == ["2024-02-02", "2024-02-02", "2024-03-03"]


class TestBytesThatAreNoText:
    def test_are_faults_and_the_line_is_read_all_the_same(self) -> None:
        lines = [line.encode() for line in GAMES]
        lines[2] += b"  # caf\xe9 \xff"
        lines[6] = b"E F G\xfc H"
        lines[7] = b"\xff"
        data = b"\xef\xbb\xbf" + b"\n".join(lines)
        matches, faults, _ = read_on(data)
        found = [(*spot(fault), *where(fault)) for fault in faults]
        assert found == [(3, 15, 0, 0, 0), (7, 6, 1, None, None), (8, 1, 1, None, None)]
        offset = data.index(b"\xfc")
        assert faults[1].error.message == f"not UTF-8: byte 0xfc at byte offset {offset}"
        assert results(matches) == [WHOLE[0], WHOLE[1][1:]]
        assert [player.name.shown for player in matches[1].players if player.name] == ["E", "F", "G\ufffd", "H"]

    @given(st.binary(max_size=80))
    def test_never_end_the_reading(self, data: bytes) -> None:
        for whole in (data, b"A B C D\n1 - - -\n" + data, data + b"\nA B C D\n1 - - -\n"):
            faults = leniently(whole, "hk").faults
            if faults:
                error = refused(whole)
                text = "\ufffd" in str(error.place)
                assert text or error.message in {fault.error.message for fault in faults}


class TestNotes:
    @staticmethod
    def noted() -> list[str]:
        """Give a file whose match, first round and a round without a line have notes."""
        [match, *_] = read("\n".join(GAMES).encode(), "hk").matches
        match.extras = {"a": 1}
        match.rounds[0].dice = (1, 2)
        match.rounds[2:] = [Round([ev.EndRound()])]
        return write([match], "hk").data.decode().splitlines()

    def test_that_do_not_fit_leave_what_they_belong_to_as_it_is(self) -> None:
        for at, place in ((2, (0, None, None)), (4, (0, 0, None)), (6, (0, 2, None))):
            for more, said in (
                ({"events": [{"at": 99}]}, "the note does not fit"),
                ({"unset": ["walls"]}, "the note does not fit"),
                ({"unset": 7}, "the note is not well-formed"),
            ):
                lines = self.noted()
                mark, note = lines[at].split(maxsplit=1)
                was = json.loads(note)
                [whole] = was.keys() & {"match", "round"}
                hints = {key: was[whole][key] for key in ("hints",) if key in was[whole]}
                lines[at] = f"{mark} {json.dumps(was | {whole: hints | more})}"
                [match], [fault], _ = read_on("\n".join(lines))
                assert fault.error.message.startswith(said)
                assert where(fault)[:2] == place[:2]
                assert len(match.rounds) == 3, (at, more)

    def test_that_are_no_json_are_faults(self) -> None:
        for at, place in ((2, (0, None, None)), (4, (0, 0, None)), (6, (0, 2, 0))):
            lines = self.noted()
            lines[at] = lines[at][:-3]
            [match], [fault], _ = read_on("\n".join(lines))
            assert where(fault) == place
            assert len(match.rounds) == 3

    def test_of_a_game_that_cannot_be_read_is_left_out_with_a_warning(self) -> None:
        lines = self.noted()
        assert lines[3] == "- 2 d -"
        lines[3] = "- 2 d x"
        [match], [fault], warnings = read_on("\n".join(lines))
        assert where(fault) == (0, 0, 0)
        assert match.rounds[0] == Round()
        assert [warning.line for warning in warnings] == [5]


@settings(max_examples=5 * settings().max_examples)
@given(st.data())
def test_the_faults_of_a_file_are_among_its_broken_lines(data: st.DataObject) -> None:
    lines = EVENINGS.splitlines()
    games = [at for at, line in enumerate(lines) if re.match("([0-9]+|[-dDSf]) ", line)]
    chosen = data.draw(st.sets(st.sampled_from(games), max_size=6))
    marks = st.sampled_from(["x", "-", "d", "D", "S", "f", "5", "99"])
    for at in chosen:
        words = lines[at].partition("#")[0].split()
        words[data.draw(st.integers(0, 3))] = data.draw(marks)
        lines[at] = " ".join(words)
    text = "\n".join(lines)
    matches, faults, _ = read_on(text)
    places = [spot(fault)[0] - 1 for fault in faults]
    assert places == sorted(set(places))
    assert set(places) <= chosen
    whole = read(EVENINGS.encode(), "hk").matches
    assert [len(match.rounds) for match in matches] == [len(match.rounds) for match in whole]
    if not faults:
        assert matches == read(text.encode(), "hk").matches


def test_the_places_of_rounds_without_a_line() -> None:
    text = "\n".join(TestNotes.noted())
    find_place = places("hk", text.encode())
    found = [find_place(0, game_round, 0) for game_round in range(3)]
    assert [place.line for place in found if place] == [4, 6, 7]
    # Of a note of another version is none.
    text = "\n".join(TestNotes.noted()).replace('"v":4,"digest":"ddd9c40767f9"', '"v":9')
    text += "\n- - - 1\n"
    find_place = places("hk", text.encode())
    found = [find_place(0, game_round, 0) for game_round in range(3)]
    assert [place.line for place in found if place] == [4, 6, 8]
