"""Bots that others wrote play a real game: the two of the package `mjai`, on Mortal's state, in batches.

`mjai` needs another version of `mahjong` than mjconv: pip installs it into a virtual environment of its own.
"""

import shlex
import subprocess
import sys

import pytest

import mjconv
from corpus_files import CORPUS

#: The package, and the versions of its needs that it was tried with.
PACKAGES = ("mjai==0.2.1", "mahjong==1.2.1", "loguru==0.7.3", "requests")
STARTER = """
import sys
from importlib import import_module

from loguru import logger

logger.remove()
module, name, seat = sys.argv[1:]
getattr(import_module(f"mjai.bot.{module}"), name)(int(seat)).start()
"""


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Install the package, and return the command that starts its bots."""
    folder = tmp_path_factory.mktemp("mjai")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = str(folder / "bin" / "python")
    installed = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", *PACKAGES], capture_output=True, text=True, check=False
    )
    assert installed.returncode == 0, f"pip cannot install mjai: {installed.stderr}"
    path = folder / "starter.py"
    path.write_text(STARTER)
    return shlex.join([python, str(path)])


@pytest.mark.parametrize(("module", "name"), [("rulebase", "RulebaseBot"), ("riichibot", "RiichiBot")])
def test_the_bots_of_mjai_play_every_seat(module: str, name: str, starter: str) -> None:
    match = mjconv.read(CORPUS / "tenhou" / "hanchan.mjlog")
    with mjconv.Bot(f"{starter} {module} {name} {{seat}}", protocol="batch", timeout=60) as bot:
        found = mjconv.review(match, "all", bot)
    assert not found.lost
    assert len(found.rows) == 308
    # They win and pass as the players did, and declare riichi where they did.
    assert all(row.same for row in found.rows if row.kind in ("win", "riichi", "pass"))
    # Their own code breaks off in some hands with melds, and then answers none; they know neither the rule about
    # discards after a call, nor which discards keep a riichi hand ready.
    assert "object does not support item assignment" in found.errors
    problems = {(row.problem or "")[:4] for row in found.rows if row.fault == "illegal"}
    assert problems <= {"none", "R016", "R031"}
    assert not any(row.fault in ("late", "broken") for row in found.rows)
    assert found.agreement is not None
    assert 0.15 < found.agreement < 0.3
