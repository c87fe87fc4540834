"""Every message of real logs is read; those of the standard dialect are as they are written.

Runs where ``MJCONV_REAL_LOGS`` names a folder of logs.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mjconv import schemas
from mjconv.converters.interface import HEAD
from mjconv.converters.mjai.aliases import fold
from mjconv.converters.mjai.detect import recognise

LOGS = os.environ.get("MJCONV_REAL_LOGS")


def distinct_messages(folder: Path, pattern: str) -> Iterator[tuple[Path, Any]]:
    """Return each message once, with the first file that has it. Files of other formats are skipped."""
    seen: set[str] = set()
    for file in sorted(folder.glob(pattern)):
        if not recognise(file.read_bytes()[:HEAD]):
            continue
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.strip() and line not in seen:
                seen.add(line)
                value = json.loads(line)
                for message in value if isinstance(value, list) else [value]:
                    yield file, message


def refused(name: str, messages: Iterator[tuple[Path, Any]]) -> list[tuple[str, str]]:
    validator = schemas.validator(name)
    return [(file.name, error.message) for file, message in messages for error in validator.iter_errors(message)]


if LOGS:

    def test_every_message_is_read() -> None:
        assert refused("accepted/message", distinct_messages(Path(LOGS), "**/*.[mj]s*")) == []

    def test_messages_of_the_standard_dialect_are_as_they_are_written() -> None:
        for pattern in ("tenhou/mjai/*.mjson", "mjai/selfplay-*.jsonl"):
            assert refused("message", distinct_messages(Path(LOGS), pattern)) == []

    def test_other_dialects_are_as_they_are_written_once_folded() -> None:
        messages = ((file, fold(message)) for file, message in distinct_messages(Path(LOGS), "mjai/**/*.*s*"))
        assert {message for _, message in refused("message", messages)} <= {
            f"'{key}' is a required property" for key in ("bakaze", "kyoku", "honba", "kyotaku", "tsumogiri")
        }
