"""The rule set of each game, as a value: its tiles, its next deal, its words, its values and payments, its checks.

A record states its game in `Rules.game`. For a record that does not, `ruleset_of` chooses the rule set by the
record's other values. Nothing else in mjconv guesses a game.

A package elsewhere adds a rule set by an entry point of the group ``mjconv.rulesets`` that names its `RuleSet`.

>>> by_id("mcr").name.simplified, by_id("mcr").names()["mixed_straight"].japanese
('国标麻将', '花龍')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from msgspec import UNSET, Struct, UnsetType, structs

from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Meld, Round, Rules
from mjconv.ir.plugins import added
from mjconv.ir.tiles import FLOWERS, HIDDEN, TILE_KINDS, Tile
from mjconv.rules.circumstances import DRAWS
from mjconv.rules.scores import next_dealer, passed_on

if TYPE_CHECKING:
    from fractions import Fraction

    from mjconv.ir.table import Table
    from mjconv.rules.riichi_wins import Settlement

#: The group of the entry points by which other packages add rule sets.
ENTRY_POINTS: Final = "mjconv.rulesets"


class Term(NamedTuple):
    """A word in English, in Japanese, and in simplified and traditional Chinese."""

    english: str
    japanese: str
    simplified: str
    traditional: str


#: Takes a round, the seat of its dealer and the number of seats. Returns the seat of the next dealer; None if the
#: results of the round do not show it.
NextDealer: TypeAlias = Callable[[Round, int, int], int | None]
#: Takes the concealed tiles with the winning tile, and the melds. Returns whether the hand is complete.
Complete: TypeAlias = Callable[[Sequence[Tile], Sequence[Meld]], bool]


class Settle(Protocol):
    """Returns the value and the payments of a win by the hand that was played; None if the hand is not known."""

    def __call__(
        self,
        table: Table,
        deal: ev.StartRound,
        events: Sequence[ev.Event],
        index: int,
        *,
        house: House | None = None,
        rules: House | UnsetType = UNSET,
    ) -> Settlement | None:
        """Settle the win `events[index]`.

        `table` has played the events before it. `deal` is the deal with derived values. `house` are the rules
        that count, `rules` those that the record states.
        """


#: Takes a result, the rules that the record states, and the number of seats. Returns the points that each seat
#: gains by the stated value; None if they are not known.
Gains: TypeAlias = "Callable[[ev.Win | ev.Ryukyoku, Rules, int], Sequence[Fraction] | None]"
#: Takes a round, the rules that the record states, and the number of seats. Yields the mistakes by the game's own
#: rules: the index of an event, and a message.
Judge: TypeAlias = "Callable[[Round, Rules, int], Iterable[tuple[int, str]]]"
#: Takes a match and the smallest unit of points. Returns the match with the points of its results filled in, and
#: the number that its points were multiplied by.
FillPoints: TypeAlias = Callable[[Match, int], tuple[Match, int]]

_NO_TILES: Final[Mapping[int, frozenset[Tile]]] = MappingProxyType({})
_NO_DRAWS: Final[Mapping[int, int]] = MappingProxyType({})


#: The types of the fields of a `RuleSet`, which other packages make.
_KINDS: Final[dict[str, Any]] = {
    "id": str,
    "name unit": Term,
    "tiles aside draws": Mapping,
    "hand": int,
    "reds dora counts_repeats": bool,
    "foreign checks": frozenset,
    "names next_dealer": Callable,
    "is_complete settle gains judge fill_points": (Callable, type(None)),
}


class RuleSet(Struct, frozen=True):
    """The rules of one game. The default of each field is the value of a game that is not known.

    | field | value |
    | --- | --- |
    | `id`, `name` | the value of `Rules.game`, and the name of the game |
    | `unit` | the unit in which a win is counted: han, faan, fan. `Win.fan` is their number |
    | `names` | the function that returns the name of each yaku or fan, by its id |
    | `tiles` | the tiles of the set, by the number of players; none for a number whose set is not known |
    | `hand` | the number of tiles that a player is dealt: 13, or 16 |
    | `reds` | whether a set may have red fives |
    | `dora` | whether the game has dora indicators and riichi sticks |
    | `aside` | the tiles that a player sets aside for a replacement, by the number of players |
    | `foreign` | the kinds of events that the game does not have |
    | `draws` | the draws until the wall is empty, replacements included, by the number of players |
    | `next_dealer` | the next deal: who deals |
    | `counts_repeats` | whether honba count the deals that a dealer repeats |
    | `is_complete` | whether a hand is complete; None if that is not known |
    | `settle` | the value of a win by the hand that was played, and its payments; None if it is not counted |
    | `gains` | the payments that follow from the stated value of a result; None if there is no such rule |
    | `judge` | a check of the referee that the game brings, reported as ``R082``; None if there is none |
    | `fill_points` | fills in the points of results that state only their value; None if there is no need |
    | `checks` | the codes of the referee's checks that are the game's own |
    """

    id: str
    name: Term
    unit: Term = Term("fan", "番", "番", "番")
    names: Callable[[], Mapping[str, Term]] = dict
    tiles: Mapping[int, frozenset[Tile]] = _NO_TILES
    hand: int = 13
    reds: bool = True
    dora: bool = False
    aside: Mapping[int, frozenset[Tile]] = _NO_TILES
    foreign: frozenset[type] = frozenset()
    draws: Mapping[int, int] = _NO_DRAWS
    next_dealer: NextDealer = next_dealer
    counts_repeats: bool = True
    is_complete: Complete | None = None
    settle: Settle | None = None
    gains: Gains | None = None
    judge: Judge | None = None
    fill_points: FillPoints | None = None
    checks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for names, kind in _KINDS.items():
            for name in names.split():
                if not isinstance(getattr(self, name), kind):
                    expected = getattr(kind, "__name__", "a function or None")
                    raise TypeError(f"{name} of a RuleSet is {getattr(self, name)!r:.60}: expected {expected}")


# Modules are imported when they are needed: every start of the command would pay for them.


def _riichi_names() -> dict[str, Term]:
    from mjconv.ir.vocabulary import YAKU

    return {
        yaku.name: Term(yaku.name.replace("_", " "), yaku.japanese, yaku.simplified, yaku.chinese)
        for yaku in YAKU.values()
    }


def _mcr_names() -> dict[str, Term]:
    from mjconv.ir.mcr_fan import FAN

    return {name: Term(fan.english, fan.japanese, fan.chinese, fan.traditional) for name, fan in FAN.items()}


def _later(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module of this package that imports the module when it is called."""
    return lambda *values, **named: getattr(import_module(f"mjconv.rules.{module}"), name)(*values, **named)


