"""The fan of Chinese Official (Mahjong Competition Rules): number, id, fan, and names in three languages.

The numbers are from the official list of 81, which has the fan in the order of their value. A win states its
fan by these ids in `Win.yakus`. A fan that counts several times is one entry with the sum.

>>> FAN["mixed_straight"].chinese, FAN["mixed_straight"].fan, BY_NUMBER[39].id
('花龙', 8, 'mixed_straight')
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class McrFan(NamedTuple):
    """One fan. `number` is 0 for a fan that the official list does not have. `chinese` is in simplified script."""

    number: int
    id: str
    fan: int
    chinese: str
    english: str
    japanese: str
    traditional: str


_ROWS: Final = (
    (88, "big_four_winds", "大四喜", "Big Four Winds", "大四喜", "大四喜"),
    (88, "big_three_dragons", "大三元", "Big Three Dragons", "大三元", "大三元"),
    (88, "all_green", "绿一色", "All Green", "緑一色", "綠一色"),
    (88, "nine_gates", "九莲宝灯", "Nine Gates", "九蓮宝灯", "九蓮寶燈"),
    (88, "four_kongs", "四杠", "Four Kongs", "四槓", "四槓"),
    (88, "seven_shifted_pairs", "连七对", "Seven Shifted Pairs", "連七対", "連七對"),
    (88, "thirteen_orphans", "十三幺", "Thirteen Orphans", "十三幺", "十三幺"),
    (64, "all_terminals", "清幺九", "All Terminals", "清幺九", "清幺九"),
    (64, "little_four_winds", "小四喜", "Little Four Winds", "小四喜", "小四喜"),
    (64, "little_three_dragons", "小三元", "Little Three Dragons", "小三元", "小三元"),
    (64, "all_honors", "字一色", "All Honors", "字一色", "字一色"),
    (64, "four_concealed_pungs", "四暗刻", "Four Concealed Pungs", "四暗刻", "四暗刻"),
    (64, "pure_terminal_chows", "一色双龙会", "Pure Terminal Chows", "一色双龍会", "一色雙龍會"),
    (48, "quadruple_chow", "一色四同顺", "Quadruple Chow", "一色四同順", "一色四同順"),
    (48, "four_pure_shifted_pungs", "一色四节高", "Four Pure Shifted Pungs", "一色四節高", "一色四節高"),
    (32, "four_pure_shifted_chows", "一色四步高", "Four Pure Shifted Chows", "一色四歩高", "一色四步高"),
    (32, "three_kongs", "三杠", "Three Kongs", "三槓", "三槓"),
    (32, "all_terminals_and_honors", "混幺九", "All Terminals and Honors", "混幺九", "混幺九"),
    (24, "seven_pairs", "七对", "Seven Pairs", "七対", "七對"),
    (
        24,
        "greater_honors_and_knitted_tiles",
        "七星不靠",
        "Greater Honors and Knitted Tiles",
        "七星不靠",
        "七星不靠",
    ),
    (24, "all_even_pungs", "全双刻", "All Even Pungs", "全双刻", "全雙刻"),
    (24, "full_flush", "清一色", "Full Flush", "清一色", "清一色"),
    (24, "pure_triple_chow", "一色三同顺", "Pure Triple Chow", "一色三同順", "一色三同順"),
    (24, "pure_shifted_pungs", "一色三节高", "Pure Shifted Pungs", "一色三節高", "一色三節高"),
    (24, "upper_tiles", "全大", "Upper Tiles", "全大", "全大"),
    (24, "middle_tiles", "全中", "Middle Tiles", "全中", "全中"),
    (24, "lower_tiles", "全小", "Lower Tiles", "全小", "全小"),
    (16, "pure_straight", "清龙", "Pure Straight", "清龍", "清龍"),
    (16, "three_suited_terminal_chows", "三色双龙会", "Three-Suited Terminal Chows", "三色双龍会", "三色雙龍會"),
    (16, "pure_shifted_chows", "一色三步高", "Pure Shifted Chows", "一色三歩高", "一色三步高"),
    (16, "all_fives", "全带五", "All Fives", "全帯五", "全帶五"),
    (16, "triple_pung", "三同刻", "Triple Pung", "三同刻", "三同刻"),
    (16, "three_concealed_pungs", "三暗刻", "Three Concealed Pungs", "三暗刻", "三暗刻"),
    (12, "lesser_honors_and_knitted_tiles", "全不靠", "Lesser Honors and Knitted Tiles", "全不靠", "全不靠"),
    (12, "knitted_straight", "组合龙", "Knitted Straight", "組合龍", "組合龍"),
    (12, "upper_four", "大于五", "Upper Four", "大于五", "大於五"),
    (12, "lower_four", "小于五", "Lower Four", "小于五", "小於五"),
    (12, "big_three_winds", "三风刻", "Big Three Winds", "三風刻", "三風刻"),
    (8, "mixed_straight", "花龙", "Mixed Straight", "花龍", "花龍"),
    (8, "reversible_tiles", "推不倒", "Reversible Tiles", "推不倒", "推不倒"),
    (8, "mixed_triple_chow", "三色三同顺", "Mixed Triple Chow", "三色三同順", "三色三同順"),
    (8, "mixed_shifted_pungs", "三色三节高", "Mixed Shifted Pungs", "三色三節高", "三色三節高"),
    (8, "chicken_hand", "无番和", "Chicken Hand", "無番和", "無番和"),
    (8, "last_tile_draw", "妙手回春", "Last Tile Draw", "妙手回春", "妙手回春"),
    (8, "last_tile_claim", "海底捞月", "Last Tile Claim", "海底撈月", "海底撈月"),
    (8, "out_with_replacement_tile", "杠上开花", "Out with Replacement Tile", "槓上開花", "槓上開花"),
    (8, "robbing_the_kong", "抢杠和", "Robbing the Kong", "槍槓和", "搶槓和"),
    (6, "all_pungs", "碰碰和", "All Pungs", "碰碰和", "碰碰和"),
    (6, "half_flush", "混一色", "Half Flush", "混一色", "混一色"),
    (6, "mixed_shifted_chows", "三色三步高", "Mixed Shifted Chows", "三色三歩高", "三色三步高"),
    (6, "all_types", "五门齐", "All Types", "五門斉", "五門齊"),
    (6, "melded_hand", "全求人", "Melded Hand", "全求人", "全求人"),
    (6, "two_concealed_kongs", "双暗杠", "Two Concealed Kongs", "双暗槓", "雙暗槓"),
    (6, "two_dragon_pungs", "双箭刻", "Two Dragon Pungs", "双箭刻", "雙箭刻"),
    (4, "outside_hand", "全带幺", "Outside Hand", "全帯幺", "全帶幺"),
    (4, "fully_concealed_hand", "不求人", "Fully Concealed Hand", "不求人", "不求人"),
    (4, "two_melded_kongs", "双明杠", "Two Melded Kongs", "双明槓", "雙明槓"),
    (4, "last_tile", "和绝张", "Last Tile", "和絶張", "和絕張"),
    (2, "dragon_pung", "箭刻", "Dragon Pung", "箭刻", "箭刻"),
    (2, "prevalent_wind", "圈风刻", "Prevalent Wind", "圈風刻", "圈風刻"),
    (2, "seat_wind", "门风刻", "Seat Wind", "門風刻", "門風刻"),
    (2, "concealed_hand", "门前清", "Concealed Hand", "門前清", "門前清"),
    (2, "all_chows", "平和", "All Chows", "平和", "平和"),
    (2, "tile_hog", "四归一", "Tile Hog", "四帰一", "四歸一"),
    (2, "double_pung", "双同刻", "Double Pung", "双同刻", "雙同刻"),
    (2, "two_concealed_pungs", "双暗刻", "Two Concealed Pungs", "双暗刻", "雙暗刻"),
    (2, "concealed_kong", "暗杠", "Concealed Kong", "暗槓", "暗槓"),
    (2, "all_simples", "断幺", "All Simples", "断幺", "斷幺"),
    (1, "pure_double_chow", "一般高", "Pure Double Chow", "一般高", "一般高"),
    (1, "mixed_double_chow", "喜相逢", "Mixed Double Chow", "喜相逢", "喜相逢"),
    (1, "short_straight", "连六", "Short Straight", "連六", "連六"),
    (1, "two_terminal_chows", "老少副", "Two Terminal Chows", "老少副", "老少副"),
    (1, "pung_of_terminals_or_honors", "幺九刻", "Pung of Terminals or Honors", "幺九刻", "幺九刻"),
    (1, "melded_kong", "明杠", "Melded Kong", "明槓", "明槓"),
    (1, "one_voided_suit", "缺一门", "One Voided Suit", "缺一門", "缺一門"),
    (1, "no_honors", "无字", "No Honors", "無字", "無字"),
    (1, "edge_wait", "边张", "Edge Wait", "辺張", "邊張"),
    (1, "closed_wait", "坎张", "Closed Wait", "嵌張", "坎張"),
    (1, "single_wait", "单钓将", "Single Wait", "単調将", "單釣將"),
    (1, "self_drawn", "自摸", "Self-Drawn", "自摸", "自摸"),
    (1, "flower_tiles", "花牌", "Flower Tiles", "花牌", "花牌"),
)
#: Each fan of the official list, by its number.
BY_NUMBER: Final[Mapping[int, McrFan]] = MappingProxyType(
    {number: McrFan(number, name, fan, *names) for number, (fan, name, *names) in enumerate(_ROWS, 1)}
)
#: A concealed and a melded kong: programs of the competition count them together.
_BOTH_KONGS: Final = McrFan(
    0, "concealed_and_melded_kong", 5, "明暗杠", "Concealed and Melded Kong", "明暗槓", "明暗槓"
)
#: Each fan, by its id.
FAN: Final[Mapping[str, McrFan]] = MappingProxyType({one.id: one for one in (*BY_NUMBER.values(), _BOTH_KONGS)})


def times_of(name: str, fan: int) -> int | None:
    """Return how often a fan counts in a sum; None for an unknown fan, and for a sum that is no multiple.

    >>> times_of("short_straight", 2), times_of("all_chows", 3), times_of("riichi", 1)
    (2, None, None)
    """
    unit = FAN[name].fan if name in FAN else 0
    return fan // unit if unit and fan and fan % unit == 0 else None
