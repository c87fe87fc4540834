"""Words and languages of the viewer: a text in every language, with the same values; tags; simplified Chinese."""

import re
from collections.abc import Mapping

import pytest

import mjconv
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import TILES
from mjconv.ir.vocabulary import REASONS, YAKU
from mjconv.languages import LANGUAGES, Language, language_of
from mjconv.rules.rulesets import all_rulesets
from mjconv.viewer.text import text_lines
from mjconv.viewer.words import Speaker, catalogue, texts


@looped("language", *LANGUAGES)
def test_a_language_has_every_word_and_a_sentence_takes_the_same_values_in_it(language: str) -> None:
    """The keys have one order, so that a word is at the same place of each file."""

    def gaps(words: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        return [(key, sorted(set(re.findall(r"\{\w+\}", text)))) for key, text in words.items() if text]

    assert gaps(catalogue(language)) == gaps(catalogue("en"))


def test_every_tile_yaku_and_reason_has_a_name_in_every_language() -> None:
    named = {"tile": TILES, "yaku": YAKU, "reason": REASONS}
    keys = [f"{kind}.{name}" for kind, names in named.items() for name in names]
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


@looped(
    ("tag", "language"),
    ("zh-CN", "zh-Hans"),
    ("zh_SG", "zh-Hans"),
    ("zh-Hans-HK", "zh-Hans"),
    ("zh-TW", "zh"),
    ("zh", "zh"),
    ("EN-gb", "en"),
)
def test_a_tag_names_a_language_and_its_script(tag: str, language: Language) -> None:
    assert language_of(tag) == language


def test_text_of_simplified_chinese_has_no_traditional_sign() -> None:
    deal = ev.StartRound("E", kyoku=1, honba=0, tehais=(("?",) * 13,) * 4)
    match = Match(rounds=[Round([deal, ev.Draw(0, "C"), ev.Riichi(0)])])
    plain, simple = ("\n".join(text_lines([match], language)) for language in ("zh", "zh-Hans"))
    for traditional, simplified in (("東", "东"), ("0本場", "0本场")):
        assert (traditional in plain, simplified in simple, traditional in simple) == (True, True, False)
    assert Speaker("zh-Hans").word("answer.unnamed") == "应答"


def test_a_simplified_name_of_a_yaku_has_no_sign_of_its_traditional_name_alone() -> None:
    """The rules have the names in both scripts."""
    for rules in all_rulesets():
        for name, term in rules.names().items():
            shown = Speaker("zh-Hans").word(f"yaku.{name}")
            assert shown == term.simplified or set(shown).isdisjoint(set(term.traditional) - set(term.simplified))


@looped(("word", "end"), ("jp", "did you mean ja?"), ("cn", "did you mean zh-CN?"), ("pt", "'pt'"))
def test_another_language_is_refused_with_the_one_that_was_meant(word: str, end: str) -> None:
    with pytest.raises(mjconv.UsageError) as refused:
        mjconv.view(Match(), lang=word)
    assert "--lang takes en, ja, zh, zh-Hans" in str(refused.value)
    assert str(refused.value).endswith(end)
