"""The decisions of a player in a round of riichi: where they are, the choices, and what the record did."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from msgspec import UNSET, Struct

from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import House, Match
from mjconv.ir.message_names import reason_of
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, RIICHI_TILES
from mjconv.referee.choices import PASS, Moment, choices, matching
from mjconv.rules.circumstances import DRAWS
from mjconv.rules.house import USUAL, first_stated
from mjconv.rules.rulesets import RIICHI, ruleset_of
from mjconv.rules.succession import starts

#: The messages after which their player decides, and those after which the others do.
_OWN: Final = frozenset({ev.Draw, ev.Chi, ev.Pon, ev.Riichi})
#: The claims of a tile: a claim of a higher rank counts before one of a lower rank.
_RANKS: Final[dict[type, int]] = {ev.Chi: 1, ev.Pon: 2, ev.Daiminkan: 2, ev.Win: 3}
#: What a player declares who breaks a round off, by the hub's name of the reason.
_ENDINGS: Final[dict[str, type[ev.Event]]] = {"triple_ron": ev.Win, "nine_kinds": ev.Ryukyoku}
#: As many events follow a decision before the one that shows it, or until the last of several wins.
_FEW: Final = 8
_KNOWN: Final = frozenset(RIICHI_TILES)


class SeatDecision(Struct, frozen=True):
    """One decision of a player.

    `index` is the number of events of the round before it. `choices` are the messages that the rules allow, with
    `none` if the player may pass. `taken` is the choice that the record shows. It is none of the choices where the
    record breaks the rules. It is None where the record does not show it: it breaks off, or the claim of another
    player counted before.
    """

    index: int
    choices: tuple[ev.Event, ...]
    taken: ev.Event | None


def decisions(
    match: Match, number: int, seat: int, *, deal: ev.StartRound | None = None, house: House | None = None
) -> Iterator[SeatDecision]:
    """Yield the decisions of a seat in the round `number` of a match, in order.

    A player decides after their own `tsumo`, `chi`, `pon` and `reach`, also where one choice is left. After a
    `dahai`, `kakan`, `ankan` or `nukidora` of another player they decide if they may do more than pass. A `dora`
    or a `reach_accepted` that follows opens no decision of its own.

    A round that hides tiles of the seat has no decisions. `deal` is the deal with derived values; without it, they
    are derived. The rules are those of `house`, then those of the record, then the usual ones. Raises
    `UnsupportedError` for a game that is not riichi.

    >>> from mjconv.ir.match import Round
    >>> hands = tuple([(f"{seat}m 4m 7m 2p 5p 8p 3s 6s 9s E S W N").split() for seat in range(1, 5)])
    >>> deal = ev.StartRound("E", "1p", 1, 0, 0, 0, (25000,) * 4, hands)
    >>> play = [deal, ev.Draw(0, "C"), ev.Discard(0, "7m", tsumogiri=False), ev.Draw(1, "C")]
    >>> for one in decisions(Match(rounds=[Round(play)]), 0, 0):
    ...     print(one.index, len(one.choices), one.taken)
    2 14 Discard(actor=0, pai='7m', tsumogiri=False)
    """
    if match.seats not in DRAWS or ruleset_of(match, match.rounds[number]).id != RIICHI.id:
        raise UnsupportedError("only games of riichi of three or four players have decisions")
    record = match.rounds[number]
    rules = first_stated(house or House(), match.rules_of(record), match.house, USUAL)
    deal = deal or starts(match)[number]
    if not record.is_played or not _shows(record.events, deal, seat):
        return
    past: list[ev.Event] = []
    table = Table.dealt(deal, strict=False)
    now = Moment(table, deal, past, rules)
    event: Any
    for index, event in enumerate(record.events, 1):
        table.apply(event)
        past.append(event)
        kind = type(event)
        if kind in ev.RESULTS:
            return
        if (kind in _OWN and event.actor == seat) or (kind in ev.SHOWS and event.actor != seat):
            if HIDDEN in table.hands[seat]:
                # The record does not show a tile that left the hand.
                return
            offered = choices(now, seat)
            if offered != (PASS,):
                following = [one for one in record.events[index : index + _FEW] if type(one) not in ev.BETWEEN]
                taken = _taken(offered, following, seat, event.actor, match.seats, record.blocked)
                yield SeatDecision(index, offered, taken)


def decision_at(found: Mapping[int, SeatDecision], events: Sequence[ev.Event], index: int) -> SeatDecision | None:
    """Return the decision that an answer after `index` events is about: of `found`, decisions by their indices.

    An answer to a `dora` or a `reach_accepted` is about the decision before this message.

    >>> one = SeatDecision(1, (), None)
    >>> decision_at({1: one}, [ev.Draw(0, "E"), ev.Dora("1m")], 2) is one
    True
    """
    while 0 < index <= len(events) and index not in found and type(events[index - 1]) in ev.BETWEEN:
        index -= 1
    return found.get(index)


def _shows(events: Sequence[Any], deal: ev.StartRound, seat: int) -> bool:
    """Return whether a round shows all tiles of a seat, and these are riichi tiles."""
    if deal.tehais is UNSET or seat >= len(deal.tehais) or not _KNOWN.issuperset(deal.tehais[seat]):
        return False
    return all(event.pai in _KNOWN for event in events if type(event) is ev.Draw and event.actor == seat)


def _taken(
    offered: Sequence[Any], following: Sequence[Any], seat: int, actor: int, seats: int, blocked: Sequence[int]
) -> ev.Event | None:
    """Return the choice that the events after a decision show; None if they do not show it."""
    after = following[0] if following else ev.EndRound()
    wins = list(takewhile(lambda one: type(one) is ev.Win, following))
    own = next((one for one in wins or [after] if getattr(one, "actor", None) == seat), None)
    if type(own) in ev.ACTS:
        return matching(offered, own) or own
    reason = reason_of(after.reason or "kyushukyuhai") if type(after) is ev.Ryukyoku else None
    ending = ev.Win if seat in blocked else _ENDINGS.get(reason or "")
    declared = next((choice for choice in offered if type(choice) is ending), None)
    if declared is not None or PASS not in offered:
        return declared
    claims = [_RANKS[type(choice)] for choice in offered if choice is not PASS]
    if type(after) is ev.Draw:
        claimed = 0
    elif wins:
        # The nearest player after the discard wins first. In some houses nobody else does.
        nearer = any((win.actor - actor) % seats < (seat - actor) % seats for win in wins)
        claimed = _RANKS[ev.Win] - (not nearer)
    else:
        # A round that is broken off ends before calls, and not before wins.
        claimed = _RANKS[ev.Pon] if type(after) is ev.Ryukyoku else _RANKS.get(type(after), _RANKS[ev.Win])
    return PASS if min(claims) > claimed else None
