"""Links to records of sites, their ids, and web pages, in the place of a file: one sentence names what to do."""

from pathlib import Path

from given import BAD_INPUT, Run

from looped import looped

UUID = "230101-0a1b2c3d-1111-2222-3333-0123456789ab"
NAMES = {
    f"https://game.mahjongsoul.com/?paipu={UUID}": "Mahjong Soul",
    f"https://game.maj-soul.com/1/?paipu={UUID}_a123456": "Mahjong Soul",
    f"{UUID}_a123456": "Mahjong Soul",
    "https://mahjong-jp.city/share?id=cn9m3d5u8b28j3o9k3g0": "Riichi City",
    "cn9m3d5u8b28j3o9k3g0": "Riichi City",
    "2021030415gm-00a9-0000-0a1b2c3d": "Tenhou",
}
WAYS = [("--to", "mjai"), ("info",), ("validate",), ("stats",), ("batch", "-o", "out", "--to", "mjai")]


@looped("words", *WAYS, ids=" ".join)
@looped("name", *NAMES)
def test_a_record_on_a_server_is_named_with_its_site(run: Run, name: str, words: tuple[str, ...]) -> None:
    outcome = run(*words, name)
    assert outcome.status != 0
    printed = outcome.err + outcome.out.decode()
    message = "mjconv fetches nothing from there; docs/get-records.md"
    assert f"is a record on the server of {NAMES[name]}. {message}" in printed
    assert "fsspec" not in printed
    assert "requests" not in printed


@looped("name", "page.mjlog", "page.json", "page.mjson", "page.jmjp", "page")
def test_a_web_page_is_no_record(run: Run, name: str) -> None:
    Path(name).write_text("\n<!DOCTYPE html><html><body>404</body></html>")
    message = "is a web page and no record, probably of a failed download; docs/get-records.md explains how"
    outcome = run(name, "--to", "hk")
    assert (outcome.status, outcome.err) == (BAD_INPUT, f"mjconv: error: {name}: {message} to get records\n")


def test_a_file_with_the_name_of_an_id_is_read(run: Run) -> None:
    Path(UUID).write_text('{"type":"start_game"}\n{"type":"end_game"}\n')
    assert run(UUID, "--to", "mjai").status == 0
