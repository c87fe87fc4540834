"""Bots for the tests, and records that they review."""

import shlex
import sys
from pathlib import Path

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round

#: A bot in the shell: it answers each line with a pass.
PASSES = """while read -r line; do echo '{"type":"none"}'; done"""


def shell(script: str) -> str:
    """Return the command of a bot in the shell."""
    return shlex.join(["sh", "-c", script])


def python(folder: Path, code: str, *words: str) -> str:
    """Write a bot in Python, and return its command."""
    path = folder / "bot.py"
    path.write_text(code, "utf-8")
    return shlex.join([sys.executable, "-S", str(path), *words])


def short_match(rounds: int = 1) -> Match:
    """Return a match of riichi: in each round, seat 0 draws C and discards 7m, and seat 1 draws."""
    rest = ("4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N")
    hands = tuple((f"{seat}m", *rest) for seat in range(1, 5))
    deal = ev.StartRound("E", "1p", 1, 0, 0, 0, (25000,) * 4, hands)
    play = [deal, ev.Draw(0, "C"), ev.Discard(0, "7m", tsumogiri=False), ev.Draw(1, "C"), ev.Discard(1, "C")]
    return Match(rounds=[Round([*play]) for _ in range(rounds)], opening=[ev.StartGame()], closing=[ev.EndGame()])


#: A bot in Python that discards each tile that it draws, and else passes.
TSUMOGIRI = """
import json, sys

seat = int(sys.argv[1])
for line in sys.stdin:
    messages = json.loads(line)
    last = messages[-1] if isinstance(messages, list) else messages
    answer = {"type": "none"}
    if last["type"] == "tsumo" and last["actor"] == seat:
        answer = {"type": "dahai", "actor": seat, "pai": last["pai"], "tsumogiri": True}
    print(json.dumps(answer), flush=True)
"""
