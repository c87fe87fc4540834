"""The languages of the viewer: their tags, and simplified Chinese as the page has it."""

import pytest

import mjconv
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.languages import Language, language_of
from mjconv.rules.rulesets import all_rulesets
from mjconv.viewer.text import text_lines
from mjconv.viewer.words import Speaker


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
