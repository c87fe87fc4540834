"""A match as text: rounds, players, captions, results, comments and findings."""

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Answer, Match, Name, Player, Round, Text
from mjconv.ir.mcr_fan import FAN
from mjconv.viewer.text import text_lines
from mjconv.viewer.words import texts

DEAL = ev.StartRound("S", kyoku=3, honba=1, oya=2, tehais=(("?",) * 13,) * 4)


def lines(*events: ev.Event, annotations: tuple[Annotation, ...] = ()) -> list[str]:
    return list(text_lines([Match(rounds=[Round([DEAL, *events], annotations=annotations)])]))


#: The text of the sample.
MATCH = mjconv.read(SAMPLE)


def test_a_round_begins_with_its_name_and_its_players() -> None:
    assert list(text_lines([MATCH]))[:8] == [
        "朝倉 春, 別府 夏子, 千早 秋, 堂本 冬美",
        "",
        "E1-0  East 1, honba 0",
        "  East   朝倉 春    25,000  123567m 123p 3679s",
        "  South  別府 夏子  25,000  3345m 178p 450667s",
        "  West   千早 秋    25,000  1345m 340789p 22s F",
        "  North  堂本 冬美  25,000  406m 1678p 345789s",
        "  The dora indicator is red dragon.",
    ]


def test_a_win_ends_with_hand_yaku_and_points() -> None:
    assert list(text_lines([MATCH], only=0))[-4:] == [
        "   23  別府 夏子 wins by ron on 1m from 朝倉 春: 4 han 30 fu, 7,700 points.",
        "       23345m 77p 450667s  + 1m",
        "       riichi 1, ippatsu 1, pinfu 1, red dora 1",
        "       朝倉 春 -7,700, 別府 夏子 +9,700",
    ]


def test_a_turn_is_one_line_but_a_draw_before_anything_else_is_its_own() -> None:
    assert lines(ev.Draw(2, "4p"), ev.Discard(2, "9m"), ev.Draw(3, "E"), ev.Win(3, target=3))[-4:] == [
        "    2  East draws 4p and discards 9m.",
        "    3  South draws east wind.",
        "    4  South wins by tsumo on east wind.",
        "       ?????????????  + E",
    ]


def test_notes_are_below_the_step_that_they_are_about() -> None:
    notes = (
        Annotation(0, "comment", value="the deal"),
        Annotation(2, "think_time", 2, 1250),
        Annotation(3, "comment", value="a risky\ndiscard"),
        Annotation(3, "left", 1),
    )
    found = lines(ev.Draw(2, "4p"), ev.Discard(2, "4p", tsumogiri=True), annotations=notes)
    at = found.index("       # the deal")
    assert found[at + 1 :] == [
        "    2  East draws and discards 4p.",
        "       # East: thought for 1.2 s",
        "       # a risky",
        "       # discard",
        "       # North: left the table",
    ]


def test_a_note_that_is_no_comment_is_named() -> None:
    notes = (Annotation(2, "emote", 1, 4), Annotation(2, "mark", 2, "(a)"), Annotation(2, "returned", 1))
    assert lines(ev.Draw(2, "4p"), ev.Discard(2, "4p", tsumogiri=True), annotations=notes)[-4:] == [
        "       # North: emote 4",
        "       # North: came back",
        "    2  East draws and discards 4p.",
        "       # East: mark (a)",
    ]


def test_notes_about_the_match_are_between_its_rounds() -> None:
    notes = (
        Annotation(0, "comment", value="the whole match"),
        Annotation(0, "left", 1),
        Annotation(1, "comment", value="a pause"),
        Annotation(2, "comment", value="the end\nof all"),
    )
    players = [Player(Name(Text(name))) for name in "ABCD"]
    match = Match(players, [Round([DEAL]), Round([DEAL])], annotations=notes)
    found, first = list(text_lines([match])), list(text_lines([match], only=0))
    assert found[:5] == ["A, B, C, D", "# the whole match", "# B: left the table", "", "S3-1  South 3, honba 1"]
    second = found.index("# a pause")
    assert found[second - 1 : second + 2] == ["", "# a pause", "S3-1  South 3, honba 1"]
    assert found[-2:] == ["# the end", "# of all"]
    assert ("# a pause" in first, first[1]) == (False, "# the whole match")


def test_comments_about_scores_are_before_their_table() -> None:
    matches = mjconv.read_all(CORPUS / "hk" / "evenings.hk")
    notes = [f"# {str(note.value).strip()}" for match in matches for note in match.annotations]
    found = list(text_lines(matches))
    at = found.index(notes[0])
    assert found[at : at + len(notes)] == notes
    assert "Ah-Wing" in found[at + len(notes)]


