"""Messages in the language of the person: what has a translation, where it is printed, and where it never is."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from string import Formatter
from time import process_time

import pytest
from given import Run

from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.languages import Catalogue, Language, chosen, current, translated
from mjconv.serve.worker import Request, answer
from sentences import CATALOGUES, sentences

#: A file with errors: a seat accepts a riichi that it has not declared.
BROKEN = CORPUS / "broken/accepted-without-riichi.mjson"

languages = pytest.mark.parametrize("language", CATALOGUES)


def entries(language: Language) -> dict[str, str]:
    found: dict[str, str] = json.loads(CATALOGUES[language].read_text("utf-8"))
    return found


def holes(template: str) -> list[str]:
    """Return the numbers of the holes of a template; those without a number are counted."""
    found = [hole for _, hole, _, _ in Formatter().parse(template) if hole is not None]
    return sorted(hole or str(number) for number, hole in enumerate(found))


@languages
def test_a_translation_has_the_holes_of_its_sentence_and_they_touch_as_there(language: Language) -> None:
    """All text of holes that touch each other is found for the last of them: the others are empty."""
    for key, text in entries(language).items():
        assert holes(key) == holes(text), key
        assert key.count("}{") == text.count("}{"), key


@languages
def test_each_sentence_of_the_code_has_a_translation_and_no_entry_is_left(language: Language) -> None:
    """``python tests/sentences.py`` lists sentences without a translation, and the reverse."""
    assert entries(language).keys() == sentences().keys()


@looped(
    ("variables", "language"),
    ({}, "en"),
    ({"LANG": "ja_JP.UTF-8"}, "ja"),
    ({"LANG": "zh_CN.GB18030"}, "zh-Hans"),
    ({"LANG": "zh_TW.UTF-8"}, "zh"),
    ({"LANG": "de_DE.UTF-8"}, "en"),
    ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "C"}, "en"),
    ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ja_JP", "LC_ALL": ""}, "ja"),
)
def test_the_environment_names_the_language(
    monkeypatch: pytest.MonkeyPatch, variables: Mapping[str, str], language: Language
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, variables.get(name, ""))
    assert current() == language


@pytest.mark.parametrize(
    "words", [["--lang", "ja", "info"], ["info", "--lang=ja"], ["info", "-q", "--lang", "ja"]]
)
def test_the_option_may_be_anywhere(run: Run, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "empty").touch()
    assert "エラー" in run(*words, tmp_path / "empty").err


def test_wrong_usage_and_help_are_translated(run: Run) -> None:
    refused = run("formats", "--lang", "ja", "--nothing").err
    assert "使い方: mjconv formats" in refused
    assert "エラー: そのようなオプションはありません: --nothing" in refused
    assert run("formats", "--help", "--lang", "zh").out.decode().startswith("用法: mjconv formats")


def test_no_line_of_a_help_is_wider_than_a_terminal(run: Run) -> None:
    from mjconv.ir.errors import width

    assert max(map(width, run("--help", "--lang", "ja").out.decode().splitlines())) <= 80


def test_files_are_the_same_in_all_languages(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = SAMPLE
    written = []
    for tag in ("C", "ja_JP.UTF-8", "zh_CN.UTF-8"):
        monkeypatch.setenv("LC_ALL", tag)
        printed = [run("validate", BROKEN, "--format", form).out for form in ("json", "github", "sarif")]
        (folder := tmp_path / "all").mkdir()
        run(good, "-o", folder / "game.jmjp", "--report", folder / "losses.json")
        run("batch", BROKEN, good, "-o", folder / "out", "--to", "jmjp", "--jobs", "1")
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        written.append((printed, [file.read_bytes() for file in files]))
        shutil.rmtree(folder)
    assert len(written[0][1]) > 4
    assert written[0] == written[1] == written[2]


def test_a_hostile_text_is_translated_in_time() -> None:
    begin = process_time()
    with chosen.using("ja"):
        for text in ("a: " * 1300, "error: " * 570, ", but {} is; (" * 280, "x is y, but z is " * 230, "(" * 4000):
            assert translated(text).count("\n") == 0
    assert process_time() - begin < 2


def test_the_longest_template_counts() -> None:
    found = Catalogue({"{} is {}": "{}は{}", "{} is no tile": "{}は牌でない"})
    assert found.translated("game.txt: 5z is no tile") == "game.txt: 5zは牌でない"


def test_the_served_page_has_the_readers_language_and_the_api_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    body = BROKEN.read_bytes()
    pages = [answer(Request("", {"name": "a.mjson", "lang": tag}, "", body)).data.decode() for tag in ("zh", "")]
    assert "no riichi" not in pages[0]
    assert "no riichi" in pages[1]
    api = answer(Request("validate", {"name": "a.mjson", "format": "text"}, "", body)).data.decode()
    assert "no riichi" in api


def test_a_list_whose_first_part_has_a_comma_is_translated_part_by_part(run: Run) -> None:
    found = run("validate", CORPUS / "broken/full-width-bracket.jmjp", "--lang", "ja").out.decode()
    assert '必要なのは 5m, ew, uk のような牌, "ch["' in found


def test_fates_and_remarks_of_losses_are_translated(run: Run) -> None:
    for language, fate, remark in (("ja", "別の値があります", "すべての手牌"), ("zh", "另一個值", "所有手牌")):
        assert fate in run("explain", "approximated", "--lang", language).out.decode()
        words = (CORPUS / "tenhou/hanchan.mjlog", "--seat", "0", "-o", "x.mjson", "--lang", language)
        assert remark in run(*words).err
