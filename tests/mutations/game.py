"""A game that is about to be broken: its messages, the table before each, and the ways to break it."""

import copy
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from engine import play
from logs import lines, logs, messages
from mjconv.converters.mjai.aliases import fold
from mjconv.ir.events import from_message
from mjconv.ir.table import Table
from mjconv.ir.tiles import plain

Message = dict[str, Any]

REDS = {"5m": "5mr", "5p": "5pr", "5s": "5sr"}
KINDS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + list("ESWNPFC")
CALLS = ("chi", "pon", "daiminkan")


@dataclass(frozen=True)
class Before:
    """The table before a message: hands, melds, rivers and riichi by seat; `deal` is the round's first message."""

    deal: int
    hands: Sequence[Sequence[str]]
    melds: Sequence[Sequence[Any]]
    rivers: Sequence[Sequence[str]]
    riichi: Sequence[int]
    drawn: str | None
    turn: int


class Game:
    """A legal game's messages, with the table before each message of a round."""

    def __init__(self, log: Sequence[Message]) -> None:
        self.log = list(log)
        #: The findings of the referee, once they were asked for.
        self.reported: list[tuple[str, int]] | None = None

    @cached_property
    def before(self) -> list[Before | None]:
        found: list[Before | None] = []
        table: Table | None = None
        deal = -1
        for index, message in enumerate(self.log):
            if message["type"] == "start_kyoku":
                table, deal = Table.dealt(from_message(message)), index  # type: ignore[arg-type]
                found.append(None)
            elif table is None or message["type"] in ("start_game", "end_game"):
                found.append(None)
            else:
                lists = ([list(own) for own in every] for every in (table.hands, table.melds, table.rivers))
                found.append(Before(deal, *lists, list(table.riichi), table.drawn, table.turn))  # type: ignore[arg-type]
                table.apply(from_message(message))
        return found

    def at(self, index: int) -> Before:
        found = self.before[index]
        assert found is not None
        return found

    def places(self, *kinds: str) -> list[int]:
        """Return the indices of messages of these kinds, inside rounds or deals."""
        return [index for index, message in enumerate(self.log) if message["type"] in kinds]

    def kind(self, index: int) -> str:
        return str(self.log[index]["type"]) if 0 <= index < len(self.log) else ""

    def end_of_round(self, index: int) -> int:
        """Return the index of the end_kyoku of the round that a message is in."""
        return next(place for place in range(index, len(self.log)) if self.kind(place) == "end_kyoku")

    def seen_in_round(self, deal: int) -> dict[str, int]:
        """Count every tile that a round shows, plain."""
        counts = dict.fromkeys(KINDS, 0)
        for place in range(deal, self.end_of_round(deal) + 1):
            for tile in shown(self.log[place]):
                if tile in KINDS or tile in REDS.values():
                    counts[plain(tile)] += 1
        return counts


def shown(message: Message) -> Iterator[str]:
    """Return the tiles that come to light with a message: dealt, drawn, turned."""
    kind = message["type"]
    if kind == "start_kyoku":
        for hand in message["tehais"]:
            yield from hand
    if kind == "tsumo":
        yield message["pai"]
    if "dora_marker" in message:
        yield message["dora_marker"]


@dataclass(frozen=True)
class Broken:
    """A game with one thing broken, and the indices of the messages where the referee may report it."""

    log: list[Message]
    at: Collection[int]
    #: The deal of the round that was broken, for the engine to play; None where rounds no longer fit one another.
    deal: int | None = None


Break = Callable[[Game, Random], Broken | None]


@dataclass(frozen=True)
class Mutation:
    """A way to break a game, and the codes of which at least one must be found."""

    name: str
    codes: frozenset[str]
    make: Break = field(compare=False)


