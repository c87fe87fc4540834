"""The package of npm has the schemas: its validator finds what Python finds, and TypeScript takes its types."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mjconv import schemas

ROOT = Path(__file__).parents[2]
#: Values that no key or few may have.
WRONG: tuple[Any, ...] = (None, -1, "0m", ["1m"], {})
#: Prints the paths of the errors of each message of a file, in both dialects.
PROGRAM = """
import { readFileSync } from "node:fs";
import { errors } from "mjai-schema";
for (const message of JSON.parse(readFileSync("messages.json"))) {
  const found = ["standard", "accepted"].map((name) => errors(message, name).map(({ path }) => path));
  console.log(JSON.stringify(found));
}
"""


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the package is installed, as it was packed."""
    if missing := [name for name in ("node", "npm") if shutil.which(name) is None]:
        pytest.skip(f"the package of npm is not tested: no {' and no '.join(missing)}")
    folder = tmp_path_factory.mktemp("npm")
    run(ROOT, sys.executable, "npm/make.py", str(folder / "package"))
    [packed] = json.loads(run(folder, "npm", "pack", "--json", "./package"))
    assert packed["size"] < 25_000
    run(folder, "npm", "install", "--no-audit", "--no-fund", f"./{packed['filename']}", "typescript")
    return folder


def shown(language: str) -> str:
    return (ROOT / "docs/mjai-schema.md").read_text("utf-8").partition(f"```{language}\n")[2].partition("```")[0]


def test_the_page_shows_what_node_prints(folder: Path) -> None:
    (folder / "page.mjs").write_text(shown("javascript"), "utf-8")
    printed = run(folder, "node", "page.mjs").splitlines()
    assert [f"// {one}" for one in printed] == [one for one in shown("javascript").splitlines() if one[:2] == "//"]


def test_typescript_narrows_a_message_by_its_type(folder: Path) -> None:
    """The page is right. With a key that the message has not, it is wrong."""
    (folder / "page.mts").write_text(shown("typescript"), "utf-8")
    (folder / "wrong.mts").write_text(shown("typescript").replace("message.pai", "message.pais"), "utf-8")
    words = ("npx", "tsc", "--noEmit", "--strict", "--module", "nodenext", "page.mts", "wrong.mts")
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    errors = [line for line in done.stdout.splitlines() if "error" in line]
    assert len(errors) == 1
    assert errors[0].startswith("wrong.mts(4,")


def messages() -> Iterator[Any]:
    """Yield a message of the corpus for each set of keys, and each again without a key and with a wrong value."""
    seen = set()
    for path in sorted((ROOT / "corpus").rglob("*.mjson")):
        for line in path.read_text("utf-8", errors="replace").splitlines():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if not isinstance(message, dict) or (shape := (str(message.get("type")), *sorted(message))) in seen:
                continue
            seen.add(shape)
            yield message
            for key in message:
                yield {name: value for name, value in message.items() if name != key}
                yield from ({**message, key: wrong} for wrong in WRONG)
    yield from ([], "tsumo", None)
    yield from ({"type": "kita", "actor": 2}, {"type": "hora", "actor": 0, "target": 1, "delta": 1})


def test_the_validator_finds_what_python_finds(folder: Path) -> None:
    tried = list(messages())
    (folder / "messages.json").write_text(json.dumps(tried), "utf-8")
    (folder / "program.mjs").write_text(PROGRAM, "utf-8")
    found = [json.loads(line) for line in run(folder, "node", "program.mjs").splitlines()]
    assert len(found) == len(tried) > 500
    checks = [schemas.validator(name) for name in ("message", "accepted/message")]
    for message, paths in zip(tried, found, strict=True):
        expected = [
            {"".join(f"/{key}" for key in error.absolute_path) for error in check.iter_errors(message)}
            for check in checks
        ]
        assert [set(each) for each in paths] == expected, message
