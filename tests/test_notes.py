"""Notes outlive what people do to a file, and are read in the version before: lost with a warning if edited."""

import json
import random
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

import goldens
from corpus_files import CORPUS, SAMPLE
from faults import refused_at
from goldens import GOLDEN, SOURCES
from handmade import LOG, NAMES
from logs import Message, lines
from looped import looped
from mjconv.converters.shared import note_json
from mjconv.converters.shared.single_hands import turned
from mjconv.ir.answers import together
from mjconv.ir.events import Draw, Pon, Win
from mjconv.ir.match import Annotation, Name, Round, Text
from mjconv.version import VERSION
from noted import FULL, LONG, back, mjai, noted, notes_in, rounds_of
from trips import Was, bare, read, there_and_back, write

both_versions = pytest.mark.parametrize("version", ["jmjp", "jmjp-0"])

#: The act that each round of the log consists of, and what a person makes of it: now the tile drawn is discarded.
ACT, EDITED = "(e,6s,1m)", "(e,6s,tg)"


def check_all_comes_back(text: str, log: list[Message] = LOG) -> Was:
    """Check that a text is read as a log, without a warning."""
    said, was = back(text)
    assert said == log
    assert was.warnings == []
    return was


def in_pieces(text: str) -> list[str]:
    """Cut a jmjp text into strings, comments and single characters."""
    return re.findall(r'"(?:\\"|[^"])*"|//[^\n]*\n|.', text, re.DOTALL)


@both_versions
@looped("log", LOG, LONG, ids=["by hand", "played"])
def test_without_an_edit_all_comes_back(log: list[Message], version: str) -> None:
    text = noted(version, log)
    check_all_comes_back(text, log)
    assert len(notes_in(text)) == 1 + len(rounds_of(log))


@both_versions
@given(seed=st.integers(0, 10_000))
@settings(max_examples=min(25, settings().max_examples))
def test_blanks_anywhere_outside_strings_keep_every_note(version: str, seed: int) -> None:
    rng = random.Random(seed)
    blanks = [" ", "\n", "\t", "\r\n", "\u3000", "\xa0"]
    text = "".join(
        piece
        if piece[0] in '"/' or rng.random() < 0.5
        else piece + "".join(rng.choices(blanks, k=rng.choice([1, 2])))
        for piece in in_pieces(noted(version))
    )
    assert check_all_comes_back(text).matches == read(noted(version).encode(), "jmjp").matches


@both_versions
@looped("log", LOG, LONG, ids=["by hand", "played"])
def test_a_file_on_one_line_but_for_its_comments_keeps_every_note(log: list[Message], version: str) -> None:
    pieces = in_pieces(noted(version, log))
    check_all_comes_back("".join(piece for piece in pieces if piece not in " \n"), log)


@both_versions
@given(seed=st.integers(0, 10_000))
@settings(max_examples=min(25, settings().max_examples))
def test_comments_anywhere_outside_strings_keep_every_note(version: str, seed: int) -> None:
    rng = random.Random(seed)
    words = ["", " 何？", " @mjconv", " (e,6s,tg)", '"', "/", " mjconv {}", "@mjconvx {}"]
    pieces = in_pieces(noted(version))
    text = "".join(
        piece if piece[0] in '"/' or rng.random() < 0.97 else f"{piece}//{rng.choice(words)}\n" for piece in pieces
    )
    check_all_comes_back(text)


def test_comments_that_people_wrote_stay_at_their_place() -> None:
    text = noted().replace(ACT, f"// first\n{ACT}// look\n", 1).replace("mtp[", "// head\nmtp[")
    again = write(read(text.encode(), "jmjp").matches, "jmjp").data.decode()
    assert again.index("// head\n") < again.index("mtp[")
    assert again.index("// first\n") < again.index(ACT) < again.index("// look\n") < again.index("E2-0")
    assert read(again.encode(), "jmjp").matches == read(text.encode(), "jmjp").matches
    over_mjai = write(read(write(read(text.encode(), "jmjp").matches, "mjai").data, "mjai").matches, "jmjp")
    assert over_mjai.data.decode() == again


