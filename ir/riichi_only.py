"""Hides the tiles that no riichi set has, for formats that hold riichi tiles only (option `lossy`)."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.patch import Edit, move
from mjconv.ir.tiles import FLOWERS, HIDDEN, RIICHI_TILES, Tile

_KNOWN: Final = frozenset((*RIICHI_TILES, HIDDEN))


def as_riichi(match: Match) -> Match:
    """Return the match with other tiles hidden (``?``), and without flowers.

    The replacement of a flower is drawn, or dealt, in its place. Annotations and answers move with the events. A
    match without other tiles is returned unchanged.

    >>> played = Match(rounds=[Round([ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.Draw(0, "16m")])])
    >>> as_riichi(played).rounds[0].events
    [Draw(actor=0, pai='?')]
    """
    rounds = [_as_riichi(game_round) for game_round in match.rounds]
    same = all(ours is theirs for ours, theirs in zip(rounds, match.rounds, strict=True))
    return match if same else structs.replace(match, rounds=rounds)


def _as_riichi(game_round: Round) -> Round:
    kept, edits = _without_flowers(game_round.events)
    hidden = [_hidden(event) for event in kept]
    answers = tuple([structs.replace(one, message=_hidden(one.message)) for one in game_round.answers])
    if hidden == game_round.events and answers == game_round.answers:
        return game_round
    return structs.replace(
        game_round,
        events=hidden,
        annotations=move(game_round.annotations, edits),
        answers=move(answers, edits),
        wall=UNSET,
        final_hands=UNSET,
    )


def _without_flowers(events: Sequence[ev.Event]) -> tuple[list[ev.Event], list[Edit]]:
    """Return the events without flowers, and the edits that leave them out."""
    if not any(isinstance(event, ev.Nukidora) and event.pai in FLOWERS for event in events):
        return list(events), []
    kept: list[ev.Event] = []
    left_out: list[int] = []
    replacing: dict[int, Tile] = {}
    for index, event in enumerate(events):
        if isinstance(event, ev.Nukidora) and event.pai in FLOWERS:
            flower = str(event.pai)
            last = kept[-1] if kept else None
            left_out.append(index)
            if isinstance(last, ev.Draw) and last.pai == flower:
                kept.pop()
                left_out.append(index - 1)
            else:
                replacing[event.actor] = flower
        elif isinstance(event, ev.Draw) and event.actor in replacing:
            flower = replacing.pop(event.actor)
            kept[:1] = [_dealt_instead(deal, event.actor, flower, event.pai) for deal in kept[:1]]
            left_out.append(index)
        else:
            kept.append(event)
    return kept, [Edit(index, delete=1) for index in sorted(left_out)]


def _dealt_instead(deal: ev.Event, player: int, flower: Tile, tile: Tile) -> ev.Event:
    hands_of_all = deal.tehais or () if isinstance(deal, ev.StartRound) else ()
    if not isinstance(deal, ev.StartRound) or player >= len(hands_of_all) or flower not in hands_of_all[player]:
        return deal
    hands = [list(hand) for hand in hands_of_all]
    hands[player][hands[player].index(flower)] = tile
    return structs.replace(deal, tehais=tuple(tuple(hand) for hand in hands))


def _hidden(event: ev.Event) -> ev.Event:
    """Return an event, or the message of an answer, with other tiles hidden."""
    changed = {
        name: seen
        for name in _TILE_FIELDS.get(type(event), ())
        if (seen := _seen(getattr(event, name))) is not None
    }
    return structs.replace(event, **changed) if changed else event


def _seen(value: Any) -> Any:
    """Return a value with the tiles hidden that are no riichi tiles. None if it has no such tiles."""
    if isinstance(value, str):
        return None if value in _KNOWN else HIDDEN
    if isinstance(value, tuple):
        parts = [_seen(part) for part in value]
        if any(part is not None for part in parts):
            return tuple(old if new is None else new for old, new in zip(value, parts, strict=True))
    return None


#: The fields of each kind of event that hold tiles.
_TILE_FIELDS: Final[dict[type, tuple[str, ...]]] = {
    ev.StartRound: ("dora_marker", "tehais"),
    ev.Draw: ("pai",),
    ev.Discard: ("pai",),
    ev.Chi: ("pai", "consumed"),
    ev.Pon: ("pai", "consumed"),
    ev.Daiminkan: ("pai", "consumed"),
    ev.Kakan: ("pai", "consumed"),
    ev.Ankan: ("pai", "consumed"),
    ev.Nukidora: ("pai",),
    ev.Dora: ("dora_marker",),
    ev.Win: ("pai", "ura_markers", "hora_tehais"),
    ev.Ryukyoku: ("tehais",),
}
