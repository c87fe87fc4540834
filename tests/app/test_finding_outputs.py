"""The outputs of `mjconv validate`: text with carets and colours, JSON, annotations of GitHub, SARIF."""

import json
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from given import BAD_INPUT, DONE, ROUND, Run
from hypothesis import given, settings
from hypothesis import strategies as st

import mjconv
from corpus_files import SAMPLE
from looped import looped
from mjconv.ir.errors import Place
from mjconv.referee.codes import CODES
from mjconv.referee.findings import Finding
from mjconv.validation.text import OUTPUTS, Colours, annotation, colours_for, output_of, sarif
from strategies import any_text

WHOLE = SAMPLE.read_text("utf-8")
#: East discards a tile that is not in the hand.
UNHELD = WHOLE.replace('"pai":"W","tsumogiri":true', '"pai":"9p","tsumogiri":false', 1)
#: The round has no end: a warning.
ENDLESS = ROUND.replace('{"type":"end_game"}\n', "")


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("unheld.mjson").write_text(UNHELD, "utf-8")
    Path("endless.mjson").write_text(ENDLESS, "utf-8")


class TestText:
    def test_the_line_of_the_file_has_a_caret_at_the_place(self, run: Run) -> None:
        head, line, caret = run("validate", "unheld.mjson").out.decode().splitlines()
        assert head == "unheld.mjson:14:27: R005 error (unheld): E1-0, turn 2: east (player 0) does not hold 9p"
        assert line == '    {"type":"dahai","actor":0,"pai":"9p","tsumogiri":false}'
        assert line[caret.index("^") :].startswith('"pai"')

    def test_the_line_of_a_warning_of_a_reader_is_shown(self, run: Run) -> None:
        noted = mjconv.convert(WHOLE.encode(), source="mjai", target="jmjp").data.decode()
        Path("noted.jmjp").write_text(noted.replace("frm[E3-0,0.0,,", "frm[E3-0,0.0,3-4,"), "utf-8")
        head, line, caret = run("validate", "noted.jmjp").out.decode().splitlines()
        assert "S010 warning (oddity): E3-0: " in head
        assert line.startswith("    //@mjconv {")
        assert caret.index("^") == int(head.split(":")[2]) + 3

    def test_the_summary_counts_findings_by_code(self, run: Run) -> None:
        assert run("validate", "unheld.mjson", "endless.mjson", "endless.mjson").err.splitlines() == [
            "mjconv: 3 files, 3 matches: 1 error, 2 warnings",
            f"     2 x O011 endless: {CODES['O011'].meaning}",
            f"     1 x R005 unheld: {CODES['R005'].meaning}",
        ]


