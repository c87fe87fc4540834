"""How matches go through a format: one after another, prepared, with their losses and their places."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mjconv
from corpus_files import CORPUS
from handmade import LOG
from logs import FOLDER, lines
from looped import looped
from mjconv.converters import formats, hub
from mjconv.converters.interface import Files, Format, Holds, Part, Reading, Remark, Rendered, WriteOptions
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Player, Round, Text
from trips import read, write

MJAI = formats.find("mjai")[0]
ORDER: list[str] = []


class Traced(Format):
    """A format whose writer reports when it writes, and what is before it and after."""

    def render(self, match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # type: ignore[override]
        ORDER.append(f"write {before} {last}")
        text = f"{options.flavour}{len(match.rounds)}\n".encode()
        parts = [Part(text), *(Part(b"round\n") for _ in match.rounds), Part(b"")]
        return Rendered(parts, lambda: match, (before or 0) + 1)  # type: ignore[operator]


TRACED = Traced("traced", "of tests", Files({".traced": ""}), notes=None, reads=False, holds=Holds(tiles="all"))


def matches(*, then: Exception | None = None) -> Iterator[Match]:
    for number in range(3):
        ORDER.append(f"read {number}")
        yield Match()
    if then is not None:
        raise then


def test_matches_are_written_as_they_come_one_ahead() -> None:
    ORDER.clear()
    hub.written(TRACED, matches(), Report(), WriteOptions())
    assert ORDER == ["read 0", "read 1", "write None False", "read 2", "write 1 False", "write 2 True"]


def test_an_error_of_reading_comes_after_the_match_before_it_was_written() -> None:
    ORDER.clear()
    with pytest.raises(InputError, match="broken"):
        hub.written(TRACED, matches(then=InputError("broken")), Report(), WriteOptions())
    assert ORDER[-1] == "write 2 False"


def test_a_file_without_a_match_is_empty_or_refused() -> None:
    assert hub.written(MJAI, [], Report(), WriteOptions()) == b""
    with pytest.raises(UnsupportedError, match="at least one match"):
        hub.written(TRACED, [], Report(), WriteOptions())


def test_a_second_match_is_refused_before_the_first_one_is_written() -> None:
    form = Traced("one", "of tests", Files({}, one_match_a_file=("",)), notes=None, reads=False)
    ORDER.clear()
    with pytest.raises(UnsupportedError, match="a file of one holds one match"):
        hub.written(form, matches(), Report(), WriteOptions())
    assert ORDER == ["read 0", "read 1"]


def test_formats_that_are_read_or_written_only() -> None:
    with pytest.raises(UnsupportedError, match="written only"):
        hub.read(TRACED, b"", Report())
    form = Format("heard", "of these tests", Files({}), writes=False)
    with pytest.raises(UnsupportedError, match="read only"):
        hub.written(form, [Match()], Report(), WriteOptions())


def test_seats_are_refused_with_the_number_of_the_match() -> None:
    three = Match([Player(Name(Text(name))) for name in "abc"])
    with pytest.raises(UnsupportedError, match="records games of four players, and match 2 has 3 players"):
        hub.written(TRACED, [Match(), three], Report(), WriteOptions())


class Refusing(Format):
    """A format whose writer cannot play the third event of the second round."""

    def render(self, match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # type: ignore[override]  # noqa: ARG002
        raise PlayError("round E2-0, message 3: not held", at=(0, 1, 2))


def test_an_error_of_a_writer_gets_the_number_of_its_match() -> None:
    form = Refusing("refusing", "of these tests", Files({}), notes=None)
    with pytest.raises(PlayError, match="match 1, round E2-0, message 3: not held") as caught:
        hub.written(form, [Match()], Report(), WriteOptions())
    assert caught.value.at == (0, 1, 2)


class Hinting(Format):
    """A format that restores a dealer by a hint, and knows why a draw is approximated."""

    def render(self, match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # type: ignore[override]  # noqa: ARG002
        remark = Remark("ryukyoku.reason", 1, "approximated", "no word for it")
        parts = [
            Part(b"head\n"),
            Part(b"round\n", hints={} if options.plain else {"dealer": 2}, remarks=self.remarks or (remark,)),
            Part(b""),
        ]
        start = ev.StartRound(oya=0)
        return Rendered(parts, lambda: Match(rounds=[Round([start, ev.Ryukyoku(reason="other")])]))

    @property
    def remarks(self) -> tuple[Remark, ...] | None:
        return None

    @property
    def place_note(self):  # type: ignore[no-untyped-def, override]
        return lambda part, note: part.text + note + b"\n"


SOURCE = Match(rounds=[Round([ev.StartRound(oya=0), ev.Ryukyoku(reason="kaze4")])])


@looped("plain", False, True)
def test_a_remark_gives_a_loss_its_fate_and_its_detail(plain: bool) -> None:
    report = Report()
    form = Hinting("hinting", "of these tests", Files({}), reads=False)
    text = hub.written(form, [SOURCE], report, WriteOptions(plain=plain))
    [loss] = report.losses
    assert (loss.what, loss.event) == ("ryukyoku.reason", 1)
    assert (loss.fate, loss.detail) == ("approximated", "no word for it")
    assert (b'"hints":{"dealer":2}' in text) is not plain


class Silent(Hinting):
    """The same, without a word about the hint."""

    def render(self, match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # type: ignore[override]
        rendered = super().render(match, before, last, options)
        rendered.parts[1].remarks = None
        return rendered


def test_a_value_that_a_hint_restores_is_reported_without_a_remark_of_the_writer() -> None:
    report = Report()
    hub.written(Silent("silent", "of these tests", Files({}), reads=False), [SOURCE], report, WriteOptions())
    losses = {(loss.what, loss.fate) for loss in report.losses}
    assert losses == {("round.dealer", "carried"), ("ryukyoku.reason", "carried")}


class LeavingOut(Hinting):
    """A format whose text leaves out a round, and that needs no hint to know it."""

    def render(self, match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # type: ignore[override]  # noqa: ARG002
        return Rendered([Part(b"head\n"), Part(b""), Part(b"")], lambda: Match(rounds=[Round()]))


def test_a_round_that_the_text_leaves_out_is_in_its_note_alone() -> None:
    form, report = LeavingOut("leaving-out", "of these tests", Files({}), reads=False), Report()
    text = hub.written(form, [Match(rounds=[Round()])], report, WriteOptions())
    assert [(loss.what, loss.fate) for loss in report.losses] == [("match.rounds", "carried")]
    assert b'"round":{}' in text


def test_a_key_that_a_reader_assumed_is_a_loss_where_the_target_states_it() -> None:
    match = read(lines(LOG), "mjai").match
    match.rounds[0].assumed = ("kyotaku",)
    [loss] = write([match], "mjai").losses
    assert (loss.what, loss.fate, loss.round) == ("start_kyoku.kyotaku", "assumed", 0)


def test_each_reading_finds_its_own_events() -> None:
    first, second = hub.read(MJAI, lines(LOG) * 2, Report())
    assert isinstance(first, Reading)
    places = [reading.locate(0, 0, "") for reading in (first, second)]
    assert [place and place.line for place in places] == [2, len(LOG) + 2]


# The values that no field of the hub holds: a conversion names each round and match that loses some.
PLATFORMS = ("majsoul", "riichicity", "majiang", "mjx")
NUMBER = re.compile(rb"[0-9]+")
TENHOU = ("mjlog", "xml", "json")
SAMPLES = [path for name in (*PLATFORMS, "tenhou") for path in sorted((CORPUS / name).iterdir())]
if FOLDER:
    SAMPLES += [path for name in PLATFORMS for path in sorted((Path(FOLDER) / name).iterdir())]
    # Every eighth file is enough here.
    SAMPLES += [path for name in TENHOU for path in sorted((Path(FOLDER) / "tenhou" / name).iterdir())[::8]]


def form_of(path: Path) -> str:
    """Return the format of a sample, by its folder."""
    return "tenhou" if path.parent.name in TENHOU else path.parent.name


def matches_of(path: Path) -> list[Match]:
    return hub.read_matches(formats.find(form_of(path))[0], path.read_bytes(), Report(lenient=True))


@looped("path", *SAMPLES)
def test_a_plain_conversion_names_the_extras_that_it_loses(path: Path) -> None:
    matches = matches_of(path)
    losses = mjconv.convert(path.read_bytes(), source=form_of(path), target="mjai", plain=True).losses
    lost = {(loss.match, loss.round) for loss in losses if loss.what == "round.extras"}
    places = [(at, place, one) for at, match in enumerate(matches) for place, one in enumerate(match.rounds)]
    assert lost == {(at, place) for at, place, one in places if one.extras}
    of_matches = {loss.match for loss in losses if loss.what == "match.extras"}
    assert of_matches == {at for at, match in enumerate(matches) if match.extras}
