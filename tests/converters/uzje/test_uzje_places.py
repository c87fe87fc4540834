"""The places of events in a text: the word of their turn, or their command."""

from itertools import pairwise

from corpus_files import CORPUS
from mjconv.ir import events as ev
from mjconv.ir.errors import Place
from trips import places, read

from .games import game


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
