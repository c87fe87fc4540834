"""docs/mjai.md, the schemas and the order check describe the same mjai: its messages, its keys, its order."""

from __future__ import annotations

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
    Who.SAME: "the same player",
    Who.NEXT: "the next player",
    Who.TABLE: "",
    Who.DEALER: "the dealer",
    Who.NEXT_ON_IT: "the next player, on this tile",
    Who.OTHER_ON_IT: "any other player, on this tile",
    Who.ON_THEIR_OWN: "the same player, on their draw",
    Who.LATER_ON_IT: "a player further on in turn, on the same tile",
    Who.IF_STATED: "the same player, if the message names one",
    Who.ANYONE: "any player",
}
#: The meaning of each state, for the document.
MEANINGS = {
    "nothing": "at the beginning",
    "between rounds": "after `start_game`, after `end_kyoku`",
    "dealt": "after `start_kyoku`",
    "flower": "after a flower of the deal",
    "drawn": "after `tsumo`",
    "declared": "after `reach`",
    "riichi discard": "after the `dahai` of a `reach`",
    "accepted": "after `reach_accepted`",
    "discarded": "after any other `dahai`",
    "called": "after `chi`, `pon`",
    "open kan": "after `daiminkan`",
    "kan": "after `ankan`, `kakan`, `nukidora`",
    "won": "after `hora` on another's tile",
    "self-drawn": "after `hora` on one's own draw",
    "over": "after `ryukyoku`",
    "result alone": "after a result without play",
    "game over": "after `end_game`",
}
#: States of other games only: flowers of larger sets, results of several kinds in one round.
OTHER_GAMES = frozenset({"flower", "result alone"})
TALK = ("none", "hello", "join", "error")

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


def test_the_states_are_the_tables() -> None:
    assert dict(table(section("Order of messages"), "| State | When |")) == MEANINGS
    assert list(MEANINGS) == list(WAITS) == list(TABLE) == list(NODES)
    assert {*OWN_TURN, *RESULTS, *PLAY, *OTHER_GAMES} <= set(TABLE)


def test_the_next_possible_messages_are_the_tables() -> None:
    shown = table(section("Order of messages"), "| In state | May come | Whose | Then | Only where |")
    assert shown == [
        [state, f"`{row.message}`", WORDS[row.who], row.state, row.when]
        for state, rows in TABLE.items()
        for row in rows
    ]


def test_every_state_can_be_come_to_and_names_a_message_once() -> None:
    reached = {row.state for rows in TABLE.values() for row in rows}
    assert reached == set(TABLE) - {"nothing"}
    assert all(len({row.message for row in rows}) == len(rows) for rows in TABLE.values())


def test_every_message_of_a_game_is_in_the_table() -> None:
    assert {row.message for rows in TABLE.values() for row in rows} == set(KEYS) - set(TALK)


# Each message.


def messages_table() -> str:
    """Return the table of the page: a row for each message, in the words of its schema."""
    rows = ["| Message | What |", "| --- | --- |"]
    rows += [f"| [`{name}`](../schemas/{name}.json) | {schemas.load(name)['description']} |" for name in KEYS]
    return "\n".join(rows) + "\n"


def keys_table() -> str:
    """Return the table of the page: a row for the messages that have the same key with the same meaning."""
    messages: dict[tuple[str, str, str], list[str]] = {}
    for name in KEYS:
        schema = schemas.load(name)
        for key, value in schema["properties"].items():
            if key != "type":
                shown = f"**`{key}`**" if key in schema["required"] else f"`{key}`"
                messages.setdefault((shown, holds(value), value["description"]), []).append(f"`{name}`")
    rows = ["| Message | Key | Holds | What |", "| --- | --- | --- | --- |"]
    rows += [f"| {' '.join(names)} | {' | '.join(cells)} |" for cells, names in messages.items()]
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
def test_a_description_ends_with_what_may_come_next(message: str) -> None:
    shown = schemas.load(message)["description"]
    if message in TALK:
        assert shown.endswith(" Has no place in the order of messages.")
        return
    _, _, names = shown.rpartition(" Next: ")
    named = [] if names == "nothing more." else re.split(", | or ", names.removesuffix("."))
    assert named == following(message)


def test_the_examples_are_the_first_of_the_schemas() -> None:
    shown = re.findall(r"^\{\"type\".*$", section("Messages"), re.MULTILINE)
    assert [json.loads(line) for line in shown] == [schemas.load(name)["examples"][0] for name in KEYS]


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
