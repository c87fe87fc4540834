"""Inputs that are made to hurt. Each is read in its own process, whose time and memory are measured."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Final

from mjconv.ir.limits import Limits

#: The limits for refusing an input, in seconds of processor time and in bytes.
MOST_SECONDS: Final = 2.0
MOST_MEMORY: Final = 300 * 10**6
#: After so many seconds of processor time the system ends the process.
_PATIENCE: Final = 60
_ROOT: Final = Path(__file__).parents[1]

_MB: Final = 10**6
#: The decompressed size of one gzip member, in bytes.
_MEMBER: Final = 20 * _MB
_DIGITS: Final = b"7" * 10**6
_DEEP: Final = 10**6
_PLAYERS: Final = b"".join(b"ply[%d,,,,]" % player for player in range(4))
_JMJP: Final = b"jmjp[1.0]\n(mtp[,,,]%s\n%s)\n"
_DEAL: Final = b'{"type":"start_kyoku","oya":0,"dora_marker":"1m","tehais":[%s]%s}\n'
_RECORD: Final = b'{"rounds":[[{"name":"NewRound","data":{"x":%s}}]]}'
_WRAPPED: Final = b"\x0a\x15.lq.GameDetailRecords\x12"
_HANDS: Final = b",".join([b"[" + b",".join([b'"?"'] * 13) + b"]"] * 4)


@dataclass(frozen=True)
class Bomb:
    """An input that is made to hurt: its name, the name of its file, and a function that writes the file."""

    name: str
    file: str
    write: Callable[[Path], object]

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that read it. `score` takes notes for comments, and only the library reads archives."""
        if self.file.endswith(".zip"):
            return ("library",)
        scored = ".hk" in self.file and "note" not in self.file
        return ("library", "info", "validate", *(["score"] if scored else []))


def _of(name: str, file: str, data: Callable[[], bytes]) -> Bomb:
    return Bomb(name, file, lambda path: path.write_bytes(data()))


