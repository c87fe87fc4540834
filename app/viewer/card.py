"""The card of a round: its results, and the points after it, as parts in the order of drawing on 1200 x 630.

The page draws the same parts as `picture` does, so words are sentences, which each language fills in.

| part | values |
| --- | --- |
| ``rect`` | x, y, width, height, class |
| ``text`` | x, y, size, width of its room, classes, sentence |
| ``tile`` | x, lower edge, width, tile, and its look: the names of its marks |
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any, Final, TypeAlias

from msgspec import UNSET

from mjconv.ir.tiles import Tile, plain
from mjconv.rules.riichi_values import dora_of
from mjconv.viewer.facts import round_name
from mjconv.viewer.results import DrawResult, ScoredYaku, ShownResult, WinResult, briefly
from mjconv.viewer.rounds import RoundView, points_after
from mjconv.viewer.state import MeldTile
from mjconv.viewer.words import Sentence

CardPart: TypeAlias = tuple[Any, ...]
#: The names of the marks of a tile, which are true.
Look: TypeAlias = dict[str, bool]

SIZE: Final = (1200, 630)
#: The height of a tile, as a part of its width.
RATIO: Final = 1.36
_LEFT, _RIGHT, _TOP, _POINTS = 40, 1160, 50, 500
#: The gap between groups of tiles, as a part of the width of a tile.
_GAP: Final = 0.4


def card(view: RoundView) -> list[CardPart]:
    """Return the parts of the card of a round; none if the round has no result.

    >>> from mjconv.ir import events as ev
    >>> from mjconv.ir.match import Match, Round
    >>> from mjconv.viewer.rounds import round_views
    >>> [view] = round_views(Match(rounds=[Round([ev.StartRound(scores=(25000,) * 4), ev.Win(0, 1)])]))
    >>> [part[-1] for part in card(view) if part[0] == "text"][:3]
    [('?',), ('card.name', 0), ('card.ron', 1)]
    """
    results = [step.result for step in view.steps if step.result is not UNSET]
    if not results:
        return []
    parts: list[CardPart] = [
        ("rect", 0, 0, SIZE[0], _TOP, "cloth"),
        ("text", _LEFT, 38, 28, 500, "on", round_name(view.record)),
    ]
    marks = [mark for mark in view.steps[-1].state.dora if mark]
    high = (_POINTS - _TOP) / len(results)
    for number, result in enumerate(results):
        ura = result.ura if isinstance(result, WinResult) else ()
        dora = {dora_of(mark, len(view.steps[0].winds)) for mark in (*marks, *ura)}
        top, size = _TOP + number * high, 1 / len(results)
        parts += _head(result, top, size)
        if isinstance(result, WinResult):
            parts += _win(result, dora, top + 128 * size, size)
        else:
            parts += _draw(result, dora, top + 128 * size, top + high)
    # Pages hold the parts: long fractions would make them larger.
    drawn = (*parts, *_players(view))
    return [tuple(round(each, 1) if isinstance(each, float) else each for each in part) for part in drawn]


def _head(result: ShownResult, top: float, size: float) -> Iterator[CardPart]:
    """Yield who wins and how much, or why the round is drawn."""
    yield "rect", 0, top, SIZE[0], 126 * size, "cloth"
    title: Sentence = briefly([result])[0]
    how: Sentence | None = result.title
    amount: Sentence | None = None
    worth: Sentence | None = None
    if isinstance(result, WinResult):
        title = "card.name", result.winner
        how = (f"card.{result.how}",) if result.source is UNSET else ("card.ron", result.source)
        amount = result.value or None
        if amount and amount[0] != "value.count":
            amount, worth = ("card.number", amount[-1]), amount[1] if len(amount) > 2 else None
    elif any(result.hands):
        how = None
    room = 640 if amount else 1120
    for x, y, letters, wide, look, sentence in (
        (_LEFT, 60, 62, room, "on bold", title),
        (_LEFT, 106, 32, room, "on", how),
        (_RIGHT, 66, 80, 440, "on bold end", amount),
        (_RIGHT, 108, 32, 460, "on end", worth),
    ):
        if sentence:
            yield "text", x, top + y * size, max(14, letters * size), wide, look, sentence


def _win(result: WinResult, dora: Set[Tile], top: float, size: float) -> Iterator[CardPart]:
    """Yield the hand, under it the yaku in columns, and beside them the indicators."""
    won = [] if result.tile is UNSET else _flat([result.tile])
    hand = [_flat(result.hand.split()), *(meld.tiles for meld in result.melds), _flat(result.aside)]
    y = top + 112 * size
    # An added tile of a kan lies above the others.
    most = 52 if any(each.on is not UNSET for group in hand for each in group) else 72
    *tiles, last = [*_laid([*hand, won], dora, _LEFT, y, most * size, _RIGHT - _LEFT)] or [()]
    yield from tiles
    if last:
        yield (*last[:-1], {**last[-1], "win": True}) if won else last
    lines = max(1, round(4 * size), -(-len(result.yaku) // 2))
    high = min(46, 184 * size / lines)
    for at, yaku in enumerate(result.yaku):
        x, base = _LEFT + at // lines * 390, y + 14 * size + (at % lines + 0.75) * high
        yield "text", x, base, high * 0.7, 270, "", (yaku.name,)
        yield "text", x + 340, base, high * 0.7, 100, "bold end", _worth(yaku)
    # One win has the indicators below each other, a line of several has them side by side.
    large, (right, down) = max(0.7, size), (0, 96) if size == 1 else (165, 0)
    for number, (name, marks) in enumerate((("card.dora", result.dora), ("card.ura", result.ura))):
        x, base = 850 + number * right, y + number * down
        if marks:
            yield "text", x, base + 32 * large, 24 * large, right or 310, "quiet", (name,)
            yield from _laid([_flat(marks)], (), x, base + 98 * large, 42 * large, right or 310)


def _worth(yaku: ScoredYaku) -> Sentence:
    if yaku.yakuman is not UNSET:
        return ("limit.yakuman",) if yaku.yakuman == 1 else ("value.yakuman", yaku.yakuman)
    return ("card.number", yaku.han) if yaku.han is not UNSET else ("text", "")


def _draw(result: DrawResult, dora: Set[Tile], top: float, bottom: float) -> Iterator[CardPart]:
    """Yield each hand that is shown, with its melds and its waits."""
    shown = [seat for seat, hand in enumerate(result.hands) if hand]
    line = min(100, (bottom - top - 6) / max(1, len(shown)))
    for at, seat in enumerate(shown):
        y, waits = top + (at + 1) * line - 6, result.waits[seat] or ()
        hand = [_flat((result.hands[seat] or "").split()), *(meld.tiles for meld in result.melds[seat])]
        yield "text", _LEFT, y - 20, 28, 170, "bold", ("card.name", seat)
        yield from _laid(hand, dora, 220, y, (line - 20) / RATIO, 690 if waits else 940)
        if waits:
            width = min((line - 20) / RATIO, 170 / len(waits))
            yield "text", _RIGHT - width * len(waits) - 12, y - 20, 22, 90, "quiet end", ("card.waits",)
            yield from _laid([_flat(waits)], dora, _RIGHT - width * len(waits), y, width, 190)


def _players(view: RoundView) -> Iterator[CardPart]:
    """Yield the points of each player after the round, and how they moved."""
    after = points_after(view)
    yield "rect", 0, _POINTS, SIZE[0], SIZE[1] - _POINTS, "foot"
    wide = (_RIGHT - _LEFT) / len(after)
    for seat, (was, points) in enumerate(zip(view.steps[0].state.points, after, strict=True)):
        x, room = _LEFT + seat * wide, wide - 36
        yield "rect", x, _POINTS + 18, 7, 96, f"player{seat % 6}"
        yield "text", x + 20, _POINTS + 42, 28, room, "bold", ("card.name", seat)
        if points is not None:
            yield "text", x + 20, _POINTS + 82, 36, room, "", ("card.number", points)
        if was is not None and points is not None and (gain := points - was):
            yield "text", x + 20, _POINTS + 114, 28, room, "gain" if gain > 0 else "loss", ("card.gain", gain)


def _laid(
    groups: Iterable[Sequence[MeldTile]], dora: Iterable[Tile], x: float, y: float, most: float, room: float
) -> Iterator[CardPart]:
    """Yield groups of tiles in a row, whose tiles are at most `most` wide."""
    shown = [group for group in groups if group]
    widths = [_GAP + sum(RATIO if each.turned else 1 for each in group) for group in shown]
    width = min(most, room / max(1, sum(widths)))
    for group in shown:
        for each in group:
            yield "tile", x, y, width, each.tile, look_of(each.tile, dora, turned=each.turned, down=each.down)
            if each.on is not UNSET:
                yield "tile", x, y - width, width, each.on, look_of(each.on, dora, turned=True)
            x += width * (RATIO if each.turned else 1)
        x += width * _GAP


def look_of(tile: Tile, dora: Iterable[Tile], **marks: bool) -> Look:
    """Return the look of a tile. Games without `dora` have no red fives either."""
    marks["dora"] = bool(dora) and (plain(tile) in dora or tile.endswith("r"))
    return {name: True for name, holds in marks.items() if holds}


def _flat(tiles: Iterable[Tile]) -> list[MeldTile]:
    return [MeldTile(tile) for tile in tiles]
