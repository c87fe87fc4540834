"""Files that people type: new ones, their usual layout, and fixes of mistakes that an editor offers."""

import io
import re
import sys
from pathlib import Path

import pytest
from given import Run, put_files

import mjconv
from corpus_files import CORPUS, TYPED
from looped import looped
from mjconv.command.new import NewOptions, make_file
from mjconv.converters import formats
from mjconv.converters.jmjp.fill import filled
from mjconv.ir.losses import Report
from mjconv.typist.document import MOST_CHARACTERS, Document, Fix, Spot
from trips import known

UMA = "uma 15 0 -15  # points of places: with 20 10 the fourth pays 20"
HANDS = """(e,hnd[1m2m3m4m5m6m2p3p4p7s8s9sew,,])
(s,hnd[1p1p2p5p6p7p8p2s3s4s6swdgd,,])
(w,hnd[1m4m7m3p6p9p1s4s7sewswwwnw,,])
(n,hnd[2m5m8m1p4p7p2s5s8sewrdwdgd,,])
(e,9p,tg)(s,9s,gd)(w,rd,tg)(n,9m,gd)(e,ew,tm)
,,]
frm[,,,,,
"""


def test_a_match_has_its_head_and_its_comments(run: Run) -> None:
    names = "佐藤 一郎,鈴木,Tanaka Jiro,D"
    words = ["--players", names, "--date", "2024-04-06", "--tournament", "杯", "--place", "Club"]
    run("new", "game.jmjp", *words, "--rules", "30,30,15,5").check(0)
    match = mjconv.read("game.jmjp")
    assert [player.name.shown for player in match.players if player.name] == names.split(",")
    assert (str(match.date), match.weekday) == ("2024-04-06", "sat")
    assert (known(match.rules).start, known(match.rules).uma) == (30000, (15000, 5000))
    assert known(match.rounds[0].start).scores == (30000,) * 4
    run("fmt", "--check", "game.jmjp").check(0)
    checked = run("validate", "game.jmjp")
    assert "O009" in checked.err + checked.out.decode()


def test_a_round_typed_into_it_is_filled_and_the_next_one_named(run: Run) -> None:
    run("new", "game.jmjp", "--players", "A,B,C,D")
    text = Path("game.jmjp").read_text("utf-8").replace("// indicators:", "// indicators: 4p")
    head, bracket, _ = text.rpartition(")")
    typed = filled((head + HANDS + bracket).encode(), Report()).decode()
    assert ",pfe[26.5,24.5,24.5,24.5],]" in typed
    assert "frm[E1-1,0.0,,pfs[26.5,24.5,24.5,24.5],," in typed


def test_like_takes_the_head_of_the_last_match(run: Run) -> None:
    old = CORPUS / "grammar" / "calls.jmjp"
    run("new", "game.jmjp", "--like", old)
    before, after = mjconv.read(old), mjconv.read("game.jmjp")
    assert (after.rules, after.place, after.recorders) == (before.rules, before.place, before.recorders)
    assert [player.name for player in after.players] == [player.name for player in before.players]
    assert known(after.tournament).number_in_day == (known(before.tournament).number_in_day or 0) + 1
    assert len(after.rounds) == 1


def test_an_evening_has_its_rules_and_names(run: Run) -> None:
    run("new", "night.hk", "--players", "A,B,C,D", "--date", "2024-04-06").check(0)
    Path("night.hk").write_text(Path("night.hk").read_text("utf-8") + "3 d - -\n", "utf-8")
    match = mjconv.read("night.hk")
    assert str(match.rounds[0].date or match.date) == "2024-04-06"
    run("new", "next.hk", "--like", CORPUS / "hk" / "evenings.hk")
    assert {"B=1", "M=10", "S=spicy"} <= set(Path("next.hk").read_text("utf-8").replace("#", " ").split())
    run("fmt", "--check", "next.hk", "night.hk").check(0)


