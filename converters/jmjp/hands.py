"""Hands (section 2.3.7): ``e,hnd[tiles,tile,melds]``, the newest meld first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.converters.jmjp.tiles import HUB, JMJP, LETTERS, PLACE, spell, split
from mjconv.ir.match import FinalHand, Meld, MeldKind
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, Tile, sorted_tiles

#: From whom a tile was called, as steps after the caller: left, opposite, right.
FROM: Final = {"k": 3, "t": 2, "s": 1}
_LETTER: Final = {steps: letter for letter, steps in FROM.items()}

_MELD: Final = re.compile(r"(chi|pon|dmk|kkn|ank)\[([^\]]*)\]")
_KINDS: Final[dict[str, MeldKind]] = {
    "chi": "chi",
    "pon": "pon",
    "dmk": "daiminkan",
    "kkn": "kakan",
    "ank": "ankan",
}
_WORDS: Final = {kind: word for word, kind in _KINDS.items()}


def write_dealt(player: int, tiles: Sequence[Tile], dealer: int, last: Tile | None = None) -> str:
    """Spell the hand that a player is dealt; `last` is the dealer's fourteenth tile, where it was dealt as well.

    >>> write_dealt(2, ["1m", "5pr"], 2, "E")
    'e,hnd[1m0p,ew,]'
    """
    apart = "" if last is None else JMJP[last]
    return f"{LETTERS[(player - dealer) % 4]},hnd[{spell(tiles)},{apart},]"


def write_hand(player: int, hand: FinalHand, dealer: int, major: int) -> str:
    """Spell the hand of a player.

    >>> write_hand(2, FinalHand(("1m", "5pr"), "E", (Meld("pon", ("C", "C"), "C", 3),)), 2, 1)
    'e,hnd[1m0p,ew,pon[rd,rdrd,s]]'
    """
    last = "" if hand.last is UNSET else JMJP[hand.last]
    melds = "".join([_write_meld(meld, player, major) for meld in reversed(hand.melds)]) if hand.melds else ""
    return f"{LETTERS[(player - dealer) % 4]},hnd[{spell(hand.concealed)},{last},{melds}]"


def read_hand(entry: str, dealer: int) -> tuple[int, FinalHand]:
    """Read a hand that the grammar has let through: the player, and the hand.

    Version 0 names one tile a meld; the others are taken to be like it, red fives as plain ones.

    >>> read_hand("s,hnd[1m0p,,chi[3s,4s0s]]", 0)
    (1, FinalHand(concealed=('1m', '5pr'), melds=(Meld(kind='chi', own=('4s', '5sr'), called='3s', target=0),)))
    """
    player = (PLACE[entry[0]] + dealer) % 4
    concealed, last, melds = entry[6:-1].split(",", 2)
    read = tuple([_read_meld(word, text, player) for word, text in _MELD.findall(melds)]) if melds else ()
    return player, FinalHand(split(concealed), HUB[last] if last else UNSET, read[::-1])


def final_hands(table: Table) -> list[FinalHand]:
    """Give each player's hand as it lies when play stops: what was drawn last, or won with, apart."""
    hands = []
    for player, tiles in enumerate(table.hands):
        concealed = sorted_tiles(tiles)
        last: Tile | UnsetType = UNSET
        if table.drawn is not None and player == table.turn:
            last = table.drawn
            concealed.remove(last)
        elif player in table.winners:
            last = table.last_tile
        hands.append(FinalHand(tuple(concealed), last, tuple(table.melds[player])))
    return hands


def same_hand(ours: FinalHand, theirs: FinalHand) -> bool:
    """Say whether two hands hold the same, however the tiles are laid out."""
    return _normal(ours) == _normal(theirs)


def _normal(hand: FinalHand) -> tuple[object, ...]:
    melds = [(m.kind, sorted(m.own), m.called, m.target, m.added) for m in hand.melds]
    return sorted(hand.concealed), hand.last, melds


def _write_meld(meld: Meld, player: int, major: int) -> str:
    word = _WORDS[meld.kind]
    if meld.kind == "ankan":
        return f"{word}[{spell(meld.own if major else meld.own[:1])}]"
    called = JMJP[meld.called or HIDDEN]
    own = spell(meld.own)
    if meld.kind == "chi":
        return f"{word}[{called},{own}]"
    source = _LETTER[((meld.target or 0) - player) % 4]
    if not major:
        return f"{word}[{called},{source}]"
    added = f"{JMJP[meld.added or HIDDEN]}," if meld.kind == "kakan" else ""
    return f"{word}[{added}{called},{own},{source}]"


def _read_meld(word: str, text: str, player: int) -> Meld:
    kind = _KINDS[word]
    parts = text.split(",")
    called = HUB[parts[0][:2]]
    if kind == "ankan":
        own = split(parts[0])
        return Meld(kind, own if len(own) == 4 else own * 4)
    if kind == "chi":
        return Meld(kind, split(parts[1]), called, (player + 3) % 4)
    target = (player + FROM[parts[-1]]) % 4
    if len(parts) == 2:  # version 0
        own = (called[:2],) * (3 if kind == "daiminkan" else 2)
        return Meld(kind, own, called, target, called if kind == "kakan" else UNSET)
    if kind == "kakan":
        return Meld(kind, split(parts[2]), HUB[parts[1]], target, called)
    return Meld(kind, split(parts[1]), called, target)
