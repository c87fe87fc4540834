"""A lenient reading of any format continues after a round with a mistake: the other rounds are as they were."""

import re

from corpus_files import CORPUS
from faults import leniently
from looped import looped
from mjconv.converters import formats
from trips import known, read


# A record, a value of its first round, and a wrong one.
@looped(
    ("name", "value", "wrong"),
    ("sample/game.jmjp", rb",tg\)", b",tx)"),
    ("majiang/game.json", rb'("zimo":{"l":\d,"p":")', rb"\1x"),
    ("riichicity/four.json", rb'("eventType":\s?)4', rb"\g<1>77"),
    ("mjx/game.json", rb"EVENT_TYPE_TSUMOGIRI", b"EVENT_TYPE_FLY"),
    ("tenhou/hanchan.mjlog", rb"<D\d+/>", b"<X1/>"),
    ("uzje/short.uzje", rb" 3\.", b" 3.x"),
    ("hk/example.hk", rb"\n- ", b"\nx "),
    ("pmn/ron.pmn", rb'(\[Play ")', rb"\1T0x"),
    ("botzone/hands.botzone", rb"Player (\d) Draw", rb"Player \1 Drew"),
)
def test_the_rounds_after_a_mistake_are_read(name: str, value: bytes, wrong: bytes) -> None:
    data = (CORPUS / name).read_bytes()
    broken, count = re.subn(value, wrong, data, count=1)
    assert count == 1
    assert broken != data
    form = known(formats.of_file(name, data)).id
    was = leniently(broken, form)
    rounds, whole = ([one for match in each.matches for one in match.rounds] for each in (was, read(data, form)))
    assert {(fault.match, fault.round) for fault in was.faults} == {(0, 0)}
    assert rounds[1:] == whole[1:]
    assert len(whole) > 1
    assert rounds[0].events == whole[0].events[: len(rounds[0].events)] != whole[0].events
