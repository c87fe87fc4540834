"""`mjconv.torch`, with a module in the place of torch, which CI does not install: its examples run on a page."""

import doctest
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import chain, zip_longest
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow.parquet as pq
import pytest
from replays import readings

import mjconv
from engine import play
from mjconv.ir.losses import Report
from mjconv.train.layout import schema_for
from mjconv.train.rows import decision_batches

GAME = play(21)
T = TypeVar("T")


class _Iterable(Generic[T]):
    """`torch.utils.data.IterableDataset`."""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    data: Any = ModuleType("torch.utils.data")
    data.IterableDataset, data.get_worker_info = _Iterable, lambda: None
    for name in ("torch", "torch.utils", "torch.utils.data"):
        monkeypatch.setitem(sys.modules, name, data)
    monkeypatch.delitem(sys.modules, "mjconv.torch", raising=False)
    yield import_module("mjconv.torch")
    sys.modules.pop("mjconv.torch", None)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a file of decisions with a row group a round."""
    path = tmp_path_factory.mktemp("decisions") / "games.parquet"
    with pq.ParquetWriter(path, schema_for(4)) as writer:
        for batch in decision_batches(readings(GAME), 4, Report(), source="game", rows=1):
            writer.write_batch(batch)
    return path


def keys(batches: list[dict[str, Any]]) -> list[list[tuple[int, int]]]:
    return [list(zip(one["round"], one["decision"], strict=True)) for one in batches]


def joined(several: list[list[Any]]) -> list[Any]:
    return list(chain.from_iterable(several))


def loaded(monkeypatch: pytest.MonkeyPatch, module: Any, made: Any, workers: int) -> list[Any]:
    """Return the batches as a loader with so many workers has them: from the workers in turn."""
    several = []
    for number in range(workers):
        monkeypatch.setattr(module, "get_worker_info", lambda n=number: SimpleNamespace(id=n, num_workers=workers))
        several.append(list(made()))
    return [one for turn in zip_longest(*several) for one in turn if one is not None]


def test_examples(module: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(module) == (0, 5)


def test_each_epoch_has_all_decisions_in_another_order(module: Any, file: Path) -> None:
    dataset = module.DecisionDataset(file, batch=64, buffer=200, columns=["round", "decision", "delta"])
    epochs = [list(dataset) for _ in range(2)]
    table = pq.read_table(file)
    rows = sorted(zip(table["round"].to_pylist(), table["decision"].to_pylist(), strict=True))
    first, second = map(keys, epochs)
    assert {len(batch) for batch in first[:-1]} == {64}
    assert [sorted(joined(each)) for each in (first, second)] == [rows, rows]
    assert first != second
    # A batch has decisions of several rounds.
    assert len({number for number, _ in first[0]}) > 1
    again = module.DecisionDataset(file, batch=64, buffer=200, columns=["round", "decision"])
    again.epoch = 1
    assert keys(list(again)) == second
    wanted = {(row["round"], row["decision"]): row for row in table.to_pylist()}
    for batch in epochs[0]:
        assert batch["legal"][np.arange(len(batch["action"])), batch["action"]].all()
        assert batch["features"].shape[1:] == (74, 34)
        # Torch warns of an array that it cannot write to.
        assert all(array.flags.writeable for array in batch.values())
        for place, key in enumerate(keys([batch])[0]):
            assert (batch["action"][place], batch["delta"][place]) == (wanted[key]["action"], wanted[key]["delta"])


def test_workers_and_processes_divide_decisions(module: Any, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"batch": 32, "buffer": 100, "columns": ["round", "decision"]}
    parts = [
        keys(loaded(monkeypatch, module, lambda r=rank: module.DecisionDataset(file, shard=(r, 2), **options), 3))
        for rank in range(2)
    ]
    found = joined(joined(parts))
    assert len(set(found)) == len(found) == pq.ParquetFile(file).metadata.num_rows


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("done", [0, 1, 4, 5])
def test_training_continues_with_the_same_batches(
    module: Any, file: Path, monkeypatch: pytest.MonkeyPatch, workers: int, done: int
) -> None:
    def made(state: dict[str, int] | None = None) -> Any:
        dataset = module.DecisionDataset(file, batch=16, buffer=100, columns=["round", "decision"])
        if state is not None:
            monkeypatch.setattr(module, "get_worker_info", lambda: None)
            dataset.load_state_dict(state)
            number = next(counted)
            monkeypatch.setattr(module, "get_worker_info", lambda: SimpleNamespace(id=number, num_workers=workers))
        return dataset

    counted = iter(range(workers))
    whole = keys(loaded(monkeypatch, module, made, workers))
    rest = keys(loaded(monkeypatch, module, lambda: made({"epoch": 0, "batches": done}), workers))
    # Workers have different numbers of batches: at the end their order may differ.
    assert (rest[:10], sorted(rest)) == (whole[done : done + 10], sorted(whole[done:]))


def test_a_copy_continues_from_its_own_state(module: Any, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "get_worker_info", lambda: SimpleNamespace(id=1, num_workers=2))
    dataset = module.DecisionDataset(file, batch=16, columns=["round", "decision"])
    batches = iter(dataset)
    for _ in range(3):
        next(batches)
    copy = module.DecisionDataset(file, batch=16, columns=["round", "decision"])
    copy.load_state_dict(dataset.state_dict())
    assert keys(list(copy)) == keys(list(batches))
    assert dataset.state_dict() == copy.state_dict() == {"epoch": 1, "batches": 0}


def test_records_are_the_same_decisions(module: Any, file: Path, tmp_path: Path) -> None:
    for name, data in {"1.mjson": GAME, "2.mjson": b"{", "3.mjson": play(22, players=3, length="round")}.items():
        (tmp_path / name).write_bytes(data)
    errors: list[Exception] = []
    options: dict[str, Any] = {"batch": 64, "columns": ["round", "decision"]}
    records = module.DecisionDataset(f"{tmp_path}/*.mjson", errors=errors.append, **options)
    found = [sorted(joined(keys(list(each)))) for each in (records, module.DecisionDataset(file, **options))]
    assert found[0] == found[1]
    assert [type(error).__name__ for error in errors] == ["InputError", "UnsupportedError"]
    with pytest.raises(mjconv.UnsupportedError, match="has 3 players"):
        list(module.DecisionDataset(tmp_path / "3.mjson"))
