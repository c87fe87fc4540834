"""What Windows and macOS lack or do otherwise, by reading the code, and by playing their part where Linux can.

Nothing here runs on these systems. The workflow of the tests does.
"""

import ast
import errno
import io
import os
import re
import select
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import mjconv
from installation import tree
from mjconv.command.console import show_any_character
from mjconv.command.start import main
from mjconv.files.address import is_address

ROOT = tree.ROOT
SAMPLE = ROOT / "corpus" / "sample"
CODE = tuple(path for path in tree.files().values() if path.suffix == ".py")
#: What Windows does not have: modules, and names of modules that it has.
MODULES = {"curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
NAMES = {
    "os": "O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_SYNC chown fchmod fchown fork forkpty getegid geteuid getgid "
    "getloadavg getuid getxattr initgroups killpg lchown listxattr mkfifo mknod nice openpty posix_fadvise pread "
    "pwrite register_at_fork removexattr sched_getaffinity sched_setaffinity setpgid setsid setxattr statvfs sync "
    "sysconf uname wait waitpid",
    "signal": "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH alarm "
    "pthread_sigmask setitimer sigwait",
    "select": "epoll kqueue poll",
    "time": "tzset",
}
LACKING = {module: set(words.split()) for module, words in NAMES.items()}
#: What macOS does not have, of these.
OF_LINUX = {"epoll", "posix_fadvise", "sched_getaffinity", "sched_setaffinity"}
OF_LINUX |= {f"{verb}xattr" for verb in ("get", "list", "remove", "set")}
#: Arguments that processes of Windows refuse, and methods of paths that need a right there.
REFUSED = {"pass_fds", "preexec_fn", "process_group", "start_new_session", "symlink_to", "hardlink_to"}
#: A text that may use one of them.
MENTIONS = re.compile(rf"\b(?:{'|'.join(MODULES.union(REFUSED, *LACKING.values()))})\b|\bopen\(")
#: A function, or a block, that asks for the system, for the name or for the module.
ASKS = re.compile(
    r"suppress\(ImportError|os\.name|sys\.platform|hasattr\((?:os|select|signal),|getattr\((?:os|signal),"
)
#: What a bot needs: `Bot` itself asks, before it uses it.
OF_BOTS = ROOT / "app/reviewer/streams.py"


def uses(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield what a system lacks and a function uses without asking for it, and whether macOS lacks it too."""
    text = path.read_text("utf-8")
    nodes = list(ast.walk(ast.parse(text))) if MENTIONS.search(text) else []
    lines = text.splitlines()
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.With)]
    asking = {
        id(inner)
        for each in functions
        if ASKS.search("\n".join(lines[each.lineno - 1 : each.end_lineno]))
        for inner in ast.walk(each)
    }
    for node in nodes:
        match node:
            case ast.Import(names=[ast.alias(name=found)]) | ast.ImportFrom(module=str(found)) if found in MODULES:
                alone = False
            case ast.Attribute(value=ast.Name(id=owner), attr=found) if found in LACKING.get(owner, ()):
                alone = found in OF_LINUX
            case ast.keyword(arg=str(found)) | ast.Attribute(attr=found) if found in REFUSED:
                alone = False
            case ast.Call(func=ast.Name(id="open"), args=args, keywords=keywords) if is_text(args, keywords):
                found, alone = "open without an encoding: Windows would use its code page", True
            case _:
                continue
        if id(node) not in asking:
            yield f"{path.relative_to(ROOT)}: {found}", alone


def is_text(args: list[ast.expr], keywords: list[ast.keyword]) -> bool:
    """Return whether a call of `open` opens text without an encoding."""
    binary = any(isinstance(each, ast.Constant) and "b" in str(each.value) for each in args[1:2])
    return not binary and not {"encoding", "mode"} & {str(keyword.arg) for keyword in keywords}


def test_what_a_system_lacks_is_used_only_where_the_code_asks_for_it() -> None:
    assert [use for path in CODE for use, alone in uses(path) if alone or path != OF_BOTS] == []


def test_windows_runs_no_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(select, "poll")
    with pytest.raises(mjconv.UsageError, match="Windows runs no bots"):
        mjconv.Bot("true")


def test_windows_and_macos_can_hold_the_files_of_the_tree() -> None:
    """Their names have no letters that Windows refuses, differ without case, and leave room in 260 letters."""
    names = [path.relative_to(ROOT).as_posix() for name in ("app", "corpus", "docs", "tests", ".github")
             for path in (ROOT / name).rglob("*")]  # fmt: skip
    assert [name for name in names if re.search(r'[<>:"|?*\\]|[ .](?:/|$)', name)] == []
    assert [name for name, count in Counter(map(str.casefold, names)).items() if count > 1] == []
    reserved = re.compile(r"(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|/|$)", re.IGNORECASE)
    assert [name for name in names if reserved.search(name)] == []
    assert max(map(len, names)) < 130
    assert "* -text\n" in (ROOT / ".gitattributes").read_text("utf-8")


def test_a_path_with_a_drive_is_no_address() -> None:
    paths = ("C:/games/a.mjson", r"C:\games\a.mjson", "c:a.mjson", r"\\host\games\a.mjson")
    assert not any(map(is_address, paths))


def test_files_and_pipes_get_utf_8_whatever_the_code_page_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    written = io.BytesIO()
    # As Windows opens a pipe.
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "cp1252", newline="\r\n"))
    show_any_character()
    print("é 朝 🀄")
    sys.stdout.flush()
    assert written.getvalue() == "é 朝 🀄\n".encode()


def run(*words: str | Path) -> str:
    """Run the command, and return what it prints."""
    shown = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["mjconv", *map(str, words)])
        patch.setattr(sys, "stdout", shown)
        with pytest.raises(SystemExit) as left:
            main()
    assert not left.value.code
    shown.seek(0)
    return shown.read()


def test_files_that_powershell_writes_are_read(tmp_path: Path) -> None:
    """It writes a mark of UTF-8 before the text, and CR LF."""
    for path in (SAMPLE / "game.mjson", SAMPLE / "game.jmjp", ROOT / "corpus/hk/example.hk"):
        text = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n")
        (tmp_path / path.name).write_bytes(text)
        assert mjconv.read(tmp_path / path.name) == mjconv.read(path), path.name


def opened(path: str) -> bool:
    """Return whether this process, or one that it started, has the file open."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()
    for process in ("self", *children):
        for handle in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                if handle.readlink() == Path(path).resolve():
                    return True
    return False


#: Functions that Windows refuses for a file that is open.
MOVES = ("replace", "rename", "unlink", "remove")


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Refuse to move, replace or remove a file that is open, as Windows does. Returns the files that are moved."""
    moved: list[str] = []

    def refusing(real: Callable[..., None]) -> Callable[..., None]:
        def move(*paths: str, **given: object) -> None:
            moved.extend(os.fspath(path) for path in paths)
            if opens := [path for path in paths if opened(os.fspath(path))]:
                raise PermissionError(errno.EACCES, "Is open in this process, or in one that it started", opens[0])
            real(*paths, **given)

        return move

    for name in MOVES:
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    return moved


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux lists the open files of a process")
def test_no_open_file_is_moved(moved: list[str], tmp_path: Path) -> None:
    game, logs = tmp_path / "game.mjson", tmp_path / "logs"
    logs.mkdir()
    for name in ("a", "b"):
        shutil.copyfile(SAMPLE / "game.mjson", logs / f"{name}.mjson")
    shutil.copyfile(SAMPLE / "game.mjson", game)
    run(game, "-o", tmp_path / "game.jmjp", "--quiet")
    run(game, "-o", game, "--in-place", "--fill", "--quiet")
    run("merge", game, tmp_path / "game.jmjp", "-o", tmp_path / "two.mjson", "--quiet")
    run("split", tmp_path / "two.mjson", "-o", f"{tmp_path}/parts/", "--quiet")
    run("view", game, "-o", tmp_path / "game.html")
    run("new", tmp_path / "new.club")
    for output, target in (("out.zip", "jmjp"), ("out/", "jmjp"), ("out.parquet", "parquet")):
        run("batch", logs, "-o", tmp_path / output, "--to", target, "--quiet", "--jobs", "1")
    run("batch", logs, "-o", tmp_path / "out.zip", "--to", "jmjp", "--quiet", "--jobs", "1", "--force")
    assert len(moved) > 20
    assert [path for path in moved if re.search(r'[<>:"|?*]|[ .]$', Path(path).name)] == []
    with open(game, "rb"), pytest.raises(PermissionError):
        os.replace(game, tmp_path / "other.mjson")
