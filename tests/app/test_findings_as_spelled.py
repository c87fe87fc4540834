"""Findings spell tiles and seats as the file spells them, as an error of a conversion does."""

import re
from pathlib import Path
from urllib.parse import quote

from given import Run

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.converters import formats
from mjconv.ir.errors import MOST_SHOWN, SHOWN, InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.spelling import Seating
from mjconv.ir.tiles import TILES

SAMPLE = CORPUS / "sample"


def messages(text: str, form: str, *, pictures: bool = False) -> list[str]:
    return [finding.message for finding in mjconv.validate(text.encode(), format=form, pictures=pictures)]


def test_a_finding_reads_like_the_error_of_a_conversion(run: Run) -> None:
    text = (SAMPLE / "game.jmjp").read_text("utf-8").replace("(w,2s,kg)(n,8m,tg)", "(w,2s,kg)(n,8m,wd)")
    Path("wrong.jmjp").write_text(text, "utf-8")
    [finding] = mjconv.validate("wrong.jmjp")
    assert finding.message == "n does not hold wd"
    assert f"{finding.message}\n" in run("wrong.jmjp", "-o", "wrong.mjson").err


def test_every_format_spells_every_tile_of_the_hub() -> None:
    for form in formats.FORMATS:
        for tile in TILES:
            assert form.spelling.tile(tile)
            assert form.spelling.short_tile(tile)


def test_a_second_flower_that_a_note_of_jmjp_restores_is_a_finding() -> None:
    noted = mjconv.convert((CORPUS / "uzje/flowers.uzje").read_bytes(), target="jmjp", lossy=True).data.decode()
    assert '"8f"' in noted
    found = messages(noted.replace('"8f"', '"7f"'), "jmjp")
    assert any(message.endswith("there is a second 7f") for message in found)


@looped(
    ("mistakes", "before"),
    ({"n,hnd[2m": "n,hnd[2s"}, "(n,hnd["),
    ({"7p2s7s": "7p2s2s"}, "(w,hnd[1m5m9m3p3p7p2s"),
    ({"s,3m": "s,2s"}, "(e,1p,tg)(s,"),
    ({"1m4m7m2p": "5p5p5p2p", "s,3m,sw)": "s,3m,ak[5p5p5p5p])(s,rs[2s],sw)"}, "(s,rs["),
)
def test_a_fifth_tile_is_at_the_tile(mistakes: dict[str, str], before: str) -> None:
    text = (CORPUS / "typed" / "game.jmjp").read_text("utf-8")
    # Four copies of 2s are dealt already.
    for right, wrong in {"s9mew": "s2s2s", **mistakes}.items():
        assert right in text
        text = text.replace(right, wrong)
    [found] = [finding for finding in mjconv.validate(text.encode(), format="jmjp") if finding.code == "R001"]
    assert found.place
    assert found.message == "there is a fifth 2s"
    assert found.place.text[: found.place.column - 1].endswith(before)


#: A game of Ùzje in which the dealer draws 4s, and the next player draws 8t.
UZJE = """\
E 3 0 4
1m 2m 4m 7m 9m 1t 9t 1s 1m 2m 2m 9m 1m 9m 1s 6s
4t 9t 1s 3s 6s 9s E S 1t 9t 1s 9s 7s 8s 8s 9s
E W N P W N P F E S W N E W N P
F C C F
4s 8t
1.4s 2.?
"""

JMJP, MJAI = ((SAMPLE / name).read_text("utf-8") for name in ("game.jmjp", "game.mjson"))


