"""Rounds that were played, as HK scores: one line a round, the faan of the winning hand, all else in notes."""

from functools import cache
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logs import Log, Message, lines, logs, messages
from looped import looped
from mjconv.converters.hk.names import escape, spell
from mjconv.ir.errors import PlayError
from mjconv.ir.match import Annotation
from strategies import any_text
from trips import Written, read, write

four = looped("log", *logs(4), ids=str, every=2)
RESULTS = ("hora", "ryukyoku")


def rounds(log: list[Message]) -> list[list[Message]]:
    found: list[list[Message]] = []
    for message in log:
        if message["type"] == "start_kyoku":
            found.append([])
        if found:
            found[-1].append(message)
    return found


def hk(log: list[Message] | bytes, *, plain: bool = True) -> Written:
    return write(read(log if isinstance(log, bytes) else lines(log), "mjai").matches, "hk", plain=plain)


@cache
def plain_hk(log: Log) -> Written:
    return hk(log.data)


def games(written: Written) -> list[list[str]]:
    """Return the results, line by line, after the names."""
    return [line.split() for line in written.data.decode().splitlines()[2:]]


def losses(written: Written, fate: str) -> set[str]:
    return {loss.what for loss in written.losses if loss.fate == fate}


class TestEveryLog:
    @four
    def test_one_line_a_round_with_the_winner_and_the_discarder(self, log: Log) -> None:
        source = rounds(messages(log.data))
        written = plain_hk(log)
        assert written.data.startswith(b"R=full\n")
        finished = [played for played in source if any(message["type"] in RESULTS for message in played)]
        for played, marks in zip(finished, games(written), strict=True):
            wins = [message for message in played if message["type"] == "hora"]
            if not wins:
                assert marks == ["-"] * 4
                continue
            nearest = min(wins, key=lambda win: (win["actor"] - win["target"]) % 4)
            winner, target = nearest["actor"], nearest["target"]
            assert [seat for seat, mark in enumerate(marks) if mark.isdigit()] == [winner]
            others = [(seat, mark) for seat, mark in enumerate(marks) if mark in "dDSf"]
            assert others == ([] if target == winner else [(target, "d")])
            assert int(marks[winner]) <= 13

    @four
    def test_nothing_is_lost(self, log: Log) -> None:
        matches = read(log.data, "mjai").matches
        written = write(matches, "hk")
        back = read(written.data, "hk")
        assert back.matches == matches
        assert back.warnings == []
        assert write(back.matches, "hk").data == written.data


HANDS = ["1m2m3m4m5m6m7m8m9m1p1pEE", "1s2s3s4s5s6s7s8s9s2p2pWW", "SSSNNNPPPFF3p3p", "1s9s1p9p1m9mESWNPFC"]


def tiles(text: str) -> list[str]:
    found: list[str] = []
    for letter in text:
        if letter in "mps":
            found[-1] += letter
        else:
            found.append(letter)
    return found


def play(*events: str, hands: list[str] | None = None, oya: int = 0, **deal: Any) -> list[Message]:
    """Write a round.

    ``0+1m`` is a draw, ``0-1m`` a discard, ``1<01m`` a pon from 0, ``0k1m`` and ``0x1m`` kans, ``0!`` a self-drawn
    win, ``0!3`` one from 3.
    """
    names = {"bakaze": "E", "kyoku": oya + 1, "honba": 0, "kyotaku": 0, "oya": oya, "dora_marker": "2m"}
    dealt = {"scores": [25000] * 4, "tehais": [tiles(hand) for hand in hands or HANDS]}
    start = {"type": "start_kyoku", **names, **dealt, **deal}
    log: list[Message] = [{"type": "start_game", "names": ["A", "B", "C", "D"]}, start]
    for event in events:
        actor, mark, rest = int(event[0]), event[1], event[2:]
        message: Message = {"actor": actor}
        if mark == "+":
            message |= {"type": "tsumo", "pai": rest}
        elif mark == "-":
            message |= {"type": "dahai", "pai": rest, "tsumogiri": log[-1].get("pai") == rest}
        elif mark == "<":
            message |= {"type": "pon", "target": int(rest[0]), "pai": rest[1:], "consumed": [rest[1:]] * 2}
        elif mark == "k":
            message |= {"type": "ankan", "consumed": [rest] * 4}
        elif mark == "x":
            message |= {"type": "kakan", "pai": rest, "consumed": [rest] * 3}
        else:
            message |= {"type": "hora", "target": int(rest or actor), "deltas": [0] * 4}
        log.append(message)
    return [*log, {"type": "end_kyoku"}, {"type": "end_game"}]


def result(*events: str, **how: Any) -> str:
    [marks] = games(hk(play(*events, **how)))
    return " ".join(marks)


