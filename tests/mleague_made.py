"""The record in the page of M-League of the corpus, and pages around changed records."""

import json
from collections.abc import Sequence
from typing import Any

from corpus_files import CORPUS

Command = dict[str, Any]

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
