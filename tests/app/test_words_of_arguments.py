"""Arguments of the library that take one of a few words, or one type: others are refused."""

from pathlib import Path
from typing import Any

import pytest

import mjconv
from looped import looped

GAME = b'{"type":"start_game"}\n{"type":"end_game"}\n'
CALLS: dict[str, Any] = {
    "level is one of syntax, order, rules": [
        lambda: mjconv.check(mjconv.Match(), level="rule"),  # type: ignore[arg-type]
        lambda: mjconv.validate(GAME, level="rule"),  # type: ignore[arg-type]
        lambda: mjconv.validate(Path("missing"), level="rule"),  # type: ignore[arg-type]
    ],
    "errors is one of raise, skip": [
        lambda: mjconv.iter_matches("missing", errors="ignore"),  # type: ignore[arg-type]
        lambda: mjconv.iter_records("missing", errors=None),  # type: ignore[arg-type]
    ],
    "facts takes a match or a record, not .*: mjconv.read reads a file": [
        lambda: mjconv.facts("game.mjson"),  # type: ignore[arg-type]
        lambda: mjconv.facts(Path("game.mjson")),  # type: ignore[arg-type]
    ],
}


@looped(("message", "call"), *[(each, call) for each, calls in CALLS.items() for call in calls])
def test_an_unknown_word_is_refused_at_the_call(message: str, call: Any) -> None:
    with pytest.raises(mjconv.UsageError, match=message):
        call()


def test_decisions_refuse_it_at_the_call_too() -> None:
    pytest.importorskip("riichienv")
    with pytest.raises(mjconv.UsageError, match="errors is one of raise, skip"):
        mjconv.decisions("missing", errors="ignore")  # type: ignore[arg-type]