def test_comments_come_back_in_their_order_where_a_text_shows_another() -> None:
    match = read(noted().encode(), "jmjp").match
    match.annotations = tuple(Annotation(0, "comment", value=text) for text in ("E 1 0 4", "first", ""))
    for target in ("uzje", "uzje-long", "jmjp", "hk"):
        assert read(write([match], target).data, target).match == match


def test_the_edited_name_is_the_one_read() -> None:
    said, _ = back(noted().replace("A  b", "A c"))
    assert said[0] == LOG[0] | {"names": ["A c", *NAMES[1:]]}


@both_versions
@pytest.mark.parametrize("log", [LOG, LONG], ids=["by hand", "played"])
def test_notes_may_be_in_any_order_anywhere_in_their_match(log: list[Message], version: str) -> None:
    text = noted(version, log)
    notes = notes_in(text)
    bare = "".join(line for line in text.splitlines(keepends=True) if line not in notes)
    for seed in range(4):
        random.Random(seed).shuffle(notes)
        head, body = bare.split("(\n", 1)
        for moved in (head + "".join(notes) + "(\n" + body, bare[:-2] + "".join(notes) + ")\n"):
            check_all_comes_back(moved, log)


@both_versions
def test_rounds_that_are_moved_take_their_notes_along(version: str) -> None:
    text = noted(version)
    e1, e2, e3 = (text.index(f"frm[E{number}-0") for number in (1, 2, 3))
    end = text.rindex("\n)")
    said, was = back(text[:e1] + text[e3:end] + "\n" + text[e1:e2] + text[e2:e3] + text[end:])
    first, second, third = rounds_of(LOG)
    assert rounds_of(said) == [third, first, second]
    assert was.warnings == []


@both_versions
def test_a_round_that_is_cut_out_leaves_the_others_their_notes(version: str) -> None:
    text = noted(version)
    e2, e3 = (text.index(f"frm[E{number}-0") for number in (2, 3))
    note = next(line for line in notes_in(text) if '"label":"E2-0"' in line)
    said, was = back(text[:e2] + text[e3:])
    assert rounds_of(said) == [rounds_of(LOG)[0], rounds_of(LOG)[2]]
    assert was.warnings == []
    said, was = back((text[:e2] + text[e3:]).replace("mtp[", f"{note}mtp["))
    assert rounds_of(said) == [rounds_of(LOG)[0], rounds_of(LOG)[2]]
    [warning] = was.warnings
    assert warning.label == "E2-0"


@both_versions
def test_merged_and_split_files_keep_every_note(version: str) -> None:
    texts = [noted(version), noted(version, LONG)]
    head = texts[0].split("\n", 1)[0]
    merged = head + "".join(text.removeprefix(head) for text in texts)
    was = check_all_comes_back(merged, [*LOG, *LONG])
    assert write(was.matches, version).data.decode().split() == merged.split()
    assert [write([match], version).data.decode() for match in was.matches] == texts


# The same in mjai, whose messages carry the other values of jmjp.


@both_versions
def test_jmjp_over_mjai_keeps_what_mjai_has_no_place_for(version: str) -> None:
    text = write([FULL], version).data
    assert read(text, "jmjp").match == FULL
    assert there_and_back(text, "mjai", home="jmjp") == write([FULL], "jmjp").data
    assert read(write([FULL], "mjai").data, "mjai").match == FULL


def test_keys_may_be_reordered_and_lines_reflowed() -> None:
    log = [dict(sorted(message.items(), reverse=True)) for message in mjai()]
    for data in (lines(log), json.dumps(log, indent=2).encode()):
        was = read(data, "mjai")
        assert was.match == FULL
        assert was.warnings == []