def _codes(numbers: str) -> frozenset[str]:
    """Return codes by their numbers and ranges.

    >>> sorted(_codes("4 14-16"))
    ['R004', 'R014', 'R015', 'R016']
    """
    ends = [[int(end) for end in part.split("-")] for part in numbers.split()]
    return frozenset(f"R{number:03}" for end in ends for number in range(end[0], end[-1] + 1))


#: The set of three players of riichi has no 2m to 8m.
_NOT_OF_THREE: Final = frozenset(f"{rank}m" for rank in range(2, 9))
_FLOWERS: Final = frozenset(FLOWERS)
#: Flowers are among them: some sets have them, and older games were played with them.
_WITH_FLOWERS: Final = _FLOWERS | set(TILE_KINDS)

RIICHI: Final = RuleSet(
    id="riichi",
    name=Term("riichi", "リーチ麻雀", "日本麻将", "日本麻將"),
    unit=Term("han", "飜", "番", "番"),
    names=_riichi_names,
    tiles={3: _WITH_FLOWERS - _NOT_OF_THREE, 4: _WITH_FLOWERS},
    dora=True,
    aside={3: _FLOWERS | {"N"}, 4: _FLOWERS},
    draws=DRAWS,
    is_complete=_later("hands", "is_complete"),
    settle=_later("riichi_wins", "settle"),
    checks=_codes("4 14-18 20 30-36 41-43 46-49 51-52 54-57 60-75"),
)
HONGKONG: Final = RuleSet(
    id="hongkong",
    name=Term("Hong Kong", "香港麻雀", "香港麻将", "香港麻將"),
    unit=Term("faan", "番", "番", "番"),
    is_complete=_later("decomposition", "is_complete"),
    gains=_later("hongkong_points", "gains"),
    fill_points=_later("hongkong_points", "with_points"),
)
MCR: Final = RuleSet(
    id="mcr",
    name=Term("Chinese Official", "中国公式麻雀", "国标麻将", "國標麻將"),
    names=_mcr_names,
    tiles={4: _WITH_FLOWERS},
    reds=False,
    aside={4: _FLOWERS},
    foreign=frozenset({ev.Riichi, ev.RiichiAccepted, ev.Dora}),
    next_dealer=passed_on,
    counts_repeats=False,
    is_complete=_later("mcr_hands", "is_complete"),
    checks=_codes("4 20-21 46 51 80-81"),
)
#: A hand is incomplete in a game of unknown hands only if it is in all games.
_MAY_BE_COMPLETE: Final = _later("mcr_hands", "may_be_complete")
UZJE: Final = RuleSet(id="uzje", name=Term("Ùzje", "Ùzje", "Ùzje", "Ùzje"), is_complete=_MAY_BE_COMPLETE)
#: The rule sets of this package.
RULE_SETS: Final = (RIICHI, HONGKONG, MCR, UZJE)
#: The rule set of a record that neither states nor shows its game: only the rules of all games hold.
UNKNOWN: Final = RuleSet(id="", name=Term("unknown", "不明", "未知", "未知"), is_complete=_MAY_BE_COMPLETE)
#: The codes of the checks that not all games have.
OWN_CHECKS: Final = frozenset[str]().union(*(rules.checks for rules in RULE_SETS))


