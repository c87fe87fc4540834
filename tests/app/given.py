"""Small logs that the tests of the front door start from, and how the command is run in them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

GAME = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'

_HIDDEN_HANDS = "[" + ",".join(["[" + ",".join(['"?"'] * 13) + "]"] * 4) + "]"

#: One round, S3-1, that A wins from C.
ROUND = f"""\
{{"type":"start_game","names":["A","B","C","D"]}}
{{"type":"start_kyoku","bakaze":"S","dora_marker":"1m","kyoku":3,"honba":1,"kyotaku":0,"oya":2,\
"scores":[25000,25000,25000,25000],"tehais":{_HIDDEN_HANDS}}}
{{"type":"tsumo","actor":2,"pai":"?"}}
{{"type":"dahai","actor":2,"pai":"9p","tsumogiri":true}}
{{"type":"hora","actor":0,"target":2,"deltas":[5500,0,-5500,0],"scores":[30500,25000,19500,25000],"fu":40,"fan":3}}
{{"type":"end_kyoku"}}
{{"type":"end_game"}}
"""

#: A message in its second line whose actor is no seat.
BROKEN = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"reach","actor":"first"}\n'


@dataclass(frozen=True)
class Outcome:
    """How the command left: its exit status, and what it wrote."""

    status: int
    out: bytes
    err: str


class Run(Protocol):
    """Runs the command with these words, and these bytes as standard input."""

    def __call__(self, *words: str | Path, stdin: bytes = b"") -> Outcome: ...
