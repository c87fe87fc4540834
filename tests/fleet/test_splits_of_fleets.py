"""``--dedup`` and ``--split`` in fleets: a part of each shard for each split."""

import os
from pathlib import Path

import pytest
from fleets import KINDS, command, contents, manifest_of, members, plain, table_of

from batch.archives import game, laid_out, run, zipped
from mjconv import fleet
from mjconv.fleet.api import Fleet

pytestmark = pytest.mark.usefixtures("workers_here")

BOTH = ("--dedup", "--split", "train=0.5,val=0.5")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Make a zip archive of 24 matches of 18 games: six are twice, four of them in the same half of it."""
    files = {f"{number:02}.mjson": game(number) for number in range(16)}
    files["03+.mjson"] = game(3) + game(4) + game(20)
    files["05+.mjson"] = game(5) + game(1) + game(21) + game(10)
    files["15+.mjson"] = game(2)
    laid_out(tmp_path, {"logs.zip": zipped(dict(sorted(files.items())))})
    return tmp_path


def made(logs: Path, kind: str, files: int) -> Fleet:
    output = logs / f"{kind}-{files}"
    command("plan", logs / "logs.zip", "-o", output, *KINDS[kind][0], *BOTH, "--files", str(files), "-q")
    command("run", output, "--jobs", "1", "-q")
    return fleet.open_fleet(output)


@pytest.mark.parametrize("kind", KINDS)
def test_one_shard_is_what_batch_writes(kind: str, logs: Path) -> None:
    whole = made(logs, kind, 100)
    manifest = manifest_of(whole)
    counts = manifest.summary.counts
    assert (counts.matches, counts.duplicates, manifest.summary.failed) == (18, 6, 0)
    assert sum(manifest.summary.splits.values()) == 18
    _, name, words = KINDS[kind]
    run(logs / "logs.zip", "-o", name.removesuffix(".parquet"), *words, *BOTH, "-q", folder=logs)
    parts = {part.split: (Path(whole.output) / part.path).read_bytes() for part in manifest.parts}
    if kind == "zip":
        assert members(parts[""]) == members((logs / name).read_bytes())
        return
    assert {part.split: part.matches for part in manifest.parts} == manifest.summary.splits
    for split, data in parts.items():
        if kind == "lines":
            assert data == (logs / name / f"{split}-00000-of-00001.jsonl").read_bytes()
        else:
            assert plain(table_of(data)) == plain(table_of((logs / "out" / f"{split}.parquet").read_bytes()))


def test_each_shard_has_a_part_of_each_split(logs: Path) -> None:
    whole = made(logs, "parquet", 10)
    manifest = manifest_of(whole)
    assert [part.split for part in manifest.parts] == ["train", "val"] * 2
    assert [part.path.endswith(f"-{part.split}.parquet") for part in manifest.parts] == [True] * 4
    # Only doubles in one shard are found.
    assert (manifest.summary.counts.matches, manifest.summary.counts.duplicates) == (20, 4)
    for split in ("train", "val"):
        first, second = (part for part in manifest.parts if part.split == split)
        assert (first.first_match, second.first_match) == (0, first.matches)
        assert manifest.summary.splits[split] == first.matches + second.matches
    assert "20 matches" in command("status", whole.output)
    assert "6 matches left out" not in command("run", whole.output)


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_part_of_a_split_is_found_and_made_again(kind: str, logs: Path) -> None:
    whole = made(logs, kind, 10)
    before, manifest = contents(whole.output), manifest_of(whole)
    damaged = Path(whole.output, manifest.parts[-1].path)
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    assert command("verify", whole.output, "-q", status=1) == f"{manifest.parts[-1].path} is damaged or gone\n"
    command("run", whole.output, "--jobs", "1", "-q")
    assert contents(whole.output) == before
    assert command("verify", whole.output) == "mjconv: all parts have the contents that were written\n"
    assert whole.clean() == []


def test_a_touched_zip_archive_has_the_same_shards(logs: Path) -> None:
    whole = made(logs, "zip", 10)
    before = [shard.id for shard in whole.shards()]
    os.utime(logs / "logs.zip", (1, 1))
    words = (*KINDS["zip"][0], *BOTH, "--files", "10", "--force", "-q")
    command("plan", logs / "logs.zip", "-o", whole.output, *words)
    again = fleet.open_fleet(whole.output)
    assert ([shard.id for shard in again.shards()], list(again.pending())) == (before, [])


def test_a_wrong_split_makes_no_plan(logs: Path) -> None:
    command("plan", logs / "logs.zip", "-o", logs / "out", "--to", "mjai", "--split", "train=0.9", status=2)
    assert not (logs / "out").exists()
