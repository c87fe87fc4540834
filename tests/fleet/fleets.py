"""Fleets for the tests: what a run leaves, and the same by `mjconv batch`."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from typer.testing import CliRunner

from batch.archives import Files, broken, command_of, game, games, laid_out, tarred, zipped, zstd
from batch.archives import run as run_batch
from mjconv import fleet
from mjconv.command.cli import app
from mjconv.fleet.api import Fleet
from mjconv.fleet.results import Manifest
from mjconv.fleet.store import Store, store_of

#: The command words of each kind of output, beside the output: those of fleet, and those of batch with its output.
KINDS: Mapping[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "parquet": (("--to", "parquet"), "out.parquet", ("--to", "parquet")),
    "zip": (("--to", "jmjp"), "out.zip", ("--to", "jmjp")),
    "lines": (("--to", "mjai", "--lines"), "lines", ("--to", "mjai", "--shards", "1")),
}


def command(*words: str | Path, status: int = 0) -> str:
    with patch("typer.testing._get_command", command_of):
        done = CliRunner().invoke(app, ["fleet", *map(str, words)])
    assert done.exit_code == status, (done.output, done.exception)
    return done.output


def mixed(count: int = 60) -> dict[str, bytes]:
    """Return sources of every kind, by name: some archives are broken, and some members."""
    some = list(games(count).items())
    return {
        "a.zip": zipped({**dict(some[: count // 2]), **broken()}),
        "b/deep.zip": zipped(dict(some[count // 2 :])),
        "b/loose-1.mjson": game(1001),
        "b/loose-2.mjson": b"{",
        "b/notes": b"no record",
        "c.tar.zst": zstd(tarred(dict(some[:7]))),
        "d.tar": tarred(dict(some[7:12])),
        "e.zip": zipped(dict(some[:5]))[:-30],
        "f.mjson": b"".join(game(number) for number in range(2000, 2004)),
    }


def contents(output: str) -> dict[str, bytes]:
    """Return all objects of a fleet that stay: parts, results, lists and the manifest."""
    store = store_of(output)
    names = [name for folder in ("parts", "done", "failures", "renamed") for name in sorted(store.sizes(folder))]
    names += [name for name in ("manifest.json", "failures.jsonl", "renamed.jsonl") if store.has(name)]
    return {name: store.read(name) for name in names}


def manifest_of(run: Fleet) -> Manifest:
    manifest = run.manifest()
    assert manifest is not None
    return manifest


def planned_in(folder: Path, files: Files, **options: Any) -> Fleet:
    """Plan the conversion of files in a folder, which it writes, to `out` in this folder."""
    laid_out(folder, files)
    return fleet.plan([folder / name for name in files], folder / "out", **{"target": "jmjp", **options})


def joined_parts(output: str, kind: str) -> Any:
    """Return the parts of a fleet as one value that is equal to that of `batch_output`."""
    store = store_of(output)
    manifest = manifest_of(fleet.open_fleet(output))
    data = [store.read(part.path) for part in manifest.parts]
    if kind == "lines":
        return b"".join(data)
    if kind == "zip":
        return [member for part in data for member in members(part)]
    import pyarrow as pa

    tables = []
    for part, table in zip(manifest.parts, map(table_of, data), strict=True):
        column = table.schema.get_field_index("game")
        numbers = pa.compute.add(table.column(column), part.first_match)
        tables.append(table.set_column(column, table.schema.field(column), numbers))
        assert part.rows == table.num_rows
    return plain(pa.concat_tables(tables))


def failures_of(store: Store) -> bytes:
    return store.read("failures.jsonl") if store.has("failures.jsonl") else b""


def batch_output(folder: Path, source: str, kind: str) -> tuple[Any, bytes]:
    _, name, words = KINDS[kind]
    run_batch(source, "-o", name, *words, "--jobs", "2", "-q", folder=folder, status=None)
    inside = kind == "lines"
    failures = folder / name / "failures.jsonl" if inside else folder / f"{name}.failures.jsonl"
    failed = failures.read_bytes() if failures.exists() else b""
    if inside:
        return (folder / name / "matches-00000-of-00001.jsonl").read_bytes(), failed
    data = (folder / name).read_bytes()
    return (members(data) if kind == "zip" else plain(table_of(data))), failed


def members(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def table_of(data: bytes) -> Any:
    import pyarrow.parquet as pq

    return pq.read_table(io.BytesIO(data))


def plain(table: Any) -> Any:
    """Return a table whose columns have no dictionaries, so that equal values are equal."""
    import pyarrow as pa

    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.table([column.combine_chunks() for column in columns], names=table.column_names)


def without_root(failures: bytes, root: str) -> list[dict[str, Any]]:
    """Return failures with the names of their members below the root."""
    lines = [json.loads(line) for line in failures.splitlines()]
    return [{**line, "member": line["member"].removeprefix(root)} for line in lines]


__all__ = ["KINDS", "Files", "laid_out"]
