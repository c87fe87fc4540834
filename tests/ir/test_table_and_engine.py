"""The table and another engine have the same state during random rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from msgspec import UNSET
from riichienv import ActionType

from engine import STYLES, play
from mjconv.ir import events as ev
from mjconv.ir.table import DECLARED, Table
from trips import known, read

KINDS = {"Chi": "chi", "Pon": "pon", "Daiminkan": "daiminkan", "Kakan": "kakan", "Ankan": "ankan"}


Melds = list[list[tuple[str, list[str], int | None]]]


@dataclass(frozen=True)
class Seen:
    """The table as the player whose turn it is sees it."""

    seat: int
    hand: list[str]
    drawn: str | None
    rivers: list[list[str]]
    melds: Melds
    riichi: list[bool]


def name(tile: int) -> str:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + list("ESWNPFC")
    return kinds[tile // 4] + ("r" if tile in (16, 52, 88) else "")


def seen_by_the_engine(seed: int, players: int, style: str, deal: Any) -> tuple[bytes, list[Seen]]:
    """Play a round on the engine. Return the view of each player on each of their turns."""
    shown: list[Seen] = []

    def look_and_choose(seen: Any, actions: Sequence[Any], rng: Random) -> Any:
        if all(action.action_type != ActionType.PASS for action in actions):
            melds: Melds = [[] for _ in seen.melds]
            for seat, meld in ((seat, meld) for seat, of_seat in enumerate(seen.melds) for meld in of_seat):
                kind = KINDS[str(meld.meld_type).split(".")[1]]
                melds[seat].append((kind, sorted(map(name, meld.tiles)), meld.from_who if meld.opened else None))
            hand, rivers = sorted(map(name, seen.hand)), [list(map(name, river)) for river in seen.discards]
            drawn = None if seen.drawn_tile is None else name(seen.drawn_tile)
            shown.append(Seen(seen.player_id, hand, drawn, rivers, melds, list(seen.riichi_declared)))
        return STYLES[style](seen, actions, rng)

    return play(seed, length="round", chooser=look_and_choose, deal=deal, players=players), shown


def seen_at_the_table(game: bytes) -> list[Seen]:
    """Replay a log on the table. Return the view of each player on each of their turns."""
    [game_round] = read(game, "mjai").match.rounds
    played = Table.dealt(known(game_round.start))
    shown: list[Seen] = []
    for event in game_round.events:
        played.apply(event)
        if isinstance(event, (ev.Draw, ev.Chi, ev.Pon, ev.Riichi)):
            melds: Melds = [[] for _ in played.melds]
            for seat, meld in ((seat, meld) for seat, of_seat in enumerate(played.melds) for meld in of_seat):
                if meld.kind != "nukidora":
                    tiles = [*meld.own, *(tile for tile in (meld.called, meld.added) if tile is not UNSET)]
                    melds[seat].append((meld.kind, sorted(tiles), None if meld.target is UNSET else meld.target))
            # In the engine a riichi begins with its discard.
            declaring = played.turn if played.phase is DECLARED else None
            riichi = [bool(far) and seat != declaring for seat, far in enumerate(played.riichi)]
            hand = sorted(played.hands[played.turn])
            rivers = [list(river) for river in played.rivers]
            shown.append(Seen(played.turn, hand, played.drawn, rivers, melds, riichi))
    return shown


@pytest.mark.parametrize("players", [4, 3])
@pytest.mark.parametrize("deal", ["fair", "triplets", "close"])
@pytest.mark.parametrize("style", ["riichi", "caller", "kans", "wild"])
def test_another_engine_sees_the_same_hands_rivers_melds_and_riichi(players: int, deal: str, style: str) -> None:
    compared = 0
    for seed in range(6):
        game, theirs = seen_by_the_engine(seed, players, style, deal)
        assert seen_at_the_table(game) == theirs
        compared += len(theirs)
    assert compared > 30
