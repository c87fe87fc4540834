"""What a frame means, sentence by sentence: jmjp read as play."""

import json
from dataclasses import dataclass

import pytest
from msgspec import UNSET

import trips
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError
from mjconv.ir.match import Match, Round
from moments_made import said
from trips import Was, known, write

from .texts import DORA, IN_MJAI, PLAYERS

#: The hands that every frame here begins with, by seat.
DEAL = {
    "e": "1m1m2m3m4m5m0m7p8p9pewewrd",
    "s": "3m4m6m7m5p5p0p1s1s2sswswwd",
    "w": "5m5m6m9p9p9p2s3s4swwwwgdgd",
    "n": "1m9m1p2p3p1s6s7s8snwnwrdrd",
}
POINTS = "[25.0,25.0,25.0,25.0]"
HEADS = {0: "jmjp[0]", 1: "jmjp[1.0]"}


def hands(deal: dict[str, str] = DEAL) -> str:
    return "".join(f"({seat},hnd[{tiles},,])" for seat, tiles in deal.items())


def frame(*acts: str, start: str = hands(), end: str = hands(), **head: str) -> str:
    usual = {"name": "E1-0", "kyoutak": "0.0", "dice": "", "pfs": POINTS, "dora": "2m" + "uk" * 9, "pfe": POINTS}
    name, kyoutak, dice, pfs, dora, pfe = {**usual, **head}.values()
    flow = start + "".join(f"({act})" for act in acts) + end
    return f"frm[{name},{kyoutak},{dice},{pfs and f'pfs{pfs}'},{dora},{flow},{pfe and f'pfe{pfe}'},]"


@dataclass(frozen=True)
class Reading(Was):
    """A match of one round, what had to be assumed, and what looks odd."""

    @property
    def round(self) -> Round:
        [game_round] = self.match.rounds
        return game_round

    @property
    def play(self) -> list[ev.Event]:
        """The events between the deal and the end of the round."""
        assert isinstance(self.round.events[0], ev.StartRound)
        assert self.round.events[-1] == ev.EndRound()
        return self.round.events[1:-1]

    @property
    def moves(self) -> list[ev.Event]:
        """The events without the result."""
        return [event for event in self.play if not isinstance(event, ev.Win | ev.Ryukyoku)]

    @property
    def deal(self) -> ev.StartRound:
        return known(self.round.start)


def read_file(text: str) -> Reading:
    was = trips.read(text.encode(), "jmjp")
    return Reading(was.matches, was.losses, was.warnings)


def text_of(match: Match, version: str = "jmjp") -> str:
    return write([match], version).data.decode()


def read_frames(*frames: str, major: int = 1, before: str = f"mtp[,,,]{PLAYERS}", after: str = "") -> Reading:
    return read_file(f"{HEADS[major]}({before}{''.join(frames)}{after})")


def read_frame(*acts: str, major: int = 1, **fields: str) -> Reading:
    return read_frames(frame(*acts, **fields), major=major)


def refusal(*acts: str, major: int = 1, **fields: str) -> str:
    with pytest.raises(PlayError) as caught:
        read_frame(*acts, major=major, **fields)
    return caught.value.message


def is_deal(*hidden: str, **changed: str) -> str:
    """Give the starting hands, some changed, some unknown."""
    return hands({**DEAL, **changed, **dict.fromkeys(hidden, "uk" * 13)})


def test_the_dealer_of_a_frame_and_the_seats_after() -> None:
    assert read_frame("e,9s,tg").deal.oya == 0
    assert read_frame("e,9s,tg").moves == [ev.Draw(0, "9s"), ev.Discard(0, "9s", tsumogiri=True)]
    for number, seat, player in ((2, "e", 1), (3, "e", 2), (4, "e", 3), (3, "n", 1), (4, "s", 0)):
        read = read_frame("e,9s,tg", name=f"S{number}-1")
        assert (read.deal.bakaze, read.deal.kyoku, read.deal.honba, read.deal.oya) == ("S", number, 1, number - 1)
        assert read.deal.tehais, number
        assert sorted(read.deal.tehais[player]) == sorted(IN_MJAI["eswn".index(seat)].split()), number


