"""The action of ``mjconv serve``: check the address and the bots, and serve the page and the API."""

import os
import socket
import webbrowser
from ipaddress import ip_address
from threading import Timer
from typing import Final

from mjconv.command.console import print_message
from mjconv.ir.errors import UsageError
from mjconv.packages import check_packages
from mjconv.reviewer.worker import BotOptions

#: A bot is no part of what a person sends: it takes the memory that the system allows.
_UNLIMITED: Final = """/bin/sh -c 'ulimit -S -v "$(ulimit -H -v)"; exec "$@"' bot """
_PUBLIC: Final = """mjconv: this server is open to others:
  - it has no TLS: let a proxy encrypt, such as Caddy or nginx;
  - it answers requests that name localhost, or a host of --public-host;
  - it counts no requests of an address: let the proxy limit their rate and read slow bodies;
  - it keeps nothing of what people send, and writes no log."""


def serve_page(
    host: str,
    port: int,
    jobs: int,
    public_host: list[str] | None,
    bot: list[str] | None,
    *,
    public: bool,
    opens: bool,
) -> None:
    """Serve until the command is interrupted. `public_host` are more hosts that requests may name; port 0 is 8000.

    Raises `UsageError`.
    """
    check_packages("serve", "uvicorn", "jinja2")
    # Imported here: these packages are optional.
    from mjconv.serve.server import Server, run

    if not (_is_loopback(host) or public):
        raise UsageError(f"{host} is open to other computers: add --public if that is meant")
    if public:
        print_message(_PUBLIC)
    port = port or 8000
    names = [host, "localhost", "127.0.0.1", *(public_host or ())]
    known = [f"[{name}]" if ":" in name else name.lower() for name in names]
    address = f"http://{known[0]}:{port}/"
    hosts = [*known, *(f"{name}:{port}" for name in known)]
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(f"{address} cannot be used: {error.strerror}") from None
    with listener, Server(hosts, jobs or os.cpu_count() or 1, dict(map(_bot, bot or ()))) as server:
        print(address, flush=True)
        if opens:
            Timer(1, webbrowser.open, [address]).start()
        run(server, listener)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _bot(text: str) -> tuple[str, BotOptions]:
    """Return the name and the options of a bot. Raises `UsageError`."""
    name, equals, command = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"--bot takes NAME=COMMAND, such as mortal='python3 bot.py {{seat}}', not {text!r}")
    with BotOptions(command).bot():
        # Wrong commands are errors now, and not of each request.
        return name, BotOptions(f"{_UNLIMITED}{command}")
