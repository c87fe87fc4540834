"""The answers of the server to uploads, without its network: actions, archives, forms, links, errors, limits."""

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

import pytest

from corpus_files import CORPUS
from looped import looped
from mjconv.files.storage import held
from mjconv.ir import limits
from mjconv.reviewer.bot import Bot
from mjconv.serve.actions import ACTIONS, API, Response
from mjconv.serve.worker import Request, answer

GAME = (CORPUS / "tenhou/hex.mjlog").read_bytes()
BROKEN = (CORPUS / "broken/act-after-tm.jmjp").read_bytes()
SCORES = b"2024-01-20\nAnn Ben Cho Dan\n1 - - -\n- 3 - d\n"
BOUNDARY = "----x"


def ask(
    action: str,
    *files: tuple[str, bytes] | bytes,
    form: Mapping[str, str] | None = None,
    reader: str | None = None,
    **given: str,
) -> Response:
    """Answer a request: of bytes alone, or of a form with files and fields."""
    if len(files) == 1 and isinstance(files[0], bytes) and form is None:
        return answer(Request(action, given, "", files[0], reader=reader))
    parts = [(f'name="file"; filename="{name}"', data) for name, data in files]  # type: ignore[misc]
    parts += [(f'name="{key}"', value.encode()) for key, value in (form or {}).items()]
    head = f"--{BOUNDARY}\r\nContent-Disposition: form-data; "
    body = b"".join(f"{head}{each}\r\n\r\n".encode() + data + b"\r\n" for each, data in parts)
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return answer(Request(action, given, kind, body + f"--{BOUNDARY}--\r\n".encode(), reader=reader))


def value(found: Response) -> Any:
    return json.loads(found.data)


