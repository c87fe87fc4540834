"""The command ``mjconv view``, and `--watch`: the page is made anew after each save."""

import base64
import http.client
import json
import os
import re
import shutil
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
from given import DONE, GAME, ROUND, WRONG_USAGE, Run

import mjconv
from corpus_files import CORPUS, SAMPLE, TYPED
from looped import looped
from mjconv.command import view
from mjconv.ir import limits
from mjconv.ir.match import Match
from mjconv.typist.watch import Watched, WatchServer
from trips import known


@pytest.fixture
def game() -> Path:
    path = Path("game.mjson")
    path.write_text(ROUND)
    return path


def test_a_page_goes_to_standard_output_and_a_record_comes_from_standard_input(run: Run) -> None:
    assert run("view", "-", "-o", "-", stdin=ROUND.encode()).out.startswith(b"<!doctype html>")


def test_text_is_printed(run: Run, game: Path) -> None:
    assert run("view", game, "--text").out.decode().splitlines()[-4:] == [
        "    2  C draws and discards 9p.",
        "    3  A wins by ron on 9p from C.",
        "       ?????????????  + 9p",
        "       A +5,500, C -5,500",
    ]
    assert "    2  C 9筒ツモ切り" in run("view", game, "--text", "--lang", "ja").out.decode().splitlines()


def test_a_step_may_name_its_round(run: Run) -> None:
    """The address of the page has the same spelling."""
    one = run("view", SAMPLE, "-o", "-", "--step", "E2-0.40").out
    assert one == run("view", SAMPLE, "-o", "-", "--round", "E2-0", "--step", "40").out
    assert one != run("view", SAMPLE, "-o", "-", "--step", "40").out
    assert run("view", SAMPLE, "-o", "x.svg", "--step", "E2-0.40", "--seat", "2").status == DONE
    assert Path("x.svg").read_text("utf-8").startswith("<svg")
    lines = run("view", SAMPLE, "--text", "--step", "E2-0.40").out.decode().splitlines()
    assert [line for line in lines if line.startswith("E")] == ["E2-0  East 2, honba 0"]


def test_a_match_of_several_is_chosen(run: Run) -> None:
    Path("two.mjson").write_text(GAME + ROUND)
    first = run("view", "two.mjson", "--text")
    assert (first.status, first.out.decode()) == (DONE, "A, B, C, D\n")
    assert "the file holds several matches, and this is the first: --match 2 shows the next one" in first.err
    assert run("view", "two.mjson", "--text", "--match", "1").err == ""
    assert b"S3-1" in run("view", "two.mjson", "--text", "--match", "2").out


def test_evenings_of_scores_are_one_table(run: Run) -> None:
    lines = run("view", CORPUS / "hk" / "evenings.hk", "--text").out.decode().splitlines()
    assert any(line.startswith("16 ") for line in lines)
    one = run("view", CORPUS / "hk" / "evenings.hk", "--text", "--match", "1").out.decode().splitlines()
    assert not any(line.startswith("7 ") for line in one)


@pytest.mark.parametrize("inputs", [["logs"], ["logs.zip"], ["logs/a.mjson", "logs/b.xml"], ["two.mjson"]])
def test_several_games_are_one_page_with_each_game_in_it(run: Run, inputs: list[str]) -> None:
    Path("logs").mkdir()
    shutil.copy(SAMPLE, "logs/a.mjson")
    shutil.copy(CORPUS / "tenhou" / "hanchan.mjlog", "logs/b.xml")
    shutil.make_archive("logs", "zip", "logs")
    Path("two.mjson").write_text(2 * SAMPLE.read_text("utf-8"), "utf-8")
    assert run("view", *inputs, "-o", "may.html", "--no-credit").status == DONE
    data = record_of("may.html")
    assert [data[key] for key in ("kind", "title", "credit")] == ["results", "may", False]
    assert len(data["table"]["games"]) == 2
    # A link to it is shown with its title and the first of the standings.
    assert re.search('og:title" content="may · .+ [0-9.]+"', Path("may.html").read_text("utf-8"))
    plays = [json.loads(zlib.decompress(base64.b64decode(play))) for play in data["plays"]]
    assert [play["kind"] for play in plays] == ["play", "play"]
    # The words of all games are those of the page.
    assert "tile.5pr" in data["words"]["ja"]
    assert "words" not in plays[0]
    outcome = run("view", *inputs, "-o", "may.html", "--step", "3")
    outcome.check(WRONG_USAGE, err="opens at its first sheet: leave --step out")


def test_games_whose_points_alone_are_known_are_no_games_to_open(run: Run) -> None:
    evenings = [CORPUS / "club" / name for name in ("ties.club", "family.club")]
    assert run("view", *evenings, "-o", "may.html").status == DONE
    data = record_of("may.html")
    assert (len(data["table"]["games"]), "plays" in data) == (10, False)


@looped(
    ("others", "message"),
    (["pmn/drawn.pmn"], "games of riichi and of other rules have no common standings"),
    (["hk/evenings.hk"], "a page shows results alone, or games with their play"),
    ([], "several files make one page"),
)
def test_games_that_have_no_common_page_are_refused(run: Run, others: list[str], message: str) -> None:
    files = [SAMPLE, *(CORPUS / name for name in others)]
    run("view", *files, *([SAMPLE] if not others else ["-o", "x.html"])).check(WRONG_USAGE, err=message)