def test_a_game_of_uzje_is_typed_below_its_head(run: Run) -> None:
    names = ("Ann", "佐藤 花", "Cy", "Dee")
    words = ["--players", ",".join(names), "--date", "2024-04-06", "--tournament", "Cup"]
    run("new", "game.uzje", *words).check(0)
    game = (CORPUS / "uzje" / "short.uzje").read_text("utf-8")
    Path("game.uzje").write_text(Path("game.uzje").read_text("utf-8") + game, "utf-8")
    run("new", "next.uzje", "--like", "game.uzje")
    for name, date, rounds in (("game.uzje", "2024-04-06", 5), ("next.uzje", "UNSET", 0)):
        match = mjconv.read(name)
        assert tuple(player.name.shown for player in match.players if player.name) == names
        assert match.tournament
        assert (str(match.date), len(match.rounds)) == (date, rounds)
        assert mjconv.validate(name) == []
    run("fmt", "--check", "game.uzje", "next.uzje").check(0)


def test_a_text_is_a_family_s_evening_or_like_an_older_one(run: Run) -> None:
    for name, words, part in (
        ("family.txt", ("--players", "A,B,C,D"), "R=full"),
        ("club.txt", ("--like", CORPUS / "club" / "family.club"), UMA),
    ):
        run("new", name, *words).check(0)
        assert part in Path(name).read_text("utf-8")


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_a_terminal_asks_for_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = Terminal(io.BytesIO(b"Sato Ichiro\nSuzuki\n\nTanaka\n"))
    asked = Terminal(io.BytesIO(), write_through=True)
    monkeypatch.setattr(sys, "stdin", typed)
    monkeypatch.setattr(sys, "stderr", asked)
    make_file(NewOptions(file="game.jmjp"))
    names = [player.name.shown if player.name else "" for player in mjconv.read("game.jmjp").players]
    assert names == ["Sato Ichiro", "Suzuki", "", "Tanaka"]
    assert asked.buffer.getvalue().count(b"Player, ") == 4  # type: ignore[attr-defined]


def test_an_evening_has_players_without_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Terminal(io.BytesIO(), write_through=True)
    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(b"Ann\nBen\nCho\nDee\n")))
    monkeypatch.setattr(sys, "stderr", asked)
    make_file(NewOptions(file="may.club"))
    assert asked.buffer.getvalue() == b"Player 1: Player 2: Player 3: Player 4: "  # type: ignore[attr-defined]
    assert "\nAnn, Ben, Cho, Dee\n" in Path("may.club").read_text("utf-8")


# `mjconv fmt`: the usual layout of files that people type.
ROOT = Path(__file__).parents[2]
TEXT = "jmjp[1.0](mtp[,,,] // a friendly game\nply[0,,,,]ply[1,,,,]\nply[2,,,,]ply[3,,,,]\n)"
LAID = "jmjp[1.0]\n(\nmtp[,,,]  // a friendly game\nply[0,,,,]\nply[1,,,,]\nply[2,,,,]\nply[3,,,,]\n)\n"


def test_files_are_laid_out_and_a_second_time_changes_nothing(run: Run) -> None:
    put_files({"game.jmjp": TEXT, "night.hk": "A  B C D\n-  - - -\n"})
    for _ in range(2):
        run("fmt", "game.jmjp", "night.hk").check(0)
        assert Path("game.jmjp").read_text() == LAID
        assert Path("night.hk").read_text() == "A B C D\n- - - -\n"


def test_a_file_that_needs_nothing_is_not_written(run: Run) -> None:
    Path("game.jmjp").write_text(LAID)
    Path("game.jmjp").chmod(0o444)
    before = Path("game.jmjp").stat().st_mtime_ns
    assert (run("fmt", "game.jmjp").status, Path("game.jmjp").stat().st_mtime_ns) == (0, before)


@looped("flag", "--check", "--diff")
def test_check_and_diff_write_nothing_and_have_a_status(run: Run, flag: str) -> None:
    Path("game.jmjp").write_text(TEXT)
    outcome = run("fmt", flag, "game.jmjp").check(1, err="game.jmjp has another layout")
    assert (b"+ply[0,,,,]\n" in outcome.out) is (flag == "--diff")
    assert Path("game.jmjp").read_text() == TEXT
    Path("game.jmjp").write_text(LAID)
    assert run("fmt", flag, "game.jmjp").status == 0


