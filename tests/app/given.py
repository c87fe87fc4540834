"""Small logs for the tests of `app`, and the type of the command in them."""

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

#: The actor of the message in the second line is not a seat.
BROKEN = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"reach","actor":"first"}\n'


@dataclass(frozen=True)
class Outcome:
    status: int
    out: bytes
    err: str


class Run(Protocol):
    def __call__(self, *words: str | Path, stdin: bytes = b"") -> Outcome: ...