@dataclass
class Site:
    """A message of a game, where the game may be broken."""

    game: Game
    index: int
    rng: Random
    #: What the mutation asked for and found here, where it may break the game in several ways.
    chosen: Any = None

    @property
    def message(self) -> Message:
        return self.game.log[self.index]

    @property
    def actor(self) -> int:
        return int(self.message["actor"])

    @property
    def before(self) -> Before:
        return self.game.at(self.index)

    @property
    def hand(self) -> Sequence[str]:
        return self.before.hands[self.actor]

    @property
    def deal(self) -> int:
        return self.before.deal

    @property
    def end(self) -> int:
        return self.game.end_of_round(self.index)

    @property
    def by_ron(self) -> bool:
        return bool(self.message["target"] != self.actor)

    def kind(self, step: int) -> str:
        return self.game.kind(self.index + step)

    def seats_but(self, *seats: int) -> list[int]:
        return [seat for seat in range(len(self.before.hands)) if seat not in seats]

    def unseen(self) -> str:
        """Choose a kind of tile of which the round does not show four."""
        counts = self.game.seen_in_round(self.deal)
        return self.rng.choice([kind for kind in KINDS if counts[kind] < 4])

    def changed(self, **keys: Any) -> list[Message]:
        return changed(self.game, self.index, **keys)

    def without(self) -> list[Message]:
        return without(self.game, self.index)

    def inserted(self, *messages: Message, step: int = 0) -> list[Message]:
        return inserted(self.game, self.index + step, *messages)


#: The mutations, in the order of their modules.
MUTATIONS: list[Mutation] = []

Make = Callable[[Site], Broken | None]


def add(name: str, codes: str, kinds: str, make: Make, where: Callable[[Site], object] = lambda _: True) -> Break:
    """Add a mutation that breaks a game at one of the messages of these kinds.

    `where` returns whether the message fits, or a list of the ways in which the game may be broken there.
    """

    def broken(game: Game, rng: Random) -> Broken | None:
        sites = []
        for index in game.places(*kinds.split()):
            found = where(Site(game, index, rng))
            ways = found if isinstance(found, list) else [found] if found else []
            sites += [Site(game, index, rng, way) for way in ways]
        return make(rng.choice(sites)) if sites else None

    MUTATIONS.append(Mutation(name, frozenset(codes.split()), broken))
    return broken


def mutation(codes: str, *kinds: str, where: Callable[[Site], object] = lambda _: True) -> Callable[[Make], Break]:
    """Add a mutation that is called as its function."""
    return lambda make: add(make.__name__.replace("_", " "), codes, " ".join(kinds), make, where)


def keys(values: Callable[[Site], Message]) -> Make:
    """Return a function that gives keys of a message other values: the referee reports that message."""
    return lambda site: Broken(site.changed(**values(site)), {site.index})


def drop(site: Site) -> Broken:
    """Leave a message out: the referee reports the message before it or the next one."""
    return Broken(site.without(), {site.index - 1, site.index})


def changed(game: Game, index: int, **keys: Any) -> list[Message]:
    log = copy.deepcopy(game.log)
    log[index].update(keys)
    return log


def without(game: Game, *indices: int) -> list[Message]:
    return [copy.deepcopy(message) for index, message in enumerate(game.log) if index not in indices]


def inserted(game: Game, index: int, *messages: Message) -> list[Message]:
    log = copy.deepcopy(game.log)
    log[index:index] = [copy.deepcopy(message) for message in messages]
    return log


#: Rounds that end in two wins, which few logs have: the seeds.
_TWO_WINS = (15, 17, 36)


def whole_games(seats: int) -> list[tuple[str, Game]]:
    """Return the logs that are whole games, with what they are called; other names of messages are folded."""
    games = []
    every = [(log.name, log.data) for log in logs(seats)]
    if seats == 4:
        every += [(f"wins-{s}", play(s, length="round", deal="waits", rules="mjsoul")) for s in _TWO_WINS]
    for name, data in every:
        folded = [fold(message) for message in messages(data)]
        kinds = [message["type"] for message in folded]
        is_stream = any(kind in ("hello", "join", "none") for kind in kinds)
        if kinds[-1] == "end_game" and kinds.count("start_kyoku") == kinds.count("end_kyoku") and not is_stream:
            games.append((name, Game(folded)))
    return games


def round_of(log: Sequence[Message], deal: int) -> bytes:
    rest = range(deal, len(log))
    end = next((place for place in rest if log[place]["type"] == "end_kyoku"), len(log) - 1)
    return lines(log[deal : end + 1])