@looped(
    ("form", "text", "right", "wrong", "message"),
    # Two letters for honours, and red fives.
    ("jmjp", JMJP, "(e,ww,tg)(s,7p,rc[8p])", "(e,ww,rd)(s,7p,rc[8p])", "e does not hold rd"),
    ("jmjp", JMJP, "(e,ww,tg)(s,7p,rc[8p])", "(e,ww,0s)(s,7p,rc[8p])", "e does not hold 0s"),
    # `t` for circles.
    ("uzje", UZJE, "1.4s", "1.8t", "E does not hold 8t"),
    ("mjai", MJAI, '"W","tsumogiri":true', '"P","tsumogiri":false', "east (player 0) does not hold P"),
)
def test_a_tile_that_is_not_held_is_spelled_so(form: str, text: str, right: str, wrong: str, message: str) -> None:
    assert messages(text.replace(right, wrong, 1), form) == [message]


def test_hk_has_the_names_of_its_players() -> None:
    """No check of the referee concerns the scores of a game yet, so the spelling itself is tested."""
    spelling = formats.find("hk")[0].spelling
    assert spelling.player(1, Seating(0, 4, ("A", "two words", "", ""))) == "two%20words"


def test_pictures_spell_as_the_file_does() -> None:
    text = (SAMPLE / "game.jmjp").read_text("utf-8").replace("(e,ww,tg)(s,7p,rc[8p])", "(e,ww,rd)(s,7p,rc[8p])")
    [finding] = mjconv.validate(text.encode(), format="jmjp", pictures=True)
    lines = (finding.picture or "").splitlines()
    first = ["E1-0, 65 tiles left to draw, dora indicators rd", "e, 25000 points"]
    assert lines[:4] == [*first, "  hand   123567m 123p 3679s + ww", "  river  5p"]
    assert lines[-3] == "n, 24000 points, in riichi"


HANDS = "".join(f' hai{seat}="{",".join(str(seat + 4 * kind) for kind in range(13))}"' for seat in range(4))
MJLOG = (
    '<mjloggm ver="2.3"><GO type="{type}" lobby="0"/><INIT seed="0,0,0,0,0,135" ten="250,250,250,250" oya="0"'
    + HANDS
    + "/><T52/>{play}"
)


@looped(
    ("go", "discard", "tile"),
    (1, 119, "W (116-119)"),
    (1, 88, "5sr (88)"),
    (1, 89, "5s (89-91)"),
    (3, 89, "5s (88-91)"),
)
def test_mjlog_has_a_number_for_each_copy_of_a_tile(go: int, discard: int, tile: str) -> None:
    found = messages(MJLOG.format(type=go, play=f"<D{discard}/>"), "tenhou")
    assert f"east (player 0) does not hold {tile}" in found


def test_pictures_of_mjlog_have_no_numbers_of_copies() -> None:
    found = mjconv.validate(MJLOG.format(type=1, play="<D119/>").encode(), format="tenhou", pictures=True)
    [shown] = [finding.picture or "" for finding in found if finding.code == "R005"]
    assert "  hand   123406789m 1234p + 0p" in shown.splitlines()


#: A round of tenhou.net/6 in which the dealer discards a tile.
NET6 = (
    '{"name":["A","B","C","D"],"rule":{"disp":"","aka":1},"log":[[[0,0,0],[25000,25000,25000,25000],[47],[],'
    "[11,12,13,14,51,16,17,18,19,21,22,23,24],[53],[DISCARD],[41,41,41,42,42,42,43,43,43,44,44,44,45],[],[],"
    '[31,31,31,32,32,32,33,33,33,34,34,34,45],[],[],[36,36,36,37,37,37,38,38,38,39,39,39,45],[],[],["中断"]]]}'
)


@looped("link", False, True)
@looped("tile", "43", "15", "52")
def test_the_json_of_tenhou_has_numbers_of_two_digits(tile: str, link: bool) -> None:
    text = NET6.replace("DISCARD", tile)
    if link:
        text = f"https://tenhou.net/6/#json={quote(text)}"
    found = mjconv.validate(text.encode(), format="tenhou", pictures=True)
    [finding] = [finding for finding in found if finding.code == "R005"]
    assert finding.message == f"east (player 0) does not hold {tile}"
    assert finding.picture
    assert "  hand   11 12 13 14 51 16 17 18 19 21 22 23 24 + 53" in finding.picture.splitlines()


