"""The schemas and the types of `mjconv.ir.events` describe the same messages."""

from posixpath import dirname, join, normpath
from typing import Any

import msgspec

from looped import looped
from mjconv import schemas
from mjconv.converters.mjai import aliases
from mjconv.ir.events import KEYS, KINDS
from strategies import REQUIRED, REQUIRED_READ, VALUES

#: The keys that the reader of mjai requires, and that the types do not: other formats may lack them.
READ_RULES = {"start_kyoku": {"oya", "dora_marker", "tehais"}, "hora": {"target"}}
#: Keys that may have any value. No field holds them.
ANYTHING = {"start_game": {"seed"}}
#: The keywords of a schema that do not restrict values.
NOTES = {"$schema", "$id", "$comment", "title", "description", "examples"}


def expanded(schema: Any, name: str) -> Any:
    """Return a schema with references resolved, values as a sorted `enum`, and without descriptions."""
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        path, _, pointer = schema["$ref"].partition("#")
        target = normpath(join(dirname(name), path)).removesuffix(".json") if path else name
        found: Any = schemas.load(target)
        for step in pointer.split("/")[1:]:
            found = found[step]
        return expanded(found, target)
    result = {}
    for key, value in schema.items():
        if key == "const":
            result["enum"] = [value]
        elif key == "enum":
            result["enum"] = sorted(value)
        elif key == "properties":
            result[key] = {part: expanded(inner, name) for part, inner in value.items()}
        elif key == "prefixItems":
            result[key] = [expanded(inner, name) for inner in value]
        elif key not in NOTES:
            result[key] = expanded(value, name)
    return result


def of_type(kind: str) -> dict[str, Any]:
    """Return the schema of the type itself, without `extras`."""
    _, components = msgspec.json.schema_components([KINDS[kind]], schema_hook=lambda _: {"type": "object"})
    [schema] = components.values()
    schema["properties"].pop("extras")
    return expanded(schema, kind)


def required_read(kind: str) -> set[str]:
    name = f"accepted/{kind}"
    return set(schemas.load(name if name in schemas.names() else kind)["required"]) - {"type"}


def test_there_is_one_schema_for_each_kind_of_message() -> None:
    others = {"tile", "common", "message", "log"}
    assert {name for name in schemas.names() if "/" not in name} == set(KINDS) | others
    assert set(schemas.load("message")["properties"]["type"]["enum"]) == set(KINDS) == set(VALUES)


def test_keys_are_those_of_the_type() -> None:
    for kind in sorted(KINDS):
        keys = set(schemas.load(kind)["properties"]) - {"type"}
        assert keys == set(KEYS[kind]) | ANYTHING.get(kind, set()) == set(VALUES[kind])


def test_values_are_those_of_the_type() -> None:
    for kind in sorted(KINDS):
        said = expanded(schemas.load(kind), kind)["properties"]
        for key in ANYTHING.get(kind, ()):
            assert said.pop(key) == {}, kind
        assert said == of_type(kind)["properties"]


def test_keys_that_are_required_in_reading_are_those_of_the_type_and_the_rules() -> None:
    for kind in sorted(KINDS):
        asked = set(of_type(kind)["required"]) - {"type"}
        assert required_read(kind) == asked | READ_RULES.get(kind, set()) == REQUIRED_READ[kind]


def test_keys_that_are_required_in_writing() -> None:
    for kind in sorted(KINDS):
        assert set(schemas.load(kind)["required"]) == {"type"} | REQUIRED[kind]


READ = sorted(name.removeprefix("accepted/") for name in schemas.names() if name.startswith("accepted/"))
DIFFERENT = [kind for kind in READ if kind in KINDS]


@looped("kind", *DIFFERENT)
def test_an_accepted_schema_refers_to_each_key_of_what_is_written(kind: str) -> None:
    reading = schemas.load(f"accepted/{kind}")
    own = {"id"} if kind == "start_game" else set()
    for key in schemas.load(kind)["properties"].keys() - own - {"type"}:
        assert reading["properties"][key] == {"$ref": f"../{kind}.json#/properties/{key}"}
    assert reading["properties"].keys() == schemas.load(kind)["properties"].keys()


def test_the_other_names_of_keys_are_those_that_the_reader_folds() -> None:
    said: dict[str, dict[str, str]] = {}
    for kind in DIFFERENT:
        for rule in schemas.load(f"accepted/{kind}").get("allOf", []):
            [standard] = rule["if"]["required"]
            [(alias, reference)] = rule["else"]["properties"].items()
            assert reference == {"$ref": f"../{kind}.json#/properties/{standard}"}
            said.setdefault(kind, {})[alias] = standard
    assert said == aliases.KEYS


def test_the_other_names_of_messages_are_those_that_the_reader_folds() -> None:
    types = {kind: schemas.load(f"accepted/{kind}")["properties"]["type"].get("enum", []) for kind in DIFFERENT}
    assert {other: kind for kind, all_ in types.items() for other in all_ if other != kind} == aliases.TYPES
    assert set(schemas.load("accepted/message")["properties"]["type"]["enum"]) == {*KINDS, *aliases.TYPES}


def test_each_message_is_one_of_the_schemas_by_its_type() -> None:
    """A schema has the type itself, as a value: so programs in other languages can choose by it."""
    for name in ("message", "accepted/message"):
        targets = [normpath(join(dirname(name), case["$ref"])) for case in schemas.load(name)["oneOf"]]
        assert targets == [
            f"accepted/{kind}.json" if name.startswith("accepted") and kind in DIFFERENT else f"{kind}.json"
            for kind in schemas.load("message")["properties"]["type"]["enum"]
        ]
        types = [schemas.load(target.removesuffix(".json"))["properties"]["type"] for target in targets]
        found = sorted(kind for each in types for kind in each.get("enum") or [each["const"]])
        assert found == sorted(schemas.load(name)["properties"]["type"]["enum"])
