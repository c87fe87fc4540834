"""What a frame means, sentence by sentence: jmjp read as play, and play written as jmjp."""

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import UNSET

from looped import looped
from mjconv.converters import formats, hub
from mjconv.converters.interface import WriteOptions
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match, Round
from trips import written as written_as

from .texts import PLAYERS

Message = dict[str, Any]

#: The hands that every frame here begins with, by seat, and the same for mjai.
DEAL = {
    "e": "1m1m2m3m4m5m0m7p8p9pewewrd",
    "s": "3m4m6m7m5p5p0p1s1s2sswswwd",
    "w": "5m5m6m9p9p9p2s3s4swwwwgdgd",
    "n": "1m9m1p2p3p1s6s7s8snwnwrdrd",
}
TEHAIS = [
    ["1m", "1m", "2m", "3m", "4m", "5m", "5mr", "7p", "8p", "9p", "E", "E", "C"],
    ["3m", "4m", "6m", "7m", "5p", "5p", "5pr", "1s", "1s", "2s", "S", "S", "P"],
    ["5m", "5m", "6m", "9p", "9p", "9p", "2s", "3s", "4s", "W", "W", "F", "F"],
    ["1m", "9m", "1p", "2p", "3p", "1s", "6s", "7s", "8s", "N", "N", "C", "C"],
]
POINTS = "[25.0,25.0,25.0,25.0]"
HEADS = {0: "jmjp[0]", 1: "jmjp[1.0]"}


# Reading.


@dataclass(frozen=True)
class Reading:
    """A match that was read, what had to be assumed, and what looks odd."""

    match: Match
    losses: list[Loss]
    warnings: list[str]

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
        return [event for event in self.play if not isinstance(event, (ev.Win, ev.Ryukyoku))]

    @property
    def deal(self) -> ev.StartRound:
        assert self.round.start is not None
        return self.round.start


def hands(deal: dict[str, str] = DEAL) -> str:
    return "".join(f"({seat},hnd[{tiles},,])" for seat, tiles in deal.items())


def frame(
    *acts: str,
    name: str = "E1-0",
    kyoutak: str = "0.0",
    dice: str = "",
    pfs: str = POINTS,
    dora: str = "2m" + "uk" * 9,
    pfe: str = POINTS,
    start: str | None = None,
    end: str | None = None,
) -> str:
    played = "".join(f"({act})" for act in acts)
    flow = (hands() if start is None else start) + played + (hands() if end is None else end)
    before, after = pfs and f"pfs{pfs}", pfe and f"pfe{pfe}"
    return f"frm[{name},{kyoutak},{dice},{before},{dora},{flow},{after},]"


def read_all(source: str, data: bytes, report: Report) -> list[Match]:
    return hub.read_matches(formats.find(source)[0], data, report)


def read_file(text: str) -> Reading:
    report = Report()
    [match] = read_all("jmjp", text.encode(), report)
    return Reading(match, report.losses, [warning.message for warning in report.warnings])


def read_frames(*frames: str, major: int = 1, before: str = f"mtp[,,,]{PLAYERS}", after: str = "") -> Reading:
    return read_file(f"{HEADS[major]}({before}{''.join(frames)}{after})")


def read_frame(*acts: str, major: int = 1, **fields: str) -> Reading:
    """Read one frame of these acts."""
    return read_frames(frame(*acts, **fields), major=major)


def refusal(*acts: str, major: int = 1, **fields: str) -> str:
    with pytest.raises(PlayError) as caught:
        read_frame(*acts, major=major, **fields)
    return caught.value.message


def is_deal(*hidden: str, **changed: str) -> str:
    """Give the starting hands, some changed, some unknown."""
    return hands({**DEAL, **changed, **dict.fromkeys(hidden, "uk" * 13)})


# Writing.


@dataclass(frozen=True)
class Written:
    """A text that was written, and the losses that the writer reported."""

    text: str
    losses: list[Loss]

    @property
    def notes(self) -> list[Message]:
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
        found = re.findall(r"\(([eswn]),hnd\[(.*?)\]\)", self.frame)
        return dict(found[-4:])

    @property
    def starts(self) -> dict[str, str]:
        return dict(re.findall(r"\(([eswn]),hnd\[(.*?)\]\)", self.frame)[:4])

    def field(self, place: int) -> str:
        """Give a field of the frame before its flow: 0 its id, 1 kyoutak, 2 dice, 3 dora; pfs is not counted."""
        head = re.sub(r"pfs\[.*?\]", "", self.frame.removeprefix("frm[")).split(",")
        return [*head[:3], head[4]][place]

    @property
    def pfs(self) -> str:
        return next(iter(re.findall(r"pfs(\[.*?\])", self.frame)), "")

    @property
    def pfe(self) -> str:
        return next(iter(re.findall(r"pfe(\[.*?\])", self.frame)), "")


def deal(**changed: Any) -> Message:
    return {
        "type": "start_kyoku",
        "bakaze": "E",
        "dora_marker": "1m",
        "kyoku": 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": 0,
        "scores": [25000] * 4,
        "tehais": TEHAIS,
        **changed,
    }


def draw(actor: int, pai: str) -> Message:
    return {"type": "tsumo", "actor": actor, "pai": pai}


