"""`mjconv validate`, `mjconv.validate` and `mjconv.check`: errors in records."""

import gzip
import json
import re
import zipfile
from pathlib import Path

import pytest
from given import BAD_INPUT, DONE, GAME, ROUND, Outcome, Run, put_files

import mjconv
from corpus_files import CORPUS, SAMPLE, TYPED
from faults import pointed, spot

BROKEN = CORPUS / "broken"
SHORT = (CORPUS / "uzje" / "short.uzje").read_text()
EXPECTED = "turn 4 comes where turn 3 is expected"

#: A correct game of one round, which the dealer wins on the first draw of another player.
CLEAN = ROUND
#: The player who discards is not the one who drew: out of order, and not legal play.
OUT_OF_ORDER = ROUND.replace('"dahai","actor":2', '"dahai","actor":1')
#: The winner's points are more than the loser pays.
WRONG_POINTS = ROUND.replace("[5500,0,-5500,0]", "[6500,0,-5500,0]").replace("[30500,", "[31500,")
#: The game has no end: a warning, not an error.
ODD = ROUND.replace('{"type":"end_game"}\n', "")
NOT_JSON = ROUND.replace('{"type":"end_kyoku"}', '{"type":"end_kyoku"')


def heads(outcome: Outcome) -> list[str]:
    """Return the first lines of the findings, without the lines of the file below them."""
    return [line for line in outcome.out.decode().splitlines() if not line.startswith("    ")]


@pytest.fixture(autouse=True)
def _files() -> None:
    files = {"clean": CLEAN, "order": OUT_OF_ORDER, "points": WRONG_POINTS, "odd": ODD, "broken": NOT_JSON}
    put_files({f"{name}.mjson": text for name, text in files.items()})


class TestFindings:
    def test_a_record_that_is_right(self, run: Run) -> None:
        assert run("validate", "clean.mjson") == Outcome(DONE, b"", "mjconv: 1 file, 1 match: nothing found\n")

    def test_each_finding_is_a_line_with_its_place_and_code(self, run: Run) -> None:
        Path("two.mjson").write_text(CLEAN + OUT_OF_ORDER)
        for words, matches, line in (
            ("order.mjson", "1 match", "order.mjson:4:1: O002 error (player): S3-1, turn 1: "),
            ("- --from mjai", "1 match", "<stdin>:4:1: O002 error (player): S3-1, turn 1: "),
            # Findings name the match from the second on.
            ("two.mjson", "2 matches", "two.mjson:11:1: O002 error (player): match 2, S3-1, turn 1: "),
            # A reader's error is a finding.
            ("broken.mjson", "1 match", "broken.mjson:6:20: S001 error (grammar): S3-1: not JSON"),
        ):
            outcome = run("validate", *words.split(), stdin=OUT_OF_ORDER.encode())
            [found] = heads(outcome.check(BAD_INPUT, err=f"mjconv: 1 file, {matches}: 1 error\n"))
            assert found.startswith(line), words

    def test_all_files_are_looked_at_in_their_order(self, run: Run) -> None:
        outcome = run("validate", "points.mjson", "clean.mjson", "order.mjson", "broken.mjson")
        found = [line.partition(":")[0] for line in heads(outcome)]
        assert found == ["points.mjson", "order.mjson", "broken.mjson"]
        assert outcome.err.splitlines()[0] == "mjconv: 4 files, 4 matches: 3 errors"

    def test_findings_of_a_file_are_in_the_order_of_their_places(self, run: Run) -> None:
        Path("three.mjson").write_text(
            OUT_OF_ORDER + ROUND.replace('"kyotaku":0', '"kyotaku":0,"honba":"x"') + WRONG_POINTS
        )
        found = [line.split(":")[1] for line in heads(run("validate", "three.mjson"))]
        assert len(found) >= 3
        assert found == sorted(found, key=int)


def test_each_level_includes_the_levels_before(run: Run) -> None:
    names = ("broken", "order", "points")
    for number, level in enumerate(("syntax", "order", "rules"), 1):
        found = [run("validate", f"{name}.mjson", "--level", level).status == BAD_INPUT for name in names]
        assert found == [True] * number + [False] * (3 - number), level