def test_points_are_in_the_order_of_seats_in_a_frame_and_of_players_in_the_match() -> None:
    read = read_frame("e,9s,tg", name="E2-0", pfs="[1.0,2.0,3.0,4.0]", pfe="[2.0,1.0,3.0,4.0]")
    assert read.deal.scores == (4000, 1000, 2000, 3000)
    assert read.play[-1] == ev.Ryukyoku(deltas=(0, 1000, -1000, 0))
    read = read_frames(frame(name="E3-0"), after="pme[1.0,2.0,3.0,-6.0]ptn[(1.0,),(2.0,),(3.0,),(,)]")
    assert read.match.final_scores == (1000, 2000, 3000, -6000)
    assert read.match.points_after
    assert [points.personal for points in read.match.points_after] == [1000, 2000, 3000, UNSET]


def test_players_and_hands_may_have_any_order() -> None:
    players = "".join(f'ply[{player},(srm["{player}"],),,,]' for player in (2, 0, 3, 1))
    turned = hands({seat: DEAL[seat] for seat in "wnse"})
    read = read_frames(frame("e,9s,tg", start=turned, end=turned), before=f"mtp[,,,]{players}")
    assert [player.name.shown for player in read.match.players if player.name] == ["0", "1", "2", "3"]
    assert read.deal == read_frame().deal


DEALT = hands()
FOURTEEN = DEALT.replace("rd,,])", "rd,9s,])", 1)
#: Hands with a pon of 6m of the west, and an ankan of 1m of the east.
SIXES = is_deal(w="6m6m6m9p9p9p2s3s4swwwwgdgd")
FOUR = is_deal(e="1m1m1m3m4m5m0m7p8p9pewewrd", n="2m9m1p2p3p1s6s7s8snwnwrdrd")
#: Acts up to a kakan of the north.
KAN_ACTS = ("e,9s,rd", "n,pn[rdrd],9m", "e,2p,2p", "s,2p,2p", "w,2p,2p", "n,rd,kk[rd]")
RON = ("e,9s,rd", "n,rn,")


def test_frames_that_cannot_be_are_refused_with_the_reason() -> None:
    twice = hands().replace("(w,", "(s,")
    fives = is_deal(w="6m6m6m9p9p9p2s3s4swwwwgdgd", e="1m1m2m3m4m0m4m7p8p9pewewrd")
    for message, *acts, fields in (
        ("seat s has two", {"start": twice}),
        ("seat s has two", {"end": twice}),
        ("riichi sticks of 1.0", {"kyoutak": "0.5"}),
        ("riichi sticks of 1.0", {"kyoutak": "-1.0"}),
        ("oy is allowed only", "e,oy,rd", {}),
        ("first act is oy", "e,9s,rd", {"start": FOURTEEN}),
        ("only the dealer", {"start": hands().replace("wd,,])", "wd,9s,])", 1)}),
        # kg needs a second copy, and a red five is another tile.
        ("the hand holds none", "e,9s,kg", {}),
        ("the hand holds none", "e,0p,kg", {}),
        ("the hand holds none", "e,5m,kg", {"start": fives}),
        # After a call there is no drawn tile.
        *(("none was drawn", "e,5p,tg", f"s,pn[5p0p],{act}", {"start": SIXES}) for act in ("tg", "kg")),
        *(("none was drawn", "e,5m,tg", f"s,ch[6m7m],{act}", {"start": SIXES}) for act in ("tg", "kg")),
        ("does not hold", "e,9s,7s", {}),
        ("next", "e,9s,tg", "w,2p,2p", {}),
        ("there is no discard", "s,pn[5p5p],wd", {}),
        ("there is no discard", "e,9p,ak[1m1m1m1m]", "s,pn[1s1s],wd", {"start": is_deal(e="1m" * 4 + "2m" * 9)}),
        ("chi", "e,9s,4m", "w,ch[5m6m],gd", {}),
        ("e draws, where n is next", *KAN_ACTS, "e,rs[4p],tg", {}),
        ("written rs", *KAN_ACTS, "n,4p,tg", {}),
        ("rs is allowed only after a kan", "e,rs[9s],tg", {}),
        ("no pon that rd can join", "e,rd,kk[rd]", {}),
        ("does not hold", "e,1m,ak[1m1m1m1m]", {}),
        # rn needs a discard or kan of another seat, and only another ron follows it.
        ("rn is allowed only after", "e,9s,rd", "e,rn,", {}),
        ("rn is allowed only after", "e,9s,", "s,rn,", {}),
        ("rn is allowed only after", "n,rn,", {}),
        ("rn is allowed only after", *RON, "n,rn,", {}),
        ("only another ron", *RON, "s,2p,2p", {}),
        ("follow tm", "e,9s,tm", "s,2p,2p", {}),
        ("waits for", "e,9s,", "s,2p,2p", {}),
    ):
        assert message in refusal(*acts, **fields), (acts, fields)  # type: ignore[arg-type]
    hand = is_deal(e="1m1m2m3m4m5p5p5p8p9pewewrd", s="3m4m6m7m6p6p6p1s1s2sswswwd")
    assert "does not hold" in refusal("e,5p,ak[0p]", "e,rs[9s],tg", major=0, start=hand, end="")
    for call in ("n,pn,1m", "n,dk,"):
        assert "does not hold" in refusal("e,9p,tg", call, major=0), call


