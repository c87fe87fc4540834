"""The files of the package: as pyproject.toml lists them, in the tree, and in an editable install."""

import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[2]
AGAIN = "run `pip install -e .` again"

with open(ROOT / "pyproject.toml", "rb") as stream:
    PROJECT: dict[str, Any] = tomllib.load(stream)
SETUPTOOLS: dict[str, Any] = PROJECT["tool"]["setuptools"]

#: The games that a wheel holds for the kit. In a tree, the kit reads them where they are.
GAMES = "mjconv.corpus"
#: The root folders of the package, by the package that each installs as.
FOLDERS: dict[str, str] = {name: folder for name, folder in SETUPTOOLS["package-dir"].items() if name != GAMES}


def listed_packages() -> list[str]:
    return sorted({*SETUPTOOLS["packages"]} - {GAMES})


def packages(root: Path = ROOT) -> dict[str, Path]:
    """Return the packages of a tree with their folders: each folder that has an ``__init__.py``."""
    return {
        ".".join((package, *path.parent.relative_to(root / folder).parts)): path.parent
        for package, folder in FOLDERS.items()
        for path in sorted((root / folder).rglob("__init__.py"))
    }


def other_folders(root: Path = ROOT) -> list[Path]:
    """Return the folders with Python files that are no packages."""
    known = set(packages(root).values())
    return sorted({path.parent for folder in FOLDERS.values() for path in (root / folder).rglob("*.py")} - known)


def files(root: Path = ROOT) -> dict[str, Path]:
    """Return the files of the package in a tree, by their paths below the installed ``mjconv``.

    These are the Python files, and the data files that pyproject.toml names.
    """
    found = {}
    for package, folder in packages(root).items():
        for path in sorted(folder.iterdir()):
            if path.suffix == ".py" or is_data(package, path.name):
                found[str(PurePosixPath(*package.split(".")[1:], path.name))] = path
    return found


def is_data(package: str, name: str) -> bool:
    data = SETUPTOOLS["package-data"]
    return any(fnmatch(name, pattern) for pattern in (*data["*"], *data.get(package, ())))


def unlisted_files(root: Path = ROOT) -> list[Path]:
    """Return the files in folders of packages that no wheel would hold."""
    known = set(files(root).values())
    return [
        path
        for folder in packages(root).values()
        for path in sorted(folder.iterdir())
        if path.is_file() and path not in known and path.suffix != ".pyc"
    ]


def differences(installed: Path, root: Path = ROOT) -> Iterator[str]:
    """Compare the links of an editable install with the tree that they lead to.

    `installed` is the folder of the installed ``mjconv``. Yields one line for each file that differs.
    """
    tree = files(root)
    links = {
        str(path.relative_to(installed).as_posix()): path
        for path in installed.rglob("*")
        if is_file(path) and path.relative_to(installed).parts[0] != GAMES.removeprefix("mjconv.")
    }
    for name in sorted(tree.keys() - links.keys()):
        yield f"{name} is new and not installed: {AGAIN}"
    for name in sorted(links.keys() - tree.keys()):
        yield f"{name} is gone from the tree and still installed: {AGAIN}"
    for name in sorted(links.keys() & tree.keys()):
        if not links[name].samefile(tree[name]):
            yield f"{name} is installed from {links[name].resolve()}: {AGAIN}"


def is_file(path: Path) -> bool:
    """Return whether a path is a file or a link that leads nowhere, and not a cache."""
    return path.suffix != ".pyc" and (path.is_file() or (path.is_symlink() and not path.exists()))