class TestHowAHandIsWon:
    def test_a_one_suit_hand_by_discard_and_self_drawn(self) -> None:
        # Concealed 1, mixed one suit 3, no pung of winds that count.
        hands = [HANDS[0], HANDS[1], "2m3m4m6m7m8mNNNPP9m9m", HANDS[3]]
        assert result("0+1s", "0-1s", "1+P", "1-P", "2+C", "2-C", "3+9m", "3-9m", "2!3", hands=hands) == "- - 4 d"
        # Concealed 1, self-drawn 1, mixed one suit 3.
        assert result("0+1s", "0-1s", "1+P", "1-P", "2+9m", "2!", hands=hands) == "- - 5 -"

    def test_a_hand_that_is_dealt_complete_or_wins_at_once(self) -> None:
        assert result("0+1s", "0-1s", "3!0") == "d - - 13"
        assert result("0+1p", "0!") == "13 - - -"

    def test_not_on_the_first_tile_of_another(self) -> None:
        """Self-drawn 1, seat-wind pung of south 1 for player 1: the rest is no heavenly hand."""
        hands = [HANDS[0], "SSS2p3p4p7p8p9p1s2s5s5s", HANDS[2].replace("SSS", "CC3s"), HANDS[3]]
        assert result("0+2s", "0-2s", "1+3s", "1!", hands=hands) == "- 3 - -"

    def test_winds_are_the_seat_s_and_the_round_s(self) -> None:
        hands = ["EEE2p3p4p7p8p9p1s2s5s5s", HANDS[1], HANDS[2], HANDS[3]]
        play_ = ("0+7m", "0-7m", "1+8m", "1-8m", "2+8m", "2-8m", "3+3s", "3-3s", "0!3")
        assert result(*play_, hands=hands) == "3 - - d"
        assert result(*play_, hands=hands, bakaze="S") == "2 - - d"

    def test_kongs_that_are_robbed_or_replaced(self) -> None:
        hands = ["3s3s1m4m7m2p5p8pEWNPF", HANDS[1].replace("3s", "2m"), "1s2s4p5p6p7m8m9mNNNPP", HANDS[3]]
        events = ("0+4m", "0-4m", "1+3s", "1-3s", "0<13s", "0-1m", "1+9p", "1-9p", "2+9p", "2-9p", "3+8p", "3-8p")
        assert result(*events, "0+3s", "0x3s", "2!0", hands=hands) == "d - 2 -"
        # Concealed 1, self-drawn 1, replacement 1.
        hands = ["3s3s3s1m2m4m5m6m7p8p9pEE", HANDS[1].replace("3s", "2p"), HANDS[2], HANDS[3]]
        assert result("0+3s", "0k3s", "0+3m", "0!", hands=hands) == "3 - - -"

    def test_on_the_last_tile(self) -> None:
        """Concealed 1, self-drawn 1, common hand 1, and the seventieth draw 1."""
        for spare, expected in ((0, "- 4 - -"), (1, "- 3 - -")):
            hands = ["3s3s3s1m2m4m5m6m7p8p9pEE", "1m2m3m4m5m6m7p8p9p1s2s4s4s", "1p4p7p1s4s7sSWNPFCC", HANDS[3]]
            events = [f"{n % 4}{mark}9p" for n in range(69 - spare * 4) for mark in "+-"]
            assert result(*events, "1+3s", "1!", hands=hands) == expected, spare

    def test_of_several_the_first_after_the_discarder_wins(self) -> None:
        """Their order in the record does not matter. The report and the note have the other."""
        hands = ["2m3m1p2p3p7p8p9p1s2s3sWW", HANDS[1], "2m3m1p2p3p7p8p9p1s2s3sNN", HANDS[3]]
        events = ("0+9m", "0-9m", "1+4m", "1-4m")
        for order in (("2!1", "0!1"), ("0!1", "2!1")):
            written = hk(play(*events, *order, hands=hands))
            assert games(written) == [["-", "d", "2", "-"]]
            assert "hora" in losses(written, "dropped")
            matches = read(lines(play(*events, *order, hands=hands)), "mjai").matches
            assert read(write(matches, "hk").data, "hk").matches == matches
        hands = [HANDS[0], HANDS[1], *["2m3m1p2p3p7p8p9p1s2s3sNN"] * 2]
        for order in (("2!0", "3!0"), ("3!0", "2!0")):
            assert result("0+4m", "0-4m", *order, hands=hands) == "d - 13 -"

    def test_seven_pairs_count_4_and_are_approximated(self) -> None:
        hands = ["1m1m3m3m5m5m7p7p9p9pEEN", HANDS[1], HANDS[2].replace("NNN", "CC8s"), HANDS[3]]
        written = hk(play("0+4m", "0-4m", "1+4m", "1-4m", "2+4m", "2-4m", "3+N", "3-N", "0!3", hands=hands))
        assert games(written) == [["4", "-", "-", "d"]]
        assert [loss.fate for loss in written.losses if loss.what == "hora.fan"] == ["approximated"]
        assert [loss.detail for loss in written.losses if loss.detail] == ["4 faan for a hand of seven pairs"]


