"""The layout of decisions as columns: names, types and meanings. Loading this module loads pyarrow."""

import json
from functools import cache
from importlib.metadata import version
from typing import Final, NamedTuple

import pyarrow as pa

from mjconv.columns.schema import DECISIONS, Column, schema_of
from mjconv.ir.tiles import TILE_KINDS

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
    widths = {"legal": _bytes_of(len(layout.actions)), "features": layout.ends()[-1] + _bytes_of(planes * kinds)}
    return DECISIONS | {name: DECISIONS[name]._replace(type=pa.binary(width)) for name, width in widths.items()}


def _bytes_of(bits: int) -> int:
    return -(-bits // 8)


@cache
def schema_for(players: int) -> pa.Schema:
    """Return the schema of these columns. Its metadata has the layout as JSON, under `KEY`."""
    return schema_of(columns_for(players)).with_metadata({KEY: json.dumps(layout_for(players)._asdict())})