def test_acts_are_moves() -> None:
    fives = is_deal(w="6m6m6m9p9p9p2s3s4swwwwgdgd", e="1m1m2m3m4m0m4m7p8p9pewewrd")
    accepted = "reach_accepted 0, tsumo 1 2p, dahai 1 2p drawn"
    for acts, start, moves in (
        (["e,9s,rd"], DEALT, "tsumo 0 9s, dahai 0 C"),
        (["e,5m,0m"], fives, "tsumo 0 5m, dahai 0 5mr"),
        # tg discards the tile just drawn, kg another tile like it. Of the only copy it is the one drawn.
        (["e,1m,tg"], DEALT, "tsumo 0 1m, dahai 0 1m drawn"),
        (["e,1m,kg"], DEALT, "tsumo 0 1m, dahai 0 1m"),
        (["e,9s,9s"], DEALT, "tsumo 0 9s, dahai 0 9s drawn"),
        (["e,9s,tg", "s,uk,4m"], is_deal("s"), "tsumo 0 9s, dahai 0 9s drawn, tsumo 1 ?, dahai 1 4m"),
        (["e,9s,rc[rd]", "s,2p,2p"], DEALT, f"tsumo 0 9s, reach 0, dahai 0 C, {accepted}"),
        (["e,1m,rc[1m]", "s,2p,2p"], DEALT, f"tsumo 0 1m, reach 0, dahai 0 1m drawn, {accepted}"),
        (["e,5m,0m", "s,ch[6m7m],wd"], DEALT, "tsumo 0 5m, dahai 0 5mr, chi 1 0 5mr 6m 7m, dahai 1 P"),
        (["e,5m,0m", "w,pn[5m5m],gd"], DEALT, "tsumo 0 5m, dahai 0 5mr, pon 2 0 5mr 5m 5m, dahai 2 F"),
        (["e,9p,tg", "w,dk[9p9p9p],"], DEALT, "tsumo 0 9p, dahai 0 9p drawn, daiminkan 2 0 9p 9p 9p 9p"),
        (["e,1m,ak[1m1m1m1m]"], FOUR, "tsumo 0 1m, ankan 0 1m 1m 1m 1m"),
        (["e,9s,"], DEALT, "tsumo 0 9s"),
    ):
        assert said(read_frame(*acts, start=start).moves) == moves
    added = said(read_frame(*KAN_ACTS, "n,rs[4p],tg").moves)
    assert added.endswith("kakan 3 C C C C, tsumo 3 4p, dahai 3 4p drawn")


