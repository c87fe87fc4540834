"""A frame that breaks off, or has an error, is read as far as its first error, and judged as far."""

import pytest

import faults
import mjconv
import trips
from corpus_files import TYPED
from handmade import GAME
from logs import lines
from looped import looped
from mjconv import convert
from mjconv.converters.jmjp.reader import read
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, PlayError
from mjconv.ir.limits import Limits, using
from mjconv.ir.losses import Fault, Report
from mjconv.ir.match import Round

from .test_play import HEADS, POINTS, hands
from .texts import HANDS, PLAYERS, file, flow, frame, match

#: The acts of the first frame of the sample, up to the error of each test.
FIRST = TYPED[: TYPED.index("(e,1m,kg)")]


def leniently(text: str) -> tuple[list[Round], list[Fault]]:
    was = faults.leniently(text, "jmjp")
    return was.rounds, was.faults


def strictly(text: str) -> tuple[list[Round], list[str]]:
    """Return the rounds of a text and the warnings of its reading."""
    was = trips.read(text, "jmjp")
    return was.match.rounds, [str(warning) for warning in was.warnings]


def judged(text: str) -> list[tuple[str, int, str]]:
    """Return the findings in a text, in their order: code, line, and message up to the first semicolon."""
    found = mjconv.validate(text.encode(), format="jmjp")
    return [(each.code, each.place.line if each.place else 0, each.message.partition(";")[0]) for each in found]


def codes(text: str) -> list[str]:
    return [code for code, _, _ in judged(text)]


def kinds(game_round: Round) -> list[str]:
    return [ev.name_of(event) for event in game_round.events]


TURN = ["tsumo", "dahai"]


class TestReading:
    def test_acts_are_read_up_to_the_error(self) -> None:
        first = "(e,5m,tg)(s,5m,t"
        for acts, turns in ((f"{first}g)(w,5x,tg)", 2), (f"{first}g)(x", 2), (f"{first}x", 1), ("x", 0)):
            for end in ("", ")", ",,])", f"{HANDS[:20]}"):
                text = f"jmjp[1.0]{match(f'frm[E1-0,,,,,{HANDS}{acts}')[:-1]}{end}"
                [game_round], [fault] = leniently(text)
                assert kinds(game_round) == ["start_kyoku", *TURN * turns]
                assert game_round.label == "E1-0", (acts, end)
                # The error is after all that was read.
                assert (fault.match, fault.round, fault.event) == (0, 0, 1 + 2 * turns)

    def test_an_error_after_the_acts_leaves_them(self) -> None:
        acts = ("e,5m,tg", "s,5m,tg")
        for wrong in (
            frame(flow(*acts, end=HANDS.replace("(w,hnd", "(w,hmd"))),
            frame(flow(*acts), pfe="pfe[1.0]"),
        ):
            [game_round], [fault] = leniently(file(match(wrong)))
            assert kinds(game_round) == ["start_kyoku", *TURN * 2]
            assert fault.event == 5

    def test_the_result_of_an_unfinished_frame(self) -> None:
        [game_round], _ = leniently(file(match(frame(flow("e,5m,tg", "s,rn,"), pfe="pfe[1.0]"))))
        assert kinds(game_round) == ["start_kyoku", *TURN, "hora"]
        text = f"jmjp[1.0]{match(f'frm[E1-0,,,,,{HANDS}(e,5m,rc[5m])')[:-1]}"
        [game_round], _ = leniently(text)
        assert kinds(game_round) == ["start_kyoku", "tsumo", "reach", "dahai"]

    def test_of_two_flows_the_last_one_that_was_begun_is_read(self) -> None:
        whole = flow("e,5m,tg")
        [begun], _ = leniently(file(match(f"frm[E1-0,,,,,{whole}{HANDS}(e,6m,tg)(s,")))
        assert [event.pai for event in begun.events if isinstance(event, ev.Draw)] == ["6m"]
        [not_begun], _ = leniently(file(match(f"frm[E1-0,,,,,{whole}{HANDS[:30]}")))
        assert [event.pai for event in not_begun.events if isinstance(event, ev.Draw)] == ["5m"]

    @looped("head", "E1-0;,,,,", "E1-0,,,,", "E5-0,,,,,", "E1-0,,,pfs[1.0],,")
    def test_a_frame_whose_head_does_not_parse_is_an_empty_round(self, head: str) -> None:
        rounds, [fault] = leniently(file(match(f"frm[{head}{flow('e,5m,tg')},,]")))
        assert (rounds, fault.event) == ([Round()], None)

    def test_frames_with_too_few_hands_or_too_many_acts_are_empty_rounds(self) -> None:
        rounds, _ = leniently(file(match(f"frm[E1-0,,,,,{HANDS[: HANDS.index('(n,')]}(e,5m,tg)")))
        assert rounds == [Round()]
        acts = "(e,5m,tg)" * 4
        text = f"jmjp[1.0]{match(f'frm[E1-0,,,,,{HANDS}{acts}(x')[:-1]}"
        for most, read_on in ((4, True), (3, False)):
            with using(Limits(events=most)):
                report = Report(lenient=True)
                [reading] = read(text.encode(), report)
            assert bool(reading.match.rounds[0].events) is read_on
            assert [fault.error.message[:24] for fault in report.faults] == ['found "x", expected a se']

    def test_every_event_has_its_place(self) -> None:
        [reading] = read(f"{FIRST}(e,1m,kx)".encode(), Report(lenient=True))
        places = [reading.locate(0, index, "") for index in range(len(reading.match.rounds[0].events))]
        lines = [place.text[place.column - 1 :] for place in places if place is not None]
        assert len(lines) == len(places)
        assert lines[1:3] == ["(e,5p,tg)(s,2m,1p)(w,4s,2s)(n,9m,rc[1p])", "tg)(s,2m,1p)(w,4s,2s)(n,9m,rc[1p])"]


