"""A frame as text: its head and its flows (section 4.2), its hands (section 2.3.7).

The expression of a frame checks the acts and hands of its flows. They are kept as texts, for `round_reader`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from mjconv.converters.jmjp.grammar import expression
from mjconv.converters.jmjp.head import RefusedValueError, points_at, points_in, read_text, round_id_at
from mjconv.converters.jmjp.spelling import (
    DORA,
    HUB,
    INDICATOR,
    JMJP,
    LETTERS,
    PLACE,
    UNKNOWN,
    spell,
    split,
    write_points,
)
from mjconv.converters.shared.walls import MOST_INDICATORS
from mjconv.ir import events as ev
from mjconv.ir import limits
from mjconv.ir.catalogue import catalogue
from mjconv.ir.match import FinalHand, Match, Meld, MeldKind, Round, RoundId, Text
from mjconv.ir.seats import turned
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, Tile, sorted_tiles
from mjconv.rules.scores import RIICHI_STICK, sticks_left

#: A flow begins and ends with this number of hands.
_HANDS: Final = 4


class Flow(Struct):
    """The play of a frame: hands at its start, acts, hands at its end, as spelled, without outer brackets.

    A hand is ``e,hnd[...]``, an act ``e,5m,tg``. Each offset is the place of the first entry's bracket in
    the stripped text. Entries follow each other without a gap.
    """

    start: list[str]
    acts: list[str]
    end: list[str]
    start_at: int
    acts_at: int
    end_at: int

    def offset(self, part: str, index: int) -> int:
        """Return the offset of a bracket in the stripped text: of a hand of `start` or `end`, or of an act.

        >>> Flow([], ["e,5m,tg", "s,ew,"], [], 0, 100, 0).offset("acts", 1)
        109
        """
        begin: int = getattr(self, f"{part}_at")
        return begin + sum([len(entry) + 2 for entry in getattr(self, part)[:index]])


class Frame(Struct):
    """One frame (section 4.2): points as points, in the order e, s, w, n of the frame; dora as spelled.

    `dice` are two dice, or one total. `begin` and `end` are offsets in the stripped text, of ``frm[`` and after
    its ``]``. A value that the text does not state is None. A frame that is not `named` is E1-0 until the reader
    knows the round before it. `spelled` has the fields with unusual numbers (``E1-00``): it maps their usual
    spelling to their spelling in the text. A frame that stops somewhere is not `closed`: it has no foot.
    """

    wind: str
    number: int
    honba: int
    kyoutak: int | None
    dice: tuple[int, ...] | None
    pfs: tuple[int, ...] | None
    dora: tuple[str, ...] | None
    flows: list[Flow]
    pfe: tuple[int, ...] | None
    comment: Text | None
    begin: int
    end: int
    spelled: Mapping[str, str] = field(default_factory=dict)
    closed: bool = True
    named: bool = True


class MatchSyntax(Struct):
    """One match: its metadata in a `Match` without rounds, its frames, its place in the stripped text.

    `when_at` is the offset of ``mtp[``. `spelled` has the statements around the frames with unusual numbers, as
    `Frame.spelled` has the fields. `broken` are the indices of frames that could not be read, and have only a
    place. `unfinished` are the indices of frames that could be read as far as their first error. `stopped` are the
    indices of frames without an error that stop before the hands at their end. `stop` is the offset where the text
    stops outside a frame that was read: the match is not closed, or the text stops in the head of a frame.
    """

    begin: int
    end: int = 0
    info: Match = field(default_factory=Match)
    when_at: int = 0
    frames: list[Frame] = field(default_factory=list)
    spelled: dict[str, str] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)
    unfinished: set[int] = field(default_factory=set)
    stopped: set[int] = field(default_factory=set)
    stop: int | None = None


class File(Struct):
    """A whole file: the version it is written in, and its matches, one or more."""

    version: str
    major: int
    matches: list[MatchSyntax]


# The frames.

#: A number with needless zeros before it, or a negative zero.
ODD_NUMBER: Final = re.compile(r"(?<![0-9.])(?:0[0-9]|(?<=[,(\[])-0+\.0)")


def usual_numbers(text: str) -> str:
    """Return a field of a frame without needless zeros and negative zeros.

    >>> usual_numbers("pfs[025.0,-00.5,-0.0,1.0]")
    'pfs[25.0,-0.5,0.0,1.0]'
    """
    without_zeros = re.sub(r"(?<![0-9.])0+(?=[0-9])", "", text)
    return re.sub(r"(?<=[,(\[])-0\.0|^-0\.0", "0.0", without_zeros)


def read_frame_text(statement: re.Match[str], major: int) -> Frame:
    """Return a frame from a match of its rule. Raises `RefusedValueError`."""
    frame = _frame_with(statement, _flows(statement[6], statement.start(6)), statement.end())
    _read_foot(frame, statement, 7, major)
    return frame


def _read_foot(frame: Frame, statement: re.Match[str], group: int, major: int) -> None:
    """Read the points and the comment of a frame, which are this group and the next one."""
    pfe, comment = statement[group] or "", statement[group + 1]
    frame.pfe = points_in(pfe, statement.start(group)) or None
    frame.comment = read_text(comment, major) if comment else None
    if ODD_NUMBER.search(statement.string, statement.start(), statement.start(6)) or ODD_NUMBER.search(pfe):
        fields = [statement[number] or "" for number in (1, 2, 4, group)]
        frame.spelled = {usual: own for own in fields if (usual := usual_numbers(own)) != own}


def _frame_with(statement: re.Match[str], flows: list[Flow], end: int) -> Frame:
    """Return the frame of the head that a regular expression found. Raises `RefusedValueError`."""
    name, kyoutak, dice, pfs, dora = statement.group(1, 2, 3, 4, 5)
    round_id = RoundId("E", 1, 0) if name is None else round_id_at(name, statement.start(1))
    return Frame(
        round_id.wind,
        round_id.number,
        round_id.honba,
        points_at(kyoutak, statement.start(2)) if kyoutak else None,
        tuple(map(int, dice.split("-"))) if dice else None,
        points_in(pfs, statement.start(4)) if pfs else None,
        tuple(map("".join, zip(dora[::2], dora[1::2], strict=True))) if dora else None,
        flows,
        None,
        None,
        statement.start(),
        end,
        named=name is not None,
    )


def _flows(text: str, offset: int) -> list[Flow]:
    """Return the flows of their text, which begins at an offset of the stripped text.

    >>> [flow.acts for flow in _flows("(e,hnd[1m,,])" * 4 + "(e,5m,tg)(s,6m,tg)" + "(e,hnd[1m,,])" * 12, 0)]
    [['e,5m,tg', 's,6m,tg'], []]
    """
    hands = list(_HAND.finditer(text))
    return [_flow(text, offset, hands[begin : begin + 2 * _HANDS]) for begin in range(0, len(hands), 2 * _HANDS)]


#: The hand of a seat, and its entry without the bracket.
_HAND: Final = re.compile(r"\((.,hnd\[[^()]*+)\)")


def _flow(text: str, offset: int, hands: Sequence[re.Match[str]]) -> Flow:
    """Return the flow that has these hands in a text, which begins at an offset of the stripped text."""
    start, end = hands[:_HANDS], hands[_HANDS:]
    begin = start[-1].end() if start else 0
    after = end[0].start() if end else len(text)
    return Flow(
        [hand[1] for hand in start],
        text[begin + 1 : after - 1].split(")(") if after > begin else [],
        [hand[1] for hand in end],
        offset + (start[0].start() if start else 0),
        offset + begin,
        offset + after,
    )


def read_beginning(text: str, offset: int, end: int, major: int) -> Frame | None:
    """Return a frame that stops or has an error, up to the first entry of its flow that is no hand or act.

    Of its last flow, it has the starting hands and the final hands so far. A frame that lacks only the final hands
    is closed. Returns None if the head does not parse, or is impossible.
    """
    statement = _begun(major).match(text, offset)
    if statement is None:
        return None
    flows = _flows(statement[6], statement.start(6))
    begun = next((group for group in (7, 11) if statement[group] is not None), None)
    if begun is not None:
        # After a whole flow, another one may begin. It is left out, unless it has its starting hands.
        begun_text = statement[begun] + (statement[8] or "")
        flows.append(_flow(begun_text, statement.start(begun), list(_HAND.finditer(begun_text))))
    if any(len(flow.acts) > limits.current().events for flow in flows):
        return None
    try:
        frame = _frame_with(statement, flows, end)
        frame.closed = statement[10] is not None
        if frame.closed:
            frame.end = statement.end()
            _read_foot(frame, statement, 9, major)
    except RefusedValueError:
        return None
    return frame


@cache
def _begun(major: int) -> re.Pattern[str]:
    """Return the regular expression of the beginning of a frame: its head, its whole flows, the flow begun.

    If only the final hands are missing, its foot follows.
    """
    head, foot = (expression(name, major, groups=True) for name in ("_frame_head", "_frame_foot"))
    hand, act, flow = (expression(name, major) for name in ("seat_hand", "frame_act", "frame_flow"))
    # Hands and acts never match each other, so each text has one way to match, and no state need be kept. Groups
    # are atomic as well: Python before 3.11.5 mismatches possessive repetitions of other groups.
    acts = f"((?:{hand}){{{_HANDS}}}(?>{act})*+)"
    begun = f"{acts}(?:((?:{hand}){{1,{_HANDS - 1}}})|{foot})?"
    dealt = f"(?<=,)((?:{hand}){{0,{_HANDS - 1}}})"
    return re.compile(f"{head}((?>{flow})*+)(?:{begun}|(?<=\\))|{dealt})")


#: The dora field holds five dora, each with its ura after it.
DORA_FIELDS: Final = slice(0, None, 2)
URA_FIELDS: Final = slice(1, None, 2)


class FrameError(ValueError):
    """An impossible frame: the message, and its place in the frame.

    `part` is ``kyoutak``, or ``start``, ``acts`` or ``end`` of the flow with the `index` of an entry.
    """

    def __init__(self, message: str, part: str = "acts", index: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.part = part
        self.index = index


def deal(frame: Frame, dealer: int, before: Round | None) -> tuple[ev.StartRound, tuple[str, ...]]:
    """Return the deal without its hands, and its keys that are carried on from the round `before`."""
    if frame.kyoutak is None:
        kyotaku = sticks_left(before, before.start if before else None)
    elif frame.kyoutak < 0 or frame.kyoutak % RIICHI_STICK:
        raise FrameError(f"kyoutak counts riichi sticks of 1.0 each, not {frame.kyoutak / 1000}", "kyoutak")
    else:
        kyotaku = frame.kyoutak // RIICHI_STICK
    start = ev.StartRound(
        frame.wind,
        UNSET if frame.dora is None else INDICATOR[frame.dora[0]],
        frame.number,
        frame.honba,
        kyotaku,
        dealer,
        UNSET if frame.pfs is None else turned(frame.pfs, -dealer),
    )
    return start, ("kyotaku",) if frame.kyoutak is None else ()


def known(dora: Sequence[str]) -> tuple[Tile, ...]:
    """Return the indicators up to the last one known."""
    end = len(dora)
    while end and dora[end - 1] == UNKNOWN:
        end -= 1
    return tuple([INDICATOR[spelling] for spelling in dora[:end]])


#: The spellings that a dora field has.
INDICATED: Final = frozenset(INDICATOR)


def dora_field(events: Sequence[ev.Event]) -> tuple[str, ...] | None:
    """Spell the dora and the ura that events state. Returns None if they state no dora."""
    markers: list[Tile] = []
    ura: Sequence[Tile] = ()
    shown: list[ev.StartRound | ev.Dora | ev.Win] = ev.select(events, ev.StartRound, ev.Dora, ev.Win)
    for event in shown:
        if isinstance(event, ev.Win):
            ura = ura or event.ura_markers or ()
        elif event.dora_marker is not UNSET:
            markers.append(event.dora_marker)
    if not markers:
        return None
    places = [UNKNOWN] * (2 * MOST_INDICATORS)
    for place, marker in enumerate(markers[:MOST_INDICATORS]):
        places[2 * place] = DORA[marker]
    for place, marker in enumerate(ura[:MOST_INDICATORS]):
        places[2 * place + 1] = DORA[marker]
    return tuple(places)


#: From whom a tile was called, as steps after the caller: left, opposite, right.
FROM: Final = {"k": 3, "t": 2, "s": 1}
_LETTER: Final = {steps: letter for letter, steps in FROM.items()}

_MELD: Final = re.compile(r"(chi|pon|dmk|kkn|ank)\[([^\]]*)\]")
_KINDS: Final = catalogue(__name__, "melds.json", dict[str, MeldKind])
_WORDS: Final = {kind: word for word, kind in _KINDS.items()}


def write_hand(player: int, hand: FinalHand, dealer: int, major: int) -> str:
    """Spell the hand of a player.

    >>> write_hand(2, FinalHand(("1m", "5pr"), "E", (Meld("pon", ("C", "C"), "C", 3),)), 2, 1)
    'e,hnd[1m0p,ew,pon[rd,rdrd,s]]'
    """
    last = "" if hand.last is UNSET else JMJP[hand.last]
    melds = "".join([_write_meld(meld, player, major) for meld in reversed(hand.melds)]) if hand.melds else ""
    return f"{LETTERS[(player - dealer) % 4]},hnd[{spell(hand.concealed)},{last},{melds}]"


def read_hand(entry: str, dealer: int) -> tuple[int, FinalHand]:
    """Read a hand that the grammar accepts: the player, and the hand.

    Version 0 names one tile a meld. The reader takes the other tiles to be like it, and plain if they are fives.

    >>> read_hand("s,hnd[1m0p,,chi[3s,4s0s]]", 0)
    (1, FinalHand(concealed=('1m', '5pr'), melds=(Meld(kind='chi', own=('4s', '5sr'), called='3s', target=0),)))
    """
    player = (PLACE[entry[0]] + dealer) % 4
    concealed, last, melds = entry[6:-1].split(",", 2)
    read = tuple([_read_meld(word, text, player) for word, text in _MELD.findall(melds)]) if melds else ()
    return player, FinalHand(split(concealed), HUB[last] if last else UNSET, read[::-1])


def final_hands(table: Table) -> list[FinalHand]:
    """Return the hand of each player when play stops. The tile drawn last, or won with, is apart."""
    hands = []
    for player, tiles in enumerate(table.hands):
        concealed = sorted_tiles(tiles)
        last: Tile | UnsetType = UNSET
        if table.drawn is not None and player == table.turn:
            last = table.drawn
            concealed.remove(last)
        elif player in table.winners:
            last = table.last_tile
        hands.append(FinalHand(tuple(concealed), last, tuple(table.melds[player])))
    return hands


def with_played_melds(shown: FinalHand, played: FinalHand) -> FinalHand:
    """Return a hand that version 0 shows, with the melds of play in the place of those that may be the same.

    Version 0 names one tile of a meld: only the play states whether a red five is among the others.
    """
    pairs = zip(shown.melds, played.melds, strict=False)
    melds = [ours if _may_name(theirs, ours) else theirs for theirs, ours in pairs]
    return replace(shown, melds=(*melds, *shown.melds[len(melds) :]))


def _may_name(meld: Meld, played: Meld) -> bool:
    if meld.kind != played.kind or meld.target != played.target:
        return False
    if meld.kind in ("ankan", "kakan"):
        # The standard does not say which of the four tiles stands for the kan.
        return (meld.called or meld.own[0]) in (*played.own, played.called, played.added)
    return meld.kind != "chi" and meld.called == played.called


def same_hand(ours: FinalHand, theirs: FinalHand) -> bool:
    """Return whether two hands hold the same tiles and melds, in any order."""
    return _normal(ours) == _normal(theirs)


def _normal(hand: FinalHand) -> tuple[object, ...]:
    melds = [(m.kind, sorted(m.own), m.called, m.target, m.added) for m in hand.melds]
    return sorted(hand.concealed), hand.last, melds


def _write_meld(meld: Meld, player: int, major: int) -> str:
    word = _WORDS[meld.kind]
    if meld.kind == "ankan":
        return f"{word}[{spell(meld.own if major else meld.own[:1])}]"
    called = JMJP[meld.called or HIDDEN]
    own = spell(meld.own)
    if meld.kind == "chi":
        return f"{word}[{called},{own}]"
    source = _LETTER[((meld.target or 0) - player) % 4]
    if not major:
        return f"{word}[{called},{source}]"
    added = f"{JMJP[meld.added or HIDDEN]}," if meld.kind == "kakan" else ""
    return f"{word}[{added}{called},{own},{source}]"


def _read_meld(word: str, text: str, player: int) -> Meld:
    kind = _KINDS[word]
    parts = text.split(",")
    called = HUB[parts[0][:2]]
    if kind == "ankan":
        own = split(parts[0])
        return Meld(kind, own if len(own) == 4 else own * 4)
    if kind == "chi":
        return Meld(kind, split(parts[1]), called, (player + 3) % 4)
    target = (player + FROM[parts[-1]]) % 4
    if len(parts) == 2:  # version 0
        own = (called[:2],) * (3 if kind == "daiminkan" else 2)
        return Meld(kind, own, called, target, called if kind == "kakan" else UNSET)
    if kind == "kakan":
        return Meld(kind, split(parts[2]), HUB[parts[1]], target, called)
    return Meld(kind, split(parts[1]), called, target)


def frame_fields(frame: Frame) -> tuple[str, str, str, str]:
    """Spell the fields of a frame that have numbers: its name, its sticks, and its points before and after."""
    return (
        f"{frame.wind}{frame.number}-{frame.honba}",
        "" if frame.kyoutak is None else write_points(frame.kyoutak) or "",
        _points("pfs", frame.pfs),
        _points("pfe", frame.pfe),
    )


def _points(word: str, points: Sequence[int] | None) -> str:
    return "" if points is None else f"{word}[{','.join([write_points(number) or '' for number in points])}]"