def test_a_round_ends_with_wins_or_a_draw() -> None:
    """Gains are the points after less those before, with sticks. Of two winners the first has the sticks."""

    def won(actor: int, target: int, *deltas: int) -> ev.Win:
        return ev.Win(actor, target, deltas=deltas, ura_markers=())

    first, eight = won(1, 0, -3900, 5900, 0, 0), won(3, 0, -8000, 0, 0, 8000)
    robbed = [ev.Kakan(3, "C", ("C", "C", "C")), won(0, 3, 8000, 0, 0, -8000)]
    two = ["e,9s,rd", "s,rn,", "n,rn,"]
    in_riichi = ["e,9s,rc[rd]", "s,2p,2p", "w,rn,"]
    end: list[ev.Event]
    for acts, sticks, points, end in (
        (["e,9s,tm"], 0, "37.0,21.0,21.0,21.0", [won(0, 0, 12000, *[-4000] * 3)]),
        (RON, 0, "17.0,25.0,25.0,33.0", [eight]),
        ([*KAN_ACTS, "e,rn,"], 0, "33.0,25.0,25.0,17.0", robbed),
        (in_riichi, 1, "24.0,21.1,30.9,25.0", [won(2, 1, 0, -3900, 5900, 0)]),
        (two, 2, "13.1,30.9,25.0,33.0", [first, eight]),
        # Points that no win explains are the last one's.
        (two, 2, "14.1,30.9,25.1,33.0", [first, won(3, 0, -7000, 0, 100, 8000)]),
        (["e,9s,rd"], 0, "26.5,23.5,26.5,23.5", [ev.Ryukyoku(deltas=(1500, -1500) * 2)]),
        # The last riichi before an abort is accepted.
        (["e,9s,rc[rd]"], 0, "24.0,25.0,25.0,25.0", [ev.RiichiAccepted(0), ev.Ryukyoku(deltas=(0,) * 4)]),
        (["e,9s,tg"], 0, "", [ev.Ryukyoku()]),
    ):
        read = read_frame(*acts, kyoutak=f"{sticks}.0", pfe=points and f"[{points}]")
        assert read.play[-len(end) :] == end, acts
    read = read_frame("e,9s,rc[rd]", "n,rn,", pfe="[17.0,25.0,25.0,33.0]")
    assert ev.RiichiAccepted(0) not in read.play
    assert read.play[-1] == eight


def test_the_dora_themselves_are_written_and_the_indicators_read() -> None:
    for indicator, dora_tile in (*DORA.items(), ("4p", "0p")):
        assert read_frame(dora=dora_tile + "uk" * 9).deal.dora_marker == indicator, dora_tile


def test_even_places_are_dora_and_odd_places_ura() -> None:
    read = read_frame("e,9s,rc[9s]", "s,2p,2p", "w,2p,2p", "n,2p,2p", "e,8s,tm", dora="2m3m4m5m" + "uk" * 6)
    assert read.deal.dora_marker == "1m"
    assert ev.Dora("3m") in read.play
    assert read.play[-1] == ev.Win(0, 0, deltas=(1000, 0, 0, 0), ura_markers=("2m", "4m"))


def test_points_that_are_absent() -> None:
    read = read_frame("e,9s,tg", pfs="", pfe="")
    assert read.deal.scores is UNSET
    assert read.play[-1] == ev.Ryukyoku()
    read = read_frame("e,9s,rd", "s,rn,", "n,rn,", pfe="")
    assert read.play[-2:] == [ev.Win(1, 0, ura_markers=()), ev.Win(3, 0, ura_markers=())]
    assert read.round.blocked == ()
    read = read_frame("e,9s,tg", pfs="", pfe="[26.0,24.0,25.0,25.0]")
    assert read.round.scores_after == (26000, 24000, 25000, 25000)
    assert read_file(text_of(read.match)).match == read.match