def test_a_game_of_other_rules_has_the_points_that_moved(run: Run) -> None:
    assert run("view", *sorted((CORPUS / "pmn").glob("*.pmn"))[:2], "-o", "x.html").status == DONE
    games = record_of("x.html")["table"]["games"]
    assert [sum(map(int, game["gains"])) for game in games] == [0] * len(games)
    assert any(gain != "0" for game in games for gain in game["gains"])


def test_findings_are_shown_on_request(run: Run) -> None:
    Path("bad.mjson").write_text(ROUND.replace("25000,25000,25000,25000", "25000,25000,25000,24000"))
    assert "! error" not in run("view", "bad.mjson", "--text").out.decode()
    assert "error: R" in run("view", "bad.mjson", "--text", "--check").out.decode()


def test_the_browser_opens_the_page(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_page(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", open_page)
    assert run("view", game, "-o", "game.html", "--open").status == DONE
    assert run("view", game, "--open").status == DONE
    assert opened[0] == Path("game.html").resolve().as_uri()
    temporary = Path(opened[1].removeprefix("file://"))
    assert (temporary.name, temporary.read_text("utf-8")[:15]) == ("view.html", "<!doctype html>")
    shutil.rmtree(temporary.parent)


def test_without_a_browser_the_page_is_named(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    outcome = run("view", game, "-o", "game.html", "--open")
    assert (outcome.status, outcome.err) == (DONE, "mjconv: no browser was found; the page is game.html\n")


def test_walls_can_be_left_out(run: Run) -> None:
    walled = len(run("view", CORPUS / "tenhou" / "hanchan.mjlog", "-o", "-").out)
    assert len(run("view", CORPUS / "tenhou" / "hanchan.mjlog", "-o", "-", "--no-wall").out) < walled - 1000


def record_of(page: str) -> Any:
    [data] = re.findall(r'id="data">([^<]*)</script>', Path(page).read_text("utf-8"))
    return json.loads(zlib.decompress(base64.b64decode(data)).rpartition(b"\0")[2])


def opening(page: str) -> Any:
    return record_of(page)["open"]


def test_without_an_output_the_match_is_printed_where_there_is_no_terminal(run: Run, game: Path) -> None:
    assert run("view", game).out == run("view", game, "--text").out != b""


def test_without_an_output_a_terminal_shows_a_match(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "find_spec", lambda _: None)
    printed = run("view", game).out
    monkeypatch.setattr(view, "find_spec", lambda _: ModuleSpec("textual", None))
    monkeypatch.setattr(view, "_isatty", lambda _: True)
    shown: list[tuple[int, int, int]] = []
    monkeypatch.setattr(view, "_show_in_terminal", lambda *given: shown.append(given[-1]))
    assert (run("view", game, "--seat", "c").out, shown) == (b"", [(0, 0, 2)])
    monkeypatch.setattr(view, "find_spec", lambda _: None)
    assert run("view", game).out == printed


@pytest.mark.parametrize("name", ["E3-0", "e3", "East3", "east 3-0", "E3", "東3局", "東3局0本場"])
def test_a_round_is_named_as_people_do(run: Run, name: str) -> None:
    lines = run("view", SAMPLE, "--text", "--round", name).out.decode().splitlines()
    assert [line for line in lines if line.startswith("E")] == ["E3-0  East 3, honba 0"]


@looped(("name", "seat"), ("千早 秋", 2), ("冬美", 3), ("1", 1), ("s", 1), ("West", 2), ("北", 3))
def test_a_seat_is_that_of_a_player(run: Run, name: str, seat: int) -> None:
    assert run("view", SAMPLE, "-o", "game.html", "--seat", name).status == DONE
    assert opening("game.html") == {"round": 0, "step": 0, "seat": seat}


def test_a_stream_opens_at_the_seat_of_its_player(run: Run) -> None:
    assert run(SAMPLE, "-o", "stream.mjson", "--seat", "2", "-q").status == DONE
    assert run("view", "stream.mjson", "-o", "game.html").status == DONE
    assert opening("game.html")["seat"] == 2
    assert run("view", "stream.mjson", "-o", "game.html", "--seat", "0").status == DONE
    assert opening("game.html")["seat"] == 0


def test_view_and_info_count_in_the_same_word(run: Run) -> None:
    hidden = re.sub('{"type":"(tsumo|dahai)"[^}]*}\n', "", ROUND)
    Path("hands.mjson").write_text(hidden.replace('"dora_marker":"1m"', '"dora_marker":"?"'))
    Path("scores.hk").write_text("A B C D\n3 - - -\n")
    for name, words in (("hands.mjson", "3 han"), ("scores.hk", "3 faan")):
        for printed in (run("info", name), run("view", name, "--text")):
            assert words in printed.out.decode()


# `mjconv view --watch`: the page of a file on this machine, made anew after each save.

#: The seconds between two looks at whether the server is to end.
_POLL = 0.02


def made(matches: list[Match]) -> str:
    return mjconv.view(matches[0]).html


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
    assert packed[0] in mjconv.view(mjconv.read("game.jmjp")).html
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
