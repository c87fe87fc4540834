"""Acts (section 4.2.2): a seat, what it took, and what it discarded.

``e,5m,tg`` is East drawing a 5m and discarding it. The outer brackets are the frame's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from mjconv.converters.jmjp.spelling import HUB, PLACE, split
from mjconv.ir.events import Discard, Draw, Pass
from mjconv.ir.tiles import HIDDEN, Tile

Taking: TypeAlias = Literal["draw", "chi", "pon", "daiminkan", "rinshan", "ron", "dealt"]
Giving: TypeAlias = Literal["none", "tile", "drawn", "same", "kakan", "ankan", "tsumo", "riichi"]
Turn: TypeAlias = tuple[Draw, Discard] | tuple[Pass, Pass]


class Act(NamedTuple):
    """One act: the seat's place after the dealer, how it got its tiles, and what it did then.

    `taken` are the tile drawn, or the tiles of the hand that a call uses (none in version 0 but for a chi).
    `given` are the tile discarded or added, or the tiles of an ankan (one in version 0).
    """

    seat: int
    taking: Taking
    taken: tuple[Tile, ...]
    giving: Giving
    given: tuple[Tile, ...]


_TAKINGS: Final[dict[str, Taking]] = {
    "ch": "chi",
    "pn": "pon",
    "dk": "daiminkan",
    "rs": "rinshan",
    "rn": "ron",
    "ro": "ron",
    "oy": "dealt",
}
_GIVINGS: Final[dict[str, Giving]] = {
    "": "none",
    "tg": "drawn",
    "kg": "same",
    "kk": "kakan",
    "ak": "ankan",
    "tm": "tsumo",
    "rc": "riichi",
}


@lru_cache(maxsize=1 << 16)
def read_act(text: str) -> Act:
    """Read an act that the grammar has let through.

    >>> read_act("s,ch[4m6m],ew")
    Act(seat=1, taking='chi', taken=('4m', '6m'), giving='tile', given=('E',))
    """
    seat, take, give = text.split(",")
    if take in HUB:
        taking: Taking = "draw"
        taken: tuple[Tile, ...] = (HUB[take],)
    else:
        taking, taken = _TAKINGS[take[:2]], split(take[3:-1])
    if give in HUB:
        return Act(PLACE[seat], taking, taken, "tile", (HUB[give],))
    return Act(PLACE[seat], taking, taken, _GIVINGS[give[:2]], split(give[3:-1]))


#: What stands for an act that is no plain turn: two events that are none either.
NO_TURN: Final = (Pass(), Pass())
#: More than there are: four seats, 37 tiles drawn and 37 discarded.
_MOST_TURNS: Final = 1 << 13


class Turns(dict[str, Turn]):
    """The plain turns that acts are, by their text, for one dealer; `NO_TURN` for other acts, and where in doubt.

    A tile discarded like the one drawn, and not by ``tg``, may be either: that depends on the hand.

    >>> Turns(0)["s,9p,tg"]
    (Draw(actor=1, pai='9p'), Discard(actor=1, pai='9p', tsumogiri=True))
    """

    def __init__(self, dealer: int) -> None:
        super().__init__()
        self._dealer = dealer

    def __missing__(self, text: str) -> Turn:
        if len(self) >= _MOST_TURNS:
            self.clear()
        self[text] = turn = _read_turn(text, self._dealer)
        return turn


#: The plain turns, by dealer. Most acts are one, and come again in other rounds.
TURNS: Final = tuple(Turns(dealer) for dealer in range(4))


def _read_turn(text: str, dealer: int) -> Turn:
    act = read_act(text)
    if act.taking != "draw" or act.taken == (HIDDEN,):
        return NO_TURN
    player = (act.seat + dealer) % 4
    drawn = act.taken[0]
    if act.giving == "drawn":
        return Draw(player, drawn), Discard(player, drawn, tsumogiri=True)
    if act.giving == "tile" and act.given != act.taken:
        return Draw(player, drawn), Discard(player, act.given[0], tsumogiri=False)
    return NO_TURN