def _gzip(path: Path, piece: bytes, megabytes: int) -> None:
    """Write a gzip file of so many megabytes that repeats one piece, as many equal members."""
    member = gzip.compress(piece * (_MEMBER // len(piece)), 9, mtime=0)
    path.write_bytes(member * (megabytes * _MB // _MEMBER))


def _zip(path: Path, megabytes: int) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("game.mjson", "w") as member:
        for _ in range(megabytes):
            member.write(b'{"type":"none"}\n' * (_MB // 16))


def _crowd(path: Path) -> None:
    """Write an archive whose directory states more members than the limit, many of them equal."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x", b"")
    data = path.read_bytes()
    begin, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    count = Limits().archive_members + 1
    entries = data[begin:end] * (_MB // 2)
    far = Struct("<4sQHHIIQQQQ").pack(b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(entries), begin)
    locator = Struct("<4sIQI").pack(b"PK\x06\x07", 0, begin + len(entries), 1)
    last = Struct("<4sHHHHIIH").pack(b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    path.write_bytes(data[:begin] + entries + far + locator + last)


def _gzip_in_gzip(path: Path) -> None:
    _gzip(path, b"\0", 1000)
    path.write_bytes(gzip.compress(path.read_bytes()))


def _deal(more: bytes = b"") -> bytes:
    return _DEAL % (_HANDS, more)


def _jmjp_note(note: bytes) -> bytes:
    return _JMJP % (b"//@mjconv " + note + b"\n" + _PLAYERS, b"")


def _frame(inside: bytes) -> bytes:
    return _JMJP % (_PLAYERS, b"frm[" + inside + b"]")


def _record(value: bytes) -> bytes:
    return _RECORD % value


def _deep_objects(opening: bytes, closing: bytes) -> bytes:
    return opening * _DEEP + b"1" + closing * _DEEP


BOMBS: Final = (
    Bomb("gzip of zeros", "zeros.mjson.gz", lambda path: _gzip(path, b"\0", 2000)),
    Bomb("gzip of messages", "lines.mjson.gz", lambda path: _gzip(path, b'{"type":"none"}\n', 2000)),
    Bomb("gzip of comments", "lines.hk.gz", lambda path: _gzip(path, b"#\n", 2000)),
    Bomb("gzip in gzip", "twice.mjson.gz", _gzip_in_gzip),
    Bomb("zip of messages", "lines.zip", lambda path: _zip(path, 300)),
    Bomb("zip of a crowd", "crowd.zip", _crowd),
    _of("mjai: arrays", "arrays.mjson", lambda: b"[" * _DEEP),
    _of("mjai: arrays, closed", "closed.mjson", lambda: _deep_objects(b"[", b"]")),
    _of("mjai: objects", "objects.mjson", lambda: _deep_objects(b'{"type":', b"}")),
    _of("mjai: a key of arrays", "key.mjson", lambda: _deal(b',"x":' + _deep_objects(b"[", b"]"))),
    _of("mjai: a note of arrays", "note.mjson", lambda: _deal(b',"mjconv":' + _deep_objects(b"[", b"]"))),
    _of("jmjp: brackets", "brackets.jmjp", lambda: b"jmjp[1.0]" + b"(" * _DEEP),
    _of("jmjp: hands in hands", "hands.jmjp", lambda: _JMJP % (_PLAYERS, b"frm[E1-0,,,,," + b"(e,hnd[" * _DEEP)),
    _of("jmjp: a note of arrays", "note.jmjp", lambda: _jmjp_note(b"[" * _DEEP)),
    _of("uzje: brackets", "brackets.uzje", lambda: b"E 1 0 4 " + b"(" * _DEEP),
    _of("uzje: a note of objects", "note.uzje", lambda: b"E 1 0 4\n\nmjconv: " + b'{"a":' * _DEEP),
    _of("hk: a note of arrays", "note.hk", lambda: b"A B C D\n- - - -\n#@mjconv " + b"[" * _DEEP),
    _of("mjai: digits", "digits.mjson", lambda: _DEAL.replace(b":0,", b":" + _DIGITS + b",", 1) % (_HANDS, b"")),
    _of("mjai: digits of a key", "digits-key.mjson", lambda: _deal(b',"x":' + _DIGITS)),
    _of("mjai: digits in an array", "digits-array.json", lambda: b'[{"type":"none","x":' + _DIGITS + b"}]"),
    _of("mjai: digits of a note", "digits-note.mjson", lambda: _deal(b',"mjconv":{"match":' + _DIGITS + b"}")),
    _of("jmjp: digits of a version", "digits-version.jmjp", lambda: b"jmjp[1." + _DIGITS + b"]"),
    _of("jmjp: digits of a honba", "digits-honba.jmjp", lambda: _frame(b"E1-" + _DIGITS + b",,,,,,,")),
    _of("jmjp: digits of points", "digits-points.jmjp", lambda: _frame(b"E1-0," + _DIGITS + b".0,,,,,,")),
    _of("jmjp: digits of a note", "digits-note.jmjp", lambda: _jmjp_note(b'{"match":{"v":' + _DIGITS + b"}}")),
    _of("uzje: digits of a header", "digits-header.uzje", lambda: b"E " + _DIGITS + b" 0 4"),
    _of("uzje: digits of a turn", "digits-turn.uzje", lambda: b"E 1 0 4\n1t\n" + _DIGITS + b".1 1.?"),
    _of("uzje: digits of a note", "digits-note.uzje", lambda: b'E 1 0 4\n\nmjconv: {"match":' + _DIGITS + b"}"),
    _of("hk: digits of faan", "digits-faan.hk", lambda: b"A B C D\n" + _DIGITS + b" - - -\n"),
    _of("hk: digits of a base", "digits-base.hk", lambda: b"B=" + _DIGITS + b"\n"),
    _of("hk: digits of a maximum", "digits-maximum.hk", lambda: b"M=" + _DIGITS + b"\n"),
    _of(
        "hk: digits of a note", "digits-note.hk",
        lambda: b'A B C D\n- - - -\n#@mjconv {"round":{"scale":' + _DIGITS + b"}}\n",
    ),
    _of("mjai: a line", "line.mjson", lambda: b'{"type":"none","x":"' + b"x" * (50 * _MB) + b'"}\n'),
    _of("jmjp: a line", "line.jmjp", lambda: b"jmjp[1.0](mtp[" + b"," * (50 * _MB)),
    _of("jmjp: a comment", "comment.jmjp", lambda: b"jmjp[1.0]//" + b"x" * (50 * _MB)),
    _of("uzje: a line", "line.uzje", lambda: b"E 1 0 4 " + b"1t " * (17 * _MB)),
    _of("hk: a line", "line.hk", lambda: b"A B C D\n# " + b"x" * (50 * _MB)),
    _of("hk: names in a line", "names.hk", lambda: b"A " * (25 * _MB)),
    _of("majsoul: arrays", "arrays-of-records.json", lambda: _record(_deep_objects(b"[", b"]"))),
    _of("majsoul: digits", "digits-of-a-record.json", lambda: _record(_DIGITS)),
    _of("majsoul: a line", "line-of-inputs.json", lambda: _record(b"[" + b"0," * (25 * _MB) + b"0]")),
    _of(
        "majsoul: records", "inputs.bin",
        lambda: _WRAPPED + b"\x80\xe1\xeb\x17" + b"\x1a\x02\x10\x02" * (25 * _MB // 2),
    ),
    _of("no format: a line", "line", lambda: b"x" * (50 * _MB)),
)  # fmt: skip

#: A program that reads with the library.
_READS: Final = """
import sys, mjconv
try:
    for match in mjconv.iter_matches(sys.argv[1]):
        pass
except mjconv.MjconvError as error:
    sys.exit(str(error))
"""
_COMMANDS: Final = {
    "library": [sys.executable, "-W", "ignore", "-c", _READS],
    "info": [sys.executable, "-m", "mjconv", "info", "--quiet"],
    "validate": [sys.executable, "-m", "mjconv", "validate"],
    "score": [sys.executable, "-m", "mjconv", "score"],
}
#: The exit status of bad input, and of input that no format recognises.
_REFUSALS: Final = (1, 2)


@dataclass(frozen=True)
class Outcome:
    """The result of a command on an input: exit status, output, seconds of processor time, peak bytes."""

    status: int
    output: str
    seconds: float
    memory: int

    @property
    def refused(self) -> bool:
        """Whether mjconv refused the input with a message and did not crash."""
        return self.status in _REFUSALS and bool(self.output) and "Traceback" not in self.output

    @property
    def harmless(self) -> bool:
        """Whether mjconv refused the input within the limits of time and memory."""
        return self.refused and self.seconds <= MOST_SECONDS and self.memory <= MOST_MEMORY


def set_off(path: Path, command: str) -> Outcome:
    """Read a file in its own process."""
    with NamedTemporaryFile() as measured:
        bounds = (measured.name, str(_PATIENCE), str(4 * MOST_MEMORY))
        done = subprocess.run(
            [sys.executable, "-m", "fuzz.measured", *bounds, *_COMMANDS[command], str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            cwd=_ROOT,
        )
        status, seconds, memory = json.load(measured)
    return Outcome(status, done.stdout.decode("utf-8", "replace").strip(), seconds, memory)


def run() -> bool:
    """Read all inputs and print a line for each. Returns whether all were harmless."""
    harmless = True
    print(f"{'bomb':<28}{'read by':<10}{'MB':>6}{'seconds':>9}{'peak MB':>9}  refusal")
    with TemporaryDirectory() as folder:
        for bomb in BOMBS:
            path = Path(folder, bomb.file)
            bomb.write(path)
            for command in bomb.commands:
                outcome = set_off(path, command)
                harmless &= outcome.harmless
                size, peak = path.stat().st_size / _MB, outcome.memory / _MB
                message = _message(outcome, path)
                print(f"{bomb.name:<28}{command:<10}{size:>6.1f}{outcome.seconds:>9.2f}{peak:>9.0f}  {message}")
            path.unlink()
    return harmless


def _message(outcome: Outcome, path: Path) -> str:
    """Return the message of the refusal, and a mark if there is none or it took too much."""
    last = next((line for line in outcome.output.splitlines() if path.name in line), outcome.output[-80:])
    message = last.replace(str(path), path.name).removeprefix("mjconv: error: ")[:90]
    if outcome.harmless:
        return message
    return f"{message}  <-- {'slow or large' if outcome.refused else 'not refused'}"