def test_absent_dora_are_a_hidden_indicator() -> None:
    read = read_frame("e,9s,tg", dora="")
    data = write([read.match], "mjai").data
    assert json.loads(data.splitlines()[1])["dora_marker"] == "?"
    assert trips.read(data, "mjai").matches == [read.match]


def test_absent_kyoutak_is_carried_on_and_reported_as_assumed() -> None:
    read = read_frames(
        frame("e,9s,rc[9s]", "s,2p,2p", kyoutak="1.0", pfe="[24.0,25.0,25.0,25.0]"),
        frame("e,9s,tg", name="E1-1", kyoutak="", pfs="[24.0,25.0,25.0,25.0]"),
    )
    second = known(read.match.rounds[1].start)
    assert second.kyotaku == 2
    assert read.match.rounds[1].assumed == ("kyotaku",)
    losses = write([read.match], "mjai").losses
    assert ("start_kyoku.kyotaku", "assumed", 1) in [(loss.what, loss.fate, loss.round) for loss in losses]
    again = write([read.match], "jmjp")
    assert b"frm[E1-1,,," in again.data
    assert again.losses == []


def test_after_a_frame_of_points_alone_the_sticks_are_the_points_that_no_player_has() -> None:
    for after, sticks in (("[25.0,26.0,25.0,25.0]", 0), ("[24.0,26.0,24.0,25.0]", 2)):
        points = frame(start="", end="", kyoutak="1.0", pfe=after)
        read = read_frames(points, frame("e,9s,tg", name="E1-1", kyoutak=""))
        assert known(read.match.rounds[1].start).kyotaku == sticks, after


def test_after_a_win_no_stick_is_carried_on() -> None:
    win = frame("e,9s,rc[9s]", "s,2p,2p", "w,rn,", pfe="[24.0,24.0,28.0,25.0]", kyoutak="1.0")
    second = known(read_frames(win, frame(name="E1-1", kyoutak="")).match.rounds[1].start)
    assert second.kyotaku == 0


@looped(("spelled", "dice"), ("3-4", (3, 4)), ("12", (12,)), ("", UNSET))
def test_dice_are_two_or_their_total(spelled: str, dice: tuple[int, ...]) -> None:
    read = read_frame("e,9s,tg", dice=spelled)
    assert read.round.dice == dice
    assert f"frm[E1-0,0.0,{spelled}," in text_of(read.match)


def test_a_total_of_the_dice_is_carried_in_version_0() -> None:
    read = read_frame("e,9s,tg", dice="12")
    there = write([read.match], "jmjp-0")
    assert b"frm[E1-0,0.0,," in there.data
    assert [(loss.fate, loss.what) for loss in there.losses] == [("carried", "round.dice")]
    assert trips.read(there.data, "jmjp").match == read.match


def test_oy_is_the_draw_of_a_dealer_who_was_dealt_fourteen() -> None:
    read = read_frame("e,oy,rd", start=FOURTEEN)
    assert read.moves == [ev.Draw(0, "9s"), ev.Discard(0, "C", tsumogiri=False)]
    assert read.round.dealt_fourteen
    text = text_of(read.match)
    assert "rd,9s,])" in text
    assert "(e,oy,rd)" in text
    # A plain tile is written, also if it is the fourteenth.
    assert "(e,oy,9s)" in text_of(read_frame("e,oy,9s", start=FOURTEEN).match)


def test_a_ron_that_gains_nothing_is_blocked() -> None:
    read = read_frame("e,9s,rd", "s,rn,", "n,rn,", pfe="[21.1,28.9,25.0,25.0]")
    assert read.play[-1] == ev.Win(1, 0, deltas=(-3900, 3900, 0, 0), ura_markers=())
    assert read.round.blocked == (3,)
    read = read_frame("e,9s,rd", "s,rn,", "w,rn,", "n,rn,")
    assert read.play[-1] == ev.Ryukyoku("sanchaho", deltas=(0, 0, 0, 0))
    assert read.round.blocked == (1, 2, 3)


