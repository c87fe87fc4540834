"""docs/mjai.md, the schemas and the order check describe the same mjai: its messages, its keys, its order."""

import json
import re
from pathlib import Path
from typing import Any

from order_rows import OTHER_GAMES, messages_after, order

from looped import looped
from mjconv import schemas
from mjconv.ir.events import KEYS

PAGE = (Path(__file__).parents[2] / "docs/mjai.md").read_text("utf-8")
TALK = ("none", "hello", "join", "error")
#: The end of a description that names the side that sends a message.
SENDER = re.compile(r" From the ([^.]+?)(?:, and echoed by the host)?\.")
#: The player of a message, in the words of the document: each schema names what this player does.
ACTOR = "The player of the message; of a `hora` the winner."

each_message = looped("message", *KEYS)


def section(title: str, level: str = "##") -> str:
    """Return the text under a heading, up to the next one as high."""
    begin = PAGE.index(f"\n{level} {title}\n") + len(level) + len(title) + 3
    end = re.compile(rf"^#{{2,{len(level)}}} ", re.MULTILINE).search(PAGE, begin)
    return PAGE[begin : end.start() if end else len(PAGE)]


def order_table() -> str:
    """Return the table of the page: a row for each state, with the messages that may come and what is next.

    A `dora` is not in the table: it may come in some states, and the state stays.
    """
    rows = ["| Play waits for | After | May come |", "| --- | --- | --- |"]
    for state, messages in order():
        parts: dict[str, dict[str, list[str]]] = {}
        for may in state.may:
            if may.message != "dora":
                parts.setdefault(may.whose, {}).setdefault(may.waits, []).append(quoted(may.message))
        shown = "; ".join(f"{whose}: {part_of(waits)}".removeprefix(": ") for whose, waits in parts.items())
        after = ", ".join(map(quoted, messages))
        rows.append(f"| {state.waits} | {after} | {shown or 'nothing'} |")
    return "\n".join(rows) + "\n"


def part_of(after: dict[str, list[str]]) -> str:
    """Return the messages of the same players, each with what play waits for after it."""
    return ", ".join(f"{' '.join(messages)} → *{waits}*" for waits, messages in after.items())


def quoted(message: str) -> str:
    """Return a message with its name as code."""
    name, *about = message.split(" ", 1)
    return " ".join([f"`{name}`", *about])


def test_the_states_and_the_next_possible_messages_are_the_tables() -> None:
    """If they are not, copy the table that this test shows into the page."""
    assert order_table() in section("Order of messages"), order_table()


def test_a_dora_may_come_in_the_states_that_the_page_names() -> None:
    [named] = re.findall(r"- After (.+?), a\s+`dora`\s+may", section("Order of messages").replace("\n", " "))
    dora = [after for state, after in order() if "dora" in {may.message for may in state.may}]
    assert set(re.findall(r"`(\w+)`", named)) == {message.split()[0] for after in dora for message in after}
    assert all(may.waits == state.waits for state, _ in order() for may in state.may if may.message == "dora")


def test_every_message_of_a_game_is_in_the_table() -> None:
    assert {may.message.split()[0] for state, _ in order() for may in state.may} == set(KEYS) - set(TALK)


def messages_table() -> str:
    """Return the table of the page: a row for each message, in the words of its schema.

    The next messages are in the table of the order.
    """
    rows = ["| Message | From | What |", "| --- | --- | --- |"]
    for name in KEYS:
        description = schemas.load(name)["description"].partition(" Next: ")[0]
        meaning = description.removesuffix(" Has no place in the order of messages.")
        sender = SENDER.search(meaning)
        cells = (f"`{name}`", sender[1] if sender else "", SENDER.sub("", meaning))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def keys_table() -> str:
    """Return the table of the page: a row for the messages that have the same key with the same meaning.

    A cell that repeats the messages of the row above is empty.
    """
    messages: dict[tuple[str, str, str], list[str]] = {}
    for name in KEYS:
        schema = schemas.load(name)
        for key, value in schema["properties"].items():
            if key != "type":
                shown = f"**`{key}`**" if key in schema["required"] else f"`{key}`"
                meaning = ACTOR if shown == "**`actor`**" else value["description"]
                messages.setdefault((shown, holds(value), meaning), []).append(f"`{name}`")
    rows = ["| Message | Key | Holds | What |", "| --- | --- | --- | --- |"]
    above: list[str] = []
    for cells, names in messages.items():
        rows.append(f"| {'' if names == above else ' '.join(names)} | {' | '.join(cells)} |")
        above = names
    return "\n".join(rows) + "\n"


def test_the_messages_and_keys_are_those_of_the_schemas() -> None:
    """If they are not, copy the tables that this test shows into the page."""
    assert messages_table() in PAGE, messages_table()
    assert keys_table() in PAGE, keys_table()


@each_message
def test_a_schema_has_the_keys_of_the_hub(message: str) -> None:
    assert set(KEYS[message]) <= schemas.load(message)["properties"].keys()


@each_message
def test_a_description_ends_with_the_next_messages(message: str) -> None:
    shown = schemas.load(message)["description"]
    if message in TALK:
        assert shown.endswith(" Has no place in the order of messages.")
        return
    _, _, names = shown.rpartition(" Next: ")
    named = [] if names == "nothing more." else re.split(", | or ", names.removesuffix("."))
    assert sorted(named) == sorted(messages_after(message, without=OTHER_GAMES))


def test_the_examples_are_the_first_of_the_schemas() -> None:
    shown = [json.loads(line) for line in re.findall(r"^\{\"type\".*$", section("Messages"), re.MULTILINE)]
    assert shown
    assert shown == [schemas.load(message["type"])["examples"][0] for message in shown]


#: What a shared term, or a type of JSON, is called on the page.
COMMON = {"seat": "a seat", "wind": "a wind", "points": "points", "count": "a number"}
COMMON |= {"points_by_seat": "points by seat", "hand": "13 tiles, or 16"}
TERMS = {"tile.json": "a tile", **{f"common.json#/$defs/{name}": shown for name, shown in COMMON.items()}}


def holds(schema: dict[str, Any]) -> str:
    """Say in words what the value of a key is."""
    if "$ref" in schema:
        return TERMS[schema["$ref"]]
    kind = schema.get("type")
    if kind == "integer":
        return f"{schema['minimum']} to {schema['maximum']}"
    if kind != "array":
        return {"boolean": "true or false", "string": "text"}[kind] if kind else "anything"
    least, most, items = schema.get("minItems"), schema.get("maxItems"), schema["items"]
    if (least, most) == (3, 4):
        return f"{holds(items)}s by seat" if holds(items) == "text" else f"{holds(items)} by seat"
    if items.get("$ref") == "tile.json":
        return f"{most} tiles" if least == most else f"up to {most} tiles"
    name, fan = items["prefixItems"]
    return f"pairs of {holds(name)} and {holds(fan)}"
