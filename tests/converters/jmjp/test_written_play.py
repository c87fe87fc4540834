"""Play written as jmjp: its words, the hands and points around it, and what notes carry."""

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import UNSET

from looped import looped
from mjconv.converters.jmjp.round_writer import plan_frame
from mjconv.converters.jmjp.spelling import PlainTurns
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.ir import events as ev
from mjconv.ir.losses import Loss
from mjconv.ir.match import Match, Name, Player, Round, Text
from moments_made import deal, pon, turn
from trips import read, write

from .texts import DORA, PLAYERS
from .texts import IN_MJAI as HANDS

HIDDEN = " ".join("?" * 13)
NO_WIN = ev.Ryukyoku(deltas=(0,) * 4)
#: South calls nothing, north calls a red dragon of east, and adds the fourth one to it.
PON = (*turn(0, "9s", "C"), *pon(3, 0, "C", "9m"))
AROUND = (*turn(0, "2p"), *turn(1, "2p"), *turn(2, "2p"))
KAKAN = ev.Kakan(3, "C", ("C",) * 3)
UP_TO_KAKAN = (*PON, *AROUND, ev.Draw(3, "C"), KAKAN)
RINSHAN, AFTER = ev.Draw(3, "4p"), ev.Discard(3, "4p", tsumogiri=True)
NORTHS = (*turn(0, "N"), *pon(3, 0, "N", "1p"))


@dataclass(frozen=True)
class Written:
    """A text that was written, and the losses that the writer reported."""

    text: str
    losses: list[Loss]

    @property
    def named(self) -> list[tuple[str, str]]:
        return [(loss.what, loss.fate) for loss in self.losses]

    @property
    def notes(self) -> list[dict[str, Any]]:
        return [json.loads(note) for note in re.findall(r"//@mjconv (.*)", self.text)]

    @property
    def frame(self) -> str:
        """The last frame on one line, without comments."""
        text = "".join(re.sub(r"//.*", "", self.text).split("\n"))
        return "frm[" + text.rsplit("frm[", 1)[1].removesuffix(")")

    @property
    def acts(self) -> list[str]:
        return [act for act in re.findall(r"\((.*?)\)", self.frame) if ",hnd[" not in act]

    @property
    def ends(self) -> dict[str, str]:
        """The hands at the end, by seat."""
        return dict(re.findall(r"\(([eswn]),hnd\[(.*?)\]\)", self.frame)[-4:])

    @property
    def head(self) -> list[str]:
        """The fields of the frame before its flow, but for the points: its id, kyoutak, dice, dora."""
        head = re.sub(r"pfs\[.*?\]", "", self.frame.removeprefix("frm[")).split(",")
        return [*head[:3], head[4]]

    def points(self, field: str) -> str:
        return "".join(re.findall(rf"{field}(\[.*?\])", self.frame))


def match_of(*play: ev.Event, hands: tuple[str, ...] = HANDS, names: str = "", **changed: Any) -> Match:
    """Return a round of this play, which is ended if it has a result; `changed` are keys of the deal."""
    over = [ev.EndRound()] if isinstance(play[-1], ev.Win | ev.Ryukyoku) else []
    return Match(
        [Player(Name(Text(name))) for name in names],
        [Round([deal(*hands, **{"dora_marker": "1m", **changed}), *play, *over])],
        [ev.StartGame()],
        [ev.EndGame()],
    )


def written(*play: ev.Event, flavour: str = "jmjp", plain: bool = False, **changed: Any) -> Written:
    done = write([match_of(*play, **changed)], flavour, plain=plain)
    return Written(done.data.decode(), done.losses)


def comes_back(*play: ev.Event, flavour: str = "jmjp", **changed: Any) -> Written:
    """Check that a round comes back from jmjp as it was, and return how it was written there."""
    there = written(*play, flavour=flavour, **changed)
    assert read(there.text.encode(), "jmjp").matches == [match_of(*play, **changed)]
    return there


def won(actor: int, target: int, *deltas: int, **more: Any) -> ev.Win:
    return ev.Win(actor, target, deltas=deltas, **{"ura_markers": (), **more})


