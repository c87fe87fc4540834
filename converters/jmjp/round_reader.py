"""From a frame to a round: plays the acts of a frame (sections 2.3.7 and 4.2), and finds the places of its events.

The writer uses the same code: an `ActPlayer` plays each act as soon as it is written. So the writer knows how its
text is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, product
from typing import Final, cast

import msgspec
from msgspec import UNSET, structs

from mjconv.converters.jmjp.frames import (
    DORA_FIELDS,
    URA_FIELDS,
    Flow,
    Frame,
    FrameError,
    deal,
    final_hands,
    known,
    read_hand,
    same_hand,
    with_played_melds,
    write_hand,
)
from mjconv.converters.jmjp.spelling import JMJP, LETTERS, NO_TURN, PLACE, TURNS, FrameAct, read_act, spell_tile
from mjconv.converters.shared.dora import CUSTOMS, Custom, with_dora
from mjconv.converters.shared.wins import gains, result
from mjconv.ir import events as ev
from mjconv.ir.match import USUAL_SEATS, FinalHand, Round
from mjconv.ir.play import Play, keep_play
from mjconv.ir.seats import turned
from mjconv.ir.table import DISCARDED, KAN, RIICHI_ACCEPTED, IllegalPlayError, Table
from mjconv.ir.tiles import HAND, HIDDEN, Tile, plain, sorted_tiles
from mjconv.ir.turns import play_turns
from mjconv.rules.scores import RIICHI_STICK

#: The most choices of red fives that are tried. There are three red fives, and few calls of fives.
_MOST_CHOICES: Final = 64
#: The keys of a deal that the name of its frame states.
_NAME: Final = ("bakaze", "kyoku", "honba")
#: The events after the play.
_ENDS: Final = ev.RESULTS | {ev.EndRound}


class FrameReading(msgspec.Struct):
    """The reading of a frame: the `round`, and the warnings, each with a final hand.

    Each choice of red fives that is `assumed` has the index of its event, each of the `faults` that of the first
    event in doubt. `whole` is false if the frame could not be read to its end. Then the round has no result.
    `table` is the table before the result, if the reader keeps it and no play is in doubt.
    """

    round: Round
    assumed: list[tuple[str, int]] = []
    warnings: list[tuple[str, int]] = []
    faults: list[tuple[FrameError, int]] = []
    whole: bool = True
    table: Table | None = None


class ActPlayer:
    """Plays acts at a table, and writes down the events that they mean.

    The reader calls `begin`, `run` with all acts, and `end`. The writer calls `plain_turns` and `act` while it
    writes. Then it calls `begin` and `end`. They raise `FrameError` or `IllegalPlayError`.

    At a table that is not strict, an event that the table refuses is played all the same, and is no fault: the
    referee finds it. An act that the notation does not allow there is a fault, and is read in its likely meaning.
    After an act without a meaning, reading ends with a `FrameError`.
    """

    def __init__(
        self, table: Table, major: int, fourteenth: Tile | None = None, reds: Sequence[bool] = ()
    ) -> None:
        self.table = table
        self.dealer = table.oya
        self.major = major
        self.dealt = tuple(map(tuple, table.hands))
        #: The dealer's fourteenth tile, if it was dealt with the hand and is not played yet.
        self.fourteenth = fourteenth
        self.start = ev.StartRound()
        self.reading = FrameReading(Round([self.start], dealt_fourteen=fourteenth is not None))
        self.events = self.reading.round.events
        #: For each call of version 0 that leaves it open: whether the red five is among its tiles.
        self.reds = reds
        #: The number of these calls.
        self.open = 0
        #: The player who declared riichi with the last discard and has not paid the stick yet.
        self.declared: int | None = None
        self.paid = [0] * USUAL_SEATS
        self.tsumo: int | None = None
        self.rons: list[int] = []
        #: The index of the current act, and why the notation does not allow it, until its event is played.
        self.index = 0
        self.odd: str | None = None

    def begin(self, start: ev.StartRound) -> None:
        """Set the deal. `start` is the deal without its hands."""
        self.start = start
        self.events[0] = structs.replace(start, tehais=self.dealt)

    def run(self, acts: Sequence[str]) -> None:
        """Play all acts of a flow. Raises `FrameError` with the index of the act that cannot be played."""
        # Two events an act: most are plain turns.
        turns: list[ev.Event] = list(chain.from_iterable(map(TURNS[self.dealer].__getitem__, acts)))
        index, end = 0, len(acts)
        try:
            while index < end:
                if turns[2 * index] is not NO_TURN[0]:
                    after = self.plain_turns(turns, 2 * index) // 2
                    if after > index:
                        index = after
                        continue
                self.index = index
                self.act(read_act(acts[index]))
                index += 1
        except IllegalPlayError as error:
            raise FrameError(self._refusal(error), "acts", index) from None
        except FrameError as error:
            raise FrameError(error.message, "acts", index) from None

    def plain_turns(self, turns: Sequence[ev.Event], begin: int) -> int:
        """Play turns from an index on, as long as they are plain. Returns the index after the last one."""
        if self.declared is not None or self.fourteenth is not None or self.rons:
            return begin
        after = play_turns(self.table, turns, begin)
        self.events += turns[begin:after]
        return after

    def end(self, frame: Frame, *, keeps: bool = False) -> None:
        """Play the result that follows from the acts and the points of the frame. Raises `FrameError`.

        With `keeps`, the reading gets the table before the result.
        """
        try:
            if not (self.rons or self._keeps_stick(frame)):
                self.pass_riichi()
            if keeps and not (self.table.impossible or self.reading.faults):
                self.reading.table = self.table
                self.table = self.table.copy()
            self._result(frame)
        except IllegalPlayError as error:
            message = self._refusal(error)
        except FrameError as error:
            message = error.message
        else:
            return
        # A wrong end is reported at the last act.
        raise FrameError(message, "acts", max(0, len(frame.flows[-1].acts) - 1))

    def _keeps_stick(self, frame: Frame) -> bool:
        """Return whether a draw follows a riichi discard whose stick, by the points at the end, was not paid."""
        scores = self.start.scores
        if self.declared is None or self.tsumo is not None or frame.pfe is None or scores is UNSET:
            return False
        return sum(frame.pfe) == sum(scores) - RIICHI_STICK * sum(self.paid)

    def check_final_hands(self, entries: Sequence[str]) -> None:
        """Compare the final hands of the text with the hands at the end of play.

        Raises `FrameError` if a seat has two final hands.
        """
        shown = self._by_player(entries)
        if self.table.impossible or self.reading.faults:
            # The hands that play leaves are in doubt: the hands shown are kept as they are.
            self._keep_hands(shown)
            return
        played = final_hands(self.table)
        for index, (player, entry) in enumerate(shown.items()):
            text = write_hand(player, played[player], self.dealer, self.major)
            if text != entry and not same_hand(self._hand(text, played), self._hand(entry, played)):
                self._keep_hands(shown, played)
                warning = f"the hand shown at the end is {entry[2:]}, where play leaves {text[2:]}"
                self.reading.warnings.append((warning, index))

    def _keep_hands(self, shown: dict[int, str], played: Sequence[FinalHand] = ()) -> None:
        entries = (shown[player] for player in range(USUAL_SEATS))
        self.reading.round.final_hands = tuple([self._hand(entry, played) for entry in entries])

    def _by_player(self, entries: Iterable[str]) -> dict[int, str]:
        shown: dict[int, str] = {}
        for index, entry in enumerate(entries):
            player = (PLACE[entry[0]] + self.dealer) % USUAL_SEATS
            if player in shown:
                raise FrameError(f"seat {entry[0]} has two final hands", "end", index)
            shown[player] = entry
        return shown

    def _letter(self, player: int) -> str:
        return LETTERS[(player - self.dealer) % USUAL_SEATS]

    def _hand(self, entry: str, played: Sequence[FinalHand]) -> FinalHand:
        player, hand = read_hand(entry, self.dealer)
        return hand if self.major or not played else with_played_melds(hand, played[player])

    def _refusal(self, error: IllegalPlayError) -> str:
        return error.message_with(self._letter, spell_tile)

    # Acts.

    def _play(self, event: ev.Event) -> None:
        table = self.table
        table.apply(event)
        if self.odd is not None:
            # What the table refuses is no fault of the notation.
            if not (table.impossible and table.impossible[-1].event is event):
                self.reading.faults.append((FrameError(self.odd, "acts", self.index), len(self.events)))
            self.odd = None
        self.events.append(event)

    def _odd(self, message: str) -> None:
        """Refuse an act. At a table that is not strict, it is played as it was probably meant."""
        if self.table.strict:
            raise FrameError(message)
        self.odd = message

    def act(self, act: FrameAct) -> None:
        """Play an act: how the seat gets its tile, then the discard, the kan or the win that follows."""
        seat, taking, taken, giving, given = act
        player = (seat + self.dealer) % USUAL_SEATS
        if self.tsumo is not None:
            raise FrameError("no act may follow tm")
        if taking not in ("rn", "ro"):
            if self.rons:
                raise FrameError("only another ron may follow a ron")
            self.pass_riichi()
        self._TAKE[taking](self, player, taken)
        if taking == "oy" and giving not in ("tile", "rc"):
            self.fourteenth = None
        if giving:
            self._GIVE[giving](self, player, given)

    def pass_riichi(self) -> None:
        """Pay the stick of a riichi that was declared with the last discard: nobody won on it."""
        declared, self.declared = self.declared, None
        # Who was in riichi before does not pay again.
        if declared is not None and self.table.riichi[declared] != RIICHI_ACCEPTED:
            self._play(ev.RiichiAccepted(declared))
            self.paid[declared] += 1

    # The first half of an act, by its word.

    def _draw(self, player: int, tiles: tuple[Tile, ...]) -> None:
        tile = tiles[0]
        if self.fourteenth is not None:
            self._odd("the dealer starts with 14 tiles, so that the first act is oy")
            self.fourteenth = None
        if self.table.phase is KAN and tile != HIDDEN:
            self._odd("after a kan the tile from the dead wall is written rs[...]")
        self._play(ev.Draw(player, tile))

    def _rinshan(self, player: int, tiles: tuple[Tile, ...]) -> None:
        if self.table.phase is not KAN:
            self._odd("rs is allowed only after a kan of the same seat")
        self._play(ev.Draw(player, tiles[0]))

    def _dealt(self, player: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002 - all take tiles
        if self.fourteenth is None:
            self._odd("oy is allowed only as the first act, where the dealer starts with 14 tiles")
        self._play(ev.Draw(player, self.fourteenth or HIDDEN))

    def _chi(self, player: int, tiles: tuple[Tile, ...]) -> None:
        target, tile = self._called("chi")
        self._play(ev.Chi(player, target, tile, tiles))

    def _pon(self, player: int, tiles: tuple[Tile, ...]) -> None:
        target, tile = self._called("pon")
        self._play(ev.Pon(player, target, tile, tiles or self._like(player, tile, 2)))

    def _daiminkan(self, player: int, tiles: tuple[Tile, ...]) -> None:
        target, tile = self._called("kan")
        self._play(ev.Daiminkan(player, target, tile, tiles or self._like(player, tile, 3)))

    def _ron(self, player: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002 - all take tiles
        table = self.table
        if table.phase not in (DISCARDED, KAN) or player in (table.last_actor, *self.rons):
            raise FrameError("rn is allowed only after a discard or kakan of another seat, once a seat")
        self.rons.append(player)

    def _called(self, what: str) -> tuple[int, Tile]:
        if self.table.phase is not DISCARDED:
            message = f"there is no discard that a {what} could take"
            if self.table.last_actor < 0:
                raise FrameError(message)
            self._odd(message)
        return self.table.last_actor, self.table.last_tile

    def _like(self, player: int, tile: Tile, count: int) -> tuple[Tile, ...]:
        """Choose tiles of the hand that are like this one: version 0 does not spell them. Plain fives first."""
        if tile == HIDDEN:
            return (HIDDEN,) * count
        hand = self.table.hands[player]
        like = sorted_tiles([own for own in hand if plain(own) == plain(tile)])
        if len(like) > count and len(set(like)) > 1:
            if self.open < len(self.reds) and self.reds[self.open]:
                like.reverse()
            self.open += 1
            self.reading.assumed.append((f"{' '.join(like[:count])} of {' '.join(like)}", len(self.events)))
        # A hidden hand is taken to hold the tiles of its calls.
        hidden = min(hand.count(HIDDEN), count - len(like))
        tiles = (*like, *[plain(tile)] * hidden)[:count]
        if len(tiles) < count:
            self._odd(f"the hand does not hold {count} tiles like {JMJP[tile]}")
            tiles += (plain(tile),) * (count - len(tiles))
        return tiles

    # The second half of an act, by its word.

    def _tile(self, player: int, tiles: tuple[Tile, ...]) -> None:
        tile = tiles[0]
        # The only copy is the tile drawn. A fourteenth tile of the deal is like any other tile of the hand.
        only = self.table.drawn == tile != HIDDEN and self.table.hands[player].count(tile) == 1
        self._discard(player, tile, tsumogiri=only and self.fourteenth is None)

    def _drawn(self, player: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002 - all take tiles
        if self.table.drawn is None:
            self._odd("tg discards the tile just drawn, and none was drawn")
        self._discard(player, self.table.drawn or HIDDEN, tsumogiri=True)

    def _same(self, player: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002 - all take tiles
        tile = self.table.drawn or HIDDEN
        hand = self.table.hands[player]
        if self.table.drawn is None:
            self._odd("kg discards a tile like the one just drawn, and none was drawn")
        elif hand.count(tile) < 2 and HIDDEN not in hand:
            self._odd("kg discards another tile like the one just drawn, and the hand holds none")
        self._discard(player, tile, tsumogiri=False)

    def _riichi(self, player: int, tiles: tuple[Tile, ...]) -> None:
        self._play(ev.Riichi(player))
        tile = tiles[0]
        self._discard(player, tile, tsumogiri=self.table.drawn == tile != HIDDEN)
        self.declared = player

    def _discard(self, player: int, tile: Tile, *, tsumogiri: bool) -> None:
        self._play(ev.Discard(player, tile, tsumogiri))
        self.fourteenth = None

    def _kakan(self, player: int, tiles: tuple[Tile, ...]) -> None:
        tile = tiles[0]
        pon = self.table.pon_of(player, tile)
        if pon is None:
            self._odd(f"there is no pon that {JMJP[tile]} can join")
        own = (HIDDEN, HIDDEN, HIDDEN) if pon is None else (*pon.own, pon.called or HIDDEN)
        self._play(ev.Kakan(player, tile, own))

    def _ankan(self, player: int, tiles: tuple[Tile, ...]) -> None:
        if len(tiles) != 4:
            # Version 0 spells one tile, the first of the four: it may be the red five.
            others = list(self._like(player, tiles[0], 4))
            others.remove(tiles[0] if tiles[0] in others else others[-1])
            tiles = (tiles[0], *others)
        self._play(ev.Ankan(player, tiles))

    def _tsumo(self, player: int, tiles: tuple[Tile, ...]) -> None:  # noqa: ARG002 - all take tiles
        self.tsumo = player

    _TAKE: Final[dict[str, Callable[[ActPlayer, int, tuple[Tile, ...]], None]]] = {
        "tile": _draw,
        "rs": _rinshan,
        "oy": _dealt,
        "ch": _chi,
        "pn": _pon,
        "dk": _daiminkan,
        "rn": _ron,
        "ro": _ron,
    }
    _GIVE: Final[dict[str, Callable[[ActPlayer, int, tuple[Tile, ...]], None]]] = {
        "tile": _tile,
        "tg": _drawn,
        "kg": _same,
        "rc": _riichi,
        "kk": _kakan,
        "ak": _ankan,
        "tm": _tsumo,
    }

    # The end of the flow.

    def _result(self, frame: Frame) -> None:
        start = self.start
        gained: list[int] | None = None
        if frame.pfe is not None:
            after = turned(frame.pfe, -self.dealer)
            if start.scores is UNSET:
                self.reading.round.scores_after = after
            else:
                gained = gains(start.scores, after, self.paid)
        ura = known((frame.dora or ())[URA_FIELDS])
        events, self.reading.round.blocked = result(
            self.table, self.events, start, self.tsumo, self.rons, gained, self.paid, ura
        )
        if ura and not any(type(event) is ev.Win and event.ura_markers for event in events):
            self.reading.warnings.append(("ura dora are typed, but no winner is in riichi", 0))
        for event in events:
            self._play(event)


# A frame.


def read_frame(
    frame: Frame,
    major: int,
    dealer: int,
    before: Round | None,
    custom: Custom = CUSTOMS[0],
    *,
    lenient: bool = False,
) -> FrameReading:
    """Read a frame. `dealer` is the player who deals in it, `before` the round before it.

    Raises `FrameError` if the frame cannot be played. If `lenient`, it reads on after errors, as `ActPlayer` does,
    and returns them as faults. A frame that is not closed has no result, unless its acts claim a win.
    """
    reading = read_play(frame, major, dealer, before, lenient=lenient)
    reading.round = with_turned(reading.round, frame, custom)
    if reading.faults or reading.assumed:
        # They have counted the events without the dora turned.
        indices = [index for index, event in enumerate(reading.round.events) if type(event) is not ev.Dora]
        indices.append(len(reading.round.events))
        reading.faults = [(error, indices[event]) for error, event in reading.faults]
        reading.assumed = [(fives, indices[event]) for fives, event in reading.assumed]
    if reading.table is not None:
        events, end = reading.round.events, len(reading.round.events)
        while type(events[end - 1]) in _ENDS:
            end -= 1
        keep_play(reading.round, Play(cast(ev.StartRound, events[0]), reading.table, events[:end]))
    return reading


def read_play(
    frame: Frame,
    major: int,
    dealer: int,
    before: Round | None,
    *,
    lenient: bool = False,
) -> FrameReading:
    """Read a frame as `read_frame` does, without the dora that are turned in play."""
    faults: list[tuple[FrameError, int]] = []
    try:
        start, assumed = deal(frame, dealer, before)
    except FrameError as error:
        if not lenient:
            raise
        faults.append((error, 0))
        start, _ = deal(structs.replace(frame, kyoutak=None), dealer, None)
        start, assumed = structs.replace(start, kyotaku=UNSET), ()
    if not frame.flows:
        reading = FrameReading(Round([start]))
        reading.whole = frame.closed
    elif lenient:
        reading = _read_on(frame, major, dealer, start)
    else:
        reading = _settled(lambda reds: _play_flow(frame, major, dealer, start, reds))
    if reading.whole:
        reading.round.events.append(ev.EndRound())
    if frame.pfe is not None and not (frame.flows and reading.whole):
        # No result states these points.
        reading.round.scores_after = turned(frame.pfe, -dealer)
    reading.faults[:0] = faults
    return with_head(reading, frame, assumed)


def turned_in(frame: Frame) -> tuple[Tile, ...]:
    """Return the indicators of a frame that were turned in play."""
    return known((frame.dora or ())[DORA_FIELDS])[1:]


def with_turned(game_round: Round, frame: Frame, custom: Custom) -> Round:
    """Return the round with the dora of its frame, which are turned by this custom."""
    if turned := turned_in(frame):
        return structs.replace(game_round, events=with_dora(game_round.events, turned, custom))
    return game_round


def with_head(reading: FrameReading, frame: Frame, assumed: tuple[str, ...]) -> FrameReading:
    """Add the dice and the comment of the frame. `assumed` are the keys of the deal that the frame leaves out."""
    game_round = reading.round
    game_round.dice = frame.dice or UNSET
    game_round.comment = frame.comment or UNSET
    game_round.assumed = assumed if frame.named else (*_NAME, *assumed)
    return reading


def _settled(play: Callable[[Sequence[bool]], tuple[ActPlayer, FrameError | None]]) -> FrameReading:
    """Play a flow. If it does not state which fives were red, choose red fives that fit the rest of the flow.

    Version 0 does not state which tiles of the hand a call took. If several choices fit, the first one is assumed.
    """
    first, error = play(())
    if error is None and not first.open:
        return first.reading
    fitting = [] if error else [first.reading]
    for reds in islice(product((False, True), repeat=first.open), 1, _MOST_CHOICES):
        other, refused = play(reds)
        if refused is None:
            fitting.append(other.reading)
    if error is not None and not fitting:
        raise error
    whole = [reading for reading in fitting if reading.round.final_hands is UNSET]
    best = (whole or fitting)[0]
    if len(whole) == 1:
        best.assumed.clear()
    return best


def _play_flow(
    frame: Frame, major: int, dealer: int, start: ev.StartRound, reds: Sequence[bool] = (), *, strict: bool = True
) -> tuple[ActPlayer, FrameError | None]:
    """Play the last flow of a frame. Returns the player of the acts, and the error that ended the play.

    A frame that is not closed may go on, unless its acts claim a win. Raises `FrameError` for the starting hands.
    """
    flow = frame.flows[-1]
    hands, fourteenth = starting_hands(flow, dealer)
    player = ActPlayer(Table(hands, dealer, strict=strict), major, fourteenth, reds)
    player.begin(start)
    player.reading.whole = False
    try:
        player.run(flow.acts)
        if frame.closed or player.rons or player.tsumo is not None:
            player.end(frame, keeps=True)
        player.reading.whole = frame.closed
        if frame.closed and flow.end:
            player.check_final_hands(flow.end)
    except FrameError as error:
        return player, error
    return player, None


def _read_on(frame: Frame, major: int, dealer: int, start: ev.StartRound) -> FrameReading:
    """Play the last flow of a frame as far as it can be played, and note its faults."""
    reading = FrameReading(Round([start]))
    reading.whole = False
    error: FrameError | None
    try:
        player, error = _play_flow(frame, major, dealer, start, strict=False)
    except FrameError as wrong_hands:
        reading.faults.append((wrong_hands, 0))
        return reading
    if error is not None:
        player.reading.faults.append((error, len(player.events)))
    return player.reading


def starting_hands(flow: Flow, dealer: int) -> tuple[list[tuple[Tile, ...]], Tile | None]:
    """Read the starting hands: 13 tiles a player, and the dealer's fourteenth tile if it is shown."""
    hands: dict[int, tuple[Tile, ...]] = {}
    fourteenth: Tile | None = None
    for index, entry in enumerate(flow.start):
        player, hand = read_hand(entry, dealer)
        if player in hands:
            raise FrameError(f"seat {entry[0]} has two starting hands", "start", index)
        if hand.melds:
            raise FrameError("a starting hand has no calls", "start", index)
        if len(hand.concealed) != HAND:
            raise FrameError(f"a starting hand has {HAND} tiles, not {len(hand.concealed)}", "start", index)
        if hand.last is not UNSET:
            if player != dealer:
                raise FrameError("only the dealer may start with 14 tiles", "start", index)
            fourteenth = hand.last
        hands[player] = hand.concealed
    # A frame may stop before its fourth hand.
    return [hands.get(player, (HIDDEN,) * HAND) for player in range(USUAL_SEATS)], fourteenth