def test_findings_are_marked() -> None:
    match = mjconv.read(SAMPLE)
    match.rounds[1].events[7] = mjconv.Draw(0, "5mr")
    found = list(text_lines([match], findings=mjconv.check(match)))
    [line] = [line for line in found if line.startswith("       ! error: R")]
    assert "5mr" in line


def test_the_liable_player_is_named() -> None:
    assert lines(ev.Draw(2, "4p"), ev.Win(2, target=2, liable=3))[-1] == "       South is liable."


def test_a_round_that_cannot_be_played_ends_with_the_reason() -> None:
    assert lines(ev.Draw(0, "1m"))[-1] == "    1  The record cannot be played on: West draws, where East is next"


def test_a_reason_that_a_finding_names_is_shown_once() -> None:
    match = mjconv.read(CORPUS / "broken" / "discard-not-held.mjson")
    found = [line.strip() for line in text_lines([match], findings=mjconv.check(match)) if "hold 9p" in line]
    assert found == ["! error: R005 (unheld): east (player 0) does not hold 9p"]


@looped(("language", "line"), ("ja", "    2  東家 4筒ツモ、9萬切り"), ("zh", "    2  東家摸四筒，切九萬"))
def test_the_language_is_chosen(language: str, line: str) -> None:
    match = Match(rounds=[Round([DEAL, ev.Draw(2, "4p"), ev.Discard(2, "9m")])])
    assert list(text_lines([match], language))[-1] == line  # type: ignore[arg-type]


def test_scores_are_a_table_of_running_points() -> None:
    found = list(text_lines(mjconv.read_all(CORPUS / "hk" / "example.hk")))
    assert found[3:9] == [
        "                                          Lok  Fei    Ying  Bo",
        "1    Fei self-drawn, 3 faan               -4   12     -4    -4",
        "2    Bo wins 5 faan from Lok              -20  4      -12   28",
        "3    draw                                 -20  4      -12   28",
        "4    Lok wins 4 faan, guaranteed by Fei   -4   -12    -12   28",
        "5    Fei false win                        380  -1164  372   412",
    ]
    assert found[-1] == "# 6: Ying draws and wins 7 faan, and Lok pays for all"


def test_no_character_acts_on_the_terminal() -> None:
    note = Annotation(0, "comment", value="\x1b]0;x\x07")
    name = Player(Name(Text("\x1b[2J\u202e\n</script>")))
    match = Match([name] * 4, [Round([DEAL, ev.Ryukyoku("\x1b[31m")], annotations=(note,))])
    text = "\n".join(text_lines([match]))
    assert not {"\x1b", "\u202e"} & set(text)
    assert "</script>" in text


def test_a_match_without_rounds_is_its_title() -> None:
    assert list(text_lines([Match()])) == ["mahjong"]


# Hands of Chinese Official in the viewer: names of fan, flowers, and claims that were overridden.


OTHERS = "One Voided Suit 1, No Honors 1, Single Wait 1"


@looped(
    ("file", "line"),
    ("botzone/hands.botzone", "# East: also claimed chi 5p"),
    ("botzone/hands.botzone", f"Pure Straight 16, Concealed Hand 2, {OTHERS}"),
    ("botzone/flowers.txt", "North sets flower 2 aside."),
    ("pmn/drawn.pmn", f"Pure Straight 16, Fully Concealed Hand 4, {OTHERS}"),
)
def test_the_text_shows(file: str, line: str) -> None:
    assert line in "\n".join(text_lines([next(mjconv.iter_matches(CORPUS / file))]))


def test_each_fan_has_names() -> None:
    names = {name: [fan.english, fan.japanese, fan.traditional] for name, fan in FAN.items()}
    assert names == {name: [texts(tongue)[f"yaku.{name}"] for tongue in ("en", "ja", "zh")] for name in FAN}


def test_an_answer_of_a_program_is_one_line_below_the_step_after_which_it_was_given() -> None:
    meta = ev.Extras({"meta": {"name": "A\nB", "values": [[{"type": "none"}, 1], [{"type": "reach"}, 2]]}})
    answer = Answer(2, ev.Discard(2, "8m", extras=meta), 2)
    match = Match(rounds=[Round([DEAL, ev.Draw(2, "4p"), ev.Discard(2, "9m")], answers=(answer,))])
    assert list(text_lines([match]))[-2:] == ["       # A B for East: 8m", "    2  East draws 4p and discards 9m."]
    assert list(text_lines([match], "ja"))[-2] == "       # A B（東家）：8萬"


def test_a_match_without_rounds_has_its_points() -> None:
    game = mjconv.convert(b"uma 20 10\nAnn 42.3, Ben 31, Cho 18.2, Dee 8.5\n", source="club", target="mjai").data
    assert list(text_lines([mjconv.read(game, format="mjai")]))[-4:] == [
        "Ann  42,300  +37,300",
        "Ben  31,000  +16,000",
        "Cho  18,200  -16,800",
        "Dee  8,500   -36,500",
    ]
