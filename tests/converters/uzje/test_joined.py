"""Whole files and logs of Ùzje come back: joined, long, dealt, cut or noted in unusual ways."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, structs

from corpus_files import CORPUS, SAMPLE
from engine import play
from faults import leniently
from logs import FOLDER, Log, Message, alternating, logs, messages
from looped import looped
from mjconv.converters.uzje.round_writer import plan_game
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, UnsupportedError
from mjconv.ir.events import to_message
from mjconv.ir.illegal import PlayedWrongError
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.ir.tiles import plain
from trips import known, read, standard_messages, there_and_back, write

from .random_games import random_game

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


#: The same games in each form; in `omissions` left out what chance would have.
FORMS = {"short": "uzje", "actions": "uzje-long", "commands": "uzje-commands", "omissions": None}


def contents(name: str) -> bytes:
    return (CORPUS / "uzje" / f"{name}.uzje").read_bytes()


@looped("path", *sorted((CORPUS / "uzje").glob("*.uzje")))
def test_a_game_is_read_without_a_warning(path: Path) -> None:
    assert read(path.read_bytes(), "uzje").warnings == []


@looped(("name", "flavour"), *[(n, f) for n, f in FORMS.items() if f])
def test_each_form_is_what_the_others_are_written_as(name: str, flavour: str) -> None:
    for other in FORMS:
        assert write(read(contents(other), "uzje").matches, flavour).data == contents(name)


def test_the_sample_in_mjai_is_the_game_with_riichi() -> None:
    sample = SAMPLE.read_bytes()
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


# Whole logs over Ùzje and back: nothing is lost, in any form, and the wall alone gives the play.
FLAVOURS = ["uzje", "uzje-long", "uzje-commands"]


def shows_all(log: Log) -> bool:
    """Return whether no tile is hidden: Ùzje holds the wall, and cannot be written from less."""
    shown = [message for message in messages(log.data) if message["type"] in ("start_kyoku", "tsumo")]
    return not any("?" in hand for message in shown for hand in message.get("tehais", [[message.get("pai")]]))


FOUR = [log for log in logs(4) if not FOLDER or shows_all(log)]
THREE = logs(3)
#: Each log in one of the flavours: the first logs and rounds of any kind are tried in all of them.
each_log = looped(("log", "flavour"), *alternating(FOUR + THREE, FLAVOURS), every=2)


@each_log
def test_mjai_over_uzje_gives_the_same_messages(log: Log, flavour: str) -> None:
    away = write(read(log.data, "mjai").matches, flavour).data
    was = read(away, "uzje")
    assert was.warnings == []
    assert was.matches == read(log.data, "mjai").matches
    assert messages(write(was.matches, "mjai").data) == standard_messages(log.data)


@looped("kind", "tsumo", "start_kyoku")
def test_hidden_tiles_are_refused_and_the_first_is_named(kind: str) -> None:
    match = read(FOUR[0].data, "mjai").match
    place, event = [(n, e) for n, e in enumerate(match.rounds[1].events) if ev.name_of(e) == kind][-1]
    if isinstance(event, ev.StartRound):
        assert event.tehais is not UNSET
        hidden: ev.Event = structs.replace(event, tehais=(event.tehais[0], ("?",) * 13, *event.tehais[2:]))
    else:
        hidden = structs.replace(event, pai="?")
    match.rounds[1].events[place] = hidden
    with pytest.raises(UnsupportedError) as error:
        write([match], "uzje")
    said = f"match 1, round {match.rounds[1].label}, message {place + 1}: a hidden tile cannot be written"
    assert error.value.message.startswith(said)


MOVES = (ev.Draw, ev.Discard, ev.Chi, ev.Pon, ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora)


def moves(game_round: Round) -> list[Message]:
    """Give the play of a round, red fives as fives, and who won; not which copy of a tile was discarded."""
    found: list[Message] = []
    for event in game_round.select(*MOVES):
        kept = {"type", "actor", "target", "consumed"} | (set() if isinstance(event, ev.Ankan) else {"pai"})
        message = {key: value for key, value in ev.to_message(event).items() if key in kept}
        if "consumed" in message:
            message["consumed"] = [plain(tile) for tile in message["consumed"]]
        if "pai" in message:
            message["pai"] = plain(message["pai"])
        found.append(message)
    wins = game_round.select(ev.Win)
    return [*found, *({"winner": win.actor, "from": win.target} for win in wins[:1])]


def hands(game_round: Round) -> list[list[str]]:
    return [[plain(tile) for tile in hand] for hand in known(game_round.start).tehais]  # type: ignore[union-attr]


@each_log
def test_the_wall_alone_suffices(log: Log, flavour: str) -> None:
    """Header, tile list and turns hold every draw, hand and call, with red fives as fives."""
    matches = read(log.data, "mjai").matches
    text = write(matches, flavour).data.decode()
    bare = "\n\n".join(part for part in text.split("\n\n") if not part.startswith("mjconv:"))
    assert "mjconv" not in bare
    replayed = [game_round for match in read(bare.encode(), "uzje").matches for game_round in match.rounds]
    originals = [game_round for match in matches for game_round in match.rounds]
    assert len(replayed) == len(originals)
    for got, wanted in zip(replayed, originals, strict=True):
        shift, dealt = turned(got, wanted), hands(wanted)
        assert hands(got) == [*dealt[shift:], *dealt[:shift]]
        assert moves(got) == [seated(move, -shift, len(dealt)) for move in moves(wanted)]


def turned(got: Round, wanted: Round) -> int:
    """Return by how much the seats differ: without its note the round's number gives the dealer."""
    return (int(known(wanted.start).oya or 0) - int(known(got.start).oya or 0)) % len(hands(got))


