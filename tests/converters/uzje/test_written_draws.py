"""A draw or a number that may be left out makes no difference to the game."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mjconv.converters.uzje.game import Choices, GameError, UzjeGame, parse
from mjconv.converters.uzje.paragraphs import Block, GameText
from mjconv.converters.uzje.round_reader import read_game
from mjconv.converters.uzje.spelling import HUB
from mjconv.converters.uzje.words import Move, Word, WordError, read_word
from mjconv.ir.match import Round

from .random_games import random_game

ZEROS = "0" * 60
BODIES = ["5m", "1t", "E", "S5m", "SP,5m", "t23,1s", "23t,1s", "?", "?,9s", "x", "", "K5m,1t", "NR", "5.m", "1:"]


def parsed(words: list[str], players: int) -> UzjeGame:
    return parse(GameText(Block("game", 0, ""), words), players).game


def outcome(game: UzjeGame) -> tuple[Round, Choices] | tuple[str, int | None, int | None]:
    try:
        reading = read_game(game, game.dealer, Choices(drawn=set(range(0, 60, 3))))
    except GameError as error:
        return str(error), error.turn, error.tile
    return reading.round, reading.choices


def spelled_out(turn: Word) -> Word:
    """Write the draw before a discard, as commands do."""
    return Word(turn.seat, (Move("draw"), *turn.moves)) if turn.moves[0].kind == "discard" else turn


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]), wrong=st.integers(0, 2))
def test_a_draw_before_a_discard_may_be_written(seed: int, players: int, wrong: int) -> None:
    game = parsed(random_game(seed, players).text.split(), players)
    chance = Random(seed)
    for _ in range(wrong):
        tile = chance.choice(list(HUB.values()))
        game.turns[chance.randrange(len(game.turns))] = Word(None, (Move("discard", (tile,)),))
    expected = outcome(game)
    game.turns = [spelled_out(turn) for turn in game.turns]
    if isinstance(expected[0], Round):
        assert outcome(game) == expected


def test_the_word_of_a_draw_and_a_discard() -> None:
    assert spelled_out(read_word("5m", 4)) == read_word("?,5m", 4)


@given(st.lists(st.sampled_from(BODIES), max_size=6), st.sampled_from(["", "1", "007", "x"]))
def test_a_number_of_many_digits_is_read_as_any_number(bodies: list[str], number: str) -> None:
    def read(zeros: str) -> list[Word] | tuple[str, int]:
        words = ["E", "1", "0", "4", "1.9s", *(f"{number and zeros}{number}.{body}" for body in bodies)]
        try:
            return parsed(words, 4).turns
        except WordError as error:
            return str(error).replace(ZEROS, ""), error.word

    found = read("")
    assert read(ZEROS) == found
    if isinstance(found, list):
        assert found[1:] == [read_word(body, 4) for body in bodies][: len(found) - 1]
    elif number.isdigit():
        assert not all(map(is_turn, bodies))


def is_turn(body: str) -> bool:
    try:
        read_word(body, 4)
    except WordError:
        return False
    return True