def discard(actor: int, pai: str, tsumogiri: bool = False) -> Message:
    return {"type": "dahai", "actor": actor, "pai": pai, "tsumogiri": tsumogiri}


def call(kind: str, actor: int, target: int, pai: str, *consumed: str) -> Message:
    return {"type": kind, "actor": actor, "target": target, "pai": pai, "consumed": list(consumed)}


def dora(marker: str) -> Message:
    return {"type": "dora", "dora_marker": marker}


def hora(actor: int, target: int, *deltas: int, **more: Any) -> Message:
    return {"type": "hora", "actor": actor, "target": target, "deltas": list(deltas), **more}


DRAWN_GAME: Message = {"type": "ryukyoku", "deltas": [0, 0, 0, 0]}
END: Message = {"type": "end_kyoku"}


def game(*messages: Message, names: list[str] | None = None, ended: bool = True, **keys: Any) -> bytes:
    """Give a log of these messages, which begin with a deal; `keys` are those of start_game."""
    start: Message = {"type": "start_game", **({} if names is None else {"names": names}), **keys}
    log = [start, *messages, *([{"type": "end_game"}] if ended else [])]
    return b"".join(json.dumps(message, separators=(",", ":")).encode() + b"\n" for message in log)


def convert(log: bytes, *, plain: bool = False, flavour: str = "") -> Written:
    report = Report()
    matches = read_all("mjai", log, Report())
    return Written(written_as("jmjp", matches, report, WriteOptions(flavour, plain)).decode(), report.losses)


def written(*messages: Message, plain: bool = False, flavour: str = "", **changed: Any) -> Written:
    """Write one round as jmjp; `changed` are keys of the deal."""
    return convert(game(deal(**changed), *messages), plain=plain, flavour=flavour)


def and_back(text: str) -> list[Message]:
    """Give the messages of what jmjp is read as, without notes."""
    matches = read_all("jmjp", text.encode(), Report())
    data = written_as("mjai", matches, Report(), WriteOptions(plain=True))
    return [json.loads(line) for line in data.splitlines()]


def comes_back(*messages: Message, flavour: str = "", **changed: Any) -> Written:
    """Check that a round comes back from jmjp as it was, and give how it was written there."""
    log = game(deal(**changed), *messages)
    jmjp = convert(log, flavour=flavour)
    assert and_back(jmjp.text) == [json.loads(line) for line in log.splitlines()]
    return jmjp


# Players and seats.


def test_the_dealer_of_a_frame_and_the_seats_after() -> None:
    assert read_frame("e,9s,tg").deal.oya == 0
    assert read_frame("e,9s,tg").moves == [ev.Draw(0, "9s"), ev.Discard(0, "9s", tsumogiri=True)]
    for number, seat, player in ((2, "e", 1), (3, "e", 2), (4, "e", 3), (3, "n", 1), (4, "s", 0)):
        read = read_frame("e,9s,tg", name=f"S{number}-1")
        assert (read.deal.bakaze, read.deal.kyoku, read.deal.honba, read.deal.oya) == ("S", number, 1, number - 1)
        assert read.deal.tehais, number
        assert sorted(read.deal.tehais[player]) == sorted(TEHAIS["eswn".index(seat)]), number


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


FOURTEEN = hands().replace("rd,,])", "rd,9s,])", 1)
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
        (
            *("there is no discard", "e,9p,ak[1m1m1m1m]", "s,pn[1s1s],wd"),
            {"start": is_deal(e="1m" * 4 + "2m" * 9)},
        ),
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


def test_acts_are_moves() -> None:
    drawn, accepted = ev.Draw(0, "9s"), ev.RiichiAccepted(0)
    red, nines = ev.Discard(0, "C", tsumogiri=False), ("9p", "9p", "9p")
    fives = is_deal(w="6m6m6m9p9p9p2s3s4swwwwgdgd", e="1m1m2m3m4m0m4m7p8p9pewewrd")
    kakan = ev.Kakan(3, "C", ("C", "C", "C"))
    for name, acts, place, moves in (
        ("a draw and a discard", ["e,9s,rd"], 0, [drawn, red]),
        ("tg discards the tile just drawn", ["e,1m,tg"], 1, [ev.Discard(0, "1m", tsumogiri=True)]),
        ("kg discards another tile like it", ["e,1m,kg"], 1, [ev.Discard(0, "1m", tsumogiri=False)]),
        (
            "a tile of which no copy is held is drawn",
            ["e,9s,9s"],
            1,
            [ev.Discard(0, "9s", tsumogiri=True)],
        ),
        ("riichi", ["e,9s,rc[rd]", "s,2p,2p"], 0, [drawn, ev.Riichi(0), red, accepted]),
        ("riichi with the drawn tile", ["e,1m,rc[1m]"], 2, [ev.Discard(0, "1m", tsumogiri=True)]),
        ("a chi", ["e,5m,0m", "s,ch[6m7m],wd"], 2, [ev.Chi(1, 0, "5mr", ("6m", "7m"))]),
        ("a pon", ["e,5m,0m", "w,pn[5m5m],gd"], 2, [ev.Pon(2, 0, "5mr", ("5m", "5m"))]),
        ("a daiminkan", ["e,9p,tg", "w,dk[9p9p9p],", "w,rs[1s],tg"], 2, [ev.Daiminkan(2, 0, "9p", nines)]),
        ("a kakan and its draw", [*KAN_ACTS, "n,rs[4p],tg"], 11, [kakan, ev.Draw(3, "4p")]),
        ("play that stops after a draw", ["e,9s,"], 0, [drawn]),
    ):
        assert read_frame(*acts).moves[place : place + len(moves)] == moves, name
    assert read_frame("e,5m,0m", start=fives).moves[1] == ev.Discard(0, "5mr", tsumogiri=False)
    assert read_frame("e,9s,tg", "s,uk,4m", start=is_deal("s")).moves[-1] == ev.Discard(1, "4m", tsumogiri=False)
    assert read_frame("e,1m,ak[1m1m1m1m]", "e,rs[9s],tg", start=FOUR).moves[1] == ev.Ankan(0, ("1m",) * 4)


