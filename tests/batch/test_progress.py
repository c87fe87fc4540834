"""The size of the inputs of a run, by which its progress is measured, and the numbers so far."""

from pathlib import Path
from typing import Any

import pytest
from archives import working_here

from engine import play
from mjconv.batch.finished import survey
from mjconv.batch.plan import plan_of
from mjconv.batch.protocol import Counts
from mjconv.batch.run import Run
from mjconv.batch.summary import Summary, progress_text
from mjconv.options import ConvertOptions


def test_the_numbers_so_far() -> None:
    far = Summary(members=1200, failed=3, counts=Counts(matches=1190), read_bytes=500)
    assert progress_text(far) == "1,200 members, 1,190 matches, 3 failed"
    assert progress_text(Summary(members=1, counts=Counts(matches=1))) == "1 member, 1 match"


@pytest.mark.parametrize(
    ("later", "shape", "options"),
    [
        (0, "out", {"target": "jmjp"}),
        (1, "out", {"target": "jmjp", "dedup": True}),
        (1, "out.parquet", {"target": "parquet"}),
        (1, "out", {"target": "parquet", "tables": "games,rounds"}),
    ],
)
def test_progress_counts_all_passes(tmp_path: Path, later: int, shape: str, options: dict[str, Any]) -> None:
    (tmp_path / "logs").mkdir()
    for number in range(3):
        (tmp_path / "logs" / f"{number}.mjson").write_bytes(play(number, length="round"))
    names, output = [str(tmp_path / "logs")], str(tmp_path / shape)
    run = Run(plan_of(names, output, ConvertOptions(**options)), output)
    inputs = run.survey(names)
    run.prepare(inputs)
    shares: list[float] = []

    def watch(_: Summary) -> None:
        done, here, whole = run.work(inputs.size)
        assert done == here
        shares.append(done / whole)

    with working_here():
        run.execute(names, 1, watch, inputs=inputs)
    assert (shares, shares[-1]) == (sorted(set(shares)), 1)
    # The first pass converts the three members, and each later one takes an eighth of its time.
    assert shares[2] == pytest.approx(1 / (1 + later / 8))


def test_a_folder_has_a_size_as_an_archive_has(tmp_path: Path) -> None:
    (tmp_path / "logs" / "below").mkdir(parents=True)
    for name in ("a.mjson", "below/b.mjson", ".hidden", "below/out.zip"):
        (tmp_path / "logs" / name).write_bytes(b"x" * 100)
    (tmp_path / "logs" / "link").symlink_to(tmp_path)
    (tmp_path / "one.zip").write_bytes(b"y" * 1000)
    out = str(tmp_path / "logs" / "below" / "out.zip")
    logs, one, missing = (str(tmp_path / name) for name in ("logs", "one.zip", "missing"))
    assert survey([logs, one, missing], {out}).size == 1200
    assert survey([logs, f"{logs}/a.mjson"], {out}).size == 300
