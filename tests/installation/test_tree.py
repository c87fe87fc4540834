"""pyproject.toml lists every package and data file, and the editable install follows the tree."""

import json
from importlib.metadata import distributions
from pathlib import Path

import pytest

import mjconv
from installation import tree


def test_every_package_is_listed() -> None:
    assert sorted(tree.packages()) == tree.listed_packages()


def test_every_folder_of_modules_is_a_package() -> None:
    assert tree.other_folders() == []


def test_every_file_is_installed() -> None:
    assert [str(path.relative_to(tree.ROOT)) for path in tree.unlisted_files()] == []
    assert {"py.typed", "__init__.py", "ir/table.py", "schemas/accepted/message.json"} <= set(tree.files())


def test_the_links_of_editors_lead_to_every_file() -> None:
    """If a link is missing: `cd editors/links/mjconv && ln -s ../../../app/NAME`."""
    links = tree.ROOT / "editors" / "links" / "mjconv"
    assert [name for name, path in tree.files().items() if not (links / name).exists()] == []
    assert all((links / name).samefile(path) for name, path in tree.files().items())
    assert [path.name for path in links.iterdir() if not path.exists()] == []


def installed_as_editable() -> bool:
    """Return whether this environment has an editable install of this tree.

    The build leaves another description of the package in the tree itself, without this mark.
    """
    sources = [json.loads(found.read_text("direct_url.json") or "{}") for found in distributions(name="mjconv")]
    editable = [source["url"] for source in sources if source.get("dir_info", {}).get("editable")]
    return tree.ROOT.as_uri() in editable


@pytest.mark.skipif(not installed_as_editable(), reason="this tree is not installed with pip install -e")
def test_the_editable_install_follows_the_tree() -> None:
    assert list(tree.differences(Path(mjconv.__file__).parent)) == []


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """Return the installed folder and the root of a small tree, as an editable install links them."""
    root, installed = tmp_path / "clone", tmp_path / "build" / "mjconv"
    for folder in tree.FOLDERS.values():
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").touch()
    (root / "app" / "cli.py").touch()
    for name, path in tree.files(root).items():
        (installed / name).parent.mkdir(parents=True, exist_ok=True)
        (installed / name).symlink_to(path)
    return installed, root


def test_an_install_that_follows_the_tree_has_no_differences(trees: tuple[Path, Path]) -> None:
    assert list(tree.differences(*trees)) == []


AGAIN = "run `pip install -e .` again"


def test_a_new_module_is_reported(trees: tuple[Path, Path]) -> None:
    (trees[1] / "ir" / "new.py").touch()
    assert list(tree.differences(*trees)) == [f"ir/new.py is new and not installed: {AGAIN}"]


def test_a_module_that_is_gone_is_reported(trees: tuple[Path, Path]) -> None:
    (trees[1] / "app" / "cli.py").unlink()
    assert list(tree.differences(*trees)) == [f"cli.py is gone from the tree and still installed: {AGAIN}"]


def test_a_link_to_another_file_is_reported(trees: tuple[Path, Path]) -> None:
    installed, root = trees
    (installed / "cli.py").unlink()
    (installed / "cli.py").symlink_to(root / "ir" / "__init__.py")
    assert list(tree.differences(*trees)) == [f"cli.py is installed from {root / 'ir' / '__init__.py'}: {AGAIN}"]


def test_a_forgotten_package_is_seen(trees: tuple[Path, Path]) -> None:
    folder = trees[1] / "converters" / "newformat"
    folder.mkdir()
    (folder / "reader.py").touch()
    assert tree.other_folders(trees[1]) == [folder]
    (folder / "__init__.py").touch()
    assert "mjconv.converters.newformat" in tree.packages(trees[1])
