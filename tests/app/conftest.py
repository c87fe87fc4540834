"""Share between the tests of `app`: the command in this process, and a small notation for tests."""

import io
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
import typer.main
from given import Outcome, Run

from mjconv.command.start import main
from mjconv.converters import formats
from mjconv.converters.interface import Files, Format, Holds, Part, Reading, Remark, Rendered, WriteOptions
from mjconv.ir.errors import InputError, Place, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Player, Text

#: Typer builds all commands anew at each run, which takes longer than most runs.
command_of = cache(typer.main.get_command)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    def run_command(*words: str | Path, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr("typer.main.get_command", command_of)
        monkeypatch.setattr(sys, "argv", ["mjconv", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsysbinary.readouterr()
        return Outcome(int(left.value.code or 0), out, err.decode())

    return run_command


@pytest.fixture(autouse=True)
def _in_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Tally:
    """A notation of the tests: a first line ``tally``, then a line a match, its first player's name.

    The names ``lossy``, ``odd`` and ``unwritable`` make the writer lose, the reader warn, and the writer refuse.
    """

    FORMAT = Format(
        "tally",
        "a name a match",
        files=Files({".tally": "", ".tal": "tally-loud"}),
        flavours={"tally-loud": "in capitals"},
        aliases=("count",),
        holds=Holds(tiles="all", seats=(1, 3, 4)),
    )

    @staticmethod
    def recognise(head: bytes) -> bool:
        return head.startswith(b"tally\n")

    @staticmethod
    def read(data: bytes, report: Report) -> Iterator[Reading]:
        first, *lines = data.decode().splitlines()
        if first != "tally":
            raise InputError("expected 'tally'", Place(1, 1, first))
        for number, line in enumerate(lines):
            if line.startswith("!"):
                raise InputError("a name does not begin with '!'", Place(number + 2, 1, line))
            if line == "odd":
                report.warn("an odd name", match=number, line=number + 2)
            if line == "guessed":
                report.lose("player.name", "assumed", match=number)
            place = Place(number + 2, 1, line)
            yield Reading(Match([Player(Name(Text(native=line)))]), lambda *_, place=place: place)

    @staticmethod
    def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG004
        name = str(match.players[0].name.last.native)  # type: ignore[union-attr]
        if name == "unwritable":
            raise UnsupportedError("tally has no way to write this name")
        remarks = (
            (Remark("player.team", None, "dropped", "a team has no place"), Remark("round.dice", 3))
            if name == "lossy"
            else ()
        )
        text = "" if before else "tally\n"
        if not options.plain:
            text += f"{name.upper() if options.flavour == 'tally-loud' else name}\n"
        rounds = [Part(b"") for _ in match.rounds]
        return Rendered([Part(text.encode(), remarks=remarks), *rounds, Part(b"")], lambda: match, after="begun")


@pytest.fixture(autouse=True)
def tally(monkeypatch: pytest.MonkeyPatch) -> Format:
    """Put the notation of the tests in the table as any format is: a line, and three modules."""
    for module, name in (("reader", "read"), ("writer", "render"), ("detect", "recognise")):
        made = ModuleType(f"mjconv.converters.tally.{module}")
        setattr(made, name, getattr(Tally, name))
        monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.setitem(sys.modules, "mjconv.converters.tally", ModuleType("mjconv.converters.tally"))
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, Tally.FORMAT))
    return Tally.FORMAT