def test_standard_input_is_laid_out_on_standard_output(run: Run) -> None:
    assert run("fmt", "-", stdin=TEXT.encode()).out.decode() == LAID


def test_half_a_file_is_laid_out(run: Run) -> None:
    assert run("fmt", "-", stdin=(TEXT[:-1] + "frm[E1-0,,,").encode()).out.decode().endswith("frm[E1-0,,,\n")


def test_a_missing_file_or_another_format_does_not_hide_the_other_files(run: Run) -> None:
    Path("game.jmjp").write_text(TEXT)
    outcome = run("fmt", "none.jmjp", "game.jmjp", "gone.hk").check(1)
    assert [line.split(": ")[2] for line in outcome.err.splitlines()] == ["none.jmjp", "gone.hk"]
    assert Path("game.jmjp").read_text() == LAID
    assert run("fmt", "none.jmjp", ROOT / "corpus" / "sample" / "game.mjson", "gone.hk").status == 2


@looped("name", "night.hk", "game.jmjp", "game.uzje")
def test_a_byte_order_mark_stays(run: Run, name: str) -> None:
    text = {"night.hk": "A  B C D\n", "game.jmjp": TEXT, "game.uzje": "E 1 0  4\n"}[name]
    Path(name).write_text(text, "utf-8-sig")
    assert run("fmt", name).status == 0
    assert Path(name).read_bytes().startswith(b"\xef\xbb\xbf")
    assert Path(name).read_text("utf-8-sig") not in (text, "")


def test_pre_commit_runs_it_on_the_files_that_it_lays_out() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text()
    [pattern] = re.findall(r"entry: mjconv fmt\n  language: python\n  files: (.*)", hooks)
    assert all(re.search(pattern, f"game.{form}") for form in ("jmjp", "uzje", "hk"))
    assert re.search(pattern, "game.mjson") is None


# A fix that an editor offers mends its error, and changes nothing else.
SAMPLE = TYPED.replace("mtp[,,,]", "mtp[20200607,sun,1930,]")
#: A text of the sample, and the same as people type it, in several ways.
MISTAKES = {
    "frm[E2-0": ["fmr[E2-0", "frm[東2-0", "frm[東2局0本場", "frm[e2"],
    "mtp[20200607": ["mtp[2020-06-07", "mtp[2020年6月7日"],
    "mtp[20200607,sun": ["mtp[20200607,Sunday", "mtp[20200607,日"],
    ",sun,1930,": [",sun,19:30,", ",sun,19時30分,"],
    "pfs[33.7": ["pfs[33700"],
    "pfs[33.7,25.0": ["pfs[33.7,25"],
    "(e,wd,4m)": ["(E,wd,4m)", "(東,wd,4m)", "(e,haku,4m)", "(e,白,4m)", "(e,5z,4m)", "(e,White,4m)", "(e,wd,4M)"],
    "(e,ew,2m)": ["(e,E,2m)"],
    "(w,0m,kk[0m])": ["(w,0m,kk0m)", "(w,5mr,kk[0m])", "(w,0m,kakan[0m])"],
    "(s,5p,rc[3s])": ["(s,5p,rc3s])", "(s,5p,RC[3s])", "(s,5p,riichi[3s])"],
    "(e,3p,tg)": ["(e,3p,TG)"],
    "(w,pn[5m5m],nw)": ["(w,pon[5m5m],nw)", "(w,pn5m5m,nw)"],
    "(s,rn,)": ["(s,ron,)"],
    "(s,4s,tm)": ["(s,4s,tumo)", "(s,4s，tm)"],
}


def typed(text: str, name: str, before: Document | None = None) -> Document:
    form = formats.of_file(name, text.encode())
    assert form is not None
    return Document(text, form, name, before)


def fixed(document: Document, fix: Fix) -> str:
    assert fix.begin.line == fix.end.line
    lines = list(document.lines)
    line = lines[fix.begin.line]
    lines[fix.begin.line] = line[: fix.begin.column] + fix.text + line[fix.end.column :]
    return "\n".join(lines)


#: The same of a text of Ùzje, whose tiles are spelled as elsewhere.
UZJE = "E 1 0 4\n1m 7t 3m 5t Z P\n"
MISTAKES_OF_UZJE = [("7t", "7p"), ("5t", "0p"), ("Z", "0t"), ("5t", "５t"), ("P", "5z")]


