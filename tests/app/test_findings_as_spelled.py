"""Findings spell tiles and seats as the file spells them, as an error of a conversion does."""

from __future__ import annotations

from pathlib import Path

import pytest
from given import Run

import mjconv
from mjconv.converters import formats
from mjconv.converters.interface import Format
from mjconv.ir.spelling import Seating
from mjconv.ir.tiles import RIICHI_TILES, TILES

CORPUS = Path(__file__).parents[2] / "corpus"
SAMPLE = CORPUS / "sample"


def messages(text: str, form: str, *, pictures: bool = False) -> list[str]:
    found = mjconv.validate(text.encode(), format=form, pictures=pictures)
    return [finding.message for finding in found]


def test_jmjp_has_letters_for_seats_and_two_letters_for_honours() -> None:
    text = (SAMPLE / "game.jmjp").read_text("utf-8").replace("(e,ww,tg)(s,7p,rc[8p])", "(e,ww,rd)(s,7p,rc[8p])")
    assert messages(text, "jmjp") == ["e does not hold rd"]


def test_a_finding_reads_like_the_error_of_a_conversion(run: Run) -> None:
    text = (SAMPLE / "game.jmjp").read_text("utf-8").replace("(w,2s,kg)(n,8m,tg)", "(w,2s,kg)(n,8m,wd)")
    Path("wrong.jmjp").write_text(text, "utf-8")
    [finding] = mjconv.validate("wrong.jmjp")
    assert finding.message == "n does not hold wd"
    assert f"{finding.message}\n" in run("wrong.jmjp", "-o", "wrong.mjson").err


def test_a_red_five_of_jmjp() -> None:
    text = (SAMPLE / "game.jmjp").read_text("utf-8").replace("(e,ww,tg)(s,7p,rc[8p])", "(e,ww,0s)(s,7p,rc[8p])")
    assert messages(text, "jmjp") == ["e does not hold 0s"]


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


def test_uzje_has_t_for_circles() -> None:
    assert messages(UZJE.replace("1.4s", "1.8t"), "uzje") == ["E does not hold 8t"]


def test_hk_has_the_names_of_its_players() -> None:
    """No check of the referee concerns the scores of a game yet, so the spelling itself is tested."""
    spelling = formats.find("hk")[0].spelling
    assert spelling.player(1, Seating(0, 4, ("A", "two words", "", ""))) == "two%20words"


def test_pictures_spell_as_the_file_does() -> None:
    text = (SAMPLE / "game.jmjp").read_text("utf-8").replace("(e,ww,tg)(s,7p,rc[8p])", "(e,ww,rd)(s,7p,rc[8p])")
    [finding] = mjconv.validate(text.encode(), format="jmjp", pictures=True)
    assert finding.picture is not None
    lines = finding.picture.splitlines()
    assert lines[0] == "E1-0, 65 tiles left to draw, dora indicators rd"
    assert lines[1:4] == ["e, 25000 points", "  hand   123567m 123p 3679s + ww", "  river  5p"]
    assert lines[-3] == "n, 24000 points, in riichi"


def test_mjai_names_a_player_by_wind_and_number() -> None:
    text = (
        (SAMPLE / "game.mjson")
        .read_text("utf-8")
        .replace('"pai":"W","tsumogiri":true', '"pai":"P","tsumogiri":false', 1)
    )
    assert messages(text, "mjai") == ["east (player 0) does not hold P"]


@pytest.mark.parametrize("form", formats.FORMATS, ids=lambda form: form.id)
def test_each_format_spells_every_seat_and_tile_of_its_own(form: Format) -> None:
    spelling = form.spelling
    for seats in form.seats:
        for dealer in (*range(seats), None):
            seating = Seating(dealer, seats, tuple(f"name {seat}" for seat in range(seats)))
            spelled = [spelling.player(seat, seating) for seat in range(seats)]
            assert len(set(spelled)) == seats
            # Events may name a player that the game does not have.
            assert spelling.player(9, seating)
    tiles = RIICHI_TILES if form.tiles == "riichi" else sorted(TILES)
    assert all(spelling.tile(tile) for tile in (*tiles, "?"))
