"""Writes mjlog XML as Tenhou does: one line, a head, the elements of each round, and the end of the root."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import gcd
from typing import Final

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.interface import Part, Remark, Rendered
from mjconv.converters.shared.carry import MARK
from mjconv.converters.shared.completed import CompleteRound, complete
from mjconv.converters.shared.ends import final_scores, ranking
from mjconv.converters.shared.walls import HAND
from mjconv.converters.tenhou.vocabulary import LISTED, MOST_COUNT, MOST_FU, MOST_HAN, MOST_RESULT, MOST_WON
from mjconv.converters.tenhou.xml_head import write_head
from mjconv.converters.tenhou.xml_round import HUNDRED
from mjconv.converters.tenhou.xml_round_writer import XmlRoundWriter
from mjconv.converters.tenhou.xml_scanner import ROOT, tokens_in
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.match import Match, Round, Rules
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.tiles import HIDDEN, RED_FIVES

_SPELLINGS: Final = frozenset(YAKU_IN_MESSAGES.values())
_REDS: Final = frozenset(RED_FIVES)
#: The events with points or with an indicator.
_WITH_NUMBERS: Final = frozenset({ev.StartRound, ev.RiichiAccepted, ev.Dora, ev.Win, ev.Ryukyoku})
#: The points that results count from, and the uma from the first to the last, by the number of players.
_RETURNING: Final = {3: 40000, 4: 30000}
_UMA: Final = {3: (20000, 0, -20000), 4: (20000, 10000, -10000, -20000)}

#: The values that no field of the hub holds, and that an mjlog states.
_INVENTED: Final = (
    Remark("match.lobby", fate="assumed", detail="lobby 0, an empty seed, and sx M"),
    Remark("match.copies", fate="assumed", detail="a tile has the number of its lowest copy that is left"),
)


def render_xml(match: Match) -> Rendered:
    """Write a match as an mjlog. Raises `UnsupportedError` for hidden tiles, `PlayError` for impossible play."""
    return _XmlMatchWriter(match).rendered()


def place_note(part: Part, note: bytes) -> bytes:
    r"""Return the text of a part with a note, as a comment at its end.

    >>> place_note(Part(b"<INIT/>"), b'{"label":"a--b"}')
    b'<INIT/><!--mjconv {"label":"a-\\u002db"}-->'
    """
    # A comment of XML cannot hold two hyphens in a row. In JSON they are in strings only.
    return b"%b<!--%b %b-->" % (part.text, MARK.encode(), note.replace(b"--", b"-\\u002d"))


class _XmlMatchWriter:
    """Writes one match: its head, its rounds, and the end of the root.

    `rounds` are its rounds with all values that the rules determine.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.reds = _has_reds(match)
        self.rounds = complete(_without_other_names(match))
        for completed, source in zip(self.rounds, match.rounds, strict=True):
            _check(completed, source.label)
        self.head = write_head(match, reds=self.reds)
        self.is_closed = any(isinstance(event, ev.EndGame) for event in match.closing)
        self.ends = self._ends()

    def rendered(self) -> Rendered:
        """Return the parts of the match."""
        parts = [structs.replace(_part(self.head), remarks=_INVENTED)]
        last = len(self.rounds) - 1
        for index, (source, completed) in enumerate(zip(self.match.rounds, self.rounds, strict=True)):
            ends = self.ends if index == last else None
            parts.append(_part(XmlRoundWriter(self.match, source, completed, ends, reds=self.reds).write()))
        # The records of games that broke off have a closed root too. Programs read no other XML.
        return Rendered([*parts, Part(f"</{ROOT}>".encode())])

    def _ends(self) -> str | None:
        """Return the value of `owari`, or None if the match does not end with a result."""
        if not self.is_closed or not self.rounds:
            return None
        deal, events, _ = self.rounds[-1]
        results: list[ev.Win | ev.Ryukyoku] = ev.select(events, ev.Win, ev.Ryukyoku)
        if not results or results[-1].scores is UNSET:
            return None
        [end, *_] = ev.select(self.match.closing, ev.EndGame)
        scores, points, seats = end.scores, self.match.final_scores, self.match.seats
        if scores is UNSET or len(scores) != seats:
            accepted = len(ev.select(events, ev.RiichiAccepted))
            sticks = 0 if ev.select(events, ev.Win) else int(deal.kyotaku or 0) + accepted
            scores = final_scores(results[-1].scores, sticks)
        if points is UNSET or len(points) != seats:
            points = after_uma(scores, self.match.rules)
        for found, most in ((scores, MOST_POINTS), (points, MOST_RESULT)):
            if max(map(abs, found)) > most:
                raise UnsupportedError(f"the points at the end are {found}: mjlog holds at most {most}")
        pairs = [f"{score // HUNDRED},{result / 1000:.1f}" for score, result in zip(scores, points, strict=True)]
        return ",".join([*pairs, *["0,0.0"] * (LISTED - len(pairs))])


