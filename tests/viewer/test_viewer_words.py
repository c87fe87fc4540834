"""The words of the viewer: each has a text in every language, and every sentence takes the same values in each."""

import re
from collections.abc import Mapping

from looped import looped
from mjconv.ir.tiles import TILES
from mjconv.ir.vocabulary import REASONS, YAKU
from mjconv.languages import LANGUAGES
from mjconv.viewer.words import Speaker, catalogue, texts


@looped("language", *LANGUAGES)
def test_a_language_has_every_word_and_a_sentence_takes_the_same_values_in_it(language: str) -> None:
    """The keys have one order, so that a word is at the same place of each file."""

    def gaps(words: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        return [(key, sorted(set(re.findall(r"\{\w+\}", text)))) for key, text in words.items() if text]

    assert gaps(catalogue(language)) == gaps(catalogue("en"))


def test_every_tile_yaku_and_reason_has_a_name_in_every_language() -> None:
    keys = [
        *(f"tile.{tile}" for tile in TILES),
        *(f"yaku.{name}" for name in YAKU),
        *(f"reason.{name}" for name in REASONS),
    ]
    assert all(texts(language)[key] for key in keys for language in LANGUAGES)


def test_tiles_of_one_language_differ() -> None:
    for language in LANGUAGES:
        names = [texts(language)[f"tile.{tile}"] for tile in TILES]
        assert len(set(names)) == len(names)


def test_values_are_filled_in_by_their_kind() -> None:
    names = ["East", "South"]
    assert Speaker("en", names=names).say(("stick", 1, 1000)) == "South pays a riichi stick of 1,000."
    assert Speaker("zh", names=names).say(("chi", 0, "5pr", ("4p", "6p"))) == "East以四筒、六筒吃赤五筒"
    won = ("win.value", ("won.tsumo", 0, "E"), ("value.worth", ("value.limit", "limit.mangan"), 8000))
    assert Speaker("ja", names=names).say(won) == "East 東でツモ和了　満貫 8,000点"


def test_a_text_of_the_record_is_no_template() -> None:
    assert Speaker("en").say(("stopped", "{s0} {t9}")) == "The record cannot be played on: {s0} {t9}"
    assert Speaker("en").say(("drawn", "{s5}")) == "The round is drawn: {s5}."