def test_a_round_ends_with_wins_or_a_draw() -> None:
    """Gains are the points after less those before, with sticks. Of two winners the first has the sticks."""

    def won(actor: int, target: int, *deltas: int) -> ev.Win:
        return ev.Win(actor, target, deltas=deltas, ura_markers=())

    first, kakan = won(1, 0, -3900, 5900, 0, 0), ev.Kakan(3, "C", ("C", "C", "C"))
    two = ["e,9s,rd", "s,rn,", "n,rn,"]
    for name, acts, fields, end in (
        (
            "tm is self-drawn",
            ["e,9s,tm"],
            {"pfe": "[37.0,21.0,21.0,21.0]"},
            [won(0, 0, 12000, *[-4000] * 3)],
        ),
        ("rn wins on the discard", RON, {"pfe": "[17.0,25.0,25.0,33.0]"}, [won(3, 0, -8000, 0, 0, 8000)]),
        (
            *("a kan is robbed by rn", [*KAN_ACTS, "e,rn,"], {"pfe": "[33.0,25.0,25.0,17.0]"}),
            [kakan, won(0, 3, 8000, 0, 0, -8000)],
        ),
        (
            *("a ron in riichi", ["e,9s,rc[rd]", "s,2p,2p", "w,rn,"]),
            *({"kyoutak": "1.0", "pfe": "[24.0,21.1,30.9,25.0]"}, [won(2, 1, 0, -3900, 5900, 0)]),
        ),
        (
            *("two rons", two, {"kyoutak": "2.0", "pfe": "[13.1,30.9,25.0,33.0]"}),
            [first, won(3, 0, -8000, 0, 0, 8000)],
        ),
        (
            *("points that no win explains are the last one's", two),
            *({"kyoutak": "2.0", "pfe": "[14.1,30.9,25.1,33.0]"}, [first, won(3, 0, -7000, 0, 100, 8000)]),
        ),
        (
            "no win is a draw",
            ["e,9s,rd"],
            {"pfe": "[26.5,23.5,26.5,23.5]"},
            [ev.Ryukyoku(deltas=(1500, -1500) * 2)],
        ),
        (
            *("the last riichi before an abort is accepted", ["e,9s,rc[rd]"], {"pfe": "[24.0,25.0,25.0,25.0]"}),
            [ev.RiichiAccepted(0), ev.Ryukyoku(deltas=(0, 0, 0, 0))],
        ),
        ("no points at the end are no gains", ["e,9s,tg"], {"pfe": ""}, [ev.Ryukyoku()]),
    ):
        assert read_frame(*acts, **fields).play[-len(end) :] == end, name
    read = read_frame("e,9s,rc[rd]", "n,rn,", pfe="[17.0,25.0,25.0,33.0]")
    assert ev.RiichiAccepted(0) not in read.play
    assert read.play[-1] == won(3, 0, -8000, 0, 0, 8000)


# The head of a frame.


def test_kyoutak_counts_riichi_sticks() -> None:
    assert read_frame(kyoutak="2.0").deal.kyotaku == 2
    assert written(DRAWN_GAME, END, kyotaku=2).field(1) == "2.0"


def test_the_dora_themselves_are_written_and_the_indicators_read() -> None:
    for dora_tile, indicator in (
        ("2m", "1m"),
        ("1m", "9m"),
        ("5p", "4p"),
        ("0p", "4p"),
        ("6s", "5s"),
        *(("sw", "E"), ("ww", "S"), ("nw", "W"), ("ew", "N")),
        *(("gd", "P"), ("rd", "F"), ("wd", "C")),
        ("uk", "?"),
    ):
        assert read_frame(dora=dora_tile + "uk" * 9).deal.dora_marker == indicator, dora_tile
        if dora_tile != "0p":
            assert written(DRAWN_GAME, END, dora_marker=indicator).field(3) == dora_tile + "uk" * 9, dora_tile


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
    assert read_file(written_as("jmjp", [read.match], Report(), WriteOptions()).decode()).match == read.match


def test_absent_dora_are_a_hidden_indicator() -> None:
    read = read_frame("e,9s,tg", dora="")
    data = written_as("mjai", [read.match], Report(), WriteOptions())
    assert json.loads(data.splitlines()[1])["dora_marker"] == "?"
    assert read_all("mjai", data, Report()) == [read.match]


