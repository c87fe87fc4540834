"""From a round to a frame: writes the head of the frame, and the acts of the round's events.

The reader's own `ActPlayer` plays each act as soon as it is written, so the writer knows how its text is read. If
the whole text is read afterwards, the result is the same, and `mjai -> jmjp` takes 1.5 times as long.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from mjconv.converters.jmjp.frames import Flow, Frame, FrameError, deal, dora_field, final_hands, write_hand
from mjconv.converters.jmjp.head import write_text
from mjconv.converters.jmjp.notes import KEY, spelled_frame
from mjconv.converters.jmjp.round_reader import DEALT, ActPlayer, FrameReading, with_head
from mjconv.converters.jmjp.spelling import JMJP, LETTERS, UNKNOWN, FrameAct, read_act, spell, write_points
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.wins import TRIPLE
from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError, PlayedWrongError
from mjconv.ir.match import USUAL_SEATS, FinalHand, Round, Text
from mjconv.ir.table import KAN, RULES, Table
from mjconv.ir.tiles import HIDDEN
from mjconv.ir.turns import play_turns
from mjconv.rules import scores


class OtherReadingError(Exception):
    """The acts are not read as the events of the source."""


class FlowPlan:
    """Writes the acts of a round.

    If they are `read`, the reader's `ActPlayer` plays each act as soon as it is written, at the table of the plan.
    Then `flow` raises `OtherReadingError` where it plays another event than the source's, or refuses. Else the
    table plays the source's events. A copy of the table plays the results: the reader knows them only at the end.
    """

    def __init__(self, game_round: Round, start: ev.StartRound, major: int, *, read: bool) -> None:
        self.round = game_round
        self.events: Sequence[ev.Event] = game_round.events
        self.start = start
        self.major = major
        self.table = Table.dealt(start)
        self.dealt_fourteen = game_round.dealt_fourteen and any(type(event) is ev.Draw for event in self.events)
        whole = set(map(len, self.table.hands)) == {DEALT} and not self.dealt_fourteen
        self.play = ActPlayer(self.table, major) if whole and read else None
        #: Whether `table` plays the source's events, not the reader's.
        self.own = self.play is None
        #: The index of the current event.
        self.index = 0
        self.acts: list[str] = []
        #: The events without plain turns. No plain turn comes between a riichi discard and its acceptance.
        self.rare: list[ev.Event] = []
        #: The first half of an act, until the second half is known.
        self.begun = ""
        self.dealer = self.table.oya
        #: The players, the dealer first; and the letter of each player's seat.
        self.order = [(self.dealer + place) % USUAL_SEATS for place in range(USUAL_SEATS)]
        self.letters = [LETTERS[(player - self.dealer) % USUAL_SEATS] for player in range(USUAL_SEATS)]
        #: The player who declared riichi and has not discarded yet.
        self.riichi: int | None = None
        #: The player who declared riichi with the last discard, until the next act.
        self.unpaid: int | None = None
        #: Whether the source paid that stick.
        self.accepted = False

    def flow(self) -> Flow:
        """Write the flow. Raises `PlayedWrongError`, `CannotHoldError` and `OtherReadingError`."""
        events, index, end = self.events, 0, len(self.events)
        try:
            start = self._starting_hands()
            while index < end:
                event = events[index]
                if type(event) is ev.Draw:
                    after = self._plain_turns(index)
                    if after > index:
                        index = after
                        continue
                self.rare.append(event)
                self.index = index
                write, rule = _STEPS[type(event)]
                write(self, event)
                if self.own:
                    rule(self.table, event)
                index += 1
            self.index = end
            self._finish()
        except IllegalPlayError as error:
            raise PlayedWrongError(str(error), index) from None
        except KeyError as error:
            raise _wordless(error, index) from None
        shown = self._written(self.round.final_hands or final_hands(self.table))
        return Flow(start, self.acts, shown, 0, 0, 0)

    def _starting_hands(self) -> list[str]:
        hands = [FinalHand(tuple(hand)) for hand in self.table.hands]
        if self.dealt_fourteen:
            hands[self.dealer] = replace(hands[self.dealer], last=ev.select(self.events, ev.Draw)[0].pai)
        return self._written(hands)

    def _written(self, hands: Sequence[FinalHand]) -> list[str]:
        """Spell the hand of each player, the dealer's first."""
        return [write_hand(player, hands[player], self.dealer, self.major) for player in self.order]

    def _finish(self) -> None:
        """Write the rest of the acts when all events are written."""
        self._expect(self.riichi is None)
        if self.begun:
            self.acts.append(self.begun)
        if self.round.blocked:
            self._blocked(self.round.blocked)
        # Which five was red, the acts of version 0 may leave open: then only the whole frame states it.
        self._expect(self.play is None or not self.play.open)

    def _blocked(self, seats: Sequence[int]) -> None:
        """Write the rons that were declared and not paid, in turn order after the others, if they are read so."""
        turns = [(self.table.last_actor + turn) % USUAL_SEATS for turn in range(1, USUAL_SEATS)]
        rest = [seat for seat in turns if seat in seats and seat not in self.table.winners]
        if self.table.winners or len(rest) == TRIPLE:
            for seat in rest:
                self._ron(seat)

    # Reading.

    def _plain_turns(self, begin: int) -> int:
        """Write plain turns, which the reader plays as the very same events. Returns the index after them."""
        events: Sequence[Any] = self.events
        if not self.own and self.play is not None:
            if self.accepted:
                # A draw follows: the reader pays the stick before it.
                self.play.pass_riichi()
                self.unpaid = None
                self.accepted = False
            end = self.play.plain_turns(events, begin)
        elif self.acts or not self.dealt_fourteen:
            end = play_turns(self.table, events, begin)
        else:
            return begin
        if end == begin:
            return begin
        letters, words = self.letters, JMJP
        turns = zip(events[begin:end:2], events[begin + 1 : end : 2], strict=True)
        try:
            self.acts += [
                f"{letters[draw.actor]},{words[draw.pai]},{'tg' if discard.tsumogiri else words[discard.pai]}"
                for draw, discard in turns
            ]
        except KeyError as error:
            index = next(index for index in range(begin, end) if events[index].pai == error.args[0])
            raise _wordless(error, index) from None
        return end

    def _take(self, event: Any, word: str) -> None:
        """Write the first half of the act of an event, and have it read."""
        paid = self.unpaid is None or self.accepted
        self.unpaid = None
        self.accepted = False
        self.begun = f"{self.letters[event.actor]},{word},"
        self._expect(paid and self._reads(ActPlayer.take, self.begun, event))

    def _give(self, event: Any, word: str) -> None:
        """Write the second half of the act of an event, and have it read."""
        begun, self.begun = self.begun, ""
        self.acts.append(begun + word)
        self._expect(bool(begun) and self.riichi is None and self._reads(ActPlayer.give, begun + word, event))

    def _reads(self, play_half: Callable[[ActPlayer, FrameAct], None], text: str, event: Any = None) -> bool:
        """Have the reader play half an act. Returns whether it plays the event, as far as the table can tell.

        The event of a claim comes later.
        """
        play = self.play
        if play is None:
            return False
        try:
            play_half(play, read_act(text))
        except (FrameError, IllegalPlayError):
            return False
        kind = type(event)
        if event is None or kind is ev.Draw:
            return True
        read: Any = play.events[-1]
        if read == event:
            return True
        if type(read) is not kind or _PLAYED[kind](read) != _PLAYED[kind](event):
            return False
        return kind is not ev.Discard or event.tsumogiri is not True or read.tsumogiri is True

    def _expect(self, same: bool) -> None:
        """Raise `OtherReadingError` if the acts are read, and not as the same events."""
        if self.play is not None and not same:
            raise OtherReadingError

    # The events that are no plain turns, by kind.

    def _tsumo(self, event: ev.Draw) -> None:
        word = JMJP[event.pai]
        if self.dealt_fourteen and not self.acts:
            word = "oy"
        elif self.table.phase is KAN and word != UNKNOWN:
            word = f"rs[{word}]"
        self._take(event, word)

    def _dahai(self, event: ev.Discard) -> None:
        tile = event.pai
        word = JMJP[tile]
        declared = self.riichi == event.actor
        if declared:
            self.riichi = None
            word = f"rc[{word}]"
        elif tile == self.table.drawn and tile != HIDDEN and not self.begun.endswith(",oy,"):
            if event.tsumogiri is not False:
                word = "tg"
            elif self.table.hands[event.actor].count(tile) > 1:
                word = "kg"
        self._give(event, word)
        if declared:
            self.unpaid = event.actor

    def _reach(self, event: ev.Riichi) -> None:
        # The act of the discard expresses it.
        self._expect(self.riichi is None)
        self.riichi = event.actor

    def _reach_accepted(self, event: ev.RiichiAccepted) -> None:
        self._expect(not self.accepted and self.unpaid == event.actor)
        # The reader pays the stick at the next act.
        self.accepted = True

    def _chi(self, event: ev.Chi) -> None:
        self._take(event, f"ch[{spell(event.consumed)}]")

    def _pon(self, event: ev.Pon) -> None:
        # Version 0 does not name the tiles of the hand.
        self._take(event, f"pn[{spell(event.consumed)}]" if self.major else "pn")

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        self._take(event, f"dk[{spell(event.consumed)}]" if self.major else "dk")
        self.acts.append(self.begun)
        self.begun = ""

    def _kakan(self, event: ev.Kakan) -> None:
        self._give(event, f"kk[{JMJP[event.pai]}]")

    def _ankan(self, event: ev.Ankan) -> None:
        self._give(event, f"ak[{spell(event.consumed if self.major else event.consumed[:1])}]")

    def _nukidora(self, event: ev.Nukidora) -> None:
        raise KeyError(f"setting {event.pai or 'N'} aside")

    def _hora(self, event: ev.Win) -> None:
        self._end(event)
        if event.target is not UNSET and event.target != event.actor:
            self._ron(event.actor)
            return
        self._expect(bool(self.begun))
        act = f"{self.begun}tm"
        self.begun = ""
        self.acts.append(act)
        self._expect(self._reads(ActPlayer.give, act))

    def _ron(self, player: int) -> None:
        act = f"{self.letters[player]},{'rn' if self.major else 'ro'},"
        self.acts.append(act)
        # Nobody pays the stick of a riichi discard that is won on.
        self._expect(not self.accepted or self.unpaid is None)
        self._expect(self._reads(ActPlayer.take, act))

    def _end(self, event: ev.Win | ev.Ryukyoku | ev.EndRound) -> None:  # noqa: ARG002 - all take the event
        """Play the source's result on a table of its own: the points of the frame express it."""
        self._expect(self.riichi is None)
        if not self.own:
            self.own = True
            self.table = self.table.copy()

    _ryukyoku = _end_kyoku = _end

    def _other(self, event: ev.Event) -> None:
        pass  # the head of the frame, or nothing in jmjp, expresses it


