"""Matches known only by their results: running points by game and by day, to the fraction."""

from decimal import Decimal
from fractions import Fraction
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import mjconv
from corpus_files import CORPUS
from mjconv.ir import events as ev
from mjconv.ir.match import Length, Match, Name, Player, Round, Rules, Text
from mjconv.languages import Language
from mjconv.viewer.facts import facts, title
from mjconv.viewer.results_table import decimal_text, is_results_alone, results_table
from mjconv.viewer.text import text_lines
from mjconv.viewer.words import texts

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
