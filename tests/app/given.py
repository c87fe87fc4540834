"""Small logs for the tests of `app`, and the type of the command in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

#: The statuses of the command.
DONE, BAD_INPUT, WRONG_USAGE, WOULD_LOSE = 0, 1, 2, 3

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

    def check(self, status: int, out: str | None = None, err: str | None = None) -> Self:
        """Check the status, and a part of the output and of the messages. An empty part is all of it."""
        assert self.status == status, self.err
        for found, part in ((self.out.decode(), out), (self.err, err)):
            assert part is None or (part in found if part else not found), found
        return self


class Run(Protocol):
    def __call__(self, *words: str | Path, stdin: bytes = b"") -> Outcome: ...


def put_files(files: Mapping[str, str | bytes]) -> None:
    """Write files, and make their folders."""
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())


def table(out: bytes) -> list[list[str]]:
    return [line.split("\t") for line in out.decode().splitlines()]
