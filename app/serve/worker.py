"""A worker of the server: ``python -m mjconv.serve.worker`` answers requests one by one, and keeps nothing."""

import sys
import warnings
from contextlib import nullcontext, suppress
from functools import partial
from threading import Thread
from typing import Any, Final

import msgspec

from mjconv.api import MjconvWarning
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, OutputData, Task
from mjconv.batch.worker import main
from mjconv.files.storage import held
from mjconv.languages import chosen
from mjconv.reviewer.bot import Bot
from mjconv.reviewer.worker import BotOptions, end_with_the_run
from mjconv.serve.actions import ACTIONS, PROBLEM, SCRIPT, Response, parsed, problem
from mjconv.serve.page import labels_of, show, spoken
from mjconv.serve.uploads import hold
from mjconv.viewer.words import Speaker

#: The most memory of a worker, in bytes of addresses.
_MEMORY_BYTES: Final = 3 << 30
#: The command of a worker, before the options of its bot as JSON.
COMMAND: Final = (sys.executable, "-P", "-m", __name__)


class Request(msgspec.Struct, frozen=True):
    """A request: its action, none for the page; the parameters of its address; the type of its body; all bots.

    `reader` are the languages of a person who reads the answer, as browsers list them; None for a program.
    """

    action: str
    address: dict[str, str]
    kind: str
    body: bytes
    bots: list[str] = []
    reader: str | None = None


def answer(request: Request, bot: Bot | None = None) -> Response:
    """Answer a request. An error becomes an answer, and is never raised."""
    form: dict[str, str] = {}
    try:
        files = hold(request.body, request.kind, request.address.get("name", ""), form)
        given = parsed(request.action, request.address, form)
        # What an action writes is English. The page has the language of its reader.
        with chosen.using("en" if request.action else spoken(given.get("lang", ""))):
            if request.action:
                return ACTIONS[request.action](files, given, bot)
            return show(files, given, request.bots, script=SCRIPT in form)
    except Exception as error:
        found = _problem(error, form.get("lang") or request.address.get("lang"), request.reader)
        return Response(msgspec.json.encode(found), PROBLEM, found["status"])
    finally:
        held.clear()


def _problem(error: Exception, language: str | None, reader: str | None) -> dict[str, Any]:
    """Return an error: for a person, in the language of the page and with its labels; else in English."""
    if reader is None:
        return problem(error)
    speaker = Speaker(spoken(language or reader))
    with chosen.using(speaker.language):
        return problem(error, labels=labels_of(speaker))


def answer_task(bot: Bot | None, task: Task, _: Plan) -> Outcome:
    """Answer the request that a task holds."""
    request = msgspec.msgpack.decode(task.member.raw(), type=Request)
    return Outcome(task.number, OutputData([msgspec.msgpack.encode(answer(request, bot))], 0))


if __name__ == "__main__":
    warnings.simplefilter("ignore", MjconvWarning)
    # Windows has no such limits, and macOS refuses this one.
    with suppress(ImportError, ValueError):
        import resource

        # The processes of a bot take the old limit back.
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    Thread(target=end_with_the_run, daemon=True).start()
    bots = [msgspec.json.decode(word, type=BotOptions).bot() for word in sys.argv[1:]]
    with bots[0] if bots else nullcontext() as own:
        main(partial(answer_task, own))