def test_absent_kyoutak_is_carried_on_and_reported_as_assumed() -> None:
    read = read_frames(
        frame("e,9s,rc[9s]", "s,2p,2p", kyoutak="1.0", pfe="[24.0,25.0,25.0,25.0]"),
        frame("e,9s,tg", name="E1-1", kyoutak="", pfs="[24.0,25.0,25.0,25.0]"),
    )
    second = read.match.rounds[1].start
    assert second is not None
    assert second.kyotaku == 2
    assert read.match.rounds[1].assumed == ("kyotaku",)
    written_as("mjai", [read.match], report := Report(), WriteOptions())
    assert ("start_kyoku.kyotaku", "assumed", 1) in [(loss.what, loss.fate, loss.round) for loss in report.losses]
    again = written_as("jmjp", [read.match], report := Report(), WriteOptions()).decode()
    assert "frm[E1-1,,," in again
    assert report.losses == []


def test_after_a_win_no_stick_is_carried_on() -> None:
    win = frame("e,9s,rc[9s]", "s,2p,2p", "w,rn,", pfe="[24.0,24.0,28.0,25.0]", kyoutak="1.0")
    second = read_frames(win, frame(name="E1-1", kyoutak="")).match.rounds[1].start
    assert second is not None
    assert second.kyotaku == 0


@looped(("spelled", "dice"), [("3-4", (3, 4)), ("12", (12,)), ("", UNSET)])
def test_dice_are_two_or_their_total(spelled: str, dice: tuple[int, ...]) -> None:
    read = read_frame("e,9s,tg", dice=spelled)
    assert read.round.dice == dice
    assert Written(written_as("jmjp", [read.match], Report(), WriteOptions()).decode(), []).field(2) == spelled


def test_a_total_of_the_dice_is_carried_in_version_0() -> None:
    read = read_frame("e,9s,tg", dice="12")
    report = Report()
    text = written_as("jmjp", [read.match], report, WriteOptions("jmjp-0")).decode()
    assert Written(text, []).field(2) == ""
    assert report.summary() == {("carried", "round.dice"): 1}
    assert read_file(text).match == read.match


# The deal.


def test_oy_is_the_draw_of_a_dealer_who_was_dealt_fourteen() -> None:
    read = read_frame("e,oy,rd", start=FOURTEEN)
    assert read.moves == [ev.Draw(0, "9s"), ev.Discard(0, "C", tsumogiri=False)]
    assert read.round.dealt_fourteen
    text = written_as("jmjp", [read.match], Report(), WriteOptions()).decode()
    assert "rd,9s,])" in text
    assert "(e,oy,rd)" in text
    # A plain tile is written, also if it is the fourteenth.
    plain = read_frame("e,oy,9s", start=FOURTEEN)
    assert "(e,oy,9s)" in written_as("jmjp", [plain.match], Report(), WriteOptions()).decode()


# Play that is written and comes back.

RIICHI: Message = {"type": "reach", "actor": 0}
ACCEPTED: Message = {"type": "reach_accepted", "actor": 0}
NINE_P = (draw(0, "9p"), discard(0, "9p", tsumogiri=True), call("daiminkan", 2, 0, "9p", "9p", "9p", "9p"))


def test_play_comes_back_from_these_acts() -> None:
    hidden_s: Message = {"tehais": [TEHAIS[0], ["?"] * 13, *TEHAIS[2:]]}
    hidden_w: Message = {"tehais": [TEHAIS[0], TEHAIS[1], ["?"] * 13, TEHAIS[3]]}
    first = draw(0, "9s"), discard(0, "9s", tsumogiri=True), draw(1, "?")
    pon = call("pon", 2, 0, "5mr", "5m", "5m")
    tsumo = hora(0, 0, 12000, -4000, -4000, -4000, ura_markers=[])
    ron = hora(3, 0, -8000, 0, 0, 8000, ura_markers=[])
    riichi = draw(0, "9s"), RIICHI, discard(0, "C")
    over = DRAWN_GAME, END
    for play, acts, changed in (
        ((draw(0, "9s"), discard(0, "C"), *over), ["e,9s,rd"], {}),
        ((draw(0, "1m"), discard(0, "1m", tsumogiri=True), *over), ["e,1m,tg"], {}),
        ((draw(0, "1m"), discard(0, "1m"), *over), ["e,1m,kg"], {}),
        # A hidden draw is never followed by tg or kg, and after a kan not written rs.
        ((*first, discard(1, "4m", tsumogiri=True), *over), ["e,9s,tg", "s,uk,4m"], hidden_s),
        ((*first, discard(1, "4m"), *over), ["e,9s,tg", "s,uk,4m"], hidden_s),
        (
            (*NINE_P, draw(2, "?"), dora("5p"), discard(2, "1s"), *over),
            *(["e,9p,tg", "w,dk[9p9p9p],", "w,uk,1s"], hidden_w),
        ),
        # A log may leave out reach_accepted, or break off before the discard.
        ((*riichi, *over), ["e,9s,rc[rd]"], {}),
        (riichi, ["e,9s,rc[rd]"], {}),
        # A call and its discard are one act. A daiminkan has none, and rs follows.
        ((draw(0, "5m"), discard(0, "5mr"), pon, discard(2, "F"), *over), ["e,5m,0m", "w,pn[5m5m],gd"], {}),
        (
            (*NINE_P, draw(2, "1s"), dora("4m"), discard(2, "1s", tsumogiri=True), *over),
            *(["e,9p,tg", "w,dk[9p9p9p],", "w,rs[1s],tg"], {}),
        ),
        ((draw(0, "9s"), tsumo, END), ["e,9s,tm"], {}),
        ((draw(0, "9s"), discard(0, "C"), ron, END), [*RON], {}),
    ):
        assert comes_back(*play, **changed).acts == acts