def seated(move: Message, shift: int, players: int) -> Message:
    who = ("actor", "target", "winner", "from")
    return {key: (value + shift) % players if key in who else value for key, value in move.items()}


def test_the_text_is_ascii_numbered_from_one_and_in_lines_for_people() -> None:
    text = write(read(FOUR[0].data, "mjai").matches, "uzje").data.decode("ascii")
    assert max(map(len, text.splitlines())) <= 100
    for paragraph in text.split("\n\n"):
        numbers = [int(number) for number in re.findall(r"(?:^|\s)(\d+)\.", paragraph)]
        if paragraph[0] in "ESWN":
            assert numbers == list(range(1, len(numbers) + 1))


def test_plain_text_and_notes_name_their_losses() -> None:
    written = write(read(FOUR[0].data, "mjai").matches, "uzje", plain=True)
    assert b"mjconv" not in written.data
    lost = {loss.what for loss in written.losses}
    assert {"start_kyoku.dora_marker", "start_kyoku.scores", "reach", "hora.deltas"} <= lost
    assert {loss.fate for loss in written.losses} <= {"dropped", "approximated", "assumed"}
    losses = write(read(FOUR[0].data, "mjai").matches, "uzje").losses
    assert {loss.fate for loss in losses} == {"carried"}
    names = {loss.what for loss in losses}
    assert {"tsumo.pai", "start_kyoku.tehais", "dahai.tsumogiri", "reach", "hora.deltas"} <= names
    match = read(FOUR[0].data, "mjai").match
    for loss in losses:
        if loss.what == "tsumo.pai":
            assert loss.round is not None
            assert loss.event is not None
            assert ev.to_message(match.rounds[loss.round].events[loss.event])["pai"] in ("5mr", "5pr", "5sr")


def test_several_matches_in_a_file_are_parted_by_a_tag() -> None:
    data = b"".join(log.data for log in FOUR[:3])
    text = write(read(data, "mjai").matches, "uzje").data
    assert text.count(b"\n\nMatch:\n\n") == 2
    assert messages(there_and_back(data, "uzje")) == standard_messages(data)


def test_matches_without_rounds_come_back_as_many() -> None:
    matches = [Match(opening=[ev.StartGame()], closing=[ev.EndGame()])] * 3
    assert read(write(matches, "uzje").data, "uzje").matches == matches


# Games that are dealt, cut or noted in unusual ways come back; play that cannot happen is refused.


def comes_back(match: Match) -> None:
    for flavour in ("uzje", "uzje-commands"):
        assert read(write([match], flavour).data, "uzje").matches == [match]


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]))
def test_hands_in_another_order_than_the_wall_deals_them_come_back(seed: int, players: int) -> None:
    match = read(random_game(seed, players).text.encode(), "uzje").match
    for game_round in match.rounds:
        start = known(game_round.start)
        hands = tuple(tuple(sorted(hand)) for hand in start.tehais or ())
        game_round.events[game_round.events.index(start)] = structs.replace(start, tehais=hands)
    comes_back(match)


