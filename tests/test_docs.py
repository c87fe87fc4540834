"""The README and the pages of docs/ are true: their examples give what they show, their tables are the code's.

A block marked ``console`` is a session: lines that begin with ``$ `` are run, one after another in one folder a
page, and what follows is what they print; a line ``…`` there matches any lines. A block marked ``python`` is a
doctest.
"""

import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import structs

from batch.archives import command_of, working_here
from handmade import DIALECTS
from logs import lines, logs
from looped import looped
from mjconv import FORMATS, PlayError, UnsupportedError, schemas
from mjconv.command.start import main
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.converters.mjai import aliases
from mjconv.ir.events import KEYS, KINDS, Daiminkan, Discard, Dora, Draw, Kakan, StartRound
from mjconv.ir.losses import Report
from mjconv.ir.match import BESIDE, Match, Round
from mjconv.version import VERSION
from trips import known, read

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
#: The page that shows one round of the sample in several notations.
ONE_ROUND = ROOT / "docs" / "one-round.md"
#: What the examples read; they write in a folder of their own.
SHOWN = ("corpus", "schemas")

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
#: A command without anything that only a shell understands.
ALONE = re.compile(r"mjconv [^|&;<>$`*?~\\{}]*")

LANGUAGES = {
    *("sh", "powershell", "console", "python", "javascript", "typescript"),
    *("json", "jmjp", "text", "toml", "yaml"),
}
#: The page whose code is a whole module: the tests of conformance import, run and install it.
WHOLE_MODULE = ROOT / "docs" / "adding-a-format.md"
#: The page whose code are programs: its other examples run them.
PROGRAMS = ROOT / "docs" / "review-with-ai.md"

pages = looped("page", *PAGES)


class Command(NamedTuple):
    words: str
    output: str


def blocks(page: Path, language: str) -> list[str]:
    return [text for word, text in BLOCK.findall(page.read_text("utf-8")) if word == language]


