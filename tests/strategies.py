"""Generated mjai messages, for `hypothesis`: as written, as older logs spell them, and broken ones.

The tables here are the tests' own statement of the format: they read neither the schemas nor the types.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Message = dict[str, Any]

MOST_POINTS = 1_000_000_000
TILES = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [*"ESWNPFC", "5mr", "5pr", "5sr", "?"]

tiles = st.sampled_from(TILES)
winds = st.sampled_from("ESWN")
seats = st.integers(0, 3)
points = st.integers(-MOST_POINTS, MOST_POINTS)
counts = st.integers(0, MOST_POINTS)


def any_text(min_size: int = 0, max_size: int | None = None) -> SearchStrategy[str]:
    """Return what `text` of hypothesis does. In a new clone it needs seconds to find what UTF-8 can encode."""
    return st.text(st.characters(exclude_categories=["Cs"]), min_size=min_size, max_size=max_size)


names = any_text(max_size=8)


def hand(least: int, most: int | None = None) -> SearchStrategy[list[str]]:
    return st.lists(tiles, min_size=least, max_size=least if most is None else most)


def by_seat(items: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
    return st.lists(items, min_size=3, max_size=4)


#: Any JSON value; whole numbers also as fractions.
scalars: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.integers(-1, 15)
scalars |= st.floats(allow_nan=False, allow_infinity=False) | st.integers(-1, 15).map(float) | names | tiles
scalars |= st.sampled_from(["0", "3", "4", "03", "-1", " 1", "１", "10m", "0m", "e", "5zr"])
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=3), max_leaves=8
)

#: The keys of each message and the values they take.
VALUES: dict[str, dict[str, SearchStrategy[Any]]] = {
    "start_game": {
        "id": seats, "names": by_seat(names), "seed": json_values, "kyoku_first": counts,
        "aka_flag": st.booleans(), "uri": names,
    },
    "start_kyoku": {
        "bakaze": winds, "dora_marker": tiles, "kyoku": st.integers(1, 4), "honba": counts, "kyotaku": counts,
        "oya": seats, "scores": by_seat(points), "tehais": by_seat(hand(13)),
    },
    "tsumo": {"actor": seats, "pai": tiles},
    "dahai": {"actor": seats, "pai": tiles, "tsumogiri": st.booleans()},
    "chi": {"actor": seats, "target": seats, "pai": tiles, "consumed": hand(2)},
    "pon": {"actor": seats, "target": seats, "pai": tiles, "consumed": hand(2)},
    "daiminkan": {"actor": seats, "target": seats, "pai": tiles, "consumed": hand(3)},
    "kakan": {"actor": seats, "pai": tiles, "consumed": hand(3)},
    "ankan": {"actor": seats, "consumed": hand(4), "pai": tiles},
    "nukidora": {"actor": seats, "pai": tiles},
    "dora": {"dora_marker": tiles},
    "reach": {"actor": seats},
    "reach_accepted": {"actor": seats, "deltas": by_seat(points), "scores": by_seat(points)},
    "hora": {
        "actor": seats, "target": seats, "pai": tiles, "tsumo": st.booleans(), "deltas": by_seat(points),
        "scores": by_seat(points), "ura_markers": hand(0, 5), "hora_tehais": hand(0, 14),
        "yakus": st.lists(st.tuples(names, counts).map(list), max_size=3),
        "fu": counts, "fan": counts, "hora_points": counts, "pao": seats,
    },
    "ryukyoku": {
        "reason": names, "tehais": by_seat(hand(0, 14)), "tenpais": by_seat(st.booleans()),
        "deltas": by_seat(points), "scores": by_seat(points), "actor": seats,
    },
    "end_kyoku": {},
    "end_game": {"scores": by_seat(points)},
    "none": {},
    "hello": {"protocol": names, "protocol_version": counts, "can_act": st.booleans()},
    "join": {"name": names, "room": names},
    "error": {"message": names},
}  # fmt: skip

#: The keys a message must have as it is written, and as it is read.
REQUIRED: dict[str, set[str]] = {kind: set() for kind in VALUES} | {
    "start_kyoku": {"bakaze", "dora_marker", "kyoku", "honba", "kyotaku", "oya", "tehais"},
    "tsumo": {"actor", "pai"},
    "dahai": {"actor", "pai", "tsumogiri"},
    **{call: {"actor", "target", "pai", "consumed"} for call in ("chi", "pon", "daiminkan")},
    **{of_one: {"actor"} for of_one in ("nukidora", "reach", "reach_accepted")},
    "kakan": {"actor", "pai", "consumed"},
    "ankan": {"actor", "consumed"},
    "dora": {"dora_marker"},
    "hora": {"actor", "target"},
}
REQUIRED_READ = REQUIRED | {"start_kyoku": {"oya", "dora_marker", "tehais"}, "dahai": {"actor", "pai"}}

#: Other names of messages and of keys, by the standard one.
OTHER_TYPES = {"nukidora": "kita", "daiminkan": "kan"}
OTHER_KEYS: dict[str, dict[str, str]] = {
    "start_kyoku": {"kyotaku": "kyoutaku"},
    "reach_accepted": {"deltas": "delta"},
    "hora": {"ura_markers": "uradora_markers", "deltas": "delta", "yakus": "yaku", "fan": "han"},
    "ryukyoku": {"deltas": "delta"},
}

#: Keys that programs add, and ones that might be taken for something else.
OWN_KEYS = ["logs", "meta", "possible_actions", "cannot_dahai", "mjconv", "extras", "liable", "Actor", ""]

kinds = st.sampled_from(sorted(VALUES))


@st.composite
def messages(
    draw: st.DrawFn, kind: str | None = None, required: dict[str, set[str]] = REQUIRED, own_keys: bool = True
) -> Message:
    """Make a message as it is written: the required keys, some of the others, and keys that programs add."""
    chosen = kind or draw(kinds)
    keys = VALUES[chosen]
    may = st.sets(st.sampled_from(sorted(keys))) if keys else st.just(set[str]())
    present = required[chosen] | draw(may)
    message: Message = {"type": chosen} | {key: draw(values) for key, values in keys.items() if key in present}
    if own_keys:
        message |= draw(st.dictionaries(st.sampled_from(OWN_KEYS), json_values, max_size=2))
    return {key: message[key] for key in draw(st.permutations(sorted(message)))}


@st.composite
def older_messages(draw: st.DrawFn) -> Message:
    """Make a message as older logs and other programs spell it, which is read as well."""
    message = draw(messages(required=REQUIRED_READ))
    kind = message["type"]
    others = OTHER_KEYS.get(kind, {})
    renamed = {key for key in others if key in message and draw(st.booleans())}
    message = {others[key] if key in renamed else key: value for key, value in message.items()}
    for key, other in others.items():
        if key in message and draw(st.booleans()):
            message[other] = draw(json_values)
    if kind in OTHER_TYPES and draw(st.booleans()):
        message["type"] = OTHER_TYPES[kind]
    if kind == "start_game" and "id" in message and draw(st.booleans()):
        message["id"] = str(message["id"])
    for key in set(message) & {*VALUES[kind], *others.values()}:
        if draw(st.booleans()):
            message[key] = as_fractions(message[key])
    return message


def as_fractions(value: Any) -> Any:
    if isinstance(value, list):
        return [as_fractions(item) for item in value]
    return float(value) if type(value) is int and abs(value) <= 2**53 else value


def _without_key(draw: st.DrawFn, message: Message) -> None:
    if message:
        del message[draw(st.sampled_from(sorted(message)))]


def _other_value(draw: st.DrawFn, message: Message) -> None:
    if message:
        message[draw(st.sampled_from(sorted(message)))] = draw(json_values)


def _other_item(draw: st.DrawFn, message: Message) -> None:
    """Change, add or take away an item of a list, however deep."""
    lists = [value for value in message.values() if isinstance(value, list)]
    while lists:
        chosen = draw(st.sampled_from(lists))
        lists = [item for item in chosen if isinstance(item, list)]
        if not lists or draw(st.booleans()):
            begin = draw(st.integers(0, len(chosen)))
            chosen[begin : begin + draw(st.integers(0, 1))] = draw(st.lists(scalars, max_size=1))
            return


def _other_type(draw: st.DrawFn, message: Message) -> None:
    types = sorted({*VALUES, *OTHER_TYPES.values()})
    message["type"] = draw(st.sampled_from(types) | st.sampled_from(["Dahai", "", "reach "]) | json_values)


def _further_key(draw: st.DrawFn, message: Message) -> None:
    own = {key for keys in VALUES.values() for key in keys}
    others = {key for keys in OTHER_KEYS.values() for key in keys.values()}
    message[draw(st.sampled_from(sorted(own | others)))] = draw(json_values)


BREAKAGES: list[Callable[[st.DrawFn, Message], None]] = [
    *(_without_key, _other_value, _other_item, _other_type, _further_key)
]


@st.composite
def broken_messages(draw: st.DrawFn) -> Any:
    """Make a message with something changed at random, mostly so that it is none any more; or no object at all."""
    if draw(st.integers(0, 20)) == 0:
        return draw(json_values)
    message = draw(older_messages())
    for breakage in draw(st.lists(st.sampled_from(BREAKAGES), min_size=1, max_size=3)):
        breakage(draw, message)
    return message
