"""Every limit: what is at it is read, what is beyond it is refused in words that name it."""

import gzip
import io
import pickle
import re
import threading
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from itertools import product
from pathlib import Path

import pytest
from msgspec import structs

import mjconv
from corpus_files import CORPUS, SAMPLE, TYPED
from faults import leniently
from handmade import LOG
from logs import lines
from looped import looped
from mjconv.converters import formats
from mjconv.files import reading as files
from mjconv.ir import events as ev
from mjconv.ir import limits
from mjconv.ir.errors import InputError, UsageError
from mjconv.ir.limits import LimitError, Limits, using
from mjconv.ir.match import Answer, Original
from trips import read, write

DAY = "A B C D\n- - - -\n- 3 - d\n"
HANDS = ",".join(['["?"' + ',"?"' * 12 + "]"] * 4)
DEAL = f'{{"type":"start_kyoku","oya":0,"dora_marker":"1m","tehais":[{HANDS}]%s}}\n'
UZJE = (CORPUS / "uzje" / "riichi.uzje").read_bytes()
JMJP = TYPED.encode()
#: The formats that hold games of riichi.
WRITTEN = [form.id for form in formats.FORMATS if form.writes and form.holds.has("riichi")]
NOTED = [form.id for form in formats.FORMATS if form.notes and form.holds.has("riichi")]


def refused(limit: Limits, name: str, work: Callable[[], object]) -> str:
    with using(limit), pytest.raises(InputError) as caught:
        work()
    assert f"(the limit {name}; --limit {name}=NUMBER raises it)" in caught.value.message
    return str(caught.value)


def edge(name: str, most: int, work: Callable[[], object]) -> str:
    """Check that work is done at a limit, and refused one below it. Return the error."""
    field = name.replace("-", "_")
    with using(Limits(**{field: most})):
        assert work()
    return refused(Limits(**{field: most - 1}), name, work)


