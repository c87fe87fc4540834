"""Rare moments, written by hand in one notation and carried by the plain text of every other."""

import json
from collections import Counter

import pytest
from msgspec import structs

import mjconv
import trips
from looped import looped
from mjconv.converters import formats
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import RED_FIVES, RIICHI_TILES
from moments_made import ROUNDS, deal, match_of, pon, turn
from riichicity_made import Encoder
from trips import write

#: Formats of riichi for four players that state the points of a draw.
RIICHI = [form.id for form in formats.FORMATS if form.writes and form.holds.has("riichi")]
TARGETS = [name for name in RIICHI if name not in ("uzje", "mjai", "hk", "club")]
#: South declares riichi, and three players win on the discard: the round ends, and the riichi is not accepted.
TRIPLE_RON = """
jmjp[1.0](mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,]
frm[E1-0,0.0,1-1,pfs[25.0,25.0,25.0,25.0],ewukukukukukukukukuk,
(e,hnd[2m3m4m4s5s6s6s7s8s2p2p4p6p,,])
(s,hnd[wwwwww1m2m3m1s2s3s3p3p9s9s,,])
(w,hnd[2s2s2s3m4m5m6m7m8m8m8m4p6p,,])
(n,hnd[2m3m4m6m7m8m3s4s5s6m6m4p6p,,])
(e,ew,tg)(s,5p,rc[5p])
(w,rn,)(n,rn,)(e,rn,)
(e,hnd[2m3m4m2p2p4p6p4s5s6s6s7s8s,,])
(s,hnd[1m2m3m3p3p1s2s3s9s9swwwwww,,])
(w,hnd[3m4m5m6m7m8m8m8m4p6p2s2s2s,,])
(n,hnd[2m3m4m6m6m6m7m8m4p6p3s4s5s,,])
,pfe[25.0,25.0,25.0,25.0],]
)
""".lstrip()


def errors(data: bytes, form: str) -> list[str]:
    return [str(finding) for finding in mjconv.validate(data, format=form) if finding.severity == "error"]


def only_round(data: bytes, form: str) -> Round:
    [match] = mjconv.read_all(data, format=form)
    [played] = match.rounds
    return played


@looped("target", *TARGETS)
def test_a_riichi_on_whose_discard_three_players_win_is_not_accepted(target: str) -> None:
    source = TRIPLE_RON.encode()
    assert errors(source, "jmjp") == []
    data = mjconv.convert(source, source="jmjp", target=target, plain=True).data
    played = only_round(data, target)
    assert not played.select(ev.RiichiAccepted)
    assert played.select(ev.Ryukyoku)[0].reason == "sanchaho"
    assert errors(data, target) == []
    # Mahjong Soul states no points of this draw, and they follow: jmjp reads three rons without points as wins.
    back = mjconv.convert(data, source=target, target="jmjp", plain=True).data.decode()
    assert "(w,rn,)(n,rn,)(e,rn,)" in back.replace("\n", "")
    assert ",pfe[25.0,25.0,25.0,25.0]," in back
    assert errors(back.encode(), "jmjp") == []


def nagashi() -> Match:
    """Return a round in which all discard what they draw, and south draws terminals and honours only."""
    copies = {tile: 1 if tile in RED_FIVES else 3 if f"{tile}r" in RED_FIVES else 4 for tile in RIICHI_TILES}
    every = list(Counter(copies).elements())
    tiles = sorted(every, key=lambda tile: len(tile) > 1 and tile[0] not in "19")
    souths = [tiles.pop(0) for _ in range(18)]
    hands = tuple(tuple(tiles.pop(0) for _ in range(13)) for _ in range(4))
    events: list[ev.Event] = [ev.StartRound("E", tiles.pop(0), 1, 0, 0, 0, (25000,) * 4, hands)]
    for number in range(70):
        tile = souths.pop() if number % 4 == 1 else tiles.pop()
        events += [ev.Draw(number % 4, tile), ev.Discard(number % 4, tile, tsumogiri=True)]
    events += [ev.Ryukyoku(deltas=(-4000, 8000, -2000, -2000)), ev.EndRound()]
    return Match(rounds=[Round(events)])


@looped("target", *[target for target in TARGETS if target != "jmjp"])
def test_points_show_a_nagashi_mangan_whose_reason_is_not_stated(target: str) -> None:
    data = write([nagashi()], target, plain=True).data
    [drawn] = only_round(data, target).select(ev.Ryukyoku)
    assert drawn.reason == "nagashimangan"
    assert errors(data, target) == []


