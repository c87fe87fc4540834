"""docs/mjai.md, the schemas and the order check describe the same mjai: its messages, its keys, its order."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mjconv import schemas
from mjconv.ir.events import KEYS
from mjconv.referee.order_table import NODES, OWN_TURN, PLAY, RESULTS, TABLE, WAITS, Who

PAGE = (Path(__file__).parents[2] / "docs/mjai.md").read_text("utf-8")
#: The players of messages in the words of the document.
WORDS = {
    Who.SAME: "same player",
    Who.NEXT: "next player",
    Who.TABLE: "",
    Who.DEALER: "dealer",
    Who.NEXT_ON_IT: "next player, on this tile",
    Who.OTHER_ON_IT: "another player, on this tile",
    Who.ON_THEIR_OWN: "same player, on their draw",
    Who.LATER_ON_IT: "a later player in turn, on the same tile",
    Who.IF_STATED: "same player, if the message names one",
    Who.ANYONE: "any player",
}
#: The messages before each state, for the document.
MEANINGS = {
    "nothing": "",
    "between rounds": "`start_game`, `end_kyoku`",
    "dealt": "`start_kyoku`",
    "flower": "a flower of the deal",
    "drawn": "`tsumo`",
    "declared": "`reach`",
    "riichi discard": "the `dahai` of a `reach`",
    "accepted": "`reach_accepted`",
    "discarded": "any other `dahai`",
    "called": "`chi`, `pon`",
    "open kan": "`daiminkan`",
    "kan": "`ankan`, `kakan`, `nukidora`",
    "won": "`hora` on another's tile",
    "self-drawn": "`hora` on one's own draw",
    "over": "`ryukyoku`",
    "result alone": "a result without play",
    "game over": "`end_game`",
}
#: States of other games only: flowers of larger sets, results of several kinds in one round.
OTHER_GAMES = frozenset({"flower", "result alone"})
TALK = ("none", "hello", "join", "error")
#: The end of a description that names the side that sends a message.
SENDER = re.compile(r" From the ([^.]+?)(?:, and echoed by the host)?\.")
#: The player of a message, in the words of the document: each schema names what this player does.
ACTOR = "The player of the message; of a `hora` the winner."

each_message = pytest.mark.parametrize("message", KEYS)


def section(title: str, level: str = "##") -> str:
    """Return the text under a heading, up to the next one as high."""
    begin = PAGE.index(f"\n{level} {title}\n") + len(level) + len(title) + 3
    end = re.compile(rf"^#{{2,{len(level)}}} ", re.MULTILINE).search(PAGE, begin)
    return PAGE[begin : end.start() if end else len(PAGE)]


def table(text: str, heading: str) -> list[list[str]]:
    lines = text.splitlines()
    rows = []
    for line in lines[lines.index(heading) + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line[1:-1].split("|")])
    return rows


# The table.


def order_table() -> str:
    """Return the table of the page: a row for each state, with the messages that may come and the next states.

    A `dora` is not in the table: it may come in some states, and the state stays.
    """
    rows = ["| State | After | May come |", "| --- | --- | --- |"]
    for state, meaning in MEANINGS.items():
        parts: dict[tuple[Who, str], dict[str, list[str]]] = {}
        for row in TABLE[state]:
            if row.message != "dora":
                after = parts.setdefault((row.who, row.when), {})
                after.setdefault(row.state, []).append(f"`{row.message}`")
        shown = "; ".join(part_of(who, when, after) for (who, when), after in parts.items())
        rows.append(f"| {state} | {meaning} | {shown or 'nothing'} |")
    return "\n".join(rows) + "\n"


def part_of(who: Who, when: str, after: dict[str, list[str]]) -> str:
    """Return the messages of the same players and of the same condition, each with the state after it."""
    shown = ", ".join(f"{' '.join(messages)} → {state}" for state, messages in after.items())
    return f"{WORDS[who]}: {shown}".removeprefix(": ") + (f", if {when}" if when else "")


def test_the_states_and_the_next_possible_messages_are_the_tables() -> None:
    """If they are not, copy the table that this test shows into the page."""
    assert list(MEANINGS) == list(WAITS) == list(TABLE) == list(NODES)
    assert {*OWN_TURN, *RESULTS, *PLAY, *OTHER_GAMES} <= set(TABLE)
    assert order_table() in section("Order of messages"), order_table()


def test_a_dora_may_come_in_the_states_that_the_page_names() -> None:
    [named] = re.findall(r"In the states (.+?), a\s`dora`\smay", section("Order of messages").replace("\n", " "))
    states = [state for state, rows in TABLE.items() if "dora" in {row.message for row in rows}]
    assert re.split(", | and ", named) == states
    rows = [row for state in states for row in TABLE[state] if row.message == "dora"]
    assert [(row.who, row.state, row.when) for row in rows] == [
        (Who.TABLE, state, "a kan owes it") for state in states
    ]


def test_every_state_can_be_come_to_and_names_a_message_once() -> None:
    reached = {row.state for rows in TABLE.values() for row in rows}
    assert reached == set(TABLE) - {"nothing"}
    assert all(len({row.message for row in rows}) == len(rows) for rows in TABLE.values())


def test_every_message_of_a_game_is_in_the_table() -> None:
    assert {row.message for rows in TABLE.values() for row in rows} == set(KEYS) - set(TALK)


# Each message.


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


def following(message: str) -> list[str]:
    """Return the messages that may come after a message in mjai's own games."""
    states = {
        row.state for state, rows in TABLE.items() for row in rows
        if row.message == message and not OTHER_GAMES & {state, row.state}
    }  # fmt: skip
    rows = [row for state, rows in TABLE.items() if state in states for row in rows]
    return list(dict.fromkeys(row.message for row in rows if row.state != "flower"))


