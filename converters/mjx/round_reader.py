"""Reads one state: the events of its round, and the wall."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.converters.mjx.state import Event, Hand, MjxState, Private, Public, StateWin, Terminal
from mjconv.converters.mjx.vocabulary import CALLS, PREFIX, REASONS
from mjconv.converters.mjx.wall import SEATS, turned
from mjconv.converters.shared.json_values import Path, Warn, WrongValueError, shown
from mjconv.converters.shared.meldcode import decode, event_of
from mjconv.converters.shared.repeated import hand_played
from mjconv.converters.shared.tile_numbers import IN_HAND, TILES, WITH_REDS, tiles_of
from mjconv.converters.shared.walls import disagreement, drawn_tiles, undeal
from mjconv.converters.shared.winning_hands import YAKU_BY_ID, misnamed
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.message_names import REASON_IN_MESSAGES, YAKU_IN_MESSAGES
from mjconv.ir.play import Play, keep_play
from mjconv.ir.tiles import HAND, WINDS, Tile
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, SHOW_TENPAI
from mjconv.rules.scores import scores_after, sticks_left

#: The hub's reasons of draws, by mjx's types without their prefix.
_REASONS: Final = {kind: reason for reason, kind in REASONS.items()}
#: The events of draws, and of discards of other tiles and of the tile drawn, by seat and number.
_DRAWS: Final = [[ev.Draw(seat, tile) for tile in WITH_REDS] for seat in range(SEATS)]
_DISCARDS: Final = [
    [[ev.Discard(seat, tile, tsumogiri=at_once) for tile in WITH_REDS] for seat in range(SEATS)]
    for at_once in (False, True)
]
#: The types of draws and of discards, with their prefix and without it.
_DRAWN: Final = frozenset(before + "DRAW" for before in (PREFIX, ""))
_DISCARDED: Final = frozenset(before + kind for kind in ("DISCARD", "TSUMOGIRI") for before in (PREFIX, ""))
#: The path to the events of a state.
EVENTS: Final = ("publicObservation", "events")
_TERMINAL: Final = ("roundTerminal",)


class StateReader:
    """Reads the round of a state."""

    def __init__(self, state: MjxState) -> None:
        self.state = state
        self.events: list[ev.Event] = []
        #: The paths to the deal, the wins and the end of the round, by their index. Every other event follows the
        #: one before it in the state too.
        self.places: dict[int, Path] = {}
        self.drawn = -1
        self.blocked: tuple[int, ...] = ()
        #: The play, if the deal was read.
        self.play: Play
        self.hands: list[tuple[int, ...]] = []
        self.draws: list[list[int]] = []
        self.wins = self.kans = 0
        self.over = False

    def read(self) -> None:
        """Read the events. Raises `WrongValueError`: the events before the error stay."""
        public = self.state.public_observation
        self._deal(public)
        events, draws = self.events, self.draws
        index = 0
        try:
            for index, event in enumerate(public.events):  # noqa: B007 - an error has the index
                kind, seat = event.type, event.who
                if self.over and kind.removeprefix(PREFIX) != "RON":
                    raise WrongValueError("an event comes after the result of its round")
                if kind in _DRAWN:
                    if not draws[seat]:
                        raise WrongValueError("the drawHistory of the player has no tile for this draw")
                    self.drawn = draws[seat].pop()
                    events.append(_DRAWS[seat][self.drawn])
                elif kind in _DISCARDED:
                    at_once = event.tile == self.drawn
                    if not at_once and kind.endswith("TSUMOGIRI"):
                        raise WrongValueError("the tile is not the one just drawn", ("tile",))
                    events.append(_DISCARDS[at_once][seat][event.tile])
                    self.drawn = -1
                else:
                    self._event(event)
        except WrongValueError as error:
            raise error.within(*EVENTS, index) from None
        terminal = self.state.round_terminal
        if terminal is None:
            return
        if not self.over:
            raise WrongValueError("the round has an end, and its events have no result", _TERMINAL)
        if len(terminal.wins) != self.wins:
            message = f"the end of the round has {len(terminal.wins)} wins, and the events have {self.wins}"
            raise WrongValueError(message, (*_TERMINAL, "wins"))
        self._add(ev.EndRound(), _TERMINAL)

    def _add(self, event: ev.Event, place: Path) -> None:
        self.places[len(self.events)] = place
        self.events.append(event)

    def _deal(self, public: Public) -> None:
        seen: dict[int, Private] = {}
        for index, one in enumerate(self.state.private_observations):
            path = ("privateObservations", index)
            if one.who in seen:
                raise WrongValueError(f"two observations are those of player {one.who}", path)
            if len(one.init_hand.closed_tiles) != HAND:
                count = len(one.init_hand.closed_tiles)
                raise WrongValueError(f"a hand of {count} tiles is dealt: expected 13", (*path, "initHand"))
            seen[one.who] = one
        self.hands = [seen[seat].init_hand.closed_tiles for seat in range(SEATS)]
        self.draws = [list(seen[seat].draw_history[::-1]) for seat in range(SEATS)]
        score = public.init_score
        start = ev.StartRound(
            WINDS[score.round // SEATS],
            WITH_REDS[public.dora_indicators[0]],
            score.round % SEATS + 1,
            score.honba,
            score.riichi,
            score.round % SEATS,
            score.tens,
            tuple([tiles_of(sorted(hand, key=IN_HAND.__getitem__)) for hand in self.hands]),
        )
        self._add(start, ("publicObservation",))
        self.play = Play(start)

    def _event(self, event: Event) -> None:
        """Read an event that is no draw and no discard."""
        kind, seat = event.type.removeprefix(PREFIX), event.who
        if kind in CALLS:
            call = _call(CALLS[kind], seat, event.open)
            self.events.append(call)
            self.kans += type(call) in ev.KANS
            self.drawn = -1
        elif kind == "RIICHI":
            self.events.append(ev.Riichi(seat))
        elif kind == "RIICHI_SCORE_CHANGE":
            self.events.append(ev.RiichiAccepted(seat))
        elif kind == "NEW_DORA":
            self.events.append(ev.Dora(WITH_REDS[event.tile]))
        elif kind in _REASONS or kind == "TSUMO" or kind == "RON":
            self.over = True
            terminal = self.state.round_terminal
            if terminal is not None and kind in _REASONS:
                self._drawn_game(_REASONS[kind], terminal)
            elif terminal is not None:
                self._win(seat, terminal)
        else:
            raise WrongValueError(f"mjx has no event {shown(event.type)}", ("type",))

    # Results.

    def _win(self, seat: int, terminal: Terminal) -> None:
        number = self.wins
        self.wins += 1
        if number >= len(terminal.wins) or terminal.wins[number].who != seat:
            raise WrongValueError(f"the end of the round has no win of player {seat} in this place", ())
        win = terminal.wins[number]
        pairs = [*zip(win.yakus, win.fans, strict=False), *((each, HAN_OF_YAKUMAN) for each in win.yakumans)]
        if len(win.yakus) != len(win.fans) or any(each >= len(YAKU_BY_ID) for each, _ in pairs):
            raise WrongValueError("the win has an unknown yaku, or the numbers of yakus and fans differ")
        ura = _tiles(win.ura_dora_indicators)
        self._add(
            ev.Win(
                seat,
                win.from_who,
                WITH_REDS[win.win_tile],
                deltas=win.ten_changes,
                ura_markers=ura if ura or ev.Riichi(seat) not in self.events else UNSET,
                yakus=tuple([(YAKU_IN_MESSAGES[YAKU_BY_ID[each]], han) for each, han in pairs]),
                # mjx states no fu of a yakuman.
                fu=UNSET if win.yakumans and not win.fu else win.fu,
                fan=sum(han for _, han in pairs),
                hora_points=win.ten,
                liable=_liable(win),
            ),
            (*_TERMINAL, "wins", number),
        )

    def _drawn_game(self, reason: str, terminal: Terminal) -> None:
        draw = terminal.no_winner
        if draw is None:
            raise WrongValueError("the round ends with a draw, and its end has no noWinner")
        shown_hands = tuple([one.who for one in draw.tenpais])
        tenpais: tuple[bool, ...] | UnsetType = UNSET
        if reason in SHOW_TENPAI:
            tenpais = tuple([seat in shown_hands for seat in range(SEATS)])
        elif reason == "triple_ron":
            self.blocked = shown_hands
        self.events.append(ev.Ryukyoku(REASON_IN_MESSAGES[reason], tenpais=tenpais, deltas=draw.ten_changes))

    # Values that the state has twice: the events determine them.

    def compare(self, warn: Warn) -> None:
        """Warn of hands, draws, indicators, and points at the end of the round, that differ from the events."""
        public = self.state.public_observation
        turned_up = [WITH_REDS[public.dora_indicators[0]]]
        turned_up += [event.dora_marker for event in ev.select(self.events, ev.Dora)]
        if turned_up != list(_tiles(public.dora_indicators)):
            message = f"doraIndicators differ from the events, which turn {' '.join(turned_up)}"
            warn(message, ("publicObservation", "doraIndicators"))
        for index, one in enumerate(self.state.private_observations):
            if self.draws[one.who]:
                message = "drawHistory has more tiles than the events draw"
                warn(message, ("privateObservations", index, "drawHistory"))
        terminal = self.state.round_terminal
        wins = () if terminal is None else terminal.wins
        rons = {win.who: WITH_REDS[win.win_tile] for win in wins if win.who != win.from_who}
        hands: list[tuple[Path, int, Hand]] = [
            (("privateObservations", index, "currHand"), one.who, one.curr_hand)
            for index, one in enumerate(self.state.private_observations)
            # Without an end, the tile of a win is not known.
            if terminal is not None or not self.over
        ]
        hands += [((*_TERMINAL, "wins", index, "hand"), win.who, win.hand) for index, win in enumerate(wins)]
        if terminal is not None:
            tenpais = () if terminal.no_winner is None else terminal.no_winner.tenpais
            path = (*_TERMINAL, "noWinner", "tenpais")
            hands += [((*path, index, "hand"), one.who, one.hand) for index, one in enumerate(tenpais)]
            self._compare_score(terminal, warn)
        play = self.play
        play.follow(self.events)
        for where, seat, hand in hands:
            # The tiles of an ankan include the tile that names it.
            calls = [_tiles([*{*call.own, call.tile}]) for call in map(decode, hand.opens) if call is not None]
            right = hand_played(play, seat, _tiles(hand.closed_tiles), calls, rons.get(seat))
            if right is not None and (hand.closed_tiles or hand.opens):
                warn(f"the hand of player {seat} differs from the events, which leave {right}", where)
        events = ev.select(self.events, ev.Win)
        for index, (win, event) in enumerate(zip(wins, events, strict=False)):
            names = [YAKU_BY_ID[number] for number in (*win.yakus, *win.yakumans)]
            wrong = misnamed(names, event, play.table, play.deal.bakaze or WINDS[0])
            if wrong is not None:
                warn(wrong, (*_TERMINAL, "wins", index))

    def _compare_score(self, terminal: Terminal, warn: Warn) -> None:
        score, final = self.state.public_observation.init_score, terminal.final_score
        right: dict[str, Any] = {"round": score.round, "honba": score.honba}
        if not terminal.is_game_over:
            # At the end of a game the referee compares the points.
            played = Round(self.events)
            right["riichi"] = sticks_left(played, played.start)
            right["tens"] = scores_after(played, score.tens)
        for key, value in right.items():
            stated = getattr(final, key)
            if stated != value:
                path = (*_TERMINAL, "finalScore", key)
                warn(f"{key} of finalScore is {stated}, but by the round it is {value}", path)

    # The round as a whole.

    def round(self, warn: Warn, *, walls: bool) -> Round:
        """Return the round that was read, with its wall if `walls` is true."""
        game_round = Round(self.events, wall=self._wall(warn) if walls else UNSET, blocked=self.blocked)
        return keep_play(game_round, self.play)

    def _wall(self, warn: Warn) -> tuple[Tile, ...] | UnsetType:
        """Return the wall, if the state has one and the round was played from it."""
        numbers, public = self.state.hidden_state.wall, self.state.public_observation
        if not numbers:
            return UNSET
        path = ("hiddenState", "wall")
        if len(numbers) != TILES or len(set(numbers)) != TILES:
            warn(f"the wall has {len(set(numbers))} different tiles of 136. It was left out", path)
            return UNSET
        drawn = drawn_tiles(self.events)
        wall = tiles_of(turned(numbers, self.kans, len(drawn.front)))
        turns = [self.hands[(public.init_score.round + turn) % SEATS] for turn in range(SEATS)]
        hands, dora = [tiles_of(hand) for hand in turns], _tiles(public.dora_indicators)
        end = self.state.round_terminal
        uras = [self.state.hidden_state.ura_dora_indicators]
        uras += [win.ura_dora_indicators for win in (end.wins if end is not None else ())]
        wrong = disagreement(wall, hands, drawn, dora, *map(_tiles, uras))
        if undeal(turns) != list(numbers[: HAND * SEATS]):
            wrong = "hands"
        if wrong is not None:
            warn(f"the {wrong} differ from the wall. The wall was left out", path)
            return UNSET
        return wall


def _call(kind: str, seat: int, code: int) -> ev.Event:
    call = decode(code)
    if call is None or call.kind != kind:
        raise WrongValueError(f"open is {code}, which is no {kind}", ("open",))
    return event_of(call, seat, WITH_REDS)


def _tiles(numbers: Sequence[int]) -> tuple[Tile, ...]:
    return tuple([WITH_REDS[number] for number in numbers])


def _liable(win: StateWin) -> int | UnsetType:
    """Return the player who is liable for a yakuman, if the points show that one player pays for others."""
    if not win.yakumans:
        return UNSET
    payers = [seat for seat, points in enumerate(win.ten_changes) if points < 0]
    if win.who == win.from_who:
        return payers[0] if len(payers) == 1 else UNSET
    others_paying = [seat for seat in payers if seat != win.from_who]
    return others_paying[0] if len(others_paying) == 1 else UNSET