def fed_by_a_winner(honba: int, sticks: int) -> Match:
    """Return a round with two wins on one tile: west fed the third dragon of south, and wins too."""
    hands = (
        "1p 1p 1p 2p 2p 2p 3p 4p 7s 8s 9s E E",
        "P P F F C C 2m 3m 9s 9s 5p 6p 1p",
        "2m 3m 5s 6s 7s 2p 3p 4p 6p 7p 8p 3s 3s",
        "1s 1s 1s 7m 8m 9m S S S W W N N",
    )
    events = [deal(*hands, honba=honba, kyotaku=sticks), *turn(0, "P"), *pon(1, 0, "P", "5p")]
    events += [*turn(2, "F"), *pon(1, 2, "F", "6p"), *turn(2, "C"), *pon(1, 2, "C", "1p")]
    events += [*turn(2, "E"), *turn(3, "4m")]
    dragons = (0, 32000 + 300 * honba + 1000 * sticks, -16000 - 300 * honba, -16000)
    yakus = ("pinfu", 1), ("tanyaochu", 1)
    first = ev.Win(1, 3, "4m", liable=2, deltas=dragons, yakus=(("daisangen", 13),), fu=30, fan=13)
    second = ev.Win(2, 3, "4m", deltas=(0, 0, 2000, -2000), yakus=yakus, fu=30, fan=2, hora_points=2000)
    return match_of([*events, structs.replace(first, hora_points=32000), second])


@looped(("honba", "sticks"), (0, 0), (2, 3))
@looped("target", *TARGETS, "riichicity")
def test_a_liable_player_who_wins_too_gains_the_own_hand_and_pays_half_of_the_other(
    target: str, honba: int, sticks: int
) -> None:
    match = fed_by_a_winner(honba, sticks)
    if target == "riichicity":
        data = json.dumps(Encoder(match).record()).encode()
    else:
        data = write([match], target, plain=True).data
    played = only_round(data, target)
    wins, found = ([(win.actor, win.deltas) for win in one.select(ev.Win)] for one in (match.rounds[0], played))
    assert found == wins
    assert played.blocked == ()
    assert errors(data, target) == []


ALL = ["mjai", "jmjp", "jmjp-0", "uzje", "tenhou", "tenhou-json", "majsoul", "majiang", "hk"]
#: The formats of the rounds, and the formats that they are carried to: Ùzje shows no dora, and HK no play.
OVER = dict.fromkeys(["majiang", "mjx", "tenhou", "majsoul", "jmjp"], ALL) | {
    "uzje": ["mjai", "jmjp", "jmjp-0", "uzje", "majiang", "hk"],
    "hk": ["mjai", "jmjp", "jmjp-0", "hk"],
}
#: Formats whose plain text shows the points of riichi.
SHOWN = ["mjai", "jmjp", "tenhou", "tenhou-json", "majsoul", "majiang", "mjx"]


def moved(match: Match) -> list[object]:
    """Return who won from whom and for which points; a draw without points moves none."""
    return [
        (each.actor, each.target, each.deltas) if isinstance(each, ev.Win) else any(each.deltas or ())
        for one in match.rounds
        for each in one.events
        if isinstance(each, ev.Win | ev.Ryukyoku)
    ]


def test_the_rounds_are_right() -> None:
    for name in ROUNDS:
        assert errors(trips.write([match_of(ROUNDS[name])], "mjai").data, "mjai") == [], name


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.slow)])
@looped("source", *OVER)
@looped(("number", "name"), *enumerate(ROUNDS))
def test_a_rare_round_comes_back_over_half_of_the_formats(number: int, name: str, source: str, half: int) -> None:
    """Every other round goes over the formats that the round before it does not."""
    begun = trips.read(trips.write([match_of(ROUNDS[name])], source, plain=True).data, source).matches
    kept = any(match.original is not None for match in begun)
    for over in OVER[source][(number + half) % 2 :: 2]:
        for matches in (begun, trips.bare(begun)) if kept else (begun,):
            away = trips.read(trips.write(matches, over).data, over).matches
            assert away == begun, over
            assert trips.read(trips.write(away, source).data, source).matches == begun or source == "mjx", over


@looped("source", "majiang", "mjx", "riichicity")
@looped("name", *ROUNDS)
def test_the_plain_text_of_a_rare_round_has_its_points(name: str, source: str) -> None:
    match = match_of(ROUNDS[name])
    made = source == "riichicity"
    text = json.dumps(Encoder(match).record()) if made else trips.write([match], source, plain=True).data
    begun = trips.read(text, source)
    assert moved(begun.match) == moved(match)
    for target in SHOWN:
        there = trips.write(begun.matches, target, plain=True).data
        assert moved(trips.read(there, target).match) == moved(begun.match), target
