"""The pictures of docs/view.md and docs/serve.md are made by a command."""

from pathlib import Path

import pytest
from chromium import programs

DOCS = Path(__file__).parents[2] / "docs"


def test_the_command_makes_every_picture_of_the_page(tmp_path: Path) -> None:
    pytest.importorskip("selenium", reason="the extra `browser` is not installed: no Selenium")
    if None in programs().values():
        pytest.skip("the page is not tested: Chromium or its driver is not installed")
    from pictures import PICTURES, main

    main(tmp_path)
    made = {picture.name for picture in tmp_path.iterdir()}
    assert made == {f"{picture.name}.webp" for picture in PICTURES}
    assert made == {picture.name for picture in (DOCS / "pictures").iterdir()}
    page = "".join((DOCS / name).read_text("utf-8") for name in ("view.md", "serve.md"))
    assert all(f"(pictures/{name})" in page and (tmp_path / name).stat().st_size > 10_000 for name in made)
