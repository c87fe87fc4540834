"""Impossible play: a target that replays the events refuses it, any other target writes it with one warning."""

import os
import re
from contextlib import suppress
from pathlib import Path

import pytest

import mjconv
from corpus_files import CORPUS, SAMPLE, TYPED, broken_files
from looped import looped
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.converters.shared.impossible import note_impossible
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError, PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

UNHELD = CORPUS / "broken" / "discard-not-held.mjson"
#: The warning about that file.
FIRST = "match 1, round E1-0, line 4: impossible play: player 0 does not hold 9p (2 impossible events in all)"


def count(match: Match) -> int:
    report = Report()
    note_impossible(match, 0, report)
    return report.impossible


def impossible_matches() -> list[tuple[str, Match]]:
    """Return the matches of the broken files of mjai that can be read, and whose play is impossible."""
    mjai, _ = formats.find("mjai")
    readable = []
    for path in broken_files():
        if path.suffix == ".mjson":
            with suppress(MjconvError):
                readable += [(path.stem, match) for match in hub.read_matches(mjai, path.read_bytes(), Report())]
    return [(name, match) for name, match in readable if count(match)]


IMPOSSIBLE = impossible_matches()
PLAYING = [form for form in formats.FORMATS if form.writes and form.writer_plays]


def test_the_corpus_breaks_each_rule_of_the_table() -> None:
    assert len(IMPOSSIBLE) >= 10


@looped("form", *PLAYING)
@looped("name", *[name for name, _ in IMPOSSIBLE])
def test_a_writer_that_plays_refuses_impossible_play(form: Format, name: str) -> None:
    for flavour in ("", *form.flavours):
        with pytest.raises((PlayError, UnsupportedError)):
            hub.written(form, [dict(IMPOSSIBLE)[name]], Report(), WriteOptions(flavour))


@looped("form", *PLAYING)
@looped(
    "event",
    ev.Draw(5, "1m"),
    ev.Discard(5, "1p", tsumogiri=False),
    ev.Daiminkan(5, 0, "9s", ("9s",) * 3),
    ev.Win(5, 0, "9s"),
)
def test_a_player_who_is_not_at_the_table_is_refused(form: Format, event: ev.Event) -> None:
    hands = (("1p",) * 13, ("2p",) * 13, ("3p",) * 13, ("4p",) * 13)
    begun: list[ev.Event] = [ev.StartRound("E", "9m", 1, 0, 0, 0, (25000,) * 4, hands), ev.Draw(0, "9s")]
    if not isinstance(event, ev.Draw):
        begun.append(ev.Discard(0, "9s", tsumogiri=True))
    with pytest.raises((PlayError, UnsupportedError)):
        hub.written(form, [Match(rounds=[Round([*begun, event])])], Report(), WriteOptions())


@looped("path", *[path for path in broken_files() if path.suffix in (".jmjp", ".uzje")])
def test_a_reader_that_plays_refuses_impossible_play(path: Path) -> None:
    form = formats.by_extension(path.name)[0][0]
    assert form.reader_plays
    try:
        matches = hub.read_matches(form, path.read_bytes(), Report())
    except MjconvError:
        return
    assert sum(map(count, matches)) == 0


def test_a_target_that_does_not_play_writes_it_with_one_warning_that_names_the_first_event() -> None:
    data = UNHELD.read_bytes()
    conversion = mjconv.convert(data * 2, source="mjai", target="mjai")
    assert (conversion.data, conversion.impossible) == (data * 2, 4)
    assert [str(warning) for warning in conversion.warnings] == [FIRST.replace("2 impossible", "4 impossible")]


def test_the_place_is_that_of_a_source_whose_reader_does_not_play() -> None:
    log = (CORPUS / "tenhou" / "hanchan.mjlog").read_bytes()
    draw = re.search(rb"<D\d+/>", log)
    assert draw
    text = log[: draw.start()] + b"<D135/>" + log[draw.start() :]
    warning = mjconv.convert(text, source="tenhou", target="mjai").warnings[-1]
    assert warning.message.startswith("impossible play: player 0 discards, where the table waits for a draw")
    assert (warning.line, warning.column) == (1, draw.end() + 1)


def test_a_source_whose_reader_plays_is_not_played_again() -> None:
    data = TYPED.encode()
    assert mjconv.convert(data, source="jmjp", target="mjai").impossible == 0


def test_the_library_warns_where_it_writes(tmp_path: Path) -> None:
    with pytest.warns(mjconv.MjconvWarning, match="impossible play: player 0 does not hold 9p"):
        mjconv.write(mjconv.read(UNHELD), tmp_path / "game.mjson")
    match = mjconv.read(UNHELD)
    with pytest.warns(mjconv.MjconvWarning, match="^<output>: match 1, round E1-0: impossible play") as caught:
        mjconv.write_bytes(match, "mjai")
    assert {warning.filename for warning in caught} == {__file__}


def test_answers_of_a_player_that_the_host_repeats_are_possible() -> None:
    game = SAMPLE.read_bytes()
    lines = mjconv.convert(game, source="mjai", target="mjai", seat=0).data.splitlines(keepends=True)
    first = next(index for index, line in enumerate(lines) if line.startswith(b'{"type":"dahai","actor":0'))
    stream = b"".join([*lines[: first + 1], *lines[first:]])
    assert mjconv.convert(stream, source="mjai", target="mjai").impossible == 0


@looped("target", "tenhou", "tenhou-json", "majiang", "mjx")
@looped("kind", "dahai", "hora")
def test_an_event_written_twice_in_a_record_that_shows_all_hands_is_no_answer(kind: str, target: str) -> None:
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    first = next(index for index, line in enumerate(lines) if line.startswith(b'{"type":"%b"' % kind.encode()))
    doubled = b"".join([*lines[: first + 1], *lines[first:]])
    assert mjconv.convert(doubled, source="mjai", target="mjai").impossible > 0
    with pytest.raises(mjconv.PlayError, match=r"round E1-0, message \d+"):
        mjconv.convert(doubled, source="mjai", target=target)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::mjconv.MjconvWarning")
@pytest.mark.skipif("MJCONV_REAL_LOGS" not in os.environ, reason="needs real logs")
def test_no_event_of_a_real_record_is_impossible() -> None:
    records = mjconv.iter_records(Path(os.environ["MJCONV_REAL_LOGS"]), errors=lambda _: None)
    assert [record.source for record in records if count(record.match)] == []
