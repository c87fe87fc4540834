"""What a tile list, turns and words mean: each action, each omission, and draws that may be left out."""

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looped import looped
from mjconv.converters.uzje import words
from mjconv.converters.uzje.game import Choices, GameError, UzjeGame, parse
from mjconv.converters.uzje.paragraphs import Block, GameText
from mjconv.converters.uzje.round_reader import read_game
from mjconv.converters.uzje.spelling import HUB, SEATS
from mjconv.converters.uzje.words import Move, Word, WordError, read_word, readings, spell_moves
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError
from mjconv.ir.events import Chi, Discard, EndRound, Ryukyoku
from mjconv.ir.match import Round
from moments_made import said, turn
from trips import known, read, write

from .games import BY_PLAYERS, FOUR, SIX, game, hub
from .random_games import random_game


def played(text: str) -> Round:
    """Read a game, and see that each form of it is read as the same."""
    was = read(text.encode(), "uzje")
    assert was.warnings == []
    for flavour in ["uzje", "uzje-long", "uzje-commands"]:
        written = write([was.match], flavour)
        assert "mjconv" not in written.data.decode()
        assert read(written.data, "uzje").match == was.match
    return was.match.rounds[0]


def events(text: str) -> list[ev.Event]:
    """Give the events after the deal and before the end."""
    game_round = played(text)
    assert game_round.events[-1] == EndRound()
    return game_round.events[1:-1]


@looped("players", *BY_PLAYERS)
def test_the_deal_is_by_fours_from_the_dealer_on(players: int) -> None:
    start = known(played(game(players=players, header="S 2 1")).start)
    assert (start.bakaze, start.kyoku, start.honba, start.oya) == ("S", 2, 1, 1)
    hands = [list(start.tehais[(1 + place) % players]) for place in range(players)]  # type: ignore[index]
    assert hands == [hub(hand) for hand in BY_PLAYERS[players]]


@looped("players", *BY_PLAYERS)
def test_the_players_draw_and_discard_in_the_order_of_their_letters(players: int) -> None:
    letters = {3: "ESW", 4: "ESWN", 6: "EHSVWN"}[players]
    front = "7s 8s 9s 7s 8s 9s 6s 6s"
    turns = " ".join(f"{n}.{tile}" for n, tile in enumerate(front.split(), 1))
    named = " ".join(f"0.{letters[n % players]}?,{tile}" for n, tile in enumerate(front.split()))
    expected = [event for n, tile in enumerate(front.split()) for event in turn(n % players, tile)]
    for written in (turns, named):
        assert events(game(written, front=front, players=players)) == [*expected, Ryukyoku()]


PUNG_HANDS = (FOUR[0], "4t 5t 6t 4t 5t 6t 6m 6m S S S F F", *FOUR[2:])
KONG_HANDS = ("1m 1m 1m 1m 2m 2m 2m 2m 3m 3m 3m 3m P", *FOUR[1:])
ADDED_HANDS = (FOUR[0], "4t 5t 6t 4t 5t 6t 6m 6m W W F F F", "7t 8t 9t 7t 8t 9t 7m 7m S S C C C", FOUR[3])
OPEN_KONG = "dahai 0 N drawn, daiminkan 3 0 N N N N, tsumo 3 9s, dahai 3 8m"
CONCEALED = "tsumo 0 P, ankan 0 P P P P, tsumo 0 9s, dahai 0 9s drawn"
KONGS = "ankan 0 1m 1m 1m 1m, tsumo 0 E, ankan 0 2m 2m 2m 2m, tsumo 0 8s, ankan 0 3m 3m 3m 3m, tsumo 0 9s"


