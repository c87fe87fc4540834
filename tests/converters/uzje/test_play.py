"""What a tile list and turns mean: the deal, the draws from front and back, every action, every omission."""

from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.events import Ankan, Chi, Daiminkan, Discard, Draw, EndRound, Kakan, Nukidora, Pon, Ryukyoku, Win
from mjconv.ir.match import Round
from trips import read, write

from .games import BY_PLAYERS, FOUR, SIX, game, hub

FLAVOURS = ["uzje", "uzje-long", "uzje-commands"]


def played(text: str) -> Round:
    """Read a game, and see that each form of it is read as the same."""
    was = read(text.encode(), "uzje")
    assert was.warnings == []
    for flavour in FLAVOURS:
        written = write([was.match], flavour)
        assert "mjconv" not in written.data.decode()
        assert read(written.data, "uzje").match == was.match
    return was.match.rounds[0]


def events(text: str) -> list[ev.Event]:
    """Give the events after the deal and before the end."""
    game_round = played(text)
    assert game_round.events[-1] == EndRound()
    return game_round.events[1:-1]


@looped("players", BY_PLAYERS)
def test_the_deal_is_by_fours_from_the_dealer_on(players: int) -> None:
    start = played(game(players=players, header="S 2 1")).start
    assert start is not None
    assert (start.bakaze, start.kyoku, start.honba, start.oya) == ("S", 2, 1, 1)
    hands = [list(start.tehais[(1 + place) % players]) for place in range(players)]  # type: ignore[index]
    assert hands == [hub(hand) for hand in BY_PLAYERS[players]]


@looped("players", BY_PLAYERS)
def test_the_players_draw_and_discard_in_the_order_of_their_letters(players: int) -> None:
    letters = {3: "ESW", 4: "ESWN", 6: "EHSVWN"}[players]
    front = "7s 8s 9s 7s 8s 9s 6s 6s"
    turns = " ".join(f"{n}.{tile}" for n, tile in enumerate(front.split(), 1))
    named = " ".join(f"0.{letters[n % players]}?,{tile}" for n, tile in enumerate(front.split()))
    expected = [
        event
        for n, tile in enumerate(front.split())
        for event in (Draw(n % players, tile), Discard(n % players, tile, True))
    ]
    assert events(game(turns, front=front, players=players)) == [*expected, Ryukyoku()]
    assert events(game(named, front=front, players=players)) == [*expected, Ryukyoku()]


PUNG_HANDS = (FOUR[0], "4t 5t 6t 4t 5t 6t 6m 6m S S S F F", *FOUR[2:])
KONG_HANDS = ("1m 1m 1m 1m 2m 2m 2m 2m 3m 3m 3m 3m P", *FOUR[1:])
ADDED_HANDS = (FOUR[0], "4t 5t 6t 4t 5t 6t 6m 6m W W F F F", "7t 8t 9t 7t 8t 9t 7m 7m S S C C C", FOUR[3])
OPEN_KONG = [Daiminkan(3, 0, "N", ("N", "N", "N")), Draw(3, "9s"), Discard(3, "8m", False)]
CONCEALED = [Ankan(0, ("P",) * 4), Draw(0, "9s"), Discard(0, "9s", True)]
CHOW = Chi(1, 0, "4p", ("5p", "6p"))


