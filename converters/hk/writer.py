"""Write HK scores: a line for each game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.hk import layout
from mjconv.converters.hk.grouping import EmptyGame, group_lines, match_of, nearest, result_of, seats_of
from mjconv.converters.hk.layout import place_note
from mjconv.converters.hk.lines import BEGINNING, SEATS, DatedRules, GameResult, Names, declare, state_of
from mjconv.converters.hk.names import spell
from mjconv.converters.hk.reader import match_tokens, result_tokens
from mjconv.converters.interface import Part, Remark, Rendered, WriteOptions
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError, shortened
from mjconv.ir.match import Match, Round
from mjconv.ir.stream import recorded_seat
from mjconv.rules import hongkong_faan as faan
from mjconv.rules import succession
from mjconv.rules.decomposition import decompositions
from mjconv.rules.hongkong_wins import PlayedWrongError, winning_hand
from mjconv.rules.rulesets import HONGKONG, RIICHI, UNKNOWN, rulesets_of

__all__ = ["place_note", "render"]

#: The declaration of a file whose games were not scored by HK rules.
_FULL: Final = "R=full"
_BOM: Final = "\ufeff"
#: The loss of a round that has no line.
_NO_RESULT: Final = (Remark("match.rounds", detail="it has no result"),)


def render(match: Match, before: DatedRules | None, last: bool, options: WriteOptions) -> Rendered:
    r"""Write a match: its names, and a line a round.

    The faan of a round by other rules are counted from the winning hand. A round without a result has no line.
    `before` and `Rendered.after` are the rules and the date of the last game before. Raises `UnsupportedError` for
    a result of other than four players, `PlayError` if the events before a winning hand cannot be played.

    >>> from mjconv.ir.match import Name, Player, Text
    >>> players = [Player(Name(Text(name))) for name in "ABCD"]
    >>> match = Match(players, [Round([ev.Win(1, target=2, fan=3)])], rules=BEGINNING.rules())
    >>> [part.text for part in render(match, None, True, WriteOptions()).parts]
    [b'A B C D\n', b'- 3 d -\n', b'']
    """
    writer = _HkWriter(match, BEGINNING if before is None else before)
    results = [writer.result(game_round, index) for index, game_round in enumerate(match.rounds)]
    written = writer.lay_out(results, last=last)
    [lines] = group_lines(chain.from_iterable(written), writer.entering)
    games = iter(lines.games)
    lines.games = [EmptyGame(0) if result is None else next(games) for result in results]
    head, *rounds, tail = map(_text_of, written)
    if before is not None:
        head = f"\n{head}"
    elif head.startswith(_BOM):
        # A mark at the very beginning is not read as text.
        head = _BOM + head
    parts = [Part(head.encode(), tokens=partial(match_tokens, lines.names, lines.first))]
    hints = {} if options.plain else {"left_out": True}
    for index, (text, result) in enumerate(zip(rounds, results, strict=True)):
        if result is None:
            parts.append(Part(b"", hints=hints, remarks=_NO_RESULT))
        else:
            parts.append(
                Part(text.encode(), tokens=partial(result_tokens, result), remarks=writer.remarks.get(index, ()))
            )
    parts.append(Part(tail.encode()))
    return Rendered(parts, partial(match_of, lines), lines.state_after)


def _text_of(lines: Iterable[str]) -> str:
    return "".join([f"{line}\n" for line in lines])


class _HkWriter:
    """Makes the results and the lines of one match.

    `remarks` are about approximated faan, by the index of the round.
    """

    def __init__(self, match: Match, entering: DatedRules) -> None:
        self.match = match
        self.entering = entering
        self.rulesets = rulesets_of(match)
        #: The state of a round without rules and date of its own.
        self.usual = state_of(match.rules, match.date)
        self.deals: list[ev.StartRound] | None = None
        self.remarks: defaultdict[int, list[Remark]] = defaultdict(list)

    # The lines.

    def lay_out(self, results: Sequence[GameResult | None], *, last: bool) -> list[list[str]]:
        """Return the lines up to the names, the lines of each round, and the lines after the games.

        `last` if no other match follows, which would take the last lines.
        """
        kept = layout.layout_of(self.match, layout.MatchLayout)
        comments = layout.arrange_comments(self.match)
        rounds = self.match.rounds
        first = self._state(rounds[0] if rounds else None)
        head, state = self._before(kept.before, comments.above, self.entering, first, at_names=True)
        names = tuple("" if player.name is UNSET else player.name.shown for player in self.match.players)
        canonical = " ".join(spell(names or ("",) * SEATS))
        written = [[*head, layout.line_of(kept.line, Names(names), canonical, comments.beside)]]
        for game_round, result in zip(rounds, results, strict=True):
            if result is None:
                written.append([])
                continue
            extras = layout.layout_of(game_round, layout.RoundLayout)
            above = layout.comments_above(game_round)
            before, state = self._before(extras.before, above, state, self._state(game_round))
            end = layout.end_comment(game_round)
            written.append([*before, layout.line_of(extras.line, result, str(result), end)])
        after, _ = layout.laid_out(layout.filled(kept.after, comments.below), state)
        if not last:
            # Other lines than comments right under the last game would belong to the next match.
            after = list(filter(layout.is_place, after))
        return [*written, after]

    def _before(
        self, kept: Any, comments: Sequence[str], state: DatedRules, wanted: DatedRules, *, at_names: bool = False
    ) -> tuple[list[str], DatedRules]:
        """Return the lines before names or a game, in the layout that was kept, and the state after them."""
        if kept is UNSET and not comments and state == wanted and not at_names:
            return [], state
        lines = layout.filled(() if kept is UNSET else kept, comments)
        if kept is not UNSET:
            lines, state = layout.laid_out(lines, state)
            if at_names and self.match.rounds:
                # A declaration after the names stays there.
                return lines, state
        declared = declare(state, wanted)
        played = at_names and bool(self.match.rounds) and self.rulesets[0] is not HONGKONG
        if played and _FULL not in declared:
            declared.append(_FULL)
        reached = wanted._replace(date=max(filter(None, (state.date, wanted.date)), default=None))
        return lines + declared, reached

    def _state(self, game_round: Round | None) -> DatedRules:
        if game_round is None or game_round.rules is game_round.date is UNSET:
            return self.usual
        return state_of(self.match.rules_of(game_round), self.match.date_of(game_round))

    # The results.

    def result(self, game_round: Round, index: int) -> GameResult | None:
        """Return the results of a round, or None if it has none."""
        results: list[ev.Win | ev.Ryukyoku] = game_round.select(ev.Win, ev.Ryukyoku)
        if not results:
            return None
        for event in results:
            for seat in seats_of(event):
                if not 0 <= seat < SEATS:
                    raise UnsupportedError(f"round {game_round.label}: there is no player {seat} of {SEATS}")
        state = self._state(game_round)
        guarantors = state.responsibility == "half"
        wins = [event for event in results if isinstance(event, ev.Win)]
        if not wins:
            return result_of(results[0], 0, guarantors=guarantors)
        win = nearest(wins)
        won = self._faan(game_round, index, win, state.max_faan)
        return result_of(win, won, guarantors=guarantors)

    def _faan(self, game_round: Round, index: int, win: ev.Win, most: int) -> int:
        """Return the winner's faan: as scored if that was by HK rules, else counted from the hand."""
        if self.rulesets[index] is HONGKONG and win.fan is not UNSET:
            return min(win.fan, most)
        self.deals = self.deals or succession.starts(self.match)
        try:
            draws = self.rulesets[index].draws.get(SEATS)
            won = winning_hand(game_round, self.deals[index], win, recorded_seat(self.match.opening), draws)
        except PlayedWrongError as error:
            message = f"round {game_round.label}, message {error.event + 1}: {error}"
            raise PlayError(message, at=(0, index, error.event)) from None
        counted = None if won is None else faan.count(decompositions(won.concealed, won.melds), won.way, most)
        if counted is None:
            reason = "the winning hand is not shown" if won is None else "the winning hand is none by HK rules"
            self._approximate(game_round, index, win, f"0 faan: {reason}")
            return 0
        if faan.APPROXIMATED in counted.patterns:
            self._approximate(game_round, index, win, f"{counted.total} faan for a hand of {faan.APPROXIMATED}")
        elif self.rulesets[index] not in (HONGKONG, RIICHI, UNKNOWN):
            game = shortened(self.rulesets[index].name.english)
            self._approximate(
                game_round, index, win, f"{counted.total} faan by Hong Kong rules for a hand of {game}"
            )
        return counted.total

    def _approximate(self, game_round: Round, index: int, win: ev.Win, detail: str) -> None:
        event = game_round.events.index(win)
        self.remarks[index].append(Remark("hora.fan", event, "approximated", detail))
