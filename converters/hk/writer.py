"""Write HK scores: a line for each game."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Final, get_args

from msgspec import UNSET

from mjconv.converters.hk import layout
from mjconv.converters.hk.layout import KeptLines, comments_of
from mjconv.converters.hk.lines import BEGINNING, SEATS, DatedRules, GameResult, Mark, Names, declare, state_of
from mjconv.converters.hk.names import spell
from mjconv.converters.hk.reader import GRAMMAR, match_of, outside, states, tokens
from mjconv.converters.interface import Part, Remark, Rendered, WriteOptions
from mjconv.converters.shared.extras import read_part
from mjconv.converters.shared.game_lines import MatchLine, is_comment, match_lines
from mjconv.converters.shared.json_values import refusing
from mjconv.converters.shared.text_lines import left_out, place_note
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError, shortened
from mjconv.ir.match import Match, Round
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules import hongkong_faan as faan
from mjconv.rules import succession
from mjconv.rules.decomposition import decompositions
from mjconv.rules.hongkong_points import Form, form_of
from mjconv.rules.hongkong_wins import played_hand
from mjconv.rules.rulesets import HONGKONG, RIICHI, UNKNOWN, rulesets_of

__all__ = ["place_note", "render"]

#: The declaration of a file whose games were not scored by HK rules.
_FULL: Final = "R=full"
_BOM: Final = "\ufeff"
#: The marks of the player to blame, by the form of the result.
_MARKS: Final[dict[Form, Mark]] = dict(zip(get_args(Form), get_args(Mark), strict=True))


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
    entering = BEGINNING if before is None else before
    writer = _HkWriter(match, entering)
    results = [writer.result(game_round, index) for index, game_round in enumerate(match.rounds)]
    written = writer.lay_out(results, last=last)
    [lines] = match_lines(GRAMMAR, chain.from_iterable(written), entering)
    games = iter(lines.games)
    lines.games = [MatchLine("", None, 0) if result is None else next(games) for result in results]
    head, *rounds, tail = ["".join([f"{line}\n" for line in block]) for block in written]
    if before is not None:
        head = f"\n{head}"
    elif head.startswith(_BOM):
        # A mark at the very beginning is not read as text.
        head = _BOM + head

    def part(text: str, key: int | None) -> Part:
        remarks = () if key is None else writer.remarks[key]
        words, around = partial(tokens, lines, key), partial(outside, lines, key)
        return Part(text.encode(), words, remarks=remarks, outside=around)

    parts = [
        part(text, index) if game.parsed else left_out("it has no result", plain=options.plain)
        for index, (text, game) in enumerate(zip(rounds, lines.games, strict=True))
    ]
    parts = [part(head, None), *parts, Part(tail.encode())]
    return Rendered(parts, partial(match_of, lines), states(lines)[-1]._replace(names=()))


class _HkWriter:
    """Makes the results and the lines of one match.

    `state` is the date and the rules in force after the lines so far. `remarks` are about approximated faan, by
    the index of the round.
    """

    def __init__(self, match: Match, entering: DatedRules) -> None:
        self.match = match
        self.state = entering
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
        match = self.match
        names = tuple(match.names)
        canonical = " ".join(spell(names or ("",) * SEATS))
        first = self._state(match.rounds[0]) if match.rounds else self.usual
        written = [self._lines(match, first, Names(names), canonical)]
        for game_round, result in zip(match.rounds, results, strict=True):
            state = self._state(game_round)
            written.append([] if result is None else self._lines(game_round, state, result, str(result)))
        below = layout.lines_of(comments_of(match).below)
        after, _ = layout.laid_out(layout.filled(read_part(match, layout.KEY, KeptLines).after, below), self.state)
        # Other lines than comments right under the last game would belong to the next match.
        return [*written, after if last else list(filter(is_comment, after))]

    def _lines(self, whole: Match | Round, wanted: DatedRules, parsed: object, canonical: str) -> list[str]:
        """Return the line of names or a game, and the lines before it, in the layout that was kept."""
        kept, comments = read_part(whole, layout.KEY, KeptLines), comments_of(whole)
        above = layout.lines_of(comments.above)
        lines: list[str] = []
        if kept.before is not UNSET or above or whole is self.match or self.state != wanted:
            lines = layout.filled(kept.before or (), above)
            if kept.before is not UNSET:
                lines, self.state = layout.laid_out(lines, self.state)
            # A declaration after the names stays there.
            if kept.before is UNSET or whole is not self.match or not self.match.rounds:
                lines += self._declared(wanted, at_names=whole is self.match)
        return [*lines, layout.line_of(kept.line, parsed, canonical, comments.beside)]

    def _declared(self, wanted: DatedRules, *, at_names: bool) -> list[str]:
        """Return the declarations that change the state to another one."""
        declared = declare(self.state, wanted)
        if at_names and self.match.rounds and self.rulesets[0] is not HONGKONG and _FULL not in declared:
            declared.append(_FULL)
        self.state = wanted._replace(date=max(filter(None, (self.state.date, wanted.date)), default=None))
        return declared

    def _state(self, game_round: Round) -> DatedRules:
        if game_round.rules is game_round.date is UNSET:
            return self.usual
        return state_of(self.match.rules_of(game_round), self.match.date_of(game_round))

    # The results.

    def result(self, game_round: Round, index: int) -> GameResult | None:
        """Return the results of a round, or None if it has none."""
        results: list[ev.Win | ev.Ryukyoku] = game_round.select(ev.Win, ev.Ryukyoku)
        if not results:
            return None
        for seat in chain.from_iterable(map(seats_of, results)):
            if not 0 <= seat < SEATS:
                raise UnsupportedError(f"round {game_round.label}: there is no player {seat} of {SEATS}")
        state = self._state(game_round)
        guarantors = state.responsibility == "half"
        wins = [event for event in results if isinstance(event, ev.Win)]
        if not wins:
            return result_of(results[0], 0, guarantors=guarantors)
        win = nearest(wins)
        return result_of(win, self._faan(game_round, index, win, state.max_faan), guarantors=guarantors)

    def _faan(self, game_round: Round, index: int, win: ev.Win, most: int) -> int:
        """Return the winner's faan: as scored if that was by HK rules, else counted from the hand."""
        ruleset = self.rulesets[index]
        if ruleset is HONGKONG and win.fan is not UNSET:
            return min(win.fan, most)
        self.deals = self.deals or succession.starts(self.match)
        with refusing("HK", game_round, index=index):
            won = played_hand(game_round, self.deals[index], win, ruleset.draws.get(SEATS))
        counted = None if won is None else faan.count(decompositions(won.concealed, won.melds), won.way, most)
        total = 0 if counted is None else counted.total
        if counted is None:
            lacking = "is not shown" if won is None else "is none by HK rules"
            detail = f"0 faan: the winning hand {lacking}"
        elif faan.APPROXIMATED in counted.patterns:
            detail = f"{total} faan for a hand of {faan.APPROXIMATED}"
        elif ruleset in (HONGKONG, RIICHI, UNKNOWN):
            return total
        else:
            detail = f"{total} faan by Hong Kong rules for a hand of {shortened(ruleset.name.english)}"
        self.remarks[index].append(Remark("hora.fan", game_round.events.index(win), "approximated", detail))
        return total


