"""The library: read, read_all, iter_matches, write, convert."""

import errno
import gzip
import inspect
import io
import os
import pickle
import pydoc
import re
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from given import BROKEN, GAME, ROUND, put_files

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.files import writing
from mjconv.ir.events import Win
from mjconv.ir.limits import Limits, using
from mjconv.ir.match import Name, Player, Text


def names(matches: "list[mjconv.Match]") -> list[object]:
    return [match.players[0].name.last.native for match in matches]  # type: ignore[union-attr]


def error_of(source: str | Path, kind: type[mjconv.MjconvError] = mjconv.InputError) -> str:
    """Return the error that ends the iteration over a source."""
    with pytest.raises(kind) as error:
        list(mjconv.iter_matches(source))
    return str(error.value)


def named(name: str) -> mjconv.Match:
    return mjconv.Match([Player(Name(Text(native=name)))])


@pytest.fixture
def archive() -> Path:
    """Create a folder of logs in several formats, compressed or not, and other files."""
    files = {
        "z.tally": "tally\nlast\n",
        "a/2.tally": "tally\nsecond\nthird\n",
        "a/1.tally.gz": gzip.compress(b"tally\nfirst\n"),
        "b": "tally\nfourth\n",
        "README.md": "no record",
        **dict.fromkeys((".hidden/x.tally", ".x.tally"), "tally\nhidden\n"),
    }
    put_files({f"logs/{name}": text for name, text in files.items()})
    return Path("logs")


