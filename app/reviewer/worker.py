"""A worker of a review: ``python -m mjconv.reviewer.worker`` lets a bot play the members that the run sends."""

import os
import select
import sys
from functools import partial
from threading import Thread
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from mjconv.archive.where import Where
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, OutputData, Task
from mjconv.batch.worker import main
from mjconv.converters.interface import Reading
from mjconv.ir.errors import MjconvError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.seats import SeatError
from mjconv.reviewer.bot import ANSWER_SECONDS, Bot, Protocol
from mjconv.reviewer.play import review
from mjconv.reviewer.rows import Lost, ReviewRow
from mjconv.source import source_of


class BotOptions(Struct, frozen=True):
    """The bot of a review, and the seat that it plays: the values of `Bot` and `review`."""

    command: str | None = None
    seat: str | None = None
    protocol: Protocol = "lines"
    listen: str | None = None
    timeout: float = ANSWER_SECONDS

    def bot(self) -> Bot:
        """Return the bot. Raises as `Bot`."""
        return Bot(self.command, protocol=self.protocol, listen=self.listen, timeout=self.timeout)


class Reviewed(Struct, omit_defaults=True):
    """The review of a member: the seats, one for each game, the rows, and what failed.

    `failures` are the errors of the member and its matches, `errors` is the end of the bot's standard error.
    """

    member: str
    stamp: str = ""
    seats: list[int] = field(default_factory=list)
    rows: list[ReviewRow] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    left_out: int = 0
    errors: str = ""


#: The command of a worker, before the options of its bot as JSON.
COMMAND: Final = (sys.executable, "-P", "-m", __name__)


def review_member(bot: Bot, seat: str | None, task: Task, plan: Plan) -> Outcome:
    """Review all matches of a member. An error of a file or a match is in the result, and never raised."""
    found = Reviewed(task.member.name, task.member.stamp)
    where = Where.of(plan.options.where)
    try:
        data = task.member.read()
        if not task.member.is_record(data, plan.options.source):
            return Outcome(task.number, skipped="no record")
        source = source_of(data, plan.options.source, found.member, where)
        for number, reading in enumerate(source.readings(Report())):
            _review_match(found, number, reading, bot, seat)
    except (MjconvError, OSError) as error:
        found.failures.append(str(error))
    found.left_out = 0 if where is None else where.left_out
    return Outcome(task.number, OutputData([msgspec.json.encode(found) + b"\n"], 0))


def _review_match(found: Reviewed, number: int, reading: Reading, bot: Bot, seat: str | None) -> None:
    try:
        result = review(reading.match, seat, bot)
    except (SeatError, UnsupportedError) as error:
        found.failures.append(f"{found.member}, match {number + 1}: {error.message}")
        return
    found.seats += result.seats
    found.rows += [_placed(row, found.member, number, reading) for row in result.rows]
    found.errors = result.errors or found.errors
    found.lost += [replace(lost, source=found.member, match=number) for lost in result.lost]


def _placed(row: ReviewRow, source: str, number: int, reading: Reading) -> ReviewRow:
    """Return a row with the place of its match and, if its answer has a fault, of its decision."""
    place = None if row.fault is None else reading.locate(row.round, max(0, row.event - 1), "")
    at = None if place is None else f"{place.line}:{place.column}"
    return replace(row, source=source, match=number, place=at)


def end_with_the_run() -> None:
    """End this process, and with it the bot, when the run has ended: nobody sends tasks any more."""
    if not hasattr(select, "poll"):
        # Windows: the process ends after its task, when it finds no other.
        return
    hung_up = select.poll()
    hung_up.register(0, 0)
    hung_up.poll()
    os._exit(1)


if __name__ == "__main__":
    wanted = msgspec.json.decode(sys.argv[1], type=BotOptions)
    Thread(target=end_with_the_run, daemon=True).start()
    with wanted.bot() as own:
        main(partial(review_member, own, wanted.seat))
