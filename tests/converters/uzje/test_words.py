"""One word of the turns: a first letter may be a player, an action or a tile, and arity settles it."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looped import looped
from mjconv.converters.uzje import words
from mjconv.converters.uzje.spelling import HUB, SEATS
from mjconv.converters.uzje.words import Move, Word, WordError, read_word, readings, spell_moves

#: A word, the number of players, and what it means.
SAID = [
    # P is an action, or white.
    ("P", 4, "discard P by the next player"), ("?,P", 4, "draw, discard P by the next player"),
    ("SP", 4, "discard P by S"), ("S?,P", 4, "draw, discard P by S"), ("SP,5m", 4, "pung, discard 5m by S"),
    ("SP,P", 4, "pung, discard P by S"),
    # Winds are players, or tiles.
    ("E", 4, "discard E by the next player"), ("EE", 4, "discard E by E"), ("ES", 4, "discard S by E"),
    ("SE", 4, "discard E by S"), ("WW", 4, "discard W by W"), ("NN", 4, "discard N by N"),
    ("N", 4, "discard N by the next player"), ("N", 3, "discard N by the next player"),
    ("WN", 3, "discard N by W"), ("EP,E", 4, "pung, discard E by E"),
    ("?,E", 4, "draw, discard E by the next player"), ("E?,E", 4, "draw, discard E by E"),
    # H and V are players of six, and tiles of any game.
    ("H", 6, "discard H by the next player"), ("HH", 6, "discard H by H"), ("VH", 6, "discard H by V"),
    ("HV", 6, "discard V by H"), ("V", 4, "discard V by the next player"), ("EH", 4, "discard H by E"),
    ("HP,V", 6, "pung, discard V by H"),
    # c is an action, or rank 13.
    ("ct", 4, "discard 13p by the next player"), ("Ect", 4, "discard 13p by E"),
    ("cs", 4, "discard 13s by the next player"), ("c23t,5m", 4, "chow 2p 3p, discard 5m by the next player"),
    ("c2t3t,5m", 4, "chow 2p 3p, discard 5m by the next player"),
    ("Sc23t,5m", 4, "chow 2p 3p, discard 5m by S"),
    ("ccdt,5m", 4, "chow 13p 14p, discard 5m by the next player"),
    ("cdt,5m", 4, "chow 13p 14p, discard 5m by the next player"),
    ("ctdt,5m", 4, "chow 13p 14p, discard 5m by the next player"),
    ("cbt", 4, "chow 13p 12p by the next player"),
    ("c23t,ct", 4, "chow 2p 3p, discard 13p by the next player"),
    ("?,ct", 4, "draw, discard 13p by the next player"),
    *((word, 4, None) for word in ("cct", "c", "c5t")),
    # Two tiles are a chow.
    ("23t,5m", 4, "chow 2p 3p, discard 5m by the next player"),
    ("2t3t,5m", 4, "chow 2p 3p, discard 5m by the next player"),
    ("24t,5m", 4, "chow 2p 4p, discard 5m by the next player"),
    ("W23t,5m", 4, "chow 2p 3p, discard 5m by W"), ("01t,5m", 4, "chow Z 1p, discard 5m by the next player"),
    ("0s2s,5m", 4, "chow Z 2s, discard 5m by the next player"), ("23t", 4, "chow 2p 3p by the next player"),
    ("EF", 4, "discard F by E"),
    *((word, 4, None) for word in ("25t,5m", "2t3m,5m", "22t,5m", "234t,5m", "CF")),
    # The zero is an honour, or a number.
    ("Z", 4, "discard Z by the next player"), ("0t", 4, "discard Z by the next player"),
    ("0m", 4, "discard Z by the next player"),
    # t is an action, or a suit.
    ("?,t", 4, "draw, win by the next player"), ("E?,t", 4, "draw, win by E"),
    ("5t", 4, "discard 5p by the next player"), ("?,5t", 4, "draw, discard 5p by the next player"),
    *((word, 4, None) for word in ("t", "Et")),
    # K is an open kong with no tile, or a kong of the hand with one.
    ("SK,5m", 4, "open kong, discard 5m by S"), ("SK,?,5m", 4, "open kong, draw, discard 5m by S"),
    ("SK", 4, "open kong by S"), ("SK,t", 4, "open kong, win by S"),
    ("SK,K5m,6m", 4, "open kong, kong 5m, discard 6m by S"),
    ("?,K5m", 4, "draw, kong 5m by the next player"),
    ("?,K5m,6m", 4, "draw, kong 5m, discard 6m by the next player"),
    ("?,KE,E", 4, "draw, kong E, discard E by the next player"),
    ("?,K5m,?,K6m,t", 4, "draw, kong 5m, draw, kong 6m, win by the next player"),
    *((word, 4, None) for word in ("K", "K,5m", "K5m,6m", "SK5m,6m", "?,K", "?,K5m6m")),
    # R always names its player.
    ("SR", 4, "ron by S"),
    *((word, 4, None) for word in ("R", "ER,5m", "?,R")),
    # A pung too, and goes on.
    *((word, 4, None) for word in ("P,5m", "?,P,5m")),
    # Flowers are tiles, and nothing besides.
    ("h", 4, "discard 1f by the next player"), ("r", 4, "discard 8f by the next player"),
    # What is nothing.
    ("S", 4, "discard S by the next player"), ("?", 4, "draw by the next player"), ("E?", 4, "draw by E"),
    *((word, 4, None) for word in ("", "??", ",", "5m,", "5m,6m", "5", "5mm", "5p", "e", "H5m")),
    ("N5m", 3, None),
]  # fmt: skip


@looped(("body", "players", "meaning"), *SAID)
def test_a_word_means_one_thing_or_nothing(body: str, players: int, meaning: str | None) -> None:
    if meaning is None:
        with pytest.raises(WordError, match="is no turn: "):
            read_word(body, players)
    else:
        word = read_word(body, players)
        moves = ", ".join(" ".join((move.kind, *move.tiles)) for move in word.moves)
        by = "the next player" if word.seat is None else SEATS[players][word.seat]
        assert f"{moves} by {by}" == meaning


def test_each_way_to_read_has_its_reason() -> None:
    for body, why in (
        ("SK5m", "an open kong takes no tiles, not 1 (reading 'K5m' by S); "
                 "a kong of the hand follows a draw or a kong (reading 'K5m' by S)"),
        ("?,K", "an open kong is the first move of its turn; a kong of the hand takes 1 tile, not 0"),
        ("?,K5m6m", "an open kong takes no tiles, not 2; a kong of the hand takes 1 tile, not 2"),
        ("SR,5m", "after a ron the turn ends (reading 'R' by S)"),
        ("P,5m", "a pung names its player"),
        ("25t,5m", "2t5t make no chow"),
        ("x", "'x' is neither an action nor tiles"),
    ):  # fmt: skip
        with pytest.raises(WordError) as error:
            read_word(body, 4)
        assert why in str(error.value), body


LETTERS = "ESWNHVCFPZhr019xcfetsmcPKR?,"


@pytest.mark.parametrize("players", SEATS)
def test_no_short_word_has_two_readings(players: int) -> None:
    letters = [*dict.fromkeys(LETTERS)]
    bodies = ("".join(body) for length in (1, 2, 3) for body in product(letters, repeat=length))
    assert [body for body in bodies if len(readings(body, players)) > 1] == []


@given(body=st.text(alphabet=LETTERS + "2345678abdijkopq", max_size=14), players=st.sampled_from(list(SEATS)))
def test_no_word_has_two_readings(body: str, players: int) -> None:
    assert len(readings(body, players)) < 2


def test_a_word_of_two_readings_would_show_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were S an action as well, a lone S were that, or a discard of the south wind."""
    monkeypatch.setattr(words, "ACTIONS", (*words.ACTIONS, words.Action("S", "draw", "a draw", 0)))
    with pytest.raises(WordError) as error:
        read_word("S", 4)
    assert str(error.value) == "'S' can be read as discard S by the next player or draw by the next player"