RON, TSUMO = won(3, 0, -8000, 0, 0, 8000), won(0, 0, 12000, -4000, -4000, -4000)
ON_RINSHAN = won(3, 3, -1000, -1000, -1000, 3000)


def test_sticks_are_thousands_and_the_dora_themselves_are_written() -> None:
    assert written(NO_WIN, kyotaku=2).head[1] == "2.0"
    for indicator, dora in DORA.items():
        assert written(NO_WIN, dora_marker=indicator).head[3] == dora + "uk" * 9, indicator


def test_play_comes_back_from_these_acts() -> None:
    riichi, accepted = (ev.Draw(0, "9s"), ev.Riichi(0), ev.Discard(0, "C", tsumogiri=False)), ev.RiichiAccepted(0)
    kan = (*turn(0, "9p"), ev.Daiminkan(2, 0, "9p", ("9p",) * 3))
    unseen = (*kan, ev.Draw(2, "?"), ev.Dora("5p"), ev.Discard(2, "1s", tsumogiri=False))
    rinshan = (*kan, ev.Draw(2, "1s"), ev.Dora("4m"), ev.Discard(2, "1s", tsumogiri=True))
    called = (*turn(0, "5m", "5mr"), ev.Pon(2, 0, "5mr", ("5m", "5m")), ev.Discard(2, "F", tsumogiri=False))
    hidden_s, hidden_w = (HANDS[0], HIDDEN, *HANDS[2:]), (*HANDS[:2], HIDDEN, HANDS[3])
    for play, acts, hands in (
        ((*turn(0, "9s", "C"), NO_WIN), ["e,9s,rd"], HANDS),
        ((*turn(0, "1m"), NO_WIN), ["e,1m,tg"], HANDS),
        ((*turn(0, "1m", "1m"), NO_WIN), ["e,1m,kg"], HANDS),
        # A hidden draw is never followed by tg or kg, and after a kan not written rs.
        ((*turn(0, "9s"), ev.Draw(1, "?"), ev.Discard(1, "4m", True), NO_WIN), ["e,9s,tg", "s,uk,4m"], hidden_s),
        ((*turn(0, "9s"), *turn(1, "?", "4m"), NO_WIN), ["e,9s,tg", "s,uk,4m"], hidden_s),
        ((*unseen, NO_WIN), ["e,9p,tg", "w,dk[9p9p9p],", "w,uk,1s"], hidden_w),
        # A record may leave out that a riichi is accepted, or break off before the discard.
        ((*riichi, NO_WIN), ["e,9s,rc[rd]"], HANDS),
        ((*riichi, accepted, NO_WIN), ["e,9s,rc[rd]"], HANDS),
        (riichi, ["e,9s,rc[rd]"], HANDS),
        # A call and its discard are one act. A daiminkan has none, and rs follows.
        ((*called, NO_WIN), ["e,5m,0m", "w,pn[5m5m],gd"], HANDS),
        ((*rinshan, NO_WIN), ["e,9p,tg", "w,dk[9p9p9p],", "w,rs[1s],tg"], HANDS),
        ((ev.Draw(0, "9s"), TSUMO), ["e,9s,tm"], HANDS),
        ((*turn(0, "9s", "C"), RON), ["e,9s,rd", "n,rn,"], HANDS),
    ):
        assert comes_back(*play, hands=hands).acts == acts


def test_a_discard_from_the_hand_of_the_only_copy_just_drawn_is_written_plain_with_a_note() -> None:
    from_the_hand = (*turn(0, "9s", "9s"), NO_WIN)
    assert comes_back(*from_the_hand).acts == ["e,9s,9s"]
    plain = written(*from_the_hand, plain=True)
    assert read(plain.text.encode(), "jmjp").match.rounds[0].events[1:3] == turn(0, "9s")
    assert plain.named == [("dahai.tsumogiri", "approximated")]