def test_a_discard_from_the_hand_of_the_only_copy_just_drawn_is_written_plain_with_a_note() -> None:
    from_the_hand = draw(0, "9s"), discard(0, "9s"), DRAWN_GAME, END
    assert comes_back(*from_the_hand).acts == ["e,9s,9s"]
    plain = written(*from_the_hand, plain=True)
    assert and_back(plain.text)[3]["tsumogiri"] is True
    assert [(loss.what, loss.fate) for loss in plain.losses] == [("dahai.tsumogiri", "approximated")]


@looped("tsumogiri", [True, False])
def test_that_the_riichi_discard_was_from_the_hand_is_carried(tsumogiri: bool) -> None:
    riichi = draw(0, "1m"), {"type": "reach", "actor": 0}, discard(0, "1m", tsumogiri=tsumogiri)
    jmjp = comes_back(*riichi, {"type": "reach_accepted", "actor": 0}, DRAWN_GAME, END)
    assert jmjp.acts == ["e,1m,rc[1m]"]
    assert bool(jmjp.notes) is not tsumogiri


def test_a_riichi_whose_discard_the_record_no_longer_has_is_an_act_without_discard() -> None:
    jmjp = comes_back(draw(0, "9s"), {"type": "reach", "actor": 0})
    assert jmjp.acts == ["e,9s,"]
    assert jmjp.notes


@looped("consumed", [["5pr", "5p"], ["5p", "5pr"]])
@looped("flavour", ["", "jmjp-0"])
def test_the_order_of_consumed_tiles_is_kept(consumed: list[str], flavour: str) -> None:
    play = draw(0, "5p"), discard(0, "5p", tsumogiri=True), call("pon", 1, 0, "5p", *consumed), discard(1, "P")
    comes_back(*play, DRAWN_GAME, END, flavour=flavour)


@looped("consumed", [["5p", "5pr", "5p"], ["5p", "5p", "5pr"]])
@looped("flavour", ["", "jmjp-0"])
def test_the_order_of_the_tiles_of_a_kakan_is_kept(consumed: list[str], flavour: str) -> None:
    around = [tile for seat in (2, 3, 0) for tile in (draw(seat, "2p"), discard(seat, "2p", tsumogiri=True))]
    play = (
        *(
            draw(0, "5pr"),
            discard(0, "5pr", tsumogiri=True),
            call("pon", 1, 0, "5pr", "5p", "5p"),
            discard(1, "P"),
        ),
        *(*around, draw(1, "5p"), {"type": "kakan", "actor": 1, "pai": "5p", "consumed": consumed}),
        *(draw(1, "8s"), dora("4m"), discard(1, "8s", tsumogiri=True)),
    )
    tehais = [TEHAIS[0], [tile.replace("5pr", "6p") for tile in TEHAIS[1]], *TEHAIS[2:]]
    comes_back(*play, DRAWN_GAME, END, flavour=flavour, tehais=tehais)


# When dora are turned.

PON = (draw(0, "9s"), discard(0, "C"), call("pon", 3, 0, "C", "C", "C"), discard(3, "9m"))
AROUND = tuple(move for seat in (0, 1, 2) for move in (draw(seat, "2p"), discard(seat, "2p", tsumogiri=True)))
KAKAN: Message = {"type": "kakan", "actor": 3, "pai": "C", "consumed": ["C", "C", "C"]}
UP_TO_KAKAN = (*PON, *AROUND, draw(3, "C"), KAKAN)
RINSHAN = draw(3, "4p")
AFTER = discard(3, "4p", tsumogiri=True)


def note_of(jmjp: Written) -> Message:
    """Return the only note of a round: its patch and its hints."""
    [note] = [note["round"] for note in jmjp.notes if "round" in note]
    return dict(note)


def hints_alone(jmjp: Written) -> Message:
    """Return the hints of the only note of a round, which changes no event."""
    note = note_of(jmjp)
    assert "events" not in note
    return dict(note["hints"])


def test_the_time_at_which_dora_are_turned() -> None:
    """They are read before the discard, of an ankan at once before its draw. Other customs are carried."""
    tehais = [["1m", "1m", "1m", "3m", "4m", "5m", "5mr", "7p", "8p", "9p", "E", "E", "C"], *TEHAIS[1:]]
    ankan = {"type": "ankan", "actor": 0, "consumed": ["1m"] * 4}
    riichi, accepted = {"type": "reach", "actor": 3}, {"type": "reach_accepted", "actor": 3}
    over = DRAWN_GAME, END
    kan, turned = (*UP_TO_KAKAN, RINSHAN), dora("4s")
    jmjp = comes_back(*kan, turned, AFTER, *over)
    assert jmjp.notes == []
    assert jmjp.field(3) == "2muk5suk" + "uk" * 6
    of_ankan = draw(0, "1m"), ankan, turned, draw(0, "9s"), discard(0, "9s", tsumogiri=True)
    assert comes_back(*of_ankan, *over, tehais=tehais).notes == []
    assert comes_back(*kan, turned, riichi, AFTER, accepted, *over).notes == []
    # After reach and after the discard they are carried by one word, and by no custom event by event.
    assert set(hints_alone(comes_back(*kan, riichi, turned, AFTER, accepted, *over))) == {"dora"}
    later = draw(0, "2p"), discard(0, "2p", tsumogiri=True)
    assert set(hints_alone(comes_back(*kan, AFTER, turned, *later, *over))) == {"dora"}
    assert "events" in note_of(comes_back(*UP_TO_KAKAN, turned, RINSHAN, AFTER, *over))


