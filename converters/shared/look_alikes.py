"""Names that look alike: often one player whose name is misspelled, who then counts as two players."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

#: The shortest names in which two neighbouring letters may be exchanged or a letter may be doubled, one letter may
#: be missing, or one letter may differ. Shorter names are too near to each other anyway.
_EXCHANGED: Final = 3
_MISSING: Final = 4
_DIFFERENT: Final = 6
#: The marks that make ga of ka, and pa of ha.
_KANA_MARKS: Final = "\u3099\u309a"
#: Longer names are not compared.
_LONGEST: Final = 40
#: The number of names that are compared, and of names that are compared with one name.
_MOST_NAMES: Final = 10_000
_MOST_NEAR: Final = 20
#: Small letters of other scripts, and the Latin letter that each looks like.
_LATIN: Final = str.maketrans("аеорсухіјѕԛԝкмтнαονρτυχκι", "aeopcyxijsqwkmthaovptuxki")

P = TypeVar("P")


class Alike(NamedTuple, Generic[P]):
    """Two names that look alike: the later one with the place of its first line, and the earlier one."""

    name: str
    place: P
    other: str

    def __str__(self) -> str:
        return (
            f"the name {self.name!r} looks like {self.other!r}, and they count as two players; "
            "if it is one player, write one name"
        )


class LookAlikes(Generic[P]):
    """Collects lines of names, and finds names that look alike. Two players of one line are never one player.

    >>> names = LookAlikes[int]()
    >>> names.add(["Dad", "Mum", "Ann", "Bo"], 1)
    >>> names.add(["Dda", "mum", "Anna", "Bo"], 9)
    >>> [(alike.name, alike.place, alike.other) for alike in names.pairs()]
    [('Dda', 9, 'Dad'), ('mum', 9, 'Mum')]
    """

    def __init__(self) -> None:
        #: The place of the first line with each name.
        self._places: dict[str, P] = {}
        self._lines: set[frozenset[str]] = set()

    def add(self, names: Sequence[str], place: P) -> None:
        """Add a line of names, and its place."""
        line = frozenset(names)
        if line in self._lines:
            return
        for name in names:
            if name not in self._places and len(self._places) < _MOST_NAMES and len(name) <= _LONGEST:
                self._places[name] = place
        if len(self._lines) < _MOST_NAMES:
            self._lines.add(line)

    @property
    def names(self) -> set[str]:
        """All names, up to a large number of them."""
        return set(self._places)

    def pairs(self) -> Iterator[Alike[P]]:
        """Yield each name that looks like an earlier name, with the first such name."""
        together: dict[str, set[str]] = {}
        for line in self._lines:
            for name in line:
                together.setdefault(name, set()).update(line)
        near: dict[str, list[str]] = {}
        for name, place in self._places.items():
            keys = _keys(_folded(name))
            candidates = (other for key in keys for other in near.get(key, ()))
            alike = (
                other for other in candidates if other not in together.get(name, ()) and _look_alike(name, other)
            )
            other = next(alike, None)
            if other is not None:
                yield Alike(name, place, other)
            for key in keys:
                names = near.setdefault(key, [])
                if len(names) < _MOST_NEAR:
                    names.append(name)


def _folded(name: str) -> str:
    """Return a name without the differences that readers overlook: case, width, marks, and similar scripts."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return "".join(char for char in plain if char in _KANA_MARKS or not unicodedata.combining(char)).translate(
        _LATIN
    )


def _keys(folded: str) -> set[str]:
    """Return keys of a folded name; two names that look alike have a key in common."""
    return {folded, *(folded[:index] + folded[index + 1 :] for index in range(len(folded)))}


def _look_alike(name: str, other: str) -> bool:
    """Return whether two different names look alike.

    Only letters of scripts with small letters are compared one by one: digits number players, and a Chinese
    character is a word. A first or last letter often makes another name, as in Terry and Jerry, Paulo and Paula,
    but not a letter that is doubled, as in Eve and Evee.

    >>> pairs = [("石橋", "石田"), ("P1", "P2"), ("Terry", "Jerry"), ("Chan", "Cahn"), ("Eve", "Evee")]
    >>> [_look_alike(*pair) for pair in pairs]
    [False, False, False, True, True]
    """
    one, two = sorted((_folded(name), _folded(other)), key=len)
    if one == two:
        # Of names of one letter, d and D are two.
        return len(one) > 1
    start = next((index for index, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    rest, other_rest = one[start:], two[start:]
    if not all(char.islower() for char in rest[:1] + other_rest[:1]):
        return False
    if len(one) != len(two):
        if len(one) >= _EXCHANGED and start > 0 and other_rest[:1] == one[start - 1] and other_rest[1:] == rest:
            return True
        return len(one) >= _MISSING and start > 0 and rest != "" and other_rest[1:] == rest
    if rest[1::-1] == other_rest[:2] and rest[2:] == other_rest[2:]:
        return len(one) >= _EXCHANGED
    return len(one) >= _DIFFERENT and start > 0 and rest[1:] == other_rest[1:] != ""
