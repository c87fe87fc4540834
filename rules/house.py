"""The rules that differ from house to house."""

from __future__ import annotations

from msgspec import Struct


class House(Struct, frozen=True):
    """The rules of a house. Each default is the usual rule.

    | field | effect |
    | --- | --- |
    | `swap_calling` | a player may discard a tile that the call could have taken (kuikae) |
    | `open_tanyao` | an open hand can have tanyao |
    | `kiriage` | 30 fu 4 han and 60 fu 3 han count as mangan |
    | `double_yakuman` | some yakuman count double |
    | `late_riichi` | riichi may be declared when no draw is left |
    | `riichi_in_debt` | riichi may be declared with fewer than 1000 points |
    | `late_dora` | the dora indicator of a concealed kan may be turned after its replacement is drawn |
    | `reds` | the number of red fives of characters, circles and bamboo, at most |

    >>> House(swap_calling=True).reds
    (1, 1, 1)
    """

    swap_calling: bool = False
    open_tanyao: bool = True
    kiriage: bool = False
    double_yakuman: bool = False
    late_riichi: bool = False
    riichi_in_debt: bool = False
    late_dora: bool = False
    reds: tuple[int, int, int] = (1, 1, 1)
