"""Dependencies point one way: the front door to the formats to the hub; and no format knows another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORMATS = sorted(path.parent.name for path in (ROOT / "converters").glob("*/reader.py"))


def imports(folder: Path, package: str) -> Iterator[tuple[str, str]]:
    """Give each module of a folder with what it imports, anywhere in it, of mjconv."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            yield from (
                (f"{package}/{path.relative_to(folder)}", name) for name in names if name.startswith("mjconv")
            )


def test_all_formats_are_looked_at() -> None:
    assert {"hk", "jmjp", "mjai", "uzje"} <= set(FORMATS)


def test_the_hub_knows_only_itself() -> None:
    outside = [entry for entry in imports(ROOT / "ir", "ir") if not entry[1].startswith("mjconv.ir")]
    assert outside == []


def test_the_formats_know_the_hub_and_what_they_share() -> None:
    known = ("mjconv.ir", "mjconv.converters", "mjconv.schemas")
    outside = [entry for entry in imports(ROOT / "converters", "converters") if not entry[1].startswith(known)]
    assert outside == []


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_knows_another(name: str) -> None:
    others = tuple(f"mjconv.converters.{other}" for other in FORMATS if other != name)
    found = [entry for entry in imports(ROOT / "converters" / name, name) if entry[1].startswith(others)]
    assert found == []


def test_what_the_formats_share_names_none_of_them() -> None:
    named = tuple(f"mjconv.converters.{name}" for name in FORMATS)
    found = [
        (path.name, line)
        for path in (ROOT / "converters").glob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith(("import ", "from ")) and any(name in line for name in named)
    ]
    assert found == []