class TestWhatHkDoesNotSay:
    def test_a_liable_player_pays_for_a_self_drawn_win_and_is_reported_for_another(self) -> None:
        log = play("0+1p", "0!")
        log[-3] |= {"pao": 2}
        assert games(hk(log)) == [["13", "-", "S", "-"]]
        log = play("0+1s", "0-1s", "3!0")
        log[-3] |= {"pao": 2}
        written = hk(log)
        assert games(written) == [["d", "-", "-", "13"]]
        assert "hora.pao" in losses(written, "dropped")

    def test_draws_and_false_wins(self) -> None:
        tenpai = {"deltas": [1500, 1500, -1500, -1500], "tenpais": [True, True, False, False]}
        for end, line, dropped in (
            (tenpai, "- - - -", "ryukyoku.deltas"),
            ({"reason": "nagashi", "deltas": [-4000, -2000, 8000, -2000]}, "- - - -", "ryukyoku.deltas"),
            ({"reason": "kyushukyuhai"}, "- - - -", "ryukyoku.reason"),
            ({"reason": "chombo", "actor": 2, "deltas": [4000, 2000, -8000, 2000]}, "- - f -", "ryukyoku.deltas"),
            ({"reason": "chombo"}, "- - - -", "ryukyoku.reason"),
        ):
            log = play("0+1s", "0-1s")
            log.insert(-2, {"type": "ryukyoku", **end})
            written = hk(log)
            assert games(written) == [line.split()], end
            assert dropped in losses(written, "dropped"), end

    def test_an_unfinished_round_is_left_out_and_reported_and_carried_all_the_same(self) -> None:
        log = play("0+1s", "0-1s", "3!0")
        broken = [*log[:-1], *play("0+2s")[1:3], *log[1:]]
        written = hk(broken)
        assert games(written) == [["d", "-", "-", "13"]] * 2
        left_out = [(loss.round, loss.fate) for loss in written.losses if loss.what == "match.rounds"]
        assert left_out == [(1, "dropped")]
        matches = read(lines(broken), "mjai").matches
        # The sheet has no line for its comments either.
        matches[0].rounds[1].annotations = (Annotation(1, "comment", value=" breaks off"),)
        carried = write(matches, "hk")
        assert carried.data.count(b"left_out") == 1
        assert read(carried.data, "hk").matches == matches

    def test_a_hand_that_is_not_shown_counts_nothing_and_is_approximated(self) -> None:
        written = hk(play("0+?", "0-1s", "3!0", hands=["?" * 13] * 4))
        assert games(written) == [["d", "-", "-", "0"]]
        assert "0 faan: the winning hand is not shown" in {loss.detail for loss in written.losses}

    @looped("with_last", False, True)
    def test_unless_the_record_shows_it_at_the_win(self, with_last: bool) -> None:
        log = play("0+?", "0-1s", "1+?", "1-1s", "3!1", hands=["?" * 13] * 4)
        log[-3] |= {"pai": "1s", "hora_tehais": tiles(HANDS[3]) + ["1s"] * with_last}
        assert games(hk(log)) == [["-", "d", "-", "13"]]

    def test_hands_that_are_none_or_cannot_be_played(self) -> None:
        written = hk(play("0+1s", "0-1s", "1!0"))
        assert games(written) == [["d", "0", "-", "-"]]
        assert "0 faan: the winning hand is none by HK rules" in {loss.detail for loss in written.losses}
        with pytest.raises(PlayError, match="match 1, round E1-0, message 3: player 0 does not hold 9s"):
            hk(play("0+1s", "0-9s", "3!0"))
        assert games(hk([*play("0+1s", "0-9s")[:-2], {"type": "ryukyoku"}])) == [["-"] * 4]

    def test_red_fives_are_fives(self) -> None:
        hands = ["2m3m4m4p5pr6p7p8p9p1s2s5s5sr".replace("r", ""), HANDS[1], HANDS[2], HANDS[3]]
        log = play("0+3s", "0!", hands=hands)
        log[1]["tehais"][0][4] = "5pr"
        assert games(hk(log)) == [["13", "-", "-", "-"]]


class TestNames:
    @given(any_text(min_size=1) | st.text(alphabet="%0123456789abcdefABCDEF-#* ", min_size=1))
    def test_an_escaped_name_can_be_spelled_and_read_back(self, name: str) -> None:
        escaped = escape(name)
        assert not set(escaped) & set("#*")
        assert escaped.split() == [escaped]
        assert escaped[0] not in "-0123456789"
        assert unquote(escaped, errors="surrogatepass") == name

    @given(st.lists(st.sampled_from(["A", "A~2", "A~3", "", "P2", "P3", "a b", "a%20b"]), min_size=4, max_size=4))
    def test_four_names_are_four(self, names: list[str]) -> None:
        assert len(set(spell(names))) == 4
        assert all(spell(names))