def test_turns_are_these_events() -> None:
    pung, kongs = {"front": "F 9s", "hands": PUNG_HANDS}, {"front": "E", "back": "E 8s 9s", "hands": KONG_HANDS}
    added = {"front": "W 9s 9s 9s W", "back": "9s", "hands": ADDED_HANDS}
    six, three = {"front": "V W", "players": 6}, {"front": "N", "back": "9s", "players": 3}
    for turns, tiles, expected in (
        # Round two is dealt by the second player.
        ("1.7s 2.8s", {"front": "7s 8s", "header": "E 2 0"}, "tsumo 1 7s"),
        *(
            (f"1.4t 2.{act},6m", {"front": "4t"}, "dahai 0 4p drawn, chi 1 0 4p 5p 6p, dahai 1 6m")
            for act in ("56t", "5t6t", "c56t", "c5t6t", "S56t", "Sc5t6t")
        ),
        ("1.F 2.SP,6m 3.7m", pung, "pon 1 0 F F F, dahai 1 6m, tsumo 2 9s, dahai 2 7m"),
        ("1.V 2.VP,P 3.W", six, "pon 3 0 V V V"),
        # A kong draws from the back, tile after tile.
        *((f"1.N 2.NK,{act}", {"front": "N", "back": "9s"}, OPEN_KONG) for act in ("8m", "?,8m")),
        *((f"1.{act},9s", {"front": "P", "back": "9s"}, CONCEALED) for act in ("?,KP", "?,KP,?", "E?,KP,?")),
        ("1.?,K1m,K2m,?,K3m,9s", kongs, KONGS),
        ("1.W 2.SP,6m 3.7m 4.8m 5.5m 6.?,KW,6m", added, "kakan 1 W W W W"),
        # Wins. A kong is robbed before its replacement is drawn.
        ("1.E 2.WR", {"front": "E"}, "dahai 0 E, hora 2 0"),
        ("1.?,t", {"front": "P"}, "tsumo 0 P, hora 0 0"),
        ("1.?,KP,t", {"front": "P", "back": "E"}, "tsumo 0 E, hora 0 0"),
        ("1.N 2.NK,t", {"front": "N", "back": "E"}, "tsumo 3 E, hora 3 3"),
        ("1.?,KP 2.SR", {"front": "P"}, "ankan 0 P P P P, hora 1 0"),
        # A north is set aside in a game of three, and in no other.
        ("1.?,KN,E", three, "nukidora 0 N, tsumo 0 9s"),
        ("1.P 2.S 3.C 4.?,KN,8m", {"front": "9s 9s 9s N", "back": "E"}, "ankan 3 N N N N"),
        # The tile discarded is the one drawn where no other is held.
        ("1.9s", {"front": "9s"}, "dahai 0 9s drawn"),
        ("1.5m", {"front": "9s"}, "dahai 0 5m,"),
        ("1.5m", {"front": "5m"}, "dahai 0 5m,"),
        # A record may stop after any move.
        ("1.?", {"front": "9s"}, "tsumo 0 9s, ryukyoku"),
        ("1.4t 2.56t", {"front": "4t"}, "chi 1 0 4p 5p 6p, ryukyoku"),
        ("1.?,KP", {"front": "P"}, "ankan 0 P P P P, ryukyoku"),
        ("1.?,KP,?", {"front": "P", "back": "9s"}, "tsumo 0 9s, ryukyoku"),
        ("", {}, "ryukyoku"),
    ):
        assert expected in said(events(game(turns, **tiles))), turns  # type: ignore[arg-type]


def test_a_game_without_tiles_is_a_round_of_which_no_play_is_known() -> None:
    assert played("E 3 0 4\n").events == [ev.StartRound("E", kyoku=3, honba=0, oya=2), EndRound()]


def test_the_wall_is_kept_where_it_shows_more_than_play() -> None:
    whole = game("1.9s", front="9s 8s", back="7s")
    assert played(whole).wall == tuple(hub(" ".join(whole.split()[4:-1])))
    assert not played(game("1.9s", front="9s")).wall


FLOWERS = ("1t 2t 3t 1t 2t 3t h 5m E E P P i", FOUR[1], "7t 8t 9t 7t 8t 9t 7m 7m W W C j C", FOUR[3])


@looped(
    ("text", "moves"),
    # Flowers that are dealt are replaced before the first draw, from the dealer on.
    (
        game("1.9s", front="9s", back="k 6s 6s 5s", hands=FLOWERS),
        "nukidora 0 1f, tsumo 0 4f, nukidora 0 2f, tsumo 0 6s, nukidora 0 4f, tsumo 0 6s, nukidora 2 3f, "
        "tsumo 2 5s, tsumo 0 9s, dahai 0 9s drawn, ryukyoku",
    ),
    # A flower drawn is set aside at once, and replaced from the back.
    (
        game("1.?,KP,9s 2.S", front="P o", back="h 9s q r 7s"),
        "tsumo 0 P, ankan 0 P P P P, tsumo 0 1f, nukidora 0 1f, tsumo 0 9s, dahai 0 9s drawn, tsumo 1 5f, "
        "nukidora 1 5f, tsumo 1 7f, nukidora 1 7f, tsumo 1 8f, nukidora 1 8f, tsumo 1 7s, dahai 1 S, ryukyoku",
    ),
    # Six players, with compressed winds, the zero, and ranks to sixteen.
    (
        game("1.Z 2.12t,ft 3.?,cs 4.dses,P 5.H 6.V", front="Z Z H V", players=6),
        "tsumo 0 Z, dahai 0 Z drawn, chi 1 0 Z 1p 2p, dahai 1 16p, tsumo 2 Z, dahai 2 13s, "
        "chi 3 2 13s 14s 15s, dahai 3 P, tsumo 4 H, dahai 4 H drawn, tsumo 5 V, dahai 5 V drawn, ryukyoku",
    ),
)
def test_a_whole_round_is_these_moves(text: str, moves: str) -> None:
    assert said(events(text)) == moves