@given(seed=st.integers(0, 10**6), end=st.floats(0, 1))
def test_a_round_that_breaks_off_comes_back(seed: int, end: float) -> None:
    match = read(play(seed, length="round", chooser="caller"), "mjai").match
    events = match.rounds[0].events
    match.rounds[0] = Round(events[: 1 + int(end * len(events))])
    comes_back(match)


@pytest.mark.parametrize("how", ["as the tile drawn", "as one held", "unsaid"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=min(25, settings().max_examples))
def test_whichever_copy_the_record_names_as_discarded(seed: int, how: str) -> None:
    """A discard of the tile just drawn may be of another copy; said of any other it is put right by the note."""
    match = read(play(seed, length="round"), "mjai").match
    said = {"as the tile drawn": True, "as one held": False, "unsaid": UNSET}[how]
    events = match.rounds[0].events
    for place, (before, event) in enumerate(pairwise(events), 1):
        if isinstance(event, ev.Discard) and isinstance(before, ev.Draw) and before.pai == event.pai:
            events[place] = structs.replace(event, tsumogiri=said)
    comes_back(match)


def refusal(events: list[ev.Event]) -> tuple[str, int]:
    hands = tuple(
        (*(f"{rank}{suit}" for suit in "mps" for _ in range(4)), wind) for rank, wind in enumerate("ESWN", 1)
    )
    start = ev.StartRound(bakaze="E", kyoku=1, honba=0, oya=0, tehais=hands)
    with pytest.raises(PlayedWrongError) as caught:
        plan_game(Round([start, *events]), start, 4)
    return str(caught.value), caught.value.event


def test_what_cannot_be_played_is_refused_at_its_event() -> None:
    draw, discard = ev.Draw(0, "9p"), ev.Discard(0, "9p", tsumogiri=True)
    assert refusal([draw, ev.Draw(1, "9s")]) == ("player 1 draws, where the table waits for a discard", 2)
    assert refusal([draw, ev.Discard(0, "5p", tsumogiri=False)]) == ("player 0 does not hold 5p", 2)
    assert refusal([draw, ev.Discard(1, "2p", tsumogiri=False)])[1] == 2
    assert refusal([draw, discard, ev.Discard(1, "2p", tsumogiri=False)])[1] == 3
    assert refusal([draw, discard, ev.Draw(2, "9s"), ev.Discard(2, "9s", tsumogiri=True)])[1] == 3
    assert refusal([draw, discard, ev.Draw(1, "9s"), ev.Discard(1, "5s", tsumogiri=False)])[1] == 4
    assert refusal([draw, ev.Ankan(0, ("1m",) * 4), ev.Discard(0, "1p", tsumogiri=False)])[1] == 3
    assert refusal([draw, ev.Win(0, 0), ev.Draw(1, "9s")]) == ("no move may follow a win", 3)
    assert refusal([draw, discard, ev.Win(1, 1)])[1] == 3
    assert refusal([draw, discard, ev.Draw(7, "5p"), ev.Discard(7, "5p", tsumogiri=True)])[1] == 3
    assert refusal([ev.Draw(7, "9p")]) == ("there is no player 7: the game has 4", 1)
    assert refusal([draw, discard, ev.Draw(1, "1m")])[0].startswith("a set has 4 of 1m")


# Random games that only Ùzje can hold


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]), whole_wall=st.booleans())
@example(seed=1, players=6, whole_wall=True)
def test_a_game_is_read_as_it_was_played_and_written_back_equal_in_every_form(
    seed: int, players: int, whole_wall: bool
) -> None:
    played = random_game(seed, players, whole_wall=whole_wall)
    matches = read(played.text, "uzje").matches
    lenient = leniently(played.text, "uzje")
    assert (lenient.matches, lenient.faults) == (matches, [])
    [game_round] = matches[0].rounds
    assert [list(hand) for hand in known(game_round.start).tehais or ()] == played.hands
    assert json.loads(json.dumps([to_message(event) for event in game_round.events[1:-1]])) == played.events
    assert list(game_round.wall or ()) == (played.wall if whole_wall else [])
    for flavour in FLAVOURS:
        written = write(matches, flavour)
        assert written.losses == []
        assert read(written.data, "uzje").matches == matches
    tiles = [word for word in played.text.split()[4:] if "." not in word]
    assert written.data.decode().split()[4 : 4 + len(tiles)] == tiles
