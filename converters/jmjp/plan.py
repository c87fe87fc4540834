"""From a round to a frame: the acts, hands and points that say in jmjp what the events say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from mjconv.converters.jmjp.hands import final_hands, write_dealt, write_hand
from mjconv.converters.jmjp.heads import URA, by_player, known
from mjconv.converters.jmjp.info import write_text
from mjconv.converters.jmjp.points import write_points
from mjconv.converters.jmjp.results import TRIPLE, gains, result
from mjconv.converters.jmjp.syntax import Flow, Frame
from mjconv.converters.jmjp.tiles import DORA, JMJP, SEATS, spell
from mjconv.ir import derive
from mjconv.ir import events as ev
from mjconv.ir.match import Round, Text
from mjconv.ir.stream import play_heard
from mjconv.ir.table import KAN, RULES, IllegalPlayError, Table
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.ir.turns import play_turns

#: Dora that a frame has places for, each with its ura.
_MOST_DORA: Final = 5
_UNKNOWN: Final = JMJP[HIDDEN]
_SEATS: Final = 4


class PlanError(ValueError):
    """The events cannot be played, or not told: the message, and the index of the event where that shows."""

    def __init__(self, message: str, event: int | None = None, *, untold: bool = False) -> None:
        super().__init__(message)
        self.event = event
        #: Whether it is jmjp that lacks words, not play that is wrong.
        self.untold = untold


class Planned(NamedTuple):
    """The frame, and what its acts and result are read back as where that is known without reading them.

    These `events` are without the dora turned; the deal among them is the round's own, not what is read.
    """

    frame: Frame
    events: list[ev.Event] | None = None


def plan_frame(game_round: Round, deal: ev.StartRound, major: int, seat: int | None = None) -> Planned:
    """Plan the frame that says what this round says; `deal` is its deal with all that could be derived.

    `seat` is whose in-game stream it is, where it is one. Raises `PlanError` where the events are no play.
    """
    dealer = int(deal.oya or 0)
    whole = told = game_round.events
    plan: _Plan | None = None
    flows: list[Flow] = []

    def played(events: Sequence[ev.Event]) -> tuple[_Plan | None, Flow, list[ev.Event]]:
        # Of an in-game stream all that is said counts for the head, and it is not known what the acts are read as.
        plan = _Plan(deal, major)
        flow = plan.flow(game_round, events)
        return (plan, flow, plan.told) if events is whole else (None, flow, whole)

    if game_round.is_played:
        plan, flow, told = play_heard(played, PlanError, whole, seat)
        flows = [flow]
    frame = Frame(
        wind=str(deal.bakaze),
        number=int(deal.kyoku or 0),
        honba=int(deal.honba or 0),
        kyoutak=_kyoutak(game_round, deal),
        dice=_dice(game_round, major),
        pfs=_by_seat(deal.scores or None, dealer),
        dora=_dora(told),
        flows=flows,
        pfe=_by_seat(derive.scores_after(game_round, deal.scores or None, told), dealer),
        comment=_comment(game_round, major),
        begin=0,
        end=0,
    )
    return Planned(frame, None if plan is None else plan.read_as(game_round.events, frame))


def _comment(game_round: Round, major: int) -> Text | None:
    return None if write_text(game_round.comment, major) is None else game_round.comment or None


def _dice(game_round: Round, major: int) -> tuple[int, ...] | None:
    """Give the dice, where the version can say them: two, or from version 1 on their total."""
    dice = game_round.dice or ()
    single = len(dice) == 2 and all(1 <= die <= 6 for die in dice)
    total = len(dice) == 1 and major > 0 and 2 <= dice[0] <= 12
    return dice if single or total else None


def _kyoutak(game_round: Round, deal: ev.StartRound) -> int | None:
    start = game_round.start
    if deal.kyotaku is UNSET or "kyotaku" in game_round.assumed or start is None or start.kyotaku is UNSET:
        return None
    return deal.kyotaku * derive.RIICHI_STICK


def _by_seat(points: Sequence[int] | None, dealer: int) -> tuple[int, ...] | None:
    """Turn points by player to seats; None also where a number cannot be spelled, so that all are left out."""
    if points is None or len(points) != _SEATS or None in map(write_points, points):
        return None
    return tuple([points[(dealer + seat) % _SEATS] for seat in range(_SEATS)])


def _dora(events: Sequence[ev.Event]) -> tuple[str, ...] | None:
    markers: list[Tile] = []
    ura: Sequence[Tile] = ()
    told: list[ev.StartRound | ev.Dora | ev.Win] = ev.select(events, ev.StartRound, ev.Dora, ev.Win)
    for event in told:
        if isinstance(event, ev.Win):
            ura = ura or event.ura_markers or ()
        elif event.dora_marker is not UNSET:
            markers.append(event.dora_marker)
    if not markers:
        return None
    places = [_UNKNOWN] * (2 * _MOST_DORA)
    for place, marker in enumerate(markers[:_MOST_DORA]):
        places[2 * place] = DORA[marker]
    for place, marker in enumerate(ura[:_MOST_DORA]):
        places[2 * place + 1] = DORA[marker]
    return tuple(places)


class _Plan:
    """Plays the events at a table and writes down the acts they are.

    `regular` says whether each act so far is read back as just the events it was made of, dora apart: by far most
    rounds are regular, and need not be read back to know what a note must carry. Where in doubt, a round is not.
    """

    def __init__(self, deal: ev.StartRound, major: int) -> None:
        self.table = Table.dealt(deal)
        self.start = deal
        self.dealer = dealer = int(deal.oya or 0)
        self.major = major
        self.acts: list[str] = []
        #: The events but for plain turns, none of which comes while a riichi is unpaid.
        self.told: list[ev.Event] = []
        #: What the seat took, while it is not yet known what it does: the act up to there.
        self.begun = ""
        #: The players, the dealer first.
        self.order = [(dealer + seat) % _SEATS for seat in range(_SEATS)]
        self.letters = [SEATS[(player - dealer) % _SEATS] for player in range(_SEATS)]
        #: By player: what their plain turns are written as.
        self.plain = [_ACTS[letter] for letter in self.letters]
        self.riichi = False
        #: Who declared riichi with the last discard, until the stick is paid.
        self.unpaid: int | None = None
        self.paid = [0] * _SEATS
        self.dealt_fourteen = False
        self.regular = True
        #: Whether dora were turned, which the acts do not tell.
        self.turned = False
        #: How many events told of a result, or of the end.
        self.ended = 0

    def flow(self, game_round: Round, events: Sequence[ev.Event]) -> Flow:
        drawn = ev.select(events, ev.Draw) if game_round.dealt_fourteen else []
        fourteenth = drawn[0].pai if drawn else None
        self.dealt_fourteen = bool(drawn)
        if self.dealt_fourteen or game_round.final_hands is not UNSET:
            self.regular = False
        index, end = 0, len(events)
        try:
            start = [
                write_dealt(player, self.table.hands[player], self.dealer, None if place else fourteenth)
                for place, player in enumerate(self.order)
            ]
            while index < end:
                event = events[index]
                if type(event) is ev.Draw and self.unpaid is None and (self.acts or not self.dealt_fourteen):
                    after = play_turns(self.table, events, index)
                    if after > index:
                        index = self._turns(events, index, after)
                        continue
                self.told.append(event)
                write, rule = _STEPS[type(event)]
                write(self, event)
                rule(self.table, event)
                index += 1
        except IllegalPlayError as error:
            raise PlanError(str(error), index) from None
        except KeyError as error:
            raise _wordless(error, index) from None
        if self.begun:
            self._give("")
        if game_round.blocked:
            self._blocked(game_round.blocked)
        hands = final_hands(self.table) if game_round.final_hands is UNSET else game_round.final_hands
        shown = [write_hand(player, hands[player], self.dealer, self.major) for player in self.order]
        return Flow(start, self.acts, shown, 0, 0, 0)

    def read_as(self, events: list[ev.Event], frame: Frame) -> list[ev.Event] | None:
        """Give the events that the acts and the points are read back as, without dora; None where in doubt."""
        end = len(events) - self.ended
        ending = events[end:]
        wins = ev.select(ending, ev.Win)
        draws = ev.select(ending, ev.Ryukyoku)
        tsumo = wins[0].actor if wins and _is_tsumo(wins[0]) else None
        if (
            not self.regular
            or len(wins) + len(draws) == 0
            or (draws and (wins or self.unpaid is not None))
            or (tsumo is not None and len(wins) > 1)
            or not _ENDINGS.issuperset(map(type, ending))
        ):
            return None
        gained = None
        if frame.pfe is not None:
            if not self.start.scores:
                return None
            gained = gains(self.start.scores, by_player(frame.pfe, self.dealer), self.paid)
        ura = known((frame.dora or ())[URA])
        rons = [] if tsumo is not None else [event.actor for event in wins]
        read, blocked = result(self.table, self.start, tsumo, rons, gained, self.paid, ura)
        if blocked:
            return None
        told = events[:end]
        if self.turned:
            told = [event for event in told if type(event) is not ev.Dora]
        return [*told, *read, _END_ROUND]

    def _blocked(self, seats: Sequence[int]) -> None:
        """Write the rons that were declared and not paid, after those that were, where they are read so."""
        self.regular = False
        claimed = {*self.table.winners, self.table.last_actor}
        rest = [seat for seat in dict.fromkeys(seats) if 0 <= seat < _SEATS and seat not in claimed]
        if self.table.winners or len(rest) == TRIPLE:
            self.acts += [f"{self.letters[seat]},{'rn' if self.major else 'ro'}," for seat in rest]

    def _give(self, text: str) -> None:
        self.acts.append(self.begun + text)
        self.begun = ""

    def _turns(self, events: Sequence[Any], begin: int, end: int) -> int:
        """Write plain turns, which are read back as they are; give the index after them."""
        acts = self.plain
        turns = zip(events[begin:end:2], events[begin + 1 : end : 2], strict=True)
        try:
            self.acts += [acts[draw.actor][draw.pai][discard.pai] for draw, discard in turns]
        except KeyError as error:
            at = next(place for place in range(begin, end) if events[place].pai == error.args[0])
            raise _wordless(error, at) from None
        return end

    def _draw(self, event: ev.Draw) -> None:
        if event.extras is not UNSET or self.unpaid is not None:
            self.regular = False
        take = JMJP[event.pai]
        if self.dealt_fourteen and not self.acts:
            take = "oy"
        elif self.table.phase is KAN and take != _UNKNOWN:
            take = f"rs[{take}]"
        self.begun = f"{self.letters[event.actor]},{take},"

    def _discard(self, event: ev.Discard) -> None:
        tile = event.pai
        text = JMJP[tile]
        reads_drawn = tile == self.table.drawn and tile != HIDDEN
        if self.riichi:
            text = f"rc[{text}]"
            self.riichi = False
            self.unpaid = event.actor
        elif reads_drawn and not self.begun.endswith(",oy,"):
            if event.tsumogiri is not False:
                text = "tg"
            elif self.table.hands[event.actor].count(tile) > 1:
                text = "kg"
                reads_drawn = False
        if event.tsumogiri is not reads_drawn or event.extras is not UNSET:
            self.regular = False
        self.acts.append(self.begun + text)
        self.begun = ""

    def _riichi(self, event: ev.Riichi) -> None:
        self.riichi = True
        if event.extras is not UNSET:
            self.regular = False

    def _accepted(self, event: ev.RiichiAccepted) -> None:
        if self.unpaid != event.actor or event != ev.RiichiAccepted(event.actor):
            self.regular = False
        self.paid[event.actor] += 1
        self.unpaid = None

    def _is_regular_call(self, event: ev.Chi | ev.Pon | ev.Daiminkan) -> bool:
        return event.extras is UNSET and self.unpaid is None and event.pai == self.table.last_tile

    def _chi(self, event: ev.Chi) -> None:
        if not self._is_regular_call(event):
            self.regular = False
        self.begun = f"{self.letters[event.actor]},ch[{spell(event.consumed)}],"

    def _pon(self, event: ev.Pon) -> None:
        # Version 0 leaves open which tiles of the hand were taken.
        if (
            event.extras is not UNSET
            or self.unpaid is not None
            or event.pai != self.table.last_tile
            or not self.major
        ):
            self.regular = False
        tiles = f"[{spell(event.consumed)}]" if self.major else ""
        self.begun = f"{self.letters[event.actor]},pn{tiles},"

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        if (
            event.extras is not UNSET
            or self.unpaid is not None
            or event.pai != self.table.last_tile
            or not self.major
        ):
            self.regular = False
        tiles = f"[{spell(event.consumed)}]" if self.major else ""
        self.acts.append(f"{self.letters[event.actor]},dk{tiles},")

    def _kakan(self, event: ev.Kakan) -> None:
        pon = self.table.pon_of(event.actor, event.pai)
        if pon is None or event.extras is not UNSET or event.consumed != (*pon.own, pon.called):
            self.regular = False
        self._give(f"kk[{JMJP[event.pai]}]")

    def _ankan(self, event: ev.Ankan) -> None:
        if event.extras is not UNSET or event.pai is not UNSET or not self.major:
            self.regular = False
        self._give(f"ak[{spell(event.consumed if self.major else event.consumed[:1])}]")

    def _win(self, event: ev.Win) -> None:
        self.ended += 1
        if _is_tsumo(event):
            self._give("tm")
        else:
            self.acts.append(f"{self.letters[event.actor]},{'rn' if self.major else 'ro'},")

    def _nukidora(self, event: ev.Nukidora) -> None:
        raise KeyError(f"setting {event.pai or 'N'} aside")

    def _end(self, event: ev.Ryukyoku | ev.EndRound) -> None:  # noqa: ARG002 - all take the event
        self.ended += 1  # the frame's points

    def _deal(self, event: ev.StartRound) -> None:
        pass  # the frame's head and its starting hands

    def _dora(self, event: ev.Dora) -> None:  # noqa: ARG002 - all take the event
        self.turned = True

    def _other(self, event: ev.Event) -> None:  # noqa: ARG002 - all take the event
        self.regular = False


class _Acts(dict[Tile, dict[Tile, str]]):
    """What the plain turns of a seat are written as, by the tile drawn and the tile discarded.

    >>> _Acts("s")["5mr"]["E"], _Acts("s")["E"]["E"]
    ('s,0m,ew', 's,ew,tg')
    """

    def __init__(self, letter: str) -> None:
        super().__init__()
        self._letter = letter

    def __missing__(self, drawn: Tile) -> dict[Tile, str]:
        begun = f"{self._letter},{JMJP[drawn]},"
        self[drawn] = acts = {tile: begun + ("tg" if tile == drawn else JMJP[tile]) for tile in JMJP}
        return acts


_ACTS: Final = {letter: _Acts(letter) for letter in SEATS}


def _wordless(error: KeyError, event: int) -> PlanError:
    return PlanError(f"jmjp has no word for {error.args[0]}", event, untold=True)


def _is_tsumo(event: ev.Win) -> bool:
    return event.target is UNSET or event.target == event.actor


_ENDINGS: Final = frozenset({ev.Win, ev.Ryukyoku, ev.EndRound})
_END_ROUND: Final = ev.EndRound()

_WRITE: Final[dict[type, Callable[[_Plan, Any], None]]] = {
    ev.StartRound: _Plan._deal,
    ev.Dora: _Plan._dora,
    ev.Draw: _Plan._draw,
    ev.Discard: _Plan._discard,
    ev.Riichi: _Plan._riichi,
    ev.RiichiAccepted: _Plan._accepted,
    ev.Chi: _Plan._chi,
    ev.Pon: _Plan._pon,
    ev.Daiminkan: _Plan._daiminkan,
    ev.Kakan: _Plan._kakan,
    ev.Ankan: _Plan._ankan,
    ev.Win: _Plan._win,
    ev.Ryukyoku: _Plan._end,
    ev.EndRound: _Plan._end,
    ev.Nukidora: _Plan._nukidora,
}
#: For each kind of event, how it is written, and the rule it is played by.
_STEPS: Final = {kind: (_WRITE.get(kind, _Plan._other), rule) for kind, rule in RULES.items()}
