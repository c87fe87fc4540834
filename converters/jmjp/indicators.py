"""Comments that name the dora indicators of a round, as people type them: ``// indicators: 4s 1p, ura 8p 2m``."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

from mjconv.converters.jmjp.frames import DORA_FIELDS, URA_FIELDS
from mjconv.converters.jmjp.spelling import DORA, HUB, UNKNOWN

_INDICATORS: Final = re.compile(r"\s*(?:(?:dora )?indicators?|ドラ表示牌)\s*[:：]?", re.IGNORECASE)
_URA: Final = re.compile(r"[,;、]?\s*(?:\bura|裏(?:ドラ)?(?:表示牌)?)\s*[:：]?", re.IGNORECASE)
#: The word for an indicator that was not turned: by some houses, that of an open kan waits for a discard.
_UNTURNED: Final = "-"
#: The most characters of such a comment.
_LONGEST: Final = 100
_PLACES: Final = 10


class IndicatorError(ValueError):
    """A comment names indicators that are no tiles."""


class Indicators(NamedTuple):
    """The ten tiles of a dora field, and the number of kans whose indicator was not turned before a win."""

    dora: list[str]
    unturned: int


def indicators_in(comment: str) -> Indicators | None:
    """Return the indicators that a comment names; None for other comments.

    Raises `IndicatorError` if they are no tiles.

    >>> indicators_in(" indicators: 4p nw -, ura 9s")
    Indicators(dora=['5p', '1s', 'ew', 'uk', 'uk', 'uk', 'uk', 'uk', 'uk', 'uk'], unturned=1)
    >>> indicators_in("ドラ表示牌 ４p、裏 9s") == indicators_in("Indicator: 4P, Ura 9S"), indicators_in("won")
    (True, None)
    """
    comment = unicodedata.normalize("NFKC", comment[: _LONGEST + 1])
    stated = _INDICATORS.match(comment) if len(comment) <= _LONGEST else None
    # A new file has a comment without tiles.
    if stated is None or stated.end() == len(comment.rstrip()):
        return None
    field = [UNKNOWN] * _PLACES
    turned, *ura = _URA.split(comment[stated.end() :], maxsplit=1)
    for places, text in ((DORA_FIELDS, turned), (URA_FIELDS, "".join(ura))):
        words = [word for word in text.lower().split() if word != _UNTURNED]
        if len(words) > _PLACES // 2 or not all(word in HUB for word in words):
            raise IndicatorError("indicators are at most five tiles such as 5m or ew, with blanks between them")
        field[places] = [*(DORA[HUB[word]] for word in words), *[UNKNOWN] * (_PLACES // 2 - len(words))]
    return Indicators(field, turned.split().count(_UNTURNED))


def wrong_indicators(comment: str, dora: Sequence[str] | None) -> str:
    """Return the mistake of a comment about the indicators beside a dora field; an empty text if it has none."""
    try:
        named = indicators_in(comment)
    except IndicatorError as error:
        return str(error)
    if named is None or dora is None or named.dora == [tile.replace("0", "5") for tile in dora]:
        return ""
    return f"the indicators make the dora {''.join(named.dora)}, not {''.join(dora)}"