@looped(
    ("name", "text", "right", "wrong"),
    *(("a.jmjp", SAMPLE, right, wrong) for right, ways in MISTAKES.items() for wrong in ways),
    *(("a.uzje", UZJE, *mistake) for mistake in MISTAKES_OF_UZJE),
    ids=lambda value: value[:20],
)
def test_the_fix_of_a_mistake_gives_back_the_text(name: str, text: str, right: str, wrong: str) -> None:
    assert right in text
    document = typed(text.replace(right, wrong, 1), name)
    [fix] = [fix for finding in document.findings if (fix := document.fix(finding))]
    assert fixed(document, fix) == text


@looped(
    ("line", "message"),
    ("Aunt May Bob Carl Dora", "a blank inside a name is written %20, as in Aunt%20May"),
    ("3 May 2024", "write the year first, as in 2024-01-31"),
)
def test_a_line_of_hk_has_a_hint(line: str, message: str) -> None:
    assert message in typed(f"{line}\nA B C D\n- - - 3\n", "a.hk").findings[0].message


def broken() -> list[Path]:
    return [path for path in sorted(CORPUS.rglob("broken/*")) if path.suffix in (".jmjp", ".hk", ".uzje")]


def test_every_fix_of_the_corpus_of_mistakes_mends_its_error_alone() -> None:
    number = 0
    for path in broken():
        document = typed(path.read_bytes().decode("utf-8", "replace"), path.name)
        for finding in document.findings:
            if (fix := document.fix(finding)) is None:
                continue
            number += 1
            left = {(one.code, one.message) for one in typed(fixed(document, fix), path.name).findings}
            # What could not be read before may have mistakes of its own.
            assert (finding.code, finding.message) not in left, path
    assert number > 5


@pytest.mark.parametrize(
    ("name", "begin", "end"),
    [
        ("typed/game.jmjp", "(n,pn[wdwd]", "\n)\n"),
        ("grammar/calls.jmjp", "win anything", ""),
        ("uzje/commands.uzje", "Ec21t ", ""),
        ("hk/example.hk", "d - - 5", "\n- - - -"),
        ("uzje/actions.uzje", " 43.W?,6t", "\n\nE 3 1 4"),
    ],
)
def test_no_key_in_the_middle_of_a_text_shows_an_error(name: str, begin: str, end: str) -> None:
    text = (CORPUS / name).read_text("utf-8")
    first = text.index(begin)
    # Without a rest, the text ends where one types.
    last = text.index(end, first) if end else first + 80
    rest = text[last:] if end else ""
    document = typed(text[:first] + rest, name)
    for at in range(first + 1, last + 1):
        document = typed(text[:at] + rest, name, document)
        # Acts that are not yet typed are missing in the game.
        errors = [one.message for one in document.findings if one.severity == "error" and one.code == "S001"]
        assert errors == [], text[:at]


@looped("name", "hk/example.hk", "uzje/actions.uzje", "sample/game.jmjp")
def test_no_key_of_a_right_text_shows_an_error(name: str) -> None:
    text = (CORPUS / name).read_text("utf-8")
    begin = text.index("\n1.") if name.endswith("uzje") else len(text) // 2
    for end in range(begin, begin + 60, 4):
        findings = typed(text[:end], name).findings
        assert [one.message for one in findings if one.severity == "error"] == [], text[:end]


@looped(
    ("name", "text"), ("a.hk", "East South West North\n1 2 3 4 5\n- - - 3\n"), ("a.uzje", "E 1 0 4\n1m\n\nE 2")
)
def test_an_error_before_the_last_line_stays_one(name: str, text: str) -> None:
    assert any(one.severity == "error" for one in typed(text, name).findings)


def test_a_very_large_text_is_left_to_validate() -> None:
    document = typed("A B C D\n" + "- - - 3\n" * (MOST_CHARACTERS // 8), "a.hk")
    [finding] = document.findings
    assert (finding.severity, document.rounds, document.completions(Spot(1, 0))[1]) == ("note", [], [])
    assert "mjconv validate checks the file" in finding.message