def test_a_last_flower_that_no_tile_replaces_is_named() -> None:
    for text in (game("1.9s 2.?", front="9s o"), game("1.?", front="", hands=("h" + FOUR[0][2:], *FOUR[1:]))):
        with pytest.raises(PlayError, match=r"no tile is left to replace the flower [oh]\n"):
            events(text)


def test_the_zero_in_a_chow_is_spelled_with_its_suit() -> None:
    hands = (SIX[0], "2t 3t Z xt at bt ct dt et ft H H Z", *SIX[2:])
    text = game("1.1t 2.02t,H 3.0t", front="1t Z", hands=hands, players=6).encode()
    got = read(text, "uzje").match.rounds[0].events
    assert got[3] == Chi(1, 0, "1p", ("Z", "2p"))
    assert got[6] == Discard(2, "Z", True)
    matches = read(text, "uzje").matches
    assert write(matches, "uzje").data.decode().endswith("1.1t 2.02t,H 3.Z\n")
    assert write(matches, "uzje-long").data.decode().endswith("1.E?,1t 2.Hc0t2t,H 3.S?,Z\n")
    assert write(matches, "uzje-commands").data.decode().endswith("E- Ed1t Hc02t HdH S- SdZ\n")


# A draw or a number that may be left out makes no difference to the game.
ZEROS = "0" * 60
BODIES = ["5m", "1t", "E", "S5m", "SP,5m", "t23,1s", "23t,1s", "?", "?,9s", "x", "", "K5m,1t", "NR", "5.m", "1:"]


def parsed(words: list[str], players: int) -> UzjeGame:
    return parse(GameText(Block("game", 0, ""), words), players).game


def outcome(game: UzjeGame) -> tuple[Round, Choices] | tuple[str, int | None, int | None]:
    try:
        reading = read_game(game, game.dealer, Choices(drawn=set(range(0, 60, 3))))
    except GameError as error:
        return str(error), error.turn, error.tile
    return reading.round, reading.choices


def spelled_out(turn: Word) -> Word:
    """Write the draw before a discard, as commands do."""
    return Word(turn.seat, (Move("draw"), *turn.moves)) if turn.moves[0].kind == "discard" else turn


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]), wrong=st.integers(0, 2))
def test_a_draw_before_a_discard_may_be_written(seed: int, players: int, wrong: int) -> None:
    game = parsed(random_game(seed, players).text.split(), players)
    chance = Random(seed)
    for _ in range(wrong):
        tile = chance.choice(list(HUB.values()))
        game.turns[chance.randrange(len(game.turns))] = Word(None, (Move("discard", (tile,)),))
    expected = outcome(game)
    game.turns = [spelled_out(turn) for turn in game.turns]
    if isinstance(expected[0], Round):
        assert outcome(game) == expected


def test_the_word_of_a_draw_and_a_discard() -> None:
    assert spelled_out(read_word("5m", 4)) == read_word("?,5m", 4)


@given(st.lists(st.sampled_from(BODIES), max_size=6), st.sampled_from(["", "1", "007", "x"]))
def test_a_number_of_many_digits_is_read_as_any_number(bodies: list[str], number: str) -> None:
    def read(zeros: str) -> list[Word] | tuple[str, int]:
        words = ["E", "1", "0", "4", "1.9s", *(f"{number and zeros}{number}.{body}" for body in bodies)]
        try:
            return parsed(words, 4).turns
        except WordError as error:
            return str(error).replace(ZEROS, ""), error.word

    found = read("")
    assert read(ZEROS) == found
    if isinstance(found, list):
        assert found[1:] == [read_word(body, 4) for body in bodies][: len(found) - 1]
    elif number.isdigit():
        assert not all(map(is_turn, bodies))


def is_turn(body: str) -> bool:
    try:
        read_word(body, 4)
    except WordError:
        return False
    return True


# One word of the turns: a first letter may be a player, an action or a tile, and arity settles it.

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