@looped("kan_in_turn", ["kakan", "ankan"])
def test_before_a_second_kan_the_first_one_s_dora_is_turned(kan_in_turn: str) -> None:
    second: Message = {"type": "ankan", "actor": 3, "consumed": ["N"] * 4}
    if kan_in_turn == "kakan":
        second = {"type": "kakan", "actor": 3, "pai": "N", "consumed": ["N", "N", "N"]}
        pons = (
            *PON,
            *(draw(0, "N"), discard(0, "N", tsumogiri=True), call("pon", 3, 0, "N", "N", "N"), discard(3, "1p")),
            *AROUND,
        )
        tail = second, dora("4s"), draw(3, "4p"), dora("5s"), AFTER
        play = *pons, draw(3, "C"), KAKAN, draw(3, "N"), *tail, DRAWN_GAME, END
        assert comes_back(*play).notes == []
    else:
        tehais = [*TEHAIS[:3], ["N", "9m", "1p", "2p", "3p", "1s", "6s", "7s", "8s", "N", "N", "C", "C"]]
        play = *UP_TO_KAKAN, draw(3, "N"), dora("4s"), second, dora("5s"), draw(3, "4p"), AFTER, DRAWN_GAME, END
        assert comes_back(*play, tehais=tehais).notes == []


def test_dora_that_jmjp_does_not_show_are_carried() -> None:
    jmjp = comes_back(draw(0, "9s"), discard(0, "C"), DRAWN_GAME, END, dora_marker="5sr")
    assert jmjp.field(3).startswith("6s")
    plain = written(draw(0, "9s"), discard(0, "C"), DRAWN_GAME, END, dora_marker="5sr", plain=True)
    assert [(loss.what, loss.fate) for loss in plain.losses] == [("start_kyoku.dora_marker", "approximated")]
    play = draw(0, "9s"), discard(0, "C"), hora(3, 0, -8000, 0, 0, 8000, ura_markers=["6p"]), END
    jmjp = comes_back(*play)
    assert jmjp.notes
    # A kan whose dora was never turned is carried or read as such.
    assert comes_back(*UP_TO_KAKAN, RINSHAN, AFTER, DRAWN_GAME, END).field(3) == "2m" + "uk" * 9
    comes_back(*UP_TO_KAKAN, RINSHAN, hora(3, 3, -1000, -1000, -1000, 3000), END)
    comes_back(*UP_TO_KAKAN, RINSHAN, dora("4s"), hora(3, 3, -1000, -1000, -1000, 3000), END)


# How a round ends.


def test_two_rons_and_pao_come_back() -> None:
    wins = hora(1, 0, -3900, 5900, 0, 0, ura_markers=[]), hora(3, 0, -8000, 0, 0, 8000, ura_markers=[])
    jmjp = comes_back(draw(0, "9s"), discard(0, "C"), *wins, END, kyotaku=2)
    assert jmjp.acts[-2:] == ["s,rn,", "n,rn,"]
    assert jmjp.pfe == "[13.1,30.9,25.0,33.0]"
    assert jmjp.notes == []
    wins = (
        hora(1, 0, -16000, 32000, -16000, 0, ura_markers=[], pao=2),
        hora(3, 0, -8000, 0, 0, 8000, ura_markers=[]),
    )
    jmjp = comes_back(draw(0, "9s"), discard(0, "C"), *wins, END)
    assert jmjp.acts[-2:] == ["s,rn,", "n,rn,"]
    assert jmjp.notes


def test_a_ron_that_gains_nothing_is_blocked() -> None:
    read = read_frame("e,9s,rd", "s,rn,", "n,rn,", pfe="[21.1,28.9,25.0,25.0]")
    assert read.play[-1] == ev.Win(1, 0, deltas=(-3900, 3900, 0, 0), ura_markers=())
    assert read.round.blocked == (3,)
    read = read_frame("e,9s,rd", "s,rn,", "w,rn,", "n,rn,")
    assert read.play[-1] == ev.Ryukyoku("sanchaho", deltas=(0, 0, 0, 0))
    assert read.round.blocked == (1, 2, 3)


@looped("acts", [["n,rn,"], ["w,rn,", "n,rn,"]])
def test_a_ron_that_gains_nothing_beside_none_that_does_stays_a_win_of_wrong_points(acts: list[str]) -> None:
    read = read_frame("e,9s,rd", *acts, pfe="[21.1,28.9,25.0,25.0]")
    wins = [event for event in read.play if isinstance(event, ev.Win)]
    assert len(wins) == len(acts)
    assert read.round.blocked == ()
    assert len(acts) > 1 or wins == [ev.Win(3, 0, deltas=(-3900, 3900, 0, 0), ura_markers=())]