@cache
def _added() -> tuple[RuleSet, ...]:
    return added(ENTRY_POINTS, RuleSet, "rule set")


def all_rulesets() -> tuple[RuleSet, ...]:
    """Return the rule sets of this package, then those of installed packages."""
    return (*RULE_SETS, *_added())


def by_id(game: str) -> RuleSet:
    """Return the rule set of a game, by the value of `Rules.game`. An unknown game has the rules of all games.

    >>> by_id("riichi").unit.english, by_id("chess").id, by_id("chess").checks
    ('han', 'chess', frozenset())
    """
    for sets in (lambda: RULE_SETS, _added):
        for rules in sets():
            if rules.id == game:
                return rules
    return RuleSet(id=game, name=Term(game, game, game, game))


def ruleset_of(match: Match, game_round: Round | None = None) -> RuleSet:
    """Return the rule set of a match, or of one of its rounds: the one that it states, or else the likeliest.

    A record that does not state its game is one of Hong Kong if it states base points. It is one of riichi if it
    has a known dora indicator, riichi sticks, a riichi, or a win with fu. Otherwise the game is `UNKNOWN`.

    >>> ruleset_of(Match(rules=Rules(game="mcr"))).id, ruleset_of(Match(rounds=[Round([ev.Riichi(0)])])).id
    ('mcr', 'riichi')
    """
    game = _stated(match.rules) if game_round is None else _stated(game_round.rules) or _stated(match.rules)
    return in_house(by_id(game) if game else _shown(match), match.rules)


def in_house(rules: RuleSet, house: House | UnsetType) -> RuleSet:
    """Return a rule set as a house plays it: in riichi, houses differ in who deals next.

    >>> in_house(RIICHI, House(renchan="never")).next_dealer(Round([ev.Win(0, 1)]), 0, 4)
    1
    """
    if rules.id != RIICHI.id or not house or not house.renchan:
        return rules
    return structs.replace(rules, next_dealer=partial(next_dealer, renchan=house.renchan))


def rulesets_of(match: Match) -> list[RuleSet]:
    """Return the rule set of each round of a match, as `ruleset_of` does."""
    usual = ruleset_of(match)
    return [by_id(stated) if (stated := _stated(one.rules)) else usual for one in match.rounds]


def without_shown_game(match: Match, source: Match) -> Match:
    """Return a match without its stated game if `source` shows this game by its other values.

    >>> stated = Match(rounds=[Round([ev.Riichi(0)])], rules=Rules(game="riichi"))
    >>> without_shown_game(stated, stated).rules
    UNSET
    """
    if match.rules is UNSET or not match.rules.game or match.rules.game != _shown(source).id:
        return match
    rules = structs.replace(match.rules, game=UNSET)
    return structs.replace(match, rules=UNSET if rules == Rules() else rules)


def _stated(rules: Rules | UnsetType) -> str:
    return "" if rules is UNSET or rules.game is UNSET else rules.game


def _shown(match: Match) -> RuleSet:
    """Return the rule set that the values of a record show."""
    for rules in (match.rules, *(game_round.rules for game_round in match.rounds)):
        if rules is not UNSET and rules.base is not UNSET:
            return HONGKONG
    starts = (start for game_round in match.rounds if (start := game_round.start) is not None)
    if any(start.kyotaku or start.dora_marker not in (UNSET, HIDDEN) for start in starts):
        return RIICHI
    signs: Iterator[ev.Riichi | ev.Win] = chain.from_iterable(
        game_round.select(ev.Riichi, ev.Win) for game_round in match.rounds
    )
    return RIICHI if any(type(sign) is not ev.Win or sign.fu for sign in signs) else UNKNOWN
