"""Everything that ever did harm, once more: a file each, kept as it was found or as short as it could be made."""

from __future__ import annotations

from pathlib import Path

from corpus_files import CORPUS, each
from fuzz.trial import Trial
from mjconv.converters import formats

CRASHES = sorted((CORPUS / "crashes").iterdir())


@each(CRASHES)
def test_what_did_harm_does_none_any_more(path: Path) -> None:
    [(form, _)] = formats.by_extension(path.name)
    Trial(form, path.read_bytes(), tuple(formats.known_names())).run()


def test_there_is_one_of_each_notation_that_was_broken() -> None:
    assert {path.name.partition(".")[2].removesuffix(".gz") for path in CRASHES} >= {"mjson", "jmjp", "uzje"}