def table(page: Path, heading: str) -> list[list[str]]:
    """Give the cells of the table under a heading of its own columns, given as ``A | B``."""
    lines = page.read_text("utf-8").splitlines()
    begin = lines.index(f"| {heading} |") + 2
    rows = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def quoted(cell: str) -> list[str]:
    return re.compile(r"`([^`]+)`").findall(cell)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty folder to work in, with what the examples read beside them."""
    for name in SHOWN:
        (tmp_path / name).symlink_to(ROOT / name, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Examples.


@pages
def test_every_block_names_its_language(page: Path) -> None:
    assert {word for word, _ in BLOCK.findall(page.read_text("utf-8"))} <= LANGUAGES
    assert page.read_text("utf-8").count("```") == 2 * len(BLOCK.findall(page.read_text("utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_give_what_is_shown(page: Path, folder: Path) -> None:
    """The commands of a page run first, then its Python in the same folder: it may read what they wrote."""
    if page == PROGRAMS:
        for name, language in (("bot.py", "python"), ("bot.js", "javascript")):
            (folder / name).write_text(blocks(page, language)[0])
    commands = [command for session in blocks(page, "console") for command in in_session(session)]
    for command, printed in zip(commands, run(commands, folder), strict=True):
        assert matches(command.output, printed), f"$ {command.words}\n{printed}"
    parser = doctest.DocTestParser()
    # The extra `test` leaves out torch, which is large.
    left_out = () if find_spec("torch") else ("import torch",)
    shown = [block for block in blocks(page, "python") if not any(each in block for each in left_out)]
    examples = [example for block in shown for example in parser.get_examples(block)]
    if examples:
        runner = doctest.DocTestRunner()
        assert runner.run(doctest.DocTest(examples, {}, page.name, str(page), 0, None)).failed == 0


def in_session(session: str) -> list[Command]:
    _, *entries = re.split(r"^\$ ", session, flags=re.MULTILINE)
    return [Command(*entry.split("\n", 1)) for entry in entries]


def run(commands: Iterable[Command], folder: Path) -> list[str]:
    """Run commands one by one, where ``$?`` is the status of the one before.

    Gives what each prints, in the order in which a terminal shows it. What needs no shell runs in this process.
    """
    status, printed = 0, []
    for words, _ in commands:
        status, text = here(words) if ALONE.fullmatch(words) else in_shell(words, folder, status)
        printed.append(text)
    return printed


def here(words: str) -> tuple[int, str]:
    shown = io.BytesIO()
    # A stream that is dropped closes what it writes to.
    streams = {name: io.TextIOWrapper(shown, "utf-8", write_through=True) for name in ("stdout", "stderr")}
    argv = shlex.split(words)
    # The workers of a review are others than those of a batch.
    workers = nullcontext() if argv[1] == "review" else working_here()
    with pytest.MonkeyPatch.context() as patch, workers:
        patch.setattr(sys, "argv", argv)
        patch.setattr("typer.main.get_command", command_of)
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        with pytest.raises(SystemExit) as left:
            main()
    return int(left.value.code or 0), shown.getvalue().decode()


def in_shell(words: str, folder: Path, status: int) -> tuple[int, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # A terminal shows each line of both streams when it is printed.
    environment = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"}
    command, pipe = ["sh", "-c", f"(exit {status})\n{words}"], subprocess.PIPE
    done = subprocess.run(command, cwd=folder, env=environment, stdout=pipe, stderr=subprocess.STDOUT, timeout=300)
    return done.returncode, done.stdout.decode()


def matches(shown: str, printed: str) -> bool:
    parts = (re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE))
    return re.fullmatch("(?:.*\n)*".join(parts), printed) is not None


def test_a_session_is_read_as_people_read_it(folder: Path) -> None:
    commands = in_session("$ echo a; echo b; echo c\na\n…\nc\n$ (exit 3)\n$ echo $?\n3\n")
    assert [command.words for command in commands] == ["echo a; echo b; echo c", "(exit 3)", "echo $?"]
    assert all(map(matches, [command.output for command in commands], run(commands, folder)))
    assert not matches("a\n…\nd\n", "a\nb\nc\n")


@pages
def test_every_python_block_is_an_example(page: Path) -> None:
    programs = 1 if page in (WHOLE_MODULE, PROGRAMS) else 0
    assert page == WHOLE_MODULE or all(block.startswith(">>> ") for block in blocks(page, "python")[programs:])


@pages
def test_json_is_json_and_messages_are_mjai(page: Path) -> None:
    check = schemas.validator("accepted/message")
    for block in blocks(page, "json"):
        values = json_values(block)
        assert values
        for value in values:
            if "type" in value:
                assert [error.message for error in check.iter_errors(value)] == []


def json_values(text: str) -> list[dict[str, object]]:
    """Read one value laid out over many lines, or one a line."""
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


# The sample, the two commands, links.


def test_the_rounds_shown_are_the_samples() -> None:
    samples = {name: (ROOT / "corpus/sample" / name).read_text("utf-8") for name in ("game.mjson", "game.jmjp")}
    assert all(block in samples["game.mjson"] for block in blocks(ONE_ROUND, "json"))
    assert all(block in samples["game.jmjp"] for page in PAGES for block in blocks(page, "jmjp"))
    uzje = (ROOT / "corpus/uzje/riichi.uzje").read_text("ascii")
    assert all(block in uzje for block in blocks(ONE_ROUND, "text"))


def test_the_rounds_shown_are_one() -> None:
    """The block of each notation is the third round. Its note may leave out values."""
    [mjai], [jmjp], [uzje] = (blocks(ONE_ROUND, language) for language in ("json", "jmjp", "text"))
    wanted = read((ROOT / "corpus/sample/game.mjson").read_bytes(), "mjai").match.rounds[2]
    assert read(mjai.encode(), "mjai").match.rounds == [wanted]
    begin = (ROOT / "corpus/sample/game.jmjp").read_text("utf-8").partition("frm[")[0]
    assert read(f"{begin}{jmjp})".encode(), "jmjp").match.rounds == [wanted]
    [played] = read(uzje.encode(), "uzje").match.rounds
    assert played.select(Draw, Discard) == wanted.select(Draw, Discard)
    assert known(played.start).tehais == known(wanted.start).tehais


def two_commands() -> tuple[str, str]:
    _, first, second = (block.strip() for block in blocks(README, "sh"))
    return first, second


def test_the_three_lines_convert_and_show_a_game(folder: Path) -> None:
    """The first line installs mjconv from a package index; tests/installation does so from a folder of wheels."""
    install, *lines = blocks(README, "sh")[0].splitlines()
    assert install == "pip install mjconv"
    (folder / "game.mjlog").write_bytes((ROOT / "corpus/tenhou/hex.mjlog").read_bytes())
    run([Command(line, "") for line in lines], folder)
    assert (folder / "game.html").read_text("utf-8").startswith("<!doctype html>")


def test_the_first_command_converts_the_sample(folder: Path) -> None:
    assert two_commands()[0].startswith("python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/mjconv ")
    run([Command(two_commands()[0].rpartition(".venv/bin/")[2], "")], folder)
    assert (folder / "game.jmjp").read_bytes() == (ROOT / "corpus/sample/game.jmjp").read_bytes()


def test_both_commands_are_what_is_run_on_every_change() -> None:
    """In `.ci/run` pip may be quiet, and a command of several parts is several lines."""
    checks = (ROOT / ".ci/run").read_text("utf-8").replace(" --quiet", "")
    for command in two_commands():
        parts = [checks.find(f"\n{part}") for part in command.removesuffix(" -o game.jmjp").split(" && ")]
        assert parts == sorted(parts)
        assert -1 not in parts


def test_the_first_command_of_the_readme_is_on_the_pages_that_install() -> None:
    shown = {page.name: blocks(page, "sh") for page in PAGES if blocks(page, "sh")}
    assert sorted(shown) == ["CONTRIBUTING.md", "README.md", "first-conversion.md", "ja.md", "zh.md"]
    assert shown["first-conversion.md"] == shown["ja.md"] == shown["zh.md"] == shown["README.md"][1:2]
    [windows] = blocks(README, "powershell")
    for page in ("first-conversion.md", "ja.md", "zh.md"):
        assert blocks(ROOT / "docs" / page, "powershell")[0] == windows.splitlines(keepends=True)[0]


def test_pages_for_beginners_have_a_line_of_powershell_for_each_command_of_unix() -> None:
    """No PowerShell was there to run the lines. A test reads files as they write them: with a mark and CR LF."""
    guides = ("first-conversion", "score-an-evening", "type-a-paifu", "train-on-an-archive", "ja", "zh")
    for page in (README, *(ROOT / f"docs/{name}.md" for name in guides)):
        commands = [command.words for session in blocks(page, "console") for command in in_session(session)]
        unix = [words for words in commands if not ALONE.fullmatch(words)]
        lines = [] if page == README or not unix else blocks(page, "powershell")[-1].splitlines()
        assert len(lines) == len(unix), page


@pages
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(BLOCK.sub("", page.read_text("utf-8"))):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def anchors(page: Path) -> set[str]:
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(page.read_text("utf-8")))
    return {heading.replace(" ", "-") for heading in kept}


def test_every_page_is_linked_from_the_readme() -> None:
    linked = {link.partition("#")[0] for link in LINK.findall((README).read_text("utf-8"))}
    assert {page.relative_to(ROOT).as_posix() for page in PAGES} - {"README.md"} <= linked


# Tables.


def table_of_formats() -> str:
    heading = ("Format", "Files", "Read", "Write", "Notes", "Players", "Whose")
    rows = [heading, ("---",) * len(heading), *map(row_of, FORMATS)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def row_of(form: Format) -> tuple[str, ...]:
    return (
        f"[`{form.id}`](docs/{form.id}.md)",
        " ".join(f"`{extension}`" for extension in form.files.extensions),
        "yes" if form.reads else "no",
        "yes" if form.writes else "unchanged" if form.original == "only" else "no",
        "yes" if form.notes else "no",
        ", ".join(map(str, form.holds.seats)),
        form.owner,
    )


def test_the_table_of_formats_is_that_of_the_code() -> None:
    """If it is not, copy the text that this test shows into the README."""
    assert table_of_formats() in README.read_text("utf-8"), table_of_formats()
    assert f" between {len(FORMATS)} formats, " in README.read_text("utf-8")


#: The extras for those who change mjconv. The README has all others.
OF_DEVELOPERS = {"test", "browser", "test-fleet", "docs", "fuzz", "dev"}


def test_the_readme_has_the_extras() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    shown = [name for row in table(README, "Extra | What it adds") for name in quoted(row[0])]
    assert sorted(shown) == sorted(extras.keys() - OF_DEVELOPERS)
    joined = {*shown} - {"all", "dask", "mcr", "ray", "torch"}
    assert extras["all"] == [f"mjconv[{','.join(sorted(joined))}]"]


def test_the_readme_fits_on_a_few_screens() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 150


def test_each_format_and_flavour_is_named_on_its_page() -> None:
    for form in FORMATS:
        text = (ROOT / f"docs/{form.id}.md").read_text("utf-8")
        assert [name for name in (form.id, *form.flavours) if name not in text] == []


def test_the_events_are_the_hubs() -> None:
    rows = table(ROOT / "docs/ir.md", "Message | Class")
    shown = dict(pair for names, kinds in rows for pair in zip(quoted(names), quoted(kinds), strict=True))
    assert shown == {name: kind.__name__ for name, kind in KINDS.items()}


@looped(("heading", "kind"), ("Field of `Match` | What", Match), ("Field of `Round` | What", Round))
def test_the_fields_are_the_hubs(heading: str, kind: type[Match | Round]) -> None:
    shown = [field for row in table(ROOT / "docs/ir.md", heading) for field in quoted(row[0])]
    assert sorted(shown) == sorted(kind.__struct_fields__)


def test_the_aliases_are_those_that_are_folded() -> None:
    """A row without messages is about the type of a message, any other about a key of its messages."""
    types: dict[str, str] = {}
    keys: dict[str, dict[str, str]] = {}
    for row in table(ROOT / "docs/mjai.md", "Message | Alias | Standard"):
        messages, [alias], [standard] = map(quoted, row)
        for folded in [keys.setdefault(message, {}) for message in messages] or [types]:
            folded[alias] = standard
    assert (types, keys) == (aliases.TYPES, aliases.KEYS)


# Losses.

#: The page with the matrix of all formats that are written.
MATRIX = ROOT / "docs" / "notes-and-losses.md"
#: The formats of the matrix: those that write matches.
WRITTEN = tuple(form for form in FORMATS if form.writes)


def is_shown(form: Format, name: str) -> bool:
    """Return whether the plain text of a format shows an event, a key of it, or a field of a match or round."""
    kind, _, key = name.partition(".")
    keys = form.shows.get(kind, frozenset())
    return kind in form.shows and (not key or keys is None or key in keys)


def matrix() -> str:
    """Return the table of the page: a row for the names of events, rounds and matches that formats treat alike."""
    fields = {kind.__name__.lower(): kind.__struct_fields__ for kind in (Match, Round)}
    own = {"match": {"rounds", "opening", "closing", *BESIDE}, "round": {"events", "assumed"}}
    alike: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for kind, keys in {**fields, **KEYS}.items():
        for name in (f"{kind}.{key}" for key in keys if key not in own.get(kind, ())) if keys else (kind,):
            cells = tuple("yes" if is_shown(form, name) else "note" if form.notes else "no" for form in WRITTEN)
            alike.setdefault(cells, {}).setdefault(kind, []).append(name.removeprefix(kind).removeprefix("."))
    rows = [["In the hub", *(f"`{form.id}`" for form in WRITTEN)], ["---"] * (1 + len(WRITTEN))]
    for cells, kinds in alike.items():
        shown = (kind if names == [""] else f"{kind}: {' '.join(names)}" for kind, names in kinds.items())
        rows.append(["; ".join(shown), *cells])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def test_the_matrix_is_what_the_formats_declare() -> None:
    """If it is not, copy the text that this test shows into the page."""
    assert matrix() in MATRIX.read_text("utf-8"), matrix()


#: The page of each format, and the heading of its table of losses that the matrix does not hold.
LOSSES = {form.id: (ROOT / f"docs/{form.id}.md", "Loss | What") for form in WRITTEN}
#: The heading of the table of losses that only the hiding of tiles causes, in any format.
HIDING = "Loss of `--lossy` | What"
#: What no field of the hub is, and the notes of a format have a word for.
OWN_WORDS = {
    "jmjp": {"match.seats", "round.dealer", "round.dora"},
    "tenhou": {"match.copies", "match.lobby", "round.dora"},
}
EVERY_OWN_WORD = set().union(*OWN_WORDS.values())


def documented(target: str) -> set[str]:
    return {name for row in table(*LOSSES[target]) for name in quoted(row[0])}


def of_hiding() -> set[str]:
    return {name for row in table(MATRIX, HIDING) for name in quoted(row[0])}


@cache
def sources() -> list[tuple[str, Match]]:
    """Give the matches of the corpus, and of some games, each with its format."""
    paths = [path for path in sorted((ROOT / "corpus").rglob("*")) if {"broken", "crashes"}.isdisjoint(path.parts)]
    files = [
        (form.id, path.read_bytes())
        for path in paths
        if formats.by_extension(path.name) and (form := formats.of_file(path.name, path.read_bytes()))
    ]
    games = [log.data for log in (*logs(4)[::12], *logs(3)[:2])] + [lines(log) for log in DIALECTS.values()]
    files += [("mjai", data) for data in games]
    return [(form, match) for form, data in files for match in read(data, form).matches]


def a_differing_match() -> Match:
    """Give a game with seats counted from another, dora turned after the discard, a last dealer out of turn."""
    match = next(match for match in (read(log.data, "mjai").match for log in logs(4)) if has_late_dora(match))
    for game_round in match.rounds[:-1]:
        start = game_round.events[0]
        assert isinstance(start, StartRound)
        game_round.events[0] = structs.replace(start, kyoku=int(start.kyoku or 0) % 4 + 1)
        for place, (dora, discard) in enumerate(pairwise(game_round.events)):
            if isinstance(dora, Dora) and isinstance(discard, Discard):
                game_round.events[place : place + 2] = [discard, dora]
    return match


def has_late_dora(match: Match) -> bool:
    """Say whether a dora is turned for an open kan, right before a discard, in any but the last round."""
    return any(
        kinds[0] in (Kakan, Daiminkan) and kinds[-2:] == [Dora, Discard]
        for game_round in match.rounds[:-1]
        for place in range(len(game_round.events))
        for kinds in [[type(event) for event in game_round.events[place : place + 4]]]
    )


@cache
def given(target: str, *, lossy: bool = False) -> set[tuple[str, str]]:
    """Give the names and fates of all losses on the way to a format, in every flavour, with notes and without."""
    names: set[tuple[str, str]] = set()
    for source, match in sources():
        if source != target:
            for plain in (False, True):
                names |= lost(match, target, plain=plain, lossy=lossy)
    # Without notes other seats are other players, and their values differ key by key.
    return names | lost(a_differing_match(), target, plain=False, lossy=False)


def beyond(target: str, *, lossy: bool = False) -> set[str]:
    """Give the losses that the matrix does not hold: those of shown values, and assumed values that are not shown.

    Keys that mjai does not define have names of their own.
    """
    form, _ = formats.find(target)
    return {
        name
        for name, fate in given(target, lossy=lossy)
        if not is_of_a_foreign_key(name) and is_shown(form, name) == (fate != "assumed")
    }


def lost(match: Match, target: str, *, plain: bool, lossy: bool) -> set[tuple[str, str]]:
    form, _ = formats.find(target)
    report = Report()
    for flavour in ("", *form.flavours):
        # What a format refuses it does not lose.
        with suppress(UnsupportedError, PlayError):
            hub.written(form, [match], report, WriteOptions(flavour, plain=plain, lossy=lossy))
    return {(loss.what, loss.fate) for loss in report.losses}


def test_losses_have_names_that_can_be() -> None:
    for target in LOSSES:
        kinds = {**KEYS, **{kind.__name__.lower(): kind.__struct_fields__ for kind in (Match, Round)}}
        possible = {*KEYS, *(f"{name}.{key}" for name, keys in kinds.items() for key in keys)}
        own = OWN_WORDS.get(target, set())
        assert documented(target) & EVERY_OWN_WORD == own
        assert documented(target) <= possible | own


@pytest.mark.parametrize("target", LOSSES)
def test_every_loss_is_documented(target: str) -> None:
    """A value that is not shown in the matrix is lost, and a shown one may be assumed; the page has the others."""
    assert given(target)
    assert beyond(target) - {"match.original"} <= documented(target)
    assert beyond(target, lossy=True) - {"match.original"} <= documented(target) | of_hiding()
    assert documented(target) & EVERY_OWN_WORD <= {name for name, _ in given(target)}


def test_the_losses_of_hiding_are_those_that_only_hiding_causes() -> None:
    only = {(target, name) for target in LOSSES for name in beyond(target, lossy=True) - beyond(target)}
    assert {name for target, name in only if name not in documented(target)} <= of_hiding()
    of_tiles = ("pai", "consumed", "tehais")
    tiles = {f"{kind}.{key}" for kind, keys in KEYS.items() for key in keys if key in of_tiles}
    assert of_hiding() <= tiles | {"nukidora", "tsumo"}


def is_of_a_foreign_key(loss: str) -> bool:
    kind, _, key = loss.partition(".")
    return bool(key) and kind in KEYS and key not in KEYS[kind]


# Sources.


def test_the_page_of_each_format_ends_with_its_sources() -> None:
    for form in FORMATS:
        text = (ROOT / f"docs/{form.id}.md").read_text("utf-8")
        assert HEADING.findall(text)[-1] == "Sources", form.id
        sources = text.rpartition("## Sources")[2]
        assert "https://" in sources, form.id
        assert "licen" in sources.lower() or "MIT" in sources, form.id


# Releases.


def test_nothing_is_fixed_before_the_first_release() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    releases = re.findall(r"^## \[(\d.*?)\]", text, re.MULTILINE)
    assert releases or "### Fixed" not in text


def test_the_citation_is_of_this_version() -> None:
    stated = dict(re.findall(r"^(\w[\w-]*): *(.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE))
    assert stated["version"] == VERSION
    assert stated["license"] in (ROOT / "pyproject.toml").read_text("utf-8")
    assert stated["title"] == "mjconv"