NUMBERS = ["Z", *(tile for spelling, tile in HUB.items() if len(spelling) == 2)]
CHOWS = [
    (a, b)
    for a, b in combinations(NUMBERS, 2)
    if {a[-1], b[-1]} - {"Z"} and len({a[-1], b[-1]} - {"Z"}) == 1
    and abs(int(a[:-1] or 0) - int(b[:-1] or 0)) in (1, 2)
]  # fmt: skip
LEGAL: list[tuple[Move, ...]] = [
    *((Move("discard", (tile,)),) for tile in HUB.values()),
    *((Move("chow", chow), Move("discard", ("13p",))) for chow in CHOWS),
    *((Move("chow", (b, a)), Move("discard", ("P",))) for a, b in CHOWS),
    (Move("pung"), Move("discard", ("P",))),
    (Move("open kong"),),
    (Move("open kong"), Move("win")),
    *((Move("draw"), Move("kong", (tile,)), Move("discard", ("5m",))) for tile in HUB.values()),
    (Move("draw"),),
    (Move("draw"), Move("win")),
    (Move("ron"),),
]


@looped("players", *SEATS)
def test_every_turn_is_written_so_that_it_is_read_as_itself(players: int) -> None:
    for moves in LEGAL:
        for place, letter in enumerate(SEATS[players]):
            assert read_word(letter + spell_moves(moves), players) == Word(place, moves)
        if moves[0].kind not in ("pung", "open kong", "ron"):
            assert read_word(spell_moves(moves), players) == Word(None, moves)


def test_the_long_form_writes_every_draw_and_every_suit() -> None:
    assert words.spell_moves_in_full((Move("discard", ("5m",)),)) == "?,5m"
    assert words.spell_moves_in_full((Move("chow", ("Z", "2s")), Move("discard", ("5m",)))) == "c0s2s,5m"
    assert words.spell_moves_in_full((Move("open kong"), Move("kong", ("E",)), Move("win"))) == "K,?,KE,?,t"


def test_a_word_beyond_any_turn_is_refused() -> None:
    with pytest.raises(WordError, match="no longer than 120 letters, and this has 100001"):
        read_word("?," * 50_000 + "E", 4)
