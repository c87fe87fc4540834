"""Which files an output may replace: never an input by accident."""

import gzip
import json
import os
from pathlib import Path

import pytest
from given import BAD_INPUT, DONE, GAME, WRONG_USAGE, Run, put_files

from corpus_files import CORPUS, SAMPLE
from looped import looped

#: A log that the writer writes otherwise.
SPACED = GAME.replace(",", ", ")


@pytest.fixture(autouse=True)
def _game() -> None:
    Path("game.mjson").write_text(SPACED)


def typed(run: Run, source: Path | str, *changes: tuple[str, str]) -> str:
    """Write a record as jmjp, and return the text as a person changes it."""
    run(source, "-o", "game.jmjp", "-q")
    text = Path("game.jmjp").read_text("utf-8")
    for before, after in changes:
        text = text.replace(before, after)
    Path("game.jmjp").write_text(text, "utf-8")
    return text


#: The writer lists the players in their order.
OTHER_ORDER = (("ply[0", "ply[x"), ("ply[1", "ply[0"), ("ply[x", "ply[1"))
SECOND = ("ply[1", "// the second player\nply[1")


@pytest.mark.parametrize("name", ["game.mjson", "./game.mjson", "link.mjson", "hard.mjson"])
@pytest.mark.parametrize("command", [[], ["merge"]])
def test_the_output_may_not_be_an_input(run: Run, name: str, command: list[str]) -> None:
    os.symlink("game.mjson", "link.mjson")
    os.link("game.mjson", "hard.mjson")
    outcome = run(*command, "game.mjson", "-o", name, "--to", "mjai")
    said = f"{name} is both an input and the output: name another output, or add --in-place"
    assert (outcome.status, outcome.err) == (WRONG_USAGE, f"mjconv: error: {said}\n")
    assert Path("game.mjson").read_text() == SPACED


def test_in_place_needs_no_output(run: Run) -> None:
    for name in ("game.mjson", "game"):
        Path("game.mjson").rename(name)
        run(name, "--in-place").check(DONE)
        assert Path(name).read_text() == GAME


@looped("packed", False, True)
def test_in_place_reports_lines_that_move_and_blank_lines_that_go(run: Run, packed: bool) -> None:
    rules = "// rules of the club"
    text = typed(run, SAMPLE, ("\nfrm[E1-0", f"\n{rules}\n\n\nfrm[E1-0"), *OTHER_ORDER)
    name = "noted.jmjp.gz" if packed else "noted.jmjp"
    Path(name).write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    outcome = run(name, "--in-place", "--report", "report.json")
    written = Path(name).read_bytes()
    lines = (gzip.decompress(written) if packed else written).decode().splitlines()
    before, after = (each.index(rules) + 1 for each in (text.splitlines(), lines))
    assert after < before
    assert f"warning: {name}: line {before}: this line moves to line {after}" in outcome.err
    assert f"warning: {name}: 2 blank lines are dropped" in outcome.err
    assert len(json.loads(Path("report.json").read_text())["warnings"]) == 3
    assert "moves" not in run(name, "--in-place").err


def test_in_place_leaves_comments_and_blank_lines_where_they_were_typed(run: Run) -> None:
    south_two = ("\nfrm[E2-0", "\n\n// south two\nfrm[E2-0")
    text = typed(run, SAMPLE, SECOND, south_two, ("(s,rn,)", "(s,rn,)  // his only win"))
    assert "warning" not in run("game.jmjp", "--in-place").check(DONE).err
    assert Path("game.jmjp").read_text("utf-8") == text


def test_in_place_writes_other_notes_and_leaves_comments_where_they_were_typed(run: Run) -> None:
    text = typed(run, SAMPLE, SECOND)
    run("game.jmjp", "--in-place", "--plain")
    lines = [line for line in text.splitlines() if not line.startswith("//@")]
    assert Path("game.jmjp").read_text("utf-8").splitlines() == lines


def test_in_place_reports_other_line_ends(run: Run) -> None:
    typed(run, "game.mjson", *OTHER_ORDER, ("\n", "\r\n"))
    assert "warning: game.jmjp: line ends become LF, from CR LF" in run("game.jmjp", "--in-place").err
    assert "line ends" not in run("game.jmjp", "--in-place").err


def test_in_place_adds_the_matches_of_other_files(run: Run) -> None:
    Path("more.mjson").write_text(GAME)
    run("merge", "game.mjson", "more.mjson", "-o", "game.mjson", "--in-place").check(DONE)
    assert Path("game.mjson").read_text() == GAME * 2


def test_another_existing_file_is_replaced(run: Run) -> None:
    Path("out.mjson").write_text("old")
    run("game.mjson", "-o", "new.mjson", "--no-clobber").check(DONE)
    run("game.mjson", "-o", "out.mjson").check(DONE)
    assert Path("out.mjson").read_text() == GAME


def test_devices_are_never_refused(run: Run) -> None:
    run("game.mjson", "-o", "/dev/null", "--to", "mjai", "--no-clobber").check(DONE)
    assert run("game.mjson", "--to", "mjai", "--no-clobber").out == GAME.encode()


