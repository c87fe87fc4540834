"""Rounds with the values that a source leaves out and the rules determine: riichi accepted, results, points.

Formats that spell the whole result of a round need them: yaku, fu, points, tenpai, and the reason of a draw.
A stated value is never replaced. Each round is played on a table, so play that cannot happen is found too.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.shared.ends import three_rons
from mjconv.converters.shared.json_values import refusing
from mjconv.converters.shared.walls import WHOLE, indicator_place
from mjconv.converters.shared.wins import TRIPLE
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.illegal import IllegalPlayError, PlayedWrongError
from mjconv.ir.match import USUAL_SEATS, Match, Round, Rules
from mjconv.ir.message_names import REASON_IN_MESSAGES, YAKU_IN_MESSAGES, reason_of
from mjconv.ir.play import Play, play_of, with_tsumogiri
from mjconv.ir.table import DISCARDED, KAN, Table
from mjconv.ir.tiles import HAND, HIDDEN, WINDS
from mjconv.ir.vocabulary import REASONS
from mjconv.rules import succession
from mjconv.rules.circumstances import left_to_draw
from mjconv.rules.hands import may_have_nine_kinds
from mjconv.rules.house import RULES_OF_VALUES, first_stated
from mjconv.rules.payments import nagashi_deltas, nagashi_winners
from mjconv.rules.riichi_values import UNSEEN
from mjconv.rules.riichi_wins import Settlement, WonHand, agreement, settlements, stakes_of, won_hand
from mjconv.rules.scores import RIICHI_STICK, USUAL_START, is_abortive, is_triple_ron
from mjconv.rules.tenpai import noten_totals, tenpai_deltas, tenpai_of

_KANS: Final = 4
#: After these events it is not known whether a riichi discard was passed, or the record itself states it.
_NOT_PASSED: Final = frozenset({ev.Win, ev.RiichiAccepted, ev.EndRound})
#: The events where the list of events changes: the deal is the completed one, and a riichi is accepted later.
_CHANGING: Final = frozenset({ev.StartRound, ev.Riichi})
#: The events that move points.
_MOVES_POINTS: Final = frozenset({ev.RiichiAccepted, ev.Win, ev.Ryukyoku})


class CompleteRound(NamedTuple):
    """A round with all values that the rules determine.

    `events` are its events with the deal first. `origins` has, for each of them, its index in the round; an
    event that was added has the index of the event before it. `play` is the play of the round. `blocked` are the
    seats of three rons that end the round.
    """

    deal: ev.StartRound
    events: list[ev.Event]
    origins: list[int]
    play: Play
    blocked: tuple[int, ...] = ()

    @property
    def table(self) -> Table:
        """The table before the first result."""
        return self.play.table

    @property
    def result_follows(self) -> bool:
        """Whether the acts alone decide the result: three rons may be a draw, and so may a play that stops."""
        whole = Round(self.events)
        draw = next(iter(whole.select(ev.Ryukyoku)), None)
        if draw is None:
            return 0 < len(whole.select(ev.Win)) < TRIPLE
        return left_to_draw(self.table) == 0 or is_abortive(draw)

    def points_unknown(self, unturned: int = 0) -> str:
        """Return why the points of the result do not follow from play alone; an empty text if they do.

        `unturned` is the number of kans whose indicator was not turned before play ended.
        """
        whole = Round(self.events)
        wins = whole.select(ev.Win)
        if not self.result_follows:
            return "the acts alone do not decide the result"
        if not wins:
            return ""
        table = self.table
        if self.deal.dora_marker in (UNSET, HIDDEN):
            return "the dora indicator is not known"
        # A kan that is robbed turns no indicator.
        robbed = table.phase == KAN and any(win.target != win.actor for win in wins)
        if len(whole.select(ev.Dora)) < table.kans - robbed - unturned:
            return "the dora indicator of a kan is not known"
        if any(table.riichi[win.actor] and not win.ura_markers for win in wins):
            return "the ura dora indicators of a winner in riichi are not known"
        return "" if all(win.deltas for win in wins) else "the hand of a winner is not known"


def complete(match: Match) -> list[CompleteRound]:
    """Return the rounds of a match with all values that the rules determine.

    Values that the rules do not determine stay absent: for example the value of a hand with hidden tiles. Raises
    `PlayError` if the events cannot be played, and `UnsupportedError` if the match states values of more or fewer
    players than it has.
    """
    _check_seats(match)
    completed: list[CompleteRound] = []
    scores: tuple[int, ...] | None = None
    seats = match.seats
    for index, (game_round, deal) in enumerate(zip(match.rounds, succession.starts(match), strict=True)):
        if deal.scores is UNSET:
            start = UNSET if match.rules is UNSET else match.rules.start
            start = USUAL_START.get(seats, USUAL_START[4]) if start is UNSET else start
            deal = structs.replace(deal, scores=(start,) * seats if scores is None else scores)
        if deal.dora_marker is UNSET and game_round.wall is not UNSET and len(game_round.wall) == WHOLE.get(seats):
            place = indicator_place(len(game_round.wall), 0, seats)
            deal = structs.replace(deal, dora_marker=game_round.wall[place])
        with refusing("", game_round, index=index):
            if int(deal.kyoku or 1) > USUAL_SEATS:
                raise PlayedWrongError(f"a wind has {USUAL_SEATS} rounds", 0)
            player = _RoundPlayer(game_round, deal, match.rules_of(game_round))
            player.play()
        scores = tuple(player.scores)
        blocked = game_round.blocked or three_rons(player.events, player.played.table)
        completed.append(CompleteRound(deal, player.events, player.origins, player.played, blocked))
    return completed


def _check_seats(match: Match) -> None:
    """Raise `UnsupportedError` if the match states hands or scores of more or fewer players than it has."""
    seats = match.seats
    stated: list[tuple[str, Round | None, Sequence[Any] | UnsetType]] = []
    for one in match.rounds:
        if one.start is not None:
            stated += [("hands", one, one.start.tehais), ("scores", one, one.start.scores)]
    stated += [("scores", None, event.scores) for event in match.closing if isinstance(event, ev.EndGame)]
    for what, of_round, values in stated:
        whole = what != "hands" or all(len(hand) == HAND for hand in values or ())
        if values is UNSET or (whole and len(values) == seats):
            continue
        where = "end_game" if of_round is None else f"round {of_round.label}: the deal"
        if len(values) != seats:
            number = len(values)
            raise UnsupportedError(f"{where} states the {what} of {number} players, but the match has {seats}")
        raise UnsupportedError(f"{where} states a hand of other than {HAND} tiles")


def _passed(events: Sequence[Any], riichi: int) -> int:
    """Return the place of the event that shows that nobody won on the discard of a riichi.

    Returns 0 if there is none, and if that event accepts the riichi itself.
    """
    discarded = False
    for place in range(riichi + 1, len(events)):
        event = events[place]
        kind = type(event)
        if discarded and kind is not ev.Dora:
            return 0 if kind in _NOT_PASSED or is_triple_ron(event) else place
        if kind is ev.Riichi:
            break
        discarded = discarded or (kind is ev.Discard and event.actor == events[riichi].actor)
    return 0


class _RoundPlayer:
    """Completes the events of a round with their values."""

    def __init__(self, game_round: Round, deal: ev.StartRound, rules: Rules | UnsetType) -> None:
        self.round = game_round
        self.deal = deal
        self.rules = rules
        self.scores = list(deal.scores or ())
        self.events: list[ev.Event] = [deal]
        self.origins = [0]
        self._take(game_round.events)
        #: The index of the event that is completed.
        self.place = 0
        same = self.origins == list(range(len(game_round.events)))
        try:
            self.played = play_of(game_round, deal) if same else Play(deal)
        except IllegalPlayError as refusal:
            raise PlayedWrongError(str(refusal), 0) from None
        self.table = self.played.table if same else self.played.follow(self.events)

    def _take(self, events: Sequence[ev.Event]) -> None:
        """Take the events, and accept each riichi whose discard nobody won on, where the record does not."""
        self.events += events
        self.origins += range(len(events))
        changing: list[tuple[int, Any]] = [
            (place, event) for place, event in enumerate(self.events) if type(event) in _CHANGING
        ]
        # From the last one on: then the places of the others stay. The first one is the deal itself.
        for place, event in changing[:0:-1]:
            if type(event) is ev.StartRound:
                del self.events[place], self.origins[place]
            elif passed := _passed(self.events, place):
                self.events.insert(passed, ev.RiichiAccepted(event.actor))
                self.origins.insert(passed, self.origins[passed] - 1)

    def play(self) -> None:
        """Complete the events; raises `PlayedWrongError` at the first event that the table refuses."""
        refused, reason = next(iter(self.played.impossible), (len(self.events), None))
        events: list[Any] = self.events
        incomplete = [
            place
            for place, event in enumerate(events[: refused + 1])
            if type(event) in _MOVES_POINTS or (type(event) is ev.Discard and event.tsumogiri is UNSET)
        ]
        for place in incomplete:
            self.place = place
            events[place] = event = self._completed(events[place])
            if type(event) in _MOVES_POINTS and place < refused:
                self.scores = self._scores_after(event) or self.scores
        if reason is not None:
            raise PlayedWrongError(str(reason), self.origins[refused])

    def _scores_after(self, event: Any) -> list[int] | None:
        """Return the scores after an event that moves points; None if it does not state the points."""
        if type(event) is ev.RiichiAccepted:
            return [score - RIICHI_STICK * (seat == event.actor) for seat, score in enumerate(self.scores)]
        return [a + b for a, b in zip(self.scores, event.deltas, strict=True)] if event.deltas else None

    def _completed(self, event: Any) -> Any:
        """Return an event with its absent values, among them the scores after it where its points are known.

        Raises `PlayedWrongError` for deltas of other players.
        """
        kind = type(event)
        if kind is ev.Discard:
            return with_tsumogiri(self.events, self.place)
        if kind is not ev.RiichiAccepted:
            if event.deltas and len(event.deltas) != len(self.scores):
                reason = f"the deltas are those of {len(event.deltas)} players, and {len(self.scores)} play"
                raise PlayedWrongError(reason, self.origins[self.place])
            event = self._won(event) if kind is ev.Win else self._drawn_game(event)
        after = self._scores_after(event) if event.scores is UNSET else None
        return event if after is None else structs.replace(event, scores=tuple(after))

    # Wins.

    def _won(self, win: ev.Win) -> Any:
        """Return a win with its value and points."""
        table = self.table
        target = win.giver
        known: dict[str, Any] = {"target": target, "pai": table.drawn if target == win.actor else table.last_tile}
        if not (0 <= win.actor < table.seats and 0 <= target < table.seats):
            # The table refuses this win.
            return win
        if win.ura_markers is UNSET and not table.riichi[win.actor]:
            known["ura_markers"] = ()
        win = structs.replace(win, **absent(win, known))
        if UNSET in (win.deltas, win.yakus, win.fu, win.fan, win.hora_points):
            win = structs.replace(win, **absent(win, self._valued(win)))
        return win

    def _valued(self, win: ev.Win) -> dict[str, Any]:
        before = self.events[: self.place]
        hand = won_hand(self.table, self.deal, before, win, left=left_to_draw(self.table))
        best = None if hand is None else self._best(win, hand)
        if best is None:
            return {}
        return {
            "deltas": best.deltas,
            "yakus": tuple([(self._spelled(name, win), han) for name, han in best.value.yaku]),
            "fu": best.value.fu,
            "fan": best.value.han,
            "hora_points": best.points,
            "liable": UNSET if best.liable is None else best.liable,
        }

    def _spelled(self, name: str, win: ev.Win) -> str:
        """Return the name of a yaku in messages. Unseen dora of a winner in riichi are ura dora."""
        if name == UNSEEN:
            name = "ura_dora" if self.table.riichi[win.actor] else "dora"
        return YAKU_IN_MESSAGES.get(name, name)

    def _best(self, win: ev.Win, hand: WonHand) -> Settlement | None:
        """Return the result with the values that the win states; where none has them all, the most like it."""
        stated = first_stated(self.rules)
        usual = hand.value(stated)
        if usual is None or not usual.yaku:
            return None
        best: Settlement | None = None
        most: list[bool] = []
        # Several wins on one tile: the first in turn takes honba and sticks, so all of them count.
        played = [*self.events[: self.place], *ev.select(self.events[self.place :], ev.Win)]
        stakes = stakes_of(self.deal, played, win, self.table.seats, self.rules)
        # Other rules are for wins whose points differ from the usual ones.
        others = (first_stated(self.rules, house) for house, _ in RULES_OF_VALUES)
        for house, unseen in ((house, n) for house in chain([stated], others) for n in range(hand.unseen + 1)):
            for value in hand.readings(house, unseen):
                for found in settlements(win, hand, value, stakes):
                    equal = agreement(win, found)
                    if all(equal):
                        return found
                    if equal > most:
                        best, most = found, equal
        return best if best is None or most[0] else structs.replace(best, liable=None)

    # Draws.

    def _drawn_game(self, draw: ev.Ryukyoku) -> Any:
        known: dict[str, Any] = {}
        reason = reason_of(draw.reason) if draw.reason else self._reason(draw)
        if draw.reason is UNSET and reason is not None:
            known["reason"] = REASON_IN_MESSAGES[reason]
        usual = reason is not None and not REASONS[reason].abortive
        if usual and draw.tenpais is UNSET:
            # A format has no word for a hand that may be in tenpai.
            known["tenpais"] = tuple(map(bool, tenpai_of(draw, self.table.hands, self.table.melds)))
        if draw.deltas is UNSET:
            known["deltas"] = self._points_of(reason, draw.tenpais or known.get("tenpais") or ())
        return structs.replace(draw, **absent(draw, known))

    def _points_of(self, reason: str | None, tenpais: Sequence[bool]) -> tuple[int, ...]:
        seats = self.table.seats
        if reason == "exhaustive_draw":
            total, *_ = *noten_totals(self.rules, seats), 3000
            return tenpai_deltas({seat for seat, tenpai in enumerate(tenpais) if tenpai}, seats, total)
        if reason == "nagashi_mangan":
            return nagashi_deltas(nagashi_winners(self.table), seats, int(self.deal.oya or 0))
        return (0,) * seats

    def _reason(self, draw: ev.Ryukyoku) -> str | None:
        """Return the reason of a draw that the record does not state; None if the play before it shows none."""
        table = self.table
        played_out = (left_to_draw(table) or 0) <= 0
        winners = nagashi_winners(table) if played_out else ()
        if winners and draw.deltas in (UNSET, self._points_of("nagashi_mangan", ())):
            return "nagashi_mangan"
        if (draw.deltas and any(draw.deltas)) or draw.tenpais:
            return "exhaustive_draw"
        if len(self.round.blocked) >= TRIPLE:
            return "triple_ron"
        if played_out:
            return "exhaustive_draw"
        if table.seats == len(WINDS) and all(table.riichi):
            return "four_riichi"
        discarded = table.phase == DISCARDED
        kans: list[Any] = ev.select(self.events, *ev.KANS)
        if discarded and table.kans == _KANS and len({kan.actor for kan in kans}) > 1:
            return "four_kans"
        if kans or any(table.melds) or table.draws > table.seats:
            return None
        first = {river[0] for river in table.rivers if river}
        if discarded and table.seats == len(WINDS) == table.draws and len(first) == 1 and first < set(WINDS):
            return "four_winds"
        nine = table.drawn is not None and may_have_nine_kinds(table.hands[table.turn])
        return "nine_kinds" if nine else None


def absent(event: ev.Event, known: dict[str, Any]) -> dict[str, Any]:
    """Return the values that an event does not state."""
    return {name: value for name, value in known.items() if getattr(event, name) is UNSET}
