"""The watched page: a server on this machine that shows a file step by step, and again after each save.

The page is that of `mjconv view`, with one script more. The script asks for the version of the file, and loads the
page again when there is another one. The address keeps the round, the step and the seat.
"""

from __future__ import annotations

import base64
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import msgspec

from mjconv.converters import hub
from mjconv.files.reading import read_bytes
from mjconv.ir.catalogue import beside
from mjconv.ir.errors import MjconvError, UsageError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.referee.findings import Finding
from mjconv.source import source_of
from mjconv.validation.check import validate
from mjconv.validation.text import finding_line

HOST: Final = "127.0.0.1"
#: Findings that the page shows.
_MOST_SHOWN: Final = 5
_SCRIPT: Final = beside(__name__, "watch.js").decode()
_HASH: Final = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
#: The beginning of the security policy of the page, and the same with the script of this module.
_POLICY: Final = "default-src 'none'; script-src "
_WATCHING: Final = f"default-src 'none'; connect-src 'self'; script-src 'sha256-{_HASH}' "
_EMPTY: Final = f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}'none'"><title>mjconv</title></head>
<body></body></html>"""

#: Makes the page of matches.
MakePage = Callable[[list[Match]], str]


class Watched:
    """A file that is shown. If nothing of it can be read, the last page that could be made stays."""

    def __init__(self, path: str, make_page: MakePage, source: str | None = None) -> None:
        self.path = path
        self.make_page = make_page
        self.source = source
        self.last = _EMPTY
        #: The name of the last round.
        self.label = ""

    def version(self) -> str:
        """Return a text that is another one after each save."""
        try:
            state = os.stat(self.path)
        except OSError as error:
            return str(error.strerror)
        return f"{state.st_mtime_ns} {state.st_size}"

    def page(self) -> str:
        """Return the page of the file as it is now, with its findings."""
        version = self.version()
        try:
            data = read_bytes(self.path)
            findings = self._findings(data)
            errors = any(finding.severity == "error" for finding in findings)
            message = "\n".join(map(finding_line, findings))
            matches = list(self._matches(data))
            if matches:
                self.last = self.make_page(matches)
                self.label = matches[-1].rounds[-1].label if matches[-1].rounds else ""
        except (MjconvError, OSError) as error:
            message, errors = str(error), True
        watched = {"version": version, "message": message, "errors": errors, "last": self.label}
        answer = msgspec.json.encode(watched).decode().replace("<", "\\u003c")
        script = f'<script type="application/json" id="watched">{answer}</script><script>{_SCRIPT}</script>'
        return self.last.replace(_POLICY, _WATCHING, 1).replace("</body>", f"{script}</body>", 1)

    def _findings(self, data: bytes) -> list[Finding]:
        """Return the first findings, errors before others."""
        findings = validate(data, format=self.source, file=os.path.basename(self.path))
        return sorted(findings, key=lambda finding: finding.severity != "error")[:_MOST_SHOWN]

    def _matches(self, data: bytes) -> Iterator[Match]:
        """Read and fill the matches as far as possible, and leave out rounds without a start."""
        source = source_of(data, self.source, self.path)
        data = source.data
        fill = source.form.for_typed("fill", "filled")
        with suppress(MjconvError):
            # What cannot be filled yet is shown as it is typed.
            data = data if fill is None else fill(data, Report())
        for reading in hub.read(source.form, data, Report(lenient=True)):
            match = reading.match
            yield msgspec.structs.replace(match, rounds=[one for one in match.rounds if one.start is not None])


class _Handler(BaseHTTPRequestHandler):
    """Answers requests of this machine that name this machine: a page elsewhere cannot read the file."""

    server: WatchServer

    def do_GET(self) -> None:
        """Send the page or the version of the file."""
        port = self.server.server_address[1]
        # The browser of VS Code adds a query.
        path = self.path.partition("?")[0]
        if self.headers.get_all("Host") not in ([f"{HOST}:{port}"], [f"localhost:{port}"]):
            self.send_error(403, "This server answers only on its own address")
        elif path == "/version":
            self._send(self.server.watched.version(), "text/plain")
        elif path == "/":
            self._send(self.server.watched.page(), "text/html")
        else:
            self.send_error(404)

    def _send(self, text: str, kind: str) -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Print nothing about requests."""


class WatchServer(ThreadingHTTPServer):
    """The server of one watched file, on this machine alone. Port 0 is any free port."""

    daemon_threads = True

    def __init__(self, watched: Watched, port: int = 0) -> None:
        self.watched = watched
        # A new thread has no limits and no other settings of its own.
        self.settings = copy_context()
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise UsageError(f"port {port} cannot be used: {error.strerror}") from None

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a request with the settings that the server was made with."""
        self.settings.copy().run(super().process_request_thread, request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error, unless the browser closed the connection."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_address[1]}/"