class TestEach:
    def test_file_bytes(self, tmp_path: Path) -> None:
        path = tmp_path / "day.hk"
        path.write_text(DAY)
        said = edge("file-bytes", len(DAY), lambda: mjconv.read(path))
        assert said.startswith(f"{path}: is larger than {len(DAY) - 1} bytes")

    def test_unpacked_bytes(self) -> None:
        data = gzip.compress(DAY.encode())
        edge("unpacked-bytes", len(DAY), lambda: mjconv.convert(data, source="hk", target="hk").data)

    def test_expansion(self) -> None:
        data = gzip.compress(b"#" + b" " * (8 << 20) + b"\n" + DAY.encode())
        with using(Limits(expansion=2000)):
            assert mjconv.convert(data, source="hk", target="hk").data
        refused(Limits(expansion=100), "expansion", lambda: mjconv.convert(data, source="hk", target="hk"))

    def test_expansion_is_no_matter_of_small_files(self) -> None:
        data = gzip.compress(b"#" + b" " * (1 << 20) + b"\n" + DAY.encode())
        with using(Limits(expansion=1)):
            assert mjconv.convert(data, source="hk", target="hk").data

    def test_archive_members(self, tmp_path: Path) -> None:
        path = tmp_path / "days.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for number in range(3):
                archive.writestr(f"{number}.hk", DAY)
        said = edge("archive-members", 3, lambda: len(list(mjconv.iter_matches(path))) == 3)
        assert said.startswith(f"{path}: holds more than 2 members")

    @looped("source", *WRITTEN)
    def test_line_bytes(self, source: str) -> None:
        data = mjconv.convert(JMJP, source="jmjp", target=source).data
        longest = max(map(len, data.split(b"\n")))
        said = edge("line-bytes", longest, lambda: read(data, source))
        number = next(n for n, line in enumerate(data.split(b"\n"), 1) if len(line) == longest)
        assert said.startswith(f"<input>:{number}:1: a line is longer than {longest - 1} bytes")

    def test_string_bytes(self) -> None:
        log = '{"type":"start_game"}\n{"type":"error","message":"%s"}\n'
        said = edge("string-bytes", 201, lambda: read(log % ("x" * 201), "mjai"))
        assert said.startswith("<input>:2:27: a string is longer than 200 bytes")

    def test_string_bytes_where_a_string_has_quotes_in_it(self) -> None:
        log = r'{"type":"error","message":"%s","more":"\\"}' + "\n"
        edge("string-bytes", 200, lambda: read(log % (r"\"" * 100), "mjai"))

    @pytest.mark.parametrize("most", range(1, 6))
    def test_string_bytes_in_any_line(self, most: int) -> None:
        for parts in product(['"', "\\", ",", "ab"], repeat=7):
            data = "".join(parts).encode()
            is_long = any(len(found) > most + 2 for found in re.findall(rb'"(?:[^"\\]|\\.)*"?', data))
            with using(Limits(string_bytes=most)), pytest.raises(LimitError) if is_long else nullcontext():
                limits.check_strings(data)

    @looped(
        ("source", "text"),
        ("mjai", DEAL % ',"x":[%s]'),
        ("mjai", "[" + DEAL.strip() % ',"x":[%s]' + "]"),
        ("mjai", DEAL % ',"mjconv":{"round":{"digest":"","set":{"x":%s}}}'),
        ("jmjp", JMJP.decode() + '//@mjconv {"round":{"set":{"x":%s}}}'),
        ("uzje", 'E 1 0 4\n\nmjconv: {"round":{"set":{"x":%s}}}\n'),
        ("hk", DAY + '#@mjconv {"round":{"set":{"x":%s}}}\n'),
    )
    def test_digits(self, source: str, text: str) -> None:
        edge("digits", 50, lambda: read(text % ("7" * 50), source))
        refused(Limits(), "digits", lambda: read(text % ("7" * 10_000), source))

    @looped(
        ("source", "text"),
        ("mjai", DEAL % ',"x":%s'),
        ("jmjp", JMJP.decode() + '//@mjconv {"round":{"set":{"x":%s}}}'),
        ("uzje", 'E 1 0 4\n\nmjconv: {"round":{"set":{"x":%s}}}\n'),
        ("hk", DAY + '#@mjconv {"round":{"set":{"x":%s}}}\n'),
    )
    def test_nesting(self, source: str, text: str) -> None:
        around = {"mjai": 1}.get(source, 3)
        deep = text % ("[" * (20 - around) + "]" * (20 - around))
        edge("nesting", 20, lambda: read(deep, source))
        refused(Limits(), "nesting", lambda: read(text % ("[" * 100_000), source))

    # A game that is mjai already needs no note there: mjai is the first of the table.
    @looped("source", *(form for form in NOTED if form != "mjai"), "tenhou-json")
    def test_note_bytes(self, source: str) -> None:
        data = mjconv.convert(SAMPLE.read_bytes(), source="mjai", target=source).data
        assert b"mjconv" in data
        refused(Limits(note_bytes=20), "note-bytes", lambda: read(data, source))

    def test_original_bytes(self) -> None:
        """A note with a larger original is read without it: the original is lost, with a warning."""
        match = structs.replace(read(lines(LOG), "mjai").match, original=Original("tenhou", b"x" * 1000))
        data = write([match], "mjai").data
        with using(Limits(original_bytes=1000)):
            assert read(data, "mjai").match.original == match.original
        with using(Limits(original_bytes=999)):
            was = read(data, "mjai")
        assert (was.match, was.match.original) == (match, None)
        assert [(loss.what, loss.fate) for loss in was.losses] == [("match.original", "dropped")]
        assert "--limit original-bytes=NUMBER raises it" in was.warnings[0].message

    def test_matches(self) -> None:
        log = lines(LOG)
        edge("matches", 3, lambda: read(log * 3, "mjai"))

    def test_rounds(self) -> None:
        said = edge("rounds", 3, lambda: read(DAY + "1 - - -\n", "hk"))
        assert said.startswith("<input>:4:1: a match has more than 2 rounds")

    # A line of scores has no more than three events, and a line of results none.
    @looped("source", *[form for form in WRITTEN if form not in ("hk", "club")])
    def test_events(self, source: str) -> None:
        data = mjconv.convert(JMJP, source="jmjp", target=source).data
        longest = max(len(game_round.events) for game_round in read(data, source).match.rounds)
        assert not edge("events", longest, lambda: read(data, source)).startswith("<input>:1:1:")

    def test_answers(self) -> None:
        match = read(lines(LOG), "mjai").match
        match.rounds[0].answers = (Answer(1, ev.Pass(), seat=0),) * 3
        data = mjconv.write_bytes(match, "jmjp")
        edge("answers", 3, lambda: read(data, "jmjp"))

    def test_tiles(self) -> None:
        longest = max(len(game_round.wall or ()) for game_round in read(UZJE, "uzje").match.rounds)
        with using(Limits(tiles=200)):
            assert len(read(UZJE, "uzje").matches) == 1
        refused(Limits(tiles=max(longest - 1, 60)), "tiles", lambda: read(UZJE, "uzje"))

    def test_faults_are_where_a_lenient_reading_ends(self) -> None:
        with using(Limits(faults=10)):
            was = leniently('{"type":"start_game"}\n' + '{"type":"kong"}\n' * 50, "mjai")
        assert 0 < len(was.faults) <= 11
        assert isinstance(was.faults[-1].error, LimitError)