def test_in_place_keeps_the_original_record_of_a_file(run: Run) -> None:
    """Without --plain, no option may drop what no field of the hub holds."""
    record, path = (CORPUS / "tenhou" / "hanchan.mjlog").read_bytes(), Path("game.mjlog")
    path.write_bytes(record)
    run("game.mjlog", "--in-place").check(DONE)
    assert path.read_bytes() == record
    said = "game.mjlog would lose the parts of the record that mjconv does not read; --plain"
    for output in ((), ("-o", "game.mjlog")):
        run("game.mjlog", *output, "--in-place", "--fill").check(BAD_INPUT, err=said)
        assert path.read_bytes() == record
    run("game.mjlog", "--in-place", "--fill", "--plain").check(DONE)
    assert path.read_bytes() != record


@looped("sample", "majsoul/four.json", "riichicity/four.json", "mjx/game.json")
def test_in_place_keeps_the_format_of_a_shared_extension(run: Run, sample: str) -> None:
    """The name .json is that of mjai lines: the contents decide."""
    record = (CORPUS / sample).read_bytes()
    Path("record.json").write_bytes(record)
    run("record.json", "--in-place").check(DONE)
    assert Path("record.json").read_bytes() == record


def test_in_place_keeps_the_flavour_of_a_shared_extension(run: Run) -> None:
    Path("record.json").write_bytes((CORPUS / "tenhou" / "game.json").read_bytes())
    run("record.json", "--in-place").check(DONE)
    assert Path("record.json").read_bytes().startswith(b'{"title":')


#: Ways to rewrite a file.
REWRITING = {"--in-place": ("game.mjson", "--in-place"), "fmt": ("fmt", "game.jmjp")}


@pytest.fixture(params=REWRITING)
def rewriting(request: pytest.FixtureRequest) -> tuple[str, ...]:
    Path("game.jmjp").write_text("jmjp[1.0]\n(mtp[,,,] ply[0,,,,] ply[1,,,,] ply[2,,,,] ply[3,,,,])\n.\n")
    return REWRITING[request.param]


def rewritten(words: tuple[str, ...]) -> Path:
    return Path(next(word for word in words if word.startswith("game.")))


def test_a_file_with_several_names_is_not_rewritten(run: Run, rewriting: tuple[str, ...]) -> None:
    path = rewritten(rewriting)
    before = path.read_text()
    os.link(path, "other")
    outcome = run(*rewriting).check(BAD_INPUT)
    assert outcome.err.endswith(f"{path}: Has several hard links, and the others would keep the old text\n")
    assert path.read_text() == before


def test_a_rewritten_file_keeps_its_extended_attributes(run: Run, rewriting: tuple[str, ...]) -> None:
    path = rewritten(rewriting)
    before = path.read_text()
    try:
        os.setxattr(path, "user.source", b"club")
    except (AttributeError, OSError):
        pytest.skip("this file system has no extended attributes")
    assert run(*rewriting).status == DONE
    assert path.read_text() != before
    assert os.getxattr(path, "user.source") == b"club"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root changes owners")
def test_a_file_that_root_rewrites_keeps_its_owner(run: Run, rewriting: tuple[str, ...]) -> None:
    path = rewritten(rewriting)
    os.chown(path, 1234, 2345)
    path.chmod(0o640)
    assert run(*rewriting).status == DONE
    about = path.stat()
    assert (about.st_uid, about.st_gid, about.st_mode & 0o777) == (1234, 2345, 0o640)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no owners of this kind")
def test_files_of_another_user_stay(run: Run, rewriting: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    path = rewritten(rewriting)
    before = path.read_text()
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    assert run(*rewriting).err.endswith(f"{path}: Belongs to another user, and the new file would be yours\n")
    assert path.read_text() == before


def test_no_output_replaces_a_key(run: Run) -> None:
    Path("players.key").write_bytes(bytes(range(128, 160)))
    for words in (("-o", "players.key", "--to", "mjai"), ("-o", "new.jmjp", "--report", "players.key")):
        outcome = run("game.mjson", *words, "--anonymous-key", "players.key")
        said = "players.key is both an input and the output: name another output"
        assert (outcome.status, outcome.err) == (WRONG_USAGE, f"mjconv: error: {said}\n")
    assert Path("players.key").read_bytes() == bytes(range(128, 160))
    assert not Path("new.jmjp").exists()


def test_no_output_replaces_the_file_of_a_season(run: Run) -> None:
    season = "team Red = Ann\n"
    put_files({"a.club": "Ann Ben Cho Dee\n42.3 31 18.2 8.5\n", "season.txt": season})
    os.link("season.txt", "other.tsv")
    outcome = run("score", "a.club", "--season", "season.txt", "--teams", "-o", "other.tsv")
    said = "other.tsv is both an input and the output: name another output"
    assert (outcome.status, outcome.err) == (WRONG_USAGE, f"mjconv: error: {said}\n")
    assert Path("season.txt").read_text() == season
