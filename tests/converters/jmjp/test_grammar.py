import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar_parts import parts, used
from looped import looped
from mjconv.converters.jmjp.explain import TEXTS
from mjconv.converters.jmjp.grammar import fine_parser, grammar_text
from mjconv.converters.jmjp.parser import parse
from mjconv.converters.jmjp.spelling import CODES
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir.errors import InputError

from .texts import VERSIONS, file, flow, frame, match, whole


@looped("major", *VERSIONS)
def test_a_whole_file_uses_every_part_of_the_grammar(major: int) -> None:
    assert parts(major) - used(whole(major)) == set()
    assert used(whole(major)) - parts(major) == set()


@given(st.data())
def test_every_tile_is_read_and_nothing_else(data: st.DataObject) -> None:
    numbers = {f"{rank}{suit}" for rank in range(10) for suit in "mps"}
    tiles = numbers | {"ew", "sw", "ww", "nw", "wd", "gd", "rd", "uk"}
    tile = data.draw(st.sampled_from(sorted(tiles)) | st.text("0123456789mpseswngrduk", min_size=2, max_size=2))
    text = file(match(frame(flow(f"e,{tile},tg"))))
    if tile in tiles | {"rn"}:
        parse(StrippedText(text))
    else:
        with pytest.raises(InputError):
            parse(StrippedText(text))


@looped("major", *VERSIONS)
def test_every_terminal_has_words_for_errors(major: int) -> None:
    spelled_out = [terminal.name for terminal in fine_parser(major).terminals if terminal.pattern.type == "re"]
    assert set(spelled_out) - TEXTS.words.keys() == set()


def test_the_grammar_has_each_shorthand_token_once() -> None:
    spelled = re.findall(r'"([a-z0-9-]+)"', "\n".join(grammar_text(1).split("\nTOUR_NAME:")[1:]))
    assert sorted(spelled) == sorted(CODES)
