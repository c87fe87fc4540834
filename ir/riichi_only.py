"""Hides the tiles that no riichi set has, for formats that hold riichi tiles only (option `lossy`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import FLOWERS, HIDDEN, RIICHI_TILES, Tile

_KNOWN: Final = frozenset((*RIICHI_TILES, HIDDEN))


def as_riichi(match: Match) -> Match:
    """Return the match with other tiles hidden (``?``), and without flowers.

    The replacement of a flower is drawn, or dealt, in its place. A match without other tiles is returned
    unchanged.

    >>> played = Match(rounds=[Round([ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.Draw(0, "16m")])])
    >>> as_riichi(played).rounds[0].events
    [Draw(actor=0, pai='?')]
    """
    rounds = [_as_riichi(game_round) for game_round in match.rounds]
    same = all(ours is theirs for ours, theirs in zip(rounds, match.rounds, strict=True))
    return match if same else structs.replace(match, rounds=rounds)


def _as_riichi(game_round: Round) -> Round:
    hidden = [_hidden(event) for event in _without_flowers(game_round.events)]
    if hidden == game_round.events:
        return game_round
    return structs.replace(game_round, events=hidden, wall=UNSET, final_hands=UNSET)


def _without_flowers(events: Sequence[ev.Event]) -> list[ev.Event]:
    if not any(isinstance(event, ev.Nukidora) and event.pai in FLOWERS for event in events):
        return list(events)
    kept: list[ev.Event] = []
    replacing: dict[int, Tile] = {}
    for event in events:
        if isinstance(event, ev.Nukidora) and event.pai in FLOWERS:
            flower = str(event.pai)
            last = kept[-1] if kept else None
            if isinstance(last, ev.Draw) and last.pai == flower:
                kept.pop()
            else:
                replacing[event.actor] = flower
        elif isinstance(event, ev.Draw) and event.actor in replacing:
            flower = replacing.pop(event.actor)
            kept[:1] = [_dealt_instead(deal, event.actor, flower, event.pai) for deal in kept[:1]]
        else:
            kept.append(event)
    return kept


def _dealt_instead(deal: ev.Event, player: int, flower: Tile, tile: Tile) -> ev.Event:
    hands_of_all = deal.tehais or () if isinstance(deal, ev.StartRound) else ()
    if not isinstance(deal, ev.StartRound) or player >= len(hands_of_all) or flower not in hands_of_all[player]:
        return deal
    hands = [list(hand) for hand in hands_of_all]
    hands[player][hands[player].index(flower)] = tile
    return structs.replace(deal, tehais=tuple(tuple(hand) for hand in hands))


def _hidden(event: ev.Event) -> ev.Event:
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
