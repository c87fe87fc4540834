"""Lenient reading of mjai: each bad message is a fault with its place, all others are read."""

import json
from collections.abc import Callable
from functools import cache, partial
from itertools import accumulate

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from test_mjai_reader import WRONG

import faults
from engine import play
from faults import described, leniently, reported, spot, where
from handmade import DEAL, END, GAME, LOG, PLAY, START
from logs import Message, lines, messages
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.limits import Limits, using
from mjconv.ir.losses import Fault
from mjconv.ir.match import Match, Round
from trips import places, read, write


def read_on(data: bytes) -> tuple[list[Match], list[Fault]]:
    was = reported(data, "mjai")
    return was.matches, was.faults


refused = partial(faults.refused, source="mjai")


def with_line(log: list[Message], at: int, text: str | bytes) -> bytes:
    """Return a log with another line at an index."""
    every = lines(log).splitlines(keepends=True)
    every[at] = (text if isinstance(text, bytes) else text.encode()) + b"\n"
    return b"".join(every)


TOO_MUCH = [
    b'{"type":"join","name":"\xff"}',
    '{"type":"none","x":' + "[" * 300 + "]" * 300 + "}",
    '{"type":"none","x":' + "1" * 5000 + "}",
]


class TestOneBadMessage:
    def test_is_the_fault_that_a_strict_reading_raises_and_the_rest_is_read(self) -> None:
        for text in (*(text for text, _, _ in WRONG if not text.startswith(("[{", '{"type":"hora"'))), *TOO_MUCH):
            matches, [fault] = read_on(with_line(GAME, 3, text))
            assert where(fault) == (0, 0, 2), text
            [kept] = read(lines([*GAME[:3], *GAME[4:]]), "mjai").matches
            assert matches == [kept], text

    def test_before_the_first_round_and_after_the_last_it_is_about_the_match(self) -> None:
        log = [START, {"type": "join"}, *GAME[1:], {"type": "join"}]
        for at in (1, len(log) - 1):
            matches, [fault] = read_on(with_line(log, at, '{"type":"join","name":1}'))
            assert where(fault) == (0, None, None)
            assert [len(game_round.events) for game_round in matches[0].rounds] == [5, 5]


class TestBadBeginningsAndEnds:
    @looped(
        "deal",
        *(json.dumps({**DEAL, **wrong}) for wrong in ({"tehais": [["1m"] * 12] * 4}, {"kyoku": 0})),
        *(json.dumps(DEAL)[:-1], json.dumps(DEAL)[:30], json.dumps(DEAL).replace('"type"', '"kind"')),
        json.dumps(DEAL).replace("start_kyoku", "start_kyouku"),
    )
    @looped("index", 0, 1)
    def test_a_round_whose_deal_is_bad_is_empty_and_in_its_place(self, deal: str, index: int) -> None:
        at = 1 + index * 5
        matches, [fault] = read_on(with_line(GAME, at, deal))
        assert where(fault) == (0, index, 0)
        [expected] = read(lines(GAME), "mjai").matches
        expected.rounds[index] = Round()
        assert matches == [expected]

    def test_a_deal_that_lacks_something_is_kept(self) -> None:
        for key in ("oya", "dora_marker", "tehais"):
            log = [START, {name: value for name, value in DEAL.items() if name != key}, *GAME[2:]]
            [match], [fault] = read_on(lines(log))
            assert where(fault) == (0, 0, 0)
            assert getattr(match.rounds[0].start, key) is UNSET
            assert match.rounds[0].events[1:] == read(lines(GAME), "mjai").match.rounds[0].events[1:]

    def test_a_game_begins_with_a_bad_start_and_ends_with_a_bad_end(self) -> None:
        data = lines([*GAME[:-1]]) + with_line(GAME, 0, '{"type":"start_game","names":["a"]}')
        matches, [fault] = read_on(data)
        assert where(fault) == (1, None, None)
        assert [len(match.rounds) for match in matches] == [2, 2]
        assert matches[1].players == []
        assert matches[1].opening == [ev.StartGame()]
        data = with_line(GAME, len(GAME) - 1, '{"type":"end_game","scores":[1]}') + lines(GAME[1:])
        matches, [fault] = read_on(data)
        assert where(fault) == (0, 1, 5)
        assert [len(match.rounds) for match in matches] == [2, 2]
        assert matches[0].closing == [ev.EndGame()]

    def test_a_win_without_its_target_is_kept(self) -> None:
        [match], [fault] = read_on(lines([*GAME[:4], {"type": "hora", "actor": 0}, PLAY[-1], END]))
        assert where(fault) == (0, 0, 3)
        assert match.rounds[0].events[3:] == [ev.Win(0), ev.EndRound()]


