"""The Japanese names of yaku and of reasons of draws in majiang, and the spellings of other programs."""

from collections.abc import Mapping
from typing import Final

from mjconv.ir.catalogue import catalogue
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.vocabulary import YAKU

#: The spellings of a yaku that is not spelled as in the hub alone: majiang's, then those of other programs.
_YAKU: Final = catalogue(__name__, "yaku.json", dict[str, list[str]])
#: The spelling of each yaku, by the hub's name.
YAKU_SPELLINGS: Final[Mapping[str, str]] = {
    name: _YAKU[name][0] if name in _YAKU else yaku.japanese for name, yaku in YAKU.items()
}
#: The hub's spelling in messages of a yaku whose wind or dragon the record does not name.
_UNNAMED: Final = {"自風": "jikaze", "場風": "bakaze", "翻牌": "sangenpai", "役牌": "sangenpai"}
#: The hub's name of each yaku, by its spelling.
YAKU_OF: Final[Mapping[str, str]] = {
    **{yaku.japanese: name for name, yaku in YAKU.items()},
    **{spelling: name for name, spellings in _YAKU.items() for spelling in spellings},
}
#: How `Win.yakus` names the yaku of each spelling.
MESSAGE_OF: Final[Mapping[str, str]] = {
    **_UNNAMED,
    **{spelling: YAKU_IN_MESSAGES.get(name, name) for spelling, name in YAKU_OF.items()},
}
#: The spelling of each yaku without a wind or a dragon, by its name in messages.
UNNAMED_SPELLINGS: Final[Mapping[str, str]] = {"jikaze": "自風", "bakaze": "場風", "sangenpai": "翻牌"}

_REASONS: Final = catalogue(__name__, "reasons.json", dict[str, list[str]])
#: The spelling of each reason of a draw, by the hub's name.
REASON_SPELLINGS: Final[Mapping[str, str]] = {name: spellings[0] for name, spellings in _REASONS.items()}
#: The hub's name of each reason, by its spelling. Records that come from Tenhou have `流局`.
REASON_OF: Final[Mapping[str, str]] = {
    spelling: name for name, spellings in _REASONS.items() for spelling in spellings
}