@each_message
def test_a_description_ends_with_the_next_messages(message: str) -> None:
    shown = schemas.load(message)["description"]
    if message in TALK:
        assert shown.endswith(" Has no place in the order of messages.")
        return
    _, _, names = shown.rpartition(" Next: ")
    named = [] if names == "nothing more." else re.split(", | or ", names.removesuffix("."))
    assert named == following(message)


def test_the_examples_are_the_first_of_the_schemas() -> None:
    shown = [json.loads(line) for line in re.findall(r"^\{\"type\".*$", section("Messages"), re.MULTILINE)]
    assert shown
    assert shown == [schemas.load(message["type"])["examples"][0] for message in shown]


#: What a shared term, or a type of JSON, is called on the page.
TERMS = {
    "tile.json": "a tile",
    "common.json#/$defs/seat": "a seat",
    "common.json#/$defs/wind": "a wind",
    "common.json#/$defs/points": "points",
    "common.json#/$defs/count": "a number",
    "common.json#/$defs/points_by_seat": "points by seat",
    "common.json#/$defs/hand": "13 tiles",
}
TYPES = {"boolean": "true or false", "string": "text"}


def holds(schema: dict[str, Any]) -> str:
    """Say in words what the value of a key is."""
    if "$ref" in schema:
        return TERMS[schema["$ref"]]
    kind = schema.get("type")
    if kind == "integer":
        return f"{schema['minimum']} to {schema['maximum']}"
    if kind != "array":
        return TYPES[kind] if kind else "anything"
    least, most, items = schema.get("minItems"), schema.get("maxItems"), schema["items"]
    if (least, most) == (3, 4):
        return f"{holds(items)}s by seat" if holds(items) == "text" else f"{holds(items)} by seat"
    if items.get("$ref") == "tile.json":
        return f"{most} tiles" if least == most else f"up to {most} tiles"
    name, fan = items["prefixItems"]
    return f"pairs of {holds(name)} and {holds(fan)}"