def zipped(folder: Path, name: str) -> Path:
    path = Path(name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*"), reverse=True):
            archive.write(file, file.relative_to(folder))
    return path


class TestReading:
    def test_one_match(self) -> None:
        Path("game.mjson").write_text(ROUND)
        match = mjconv.read("game.mjson")
        assert (names([match]), [played.label for played in match.rounds]) == (["A"], ["S3-1"])
        assert any(type(event) is Win for event in match.rounds[0].events)
        assert mjconv.read(Path("game.mjson")) == match

    def test_not_exactly_one_match_is_an_error(self) -> None:
        Path("day.mjson").write_text(GAME * 2)
        with pytest.raises(mjconv.InputError, match=r"day.mjson: the file holds 2 matches; expected one"):
            mjconv.read("day.mjson")
        assert names(mjconv.read_all("day.mjson")) == ["A", "A"]

    def test_errors_carry_file_and_place(self) -> None:
        Path("broken.mjson").write_text(BROKEN)
        with pytest.raises(mjconv.InputError) as error:
            mjconv.read("broken.mjson")
        assert error.value.file == "broken.mjson"
        assert error.value.place is not None
        assert error.value.place.line == 2
        assert str(error.value).startswith("broken.mjson:2:")

    def test_oddities_and_assumptions_are_python_warnings(self) -> None:
        Path("odd.tally").write_text("tally\nguessed\nodd\nguessed\n")
        with pytest.warns(mjconv.MjconvWarning) as caught:
            mjconv.read_all("odd.tally")
        assert [str(warning.message) for warning in caught] == [
            "odd.tally: match 2, line 3: an odd name",
            "odd.tally: player.name assumed (2)",
        ]
        assert {warning.filename for warning in caught} == {__file__}

    def test_a_clean_file_gives_no_warning(self) -> None:
        Path("game.mjson").write_text(GAME)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            mjconv.read("game.mjson")


class TestIterating:
    def test_a_folder_in_order_of_names_with_all_folders_in_it(self, archive: Path) -> None:
        assert names(list(mjconv.iter_matches(archive))) == ["fourth", "last", "first", "second", "third"]

    def test_a_zip_archive_in_a_folder_counts_for_its_members(self, archive: Path) -> None:
        Path("whole").mkdir()
        zipped(archive, "whole/logs.zip")
        assert len(list(mjconv.iter_matches("whole"))) == 5

    def test_only_files_of_the_format_asked_for(self, archive: Path) -> None:
        (archive / "game.mjson").write_text(GAME)
        assert names(list(mjconv.iter_matches(archive, format="mjai"))) == ["A"]
        assert len(list(mjconv.iter_matches(archive, format="tally"))) == 5

    def test_matches_before_an_error_are_returned(self, archive: Path) -> None:
        (archive / "a" / "2.tally").write_text("tally\nsecond\n!\n")
        matches = mjconv.iter_matches(archive)
        assert names([next(matches) for _ in range(4)]) == ["fourth", "last", "first", "second"]
        with pytest.raises(mjconv.InputError, match=r"^logs/a/2.tally:3:1: "):
            next(matches)

    def test_an_error_in_an_archive_names_the_member(self, archive: Path) -> None:
        (archive / "a" / "2.tally").write_text("tally\n!\n")
        assert error_of(zipped(archive, "logs.zip")).startswith("logs.zip/a/2.tally:2:1: ")

    def test_a_broken_archive(self, archive: Path) -> None:
        whole = zipped(archive, "logs.zip").read_bytes()
        Path("cut.zip").write_bytes(whole[: len(whole) // 2])
        assert error_of("cut.zip").startswith("cut.zip: is a broken zip archive")

    def test_a_broken_member(self, archive: Path) -> None:
        path = zipped(archive, "logs.zip")
        with zipfile.ZipFile(path) as opened:
            info = opened.getinfo("a/2.tally")
        broken = bytearray(path.read_bytes())
        data = info.header_offset + 30 + len(info.filename)
        broken[data : data + info.compress_size] = b"\xff" * info.compress_size
        path.write_bytes(broken)
        assert error_of(path).startswith("logs.zip/a/2.tally: cannot be read from the archive")

    def test_a_member_that_expands_too_much(self, archive: Path) -> None:
        (archive / "a" / "2.tally").write_text("tally\n" + "A\n" * 10_000)
        path = zipped(archive, "logs.zip")
        with using(Limits(unpacked_bytes=10_000)):
            assert "logs.zip/a/2.tally: decompresses to more than 10000 bytes" in error_of(path)


class TestSourcesOfIterMatches:
    """Files, folders, zip and tar archives, compressed or not, are recognised by their contents."""

    @pytest.mark.parametrize("packing", ["", ".gz", ".bz2", ".xz", ".zst"])
    @pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
    def test_tar_archives(self, archive: Path, packing: str, form: int) -> None:
        long = archive / ("x" * 90) / ("y" * 90)
        if form != tarfile.USTAR_FORMAT:
            long.mkdir(parents=True)
            (long / ("z" * 90 + ".tally")).write_text("tally\nlong\n")
        with tarfile.open("logs.tar", "w", format=form) as made:
            made.add(archive, "logs")
        # The name shows neither the archive nor its compression.
        Path("logs").rename("folder")
        Path("logs").write_bytes(writing.packed_for(f"x{packing}", Path("logs.tar").read_bytes()))
        expected = ["first", "fourth", "last", *["long"] * (form != tarfile.USTAR_FORMAT), "second", "third"]
        assert sorted(map(str, names(list(mjconv.iter_matches("logs"))))) == expected

    @looped("packing", ".gz", ".bz2", ".xz", ".zst")
    def test_compressed_files_under_any_name(self, packing: str) -> None:
        packed = writing.packed_for(f"x{packing}", b"tally\nA\n")
        for name in ("a.tally", f"b.tally{packing}", "c"):
            Path(name).write_bytes(packed)
            assert names(list(mjconv.iter_matches(name))) == ["A"]
            assert names([mjconv.read(name)]) == ["A"]
        mjconv.write(named("B"), f"out.tally{packing}")
        assert Path(f"out.tally{packing}").read_bytes() == writing.packed_for(f"x{packing}", b"tally\nB\n")

    @looped("packing", ".gz", ".bz2", ".xz", ".zst")
    def test_incomplete_compressed_files(self, packing: str) -> None:
        Path("cut").write_bytes(writing.packed_for(f"x{packing}", b"tally\nA\n" * 1000)[:-3])
        assert re.match(r"cut: is \w+ data that ends too early", error_of("cut"))

    def test_compression_methods_of_zip(self) -> None:
        for name, method in {"0": "STORED", "1": "DEFLATED", "2": "BZIP2", "lzma": "LZMA"}.items():
            with zipfile.ZipFile(f"{name}.zip", "w", getattr(zipfile, f"ZIP_{method}")) as made:
                made.writestr("a.tally", "tally\nA\n")
        assert names(list(mjconv.iter_matches("[0-9]*.zip"))) == ["A"] * 3
        assert error_of("lzma.zip").startswith("lzma.zip/a.tally: has zip compression method 14")

    def test_a_zip_in_its_own_order_also_with_bytes_before_it(self, archive: Path) -> None:
        """Self-extracting archives have such bytes; all offsets are shifted."""
        Path("more.zip").write_bytes(b"PK\x03\x04" + b"x" * 1000 + zipped(archive, "logs.zip").read_bytes())
        for name in ("logs.zip", "more.zip"):
            assert names(list(mjconv.iter_matches(name))) == ["last", "fourth", "second", "third", "first"], name

    def test_a_zip_with_large_fields(self) -> None:
        with zipfile.ZipFile("large.zip", "w") as made, made.open("a.tally", "w", force_zip64=True) as member:
            member.write(b"tally\nA\n")
        assert names(list(mjconv.iter_matches("large.zip"))) == ["A"]

    @pytest.mark.slow
    def test_a_zip_of_more_members_than_its_old_fields_hold(self) -> None:
        with zipfile.ZipFile("many.zip", "w") as made:
            # Folders are no files that might be records.
            for number in range(65_600):
                made.writestr(zipfile.ZipInfo(f"{number}/"), b"")
            made.writestr("a.tally", "tally\nA\n")
        assert names(list(mjconv.iter_matches("many.zip"))) == ["A"]

    def test_several_sources_and_patterns(self, archive: Path) -> None:
        zipped(archive, "logs.zip")
        Path("one.tally").write_text("tally\none\n")
        found = names(list(mjconv.iter_matches(["one.tally", "*.zip", Path("logs/a")])))
        assert found == ["one", "last", "fourth", "second", "third", "first", "first", "second", "third"]

    def test_a_source_that_is_named_twice_is_read_once(self, archive: Path) -> None:
        assert len(list(mjconv.iter_matches([archive, "logs", "l*"]))) == 5

    def test_an_archive_in_an_archive_is_an_error(self, archive: Path) -> None:
        inner = zipped(archive, "inner.zip")
        with zipfile.ZipFile("outer.zip", "w") as outer:
            outer.write(inner)
        assert error_of("outer.zip").startswith("outer.zip/inner.zip: is an archive inside an archive")

    @looped(
        ("broken", "said"),
        (lambda tar: tar[:515], "ends in the middle of a.tally"),
        # It is not recognised as a tar archive.
        (lambda tar: tar[:256] + b"x" + tar[257:], "the format of broken.tar is not clear"),
        (lambda tar: tar[:1024] + b"x" * 512 + tar[1536:], "is broken at byte 1024"),
        (lambda tar: tar[:1024] + tar[1024:1100], "ends too early, at byte 1100"),
    )
    def test_a_broken_tar(self, broken: Callable[[bytes], bytes], said: str) -> None:
        with tarfile.open("whole.tar", "w", format=tarfile.GNU_FORMAT) as made:
            for name in ("a.tally", "b.tally"):
                Path(name).write_text("tally\nA\n")
                made.add(name)
        Path("broken.tar").write_bytes(broken(Path("whole.tar").read_bytes()))
        assert said in error_of("broken.tar", mjconv.MjconvError)

    def test_a_header_of_a_tar_that_would_fill_the_memory(self) -> None:
        about = tarfile.TarInfo("long")
        about.size, about.type = 1 << 40, tarfile.XHDTYPE
        Path("bomb.tar").write_bytes(about.tobuf(tarfile.GNU_FORMAT) + bytes(10_000))
        assert "a header of 1099511627776 bytes" in error_of("bomb.tar")

    def test_a_tar_that_expands_too_much(self) -> None:
        about = tarfile.TarInfo("zeros.tally")
        about.size = 1 << 26
        Path("bomb.tar.zst").write_bytes(writing.packed_for("x.zst", about.tobuf() + bytes(about.size)))
        assert "decompresses to more than 200 times its size" in error_of("bomb.tar.zst")


class TestErrorHandling:
    @pytest.fixture
    def broken(self, archive: Path) -> Path:
        (archive / "a" / "2.tally").write_text("tally\nsecond\n!\n")
        (archive / "a" / "0.tally.gz").write_bytes(b"\x1f\x8b broken")
        return archive

    def test_bad_members_are_skipped_with_a_warning(self, broken: Path) -> None:
        with pytest.warns(mjconv.MjconvWarning, match="skipped: logs/a/") as caught:
            found = names(list(mjconv.iter_matches(broken, errors="skip")))
        assert found == ["fourth", "last", "first", "second"]
        places = [str(warning.message).split(":")[1] for warning in caught]
        assert places == [" logs/a/0.tally.gz", " logs/a/2.tally"]

    def test_a_callable_gets_each_error(self, broken: Path) -> None:
        errors: list[object] = []
        assert len(list(mjconv.iter_matches(broken, errors=errors.append))) == 4
        files = [error.file for error in errors if isinstance(error, mjconv.InputError)]
        assert files == ["logs/a/0.tally.gz", "logs/a/2.tally"]

    def test_a_callable_may_raise(self, broken: Path) -> None:
        def stop(error: Exception) -> None:
            raise LookupError from error

        with pytest.raises(LookupError):
            list(mjconv.iter_matches(broken, errors=stop))

    def test_a_folder_that_cannot_be_listed(self, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        list_folder = os.scandir

        def refused(path: str) -> object:
            if Path(path).name == "a":
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
            return list_folder(path)

        monkeypatch.setattr(os, "scandir", refused)
        errors: list[mjconv.MjconvError | OSError] = []
        assert len(list(mjconv.iter_matches(archive, errors=errors.append))) == 2
        assert [(type(error), getattr(error, "filename", "")) for error in errors] == [(PermissionError, "logs/a")]

    def test_a_file_that_cannot_be_opened(self, archive: Path) -> None:
        (archive / "gone.tally").symlink_to("nowhere")
        (archive / "a" / "1.tally.gz").unlink()
        (archive / "a" / "1.tally.gz").mkdir()
        assert len(list(mjconv.iter_matches(archive))) == 4


class TestShards:
    @pytest.mark.parametrize("source", ["logs", "logs.zip", "logs.tar.gz", "day.tally"])
    @pytest.mark.parametrize("turns", [1, 2, 3, 7])
    def test_each_match_once(self, archive: Path, source: str, turns: int) -> None:
        zipped(archive, "logs.zip")
        with tarfile.open("logs.tar.gz", "w:gz") as made:
            made.add(archive)
        Path("day.tally").write_text("tally\n" + "".join(f"{number}\n" for number in range(20)))
        whole = names(list(mjconv.iter_matches(source)))
        shares = [names(list(mjconv.iter_matches(source, shard=(turn, turns)))) for turn in range(turns)]
        assert sorted(map(str, chain(*shares))) == sorted(map(str, whole))
        if source == "day.tally":
            assert [len(share) for share in shares] == [len(range(turn, 20, turns)) for turn in range(turns)]

    @looped("shard", (1, 1), (-1, 2), (0, 0))
    @looped("iterate", mjconv.iter_matches, mjconv.iter_records, mjconv.iter_members)
    def test_a_wrong_shard(self, iterate: Callable[..., Any], shard: tuple[int, int]) -> None:
        with pytest.raises(mjconv.UsageError, match="shards count from 0"):
            iterate("logs", shard=shard)

    def test_members_have_names_and_bytes_and_can_be_sent(self, archive: Path) -> None:
        members = list(mjconv.iter_members([zipped(archive, "logs.zip"), "logs/a"]))
        inside = ["z.tally", "b", "a/2.tally", "a/1.tally.gz", "README.md"]
        beside = ["logs/a/1.tally.gz", "logs/a/2.tally"]
        assert [member.name for member in members] == [*(f"logs.zip/{name}" for name in inside), *beside]
        sent = [pickle.loads(pickle.dumps(member)) for member in members]
        assert [member.read() for member in sent] == [member.read() for member in members]
        assert sent[3].read() == b"tally\nfirst\n"

    @pytest.mark.usefixtures("archive")
    def test_members_that_cannot_be_read_are_left_out(self) -> None:
        Path("damaged.zip").write_bytes(b"PK\x03\x04")
        names = ["damaged.zip", "logs/a"]
        assert len(list(mjconv.iter_members(names))) == 3
        errors: list[Exception] = []
        members = mjconv.iter_members(names, errors=errors.append)
        assert [member.name for member in members] == ["logs/a/1.tally.gz", "logs/a/2.tally"]
        assert [type(error) for error in errors] == [mjconv.InputError]
        with pytest.raises(mjconv.UsageError, match="errors"):
            mjconv.iter_members(names, errors="ignore")  # type: ignore[arg-type]


class TestProgress:
    def test_the_bytes_of_all_files_are_counted_with_skipped_ones_and_other_shards(self, archive: Path) -> None:
        sizes = [member.weight for member in mjconv.iter_members(archive)]
        visible = ("README.md", "b", "z.tally", "a/1.tally.gz", "a/2.tally")
        assert sizes == [(archive / name).stat().st_size for name in visible]
        for shard in ((0, 1), (1, 2)):
            done: list[int] = []
            list(mjconv.iter_matches(archive, shard=shard, progress=done.append))
            assert done == sizes

    def test_a_file_counts_when_it_is_read(self) -> None:
        put_files({"1.mjson": GAME * 2, "2.mjson": BROKEN})
        done: list[int] = []
        records = mjconv.iter_records(["1.mjson", "2.mjson"], errors="skip", progress=done.append)
        next(records)
        next(records)
        assert done == []
        with pytest.warns(mjconv.MjconvWarning, match="skipped"):
            assert list(records) == []
        assert done == [len(GAME * 2), len(BROKEN)]

    def test_an_error_of_the_function_ends_the_reading(self, archive: Path) -> None:
        def stop(_: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            list(mjconv.iter_matches(archive, errors="skip", progress=stop))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not list open files")
@pytest.mark.parametrize("name", ["logs.zip", "logs.tar", "logs.tar.gz"])
@pytest.mark.parametrize("iterate", [mjconv.iter_records, mjconv.iter_matches, mjconv.iter_members])
def test_an_iterator_that_is_closed_leaves_nothing_open(iterate: Any, name: str, archive: Path) -> None:
    def is_open() -> bool:
        return any(os.path.realpath(file) == os.path.realpath(name) for file in Path("/proc/self/fd").iterdir())

    if name == "logs.zip":
        zipped(archive, name)
    else:
        with tarfile.open(name, "w:gz" if name.endswith("gz") else "w") as packed:
            packed.add(archive)
    with closing(iterate(name)) as items:
        next(items)
        assert is_open()
    assert not is_open()
    assert list(items) == []


class TestWriting:
    def test_one_match_or_several(self) -> None:
        assert mjconv.write(named("A"), "one.tally") == []
        assert mjconv.write((named(name) for name in "AB"), Path("two.tally")) == []
        assert Path("one.tally").read_text() == "tally\nA\n"
        assert Path("two.tally").read_text() == "tally\nA\nB\n"

    def test_a_file_object_gets_the_bytes_of_a_file_and_stays_open(self) -> None:
        matches = [named("A"), named("B")]
        mjconv.write(matches, "two.tally")
        stream = io.BytesIO(b"before")
        stream.seek(0, io.SEEK_END)
        assert mjconv.write(matches, stream, format="tally") == []
        assert stream.getvalue() == b"before" + Path("two.tally").read_bytes()
        with gzip.open("two.gz", "wb") as packed:
            mjconv.write(matches, packed, format="tally")
        assert mjconv.read_all("two.gz", format="tally") == mjconv.read_all("two.tally")

    def test_a_file_object_gets_nothing_if_the_matches_cannot_be_written(self) -> None:
        stream, match = io.BytesIO(), mjconv.read(ROUND.encode())
        hidden = mjconv.read(CORPUS / "uzje" / "flowers.uzje")
        with pytest.raises(mjconv.UnsupportedError):
            mjconv.write([match, hidden], stream, format="jmjp")
        with pytest.raises(mjconv.LossError):
            mjconv.write(match, stream, format="hk", plain=True, strict=True)
        assert stream.getvalue() == b""

    def test_a_file_object_needs_a_format_and_takes_bytes(self) -> None:
        with pytest.raises(mjconv.UsageError, match="a file object needs a format: name one of mjai, "):
            mjconv.write(named("A"), io.BytesIO())
        with pytest.raises(TypeError, match="bytes"):
            mjconv.write(named("A"), io.StringIO(), format="tally")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="int"):
            mjconv.write(named("A"), 5, format="tally")  # type: ignore[arg-type]

    @looped("options", {}, {"plain": True}, {"seat": 1})
    @looped("target", "mjai", "mjai-batch")
    def test_write_bytes_returns_what_a_file_holds(self, target: str, options: dict[str, Any]) -> None:
        match = mjconv.read(SAMPLE)
        mjconv.write([match], "game.json", format=target, **options)
        assert mjconv.write_bytes(match, target, **options) == Path("game.json").read_bytes()
        with pytest.raises(mjconv.LossError):
            mjconv.write_bytes(match, "hk", plain=True, strict=True)

    def test_format_and_options_reach_the_writer(self) -> None:
        mjconv.write(named("a"), "out", format="tally-loud")
        assert Path("out").read_text() == "tally\nA\n"
        mjconv.write(named("a"), "out.tal")
        assert Path("out.tal").read_text() == "tally\nA\n"
        mjconv.write(named("a"), "out.tally", plain=True)
        assert Path("out.tally").read_text() == "tally\n"

    def test_losses_are_returned(self) -> None:
        assert mjconv.write([named("A"), named("lossy")], "out.tally") == [
            mjconv.Loss("player.team", "dropped", match=1, detail="a team has no place"),
            mjconv.Loss("round.dice", "carried", match=1, event=3),
        ]

    def test_what_cannot_be_written_leaves_the_old_file(self) -> None:
        Path("out.tally").write_text("old")
        with pytest.raises(mjconv.LossError, match=r"the conversion would lose: 1 x player.team dropped"):
            mjconv.write(named("lossy"), "out.tally", strict=True)
        with pytest.raises(mjconv.UnsupportedError):
            mjconv.write([named("A"), named("unwritable")], "out.tally")
        assert [path.name for path in Path().iterdir()] == ["out.tally"]
        assert Path("out.tally").read_text() == "old"

    def test_an_error_of_a_reader_names_the_file_that_is_read(self) -> None:
        with pytest.raises(FileNotFoundError) as raised:
            mjconv.write((mjconv.read(name) for name in ("missing.mjson",)), "out.mjson")
        assert raised.value.filename == "missing.mjson"
        assert not Path("out.mjson").exists()

    def test_a_name_of_unknown_format(self) -> None:
        with pytest.raises(mjconv.UsageError, match="the format to write is not clear"):
            mjconv.write(named("A"), "out.xyz")


class TestConverting:
    @looped(
        ("target", "extension"),
        ("mjai", "mjson"),
        ("mjai-batch", "json"),
        ("jmjp", "jmjp"),
        ("tenhou", "mjlog"),
        ("tenhou-url", "txt"),
    )
    def test_the_format_that_was_read_and_the_extension_are_fields(self, target: str, extension: str) -> None:
        for name, form in (("sample/game.jmjp", "jmjp"), ("tenhou/hanchan.mjlog", "tenhou")):
            out = mjconv.convert((CORPUS / name).read_bytes(), target=target)
            assert (out.source, out.extension) == (form, f".{extension}")

    def test_without_source_the_name_decides_then_the_contents(self) -> None:
        for options in ({"file": "x.tal"}, {"file": "nowhere/x"}, {}):
            for data in (b"tally\nA\n", gzip.compress(b"tally\nA\n")):
                assert mjconv.convert(data, target="tally", **options).data == b"tally\nA\n"
        with pytest.raises(mjconv.UsageError, match="the format of the input is not clear"):
            mjconv.convert(b"tall\n", target="tally")

    @looped(
        "error",
        mjconv.InputError("is {odd}", mjconv.Place(2, 3, "a line"), "game.mjson"),
        mjconv.PlayError("cannot be", None, "game.mjson", (1, 2, 3)),
        mjconv.UnsupportedError("has no place"),
        mjconv.UsageError("is wrong"),
        mjconv.LossError("would lose", file="game.mjson"),
        ids=lambda error: type(error).__name__,
    )
    def test_every_error_keeps_its_text(self, error: mjconv.MjconvError) -> None:
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_the_version_has_two_names() -> None:
    assert mjconv.__version__ == mjconv.VERSION


def test_python_shows_the_help_and_the_signature_of_each_public_name() -> None:
    for name in set(mjconv.__all__) - {"VERSION"}:
        value = getattr(mjconv, name)
        assert pydoc.render_doc(value)
        if callable(value) and name != "MjconvWarning":
            assert inspect.signature(value)


def test_the_bytes_of_a_file_are_no_names() -> None:
    for iterate in (mjconv.iter_matches, mjconv.iter_records, mjconv.iter_members):
        with pytest.raises(TypeError, match="read_all reads bytes"):
            list(iterate(GAME.encode()))  # type: ignore[operator]


def test_one_file_of_scores_needs_no_list() -> None:
    Path("a.hk").write_text("A B C D\n1 - - -\n")
    assert mjconv.hk_score_files("a.hk") == mjconv.hk_score_files([Path("a.hk")])


# Arguments that take one of a few words, or one type: others are refused.

NO_ROUNDS = b'{"type":"start_game"}\n{"type":"end_game"}\n'
CALLS: dict[str, Any] = {
    "level is one of syntax, order, rules": [
        lambda: mjconv.check(mjconv.Match(), level="rule"),  # type: ignore[arg-type]
        lambda: mjconv.validate(NO_ROUNDS, level="rule"),  # type: ignore[arg-type]
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


def test_the_bytes_of_an_archive_are_named_so() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(CORPUS / "sample/game.mjson", "game.mjson")
    zipped_bytes = io.BytesIO()
    with zipfile.ZipFile(zipped_bytes, "w") as archive_of_zip:
        archive_of_zip.writestr("game.mjson", GAME)
    for data, kind in ((packed.getvalue(), "tar"), (zipped_bytes.getvalue(), "zip")):
        for call in (mjconv.read, lambda data: mjconv.convert(data, target="jmjp")):
            with pytest.raises(mjconv.MjconvError, match=f"is a {kind} archive, but one file was expected"):
                call(data)
    Path("twice.tgz.gz").write_bytes(gzip.compress(packed.getvalue()))
    assert "twice.tgz.gz: is a tar archive, but one file was expected" in error_of(
        "twice.tgz.gz", mjconv.MjconvError
    )