@looped(
    ("form", "name", "before", "after", "message"),
    ("majsoul", "four", 'Tile","data":{"seat":0,"tile":"1m"', "7z", "east (player 0) does not hold 7z"),
    ("majiang", "game", '{"dapai":{"l":0,"p":"m4"', "z7", "east (l 0) does not hold z7"),
    ("riichicity", "short", r"""action\":11,\"card\":5""", "145", "east (player 0) does not hold C (145)"),
    ("mjx", "round", '{"who":1,"tile":126', "133", "east (player 1) does not hold C (132-135)"),
)
def test_platforms_spell_their_tiles(form: str, name: str, before: str, after: str, message: str) -> None:
    """The first discard is of another tile."""
    text = (CORPUS / form / f"{name}.json").read_text("utf-8")
    changed = text.replace(before, re.sub(r"\w+(?=\"?$)", after, before), 1)
    assert changed != text
    assert message in messages(changed, form)


def test_each_format_spells_every_seat_of_its_own() -> None:
    for form in formats.FORMATS:
        spelling = form.spelling
        for seats in form.holds.seats:
            for dealer in (*range(seats), None):
                seating = Seating(dealer, seats, tuple(f"name {seat}" for seat in range(seats)))
                spelled = [spelling.player(seat, seating) for seat in range(seats)]
                assert len(set(spelled)) == seats, form.id
                # Events may name a player that the game does not have.
                assert spelling.player(9, seating), form.id
        assert spelling.tile("?"), form.id


# Findings list points in the order and the unit of the file, and show the right ones at their place.


POINTS = "(250, 250, 330, 180), and should be"
ENDED = "are (-33.7, -19.0, 49.7, 4.0)"


# A file, a value, another one, and the message about it. Its place is that of the value.
@looped(
    ("name", "value", "other", "message"),
    ("grammar/calls-0.jmjp", ",pfe[17.3", ",pfe[18.3", "the deltas (-6.7, 0.0, 7.7, 0.0) add up to 1.0"),
    ("grammar/calls-0.jmjp", "pme[-34.7", "pme[-33.7", f"{ENDED}, and should be (-34.7, -19.0,"),
    ("tenhou/hanchan.mjlog", 'ten="250,250,330,170"', 'ten="250,250,330,180"', POINTS),
    ("majiang/endings.json", '"defen":[25000', '"defen":[24000', "the match begins with the scores (24000,"),
)
def test_points_are_spelled_as_in_the_file(name: str, value: str, other: str, message: str) -> None:
    text = (CORPUS / name).read_text()
    assert value in text
    found = mjconv.validate(text.replace(value, other, 1).encode(), file=name)
    [place] = [each.place for each in found if message in each.message]
    assert place
    assert place.line == text.count("\n", 0, text.index(value)) + 1


# The memory of findings: each keeps a short message and the part of its line that is shown.


def test_a_finding_keeps_the_part_of_its_line_that_is_shown() -> None:
    rounds = ",".join(["[{}]"] * 2000)
    game = f'{{"title":"","player":["A","B","C","D"],"qijia":0,"log":[{rounds}]}}'
    found = mjconv.validate(game.encode(), format="majiang")
    kept = [finding.place for finding in found if finding.code == "S001" and finding.place is not None]
    assert len(kept) == 2000
    assert max(len(place.text) for place in kept) <= SHOWN + 1
    place = kept[1000]
    assert place.picture() == Place(1, place.column, game).picture()
    assert game[place.begin :].startswith(place.text)


def test_a_report_keeps_neither_long_messages_nor_tracebacks() -> None:
    report = Report(lenient=True)
    try:
        raise InputError("x" * 100_000, Place(1, 50_000, "y" * 100_000))
    except InputError as error:
        report.fault(error)
    report.warn("z" * 100_000)
    [fault], [warning] = report.faults, report.warnings
    assert fault.error.__traceback__ is None
    assert max(len(fault.error.message), len(warning.message)) == MOST_SHOWN + 1
