"""Notes from a hostile hand: refused in words or left out with a warning, and never a crash."""

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from corpus_files import CORPUS
from handmade import LOG, NAMES, hand_made_round
from logs import lines
from looped import looped
from mjconv.converters import formats
from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared.carry import carry
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, MjconvError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from noted import back, mjai, noted, notes_in, rounds_of
from strategies import json_values
from trips import known, read, write

#: What the note of the match has in it, and the one of the second round.
MARKS = {"match": '"match":', "round": '"label":"E2-0"'}


def with_note(whole: str, patch: Any, **keys: Any) -> str:
    """Return a text with another note that is the match's or the second round's by its digest."""
    text = noted()
    [before] = [line for line in notes_in(text) if MARKS[whole] in line]
    note = {**json.loads(before.removeprefix("//@mjconv ")), whole: patch, **keys}
    return text.replace(before, f"//@mjconv {msgspec.json.encode(note).decode()}\n")


def refusal(text: str, message: str | None = None) -> InputError:
    """Return the error of a note that is refused with its place."""
    data = text.encode("utf-8", "surrogatepass").replace(b"\xed\xa0\x80", b"\\ud800")
    with pytest.raises(InputError, match=message) as caught:
        read(data, "jmjp")
    assert "@mjconv" in known(caught.value.place).text
    return caught.value


@looped(
    ("note", "message"),
    ("", "the note is no JSON"),
    ("{", "the note is no JSON"),
    ("[" * 100_000, "the note is no JSON"),
    ('{"round":{"digest":"\ud800"}}', "the note is no JSON"),
    ("[7]", "the note is not well-formed: Expected `object`, got `int`"),
    ("1e999", "the note is n"),
    ('{"v":4,"kinds":{}}', "the note is not well-formed: Object contains unknown field `kinds`"),
    ('{"v":4}', "the note is not well-formed: it has either a `match` or a `round`"),
    ('{"v":4,"round":{},"match":{}}', "the note is not well-formed: it has either a `match` or a `round`"),
    ('{"v":4,"digest":1,"round":{}}', r"not well-formed: Expected `str`, got `int` - at `\$.digest`"),
    ('{"v":4,"round":{"events":[{"at":"0"}]}}', r"Expected `int`, got `str` - at `\$.round.events\[0\].at`"),
    ('{"v":4,"round":{"events":[{"at":1e999}]}}', "the note is n"),
    ('{"v":4,"round":{"events":[{"at":0,"delete":null}]}}', "Expected `int`, got `null`"),
    ('{"v":4,"round":{"events":[{"at":0,"undo":1}]}}', "unknown field `undo`"),
    ('{"v":4,"round":{},"original":{"flavour":"a","data":""}}', "only the note of a match has an `original`"),
    ('{"v":4,"round":{"hints":[]}}', r"Expected `object`, got `array` - at `\$.round.hints`"),
)
def test_a_note_that_is_no_note_is_refused_with_its_place(note: str, message: str) -> None:
    refusal(noted().replace("mtp[", f"//@mjconv {note}\nmtp["), message)


