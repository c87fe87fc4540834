"""Formats whose text states single hands, in which player 0 is the dealer: their readers, writers and notes.

A match of several rounds is written as several hands. The second and later hands have their number in the match,
by which the reader joins them. In a match, the dealer of a round may have any seat. The text of the round counts
the players from the dealer, and the note of the round has the seat of the dealer as a hint.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType, field, structs

from mjconv.converters.interface import Part, Reading, Remark, Rendered, WriteOptions
from mjconv.converters.shared import jsontext, note_json
from mjconv.converters.shared.contradictions import with_notes
from mjconv.converters.shared.json_values import CannotHoldError, WrongValueError, refusing
from mjconv.converters.shared.restore import FoundNote, MatchNotes, Scope
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Answer, Frozen, Match, Round, Rules
from mjconv.ir.tiles import HIDDEN, SUITS, Tile
from mjconv.rules import succession

#: The players of a hand.
SEATS: Final = 4
#: The fields of events that hold a seat, and the fields that hold a value for each seat.
_SEAT: Final = frozenset({"actor", "target", "oya", "liable"})
_BY_SEAT: Final = frozenset({"deltas", "scores", "tehais", "tenpais"})


class HandHints(Frozen, frozen=True):
    """The values that the reader must know before it reads a hand: the seat of the dealer."""

    oya: int | UnsetType = UNSET


class HandsHints(Frozen, frozen=True):
    """The hints of a match: the seats of the dealers of all hands, also of those that were edited."""

    dealers: tuple[int, ...] = ()


class StatedHand(Struct):
    """A hand as its text states it.

    `match` has the values that the text states about the whole match. `number` is the number of the hand in its
    match, from 1. A later hand belongs to the match of the hand before it if both have the same `key`. `head` and
    `tokens` are the bytes for the digests of the notes: of the match, and of the hand. `locate` returns the place
    of an event, or of the hand for -1. `fault` is the error of a hand that was not read. `warning` is a message
    about a hand that was read.
    """

    begin: Place
    match: Match = field(default_factory=Match)
    round: Round = field(default_factory=Round)
    number: int = 1
    key: object = None
    head: bytes = b""
    tokens: bytes = b""
    notes: list[tuple[str, Place]] = field(default_factory=list)
    locate: Callable[[int, str], Place] | None = None
    fault: InputError | None = None
    warning: str = ""

    def place(self, event: int, key: str) -> Place:
        """Return the place of an event, or of one of its keys."""
        inside = self.locate is not None and 0 <= event < len(self.round.events)
        return self.locate(event, key) if self.locate is not None and inside else self.begin


def decoded(data: bytes, report: Report) -> str:
    """Return the text of a file. If it is not UTF-8, reports a fault, and U+FFFD replaces the wrong bytes."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", "replace")
        line = data.count(b"\n", 0, error.start)
        before = data[data.rfind(b"\n", 0, error.start) + 1 : error.start].decode("utf-8-sig", "replace")
        report.fault(InputError("the text is not UTF-8", Place(line + 1, len(before) + 1, text.split("\n")[line])))
        return text


# Reading.


def readings(format_id: str, hands: Iterable[StatedHand], report: Report) -> Iterator[Reading]:
    """Yield the matches of a file, from its hands in order."""
    joined: list[StatedHand] = []
    number = 0
    for hand in hands:
        if joined and (hand.number != joined[-1].number + 1 or hand.key != joined[0].key):
            yield _reading(format_id, joined, report, number)
            joined = []
            number += 1
        if not joined and hand.number > 1:
            report.warn(
                f"this is hand {hand.number} of its match, and hand {hand.number - 1} does not precede it",
                match=number,
                round=0,
                line=hand.begin.line,
            )
        joined.append(hand)
        if hand.fault is not None:
            report.fault(hand.fault, match=number, round=len(joined) - 1)
    if joined:
        yield _reading(format_id, joined, report, number)


def _reading(format_id: str, hands: Sequence[StatedHand], report: Report, number: int) -> Reading:
    found_notes: list[FoundNote] = []
    for index, hand in enumerate(hands):
        if hand.fault is None and not hand.round.select(ev.Win, ev.Ryukyoku):
            report.warn("the hand has no result", match=number, round=index, line=hand.begin.line)
        if hand.warning:
            report.warn(hand.warning, match=number, round=index, line=hand.begin.line)
        for text, place in hand.notes:
            try:
                loaded = note_json.loads(text.encode())
            except (note_json.NoteError, UnicodeError) as error:
                report.fault(InputError(str(error), place), match=number, round=index)
                continue
            for note in loaded:
                near = index if note.match is None else None
                found_notes.append(FoundNote(note, partial(structs.replace, place), near))

    def tokens_of(scope: Scope) -> bytes:
        return hands[0].head if scope is None else hands[scope].tokens

    def locate(index: int | None, event: int, key: str) -> Place:
        return hands[0].begin if index is None else hands[index].place(event, key)

    def read_by(notes: MatchNotes) -> Reading:
        stated = notes.hints(None, HandsHints).dealers
        own = [notes.hints(index, HandHints).oya or 0 for index in range(len(hands))]
        if len(stated) != len(hands):
            stated = tuple([own[0] + _turns(hands[0], hand) for hand in hands])
        dealers = [(one or usual) % SEATS for one, usual in zip(own, stated, strict=True)]
        rounds = [turned(hand.round, dealer) for hand, dealer in zip(hands, dealers, strict=True)]
        return Reading(_match_of(hands, rounds, dealers[0]), locate)

    visible = read_by(MatchNotes((), len(hands), tokens_of, report, number))
    return with_notes(format_id, visible, found_notes, tokens_of, report, number, seats=SEATS, reread=read_by)


