"""Comments that people wrote: kept beside what they stand at, and written back there.

The standard has programs ignore comments; a record that someone annotated is worth more than that. A comment
is anchored to an act of its frame, so that it stays in place when the text around it is laid out anew.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import structs

from mjconv.converters.jmjp.syntax import File, Frame, MatchSyntax, parse
from mjconv.converters.jmjp.text import Comment, StrippedText
from mjconv.ir.errors import InputError
from mjconv.ir.match import Match, Record, Round

#: The key of a round's or a match's extras that is jmjp's.
KEY: Final = "jmjp"
#: The anchor of a comment before the acts of its frame; others count the acts before it.
BEFORE_ACTS: Final = -1


class RoundExtras(Record, frozen=True):
    """What jmjp has beyond the hub's round: comments by anchor, and flows before the last."""

    comments: tuple[tuple[int, str], ...] = ()
    flows: tuple[str, ...] = ()


_NOTHING: Final = RoundExtras()


class MatchExtras(Record, frozen=True):
    """What jmjp has beyond the hub's match: comments before its frames, and after."""

    head: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()


def round_extras(game_round: Round) -> RoundExtras:
    """Give what a round carries for jmjp; nothing where it is not of that form."""
    if KEY not in game_round.extras:
        return _NOTHING
    try:
        extras = msgspec.convert(game_round.extras[KEY], RoundExtras)
    except msgspec.ValidationError:
        return RoundExtras()
    return RoundExtras(tuple(c for c in extras.comments if is_comment(c[1])), extras.flows)


def match_extras(match: Match) -> MatchExtras:
    """Give what a match carries for jmjp; nothing where it is not of that form."""
    try:
        extras = msgspec.convert(match.extras.get(KEY, {}), MatchExtras)
    except msgspec.ValidationError:
        return MatchExtras()
    return MatchExtras(
        tuple(text for text in extras.head if is_comment(text)),
        tuple(text for text in extras.tail if is_comment(text)),
    )


def put(whole: Match | Round, extras: Record) -> None:
    """Set what a round or match carries for jmjp, if it is anything; else nothing is carried."""
    value: dict[str, Any] = msgspec.to_builtins(extras)
    if value:
        whole.extras = {**whole.extras, KEY: {key: list(map(_plain, items)) for key, items in value.items()}}
    elif KEY in whole.extras:
        whole.extras = {key: kept for key, kept in whole.extras.items() if key != KEY}


def _plain(item: Any) -> Any:
    return list(item) if isinstance(item, tuple) else item


def is_comment(text: str) -> bool:
    """Say whether a text can stand in a comment: on one line, and in UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\n" not in text and "\r" not in text


def owner(comment: Comment, file: File) -> int:
    """Give the index of the match that a comment is of: the one it stands in, else the next, else the last."""
    return min(bisect_right(file.matches, comment.at, key=lambda match: match.end), len(file.matches) - 1)


class Placed(NamedTuple):
    """The comments of a match by where they stand: before its frames, after, and in each frame by anchor."""

    match: MatchExtras
    rounds: dict[int, tuple[tuple[int, str], ...]]


def placed(texts: list[Comment], syntax: MatchSyntax) -> Placed:
    """Anchor a match's comments."""
    head: list[str] = []
    tail: list[str] = []
    rounds: dict[int, list[tuple[int, str]]] = {}
    begins: dict[int, list[int]] = {}
    for comment in texts:
        index = bisect_right(syntax.frames, comment.at, key=lambda frame: frame.end)
        if index == len(syntax.frames):
            (tail if syntax.frames else head).append(comment.text)
        elif index == 0 and comment.at <= syntax.frames[0].begin:
            head.append(comment.text)
        else:
            if index not in begins:
                begins[index] = _anchors(syntax.frames[index])
            anchors = begins[index]
            before = not anchors or comment.at < anchors[0]
            anchor = BEFORE_ACTS if before else min(bisect_left(anchors, comment.at), len(anchors) - 1)
            rounds.setdefault(index, []).append((anchor, comment.text))
    return Placed(MatchExtras(tuple(head), tuple(tail)), {index: tuple(own) for index, own in rounds.items()})


def keep_visible(whole: Match | Round, visible: RoundExtras | MatchExtras) -> None:
    """Let the comments that stand in the text win over those that a note restored.

    Of those, what no comment can hold is kept; where nobody edited the others, all stay in their order.
    """
    try:
        noted = msgspec.convert(whole.extras.get(KEY, {}), type(visible))
    except msgspec.ValidationError:
        noted = type(visible)()
    changed: dict[str, Any] = {}
    for name in set(visible.__struct_fields__) - {"flows"}:
        own, restored = getattr(visible, name), getattr(noted, name)
        if [_text(item) for item in restored if is_comment(_text(item))] != [_text(item) for item in own]:
            changed[name] = (*own, *(item for item in restored if not is_comment(_text(item))))
    if changed:
        put(whole, structs.replace(noted, **changed))


def _text(comment: str | tuple[int, str]) -> str:
    return comment if isinstance(comment, str) else comment[1]


def _anchors(frame: Frame) -> list[int]:
    """Give the offset of each act of a frame, and of what follows them."""
    if not frame.flows:
        return []
    flow = frame.flows[-1]
    return list(accumulate((len(act) + 2 for act in flow.acts), initial=flow.acts_at))


def flows_before(source: StrippedText, frame: Frame) -> tuple[str, ...]:
    """Give the text of the flows before a frame's last."""
    return tuple(source.stripped[flow.start_at : flow.end_offset(len(flow.end))] for flow in frame.flows[:-1])


def are_flows(texts: Sequence[str], major: int) -> bool:
    """Say whether the texts are flows in this version, and so may stand in a frame before its last.

    >>> are_flows([], 1), are_flows(["(e,5m,tg)"], 1)
    (True, False)
    """
    if not texts:
        return True
    players = "".join(f"ply[{player},,,,]" for player in range(4))
    text = f"jmjp[{major}](mtp[,,,]{players}frm[E1-0,,,,,{''.join(texts)},,])"
    try:
        source = StrippedText(text)
        frames = parse(source).matches[0].frames
    except InputError:
        return False
    found = [source.stripped[f.start_at : f.end_offset(len(f.end))] for f in frames[0].flows]
    return source.stripped == text and len(frames) == 1 and found == list(texts)