class TestOptions:
    def test_warnings_alone_give_status_0_unless_strict(self, run: Run) -> None:
        run("validate", "odd.mjson").check(DONE, out="O011 warning")
        run("validate", "odd.mjson", "--fail-on-warnings").check(BAD_INPUT)
        run("validate", "clean.mjson", "--fail-on-warnings").check(DONE)

    def test_quiet_prints_errors_only(self, run: Run) -> None:
        outcome = run("validate", "odd.mjson", "order.mjson", "--quiet").check(BAD_INPUT, out="error", err="")
        assert b"warning" not in outcome.out

    def test_json_is_one_object_per_finding(self, run: Run) -> None:
        [finding] = map(json.loads, run("validate", "order.mjson", "--json").out.splitlines())
        message = finding.pop("message")
        assert "south" not in message or "player" in message
        assert finding == {
            "file": "order.mjson", "line": 4, "column": 1, "code": "O002", "name": "player", "level": "order",
            "severity": "error",
            "match": 0, "round": 0, "event": 2, "label": "S3-1", "actor": 1, "turn": 1,
        }  # fmt: skip

    def test_explain_shows_the_table_below_a_finding(self, run: Run) -> None:
        for level in ("order", "rules"):
            lines = run("validate", "order.mjson", "--explain", "--level", level).out.decode().splitlines()
            assert lines[3].startswith("    S3-1, 69 tiles left to draw, dora indicators 1m")
            assert "    E (player 2), 25000 points" in lines
        both = ROUND.replace('"type":"hora","actor":0,', '"type":"hora","actor":0,"pai":"1m",')
        Path("both.mjson").write_text(both.replace("[5500,0,-5500,0]", "[6500,0,-5500,0]"))
        printed = run("validate", "both.mjson", "--explain").out.decode()
        assert printed.count(" error (") > 1
        assert printed.count("    S3-1, 69 tiles left") == 1
        assert "picture" in json.loads(run("validate", "order.mjson", "--explain", "--json").out)

    def test_rules_of_the_house(self, run: Run) -> None:
        run("validate", "clean.mjson", "--house", "swap-calling,no-open-tanyao,reds=000").check(DONE)

    def test_findings_of_a_file_are_limited(self, run: Run) -> None:
        Path("many.mjson").write_text(OUT_OF_ORDER * 9)
        lines = heads(run("validate", "many.mjson", "--limit", "faults=5"))
        assert [line.split()[1] for line in lines] == [*["O002"] * 5, "S003"]
        assert "left out" in lines[-1]

    def test_findings_of_a_match_are_limited(self, run: Run) -> None:
        sample = SAMPLE.read_text()
        Path("wrong.mjson").write_text(re.sub(r'("dahai","actor":.,"pai":)"[^"]*"', r'\1"F"', sample))
        every = len(heads(run("validate", "wrong.mjson")))
        assert every > 6
        for most in (5, 6, every):
            lines = heads(run("validate", "wrong.mjson", "--limit", f"faults={most}"))
            assert len(lines) == most + (most < every)
            assert (" S003 error (limit): " in lines[-1]) is (most < every)
        assert "left out" in run("wrong.mjson", "-o", "out.json", "--check", "--limit", "faults=5").err


class TestSources:
    def test_folders_and_archives(self, run: Run) -> None:
        logs = {"a.mjson": OUT_OF_ORDER, "b.mjson.gz": gzip.compress(WRONG_POINTS.encode()), "README.md": "none"}
        put_files({f"logs/{name}": text for name, text in logs.items()})
        with zipfile.ZipFile("logs.zip", "w") as archive:
            archive.write("logs/a.mjson", "deep/a.mjson")
        outcome = run("validate", "logs", "logs.zip")
        found = [line.partition(":")[0] for line in heads(outcome)]
        assert found == ["logs/a.mjson", "logs/b.mjson.gz", "logs.zip/deep/a.mjson"]
        assert outcome.err.splitlines()[0] == "mjconv: 3 files, 3 matches: 3 errors; 1 file skipped"

    def test_no_record_at_all_is_an_error(self, run: Run) -> None:
        put_files({"logs/README.md": "no record"})
        outcome = run("validate", "logs")
        outcome.check(BAD_INPUT, err="mjconv: 0 files, 0 matches: 1 error; 1 file skipped\n")
        assert outcome.out == b"logs: S002 error (unreadable): there is no record in it\n"

    def test_a_file_of_comments_alone_is_odd(self, run: Run) -> None:
        Path("none.hk").write_text("# nothing yet\n")
        run("validate", "none.hk").check(DONE, out="none.hk:1:1: S010 warning (oddity): there is no match in it")

    def test_an_unreadable_file_is_a_finding_and_hides_no_other(self, run: Run) -> None:
        put_files({"empty.mjson": "\n", "what": "no format knows it", "broken.mjson.gz": b"\x1f\x8b broken"})
        names = ("no such.mjson", "empty.mjson", "what", "broken.mjson.gz", "order.mjson")
        lines = heads(run("validate", *names).check(BAD_INPUT))
        assert [line.split(" error")[0].rsplit(" ", 1)[1] for line in lines] == [*["S002"] * 4, "O002"]


