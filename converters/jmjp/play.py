"""From a frame to a round: what its acts, hands and points mean (sections 2.3.7 and 4.2).

Also what the writer asks, to know what its own text will be read back as: there is one reading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain, islice, product
from typing import Final

from msgspec import UNSET, structs

from mjconv.converters.jmjp.acts import TURNS, Act, Giving, Taking, read_act
from mjconv.converters.jmjp.dora import CUSTOMS, Custom, with_dora
from mjconv.converters.jmjp.hands import final_hands, read_hand, same_hand, write_hand
from mjconv.converters.jmjp.heads import DORA, URA, FrameError, by_player, deal, known
from mjconv.converters.jmjp.results import SEATS, gains, result
from mjconv.converters.jmjp.syntax import Frame
from mjconv.converters.jmjp.tiles import JMJP, PLACE
from mjconv.converters.jmjp.tiles import SEATS as LETTERS
from mjconv.ir import events as ev
from mjconv.ir.match import FinalHand, Round
from mjconv.ir.table import DISCARDED, KAN, IllegalPlayError, Table
from mjconv.ir.tiles import HIDDEN, Tile, plain, sorted_tiles
from mjconv.ir.turns import play_turns

#: How many ways to take red fives are tried: there are three red fives, and few calls of fives.
_MOST_CHOICES: Final = 64
#: Tiles of a hand that is dealt.
_DEALT: Final = 13


class Reading:
    """A frame read: the `round`, and what had to be assumed or looks wrong, in words."""

    def __init__(self, game_round: Round) -> None:
        self.round = game_round
        self.assumed: list[tuple[str, str]] = []
        #: What looks wrong, and which of the final hands shows it.
        self.warnings: list[tuple[str, int]] = []


def read_frame(
    frame: Frame, major: int, dealer: int, before: Round | None, custom: Custom = CUSTOMS[0]
) -> Reading:
    """Read a frame whose dealer is this player, after the round before it.

    Raises `FrameError` where the frame cannot be.
    """
    start, assumed = deal(frame, dealer, before)
    reading = (
        _settled(lambda reds: Play(frame, major, dealer, custom, start, reds))
        if frame.flows
        else only_points(frame, dealer, start)
    )
    reading.round.events.append(ev.EndRound())
    return with_head(reading, frame, assumed)


def only_points(frame: Frame, dealer: int, start: ev.StartRound) -> Reading:
    """Read a frame without a flow."""
    after = UNSET if frame.pfe is None else by_player(frame.pfe, dealer)
    return Reading(Round([start], scores_after=after))


def with_head(reading: Reading, frame: Frame, assumed: tuple[str, ...]) -> Reading:
    """Put to a reading what the frame says beside its play; `assumed` are keys of the deal that it says not."""
    game_round = reading.round
    game_round.dice = frame.dice or UNSET
    game_round.comment = frame.comment or UNSET
    game_round.assumed = assumed
    if assumed:
        reading.assumed.append(("start_kyoku.kyotaku", "carried on from the frame before"))
    return reading


def _settled(play: Callable[[Sequence[bool]], Play]) -> Reading:
    """Play a flow; where it leaves open which fives were red, find out how it goes on to its final hands.

    Version 0 does not say which tiles of the hand a call took. What fits all of the flow is taken; where more than
    one choice does, the first is, as an assumption.
    """
    first = play(())
    error: FrameError | None = None
    try:
        first.run()
    except FrameError as refused:
        error = refused
    if not first.open:
        if error is not None:
            raise error
        return first.reading
    fitting = [] if error else [first.reading]
    for reds in islice(product((False, True), repeat=first.open), 1, _MOST_CHOICES):
        other = play(reds)
        with suppress(FrameError):
            other.run()
            fitting.append(other.reading)
    if error is not None and not fitting:
        raise error
    whole = [reading for reading in fitting if reading.round.final_hands is UNSET]
    best = (whole or fitting)[0]
    if len(whole) == 1:
        best.assumed.clear()
    return best


class Play:
    """Plays the acts of one flow at a table, and writes down the events they mean."""

    def __init__(
        self, frame: Frame, major: int, dealer: int, custom: Custom, start: ev.StartRound, reds: Sequence[bool]
    ) -> None:
        self.frame = frame
        self.flow = frame.flows[-1]
        self.major = major
        self.dealer = dealer
        self.custom = custom
        self.start = start
        self.reading = Reading(Round([start]))
        self.events = self.reading.round.events
        #: Whether the red five is among the tiles, at each call of version 0 that leaves it open; how many do.
        self.reds = reds
        self.open = 0
        #: The dealer's fourteenth tile, where it was dealt with the hand, until it is played.
        self.fourteenth: Tile | None = None
        self.table = Table(self._starting_hands(), dealer)
        self.events[0] = structs.replace(start, tehais=tuple(map(tuple, self.table.hands)))
        dora = frame.dora or ()
        self.turned = known(dora[DORA])[1:]
        self.ura = known(dora[URA])
        #: Who declared riichi with the last discard, while it may yet be won on.
        self.declared: int | None = None
        self.paid = [0] * SEATS
        self.tsumo: int | None = None
        self.rons: list[int] = []

    def run(self) -> None:
        """Play the flow to its end. Raises `FrameError`."""
        acts = self.flow.acts
        # Two events an act: most are plain turns.
        turns: list[ev.Event] = list(chain.from_iterable(map(TURNS[self.dealer].__getitem__, acts)))
        index, end = 0, len(acts)
        try:
            while index < end:
                if self.declared is None and self.fourteenth is None and not self.rons:
                    after = play_turns(self.table, turns, 2 * index) // 2
                    if after > index:
                        self.events += turns[2 * index : 2 * after]
                        index = after
                        continue
                self._act(read_act(acts[index]))
                index += 1
            index = max(0, end - 1)  # what is wrong with the end shows at the last act
            if not self.rons:
                self._passed()
            self._result()
        except IllegalPlayError as error:
            raise FrameError(error.told(self._letter, JMJP.__getitem__), "acts", index) from None
        except FrameError as error:
            raise FrameError(error.message, "acts", index) from None
        self._final_hands()

    # Hands.

    def _starting_hands(self) -> list[tuple[Tile, ...]]:
        hands: dict[int, tuple[Tile, ...]] = {}
        for index, entry in enumerate(self.flow.start):
            player, hand = read_hand(entry, self.dealer)
            if player in hands:
                raise FrameError(f"seat {entry[0]} has two starting hands", "start", index)
            if hand.melds:
                raise FrameError("a starting hand has no calls", "start", index)
            if len(hand.concealed) != _DEALT:
                raise FrameError(f"a starting hand has {_DEALT} tiles, not {len(hand.concealed)}", "start", index)
            if hand.last is not UNSET:
                if player != self.dealer:
                    raise FrameError("only the dealer may start with 14 tiles", "start", index)
                self.fourteenth = hand.last
                self.reading.round.dealt_fourteen = True
            hands[player] = hand.concealed
        return [hands[player] for player in range(SEATS)]

    def _final_hands(self) -> None:
        shown = self._shown()
        played = final_hands(self.table)
        for index, (player, entry) in enumerate(shown.items()):
            text = write_hand(player, played[player], self.dealer, self.major)
            if text != entry and not same_hand(self._hand(text), self._hand(entry)):
                self.reading.round.final_hands = tuple(self._hand(shown[seat]) for seat in range(SEATS))
                said = f"the hand shown at the end is {entry[2:]}, where play leaves {text[2:]}"
                self.reading.warnings.append((said, index))

    def _shown(self) -> dict[int, str]:
        shown: dict[int, str] = {}
        for index, entry in enumerate(self.flow.end):
            player = (PLACE[entry[0]] + self.dealer) % SEATS
            if player in shown:
                raise FrameError(f"seat {entry[0]} has two final hands", "end", index)
            shown[player] = entry
        return shown

    def _letter(self, player: int) -> str:
        return LETTERS[(player - self.dealer) % SEATS]

    def _hand(self, entry: str) -> FinalHand:
        return read_hand(entry, self.dealer)[1]

    # Acts.

    def _play(self, event: ev.Event) -> None:
        self.table.apply(event)
        self.events.append(event)

    def _odd(self, message: str) -> None:
        """Refuse an act that cannot stand here; what is played next is how it could be taken nevertheless."""
        raise FrameError(message)

    def _act(self, act: Act) -> None:
        if self.tsumo is not None:
            raise FrameError("after tm no act may stand")
        player = (act.seat + self.dealer) % SEATS
        if act.taking != "ron":
            if self.rons:
                raise FrameError("after a ron only another ron may stand")
            if self.declared is not None:
                self._passed()
        self._TAKE[act.taking](self, player, act)
        if act.giving != "none":
            self._GIVE[act.giving](self, player, act)

    def _passed(self) -> None:
        """Nobody won on the last discard: a riichi declared with it is paid."""
        if self.declared is not None:
            self._play(ev.RiichiAccepted(self.declared))
            self.paid[self.declared] += 1
            self.declared = None

    # How a seat gets its tiles.

    def _draw(self, player: int, act: Act) -> None:
        tile = act.taken[0]
        if self.fourteenth is not None:
            self._odd("the dealer starts with 14 tiles, so that the first act is oy")
            self.fourteenth = None
        if self.table.phase is KAN and tile != HIDDEN:
            self._odd("after a kan the tile from the dead wall is written rs[...]")
        self._play(ev.Draw(player, tile))

    def _rinshan(self, player: int, act: Act) -> None:
        if self.table.phase is not KAN:
            self._odd("rs stands only after a kan of the same seat")
        self._play(ev.Draw(player, act.taken[0]))

    def _dealt(self, player: int, act: Act) -> None:
        if self.fourteenth is None:
            self._odd("oy stands only where the dealer starts with 14 tiles, as the first act")
        self._play(ev.Draw(player, self.fourteenth or HIDDEN))
        if act.giving not in ("tile", "riichi"):
            self.fourteenth = None

    def _chi(self, player: int, act: Act) -> None:
        target, tile = self._called("chi")
        self._play(ev.Chi(player, target, tile, act.taken))

    def _pon(self, player: int, act: Act) -> None:
        target, tile = self._called("pon")
        self._play(ev.Pon(player, target, tile, act.taken or self._like(player, tile, 2)))

    def _daiminkan(self, player: int, act: Act) -> None:
        target, tile = self._called("kan")
        self._play(ev.Daiminkan(player, target, tile, act.taken or self._like(player, tile, 3)))

    def _ron(self, player: int, act: Act) -> None:  # noqa: ARG002 - all take an act
        table = self.table
        if table.phase not in (DISCARDED, KAN) or player in (table.last_actor, *self.rons):
            raise FrameError("rn stands only after a discard or kakan of another seat, once a seat")
        self.rons.append(player)

    def _called(self, what: str) -> tuple[int, Tile]:
        if self.table.phase is not DISCARDED:
            self._odd(f"nothing was discarded that a {what} could take")
        return self.table.last_actor, self.table.last_tile

    def _like(self, player: int, tile: Tile, count: int) -> tuple[Tile, ...]:
        """Give tiles of the hand like this one, which version 0 does not spell out: plain fives before red."""
        if tile == HIDDEN:
            return (HIDDEN,) * count
        hand = self.table.hands[player]
        like = sorted_tiles([own for own in hand if plain(own) == plain(tile)])
        if len(like) > count and len(set(like)) > 1:
            if self.open < len(self.reds) and self.reds[self.open]:
                like.reverse()
            self.open += 1
            self.reading.assumed.append(("which five was red", f"{' '.join(like[:count])} of {' '.join(like)}"))
        # A hidden hand holds what it calls with.
        hidden = min(hand.count(HIDDEN), count - len(like))
        tiles = (*like, *[plain(tile)] * hidden)[:count]
        if len(tiles) < count:
            self._odd(f"the hand does not hold {count} tiles like {JMJP[tile]}")
            tiles += (plain(tile),) * (count - len(tiles))
        return tiles

    # What it does then.

    def _tile(self, player: int, act: Act) -> None:
        tile = act.given[0]
        # The only copy can only be the tile drawn; but a fourteenth tile of the deal is like any other.
        only = self.table.drawn == tile != HIDDEN and self.table.hands[player].count(tile) == 1
        self._discard(player, tile, tsumogiri=only and self.fourteenth is None)

    def _drawn(self, player: int, act: Act) -> None:  # noqa: ARG002 - all take an act
        if self.table.drawn is None:
            self._odd("tg discards the tile just drawn, and none was drawn")
        self._discard(player, self.table.drawn or HIDDEN, tsumogiri=True)

    def _same(self, player: int, act: Act) -> None:  # noqa: ARG002 - all take an act
        tile = self.table.drawn or HIDDEN
        hand = self.table.hands[player]
        if self.table.drawn is None:
            self._odd("kg discards a tile like the one just drawn, and none was drawn")
        elif hand.count(tile) < 2 and HIDDEN not in hand:
            self._odd("kg discards another tile like the one just drawn, and the hand holds none")
        self._discard(player, tile, tsumogiri=False)

    def _riichi(self, player: int, act: Act) -> None:
        self._play(ev.Riichi(player))
        tile = act.given[0]
        self._discard(player, tile, tsumogiri=self.table.drawn == tile != HIDDEN)
        self.declared = player

    def _discard(self, player: int, tile: Tile, *, tsumogiri: bool) -> None:
        self._play(ev.Discard(player, tile, tsumogiri))
        self.fourteenth = None

    def _kakan(self, player: int, act: Act) -> None:
        tile = act.given[0]
        pon = self.table.pon_of(player, tile)
        if pon is None:
            self._odd(f"there is no pon that {JMJP[tile]} can join")
        own = (HIDDEN, HIDDEN, HIDDEN) if pon is None else (*pon.own, pon.called or HIDDEN)
        self._play(ev.Kakan(player, tile, own))

    def _ankan(self, player: int, act: Act) -> None:
        tiles = act.given if len(act.given) == 4 else self._like(player, act.given[0], 4)
        self._play(ev.Ankan(player, tiles))

    def _tsumo(self, player: int, act: Act) -> None:  # noqa: ARG002 - all take an act
        self.tsumo = player

    _TAKE: Final[dict[Taking, Callable[[Play, int, Act], None]]] = {
        "draw": _draw,
        "rinshan": _rinshan,
        "dealt": _dealt,
        "chi": _chi,
        "pon": _pon,
        "daiminkan": _daiminkan,
        "ron": _ron,
    }
    _GIVE: Final[dict[Giving, Callable[[Play, int, Act], None]]] = {
        "tile": _tile,
        "drawn": _drawn,
        "same": _same,
        "riichi": _riichi,
        "kakan": _kakan,
        "ankan": _ankan,
        "tsumo": _tsumo,
    }

    # How it ends.

    def _result(self) -> None:
        start = self.start
        gained: list[int] | None = None
        if self.frame.pfe is not None:
            after = by_player(self.frame.pfe, self.dealer)
            if start.scores is UNSET:
                self.reading.round.scores_after = after
            else:
                gained = gains(start.scores, after, self.paid)
        events, self.reading.round.blocked = result(
            self.table, start, self.tsumo, self.rons, gained, self.paid, self.ura
        )
        for event in events:
            self._play(event)
        self._turn_dora()

    def _turn_dora(self) -> None:
        self.reading.round.events = with_dora(self.events, self.turned, self.custom)
