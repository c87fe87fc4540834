"""Parquet files are joined without rewriting: the same rows, the same bytes of the row groups, one footer."""

import io
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjconv.batch.parquet_join import JoinedParquet, _write_struct, read_footer

SCHEMA = pa.schema(
    [
        pa.field("number", pa.int64()),
        pa.field("word", pa.dictionary(pa.int32(), pa.string()), metadata={"description": "東"}),
        pa.field("list", pa.list_(pa.struct([("name", pa.string()), ("value", pa.float64())]))),
        pa.field("flag", pa.bool_()),
        pa.field("day", pa.date32()),
    ],
    metadata={"key": "value"},
)


def rows(first: int, count: int) -> pa.Table:
    values: list[dict[str, Any]] = [
        {
            "number": number,
            "word": f"word {number % 5}" if number % 3 else None,
            "list": [{"name": str(number), "value": number / 7}] * (number % 4),
            "flag": bool(number % 2),
            "day": None,
        }
        for number in range(first, first + count)
    ]
    return pa.Table.from_pylist(values, SCHEMA)


def parquet(table: pa.Table, **more: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **more)
    return stream.getvalue()


def joined(parts: list[bytes]) -> bytes:
    stream = io.BytesIO()
    whole = JoinedParquet(stream)
    for part in parts:
        whole.add(part)
    whole.finish()
    return stream.getvalue()


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6), st.sampled_from(["zstd", "snappy", "none"]))
def test_the_rows_are_those_of_all_parts(counts: list[int], compression: str) -> None:
    firsts = [sum(counts[:at]) for at in range(len(counts))]
    tables = [rows(first, count) for first, count in zip(firsts, counts, strict=True)]
    parts = [parquet(table, compression=compression, row_group_size=16, write_page_index=True) for table in tables]
    data = joined(parts)
    found = pq.read_table(io.BytesIO(data))
    assert found.to_pylist() == pa.concat_tables(tables).to_pylist()
    assert found.schema.equals(pq.read_schema(io.BytesIO(parts[0])), check_metadata=True)
    # Another implementation, which also skips row groups by their statistics.
    assert pl.read_parquet(io.BytesIO(data))["number"].to_list() == list(range(sum(counts)))
    last = pl.scan_parquet(io.BytesIO(data)).filter(pl.col("number") == sum(counts) - 1).collect()
    assert last.height == (sum(counts) > 0)


def test_one_part_comes_back_byte_for_byte() -> None:
    part = parquet(rows(0, 100))
    assert joined([part]) == part


def test_row_groups_are_copied() -> None:
    parts = [parquet(rows(0, 50)), parquet(rows(50, 50))]
    bodies = [part[4 : -8 - int.from_bytes(part[-8:-4], "little")] for part in parts]
    assert joined(parts).startswith(b"PAR1" + bodies[0] + bodies[1])


@pytest.mark.parametrize("groups", [1, 15, 300])
def test_a_footer_comes_back(groups: int) -> None:
    part = parquet(rows(0, groups), row_group_size=1)
    footer = part[-8 - int.from_bytes(part[-8:-4], "little") : -8]
    written = bytearray()
    _write_struct(written, read_footer(footer))
    assert bytes(written) == footer