def zipped(*, compressed: bool = False, **files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    yield
    assert held == {}


def test_info_names_players_and_results() -> None:
    [found] = value(ask("info", GAME))
    assert (found["format"], found["matches"][0]["points"]) == ("tenhou", [23500, 21500, 25500, 28500])


def test_a_finding_has_its_line_and_column_and_the_text_its_caret() -> None:
    [finding] = value(ask("validate", BROKEN))
    assert (finding["line"], finding["column"], finding["code"]) == (15, 10, "S001")
    assert ask("validate", BROKEN, format="text").data.endswith(b"         ^\n")


def test_a_file_is_converted_as_the_library_converts_it_and_its_losses_are_named() -> None:
    import mjconv

    done = mjconv.convert(GAME, target="mjai")
    found = ask("convert", GAME, to="mjai", name="day/game.mjlog")
    assert found.data == done.data
    assert found.headers["Content-Disposition"].endswith("''game.mjson")
    [report] = value(ask("losses", GAME, to="mjai"))
    assert [loss["what"] for loss in report["losses"]] == [loss.what for loss in done.losses]


def test_several_files_become_an_archive_with_the_errors_of_those_that_cannot_be_read() -> None:
    found = ask("convert", ("a.mjlog", GAME), ("a.mjlog", GAME), ("b.jmjp", BROKEN), to="mjai")
    archive = zipfile.ZipFile(io.BytesIO(found.data))
    assert archive.namelist() == ["a.mjson", "a (2).mjson", "b.jmjp.error.json"]
    assert json.loads(archive.read("b.jmjp.error.json"))["line"] == 15
    names = ("a.xml", "a.mjson.xml", "a.mjson")
    found = ask("convert", *((name, GAME) for name in names), form={"from": "tenhou", "to": "mjai"})
    assert len(zipfile.ZipFile(io.BytesIO(found.data)).namelist()) == len(names)


@looped("name", "../../etc/x.mjlog", "/etc/x.mjlog", "C:\\etc\\x.mjlog", "-", "s3://b/x", "..", "")
def test_no_name_leaves_the_folder_or_names_another_file(name: str) -> None:
    found = ask("convert", (name, GAME), ("b.mjlog", GAME), to="mjai")
    for kept in zipfile.ZipFile(io.BytesIO(found.data)).namelist():
        assert re.fullmatch(r"[^/\\:-][^\\:]*", kept)
        assert ".." not in kept.split("/")


def test_the_records_of_an_archive_are_files_and_other_files_are_left_out() -> None:
    files = {"day/1.mjlog": GAME, "../up.mjlog": GAME, "readme.txt": b"hello", "2.zip": zipped()}
    names = [each.get("file") for each in value(ask("info", zipped(**files)))]
    assert (names[0], len(names)) == ("upload/day/1.mjlog", 3)
    for archive in (zipped(**{"x.txt": b"hello"}), zipped()):
        assert value(ask("info", archive))["detail"] == "there is no record in it"


def test_a_file_that_cannot_be_read_is_a_finding_and_hides_no_other() -> None:
    bad = (("z.zip", zipped(**{"b.zip": zipped(), "a.mjlog": GAME})), ("c.url", b"https://example.com/a.mjson"))
    found = value(ask("validate", *bad, ("empty.zip", zipped())))
    assert [(one["file"], one["code"]) for one in found if one["severity"] == "error"] == [
        ("z.zip/b.zip", "S002"),
        ("c.url", "S002"),
        ("empty.zip", "S002"),
    ]
    [game, *errors] = value(ask("info", *bad, ("empty.zip", zipped())))
    assert game["file"] == "z.zip/a.mjlog"
    assert [one["file"] for one in errors] == ["z.zip/b.zip", "c.url", "empty.zip"]
    page = unescape(ask("", *bad, form={"lang": "en"}).data.decode())
    assert page.count("this is an address, and the server opens none") == 1


def test_the_page_of_a_match_may_run_its_scripts_alone_and_has_no_origin() -> None:
    found = ask("view", GAME, lang="ja")
    assert found.data.startswith(b"<!doctype html>")
    assert "sandbox allow-scripts allow-downloads" in found.policy
    assert re.search(r"default-src 'none'; script-src 'sha256-", found.policy)


@looped(
    ("form", "begin", "kind"),
    ("csv", b"name,game_count", "text/csv; charset=utf-8"),
    ("html", b"<!doctype", "text/html; charset=utf-8"),
    ("xlsx", b"PK", "application/octet-stream"),
)
def test_standings_are_tables_and_pages(form: str, begin: bytes, kind: str) -> None:
    found = ask("score", ("a.hk", SCORES), ("b.hk", SCORES), format=form)
    assert (found.data[: len(begin)], found.kind) == (begin, kind)
    assert form == "html" or found.headers["Content-Disposition"] == f"attachment; filename*=UTF-8''score.{form}"


def test_the_page_of_records_has_their_games_and_the_standings_of_results_have_none() -> None:
    games = (("a.mjlog", GAME), ("b.mjlog", GAME))
    played, scored = (ask("score", *games, format="html", **more).data for more in ({}, {"as": "hk"}))
    assert len(played) > len(scored)
    assert ask("score", ("may.csv", b"Ann,Ben,Cho,Dan\n42300,31000,18200,8500\n"), format="html").status == 200


def test_sums_are_refused_without_a_file_that_cannot_be_read() -> None:
    assert ask("score", zipped(**{"a.hk": SCORES, "b.zip": zipped()})).status == 422


@pytest.mark.parametrize(
    ("given", "status", "part"),
    [
        ({"to": "nope"}, 400, "unknown format 'nope'"),
        ({}, 400, "name the format of the output"),
        ({"to": "mjai", "match": "1"}, 400, "convert takes no 'match'"),
        ({"to": "mjai", "plain": "perhaps"}, 400, "plain takes a value of type boolean, not 'perhaps'"),
        ({"to": "mjai", "seat": "9"}, 400, "there is no seat '9'"),
        ({"to": "uzje", "strict": "1", "plain": "1"}, 422, "would lose"),
    ],
)
def test_a_wrong_request_is_a_problem(given: dict[str, str], status: int, part: str) -> None:
    found = ask("convert", GAME, **given)
    assert (found.kind, found.status, value(found)["status"]) == ("application/problem+json", status, status)
    assert part in value(found)["detail"]


@looped(("number", "part"), ("0", "count from 1"), ("-1", "count from 1"), ("9" * 30, "1 were sent"))
def test_a_match_that_was_not_sent_is_a_problem(number: str, part: str) -> None:
    found = ask("view", GAME, match=number)
    assert (found.status, part in value(found)["detail"]) == (400, True)


def test_standings_may_be_of_one_file_alone() -> None:
    club, damaged = b"Ann Ben Cho Dan\n42.3 31 18.2 8.5\n", zipped(**{"b.zip": b"PK\5\6"})
    files = (("a.hk", SCORES), ("b.club", club), ("c.zip", damaged))
    assert ask("score", *files).status == 422
    [ann, *_] = value(ask("score", *files, only="b.club"))
    assert (ann["name"], ann["net_score"]) == ("Ann", 17.3)
    assert ask("score", *files, only="c.zip/b.zip").status == 422
    assert "there is no file 'd.hk': a.hk, b.club" in value(ask("score", *files, only="d.hk"))["detail"]
    text = ask("", *files[:2], form={"script": "1"}).data.decode()
    assert re.findall('name="only" value="([^"]*)', text) == ["a.hk", "b.club"]


@looped(
    ("language", "part"),
    ("ja", "“形式にない牌を隠す” で"),
    ("zh-CN", "“隐藏格式没有的牌”"),
    ("xx", "“hide tiles"),
)
def test_a_person_reads_an_error_in_the_language_of_the_page(language: str, part: str) -> None:
    flowers = (CORPUS / "pmn/flowers.pmn").read_bytes()
    for form, reader in (({"lang": language}, "en"), ({}, language)):
        found = value(ask("convert", ("a.pmn", flowers), form=form, reader=reader, to="jmjp"))
        assert part in found["shown"]
        assert "lossy hides the tiles" in found["detail"]
    assert "lossy hides the tiles" in value(ask("convert", flowers, to="jmjp"))["shown"]


def test_an_error_in_another_language_names_no_option() -> None:
    with limits.using(limits.parse("events=10")):
        assert "（このサーバーの上限 events）" in value(ask("info", GAME, reader="ja"))["shown"]
    games = (CORPUS / "club/tables.club").read_bytes()
    assert value(ask("convert", games, to="tenhou", reader="ja"))["shown"].endswith("対局は一つだけです")
    assert "no file was sent" in value(ask("", form={}))["shown"]
    assert "ファイルが送られていません" in value(ask("", form={}, reader="ja"))["shown"]


def test_a_form_has_fields_of_other_actions_and_no_unknown_ones() -> None:
    assert ask("info", form={"text": GAME.decode(), "seat": "1"}).status == 200
    found = ask("info", form={"file": GAME.decode(), "sea": "1"})
    assert (found.status, value(found)["detail"][:26]) == (400, "there is no field 'sea': f")
    assert value(ask("info", form={"file": GAME.decode()}))[0]["format"] == "tenhou"


def test_messages_name_what_a_request_has_in_the_place_of_options() -> None:
    flowers = (CORPUS / "pmn/flowers.pmn").read_bytes()
    names = "Ann 42.3, 鈴木 31, Cho 18.2, 佐藤 8.5\n".encode("cp932")
    page = ask("", ("a.pmn", flowers), form={"to": "jmjp", "lang": "en"})
    asked = [
        ("lossy hides the tiles", ask("convert", flowers, to="jmjp")),
        ("“hide tiles that the format lacks” hides", page),
        ("Shift-JIS; save it as UTF-8", ask("score", names, name="a.club")),
        ("format is one of", ask("validate", GAME, format="x")),
        ("as=hk counts them all", ask("score", ("a.mjlog", GAME), ("b.hk", SCORES))),
        ("“by Hong Kong rules” counts", ask("", ("a.mjlog", GAME), ("b.hk", SCORES), form={"lang": "en"})),
    ]
    with limits.using(limits.parse("events=10", "digits=3")):
        asked += [("(the limit events of this server)", ask(action, GAME)) for action in ("info", "validate")]
    for part, found in asked:
        text = found.data.decode()
        assert part in text, (part, text)
        assert not re.search(r"\s--[a-z]", text), text


@looped(
    ("link", "part"),
    ("https://tenhou.net/0/?log=2021030415gm-00a9-0000-0a1b2c3d", "fetches nothing"),
    ("2021030415gm-00a9-0000-0a1b2c3d", "fetches nothing"),
    ("https://example.com/game.mjson", "opens none"),
    ("file:///etc/passwd", "opens none"),
    ("s3://bucket/game.mjson", "opens none"),
)
def test_no_address_is_opened(link: str, part: str) -> None:
    assert part in value(ask("info", form={"text": link}))["detail"]


def test_a_link_that_holds_its_record_is_read() -> None:
    link = ask("convert", GAME, to="tenhou-url", plain="1").data.decode().split()[0]
    for text in (link, link.removeprefix("https://")):
        assert value(ask("info", form={"text": text}))[0]["format"] == "tenhou"
    [found] = value(ask("info", form={"text": "Ann 42.3, Ben 31, Cho 18.2, Dee 8.5"}))
    assert found["matches"][0]["players"][0] == "Ann"


def test_what_is_beyond_a_limit_is_too_large() -> None:
    bomb = zipped(**{"bomb.mjson": b" " * 6000}, compressed=True)
    many = zipped(**dict.fromkeys("abc", GAME[:100]))
    with limits.using(limits.parse("unpacked-bytes=5kB", "archive-members=2")):
        asked = ([("a", GAME), ("b", GAME)], [bomb], [many])
        assert [ask("info", *files).status for files in asked] == [413, 413, 422]


def test_the_page_has_what_an_upload_is_and_without_a_script_holds_it() -> None:
    name = '"><img src=x onerror=alert(1)>.mjlog'
    plain, scripted = (ask("", (name, GAME), form={"lang": "ja", **more}) for more in ({}, {"script": "1"}))
    text = plain.data.decode()
    for part in ("堂本 冬美 28,500", "指摘はありません", "tenhou", 'name="held"', 'value="1"'):
        assert part in text
    assert "<img" not in text
    assert 'name="held"' not in scripted.data.decode()
    [kept] = re.findall(r'name="held" value="([^"]*)"', text)
    assert value(ask("info", form={"held": unescape(kept)}))[0]["format"] == "tenhou"


def test_no_name_or_text_of_a_record_is_markup() -> None:
    broken = b'{"type":"start_game"}\n{"type":"x<img>"}\n'
    named = GAME.replace(b"%E6%9C%9D%E5%80%89%20%E6%98%A5", b"%3Cimg%3E")
    for form in ({"lang": "<img>"}, {"lang": "en", "to": "<img>"}, {"script": "1", "to": "jmjp"}):
        for data in (broken, named):
            text = ask("", ("<img>", data), form=form).data.decode()
            assert "&lt;img" in text
            assert "<img" not in text


def test_the_page_lists_losses_before_the_download_and_standings_of_several_games() -> None:
    text = ask("", ("a.mjlog", GAME), ("b.mjlog", GAME), form={"to": "mjai"}).data.decode()
    for part in ("not expressible in mjai", 'formaction="/convert"', "39.5", "/score?format=xlsx"):
        assert part in text


def test_the_description_lists_every_action() -> None:
    assert [*API["paths"]] == [f"/{name}" for name in ACTIONS]


def test_a_bot_answers_in_the_place_of_a_player() -> None:
    def ask_bot(**given: str) -> Response:
        return answer(Request("review", given, "", GAME), lambda _: None)  # type: ignore[arg-type]

    assert {json.loads(row)["seat"] for row in ask_bot(seat="1", format="jsonl").data.splitlines()} == {1}
    assert b"<!doctype html>" in ask_bot(seat="all").data
    assert "format takes html" in value(ask_bot(format="x"))["detail"]


def test_a_page_without_answers_is_an_error_with_the_reason() -> None:
    for form in ("html", "jsonl", "csv"):
        with Bot("true") as bot:
            found = answer(Request("review", {"format": form}, "", GAME), bot)
        reason = "seat 0: the game is lost: the bot ended with status 0"
        assert (found.status, value(found)["detail"]) == (422, reason)


def test_a_spreadsheet_has_standings_alone() -> None:
    sheet = b"Ann,Ben,Cho,Dan\n42300,31000,18200,8500\n"
    text = ask("", ("may.csv", sheet), form={"lang": "en"}).data.decode()
    assert re.findall("<h2>([^<]*)", text) == ["Records", "Standings"]
    assert '<th scope="row">Ann</th>' in text
    assert ask("score", ("may.csv", sheet), format="xlsx").data.startswith(b"PK")


def test_all_results_of_a_file_are_one_entry_and_one_page() -> None:
    club = (CORPUS / "club/reikai.club").read_bytes()
    text = ask("", ("reikai.club", club), form={"script": "1"}).data.decode()
    assert text.count('class="file"') == 1
    for part in ("2024-09-14 – 2024-09-21 · 25,000 · games: 4", "/score?format=html"):
        assert part in text
    assert "/view" not in text


def test_a_mistake_in_typed_results_has_its_line() -> None:
    text = unescape(ask("", form={"text": "Ann Ben Cho Dan\n42300 31000 18200 8400\n"}).data.decode())
    assert "pasted:2:1: the points add up to 99900" in text
    assert "is not clear from its name" in unescape(ask("", form={"text": '{"a": 1}'}).data.decode())
