"""Read the beginning of a frame that breaks off or has an error: its head, its hands, and its acts so far."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from mjconv.converters.jmjp.grammar import expression_of

#: A hand that stands in for one that is missing at the end of the flow, by its seat.
_MISSING = "({},hnd[uk,,])"
_SEATS = "eswn"
#: The end of a frame without points and comment.
_END = ",,]"


class Beginning(NamedTuple):
    """The beginning of a frame: its text, completed so that it parses, and the final hands that it has itself."""

    text: str
    final_hands: int


def beginning_of(text: str, begin: int, end: int, major: int) -> Beginning | None:
    """Return the beginning of the frame at an offset, up to the first entry of its flow that is no hand or act.

    Returns None if the frame has no flow with four starting hands: nothing can be played then.

    >>> hands = "".join(f"({seat},hnd[1m,,])" for seat in "eswn")
    >>> text = f"frm[E1-0,,,,,{hands}(e,5p,tg)(s,2m"
    >>> found = beginning_of(text, 0, len(text), 1)
    >>> found.text.removeprefix(text[:-5])[:28], found.final_hands
    ('(e,hnd[uk,,])(s,hnd[uk,,])(w', 0)
    """
    found = _begun(major).match(text, begin, end)
    if found is None:
        return None
    hands = found["hands"] or ""
    typed = hands.count("hnd[")
    # After a whole flow, another one may begin: it is left out, unless it has its starting hands.
    missing = "" if found["flow"] is None else "".join(_MISSING.format(seat) for seat in _SEATS[typed:])
    return Beginning(f"{found[0]}{missing}{_END}", typed if found["flow"] is not None else len(_SEATS))


@cache
def _begun(major: int) -> re.Pattern[str]:
    head, hand, act = (expression_of(name, major) for name in ("$frame_head", "$seat_hand", "$frame_act"))
    # Hands and acts never match each other, so each text has one way to match, and no state need be kept. Groups
    # are atomic as well: Python before 3.11.5 mismatches possessive repetitions of other groups.
    flow = f"(?:{hand}){{4}}(?>{act})*+"
    whole = f"{flow}(?:{hand}){{4}}"
    return re.compile(f"{head}(?>{whole})*+(?:(?P<flow>{flow})(?P<hands>(?:{hand}){{0,3}})|(?<=\\)))")
