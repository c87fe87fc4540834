"""The site is made from the pages: links lead where they led, and no page is left out."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import mjconv
from mjconv.converters.formats import FORMATS

ROOT = Path(__file__).parents[1]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the module that makes the site; its pages go to a folder of the test."""
    spec = importlib.util.spec_from_file_location("site_of_pages", ROOT / "docs" / "site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PAGES", tmp_path)
    return module


@pytest.mark.parametrize(
    ("folder", "link", "result"),
    [
        ("docs", "[x](hk.md#lines)", "[x](hk.md#lines)"),
        ("docs", "[x](../README.md#formats)", "[x](readme.md#formats)"),
        (".", "[`x`](docs/hk.md)", "[`x`](hk.md)"),
        (".", "![x](docs/pictures/table.webp)", "![x](pictures/table.webp)"),
        ("docs", "[x](../schemas/pon.json)", "[x](files/schemas/pon.json)"),
        ("docs", "see [the corpus](../corpus/hk)", "see the corpus"),
        ("docs", "[x](https://example.org/a)", "[x](https://example.org/a)"),
        ("docs", "```text\n[x](../README.md)\n```", "```text\n[x](../README.md)\n```"),
        # The build of the site refuses it.
        ("docs", "[x](nothing.md)", "[x](nothing.md)"),
    ],
)
def test_links_lead_to_pages_of_the_site(site: ModuleType, folder: str, link: str, result: str) -> None:
    assert site.linked(link, ROOT / folder) == result


def test_files_of_the_project_are_copied(site: ModuleType, tmp_path: Path) -> None:
    site.linked("[x](../schemas/pon.json)", ROOT / "docs")
    assert (tmp_path / "files/schemas/pon.json").read_bytes() == (ROOT / "schemas/pon.json").read_bytes()


def test_the_gallery_shows_the_round_in_every_notation_of_play(site: ModuleType) -> None:
    writers = {form.id for form in FORMATS if form.writes and form.holds.has("riichi")}
    # Riichi City's records are written unchanged alone.
    assert set(re.findall(r"^## ([\w-]+)", "\n".join(site.gallery()), re.MULTILINE)) == writers - {"riichicity"}


def test_the_home_page_has_the_lines_of_the_readme_and_a_door_for_each_reader(site: ModuleType) -> None:
    text = "\n".join(site.home())
    assert (ROOT / "README.md").read_text("utf-8").partition("```sh\n")[2].partition("```")[0] in text
    assert len(re.findall(r"^- \*\*", text, re.MULTILINE)) == 5


def test_every_public_name_is_on_a_page(site: ModuleType) -> None:
    shown = re.findall(r"^## (\w+)", "\n".join(site.library()), re.MULTILINE)
    assert sorted(shown) == sorted(vars(mjconv)["__all__"])


def test_every_command_is_on_a_page(site: ModuleType) -> None:
    shown = re.findall(r"^## (.+)", "\n".join(site.options()), re.MULTILINE)
    assert {"mjconv validate", "mjconv view", "mjconv fleet run"} <= set(shown)


def test_the_navigation_names_each_page(site: ModuleType, tmp_path: Path) -> None:
    for name in [path.name for path in (ROOT / "docs").glob("*.md")]:
        (tmp_path / name).touch()
    assert set(site.unlisted()) == {*site.OUTSIDE.values(), *site.MADE}
    (tmp_path / "forgotten.md").touch()
    assert "forgotten.md" in site.unlisted()