@looped("plain", [False, True])
def test_a_blocked_ron_that_would_be_read_as_a_win_is_not_written_as_one(plain: bool) -> None:
    match = read_frame("e,9s,rd").match
    match.rounds[0].blocked = (3,)
    text = written_as("jmjp", [match], report := Report(), WriteOptions(plain=plain)).decode()
    assert "rn," not in text
    assert read_file(text).match.rounds[0].blocked == (() if plain else (3,))
    assert [loss.fate for loss in report.losses if loss.what == "round.blocked"] == [
        "dropped" if plain else "carried"
    ]


@looped(
    ("acts", "pfe"),
    [
        (["s,rn,", "n,rn,"], "[21.1,28.9,25.0,25.0]"),
        (["n,rn,"], POINTS),
        (["s,rn,", "w,rn,", "n,rn,"], POINTS),
    ],
)
@looped("flavour", ["", "jmjp-0"])
def test_every_declared_ron_is_written(acts: list[str], pfe: str, flavour: str) -> None:
    read = read_frame("e,9s,rd", *acts, pfe=pfe)
    text = written_as("jmjp", [read.match], Report(), WriteOptions(flavour)).decode()
    assert "".join(f"({act})" for act in acts).replace("rn", "ro" if flavour else "rn") in text
    assert read_file(text).match == read.match


def test_a_reason_that_the_log_gave_is_carried_and_none_is_added() -> None:
    nine = draw(0, "9s"), {**DRAWN_GAME, "reason": "kyushu_kyuhai"}, END
    assert comes_back(*nine).acts == ["e,9s,"]
    assert "reason" not in and_back(written(*nine, plain=True).text)[3]
    assert comes_back(draw(0, "9s"), DRAWN_GAME, END).notes == []


# Hands at the end.


def test_the_tile_won_with_or_drawn_and_not_discarded_is_in_the_tsumo_field() -> None:
    ron = written(draw(0, "9s"), discard(0, "C"), hora(3, 0, -8000, 0, 0, 8000), END)
    assert ron.ends["n"] == "1m9m1p2p3p1s6s7s8snwnwrdrd,rd,"
    assert ron.ends["e"] == "1m1m2m3m4m5m0m7p8p9p9sewew,,"
    for end in (hora(0, 0, 3000, -1000, -1000, -1000), DRAWN_GAME):
        assert written(draw(0, "9s"), end, END).ends["e"] == DEAL["e"] + ",9s,"


def test_the_newest_call_is_the_first_and_a_kakan_keeps_the_place_of_its_pon() -> None:
    second = draw(0, "N"), discard(0, "N", tsumogiri=True), call("pon", 3, 0, "N", "N", "N"), discard(3, "1p")
    pons = *PON, *second, *AROUND
    jmjp = written(*pons, DRAWN_GAME, END)
    assert jmjp.ends["n"].split(",", 2)[2] == "pon[nw,nwnw,s]pon[rd,rdrd,s]"
    kakan = written(*pons, draw(3, "C"), KAKAN, RINSHAN, AFTER, DRAWN_GAME, END)
    assert kakan.ends["n"].split(",", 2)[2] == "pon[nw,nwnw,s]kkn[rd,rd,rdrd,s]"


def test_a_robbed_kakan_stays_a_pon() -> None:
    robbed = written(*UP_TO_KAKAN, hora(0, 3, 8000, 0, 0, -8000, ura_markers=[]), END)
    assert robbed.ends["n"].split(",", 2)[2] == "pon[rd,rdrd,s]"
    assert robbed.ends["e"].split(",")[1] == "rd"
    # That is what play leaves.
    text = re.sub(r"//.*\n", "", robbed.text).replace("kkn[rd,rd,rdrd,s]", "pon[rd,rdrd,s]")
    assert read_file(text).warnings == []
    assert read_file(text).round.final_hands is UNSET


@looped(("seat", "target"), [("s", 0), ("t", 1), ("k", 2)])
def test_a_call_states_from_whom_on_the_right_opposite_or_left(seat: str, target: int) -> None:
    turns = [
        move for player in range(target) for move in (draw(player, "2p"), discard(player, "2p", tsumogiri=True))
    ]
    play = *turns, draw(target, "C"), discard(target, "C", tsumogiri=True), call("pon", 3, target, "C", "C", "C")
    tehais = [[tile.replace("C", "7s") for tile in TEHAIS[0]], *TEHAIS[1:]]
    jmjp = written(*play, discard(3, "9m"), DRAWN_GAME, END, tehais=tehais)
    assert f"pon[rd,rdrd,{seat}]" in jmjp.ends["n"]


def test_hands_at_the_end_that_differ_or_have_another_order() -> None:
    read = read_frame("e,9s,tg", end=hands({**DEAL, "e": "9m" * 13}))
    assert read.warnings == [
        "the hand shown at the end is hnd[9m9m9m9m9m9m9m9m9m9m9m9m9m,,], "
        "where play leaves hnd[1m1m2m3m4m5m0m7p8p9pewewrd,,]"
    ]
    assert f"(e,hnd[{'9m' * 13},,])" in written_as("jmjp", [read.match], Report(), WriteOptions()).decode()
    # The order of tiles in the hands at the end means nothing.
    end = hands({**DEAL, "e": "rdewew9p8p7p0m5m4m3m2m1m1m"})
    assert read_frame("e,9s,tg", end=end) == read_frame("e,9s,tg")


# Frames without flow, and with several.


