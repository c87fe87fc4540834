"""The syntax files of the editors colour each token of the corpus by its kind, as the readers see it."""

import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from lark import UnexpectedInput

from corpus_files import CORPUS
from editors import make
from looped import looped
from mjconv.converters.club import lines as club
from mjconv.converters.hk import lines as hk
from mjconv.converters.jmjp.grammar import fine_parser
from mjconv.converters.jmjp.text import StrippedText
from mjconv.converters.shared.settings import plainly
from mjconv.converters.uzje.paragraphs import HEADER, blocks, data_paragraphs, decode, pieces, tag_of
from mjconv.converters.uzje.spelling import HUB, split
from mjconv.converters.uzje.words import is_command
from mjconv.ir.errors import InputError, Lines
from mjconv.version import VERSION

KINDS = {scope: kind for kind, (scope, _) in make.SCOPES.items()}
#: A range of a text, and the kind that it has.
Token = tuple[int, int, str]


def corpus(language: str) -> list[Path]:
    return sorted(path for path in CORPUS.rglob(f"*.{language}*") if path.suffix in (f".{language}", ".gz"))


def data_of(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def colours(text: str, language: str) -> list[str]:
    """Return the kind of each character, as an editor that reads the grammar of TextMate shows it."""
    path = make.FOLDER / f"vscode/syntaxes/{language}.tmLanguage.json"
    top = json.loads(path.read_text("utf-8"))["patterns"]
    shown: list[str] = []
    open_rules: list[dict[str, Any]] = []
    for line in text.split("\n"):
        kinds = [""] * (len(line) + 1)
        paint(line, 0, len(line), top, open_rules, kinds)
        shown += kinds
    return shown


Rules = list[dict[str, Any]]


def paint(line: str, at: int, end: int, top: Rules, open_rules: Rules, kinds: list[str]) -> None:
    """Give each character of a part of a line its kind. `open_rules` are those that later lines continue."""
    #: The next match of each pattern. A long line would take long otherwise.
    nexts: dict[str, re.Match[str] | None] = {}
    while at <= end:
        inside = open_rules[-1] if open_rules else None
        rules: list[tuple[str, dict[str, Any]]] = [(inside["end"], {})] if inside else []
        own = (inside or {"patterns": top})["patterns"]
        rules += [(str(rule.get("match") or rule["begin"]), rule) for rule in own]
        found: list[tuple[re.Match[str], dict[str, Any]]] = []
        for pattern, rule in rules:
            known = nexts.get(pattern)
            if pattern not in nexts or (known and known.start() < at):
                known = nexts[pattern] = re.compile(pattern).search(line, at, end)
            if known and (known.end() > at or "match" not in rule):
                found.append((known, rule))
        if not found:
            colour(kinds, at, end, inside)
            return
        match, rule = min(found, key=lambda pair: pair[0].start())
        colour(kinds, at, match.start(), inside)
        colour(kinds, match.start(), match.end(), rule or inside)
        if not rule:
            open_rules.pop()
        elif "begin" in rule:
            open_rules.append(rule)
        elif "captures" in rule:
            paint(line, match.start(), match.end(), rule["captures"]["0"]["patterns"], [], kinds)
        at = match.end()


def colour(kinds: list[str], begin: int, end: int, rule: dict[str, Any] | None) -> None:
    if rule and "name" in rule:
        kinds[begin:end] = [KINDS[rule["name"].rpartition(".")[0]]] * (end - begin)


def jmjp_tokens(data: bytes) -> tuple[str, Iterator[Token]]:
    """Return the text of a file, and its tokens as lark and the reader of comments see them."""
    source = StrippedText.from_bytes(data)
    parser = fine_parser(source.major)
    rules = [rule for rule in parser.rules if rule.origin.name.startswith("act_") and rule.expansion]
    acts = {rule.expansion[0].name for rule in rules}
    kinds = {"TILE": "tile", "STRING": "string", "FRAME_ID": "round", "SEAT": "seat", "TILE_FROM": "seat"}
    kinds |= dict.fromkeys(("COMMA", "LPAR", "RPAR", "RSQB", "LSQB"), "")
    names = ("TOUR_NAME", "TOUR_STAGE", "MATCH_PLACE", "PLYER_TEAM", "PLYER_AFFIL", "MATCH_DAY_OF_WK", "ALL")
    kinds |= dict.fromkeys(names, "name") | dict.fromkeys(acts, "act")

    def tokens() -> Iterator[Token]:
        for comment in source.comments:
            yield comment.origin, comment.origin + 2 + len(comment.text), "comment"
        # The tokens before an error are checked.
        with suppress(UnexpectedInput):
            for token in parser.parse_interactive(source.stripped).iter_parse():
                kind = kinds.get(token.type, "word" if token[:1].isalpha() else "number")
                kind = "number" if kind == "name" and token.isdigit() else kind
                begin = token.start_pos or 0
                letters = [source.origin(at) for at in range(begin, begin + len(token.rstrip("[")))]
                # Rules of TextMate see one line. Only a string may go on below.
                if kind == "string" or "\n" not in source.text[min(letters, default=0) : max(letters, default=0)]:
                    yield from ((at, at + 1, kind) for at in letters if source.text[at] not in "\r\n")

    return source.text, tokens()


def uzje_tokens(data: bytes) -> tuple[str, Iterator[Token]]:
    text = decode(data, lambda _: None)

    def tokens() -> Iterator[Token]:
        for block in blocks(Lines(text), lambda _: None):
            if block.kind == "game":
                yield from uzje_game(list(pieces(block)))
            elif block.kind == "comment":
                at = block.begin
                yield from ((at + word.start(), at + word.end(), "comment") for word in words(block.text))
            else:
                for part in data_paragraphs(block):
                    at = text.index(f"{tag_of(part)[0]}:", part.begin)
                    yield at, at + len(tag_of(part)[0]) + 1, "tag"

    return text, tokens()


def words(text: str) -> Iterator[re.Match[str]]:
    return re.finditer(r"\S+", text)


def uzje_game(found: list[tuple[int, str, bool]]) -> Iterator[Token]:
    place = 0
    for at, word, is_word in found:
        kind = "comment" if not is_word else "round" if place < HEADER - 1 else "number" if place < HEADER else ""
        turn = re.fullmatch(r"([0-9]*\.)(.*)", word)
        if kind:
            yield at, at + len(word), kind
        elif turn:
            yield at, at + turn.end(1), "number"
            for move in re.finditer(r"([0-9a-fx]+[tsm])|[A-Za-z?,]", turn[2]):
                begin = at + turn.start(2)
                yield begin + move.start(), begin + move.end(), "tile" if move[1] else "act"
        elif is_command(word):
            yield at, at + 2, "act"
            # Text that is no tile has no colour.
            yield at + 2, at + (len(word) if split(word[2:]) else 2), "tile"
        elif word in HUB:
            yield at, at + len(word), "tile"
        place += is_word


def hk_tokens(data: bytes) -> tuple[str, Iterator[Token]]:
    text = data.decode("utf-8", "replace")

    def tokens() -> Iterator[Token]:
        begin = 0
        for line in text.split("\n"):
            head, sign, _ = line.partition("#")
            parsed = hk.parse(line)
            if isinstance(parsed, hk.Wrong):
                parsed = None
            if sign:
                yield begin + len(head), begin + len(line.rstrip()), "comment"
            for word in words(head) if parsed is not None else ():
                at = begin + word.start()
                if "=" in word[0] and isinstance(parsed, hk.Declaration):
                    yield at, at + 2, "word"
                    at += 2
                digits = isinstance(parsed, hk.Declaration) or word[0].isdigit()
                is_name = isinstance(parsed, hk.Names)
                yield at, begin + word.end(), "name" if is_name else "number" if digits else "act"
            begin += len(line) + 1

    return text, tokens()


def club_tokens(data: bytes) -> tuple[str, Iterator[Token]]:
    text = data.decode()
    kinds = {"quoted": "string", "number": "number", "sign": "act", "total": "act", "word": "name"}

    def tokens() -> Iterator[Token]:
        begin, state = 0, club.State()
        for line in text.split("\n"):
            before, state = state, club.read_line(line, state)[0]
            code = club.code_of(line)
            yield begin + len(code), begin + len(line), "comment"
            plain = plainly(code)
            dated = club._DATE.match(plain)
            at = dated.end() if dated else 0
            yield begin, begin + at, "number"
            if state.settings is not before.settings:
                for found in re.finditer(r"([^\W\d_]+)|[0-9.]+", plain[at:]):
                    where = begin + at
                    yield where + found.start(), where + found.end(), "word" if found[1] else "number"
            else:
                for found in club._TOKEN.finditer(plain, at):
                    kind = "word" if found[0].casefold() in club.CHOMBO else kinds.get(found.lastgroup or "")
                    if kind:
                        yield begin + found.start(), begin + found.end(), kind
            begin += len(line) + 1

    return text, tokens()


READERS = {"jmjp": jmjp_tokens, "uzje": uzje_tokens, "hk": hk_tokens, "club": club_tokens}


# The compressed files are long.
@pytest.mark.parametrize("packed", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", READERS)
def test_each_token_has_the_colour_of_its_kind(language: str, packed: bool) -> None:
    for path in corpus(language):
        if (path.suffix == ".gz") == packed:
            check_colours(path, language)


def check_colours(path: Path, language: str) -> None:
    try:
        text, tokens = READERS[language](data_of(path))
    except InputError:
        # The file is no text, or a string in it is not closed. It has no tokens.
        return
    check(text, tokens, colours(text, language), path.name)


def check(text: str, tokens: Iterator[Token], shown: list[str], name: str) -> None:
    assert len(shown) > len(text), name
    for begin, end, kind in tokens:
        assert set(shown[begin:end]) <= {kind}, (name, text.count("\n", 0, begin) + 1, text[begin:end])


@pytest.mark.slow
def test_vs_code_shows_the_same_colours_and_its_extension_is_one_file(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm")
    folder = tmp_path / "vscode"
    shutil.copytree(make.FOLDER / "vscode", folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    for words in (["install", "--no-audit", "--no-fund"], ["run", "bundle"]):
        subprocess.run([npm, *words], cwd=folder, check=True, capture_output=True, timeout=300)
    package = json.loads((folder / "package.json").read_text("utf-8"))
    bundle = (folder / package["main"]).read_text("utf-8")
    assert {name for name in re.findall(r'require\("([^"]+)"\)', bundle) if "vscode" in name} == {"vscode"}
    texts = []
    for language, reader in READERS.items():
        for path in corpus(language):
            with suppress(InputError):
                text, tokens = reader(data_of(path))
                # JavaScript counts other characters as two.
                if path.suffix != ".gz" and max(text, default="") <= "\uffff":
                    texts.append((language, text, tokens))
    grammars = sorted(map(str, (folder / "syntaxes").iterdir()))
    asked = json.dumps([(language, text) for language, text, _ in texts])
    command = ["node", str(Path(__file__).with_name("textmate.cjs")), *grammars]
    run = subprocess.run(command, cwd=folder, input=asked, check=True, capture_output=True, text=True, timeout=300)
    for (language, text, tokens), scopes in zip(texts, json.loads(run.stdout), strict=True):
        check(text, tokens, [KINDS.get(scope.rpartition(".")[0], "") for scope in scopes], language)


@pytest.mark.parametrize("language", READERS)
def test_all_kinds_of_a_language_are_in_the_corpus(language: str) -> None:
    kinds = set()
    for path in (path for path in corpus(language) if path.suffix != ".gz"):
        with suppress(InputError):
            kinds |= {kind for _, _, kind in READERS[language](data_of(path))[1]}
    written = {KINDS[scope] for scope in KINDS if f'"{scope}.{language}"' in make.textmate(language)}
    assert kinds - {""} == written


@looped("path", *make.files())
def test_the_committed_files_are_those_that_the_script_makes(path: Path) -> None:
    assert path.read_text("utf-8") == make.files()[path]


def test_the_extension_has_all_files_that_it_names() -> None:
    folder = make.FOLDER / "vscode"
    package = json.loads((folder / "package.json").read_text("utf-8"))
    parts = package["contributes"]
    assert [part["id"] for part in parts["languages"]] == list(make.LANGUAGES)
    assert package["version"] == VERSION
    named = [part["configuration"] for part in parts["languages"]]
    named += [part["path"] for part in (*parts["grammars"], *parts["snippets"])]
    for name in named:
        json.loads((folder / name).read_text("utf-8"))
    assert (folder / package["icon"]).read_bytes().startswith(b"\x89PNG")
    # The server is given each setting under its own name.
    options = {name.removeprefix("mjconv."): each for name, each in parts["configuration"]["properties"].items()}
    del options["command"]
    assert {each["default"] for each in options.values()} == {False}
    given = ", ".join(f'{name}: setting("{name}")' for name in options)
    assert f"{{ {given} }}" in (folder / "extension.js").read_text("utf-8")
