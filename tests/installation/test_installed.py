"""After the README's first command, and from a wheel, mjconv runs and type checkers know its types.

Each installation has an environment of its own, made from a copy of the tree. pip needs its package index here.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from installation import tree
from mjconv.converters.formats import FORMATS
from mjconv.testing.samples import samples_of

pytestmark = pytest.mark.slow

#: What pip and the first command of the README need of the tree.
NEEDED = (
    "pyproject.toml",
    "setup.py",
    "README.md",
    "LICENSE",
    "corpus",
    "editors/links",
    *tree.FOLDERS.values(),
)
PIP: tuple[str | Path, ...] = (sys.executable, "-m", "pip")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.pyc")
SAMPLE = tree.ROOT / "corpus" / "sample"
PAGE = (tree.ROOT / "docs" / "adding-a-format.md").read_text("utf-8")
#: A file of a user's. A type that the checker does not know is `Any`, which `assert_type` refuses.
USER = """\
from typing import assert_type

import mjconv
from mjconv.ir.losses import Loss
from mjconv.ir.match import Match

match = mjconv.read("x")
assert_type(match, Match)
assert_type(mjconv.write(match, "y"), list[Loss])
assert_type(match.rounds[0].label, str)
reveal_type(mjconv.read("x"))
"""
#: Each checker: its words before the file, with the Python to look for packages and a folder for all its runs;
#: what it prints.
CHECKERS = {
    "mypy": (
        ("mypy", "--strict", "--cache-dir", "{cache}", "--python-executable", "{python}"),
        '"mjconv.ir.match.Match"',
    ),
    "pyright": (("pyright", "--pythonpath", "{python}"), 'Type of "mjconv.read("x")" is "Match"'),
}


class Installation(NamedTuple):
    """An environment that has mjconv: its Python, and the tree that it was made from."""

    python: Path
    clone: Path


def environment(folder: Path) -> Path:
    """Make an environment without pip, which takes long to install: `PIP` installs into it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder / "bin" / "python"


def run(words: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, without the variables of this environment. Python compiles what it imports."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    kept["PIP_COMPILE"] = "0"
    return subprocess.run(words, cwd=folder, env=kept, capture_output=True, text=True, check=False, timeout=600)


def done(words: list[str | Path], folder: Path) -> str:
    finished = run(words, folder)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def copied(folder: Path) -> Path:
    for name in NEEDED:
        source = tree.ROOT / name
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, folder / name, symlinks=True, ignore=NOT_COPIED)
        else:
            shutil.copyfile(source, folder / name)
    return folder


def first_command() -> str:
    return (tree.ROOT / "README.md").read_text("utf-8").split("```sh\n")[2].split("\n```", 1)[0]


@pytest.fixture(scope="session")
def editable(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    clone = copied(tmp_path_factory.mktemp("clone"))
    done(["sh", "-c", first_command()], clone)
    return Installation(clone / ".venv/bin/python", clone)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clone = copied(tmp_path_factory.mktemp("clone-of-wheel"))
    done([*PIP, "wheel", "--quiet", "--no-deps", "-w", "dist", "."], clone)
    [built] = (clone / "dist").iterdir()
    return built


@pytest.fixture(scope="session")
def from_wheel(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("from-wheel")
    python = environment(folder / "env")
    pip = [*PIP, "--python", python]
    done([*pip, "wheel", "--quiet", "-w", folder / "wheels", wheel], folder)
    done([*pip, "install", "--quiet", "--no-index", "--find-links", folder / "wheels", "mjconv"], folder)
    return Installation(python, folder)


@pytest.fixture(params=["editable", "wheel"])
def installation(request: pytest.FixtureRequest) -> Installation:
    names = {"editable": "editable", "wheel": "from_wheel"}
    made: Installation = request.getfixturevalue(names[request.param])
    return made


@pytest.fixture(scope="session")
def checkers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of mypy and pyright, which come with the Node that pyright runs on."""
    folder = tmp_path_factory.mktemp("checkers")
    python = environment(folder)
    done([*PIP, "--python", python, "install", "--quiet", "mypy", "pyright[nodejs]"], folder)
    return folder / "bin"


@pytest.fixture
def checked(installation: Installation, checkers: Path) -> Callable[[str, Path], str]:
    """Return a function that runs a checker on a user's file in a folder, and returns its output."""

    def check(checker: str, folder: Path) -> str:
        (folder / "user.py").write_text(USER)
        places = {"python": installation.python, "cache": checkers / "cache"}
        words = [word.format(**places) for word in CHECKERS[checker][0]]
        return done([checkers / words[0], *words[1:], "user.py"], folder)

    return check


@pytest.mark.parametrize("checker", CHECKERS)
def test_types_are_known_outside_the_clone(
    checker: str, checked: Callable[[str, Path], str], tmp_path: Path
) -> None:
    assert CHECKERS[checker][1] in checked(checker, tmp_path)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("installation", ["editable"], indirect=True)
def test_types_are_known_inside_the_clone(
    checker: str, checked: Callable[[str, Path], str], installation: Installation
) -> None:
    assert CHECKERS[checker][1] in checked(checker, installation.clone)


def test_the_module_is_the_command(installation: Installation, tmp_path: Path) -> None:
    for folder in (installation.clone, tmp_path):
        done([installation.python, "-m", "mjconv", SAMPLE / "game.mjson", "-o", tmp_path / "out.jmjp"], folder)
        assert (tmp_path / "out.jmjp").read_bytes() == (SAMPLE / "game.jmjp").read_bytes()
        (tmp_path / "out.jmjp").unlink()


def test_the_first_command_converts(editable: Installation) -> None:
    assert (editable.clone / "game.jmjp").read_bytes() == (SAMPLE / "game.jmjp").read_bytes()


def test_the_editable_install_follows_the_tree(editable: Installation) -> None:
    words = "import mjconv, pathlib; print(pathlib.Path(mjconv.__file__).parent)"
    installed = Path(done([editable.python, "-c", words], editable.clone).strip())
    assert list(tree.differences(installed, editable.clone)) == []
    (editable.clone / "ir" / "added.py").touch()
    assert [line.partition(" ")[0] for line in tree.differences(installed, editable.clone)] == ["ir/added.py"]
    (editable.clone / "ir" / "added.py").unlink()


def test_the_wheel_holds_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name.removeprefix("mjconv/") for name in archive.namelist() if name.startswith("mjconv/")}
    games = {name for name in names if name.startswith("corpus/")}
    assert names - games == set(tree.files())
    assert "py.typed" in names
    # pyproject.toml excludes those that the kit does not read.
    assert games == {"corpus/__init__.py"} & games | {
        f"corpus/{one.name}" for form in FORMATS for one in samples_of(form)
    }


def test_a_wheel_checks_a_format_of_another_package(from_wheel: Installation, tmp_path: Path) -> None:
    """The example of the page passes, and is found if it negates points. The environment has no pytest."""
    code, checking, _ = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "points.py").write_text(code, "utf-8")
    (tmp_path / "check.py").write_text(checking, "utf-8")
    (tmp_path / "game.points").write_text("A\tB\tC\tD\nE1-0\t7700\t-7700\t0\t0\n", "utf-8")
    assert run([from_wheel.python, "-c", "import pytest"], tmp_path).returncode
    done([from_wheel.python, "check.py"], tmp_path)
    (tmp_path / "points.py").write_text(code.replace("[sum(column)", "[-sum(column)"), "utf-8")
    assert "AssertionError: check_text, game.points" in run([from_wheel.python, "check.py"], tmp_path).stderr