def test_a_frame_without_flow_is_a_deal_of_hidden_hands_and_its_end() -> None:
    read = read_frames(f"frm[E1-0,0.0,,pfs{POINTS},,,pfe[26.0,24.0,25.0,25.0],]")
    data = written_as("mjai", [read.match], Report(), WriteOptions())
    _, start, end, _ = (json.loads(line) for line in data.splitlines())
    assert start["tehais"] == [["?"] * 13] * 4
    assert end["type"] == "end_kyoku"
    assert read_all("mjai", data, Report()) == [read.match]
    assert read.round.scores_after == (26000, 24000, 25000, 25000)
    assert "pfe[26.0,24.0,25.0,25.0]" in written_as("jmjp", [read.match], Report(), WriteOptions()).decode()


def test_of_several_flows_the_last_is_the_round_and_the_others_are_kept() -> None:
    earlier = hands() + "(e,9s,tg)" + hands()
    read = read_frames(frame("e,8s,tg").replace(",(e,hnd", f",{earlier}(e,hnd", 1))
    assert read.moves == read_frame("e,8s,tg").moves
    text = written_as("jmjp", [read.match], Report(), WriteOptions()).decode()
    assert earlier in "".join(text.split())
    assert read_file(text).match == read.match


# The match.


def test_names_of_mjai_in_jmjp() -> None:
    jmjp = convert(game(deal(), DRAWN_GAME, END, names=["朝倉 春", "B", "", 'D "d"']))
    assert 'ply[0,(snt["朝倉 春"],),,,]' in jmjp.text
    assert 'ply[2,(snt[""],),,,]' in jmjp.text
    assert 'ply[3,(snt["D \\"d\\""],),,,]' in jmjp.text
    assert and_back(jmjp.text)[0]["names"] == ["朝倉 春", "B", "", 'D "d"']
    # No names are no name fields.
    assert PLAYERS in written(DRAWN_GAME, END).text.replace("\n", "")
    assert "names" not in and_back(written(DRAWN_GAME, END).text)[0]


def test_players_are_numbered_by_their_seats_in_e1() -> None:
    log = game(
        deal(oya=2), draw(2, "2p"), discard(2, "2p", tsumogiri=True), DRAWN_GAME, END, names=["A", "B", "C", "D"]
    )
    assert 'ply[0,(snt["C"],),,,]' in convert(log).text
    seen = and_back(convert(log, plain=True).text)
    assert seen[0]["names"] == ["C", "D", "A", "B"]
    assert seen[1]["oya"] == 0


def test_scores_known_only_from_the_result_are_worked_back_and_reported() -> None:
    start = deal()
    del start["scores"]
    log = game(
        start, draw(0, "9s"), hora(0, 0, 3000, -1000, -1000, -1000, scores=[28000, 24000, 24000, 24000]), END
    )
    jmjp = convert(log)
    assert (jmjp.pfs, jmjp.pfe) == ("[25.0,25.0,25.0,25.0]", "[28.0,24.0,24.0,24.0]")
    assert ("start_kyoku.scores", "assumed") in [(loss.what, loss.fate) for loss in jmjp.losses]
    assert and_back(jmjp.text) == [json.loads(line) for line in log.splitlines()]


def test_points_that_are_no_multiple_of_100_are_not_rounded() -> None:
    jmjp = comes_back(draw(0, "9s"), discard(0, "C"), DRAWN_GAME, END, scores=[25050, 24950, 25000, 25000])
    assert jmjp.pfs == ""
    plain = written(
        draw(0, "9s"), discard(0, "C"), DRAWN_GAME, END, scores=[25050, 24950, 25000, 25000], plain=True
    )
    assert ("start_kyoku.scores", "dropped") in [(loss.what, loss.fate) for loss in plain.losses]


# Version 0.


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
    for start, consumed, losses in (
        (None, ("5p", "5p"), [("which five was red", "assumed")]),
        (closed, ("5p", "5pr"), []),
    ):
        read = read_frame("e,5p,tg", "s,pn,wd", major=0, **({"start": start} if start else {}))
        assert read.moves[2] == ev.Pon(1, 0, "5p", consumed)
        assert [(loss.what, loss.fate) for loss in read.losses] == losses


def test_version_0_names_the_red_five_or_another_of_an_ankan() -> None:
    for named in ("5p", "0p"):
        for via in ("mjai", "majsoul", "tenhou", "uzje", "jmjp"):
            start = is_deal(e="1m1m2m3m4m5p5p0p8p9pewewrd", s="3m4m6m7m6p6p6p1s1s2sswswwd")
            read = read_frame(f"e,5p,ak[{named}]", "e,rs[9s],tg", major=0, start=start, end="")
            [kan] = read.round.select(ev.Ankan)
            assert kan.consumed == (("5p", "5p", "5p", "5pr") if named == "5p" else ("5pr", "5p", "5p", "5p"))
            assert read.losses == [], (named, via)
            [away] = read_all(via, written_as(via, [read.match], Report(), WriteOptions()), Report())
            text = written_as("jmjp", [away], Report(), WriteOptions("jmjp-0")).decode()
            assert f"(e,5p,ak[{named}])" in text
            assert f"ank[{named}]" in text
            # The writer's own hands at the end agree with its acts.
            assert read_file(text).warnings == [], (named, via)