def test_there_is_a_test_of_each() -> None:
    tested = " ".join(name for name in vars(TestEach) if name.startswith("test_"))
    assert [name for name in Limits.__struct_fields__ if name not in tested] == []


@looped("limit", Limits(line_bytes=5), Limits(rounds=1), Limits(string_bytes=3))
def test_a_lenient_reading_takes_a_limit_as_a_fault(limit: Limits) -> None:
    with using(limit):
        was = leniently('A B C "Daisy"\n- - - -\n- - - -\n', "hk")
    assert was.matches == []
    assert type(was.fault.error) is LimitError


class TestSettings:
    def test_the_names_are_those_of_the_option(self) -> None:
        names = [name.replace("_", "-") for name in Limits.__struct_fields__]
        assert [name for name, _, _ in limits.described()] == names

    @looped(
        ("text", "most"),
        ("500", 500),
        ("2kB", 2000),
        ("2KiB", 2048),
        ("3MB", 3 * 10**6),
        ("1GiB", 1 << 30),
        ("0", 0),
    )
    def test_a_number_of_bytes_may_have_a_unit(self, text: str, most: int) -> None:
        assert limits.parse(f"file-bytes={text}").file_bytes == most

    def test_the_last_of_the_same_counts_and_others_stay(self) -> None:
        read = limits.parse("rounds=1", "events=2", "rounds=3", base=Limits(matches=7))
        assert (read.rounds, read.events, read.matches, read.nesting) == (3, 2, 7, Limits().nesting)

    @looped(
        ("text", "message"),
        ("rounds", "'rounds' is no limit: expected NAME=NUMBER"),
        ("rounds=-1", "'rounds=-1' is no limit"),
        ("rounds=" + "9" * 5000, "is no limit"),
        ("round=1", "there is no limit 'round'; there are file-bytes, "),
        ("rounds=1kB", "the limit rounds has the unit 'kB'; expected none"),
        ("file-bytes=1TB", "has the unit 'TB'; expected kB, MB, GB, KiB, MiB, GiB or none"),
    )
    def test_other_texts_are_no_limits(self, text: str, message: str) -> None:
        with pytest.raises(UsageError) as caught:
            limits.parse(text)
        assert message in str(caught.value)

    def test_inside_a_using_others_hold_and_after_it_those_from_before(self) -> None:
        with using(Limits(rounds=1)):
            with using(Limits(rounds=2)):
                assert limits.current().rounds == 2
            assert limits.current().rounds == 1
        assert limits.current() == Limits()

    def test_an_installed_limit_holds_in_all_threads_and_a_using_in_its_own(self) -> None:
        seen: list[int] = []
        limits.install(Limits(rounds=5))
        try:
            with using(Limits(rounds=1)):
                thread = threading.Thread(target=lambda: seen.append(limits.current().rounds))
                thread.start()
                thread.join()
                seen.append(limits.current().rounds)
        finally:
            limits.install(Limits())
        assert seen == [5, 1]

    def test_errors_and_limits_can_be_sent_between_processes(self) -> None:
        with using(Limits(rounds=3)):
            error = LimitError("rounds", file="x.hk")
        again = pickle.loads(pickle.dumps(error))
        said = "x.hk: a match has more than 3 rounds (the limit rounds; --limit rounds=NUMBER raises it)"
        assert (str(again), str(error), again.limit) == (said, said, "rounds")
        assert pickle.loads(pickle.dumps(Limits(rounds=3))) == Limits(rounds=3)


def test_standard_input_is_bounded_as_files_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(DAY.encode())))
    refused(Limits(file_bytes=3), "file-bytes", lambda: files.read_bytes("-"))


def test_the_page_of_limits_is_the_table_of_them() -> None:
    page = (CORPUS.parent / "docs" / "hostile-input.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    assert rows == [[f"`{name}`", most, counts] for name, most, counts in limits.described()]
