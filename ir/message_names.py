"""The spellings of yaku and of reasons in event messages, and the hub's names for them.

An event is an mjai message, so `Win.yakus` and `Ryukyoku.reason` hold mjai's spellings. mjai distinguishes fewer
yaku than `mjconv.ir.vocabulary`: it has one name for the three dragons.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mjconv.ir.catalogue import catalogue
from mjconv.ir.vocabulary import REASONS, YAKU

#: The spellings in messages of each yaku and reason, by the hub's name. The first is the one that mjconv writes.
_SPELLINGS: Final = catalogue(__name__, "message_names.json", dict[str, list[str]])
#: All spellings of yaku and reasons.
SPELLINGS: Final = frozenset(spelling for spellings in _SPELLINGS.values() for spelling in spellings)
#: The spelling of each yaku in `Win.yakus`, as mjai's first server writes it, by the hub's name.
YAKU_IN_MESSAGES: Final[Mapping[str, str]] = MappingProxyType(
    {name: spellings[0] for name, spellings in _SPELLINGS.items() if name in YAKU}
)
#: The spellings of all yaku.
KNOWN_YAKU: Final = frozenset(YAKU_IN_MESSAGES.values())
#: The spellings of the yaku that are yakuman.
YAKUMAN_IN_MESSAGES: Final = frozenset(YAKU_IN_MESSAGES.get(name, name) for name in YAKU if YAKU[name].yakuman)

#: The spelling of each reason in `Ryukyoku.reason`, as mjconv writes it, by the hub's name.
REASON_IN_MESSAGES: Final[Mapping[str, str]] = MappingProxyType(
    {name: spellings[0] for name, spellings in _SPELLINGS.items() if name in REASONS}
)
_REASON_OF: Final = {spelling: name for name in REASONS for spelling in _SPELLINGS[name]}


def reason_of(spelling: str) -> str | None:
    """Return the hub's name of the reason that `Ryukyoku.reason` spells, or None for an unknown spelling.

    >>> reason_of("Kyushu_Kyuhai"), reason_of("fanpai"), reason_of("a house's own")
    ('nine_kinds', 'exhaustive_draw', None)
    """
    return _REASON_OF.get(spelling.lower())