def _wordless(error: KeyError, event: int) -> CannotHoldError:
    return CannotHoldError(f"jmjp has no word for {error.args[0]}", event)


_CALL: Final = attrgetter("actor", "target", "pai", "consumed")
#: By kind of event: the values by which the table plays it. A draw is read as it is written.
_PLAYED: Final[dict[type, Callable[[Any], Any]]] = {
    ev.Discard: attrgetter("actor", "pai"),
    ev.Chi: _CALL,
    ev.Pon: _CALL,
    ev.Daiminkan: _CALL,
    ev.Kakan: attrgetter("actor", "pai"),
    ev.Ankan: attrgetter("actor", "consumed"),
}
_WRITE: Final = ev.handlers(FlowPlan)
#: For each kind of event: how it is written, and the table's rule for it.
_STEPS: Final = {kind: (_WRITE.get(kind, FlowPlan._other), rule) for kind, rule in RULES.items()}


# The plan of a frame.

#: The state of a table that its final hands depend on.
_FINAL: Final = attrgetter("hands", "melds", "turn", "drawn", "winners", "last_tile")


class PlannedFrame(NamedTuple):
    """A frame, the reader's play of its acts, and the player who deals.

    `play` is None if only the whole frame can be read: version 0 leaves a red five open, or the reader plays
    an act otherwise than the source, or refuses one.
    """

    frame: Frame
    play: ActPlayer | None
    dealer: int
    #: The table whose final hands the frame shows; None if the source shows others.
    table: Table | None = None

    def reading(self, before: Round | None) -> FrameReading | None:
        """Read the frame as `read_play` does, with the source's dealer. None without a play; works once.

        `before` is the reading of the round before. Raises `FrameError`.
        """
        frame, play, dealer, table = self
        if play is None:
            return None
        start, assumed = deal(frame, dealer, before)
        play.begin(start)
        play.end(frame)
        # Equal hands are spelled alike.
        if table is None or _FINAL(table) != _FINAL(play.table):
            play.check_final_hands(frame.flows[-1].end)
        play.events.append(ev.EndRound())
        return with_head(play.reading, frame, assumed)


