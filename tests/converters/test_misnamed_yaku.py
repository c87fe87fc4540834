"""Winds, dragons and forms of yakuman that a record names, and that the hand does not have.

`Win.yakus` has one name for all winds of a seat, one for the three dragons, and one for both forms of a yakuman.
The hub cannot hold the one that a record names, so the readers compare it with the hand.
"""

import re

from mjconv.ir import events as ev
from mjconv.ir.match import Match
from moments_made import deal, match_of, pon, turn, won
from trips import read, write

#: By format: a yaku as the writer spells it, and another yaku of the same name in messages.
WINDS = {
    "tenhou": (r'(yaku="(?:\d+,\d+,)*)11,1', r"\g<1>12,1"),
    "tenhou-json": ("自風 南", "自風 西"),
    "majiang": ("自風 南", "自風 西"),
    "mjx": (r'("yakus":\[(?:\d+,)*)11\b', r"\g<1>12"),
}
DRAGONS = {
    "tenhou": (r'(yaku="(?:\d+,\d+,)*)20,1', r"\g<1>18,1"),
    "tenhou-json": ("役牌 中", "役牌 白"),
    "majiang": ("翻牌 中", "翻牌 白"),
    "mjx": (r'("yakus":\[(?:\d+,)*)20\b', r"\g<1>18"),
    "majsoul": (r'"id":9\b', '"id":7'),
}
FORMS = {
    "tenhou": ('yakuman="47"', 'yakuman="48"'),
    "tenhou-json": ("国士無双\\(", "国士無双１３面("),
    "majiang": ("国士無双", "国士無双十三面"),
    "mjx": (r'"yakumans":\[47\]', '"yakumans":[48]'),
    "majsoul": (r'"id":42\b', '"id":49'),
}
FIRST, LAST = "1m 4m 7m 1p 4p 7p 1s 4s 7s E W N P", "2m 5m 8m 2p 5p 8p 2s 5s 8s E W N P"
ORPHANS = "1m 9m 1p 9p 1s 9s E E S W P F C"


def honours() -> Match:
    """Return a game in which the south player wins with a pon of red dragons and three south winds."""
    hands = FIRST, "1p 2p 3p 7p 8p 9p 1s 2s 3s 7s 8s 9s W", "2m 3m 4m S S S C C 5p 6p 9s 9s 1m", LAST
    play = [*turn(1, "C"), *pon(2, 1, "C", "1m"), *turn(3, "4p")]
    return match_of(won([deal(*hands, oya=1), *play], ev.Win(2, 3)))


def orphans(hand: str) -> Match:
    """Return a game in which thirteen orphans win on a north."""
    hands = hand, FIRST, LAST, "2m 3m 4m 2p 3p 4p 2s 3s 4s 6s 6s 7s 8s"
    return match_of(won([deal(*hands), *turn(0, "8s"), *turn(1, "N")], ev.Win(0, 1)))


def warnings(match: Match, form: str, spelled: str, other: str) -> list[str]:
    """Return the warnings of misnamed yaku in a game whose record names another yaku."""
    data = write([match], form, plain=True).data.decode()
    assert not [warning for warning in read(data, form).warnings if "names" in str(warning)]
    changed, count = re.subn(spelled, other, data)
    assert count == 1, form
    found = [str(warning) for warning in read(changed, form).warnings]
    return [text[text.index("the win names") :] for text in found if "the win names" in text]


def test_a_wind_that_is_not_that_of_the_seat() -> None:
    for form, slip in WINDS.items():
        expected = "the win names seat wind west, but the hand has seat wind south"
        assert warnings(honours(), form, *slip) == [expected], form


def test_a_dragon_that_the_hand_does_not_have() -> None:
    for form, slip in DRAGONS.items():
        assert warnings(honours(), form, *slip) == ["the win names haku, but the hand has chun"], form


def test_the_second_form_of_a_yakuman_for_a_hand_of_the_first() -> None:
    for form, slip in FORMS.items():
        expected = "the win names kokushi musou 13, but the hand has kokushi musou"
        assert warnings(orphans(ORPHANS), form, *slip) == [expected], form


def test_the_first_form_may_be_named_for_both() -> None:
    thirteen = orphans(ORPHANS.replace("E E", "E N"))
    assert warnings(thirteen, "tenhou", 'yakuman="48"', 'yakuman="47"') == []
