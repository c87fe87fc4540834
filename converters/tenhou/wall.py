"""The wall of each round, worked out from the seed of a game, and whether it is the wall that was played from.

A seed is the `seed` of SHUFFLE, one for a game, or the `shuffle` of INIT, one for a round. It initialises a
Mersenne twister, whose numbers shuffle the tiles of each round.
"""

from __future__ import annotations

import random
import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterator, Sequence
from hashlib import sha512
from operator import add, mod
from struct import pack, unpack
from typing import Final, NamedTuple

from msgspec import Struct, field

from mjconv.converters.shared.walls import HAND, indicator_place, stacks_turned, undeal

_SEED: Final = re.compile(r"mt19937ar(-sha512-n288(-base64)?)?,([0-9A-Za-z+/=,]+)")
_WORD: Final = re.compile(r"[0-9A-Fa-f]{1,8}")
#: The words of the state of the twister: a seed has no more.
_STATE: Final = 624
#: The words that the shuffle of one round takes, and the bytes of them that are hashed together.
_ROUND_WORDS: Final = 288
_HASHED: Final = 128
_WORD_BITS: Final = 32
_MASK: Final = 0xFFFFFFFF
#: The tiles of a wall by the number of players. Three play without 2m to 8m.
_LENGTH: Final = {3: 108, 4: 136}
_LEFT_OUT: Final = 28
_FIRST_KINDS: Final = 4
#: The first of the two numbers that the dice are made of: the numbers before it shuffle a wall of four players.
_DICE: Final = 135
#: The most dora indicators of a round.
MOST_INDICATORS: Final = 5


class SeedError(ValueError):
    """mjconv does not know this kind of seed."""


class SeedWall(NamedTuple):
    """The wall of one round: its tiles in Tenhou's own order, and the two dice."""

    tiles: list[int]
    dice: tuple[int, int]
    #: Whether the two tiles of each stack of the dead wall are the other way round (seeds in base64).
    pairs: bool

    def in_play_order(self, replaced: int) -> list[int]:
        """Return the tiles in the hub's order of a wall, where `replaced` replacement tiles were drawn.

        The deal is first, the dead wall last; replacements are drawn from the very end backwards.
        """
        tiles = self.tiles[::-1]
        return stacks_turned(tiles, replaced) if self.pairs else tiles


class SeenTiles(Struct):
    """The tiles of a round that its record shows, by number.

    `hands` are in seat order, each as it was dealt. `draws` are all tiles drawn; `replacements` are the places
    among them of those that were drawn from the back of the wall.
    """

    hands: Sequence[Sequence[int]]
    oya: int
    dice: tuple[int, int]
    indicators: list[int]
    draws: list[int] = field(default_factory=list)
    replacements: list[int] = field(default_factory=list)
    ura: Sequence[int] = ()


class Seed:
    """The seed of a game or of a round, and the twister that it initialises."""

    def __init__(self, text: str) -> None:
        """Read a seed. Raises `SeedError` if it has no known form. The key is read when a wall is asked for."""
        found = _SEED.fullmatch(text)
        if found is None:
            raise SeedError("the seed has no known form: expected mt19937ar-sha512-n288-base64, and the seed")
        hashed, based, self._key = found.groups()
        self._hashed = hashed is not None
        self._pairs = based is not None
        self._random: random.Random | None = None

    def walls(self, players: int) -> Iterator[SeedWall]:
        """Yield the walls of the rounds, without end. Raises `SeedError` if the key is wrong."""
        length = _LENGTH[players]
        if self._random is None:
            self._random = _twister(_from_base64(self._key) if self._pairs else _from_words(self._key))
        while True:
            words = self._words(self._random, _ROUND_WORDS if self._hashed else _DICE + 2)
            yield SeedWall(_shuffled(words, length), self._dice(words, players), self._pairs)

    def _dice(self, words: Sequence[int], players: int) -> tuple[int, int]:
        first = _DICE if self._hashed else _LENGTH[players] - 1
        return words[first] % 6 + 1, words[first + 1] % 6 + 1

    def _words(self, twister: random.Random, count: int) -> Sequence[int]:
        """Return the next numbers: those of the twister, or hashes of them."""
        drawn = twister.getrandbits(_WORD_BITS * count).to_bytes(4 * count, "little")
        if self._hashed:
            drawn = b"".join(
                sha512(drawn[begin : begin + _HASHED]).digest() for begin in range(0, len(drawn), _HASHED)
            )
        return unpack(f"<{len(drawn) // 4}I", drawn)


