"""Lenient reading reports every fault of a file and reads the rest. Strict reading stops at the first."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

import faults
from corpus_files import CORPUS
from faults import described, impossible, played
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place, PlayError
from mjconv.ir.match import Annotation, Round
from moments_made import said
from trips import known, places, read, write

from .games import game
from .random_games import random_game

BROKEN = sorted((CORPUS / "uzje" / "broken").glob("*.uzje"))
GOOD = sorted((CORPUS / "uzje").glob("*.uzje"))
leniently = partial(faults.leniently, source="uzje")
strictly = partial(faults.strictly, source="uzje")


@looped("path", *BROKEN)
def test_the_error_of_strict_reading_is_the_first_fault_or_the_first_move_that_is_refused(path: Path) -> None:
    data = path.read_bytes()
    error = strictly(data)
    assert isinstance(error, InputError)
    lenient = leniently(data)
    if lenient.faults:
        assert described(lenient.faults[0].error) == described(error)
    else:
        assert isinstance(error, PlayError)
        assert places("uzje", data, lenient=True)(*next(impossible(lenient.matches))) == error.place


GOOD_GAME = game("1.1t", front="9s")
NO_TURN = game("1.1t 2.? 3.7x 4.8t", front="9s 8s 7s")
NO_PUNG = game("1.1t 2.WP,9m 3.8t", front="9s 8s")
NO_PLAYERS = game(said=5)
NOT_HELD = game("1.9m 2.4t", front="9s 8s")


def test_faults_count_games_and_matches_through() -> None:
    texts = [GOOD_GAME, NO_PLAYERS, NO_TURN, GOOD_GAME, NO_PUNG, game("1.1t", front="9s 1x"), NOT_HELD, GOOD_GAME]
    lenient = leniently("\n".join(texts))
    assert [(fault.match, fault.round) for fault in lenient.faults] == [(0, 1), (0, 2), (0, 4), (0, 5)]
    [good] = leniently(GOOD_GAME).rounds
    assert [index for index, game_round in enumerate(lenient.rounds) if game_round == good] == [0, 3, 7]
    assert lenient.rounds[1] == lenient.rounds[5] == Round()
    assert list(impossible(lenient.matches)) == [(0, 6, 2)]
    lenient = leniently(f"{GOOD_GAME}\n{NO_PLAYERS}\nMatch:\n\n{NO_PUNG}\nMatch:\n\n{GOOD_GAME}\n{NO_TURN}")
    assert [(fault.match, fault.round) for fault in lenient.faults] == [(0, 1), (1, 0), (2, 1)]
    assert [len(match.rounds) for match in lenient.matches] == [2, 1, 2]


def test_a_game_is_read_up_to_its_fault() -> None:
    deal, draw, discard = ev.StartRound, ev.Draw, ev.Discard
    command = "E- Ed1t S- Sd77t"
    for text, kinds, event, place in (
        # A word that is no turn, a command that is none, and a move without a meaning.
        (NO_TURN, [deal, draw, discard, draw], 4, None),
        (game(command, front="9s 8s 7s"), [deal, draw, discard, draw], 4, Place(7, 12, command)),
        (NO_PUNG, [deal, draw, discard], 3, Place(7, 6, "1.1t 2.WP,9m 3.8t")),
    ):
        lenient = leniently(text)
        assert [type(event) for event in lenient.rounds[0].events] == kinds, text
        assert lenient.fault.event == event, text
        assert place is None or lenient.fault.error.place == place, text
    assert leniently(NO_TURN).rounds[0].wall is not None


def test_a_word_that_is_no_turn_is_reported_beside_the_move_before_it_that_ends_the_round() -> None:
    lenient = leniently(game("1.1t 2.WP,9m 3.7x", front="9s"))
    columns = [fault.error.place.column for fault in lenient.faults if fault.error.place is not None]
    assert columns == [14, 6]
    assert [fault.event for fault in lenient.faults] == [3, 3]


def test_a_move_that_the_table_refuses_is_made_and_is_no_fault() -> None:
    lenient = leniently(NOT_HELD)
    assert lenient.faults == []
    moves = "tsumo 0 9s, dahai 0 9m, tsumo 1 8s, dahai 1 4p, ryukyoku"
    assert said(lenient.rounds[0].events[1:-1]) == moves


def test_a_second_pung_of_a_tile_by_force_and_one_more_of_it_are_read() -> None:
    """The tile list has more than four of it."""
    hands = (
        *("1t 2t 3t 1t 2t 3t 5m 5m S S S S 9m", "E E E E E 4t 5t 6t 6m 6m 1m 1m 6t"),
        *("7t 8t 9t 7t 8t 9t 7m 7m W W C C C", "1s 2s 3s 1s 2s 3s 8m 8m N N N E E"),
    )
    turns = "1.E 2.SP,6t 3.W7t 4.NE 5.SP,4t 6.WE 7.N1s 8.E 9.S?,KE"
    lenient = leniently(game(turns, front="E 9s 8s 7s 6s 5s 4s", hands=hands))
    assert lenient.fault.error.message == "a set has 4 of E, and this is one more"
    table, _ = played(lenient.rounds[0])
    assert table is not None
    assert [meld.kind for meld in table.melds[1]] == ["kakan", "pon"]


def test_wrong_hands_and_moves_after_a_win() -> None:
    lenient = leniently("S 2 1 4\n1t 2t")
    assert lenient.rounds[0].events == [ev.StartRound(bakaze="S", kyoku=2, honba=1, oya=1)]
    assert lenient.fault.event == 1
    fifth = ("5m 5m 5m 5m 5m 3t 1t 2t 3t E E P P", *("9s " * 4 + "4t 5t 6t 7t 8t 9t 1m 2m 3m",) * 3)
    lenient = leniently(game("1.3t", front="P", hands=fifth))
    assert lenient.fault.event == 0
    assert lenient.rounds[0].events[1:3] == [ev.Draw(0, "P"), ev.Discard(0, "3p", False)]
    lenient = leniently(game("1.4s 2.NR 3.5t", front="4s 8s"))
    assert [type(event) for event in lenient.rounds[0].events[-2:]] == [ev.Discard, ev.Win]
    assert lenient.fault.error.message == "no move may follow a win"


def test_bytes_that_are_not_ascii_are_one_fault_and_skipped() -> None:
    lenient = leniently(f"A comment by 東\n\n{GOOD_GAME}\nAnother by 南\n".encode())
    assert lenient.fault.error.message == "not ASCII: byte 0xe6 at byte offset 13"
    assert lenient.fault.match is None
    assert lenient.rounds[0].events == leniently(GOOD_GAME).rounds[0].events


def test_faults_around_a_game_leave_the_others() -> None:
    good = leniently(GOOD_GAME).rounds
    lenient = leniently(f"Event name: a cup\n\n{GOOD_GAME}")
    assert lenient.fault.error.place == Place(1, 1, "Event name: a cup")
    assert lenient.matches[0].annotations == (Annotation(0, "comment", value="Event name: a cup"),)
    assert lenient.rounds == good
    # A game right below data.
    lenient = leniently(f"Event: a cup\n{GOOD_GAME}\n{NO_PLAYERS}")
    assert [fault.error.place and fault.error.place.line for fault in lenient.faults] == [2, 10]
    assert lenient.rounds == [*good, Round()]
    # A bracket without its match.
    lenient = leniently(f"{game('1.1t (a]', front='9s')}\n{GOOD_GAME}")
    assert (lenient.fault.round, lenient.fault.error.place) == (0, Place(7, 6, "1.1t (a]"))
    assert lenient.rounds == [Round(), *good]
    # A header that inherits from a wrong tag.
    lenient = leniently(f"Players: 5\n\n{game(said=0)}\nPlayers: 4\n\n{game(said=0)}")
    assert lenient.fault.error.message == "Players: is 3, 4 or 6, not '5'"
    assert lenient.rounds == [Round(), *leniently(game()).rounds]


@looped("note", "{", '{"v":4,"round":{"hints":5}}', '{"v":4,"match":[]}', "nothing")
def test_a_wrong_note_is_a_fault_and_the_others_are_read(note: str) -> None:
    matches = leniently((CORPUS / "uzje" / "riichi.uzje").read_bytes()).matches
    text = write(matches, "uzje").data.decode()
    begin = text.index('mjconv: {"v":4,"label":"E1-0"')
    end = text.index("\n\n", begin)
    lenient = leniently(f"{text[:begin]}mjconv: {note}{text[end:]}")
    assert (lenient.fault.match, lenient.fault.round) == (0, 0)
    assert lenient.rounds[1:] == matches[0].rounds[1:]
    assert lenient.rounds[0].start is not None


def test_a_note_of_a_game_that_is_cut_short_is_not_applied() -> None:
    [match] = leniently(GOOD_GAME).matches
    match.rounds[0].dice = (3, 4)
    lenient = leniently(write([match], "uzje").data.replace(b"1.1t", b"1.1t 2.1x"))
    assert [fault.error.message[:5] for fault in lenient.faults] == ["'1x' "]
    assert not lenient.rounds[0].dice


def test_a_note_of_two_wins_counts_beside_a_game_that_cannot_be_written() -> None:
    [match] = leniently(game("1.9s 2.SR", front="9s")).matches
    match.rounds[0].events.insert(-1, ev.Win(2, 0))
    lenient = leniently(f"{write([match], 'uzje').data.decode()}\n{NOT_HELD}")
    assert lenient.rounds[0].select(ev.Win) == [ev.Win(1, 0), ev.Win(2, 0)]


def test_many_faults_end_soon() -> None:
    lenient = leniently("E 1 0 0\n\nPlayers: 9\n\nA_b: c\n\n" * 3000)
    assert len(lenient.faults) == 6000
    assert len(lenient.rounds) == 3000


PUT = st.sampled_from(["", *"ESWN.,?KPRt15m (:\n", "\n\n", "é"])
DAMAGE = st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 2), PUT), min_size=1, max_size=4)


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]), games=st.integers(1, 3), damage=DAMAGE)
def test_damaged_games_are_read_and_each_refusal_of_strict_reading_is_a_fault(
    seed: int, players: int, games: int, damage: list[tuple[float, int, str]]
) -> None:
    text = "\n".join(random_game(seed + more, players).text for more in range(games))
    for part, gone, put in damage:
        at = int(part * len(text))
        text = text[:at] + put + text[at + gone :]
    expect_all_reported(text.encode())


@given(seed=st.integers(0, 10**6))
def test_damaged_words_and_notes_as_well(seed: int) -> None:
    rng = Random(seed)
    words = rng.choice(GOOD).read_text("ascii").split(" ")
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(words)), rng.randrange(len(words))
        words[at : at + rng.randint(0, 1)] = [words[other]]
    expect_all_reported(" ".join(words).encode())


def is_turn(place: Place) -> bool:
    """Tell a turn from the first command of one: an event is found at the very command."""
    return "." in place.text[place.column - 1 :].split()[0]


def expect_all_reported(data: bytes) -> None:
    error = strictly(data)
    lenient = leniently(data)
    find = places("uzje", data, lenient=True)
    wrong = list(impossible(lenient.matches))
    if isinstance(error, InputError):
        if not lenient.faults or described(lenient.faults[0].error) != described(error):
            place = known(find(*wrong[0]))
            assert error.place is not None
            assert (place.line, place.column) >= (error.place.line, error.place.column)
            assert place == error.place or not is_turn(error.place)
    else:
        assert (lenient.matches, lenient.faults, wrong) == (error, [], [])
    for fault in lenient.faults:
        if fault.event is not None:
            assert fault.event <= len(lenient.matches[known(fault.match)].rounds[known(fault.round)].events)
    for number, match in enumerate(lenient.matches):
        for index, game_round in enumerate(match.rounds):
            assert None not in [find(number, index, event) for event in range(-1, len(game_round.events) + 1)]


# The places of events in a text


def word_at(place: Place | None) -> str:
    assert place is not None
    [word, *_] = place.text[place.column - 1 :].split()
    return word


def words(text: str, count: int, number: int = 0) -> list[str]:
    find = places("uzje", text.encode())
    return [word_at(find(0, number, event)) for event in range(count)]


def test_the_place_of_a_turn_is_its_word_and_of_a_deal_the_header() -> None:
    text = game("1.1t 2.?,4t", front="9s 1s")
    assert len(read(text.encode(), "uzje").match.rounds[0].events) == 7
    assert words(text, 7) == ["E", *["1.1t"] * 2, *["2.?,4t"] * 4]
    cut = game("1.9s 2.?,1s 3.WP,9t", front="9s 1s")
    assert word_at(places("uzje", cut.encode(), lenient=True)(0, 0, 99)) == "E"


def test_commands_comments_and_marks() -> None:
    found = words(game("E- Ed1t S- Sd4t", front="9s 1s"), 7)
    assert found == ["E", "E-", "Ed1t", "S-", "Sd4t", "Sd4t", "Sd4t"]
    text = game(":1.9s 2.9s\n(a) 1.1t (b)\n: more\n2.4t (c)", front="9s 1s")
    place = places("uzje", text.encode())(0, 0, 4)
    assert place == Place(10, 1, "2.4t (c)")


def test_a_flower_and_its_replacement_have_the_place_of_the_draw_and_one_that_was_dealt_of_the_header() -> None:
    hands = ("h 2t 3t 1t 2t 3t 5m 5m E E P P P", *(f"{n}s " * 4 + "7t 7m F C S W N 1m 2m" for n in (1, 2, 3)))
    text = game("1.E?,E 2.7t", front="i 9s", back="4s 5s", hands=hands)
    events = read(text.encode(), "uzje").match.rounds[0].events
    kinds = [type(event) for event in events[1:7]]
    assert kinds == [ev.Nukidora, ev.Draw, ev.Draw, ev.Nukidora, ev.Draw, ev.Discard]
    assert words(text, 9) == [*"EEE", *["1.E?,E"] * 4, "2.7t", "2.7t"]


def test_the_place_of_an_unreadable_round_is_its_header() -> None:
    find = places("uzje", f"{game(said=5)}\n{game('1.1x', front='9s')}".encode(), lenient=True)
    assert find(0, 0, 0) == Place(1, 1, "E 1 0 5")
    assert find(0, 1, 7) == Place(7, 1, "E 1 0 4")


def test_an_event_that_a_note_adds_has_the_place_of_the_event_before_it() -> None:
    """The riichi of the sample is between a draw and its discard, its acceptance before the next player's draw."""
    data = (CORPUS / "uzje" / "riichi.uzje").read_bytes()
    find = places("uzje", data)
    added = 0
    for number, game_round in enumerate(read(data, "uzje").match.rounds):
        for event, (before, own) in enumerate(pairwise(game_round.events), 1):
            if isinstance(own, ev.Riichi | ev.RiichiAccepted | ev.Dora):
                added += 1
                assert find(0, number, event) == find(0, number, event - 1)
                assert type(before) in (ev.Draw, ev.Discard, ev.Ankan, ev.Kakan, ev.RiichiAccepted)
    assert added > 3
