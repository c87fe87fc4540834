"""Read and write files: limits, gzip, completely or not at all."""

import gzip
import os
import stat
from pathlib import Path

import pytest

from looped import looped
from mjconv import InputError
from mjconv.files import reading, writing
from mjconv.files.compression import BY_NAME
from mjconv.ir.limits import Limits, using

LOG = b'{"type":"start_game"}\n' * 1000
PACKED = gzip.compress(LOG)
WRONG_SUM = PACKED[:-8] + bytes([PACKED[-8] ^ 1]) + PACKED[-7:]


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class TestReading:
    def test_plain_contents_under_a_name_in_gz_are_read(self, tmp_path: Path) -> None:
        (tmp_path / "log.gz").write_bytes(LOG)
        assert reading.read_bytes("log.gz") == LOG

    def test_members_of_gzip_follow_each_other_and_zeros_may_pad_the_end(self) -> None:
        packed = gzip.compress(b"one ") + gzip.compress(LOG) + gzip.compress(b"") + b"\0" * 512
        assert reading.unpack(packed) == b"one " + LOG

    @looped(
        ("packed", "message"),
        *[(PACKED[:cut], "gzip data that ends too early") for cut in (2, 9, 15, -9, -1)],
        *[(wrong, "broken gzip data") for wrong in (b"\x1f\x8b\x00\x00 no gzip", PACKED + b"more", WRONG_SUM)],
    )
    def test_incomplete_or_broken_gzip_is_an_error(self, packed: bytes, message: str) -> None:
        with pytest.raises(InputError, match=f"log: is {message}"):
            reading.unpack(packed, "log")

    def test_the_bound_counts_all_members(self) -> None:
        with using(Limits(unpacked_bytes=10_000)), pytest.raises(InputError, match="decompresses to more"):
            reading.unpack(gzip.compress(b"a" * 5_001) * 2)


class TestWriting:
    def test_compression_is_deterministic_and_any_gzip_reads_it(self) -> None:
        assert (gzip.decompress(BY_NAME["gzip"].pack(LOG)), BY_NAME["gzip"].pack(LOG)[4:8]) == (LOG, b"\0\0\0\0")
        assert (writing.packed_for("a.jmjp.GZ", LOG), writing.packed_for("a.jmjp", LOG)) == (
            BY_NAME["gzip"].pack(LOG),
            LOG,
        )

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "old").touch()
        (tmp_path / "link").symlink_to("old")
        writing.write_bytes("link", LOG)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "old").read_bytes() == LOG

    def test_a_device_is_written_to_and_not_replaced(self) -> None:
        writing.write_bytes(os.devnull, LOG)
        assert not stat.S_ISREG(os.stat(os.devnull).st_mode)

    @pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="open pipes have no names")
    def test_an_open_pipe_is_written_to_by_its_name(self) -> None:
        reading, output = os.pipe()
        writing.write_bytes(f"/dev/fd/{output}", b"x")
        os.close(output)
        with open(reading, "rb") as stream:
            assert stream.read() == b"x"

    def test_failing_disks_leave_only_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "old").write_bytes(b"old")

        def fail(source: str, _: str) -> None:
            raise OSError(28, "No space left on device", source)

        monkeypatch.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="No space left"):
            writing.write_bytes("old", LOG)
        assert ((tmp_path / "old").read_bytes(), leftovers(tmp_path)) == (b"old", ["old"])

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
    def test_an_error_of_the_disk_names_the_output(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "open", lambda *_: os.dup(full.fileno()))
        with open("/dev/full", "wb", buffering=0) as full, pytest.raises(OSError, match="No space left") as raised:
            writing.write_bytes("old", LOG)
        assert raised.value.filename == str(tmp_path / "old")

    def test_no_file_appears_before_all_are_written(self, tmp_path: Path) -> None:
        def written() -> None:
            with writing.Staging() as stage:
                stage.write("one", [b"1"])
                stage.write("two", ["not bytes"])  # type: ignore[list-item]

        with pytest.raises(TypeError):
            written()
        assert leftovers(tmp_path) == []
        with writing.Staging() as stage:
            stage.write("one", [b"1"])
            stage.write("two", [b"2"])
            assert "one" not in leftovers(tmp_path)
        assert leftovers(tmp_path) == ["one", "two"]
