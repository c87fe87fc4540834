"""Rounds that tests write by hand, as events: hands, turns, calls and results in short words."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.table import Table
from mjconv.rules.riichi_wins import settle

#: The points of four players at the beginning.
POINTS = (25000,) * 4


def deal(*hands: str, oya: int = 0, **values: Any) -> ev.StartRound:
    """Return the deal of a first round of east: each hand is its tiles with blanks between them."""
    tehais = tuple([tuple(hand.split()) for hand in hands])
    usual = {"bakaze": "E", "kyoku": oya + 1, "honba": 0, "kyotaku": 0, "oya": oya, "dora_marker": "9p"}
    return ev.StartRound(**{**usual, "scores": POINTS[: len(hands)], "tehais": tehais, **values})


def turn(seat: int, tile: str, out: str = "") -> list[ev.Event]:
    """Return a draw and a discard: the tile drawn, or another one of the hand."""
    return [ev.Draw(seat, tile), ev.Discard(seat, out or tile, tsumogiri=not out)]


def riichi(seat: int, tile: str, out: str = "") -> list[ev.Event]:
    """Return a turn with a riichi that is accepted."""
    draw, discard = turn(seat, tile, out)
    return [draw, ev.Riichi(seat), discard, ev.RiichiAccepted(seat)]


def pon(seat: int, target: int, tile: str, out: str) -> list[ev.Event]:
    return [ev.Pon(seat, target, tile, (tile, tile)), ev.Discard(seat, out, tsumogiri=False)]


def said(events: Iterable[ev.Event]) -> str:
    """Return events in words: the kind, players, tile, tiles of the hand, and `drawn` where it was just drawn."""
    found = []
    for event in events:
        named = [getattr(event, key, UNSET) for key in ("actor", "target", "pai", "dora_marker")]
        words = [ev.name_of(event), *(str(one) for one in named if one is not UNSET)]
        words += [*getattr(event, "consumed", ()), *["drawn"] * (getattr(event, "tsumogiri", UNSET) is True)]
        found.append(" ".join(words))
    return ", ".join(found)


def match_of(*rounds: list[ev.Event]) -> Match:
    [start, *_], *_ = rounds
    assert isinstance(start, ev.StartRound)
    players = [Player(Name(Text(name))) for name in "ABCD"[: len(start.scores or ())]]
    return Match(
        players=players,
        opening=[ev.StartGame()],
        rounds=[Round([*events, ev.EndRound()]) for events in rounds],
        closing=[ev.EndGame()],
    )


def won(events: list[ev.Event], *wins: ev.Win) -> list[ev.Event]:
    """Return the events with wins after them, and with the values and points that the rules give these wins."""
    start, *play = events
    assert isinstance(start, ev.StartRound)
    table = Table.dealt(start)
    for event in play:
        table.apply(event)
    found: list[ev.Event] = [*events]
    for at, win in enumerate(wins, len(events)):
        settled = settle(table, start, [*events, *wins], at)
        assert settled is not None
        assert settled.points
        value = {
            "pai": table.drawn if win.target == win.actor else table.last_tile,
            "deltas": settled.deltas,
            "yakus": tuple([(YAKU_IN_MESSAGES.get(name, name), han) for name, han in settled.value.yaku]),
            "fu": settled.value.fu,
            "fan": settled.value.han,
            "hora_points": settled.points,
            "liable": UNSET if settled.liable is None else settled.liable,
            "ura_markers": win.ura_markers or (),
        }
        found.append(structs.replace(win, **value))
    return found


#: A hand that waits for 5s and 8s, all simples.
READY = "2m 3m 4m 5m 6m 7m 3s 4s 5s 8p 8p 6s 7s"
IDLE = "1p 1p 1p 2p 2p 2p 3p 4p 7s 7s E E S"
OTHER = "1s 1s 9m 7m 8m 9m S S P F N N P"
FOUR_READY = (
    READY,
    "2p 3p 4p 5p 6p 7p 1m 1m 1m 9s 9s 3m 4m",
    "7m 8m 9m 1s 2s 3s 3p 4p 5p W W 6p 7p",
    "4s 5s 6s 1s 9s 9s 2m 2m 8m 9m N N N",
)
#: South calls three dragons: the first of east, the others of west.
DRAGONS = (
    "1p 1p 1p 2p 2p 2p 3p 4p 7s 8s 9m 9m 1m",
    "P P F F C C E E E W W 5p 6p",
    "2m 3m 5s 6s 7s 2p 3p 4p 6p 7p 8p 3s 3s",
    "1s 1s 1s 7m 8m 9m S S S 9s 9s N N",
)


def _robbed(*others: list[ev.Event], hands: tuple[str, ...]) -> list[ev.Event]:
    """Return the events until west adds a tile to a pon. `others` are played before."""
    play = [*turn(0, "8s"), *pon(2, 0, "8s", "C"), *turn(3, "P"), *turn(0, "F")]
    kan: list[ev.Event] = [ev.Draw(2, "8s"), ev.Kakan(2, "8s", ("8s",) * 3)]
    return [deal(*hands), *play, *[event for each in others for event in each], *kan]


def _fed() -> list[ev.Event]:
    """Return the events until south has called three dragons."""
    calls = [*turn(0, "P"), *pon(1, 0, "P", "5p"), *turn(2, "F"), *pon(1, 2, "F", "6p")]
    calls += [*turn(2, "C"), *pon(1, 2, "C", "W"), *turn(2, "8m"), *turn(3, "8m"), *turn(0, "8m")]
    return [deal(*DRAGONS, dora_marker="9m", honba=9, kyotaku=2), *calls]


def _four_kans() -> list[ev.Event]:
    """Return a round that ends by the fourth kan of two players."""
    hands = (
        IDLE,
        "9m 9m 9m 1s 1s 1s 2m 3m 4m 5p 6p 7p C",
        "W W W 3s 3s 3s 4m 5m 6m 7p 8p N N",
        "7m 8m 9s 9s S S 5s 6s 7s P P F F",
    )
    kans: list[ev.Event] = [ev.Draw(0, "1p"), ev.Ankan(0, ("1p",) * 4), ev.Dora("8p")]
    kans += [ev.Draw(0, "2p"), ev.Ankan(0, ("2p",) * 4), ev.Dora("8m"), *turn(0, "9m")]
    kans += [ev.Daiminkan(1, 0, "9m", ("9m",) * 3), ev.Draw(1, "1s"), ev.Dora("6m")]
    kans += [ev.Ankan(1, ("1s",) * 4), ev.Dora("4s"), *turn(1, "C")]
    return [deal(*hands), *kans, ev.Ryukyoku("suukansansen", deltas=(0,) * 4)]


def _rounds() -> dict[str, list[ev.Event]]:
    robber = ("8s 8s W W W 1s 2s 3s 4m 5m 6m N C", OTHER)
    riichi_of_three = [event for seat in range(3) for event in riichi(seat, "E")]
    fourth = [*riichi(3, "S"), ev.Ryukyoku("suucha_riichi", deltas=(0,) * 4)]
    nine: list[ev.Event] = [ev.Draw(3, "C"), ev.Ryukyoku("kyushu_kyuhai", deltas=(0,) * 4)]
    kan: list[ev.Event] = [ev.Draw(1, "1m"), ev.Ankan(1, ("1m",) * 4), ev.Dora("3m")]
    kan += [*turn(1, "C"), *turn(2, "C"), *turn(3, "8s")]
    red = [*turn(0, "5pr"), ev.Pon(2, 0, "5pr", ("5p", "5p")), ev.Discard(2, "C", tsumogiri=False)]
    red += [*turn(3, "F"), *turn(0, "F"), *turn(1, "F"), ev.Draw(2, "5p"), ev.Kakan(2, "5p", ("5p", "5p", "5pr"))]
    both = ("2m 3m 4m 7m 8m 9m 6s 7s 9s 9s 9s 1s 1s",)
    orphans = "1m 9m 1p 9p 1s 9s E S P N F 3m 4m"
    quads = "1m 1m 1m 9m 9m 9m 1p 1p 1p 9p 9p 9p E", READY, "8s 9s W W W 1s 2s 3s 4m 5m 6m N C"
    fives = IDLE, READY, "5p 5p W W W 1s 2s 3s 4m 5m 6m N C", OTHER
    poor, few = (1000, 33000, 33000, 33000), (500, 33500, 33000, 33000)
    thrown = [*turn(0, "5p"), *turn(1, "5p"), *turn(2, "5p")]
    double: list[ev.Event] = [ev.Draw(1, "8s"), ev.Riichi(1), ev.Discard(1, "8s", tsumogiri=True)]
    called = [*riichi(0, "W"), *pon(2, 0, "W", "7p"), *turn(3, "E"), *turn(0, "E"), *kan]
    unbroken = [*riichi(0, "W"), *turn(1, "E"), *turn(2, "E"), *turn(3, "E"), ev.Draw(0, "8s")]
    robbed = _robbed(riichi(1, "9p"), hands=(IDLE, READY, *robber))
    robbed_twice = _robbed(turn(1, "9p"), hands=(IDLE, READY, robber[0], *both))
    last_stick = [deal(*FOUR_READY, scores=poor), *riichi(0, "E"), *turn(1, "P"), *turn(2, "8s")]
    all_quads: list[ev.Event] = [deal(*quads, OTHER.replace("9m ", "C ", 1)), ev.Draw(0, "E")]
    return {
        "a robbed kan on a riichi": won(robbed, ev.Win(1, 2, ura_markers=("1m",))),
        "two rob a kan": won(robbed_twice, ev.Win(3, 2), ev.Win(1, 2)),
        "four kans of two": _four_kans(),
        "a win on the first discard": won(
            [deal(IDLE, READY, *robber, honba=2, kyotaku=1), *turn(0, "8s")], ev.Win(1, 0)
        ),
        "a win on a double riichi": won([deal(*FOUR_READY), *turn(0, "W"), *double], ev.Win(0, 1)),
        "nine kinds of the dealer": [deal(orphans, READY, *robber), ev.Draw(0, "C"), nine[1]],
        "nine kinds of north": [deal(IDLE, READY, robber[0], orphans), *thrown, *nine],
        "four riichi": [
            *[deal(*FOUR_READY[:3], "4s 5s 6s 7s 8s 9s 2m 2m 8m 9m N N N"), *riichi_of_three],
            *fourth,
        ],
        "the last stick": won(last_stick, ev.Win(0, 2, ura_markers=("2s",))),
        "a double yakuman by the dealer's first draw": won(all_quads, ev.Win(0, 0)),
        "a liable player and two yakuman": won([*_fed(), ev.Draw(1, "W")], ev.Win(1, 1)),
        "riichi, a pon, a kan": won([deal(*FOUR_READY), *called], ev.Win(0, 3, ura_markers=("2s", "F"))),
        "a red five called, and one added": won([deal(*fives), *red, *turn(2, "8s")], ev.Win(1, 2)),
        "a double riichi and a self-draw at once": won(
            [deal(*FOUR_READY), *unbroken], ev.Win(0, 0, ura_markers=("7p",))
        ),
        "more than all points": won([deal(IDLE, READY, *robber, scores=few), *turn(0, "8s")], ev.Win(1, 0)),
    }


#: Rare rounds by what happens in them.
ROUNDS = _rounds()