class TestPlayWithoutARound:
    def test_is_one_fault_and_left_out(self) -> None:
        matches, faults = read_on(lines([START, *PLAY, DEAL, *PLAY, END, *PLAY, START, DEAL, *PLAY, END]))
        assert [(fault.error.message, spot(fault)[0], where(fault)) for fault in faults] == [
            ("tsumo before any start_kyoku", 2, (0, None, None)),
            ("tsumo after end_game", 12, (0, None, None)),
        ]
        assert matches == read(lines([START, DEAL, *PLAY, END] * 2), "mjai").matches

    def test_a_bad_message_among_it_is_a_fault_too(self) -> None:
        data = with_line([START, *PLAY, DEAL, *PLAY, END], 2, "{")
        assert [spot(fault)[0] for fault in leniently(data, "mjai").faults] == [2, 3]


def joined(texts: list[str], form: str, array: str) -> bytes:
    """Return messages in a form: lines, or an array with or without line breaks in it."""
    whole = {"lines": "\n".join(texts), "an array a line": array, "one array": array.replace("{", "\n{", 1)}
    return whole[form].encode()


class TestKeysThatStandTwice:
    def test_are_an_error_and_a_lenient_reading_takes_the_last(self) -> None:
        for text, key, column in (
            ('{"type":"tsumo","actor":0,"pai":"1m","pai":"9p"}', "pai", 38),
            ('{"actor":1,"type":"tsumo","actor" : 0,"pai":"9p"}', "actor", 27),
            ('{"type":"tsumo","actor":0,"pai":"9p","x":{"y":1,"z":"a:b","y":2}}', "y", 59),
            ('{"type":"tsumo","actor":0,"pai":"9p","\\u0070ai":"9p"}', "pai", 27),
            ('{"type":"tsumo","actor":0,"pai":"9p","x":"\\u003a","x":"\\u003A"}', "x", 51),
        ):
            whole = with_line(GAME, 2, text)
            for data in (whole, b"[" + whole.replace(b"\n", b",\n")[:-2] + b"]"):
                matches, [fault] = read_on(data)
                assert fault.error.message == f"the message has the key {key!r} twice", text
                assert spot(fault) == (3, column), text
                assert where(fault) == (0, 0, 1), text
                assert matches == read(with_line(GAME, 2, json.dumps(json.loads(text))), "mjai").matches, text

    def test_are_not_seen_where_there_are_none(self) -> None:
        for text in (
            '{"type":"join","name":"a:b","room":"\\"x\\":"}',
            '{"type":"join","name":"\\u003a"}',
            '{ "type" : "join" , "name" : ":" }',
            '{"type":"join","x":{"type":1},"y":[{"type":1},{"type":2}]}',
        ):
            assert read_on(with_line(GAME, 3, text))[1] == [], text

    def test_in_every_message_at_once(self) -> None:
        doubled = [line[:-1] + b"," + line[1:] for line in lines(LOG).splitlines()]
        matches, faults = read_on(b"\n".join(doubled))
        assert [spot(fault)[0] for fault in faults] == list(range(1, len(LOG) + 1))
        assert matches == read(lines(LOG), "mjai").matches

    @looped("spaced", False, True)
    @looped("form", "lines", "an array a line", "one array")
    @looped("at", 0, 3, -1)
    def test_in_one_message_of_any_layout(self, form: str, at: int, *, spaced: bool) -> None:
        separators = (", ", ": ") if spaced else (",", ":")
        texts = [json.dumps(message, ensure_ascii=False, separators=separators) for message in LOG]
        array = f"[{separators[0].join(texts)}]"
        assert read(joined(texts, form, array), "mjai").match == read(lines(LOG), "mjai").match
        texts[at] = texts[at][:-1] + separators[0] + texts[at][1:]
        array = f"[{separators[0].join(texts)}]"
        assert "twice" in refused(joined(texts, form, array)).message


