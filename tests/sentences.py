"""The sentences of the code that the command prints for people, as the keys of the catalogues of languages.

``python tests/sentences.py`` lists the sentences that some catalogue lacks, and the entries that no sentence has.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from mjconv.languages import LANGUAGES, pieces_of

ROOT: Final = Path(__file__).parents[1]
CATALOGUES: Final = {name: ROOT / f"app/languages/{name}.json" for name in LANGUAGES if name != "en"}
#: Files whose strings are no sentences for people at the command: pages, pictures, texts that are written to
#: files, and tables that have their languages elsewhere.
_SILENT: Final = re.compile(
    r"app/(__init__|columns/(losses|schema)|command/manual|train/layout)\.py|app/languages/.*|app/__init__.py|app/score/table.py"
    r"|app/viewer/(card|position|terminal|tiles/.*)\.py|converters/[a-z]+/(sheet|yaku|grammar)\.py"
    r"|rules/(rulesets|hongkong_.*|mahjong_package|decomposition)\.py|ir/(mcr_fan|display|message_names)\.py"
)
#: What no sentence has: signs of patterns, of pages, and of types.
_OTHER: Final = re.compile(
    r"\\|</?[a-zV!]|\(\?|Callable|\w\[\w+, |_[A-Z]|=\"|utf-8$|const |translate\(|Noto|use strict|fill:|'none'|\|"
    r"|`int`|`array`"
)
#: Lists of names, commands, and parts of other texts.
_NONE: Final = frozenset((ROOT / "tests/no_sentences.txt").read_text("utf-8").splitlines())
#: Words, and names of columns, that are sentences or holes of sentences alone, or that typer prints.
WORDS: Final = (ROOT / "tests/words.txt").read_text("utf-8").splitlines()
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
#: What comes before a sentence, and does not belong to it.
_BEFORE: Final = re.compile(r"(?:mjconv: |error: |warning: |\{\}: |[;,:] )+")


def _template(text: str) -> str:
    """Return a text as a template: ``{}`` is a hole for `str.format`, and all other braces are themselves."""
    return text.replace("{", "{{").replace("}", "}}").replace("{{}}", "{}")


def templates(node: ast.expr) -> Iterator[str]:
    """Yield the templates of a string, with ``{}`` for each value; one for each case of a word that depends."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield _template(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield from map("".join, product(*(list(_part(each)) for each in node.values)))


def _part(node: ast.expr) -> Iterator[str]:
    value = node.value if isinstance(node, ast.FormattedValue) else node
    if isinstance(value, ast.IfExp) and all(isinstance(each, ast.Constant) for each in (value.body, value.orelse)):
        yield from {str(each.value) for each in (value.body, value.orelse) if isinstance(each, ast.Constant)}
    elif value is not node:
        yield "{}"
    else:
        yield from templates(node)


def key_of(template: str) -> str | None:
    """Return the key of a template, None if it is no sentence."""
    begun = _BEFORE.match(template)
    key = template[begun.end() if begun else 0 :].strip() if "\n" not in template else template.strip()
    words = len(_WORD.findall(key)) + 2 * (len(list(pieces_of(key))) > 1)
    is_sentence = words > 2 - ("{}" not in key) and " " in key and key not in _NONE and not _OTHER.search(key)
    return key if is_sentence else None


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


#: The files of data with sentences, and the texts of each that are.
_DATA: Final[dict[str, Callable[[Any], Iterable[str]]]] = {
    "app/command/headings.json": list,
    "app/command/options.json": lambda table: (
        row["help"] for part in ("rows", "commands") for row in table[part].values()
    ),
    "converters/*/format.json": _texts,
    "converters/jmjp/explain.json": _texts,
    "ir/limits.json": lambda table: (entry[0] for entry in table.values()),
    "referee/*.json": _texts,
}


@cache
def sentences() -> dict[str, str]:
    """Return the keys of all sentences, each with the first file that has it."""
    found: dict[str, str] = {}
    for folder in ("app", "ir", "rules", "referee", "converters"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not _SILENT.fullmatch(name):
                for key in _of_module(ast.parse(path.read_text("utf-8"))):
                    found.setdefault(key, name)
    for pattern, part in _DATA.items():
        for path in sorted(ROOT.glob(pattern)):
            for text in part(json.loads(path.read_text("utf-8"))):
                sentence = key_of(_template(text))
                if sentence is not None:
                    found.setdefault(sentence, path.relative_to(ROOT).as_posix())
    return found | dict.fromkeys(WORDS, "tests/sentences.py")


def _of_module(tree: ast.Module) -> Iterator[str]:
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node) is not None:
                inside.add(id(node.body[0].value))  # type: ignore[attr-defined]
        elif isinstance(node, ast.JoinedStr):
            inside.update(map(id, node.values))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "").lstrip("_") == "counted":
            nouns = (each.value for each in ast.walk(node.args[1]) if isinstance(each, ast.Constant))
            yield from (f"{{n}} {noun}" for noun in nouns if isinstance(noun, str))
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in inside:
            yield from filter(None, map(key_of, templates(node)))


if __name__ == "__main__":
    for language, path in CATALOGUES.items():
        entries, keys = json.loads(path.read_text("utf-8")), sentences()
        print(*(f"{language} lacks {key!r} of {keys[key]}" for key in keys if key not in entries), sep="\n")
        print(*(f"{language} has {key!r}, which no file has" for key in entries if key not in keys), sep="\n")