def after_uma(scores: Sequence[int], rules: Rules | UnsetType) -> tuple[int, ...]:
    """Return the points after uma. The first has what the others lose.

    >>> after_uma((26300, 34400, 24500, 14800), UNSET)
    (6300, 44400, -15500, -35200)
    """
    seats = len(scores)
    stated = Rules() if rules is UNSET else rules
    returning = _RETURNING[seats] if stated.returning is UNSET else stated.returning
    uma: Sequence[int] = _UMA[seats]
    if stated.uma is not UNSET and seats == len(_UMA[4]):
        uma = (stated.uma[0], stated.uma[1], -stated.uma[1], -stated.uma[0])
    found = [0] * seats
    first, *others = ranking(scores)
    for place, seat in enumerate(others, 1):
        found[seat] = scores[seat] - returning + uma[place]
    found[first] = -sum(found)
    return tuple(found)


def _part(text: str) -> Part:
    return Part(text.encode("utf-8", "surrogatepass"), partial(tokens_in, text))


def _check(completed: CompleteRound, label: str) -> None:
    """Raise `UnsupportedError` if mjlog cannot hold a round."""
    if completed.deal.tehais is UNSET:
        raise UnsupportedError(f"round {label}: mjlog states every tile, and this round has no hands")
    if any(len(hand) != HAND for hand in completed.deal.tehais):
        raise UnsupportedError(f"round {label}: a hand of mjlog has {HAND} tiles, and here are other hands")
    for event in completed.events:
        if type(event) not in _WITH_NUMBERS:
            continue
        if getattr(event, "dora_marker", "") in (UNSET, HIDDEN):
            raise UnsupportedError(f"round {label}: mjlog states every dora indicator, and one is not known")
        for points in (getattr(event, "scores", ()), getattr(event, "deltas", ())):
            if points and gcd(*points) % HUNDRED:
                raise UnsupportedError(f"round {label}: mjlog writes points in hundreds, and here are {points}")
        for name, number, most in _numbers(event):
            if abs(number) > most:
                raise UnsupportedError(f"round {label}: the {name} is {number}: mjlog holds at most {most}")


def _numbers(event: ev.Event) -> Iterator[tuple[str, int, int]]:
    """Yield the numbers of an event that mjlog bounds: the name of each, the number, and the largest one."""
    scores: tuple[int, ...] = getattr(event, "scores", None) or ()
    deltas: tuple[int, ...] = getattr(event, "deltas", None) or ()
    for score in scores:
        yield "score of a player", score, MOST_POINTS
    for score, delta in zip(scores, deltas, strict=False):
        yield "score of a player before a result", score - delta, MOST_POINTS
    for delta in deltas:
        yield "gain of a player", delta, MOST_POINTS
    if isinstance(event, ev.StartRound):
        yield "honba", event.honba or 0, MOST_COUNT
        yield "number of riichi sticks", event.kyotaku or 0, MOST_COUNT
    elif isinstance(event, ev.Win):
        yield "fu of a win", event.fu or 0, MOST_FU
        yield "value of a win in points", event.hora_points or 0, MOST_WON
        for _, han in event.yakus or ():
            yield "value of a yaku in han", han, MOST_HAN


def _has_reds(match: Match) -> bool:
    """Return whether a game has red fives: its rules or its opening state it, or else one of its tiles is red."""
    if match.rules is not UNSET and match.rules.reds is not UNSET:
        return any(match.rules.reds)
    for event in match.opening:
        if isinstance(event, ev.StartGame) and event.aka_flag is not UNSET:
            return event.aka_flag
    return any(map(_shows_red, match.rounds))


def _shows_red(game_round: Round) -> bool:
    start = game_round.start or ev.StartRound()
    tiles = [start.dora_marker or HIDDEN, *(tile for hand in start.tehais or () for tile in hand)]
    tiles += [event.pai for event in ev.select(game_round.events, ev.Draw)]
    tiles += [event.dora_marker for event in ev.select(game_round.events, ev.Dora)]
    return not _REDS.isdisjoint(tiles)


def _without_other_names(match: Match) -> Match:
    """Return a match without yaku of wins that have names of other programs: they are worked out again."""
    if all(_SPELLINGS.issuperset(_names(win)) for one in match.rounds for win in one.select(ev.Win)):
        return match
    rounds = [structs.replace(one, events=[_known_names(event) for event in one.events]) for one in match.rounds]
    return structs.replace(match, rounds=rounds)


def _known_names(event: ev.Event) -> ev.Event:
    if isinstance(event, ev.Win) and not _SPELLINGS.issuperset(_names(event)):
        return structs.replace(event, yakus=UNSET)
    return event


def _names(win: ev.Win) -> list[str]:
    return [name for name, _ in win.yakus or ()]