@looped("tsumogiri", True, False)
def test_that_the_riichi_discard_was_from_the_hand_is_carried(tsumogiri: bool) -> None:
    riichi = ev.Draw(0, "1m"), ev.Riichi(0), ev.Discard(0, "1m", tsumogiri=tsumogiri), ev.RiichiAccepted(0)
    there = comes_back(*riichi, NO_WIN)
    assert there.acts == ["e,1m,rc[1m]"]
    assert bool(there.notes) is not tsumogiri


def test_a_riichi_whose_discard_the_record_no_longer_has_is_an_act_without_discard() -> None:
    there = comes_back(ev.Draw(0, "9s"), ev.Riichi(0))
    assert there.acts == ["e,9s,"]
    assert there.notes


@looped("flavour", "jmjp", "jmjp-0")
def test_the_order_of_consumed_tiles_is_kept(flavour: str) -> None:
    for consumed in (("5pr", "5p"), ("5p", "5pr")):
        call = ev.Pon(1, 0, "5p", consumed), ev.Discard(1, "P", tsumogiri=False)
        comes_back(*turn(0, "5p"), *call, NO_WIN, flavour=flavour)
    hands = (HANDS[0], HANDS[1].replace("5pr", "6p"), *HANDS[2:])
    for consumed in (("5p", "5pr", "5p"), ("5p", "5p", "5pr")):
        called = *turn(0, "5pr"), ev.Pon(1, 0, "5pr", ("5p", "5p")), ev.Discard(1, "P", tsumogiri=False)
        kan = ev.Draw(1, "5p"), ev.Kakan(1, "5p", consumed), ev.Draw(1, "8s"), ev.Dora("4m")
        around = *turn(2, "2p"), *turn(3, "2p"), *turn(0, "2p")
        comes_back(*called, *around, *kan, ev.Discard(1, "8s", True), NO_WIN, flavour=flavour, hands=hands)


def note_of(there: Written) -> dict[str, Any]:
    """Return the only note of a round: its patch and its hints."""
    [note] = [note["round"] for note in there.notes if "round" in note]
    return dict(note)


def test_the_time_at_which_dora_are_turned() -> None:
    """They are read before the discard, of an ankan at once before its draw. Other customs are carried."""
    triplet = (HANDS[0].replace("2m", "1m"), *HANDS[1:])
    kan, turned = (*UP_TO_KAKAN, RINSHAN), ev.Dora("4s")
    riichi, accepted = ev.Riichi(3), ev.RiichiAccepted(3)
    there = comes_back(*kan, turned, AFTER, NO_WIN)
    assert there.notes == []
    assert there.head[3] == "2muk5suk" + "uk" * 6
    of_ankan = ev.Draw(0, "1m"), ev.Ankan(0, ("1m",) * 4), turned, *turn(0, "9s")
    assert comes_back(*of_ankan, NO_WIN, hands=triplet).notes == []
    assert comes_back(*kan, turned, riichi, AFTER, accepted, NO_WIN).notes == []
    # After reach and after the discard they are carried by one word, and by no custom event by event.
    for play in ((riichi, turned, AFTER, accepted), (AFTER, turned, *turn(0, "2p"))):
        note = note_of(comes_back(*kan, *play, NO_WIN))
        assert "events" not in note
        assert set(note["hints"]) == {"dora"}
    assert "events" in note_of(comes_back(*UP_TO_KAKAN, turned, RINSHAN, AFTER, NO_WIN))


def test_before_a_second_kan_the_first_one_s_dora_is_turned() -> None:
    second = ev.Draw(3, "N"), ev.Kakan(3, "N", ("N",) * 3), ev.Dora("4s"), RINSHAN, ev.Dora("5s"), AFTER
    assert comes_back(*PON, *NORTHS, *AROUND, ev.Draw(3, "C"), KAKAN, *second, NO_WIN).notes == []
    second = ev.Draw(3, "N"), ev.Dora("4s"), ev.Ankan(3, ("N",) * 4), ev.Dora("5s"), RINSHAN, AFTER
    hands = (*HANDS[:3], HANDS[3].replace("1m", "N"))
    assert comes_back(*UP_TO_KAKAN, *second, NO_WIN, hands=hands).notes == []


