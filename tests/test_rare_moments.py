"""Rare moments, written by hand in one notation and carried by the plain text of every other."""

from __future__ import annotations

import pytest

import mjconv
from mjconv.converters import flow, formats
from mjconv.converters.interface import WriteOptions
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import RED_FIVES, RIICHI_TILES

#: Formats of riichi for four players that state the points of a draw.
TARGETS = [
    form.id
    for form in formats.FORMATS
    if form.writes and form.holds("riichi") and form.id not in ("uzje", "mjai", "hk")
]
#: South declares riichi, and three players win on the discard: the round ends, and the riichi is not accepted.
TRIPLE_RON = """
jmjp[1.0]
(
mtp[,,,]
ply[0,(snt["A"],),,,]
ply[1,(snt["B"],),,,]
ply[2,(snt["C"],),,,]
ply[3,(snt["D"],),,,]
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


@pytest.mark.parametrize("target", TARGETS)
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


def copies(tile: str) -> int:
    return 1 if tile in RED_FIVES else 3 if f"{tile}r" in RED_FIVES else 4


def nagashi() -> Match:
    """Return a round in which all discard what they draw, and south draws terminals and honours only."""
    tiles = sorted(
        (tile for tile in RIICHI_TILES for _ in range(copies(tile))),
        key=lambda tile: len(tile) > 1 and tile[0] not in "19",
    )
    souths = [tiles.pop(0) for _ in range(18)]
    hands = tuple(tuple(tiles.pop(0) for _ in range(13)) for _ in range(4))
    events: list[ev.Event] = [ev.StartRound("E", tiles.pop(0), 1, 0, 0, 0, (25000,) * 4, hands)]
    for turn in range(70):
        tile = souths.pop() if turn % 4 == 1 else tiles.pop()
        events += [ev.Draw(turn % 4, tile), ev.Discard(turn % 4, tile, tsumogiri=True)]
    events += [ev.Ryukyoku(deltas=(-4000, 8000, -2000, -2000)), ev.EndRound()]
    return Match(rounds=[Round(events)])


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "jmjp"])
def test_points_show_a_nagashi_mangan_whose_reason_is_not_stated(target: str) -> None:
    data = flow.written(formats.find(target)[0], [nagashi()], Report(), WriteOptions(plain=True))
    [drawn] = only_round(data, target).select(ev.Ryukyoku)
    assert drawn.reason == "nagashimangan"
    assert errors(data, target) == []
