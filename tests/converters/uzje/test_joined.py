"""Whole files of Ùzje: those of the corpus, files joined as text, long files with a mistake."""

from pathlib import Path

import pytest

from corpus_files import CORPUS
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, UnsupportedError
from mjconv.ir.match import Match, Name, Player, Round, Text
from trips import read, write

HANDS = (
    *((*(f"{rank}{suit}" for rank in range(1, 10)), "E", "S", "W", "N") for suit in "mps"),
    ("1m", "2m", "3m", "1p", "2p", "3p", "1s", "2s", "3s", "P", "P", "F", "F"),
)
DEAL = ev.StartRound("E", "1m", 1, 0, 0, 0, (25000,) * 4, HANDS)


def match(*names: str) -> Match:
    played = Round([DEAL, ev.Draw(0, "C"), ev.Discard(0, "C", tsumogiri=True), ev.Ryukyoku(), ev.EndRound()])
    return Match([Player(Name(Text(name))) for name in names], [played], [ev.StartGame()], [ev.EndGame()])


def test_two_files_joined_are_two_matches() -> None:
    first, second = match(*"ABCD"), match(*"EFGH")
    text = write([first], "uzje").data + b"\n" + write([second], "uzje").data
    assert read(text, "uzje").matches == [first, second]


def test_match_notes_in_other_places_are_ignored() -> None:
    note, _, game = write([match(*"ABCD")], "uzje").data.partition(b"\n\n")
    assert note.startswith(b'mjconv: {"v":4,"digest"')
    assert b'"match":{' in note
    was = read(game + b"\n" + note + b"\n\n", "uzje")
    assert len(was.matches) == 1
    note, _, game = write([match(*"ABCD")], "uzje").data.partition(b"\n\n")
    first, second = (game.replace(b"E 1", wind) for wind in (b"S 1", b"W 1"))
    was = read(first + b"\n" + note + b"\n\n" + second, "uzje")
    assert len(was.match.rounds) == 2
    assert was.match.players == []
    assert sum(one.message.startswith("the match was edited, so its note") for one in was.warnings) == 1


@looped("result", ev.Win(0, 1), ev.Ryukyoku())
def test_a_round_known_only_by_its_result_is_refused(result: ev.Event) -> None:
    with pytest.raises(UnsupportedError, match="a round without play"):
        write([Match(rounds=[Round([result])])], "uzje")


def test_the_numbers_of_turns_are_no_edit() -> None:
    text = write([match(*"ABCD")], "uzje").data
    assert b"\n1.C" in text
    was = read(text.replace(b"\n1.C", b"\n0.C"), "uzje")
    assert was.matches == [match(*"ABCD")]
    assert was.warnings == []


# The corpus of Ùzje


GAMES = sorted((CORPUS / "uzje").glob("*.uzje"))
#: The same games in each form; in `omissions` left out what chance would have.
FORMS = {"short": "uzje", "actions": "uzje-long", "commands": "uzje-commands", "omissions": None}


def contents(name: str) -> bytes:
    return (CORPUS / "uzje" / f"{name}.uzje").read_bytes()


@looped("path", *GAMES)
def test_a_game_is_read_without_a_warning(path: Path) -> None:
    assert read(path.read_bytes(), "uzje").warnings == []


@looped(("name", "flavour"), *[(n, f) for n, f in FORMS.items() if f])
def test_each_form_is_what_the_others_are_written_as(name: str, flavour: str) -> None:
    for other in FORMS:
        assert write(read(contents(other), "uzje").matches, flavour).data == contents(name)


def test_the_sample_in_mjai_is_the_game_with_riichi() -> None:
    sample = (CORPUS / "sample" / "game.mjson").read_bytes()
    assert write(read(sample, "mjai").matches, "uzje").data == contents("riichi")
    assert write(read(contents("riichi"), "uzje").matches, "mjai").data == sample


# Long files with a mistake


@pytest.mark.parametrize(
    "data",
    [
        *(b"E 1 0 4\n" + more * 100_000 for more in (b"1t ", b"1.", b"(")),
        *(b"E 1 0 4 " * 20_000, b"E 1 0 4\n1." + b"c" * 100_000, b"E 1 0 4\n\n" * 3_000),
        *(b"A:\n" * 50_000 + b"\n", b":\n" * 50_000 + b"E 1 0 4\n", b"\n \n" * 50_000),
        *(b'mjconv: {"round":' + b"[" * 100_000, b"mjconv: " + b'{"a":' * 50_000),
    ],
)
def test_long_files_end_soon(data: bytes) -> None:
    try:
        read(data, "uzje")
    except InputError as error:
        assert len(str(error)) < 5_000  # noqa: PT017 - either outcome is right
