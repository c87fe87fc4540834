"""The corpus of Ùzje keeps its word: games in every form, every action and omission, and broken files."""

from pathlib import Path

from corpus_files import CORPUS
from looped import looped
from trips import read, write

GAMES = sorted((CORPUS / "uzje").glob("*.uzje"))
#: The same games in each form; in `omissions` left out what chance would have.
FORMS = {"short": "uzje", "actions": "uzje-long", "commands": "uzje-commands", "omissions": None}


def contents(name: str) -> bytes:
    return (CORPUS / "uzje" / f"{name}.uzje").read_bytes()


@looped("path", *GAMES)
def test_a_game_is_read_without_a_warning(path: Path) -> None:
    assert read(path.read_bytes(), "uzje").warnings == []


@looped(("name", "flavour"), *[(n, f) for n, f in FORMS.items() if f])
def test_each_form_is_what_the_others_are_written_as(name: str, flavour: str) -> None:
    for other in FORMS:
        assert write(read(contents(other), "uzje").matches, flavour).data == contents(name)


def test_the_sample_in_mjai_is_the_game_with_riichi() -> None:
    sample = (CORPUS / "sample" / "game.mjson").read_bytes()
    assert write(read(sample, "mjai").matches, "uzje").data == contents("riichi")
    assert write(read(contents("riichi"), "uzje").matches, "mjai").data == sample
