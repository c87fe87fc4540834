"""Run the code of docs/pipelines.md in separate processes, as in a program."""

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from archives import games, laid_out, tarred, zipped, zstd

PAGE = Path(__file__).parents[2] / "docs" / "pipelines.md"
LOADER = """
import json, sys
from multiprocessing import get_context
from types import SimpleNamespace

from shown import Games

class Names(Games):
    def example(self, match):
        return match.players[0].name.last.native if match.players[0].name.last else match.players[0].name

class Info:
    def __init__(self, id, num_workers):
        self.id, self.num_workers = id, num_workers

    def __call__(self):
        return self

def work(task):
    return [str(name) for name in Names(task[0], Info(task[1], task[2]))]

if __name__ == "__main__":
    workers = int(sys.argv[1])
    with get_context("spawn").Pool(workers) as pool:
        for source in sys.argv[2:]:
            print(json.dumps(pool.map(work, [(source, number, workers) for number in range(workers)])))
"""


def shown() -> str:
    """Write the class of the page as a module."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    [block] = [block for block in blocks if "class Games" in block]
    [example, *_] = doctest.DocTestParser().get_examples(block)
    return f"import mjconv\n{example.source}"


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_of_a_loader_see_each_game_once(tmp_path: Path, workers: int) -> None:
    files = games(10)
    laid_out(tmp_path / "logs", files)
    (tmp_path / "logs.zip").write_bytes(zipped(files))
    (tmp_path / "logs.tar.zst").write_bytes(zstd(tarred(files)))
    (tmp_path / "shown.py").write_text(shown())
    (tmp_path / "loader.py").write_text(LOADER)
    words = [sys.executable, "loader.py", str(workers), "logs", "logs.zip", "logs.tar.zst"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    of_sources = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(of_sources) == 3
    for shares in of_sources:
        assert sorted(name for share in shares for name in share) == sorted(f"東{number}" for number in range(10))
        assert max(map(len, shares)) - min(map(len, shares)) <= 1
