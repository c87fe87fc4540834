"""One round as the referee follows it: what its checks see, and how they speak."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import UNSET, Struct

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match, Round
from mjconv.ir.table import Table
from mjconv.ir.tiles import Tile

#: Called with a finding's code, its sentence with gaps, and what fills them: an int is a player, a string a tile,
#: a tuple tiles.
Tell: TypeAlias = Callable[..., None]
#: What a check does at each kind of event.
Hooks: TypeAlias = Mapping[type, Callable[[Any], None]]


class House(Struct, frozen=True):
    """Rules that differ from house to house, as the referee takes them.

    `swap_calling` (kuikae) lets a player discard what the call could have taken; `open_tanyao` gives tanyao to
    open hands; `kiriage` counts 30 fu 4 han and 60 fu 3 han as mangan; `double_yakuman` counts some yakuman twice.
    """

    swap_calling: bool = False
    open_tanyao: bool = True
    kiriage: bool = False
    double_yakuman: bool = False


class Game:
    """What is known of a round at the moment: the table before or after the event `index`.

    `riichi` tells a game by riichi rules, told by its dora indicator or a riichi; only then do riichi's own rules
    hold. `doubtful` are the seats whose hands can no longer be trusted, as something impossible was played from
    them: what depends on a whole hand is not checked there.
    """

    __slots__ = (
        "doubtful",
        "events",
        "house",
        "index",
        "match",
        "record",
        "riichi",
        "seats",
        "start",
        "table",
        "tell",
    )

    def __init__(self, match: Match, number: int, start: ev.StartRound, house: House, tell: Tell) -> None:
        self.match: Final = match
        self.record: Final[Round] = match.rounds[number]
        self.events: Final = self.record.events
        #: The deal, completed with what can be derived.
        self.start: Final = start
        self.house: Final = house
        self.tell: Final = tell
        self.table = Table.dealt(start)
        self.seats = self.table.seats
        self.index = 0
        self.doubtful: set[int] = set()
        self.riichi = start.dora_marker is not UNSET or bool(self.record.select(ev.Riichi))

    def hand(self, seat: int) -> list[Tile]:
        """Give the concealed tiles of a seat."""
        return self.table.hands[seat]

    def knows(self, seat: int) -> bool:
        """Tell whether the whole hand of a seat is known and can be trusted."""
        return seat not in self.doubtful and "?" not in self.table.hands[seat]


class Check:
    """A family of rules, watching one round. Each has its module, with its codes.

    `before` is called with the table as it stands before an event, `after` as after it; only for the kinds of
    events that they name. `end` is called when the round is over, or breaks off.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def before(self) -> Hooks:
        """Give what to do before events."""
        return {}

    def after(self) -> Hooks:
        """Give what to do after events."""
        return {}

    def refused(self, event: Any, error: IllegalPlayError) -> None:
        """Take note of an event that the table refused, and that was forced."""

    def end(self) -> None:
        """Look at the round as a whole."""
