"""Files at addresses are read as files on disk are; no secret of an address is shown."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import mjconv
from batch.archives import broken, game, games, laid_out, run, tarred, tree, zipped, zstd
from looped import looped
from mjconv.command.batch import BatchOptions, run_batch
from mjconv.command.cli import app
from mjconv.files.address import has_secret, is_address, redacted
from mjconv.files.members import FileSlice, HeldBytes, HeldEntry, WholeFile, ZipMember
from mjconv.files.read_ahead import read_ahead
from mjconv.files.remote import ATTEMPTS, StorageError
from mjconv.files.storage import read_ranges
from mjconv.files.walk import members
from strategies import any_text

ROOT = "memory://logs"


def put(system: Any, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        system.pipe_file(f"{ROOT}/{name}", data)


@pytest.fixture
def sources(memory: Any, tmp_path: Path) -> Path:
    """Return a folder on disk, with the same files as `memory://logs`."""
    some = dict(list(games(12).items()))
    files = {
        "b/loose.mjson": game(1),
        "b/.hidden.mjson": game(2),
        "b/c/deep.mjson": game(3),
        "a.zip": zipped({**some, **broken(), ".hidden/x.mjson": game(1)}),
        "most.tar.zst": zstd(tarred(some)),
        "plain.tar": tarred(some),
        "short.zip": zipped(some)[:-30],
        "b.mjson": game(4),
        "notes.txt": b"hello",
    }
    put(memory, files)
    return laid_out(tmp_path / "logs", files)


def test_members_are_those_of_the_same_folder_on_disk(sources: Path) -> None:
    there, here = list(members([ROOT])), list(members([str(sources)]))
    assert [member.inner for member in there] == [member.inner for member in here]
    assert [member.name.replace(ROOT, str(sources), 1) for member in there] == [member.name for member in here]
    assert list(map(read_or_error, there)) == list(map(read_or_error, here))


def read_or_error(member: mjconv.Member) -> bytes | str:
    try:
        return member.read()
    except mjconv.MjconvError as error:
        return error.message


def test_bytes_that_are_read_ahead_are_the_bytes_of_the_members(sources: Path) -> None:  # noqa: ARG001
    plain, ahead = list(members([ROOT])), list(read_ahead(members([ROOT])))
    assert [read_or_error(member) for member in ahead] == [read_or_error(member) for member in plain]
    assert not any(isinstance(member.piece, WholeFile | FileSlice | ZipMember) for member in ahead)
    assert any(isinstance(member.piece, HeldEntry) for member in ahead)
    assert any(isinstance(member.piece, HeldBytes) for member in ahead)


def test_an_entry_that_is_not_where_the_archive_states_it(memory: Any) -> None:
    data = bytearray(zipped({"a.mjson": game(0), "b.mjson": game(1)}))
    end = data.rindex(b"PK\x01\x02")
    data[end + 42 : end + 46] = (1 << 31).to_bytes(4, "little")
    put(memory, {"a.zip": bytes(data)})
    first, second = read_ahead(members([f"{ROOT}/a.zip"]))
    assert first.read() == game(0)
    assert "there is no entry at the offset" in str(read_or_error(second))


def test_patterns(sources: Path) -> None:  # noqa: ARG001
    found = [record.source for record in mjconv.iter_records(f"{ROOT}/b/**/*.mjson")]
    assert found == ["memory://logs/b/c/deep.mjson", "memory://logs/b/loose.mjson"]
    assert [record.index for record in mjconv.iter_records(f"{ROOT}/b/loose.*")] == [0]
    for source in (f"{ROOT}/*.none", "memory://nowhere/a.zip"):
        with pytest.raises(FileNotFoundError, match="No such file"):
            list(mjconv.iter_records(source))


def test_the_library_reads_addresses(sources: Path) -> None:
    assert mjconv.read(f"{ROOT}/b.mjson") == mjconv.read(sources / "b.mjson")
    assert list(mjconv.iter_matches(f"{ROOT}/plain.tar")) == list(mjconv.iter_matches(sources / "plain.tar"))
    found = [finding.code for finding in mjconv.validate(f"{ROOT}/a.zip")]
    assert found == [finding.code for finding in mjconv.validate(sources / "a.zip")]
    with pytest.raises(mjconv.InputError, match="is a zip archive"):
        mjconv.read(f"{ROOT}/a.zip")
    with pytest.raises(mjconv.UsageError, match="only batch and fleet write there"):
        mjconv.write(mjconv.read(sources / "b.mjson"), f"{ROOT}/out.mjson")


def test_scores_at_addresses(memory: Any, tmp_path: Path) -> None:
    text = b"A B C D\n1 - - -\n"
    put(memory, {"may.hk": text})
    (tmp_path / "may.hk").write_bytes(text)
    assert mjconv.hk_score_files([f"{ROOT}/may.hk"]) == mjconv.hk_score_files([tmp_path / "may.hk"])


def test_batch_reads_addresses(sources: Path, tmp_path: Path) -> None:
    run(str(sources), "-o", "disk", "--to", "jmjp", "-q", folder=tmp_path, status=1)
    options = BatchOptions.of(inputs=[ROOT], output=str(tmp_path / "remote"), target="jmjp", jobs=1)
    assert run_batch(options) == 1
    there, here = tree(tmp_path / "remote"), tree(tmp_path / "disk")
    failed = there.pop("failures.jsonl").replace(ROOT.encode(), b"X")
    assert failed == here.pop("failures.jsonl").replace(str(sources).encode(), b"X")
    assert there == here


def test_ranges_are_read_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 1024)
    data = path.read_bytes()
    asked = [(200_000, 200_010), (5, 5), (0, 3), (2, 70_000), (262_140, 999_999), (100, 90)]
    found = read_ranges([(str(path), begin, end) for begin, end in asked])
    assert found == [data[begin:end] for begin, end in asked]


class TestErrors:
    def test_a_request_that_fails_is_made_again(self, memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        put(memory, {"a.zip": zipped(games(5))})
        calls = []
        for name in ("cat_file", "info", "cat_ranges"):
            real = getattr(type(memory), name)

            def refuse(self: Any, *words: Any, real: Any = real, **named: Any) -> Any:
                calls.append(words)
                if len(calls) % 2:
                    raise TimeoutError("slow down")
                return real(self, *words, **named)

            monkeypatch.setattr(type(memory), name, refuse)
        assert sum(1 for _ in mjconv.iter_matches(f"{ROOT}/a.zip")) == 5
        assert len(list(read_ahead(members([f"{ROOT}/a.zip"])))) == 5

    def test_storage_that_never_answers_is_named(self, memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        put(memory, {"a.zip": zipped(games(5))})
        calls = []

        def refuse(self: Any, path: str, *words: Any, **named: Any) -> Any:  # noqa: ARG001
            calls.append(path)
            raise ConnectionError("https://host/logs?X-Amz-Signature=topsecret refused")

        monkeypatch.setattr(type(memory), "cat_file", refuse)
        with pytest.raises(StorageError, match="does not answer") as caught:
            list(mjconv.iter_matches(f"{ROOT}/a.zip"))
        assert len(calls) == ATTEMPTS
        assert "topsecret" not in str(caught.value)

    def test_other_archives_and_chains_are_refused(self, memory: Any) -> None:  # noqa: ARG002
        for address in ("zip://a.mjson::memory://logs/a.zip", "simplecache::memory://logs/a.zip", "tar://logs/a"):
            with pytest.raises(mjconv.UsageError, match="name the archive itself"):
                list(mjconv.iter_matches(address))
        with pytest.raises(mjconv.UsageError, match="cannot be opened"):
            list(mjconv.iter_matches("nonsense://logs/a.zip"))


class TestSecrets:
    SECRETS = (
        "ftp://me:topsecret@host/logs.zip",
        "s3://key:top/topsecret+x@bucket/logs.zip",
        "https://topsecret@host/logs.zip",
        "https://host/logs.zip?X-Amz-Signature=topsecret&a=b",
        "https://host/logs.zip#token=topsecret",
        "webdav://me:topsecret@host:8080/logs.zip",
    )
    HARMLESS = (
        "s3://logs/2024-0?/*.zip",
        "abfs://container@account/logs",
        "https://host:8080/a@b/c:d@e",
        "logs/a:b@c.zip",
        "s3://logs/a b@c.zip",
    )

    @looped("address", *SECRETS)
    def test_are_hidden(self, address: str) -> None:
        assert "topsecret" not in redacted(f"cannot open '{address}', sorry")
        assert redacted(f"cannot open '{address}', sorry").endswith("', sorry")
        assert has_secret(address)

    @looped("address", *HARMLESS)
    def test_nothing_else_is_hidden(self, address: str) -> None:
        assert redacted(address) == address

    @pytest.mark.parametrize("root", ["memory://me:topsecret@host/logs", "memory://host/logs?token=topsecret"])
    def test_none_is_shown(self, root: str, memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        files = {"a.zip": zipped({"a.mjson": game(0), "b.mjson": b"{"}), "b.mjson": b"{", "d.mjson": game(1)}
        files["c.hk"] = b"A B C D\n\xff\n"
        for name, data in files.items():
            memory.pipe_file(f"{root}/{name}", data)
        commands = [
            ("batch", f"{root}/a.zip", "-o", "out", "--to", "jmjp", "--report", "batch.json"),
            ("batch", f"{root}/a.zip", "-o", "out.parquet", "--to", "parquet"),
            ("batch", f"{root}/none.zip", "-o", "none", "--to", "jmjp"),
            ("batch", f"{root}/a.zip", "-o", f"{root}/out", "--to", "jmjp"),
            ("validate", f"{root}/a.zip", f"{root}/b.mjson", f"{root}/none"),
            ("info", "--all", f"{root}/a.zip", f"{root}/c.hk"),
            ("info", f"{root}/a.zip"),
            ("score", f"{root}/c.hk"),
            ("score", f"{root}/a.zip"),
            (f"{root}/d.mjson", "-o", "d.jmjp", "--report", "convert.json"),
            (f"{root}/d.mjson", "-o", "d.zip"),
            (f"{root}/b.mjson", "-o", "b.jmjp"),
            (f"{root}/d.mjson", "-o", f"{root}/e.jmjp"),
            (f"{root}/d.mjson", "-o", f"{root}/e.what"),
            ("split", f"{root}/d.mjson", "-o", "split/"),
        ]
        for words in commands:
            done = CliRunner().invoke(app, words)
            assert done.exit_code in (0, 1, 2)
            assert isinstance(done.exception, SystemExit | None)
            assert "topsecret" not in done.output, words
        assert not any(b"topsecret" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert not any("topsecret" in str(path) for path in tmp_path.rglob("*"))

    @given(any_text(), any_text())
    def test_hiding_twice_is_hiding_once(self, before: str, after: str) -> None:
        text = f"{before}://{after}"
        assert redacted(redacted(text)) == redacted(text)

    @given(st.text("abcXYZ019+/=", min_size=8), st.sampled_from(["ftp", "s3", "https", "webdav", "sftp"]))
    def test_no_password_survives(self, password: str, scheme: str) -> None:
        assert password not in redacted(f"{scheme}://me:pass{password}@host/x.zip")


def test_a_drive_letter_is_no_address() -> None:
    addresses = ["C:/logs/a.zip", "./s3:/logs", b"s3://logs/\xff.zip"]
    assert [is_address(address) for address in addresses] == [False, False, True]
