"""`mjconv fmt`: the usual layout of files that people type."""

import re
from pathlib import Path

from given import Run, put_files

from looped import looped

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