def test_a_draw_after_a_riichi_discard_keeps_the_stick_that_the_points_do_not_pay() -> None:
    for pfe, paid in (("[25.0,25.0,25.0,25.0]", False), ("[24.0,25.0,25.0,25.0]", True)):
        read = read_frame("e,9s,rc[rd]", pfe=pfe)
        assert (ev.RiichiAccepted(0) in read.play, read.play[-1]) == (paid, ev.Ryukyoku(deltas=(0, 0, 0, 0)))


@looped("acts", ["n,rn,"], ["w,rn,", "n,rn,"])
def test_a_ron_that_gains_nothing_beside_none_that_does_stays_a_win_of_wrong_points(acts: list[str]) -> None:
    read = read_frame("e,9s,rd", *acts, pfe="[21.1,28.9,25.0,25.0]")
    wins = [event for event in read.play if isinstance(event, ev.Win)]
    assert len(wins) == len(acts)
    assert read.round.blocked == ()
    assert len(acts) > 1 or wins == [ev.Win(3, 0, deltas=(-3900, 3900, 0, 0), ura_markers=())]


@looped("plain", False, True)
def test_a_blocked_ron_that_would_be_read_as_a_win_is_not_written_as_one(plain: bool) -> None:
    match = read_frame("e,9s,rd").match
    match.rounds[0].blocked = (3,)
    there = write([match], "jmjp", plain=plain)
    assert b"rn," not in there.data
    assert trips.read(there.data, "jmjp").match.rounds[0].blocked == (() if plain else (3,))
    fates = [loss.fate for loss in there.losses if loss.what == "round.blocked"]
    assert fates == ["dropped" if plain else "carried"]


@looped(
    ("acts", "pfe"),
    (["s,rn,", "n,rn,"], "[21.1,28.9,25.0,25.0]"),
    (["n,rn,"], POINTS),
    (["s,rn,", "w,rn,", "n,rn,"], POINTS),
)
@looped("version", "jmjp", "jmjp-0")
def test_every_declared_ron_is_written(acts: list[str], pfe: str, version: str) -> None:
    read = read_frame("e,9s,rd", *acts, pfe=pfe)
    text = text_of(read.match, version)
    assert "".join(f"({act})" for act in acts).replace("rn", "ro" if version == "jmjp-0" else "rn") in text
    assert read_file(text).match == read.match


def test_hands_at_the_end_that_differ_or_have_another_order() -> None:
    read = read_frame("e,9s,tg", end=hands({**DEAL, "e": "9m" * 13}))
    assert [warning.message for warning in read.warnings] == [
        "the hand shown at the end is hnd[9m9m9m9m9m9m9m9m9m9m9m9m9m,,], "
        "where play leaves hnd[1m1m2m3m4m5m0m7p8p9pewewrd,,]"
    ]
    assert f"(e,hnd[{'9m' * 13},,])" in text_of(read.match)
    # The order of tiles in the hands at the end means nothing.
    assert read_frame("e,9s,tg", end=hands({**DEAL, "e": "rdewew9p8p7p0m5m4m3m2m1m1m"})) == read_frame("e,9s,tg")


@looped("kan", "kkn[0m,t]", "kkn[5m,t]")
def test_the_one_tile_of_a_meld_in_version_0_does_not_deny_its_red_five(kan: str) -> None:
    acts = ["e,9s,0m", "w,pn,gd", "n,9s,tg", "e,9m,tg", "s,9m,tg", "w,5m,kk[5m]", "w,rs[9m],tg"]
    start = {**DEAL, "e": "1m1m2m3m4m6m0m7p8p9pewewrd"}
    end = {**start, "e": "1m1m2m3m4m6m7p8p9p9sewewrd", "w": "6m9p9p9p2s3s4swwwwgd"}
    shown = hands(end).replace("wwwwgd,,]", f"wwwwgd,,{kan}]")
    assert not read_frame(*acts, major=0, start=hands(start), end=shown).warnings
    # One hand differs: the hands of the others still have the melds of the play.
    read = read_frame(*acts, major=0, start=hands(start), end=shown.replace("1m9m1p2p", "8m9m1p2p"))
    [warning] = read.warnings
    assert warning.message.startswith("the hand shown at the end is hnd[8m9m1p2p")
    assert "kkn[5m,0m,5m5m,t]" in text_of(read.match)


