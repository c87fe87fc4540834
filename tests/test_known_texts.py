"""The examples of the standards are theirs: no file of the project repeats them.

The texts of the standards are no part of the project. The comparison runs where they are: in the folder that the
variable ``MJCONV_KNOWN_TEXTS`` names, or in ``shared/seeds`` beside the clone.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mjconv import hk_score_files

ROOT = Path(__file__).parents[1]
FOLDER = Path(os.environ.get("MJCONV_KNOWN_TEXTS") or ROOT.parent / "shared" / "seeds")
#: Folders of tools, and links to files that are read already.
NOT_OURS = {".git", ".venv", "build", "dist", "__pycache__", ".hypothesis", "node_modules", "links"}
#: So many words in a row are a text of somebody, and not chance. A dealt hand has 13 tiles.
WORDS = 7
TILES = 13


def runs_of_words(text: str) -> Iterator[tuple[str, ...]]:
    """Yield each run of words. Quoted tokens of a grammar are the names of the standard: they are no words."""
    words = [word for word in text.split() if word[0] not in "\"'`|{"]
    return zip(*(words[first:] for first in range(WORDS)), strict=False)


def json_values(text: str) -> Iterator[Any]:
    """Yield each JSON object of a text, and each list in it."""
    decoder = json.JSONDecoder()
    for opening in re.finditer(r"[{\[]", text):
        try:
            value, _ = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        yield value


def spelled(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def is_chosen(value: Any) -> bool:
    """Return whether somebody chose values, so that an example of our own has others.

    The keys, the types, the four seats and hidden tiles are the standard's, and a draw or a discard is one of few.
    Any record has such messages.
    """
    if isinstance(value, list):
        return len(value) >= TILES and all(isinstance(tile, str) for tile in value) and set(value) != {"?"}
    if value.get("type") in ("tsumo", "dahai") and value.keys() <= {"type", "actor", "pai", "tsumogiri"}:
        return False
    return any(key not in ("type", "actor") and word != "?" for key, word in value.items())


class KnownTexts:
    """The examples and sentences of texts that are not ours."""

    def __init__(self, texts: list[str]) -> None:
        self.runs = {run for text in texts for run in runs_of_words(text)}
        self.values = {spelled(value) for text in texts for value in json_values(text) if is_chosen(value)}

    def repeated_in(self, text: str) -> set[str]:
        """Return the examples and the runs of words that a text repeats."""
        runs = {" ".join(run) for run in self.runs.intersection(runs_of_words(text))}
        return runs | self.values.intersection(map(spelled, json_values(text)))


@pytest.fixture(scope="module")
def texts() -> list[str]:
    if not FOLDER.is_dir():
        pytest.skip("the texts of the standards are not here: MJCONV_KNOWN_TEXTS names their folder")
    return [path.read_text("utf-8") for path in sorted(FOLDER.iterdir())]


def files() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file of the project."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in NOT_OURS and not name.endswith(".egg-info"))
        for path in (Path(folder, name) for name in sorted(names)):
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(ROOT).as_posix(), path.read_bytes().decode("utf-8", "replace")


def test_no_file_repeats_a_known_text(texts: list[str]) -> None:
    known = KnownTexts(texts)
    assert len(known.values) >= 10
    repeated = {name: known.repeated_in(text) for name, text in files()}
    assert len(repeated) > 500
    assert {name: parts for name, parts in repeated.items() if parts} == {}


def test_the_scorers_own_example_has_the_scorers_own_table(texts: list[str], tmp_path: Path) -> None:
    [text] = (text for text in texts if "mahjong-scorer" in text)
    scores, table = re.search(r"^(B=.*?)^the output.*?^(name .*?)^$", text, re.DOTALL | re.MULTILINE).groups()  # type: ignore[union-attr]
    path = tmp_path / "scores.hk"
    path.write_text(scores, "utf-8")
    assert hk_score_files([path]).tsv().replace("\t", " ") == table


def test_a_repeated_example_is_noticed_whatever_its_layout() -> None:
    hand = '["1m","2m","3m","4m","5m","6m","7m","8m","9m","E","S","W","N"]'
    known = KnownTexts([f'{{"type":"pon","actor":1,"pai":"C"}}\n{hand}'])
    assert known.repeated_in('x { "actor": 1, "type": "pon",\n "pai": "C" } y')
    assert known.repeated_in(f'{{"type":"start_kyoku","tehais":[{hand}]}}')
    assert not known.repeated_in('{"type":"pon","actor":2,"pai":"C"}')


def test_a_repeated_sentence_is_noticed_whatever_its_lines() -> None:
    known = KnownTexts(["- - - f  # the loser of this game pays"])
    assert known.repeated_in("A B C D\n- - - f # the loser\nof this game pays")
    assert not known.repeated_in("- 3 - -  # the loser of this match pays")


def test_messages_that_every_record_has_are_nobodys() -> None:
    usual = '{"type":"end_game"} {"type":"reach","actor":1} {"type":"tsumo","actor":0,"pai":"?"}'
    assert not KnownTexts([usual]).values
