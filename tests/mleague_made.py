"""The record in the page of M-League of the corpus, edits of records, and pages around them."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from corpus_files import CORPUS

Command = dict[str, Any]
#: An edit returns the command at which its mistake is found.
Edit = Callable[[list[Command]], Command]
Find = Callable[[list[Command]], int]

PAGE = (CORPUS / "mleague/game.html").read_bytes()
_BEFORE, _, _REST = PAGE.decode().partition("true, true, '")
_RECORD, _, _AFTER = _REST.partition("', autoplay")
_DATE = "2031/04/01 (火) 19:00 〜 20:30"


def record() -> list[Command]:
    """Return the commands of the page: seven rounds of players who like kans."""
    commands: list[Command] = json.loads(_RECORD)
    return commands


def page(commands: Sequence[Command], date: str = _DATE, escaped: bool = False) -> bytes:
    """Return the page around another record. `escaped`: its text has escapes of JavaScript."""
    text = json.dumps(commands, ensure_ascii=False, separators=(",", ":"))
    if escaped:
        text = json.dumps(commands).replace("\\", "\\\\").replace("'", "\\'").replace("/", "\\/")
    return f"{_BEFORE.replace(_DATE, date)}true, true, '{text}', autoplay{_AFTER}".encode()


def the(cmd: str, number: int = 0, *words: str) -> Find:
    """Find a command: the `number`th one of a kind whose arguments have these words."""
    return lambda found: [
        index for index, each in enumerate(found) if each["cmd"] == cmd and {*words} <= {*each["args"]}
    ][number]


def at(find: Find, change: Callable[[list[Any]], object]) -> Edit:
    """Return an edit of the arguments of a command."""

    def edit(found: list[Command]) -> Command:
        command = found[find(found)]
        change(command["args"])
        return command

    return edit


def put(find: Find, position: int, value: object) -> Edit:
    """Return an edit that types another argument."""
    return at(find, lambda args: args.__setitem__(position, value))


def drop(find: Find, near: int = 0) -> Edit:
    """Return an edit that leaves a command out; found is the one that takes its place, or one near it."""

    def edit(found: list[Command]) -> Command:
        index = find(found)
        del found[index]
        return found[index + near]

    return edit
