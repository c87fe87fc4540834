"""Makes the syntax files of VS Code and Vim from the grammar of jmjp and the vocabularies of the others.

Run it after a change of a grammar: ``python editors/make.py``. Python and VS Code read the regular expressions of
the rules. `vim_pattern` rewrites them for Vim.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from mjconv.converters.club.lines import CHOMBO
from mjconv.converters.hk.lines import FORMS
from mjconv.converters.jmjp.grammar import expression, grammar_text
from mjconv.converters.jmjp.spelling import Field
from mjconv.converters.shared.settings import NUMBER, TIES, WORDS
from mjconv.converters.uzje.detect import GAME, TAG
from mjconv.converters.uzje.spelling import HUB, RANKS, SEATS, SUITS
from mjconv.converters.uzje.words import ACTIONS, COMMANDS

FOLDER: Final = Path(__file__).parent
#: The kinds of tokens, with the scope of TextMate and the group of Vim.
SCOPES: Final = {
    "act": ("keyword.operator", "Operator"),
    "comment": ("comment.line", "Comment"),
    "name": ("entity.name.type", "Type"),
    "number": ("constant.numeric", "Number"),
    "round": ("entity.name.section", "Title"),
    "seat": ("variable.language", "Identifier"),
    "string": ("string.quoted.double", "String"),
    "tag": ("entity.name.tag", "Label"),
    "tile": ("constant.language", "Constant"),
    "word": ("keyword.control", "Keyword"),
}


class Rule(NamedTuple):
    """A token of a kind, or a text with `rules` for its parts. With an `end`, it may have many lines.

    Of two rules that match at one place, the first one counts.
    """

    kind: str
    begin: str
    end: str = ""
    rules: tuple[Rule, ...] = ()


# jmjp.

#: One sign of a regular expression, and its count; or the begin of a group.
_SIGN: Final = re.compile(r"\(\?[:=!]|(\[[^]]+\]|\\.|[^][(){}?*+|\\])([*+?]|\{[0-9]+\})?")


def _with_blanks(pattern: str) -> str:
    r"""Return a regular expression that takes blanks after each sign.

    >>> _with_blanks("[0-9]+m")
    '(?:[0-9]\\s*)+m\\s*'
    """

    def blank(found: re.Match[str]) -> str:
        sign, count = found.groups()
        return found[0] if sign is None else rf"(?:{sign}\s*){count}" if count else rf"{sign}\s*"

    return _SIGN.sub(blank, pattern)


def _one_of(expressions: Iterable[str]) -> str:
    """Return the expression of one of these, the longest first, as one may begin another."""
    return f"(?:{'|'.join(sorted(expressions, key=lambda each: (-len(each), each)))})"


def _jmjp() -> tuple[Rule, ...]:
    """Return the rules for the tokens of jmjp, of both versions."""
    text = grammar_text(0) + grammar_text(1)
    acts = set(re.findall(r'^act_\w+: "(\w+)', text, re.MULTILINE))
    words = set(re.findall(r'"(\w+)\[', text)) - acts
    names = [expression(field.upper(), 1) for field in get_args(Field)]
    names += [expression(name, 1) for name in ("MATCH_DAY_OF_WK", "ALL")]
    numbers = [expression(name, 1) for name in ("PT", "DICE_SEP", "MATCH_NUM")]
    blanks = _with_blanks
    return (
        Rule("comment", "//.*$"),
        Rule("string", '"', '"', (Rule("string", r'\\"'),)),
        # A shorthand of digits alone looks like a number.
        Rule("name", rf"(?=[0-9\s]*[a-z]){blanks(_one_of(names))}(?![a-z0-9-])"),
        Rule("word", blanks(_one_of(words)) + "(?![a-z])"),
        Rule("act", blanks(_one_of(acts)) + "(?![a-z])"),
        Rule("tile", blanks(expression("TILE", 1))),
        Rule("round", blanks(expression("FRAME_ID", 1))),
        Rule("number", blanks(_one_of(numbers))),
        Rule(
            "seat",
            f"(?<![a-z]){blanks(_one_of([expression(name, 1) for name in ('SEAT', 'TILE_FROM')]))}(?![a-z])",
        ),
    )


# Ùzje.


def _uzje() -> tuple[Rule, ...]:
    """Return the rules for an Ùzje file: paragraphs of games, of data and of prose, which empty lines end."""
    ranks, suits = f"[0{RANKS}]", f"[{''.join(SUITS)}]"
    letters = f"[{''.join(sorted(tile for tile in HUB if len(tile) == 1))}]"
    seats = f"[{''.join(sorted(set().union(*SEATS.values())))}]"
    # A hyphen is first in a class.
    commands = f"[{''.join(sorted(COMMANDS))}]"
    moves = f"[,{letters[1:-1]}{seats[1:-1]}{''.join(sorted({action.letter for action in ACTIONS}))}]"
    alone, ends = r"(?<!\S)", r"(?!\S)"
    comment = Rule("comment", r"^\s*:.*$")
    suited = Rule("tile", f"{ranks}+{suits}")
    game = (
        comment,
        Rule("comment", rf"{alone}(?:\(\S*\)|\[\S*\]|\{{\S*\}}|<\S*>){ends}"),
        Rule("round", rf"^\s*{_plain(GAME)}"),
        Rule("tile", f"{alone}(?:{suited.begin}|{letters}){ends}"),
        Rule(
            "",
            rf"{alone}{seats}{commands}\S*",
            rules=(Rule("act", f"{alone}{seats}{commands}"), suited, Rule("tile", letters)),
        ),
        Rule(
            "",
            rf"{alone}[0-9]*\.\S*",
            rules=(Rule("number", r"[0-9]*\."), suited, Rule("act", moves)),
        ),
        Rule("number", rf"{alone}[0-9]+{ends}"),
    )
    tag = Rule("tag", rf"^\s*{_plain(TAG)}")
    return (
        comment,
        Rule("", rf"^(?=\s*{_plain(GAME)})", r"^\s*$", game),
        # The reader reads a game right below data too.
        Rule("", rf"^(?=\s*{_plain(TAG)})", rf"^(?:\s*$|(?=\s*{_plain(GAME)}))", (comment, tag)),
        Rule("comment", r"^(?=\s*\S)", r"^\s*$"),
    )


def _plain(pattern: str) -> str:
    """Return a regular expression of one line, without possessive counts."""
    return re.sub(r"([+?*])\+", r"\1", pattern).replace(r"\Z", "$")


# HK.


def _hk() -> tuple[Rule, ...]:
    """Return the rules for an HK file: a rule for each form of a line, in the order of the reader."""
    word = r"[^ \t#]+"
    parts = {
        "date": (Rule("number", word),),
        "setting": (Rule("word", "[A-Z]="), Rule("number", word)),
        "names": (Rule("name", word),),
        "result": (Rule("number", "[0-9]+"), Rule("act", word)),
    }
    kinds = ("date", "setting", "names", "result")
    lines = (
        Rule("", rf"^[ \t]*{_of_words(form.pattern)}[ \t]*(?=#|$)", rules=parts[kind])
        for (form, _), kind in zip(FORMS[1:], kinds, strict=True)
    )
    return (Rule("comment", "#.*$"), *lines)


def _of_words(pattern: str) -> str:
    """Return the expression of a form for words with any blanks between them, and a comment after them."""
    return pattern.replace("[^ ", "[^\0").replace(" ", r"[ \t]+").replace("\0", r" \t#")


# Club results.

#: Patterns of signs, and the patterns with the signs of Japanese and Chinese keyboards, as the reader takes them.
_WIDE: Final = {
    ",[0-9]": r"[,，、；;\t][0-9]",
    "[0-9]": "[0-9０-９]",
    r"\.": "[.．]",
    "[-+]": "[-+＋－▲△−‐‑‒–—]",
}


def _club() -> tuple[Rule, ...]:
    """Return the rules for club results: dates, lines of settings, and games with points and names."""
    digits, number = _WIDE["[0-9]"], NUMBER.pattern
    for sign, wide in _WIDE.items():
        number = number.replace(sign, wide)
    blanks, ends = r"[ \t　:：|｜,，、；;]", r"(?=[ \t　:：|｜,，、；;=＝]|$)"
    date = rf"^[ \t　]*{digits}{{4}}[-/.年－／．]{digits}{{1,2}}[-/.月－／．]{digits}{{1,2}}日?"
    date += "(?:[ 　]?[(（][^()（）]*[)）])?"
    word = Rule("word", _one_of(map(_in_any_case, (*WORDS, *TIES))))
    rules = (Rule("comment", "[#＃].*$"), Rule("number", f"{date}{ends}"))
    setting = rf"^(?:{date[1:]})?{blanks}*{_one_of(map(_in_any_case, WORDS))}(?=[ \t　:：=＝+-]|{digits}|$)[^#＃]*"
    return (
        Rule("", setting, rules=(rules[1], word, Rule("number", number))),
        *rules,
        Rule("string", r'"(?:[^"]|"")*"'),
        Rule("number", f"{number}[点點kKｋＫ]?{ends}"),
        Rule("act", f"[-?－？▲△−‐‑‒–—]{ends}|[=＝]"),
        Rule("word", f"{_one_of(map(_in_any_case, CHOMBO))}{ends}"),
        Rule("name", '[^ \t　:：|｜,，、；;=＝"#＃]+'),
    )


def _in_any_case(word: str) -> str:
    """Return the expression of a word in large or small letters.

    >>> _in_any_case("oka")
    '[oO][kK][aA]'
    """
    return "".join(f"[{letter}{letter.upper()}]" if letter.isascii() else letter for letter in word)


LANGUAGES: Final = {"jmjp": _jmjp(), "uzje": _uzje(), "hk": _hk(), "club": _club()}


# Files.


def textmate(language: str) -> str:
    """Return the grammar of TextMate, as VS Code reads it."""
    grammar = {"name": language, "scopeName": f"source.{language}", "patterns": _patterns(language)}
    return json.dumps(grammar, indent=1) + "\n"


def _patterns(language: str, rules: Sequence[Rule] | None = None) -> list[dict[str, Any]]:
    patterns = []
    for rule in LANGUAGES[language] if rules is None else rules:
        pattern: dict[str, Any] = {"name": f"{SCOPES[rule.kind][0]}.{language}"} if rule.kind else {}
        parts = _patterns(language, rule.rules)
        if rule.end:
            pattern |= {"begin": rule.begin, "end": rule.end, "patterns": parts}
        else:
            pattern |= {"match": rule.begin} | ({"captures": {"0": {"patterns": parts}}} if parts else {})
        patterns.append(pattern)
    return patterns


def vim(language: str) -> str:
    """Return the syntax file of Vim."""
    lines = [f'" {language}; python editors/make.py made this file.', "if exists('b:current_syntax')", "  finish"]
    lines += ["endif", "syntax case match", *_vim_rules(language, LANGUAGES[language], "top")]
    lines += [f"highlight default link {language}_{kind} {group}" for kind, (_, group) in SCOPES.items()]
    return "\n".join([*lines, f"let b:current_syntax = '{language}'", ""])


def _vim_rules(language: str, rules: Sequence[Rule], cluster: str) -> Iterator[str]:
    """Yield the commands for rules, the last one first: in Vim the last command counts."""
    names = []
    for number, rule in reversed(list(enumerate(rules))):
        name = f"{language}_{rule.kind or 'text'}"
        inner = f"{cluster}_{number}"
        options = "" if cluster == "top" else " contained"
        if rule.rules:
            yield from _vim_rules(language, rule.rules, inner)
            options += f" contains=@{language}_{inner}"
        begin = vim_pattern(rule.begin)
        place = f"start='{begin}' end='{vim_pattern(rule.end)}'" if rule.end else f"'{begin}'"
        names.append(f"{name}_{inner}")
        yield f"syntax {'region' if rule.end else 'match'} {names[-1]} {place}{options}"
        if rule.kind:
            yield f"highlight default link {names[-1]} {language}_{rule.kind}"
    if cluster != "top":
        yield f"syntax cluster {language}_{cluster} contains={','.join(names)}"


_VIM_SIGN: Final = re.compile(r"\\.|\[\^?(?:\\.|[^]\\])+\]|\(\?(?:<?[=!]|:)|.")
_VIM_AFTER: Final = {"(?:": "", "(?=": "@=", "(?!": "@!", "(?<=": "@<=", "(?<!": "@<!", "(": ""}


def vim_pattern(pattern: str) -> str:
    r"""Return a regular expression as Vim writes it.

    >>> vim_pattern(r"(?<!\S)(?:B=|[0-9]+)")
    '\\v%(\\S)@<!%(B\\=|[0-9]+)'
    """
    groups: list[str] = []
    vim = [r"\v"]
    for sign in _VIM_SIGN.findall(pattern):
        if sign in _VIM_AFTER:
            groups.append(_VIM_AFTER[sign])
            vim.append("%(")
        elif sign == ")":
            vim.append(")" + groups.pop())
        else:
            vim.append("\\" + sign if sign in "=<>@%&~" else sign)
    return "".join(vim)


def files() -> dict[Path, str]:
    """Return the contents of all syntax files."""
    made = {FOLDER / f"vscode/syntaxes/{language}.tmLanguage.json": textmate(language) for language in LANGUAGES}
    return made | {FOLDER / f"vim/syntax/{language}.vim": vim(language) for language in LANGUAGES}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, "utf-8")