class TestJudging:
    def test_a_wrong_discard_in_a_half_typed_last_frame_is_found(self) -> None:
        text = FIRST.replace("(e,ww,tg)(s,7p,rc[8p])", "(e,ww,rd)(s,7p,rc[8p])") + "(e,1m,kg)(s,rx"
        wrong, broken = judged(text)
        assert wrong == ("R005", 15, "e does not hold rd")
        assert broken[:2] == ("S001", 16)
        assert broken[2].startswith('found "rx", expected a tile such as 5m, ew or uk, "ch["')

    def test_a_half_typed_frame_without_a_wrong_act_is_unfinished_and_nothing_else(self) -> None:
        for end in ("(e,1m,kg)(s,r", "(e,1m,kg)(", "(e,1m,kg)", "(e,1m", ""):
            assert codes(FIRST + end) == ["O009"]

    def test_play_after_the_error_is_not_judged(self) -> None:
        assert codes(TYPED.replace("(e,ww,tg)(s,7p,rc[8p])", "(e,ww,9z)(s,7p,rc[9s])")) == ["S001"]

    def test_wrong_points_at_the_end_hide_no_wrong_win(self) -> None:
        text = TYPED.replace(",pfe[17.3,33.7,25.0,24.0],]", ",pfe[17.3,33.7],]", 1)
        assert codes(text) == ["S001"]
        # The winner's wait is not 2m.
        assert codes(text.replace("(e,1m,kg)(s,rn,)", "(e,1m,2m)(s,rn,)")) == ["R040", "S001"]

    def test_the_round_after_it_is_not_compared_with_it(self) -> None:
        text = TYPED.replace("(n,ww,tg)\n(e,3p,tg)", "(n,ww,tg)\n(e,3p,tx)")
        assert text != TYPED
        assert codes(text) == ["S001"]


