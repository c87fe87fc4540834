"""An S3 server on this machine that refuses some requests: moto's application behind a counter."""

from collections.abc import Iterable
from itertools import count
from threading import Thread
from typing import Any

from moto.server import create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

_BODY = (
    b"<?xml version='1.0'?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
)


class _Silent(WSGIRequestHandler):
    #: A client keeps its connection for the next request.
    protocol_version = "HTTP/1.1"

    def log_request(self, *_: Any) -> None:
        pass


class FaultyS3:
    """Refuses each request whose number is a multiple of `every`, as S3 does under load."""

    def __init__(self, every: int) -> None:
        self.every = every
        self.refused = 0
        self.requests: list[str] = []
        self._numbers = count(1)
        self._app = create_backend_app("s3")
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=_Silent)
        self.address = f"http://127.0.0.1:{self._server.port}"
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()

    def _answer(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        self.requests.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
        if self.every and next(self._numbers) % self.every == 0:
            self.refused += 1
            # The body is read, so that the connection stays usable.
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start("503 Slow Down", [("Content-Type", "application/xml"), ("Content-Length", str(len(_BODY)))])
            return [_BODY]
        answer: Iterable[bytes] = self._app(environ, start)
        return answer