def nearest(wins: Sequence[ev.Win]) -> ev.Win:
    """Return the win that counts by HK custom: the win of the first player in turn after the discarder.

    >>> nearest([ev.Win(3, target=0), ev.Win(1, target=0)]).actor
    1
    """
    return min(wins, key=lambda win: (win.actor - win.giver) % SEATS)


def seats_of(event: ev.Win | ev.Ryukyoku) -> list[int]:
    """Return the seats that an event names."""
    named = (event.actor, event.target, event.liable) if isinstance(event, ev.Win) else (event.actor,)
    return [seat for seat in named if seat is not UNSET]


def result_of(event: ev.Win | ev.Ryukyoku, faan: int, *, guarantors: bool) -> GameResult:
    """Return the results that an event means: with the winner's `faan`, and a mark for `guarantors` of a discard.

    A known discarder is to blame, whoever else is liable. A false win by nobody is a draw.

    >>> str(result_of(ev.Win(1, target=2, liable=3), 4, guarantors=True))
    '- 4 d -'
    """
    if isinstance(event, ev.Ryukyoku) and (event.reason != CHOMBO or event.actor is UNSET):
        return GameResult()
    form, winner, blamed = form_of(event)
    mark: Mark = "d" if form == "discard-guarantee" and not guarantors else _MARKS[form]
    return GameResult(winner, faan, blamed, mark)
