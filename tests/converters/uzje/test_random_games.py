"""Games that only Ùzje can hold: ranks to 16, zeros, flowers, compressed winds, six players, all forms."""

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from faults import leniently
from mjconv.ir.events import to_message
from trips import known, read, write

from .random_games import random_game

FLAVOURS = ["uzje", "uzje-long", "uzje-commands"]


def as_json(message: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in message.items()}


@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 6]), whole_wall=st.booleans())
@example(seed=1, players=6, whole_wall=True)
def test_a_game_is_read_as_it_was_played_and_written_back_equal_in_every_form(
    seed: int, players: int, whole_wall: bool
) -> None:
    played = random_game(seed, players, whole_wall=whole_wall)
    matches = read(played.text, "uzje").matches
    lenient = leniently(played.text, "uzje")
    assert (lenient.matches, lenient.faults) == (matches, [])
    [game_round] = matches[0].rounds
    assert [list(hand) for hand in known(game_round.start).tehais or ()] == played.hands
    assert [as_json(to_message(event)) for event in game_round.events[1:-1]] == played.events
    assert list(game_round.wall or ()) == (played.wall if whole_wall else [])
    for flavour in FLAVOURS:
        written = write(matches, flavour)
        assert written.losses == []
        assert read(written.data, "uzje").matches == matches
    tiles = [word for word in played.text.split()[4:] if "." not in word]
    assert written.data.decode().split()[4 : 4 + len(tiles)] == tiles