@looped(
    ("whole", "note", "message"),
    ("round", {"events": [{"at": 99, "delete": 1}]}, "no events 99 to 100"),
    ("round", {"events": [{"at": -1, "delete": 1}]}, "no events -1 to 0"),
    ("round", {"events": [{"at": 2, "delete": -1}]}, "no events 2 to 1"),
    ("round", {"events": [{"at": 5, "set": {"meta": 1}}]}, "no event 5 among 5"),
    ("round", {"events": [{"at": 2, "delete": 1}, {"at": 2, "delete": 1}]}, "no events 2 to 3"),
    ("round", {"events": [{"at": 10**15, "set": {"meta": 1}}]}, "no events 1000000000000000"),
    ("round", {"events": [{"at": 0, "insert": [{"type": "kong"}]}]}, "Unknown message type 'kong'"),
    ("round", {"events": [{"at": 0, "insert": [{}]}]}, "Unknown message type None"),
    ("round", {"events": [{"at": 1, "set": {"actor": 9}}]}, ".*actor"),
    ("round", {"events": [{"at": 1, "set": {"pai": "5x"}}]}, ".*pai"),
    ("round", {"events": [{"at": 1, "unset": ["actor"]}]}, ".*actor"),
    ("round", {"events": [{"at": 1, "unset": ["type"]}]}, "Unknown message type None"),
    ("round", {"set": {"events": []}}, "a round has no 'events'"),
    ("round", {"set": {"players": []}}, "a round has no 'players'"),
    ("round", {"unset": ["players"]}, "a round has no 'players'"),
    ("round", {"set": {"dice": ["x"]}}, r"dice\[0\]: Expected `int`, got `str`"),
    ("round", {"set": {"annotations": [{"index": 1, "kind": "left", "seat": 9}]}}, r"annotations\[0\].seat: "),
    *(
        (
            "round",
            {"set": {"annotations": [{"index": index, "kind": "emote"} for index in indices]}},
            "the indices",
        )
        for indices in ([-1], [99], [2, 1])
    ),
    ("round", {"opening": [{"at": 0, "delete": 1}]}, "a round has no 'opening'"),
    ("round", {"hints": {"dora": "never"}}, "hints: Invalid enum value 'never'"),
    ("round", {"hints": {"wind": "E"}}, "hints: Object contains unknown field `wind`"),
    ("match", {"opening": [{"at": 3, "delete": 1}]}, "no events 3 to 4"),
    ("match", {"events": [{"at": 0, "delete": 1}]}, "a match has no 'events'"),
    ("match", {"set": {"rounds": []}}, "a match has no 'rounds'"),
    ("match", {"set": {"date": "2018-13-01"}}, "date: Invalid RFC3339 encoded date"),
    ("match", {"set": {"players": [{"nom": "x"}]}}, r"players\[0\]: .*nom"),
    ("match", {"set": {"players": [{"rating": "NaN"}]}}, r"players\[0\]: a rating must be a number"),
    ("match", {"set": {"players": [{"rating": "1e99999"}]}}, r"players\[0\]: a rating must be a number"),
    ("match", {"set": {"rules": {"start": 10**30}}}, r"rules.start: Expected `int` <= 1000000000"),
    ("match", {"hints": {"shift": []}}, "hints: Expected `int`, got `array`"),
)
def test_a_note_that_does_not_fit_is_refused_with_its_place(whole: str, note: Any, message: str) -> None:
    refusal(with_note(whole, note), f"the note does not fit: {message}")


def test_the_place_of_a_note_that_does_not_fit_is_its_own() -> None:
    text = with_note("round", {"events": [{"at": 99, "delete": 1}]})
    place = refusal(text).place
    line = text.splitlines()[place.line - 1 if place else 0]
    assert line.startswith('//@mjconv {"v":4,"label":"E2-0"')
    assert "99" in line


def test_digests_of_fields_that_no_match_has_are_passed_over_and_a_player_too_few_comes_from_the_text() -> None:
    fields = dict.fromkeys(("nonsense", "rounds", "players", "players.9.name", "players.3.nonsense"), "00")
    assert back(with_note("match", {}, fields=fields))[1].warnings == []
    was = read(with_note("match", {"set": {"players": []}}, fields={"players.3.name": "00"}).encode(), "jmjp")
    assert [player.name and player.name.shown for player in was.match.players][3:] == NAMES[3:]


def test_the_note_of_another_version_is_ignored_with_a_warning() -> None:
    ignored = "the note of this {} has version 9; this mjconv reads version 4. The note was ignored"
    said, was = back(with_note("round", {"events": [{"at": 99, "delete": 1}]}, v=9))
    assert rounds_of(said)[0] == rounds_of(LOG)[0]
    assert rounds_of(said)[1][0] == {key: value for key, value in LOG[6].items() if key != "meta"}
    assert [warning.message for warning in was.warnings] == [ignored.format("round")]
    said, was = back(with_note("match", {}, v=9))
    assert said[0] == {"type": "start_game", "names": NAMES}
    assert [warning.message for warning in was.warnings] == [ignored.format("match")]


@looped("number", 2**31, -(2**70), 10**400)
def test_absurd_numbers_in_notes_are_taken_for_seats_or_refused(number: int) -> None:
    for text in (with_note("match", {"hints": {"shift": 0}}), with_note("round", {"hints": {"dealer": 0}})):
        absurd = text.replace('"shift":0', f'"shift":{number}').replace('"dealer":0', f'"dealer":{number}')
        assert str(number) in absurd
        survives(absurd)


def test_a_huge_note_is_read() -> None:
    meta = {"meta": ["x" * 1000] * 10_000}
    said, _ = back(with_note("round", {"events": [{"at": 0, "set": meta}]}))
    assert rounds_of(said)[1][0]["meta"] == meta["meta"]