class TestNotes:
    @staticmethod
    def noted() -> list[Message]:
        """Return a log whose match and rounds have notes."""
        match = read(lines(GAME), "mjai").match
        match.extras = {"a": 1}
        for game_round in match.rounds:
            game_round.dice = (1, 2)
        return messages(write([match], "mjai").data)

    def test_of_a_round_that_does_not_fit_leaves_the_round_as_it_is(self) -> None:
        for note, said in (
            (1, "the note is not well-formed: Expected `object | null`"),
            ({"set": {"walls": []}}, "the note does not fit: a round has no 'walls'"),
            ({"set": {"dice": "x"}}, "the note does not fit: dice"),
            ({"events": [{"at": 99}]}, "the note does not fit: no events"),
        ):
            log = self.noted()
            log[1]["mjconv"]["round"] = note
            [match], [fault] = read_on(lines(log))
            assert fault.error.message.startswith(said), note
            assert where(fault) == (0, 0, None), note
            assert [game_round.dice for game_round in match.rounds] == [UNSET, (1, 2)], note
            assert match.extras == {"a": 1}, note

    def test_of_a_match_that_does_not_fit_leaves_the_match_as_it_is(self) -> None:
        log = self.noted()
        log[0]["mjconv"]["match"]["set"] = {"extras": 1}
        [match], [fault] = read_on(lines(log))
        assert where(fault) == (0, None, None)
        assert match.extras == {}
        assert match.rounds[0].dice == (1, 2)

    def test_of_a_message_that_cannot_be_read_goes_with_it(self) -> None:
        log = self.noted()
        log[1]["oya"] = 7
        [match], [fault] = read_on(lines(log))
        assert match.rounds[0] == Round()
        assert match.rounds[1].dice == (1, 2)
        assert where(fault) == (0, 0, 0)


class TestFiles:
    def test_one_in_which_nothing_can_be_read_has_one(self) -> None:
        for data in (b"", b"\n", b"[]", b"\x89PNG\r\n\x1a\n" * 9, b"{" * 9, b"[[[[[", b"x\ny\nz\n"):
            matches, [_] = read_on(data)
            assert matches == [], data

    def test_beyond_the_limit_of_faults_nothing_is_read(self) -> None:
        data = lines(GAME) + b"x\n" * 50 + lines(GAME)
        with using(Limits(faults=10)):
            matches, faults = read_on(data)
            find_place = places("mjai", data, lenient=True)
        assert len(faults) == 11
        assert "more than 10 faults" in faults[-1].error.message
        assert matches == []
        assert find_place(0, 0, 0) is None


