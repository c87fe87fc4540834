"""Writes mjlog XML as Tenhou does: one line, a head, the elements of each round, and the end of the root."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import gcd
from typing import Final

from msgspec import UNSET, structs

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.shared.carry import MARK
from mjconv.converters.shared.completed import CompleteRound, complete
from mjconv.converters.shared.ends import final_scores
from mjconv.converters.tenhou import xml_head
from mjconv.converters.tenhou.attributes import LISTED
from mjconv.converters.tenhou.bounds import MOST_POINTS, MOST_RESULT, too_large
from mjconv.converters.tenhou.copies import Copies, NumberingError
from mjconv.converters.tenhou.elements import element
from mjconv.converters.tenhou.ends import after_uma
from mjconv.converters.tenhou.extras import BESIDE, KEY, MatchExtras, RoundExtras, read_extras
from mjconv.converters.tenhou.numbering import (
    Numbering,
    numbered_by_copies,
    numbered_by_wall,
    shown_tiles,
)
from mjconv.converters.tenhou.scanner import ROOT
from mjconv.converters.tenhou.seeds import GameSeed
from mjconv.converters.tenhou.vocabulary import type_of
from mjconv.converters.tenhou.wall import RoundWall, SeedError
from mjconv.converters.tenhou.xml_reader import read_as
from mjconv.converters.tenhou.xml_results import ends_of
from mjconv.converters.tenhou.xml_round_writer import RoundWriter
from mjconv.converters.tenhou.xml_tokens import tokens_in
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round, Rules
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.tiles import HIDDEN, RED_FIVES

_HUNDRED: Final = 100
#: The elements of the head, in their order.
_HEAD: Final = ("SHUFFLE", "GO", "UN", "TAIKYOKU")
#: The kinds of events that state points.
_WITH_POINTS: Final = frozenset({ev.StartRound, ev.RiichiAccepted, ev.Win, ev.Ryukyoku})
_SPELLINGS: Final = frozenset(YAKU_IN_MESSAGES.values())
_REDS: Final = frozenset(RED_FIVES)


def render_xml(match: Match, options: WriteOptions) -> Rendered:  # noqa: ARG001 - mjlog has one flavour
    """Write a match as an mjlog. Raises `UnsupportedError` for hidden tiles, `PlayError` for impossible play."""
    return MatchWriter(match).rendered()


class MatchWriter:
    """Writes one match: its head, its rounds, and the end of the root.

    `rounds` are its rounds with all values that the rules determine.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seats = match.seats
        self.extras = read_extras(match, MatchExtras)
        self.reds = has_reds(match)
        self.rounds = self._complete()
        self.own = [read_extras(one, RoundExtras) for one in match.rounds]
        un = self._merged("UN", xml_head.un(match.players, self.seats))
        self.names = [un.get(f"n{seat}") or "" for seat in range(LISTED)]
        #: Whether the seed of the game determines its walls.
        self.seeded = True

    def rendered(self) -> Rendered:
        """Return the parts of the match."""
        numbers, self.seeded = self._numbered()
        head = self.head()
        parts = [_part(head)]
        writers: list[RoundWriter] = []
        ends = self.ends()
        last = len(self.rounds) - 1
        for index, completed in enumerate(self.rounds):
            writer = RoundWriter(
                self.match.rounds[index],
                self._with_bare_riichi(completed, index),
                numbers[index],
                self.own[index],
                self.names,
                reds=self.reds,
                ends=ends if index == last else None,
            )
            writers.append(writer)
            try:
                parts.append(_part(writer.write()))
            except NumberingError as error:
                raise UnsupportedError(f"round {self.match.rounds[index].label}: {error}") from None
        parts.append(Part(f"</{ROOT}>".encode() if self.is_closed else b""))
        return Rendered(parts, self._reading(head, writers), after="a match")

    @property
    def is_closed(self) -> bool:
        """Whether the match has its end, so that the root is closed."""
        return any(isinstance(event, ev.EndGame) for event in self.match.closing)

    def _reading(self, head: str, writers: Sequence[RoundWriter]) -> Match | None:
        """Return the match that the text is read as; None where only reading it shows that."""
        if self.match.extras.get(KEY) or not all(writer.is_recorded for writer in writers):
            return None
        return read_as(head, [writer.record for writer in writers], reds=self.reds, closed=self.is_closed)

    # The head.

    def head(self) -> str:
        """Return the text before the first round."""
        usual = {
            "SHUFFLE": {"seed": "", "ref": ""},
            "GO": {"type": str(self._go_type()), "lobby": "0"},
            "UN": xml_head.un(self.match.players, self.seats),
            "TAIKYOKU": {"oya": "0"},
        }
        text = [f"{element(ROOT, {'ver': '2.3'}, self._kept(ROOT))[:-2]}>"]
        for name, found in usual.items():
            if name in self.extras.attributes and self.extras.attributes[name] is None:
                continue
            other = dict(self._kept(name))
            if name == "GO":
                # The rules of the match are those of the type.
                other.pop("type", None)
            if name == "SHUFFLE" and not self.seeded:
                other.pop("seed", None)
            text.append(element(name, found, other))
        beside = [one for one in self.match.annotations if one.index == 0]
        for number, one in enumerate(beside):
            seat = one.seat if isinstance(one.seat, int) and 0 <= one.seat < LISTED else 0
            other = dict(self._kept(f"{BESIDE}{number}"))
            if one.kind == "left":
                text.append(element("BYE", {"who": str(seat)}, other))
            elif one.kind == "returned":
                text.append(element("UN", {f"n{seat}": self.names[seat]}, other, spaced=True))
        return "".join(text)

    def _kept(self, name: str) -> dict[str, str | None]:
        return self.extras.attributes.get(name) or {}

    def _merged(self, name: str, found: dict[str, str]) -> dict[str, str | None]:
        return {**found, **self._kept(name)}

    def _go_type(self) -> int:
        stated = self._kept("GO").get("type") or ""
        known = stated.isascii() and stated.isdecimal() and len(stated) <= 5
        rules = Rules() if self.match.rules is UNSET else self.match.rules
        if rules.reds is UNSET and not self.reds:
            rules = structs.replace(rules, reds=(0, 0, 0))
        return type_of(rules, self.seats, int(stated)) if known else type_of(rules, self.seats)

    # The rounds.

    def _complete(self) -> list[CompleteRound]:
        rounds = complete(_without_other_names(self.match))
        return [self._checked(one, index) for index, one in enumerate(rounds)]

    def _checked(self, completed: CompleteRound, index: int) -> CompleteRound:
        """Return the round. Raises `UnsupportedError` if mjlog cannot hold it."""
        label = self.match.rounds[index].label
        if completed.deal.tehais is UNSET:
            raise UnsupportedError(f"round {label}: mjlog states every tile, and this round has no hands")
        stated = [event for event in completed.events if type(event) in _WITH_POINTS]
        for event in stated:
            for points in (getattr(event, "scores", ()), getattr(event, "deltas", ())):
                if points and gcd(*points) % _HUNDRED:
                    raise UnsupportedError(
                        f"round {label}: mjlog writes points in hundreds, and here are {points}"
                    )
        large = too_large(stated)
        if large is not None:
            raise UnsupportedError(f"round {label}: {large}")
        return completed

    def _with_bare_riichi(self, completed: CompleteRound, index: int) -> CompleteRound:
        """Return a round without scores at riichi, if the file from which it comes has none."""
        if not self.extras.bare_riichi:
            return completed
        stated = self.match.rounds[index].events
        events = [
            ev.RiichiAccepted(event.actor)
            if isinstance(event, ev.RiichiAccepted) and getattr(stated[origin], "scores", UNSET) is UNSET
            else event
            for event, origin in zip(completed.events, completed.origins, strict=True)
        ]
        return completed._replace(events=events)

    def _numbered(self) -> tuple[list[Numbering], bool]:
        """Return the numbers of the tiles of each round, and whether the seed of the game fits one of them."""
        seed = self._seed()
        seeded = seed is None
        found: list[Numbering] = []
        for index, completed in enumerate(self.rounds):
            label = self.match.rounds[index].label
            shuffle = self.own[index].attributes.get("0", {}).get("shuffle")
            shown = shown_tiles(completed.deal, completed.events)
            if HIDDEN in shown.indicators:
                raise UnsupportedError(f"round {label}: mjlog states every dora indicator, and one is not known")
            copies = Copies(self.seats, reds=self.reds)
            wall = _wall(seed, shuffle)
            numbers = None if wall is None else numbered_by_wall(shown, wall, copies.spelled)
            seeded = seeded or (numbers is not None and not shuffle)
            try:
                found.append(numbers or numbered_by_copies(shown, copies, self.own[index].drawn))
            except NumberingError as error:
                raise UnsupportedError(f"round {label}: {error}") from None
        return found, seeded or not self.rounds

    def _seed(self) -> GameSeed | None:
        """Return the seed of the game; None if it has no form that mjconv knows."""
        try:
            return GameSeed(self._kept("SHUFFLE").get("seed") or "", self.seats)
        except SeedError:
            return None

    def ends(self) -> str | None:
        """Return the value of `owari`, or None if the match does not end with a result."""
        closing = [event for event in self.match.closing if isinstance(event, ev.EndGame)]
        if not closing or self.extras.without_ends or not self.rounds:
            return None
        results: list[ev.Win | ev.Ryukyoku] = ev.select(self.rounds[-1].events, ev.Win, ev.Ryukyoku)
        if not results or results[-1].scores is UNSET:
            return None
        scores, points = closing[0].scores, self.match.final_scores
        if scores is UNSET or len(scores) != self.seats:
            deal, events = self.rounds[-1].deal, self.rounds[-1].events
            accepted = len(ev.select(events, ev.RiichiAccepted))
            sticks = 0 if ev.select(events, ev.Win) else int(deal.kyotaku or 0) + accepted
            scores = final_scores(results[-1].scores, sticks)
        if points is UNSET or len(points) != self.seats:
            points = after_uma(scores, self.match.rules)
        for found, most in ((scores, MOST_POINTS), (points, MOST_RESULT)):
            if max(map(abs, found)) > most:
                raise UnsupportedError(f"the points at the end are {found}: mjlog holds at most {most}")
        return ends_of(scores, points)


def place_note(part: Part, note: bytes) -> bytes:
    r"""Return the text of a part with a note, as a comment at its end.

    >>> place_note(Part(b"<INIT/>"), b'{"label":"a--b"}')
    b'<INIT/><!--mjconv {"label":"a-\\u002db"}-->'
    """
    # A comment of XML cannot hold two hyphens in a row. In JSON they are in strings only.
    return b"%b<!--%b %b-->" % (part.text, MARK.encode(), note.replace(b"--", b"-\\u002d"))


def has_reds(match: Match) -> bool:
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


def _part(text: str) -> Part:
    return Part(text.encode("utf-8", "surrogatepass"), partial(tokens_in, text))


def _wall(seed: GameSeed | None, shuffle: str | None) -> RoundWall | None:
    try:
        return (seed or GameSeed("", LISTED)).next_wall(shuffle)
    except SeedError:
        return None


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