class GameSeed:
    """The seed of a game. Each call of `next_wall` returns the wall of the next round."""

    def __init__(self, seed: str, players: int) -> None:
        """Read a seed; an empty one determines no wall. Raises `SeedError` if it has no known form."""
        self._players = players
        self._walls: Iterator[SeedWall] | None = Seed(seed).walls(players) if seed else None

    @property
    def is_known(self) -> bool:
        """Whether the seed determines the walls."""
        return self._walls is not None

    def next_wall(self, shuffle: str | None) -> SeedWall | None:
        """Return the wall of the next round. `shuffle` is the seed of that round alone, if it has one."""
        if shuffle:
            return next(Seed(shuffle).walls(self._players))
        if self._walls is None:
            return None
        try:
            return next(self._walls)
        except SeedError:
            # The key is wrong: there are no walls, and one error is enough.
            self._walls = None
            raise


def wall_of(wall: SeedWall, seen: SeenTiles) -> list[int]:
    """Return the wall of a round in the hub's order. Raises `SeedError` if the round shows other tiles."""
    seats = len(seen.hands)
    tiles = wall.in_play_order(len(seen.replacements))
    if seen.dice != wall.dice:
        raise SeedError(f"the dice are {_listed(seen.dice)}, and by the seed {_listed(wall.dice)}")
    turns = [seen.hands[(seen.oya + place) % seats] for place in range(seats)]
    if undeal(turns) != tiles[: HAND * seats]:
        raise SeedError("the hands that were dealt are others than by the seed")
    replaced = set(seen.replacements)
    front, back = iter(tiles[HAND * seats :]), iter(reversed(tiles))
    for number, tile in enumerate(seen.draws):
        if next(back if number in replaced else front, None) != tile:
            raise SeedError(f"draw {number + 1} of the round is another tile than by the seed")
    places = [indicator_place(len(tiles), number, seats) for number in range(MOST_INDICATORS)]
    for name, turned, beside in (("dora", seen.indicators, 0), ("ura", seen.ura, 1)):
        for number, tile in enumerate(turned):
            if number >= MOST_INDICATORS or tiles[places[number] - beside] != tile:
                raise SeedError(f"{name} indicator {number + 1} is another tile than by the seed")
    return tiles


def _listed(dice: Sequence[int]) -> str:
    return " and ".join(map(str, dice))


def _shuffled(words: Sequence[int], length: int) -> list[int]:
    tiles = list(range(length))
    left = range(length, 1, -1)
    for place, other in enumerate(map(add, range(length), map(mod, words, left))):
        tiles[place], tiles[other] = tiles[other], tiles[place]
    if length == _LENGTH[3]:
        return [tile if tile < _FIRST_KINDS else tile + _LEFT_OUT for tile in tiles]
    return tiles


def _from_base64(text: str) -> list[int]:
    try:
        state = b64decode(text, validate=True)
    except Base64Error as error:
        raise SeedError(f"the seed is no base64: {error}") from None
    if not state or len(state) > 4 * _STATE or len(state) % 4:
        raise SeedError(f"the seed has {len(state)} bytes: expected {4 * _STATE}")
    return list(unpack(f"<{len(state) // 4}I", state))


def _from_words(text: str) -> list[int]:
    words = text.split(",")
    if len(words) > _STATE:
        raise SeedError(f"the seed has {len(words)} words: expected {_STATE} at most")
    if not all(map(_WORD.fullmatch, words)):
        raise SeedError("the seed is no list of hexadecimal words of 32 bits")
    return [int(word, 16) for word in words]


def _twister(key: list[int]) -> random.Random:
    """Return a twister that is initialised with a key."""
    if key[-1]:
        # Python initialises it with the words of a whole number, which cannot end with a word 0.
        return random.Random(int.from_bytes(pack(f"<{len(key)}I", *key), "little"))
    return by_array(key)


def by_array(key: list[int]) -> random.Random:
    """Return a twister that is initialised with a key as `init_by_array` of its authors does.

    >>> by_array([0x123, 0x234, 0x345, 0x456]).getrandbits(32)
    1067595299
    """
    state = [19650218]
    for place in range(1, _STATE):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + place) & _MASK)
    place = 1
    for turn in range(max(_STATE, len(key))):
        word = turn % len(key)
        state[place] = (
            (state[place] ^ (state[place - 1] ^ state[place - 1] >> 30) * 1664525) + key[word] + word
        ) & _MASK
        place = _next(state, place)
    for _ in range(_STATE - 1):
        state[place] = ((state[place] ^ (state[place - 1] ^ state[place - 1] >> 30) * 1566083941) - place) & _MASK
        place = _next(state, place)
    state[0] = 0x80000000
    twister = random.Random()
    twister.setstate((3, (*state, _STATE), None))
    return twister


def _next(state: list[int], place: int) -> int:
    """Return the place after one, and carry the last word of the state to its begin."""
    if place + 1 < _STATE:
        return place + 1
    state[0] = state[-1]
    return 1