class TestArrays:
    def test_that_are_broken_go_on_with_the_next_message(self) -> None:
        for text in (b'{"type":"tsumo","actor":0,', b'{"type":"tsumo","x":"', b"{]},", b"nothing,"):
            texts = [json.dumps(message, ensure_ascii=False).encode() for message in GAME]
            every = [b"[" + texts[0] + b",", *(text + b"," for text in texts[1:-1]), texts[-1] + b"]"]
            every[3] = text
            matches, [fault] = read_on(b"\n".join(every))
            assert where(fault) == (0, 0, 2), text
            assert matches == read(lines([*GAME[:3], *GAME[4:]]), "mjai").matches, text

    def test_on_one_line_do_too(self) -> None:
        for text in ('{"type":"tsumo","actor":0,', '{"type":"tsumo","actor":0,"pai":"0m"}', "{]}", "x"):
            texts = [json.dumps(message) for message in GAME]
            texts[3] = text
            matches, [_] = read_on(f"[{','.join(texts)}]\n{json.dumps(GAME)}\n".encode())
            assert matches == read(lines([*GAME[:3], *GAME[4:]]) + lines(GAME), "mjai").matches, text

    def test_a_comma_that_is_missing_costs_no_message(self) -> None:
        matches, [_] = read_on(json.dumps(GAME).replace("}, {", "} {", 1).encode())
        assert matches == read(lines(GAME), "mjai").matches

    def test_many_on_a_long_line_have_each_its_place(self) -> None:
        bad = '{"type":"tsumo","actor":0,"pai":"あ"}'
        data = json.dumps([START, DEAL]).encode()[:-1] + f", {bad}".encode() * 2000 + b"]"
        _, faults = read_on(data)
        columns = [spot(fault)[1] for fault in faults]
        text = data.decode()
        assert columns == [place + 1 for place in range(len(text)) if text.startswith('"pai":"あ"', place)]


@cache
def engine_lines(seed: int) -> tuple[bytes, ...]:
    return tuple(play(seed, length="east").splitlines())


#: The errors about a missing key: it has no place of its own.
MISSING = {
    "hora: target is missing",
    *(f"start_kyoku: {key} is missing" for key in ("oya", "dora_marker", "tehais")),
}

#: Changes of a line, at one of its bytes.
BREAKS: tuple[Callable[[bytes, int], bytes], ...] = (
    lambda line, at: line[:at],
    lambda line, at: line[:at] + b"\xff" + line[at:],
    lambda line, at: line[:at] + b'"' + line[at:],
    lambda line, at: line[:at] + b"\x00" + line[at:],
    lambda line, at: line[:at] + line[at + 1 :],
    lambda line, at: line[:at] + line[:at] + line[at:],
    lambda line, at: line.replace(b'"actor":', b'"aktor":') + b" " * at,
    lambda line, at: line.replace(b'"type":"', b'"type":"x') + b" " * at,
)


@st.composite
def broken_logs(draw: st.DrawFn) -> tuple[int, dict[int, bytes]]:
    """Return the seed of a game, and seeds for some of its lines. No two lines are neighbours."""
    seed = draw(st.integers(0, 3))
    every = engine_lines(seed)
    chosen = draw(st.sets(st.integers(0, len(every) - 1), max_size=8))
    broken = {}
    for at in sorted(chosen):
        if at - 1 not in broken:
            line = every[at]
            broken[at] = draw(st.sampled_from(BREAKS))(line, draw(st.integers(1, len(line) - 1)))
    return seed, broken


@settings(max_examples=5 * settings().max_examples)
@given(broken_logs())
def test_the_faults_of_a_broken_log_are_its_broken_lines_and_the_rest_is_read(
    log: tuple[int, dict[int, bytes]],
) -> None:
    seed, broken = log
    every = engine_lines(seed)
    data = b"\n".join(broken.get(at, line) for at, line in enumerate(every))
    was = leniently(data, "mjai")
    matches, faults = was.matches, was.faults
    places = [spot(fault)[0] - 1 for fault in faults]
    assert set(places) <= set(broken)
    assert places == sorted(set(places))
    if faults:
        # Each message is decoded before it is grouped.
        misread = [fault for fault in faults if fault.error.message not in MISSING]
        assert described(refused(data)) == described([*misread, *faults][0].error)
    else:
        assert matches == read(data, "mjai").matches
    [whole], [match] = read(b"\n".join(every), "mjai").matches, matches
    # The index of the round of each line, -1 before the first round.
    rounds = [number - 1 for number in accumulate(b'"start_kyoku"' in line for line in every)]
    assert len(match.rounds) == len(whole.rounds)
    touched = {rounds[at] for at in broken}
    for index, (found, expected) in enumerate(zip(match.rounds, whole.rounds, strict=True)):
        assert index in touched or found == expected