class TestColours:
    def test_always_and_never(self, run: Run) -> None:
        painted = run("validate", "unheld.mjson", "endless.mjson", "--color", "always")
        plain = run("validate", "unheld.mjson", "endless.mjson", "--color", "never")
        assert b"\x1b[1;31mR005 error\x1b[0m" in painted.out
        assert b"\x1b[1;33mO011 warning\x1b[0m" in painted.out
        assert "\x1b[1;31m1 error\x1b[0m" in painted.err
        assert re.sub(rb"\x1b\[[0-9;]*m", b"", painted.out) == plain.out
        assert b"\x1b" not in plain.out
        assert "\x1b" not in plain.err

    def test_auto_paints_nothing_in_a_file_or_pipe(self, run: Run) -> None:
        assert run("validate", "unheld.mjson").out == run("validate", "unheld.mjson", "--color", "never").out

    @looped(
        ("variables", "painted"),
        ({}, True),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0"}, False),
        ({"TERM": "dumb"}, False),
    )
    def test_auto_paints_on_a_terminal_without_no_color(
        self, variables: dict[str, str], painted: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("NO_COLOR", "TERM"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

        terminal: Any = SimpleNamespace(isatty=lambda: True)
        assert colours_for("auto", terminal) == Colours(painted)
        assert colours_for("always", terminal).on
        assert not colours_for("never", terminal).on

    def test_other_outputs_have_no_colours(self, run: Run) -> None:
        for output in OUTPUTS:
            if output != "text":
                assert b"\x1b" not in run("validate", "unheld.mjson", "--format", output, "--color", "always").out


class TestSelection:
    def test_only_selected_codes_are_findings(self, run: Run) -> None:
        both = ("validate", "unheld.mjson", "endless.mjson")
        one = run(*both, "--select", "endless")
        assert (one.status, one.out.count(b" (")) == (DONE, 1)
        for words in ("R005", "unheld", "R00", "r", "O011,R005", " furiten , unheld "):
            run(*both, "--select", words).check(BAD_INPUT)
        run(*both, "--select", "furiten", "--select", "R00").check(BAD_INPUT)
        assert run(*both, "--select", "furiten").err == "mjconv: 2 files, 2 matches: nothing found\n"

    def test_ignored_codes_are_no_findings(self, run: Run) -> None:
        for words, status in (
            ("unheld.mjson --ignore unheld", DONE),
            ("unheld.mjson --select R --ignore R005", DONE),
            ("endless.mjson --fail-on-warnings --ignore O01", DONE),
            ("endless.mjson --fail-on-warnings", BAD_INPUT),
        ):
            run("validate", *words.split()).check(status)

    def test_a_file_that_is_not_checked_is_reported_whatever_is_selected(self, run: Run) -> None:
        run("validate", "missing.mjson", "--select", "furiten").check(BAD_INPUT, out="S002 error (unreadable)")
        run("validate", "endless.mjson", "--select", "furiten", "--limit", "events=2").check(BAD_INPUT)
        run("validate", "missing.mjson", "--ignore", "unreadable").check(DONE)

    def test_findings_that_are_not_selected_do_not_use_up_the_limit(self, run: Run) -> None:
        wrong = re.sub(r'("dahai","actor":.,"pai":)"[^"]*"', r'\1"F"', WHOLE)
        Path("many.mjson").write_text(wrong + ENDLESS, "utf-8")
        printed = run("validate", "many.mjson", "--select", "O011", "--limit", "faults=3").out
        assert b"O011 warning (endless): match 2" in printed
        assert b"S003" not in printed


def test_format_json_is_the_option_json(run: Run) -> None:
    by_format = run("validate", "unheld.mjson", "--format", "json").out
    assert by_format == run("validate", "unheld.mjson", "--json").out
    finding = json.loads(by_format)
    assert (finding["code"], finding["name"], finding["line"]) == ("R005", "unheld", 14)


def decoded(command: str) -> tuple[str, dict[str, str], str]:
    """Read a workflow command as GitHub's runner does: the command, its properties, its message."""
    begin, _, message = command.removeprefix("::").partition("::")
    name, _, stated = begin.partition(" ")
    properties = dict(each.split("=", 1) for each in stated.split(","))

    def unescaped(text: str) -> str:
        for escape, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            text = text.replace(escape, char)
        return text

    return name, {key: unescaped(value) for key, value in properties.items()}, unescaped(message)


class TestGitHub:
    def test_a_finding_is_an_annotation_of_its_line(self, run: Run) -> None:
        [line] = run("validate", "unheld.mjson", "--format", "github").out.decode().splitlines()
        assert line == (
            "::error file=unheld.mjson,line=14,col=27,title=R005 unheld::"
            "E1-0, turn 2: east (player 0) does not hold 9p"
        )
        assert run("validate", "endless.mjson", "--format", "github").out.startswith(b"::warning file=")

    def test_a_hostile_name_stays_a_name(self, run: Run) -> None:
        name = "a,line=1::x\n::error::100%0A.mjson"
        Path(name).write_text(UNHELD, "utf-8")
        [line] = run("validate", name, "--format", "github").out.decode().splitlines()
        kind, properties, message = decoded(line)
        assert (kind, properties["file"], properties["line"]) == ("error", name, "14")
        assert message == "E1-0, turn 2: east (player 0) does not hold 9p"

    @given(any_text(), any_text())
    def test_any_name_and_message_is_one_command(self, file: str, message: str) -> None:
        command = annotation(Finding("R005", "error", message, place=Place(3, 4, ""), file=file))
        assert len(command.splitlines()) == 1
        kind, properties, _ = decoded(command)
        del properties["file"]
        assert (kind, properties) == ("error", {"line": "3", "col": "4", "title": "R005 unheld"})


def check_sarif(document: Any) -> None:
    """Check the fields that SARIF 2.1.0 requires (OASIS Standard, sections 3.13 to 3.49), and their types."""
    assert document["version"] == "2.1.0"
    assert urlsplit(document["$schema"]).path.endswith("sarif-schema-2.1.0.json")
    assert isinstance(document["runs"], list)
    for run in document["runs"]:
        driver = run["tool"]["driver"]
        assert isinstance(driver["name"], str)
        assert driver["name"]
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
        rules = driver["rules"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for rule in rules:
            assert rule["shortDescription"]["text"]
            assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
            assert all(isinstance(tag, str) for tag in rule["properties"]["tags"])
        for result in run["results"]:
            assert isinstance(result["message"]["text"], str)
            assert result["level"] in ("none", "note", "warning", "error")
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            for location in result.get("locations", []):
                physical = location["physicalLocation"]
                parts = urlsplit(physical["artifactLocation"]["uri"])
                assert parts.scheme in ("", "file")
                assert re.fullmatch(r"[A-Za-z0-9/._~%-]*", parts.path)
                assert not (parts.query)
                assert not (parts.fragment)
                region = physical.get("region", {"startLine": 1})
                assert region["startLine"] >= 1
                assert region.get("startColumn", 1) >= 1


class TestSarif:
    def test_the_document_is_valid_and_holds_every_finding(self, run: Run) -> None:
        outcome = run("validate", "unheld.mjson", "endless.mjson", "missing.mjson", "--format", "sarif")
        document = json.loads(outcome.out)
        check_sarif(document)
        [only] = document["runs"]
        expected = [("R005", "error"), ("O011", "warning"), ("S002", "error")]
        assert [(result["ruleId"], result["level"]) for result in only["results"]] == expected
        first = only["results"][0]
        [location] = first["locations"]
        assert location["physicalLocation"] == {
            "artifactLocation": {"uri": "unheld.mjson"},
            "region": {"startLine": 14, "startColumn": 27},
        }
        assert first["properties"]["label"] == "E1-0"

    def test_every_code_is_a_rule_with_its_name(self) -> None:
        document = json.loads("".join(sarif([])))
        check_sarif(document)
        assert document["runs"][0]["results"] == []
        rules = document["runs"][0]["tool"]["driver"]["rules"]
        assert {rule["id"]: rule["name"] for rule in rules} == {code: kind.name for code, kind in CODES.items()}

    def test_a_run_without_findings_is_a_document_too(self, run: Run) -> None:
        Path("clean.mjson").write_text(WHOLE, "utf-8")
        check_sarif(json.loads(run("validate", "clean.mjson", "--format", "sarif").check(DONE).out))

    @given(st.lists(st.tuples(st.sampled_from(sorted(CODES)), any_text(), any_text(min_size=1))))
    @settings(max_examples=2 * settings().max_examples)
    def test_any_name_and_message_makes_a_valid_document(self, texts: list[tuple[str, str, str]]) -> None:
        found = [Finding(code, "error", message, label=message, file=file) for code, message, file in texts]
        document = json.loads("".join(sarif(found)))
        check_sarif(document)
        places = [result["locations"][0]["physicalLocation"] for result in document["runs"][0]["results"]]
        found = [unquote(urlsplit(place["artifactLocation"]["uri"]).path).lstrip("/") for place in places]
        assert found == [file.lstrip("/") for _, _, file in texts]


@looped("output", *OUTPUTS)
def test_every_output_prints_every_finding_once(output: str) -> None:
    found = mjconv.validate(UNHELD.encode(), file="x.mjson") + mjconv.validate(ENDLESS.encode(), file="y.mjson")
    text = "\n".join(output_of(output)(found, Colours()))
    results = text.partition('"results"')[2] or text
    assert Counter(re.findall(r"\b[SOR][0-9]{3}\b", results)) == Counter(finding.code for finding in found)
