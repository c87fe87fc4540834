"""The tables of jmjp's parser: they parse as lark does, and a file of tables that does not fit is not used."""

from __future__ import annotations

import json
import random
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, UnexpectedInput

import mjconv
from corpus_files import CORPUS
from logs import Log, logs
from mjconv.converters.jmjp import grammar, syntax, tables
from mjconv.converters.jmjp.syntax import Builder, RefusedValueError
from mjconv.converters.jmjp.tables import Mismatch, TableParser, Tables
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir.errors import InputError

TEXTS = sorted(
    path for folder in ("sample", "grammar", "broken", "crashes") for path in (CORPUS / folder).rglob("*.jmjp")
)
#: What an edit of a text may insert.
WORDS = [*"()[],0123456789eswn?-.", "frm[", "hnd[", "5m", "uk", ",tg", 'snt["', '"]', "ply[", "oy", "E1-0", "mtp["]

BY_TABLES = {major: TableParser(Tables(tables.made(major)), Builder(major)) for major in (0, 1)}
BY_LARK: dict[int, Lark] = {major: grammar.load(major, fine=False, transformer=Builder(major)) for major in (0, 1)}


def stripped(data: bytes) -> tuple[str, int] | None:
    try:
        source = StrippedText.from_bytes(data)
    except InputError:
        return None
    return source.stripped, source.major


def outcome(parser: Any, text: str) -> object:
    """Return the matches of a text, the error of a value, or None where the text is not in the language."""
    try:
        return parser.parse(text)
    except RefusedValueError as error:
        return error.message, error.offset
    except (UnexpectedInput, Mismatch):
        return None


def edited(text: str, seed: int) -> Iterator[str]:
    chosen = random.Random(seed)
    for _ in range(12):
        at = chosen.randrange(len(text) + 1)
        yield text[:at] + chosen.choice(["", *WORDS]) + text[at + chosen.choice([0, 0, 1, 1, 2, 7]) :]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_text_of_the_corpus_parses_as_with_lark(path: Path) -> None:
    found = stripped(path.read_bytes())
    if found is None:
        return
    text, major = found
    assert outcome(BY_TABLES[major], text) == outcome(BY_LARK[major], text)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_edited_texts_parse_as_with_lark(path: Path) -> None:
    found = stripped(path.read_bytes())
    if found is None:
        return
    text, major = found
    for other in edited(text, seed=len(text)):
        assert outcome(BY_TABLES[major], other) == outcome(BY_LARK[major], other), other


def test_some_texts_are_in_the_language_and_some_are_not() -> None:
    outcomes = [
        outcome(BY_TABLES[major], text) for text, major in filter(None, map(stripped, map(Path.read_bytes, TEXTS)))
    ]
    assert any(isinstance(each, list) for each in outcomes)
    assert any(isinstance(each, tuple) for each in outcomes)
    assert None in outcomes


@pytest.mark.parametrize("log", logs(4), ids=str)
def test_converted_logs_parse_as_with_lark(log: Log) -> None:
    found = stripped(mjconv.convert(log.data, source="mjai", target="jmjp").data)
    assert found is not None
    text, major = found
    assert isinstance(outcome(BY_TABLES[major], text), list)
    for each in (text, *edited(text, seed=log.length)):
        assert outcome(BY_TABLES[major], each) == outcome(BY_LARK[major], each)


def test_the_tables_of_the_package_are_those_that_lark_makes() -> None:
    """An installed package has the file; a clone that is not installed has none."""
    try:
        shipped = json.loads(grammar.read_file(tables.FILE))
    except OSError:
        pytest.skip("this package was not built: it has no file of tables")
    assert shipped == json.loads(tables.content())


def test_the_build_makes_the_same_tables() -> None:
    setup = runpy.run_path(str(CORPUS.parent / "setup.py"))
    assert setup["tables"]() == tables.content()
    assert Path(setup["TABLES"]).name == tables.FILE


class TestTheFile:
    @pytest.fixture
    def read(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
        """Replace files of the package by those of the returned dictionary."""
        replaced: dict[str, bytes] = {tables.FILE: tables.content()}
        original = grammar.read_file
        monkeypatch.setattr(
            tables, "read_file", lambda name: replaced[name] if name in replaced else original(name)
        )
        syntax._table_parser.cache_clear()
        yield replaced
        syntax._table_parser.cache_clear()

    def test_is_used_without_lark(self, read: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(syntax, "_coarse_parser", None)
        assert tables.FILE in read
        assert len(mjconv.read(CORPUS / "sample" / "game.jmjp").rounds) == 3

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"digest":"","versions":{}}', b"\xff"])
    def test_that_is_none_is_ignored(self, read: dict[str, bytes], content: bytes) -> None:
        read[tables.FILE] = content
        assert tables.load(1) is None
        assert len(mjconv.read(CORPUS / "sample" / "game.jmjp").rounds) == 3

    @pytest.mark.parametrize("source", tables.SOURCES)
    def test_of_an_older_source_is_ignored(self, read: dict[str, bytes], source: str) -> None:
        assert tables.load(1) is not None
        read[source] = grammar.read_file(source) + b"\n"
        assert tables.load(1) is None

    def test_keeps_messages_of_errors_as_lark_gives_them(self, read: dict[str, bytes]) -> None:
        text = (CORPUS / "sample" / "game.jmjp").read_bytes().replace(b"(e,4s,tg)", b"(e,4s,xx)", 1)
        messages = []
        for _ in range(2):
            with pytest.raises(InputError) as error:
                list(mjconv.convert(text, source="jmjp", target="mjai").data)
            messages.append(str(error.value))
            read[tables.FILE] = b""
            syntax._table_parser.cache_clear()
        assert messages[0] == messages[1]
        assert re.search(r"found .*xx.*, expected", messages[0])