def test_dora_that_jmjp_does_not_show_are_carried() -> None:
    assert comes_back(*turn(0, "9s", "C"), NO_WIN, dora_marker="5sr").head[3].startswith("6s")
    plain = written(*turn(0, "9s", "C"), NO_WIN, dora_marker="5sr", plain=True)
    assert plain.named == [("start_kyoku.dora_marker", "approximated")]
    assert comes_back(*turn(0, "9s", "C"), won(3, 0, -8000, 0, 0, 8000, ura_markers=("6p",))).notes
    # A kan whose dora was never turned is carried or read as such.
    assert comes_back(*UP_TO_KAKAN, RINSHAN, AFTER, NO_WIN).head[3] == "2m" + "uk" * 9
    comes_back(*UP_TO_KAKAN, RINSHAN, ON_RINSHAN)
    comes_back(*UP_TO_KAKAN, RINSHAN, ev.Dora("4s"), ON_RINSHAN)


def test_two_rons_and_pao_come_back() -> None:
    there = comes_back(*turn(0, "9s", "C"), won(1, 0, -3900, 5900, 0, 0), RON, kyotaku=2)
    assert there.acts[-2:] == ["s,rn,", "n,rn,"]
    assert there.points("pfe") == "[13.1,30.9,25.0,33.0]"
    assert there.notes == []
    there = comes_back(*turn(0, "9s", "C"), won(1, 0, -16000, 32000, -16000, 0, liable=2), RON)
    assert there.acts[-2:] == ["s,rn,", "n,rn,"]
    assert there.notes


def test_a_reason_that_the_record_gave_is_carried_and_none_is_added() -> None:
    nine = ev.Draw(0, "9s"), ev.Ryukyoku("kyushu_kyuhai", deltas=(0,) * 4)
    assert comes_back(*nine).acts == ["e,9s,"]
    [draw] = read(written(*nine, plain=True).text.encode(), "jmjp").match.rounds[0].select(ev.Ryukyoku)
    assert draw.reason is UNSET
    assert comes_back(ev.Draw(0, "9s"), NO_WIN).notes == []


def test_the_tile_won_with_or_drawn_and_not_discarded_is_in_the_tsumo_field() -> None:
    ron = written(*turn(0, "9s", "C"), RON)
    assert ron.ends["n"] == "1m9m1p2p3p1s6s7s8snwnwrdrd,rd,"
    assert ron.ends["e"] == "1m1m2m3m4m5m0m7p8p9p9sewew,,"
    for end in (TSUMO, NO_WIN):
        assert written(ev.Draw(0, "9s"), end).ends["e"] == "1m1m2m3m4m5m0m7p8p9pewewrd,9s,"


def test_the_newest_call_is_the_first_and_a_kakan_keeps_the_place_of_its_pon() -> None:
    pons = *PON, *NORTHS, *AROUND
    for more, calls in (
        ((), "pon[nw,nwnw,s]pon[rd,rdrd,s]"),
        ((ev.Draw(3, "C"), KAKAN, RINSHAN, AFTER), "pon[nw,nwnw,s]kkn[rd,rd,rdrd,s]"),
    ):
        assert written(*pons, *more, NO_WIN).ends["n"].split(",", 2)[2] == calls


def test_a_robbed_kakan_stays_a_pon() -> None:
    robbed = written(*UP_TO_KAKAN, won(0, 3, 8000, 0, 0, -8000))
    assert robbed.ends["n"].split(",", 2)[2] == "pon[rd,rdrd,s]"
    assert robbed.ends["e"].split(",")[1] == "rd"
    # That is what play leaves.
    was = read(re.sub(r"//.*\n", "", robbed.text).encode(), "jmjp")
    assert was.warnings == []
    assert was.match.rounds[0].final_hands is UNSET


@looped(("seat", "target"), ("s", 0), ("t", 1), ("k", 2))
def test_a_call_states_from_whom_on_the_right_opposite_or_left(seat: str, target: int) -> None:
    turns = [move for player in range(target) for move in turn(player, "2p")]
    hands = (HANDS[0].replace("C", "7s"), *HANDS[1:])
    there = written(*turns, *turn(target, "C"), *pon(3, target, "C", "9m"), NO_WIN, hands=hands)
    assert f"pon[rd,rdrd,{seat}]" in there.ends["n"]


