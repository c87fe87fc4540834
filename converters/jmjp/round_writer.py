"""From a round to a frame: writes the head of the frame, and the acts of the round's events.

The reader's own `ActPlayer` plays each act as soon as it is written, so the writer knows how its text is read. If
the whole text is read afterwards, the result is the same, and `mjai -> jmjp` takes 1.5 times as long.
"""

from collections.abc import Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any, Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from mjconv.converters.jmjp.frames import Flow, Frame, FrameError, deal, dora_field, final_hands, write_hand
from mjconv.converters.jmjp.head import write_text
from mjconv.converters.jmjp.notes import KEY, spelled_frame
from mjconv.converters.jmjp.round_reader import ActPlayer, FrameReading, read_play, with_head
from mjconv.converters.jmjp.spelling import JMJP, LETTERS, PLACE, UNKNOWN, read_act, spell, write_points
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.wins import TRIPLE
from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError, PlayedWrongError
from mjconv.ir.match import USUAL_SEATS, FinalHand, Round
from mjconv.ir.play import Play, play_alike, play_of
from mjconv.ir.seats import turned
from mjconv.ir.table import RULES, Table
from mjconv.ir.tiles import HAND, HIDDEN, Tile
from mjconv.rules import scores

#: The rule of the events that no act expresses, such as a dora.
_NOTHING: Final = RULES[ev.Dora]
#: The events whose tile may be won by a ron.
_LAST: Final = frozenset({ev.Discard, ev.Kakan, ev.Ankan})


