"""The names of yaku and of reasons, against the package `mahjong` and the lists of other programs."""

import pytest
from mahjong.hand_calculating.yaku_config import YakuConfig

from mjconv.ir.message_names import YAKU_IN_MESSAGES, reason_of
from mjconv.ir.vocabulary import CHOMBO, REASONS, WIND_NAMES, YAKU
from mjconv.rules.mahjong_package import _YAKU as PACKAGE_NAMES

#: The yaku of Tenhou's records, in the order of their numbers from 0.
TENHOU = """
門前清自摸和 立直 一発 槍槓 嶺上開花 海底摸月 河底撈魚 平和 断幺九 一盃口
自風_東 自風_南 自風_西 自風_北 場風_東 場風_南 場風_西 場風_北 役牌_白 役牌_發 役牌_中
両立直 七対子 混全帯幺九 一気通貫 三色同順 三色同刻 三槓子 対々和 三暗刻 小三元 混老頭
二盃口 純全帯幺九 混一色 清一色 人和 天和 地和 大三元 四暗刻 四暗刻単騎 字一色 緑一色 清老頭
九蓮宝燈 純正九蓮宝燈 国士無双 国士無双13面 大四喜 小四喜 四槓子 ドラ 裏ドラ 赤ドラ
"""


def test_every_yaku_of_tenhou_has_a_name() -> None:
    japanese = [yaku.japanese.replace(" ", "_") for yaku in YAKU.values()]
    tenhou = TENHOU.split()
    assert len(tenhou) == 55
    assert [name for name in japanese if name in tenhou] == tenhou
    assert len(set(japanese)) == len(japanese)


def test_names_are_keys_of_tables_that_cannot_be_changed() -> None:
    assert all(name == yaku.name for name, yaku in YAKU.items())
    assert all(name == reason.name for name, reason in REASONS.items())
    assert CHOMBO in REASONS
    with pytest.raises(TypeError):
        YAKU["riichi"] = YAKU["ippatsu"]  # type: ignore[index]
    with pytest.raises(TypeError):
        WIND_NAMES["E"] = "west"  # type: ignore[index]


def test_han_are_those_of_the_package() -> None:
    for each in [yaku for yaku in vars(YakuConfig()).values() if yaku.name in PACKAGE_NAMES]:
        yaku = YAKU[PACKAGE_NAMES[each.name]]  # type: ignore[attr-defined]
        if each.is_yakuman:  # type: ignore[attr-defined]
            assert (yaku.closed, yaku.open) == (0, 0), each
            assert yaku.yakuman == each.han_closed // 13  # type: ignore[attr-defined]
        else:
            assert (yaku.closed, yaku.open or None) == (each.han_closed, each.han_open or None)  # type: ignore[attr-defined]


def test_every_name_of_a_value_has_a_spelling_in_messages() -> None:
    assert set(PACKAGE_NAMES.values()) <= set(YAKU_IN_MESSAGES)
    assert set(YAKU_IN_MESSAGES) <= set(YAKU)


def test_reasons_are_read_from_messages() -> None:
    spellings = ["howanpai", "nm", "yao9", "kaze4", "reach4", "kan4", "ron3", "chombo"]
    assert [reason_of(spelling) for spelling in spellings] == [
        "exhaustive_draw", "nagashi_mangan", "nine_kinds", "four_winds", "four_riichi", "four_kans", "triple_ron",
        "chombo",
    ]  # fmt: skip
    assert reason_of("") is None
    # The words that the schema of ryukyoku names.
    named = ["fanpai", "exhaustive_draw", "kyushukyuhai", "suufonrenta", "suukaikan", "suuchariichi", "sanchahou"]
    assert None not in map(reason_of, named)
