"""The words of mjx for calls and draws, the numbers of yaku, and how messages spell tiles."""

from functools import partial
from typing import Final

from mjconv.converters.shared.tile_numbers import with_numbers
from mjconv.converters.shared.winning_hands import YAKU_BY_ID
from mjconv.ir.catalogue import catalogue
from mjconv.ir.match import MeldKind
from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.vocabulary import YAKU

#: The types of events begin with this.
PREFIX: Final = "EVENT_TYPE_"
#: The hub's name of each call, by mjx's type without its prefix.
CALLS: Final = catalogue(__name__, "calls.json", dict[str, MeldKind])
#: mjx's type of the event of each draw, without its prefix, by the hub's reason.
REASONS: Final = catalogue(__name__, "reasons.json", dict[str, str])
#: The yaku that are yakuman, by number.
YAKUMAN: Final = frozenset(number for number, name in enumerate(YAKU_BY_ID) if YAKU[name].yakuman)
#: Messages have the numbers of the copies of a tile. Pictures have the hub's tiles: the numbers are too long.
SPELLING: Final = Spelling(PLAIN.player, partial(with_numbers, reds=True), PLAIN.wind, str)