def _turns(first: StatedHand, hand: StatedHand) -> int:
    """Return the seat of the dealer of a hand by the names of the players, counted from the first dealer."""
    players = first.match.players
    return next((turn for turn in range(SEATS) if list(_by_seat(players, -turn)) == hand.match.players), 0)


def _match_of(hands: Sequence[StatedHand], rounds: list[Round], dealer: int) -> Match:
    """Return the match of some hands; `dealer` is the seat of the first dealer."""
    first = hands[0].match
    return structs.replace(
        first,
        players=list(_by_seat(first.players, dealer)),
        rounds=rounds,
        opening=[ev.StartGame()],
        closing=[ev.EndGame()] if hands[-1].round.select(ev.EndRound) else [],
        rules=Rules(game="mcr"),
    )


def turned(game_round: Round, steps: int) -> Round:
    """Return the round with each player moved by a number of seats.

    >>> turned(Round([ev.Draw(3, "E"), ev.Win(3, deltas=(-8, -8, -8, 24))]), 2).events
    [Draw(actor=1, pai='E'), Win(actor=1, deltas=(-8, 24, -8, -8))]
    """
    if not steps % SEATS:
        return game_round
    after = game_round.scores_after
    return structs.replace(
        game_round,
        events=[_turned_event(event, steps) for event in game_round.events],
        annotations=tuple([_turned_remark(one, steps) for one in game_round.annotations]),
        answers=tuple([_turned_answer(one, steps) for one in game_round.answers]),
        scores_after=UNSET if after is UNSET else tuple(_by_seat(after, steps)),
    )


def _turned_event(event: Any, steps: int) -> Any:
    changed: dict[str, Any] = {}
    for name in type(event).__struct_fields__:
        value = getattr(event, name)
        if value is UNSET:
            continue
        if name in _SEAT:
            changed[name] = (value + steps) % SEATS
        elif name in _BY_SEAT:
            changed[name] = tuple(_by_seat(value, steps))
    return structs.replace(event, **changed) if changed else event


def _turned_answer(answer: Answer, steps: int) -> Answer:
    seat = UNSET if answer.seat is UNSET else (answer.seat + steps) % SEATS
    return structs.replace(answer, message=_turned_event(answer.message, steps), seat=seat)


def _turned_remark(remark: Annotation, steps: int) -> Annotation:
    if remark.seat is UNSET:
        return remark
    remark = structs.replace(remark, seat=(remark.seat + steps) % SEATS)
    claimed = claim_of(remark)
    return remark if claimed is None else claim(remark.index, _turned_event(claimed, steps))


def _by_seat(values: Sequence[Any], steps: int) -> Sequence[Any]:
    """Return values by seat, each moved by a number of seats. Values of more or fewer players stay as they are."""
    if len(values) != SEATS:
        return values
    return [values[(seat - steps) % SEATS] for seat in range(SEATS)]


def claim(index: int, event: Any) -> Annotation:
    """Return the annotation of a claim that the event of this index overrode.

    >>> claim(2, ev.Pon(1, 0, "E", ("E", "E"))).value
    '{"type":"pon","actor":1,"target":0,"pai":"E","consumed":["E","E"]}'
    """
    return Annotation(index, "claim", event.actor, jsontext.dumps(ev.to_message(event)).decode())


def claim_of(remark: Annotation) -> Any:
    """Return the event of a claim; None if the annotation is no claim, or its value is no message of mjai."""
    if remark.kind != "claim":
        return None
    try:
        return ev.from_message(msgspec.json.decode(str(remark.value)))
    except (msgspec.MsgspecError, AttributeError):
        return None


