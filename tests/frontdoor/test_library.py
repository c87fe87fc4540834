"""The library: read, read_all, iter_matches, write, convert."""

import gzip
import pickle
import warnings
import zipfile
from pathlib import Path

import pytest
from given import BROKEN, GAME, ROUND

import mjconv
from mjconv import files
from mjconv.converters.formats import Format
from mjconv.ir.events import Win
from mjconv.ir.match import Name, Player, Text


def names(matches: "list[mjconv.Match]") -> list[object]:
    """First players' names."""
    return [match.players[0].name.last.native for match in matches]  # type: ignore[union-attr]


def named(name: str) -> mjconv.Match:
    return mjconv.Match([Player(Name(Text(native=name)))])


@pytest.fixture
def archive() -> Path:
    """Make a folder as logs lie in: several formats, packed and not, and files that are none."""
    folder = Path("logs")
    (folder / "a").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / "z.tally").write_text("tally\nlast\n")
    (folder / "a" / "2.tally").write_text("tally\nsecond\nthird\n")
    (folder / "a" / "1.tally.gz").write_bytes(gzip.compress(b"tally\nfirst\n"))
    (folder / "b").write_text("tally\nfourth\n")
    (folder / "README.md").write_text("no record")
    (folder / ".hidden" / "x.tally").write_text("tally\nhidden\n")
    (folder / ".x.tally").write_text("tally\nhidden\n")
    return folder


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
        assert names([match]) == ["A"]
        assert [played.label for played in match.rounds] == ["S3-1"]
        assert any(type(event) is Win for event in match.rounds[0].events)
        assert mjconv.read(Path("game.mjson")) == match

    def test_not_exactly_one_match_is_an_error(self) -> None:
        Path("day.mjson").write_text(GAME * 2)
        with pytest.raises(mjconv.InputError, match=r"day.mjson: holds 2 matches, where one was expected"):
            mjconv.read("day.mjson")
        assert names(mjconv.read_all("day.mjson")) == ["A", "A"]

    def test_the_format_may_be_given(self, tally: Format) -> None:
        Path("game.mjson").write_text("tally\nA\n")
        assert names(mjconv.read_all("game.mjson", format=tally.id)) == ["A"]
        with pytest.raises(mjconv.UsageError, match="unknown format"):
            mjconv.read("game.mjson", format="tenuki")

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

    def test_a_zip_archive(self, archive: Path) -> None:
        found = names(list(mjconv.iter_matches(zipped(archive, "logs.zip"))))
        assert found == ["first", "second", "third", "fourth", "last"]

    def test_a_zip_archive_in_a_folder_counts_for_its_members(self, archive: Path) -> None:
        whole = Path("whole")
        whole.mkdir()
        zipped(archive, "whole/logs.zip")
        assert len(list(mjconv.iter_matches(whole))) == 5

    def test_one_file(self, archive: Path) -> None:
        assert names(list(mjconv.iter_matches(archive / "a" / "1.tally.gz"))) == ["first"]

    def test_only_files_of_the_format_asked_for(self, archive: Path) -> None:
        (archive / "game.mjson").write_text(GAME)
        assert names(list(mjconv.iter_matches(archive, format="mjai"))) == ["A"]
        assert len(list(mjconv.iter_matches(archive, format="tally"))) == 5

    def test_matches_come_before_an_error_that_lies_behind_them(self, archive: Path) -> None:
        (archive / "a" / "2.tally").write_text("tally\nsecond\n!\n")
        matches = mjconv.iter_matches(archive)
        assert names([next(matches) for _ in range(4)]) == ["fourth", "last", "first", "second"]
        with pytest.raises(mjconv.InputError, match=r"^logs/a/2.tally:3:1: "):
            next(matches)

    def test_an_error_in_an_archive_names_the_member(self, archive: Path) -> None:
        (archive / "a" / "2.tally").write_text("tally\n!\n")
        with pytest.raises(mjconv.InputError, match=r"^logs.zip/a/2.tally:2:1: "):
            list(mjconv.iter_matches(zipped(archive, "logs.zip")))

    def test_a_missing_source(self) -> None:
        with pytest.raises(FileNotFoundError):
            list(mjconv.iter_matches("missing"))

    def test_a_file_that_no_format_knows_is_an_error_when_it_was_named(self) -> None:
        Path("diary.txt").write_text("dear diary")
        with pytest.raises(mjconv.UsageError, match=r"cannot tell the format of diary.txt"):
            list(mjconv.iter_matches("diary.txt"))

    def test_a_broken_archive(self, archive: Path) -> None:
        whole = zipped(archive, "logs.zip").read_bytes()
        Path("cut.zip").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(mjconv.InputError, match=r"cut.zip: is a broken zip archive"):
            list(mjconv.iter_matches("cut.zip"))

    def test_a_broken_member(self, archive: Path) -> None:
        path = zipped(archive, "logs.zip")
        with zipfile.ZipFile(path) as opened:
            info = opened.getinfo("a/2.tally")
        broken = bytearray(path.read_bytes())
        data = info.header_offset + 30 + len(info.filename)
        broken[data : data + info.compress_size] = b"\xff" * info.compress_size
        path.write_bytes(broken)
        with pytest.raises(mjconv.InputError, match=r"logs.zip/a/2.tally: cannot be read from the archive"):
            list(mjconv.iter_matches(path))

    def test_a_member_that_unpacks_to_too_much(self, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (archive / "a" / "2.tally").write_text("tally\n" + "A\n" * 10_000)
        path = zipped(archive, "logs.zip")
        monkeypatch.setattr(files, "MAX_FILE_BYTES", 10_000)
        with pytest.raises(mjconv.InputError, match=r"logs.zip/a/2.tally: is larger than 10000 bytes"):
            list(mjconv.iter_matches(path))


class TestWriting:
    def test_one_match_or_several(self) -> None:
        assert mjconv.write(named("A"), "one.tally") == []
        assert mjconv.write((named(name) for name in "AB"), Path("two.tally")) == []
        assert Path("one.tally").read_text() == "tally\nA\n"
        assert Path("two.tally").read_text() == "tally\nA\nB\n"

    def test_format_and_options_reach_the_writer(self) -> None:
        mjconv.write(named("a"), "out", format="tally-loud")
        assert Path("out").read_text() == "tally\nA\n"
        mjconv.write(named("a"), "out.tal")
        assert Path("out.tal").read_text() == "tally\nA\n"
        mjconv.write(named("a"), "out.tally", plain=True)
        assert Path("out.tally").read_text() == "tally\n"

    def test_a_name_in_gz_is_gzipped(self) -> None:
        mjconv.write(named("A"), "out.tally.gz")
        assert gzip.decompress(Path("out.tally.gz").read_bytes()) == b"tally\nA\n"
        assert names([mjconv.read("out.tally.gz")]) == ["A"]

    def test_losses_are_told(self) -> None:
        assert mjconv.write([named("A"), named("lossy")], "out.tally") == [
            mjconv.Loss("player.team", "dropped", match=1, detail="a team has no place"),
            mjconv.Loss("round.dice", "carried", match=1, round=1, label="E2-0", event=3),
        ]

    def test_strict_writes_nothing(self) -> None:
        Path("out.tally").write_text("old")
        with pytest.raises(mjconv.LossError, match=r"would not come through whole: 1 x player.team dropped"):
            mjconv.write(named("lossy"), "out.tally", strict=True)
        assert Path("out.tally").read_text() == "old"

    def test_a_match_that_the_format_cannot_hold_leaves_the_old_file(self) -> None:
        Path("out.tally").write_text("old")
        with pytest.raises(mjconv.UnsupportedError):
            mjconv.write([named("A"), named("unwritable")], "out.tally")
        assert [path.name for path in Path().iterdir()] == ["out.tally"]
        assert Path("out.tally").read_text() == "old"

    def test_a_missing_folder(self) -> None:
        with pytest.raises(FileNotFoundError, match="no such folder to write to"):
            mjconv.write(named("A"), "missing/out.mjson")

    def test_a_name_that_tells_no_format(self) -> None:
        with pytest.raises(mjconv.UsageError, match="cannot tell the format to write"):
            mjconv.write(named("A"), "out.xyz")


class TestConverting:
    def test_bytes_in_bytes_out(self) -> None:
        out = mjconv.convert(ROUND.encode(), source="mjai", target="mjai")
        assert out == mjconv.Conversion(ROUND.encode(), [], [])

    def test_without_source_the_name_decides_then_the_contents(self) -> None:
        assert mjconv.convert(b"tally\nA\n", target="tally", file="x.tal").data == b"tally\nA\n"
        assert mjconv.convert(b"tally\nA\n", target="tally", file="nowhere/x").data == b"tally\nA\n"
        assert mjconv.convert(b"tally\nA\n", target="tally").data == b"tally\nA\n"
        with pytest.raises(mjconv.UsageError, match="cannot tell the format of the input"):
            mjconv.convert(b"tall\n", target="tally")

    def test_gzip_is_seen_through(self) -> None:
        assert mjconv.convert(gzip.compress(GAME.encode()), target="mjai").data == GAME.encode()

    def test_flavours_are_formats(self) -> None:
        out = mjconv.convert(b"tally\nA!\n", source="tally", target="tally-loud")
        assert out.data == b"tally\nA!\n"
        assert mjconv.convert(b"tally\na\n", source="tally", target="tally-loud").data == b"tally\nA\n"

    def test_the_result_can_be_sent_between_processes(self) -> None:
        out = mjconv.convert(b"tally\nlossy\nodd\n", target="tally")
        assert [loss.what for loss in out.real_losses] == ["player.team"]
        assert [warning.match for warning in out.warnings] == [1]
        assert pickle.loads(pickle.dumps(out)) == out

    def test_so_can_an_error(self) -> None:
        with pytest.raises(mjconv.InputError) as error:
            mjconv.convert(b"tally\n!\n", target="tally", file="x.tally")
        assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)

    def test_strict(self) -> None:
        with pytest.raises(mjconv.LossError, match=r"^x.tally: would not come through whole: 2 x"):
            mjconv.convert(b"tally\nlossy\nlossy\n", target="tally", strict=True, file="x.tally")

    def test_what_the_target_cannot_hold_names_the_file(self) -> None:
        with pytest.raises(mjconv.UnsupportedError) as error:
            mjconv.convert(b"tally\nunwritable\n", target="tally", file="x.tally")
        assert error.value.file == "x.tally"


def test_every_public_name_is_there() -> None:
    assert all(hasattr(mjconv, name) for name in mjconv.__all__)
    assert mjconv.__version__ == mjconv.VERSION