def survives(data: str | bytes, source: str = "jmjp") -> None:
    """Check that a text is read and written everywhere, or refused in words."""
    with suppress(MjconvError):
        was = read(data if isinstance(data, bytes) else data.encode("utf-8", "replace"), source)
        for target in ("mjai", "mjai-batch", "jmjp", "jmjp-0"):
            with suppress(MjconvError):
                write(was.matches, target)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Make objects with some of these fields."""
    return st.fixed_dictionaries({}, optional=fields)


#: The values of a note, and those that a hand may put in their place.
DAHAI = {"type": "dahai", "actor": 0, "pai": "1m"}
VALUES = json_values | st.sampled_from(
    [[], {}, {"type": "hora"}, DAHAI, [{"at": 0}], 10**30, -1, "E", "1970-01-01"]
)
ANY_TILE = st.sampled_from(["1m", "5pr", "N", "?", "16m", "Z", "H", "3f"])
TILES = st.lists(ANY_TILE, max_size=5)
NUMBERS = st.sampled_from([0, 1, 3, 4, 5, -1, 100, 50, 10**9, 10**12])
MELDS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["chi", "pon", "daiminkan", "kakan", "ankan", "nukidora"]), "own": TILES},
    optional={"called": ANY_TILE, "target": NUMBERS, "added": ANY_TILE},
)
WORDS = st.sampled_from(["", "a", 'a"', "a\\", "mlg", "\n//"])
TEXTS = some(native=WORDS, roman=WORDS, code=WORDS)
PERSONS = some(last=TEXTS, first=TEXTS)
POINTS = some(personal=NUMBERS, team=NUMBERS)
ROUND_NAMES = st.fixed_dictionaries({"wind": st.sampled_from("EN"), "number": NUMBERS, "honba": NUMBERS})
#: The fields of a round and of a match, with values of the right type that need not make sense.
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "wall": TILES,
    "rules": some(start=NUMBERS, returning=NUMBERS, honba=NUMBERS, tenpai=NUMBERS, base=st.just("0.5")),
    "date": st.sampled_from(["2018-10-01", "0001-01-01"]),
    "dice": st.lists(NUMBERS, max_size=3),
    "comment": TEXTS,
    "scores_after": st.lists(NUMBERS, min_size=3, max_size=4),
    "blocked": st.lists(NUMBERS, max_size=2),
    "dealt_fourteen": st.booleans(),
    "final_hands": st.lists(
        st.builds(dict, some(last=ANY_TILE, melds=st.lists(MELDS, max_size=2)), concealed=TILES), max_size=5
    ),
    "assumed": st.lists(st.sampled_from(["kyotaku", "oya", "x"]), max_size=2),
    "extras": st.dictionaries(st.sampled_from(["jmjp", "x"]), VALUES),
    "players": st.lists(some(name=PERSONS, team=TEXTS, affiliation=TEXTS, points_before=POINTS), max_size=7),
    "tournament": some(name=TEXTS, year=NUMBERS, stage=TEXTS, number_in_day=NUMBERS),
    "weekday": st.sampled_from(["sun", "sat"]),
    "time": st.sampled_from(["19:00:00", "19:00:59.5", "23:59:00+09:00"]),
    "place": TEXTS,
    "recorders": st.lists(
        some(name=PERSONS, rounds=st.just("all") | st.lists(ROUND_NAMES, max_size=2)), max_size=2
    ),
    "final_scores": st.lists(NUMBERS, min_size=3, max_size=4),
    "points_after": st.lists(POINTS, max_size=5),
}
OF_ROUNDS = {
    "wall", "rules", "date", "dice", "comment", "scores_after", "blocked", "dealt_fourteen", "final_hands",
    "assumed", "extras",
}  # fmt: skip


def field_values(names: set[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Set some of these fields, mostly to values of the right type; now and then any field to anything."""
    right = some(**{name: FIELDS[name] for name in sorted(names)})
    return right | right | right | st.dictionaries(st.sampled_from(sorted(FIELDS)), VALUES, max_size=2)


EDITS = st.fixed_dictionaries(
    {"at": st.integers(-1, 6)},
    optional={
        "delete": st.integers(-1, 6),
        "insert": st.lists(
            st.sampled_from([*hand_made_round(2), *LOG[:1], {"type": "end_game"}, {"type": "none"}]) | VALUES,
            max_size=2,
        ),
        "set": st.dictionaries(st.sampled_from(["actor", "pai", "oya", "kyoku", "scores", "deltas", "x"]), VALUES),
        "unset": st.lists(st.sampled_from(["actor", "pai", "tehais", "oya", "scores", "kyoku", "honba"])),
    },
)