class ActWriter:
    """Writes the acts of a round, and has the reader's `ActPlayer` play them.

    `acts` has each act in its brackets. An act that begins a line has a line break before it; a line is a
    go-around. `player` is None once the reader refuses an act.
    """

    def __init__(self, game_round: Round, start: ev.StartRound, major: int) -> None:
        self.round = game_round
        self.events: Sequence[Any] = game_round.events
        self.start = start
        self.major = major
        table = Table.dealt(start)
        self.hands = list(map(tuple, table.hands))
        self.dealer = table.oya
        #: The dealer's fourteenth tile, if it was dealt with the hand: the first draw.
        self.fourteenth: Tile | None = None
        if game_round.dealt_fourteen:
            self.fourteenth = next((event.pai for event in self.events if type(event) is ev.Draw), None)
        whole = set(map(len, self.hands)) == {HAND}
        self.player = ActPlayer(table, major, self.fourteenth) if whole else None
        self.acts: list[str] = []
        #: The events without plain turns. No plain turn comes between a riichi discard and its acceptance.
        self.rare: list[ev.Event] = []
        #: The index of the current event, and of the first result.
        self.index = 0
        self.ended = len(self.events)
        #: The first half of an act, without its bracket, until the second half is known.
        self.begun = ""
        #: The letter of each player's seat, the beginning of their acts, and the letter of the last act.
        self.letters = [LETTERS[(player - self.dealer) % USUAL_SEATS] for player in range(USUAL_SEATS)]
        self.begins = [_BEGINS[letter] for letter in self.letters]
        self.last = ""
        #: The tile that was just drawn, whether a kan was just made, and who just declared riichi.
        self.drawn: Tile | None = None
        self.kan = False
        self.riichi: int | None = None

    def write(self) -> None:
        """Write the acts. Raises `PlayedWrongError` and `CannotHoldError`."""
        events, index, end = self.events, 0, len(self.events)
        player = self.player
        try:
            while index < end:
                event = events[index]
                kind = type(event)
                if kind is ev.Draw and player is not None:
                    after = player.plain_turns(events, index)
                    if after > index:
                        self._plain_turns(index, after)
                        index = after
                        continue
                self.rare.append(event)
                self.index = index
                if kind in _WRITE:
                    _WRITE[kind](self, event)
                    player = self.player
                index += 1
            if self.begun:
                self._act(self.begun)
            if self.round.blocked:
                self._blocked(self.round.blocked)
        except LookupError as error:
            # A tile without a word, or a player who is not at the table.
            raise self.wordless(error, self.index) from None

    def wordless(self, error: LookupError, index: int) -> CannotHoldError:
        """Return the error of an event without a word. Raises `PlayedWrongError` if play ended there or before."""
        play = Play(self.start)
        play.follow(self.events[: index + 1])
        _refuse(play)
        return CannotHoldError(f"jmjp has no word for {error.args[0]}", index)

    def _plain_turns(self, begin: int, end: int) -> None:
        """Write plain turns, which the reader played as the very same events."""
        turns, begins, words = self.events[begin:end], self.begins, JMJP
        try:
            acts = [
                f"{begins[draw.actor]}{words[draw.pai]},{'tg' if discard.tsumogiri else words[discard.pai]})"
                for draw, discard in zip(turns[::2], turns[1::2], strict=True)
            ]
        except KeyError as error:
            self.index = begin + next(index for index, event in enumerate(turns) if event.pai == error.args[0])
            raise
        first = self.letters[turns[0].actor]
        if first != LETTERS[0]:
            acts[0] = f"{_LEADS[self.last, first]}{acts[0][1:]}"
        self.acts += acts
        self.last = self.letters[turns[-1].actor]

    def _act(self, act: str) -> None:
        """Write an act, and have it read."""
        self.acts.append(f"{_LEADS[self.last, act[0]]}{act})")
        self.last = act[0]
        if self.player is not None:
            try:
                self.player.act(read_act(act))
            except (FrameError, IllegalPlayError):
                self.player = None

    def _take(self, event: Any, word: str) -> None:
        """Begin an act: its first half."""
        self.begun = f"{self.letters[event.actor]},{word},"
        self.drawn, self.kan = None, False

    def _give(self, word: str) -> None:
        """Write an act, now that its second half is known."""
        if self.begun:
            self._act(self.begun + word)
        self.begun = ""

    def _blocked(self, seats: Sequence[int]) -> None:
        """Write the rons that were declared and not paid, in turn order after the others, if they are read so."""
        last = next((event.actor for event in reversed(self.events) if type(event) in _LAST), -1)
        winners = [event.actor for event in self.events if type(event) is ev.Win]
        turns = [(last + turn) % USUAL_SEATS for turn in range(1, USUAL_SEATS)]
        rest = [seat for seat in turns if seat in seats and seat not in winners]
        if winners or len(rest) == TRIPLE:
            for seat in rest:
                self._ron(seat)

    # The events that are no plain turns, by kind.

    def _tsumo(self, event: ev.Draw) -> None:
        word = JMJP[event.pai]
        if self.fourteenth is not None and not self.acts:
            word = "oy"
        elif self.kan and word != UNKNOWN:
            word = f"rs[{word}]"
        self._take(event, word)
        self.drawn = event.pai

    def _dahai(self, event: ev.Discard) -> None:
        tile = event.pai
        word = JMJP[tile]
        if self.riichi == event.actor:
            word = f"rc[{word}]"
            self.riichi = None
        elif tile == self.drawn != HIDDEN and not self.begun.endswith(",oy,"):
            if event.tsumogiri is not False:
                word = "tg"
            elif self._holds_another(event.actor, tile):
                word = "kg"
        self._give(word)

    def _holds_another(self, player: int, tile: Tile) -> bool:
        """Return whether a hand holds a tile like the one that was just drawn."""
        if self.player is not None and not self.player.open:
            # The reader has not drawn it yet.
            return tile in self.player.table.hands[player]
        return Play(self.start).follow(self.events[: self.index]).hands[player].count(tile) > 1

    def _reach(self, event: ev.Riichi) -> None:
        # The act of the discard expresses it. The reader pays the stick at the next act.
        self.riichi = event.actor

    def _chi(self, event: ev.Chi) -> None:
        self._take(event, f"ch[{spell(event.consumed)}]")

    def _pon(self, event: ev.Pon) -> None:
        # Version 0 does not name the tiles of the hand.
        self._take(event, f"pn[{spell(event.consumed)}]" if self.major else "pn")

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        self._take(event, f"dk[{spell(event.consumed)}]" if self.major else "dk")
        self._give("")
        self.kan = True

    def _kakan(self, event: ev.Kakan) -> None:
        self._give(f"kk[{JMJP[event.pai]}]")
        self.kan = True

    def _ankan(self, event: ev.Ankan) -> None:
        self._give(f"ak[{spell(event.consumed if self.major else event.consumed[:1])}]")
        self.kan = True

    def _nukidora(self, event: ev.Nukidora) -> None:
        raise KeyError(f"setting {event.tile} aside")

    def _hora(self, event: ev.Win) -> None:
        self._end(event)
        if event.giver == event.actor:
            self._give("tm")
        else:
            self._ron(event.actor)

    def _ron(self, player: int) -> None:
        self._act(f"{self.letters[player]},{'rn' if self.major else 'ro'},")

    def _end(self, event: ev.Win | ev.Ryukyoku | ev.EndRound) -> None:  # noqa: ARG002 - all take the event
        # The points of the frame express the result.
        self.ended = min(self.ended, self.index)

    _ryukyoku = _end_kyoku = _end

    def end_table(self) -> Table:
        """Return the table after all events of the source. Raises `PlayedWrongError`."""
        player = self.player
        if player is not None:
            # The source's events as acts express them: without the dora, which the frame lists.
            dealt = type(self.events[0]) is ev.StartRound
            read, played = player.events[1:], [*self.events[dealt : self.ended]]
            if played[: len(read)] != read:
                played = [event for event in self.events[: self.ended] if RULES[type(event)] is not _NOTHING]
            begin = played[: len(read)]
            if begin == read or (len(begin) == len(read) and all(map(play_alike, begin, read))):
                table = player.table.copy()
                with suppress(IllegalPlayError):
                    for event in (*played[len(read) :], *self.events[self.ended :]):
                        RULES[type(event)](table, event)
                    return table
        play = play_of(self.round, self.start)
        _refuse(play)
        return play.end


