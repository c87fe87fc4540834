"""What is quick is what is slow: turns in one step and move by move, turns remembered and read each time."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mjconv.converters.uzje.game import Choices, Game
from mjconv.converters.uzje.game_errors import GameError
from mjconv.converters.uzje.paragraphs import Block, GameText
from mjconv.converters.uzje.play import Play, header_of
from mjconv.converters.uzje.syntax import FaultError, parse
from mjconv.converters.uzje.tiles import HUB
from mjconv.converters.uzje.words import Move, Word, WordError, read_word
from mjconv.ir.match import Round

from .random_games import random_game

ZEROS = "0" * 60
BODIES = ["5m", "1t", "E", "S5m", "SP,5m", "t23,1s", "23t,1s", "?", "?,9s", "x", "", "K5m,1t", "NR", "5.m", "1:"]


class MoveByMove(Play):
    """Plays no turn in one step."""

    def _plain_turns(self, begin: int) -> int:
        return begin


def parsed(words: list[str], players: int) -> Game:
    return parse(GameText(Block("game", 0, ""), words), players).game


def outcome(kind: type[Play], game: Game) -> tuple[Round, Choices] | tuple[str, int | None, int | None]:
    try:
        play = kind(game, header_of(game, game.dealer), game.dealer, Choices(drawn=frozenset(range(0, 60, 3))))
        play.run()
        play.end()
    except GameError as error:
        return str(error), error.turn, error.tile
    reading = play.reading()
    return reading.round, reading.choices


def spelled_out(turn: Word) -> Word:
    """Write the draw before a discard, as commands do."""
    return Word(turn.seat, (Move("draw"), *turn.moves)) if turn.moves[0].kind == "discard" else turn


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]), wrong=st.integers(0, 2))
def test_a_turn_in_one_step_is_its_moves_one_by_one(seed: int, players: int, wrong: int) -> None:
    game = parsed(random_game(seed, players).text.split(), players)
    chance = Random(seed)
    for _ in range(wrong):
        tile = chance.choice(list(HUB.values()))
        game.turns[chance.randrange(len(game.turns))] = Word(None, (Move("discard", (tile,)),))
    expected = outcome(MoveByMove, game)
    assert outcome(Play, game) == expected
    game.turns = [spelled_out(turn) for turn in game.turns]
    if isinstance(expected[0], Round):
        assert outcome(Play, game) == expected
    assert outcome(Play, game) == outcome(MoveByMove, game)


def test_a_draw_may_be_written_where_a_turn_is_one_step() -> None:
    assert spelled_out(read_word("5m", 4)) == read_word("?,5m", 4)


@given(st.lists(st.sampled_from(BODIES), max_size=6), st.sampled_from(["", "1", "007", "x"]))
def test_turns_too_long_to_be_remembered_are_read_the_same(bodies: list[str], number: str) -> None:
    def read(zeros: str) -> list[Word] | tuple[str, int]:
        words = ["E", "1", "0", "4", "1.9s", *(f"{number and zeros}{number}.{body}" for body in bodies)]
        try:
            return parsed(words, 4).turns
        except FaultError as error:
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