def plan_frame(game_round: Round, deal: ev.StartRound, major: int) -> PlannedFrame:
    """Plan the frame of a round. `deal` is the deal of the round with all derived values.

    Raises `PlayedWrongError` if the events cannot be played, and `CannotHoldError` if they cannot be written.
    """
    dealer = int(deal.oya or 0)
    rare = game_round.events
    plan: FlowPlan | None = None
    flows: list[Flow] = []
    if game_round.is_played:
        plan = FlowPlan(game_round, deal, major, read=True)
        try:
            flows = [plan.flow()]
        except OtherReadingError:
            plan = FlowPlan(game_round, deal, major, read=False)
            flows = [plan.flow()]
        rare = plan.rare
    frame = Frame(
        wind=str(deal.bakaze),
        number=int(deal.kyoku or 0),
        honba=int(deal.honba or 0),
        kyoutak=_kyoutak(game_round, deal),
        dice=_dice(game_round, major),
        pfs=_by_seat(deal.scores or None, dealer),
        dora=dora_field(rare),
        flows=flows,
        pfe=_by_seat(scores.scores_after(game_round, deal.scores or None, rare), dealer),
        comment=_comment(game_round, major),
        begin=0,
        end=0,
    )
    if KEY in game_round.extras:
        frame = spelled_frame(frame, game_round, major)
    if plan is None:
        return PlannedFrame(frame, None, dealer)
    return PlannedFrame(frame, plan.play, dealer, None if game_round.final_hands else plan.table)


def _comment(game_round: Round, major: int) -> Text | None:
    return None if write_text(game_round.comment, major) is None else game_round.comment or None


def _dice(game_round: Round, major: int) -> tuple[int, ...] | None:
    """Return the dice if the version has a place for them: two dice, or from version 1 on their total."""
    dice = game_round.dice or ()
    single = len(dice) == 2 and all(1 <= die <= 6 for die in dice)
    total = len(dice) == 1 and major > 0 and 2 <= dice[0] <= 12
    return dice if single or total else None


def _kyoutak(game_round: Round, deal: ev.StartRound) -> int | None:
    start = game_round.start
    if deal.kyotaku is UNSET or "kyotaku" in game_round.assumed or start is None or start.kyotaku is UNSET:
        return None
    points = deal.kyotaku * scores.RIICHI_STICK
    return None if write_points(points) is None else points


def _by_seat(points: Sequence[int] | None, dealer: int) -> tuple[int, ...] | None:
    """Turn points by player to points by seat. None if one of them cannot be spelled: then all are left out."""
    if points is None or len(points) != USUAL_SEATS or None in map(write_points, points):
        return None
    first = dealer % USUAL_SEATS
    return (*points[first:], *points[:first])
