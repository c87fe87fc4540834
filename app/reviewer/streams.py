"""The processes of bots, and the lines to and from them.

All output of a bot is hostile: its lines and the end of its standard error are bounded, and no line is awaited
longer than its time. A shell starts the bot in a process group of its own. Before that, the shell leaves a guard
in the group: it kills the group when the pipe from this process is closed. So nothing of a bot outlives this
process, whatever kills it, except for a child with a session or a group of its own.
"""

import os
import select
import signal
import subprocess
import time
import weakref
from contextlib import suppress
from typing import Final

from mjconv.ir.errors import MjconvError, printable

#: The longest line in bytes. One with the values of all actions has some two kilobytes.
LONGEST: Final = 1 << 16
#: The last bytes of standard error are kept: so many.
_KEPT: Final = 1 << 13
_CHUNK: Final = 1 << 16
#: The seconds between two tries to send to a bot that does not read, and the wait for the status of a process.
_RETRY: Final = 0.05
#: A wait for an answer is divided into parts of so many seconds: `poll` takes no more than 24 days.
_WAIT: Final = 600.0
_GRACE: Final = 1.0
#: The letters of a line that an error quotes.
_QUOTED: Final = 60
#: ``$0`` is the number of the pipe. The guard closes the streams of the bot: their ends must be seen.
_GUARDED: Final = '(read -r _ </dev/fd/$0; kill -9 0) <&- >&- 2>&- & exec "$@"'
#: Without this variable, Mortal answers only the lines that ask for an action.
_ENVIRONMENT: Final = {"MORTAL_REVIEW_MODE": "1"}


class BotError(MjconvError):
    """A bot cannot be asked any more in this game: it ended, is late, or breaks its protocol."""


class LateError(BotError):
    """A bot has not answered in time."""


class Process:
    """A running bot. `kept` is the end of its standard error."""

    def __init__(self, command: list[str], *, connects: bool) -> None:
        """Start a bot; one that `connects` by itself has no standard input and output. Raises `BotError`."""
        watched, lifeline = os.pipe()
        pipe = subprocess.DEVNULL if connects else subprocess.PIPE
        try:
            self.popen = subprocess.Popen(
                ["/bin/sh", "-c", _GUARDED, str(watched), *command],
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(watched,),
                start_new_session=True,
                env=_ENVIRONMENT | os.environ,
            )
        except OSError as error:
            os.close(lifeline)
            raise BotError(f"it cannot be started: {error.strerror}") from None
        finally:
            os.close(watched)
        assert self.popen.stderr is not None
        self.errors = self.popen.stderr.fileno()
        self.output = -1 if self.popen.stdout is None else self.popen.stdout.fileno()
        self.input = -1 if self.popen.stdin is None else self.popen.stdin.fileno()
        os.set_blocking(self.errors, False)
        self.kept = b""
        #: Kills the whole group; also called when the process is forgotten, and at the end of Python.
        self.end = weakref.finalize(self, _kill, self.popen, lifeline)

    def keep_errors(self) -> bool:
        """Read a part of standard error; return whether its end was reached."""
        with suppress(BlockingIOError):
            data = os.read(self.errors, _CHUNK)
            self.kept = (self.kept + data)[-_KEPT:]
            return not data
        return False

    def ending(self) -> str:
        """Return how a bot ended that closed its streams, and read the rest of its standard error."""
        try:
            code = self.popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "the bot closed its input or output"
        self.keep_errors()
        return f"the bot was killed by signal {-code}" if code < 0 else f"the bot ended with status {code}"


def _kill(popen: subprocess.Popen[bytes], lifeline: int) -> None:
    """Kill the whole group of a process."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, signal.SIGKILL)
    os.close(lifeline)
    popen.wait()
    for stream in (popen.stdin, popen.stdout, popen.stderr):
        if stream is not None:
            stream.close()


class BotLines:
    """Lines to and from a bot. `process` is None if the bot was not started here."""

    def __init__(self, reading: int, writing: int, process: Process | None) -> None:
        self._reading, self._writing, self._process = reading, writing, process
        self._arrived = bytearray()
        self._poll = select.poll()
        # Also reports that nobody reads any more.
        self._poll.register(writing, 0)
        self._poll.register(reading, select.POLLIN)
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        if process is not None:
            self._poll.register(process.errors, select.POLLIN)

    def ask(self, data: bytes, seconds: float) -> bytes:
        """Send data, and return the line that answers it, without its line break. Raises `BotError`."""
        try:
            return self._ask(data, seconds)
        except (EOFError, OSError):
            raise BotError(
                "it closed the connection" if self._process is None else self._process.ending()
            ) from None

    def _ask(self, data: bytes, seconds: float) -> bytes:
        end = time.monotonic() + seconds
        self._wait(0)
        if self._arrived:
            raise BotError(f"it wrote a line that nothing asked for: {quoted(self._arrived)}")
        unsent = self._rest(data)
        length = -1
        while unsent or length < 0:
            left = end - time.monotonic()
            if left <= 0:
                raise LateError(f"no answer in {seconds:g} seconds")
            if len(self._arrived) > LONGEST:
                raise BotError(f"a line has more than {LONGEST:,} bytes: {quoted(self._arrived)}")
            self._wait(min(left, _RETRY if unsent else _WAIT))
            unsent = unsent and self._rest(unsent)
            length = self._arrived.find(b"\n")
        line = bytes(self._arrived[:length])
        del self._arrived[: length + 1]
        return line

    def _rest(self, data: bytes) -> bytes:
        """Send as much as the bot takes at once, and return the rest."""
        try:
            return data[os.write(self._writing, data) :]
        except BlockingIOError:
            return data

    def _wait(self, seconds: float) -> None:
        """Wait until the bot writes something, and receive it. Raises `EOFError` if a stream was closed."""
        closed = False
        for number, _ in self._poll.poll(seconds * 1000):
            if number == self._reading:
                data = os.read(number, _CHUNK)
                if not data:
                    raise EOFError
                self._arrived += data
            elif number == self._writing:
                closed = True
            elif self._process is not None and self._process.keep_errors():
                self._poll.unregister(number)
        if closed and not self._arrived:
            raise EOFError


def quoted(text: bytes | bytearray) -> str:
    """Return the begin of a text of a bot, safe for a terminal."""
    return printable(repr(text[:_QUOTED].decode("utf-8", "replace"))) + ("…" if len(text) > _QUOTED else "")
