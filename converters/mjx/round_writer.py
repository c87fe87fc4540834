"""Writes a round as a state: its events, the observations of the players, the wall, and the end."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.mjx import state, vocabulary
from mjconv.converters.mjx.wall import SEATS, Numbering
from mjconv.converters.shared.ends import shown_hands
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.meldcode import NumberedCall, add_call, encode
from mjconv.converters.shared.tile_numbers import COPIES, WITH_REDS
from mjconv.converters.shared.winning_hands import YAKU_NUMBERS, WinningHand, hub_yaku
from mjconv.ir import events as ev
from mjconv.ir.message_names import KNOWN_YAKU, reason_of
from mjconv.ir.tiles import HAND, WINDS, Tile
from mjconv.rules.scores import RIICHI_STICK

#: The type of the event of each call, without its prefix, by the hub's name.
_CALLS: Final = {name: kind for kind, name in vocabulary.CALLS.items()}
_DRAGONS: Final = frozenset(YAKU_NUMBERS[name] for name in ("haku", "hatsu", "chun"))


class StateWriter:
    """Writes a round. `deal` and `events` have all derived values; `numbers` has the numbers of the tiles."""

    def __init__(
        self, deal: ev.StartRound, events: Sequence[ev.Event], numbers: Numbering, blocked: Sequence[int]
    ) -> None:
        self.source = events
        self.numbers = numbers
        self.blocked = blocked
        self.deal = deal
        self.hands = [list(hand) for hand in numbers.hands]
        self.opens: list[list[NumberedCall]] = [[] for _ in range(SEATS)]
        self.draws: list[list[int]] = [[] for _ in range(SEATS)]
        self.riichi = [False] * SEATS
        self.tens = list(deal.scores or ())
        self.sticks = int(deal.kyotaku or 0)
        #: The tile just drawn, and the tile that may be won: -1 for none.
        self.drawn = -1
        self.last = -1
        self.turned = 1
        self.front = iter(numbers.wall[HAND * SEATS :])
        self.back = reversed(numbers.wall)
        self.replaces = False
        self.events: list[state.Event] = []
        self.wins: list[state.StateWin] = []
        self.draw: state.NoWinner | None = None

    def write(self) -> None:
        """Write the events. Raises `CannotHoldError`."""
        for index, event in enumerate(self.source):
            write = _HANDLERS.get(type(event))
            try:
                if write is None:
                    raise CannotHoldError(f"mjx has no {ev.name_of(event)}")
                write(self, event)
            except CannotHoldError as error:
                error.event = index
                raise

    def written_state(self, names: Sequence[str], scores: Sequence[int] | None, *, over: bool) -> state.MjxState:
        """Return the state. `scores` are the points at the end of the game, if it is `over` with this round."""
        numbers = self.numbers
        end: state.Terminal | None = None
        if self.wins or self.draw is not None:
            end = state.Terminal(
                final_score=self._score(0 if self.wins or over else self.sticks, scores or self.tens),
                wins=tuple(self.wins),
                no_winner=self.draw,
                is_game_over=over,
            )
        return state.MjxState(
            hidden_state=state.Hidden(
                wall=tuple(numbers.stated), ura_dora_indicators=tuple(numbers.ura[: self.turned])
            ),
            public_observation=state.Public(
                player_ids=tuple(names),
                init_score=self._score(int(self.deal.kyotaku or 0), self.deal.scores or ()),
                dora_indicators=tuple(numbers.indicators[: self.turned]),
                events=tuple(self.events),
            ),
            private_observations=tuple([self._private(seat) for seat in range(SEATS)]),
            round_terminal=end,
        )

    def _score(self, sticks: int, tens: Sequence[int]) -> state.Score:
        number = WINDS.index(self.deal.bakaze or WINDS[0]) * SEATS + int(self.deal.kyoku or 1) - 1
        return state.Score(round=number, honba=int(self.deal.honba or 0), riichi=sticks, tens=tuple(tens))

    def _private(self, seat: int) -> state.Private:
        return state.Private(
            who=seat,
            init_hand=state.Hand(tuple(self.numbers.hands[seat])),
            draw_history=tuple(self.draws[seat]),
            curr_hand=self._hand(seat),
        )

    def _hand(self, seat: int) -> state.Hand:
        return state.Hand(tuple(sorted(self.hands[seat])), tuple(map(encode, self.opens[seat])))

    def _add(self, kind: str, seat: int = 0, tile: int = 0, code: int = 0) -> None:
        self.events.append(state.Event(vocabulary.PREFIX + kind, seat, tile, code))

    def _take(self, seat: int, tile: Tile, *, drawn: bool = False) -> int:
        """Take the lowest copy of a tile out of a hand; the one just drawn first if `drawn`, else last."""
        copies = [number for number in COPIES[True].get(tile, ()) if number in self.hands[seat]]
        if not copies:
            raise CannotHoldError(f"the player does not hold {tile}")
        number = min(copies, key=lambda copy: ((copy == self.drawn) != drawn, copy))
        self.hands[seat].remove(number)
        return number

    # The events.

    def _start_kyoku(self, event: ev.StartRound) -> None:
        pass

    _end_kyoku = _start_kyoku

    def _tsumo(self, event: ev.Draw) -> None:
        self.drawn = next(self.back if self.replaces else self.front)
        self.replaces = False
        self.hands[event.actor].append(self.drawn)
        self.draws[event.actor].append(self.drawn)
        self._add("DRAW", event.actor)

    def _dahai(self, event: ev.Discard) -> None:
        self.last = self._take(event.actor, event.pai, drawn=event.tsumogiri is True)
        if self.last == self.drawn:
            self._add("TSUMOGIRI", event.actor, self.last)
        else:
            self.events.append(state.Event(who=event.actor, tile=self.last))
        self.drawn = -1

    def _reach(self, event: ev.Riichi) -> None:
        self.riichi[event.actor] = True
        self._add("RIICHI", event.actor)

    def _reach_accepted(self, event: ev.RiichiAccepted) -> None:
        self.tens[event.actor] -= RIICHI_STICK
        self.sticks += 1
        self._add("RIICHI_SCORE_CHANGE", event.actor)

    def _dora(self, event: ev.Dora) -> None:  # noqa: ARG002 - its number is known
        self._add("NEW_DORA", tile=self.numbers.indicators[self.turned])
        self.turned += 1

    def _call(self, event: Any) -> None:
        call = add_call(self.opens[event.actor], event, partial(self._take, event.actor), self.last)
        self._add(_CALLS[call.kind], event.actor, code=encode(call))
        self.last = call.tile
        self.drawn = -1
        self.replaces = type(event) in ev.KANS

    _chi = _pon = _daiminkan = _ankan = _kakan = _call

    def _hora(self, event: ev.Win) -> None:
        deltas = self._gain(event, "win")
        seat = event.actor
        own = event.giver == seat
        tile = self.drawn if own else self.last
        if tile < 0:
            raise CannotHoldError("the tile of the win is not known")
        if not own:
            self.hands[seat].append(tile)
        self._add("TSUMO" if own else "RON", seat, tile)
        yaku = self._yaku(event, tile)
        yakuman = tuple([number for number, _ in yaku if number in vocabulary.YAKUMAN])
        shows_ura = self.riichi[seat] and event.ura_markers is not UNSET
        self.wins.append(
            state.StateWin(
                who=seat,
                from_who=event.giver,
                hand=self._hand(seat),
                win_tile=tile,
                # mjx states no fu of a yakuman.
                fu=0 if yakuman else int(event.fu or 0),
                ten=int(event.hora_points or 0),
                ten_changes=deltas,
                yakus=() if yakuman else tuple([number for number, _ in yaku]),
                fans=() if yakuman else tuple([han for _, han in yaku]),
                yakumans=yakuman,
                ura_dora_indicators=tuple(self.numbers.ura[: self.turned]) if shows_ura else (),
            )
        )

    def _yaku(self, win: ev.Win, tile: int) -> list[tuple[int, int]]:
        """Return the yaku of a win as pairs of number and han. A yaku without a number is left out."""
        whole = WinningHand(
            [WITH_REDS[number] for number in sorted(self.hands[win.actor])],
            WITH_REDS[tile],
            [WITH_REDS[call.tile] for call in self.opens[win.actor]],
            self.deal.bakaze or WINDS[0],
            WINDS[(win.actor - int(self.deal.oya or 0)) % SEATS],
        )
        known = [(name, han) for name, han in win.yakus or () if name in KNOWN_YAKU]
        named = hub_yaku(known, whole) or ()
        pairs = [(YAKU_NUMBERS[name], han) for name, han in named if name in YAKU_NUMBERS]
        # mjx has the dragons of a hand in the order of their numbers.
        dragons = iter(sorted(number for number, _ in pairs if number in _DRAGONS))
        return [(next(dragons) if number in _DRAGONS else number, han) for number, han in pairs]

    def _ryukyoku(self, event: ev.Ryukyoku) -> None:
        reason = reason_of(event.reason or "exhaustive_draw") or ""
        if reason not in vocabulary.REASONS:
            raise CannotHoldError(f"mjx has no draw by {event.reason}")
        deltas = self._gain(event, "draw")
        mover = next((seat for seat in range(SEATS) if self.drawn in self.hands[seat]), 0)
        shown = shown_hands(reason, event.tenpais or (), mover, self.blocked, SEATS)
        self._add(vocabulary.REASONS[reason], mover if reason == "nine_kinds" else 0)
        self.draw = state.NoWinner(
            tenpais=tuple([state.Tenpai(seat, self._hand(seat)) for seat in shown]),
            ten_changes=deltas,
        )

    def _gain(self, event: ev.Win | ev.Ryukyoku, name: str) -> tuple[int, ...]:
        """Add the points that a result moves, and return them. Raises `CannotHoldError` without points."""
        if event.deltas is UNSET or len(event.deltas) != SEATS:
            raise CannotHoldError(f"the points that the {name} moves are not known")
        self.tens = [points + gain for points, gain in zip(self.tens, event.deltas, strict=True)]
        return event.deltas


_HANDLERS: Final = ev.handlers(StateWriter)
