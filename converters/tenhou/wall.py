"""The wall of each round, worked out from the seed of a game, and whether it is the wall that was played from.

A seed is the `seed` of SHUFFLE, one for a game, or the `shuffle` of INIT, one for a round. It initialises a
Mersenne twister, whose numbers shuffle the tiles of each round.
"""

import random
import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterator, Sequence
from hashlib import sha512
from operator import mod, sub
from struct import pack, unpack
from typing import Final, NamedTuple

from msgspec import Struct, field

from mjconv.converters.shared.walls import MOST_INDICATORS, WHOLE, indicator_place, stacks_turned, undeal
from mjconv.ir.tiles import HAND

_SEED: Final = re.compile(r"mt19937ar(-sha512-n288(-base64)?)?,([0-9A-Za-z+/=,]+)")
_WORD: Final = re.compile(r"[0-9A-Fa-f]{1,8}")
#: The words of the state of the twister: a seed has no more.
_STATE: Final = 624
#: The words that the shuffle of one round takes, and the bytes of them that are hashed together.
_ROUND_WORDS: Final = 288
_HASHED: Final = 128
_WORD_BITS: Final = 32
_MASK: Final = 0xFFFFFFFF
_LEFT_OUT: Final = 28
_FIRST_KINDS: Final = 4
#: The first of the two numbers that the dice are made of: the numbers before it shuffle a wall of four players.
_DICE: Final = 135


class SeedError(ValueError):
    """mjconv does not know this kind of seed."""


class SeedWall(NamedTuple):
    """The wall of one round: its tiles in the order of play, as they were shuffled, and the two dice."""

    tiles: list[int]
    dice: tuple[int, int]
    #: Whether the two tiles of each stack of the dead wall are the other way round (seeds in base64).
    pairs: bool

    def in_play_order(self, replaced: int) -> list[int]:
        """Return the tiles in the hub's order of a wall, where `replaced` replacement tiles were drawn.

        The deal is first, the dead wall last; replacements are drawn from the very end backwards.
        """
        return stacks_turned(self.tiles, replaced) if self.pairs else self.tiles


class SeenTiles(Struct):
    """The tiles of a round that its record shows, by number.

    `hands` are in seat order, each as it was dealt. `replacements` has the number of draws before
    each draw from the back of the wall.
    """

    hands: Sequence[Sequence[int]]
    oya: int
    dice: tuple[int, int]
    indicators: list[int]
    replacements: list[int] = field(default_factory=list)
    ura: Sequence[int] = ()


def walls_of(seed: str, players: int) -> Iterator[SeedWall]:
    """Return the walls of the rounds of a seed, without end; none for an empty seed.

    Raises `SeedError` if the seed has no known form. The iterator raises it if the key is wrong, and ends.
    """
    form = _SEED.fullmatch(seed)
    if seed and form is None:
        raise SeedError("the seed has no known form: expected mt19937ar-sha512-n288-base64, and the seed")
    return iter(()) if form is None else _walls(players, *form.groups())


def _walls(players: int, hashed: str | None, based: str | None, key: str) -> Iterator[SeedWall]:
    twister = _twister(_from_base64(key) if based else _from_words(key))
    length = WHOLE[players]
    count, first_die = (_ROUND_WORDS, _DICE) if hashed else (_DICE + 2, length - 1)
    while True:
        drawn = twister.getrandbits(_WORD_BITS * count).to_bytes(4 * count, "little")
        if hashed:
            parts = [drawn[begin : begin + _HASHED] for begin in range(0, len(drawn), _HASHED)]
            drawn = b"".join([sha512(part).digest() for part in parts])
        words = unpack(f"<{len(drawn) // 4}I", drawn)
        dice = words[first_die] % 6 + 1, words[first_die + 1] % 6 + 1
        yield SeedWall(_shuffled(words, length), dice, based is not None)