class PlayedHand:
    """The events of a hand that is read: adds what the text of an act leaves out.

    `spellings` are the spellings of tiles in messages. Raises `CannotHoldError` for an act without the discard
    that it needs.
    """

    def __init__(self, spellings: Mapping[Tile, str]) -> None:
        self.spellings = spellings
        self.events: list[ev.Event] = []
        self.annotations: list[Annotation] = []
        #: The player of the last discard or added tile, and the tile; None before the first.
        self.last: tuple[int, Tile] | None = None
        #: The player who drew last, and the tile, while it is not discarded.
        self.drawn: tuple[int, Tile] | None = None

    def draw(self, actor: int, tile: Tile) -> None:
        """Draw a tile."""
        # The tile drawn may wait while others replace flowers that were dealt.
        if self.drawn is None or not isinstance(self.events[-1], ev.Nukidora):
            self.drawn = (actor, tile)
        self.events.append(ev.Draw(actor, tile))

    def discard(self, event: ev.Discard) -> None:
        """Discard a tile."""
        self.last, self.drawn = (event.actor, event.pai), None
        self.events.append(event)

    def call(self, kind: str, actor: int, tile: Tile) -> None:
        """Make a call by its kind in messages. The tile of a chi is the middle one of the run."""
        event = self.called(kind, actor, tile)
        if isinstance(event, ev.Kakan):
            self.last = (actor, tile)
        if kind != "nukidora" or self.drawn is None or self.drawn[0] == actor:
            self.drawn = None
        self.events.append(event)

    def called(self, kind: str, actor: int, tile: Tile) -> Any:
        """Return the event of a call, or of a win, which is not played."""
        if kind == "ankan":
            return ev.Ankan(actor, (tile,) * 4)
        if kind == "kakan":
            return ev.Kakan(actor, tile, (tile,) * 3)
        if kind == "nukidora":
            return ev.Nukidora(actor, tile)
        if kind == "hora" and self.drawn is not None and self.drawn[0] == actor:
            return ev.Win(actor, actor, tile)
        if self.last is None:
            raise CannotHoldError("no tile was discarded before this claim")
        target, taken = self.last
        if kind == "chi":
            run = _run(tile)
            if taken not in run:
                last, middle = self.spellings.get(taken, taken), self.spellings[tile]
                raise CannotHoldError(f"{last}, the last discard, is in no run with {middle} in the middle")
            run.remove(taken)
            return ev.Chi(actor, target, taken, tuple(run))
        if kind == "hora":
            return ev.Win(actor, target, tile)
        return (ev.Pon if kind == "pon" else ev.Daiminkan)(
            actor, target, tile, (tile,) * (2 if kind == "pon" else 3)
        )


def _run(middle: Tile) -> list[Tile]:
    """Return the run around a tile; no tiles if the tile is in the middle of none.

    >>> _run("5p"), _run("9p")
    (['4p', '5p', '6p'], [])
    """
    if not "2" <= middle[0] <= "8" or middle[1:] not in SUITS:
        return []
    return [f"{int(middle[0]) + step}{middle[1]}" for step in (-1, 0, 1)]


def named_tile(event: Any) -> Tile | UnsetType:
    """Return the tile that an act is named by: the middle one of a run, the first one of a closed kan."""
    if isinstance(event, ev.Chi):
        return sorted((event.pai, *event.consumed))[1]
    return event.consumed[0] if isinstance(event, ev.Ankan) else event.pai


# Writing.


def render_hands(
    name: str,
    match: Match,
    spell: Callable[[Match, Round, ev.StartRound, int], str],
    parse: Callable[[str], Iterable[StatedHand]],
    options: WriteOptions,
) -> Rendered:
    """Write each round of a match as a hand. `name` is the name of the format.

    `spell` returns the text of a hand: of the match with its players from the dealer on, the round and its deal
    with the dealer at seat 0, and the number of the hand. `parse` yields the hands of a text. Raises
    `UnsupportedError` for a match that the format cannot hold.
    """
    if not match.rounds:
        raise UnsupportedError(f"a file of {name} holds hands, and the match has no round")
    parts: list[Part] = []
    hands: list[StatedHand] = []
    rounds: list[Round] = []
    deals = succession.starts(match)
    first = int(deals[0].oya or 0)
    for number, (game_round, deal) in enumerate(zip(match.rounds, deals, strict=True), 1):
        oya = int(deal.oya or 0)
        players = list(_by_seat(match.players, -oya))
        with refusing(name, game_round):
            _check_deal(game_round, deal)
            own = structs.replace(match, players=players)
            text = spell(own, turned(game_round, -oya), _turned_event(deal, -oya), number)
            [hand] = parse(text)
            if hand.fault is not None:
                raise WrongValueError(hand.fault.message)
        hands.append(hand)
        rounds.append(turned(hand.round, _turns(hands[0], hand) if options.plain else oya))
        hints = {"oya": oya} if oya and not options.plain else {}
        remarks = (
            (Remark("start_kyoku.oya", 0, detail="the text counts players from the dealer"),) if hints else ()
        )
        parts.append(Part(text.encode(), partial(bytes, hand.tokens), hints=hints, remarks=remarks))
    dealers = [int(deal.oya or 0) for deal in deals]
    shared = {"dealers": dealers} if any(dealers) and not options.plain else {}
    head = Part(b"", partial(bytes, hands[0].head), hints=shared, remarks=())
    reads_as = partial(_match_of, hands, rounds, 0 if options.plain else first)
    return Rendered([head, *parts, Part(b"")], reads_as, after=True)


def _check_deal(game_round: Round, deal: ev.StartRound) -> None:
    """Raise `WrongValueError` for a round that is no hand of Chinese Official with all tiles."""
    if game_round.start is None or deal.tehais is UNSET:
        raise WrongValueError("the dealt hands are not known")
    if deal.dora_marker not in (UNSET, HIDDEN):
        raise WrongValueError("Chinese Official has no dora")
