"""Reads one state: the events of its round, and the wall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from msgspec import UNSET, UnsetType

from mjconv.converters.mjx.state import Event, Public, State, Terminal, Win, others
from mjconv.converters.mjx.vocabulary import HAN_OF_YAKUMAN, REASONS, SHOW_TENPAI
from mjconv.converters.mjx.wall import turned
from mjconv.converters.shared.json_values import WrongValueError, shown
from mjconv.converters.shared.meldcode import Call, decode
from mjconv.converters.shared.tile_numbers import TILES, WITH_REDS
from mjconv.converters.shared.walls import (
    HAND,
    drawn_tiles,
    indicator_place,
    is_played_from,
    undeal,
)
from mjconv.converters.shared.yaku_numbers import YAKU_BY_ID
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.message_names import REASON_IN_MESSAGES, YAKU_IN_MESSAGES
from mjconv.ir.tiles import ORDER, WINDS, Tile

_SEATS: Final = 4
_PREFIX: Final = "EVENT_TYPE_"
#: The hub's reasons of draws, by mjx's types without their prefix.
_REASONS: Final = {kind: reason for reason, kind in REASONS.items()}
_WINS: Final = frozenset({"TSUMO", "RON"})
_CALLS: Final = {"CHI": "chi", "PON": "pon", "OPEN_KAN": "daiminkan", "CLOSED_KAN": "ankan", "ADDED_KAN": "kakan"}
_KINDS: Final = {
    spelling: name
    for name in (
        *("DRAW", "DISCARD", "TSUMOGIRI", "RIICHI", "RIICHI_SCORE_CHANGE", "NEW_DORA"),
        *_CALLS,
        *sorted(_WINS),
        *_REASONS,
    )
    for spelling in (name, _PREFIX + name)
}
_OPEN: Final[dict[str, Any]] = {"chi": ev.Chi, "pon": ev.Pon, "daiminkan": ev.Daiminkan}
_REPLACED: Final = frozenset({"ankan", "daiminkan", "kakan"})
#: Draws and discards by seat and number of the tile.
_DRAWS: Final = [[ev.Draw(seat, tile) for tile in WITH_REDS] for seat in range(_SEATS)]
_FROM_HAND, _AT_ONCE = (
    [[ev.Discard(seat, tile, tsumogiri=at_once) for tile in WITH_REDS] for seat in range(_SEATS)]
    for at_once in (False, True)
)
#: The place of a tile, by its number, in a sorted hand: a red five follows the plain fives.
_PLACE: Final = [ORDER[tile] * TILES + number for number, tile in enumerate(WITH_REDS)]
#: The path to the events of a state.
EVENTS: Final = ("publicObservation", "events")
_TERMINAL: Final = ("roundTerminal",)
#: The index of an event in the state, or the path to another value.
Where: TypeAlias = int | tuple[str | int, ...]
#: Reports a warning about a field of the state: the message, and the path to the field.
Warn = Callable[[str, tuple[str | int, ...]], None]


def _sorted(numbers: Sequence[int]) -> tuple[Tile, ...]:
    return tuple([WITH_REDS[number] for number in sorted(numbers, key=_PLACE.__getitem__)])


class RoundReader:
    """Reads the round of a state. `value` is its JSON, whose unknown fields are kept."""

    def __init__(self, state: State, value: dict[str, Any]) -> None:
        self.state = state
        self.value = value
        self.events: list[ev.Event] = []
        #: Where each event is in the state.
        self.paths: list[Where] = []
        self.discards: list[int] = []
        self.opens: list[int] = []
        self.riichi = [False] * _SEATS
        self.drawn = -1
        self.replaced = 0
        self.blocked: tuple[int, ...] = ()
        self.hands: list[tuple[int, ...]] = []
        self.draws: list[list[int]] = []
        self.wins = 0
        self.over = False

    def read(self) -> None:
        """Read the events. Raises `WrongValueError`: the events before the error stay."""
        public = self.state.public_observation
        self._deal(public)
        at = self._turns(public.events, 0)
        while at < len(public.events):
            try:
                self._event(public.events[at], at)
            except WrongValueError as error:
                raise WrongValueError(str(error), (*EVENTS, at, *error.path)) from None
            at = self._turns(public.events, at + 1)
        terminal = self.state.round_terminal
        if terminal is None:
            return
        if not self.over:
            raise WrongValueError("the round has an end, and its events have no result", _TERMINAL)
        if len(terminal.wins) != self.wins:
            message = f"the end of the round has {len(terminal.wins)} wins, and the events have {self.wins}"
            raise WrongValueError(message, (*_TERMINAL, "wins"))
        self._add(ev.EndRound(), _TERMINAL)

    def _add(self, event: ev.Event, path: Where) -> None:
        self.events.append(event)
        self.paths.append(path)

    def _deal(self, public: Public) -> None:
        hands: dict[int, tuple[int, ...]] = {}
        draws: dict[int, list[int]] = {}
        for at, one in enumerate(self.state.private_observations):
            path = ("privateObservations", at)
            if one.who in hands:
                raise WrongValueError(f"two observations are those of player {one.who}", path)
            if len(one.init_hand.closed_tiles) != HAND:
                count = len(one.init_hand.closed_tiles)
                raise WrongValueError(f"a hand of {count} tiles is dealt: expected 13", (*path, "initHand"))
            hands[one.who] = one.init_hand.closed_tiles
            draws[one.who] = list(one.draw_history[::-1])
        self.hands = [hands[seat] for seat in range(_SEATS)]
        self.draws = [draws[seat] for seat in range(_SEATS)]
        score = public.init_score
        self._add(
            ev.StartRound(
                WINDS[score.round // _SEATS],
                WITH_REDS[public.dora_indicators[0]],
                score.round % _SEATS + 1,
                score.honba,
                score.riichi,
                score.round % _SEATS,
                score.tens,
                tuple([_sorted(hand) for hand in self.hands]),
            ),
            ("publicObservation",),
        )

    def _turns(self, found: Sequence[Event], at: int) -> int:
        """Read draws and discards from an index on. Returns the index of the first other event.

        It stops at a draw whose tile is missing. After a result, it reads nothing.
        """
        begin = at
        drawn = self.drawn
        for event in () if self.over else found[begin:]:
            kind = _KINDS.get(event.type)
            seat = event.who
            if kind == "DRAW" and self.draws[seat]:
                drawn = self.draws[seat].pop()
                self.events.append(_DRAWS[seat][drawn])
            elif kind == "DISCARD" or kind == "TSUMOGIRI":
                tile = event.tile
                self.events.append((_AT_ONCE if tile == drawn else _FROM_HAND)[seat][tile])
                self.discards.append(tile)
                drawn = -1
            else:
                break
            at += 1
        self.drawn = drawn
        self.paths += range(begin, at)
        return at

    def _event(self, event: Event, path: Where) -> None:
        kind = _KINDS.get(event.type)
        seat = event.who
        if self.over and kind != "RON":
            raise WrongValueError("an event comes after the result of its round")
        if kind == "DRAW":
            raise WrongValueError("the drawHistory of the player has no tile for this draw")
        if kind is None:
            raise WrongValueError(f"mjx has no event {shown(event.type)}", ("type",))
        if kind in _CALLS:
            self._call(kind, seat, event.open, path)
        elif kind == "RIICHI":
            self.riichi[seat] = True
            self._add(ev.Riichi(seat), path)
        elif kind == "RIICHI_SCORE_CHANGE":
            self._add(ev.RiichiAccepted(seat), path)
        elif kind == "NEW_DORA":
            self._add(ev.Dora(WITH_REDS[event.tile]), path)
        elif kind in _WINS:
            self._win(seat)
        else:
            self._drawn_game(_REASONS[kind], path)

    def _call(self, kind: str, seat: int, code: int, path: Where) -> None:
        call: Call | None = decode(code)
        if call is None or call.kind != _CALLS[kind]:
            raise WrongValueError(f"open is {code}, which is no {_CALLS[kind]}", ("open",))
        own = tuple(sorted([WITH_REDS[tile] for tile in call.own], key=ORDER.__getitem__))
        tile = WITH_REDS[call.tile]
        if call.kind == "kakan":
            self._add(ev.Kakan(seat, tile, own), path)
        elif call.kind == "ankan":
            self._add(ev.Ankan(seat, own), path)
        else:
            self._add(_OPEN[call.kind](seat, (seat + call.giver) % _SEATS, tile, own), path)
        self.replaced += call.kind in _REPLACED
        self.opens.append(code)
        self.drawn = -1

    # Results.

    def _win(self, seat: int) -> None:
        terminal = self.state.round_terminal
        self.over = True
        if terminal is None:
            return
        number = self.wins
        self.wins += 1
        if number >= len(terminal.wins) or terminal.wins[number].who != seat:
            raise WrongValueError(f"the end of the round has no win of player {seat} in this place", ())
        win = terminal.wins[number]
        pairs = [*zip(win.yakus, win.fans, strict=False), *((each, HAN_OF_YAKUMAN) for each in win.yakumans)]
        if len(win.yakus) != len(win.fans) or any(each >= len(YAKU_BY_ID) for each, _ in pairs):
            raise WrongValueError("the win has an unknown yaku, or the numbers of yakus and fans differ")
        ura = tuple([WITH_REDS[tile] for tile in win.ura_dora_indicators])
        self._add(
            ev.Win(
                seat,
                win.from_who,
                WITH_REDS[win.win_tile],
                deltas=win.ten_changes,
                ura_markers=ura if ura or not self.riichi[seat] else UNSET,
                yakus=tuple([(YAKU_IN_MESSAGES[YAKU_BY_ID[each]], han) for each, han in pairs]),
                # mjx states no fu of a yakuman.
                fu=UNSET if win.yakumans and not win.fu else win.fu,
                fan=sum(han for _, han in pairs),
                hora_points=win.ten,
                liable=_liable(win),
            ),
            (*_TERMINAL, "wins", number),
        )

    def _drawn_game(self, reason: str, path: Where) -> None:
        terminal = self.state.round_terminal
        self.over = True
        if terminal is None:
            return
        found = terminal.no_winner
        if found is None:
            raise WrongValueError("the round ends with a draw, and its end has no noWinner")
        shown_hands = tuple([one.who for one in found.tenpais])
        tenpais: tuple[bool, ...] | UnsetType = UNSET
        if reason in SHOW_TENPAI:
            tenpais = tuple([seat in shown_hands for seat in range(_SEATS)])
        elif reason == "triple_ron":
            self.blocked = shown_hands
        self._add(ev.Ryukyoku(REASON_IN_MESSAGES[reason], tenpais=tenpais, deltas=found.ten_changes), path)

    # The round as a whole.

    def round(self, warn: Warn, *, walls: bool = True, whole_walls: bool = True) -> Round:
        """Return the round that was read. Without `whole_walls`, a wall that is stated is empty."""
        hidden = self.state.hidden_state
        kept: dict[str, Any] = {
            "hands": list(map(list, self.hands)),
            "discards": self.discards,
            "opens": self.opens,
        }
        if hidden.wall:
            kept["wall"] = list(hidden.wall)
        other = {name: part for name, part in self._others() if part}
        if other:
            kept["other"] = other
        wall: tuple[Tile, ...] | UnsetType = UNSET
        if walls and hidden.wall:
            wall = self._wall(warn) if whole_walls else ()
        return Round(self.events, wall=wall, blocked=self.blocked, extras={"mjx": kept})

    def _others(self) -> list[tuple[str, dict[str, Any]]]:
        value = self.value
        found = [("state", others(value, State)), ("public", others(value["publicObservation"], Public))]
        if "hiddenState" in value:
            found.append(("hidden", others(value["hiddenState"], type(self.state.hidden_state))))
        if value.get("roundTerminal"):
            found.append(("terminal", others(value["roundTerminal"], Terminal)))
        return found

    def _wall(self, warn: Warn) -> tuple[Tile, ...] | UnsetType:
        numbers = self.state.hidden_state.wall
        path = ("hiddenState", "wall")
        if len(numbers) != TILES or len(set(numbers)) != TILES:
            warn(f"the wall has {len(set(numbers))} different tiles of 136. It was left out", path)
            return UNSET
        drawn = drawn_tiles(self.events)
        tiles = [WITH_REDS[number] for number in turned(numbers, self.replaced, len(drawn.front))]
        oya = self.state.public_observation.init_score.round % _SEATS
        turns = [self.hands[(oya + turn) % _SEATS] for turn in range(_SEATS)]
        indicators = self.state.public_observation.dora_indicators
        places = [indicator_place(TILES, number, _SEATS) for number in range(len(indicators))]
        wrong = None
        if undeal(turns) != list(numbers[: HAND * _SEATS]):
            wrong = "hands"
        elif not is_played_from(tiles, [[WITH_REDS[each] for each in hand] for hand in turns], drawn):
            wrong = "draws"
        elif [tiles[place] for place in places] != [WITH_REDS[number] for number in indicators]:
            wrong = "dora indicators"
        elif any([tiles[place - 1] for place in places[: len(ura)]] != ura for ura in self._ura()):
            wrong = "ura dora indicators"
        if wrong is not None:
            warn(f"the {wrong} differ from the wall. The wall was left out", path)
            return UNSET
        return tuple(tiles)

    def _ura(self) -> Iterator[list[Tile]]:
        """Yield the ura indicators that the state shows: of the hidden state, and of each win."""
        end = self.state.round_terminal
        yield [WITH_REDS[number] for number in self.state.hidden_state.ura_dora_indicators]
        for win in end.wins if end is not None else ():
            if win.ura_dora_indicators:
                yield [WITH_REDS[number] for number in win.ura_dora_indicators]


def _liable(win: Win) -> int | UnsetType:
    """Return the player who is liable for a yakuman, if the points show that one player pays for others."""
    if not win.yakumans:
        return UNSET
    payers = [seat for seat, points in enumerate(win.ten_changes) if points < 0]
    if win.who == win.from_who:
        return payers[0] if len(payers) == 1 else UNSET
    others_paying = [seat for seat in payers if seat != win.from_who]
    return others_paying[0] if len(others_paying) == 1 else UNSET