def test_an_edited_message_loses_the_note_of_its_round_alone() -> None:
    log = mjai()
    place = next(place for place, message in enumerate(log) if message.get("meta") == "2.2")
    log[place]["pai"] = "2m"
    was = read(lines(log), "mjai")
    for index, game_round in enumerate(was.match.rounds):
        if index == 1:
            assert game_round.dice is msgspec.UNSET
            assert "mjconv" not in (game_round.events[0].extras or {})
        else:
            assert game_round == FULL.rounds[index]
    assert was.match.tournament == FULL.tournament
    assert was.match.players == FULL.players
    [warning] = was.warnings
    deal = next(place for place, message in enumerate(log) if message.get("meta") == "2.0")
    assert (warning.match, warning.round, warning.line) == (0, 1, deal + 1)
    assert warning.message == "the round was edited, so its note no longer fits. The note was ignored"


def test_an_edited_name_is_the_one_read_and_the_rest_is_that_of_the_note() -> None:
    log = mjai()
    log[0]["names"][2] = "someone else"
    was = read(lines(log), "mjai")
    assert was.match.rounds == FULL.rounds
    assert was.match.tournament == FULL.tournament
    expected = [*FULL.players]
    expected[2] = structs.replace(expected[2], name=Name(Text("someone else")))
    assert was.match.players == expected
    [warning] = was.warnings
    edited = "the text around the rounds was edited: players.2.name."
    assert str(warning) == f"match 1, line 1: {edited} The text counts for this, and the note for the rest"


def test_a_rank_is_that_of_an_edited_note_where_the_text_shows_none() -> None:
    """The note is the only place of such a value. Tenhou's own `dan` counts, and a note that differs falls."""
    match = read(lines(mjai()), "mjai").match
    match.players = [structs.replace(player, rank="四段") for player in match.players]
    for form, rank in (("mjai", "五段"), ("majsoul", "五段"), ("tenhou", "四段")):
        was = read(write([match], form).data.replace("四段".encode(), "五段".encode()), form)
        assert [player.rank for player in was.match.players] == [rank] * 4, form
        assert any("contradicts" in str(warning) for warning in was.warnings) == (form == "tenhou"), form


def test_games_merged_and_split_as_lines_keep_every_note() -> None:
    data = lines(mjai())
    was = read(data + lines(LONG) + data, "mjai")
    assert [was.matches[0], was.matches[2]] == [FULL, FULL]
    assert was.warnings == []


def test_a_message_may_carry_an_mjconv_key_of_its_own_in_jmjp_and_back() -> None:
    """The key is for notes of mjconv: any other value there is refused."""
    log = [LOG[0] | {"mjconv": {"v": 4, "note": 1}}, *LOG[1:]]
    line, _, message = refused_at(lines(log), "mjai")
    assert "unknown field `note`" in message
    assert line == 1


@looped("irregular", False, True)
@looped("target", "jmjp", "jmjp-0", "uzje", "hk", "botzone", "pmn")
def test_an_edited_round_keeps_its_players_at_their_seats(target: str, irregular: bool) -> None:
    of_hands = target in ("botzone", "pmn")
    name, form = ("botzone/session.botzone", "botzone") if of_hands else ("sample/game.mjson", "mjai")
    match = read((CORPUS / name).read_bytes(), form).match
    last = len(match.rounds) - 1
    # Player 1 deals the first round; where it is irregular, player 2 deals one round too early.
    match.rounds = [turned(one, 1 + (irregular and at == last)) for at, one in enumerate(match.rounds)]
    text = write([match], target).data.decode()
    assert read(text.encode(), target).match == match
    # PMN writes notes with single quotes.
    digest = r"""(label["']:["'][^"']*["'],\s*["']digest["']:["'])[0-9a-f]{12}"""
    was = read(re.sub(digest, r"\g<1>000000000000", text).encode(), target)
    assert ["the round was edited" in warning.message for warning in was.warnings].count(True) >= 1

    def acts(one: Round) -> list[tuple[type, int]]:
        selected: list[Draw | Win] = one.select(Draw, Win)
        return [(type(event), event.actor) for event in selected]

    kinds = (Win,) if target == "hk" else (Draw, Win)
    assert list(map(acts, was.match.rounds)) == [
        [act for act in acts(one) if act[0] in kinds] for one in match.rounds
    ]


# Notes of the last version are read: files that earlier versions of mjconv wrote restore the same matches.

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
