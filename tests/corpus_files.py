"""The files of the corpus, by the folder they stand in."""

from __future__ import annotations

from pathlib import Path

import pytest

CORPUS = Path(__file__).parents[1] / "corpus"
#: What a broken file's error is called.
ERROR = ".error"
#: The formats of the corpus, by extension.
FORMATS = {".jmjp": "jmjp", ".mjson": "mjai"}


def grammar_files() -> list[Path]:
    """List the games that together use the whole grammar of jmjp."""
    return sorted((CORPUS / "grammar").glob("*.jmjp"))


def broken_files() -> list[Path]:
    """List the broken files, without their errors."""
    return sorted(path for path in (CORPUS / "broken").iterdir() if path.suffix != ERROR)


def error_of(path: Path) -> Path:
    """Give the file that holds the error of a broken one: ``x.jmjp.error`` for ``x.jmjp``."""
    return path.with_name(path.name + ERROR)


def each(files: list[Path]) -> pytest.MarkDecorator:
    """Run a test for each of the files, as `path`."""
    return pytest.mark.parametrize("path", files, ids=[path.name for path in files])