def test_names() -> None:
    match = match_of(NO_WIN)
    assert PLAYERS in write([match], "jmjp").data.decode().replace("\n", "")
    match.players = [Player(Name(Text(name))) for name in ("朝倉 春", "B", "", 'D "d"')]
    text = write([match], "jmjp").data.decode()
    for line in ('ply[0,(snt["朝倉 春"],),,,]', 'ply[2,(snt[""],),,,]', 'ply[3,(snt["D \\"d\\""],),,,]'):
        assert line in text


def test_players_are_numbered_by_their_seats_in_e1() -> None:
    play, third = (*turn(2, "2p"), NO_WIN), {"oya": 2, "kyoku": 1, "names": "ABCD"}
    there = comes_back(*play, **third)
    assert there.acts == ["e,2p,tg"]
    assert 'ply[0,(snt["C"],),,,]' in there.text
    seen = read(written(*play, plain=True, **third).text.encode(), "jmjp").match
    assert [player.name.shown for player in seen.players if player.name] == ["C", "D", "A", "B"]
    assert [start.oya for start in seen.rounds[0].select(ev.StartRound)] == [0]


def test_scores_known_only_from_the_result_are_worked_back_and_reported() -> None:
    win = won(0, 0, 3000, -1000, -1000, -1000, scores=(28000, 24000, 24000, 24000))
    there = comes_back(ev.Draw(0, "9s"), win, scores=UNSET)
    assert (there.points("pfs"), there.points("pfe")) == ("[25.0,25.0,25.0,25.0]", "[28.0,24.0,24.0,24.0]")
    assert ("start_kyoku.scores", "assumed") in there.named


def test_points_that_are_no_multiple_of_100_are_not_rounded() -> None:
    scores = (25050, 24950, 25000, 25000)
    assert comes_back(*turn(0, "9s", "C"), NO_WIN, scores=scores).points("pfs") == ""
    plain = written(*turn(0, "9s", "C"), NO_WIN, scores=scores, plain=True)
    assert ("start_kyoku.scores", "dropped") in plain.named


# Acts that are plain turns


HAND = ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "E", "E", "S", "S")
DEAL = ev.StartRound("E", "9p", 1, 0, 0, 0, (25000,) * 4, (HAND,) * 4)
NUMBERED = [f"{rank}{suit}" for suit in "mps" for rank in range(10)]
TILES = [*NUMBERED, "ew", "sw", "ww", "nw", "wd", "gd", "rd", "uk"]


def test_the_seat_counts_from_the_dealer() -> None:
    assert PlainTurns(0)["n,9p,tg"] == (ev.Draw(3, "9p"), ev.Discard(3, "9p", tsumogiri=True))
    assert PlainTurns(2)["n,9p,0m"] == (ev.Draw(1, "9p"), ev.Discard(1, "5mr", tsumogiri=False))


def test_turns_are_bounded_and_read_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjconv.converters.jmjp.spelling._MOST_TURNS", 100)
    turns = PlainTurns(0)
    acts = [f"{seat},{drawn},{tile}" for seat in "eswn" for drawn in TILES for tile in (*TILES, "kg", "tg", "tm")]
    read = {act: turns[act] for act in acts}
    assert all(turns[act] == turn for act, turn in read.items())
    assert len(turns) <= 100 < len(acts)


@looped("turn", *range(4))
def test_a_tile_without_a_word_is_reported_at_its_draw(turn: int) -> None:
    events: list[ev.Event] = [DEAL, ev.Draw(0, "9s"), ev.Discard(0, "9s", tsumogiri=True)]
    for place in range(4):
        tile = "10p" if place == turn else "9p"
        events += [ev.Draw((place + 1) % 4, tile), ev.Discard((place + 1) % 4, tile, tsumogiri=True)]
    with pytest.raises(CannotHoldError, match="jmjp has no word for 10p") as caught:
        plan_frame(Round(events), DEAL, 1)
    assert caught.value.event == 3 + 2 * turn