def wall_of(wall: SeedWall, seen: SeenTiles, draws: Sequence[int]) -> list[int]:
    """Return the wall of a round in the hub's order. Raises `SeedError` if the round shows other tiles.

    `draws` are all tiles that were drawn.
    """
    seats = len(seen.hands)
    tiles = wall.in_play_order(len(seen.replacements))
    if seen.dice != wall.dice:
        raise SeedError(f"the dice are {_listed(seen.dice)}, and by the seed {_listed(wall.dice)}")
    turns = [seen.hands[(seen.oya + place) % seats] for place in range(seats)]
    if undeal(turns) != tiles[: HAND * seats]:
        raise SeedError("the hands that were dealt are others than by the seed")
    drawn = tiles[HAND * seats :]
    for number, tile in zip(dict.fromkeys(seen.replacements), reversed(tiles), strict=False):
        drawn.insert(number, tile)
    if drawn[: len(draws)] != draws:
        number = next(number for number, tile in enumerate(draws) if drawn[number : number + 1] != [tile])
        raise SeedError(f"draw {number + 1} of the round is another tile than by the seed")
    for name, turned, beside in (("dora", seen.indicators, 0), ("ura", seen.ura, 1)):
        for number, tile in enumerate(turned):
            place = indicator_place(len(tiles), number, seats) - beside
            if number >= MOST_INDICATORS or tiles[place] != tile:
                raise SeedError(f"{name} indicator {number + 1} is another tile than by the seed")
    return tiles


def _listed(dice: Sequence[int]) -> str:
    return " and ".join(map(str, dice))


def _shuffled(words: Sequence[int], length: int) -> list[int]:
    """Return shuffled tiles in the order of play: Tenhou shuffles from the end of the wall."""
    tiles = list(range(length - 1, -1, -1))
    places = range(length - 1, 0, -1)
    others = map(sub, places, map(mod, words, range(length, 1, -1)))
    for place, other in zip(places, others, strict=True):
        tiles[place], tiles[other] = tiles[other], tiles[place]
    if length == WHOLE[3]:
        return [tile if tile < _FIRST_KINDS else tile + _LEFT_OUT for tile in tiles]
    return tiles


def _from_base64(text: str) -> bytes:
    try:
        state = b64decode(text, validate=True)
    except Base64Error as error:
        raise SeedError(f"the seed is no base64: {error}") from None
    if not state or len(state) > 4 * _STATE or len(state) % 4:
        raise SeedError(f"the seed has {len(state)} bytes: expected {4 * _STATE}")
    return state


def _from_words(text: str) -> bytes:
    words = text.split(",")
    if len(words) > _STATE:
        raise SeedError(f"the seed has {len(words)} words: expected {_STATE} at most")
    if not all(map(_WORD.fullmatch, words)):
        raise SeedError("the seed is no list of hexadecimal words of 32 bits")
    return pack(f"<{len(words)}I", *[int(word, 16) for word in words])


def _twister(key: bytes) -> random.Random:
    """Return a twister that is initialised with a key of words."""
    if any(key[-4:]):
        # Python initialises it with the words of a whole number, which cannot end with a word 0.
        return random.Random(int.from_bytes(key, "little"))
    return by_array(list(unpack(f"<{len(key) // 4}I", key)))


def by_array(key: list[int]) -> random.Random:
    """Return a twister that is initialised with a key as `init_by_array` of its authors does.

    >>> by_array([0x123, 0x234, 0x345, 0x456]).getrandbits(32)
    1067595299
    """
    state = [19650218]
    for place in range(1, _STATE):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + place) & _MASK)
    steps: list[tuple[int, int | None]] = [
        (1664525, key[turn % len(key)] + turn % len(key)) for turn in range(max(_STATE, len(key)))
    ]
    place = 1
    for factor, added in [*steps, *[(1566083941, None)] * (_STATE - 1)]:
        mixed = state[place] ^ (state[place - 1] ^ state[place - 1] >> 30) * factor
        state[place] = (mixed - place if added is None else mixed + added) & _MASK
        place += 1
        if place == _STATE:
            state[0], place = state[-1], 1
    state[0] = 0x80000000
    twister = random.Random()
    twister.setstate((3, (*state, _STATE), None))
    return twister