#: By the letters of the seats of an act and of the one before: the beginning of the act. A line is a go-around.
_LEADS: Final = {
    (last, letter): "(" if last and PLACE[last] < PLACE[letter] else "\n("
    for last in ("", *LETTERS)
    for letter in LETTERS
}
#: The beginning of an act after one of the seat before, up to its first half.
_BEGINS: Final = {letter: f"{_LEADS[LETTERS[place - 1], letter]}{letter}," for letter, place in PLACE.items()}
_WRITE: Final = ev.handlers(ActWriter)


def _refuse(play: Play) -> None:
    """Raise `PlayedWrongError` for the first event that cannot happen."""
    for index, error in play.impossible:
        raise PlayedWrongError(str(error), index)


# The plan of a frame.

#: The state of a table that its final hands depend on.
_FINAL: Final = attrgetter("hands", "melds", "turn", "drawn", "winners", "last_tile")


class PlannedFrame(NamedTuple):
    """A frame, its acts in their layout, the reader's play of them, and the player who deals.

    `play` is None if only the whole frame can be read: version 0 leaves a red five open, or the reader refuses an
    act. `table` is the table whose final hands the frame shows, None if the source shows others.
    """

    frame: Frame
    acts: list[str]
    play: ActPlayer | None
    dealer: int
    table: Table | None = None

    def reading(self, major: int, dealer: int, before: Round | None) -> FrameReading:
        """Read the frame as `read_play` does. Works once.

        `before` is the reading of the round before, `dealer` the player who deals in the reading. Raises
        `FrameError`.
        """
        frame, acts, play, own, table = self
        if play is None or dealer != own:
            for flow in frame.flows:
                flow.acts = [act.strip("\n()") for act in acts]
            return read_play(frame, major, dealer, before)
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
    acts: list[str] = []
    flows: list[Flow] = []
    play = table = None
    if game_round.is_played:
        writer = ActWriter(game_round, deal, major)
        hands = [FinalHand(hand) for hand in writer.hands]
        if writer.fourteenth is not None:
            hands[writer.dealer] = replace(hands[writer.dealer], last=writer.fourteenth)
        order = [(writer.dealer + place) % USUAL_SEATS for place in range(USUAL_SEATS)]
        try:
            start = [write_hand(player, hands[player], writer.dealer, major) for player in order]
        except KeyError as error:
            raise writer.wordless(error, 0) from None
        writer.write()
        acts, rare = writer.acts, writer.rare
        table = writer.end_table()
        shown = game_round.final_hands or final_hands(table)
        end = [write_hand(player, shown[player], writer.dealer, major) for player in order]
        flows = [Flow(start, [], end, 0, 0, 0)]
        # Version 0 leaves it open which five was red: then only the whole frame states it.
        play = None if writer.player is None or writer.player.open else writer.player
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
        comment=None if write_text(game_round.comment, major) is None else game_round.comment or None,
        begin=0,
        end=0,
    )
    if KEY in game_round.extras:
        frame = spelled_frame(frame, game_round, major)
    return PlannedFrame(frame, acts, play, dealer, None if game_round.final_hands else table)


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
    return turned(tuple(points), dealer)
