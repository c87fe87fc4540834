"""Temporary files of outputs: who may read them, and that no signal leaves one."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mjconv.files import writing

SAMPLE = Path(__file__).parents[2] / "corpus" / "sample" / "game.mjson"

#: The command, whose writer stops after its first piece.
STOPPING = """
import sys, time
import mjconv.command.convert as convert
def pieces(*_):
    yield b"first"
    print("writing", flush=True)
    time.sleep(3600)
convert.transcribed = pieces
from mjconv.command.start import main
main()
"""
#: The command, which gets the signal of Ctrl-C while it loads typer.
LOADING = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
from mjconv.command.start import main
main()
"""


def own_mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_no_temporary_file(number: signal.Signals, tmp_path: Path) -> None:
    output = tmp_path / "out.jmjp"
    output.write_bytes(b"before")
    output.chmod(0o600)
    command = [sys.executable, "-P", "-c", STOPPING, str(SAMPLE), "-o", str(output)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell without a terminal starts processes that ignore some signals.
        preexec_fn=lambda: [signal.signal(each, signal.SIG_DFL) for each in (signal.SIGHUP, signal.SIGINT)],
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    [temporary] = [path for path in tmp_path.iterdir() if path != output]
    assert own_mode(temporary) == 0o600
    process.send_signal(number)
    _, printed = process.communicate(timeout=300)
    assert (process.returncode, printed) == (130, "mjconv: interrupted\n")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"before"]


def test_a_process_that_ignores_sighup_still_ignores_it() -> None:
    program = (
        "import signal, sys\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from mjconv.command.start import main\n"
        "try: main()\n"
        "except SystemExit: print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program, "--version"], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "True"


def test_ctrl_c_while_modules_load_is_one_line() -> None:
    done = subprocess.run([sys.executable, "-P", "-c", LOADING, "formats"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "mjconv: interrupted\n")


@pytest.mark.usefixtures("open_umask")
@pytest.mark.parametrize(("before", "after"), [(0o600, 0o600), (0o664, 0o664), (0o4755, 0o755), (0o2660, 0o660)])
def test_an_output_keeps_its_permissions_but_runs_as_nobody_else(before: int, after: int, tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")
    path.chmod(before)
    writing.write_bytes(str(path), b"after")
    assert (path.read_bytes(), own_mode(path)) == (b"after", after)


@pytest.mark.usefixtures("open_umask")
def test_a_new_output_has_the_usual_permissions(tmp_path: Path) -> None:
    writing.write_bytes(str(tmp_path / "out"), b"new")
    assert own_mode(tmp_path / "out") == 0o644


def test_a_temporary_file_of_a_killed_process_hinders_no_other(tmp_path: Path) -> None:
    """A later process may have the same id."""
    left = [tmp_path / f".mjconv-{os.getpid()}-{number}.tmp" for number in range(2000)]
    for path in left:
        path.touch()
    writing.write_bytes(str(tmp_path / "out"), b"new")
    assert sorted(tmp_path.iterdir()) == sorted([*left, tmp_path / "out"])
