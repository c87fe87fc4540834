"""The state of one round while the referee follows it, its suspect parts, and the base class of the checks."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError, Rule
from mjconv.ir.match import House, Match, Round, Rules
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.rules.rulesets import OWN_CHECKS, RuleSet

#: Takes a finding's code, its sentence with gaps, and the values of the gaps: an int is a player, a string a tile,
#: a tuple tiles.
AddFinding: TypeAlias = Callable[..., None]
#: The functions of a check, by the kind of event that they take.
Hooks: TypeAlias = dict[type, Callable[..., Any]]

_RIICHI: Final = frozenset({ev.Riichi, ev.RiichiAccepted})
#: The code of a riichi that is not accepted. The finding is about the event that comes instead.
_NOT_ACCEPTED: Final = "O004"
#: The codes of the rules that make a hand, a riichi, the scores, or the next dealer suspect.
_HANDS: Final = frozenset({"R006", "R031", "R040", "R041", "R048"})
_OF_RIICHI: Final = frozenset({"R036"})
_SCORES: Final = frozenset({"R050", "R051", "R053", "R057"})
_DEALER: Final = frozenset({"R040", "R053", "R054", "R055", "R056"})
#: After the table refuses an event by one of these rules, the player's hand is not known any more.
_HAND_UNKNOWN: Final = frozenset({"turn", "held", "drawn", "called", "left", "meld", "pon"})
#: After these refusals, the event may have been another player's.
_MAYBE_ANOTHERS: Final = frozenset({"turn", "left"})


class SuspectState(Struct):
    """The parts of a round that are suspect so far. Checks do not report what depends on them.

    | attribute | meaning |
    | --- | --- |
    | `hands` | the seats whose hands are suspect |
    | `riichi` | the seats whose riichi is suspect |
    | `tiles` | by seat, the tiles that it probably does not have, with the number that it held then |
    | `wall` | the number of tiles drawn |
    | `last_tile` | the tile that was shown last |
    | `sticks` | the number of riichi sticks paid |
    | `scores` | the scores after the round |
    | `dealer` | the next dealer |
    | `cut` | a deal is missing after the round |

    >>> suspect = SuspectState()
    >>> suspect.note_finding("R050", 2)
    >>> suspect.scores, suspect.dealer
    (True, False)
    """

    hands: set[int] = set()
    riichi: set[int] = set()
    tiles: dict[int, dict[Tile, int]] = {}
    wall: bool = False
    last_tile: bool = False
    sticks: bool = False
    scores: bool = False
    dealer: bool = False
    cut: bool = False

    def note_finding(self, code: str, actor: int | None) -> None:
        """Suspect the subject of a finding of the rules."""
        if actor is not None and code in _HANDS:
            self.hands.add(actor)
        if actor is not None and code in _OF_RIICHI:
            self._suspect_riichi({actor})
        self.scores |= code in _SCORES
        self.dealer |= code in _DEALER

    def note_tile(self, seat: int, tile: Tile, held: int) -> None:
        """Suspect that a seat does not hold so many of a tile."""
        self.tiles.setdefault(seat, {})[tile] = held

    def note_out_of_order(self, code: str, event: Any, seats: set[int]) -> None:
        """Suspect the subject of an event out of order; `seats` are those whose event it may be."""
        kind = type(event)
        if kind in _RIICHI or code == _NOT_ACCEPTED:
            self._suspect_riichi(seats)
        elif kind in ev.RESULTS:
            self.dealer = True
        elif kind in ev.MOVES:
            self.wall = True

    def note_refusal(self, rule: Rule, actor: int, others: set[int]) -> None:
        """Suspect the hands of an event that the table refused; it may be an event of `others`."""
        if rule in _HAND_UNKNOWN:
            self.hands.add(actor)
        if rule in _MAYBE_ANOTHERS:
            # The player whose event it should be has played less than the record says.
            self.hands |= others

    def _suspect_riichi(self, seats: set[int]) -> None:
        self.riichi |= seats
        self.sticks = self.scores = True


class RoundState:
    """The state of a round before or after the event `index`.

    | attribute | meaning |
    | --- | --- |
    | `match`, `number`, `record` | the match, the index of the round, the round |
    | `events`, `index` | the events of play, without in-game talk, and the index of the present one |
    | `played` | whether the event `index` was played already |
    | `start` | the deal, with derived values |
    | `table` | the table |
    | `ruleset` | the rule set of the game |
    | `riichi` | whether hands are valued by the rules of riichi |
    | `suspect` | the parts of the state that cannot be trusted; what depends on them is not checked |
    | `refused` | the index of the last event that the table refused; it is applied and reported already |
    | `out_of_order` | the codes of the order check, by the index of the event |
    | `disputed` | the codes of the values of the deal that do not follow from the round before |
    | `report` | the function that takes a finding |
    """

    def __init__(
        self, match: Match, number: int, start: ev.StartRound, ruleset: RuleSet, house: House, report: AddFinding
    ) -> None:
        self.match: Final = match
        self.number: Final = number
        self.record: Final[Round] = match.rounds[number]
        self.events: Final = self.record.events
        self.start: Final = start
        self.ruleset: Final = ruleset
        self.house: Final = house
        self.report: Final = report
        self.table = Table.dealt(start)
        self.seats = self.table.seats
        self.index = 0
        self.played = False
        self.refused = -1
        self.suspect: Final = SuspectState()
        self.out_of_order: Mapping[int, str] = {}
        self.disputed: frozenset[str] = frozenset()
        self.riichi = self.has("R041")

    def has(self, code: str) -> bool:
        """Return whether the game has the check of a code."""
        return code in self.ruleset.checks or code not in OWN_CHECKS

    def blame(self, code: str, sentence: str, actor: int, *about: Any) -> None:
        """Report a finding about a player. The player is in the first gap of the sentence."""
        self.report(code, sentence, actor, *about, actor=actor)

    def hand(self, seat: int) -> list[Tile]:
        """Return the concealed tiles of a seat."""
        return self.table.hands[seat]

    def knows(self, seat: int) -> bool:
        """Return whether the whole hand of a seat is known and can be trusted."""
        hand = self.table.hands[seat]
        if seat in self.suspect.hands or HIDDEN in hand:
            return False
        suspect = self.suspect.tiles.get(seat)
        return suspect is None or all(hand.count(tile) < held for tile, held in suspect.items())

    def note_refusal(self, event: Any, error: IllegalPlayError) -> None:
        """Suspect the hands of the present event, which the table refused."""
        if error.rule != "won":
            # Only the stated tile of a win is wrong: its hand, value and points are checked.
            self.refused = self.index
        others = {self.table.turn, (self.table.last_actor + 1) % self.seats}
        self.suspect.note_refusal(error.rule, event.actor, others)

    def note_out_of_order(self, code: str, event: Any) -> None:
        """Suspect the subject of an event that the order check reported, before it is played."""
        seats = {getattr(event, "actor", UNSET), self.table.turn, self.table.last_actor}
        self.suspect.note_out_of_order(code, event, {seat for seat in range(self.seats) if seat in seats})

    @property
    def rules(self) -> Rules | UnsetType:
        """The rules that the record states for the round."""
        return self.match.rules_of(self.record)

    @property
    def left(self) -> int | None:
        """The tiles that can still be drawn; below zero where more were drawn than there are.

        None where the number is not known: the record lacks a draw, or has one too many, or the game has walls of
        several sizes.
        """
        return None if self.suspect.wall else self.undrawn

    @property
    def undrawn(self) -> int | None:
        """The tiles that are left to draw if the draws of the record are all the draws that were made."""
        draws = self.ruleset.draws.get(self.seats)
        return None if draws is None else draws - self.table.draws


class Check:
    """A family of rules for one round. Each family has its module, with its codes.

    The method ``_before_tsumo`` takes a draw before the table plays it, ``_after_tsumo`` takes it afterwards, and
    so on for each kind of event. `end` is called when the round is over, or breaks off.
    """

    _before: ClassVar[Hooks]
    _after: ClassVar[Hooks]

    def __init_subclass__(cls) -> None:
        cls._before, cls._after = ev.handlers(cls, "_before_"), ev.handlers(cls, "_after_")

    def __init__(self, state: RoundState) -> None:
        self.state = state

    @property
    def applies(self) -> bool:
        """Whether the round is checked by these rules."""
        return True

    def before(self) -> Hooks:
        """Return the functions to call before events."""
        return {kind: method.__get__(self) for kind, method in self._before.items()}

    def after(self) -> Hooks:
        """Return the functions to call after events."""
        return {kind: method.__get__(self) for kind, method in self._after.items()}

    def refused(self, event: Any, error: IllegalPlayError) -> None:
        """Note an event that the table refused. It is applied all the same."""

    def end(self) -> None:
        """Check the round as a whole."""
