"""Bots that are programs: how each protocol sends the messages of a game, and what an answer is."""

from __future__ import annotations

import select
import shlex
import shutil
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from mjconv.converters.shared import jsontext
from mjconv.ir import events as ev
from mjconv.ir.errors import UsageError
from mjconv.ir.suggestion import check_word
from mjconv.ir.tiles import RIICHI_TILES
from mjconv.reviewer.streams import BotError, BotLines, Process, quoted

Protocol: TypeAlias = Literal["lines", "batch"]
PROTOCOLS: Final[tuple[Protocol, ...]] = get_args(Protocol)
#: The seconds that a bot has for an answer, if no others are wanted.
ANSWER_SECONDS: Final = 10.0
#: A bot may take so many seconds to connect, and for its first answer.
_START_SECONDS: Final = 60.0
#: Some bots do not answer the end of the game: an answer is awaited for so many seconds.
_END_SECONDS: Final = 1.0
#: The seconds between two looks at a bot that has not connected.
_ACCEPT_SECONDS: Final = 0.1
#: The place of the seat in a command.
_SEAT: Final = "{seat}"
_HELLO: Final = b'{"type":"hello","protocol":"mjsonp","protocol_version":3}'
_DECODER: Final = msgspec.json.Decoder(dict[str, Any])
_ENCODER: Final = msgspec.json.Encoder()
_BY_OWN: Final = frozenset({ev.Discard, ev.Pass})
#: The kinds of messages by which a player answers.
_KINDS: Final = ev.ANSWERS - ev.CONVERSATION | {ev.Pass}

#: An answer as a bot gives it: an mjai message, also as JSON. None is a pass.
Given: TypeAlias = Mapping[str, Any] | str | bytes | None
#: A bot in Python: it is called with the messages since its last call, and returns its answer to the last of them.
Function: TypeAlias = Callable[[list[dict[str, Any]]], Given]


class AnswerError(Exception):
    """An answer is no message by which the player of the seat can answer."""


def answer_of(answer: Given, seat: int) -> ev.Event:
    """Return the event of an answer. Raises `AnswerError`.

    >>> answer_of('{"type":"dahai","actor":2,"pai":"9p","meta":1}', 2)
    Discard(actor=2, pai='9p', extras=Extras({'meta': 1}))
    >>> answer_of({"type": "reach", "actor": 1}, 2)
    Traceback (most recent call last):
    mjconv.reviewer.bot.AnswerError: it answers for seat 1, but its seat is 2
    """
    if answer is None:
        return ev.Pass()
    try:
        data = answer.encode() if isinstance(answer, str) else answer
        if not isinstance(data, bytes):
            # The answer of a function is read as a program would write it.
            data = jsontext.dumps(dict(data) if isinstance(data, Mapping) else data)
        message = jsontext.loads(data)
    except (TypeError, ValueError, RecursionError) as error:
        # The advice to raise a limit is for records.
        reason, *_ = str(error).partition(" (the limit")
        raise AnswerError(f"not JSON ({reason}): {_shown(answer)}") from None
    if not isinstance(message, dict):
        raise AnswerError(f"no message, which is a JSON object: {_shown(answer)}")
    try:
        event = ev.from_message(message)
    except msgspec.ValidationError as error:
        raise AnswerError(f"no message of mjai: {quoted(str(error).encode())}") from None
    if type(event) not in _KINDS:
        raise AnswerError(f"{ev.name_of(event)} is no answer")
    actor = getattr(event, "actor", seat)
    if actor not in (seat, msgspec.UNSET):
        raise AnswerError(f"it answers for seat {actor}, but its seat is {seat}")
    return event


def _shown(given: Given) -> str:
    return quoted(given if isinstance(given, bytes) else str(given).encode("utf-8", "replace"))


class Called:
    """A bot in Python. It is asked as in batches."""

    one_by_one: Final = False
    kept: Final = ""

    def __init__(self, function: Function) -> None:
        self._function = function

    def begin(self, seat: int) -> None:
        """Begin a game; the message `start_game` names the seat."""

    def ask(self, lines: Sequence[bytes], choices: Sequence[ev.Event] = ()) -> tuple[Given, float]:  # noqa: ARG002
        """Return the answer to the last of these messages, and the seconds that it took."""
        messages = list(map(_DECODER.decode, lines))
        began = time.perf_counter()
        return self._function(messages), time.perf_counter() - began

    def finish(self, lines: Sequence[bytes]) -> None:
        """Send the last messages of the game."""
        self.ask(lines)

    def close(self) -> None:
        """Do nothing: there is no process."""


