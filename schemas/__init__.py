"""JSON Schemas of mjai, draft 2020-12: of the messages that mjconv writes, and in `accepted` of those it reads.

Every reference is relative to the file that holds it, so that a validator needs only this folder. The `$id` of a
schema is the name of its file. The schemas of `accepted` have no `$id`: their path names them. The functions here
name a schema by its path without the ending: ``hora``, ``message``, ``accepted/log``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jsonschema.protocols import Validator  # type: ignore[import-untyped]
    from referencing import Registry

#: The folders of schemas, by the prefix of the names in them.
_FOLDERS: Final = {"": __name__, "accepted/": f"{__name__}.accepted"}


@cache
def names() -> tuple[str, ...]:
    """Return the names of all schemas, sorted.

    >>> "accepted/hora" in names()
    True
    """
    return tuple(
        sorted(
            prefix + file.name.removesuffix(".json")
            for prefix, folder in _FOLDERS.items()
            for file in files(folder).iterdir()
            if file.name.endswith(".json")
        )
    )


def load(name: str) -> dict[str, Any]:
    """Read one schema. Raises `KeyError` for a name that `names` does not return.

    >>> load("tile")["title"]
    'Tile'
    """
    if name not in names():
        raise KeyError(name)
    schema: dict[str, Any] = json.loads(files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return schema


@cache
def registry() -> Registry[Any]:
    """Return all schemas as a registry of the `referencing` package, each under its path (``hora.json``).

    >>> "accepted/hora.json" in registry()
    True
    """
    from referencing import Registry, Resource

    contents: Registry[Any] = Registry()
    return contents.with_resources(
        (f"{name}.json", Resource.from_contents(load(name))) for name in names()
    ).crawl()


@cache
def validator(name: str) -> Validator:
    """Return a validator of the `jsonschema` package for one schema.

    Raises `KeyError` for a name that `names` does not return.

    >>> validator("message").is_valid({"type": "tsumo", "actor": 0, "pai": "5mr"})
    True
    >>> [error.message for error in validator("message").iter_errors({"type": "reach", "actor": 4})]
    ['4 is greater than the maximum of 3']
    """
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

    if name not in names():
        raise KeyError(name)
    return Draft202012Validator({"$ref": f"{name}.json"}, registry=registry())
