"""Archives made to harm: impossible sizes and offsets, entries that share bytes, records for all entries."""

import gzip
import io
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

import mjconv
from mjconv.command.cli import app
from mjconv.files import tars
from mjconv.files.tars import PlainStream, TarReader
from mjconv.ir import limits

GAME = b'{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'


def header(name: bytes, size: bytes, kind: bytes = b"0") -> bytes:
    """Return a header of a tar archive with this field for the size."""
    block = bytearray(tars.BLOCK)
    block[: len(name)] = name
    block[124 : 124 + len(size)] = size
    block[156:157] = kind
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def octal(size: int) -> bytes:
    return b"%011o" % size


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % tars.BLOCK)


def record(key: bytes, value: bytes) -> bytes:
    rest = b" " + key + b"=" + value + b"\n"
    size = next(size for size in range(len(rest), len(rest) + 20) if size == len(b"%d" % size) + len(rest))
    return b"%d" % size + rest


def for_all(*records: bytes) -> bytes:
    data = b"".join(records)
    return header(b"global", octal(len(data)), b"g") + padded(data)


def tar(*parts: bytes) -> bytes:
    return b"".join(parts) + bytes(2 * tars.BLOCK)


def listed(data: bytes) -> list[tars.TarEntry]:
    return list(TarReader(PlainStream(io.BytesIO(data))).entries())


def zip_archive(*offsets: int, packed: int | None = None, zip64: bool = False) -> bytes:
    """Return a zip archive of one stored file, and an entry for each offset."""
    crc, size = zlib.crc32(GAME), len(GAME)
    local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 0, 0, 33, crc, size, size, 6, 0) + b"a.mjai" + GAME
    directory = b""
    for number, offset in enumerate(offsets):
        name = b"%d.mjson" % number
        extra = struct.pack("<HHQ", 1, 8, offset) if zip64 else b""
        shown = 0xFFFFFFFF if zip64 else offset
        sizes = (size if packed is None else packed, size, len(name), len(extra), 0, 0, 0, 0, shown)
        directory += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 0, 0, 33, crc, *sizes) + name + extra
    end = (len(offsets), len(offsets), len(directory), len(local), 0)
    return local + directory + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, *end)


@pytest.mark.parametrize("kind", [b"0", b"x", b"L", b"g", b"5"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_negative_size_is_an_error(kind: bytes, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "logs"
    path.write_bytes(pack(tar(header(b"a.mjson", octal(len(GAME))), padded(GAME), header(b"b", b"-1", kind))))
    read = mjconv.iter_matches(path)
    assert next(read).seats == 4
    with pytest.raises(mjconv.InputError, match="no valid number"):
        next(read)


@pytest.mark.parametrize("size", [b"-1", b"+1", b"1_0", b"0o7", b"8", b"\x80" + b"\xff" * 11])
def test_no_size_of_a_tar_archive_reads_all_of_the_file(size: bytes, tmp_path: Path) -> None:
    path = tmp_path / "logs.tar"
    path.write_bytes(tar(header(b"a.mjson", size)) + GAME)
    with pytest.raises(mjconv.InputError, match=r"no valid number|decompresses to more than"):
        list(mjconv.iter_matches(path))


@pytest.mark.parametrize("size", [b"-1", b"1_0", b" 1", b"9" * 20, b"9" * 5000])
def test_a_size_in_pax_records_is_a_number(size: bytes) -> None:
    data = record(b"size", size)
    own = header(b"x", octal(len(data)), b"x") + padded(data)
    with pytest.raises(mjconv.InputError, match="without a valid size"):
        listed(tar(own, header(b"a.mjson", octal(0))))


def test_records_for_all_entries_cost_each_entry_little() -> None:
    many = for_all(*(record(b"key%d" % number, b"") for number in range(30_000)))
    entries = b"".join(header(b"%d.mjson" % number, octal(0)) for number in range(20_000))
    began = time.process_time()
    assert len(listed(tar(many, entries))) == 20_000
    # To copy all records to each entry took more than a minute.
    assert time.process_time() - began < 20


def test_a_name_for_all_entries_is_short() -> None:
    name = for_all(record(b"path", b"a" * (tars.LONGEST_NAME + 1)))
    with pytest.raises(mjconv.InputError, match="has a name of 16385 bytes"):
        listed(tar(name, header(b"a", octal(0))))


def test_folders_count_as_members_of_an_archive() -> None:
    folders = tar(*[header(b"folder", octal(0), b"5")] * 11)
    with limits.using(limits.parse("archive-members=10")), pytest.raises(limits.LimitError):
        listed(folders)


def test_the_next_member_of_an_archive_must_come_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 100_000, 100))
    monkeypatch.setattr(tars, "time", SimpleNamespace(monotonic=lambda: float(next(seconds))))
    assert len(listed(tar(*[header(b"a", octal(0))] * 20))) == 20
    with pytest.raises(mjconv.InputError, match="has no next member after 300 seconds"):
        listed(tar(*[header(b"folder", octal(0), b"5")] * 20))


def failures_of(folder: Path, *words: str) -> dict[str, Any]:
    """Return the failures of a batch of a folder of archives and one game; the game must be converted."""
    (folder / "game.mjson").write_bytes(GAME)
    out = folder.with_name("out")
    done = CliRunner().invoke(app, ["batch", str(folder), "-o", str(out), "--to", "jmjp", "-q", *words])
    assert done.exit_code == 1, done.output
    assert (out / "game.jmjp").exists()
    lines = (out / "failures.jsonl").read_bytes().splitlines()
    return {Path(line["member"]).name: line["error"] for line in map(orjson.loads, lines)}


def test_an_offset_or_a_size_outside_a_zip_archive_costs_only_that_member(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for number, offset in enumerate([2**64 - 1, 2**63, 2**40]):
        (folder / f"{number}.zip").write_bytes(zip_archive(0, offset, zip64=True))
    (folder / "packed.zip").write_bytes(zip_archive(0, packed=0xFFFFFFF0))
    failures = failures_of(folder)
    assert sorted(failures) == ["0.mjson", "1.mjson"]
    assert all("no entry at the offset" in error for error in failures.values())
    assert len(list((tmp_path / "out").rglob("*.jmjp"))) == 4


@pytest.mark.parametrize("count", [2, 40])
def test_entries_that_share_bytes_are_refused(count: int, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "shared.zip").write_bytes(zip_archive(*[0] * count))
    assert failures_of(folder) == {"shared.zip": "is a broken zip archive (its entries share bytes)"}
    assert [path.name for path in (tmp_path / "out" / "shared").iterdir()] == ["0.jmjp"]