# The places of events.

_GIVEN: Final = frozenset({ev.Discard, ev.Riichi, ev.Kakan, ev.Ankan})
#: The number of characters of the dora field with its comma, and of a dora with its ura.
_DORA_FIELD: Final = 21
_DORA_STEP: Final = 4


def event_offsets(frame: Frame, events: Sequence[ev.Event], dealer: int) -> list[int]:
    """Return the offset in the stripped text of each event that was read from a frame.

    An event is at its act; a discard, or a meld of tiles of the hand alone, at the second half of its act. A dora
    is at its indicator, a win at the word that claims it, an exhausted wall at the points after it.
    """
    if not frame.flows:
        return [frame.begin, frame.end - 1]
    flow = frame.flows[-1]
    claims: dict[int, int] = {}
    halves: list[tuple[int, int]] = []
    offset = flow.acts_at
    for act in flow.acts:
        given = offset + act.rindex(",") + 2
        halves.append((offset, given))
        if act.endswith(",tm") or act[2:4] in ("rn", "ro"):
            claims[(PLACE[act[0]] + dealer) % USUAL_SEATS] = given if act.endswith(",tm") else offset
        offset += len(act) + 2
    after = flow.offset("end", 0) if frame.pfe is None else flow.offset("end", len(flow.end)) + 1
    return list(_offsets(frame, events, halves, claims, after))


def _offsets(
    frame: Frame, events: Sequence[ev.Event], halves: list[tuple[int, int]], claims: dict[int, int], after: int
) -> Iterator[int]:
    """Yield the offset of each event. `halves` are the offsets of each act and of its second half."""
    acts = iter(halves)
    taken = given = offset = frame.begin
    dora = frame.flows[0].start_at - _DORA_FIELD
    for event in events:
        kind = type(event)
        if isinstance(event, ev.Dora):
            dora += _DORA_STEP
            yield dora
            continue
        if kind in ev.TAKES:
            taken, given = next(acts)
            offset = taken
        elif kind in _GIVEN:
            offset = given
        elif isinstance(event, ev.Win):
            offset = claims[event.actor]
        elif isinstance(event, ev.Ryukyoku):
            offset = after
        elif isinstance(event, ev.EndRound):
            offset = frame.end - 1
        # A riichi is accepted where its discard is.
        yield offset