class Bot(AbstractContextManager["Bot"]):
    """A bot that is a program of its own, which `mjconv.review` asks; a context manager that calls `close`.

    `command` is the command with its arguments; ``{seat}`` in it becomes the number of the seat. It is started for
    the first game, and again after it ended. With the protocol ``lines`` the bot reads one message a line, and
    writes one answer to each. With ``batch`` it reads an array of messages up to its next decision, and writes one
    answer. With `listen`, such as ``127.0.0.1:11600``, bots connect to this address, once a game; then the command
    may be absent. `timeout` are the seconds for an answer; the first may take a minute. The environment has
    ``MORTAL_REVIEW_MODE=1``, by which Mortal answers every line. Raises `UsageError` for wrong values, and for a
    program that is not there. Windows has no bots: there it raises `UsageError`.

    >>> Bot("no-such-program {seat}")
    Traceback (most recent call last):
    mjconv.ir.errors.UsageError: there is no program 'no-such-program'
    """

    def __init__(
        self,
        command: str | None = None,
        *,
        protocol: Protocol = "lines",
        listen: str | None = None,
        timeout: float = ANSWER_SECONDS,
    ) -> None:
        check_word("protocol", protocol, PROTOCOLS)
        if not hasattr(select, "poll"):
            raise UsageError("Windows runs no bots: use its Linux (WSL), or a function in Python")
        if listen is not None and protocol == "batch":
            raise UsageError("bots that connect read lines: leave the protocol batch out")
        self.words = _words(command, needed=listen is None)
        self.one_by_one = protocol == "lines"
        self.timeout = timeout
        self._listener = None if listen is None else _listener(listen)
        self._process: Process | None = None
        self._connection: socket.socket | None = None
        self._lines: BotLines | None = None
        self._seat: int | None = None
        #: Whether the bot has not answered yet.
        self._starts = True

    def __exit__(self, *_: object) -> None:
        self.close()
        if self._listener is not None:
            self._listener.close()

    @property
    def kept(self) -> str:
        """The end of the standard error of the process."""
        if self._process is None:
            return ""
        self._process.keep_errors()
        return self._process.kept.decode("utf-8", "replace")

    def begin(self, seat: int) -> None:
        """Begin a game: start the bot, if it does not run for this seat. Raises `BotError`."""
        if self._lines is not None and (seat == self._seat or not any(_SEAT in word for word in self.words)):
            return
        self.close()
        self._seat, self._starts = seat, True
        if self.words:
            words = [word.replace(_SEAT, str(seat)) for word in self.words]
            self._process = Process(words, connects=self._listener is not None)
        if self._listener is None:
            assert self._process is not None
            self._lines = BotLines(self._process.output, self._process.input, self._process)
        else:
            self._connection = self._accepted(self._listener)
            number = self._connection.fileno()
            self._lines = BotLines(number, number, self._process)
            joined, _ = self.ask([_HELLO])
            if b'"join"' not in bytes(joined):
                raise BotError(f"its first message is no join: {quoted(joined)}")

    def ask(self, lines: Sequence[bytes], choices: Sequence[ev.Event] = ()) -> tuple[bytes, float]:
        """Send messages; return the answer, and the seconds that it took. `choices` are those of the seat.

        Raises `BotError`.
        """
        assert self._lines is not None
        if not self.one_by_one:
            data = b"[%b]\n" % b",".join(lines)
        else:
            [line] = lines
            data = (_with_choices(line, choices) if choices and self._listener is not None else line) + b"\n"
        began = time.perf_counter()
        answer = self._lines.ask(data, max(self.timeout, _START_SECONDS) if self._starts else self.timeout)
        self._starts = False
        return answer, time.perf_counter() - began

    def finish(self, lines: Sequence[bytes]) -> None:
        """Send the last messages of the game. A bot that does not answer them is started again for the next."""
        assert self._lines is not None
        data = b"[%b]\n" % b",".join(lines) if not self.one_by_one else b"".join(line + b"\n" for line in lines)
        try:
            for _ in range(len(lines) if self.one_by_one else 1):
                self._lines.ask(data, min(self.timeout, _END_SECONDS))
                data = b""
        except BotError:
            self.close()
        if self._listener is not None:
            self.close()

    def close(self) -> None:
        """End the bot and its children, but not children with their own session. The next game starts it again."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.end()
        self._process = self._connection = self._lines = None

    def _accepted(self, listener: socket.socket) -> socket.socket:
        end = time.monotonic() + max(self.timeout, _START_SECONDS)
        while time.monotonic() < end:
            with suppress(TimeoutError):
                connection, _ = listener.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connection
            if self._process is not None:
                self._process.keep_errors()
                if self._process.popen.poll() is not None:
                    raise BotError(f"{self._process.ending()} before it connected")
        raise BotError("no bot has connected")


def _words(command: str | None, *, needed: bool) -> list[str]:
    """Return the words of a command. Raises `UsageError` if its program is not there."""
    try:
        words = shlex.split(command or "")
    except ValueError as error:
        raise UsageError(f"the command of the bot has a quote too many: {command!r} ({error})") from None
    if not words and needed:
        raise UsageError("a bot needs a command, such as 'python3 bot.py'")
    if words and shutil.which(words[0].replace(_SEAT, "0")) is None:
        raise UsageError(f"there is no program {words[0]!r}")
    return words


def _listener(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit():
        raise UsageError(f"an address is a host and a port, such as 127.0.0.1:11600, not {address!r}")
    try:
        listener = socket.create_server((host, int(port)))
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot listen at {address}: {error}") from None
    listener.settimeout(_ACCEPT_SECONDS)
    return listener


def _with_choices(line: bytes, choices: Sequence[ev.Event]) -> bytes:
    """Add the choices to a message, as the original server does: actions, and tiles that may not be discarded.

    >>> _with_choices(b'{"type":"dahai","actor":1,"pai":"E"}', [ev.Win(2, 1, "E"), ev.Pass()])[35:]
    b',"possible_actions":[{"type":"hora","actor":2,"target":1,"pai":"E"}]}'
    """
    message = _DECODER.decode(line)
    message["possible_actions"] = [choice for choice in choices if type(choice) not in _BY_OWN]
    tiles = {choice.pai for choice in choices if isinstance(choice, ev.Discard)}
    if tiles:
        message["cannot_dahai"] = [tile for tile in RIICHI_TILES if tile not in tiles]
    return _ENCODER.encode(message)
