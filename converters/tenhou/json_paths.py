"""Where the events of a round are in its value of tenhou.net/6 JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from mjconv.converters.shared.json_places import Path
from mjconv.converters.tenhou.json_round import HANDS, INDICATORS, RESULT, SCORES, URA
from mjconv.ir import events as ev

_TAKES: Final = frozenset({ev.Draw, ev.Chi, ev.Pon, ev.Daiminkan})
_PLAYS: Final = frozenset({ev.Discard, ev.Kakan, ev.Ankan, ev.Nukidora})
#: The values of a deal, by the key of the hub.
_DEAL: Final[Mapping[str, Path]] = {
    "bakaze": (0, 0),
    "kyoku": (0, 0),
    "oya": (0, 0),
    "honba": (0, 1),
    "kyotaku": (0, 2),
    "scores": (SCORES,),
    "dora_marker": (INDICATORS, 0),
    "tehais": (HANDS,),
}
#: The values of a win, by the key of the hub: the index in the list of its seats and words.
_WIN: Final = {"actor": 0, "target": 1, "pao": 2, "fu": 3, "fan": 3, "hora_points": 3, "yakus": 4}


class EventPaths(NamedTuple):
    """The path to an event, and those to some of its keys."""

    path: Path
    keys: Mapping[str, Path]

    def get(self, key: str) -> Path:
        """Return the path to a key of the event, or else that to the event."""
        return self.keys.get(key, self.path)


_NO_KEYS: Final[Mapping[str, Path]] = {}


def paths_of(events: Sequence[ev.Event], value: Sequence[Any]) -> list[EventPaths]:
    """Return the path of each event in the value of its round. An event that has none has that of the round.

    >>> hands = [*[[11] * 13, [], []] * 4]
    >>> paths_of([ev.StartRound(), ev.Draw(2, "E")], [[0, 0, 0], [], [], [], *hands, ["流局"]])[1].path
    (11, 0)
    """
    taken = [0] * 4
    played = [0] * 4
    turned = 1
    won = 1
    found: list[EventPaths] = []
    event: Any
    for event in events:
        kind = type(event)
        path: Path = ()
        keys = _NO_KEYS
        if kind in _TAKES:
            seat = event.actor
            path = (HANDS + 3 * seat + 1, taken[seat])
            taken[seat] += 1
            if kind is ev.Daiminkan and value[HANDS + 3 * seat + 2][played[seat] : played[seat] + 1] == [0]:
                played[seat] += 1
        elif kind in _PLAYS or kind is ev.Riichi:
            seat = event.actor
            path = (HANDS + 3 * seat + 2, played[seat])
            played[seat] += kind is not ev.Riichi
        elif kind is ev.RiichiAccepted:
            path = (HANDS + 3 * event.actor + 2, max(played[event.actor] - 1, 0))
        elif kind is ev.StartRound:
            keys = _DEAL
        elif kind is ev.Dora:
            path = (INDICATORS, turned)
            turned += 1
        elif kind is ev.Win:
            path = (RESULT, won + 1)
            keys = {"deltas": (RESULT, won), "ura_markers": (URA,)}
            keys = {**keys, **{key: (RESULT, won + 1, at) for key, at in _WIN.items()}}
            won += 2
        elif kind is ev.Ryukyoku or kind is ev.EndRound:
            path = (RESULT,)
            keys = {"deltas": (RESULT, 1)}
        found.append(EventPaths(path, keys))
    return found
