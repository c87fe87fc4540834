"""Notes of the last version are read: files that earlier versions of mjconv wrote restore the same matches."""

import re
from pathlib import Path

import goldens
from corpus_files import CORPUS, SAMPLE
from goldens import GOLDEN, SOURCES
from looped import looped
from mjconv.converters.shared import note_json
from mjconv.ir.answers import together
from mjconv.ir.events import Pon
from mjconv.ir.match import Round
from mjconv.version import VERSION
from trips import bare, read, write

#: A warning that is no fault of a note.
OTHER_DEALER = "by its note, another player deals this round than its number states"


def restores(name: str, data: bytes) -> None:
    """If a round is read otherwise than the file states, `READERS` must be raised."""
    source, form = SOURCES[Path(name).stem]
    was = read(data, Path(name).suffix[1:])
    assert was.matches == read((CORPUS / source).read_bytes(), form).matches
    assert {warning.message for warning in was.warnings} <= {OTHER_DEALER}


@looped("path", *sorted(GOLDEN.glob("*-*/*")))
def test_a_file_of_the_last_version_restores_its_source(path: Path) -> None:
    restores(path.name, path.read_bytes())


def test_the_files_of_this_version_restore_their_sources() -> None:
    """They become golden files of the release."""
    files = dict(goldens.files())
    assert {name.partition(".")[0] for name in files} == set(SOURCES)
    for name, data in files.items():
        restores(name, data)


def test_each_release_has_its_files() -> None:
    text = (GOLDEN.parents[1] / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[(\d.*?)\]", text, re.MULTILINE)
    assert {path.name.removeprefix("release-") for path in GOLDEN.glob("release-*")} <= {*released, VERSION}
    assert [version for version in released if not any((GOLDEN / f"release-{version}").glob("*"))] == []


@looped("form", "jmjp", "mjai")
def test_remarks_of_a_file_of_version_3_are_counted_without_the_answers(form: str) -> None:
    [game_round] = read((GOLDEN / "notes-v3" / f"remarks-jmjp.{form}").read_bytes(), form).match.rounds
    assert [(one.index, one.value) for one in game_round.annotations] == [(25, " a quick call"), (61, "the end")]
    assert isinstance(game_round.events[25], Pon)


def test_the_digest_of_a_round_is_that_of_all_its_messages_as_in_version_3() -> None:
    game_round = read((CORPUS / "stream" / "seat.mjson").read_bytes(), "mjai").match.rounds[0]
    mixed, alone = Round(together(game_round)), Round(game_round.events)
    assert note_json.round_digest(game_round) == note_json.round_digest(mixed) != note_json.round_digest(alone)


def test_the_head_of_a_file_of_the_last_version_counts_as_a_whole() -> None:
    text = (GOLDEN / "notes-v2" / "four-json.jmjp").read_text("utf-8")
    assert note_json.VERSION == 4
    [warning] = read(text.replace('snt["高波 凛"]', 'snt["高波"]').encode(), "jmjp").warnings
    assert warning.message == "the match was edited, so its note no longer fits. The note was ignored"


@looped("target", "jmjp", "uzje", "hk", "majsoul", "majiang", "tenhou", "tenhou-json", "mjai")
def test_a_round_that_is_read_otherwise_than_when_it_was_written_is_named(target: str) -> None:
    [match] = bare(read(SAMPLE.read_bytes(), "mjai").matches)
    match.extras = {"other": 1}
    text = write([match], target).data.decode()
    assert read(text.encode(), target).warnings == []
    [found] = re.findall(r'"rounds":\["[0-9a-f]{6}",\s*"([0-9a-f]{6})"', text)
    assert read(text.replace(found, "000000").encode(), target).warnings == []
    was = read(re.sub(r',\s*"readers":\s*\d+', "", text.replace(found, "000000")).encode(), target)
    assert was.matches == [match]
    [warning] = was.warnings
    assert (warning.round, "another version of mjconv" in warning.message) == (1, True)


@looped("target", "mjai", "jmjp", "uzje", "hk", "majsoul", "majiang", "tenhou", "tenhou-json")
def test_the_options_are_stated_once_in_the_note_of_the_match(target: str) -> None:
    matches = read(SAMPLE.read_bytes(), "mjai").matches
    text = write(matches, target, fill=True, lossy=True).data.decode()
    assert text.count('"round":') >= text.count('"fill":') == text.count('"lossy":') == text.count('"match":') == 1
    assert read(text.encode(), target).matches == matches
