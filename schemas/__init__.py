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
    from collections.abc import Iterator

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
    schema: dict[str, Any] = json.loads(text(name))
    return schema


def text(name: str) -> str:
    """Return the text of the file of one schema. Raises `KeyError` for a name that `names` does not return."""
    if name not in names():
        raise KeyError(name)
    return files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")


@cache
def registry() -> Registry[Any]:
    """Return all schemas as a registry of the `referencing` package, each under its path (``hora.json``).

    >>> "accepted/hora.json" in registry()
    True
    """
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    contents: Registry[Any] = Registry()
    # A schema that names its draft would be checked by the usual validator of the draft, without `_one_of`.
    plain = {name: {key: value for key, value in load(name).items() if key != "$schema"} for name in names()}
    resources = [(f"{name}.json", DRAFT202012.create_resource(schema)) for name, schema in plain.items()]
    return contents.with_resources(resources).crawl()


@cache
def validator(name: str) -> Validator:
    """Return a validator of the `jsonschema` package for one schema.

    Raises `KeyError` for a name that `names` does not return.

    >>> validator("message").is_valid({"type": "tsumo", "actor": 0, "pai": "5mr"})
    True
    >>> [error.message for error in validator("message").iter_errors({"type": "reach", "actor": 4})]
    ['4 is greater than the maximum of 3']
    """
    from jsonschema import Draft202012Validator, validators  # type: ignore[import-untyped]

    if name not in names():
        raise KeyError(name)
    kind = validators.extend(Draft202012Validator, {"oneOf": _one_of})
    return kind({"$ref": f"{name}.json"}, registry=registry())


def _one_of(checked: Any, branches: list[dict[str, str]], message: Any, _: object) -> Iterator[Any]:
    """Check a message by the schema of its type alone, so that the errors are about its keys.

    `checked` is the validator. The schemas use `oneOf` for the types of messages alone.
    """
    kind = message.get("type") if isinstance(message, dict) else None
    for branch in branches:
        if kind in _types(branch["$ref"].removeprefix("../")):
            yield from checked.descend(message, branch)


@cache
def _types(file: str) -> list[str]:
    """Return the types of the messages that a schema describes."""
    rule = load(file.removesuffix(".json"))["properties"]["type"]
    types: list[str] = rule.get("enum") or [rule["const"]]
    return types