class TestHalfAFile:
    """A text that stops anywhere in its last round is read by everyone, and called unfinished once."""

    @staticmethod
    def halves() -> list[str]:
        """Return the texts of each length, from the first comma of the first frame on."""
        text = StrippedText(TYPED).stripped
        return [text[:end] for end in range(text.index("frm["), len(text) + 1)]

    def test_it_is_read_wherever_it_stops(self) -> None:
        rounds = events = 0
        halves = self.halves()
        for half in halves:
            found, warnings = strictly(half)
            # Nothing that was read once is gone with one character more.
            assert len(found) >= rounds
            assert len(found) > rounds or not found or len(found[-1].events) >= events - 1
            rounds, events = len(found), len(found[-1].events) if found else 0
            assert len(warnings) == (half != halves[-1])
        assert rounds == 3

    def test_what_was_typed_is_what_the_whole_file_has(self) -> None:
        whole, _ = strictly(TYPED)
        for half in self.halves():
            for game_round, same in zip(strictly(half)[0], whole, strict=False):
                typed, full = (one.select(ev.Draw, ev.Discard) for one in (game_round, same))
                assert typed == full[: len(typed)]

    def test_hands_that_are_not_typed_yet_are_hidden(self) -> None:
        start = trips.known(strictly(TYPED[: TYPED.index("(w,hnd")])[0][0].start)
        assert [hand.count("?") for hand in start.tehais or ()] == [0, 0, 13, 13]

    @looped("end", "", ")", ")\n")
    def test_the_bracket_of_the_match_may_be_there(self, end: str) -> None:
        rounds, warnings = strictly(FIRST + end)
        assert warnings == ["match 1, round E1-0: the text stops before the round ends"]
        assert ev.name_of(rounds[0].events[-1]) == "dahai"

    def test_a_match_that_only_lacks_its_bracket_is_unfinished(self) -> None:
        rounds, warnings = strictly(TYPED.rstrip().removesuffix(")"))
        assert (len(rounds), warnings) == (3, ["match 1, line 52: the text stops before the match ends"])

    def test_a_closed_round_without_hands_at_the_end_has_its_result(self) -> None:
        at, end = TYPED.index("(s,rn,)") + len("(s,rn,)"), TYPED.index(",pfe[")
        rounds, [warning] = strictly(TYPED[:at] + TYPED[end:])
        assert rounds == strictly(TYPED)[0]
        assert warning == "match 1, round E1-0, line 16: the hands at the end are missing; --fill writes them"

    def test_a_round_that_stops_before_another_one_is_an_error(self) -> None:
        text = TYPED.replace("\n,pfe[17.3,33.7,25.0,24.0],]", "", 1)
        with pytest.raises(InputError):
            list(read(text.encode(), Report()))

    def test_an_act_that_cannot_be_played_is_still_an_error(self) -> None:
        with pytest.raises(PlayError, match="e does not hold rd"):
            list(read(FIRST.replace("(e,ww,tg)", "(e,ww,rd)").encode(), Report()))


def test_other_formats_are_judged_up_to_their_error_too() -> None:
    mjai = (
        lines(GAME[:3]).decode() + '{"type":"dahai","actor":0,"pai":"C","tsumogiri":false}\n{"type":"tsumo","act'
    )
    uzje = (
        "E 3 0 4\n1m 2m 4m 7m 9m 1t 9t 1s 1m 2m 2m 9m 1m 9m 1s 6s\n4t 9t 1s 3s 6s 9s E S 1t 9t 1s 9s 7s 8s 8s "
        "9s\nE W N P W N P F E S W N E W N P\nF C C F\n4s 8t\n1.C 2.9"
    )
    for form, text in (("mjai", mjai), ("uzje", uzje)):
        assert [finding.code for finding in mjconv.validate(text.encode(), format=form)] == ["R005", "S001"], form


def without_sticks() -> bytes:
    """Two rounds without `kyoutak`; in the first a stick is paid."""
    first = f"frm[E1-0,,,pfs{POINTS},,{hands()}(e,9s,rc[9s])(s,8s,tg){hands()},,]"
    second = f"frm[E2-0,,,pfs[24.0,25.0,25.0,25.0],,{hands()}(e,9s,tg){hands()},,]"
    return f"{HEADS[1]}(mtp[,,,]{PLAYERS}{first}{second})".encode()


@looped("plain", False, True)
@looped("target", "jmjp", "jmjp-0")
def test_sticks_that_are_stated_nowhere_are_no_loss(target: str, *, plain: bool) -> None:
    out = convert(without_sticks(), source="jmjp", target=target, plain=plain, strict=True)
    assert out.losses == []
    assert b"E1-0,,,pfs" in out.data
    assert b"E2-0,,,pfs" in out.data


def test_sticks_of_a_target_with_and_without_sticks() -> None:
    out = convert(without_sticks(), source="jmjp", target="uzje", strict=True)
    plain = convert(without_sticks(), source="jmjp", target="uzje", plain=True)
    for losses in (out.losses, plain.losses):
        assert "start_kyoku.scores" in {loss.what for loss in losses}
        assert "start_kyoku.kyotaku" not in {loss.what for loss in losses}
    assert b"E1-0,,,pfs" in convert(out.data, source="uzje", target="jmjp", strict=True).data
    losses = convert(without_sticks(), source="jmjp", target="mjai").losses
    sticks = [(loss.fate, loss.round) for loss in losses if loss.what == "start_kyoku.kyotaku"]
    assert sticks == [("assumed", 0), ("assumed", 1)]
