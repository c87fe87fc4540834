"""What pyproject.toml cannot state: the README for package indexes, and optional shared files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
#: A block of code, which stays as it is; or a link or an image, whose text may be divided over two lines.
_BLOCK_OR_LINK = re.compile(r"^```.*?^```$|(!?)\[([^\[\]]*)\]\(([^)\s]+)\)", re.MULTILINE | re.DOTALL)


def readme_for_index(text: str, pages: str | None) -> str:
    """Return the README as a package index shows it, where no other file of the tree is.

    Links to files of the tree lead to `pages`, the address of the tree, which ends in a slash. Without an address,
    only the text of such a link is kept, and an image is left out.

    >>> readme_for_index("see [the hub](docs/ir.md)", "https://example.org/v1/")
    'see [the hub](https://example.org/v1/docs/ir.md)'
    >>> readme_for_index("see [the hub](docs/ir.md)", None)
    'see the hub'
    >>> readme_for_index("![a table](docs/pictures/table.webp)", None)
    ''
    """

    def replaced(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if target is None or "://" in target:
            return found[0]
        if pages is None:
            return "" if mark else str(words)
        return f"{mark}[{words}]({pages}{'README.md' if target.startswith('#') else ''}{target})"

    return _BLOCK_OR_LINK.sub(replaced, text)


def pages(project: dict[str, Any]) -> str | None:
    """Return the address of the tree of this version, if pyproject.toml states one."""
    address = project.get("tool", {}).get("mjconv", {}).get("pages")
    version = re.search(r'VERSION = "(.+?)"', (ROOT / "app" / "version.py").read_text("utf-8"))
    return address.format(version=version[1]) if address and version else None


def shared_files() -> list[tuple[str, list[str]]]:
    """Return the man page and completions that `python -m mjconv.command.manual share` made, by their folders."""
    found = sorted(path for path in (ROOT / "share").rglob("*") if path.is_file())
    return [(path.parent.relative_to(ROOT).as_posix(), [path.relative_to(ROOT).as_posix()]) for path in found]


if __name__ == "__main__":
    from setuptools import setup

    with open(ROOT / "pyproject.toml", "rb") as stream:
        address = pages(tomllib.load(stream))
    setup(
        long_description=readme_for_index((ROOT / "README.md").read_text("utf-8"), address),
        long_description_content_type="text/markdown",
        data_files=shared_files(),
    )