def test_a_frame_without_flow_is_a_deal_of_hidden_hands_and_its_end() -> None:
    read = read_frames(f"frm[E1-0,0.0,,pfs{POINTS},,,pfe[26.0,24.0,25.0,25.0],]")
    data = write([read.match], "mjai").data
    _, start, end, _ = (json.loads(line) for line in data.splitlines())
    assert start["tehais"] == [["?"] * 13] * 4
    assert end["type"] == "end_kyoku"
    assert trips.read(data, "mjai").matches == [read.match]
    assert read.round.scores_after == (26000, 24000, 25000, 25000)
    assert "pfe[26.0,24.0,25.0,25.0]" in text_of(read.match)


def test_of_several_flows_the_last_is_the_round_and_the_others_are_kept() -> None:
    earlier = hands() + "(e,9s,tg)" + hands()
    read = read_frames(frame("e,8s,tg").replace(",(e,hnd", f",{earlier}(e,hnd", 1))
    assert read.moves == read_frame("e,8s,tg").moves
    text = text_of(read.match)
    assert earlier in "".join(text.split())
    assert read_file(text).match == read.match


def test_version_0_leaves_tiles_of_calls_to_the_hand_and_names_one_of_an_ankan() -> None:
    assert read_frame("e,5m,0m", "w,pn,gd", major=0).moves[2] == ev.Pon(2, 0, "5mr", ("5m", "5m"))
    assert read_frame("e,9p,tg", "w,dk,", major=0).moves[2] == ev.Daiminkan(2, 0, "9p", ("9p", "9p", "9p"))
    assert read_frame("e,9s,rd", "n,ro,", major=0, pfe="[24.0,25.0,25.0,26.0]").play[-1] == ev.Win(
        3, 0, deltas=(-1000, 0, 0, 1000), ura_markers=()
    )
    [kan] = read_frame("e,uk,ak[0p]", "e,rs[uk],", major=0, start=is_deal("e"), end="").round.select(ev.Ankan)
    assert kan.consumed == ("5pr", "5p", "5p", "5p")


def test_version_0_assumes_which_five_was_red_only_where_the_hand_leaves_it_open() -> None:
    closed = is_deal(s="3m4m6m7m5p0p6p1s1s2sswswwd")
    assumed = [("which five was red", "assumed", 3)]
    for start, consumed, losses in ((hands(), ("5p", "5p"), assumed), (closed, ("5p", "5pr"), [])):
        read = read_frame("e,5p,tg", "s,pn,wd", major=0, start=start)
        assert read.moves[2] == ev.Pon(1, 0, "5p", consumed)
        assert [(loss.what, loss.fate, loss.event) for loss in read.losses] == losses


def test_version_0_names_the_red_five_or_another_of_an_ankan() -> None:
    for named in ("5p", "0p"):
        for via in ("mjai", "majsoul", "tenhou", "uzje", "jmjp"):
            start = is_deal(e="1m1m2m3m4m5p5p0p8p9pewewrd", s="3m4m6m7m6p6p6p1s1s2sswswwd")
            read = read_frame(f"e,5p,ak[{named}]", "e,rs[9s],tg", major=0, start=start, end="")
            [kan] = read.round.select(ev.Ankan)
            assert kan.consumed == (("5p", "5p", "5p", "5pr") if named == "5p" else ("5pr", "5p", "5p", "5p"))
            assert read.losses == [], (named, via)
            away = trips.read(write([read.match], via).data, via).match
            text = text_of(away, "jmjp-0")
            assert f"(e,5p,ak[{named}])" in text
            assert f"ank[{named}]" in text
            # The writer's own hands at the end agree with its acts.
            assert read_file(text).warnings == [], (named, via)