class TestReaders:
    def test_points_of_a_result_have_the_place_of_the_points_of_the_frame(self) -> None:
        wrong = TYPED.replace(",pfe[17.3,", ",pfe[16.3,", 1)
        assert wrong != TYPED
        found = [finding.place for finding in mjconv.validate(wrong.encode()) if finding.code in ("R050", "R051")]
        assert found
        assert all(place and place.text[place.column - 1 :].startswith("pfe[") for place in found)

    def test_an_event_s_key_is_pointed_at(self) -> None:
        [found] = mjconv.validate(WRONG_POINTS.encode())
        assert pointed(found.place).startswith('"deltas"')

    def test_a_frame_that_cannot_be_read_has_its_name(self) -> None:
        [found] = mjconv.validate(TYPED.replace("frm[E1-0,", "frm[E1-0;", 1).encode())
        assert (found.code, found.label, found.round) == ("S001", "E1-0", 0)

    def test_a_note_of_a_round_with_an_error_is_not_reported(self) -> None:
        text = mjconv.convert(SAMPLE.read_bytes(), target="jmjp").data.decode()
        edited = text.replace("frm[E3-0,0.0,,", "frm[E3-0,0.0,3-4,")
        assert edited != text
        assert [(found.code, found.label) for found in mjconv.validate(edited.encode())] == [("S010", "E3-0")]
        wrong = mjconv.validate(text.replace("frm[E3-0,", "frm[E3-0;").encode())
        assert [(found.code, found.label) for found in wrong] == [("S001", "E3-0")]


class TestTurnNumbers:
    def test_a_number_that_is_another_turn_s_is_odd(self) -> None:
        [found] = mjconv.validate(SHORT.replace(" 3.", " 4.", 1).encode(), format="uzje")
        row, line = next((row, line) for row, line in enumerate(SHORT.splitlines(), 1) if " 3." in line)
        assert (found.code, found.severity, found.message) == ("S010", "warning", EXPECTED)
        assert spot(found.place) == (row, line.index("3.") + 1)

    def test_a_turn_left_out_is_the_one_mistake(self) -> None:
        [found] = mjconv.validate(SHORT.replace(" 3.2m", "", 1).encode(), format="uzje")
        assert (found.code, found.message) == ("S001", EXPECTED)


class TestLibrary:
    def test_bytes(self) -> None:
        assert mjconv.validate(CLEAN.encode()) == mjconv.validate(GAME.encode()) == []
        [finding] = mjconv.validate(OUT_OF_ORDER.encode(), file="x.mjson")
        assert (finding.code, finding.file, finding.place and finding.place.line) == ("O002", "x.mjson", 4)

    def test_files(self) -> None:
        assert [finding.code for finding in mjconv.validate(Path("order.mjson"))] == ["O002"]
        assert mjconv.validate("order.mjson", level="syntax") == []

    def test_matches(self) -> None:
        match = mjconv.read("order.mjson")
        [finding] = mjconv.check(match, pictures=True)
        assert (finding.code, finding.match, finding.round, finding.event) == ("O002", 0, 0, 2)
        assert (finding.place, finding.picture is None) == (None, False)
        assert mjconv.check(match, level="syntax") == []


class TestConversion:
    def test_errors_are_printed_and_nothing_is_written(self, run: Run) -> None:
        outcome = run("points.mjson", "-o", "out.jmjp", "--check")
        outcome.check(BAD_INPUT, err="points.mjson:5:37: R050 error (sum): S3-1, turn 1: ")
        assert "the referee found 1 error" in outcome.err
        assert not Path("out.jmjp").exists()
        run("points.mjson", "-o", "out.jmjp", "--quiet").check(DONE)

    def test_warnings_are_printed_and_the_output_is_written(self, run: Run) -> None:
        run("odd.mjson", "-o", "out.json", "--check").check(DONE, err="O011 warning")
        assert Path("out.json").exists()
        assert "O011" not in run("odd.mjson", "-o", "out.json", "--check", "--quiet").err

    def test_reading_is_as_strict_as_without(self, run: Run) -> None:
        assert run("broken.mjson", "-o", "out.json", "--check").err == run("broken.mjson", "-o", "out.json").err

    def test_merge_and_split(self, run: Run) -> None:
        run("merge", "clean.mjson", "order.mjson", "-o", "c.mjson", "--check").check(BAD_INPUT)
        run("split", "order.mjson", "-o", ".", "--check").check(BAD_INPUT)
        run("split", "clean.mjson", "-o", ".", "--check", "--quiet").check(DONE)
        assert not Path("c.mjson").exists()
        assert not Path("order_001.mjson").exists()

    def test_in_python(self) -> None:
        assert mjconv.convert(CLEAN.encode(), target="mjai", check=True).findings == []
        odd = mjconv.convert(ODD.encode(), target="mjai", check=True)
        assert [finding.code for finding in odd.findings] == ["O011"]
        with pytest.raises(mjconv.RefereeError) as raised:
            mjconv.convert(WRONG_POINTS.encode(), target="mjai", check=True)
        assert [finding.code for finding in raised.value.findings] == ["R050"]
