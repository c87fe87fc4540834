"""Make the npm package `mjai-schema` from the JSON Schemas of mjai: ``python npm/make.py FOLDER``.

The package has the schemas, as files and as a module, types of TypeScript that are made from them, and a
validator.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mjconv import schemas
from mjconv.version import VERSION

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
#: The page of the package.
PAGE: Final = ROOT / "docs" / "mjai-schema.md"
PACKAGE: Final = {
    "name": "mjai-schema",
    "version": VERSION,
    "description": "JSON Schemas, TypeScript types and a validator of mjai, the messages of mahjong programs",
    "keywords": ["mahjong", "riichi", "mjai", "json-schema", "typescript"],
    "license": "MIT",
    "type": "module",
    "sideEffects": False,
    "engines": {"node": ">=18"},
    "exports": {".": {"types": "./index.d.ts", "default": "./index.js"}, "./schemas/*": "./schemas/*"},
    "files": ["index.js", "index.d.ts", "schemas.js", "schemas"],
    "dependencies": {"ajv": "^8.17.1"},
}
_LINK: Final = re.compile(r"\[([^\]]*)\]\((?!https://)[^)]*\)")
#: The types of messages.
_KINDS: Final = frozenset(schemas.load("message")["properties"]["type"]["enum"])
_TYPES: Final = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}


def main(folder: Path) -> None:
    """Write the package to a folder, which is made, and which must not have files of another version."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in schemas.names():
        path = folder / "schemas" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(schemas.text(name), "utf-8")
    every = {f"{name}.json": schemas.load(name) for name in schemas.names()}
    # A schema of `accepted` has no $id; without those of the others, each is known by its path.
    known = {name: {key: value for key, value in each.items() if key != "$id"} for name, each in every.items()}
    (folder / "schemas.js").write_text(f"export default {json.dumps(known, ensure_ascii=False)};\n", "utf-8")
    (folder / "index.d.ts").write_text(
        "\n".join((*types(), (HERE / "validator.d.ts").read_text("utf-8"))), "utf-8"
    )
    (folder / "package.json").write_text(json.dumps(PACKAGE, indent=2) + "\n", "utf-8")
    (folder / "README.md").write_text(_LINK.sub(r"\1", PAGE.read_text("utf-8")), "utf-8")
    shutil.copyfile(HERE / "validator.js", folder / "index.js")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")


def types() -> Iterator[str]:
    """Yield the types of TypeScript: what messages share, each message, and the unions of all."""
    yield "// Made from the JSON Schemas of mjai. Other keys are allowed in every message.\n"
    shared = {"tile": schemas.load("tile"), **schemas.load("common")["$defs"]}
    for name, schema in shared.items():
        yield f"/** {schema['description']} */\nexport type {_name(name)} = {_type(schema)};\n"
    for root in ("message", "accepted/message"):
        union = [case["$ref"].removeprefix("../").removesuffix(".json") for case in schemas.load(root)["oneOf"]]
        for name in union:
            if name.startswith("accepted/") == root.startswith("accepted/"):
                yield from _interface(name, schemas.load(name))
        yield f"/** {schemas.load(root)['description']} */"
        yield f"export type {_name(root)} =\n  | " + "\n  | ".join(map(_name, union)) + ";\n"


def _interface(name: str, schema: dict[str, Any]) -> Iterator[str]:
    others = [rule["else"]["properties"] for rule in schema.get("allOf", ())]
    properties = {**schema["properties"], **{key: value for other in others for key, value in other.items()}}
    yield f"/** {schema['description']} */\nexport interface {_name(name)} {{"
    for key, value in properties.items():
        if words := value.get("description"):
            yield f"  /** {words} */"
        yield f"  {key}{'' if key in schema['required'] else '?'}: {_type(value)};"
    yield "}\n"


def _type(schema: dict[str, Any]) -> str:
    """Return the type of TypeScript that has the values of a schema, without bounds of numbers and lengths."""
    if "$ref" in schema:
        path, _, place = schema["$ref"].partition("#")
        name = _name(place.rpartition("/")[2] if "$defs" in place else Path(path).stem)
        return f'NonNullable<{name}["{place.rpartition("/")[2]}"]>' if "/properties/" in place else name
    if "else" in schema:
        return f"{_type(schema['if'])} | {_type(schema['else'])}"
    if values := schema.get("enum") or ([schema["const"]] if "const" in schema else []):
        return " | ".join(map(json.dumps, values))
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return f"{_type(schema['items'])}[]"
    return _TYPES.get(schema.get("type", ""), "unknown")


def _name(name: str) -> str:
    """Return the name of a type: `points_by_seat` is PointsBySeat, and `accepted/hora` is AcceptedHoraMessage."""
    words = "".join(word.capitalize() for word in re.split(r"[_/]", name))
    return f"{words}Message" if name.rpartition("/")[2] in _KINDS else words


if __name__ == "__main__":
    main(Path(sys.argv[1]))
