"""Two processes on one output: one writes, and the other is refused. A lock ends with its process."""

import os
import signal
import subprocess
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from archives import COMMAND, HELD, games, held, laid_out, own_run, run, tree, zipped

from mjconv.files import locks


def lock_of(output: Path) -> Path:
    return output / locks.LOCK if not output.suffix else output.with_name(output.name + locks.LOCK)


@pytest.mark.parametrize("name", ["out", "out.zip"])
@pytest.mark.parametrize("words", [(), ("--resume",), ("--force",)])
def test_a_second_run_changes_nothing(name: str, words: tuple[str, ...], tmp_path: Path) -> None:
    laid_out(tmp_path / "logs", games(3))
    if name == "out":
        (tmp_path / "out").mkdir()
    before = tree(tmp_path)
    with held(lock_of(tmp_path / name)) as process:
        done = run("logs", "-o", name, "--to", "jmjp", *words, folder=tmp_path, status=1)
        assert done.stderr == f"mjconv: error: {name}: {HELD}\n"
        assert set(tree(tmp_path)) - set(before) == {lock_of(Path(name)).as_posix()}
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=300)
        # The file of the lock is there still, and nobody holds it.
        assert lock_of(tmp_path / name).exists()
        run("logs", "-o", name, "--to", "jmjp", "-q", *words, folder=tmp_path)
    assert not lock_of(tmp_path / name).exists()


def test_runs_at_the_same_time_leave_a_whole_output(tmp_path: Path) -> None:
    """Of several runs that start together, one writes. The others are refused, or find it complete."""
    (tmp_path / "logs.zip").write_bytes(zipped(games(30)))
    run("logs.zip", "-o", "whole.zip", "--to", "jmjp", "-q", folder=tmp_path)
    words = [*COMMAND, "logs.zip", "-o", "out.zip", "--to", "jmjp", "--resume", "--jobs", "1"]
    with ExitStack() as stack:
        pipe = subprocess.PIPE
        started = [
            stack.enter_context(subprocess.Popen(words, cwd=tmp_path, stderr=pipe, text=True)) for _ in range(4)
        ]
        ends = [(process.communicate(timeout=600)[1], process.returncode) for process in started]
    assert any(status == 0 for _, status in ends)
    for printed, status in ends:
        assert (HELD in printed) == (status == 1), printed
        assert "Traceback" not in printed
    assert (tmp_path / "out.zip").read_bytes() == (tmp_path / "whole.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert archive.testzip() is None
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(locks.LOCK)]


def test_the_lock_of_a_run_ends_with_its_error(tmp_path: Path) -> None:
    laid_out(tmp_path, {"logs/a.mjson": b"{", "out/mine": b"mine"})
    own = own_run(tmp_path)
    for _ in range(2):
        with pytest.raises(FileExistsError, match="Is not empty"):
            own.prepare()
    assert not lock_of(tmp_path / "out").exists()


def test_a_link_in_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="lock"):
        locks.take(str(tmp_path / "lock"))
    assert not (tmp_path / "elsewhere").exists()


def test_a_lock_whose_file_was_removed_is_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The holder removes the file after another process opened it: that lock would be of no use."""
    path, lock, removed = tmp_path / "lock", locks._lock, []

    def remove_once(handle: int) -> None:
        lock(handle)
        if not removed:
            removed.append(path.stat().st_ino)
            path.unlink()

    monkeypatch.setattr(locks, "_lock", remove_once)
    handle = locks.take(str(path))
    assert handle is not None
    assert removed
    assert os.fstat(handle).st_ino == path.stat().st_ino
    os.close(handle)


def test_temporary_folders_of_dead_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks.tempfile, "tempdir", str(tmp_path))
    others = laid_out(tmp_path, {"mjconv-fleet-other/file": b"", "other/.mjconv-lock": b""})
    with locks.temporary_folder() as own:
        dead = laid_out(tmp_path / "mjconv-fleet-dead", {locks.LOCK: b"", "part": b"part"})
        with held(dead / locks.LOCK) as process:
            locks.remove_abandoned()
            assert (dead / "part").exists()
            process.kill()
            process.wait(timeout=300)
            locks.remove_abandoned()
            assert not dead.exists()
        assert Path(own).is_dir()
    assert sorted(path.name for path in others.iterdir()) == ["mjconv-fleet-other", "other"]
