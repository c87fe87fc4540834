"""What a tile list and turns mean: the deal, the draws from front and back, every action, every omission."""

import pytest

from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError
from mjconv.ir.events import Chi, Discard, EndRound, Ryukyoku
from mjconv.ir.match import Round
from moments_made import said, turn
from trips import known, read, write

from .games import BY_PLAYERS, FOUR, SIX, game, hub


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
