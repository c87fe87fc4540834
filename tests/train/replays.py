"""Share between the tests of decisions: replays of records, and real logs where there are any."""

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import mjconv
from mjconv.converters import formats
from mjconv.converters.interface import HEAD, Reading
from mjconv.ir.losses import Report
from mjconv.source import source_of
from mjconv.train.answers import EngineAnswer
from mjconv.train.replay import Replayed, replayed

REAL = os.environ.get("MJCONV_REAL_LOGS")


def readings(data: bytes, name: str | None = "game.mjson", form: str | None = None) -> Iterator[Reading]:
    return source_of(data, form, name).readings(Report(walls=False))


def rounds(data: bytes, name: str | None = "game.mjson", form: str | None = None) -> list[Replayed]:
    return [each for reading in readings(data, name, form) for each in replayed(reading)]


def shown(answers: list[EngineAnswer]) -> list[dict[str, Any]]:
    """Return all of the answers that can be compared: the seat, the action, the legal ones, and the features."""
    return [
        {
            "seat": one.seat,
            "taken": (one.taken.encode(), json.loads(one.taken.to_mjai())),
            "legal": [action.to_mjai() for action in one.legal],
            "mask": one.observation.mask(),
            "features": one.observation.encode(),
        }
        for one in answers
    ]


def dialect(data: bytes) -> bytes:
    """Return a log in the spelling of the engine."""
    return mjconv.convert(data, source="mjai", target="mjai-riichienv", plain=True, fill=True).data


def real_games() -> list[Path]:
    """Return the real files, but each game once that is there in several formats."""
    return [*{path.stem: path for path in real_files()}.values()]


@cache
def real_files() -> list[Path]:
    """Return the records of riichi in the folder of real logs, else those of the corpus."""
    corpus = Path(__file__).parents[2] / "corpus"
    folders = (
        [Path(REAL)] if REAL else [corpus / name for name in ("majiang", "majsoul", "mjx", "tenhou", "riichicity")]
    )
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    forms = {path: formats.of_file(path.name, path.read_bytes()[:HEAD]) for path in paths if path.suffix != ".url"}
    return [path for path, form in forms.items() if form is not None and form.holds.has("riichi")]
