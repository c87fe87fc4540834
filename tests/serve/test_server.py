"""What the server refuses before a worker sees it: other hosts, other pages, large or slow bodies, full queues."""

import asyncio
import json
from typing import Any

import pytest

from mjconv.batch.worker_pool import WorkerError
from mjconv.ir import limits
from mjconv.serve import server as module
from mjconv.serve.actions import Response
from mjconv.serve.server import MOST_REQUESTS, Server
from mjconv.serve.worker import Request

HOST = "127.0.0.1:8000"


class Asked:
    """A server whose workers answer with the size of the body, and the answers that it sent."""

    def __init__(self) -> None:
        with limits.using(limits.parse("file-bytes=1kB")):
            self.server = Server([HOST, "club.example"], 1, {})
        self.requests: list[Request] = []
        self.server.workers.answer = self.answer  # type: ignore[method-assign]

    async def answer(self, request: Request) -> Response:
        self.requests.append(request)
        if request.body == b"dead":
            raise WorkerError("no worker starts")
        return Response(str(len(request.body)).encode())

    def ask(
        self, path: str = "/info", body: list[bytes | None] | None = None, method: str = "POST", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request whose body comes in parts; None is a client that goes, an empty list one that waits."""
        head = [(key.replace("_", "-").encode(), one.encode()) for key, one in ({"host": HOST} | headers).items()]
        path, _, query = path.partition("?")
        scope = {"method": method, "path": path, "query_string": query.encode(), "headers": head}
        parts = iter([b""] if body is None else body)
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            part = next(parts, b"never")
            if part == b"never":
                await asyncio.sleep(60)
            if part is None:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": part, "more_body": bool(part)}

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.server(scope, receive, send))
        if not sent:
            return 0, {}, b""
        start, end = sent
        return start["status"], {key.decode(): value.decode() for key, value in start["headers"]}, end["body"]


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "club.example"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:8000"}, 421),
        ({"host": ""}, 421),
        ({"origin": f"http://{HOST}"}, 200),
        ({"origin": "https://club.example", "host": "club.example"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[evil"}, 403),
        ({"content_length": "1001"}, 413),
        ({"content_length": "9" * 5000}, 413),
    ],
)
def test_only_its_own_page_and_programs_may_send(asked: Asked, headers: dict[str, str], status: int) -> None:
    found, _, data = asked.ask(**headers)
    assert (found, len(asked.requests)) == (status, status == 200)
    assert status == 200 or json.loads(data)["status"] == status


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/", "GET", 200),
        ("/?lang=ja", "HEAD", 200),
        ("/page.js", "GET", 200),
        ("/page.css", "GET", 200),
        ("/openapi.json", "GET", 200),
        ("/page.py", "GET", 404),
        ("/../page.py", "GET", 404),
        ("/info", "GET", 405),
        ("/other", "POST", 404),
        ("/info", "PUT", 405),
    ],
)
def test_it_serves_its_own_files_alone(asked: Asked, path: str, method: str, status: int) -> None:
    assert asked.ask(path, method=method)[0] == status


def test_every_answer_forbids_what_the_page_does_not_need(asked: Asked) -> None:
    for path, method in (("/", "GET"), ("/", "POST"), ("/info", "POST"), ("/openapi.json", "GET"), ("/x", "POST")):
        _, headers, _ = asked.ask(path, method=method)
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert (headers["Cache-Control"], headers["X-Content-Type-Options"]) == ("no-store", "nosniff")


def test_a_body_is_read_up_to_its_limit_and_a_client_that_goes_is_forgotten(asked: Asked) -> None:
    assert asked.ask(body=[b"x" * 1000, b""])[::2] == (200, b"1000")
    assert asked.ask(body=[b"x" * 600, b"x" * 600, b""])[0] == 413
    assert (asked.ask(body=[b"x", None])[0], asked.server.reading) == (0, 0)


def test_a_body_that_does_not_arrive_is_given_up(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BODY_SECONDS", 0.01)
    status, headers, _ = asked.ask(body=[b"x"])
    assert (status, headers["Connection"], asked.server.reading) == (408, "close", 0)


def test_a_full_queue_and_dead_workers_are_said(asked: Asked) -> None:
    assert asked.ask(body=[b"dead", b""])[0] == 503
    asked.server.reading = MOST_REQUESTS
    status, headers, _ = asked.ask()
    assert (status, headers["Retry-After"]) == (429, "5")


def test_a_review_needs_a_bot_of_the_server(asked: Asked) -> None:
    assert b"This server has no bot" in asked.ask("/review?bot=x")[2]
    asked.server.bots = dict.fromkeys(("mortal", "other"), asked.server.workers)
    for path in ("/review", "/review?bot=x"):
        status, _, data = asked.ask(path)
        assert (status, b"bot=mortal or bot=other" in data) == (400, True)
    assert asked.ask("/review?bot=other")[0] == 200


def test_parameters_go_to_the_worker(asked: Asked) -> None:
    asked.ask("/convert?to=mjai&name=%E6%9D%B1.mjlog", content_type="text/plain")
    [request] = asked.requests
    shown = (request.action, request.address, request.kind)
    assert shown == ("convert", {"to": "mjai", "name": "東.mjlog"}, "text/plain")


def test_a_person_reads_an_error_as_a_page(asked: Asked) -> None:
    status, headers, data = asked.ask("/<b>", accept="text/html,*/*")
    assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert data.startswith(b"<!doctype html>")
    assert "sandbox" in headers["Content-Security-Policy"]
    status, _, data = asked.ask("/nowhere", accept="text/html", accept_language="ja,en;q=0.5")
    assert (status, "このアドレスには何もありません" in data.decode()) == (404, True)
    asked.ask("/info", accept="text/html", accept_language="ja")
    asked.ask("/info", accept="*/*", accept_language="ja")
    assert [request.reader for request in asked.requests] == ["ja", None]
