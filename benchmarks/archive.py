"""Convert whole archives to jmjp and back, and check the result: ``python -m benchmarks.archive``.

The games come from `MJCONV_REAL_LOGS`, or are played, and each gets its own names and suits. They are converted as
a zip archive, a tar.zst archive and a folder. Every converted game is compared with a single conversion of it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from tarfile import TarInfo
from tempfile import TemporaryDirectory
from typing import Any, Final

import orjson
import zstandard

import mjconv
from benchmarks import games
from mjconv.batch.paths import FINISHED, SUMS

_SUITS: Final = ("mps", "psm", "smp", "msp", "pms", "spm")
_SAMPLE: Final = 0.05
_BLOCK: Final = 512
_FEW: Final = 10


@dataclass
class Figures:
    """The figures of one run; memory is the peak of the parent and of one worker, in MB."""

    work: str
    games: int
    jobs: int
    seconds: float
    games_per_second: float
    megabytes_per_second: float
    parent: float
    worker: float


def varied(count: int, played: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield games with names in folders of a hundred, each with its own players; copies differ in suits."""
    variants = [recoloured(log, suits) for suits in _SUITS for log in played]
    for number in range(count):
        first, _, rest = variants[number % len(variants)].partition(b"\n")
        start = orjson.loads(first)
        start["names"] = [f"{name}{number}" for name in start.get("names") or "東南西北"]
        yield f"{number // 100:04}/{number:06}.mjson", orjson.dumps(start) + b"\n" + rest


def recoloured(log: bytes, suits: str) -> bytes:
    table = bytes.maketrans(b"mps", suits.encode())
    return b'"'.join(
        part.translate(table) if part[:1].isdigit() and len(part) in (2, 3) else part for part in log.split(b'"')
    )


