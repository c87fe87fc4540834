"""The files of the corpus, by folder."""

from collections.abc import Callable
from pathlib import Path

from looped import Test, looped
from mjconv.converters import formats

CORPUS = Path(__file__).parents[1] / "corpus"
#: The sample: a game in mjai, and the same game as it is typed in jmjp.
SAMPLE = CORPUS / "sample" / "game.mjson"
TYPED = (CORPUS / "sample" / "game.jmjp").read_text("utf-8")
#: The ending of the file that holds the error of a broken file.
ERROR = ".error"
#: The formats of the corpus, by extension.
FORMATS = {
    extension: form.id
    for form in formats.FORMATS
    for extension in form.files.extensions
    if extension not in form.files.shared
}


def grammar_files() -> list[Path]:
    """List the games that together use the whole grammar of jmjp."""
    return sorted((CORPUS / "grammar").glob("*.jmjp"))


def broken_files(folder: Path = CORPUS) -> list[Path]:
    return sorted(path for path in (folder / "broken").iterdir() if path.suffix != ERROR)


def error_of(path: Path) -> Path:
    """Return the file that holds the error of a broken file: ``x.jmjp.error`` for ``x.jmjp``."""
    return path.with_name(path.name + ERROR)


def each(files: list[Path]) -> Callable[[Test], Test]:
    """Return a decorator that calls a test for each of the files, as its argument `path`."""
    return looped("path", *files, ids=[path.name for path in files])
