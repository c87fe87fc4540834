"""The server: it reads each request under its limits, gives it to a worker, and sends the answer.

This process parses nothing of a request but its head. What a person sends is read into memory under the limit of
a file, goes to one worker process, and is forgotten with the answer. Nothing is written, and nothing is logged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from html import escape
from itertools import count
from socket import socket
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qsl

import uvicorn
from msgspec import json, msgpack
from uvicorn.protocols.http.h11_impl import H11Protocol

from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, Task
from mjconv.batch.worker_pool import TIME, WorkerError, WorkerPool
from mjconv.files.members import HeldBytes, Member
from mjconv.ir import limits
from mjconv.ir.catalogue import beside
from mjconv.languages import chosen, translated
from mjconv.options import ConvertOptions
from mjconv.reviewer.worker import BotOptions
from mjconv.serve.actions import ACTIONS, API, HTML, PROBLEM, SANDBOX, Response
from mjconv.serve.page import page, spoken
from mjconv.serve.worker import COMMAND, Request
from mjconv.settings import ReadSettings
from mjconv.version import VERSION

#: The seconds for a request, for a review, and for the bytes of a body to arrive.
REQUEST_SECONDS, REVIEW_SECONDS, BODY_SECONDS = 10.0, 300.0, 60.0
#: A connection without a request, or whose answer is not taken, is closed after one or two times these seconds.
_IDLE_SECONDS: Final = 20.0
#: The largest numbers: of requests at a time, of reviews by a bot at a time, and of connections.
MOST_REQUESTS, _MOST_REVIEWS, _MOST_CONNECTIONS = 32, 4, 512
_PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_ERROR: Final = """<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>mjconv</title><pre role="alert">{}</pre>"""
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    # With no-referrer, browsers would send forms without their origin.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_KINDS: Final = {"/page.js": "text/javascript; charset=utf-8", "/page.css": "text/css; charset=utf-8"}


class Workers:
    """Worker processes that answer requests; a context manager. A request that takes more than `seconds` is ended.

    `waiting` holds the requests without an answer, `most` is their largest number.
    """

    def __init__(self, jobs: int, seconds: float, most: int, bot: BotOptions | None = None) -> None:
        plan = Plan(inputs=(), output="", options=ConvertOptions(), settings=ReadSettings.current())
        command = COMMAND if bot is None else (*COMMAND, json.encode(bot).decode())
        self.pool = WorkerPool(plan, jobs, command=command, seconds=seconds)
        self.most = most
        self.numbers = count()
        self.waiting: dict[int, Future[Outcome]] = {}
        self.failed: WorkerError | None = None

    def __enter__(self) -> Workers:
        self.pool.__enter__()
        Thread(target=self._receive, daemon=True).start()
        return self

    def __exit__(self, *error: Any) -> None:
        self.failed = WorkerError("the server ends")
        self.pool.__exit__(*error)

    def _receive(self) -> None:
        """Pass each outcome to the request that waits for it."""
        while self.failed is None:
            try:
                outcome = self.pool.next_outcome(0.1)
            except WorkerError as error:
                self.failed = error
                for future in [*self.waiting.values()]:
                    future.set_exception(error)
                return
            # At the end of the server, requests are cancelled.
            asked = None if outcome is None else self.waiting.pop(outcome.number, None)
            if outcome is not None and asked is not None and asked.set_running_or_notify_cancel():
                asked.set_result(outcome)

    async def answer(self, request: Request) -> Response:
        """Wait for the answer to a request. Raises `WorkerError` if no worker can be started."""
        if self.failed is not None:
            raise self.failed
        if len(self.waiting) >= self.most:
            return refusal(429, "Too much is asked at once: try again later", **{"Retry-After": "5"})
        number = next(self.numbers)
        future = self.waiting[number] = Future[Outcome]()
        try:
            self.pool.submit([Task(number, Member("", HeldBytes(msgpack.encode(request))))])
            outcome = await asyncio.wrap_future(future)
        finally:
            self.waiting.pop(number, None)
        if outcome.output is not None:
            return msgpack.decode(outcome.output.parts[0], type=Response)
        if outcome.failure is not None and outcome.failure.kind == TIME:
            return refusal(503, "It takes too long: send less at once")
        return refusal(503, "It ended the process that read it")


def refusal(status: int, text: str, **headers: str) -> Response:
    """Return the answer to a request that is not done."""
    stated = {"type": "about:blank", "title": "refused", "status": status, "detail": text}
    return Response(json.encode(stated), PROBLEM, status, headers)


def _readable(found: Response, languages: str) -> Response:
    """Return an error as a page: a person reads it, in the first of these languages that is known."""
    stated = json.decode(found.data)
    with chosen.using(spoken(languages)):
        shown = stated.get("shown") or translated(stated["detail"])
    html = _ERROR.format(escape(shown)).encode("utf-8", "replace")
    return Response(html, HTML, found.status, found.headers, f"default-src 'none'; {SANDBOX}")


def _reader(scope: Any) -> str | None:
    """Return the languages of a person who reads the answer to a request; None for a program."""
    headers = {key: value.decode("latin-1") for key, value in scope["headers"]}
    return headers.get(b"accept-language", "") if "text/html" in headers.get(b"accept", "") else None


class Server:
    """The server as an ASGI application; a context manager that ends its processes.

    `hosts` are the hosts, with their ports, that requests may name. `bots` are the bots of reviews by their names.
    """

    def __init__(self, hosts: Iterable[str], jobs: int, bots: Mapping[str, BotOptions]) -> None:
        self.hosts = frozenset(hosts)
        self.most_bytes = limits.current().file_bytes
        self.workers = Workers(jobs, REQUEST_SECONDS, MOST_REQUESTS)
        self.bots = {name: Workers(1, REVIEW_SECONDS, _MOST_REVIEWS, bot) for name, bot in bots.items()}
        self.reading = 0
        self.stack = ExitStack()

    def __enter__(self) -> Server:
        for each in (self.workers, *self.bots.values()):
            self.stack.enter_context(each)
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request. Nothing is sent to a client that is gone."""
        with suppress(ConnectionError):
            reader = _reader(scope)
            found = await self._answer(scope, receive, reader)
            if found.kind == PROBLEM and reader is not None:
                found = _readable(found, reader)
            own = {"Content-Type": found.kind, "Content-Security-Policy": found.policy}
            own |= _HEADERS | {"Content-Length": str(len(found.data))} | found.headers
            headers = [(key.encode(), value.encode()) for key, value in own.items()]
            await send({"type": "http.response.start", "status": found.status, "headers": headers})
            await send({"type": "http.response.body", "body": found.data})

    async def _answer(self, scope: Any, receive: Any, reader: str | None) -> Response:
        named = [value.decode("latin-1").lower() for key, value in scope["headers"] if key == b"host"]
        if len(named) != 1 or named[0] not in self.hosts:
            return refusal(421, "This server answers only on its own address")
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        path, action = scope["path"], scope["path"].removeprefix("/")
        address = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        if scope["method"] in ("GET", "HEAD") and action not in ACTIONS:
            return self._resource(path, address.get("lang") or headers.get("accept-language", ""))
        if action and action not in ACTIONS:
            return refusal(404, "There is nothing at this address; /openapi.json lists the actions")
        if scope["method"] != "POST":
            return refusal(405, "An action takes POST", Allow="POST")
        if "origin" in headers and headers["origin"].lower().partition("://")[2] != named[0]:
            return refusal(403, "A page of another address may not send to this server")
        if action == "review" and address.get("bot") not in self.bots:
            wanted = f"Name a bot of this server in the address: bot={' or bot='.join(self.bots)}"
            return refusal(400, wanted if self.bots else "This server has no bot")
        if self.reading >= MOST_REQUESTS:
            return refusal(429, "Too much is asked at once: try again later", **{"Retry-After": "5"})
        self.reading += 1
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await self._body(headers.get("content-length", ""), receive)
            if body is None:
                most = limits.shown("file_bytes", self.most_bytes)
                return refusal(413, f"The request is larger than {most}", Connection="close")
            workers = self.bots[address["bot"]] if action == "review" else self.workers
            request = Request(action, address, headers.get("content-type", ""), body, [*self.bots], reader)
            found = await workers.answer(request)
            return found if action else Response(found.data, found.kind, found.status, policy=_PAGE_POLICY)
        except TimeoutError:
            return refusal(408, "The file did not arrive in time", Connection="close")
        except WorkerError as error:
            return refusal(503, error.message)
        finally:
            self.reading -= 1

    def _resource(self, path: str, languages: str) -> Response:
        if path == "/":
            return Response(page(languages, self.most_bytes).encode(), HTML, policy=_PAGE_POLICY)
        if path == "/openapi.json":
            shown = {key: value for key, value in API["paths"].items() if self.bots or key != "/review"}
            return Response(json.encode(API | {"paths": shown, "info": {"title": "mjconv", "version": VERSION}}))
        if path in _KINDS:
            return Response(beside(__name__, path[1:]), _KINDS[path])
        return refusal(404, "There is nothing at this address; /openapi.json lists the actions")

    async def _body(self, length: str, receive: Any) -> bytes | None:
        """Read the body of a request; None if it is too large. Raises `ConnectionError` if the client goes."""
        body, more = bytearray(), True
        while more and len(body) <= self.most_bytes and not int(length[:20] or 0) > self.most_bytes:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionResetError
            body += message.get("body", b"")
            more = message.get("more_body", False)
        return None if more or len(body) > self.most_bytes else bytes(body)


class _Connection(H11Protocol):
    """A connection that is closed when it sends no request, or does not take its answer."""

    #: The bytes of the answer that the client had not taken at the last look.
    left = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(_IDLE_SECONDS, self._look)

    def _look(self) -> None:
        before, self.left = self.left, self.transport.get_write_buffer_size()
        idle = self.cycle is None or self.cycle.response_complete
        if self.left == before and (self.left or idle):
            self.transport.abort()
        elif self.left or not self.transport.is_closing():
            self.loop.call_later(_IDLE_SECONDS, self._look)


def run(server: Server, listener: socket) -> None:
    """Serve until the process is interrupted."""
    quiet = {"log_level": "critical", "access_log": False, "server_header": False, "proxy_headers": False}
    bounds = {"limit_concurrency": _MOST_CONNECTIONS, "timeout_graceful_shutdown": 1}
    options: dict[str, Any] = {"http": _Connection, "ws": "none", "lifespan": "off", **quiet, **bounds}
    uvicorn.Server(uvicorn.Config(server, **options)).run([listener])
