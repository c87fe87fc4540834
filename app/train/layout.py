"""The layout of decisions as columns: names, types and meanings. Loading this module loads pyarrow."""

import json
from functools import cache
from importlib.metadata import version
from typing import Final, NamedTuple

import pyarrow as pa

from mjconv.columns.schema import FACTS, TEXT, Column, schema_of
from mjconv.ir.tiles import TILE_KINDS
from mjconv.train.outcomes import RESULTS

#: The key of the description in the metadata of the schema: JSON with the fields of `DecisionLayout`.
KEY: Final = b"mjconv.decisions"
#: The version of these columns. It changes with their names, types or meanings.
VERSION: Final = 3


class DecisionLayout(NamedTuple):
    """The engine's layout of features and actions for games of so many players.

    `engine` is its name and version. The features are the bytes of `encoding`, a method of the engine's
    observations: float32 of this `shape`. Each item of a plane is zero or the one value of its plane; the planes
    `whole` have any values. `actions` are the names of the actions by index, None where the engine has no action.
    """

    version: int
    engine: str
    players: int
    encoding: str
    shape: tuple[int, int]
    whole: tuple[int, ...]
    actions: tuple[str | None, ...]

    def ends(self) -> tuple[int, int]:
        """Return the ends, in bytes, of the float32 values of planes and of the float16 items of whole planes."""
        planes, kinds = self.shape
        return 4 * planes, 4 * planes + 2 * kinds * len(self.whole)


#: The kinds of tiles of games of three, which have no 2m to 8m.
_KINDS_OF_THREE: Final = tuple(tile for tile in TILE_KINDS if tile not in {f"{rank}m" for rank in range(2, 9)})
#: The plane that counts the tiles of a kind in sight.
_WHOLE: Final = (63,)
_CODED: Final = pa.dictionary(pa.int8(), pa.string())


@cache
def layout_for(players: int) -> DecisionLayout:
    """Return the layout for games of three or four players.

    >>> layout_for(4).shape, len(layout_for(4).actions), layout_for(3).actions[27]
    ((74, 34), 82, 'reach')
    """
    kinds = TILE_KINDS if players == 4 else _KINDS_OF_THREE
    discards = tuple(f"dahai {tile}" for tile in kinds)
    kans = tuple(f"kan {tile}" for tile in kinds)
    if players == 4:
        calls = ("reach", "chi low", "chi middle", "chi high", "pon")
        actions = (*discards, None, None, None, *calls, *kans, None, None, None, "hora", "ryukyoku", "none")
    else:
        actions = (*discards, "reach", "pon", *kans, "hora", "ryukyoku", "none", "nukidora")
    engine = f"riichienv {version('riichienv')}"
    return DecisionLayout(VERSION, engine, players, "encode", (74, len(kinds)), _WHOLE, actions)


@cache
def columns_for(players: int) -> dict[str, Column]:
    """Return the columns of the decisions of games of three or four players, in order."""
    layout = layout_for(players)
    planes, kinds = layout.shape
    width = layout.ends()[-1] + _bytes_of(planes * kinds)
    return {
        "source": Column(TEXT, "the file or archive member of the game"),
        "match": Column(pa.int32(), "the number of the match in its file, from 0"),
        "round": Column(pa.int32(), "the number of the round in the match, from 0"),
        "decision": Column(pa.int32(), "the number of the decision in the round, from 0"),
        "seat": Column(pa.int8(), "the player who decides"),
        "taken": Column(pa.string(), "the action that the player took, as an mjai message"),
        "action": Column(pa.int16(), "the index of this action"),
        "legal": Column(
            pa.binary(_bytes_of(len(layout.actions))), "a bit for each action, by index: 1 if it is legal"
        ),
        "features": Column(pa.binary(width), "the observation as the engine encodes it, packed"),
        "result": Column(_CODED, f"the end of the round for this player: {', '.join(RESULTS)}"),
        "delta": Column(pa.int32(), "the change of this player's points in the round, riichi sticks included"),
        "place": Column(pa.int8(), "the place of this player at the end of the game, from 1"),
        "facts": Column(FACTS, "the facts of the match"),
    }


def _bytes_of(bits: int) -> int:
    return -(-bits // 8)


@cache
def schema_for(players: int) -> pa.Schema:
    """Return the schema of these columns. Its metadata has the layout as JSON, under `KEY`."""
    return schema_of(columns_for(players)).with_metadata({KEY: json.dumps(layout_for(players)._asdict())})
