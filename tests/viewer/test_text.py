"""A match as text: rounds, captions, results, comments and findings; results alone, by game and by day."""

from decimal import Decimal
from fractions import Fraction
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Answer, Length, Match, Name, Player, Round, Rules, Text
from mjconv.ir.mcr_fan import FAN
from mjconv.languages import Language
from mjconv.viewer.facts import facts, title
from mjconv.viewer.results_table import decimal_text, is_results_alone, results_table
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


# Matches known only by their results: running points by game and by day, to the fraction.
EVENINGS = mjconv.read_all(CORPUS / "hk" / "evenings.hk")


def test_the_points_are_those_of_the_score_table() -> None:
    assert all(map(is_results_alone, EVENINGS))
    players, table = results_table(EVENINGS)
    names = [player.name.shown for player in players if player.name]
    sums = dict(zip(names, table.days[-1].sums or (), strict=True))
    scored = {row.name: row.net for row in mjconv.hk_score(EVENINGS).rows}
    assert {name: Fraction(text or "") for name, text in sums.items()} == scored


def test_days_follow_each_other_and_their_games_add_up() -> None:
    _, table = results_table(EVENINGS)
    assert [(day.date[-2:], day.games) for day in table.days] == [("03", 6), ("10", 6), ("17", 4)]
    assert (len(table.games), [game.label for game in table.games[:3]]) == (16, ["1", "2", "3"])
    assert [note.text for note in table.games[3].notes] == ["nearly a pure suit"]


def test_a_player_who_takes_no_part_has_no_points_in_a_game() -> None:
    players, table = results_table(EVENINGS)
    guest = [player.name.shown for player in players if player.name].index("Ümit")
    game, day = table.games[0], table.days[1]
    assert game.gains
    assert game.sums
    assert day.sums
    assert (game.gains[guest], game.sums[guest], table.lines[guest][1]) == (None, None, None)
    assert day.sums[guest] == "919.5"


def test_a_line_begins_with_0_before_the_first_game_of_its_player() -> None:
    players, table = results_table(EVENINGS)
    lines = {player.name.shown: table.lines[number] for number, player in enumerate(players) if player.name}
    assert lines["Ah-Wing"][:2] == (0.0, 96.0)
    # The guest comes on the second evening, after six games.
    assert lines["Ümit"][:8] == (None, None, None, None, None, None, 0.0, -8.0)


def test_players_without_names_are_counted_by_seat() -> None:
    games = [Match(rounds=[Round([ev.Win(0, 1, deltas=(8, -8, 0, 0))])]) for _ in range(2)]
    players, table = results_table(games)
    assert (len(players), table.games[1].sums) == (4, ("16", "-16", "0", "0"))


def test_two_players_with_one_name_are_two() -> None:
    both = Player(Name(Text("A")))
    players, _ = results_table([Match([both, both, both, both], rounds=[Round([ev.Ryukyoku()])])])
    assert len(players) == 4


def test_sums_are_unknown_after_a_game_of_unknown_points() -> None:
    played = [Round([event]) for event in (ev.Win(0, 0, fan=0), ev.Win(0, 0), ev.Win(0, 0, fan=0))]
    _, table = results_table([Match(rounds=played, rules=Rules(base=Decimal(1)))])
    assert [game.gains for game in table.games] == [("3", "-1", "-1", "-1"), None, ("3", "-1", "-1", "-1")]
    assert [game.sums for game in table.games] == [("3", "-1", "-1", "-1"), None, None]


@given(st.fractions().map(lambda number: Fraction(number.numerator, 2 ** (number.denominator % 9) * 5**3)))
def test_decimal_texts_are_exact(number: Fraction) -> None:
    assert Fraction(decimal_text(number)) == number


def test_facts_are_those_of_all_matches() -> None:
    assert title(EVENINGS) == "Ah-Wing, Mei, Siu-Ming, 阿强, Ümit, 2023-11-03 – 2023-11-17"
    assert dict(facts(EVENINGS)) == {"date": ("text", "2023-11-03 – 2023-11-17")}
    texts_of_one = {"date": "2023-11-03", "base": "0.5", "max_faan": "8"}
    assert dict(facts(EVENINGS[:1])) == {name: ("text", text) for name, text in texts_of_one.items()}


def test_facts_are_sentences_in_the_language_of_the_reader() -> None:
    rules = Rules(length="south", reds=(1, 2, 0), start=25_000)
    rounds = [Round([ev.StartRound(dora_marker="E")])]
    match = Match(rules=rules, players=[Player()] * 4, room="houou", rounds=rounds)
    lines: dict[Language, set[str]] = {
        "ja": {"対局形式: 東南戦", "赤牌: 五萬1・五筒2・五索0", "持ち点: 25,000", "部屋: 鳳凰", "  ドラ表示牌 東"},
        "zh-Hans": {"赛制: 半庄", "房间: 凤凰", "  宝牌指示牌东"},
    }
    for language, wanted in lines.items():
        assert wanted <= set(text_lines([match], language))
    assert "房間: 明珠" in set(text_lines([structs.replace(match, room="明珠")], "zh"))
    assert dict(facts([Match(rules=rules)]))["length"] == ("length.south",)


def test_every_length_has_a_text() -> None:
    for length in get_args(Length):
        assert f"length.{length}" in texts("en")