def hostile_notes(fields: set[str], lists: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    edits = dict.fromkeys(lists, st.lists(EDITS, max_size=2))
    return some(set=field_values(fields), unset=st.lists(st.sampled_from(sorted(fields)), max_size=2), **edits)


ROUND_NOTES = hostile_notes(OF_ROUNDS, ["events"])
MATCH_NOTES = hostile_notes(set(FIELDS) - OF_ROUNDS | {"rules", "date", "extras"}, ["opening", "closing"])

DORA = st.sampled_from(["before-discard", "after-reach", "after-discard"])


@given(note=ROUND_NOTES, own=some(dealer=st.integers(-5, 5), dora=DORA))
@example(note={"events": [{"at": 0, "unset": ["scores", "kyoku", "oya", "bakaze"]}]}, own={})
@example(note={"events": [{"at": 0, "delete": 5}]}, own={})
@example(note={"set": {"final_hands": []}}, own={})
@example(note={"set": {"final_hands": [{"concealed": ["Z"]}] * 4}}, own={})
@settings(max_examples=3 * settings().max_examples)
def test_no_note_of_a_round_makes_a_crash(note: Any, own: Any) -> None:
    survives(with_note("round", {**note, "hints": own}))


@given(note=MATCH_NOTES, own=some(shift=st.integers(-5, 5)))
@example(note={"set": {"players": []}}, own={})
@example(note={"set": {"players": [{}] * 7}}, own={})
@settings(max_examples=3 * settings().max_examples)
def test_no_note_of_a_match_makes_a_crash(note: Any, own: Any) -> None:
    survives(with_note("match", {**note, "hints": own}))


@given(note=st.recursive(VALUES, lambda inner: st.dictionaries(st.sampled_from(["round", "match", "v"]), inner)))
@settings(max_examples=settings().max_examples)
def test_no_json_in_the_place_of_a_note_makes_a_crash(note: Any) -> None:
    survives(noted().replace("mtp[", f"//@mjconv {json.dumps(note)}\nmtp["))


MJAI = mjai()


@given(note=ROUND_NOTES)
@settings(max_examples=2 * settings().max_examples)
def test_no_note_of_a_round_in_mjai_makes_a_crash(note: Any) -> None:
    deal = next(place for place, message in enumerate(MJAI) if message.get("meta") == "2.0")
    survives(with_mjai_note(deal, "round", note), "mjai")


@given(note=MATCH_NOTES)
@example(note={"opening": [{"at": 1, "set": {"actor": []}}]})
@settings(max_examples=2 * settings().max_examples)
def test_no_note_of_a_match_in_mjai_makes_a_crash(note: Any) -> None:
    survives(with_mjai_note(0, "match", note), "mjai")


def with_mjai_note(place: int, whole: str, note: Any) -> bytes:
    noted = MJAI[place] | {"mjconv": {**MJAI[place]["mjconv"], whole: note}}
    return lines([*MJAI[:place], noted, *MJAI[place + 1 :]])


@given(note=st.recursive(VALUES, lambda inner: st.dictionaries(st.sampled_from(["round", "match", "v"]), inner)))
@settings(max_examples=settings().max_examples)
def test_no_value_of_the_key_makes_a_crash(note: Any) -> None:
    for place in (0, 1, 2):
        survives(lines([m | {"mjconv": note} if n == place else m for n, m in enumerate(LOG)]), "mjai")


# Lies in rounds that a writer completes.


def lied(target: str, kind: type[ev.Event], **values: Any) -> tuple[Match, list[str]]:
    """Write a game, change the first event of a kind by the note of its round; read that, and its warnings."""
    form, flavour = formats.find(target)
    [match] = read((CORPUS / "tenhou" / "hanchan.mjlog").read_bytes(), "tenhou").matches
    [visible] = read(write([structs.replace(match, original=None)], target, plain=True).data, target).matches
    places = [(index, at) for index, one in enumerate(visible.rounds) for at, _ in enumerate(one.events)]
    index, at = next(place for place in places if type(visible.rounds[place[0]].events[place[1]]) is kind)
    events, rounds = list(visible.rounds[index].events), list(visible.rounds)
    events[at] = structs.replace(events[at], **values)
    rounds[index] = structs.replace(rounds[index], events=events)
    false = structs.replace(visible, rounds=rounds, original=None)
    options = WriteOptions(flavour)
    rendered = form.render(visible, None, True, options)
    was = read(b"".join(carry(false, rendered, visible, form, options, Report(), 0)), target)
    assert was.match.rounds[index].events == visible.rounds[index].events
    return was.match, [warning.message for warning in was.warnings]


@looped("target", "tenhou", "tenhou-json", "majsoul", "majiang")
@looped("values", {"liable": 3}, {"deltas": (0, 0, 0, 0)}, ids=str)
def test_a_lie_about_a_win_is_ignored(target: str, values: dict[str, Any]) -> None:
    _, warnings = lied(target, ev.Win, **values)
    assert "the note of this round contradicts the text. The note was ignored" in warnings


def test_comments_of_an_mjlog_that_do_not_end_take_linear_time() -> None:
    """The pattern of a comment is not searched after the last end of one."""
    with pytest.raises(InputError, match="a comment that does not end"):
        read(b'<mjloggm ver="2.3">' + b"<!--" * 500_000, "tenhou")
