"""The schemas as files: complete, self-contained, and usable by any validator that has the folder."""

from collections.abc import Iterator
from importlib.resources import files
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from looped import looped
from mjconv import schemas

FOLDER = Path(str(files(schemas)))
PROPER = [name for name in schemas.names() if "/" not in name]
ACCEPTED = [name for name in schemas.names() if "/" in name]


def references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def test_each_file_in_the_folders_has_a_name() -> None:
    found = {file.relative_to(FOLDER).as_posix() for file in FOLDER.rglob("*.json")}
    assert {f"{name}.json" for name in schemas.names()} == found


@looped("name", *schemas.names())
def test_each_is_a_draft_2020_12_schema_with_title_description_and_examples(name: str) -> None:
    schema = schemas.load(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"]
    assert schema["description"]
    assert schema.get("examples") or schema["$defs"]


def test_examples_are_valid() -> None:
    for name in schemas.names():
        for example in schemas.load(name).get("examples", []):
            schemas.validator(name).validate(example)


def test_examples_of_what_is_written_are_also_read() -> None:
    for name in [name for name in schemas.names() if "examples" in schemas.load(name)]:
        reading = f"accepted/{name}"
        if reading in schemas.names():
            for example in schemas.load(name)["examples"]:
                schemas.validator(reading).validate(example)


@looped("term", *sorted(schemas.load("common")["$defs"]))
def test_examples_of_shared_terms_are_valid(term: str) -> None:
    validator = Draft202012Validator({"$ref": f"common.json#/$defs/{term}"}, registry=schemas.registry())
    for example in schemas.load("common")["$defs"][term]["examples"]:
        validator.validate(example)


def test_references_are_relative_and_stay_in_the_folder() -> None:
    for name in schemas.names():
        for reference in references(schemas.load(name)):
            path, _, _ = reference.partition("#")
            # Not resolved: in an editable install the files are links to another folder.
            own = PurePosixPath(f"{name}.json")
            target = Path(normpath(FOLDER / own.parent / path)) if path else FOLDER / own
            assert target.is_file(), name
            assert target.is_relative_to(FOLDER), name
        assert "://" not in str([*references(schemas.load(name))])


def test_the_id_is_the_name_of_the_file() -> None:
    for name in PROPER:
        assert schemas.load(name)["$id"] == f"{name}.json"


def test_an_accepted_schema_has_no_id_as_the_folder_above_has_its_name_too() -> None:
    for name in ACCEPTED:
        assert "$id" not in schemas.load(name)


DRAW = {"type": "tsumo", "actor": 0, "pai": "5mr"}
OLD_WIN = {"type": "hora", "actor": 1, "target": 0, "uradora_markers": ["0m"]}


def test_the_folder_works_by_the_places_of_its_files() -> None:
    names = {file: file.relative_to(FOLDER).with_suffix("").as_posix() for file in FOLDER.rglob("*.json")}
    resources = [(file.as_uri(), Resource.from_contents(schemas.load(name))) for file, name in names.items()]
    registry: Registry[Any] = Registry().with_resources(resources)
    written = Draft202012Validator({"$ref": (FOLDER / "message.json").as_uri()}, registry=registry)
    read = Draft202012Validator({"$ref": (FOLDER / "accepted/message.json").as_uri()}, registry=registry)
    assert written.is_valid(DRAW)
    assert not written.is_valid({**DRAW, "actor": 4})
    assert read.is_valid({**OLD_WIN, "uradora_markers": ["1m"]})
    assert not read.is_valid(OLD_WIN)


def test_what_is_written_works_by_the_ids_alone() -> None:
    registry: Registry[Any] = [Resource.from_contents(schemas.load(name)) for name in PROPER] @ Registry()
    validator = Draft202012Validator(schemas.load("log"), registry=registry)
    assert validator.is_valid([DRAW])
    assert not validator.is_valid([{**DRAW, "pai": "0m"}])


def test_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="huora"):
        schemas.validator("huora")
    with pytest.raises(KeyError, match=r"\.\./pyproject"):
        schemas.load("../pyproject")


CHI = {"type": "chi", "actor": 1, "target": 0, "pai": "1m"}
ERRORS: list[tuple[Any, list[str], str]] = [
    ({"type": "dahai", "actor": 0, "pai": "0m", "tsumogiri": True}, ["pai"], "'0m' is not one of"),
    ({"type": "tsumo", "actor": 4, "pai": "1m"}, ["actor"], "4 is greater than the maximum of 3"),
    ({**CHI, "consumed": ["2m"]}, ["consumed"], "['2m'] is too short"),
    ({"type": "reach"}, [], "'actor' is a required property"),
    ({"type": "riichi", "actor": 0}, ["type"], "'riichi' is not one of"),
    ({"actor": 0}, [], "'type' is a required property"),
    ([], [], "[] is not of type 'object'"),
]


def test_a_broken_message_gives_one_error_that_names_the_key() -> None:
    for name in ("message", "accepted/message"):
        for message, path, text in ERRORS:
            [error] = schemas.validator(name).iter_errors(message)
            assert [*error.absolute_path] == path
            assert error.message.startswith(text)


def test_a_log_names_its_message_and_is_not_empty() -> None:
    [error] = schemas.validator("log").iter_errors([DRAW, {**DRAW, "actor": 4}])
    assert [*error.absolute_path] == [1, "actor"]
    assert not schemas.validator("log").is_valid([])
    assert not schemas.validator("accepted/log").is_valid([])
