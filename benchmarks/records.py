"""Records as platforms and simulators write them: those of the folder of real logs, else those of the corpus.

Each file is a `Game` whose path is the file, and whose lines are the messages of mjai that the file becomes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from gzip import compress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import orjson

import mjconv
from benchmarks.games import REAL_LOGS, Game
from benchmarks.sides import Side, in_format
from mjconv.converters import formats, hub
from mjconv.converters.interface import HEAD, WriteOptions
from mjconv.converters.majsoul.protobuf import ProtobufDecoder
from mjconv.converters.shared.originals import without
from mjconv.ir.losses import Report

#: The formats with records of platforms and simulators, and the patterns of their files in a folder of their name.
RECORDED: Final = {
    "tenhou": ("mjlog/*.mjlog", "*.mjlog"),
    **dict.fromkeys(("majsoul", "riichicity", "mleague", "majiang", "mjx"), ("*.json",)),
}
_ROOT: Final = Path(__file__).parents[1]
_REPLY_HEAD: Final = 3


def records_of(form: str) -> Callable[[list[Game]], list[Game]]:
    """Return a function that returns the records of a format, in place of the games."""

    def take(games: list[Game]) -> list[Game]:
        return [_record(path, form, games[0].folder) for path in _paths(form)]

    return take


def _paths(form: str) -> Iterator[Path]:
    logs = os.environ.get(REAL_LOGS)
    real = _files(Path(logs, form), form) if logs else []
    for path in real or _files(_ROOT / "corpus" / form, form):
        found = formats.of_file(path.name, path.read_bytes()[:HEAD])
        if found is not None and found.id == form:
            yield path


def _files(folder: Path, form: str) -> list[Path]:
    return sorted(path for pattern in RECORDED[form] for path in folder.glob(pattern))


def _record(path: Path, form: str, folder: Path) -> Game:
    data = mjconv.convert(path.read_bytes(), source=form, target="mjai", plain=True).data
    return Game(path, data, tuple(data.splitlines()), folder)


def convert_records(form: str) -> Side:
    """Return a side that converts the records of a format to mjai, with notes."""
    return Side(
        f"{form} records -> mjai",
        lambda game: game.path.read_bytes(),
        lambda data: mjconv.convert(data, source=form, target="mjai").data,
    )


def convert_back(form: str, *, original: bool) -> Side:
    """Return a side that converts mjai with notes, made of the records of a format, back to that format.

    Where `original` is false, the notes hold no originals: the records are rendered from what the hub holds.
    """
    home, away = formats.find(form)[0], formats.find("mjai")[0]

    def over(game: Game) -> bytes:
        matches = hub.read_matches(home, game.path.read_bytes(), Report())
        kept = matches if original else [without(match) for match in matches]
        return hub.written(away, kept, Report(), WriteOptions())

    return Side(
        f"mjai -> {form} records{'' if original else ', without originals'}",
        over,
        lambda data: mjconv.convert(data, source="mjai", target=form).data,
    )


#: The ways back to records: each with originals and without, where a format keeps them and renders others.
WAYS_BACK: Final = tuple(
    (form.id, original)
    for form, _ in map(formats.find, RECORDED)
    for original in (True, False)
    if (form.original if original else form.writes)
)


def _texts(game: Game) -> tuple[tuple[bytes, ...], list[bytes]]:
    """Return the lines of mjai, and the texts of JSON in a record: lines, or one text and those in its strings."""
    data = game.path.read_bytes()
    if not data.startswith((b"{", b"[")):
        return game.lines, []
    lines = [line for line in data.splitlines() if line]
    try:
        values = [orjson.loads(line) for line in lines]
    except orjson.JSONDecodeError:
        lines = [data]
        values = [orjson.loads(data)]
    return game.lines, [*lines, *_inner(values)]


def _inner(value: Any) -> Iterator[bytes]:
    if isinstance(value, str):
        if value.startswith("{"):
            yield value.encode()
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _inner(part)


def _floor(case: tuple[Sequence[bytes], Sequence[bytes]]) -> None:
    lines, texts = case
    for line in lines:
        orjson.dumps(orjson.loads(line))
    for text in texts:
        orjson.loads(text)


#: Reads and writes every line of mjai as JSON, and reads the JSON of the record.
FLOOR_AND_RECORD: Final = Side("orjson loads + dumps of mjai, loads of the record", _texts, _floor)


def _riichienv_file(game: Game) -> str:
    path = game.folder / f"{game.path.stem}.json.gz"
    path.write_bytes(compress(in_format(game, "majsoul", plain=True), mtime=0))
    return str(path)


#: Reads a compressed file of RiichiEnv's shape.
READ_ROUNDS: Final = Side(
    "read majsoul file, compressed", _riichienv_file, lambda path: mjconv.read(path, format="majsoul")
)
#: RiichiEnv's reader of these files. It is written in Rust and accepts only a path.
RIICHIENV_ROUNDS: Final = Side(
    "riichienv MjSoulReplay",
    _riichienv_file,
    lambda path: import_module("riichienv").MjSoulReplay.from_json(path),
    needs="riichienv",
    known="1.1 ms a game where mjconv took 8.7 ms",
)


def _made() -> Any:
    """Return the module of the tests that makes replies of the server, with the package `protobuf`."""
    folder = str(_ROOT / "tests")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return import_module("majsoul_made")


def _reply(game: Game) -> bytes:
    made = _made()
    reply: bytes = made.reply(made.client_json(in_format(game, "majsoul", plain=True)))
    return reply


def _parsed(case: tuple[bytes, Any, Callable[[Any], object]]) -> None:
    """Parse a reply as its layers are: each is the bytes of a field of the layer around it."""
    data, kinds, keep = case
    outer = kinds["Wrapper"].FromString(data[_REPLY_HEAD:])
    reply = kinds["ResGameRecord"].FromString(outer.data)
    keep(reply.head)
    inner = kinds["Wrapper"].FromString(reply.data)
    for action in kinds["GameDetailRecords"].FromString(inner.data).actions:
        if action.result:
            wrapper = kinds["Wrapper"].FromString(action.result)
            keep(kinds[wrapper.name.removeprefix(".lq.")].FromString(wrapper.data))
        else:
            keep(action)


def _dict(message: Any) -> object:
    return import_module("google.protobuf.json_format").MessageToDict(message, preserving_proto_field_name=True)


def decoded(against: str = "") -> Side:
    """Return a side that decodes a reply of the server into dictionaries of the fields that mjconv reads."""
    return Side(f"decode a majsoul reply{against}", _reply, lambda data: ProtobufDecoder(data).reply(_REPLY_HEAD))


#: The package `protobuf`: to dictionaries, and to its own messages, whose fields it makes when they are read.
PROTOBUF_DICTS: Final = Side(
    "protobuf, dictionaries",
    lambda game: (_reply(game), _made().classes(), _dict),
    _parsed,
    needs="google",
    known="11.9 ms a game where mjconv took 12.4 ms",
)
PROTOBUF_MESSAGES: Final = Side(
    "protobuf, messages",
    lambda game: (_reply(game), _made().classes(), id),
    _parsed,
    needs="google",
    known="1.5 ms a game where mjconv took 9.3 ms",
)
