"""The calls of tenhou.net/6 JSON.

A call is a string of numbers of tiles with a letter. The letter precedes the called tile, and
its position names the player who discarded that tile: first the left, then the opposite, last the right player.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from mjconv.converters.tenhou.vocabulary import LISTED, NUMBER_OF, TILE_OF
from mjconv.ir.tiles import ORDER, Tile, plain

CallKind: TypeAlias = Literal["chi", "pon", "daiminkan", "kakan", "ankan", "nukidora"]

#: The tile of each pair of digits in a call.
_TILE_OF_DIGITS: Final = {f"{number:02}": tile for number, tile in TILE_OF.items()}

#: The kind of call that a letter begins.
_KINDS: Final[dict[str, CallKind]] = {
    "c": "chi",
    "p": "pon",
    "m": "daiminkan",
    "k": "kakan",
    "a": "ankan",
    "f": "nukidora",
}
_LETTERS: Final = {kind: letter for letter, kind in _KINDS.items()}
#: The number of tiles of each kind of call.
_TILES: Final[dict[CallKind, int]] = {"chi": 3, "pon": 3, "daiminkan": 4, "kakan": 4, "ankan": 4, "nukidora": 1}
#: For each kind of call, the steps from the caller to the player on the left, opposite and on the right, by the
#: number of tiles before the letter.
_STEPS: Final[dict[CallKind, dict[int, int]]] = {
    "chi": {0: 3},
    "pon": {0: 3, 1: 2, 2: 1},
    "daiminkan": {0: 3, 1: 2, 3: 1},
    "kakan": {0: 3, 1: 2, 2: 1},
    "ankan": {3: 0},
    "nukidora": {0: 0},
}
_BEFORE: Final = {kind: {step: before for before, step in steps.items()} for kind, steps in _STEPS.items()}
#: The characters of the longest call.
_LONGEST: Final = 9
_FORM: Final = re.compile(r"((?:[0-9]{2}){0,3})([cpmkaf])((?:[0-9]{2}){1,4})")


class JsonCall(NamedTuple):
    """A call, as a string of tenhou.net/6 states it.

    `own` are the tiles of the hand in order, a red five after the plain ones. `called` is the tile of another
    player, `steps` the number of seats from the caller to that player. `added` is the tile that a kakan adds to
    its pon. In an ankan and a nukidora, `called` is empty and `steps` is 0.
    """

    kind: CallKind
    own: tuple[Tile, ...]
    called: Tile = ""
    steps: int = 0
    added: Tile = ""

    def target(self, actor: int) -> int:
        """Return the seat whose tile is called: `actor` is the seat of the caller.

        >>> read_call("222222m22").target(0), read_call("p414141").target(0)
        (1, 3)
        """
        return (actor + self.steps) % LISTED


def read_call(text: str) -> JsonCall | None:
    """Read the string of a call, or return None where it is none.

    >>> read_call("c275226")
    JsonCall(kind='chi', own=('5pr', '6p'), called='7p', steps=3, added='')
    >>> read_call("3737k3737").added, read_call("151515a51").own
    ('7s', ('5m', '5m', '5m', '5mr'))
    """
    # The length is checked here: the cache keeps its keys.
    return _read_call(text) if len(text) <= _LONGEST else None


@lru_cache(4096)
def _read_call(text: str) -> JsonCall | None:
    form = _FORM.fullmatch(text)
    if form is None:
        return None
    before, letter, after = form.groups()
    kind = _KINDS[letter]
    digits = before + after
    at = len(before) // 2
    if len(digits) != 2 * _TILES[kind]:
        return None
    pairs = [digits[index : index + 2] for index in range(0, len(digits), 2)]
    if kind == "ankan":
        at = 3  # another position names nobody
    if at not in _STEPS[kind] or not _TILE_OF_DIGITS.keys() >= set(pairs):
        return None
    tiles = [_TILE_OF_DIGITS[pair] for pair in pairs]
    added = tiles.pop(at) if kind == "kakan" else ""
    called = "" if kind in ("ankan", "nukidora") else tiles.pop(at)
    return JsonCall(kind, in_order(tiles), called, _STEPS[kind][at], added)


@lru_cache(4096)
def write_call(call: JsonCall) -> str:
    """Write a call as Tenhou does: the own tiles in order, a red five last.

    >>> write_call(JsonCall("pon", ("5p", "5pr"), "5p", steps=2))
    '25p2552'
    >>> write_call(JsonCall("kakan", ("5m", "5m"), "5m", steps=3, added="5mr"))
    'k51151515'
    """
    tiles = list(in_order(call.own))
    at = _BEFORE[call.kind][call.steps]
    if call.called:
        tiles.insert(at, call.called)
    if call.added:
        tiles.insert(at, call.added)
    digits = [f"{NUMBER_OF[tile]:02}" for tile in tiles]
    return "".join((*digits[:at], _LETTERS[call.kind], *digits[at:]))


def steps_to(actor: int, target: int) -> int:
    """Return the number of seats from a caller to the player whose tile is called.

    >>> steps_to(2, 0), steps_to(0, 3)
    (2, 3)
    """
    return (target - actor) % LISTED


def in_order(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """Return tiles in the order of a call: of one kind plain ones before red ones.

    >>> in_order(["5pr", "5p"]), in_order(["6p", "5pr"])
    (('5p', '5pr'), ('5pr', '6p'))
    """
    return tuple(sorted(tiles, key=_place))


def _place(tile: Tile) -> tuple[int, int]:
    return ORDER[plain(tile)], ORDER[tile]
