"""Proposes the value that a record likely means where a finding shows that a value is wrong.

Each value that may stand at the event is tried: the round is checked again with it. A value fits if the finding
is gone and no other one is new. The value that leaves the fewest findings is proposed, if there is exactly one.
Findings that are gone with it too only followed from the same mistake: they are left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET, structs

from mjconv.converters.shared.filled import filled
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError, Proposal
from mjconv.ir.match import Match
from mjconv.ir.play import Play
from mjconv.ir.spelling import Spelling
from mjconv.ir.table import DISCARDED, Table
from mjconv.ir.tiles import HIDDEN, RIICHI_TILES, TILE_KINDS, Tile
from mjconv.referee.findings import Finding
from mjconv.rules.scores import scores_after, scores_before, with_uma

#: Checks a match with one round, and the rounds beside it.
CheckAgain: TypeAlias = Callable[[Match], Sequence[Finding]]
#: The code, the round, the event and the seat of a finding.
_Key: TypeAlias = tuple[str, int | None, int | None, int | None]

#: The most findings of a match for which values are tried.
_MOST: Final = 50
#: The fu of a hand, and the han of a yaku, that are tried.
_FU: Final = (20, 25, *range(30, 120, 10))
_HAN: Final = range(1, 7)
_REASON: Final = "no other value fits the rest of the round as well"


class _Trial(NamedTuple):
    """The index of an event, an event that may be in its place, and the values, wrong and right, that it has."""

    place: int
    event: ev.Event
    stated: Any
    proposed: Any


_Trials: TypeAlias = Iterator[_Trial]


def with_proposals(
    findings: Sequence[Finding], match: Match, number: int, judge: CheckAgain, spelling: Spelling
) -> list[Finding]:
    """Return the findings of a match, each with the one value that fits best, where there is one.

    `number` is the index of the match in its file.
    """
    gone: set[_Key] = set()
    mended: list[Finding] = []
    tried = 0
    # A mistake comes before what follows from it.
    for finding in sorted(findings, key=lambda one: (one.round or 0, one.event or 0, one.code[0] != "S")):
        if finding.match != number or finding.severity != "error" or finding.proposal is not None:
            mended.append(finding)
        elif finding.code == "R068":
            mended.append(structs.replace(finding, proposal=_final(match)))
        elif _key(finding) not in gone:
            tried += 1
            best = _best(finding, match, judge) if tried <= _MOST else None
            if best is not None:
                trial, followed = best
                gone |= followed
                proposal = Proposal(_spelled(trial.stated, spelling), _spelled(trial.proposed, spelling), _REASON)
                place = finding.place if trial.place == finding.event else None
                finding = structs.replace(finding, proposal=proposal, event=trial.place, place=place)
            mended.append(finding)
    return mended


def _final(match: Match) -> Proposal | None:
    """Return the final points that follow from the last round, by the uma of the match."""
    last = match.rounds[-1]
    after = scores_after(last, scores_before(last, match.seats))
    right = next(with_uma(match, after), None) if after else None
    if right is None or match.final_scores is UNSET:
        return None
    spelled = [" ".join(map(str, points)) for points in (match.final_scores, right)]
    return Proposal(spelled[0], spelled[1], "the points after the last round, and the uma")


def _key(finding: Finding) -> _Key:
    return finding.code, finding.round, finding.event, finding.actor


def _best(finding: Finding, match: Match, judge: CheckAgain) -> tuple[_Trial, set[_Key]] | None:
    """Return the value that fits best, and the findings that are gone with it; None if there is no such one."""
    number = finding.round
    if number is None or finding.event is None or not 0 <= finding.event < len(match.rounds[number].events):
        return None
    make = _MAKERS.get((finding.code, type(match.rounds[number].events[finding.event])))
    trials = list(make(match, number, finding.event)) if make else []
    if not trials:
        return None
    first = max(number - 1, 0)
    part = structs.replace(match, rounds=match.rounds[first : number + 2], closing=[], final_scores=UNSET)

    def errors(one: Match) -> set[_Key]:
        return {
            (each.code, each.round + first, each.event, each.actor)
            for each in judge(one)
            if each.severity == "error" and each.round is not None
        }

    before = errors(part)
    fitting: list[tuple[int, _Trial, set[_Key]]] = []
    for trial in trials:
        events = [*match.rounds[number].events]
        events[trial.place] = trial.event
        rounds = [*part.rounds]
        rounds[number - first] = structs.replace(rounds[number - first], events=events)
        after = errors(structs.replace(part, rounds=rounds))
        if after <= before and _key(finding) not in after:
            fitting.append((len(after), trial, before - after))
    fewest = min((left for left, _, _ in fitting), default=0)
    best = [(trial, followed) for left, trial, followed in fitting if left == fewest]
    return best[0] if len(best) == 1 else None


def _spelled(value: Any, spelling: Spelling) -> str:
    if isinstance(value, tuple):
        return " ".join(_spelled(one, spelling) for one in value)
    if value in TILE_KINDS or value in RIICHI_TILES:
        return spelling.tile(value)
    return "" if value in (HIDDEN, UNSET) else str(value)


def _tiles(match: Match, number: int, index: int, key: str, tiles: Sequence[Tile], *, known: bool) -> _Trials:
    """Try other tiles under a key of an event: in the place of a `known` tile, or only of a hidden one."""
    event: Any = match.rounds[number].events[index]
    stated = getattr(event, key)
    for tile in tiles if known or stated == HIDDEN else ():
        if tile != stated:
            yield _Trial(index, structs.replace(event, **{key: tile}), stated, tile)


def _short_hand(match: Match, number: int, index: int) -> _Trials:
    """Try the one tile that a deal lacks."""
    deal: Any = match.rounds[number].events[index]
    hands = () if deal.tehais is UNSET else deal.tehais
    short = [seat for seat, hand in enumerate(hands) for tile in hand if tile == HIDDEN]
    if len(short) == 1:
        [seat] = short
        for tile in RIICHI_TILES:
            hand = tuple([tile if each == HIDDEN else each for each in hands[seat]])
            tehais = (*hands[:seat], hand, *hands[seat + 1 :])
            yield _Trial(index, structs.replace(deal, tehais=tehais), HIDDEN, tile)


def _discard(match: Match, number: int, index: int) -> _Trials:
    """Try the tiles that the hand holds; for a tile that it lacks, also that a draw before is this tile."""
    events = match.rounds[number].events
    event: Any = events[index]
    table = _table(events[:index])
    if table is None:
        return
    held = (table.drawn,) if event.tsumogiri else dict.fromkeys(table.hands[event.actor])
    for tile in held:
        if tile not in (None, HIDDEN, event.pai):
            yield _Trial(index, structs.replace(event, pai=tile), event.pai, tile)
    for earlier, draw in enumerate(events[:index] if event.pai != HIDDEN else ()):
        if type(draw) is ev.Draw and draw.actor == event.actor:
            yield _Trial(earlier, structs.replace(draw, pai=event.pai), draw.pai, event.pai)


def _mark(match: Match, number: int, index: int) -> _Trials:
    """Try the other mark of a discard; and that the draw and the discard are one tile."""
    events = match.rounds[number].events
    event: Any = events[index]
    marks = ("tsumogiri", "") if event.tsumogiri else ("", "tsumogiri")
    yield _Trial(index, structs.replace(event, tsumogiri=not event.tsumogiri), *marks)
    drawn: Any = events[index - 1]
    if event.tsumogiri and type(drawn) is ev.Draw and drawn.actor == event.actor:
        yield _Trial(index, structs.replace(event, pai=drawn.pai), event.pai, drawn.pai)
        yield _Trial(index - 1, structs.replace(drawn, pai=event.pai), drawn.pai, event.pai)


def _winning_tile(match: Match, number: int, index: int) -> _Trials:
    """Try the tile that was drawn, or discarded last, and the player who discarded it."""
    events = match.rounds[number].events
    win: Any = events[index]
    table = _table(events[:index])
    if table is not None:
        ron = table.phase is DISCARDED
        tile, target = (table.last_tile, table.last_actor) if ron else (table.drawn, win.actor)
        stated = win.pai if ron == (win.target != win.actor) else UNSET
        yield _Trial(index, structs.replace(win, pai=tile, target=target), stated, tile)


def _value(match: Match, number: int, index: int) -> _Trials:
    """Try the other fu, the other han of a yaku, and the other ura indicator of a win."""
    win: Any = match.rounds[number].events[index]
    for fu in _FU if win.fu is not UNSET else ():
        yield _Trial(index, structs.replace(win, fu=fu), win.fu, fu)
    yakus = () if win.yakus is UNSET else win.yakus
    for place, (name, own) in enumerate(yakus):
        for han in _HAN:
            if han != own:
                changed = (*yakus[:place], (name, han), *yakus[place + 1 :])
                fan = win.fan if win.fan is UNSET else win.fan + han - own
                yield _Trial(index, structs.replace(win, yakus=changed, fan=fan), f"{name} {own}", f"{name} {han}")
    markers = () if win.ura_markers is UNSET else win.ura_markers
    for place, marker in enumerate(markers):
        for tile in TILE_KINDS:
            if tile != marker:
                changed = (*markers[:place], tile, *markers[place + 1 :])
                yield _Trial(index, structs.replace(win, ura_markers=changed), marker, tile)


def _points(match: Match, number: int, index: int) -> _Trials:
    """Try the points that follow from the hands."""
    events = match.rounds[number].events
    result: Any = events[index]
    bare = [*events]
    bare[index] = structs.replace(result, deltas=UNSET, scores=UNSET)
    rounds = [structs.replace(match.rounds[number], events=bare, scores_after=UNSET)]
    try:
        [game_round] = filled(structs.replace(match, rounds=rounds, closing=[], final_scores=UNSET)).rounds
    except MjconvError:
        return
    results: list[ev.Win | ev.Ryukyoku] = game_round.select(ev.Win, ev.Ryukyoku)
    deltas = results[0].deltas if len(results) == 1 else UNSET
    if UNSET not in (deltas, result.deltas):
        yield _Trial(index, structs.replace(result, deltas=deltas), result.deltas, deltas)


def _table(events: Sequence[ev.Event]) -> Table | None:
    """Return the table after events that begin with a deal, however odd they are."""
    if not events or type(events[0]) is not ev.StartRound:
        return None
    play = Play(events[0])
    play.follow(events)
    return play.end


#: Makes the values to try, by the code of the finding and the kind of the event.
_MAKERS: Final[Mapping[tuple[str, type], Callable[[Match, int, int], _Trials]]] = {
    ("S001", ev.Draw): partial(_tiles, key="pai", tiles=RIICHI_TILES, known=False),
    ("S001", ev.Discard): _discard,
    ("S001", ev.Dora): partial(_tiles, key="dora_marker", tiles=TILE_KINDS, known=False),
    ("S001", ev.StartRound): _short_hand,
    ("R001", ev.Draw): partial(_tiles, key="pai", tiles=RIICHI_TILES, known=True),
    ("R005", ev.Discard): _discard,
    ("R006", ev.Discard): _mark,
    ("R044", ev.Win): _winning_tile,
    ("O001", ev.Win): _winning_tile,
    ("R046", ev.Win): _value,
    **{(code, kind): _points for code in ("R050", "R051", "R052", "R053", "R057") for kind in ev.RESULTS},
}
