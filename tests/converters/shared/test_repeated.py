"""A value that a record states twice: an edit of one of the two is found, at its place."""

import re

import mjconv
from corpus_files import CORPUS
from looped import looped


# A file of the corpus, the value that is edited, its new text, and a part of the finding.
@looped(
    ("name", "value", "edited", "finding"),
    ("tenhou/hanchan.mjlog", '(<AGARI [^>]*hai=")17', r"\g<1>1", "hai and m of AGARI"),
    ("tenhou/hanchan.mjlog", '(<AGARI [^>]* m=")3072,', r"\1", "hai and m of AGARI"),
    ("tenhou/hanchan.mjlog", '(<AGARI [^>]*doraHai=")126', r"\g<1>1", "'1,105,11', but by the round it is '126,"),
    ("tenhou/hanchan.mjlog", '(<AGARI ba=")0', r"\g<1>3", "ba of AGARI is '3,0'"),
    ("tenhou/hanchan.mjlog", '(<AGARI [^>]*ten="50,8000),1', r"\1,2", "ten of AGARI is '50,8000,2'"),
    ("tenhou/hanchan.mjlog", '(<RYUUKYOKU ba="0,)0', r"\g<1>4", "ba of RYUUKYOKU is '0,4'"),
    ("tenhou/hanchan.mjlog", '(<RYUUKYOKU [^>]*hai0=")12', r"\g<1>0", "hai0 of RYUUKYOKU"),
    ("mjx/hanchan.json", r'("wins":\[{"who":2,[^[]*{"closedTiles":\[)19', r"\g<1>0", "player 2 differs"),
    ("mjx/hanchan.json", r'("opens":\[39538),3072\]},"winTile"', r'\1]},"winTile"', "player 2 differs"),
    ("mjx/hanchan.json", r'("currHand":{"closedTiles":\[)\d+,', r"\g<1>", "the hand of player 1 differs"),
    ("mjx/hanchan.json", r'("tenpais":\[{"hand":{"closedTiles":\[)12', r"\g<1>0", "the hand of player 0 differs"),
    ("mjx/hanchan.json", r'("finalScore":{"round":1,"tens":\[33000,21)0', r"\g<1>1", "tens of finalScore"),
    ("mjx/hanchan.json", r'("finalScore":{"round":)1', r"\g<1>2", "round of finalScore is 2"),
    ("mjx/hanchan.json", r'("doraIndicators":\[\d+)', r"\1,0", "doraIndicators differ from the events"),
    ("mjx/hanchan.json", r'("drawHistory":\[[\d,]+)', r"\1,0", "drawHistory has more tiles"),
    ("majiang/endings.json", r'("hule":{"l":2,"shoupai":"m)46', r"\g<1>45", "the hand is 'm45p11"),
    ("majiang/endings.json", r'("damanguan":)1', r"\g<1>2", "damanguan is 2, but hupai has 1 yakuman"),
    ("majiang/game.json", r'("pingju":[^]]*m888p3,z)222', r"\g<1>333", "the hand is 'm888p3,z333-"),
    ("majiang/game.json", r'("point":\["-3)5', r"\g<1>6", "the final points add up to -1"),
    ("majiang/game.json", r'("rank":\[)4,1', r"\g<1>1,4", "the ranks are [1, 4, 2, 3]"),
)
def test_the_second_statement_of_a_value_is_compared(name: str, value: str, edited: str, finding: str) -> None:
    text = (CORPUS / name).read_text()
    wrong, count = re.subn(value, edited, text, count=1)
    assert count == 1
    before = {found.message for found in mjconv.validate(text.encode(), file=name)}
    after = [each for each in mjconv.validate(wrong.encode(), file=name) if each.message not in before]
    [found] = [each for each in after if finding in each.message]
    assert (found.code, found.severity) == ("S010", "warning")
    place = re.search(value, text)
    assert found.place is not None
    assert place is not None
    assert found.place.line == text.count("\n", 0, place.end()) + 1
    assert abs(found.place.column - (place.end() - text.rfind("\n", 0, place.end()))) < 80
