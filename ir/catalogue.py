"""Catalogues: names and texts that are data. Each is a file of JSON beside the module that reads it."""

import os
import sys
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def beside(module: str, file: str) -> bytes:
    """Return the bytes of a file in the package of a module.

    >>> beside("mjconv.ir.vocabulary", "yaku.json")[:1]
    b'['
    """
    # `importlib.resources` does the same, and takes ten times as long to load.
    spec: Any = sys.modules[module].__spec__
    data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), file))
    return data


def catalogue(module: str, file: str, kind: type[T]) -> T:
    """Return the catalogue in a file of JSON in the package of a module, as a value of this type.

    >>> catalogue("mjconv.ir.limits", "limits.json", dict[str, list[str]])["rounds"]
    ['a match has more than {} rounds', 'rounds of a match']
    """
    return msgspec.json.decode(beside(module, file), type=kind)
