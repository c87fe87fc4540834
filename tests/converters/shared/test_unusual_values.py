"""A record with values that no game has: each writer refuses it with the reason, or carries all of it."""

from collections.abc import Mapping
from typing import Any, Final

from corpus_files import SAMPLE
from logs import lines, messages
from looped import looped
from mjconv.converters import formats
from mjconv.ir.errors import PlayError, UnsupportedError
from trips import read, write

LOG: Final = messages(SAMPLE.read_bytes())
TARGETS: Final = [name for name in formats.known_names() if formats.find(name)[0].writes and name != "tenhou-url"]
#: The key of each edit: a kind of message, of which the first one gets these values.
EDITS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "a name is missing": ("start_game", {"names": ["A", "B", "C"]}),
    "a score is missing": ("start_kyoku", {"scores": [25000] * 3}),
    "a hand is missing": ("start_kyoku", {"tehais": [["1m"] * 13] * 3}),
    "a final score is missing": ("end_game", {"scores": [1000] * 3}),
    "a gain is missing": ("hora", {"deltas": [1000, -1000, 0]}),
    "a gain of a draw is missing": ("ryukyoku", {"deltas": [1000, -1000, 0]}),
    "honba of five digits": ("start_kyoku", {"honba": 10_000}),
    "sticks of seven digits": ("start_kyoku", {"kyotaku": 1_000_001}),
    **{f"{key} of ten digits": ("start_kyoku", {key: 1_000_000_000}) for key in ("honba", "kyotaku")},
    "points of ten digits": ("start_kyoku", {"scores": [1_000_000_000] * 4}),
    **{f"gains of {kind} of ten digits": (kind, {"deltas": [1_000_000_000] * 4}) for kind in ("hora", "ryukyoku")},
    **{f"{key} of ten digits": ("hora", {key: 1_000_000_000}) for key in ("fan", "fu", "hora_points")},
    "a yaku of han of ten digits": ("hora", {"yakus": [["riichi", 1_000_000_000]]}),
}


def edited(kind: str, values: dict[str, Any]) -> bytes:
    at = next(at for at, message in enumerate(LOG) if message["type"] == kind)
    return lines([*LOG[:at], LOG[at] | values, *LOG[at + 1 :]])


def twice(kind: str, other: str) -> bytes:
    """Return the log with a message after the first result of a kind: a second result."""
    at = next(at for at, message in enumerate(LOG) if message["type"] == kind)
    return lines([*LOG[: at + 1], LOG[at] if kind == other else {"type": other}, *LOG[at + 1 :]])


RECORDS: Final = {
    **{what: edited(*edit) for what, edit in EDITS.items()},
    "two draws": twice("ryukyoku", "ryukyoku"),
    "a draw after a win": twice("hora", "ryukyoku"),
}


@looped("what", *RECORDS)
def test_a_writer_refuses_a_record_with_the_reason_or_carries_all_of_it(what: str) -> None:
    for target in TARGETS:
        matches = read(RECORDS[what], "mjai").matches
        try:
            text = write(matches, target).data
        except (UnsupportedError, PlayError) as refusal:
            error = refusal
        else:
            assert read(text, target).matches == matches or not formats.find(target)[0].notes
            continue
        assert error.message.startswith(("match 1", f"{formats.find(target)[0].called} records games of"))
