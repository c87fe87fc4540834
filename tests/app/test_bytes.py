"""Read and write files: limits, gzip, completely or not at all; temporary files, whatever signal comes."""

import gzip
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus_files import SAMPLE
from looped import looped
from mjconv import InputError
from mjconv.files import reading, writing
from mjconv.files.compression import BY_NAME
from mjconv.ir.limits import Limits, using

LOG = b'{"type":"start_game"}\n' * 1000
PACKED = gzip.compress(LOG)
WRONG_SUM = PACKED[:-8] + bytes([PACKED[-8] ^ 1]) + PACKED[-7:]


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class TestReading:
    def test_plain_contents_under_a_name_in_gz_are_read(self, tmp_path: Path) -> None:
        (tmp_path / "log.gz").write_bytes(LOG)
        assert reading.read_bytes("log.gz") == LOG

    def test_members_of_gzip_follow_each_other_and_zeros_may_pad_the_end(self) -> None:
        packed = gzip.compress(b"one ") + gzip.compress(LOG) + gzip.compress(b"") + b"\0" * 512
        assert reading.unpack(packed) == b"one " + LOG

    @looped(
        ("packed", "message"),
        *[(PACKED[:cut], "gzip data that ends too early") for cut in (2, 9, 15, -9, -1)],
        *[(wrong, "broken gzip data") for wrong in (b"\x1f\x8b\x00\x00 no gzip", PACKED + b"more", WRONG_SUM)],
    )
    def test_incomplete_or_broken_gzip_is_an_error(self, packed: bytes, message: str) -> None:
        with pytest.raises(InputError, match=f"log: is {message}"):
            reading.unpack(packed, "log")

    def test_the_bound_counts_all_members(self) -> None:
        with using(Limits(unpacked_bytes=10_000)), pytest.raises(InputError, match="decompresses to more"):
            reading.unpack(gzip.compress(b"a" * 5_001) * 2)


class TestWriting:
    def test_compression_is_deterministic_and_any_gzip_reads_it(self) -> None:
        assert (gzip.decompress(BY_NAME["gzip"].pack(LOG)), BY_NAME["gzip"].pack(LOG)[4:8]) == (LOG, b"\0\0\0\0")
        assert (writing.packed_for("a.jmjp.GZ", LOG), writing.packed_for("a.jmjp", LOG)) == (
            BY_NAME["gzip"].pack(LOG),
            LOG,
        )

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "old").touch()
        (tmp_path / "link").symlink_to("old")
        writing.write_bytes("link", LOG)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "old").read_bytes() == LOG

    def test_a_device_is_written_to_and_not_replaced(self) -> None:
        writing.write_bytes(os.devnull, LOG)
        assert not stat.S_ISREG(os.stat(os.devnull).st_mode)

    @pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="open pipes have no names")
    def test_an_open_pipe_is_written_to_by_its_name(self) -> None:
        reading, output = os.pipe()
        writing.write_bytes(f"/dev/fd/{output}", b"x")
        os.close(output)
        with open(reading, "rb") as stream:
            assert stream.read() == b"x"

    def test_failing_disks_leave_only_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "old").write_bytes(b"old")

        def fail(source: str, _: str) -> None:
            raise OSError(28, "No space left on device", source)

        monkeypatch.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="No space left"):
            writing.write_bytes("old", LOG)
        assert ((tmp_path / "old").read_bytes(), leftovers(tmp_path)) == (b"old", ["old"])

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
    def test_an_error_of_the_disk_names_the_output(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "open", lambda *_: os.dup(full.fileno()))
        with open("/dev/full", "wb", buffering=0) as full, pytest.raises(OSError, match="No space left") as raised:
            writing.write_bytes("old", LOG)
        assert raised.value.filename == "old"

    def test_no_file_appears_before_all_are_written(self, tmp_path: Path) -> None:
        def written() -> None:
            with writing.Staging() as stage:
                stage.write("one", [b"1"])
                stage.write("two", ["not bytes"])  # type: ignore[list-item]

        with pytest.raises(TypeError):
            written()
        assert leftovers(tmp_path) == []
        with writing.Staging() as stage:
            stage.write("one", [b"1"])
            stage.write("two", [b"2"])
            assert "one" not in leftovers(tmp_path)
        assert leftovers(tmp_path) == ["one", "two"]


# Temporary files of outputs: who may read them, and that no signal leaves one.

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
