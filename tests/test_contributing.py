"""Every command that CONTRIBUTING.md shows works: ``.ci/run`` runs it, or a test runs it for a short time."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from breaks import BREAKS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
CHECKS = (ROOT / ".ci/run").read_text("utf-8").replace(" --quiet", "")
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
#: The extras that ``.ci/run`` installs.
EXTRAS = {extra for extras in re.findall(r"'(?:\.|mjconv)\[(.*?)\]'", CHECKS) for extra in extras.split(",")}
PYTHON = ".venv/bin/python"
#: What makes a command short enough for a test; each takes too long as it is shown.
SHORTER = {
    f"{PYTHON} -m benchmarks --quick": ["--only", "check order"],
    f"{PYTHON} -m benchmarks": ["--quick", "--only", "check order"],
    f"{PYTHON} -m fuzz mjai --minutes 60": ["--minutes", "0.02", "--seed", "3"],
}
#: Commands that other tests run, or a part of them.
ELSEWHERE = {
    ".venv/bin/pytest -n auto": ".ci/run, with more cases",
    f"{PYTHON} tests/breaks.py": "test_every_break_has_its_text",
    ".venv/bin/pytest -m mcr": ".ci/run, with the slow tests",
    "sudo apt-get install chromium-headless-shell chromium-driver fonts-noto-cjk": ".ci/run, if they are missing",
    ".venv/bin/pytest -m slow tests/browser -n 2": ".ci/run, with the other slow tests",
    ".venv/bin/pytest -m slow tests/fleet -n 2": ".ci/run, with the other slow tests",
    f"PYTHONPATH=tests {PYTHON} tests/browser/pictures.py docs/pictures": "tests/browser/test_browser_pictures.py",
    "bash .ci/run": "test_the_script_of_all_checks_can_be_read",
    ".venv/bin/ruff format .": "test_style_is_checked_as_it_is_made",
    f"{PYTHON} -m mjconv.command.manual share": "tests/app/test_help.py",
    f"{PYTHON} -m build": "tests/installation/test_installed.py",
    ".venv/bin/twine check --strict dist/*": "tests/installation/test_installed.py",
    f"{PYTHON} npm/make.py dist-npm": "tests/schemas/test_npm.py",
    f"{PYTHON} tests/goldens.py": "tests/test_note_versions.py",
    ".venv/bin/mypy -p mjconv": "tests/installation/test_installed.py",
    f"{PYTHON} docs/site.py": "tests/browser/test_browser_site.py",
    f"{PYTHON} -m fuzz bombs": "tests/test_hostile_bombs.py",
    f"{PYTHON} -m fuzz patterns": "tests/test_fuzzing.py",
}


def test_every_command_is_run() -> None:
    installs = {f".venv/bin/pip install -e '.[{extra}]'" for extra in EXTRAS}
    unknown = [command for command in COMMANDS if command not in {*SHORTER, *ELSEWHERE, *installs}]
    assert [command for command in unknown if not re.search(rf"(?m)(?:^|&& ){re.escape(command)}$", CHECKS)] == []
    assert {*SHORTER, *ELSEWHERE} <= set(COMMANDS)


@pytest.mark.parametrize("command", SHORTER)
def test_a_long_command_runs_for_a_short_time(command: str, tmp_path: Path) -> None:
    words = [sys.executable, *shlex.split(command)[1:], *SHORTER[command]]
    keep = ["--keep", str(tmp_path)] if "fuzz" in words else []
    finished = subprocess.run([*words, *keep], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_every_break_has_its_text() -> None:
    assert [each for each in BREAKS if each[1] not in (ROOT / each[0]).read_text("utf-8")] == []


def test_the_script_of_all_checks_can_be_read() -> None:
    subprocess.run(["bash", "-n", str(ROOT / ".ci/run")], check=True)


def test_style_is_checked_as_it_is_made() -> None:
    assert ".venv/bin/ruff format --check .\n" in CHECKS
