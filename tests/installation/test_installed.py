"""After the README's first command, and from a wheel, mjconv runs and type checkers know its types.

Each installation has an environment of its own, made from a copy of the tree. pip needs its package index here.
The wheel is built from the source distribution, and both hold what a release needs.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from installation import tree
from installation.test_distribution import CODE, LINK
from mjconv.command import manual
from mjconv.converters.formats import FORMATS
from mjconv.testing.samples import samples_of

Checked = Callable[[str, Path], str]
#: What pip and the first command of the README need of the tree.
NEEDED = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "corpus", "editors/links", *tree.FOLDERS.values())
PIP: tuple[str | Path, ...] = (sys.executable, "-m", "pip")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.pyc")
#: The files of the root that the source distribution has.
AT_ROOT = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py"}
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
#: Each checker: its words before the file, with the Python of the tests, the folder of the checkers, and the
#: Python to look for packages; what it prints.
CHECKERS = {
    "mypy": (
        "{tests} -m mypy --strict --cache-dir {checkers}/cache --python-executable {python}",
        '"mjconv.ir.match.Match"',
    ),
    "pyright": ("{checkers}/bin/pyright --pythonpath {python}", 'Type of "mjconv.read("x")" is "Match"'),
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


@pytest.fixture(scope="session")
def editable(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    clone = copied(tmp_path_factory.mktemp("clone"))
    first_command = (tree.ROOT / "README.md").read_text("utf-8").split("```sh\n")[2].split("\n```", 1)[0]
    done(["sh", "-c", first_command], clone)
    return Installation(clone / ".venv/bin/python", clone)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the source distribution of a copy of the tree, and the wheel that is built from it."""
    clone, folder = tmp_path_factory.mktemp("clone-of-wheel"), tmp_path_factory.mktemp("dist")
    for name in done(["git", "ls-files", "-z"], tree.ROOT).split("\0"):
        path = tree.ROOT / name
        # The links of editors are left out.
        if path.is_file() and not path.is_symlink():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_bytes(path.read_bytes())
    manual.write(str(clone / "share"))
    python = environment(folder / "env")
    done([*PIP, "--python", python, "install", "--quiet", *tree.PROJECT["build-system"]["requires"]], folder)
    for kind in ("sdist", "wheel"):
        build = f"from setuptools import build_meta; build_meta.build_{kind}({str(folder)!r})"
        done([python, "-c", build], clone)
        [source] = folder.glob("mjconv-*.tar.gz")
        done(["tar", "xzf", source], folder)
        clone = folder / source.name.removesuffix(".tar.gz")
    [wheel] = folder.glob("mjconv-*.whl")
    return source, wheel


@pytest.fixture(scope="session")
def wheel(built: tuple[Path, Path]) -> Path:
    return built[1]


@pytest.fixture(scope="session")
def from_wheel(editable: Installation, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Install the wheel beside what the other installation needed: pip finds there all that it requires."""
    folder = tmp_path_factory.mktemp("from-wheel")
    python = environment(folder / "env")
    packages = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    shutil.copytree(
        editable.clone / ".venv" / packages,
        folder / "env" / packages,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__", "*mjconv*", "pip*", "setuptools*"),
    )
    done([*PIP, "--python", python, "install", "--quiet", "--no-index", wheel], folder)
    return Installation(python, folder)


@pytest.fixture(params=["editable", "wheel"])
def installation(request: pytest.FixtureRequest) -> Installation:
    names = {"editable": "editable", "wheel": "from_wheel"}
    made: Installation = request.getfixturevalue(names[request.param])
    return made


@pytest.fixture(scope="session")
def checkers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of pyright, which comes with the Node that it runs on, and of what mypy keeps."""
    pytest.importorskip("mypy", reason="the extra `dev` is not installed: no mypy")
    folder = tmp_path_factory.mktemp("checkers")
    done([*PIP, "--python", environment(folder), "install", "--quiet", "pyright[nodejs]"], folder)
    return folder


@pytest.fixture
def checked(installation: Installation, checkers: Path) -> Checked:
    """Return a function that runs a checker on a user's file in a folder, and returns its output."""

    def check(checker: str, folder: Path) -> str:
        (folder / "user.py").write_text(USER)
        places = {"tests": sys.executable, "checkers": checkers, "python": installation.python}
        return done([*(word.format(**places) for word in CHECKERS[checker][0].split()), "user.py"], folder)

    return check


@pytest.mark.parametrize("checker", CHECKERS)
def test_types_are_known_outside_the_clone(checker: str, checked: Checked, tmp_path: Path) -> None:
    assert CHECKERS[checker][1] in checked(checker, tmp_path)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("installation", ["editable"], indirect=True)
def test_types_are_known_inside_the_clone(checker: str, checked: Checked, installation: Installation) -> None:
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


class TestTheDistributions:
    def test_the_source_holds_what_the_wheel_has_and_no_tests(self, built: tuple[Path, Path]) -> None:
        with tarfile.open(built[0]) as source, zipfile.ZipFile(built[1]) as wheel:
            held = {name.partition("/")[2] for name in source.getnames() if not name.endswith("/")}
            modules = {name.removeprefix("mjconv/") for name in wheel.namelist() if name.startswith("mjconv/")}
            description = next(wheel.read(one).decode() for one in wheel.namelist() if one.endswith("/METADATA"))
        assert set(tree.files()) <= modules
        beside = {path.name for path in tree.ROOT.iterdir()} - {
            "corpus",
            "mjconv.egg-info",
            *tree.FOLDERS.values(),
        }
        assert {name for name in held if name.partition("/")[0] in beside} == AT_ROOT
        assert not [name for name in held if name.startswith(("corpus/broken", "corpus/crashes"))]
        assert "# mjconv\n" in description
        assert all(link.startswith("https://") for link in LINK.findall(CODE.sub("", description)))

    def test_the_wheel_installs_the_man_page_and_the_completions(self, built: tuple[Path, Path]) -> None:
        with zipfile.ZipFile(built[1]) as wheel:
            held = {name.partition("/data/share/")[2] for name in wheel.namelist()}
        assert {manual.MAN_PAGE, *manual.COMPLETIONS.values()} <= held

    def test_an_index_takes_both(self, built: tuple[Path, Path]) -> None:
        pytest.importorskip("twine", reason="the extra `dev` is not installed: no twine")
        done([sys.executable, "-m", "twine", "check", "--strict", *map(str, built)], tree.ROOT)
