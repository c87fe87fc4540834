"""`mjconv view --watch`: the page of a file on this machine, made anew after each save."""

import http.client
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from corpus_files import TYPED
from looped import looped
from mjconv.ir import limits
from mjconv.ir.match import Match
from mjconv.typist.watch import Watched, WatchServer
from mjconv.viewer.show import view
from trips import known

#: The seconds between two looks at whether the server is to end.
_POLL = 0.02


def made(matches: list[Match]) -> str:
    return view(matches[0]).html


@pytest.fixture
def server() -> Iterator[WatchServer]:
    Path("game.jmjp").write_text(TYPED, "utf-8")
    with WatchServer(Watched("game.jmjp", made)) as server:
        threading.Thread(target=server.serve_forever, args=[_POLL], daemon=True).start()
        yield server
        server.shutdown()


def get(server: WatchServer, path: str = "/", host: str | None = None) -> tuple[int, str]:
    port = server.server_address[1]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with closing(connection):
        connection.putrequest("GET", path, skip_host=True)
        for name in [f"127.0.0.1:{port}"] if host is None else host.split():
            connection.putheader("Host", name)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def watched(text: str) -> dict[str, Any]:
    found = known(re.search(r'id="watched">(.*?)</script>', text))
    return dict(json.loads(found[1]))


def save(text: str) -> None:
    """Write the file, with another time even where the clock of the disk is coarse."""
    before = os.stat("game.jmjp").st_mtime_ns
    Path("game.jmjp").write_text(text, "utf-8")
    os.utime("game.jmjp", ns=(before + 10**9, before + 10**9))


def test_the_page_is_that_of_view_and_asks_for_the_version(server: WatchServer) -> None:
    status, text = get(server)
    assert status == 200
    packed = known(re.search(r'id="data">(.*?)</script>', text))
    assert packed[0] in view(__import__("mjconv").read("game.jmjp")).html
    assert watched(text) == {"version": get(server, "/version")[1], "message": "", "errors": False, "last": "E3-0"}
    assert "connect-src 'self'; script-src 'sha256-" in text


def test_each_save_is_another_version_and_another_page(server: WatchServer) -> None:
    first = get(server)[1]
    save(TYPED.replace("朝倉 春", "朝倉 夏"))
    second = get(server)[1]
    assert watched(first)["version"] != watched(second)["version"] == get(server, "/version")[1]
    assert "朝倉 夏" in second.partition("</title>")[0]


@looped(
    ("before", "after", "message", "errors"),
    (TYPED[TYPED.index("(e,1m,kg)") :], "", "breaks off without a result", False),
    ("(e,1m,kg)", "(e,1x,kg)", 'found "1x"', True),
    ("(e,wd,4m)", "(e,wd,1p)", "e does not hold 1p", True),
)
def test_a_file_is_shown_up_to_its_finding_and_red_for_errors_alone(
    server: WatchServer, before: str, after: str, message: str, errors: bool
) -> None:
    save(TYPED.replace(before, after))
    text = get(server)[1]
    assert 'id="data"' in text
    assert message in watched(text)["message"]
    assert watched(text)["errors"] is errors


def test_the_page_is_filled_and_has_the_round_that_is_begun(server: WatchServer) -> None:
    pages: list[list[Match]] = []

    def keep(matches: list[Match]) -> str:
        pages.append(matches)
        return made(matches)

    server.watched.make_page = keep
    save(re.sub(r"pfe\[[^]]*\]", "", TYPED[: TYPED.index("frm[E2-0")]) + "frm[,,,,,\n")
    assert watched(get(server)[1])["last"] == "E2-0"
    [match] = pages[-1]
    assert match.rounds[-1].start is not None
    assert match.rounds[-1].start.scores == (17300, 33700, 25000, 24000)


def test_the_last_page_stays_while_nothing_can_be_read(server: WatchServer) -> None:
    before = get(server)[1]
    save('jmjp[1.0](mtp[,,,snt["')
    after = get(server)[1]
    assert "a string is not closed" in watched(after)["message"]
    assert re.findall('id="data">.*?</script>', before) == re.findall('id="data">.*?</script>', after)
    os.remove("game.jmjp")
    assert "No such file" in watched(get(server)[1])["message"]


def test_no_text_of_the_file_becomes_markup(server: WatchServer) -> None:
    save("jmjp[1.0](</script><script>alert(1)</script>")
    text = get(server)[1]
    assert "<script>alert" not in text
    assert "</script>" not in watched(text)["message"] or "\\u003c/script" in text


@pytest.mark.parametrize("host", ["", "evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example 127.0.0.1"])
def test_other_hosts_are_refused(server: WatchServer, host: str) -> None:
    assert [get(server, path, host)[0] for path in ("/", "/version")] == [403, 403]


def test_only_the_page_and_the_version_are_served(server: WatchServer) -> None:
    assert [get(server, path)[0] for path in ("/game.jmjp", "/../game.jmjp", "/x?/")] == [404] * 3
    # The browser of VS Code adds a query.
    assert get(server, "/?vscodeBrowserReqId=1") == get(server)
    assert server.server_address[0] == "127.0.0.1"


def test_limits_hold_for_each_save() -> None:
    Path("game.jmjp").write_text(TYPED, "utf-8")
    with limits.using(limits.parse("file-bytes=20kB")), WatchServer(Watched("game.jmjp", made)) as server:
        threading.Thread(target=server.serve_forever, args=[_POLL], daemon=True).start()
        assert watched(get(server)[1])["message"] == ""
        save(TYPED + " " * 20_000)
        assert "is larger than 20000 bytes (the limit file-bytes" in watched(get(server)[1])["message"]
        server.shutdown()