def test_turns_are_these_events() -> None:
    kongs = [
        event
        for tile, drawn in (("1m", None), ("2m", "E"), ("3m", "8s"))
        for event in ([Draw(0, drawn)] if drawn else []) + [Ankan(0, (tile,) * 4)]
    ]
    added = "1.W 2.SP,6m 3.7m 4.8m 5.5m 6.?,KW,6m"
    for name, turns, tiles, at, expected in (
        (
            "round two is dealt by the second player",
            "1.7s 2.8s",
            {"front": "7s 8s", "header": "E 2 0"},
            0,
            [Draw(1, "7s")],
        ),
        *(
            ("a chow", f"1.4t {turn}", {"front": "4t"}, 2, [CHOW, Discard(1, "6m", False)])
            for turn in ("2.56t,6m", "2.5t6t,6m", "2.c56t,6m", "2.c5t6t,6m", "2.S56t,6m", "2.Sc5t6t,6m")
        ),
        (
            *(
                "a pung, then the next player",
                "1.F 2.SP,6m 3.7m",
                {"front": "F 9s", "hands": PUNG_HANDS},
                2,
            ),
            [Pon(1, 0, "F", ("F", "F")), Discard(1, "6m", False), Draw(2, "9s"), Discard(2, "7m", False)],
        ),
        # A kong draws from the back, tile after tile.
        *(
            ("an open kong", f"1.N {turn}", {"front": "N", "back": "9s"}, 2, OPEN_KONG)
            for turn in ("2.NK,8m", "2.NK,?,8m")
        ),
        *(
            ("a concealed kong", turn, {"front": "P", "back": "9s"}, 1, CONCEALED)
            for turn in ("1.?,KP,9s", "1.?,KP,?,9s", "1.E?,KP,?,9s")
        ),
        (
            *(
                "three kongs",
                "1.?,K1m,K2m,?,K3m,9s",
                {"front": "E", "back": "E 8s 9s", "hands": KONG_HANDS},
                1,
            ),
            [*kongs, Draw(0, "9s")],
        ),
        (
            *("an added kong", added, {"front": "W 9s 9s 9s W", "back": "9s", "hands": ADDED_HANDS}, 11),
            [Kakan(1, "W", ("W", "W", "W"))],
        ),
        # Wins. A kong is robbed before its replacement is drawn.
        ("a ron", "1.E 2.WR", {"front": "E"}, -1, [Win(2, 0)]),
        ("a self-drawn win", "1.?,t", {"front": "P"}, -1, [Win(0, 0)]),
        ("a win on a replacement", "1.?,KP,t", {"front": "P", "back": "E"}, -1, [Win(0, 0)]),
        ("a win after an open kong", "1.N 2.NK,t", {"front": "N", "back": "E"}, -1, [Win(3, 3)]),
        ("a robbed kong", "1.?,KP 2.SR", {"front": "P"}, 1, [Ankan(0, ("P",) * 4), Win(1, 0)]),
        # A north is set aside in a game of three, and in no other.
        (
            *("a north of three", "1.?,KN,E", {"front": "N", "back": "9s", "players": 3}, 1),
            [Nukidora(0, "N"), Draw(0, "9s")],
        ),
        (
            *("a north of four", "1.P 2.S 3.C 4.?,KN,8m", {"front": "9s 9s 9s N", "back": "E"}, 7),
            [Ankan(3, ("N",) * 4)],
        ),
        # The tile discarded is the one drawn where no other is held.
        ("the tile drawn", "1.9s", {"front": "9s"}, 1, [Discard(0, "9s", True)]),
        ("a tile of the hand", "1.5m", {"front": "9s"}, 1, [Discard(0, "5m", False)]),
        ("a tile like the one drawn", "1.5m", {"front": "5m"}, 1, [Discard(0, "5m", False)]),
        # A record may stop after any move.
        ("a draw and no more", "1.?", {"front": "9s"}, 0, [Draw(0, "9s"), Ryukyoku()]),
        ("a chow and no more", "1.4t 2.56t", {"front": "4t"}, 2, [CHOW]),
        ("a kong and no more", "1.?,KP", {"front": "P"}, 1, [Ankan(0, ("P",) * 4)]),
        ("a replacement and no more", "1.?,KP,?", {"front": "P", "back": "9s"}, 2, [Draw(0, "9s")]),
        ("no turns", "", {}, 0, [Ryukyoku()]),
        ("a pung of six", "1.V 2.VP,P 3.W", {"front": "V W", "players": 6}, 2, [Pon(3, 0, "V", ("V", "V"))]),
    ):
        found = events(game(turns, **tiles))  # type: ignore[arg-type]
        assert found[at:][: len(expected)] == expected, name


def test_a_game_without_tiles_is_a_round_of_which_no_play_is_known() -> None:
    assert played("E 3 0 4\n").events == [ev.StartRound("E", kyoku=3, honba=0, oya=2), EndRound()]


def test_the_wall_is_kept_where_it_shows_more_than_play() -> None:
    whole = game("1.9s", front="9s 8s", back="7s")
    assert played(whole).wall == tuple(hub(" ".join(whole.split()[4:-1])))
    assert not played(game("1.9s", front="9s")).wall


def test_flowers_that_are_dealt_are_replaced_before_the_first_draw_from_the_dealer_on() -> None:
    hands = (
        "1t 2t 3t 1t 2t 3t h 5m E E P P i",
        FOUR[1],
        "7t 8t 9t 7t 8t 9t 7m 7m W W C j C",
        FOUR[3],
    )
    got = events(game("1.9s", front="9s", back="k 6s 6s 5s", hands=hands))
    assert got == [
        Nukidora(0, "1f"), Draw(0, "4f"), Nukidora(0, "2f"), Draw(0, "6s"), Nukidora(0, "4f"), Draw(0, "6s"),
        Nukidora(2, "3f"), Draw(2, "5s"),
        Draw(0, "9s"), Discard(0, "9s", True), Ryukyoku(),
    ]  # fmt: skip


def test_a_flower_drawn_is_set_aside_at_once_and_replaced_from_the_back() -> None:
    got = events(game("1.?,KP,9s 2.S", front="P o", back="h 9s q r 7s"))
    assert got == [
        Draw(0, "P"), Ankan(0, ("P",) * 4),
        Draw(0, "1f"), Nukidora(0, "1f"), Draw(0, "9s"), Discard(0, "9s", True),
        Draw(1, "5f"), Nukidora(1, "5f"), Draw(1, "7f"), Nukidora(1, "7f"),
        Draw(1, "8f"), Nukidora(1, "8f"), Draw(1, "7s"), Discard(1, "S", False),
        Ryukyoku(),
    ]  # fmt: skip


def test_six_players_with_compressed_winds_the_zero_and_ranks_to_sixteen() -> None:
    got = events(game("1.Z 2.12t,ft 3.?,cs 4.dses,P 5.H 6.V", front="Z Z H V", players=6))
    assert got == [
        Draw(0, "Z"), Discard(0, "Z", True),
        Chi(1, 0, "Z", ("1p", "2p")), Discard(1, "16p", False),
        Draw(2, "Z"), Discard(2, "13s", False),
        Chi(3, 2, "13s", ("14s", "15s")), Discard(3, "P", False),
        Draw(4, "H"), Discard(4, "H", True),
        Draw(5, "V"), Discard(5, "V", True),
        Ryukyoku(),
    ]  # fmt: skip


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
