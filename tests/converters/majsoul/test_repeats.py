"""Values that records repeat: one that differs from the play is a warning with its place, and no more."""

import re
from pathlib import Path

import pytest

import mjconv
from engine import play
from mjconv.converters import flow, formats
from mjconv.ir.losses import Report, Warn
from mjconv.ir.match import Match

CORPUS = Path(__file__).parents[3] / "corpus/majsoul"
FORM = formats.find("majsoul")[0]


def read(text: bytes) -> tuple[Match, list[Warn]]:
    report = Report()
    [match] = flow.read_matches(FORM, text, report)
    return match, report.warnings


#: A pattern whose group is the value, the new value, and the beginning of the warning.
CHANGES = {
    "the tiles left after a draw": (r'"DealTile".*?"left_tile_count":(\d+)', "3", "left_tile_count is 3, and "),
    "a tile in the hand of a winner": (r'"hules":\[\{"hand":\["(..)"', "7z", "hand is 7z "),
    "a group of a winner": (r'"ming":\["(\w+)', "pair", "ming is pair("),
    "whether the winner is the dealer": (r'"qinjia":(\w+)', None, "qinjia is "),
    "whether the winner is in riichi": (r'"qinjia":\w+,"liqi":(\w+)', None, "liqi is "),
    "a double riichi": (r'"is_liqi":true,"is_wliqi":(false)', "true", "is_wliqi is true, but "),
    "the points before a win": (r'"old_scores":\[(\d+)', "11", "old_scores is 11 "),
    "the points after a win": (r'"delta_scores":\[[-\d,]+\],"scores":\[(-?\d+)', "11", "scores is 11 "),
    "the points at a riichi": (r'"liqi":\{"seat":\d,"score":(\d+)', "11", "liqi states 11 points and "),
    "the sticks at a riichi": (r'"score":\d+,"liqibang":(\d+)', "8", "liqi states "),
    "a liable player that no win has": (r'"baopai":(0)', "2", "baopai is 2, and no win has"),
    "a hand at an exhausted wall": (r'"tingpai":true,"hand":\["(..)"', "7z", "hand is 7z "),
    "the player with nine kinds": (r'"LiuJu","data":\{"type":1,"seat":(\d)', "2", "seat is 2, and the play"),
    "the tiles of nine kinds": (r'"LiuJu","data":\{"type":1,"seat":\d,"tiles":\["(..)"', "5m", "tiles is 5m "),
}
TEXTS = {path.name: path.read_bytes().decode() for path in sorted(CORPUS.glob("*.json"))}
# The corpus has no exhausted wall.
TEXTS["written"] = mjconv.convert(
    play(5, length="east"), source="mjai", target="majsoul", plain=True
).data.decode()


@pytest.mark.parametrize(("pattern", "new", "message"), CHANGES.values(), ids=CHANGES.keys())
def test_a_repeated_value_that_differs_is_a_warning(pattern: str, new: str | None, message: str) -> None:
    tried = 0
    for text in TEXTS.values():
        value = re.search(pattern, text)
        if value is None:
            continue
        other = new or {"true": "false", "false": "true"}[value[1]]
        match, warnings = read(f"{text[: value.start(1)]}{other}{text[value.end(1) :]}".encode())
        right, before = read(text.encode())
        [warning] = [each for each in warnings if each not in before]
        assert warning.message.startswith(message)
        assert warning.line is not None
        assert warning.column is not None
        assert match == right
        tried += 1
    assert tried


@pytest.mark.parametrize("name", TEXTS)
def test_a_right_record_gives_no_such_warning(name: str) -> None:
    assert not [each for each in read(TEXTS[name].encode())[1] if "the play makes it" in each.message]