def make(folder: Path, count: int, played: Sequence[bytes]) -> None:
    """Write the zip archive, the tar.zst archive and the folder."""
    compressor = zstandard.ZstdCompressor(level=3)
    with (
        zipfile.ZipFile(folder / "logs.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive,
        open(folder / "logs.tar.zst", "wb") as file,
        compressor.stream_writer(file) as tape,
    ):
        for name, data in varied(count, played):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            about = TarInfo(name)
            about.size = len(data)
            tape.write(about.tobuf() + data + bytes(-len(data) % _BLOCK))
            path = folder / "logs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        tape.write(bytes(2 * _BLOCK))


def converted(folder: Path, source: str, output: str, target: str, jobs: int) -> Figures:
    """Run the conversion and measure the memory of its processes twenty times a second."""
    words = ["batch", source, "-o", output, "--to", target, "--jobs", str(jobs), "-q", "--report", "report.json"]
    began = time.monotonic()
    process = subprocess.Popen([sys.executable, "-P", "-m", "mjconv", *words], cwd=folder)
    parent, workers = 0.0, {0: 0.0}
    while process.poll() is None:
        parent = max(parent, memory(process.pid))
        workers |= {worker: memory(worker) for worker in children(process.pid)}
        time.sleep(_SAMPLE)
    seconds = time.monotonic() - began
    report = json.loads((folder / "report.json").read_text("utf-8"))
    if process.returncode:
        raise SystemExit(f"{source} to {output}: status {process.returncode}, {report['failures']}")
    count = report["matches"]
    read = report["read_bytes"] / 1e6
    work = f"{source} to {output}"
    worker = max(workers.values())
    return Figures(work, count, jobs, seconds, count / seconds, read / seconds, parent, worker)


def memory(process: int) -> float:
    """Return the peak memory of a process in MB, or 0 if it has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1000
    return 0.0


def children(parent: int) -> Iterator[int]:
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                stat = Path("/proc", entry, "stat").read_text()
                if int(stat.rpartition(")")[2].split()[1]) == parent:
                    yield int(entry)


def check(task: tuple[str, str, str, str, int, int]) -> int:
    """Compare a share of the output with single conversions. Returns the number of games."""
    source, output, target, ending, turn, turns = task
    count = 0
    for member in mjconv.iter_members(source, shard=(turn, turns)):
        inner, data = Path(member.inner), member.read()
        if not member.is_record(data):
            # The sums and the manifest of the run before.
            continue
        wanted = mjconv.convert(data, target=target, file=member.name).data
        if Path(output, inner.with_suffix(ending)).read_bytes() != wanted:
            raise SystemExit(f"{member.name} differs from its single conversion")
        count += 1
    return count


def checked(folder: Path, source: str, output: str, target: str, ending: str) -> int:
    turns = os.cpu_count() or 1
    tasks = [(str(folder / source), str(folder / output), target, ending, turn, turns) for turn in range(turns)]
    with get_context("spawn").Pool(turns) as pool:
        return sum(pool.map(check, tasks))


def same(folder: Path, one: str, other: str) -> None:
    """Check that two folders are equal. Raises `SystemExit` with the first differences."""
    # The file of a complete run names the inputs, and these differ; the list of sums has its digest.
    command = ["diff", "-rq", f"--exclude={FINISHED}", f"--exclude={SUMS}", one, other]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout[:1000])


def row(figures: Figures) -> str:
    return (
        f"| {figures.work} | {figures.games:,} | {figures.jobs} | {figures.seconds:.1f} | "
        f"{figures.games_per_second:.0f} | {figures.megabytes_per_second:.1f} | {figures.parent:.0f} | "
        f"{figures.worker:.0f} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.archive", description=__doc__)
    parser.add_argument(
        "--games", type=int, default=20_000, help="how many games; memory is compared with a tenth"
    )
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2, 4], help="numbers of workers to compare")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to FILE as well")
    asked = parser.parse_args(arguments)
    results: list[Figures] = []

    def tell(figures: Figures) -> None:
        print(row(figures), flush=True)
        results.append(figures)

    with TemporaryDirectory() as name:
        folder = Path(name)
        source, found = games.load(folder)
        print(f"{asked.games:,} games made of {len(found)} {source}; {os.cpu_count()} cores\n")
        print("| Work | Games | Workers | Seconds | Games/s | MB/s read | Parent MB | Worker MB |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
        measured(folder, asked.games, asked.jobs, [game.data for game in found], tell)
    if asked.json is not None:
        asked.json.write_text(json.dumps([asdict(figures) for figures in results], indent=1) + "\n", "utf-8")


def measured(
    folder: Path, count: int, jobs: Sequence[int], played: Sequence[bytes], tell: Callable[[Figures], Any]
) -> None:
    few, many = folder / "few", folder / "many"
    for where, number in ((few, count // _FEW), (many, count)):
        where.mkdir()
        make(where, number, played)
    most = max(jobs)
    for source in ("logs.zip", "logs.tar.zst", "logs"):
        tell(converted(few, source, f"there-{source}", "jmjp", most))
    for source in ("logs.zip", "logs.tar.zst", "logs"):
        tell(converted(many, source, f"{source}.there", "jmjp", most))
    for source in ("logs.tar.zst", "logs"):
        same(many, "logs.zip.there", f"{source}.there")
    print(
        f"\n{checked(many, 'logs.zip', 'logs.zip.there', 'jmjp', '.jmjp'):,} games equal their single conversion\n"
    )
    tell(converted(many, "logs.zip.there", "back", "mjai", most))
    tell(converted(many, "logs.tar.zst", "there.tar.zst", "jmjp", most))
    tell(converted(many, "there.tar.zst", "back-too", "mjai", most))
    same(many, "back", "back-too")
    count = checked(many, "logs.zip.there", "back", "mjai", ".mjson")
    print(f"\n{count:,} games equal their single conversion back\n")
    for number in sorted(jobs):
        tell(converted(many, "logs.zip", f"jobs-{number}.zip", "jmjp", number))


if __name__ == "__main__":
    main()
