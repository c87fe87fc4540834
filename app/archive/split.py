"""The language of ``--split``: names and fractions, such as ``train=0.95,val=0.05``."""

import re
from fractions import Fraction
from functools import cache
from typing import Final

from mjconv.ir.errors import UsageError

#: A name is also the name of a folder or of a file.
_PART: Final = re.compile(r"([A-Za-z0-9_-]{1,32})=([0-9]{0,9}\.?[0-9]{1,18}|[0-9]{1,9}/[1-9][0-9]{0,8})")
_DIGEST_BITS: Final = 128


@cache
def splits_of(text: str) -> dict[str, int]:
    """Return the names of splits, each with the least digest beyond it. Raises `UsageError`.

    >>> {name: f"{end:x}"[:4] for name, end in splits_of("train=0.5,val=1/4,test=0.25").items()}
    {'train': '8000', 'val': 'c000', 'test': '1000'}
    >>> splits_of("train=0.9,val=0.05")
    Traceback (most recent call last):
    mjconv.ir.errors.UsageError: --split: the fractions add up to 0.95; they must add up to 1
    """
    ends: dict[str, int] = {}
    total = Fraction(0)
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None or not Fraction(match[2]):
            raise UsageError(f"--split: {part.strip()!r} is no name with a fraction, such as train=0.95,val=0.05")
        if match[1].casefold() in map(str.casefold, ends):
            raise UsageError(f"--split: {match[1]} is named twice")
        total += Fraction(match[2])
        ends[match[1]] = int(total * (1 << _DIGEST_BITS))
    if total != 1:
        raise UsageError(f"--split: the fractions add up to {float(total):g}; they must add up to 1")
    return ends


def split_of(play: str, text: str | None) -> str:
    """Return the split of a match by the digest of its play; an empty name without splits.

    A match stays in its split when other matches join the archive.

    >>> split_of("7f" + "0" * 30, "train=0.5,val=0.5"), split_of("80" + "0" * 30, "train=0.5,val=0.5")
    ('train', 'val')
    """
    if text is None:
        return ""
    return next(name for name, end in splits_of(text).items() if int(play, 16) < end)
