"""The table of the engine RiichiEnv: it replays the events of a match, and asks the players who may act.

This is the only module that imports the engine. The engine does not check events, so the caller checks that
actions are legal. The engine may also stop with a panic of Rust, which is a `BaseException` in Python.
"""

from typing import Any, Final, TypeAlias

from msgspec import UNSET, structs
from riichienv import ActionType, GameRule, RiichiEnv, check_riichi_candidates

from mjconv.ir import events as ev
from mjconv.ir.tiles import TILE_KINDS, Tile

#: The classes of the engine are compiled, and those of games of three and of four players differ.
Observation: TypeAlias = Any
Action: TypeAlias = Any

#: The modes of the engine, by the number of players. The length of the game does not matter for a replay.
MODES: Final = {3: "3p-red-half", 4: "4p-red-half"}
#: The name of the exception for a panic. The engine does not export it.
_PANIC: Final = "PanicException"


class EngineError(Exception):
    """The engine refuses an event."""


class EngineTable:
    """One match on the table of the engine, of three or four players. `rule` are its rules, None for Tenhou's."""

    def __init__(self, players: int, rule: GameRule | None = None) -> None:
        self._players = players
        self._env = RiichiEnv(game_mode=MODES[players], rule=rule or GameRule.default_tenhou())
        # The engine has dealt a random round. A new game clears its log, which observations show.
        self._env.apply_event({"type": "start_game"})
        #: The players who are furiten because they passed a win.
        self._passed: set[int] = set()
        #: The kind of the event before, dora aside.
        self._before: type[ev.Event] = ev.StartRound

    def apply(self, event: ev.Event) -> None:
        """Apply one event. Raises `EngineError`."""
        if self._passed:
            self._end_furiten(event)
        if type(event) is ev.Discard:
            self._env.is_rinshan_flag = False
        try:
            self._env.apply_event(message_of(event))
        except BaseException as error:
            if not isinstance(error, ValueError | OverflowError) and type(error).__name__ != _PANIC:
                raise
            raise EngineError(str(error)) from None
        # A replay does not show the engine that a tile is a replacement: the win on it would lack a yaku.
        if type(event) is ev.Draw:
            self._env.is_rinshan_flag = self._before in ev.REPLACED
        if type(event) is not ev.Dora:
            self._before = type(event)

    def robbers(self, event: Any) -> dict[int, Observation]:
        """Return the observations of the players who may win on the tile of a kan or a north, by seat.

        Call it before the event is applied. The engine asks these players only when it plays itself, so a copy of
        the table plays the event. It cannot if the tiles of the player are hidden; then nobody is asked.
        """
        actor: int = event.actor
        try:
            copy = self._env.clone()
            seen = copy.get_observations([actor])
            action = seen[actor].select_action_from_mjai(message_of(event)) if actor in seen else None
            offers = {} if action is None else copy.step({actor: action})
        except BaseException as error:
            if not isinstance(error, ValueError) and type(error).__name__ != _PANIC:
                raise
            return {}
        return {seat: offers[seat] for seat in sorted(offers) if offers_ron(offers[seat].legal_actions())}

    def pass_win(self, seat: int) -> None:
        """Make a player furiten who could win on a tile and did not: a replay does not show this to the engine."""
        self._passed.add(seat)
        self._env.missed_agari_doujun = [player in self._passed for player in range(self._players)]

    def _end_furiten(self, event: ev.Event) -> None:
        """End the furiten of a passed win: after the player's next discard, in riichi at the end of the round."""
        if type(event) is ev.StartRound:
            self._passed.clear()
        elif type(event) is ev.Discard and not self._env.riichi_declared[event.actor]:
            self._passed.discard(event.actor)
        else:
            return
        self._env.missed_agari_doujun = [player in self._passed for player in range(self._players)]

    def asked(self) -> dict[int, Observation]:
        """Return the observations of the players who may act now, by seat."""
        seats = self._env.active_players
        if not seats:
            return {}
        observations: dict[int, Observation] = self._env.get_observations(seats)
        # The engine's order differs from run to run.
        return dict(sorted(observations.items())) if len(observations) > 1 else observations


#: The kinds of the engine's actions: the types of mjai's messages, but `tsumo` and `ron` for wins.
_KIND_OF: Final = {
    kind.upper(): kind for kind in ("chi", "pon", "daiminkan", "ankan", "kakan", "tsumo", "ron")
} | {
    "DISCARD": "dahai",
    "RIICHI": "reach",
    "KITA": "nukidora",
    "KYUSHU_KYUHAI": "ryukyoku",
    "PASS": "none",
}
_KINDS: Final = {int(getattr(ActionType, name)): kind for name, kind in _KIND_OF.items()}
#: The engine numbers the copies of each kind of tile; the first copy of a five may be red.
_REDS: Final = {16: "5mr", 52: "5pr", 88: "5sr"}


def kind_of(action: Action) -> str:
    """Return the kind of an action: ``tsumo`` or ``ron`` for a win, else the type of its message in mjai."""
    return _KINDS[int(action.action_type)]


def tile_of(number: int) -> Tile:
    """Return the tile that has this number in the engine.

    >>> tile_of(0), tile_of(16), tile_of(17), tile_of(135)
    ('1m', '5mr', '5m', 'C')
    """
    return _REDS.get(number) or TILE_KINDS[number // 4]


def riichi_discards(observation: Observation) -> list[int]:
    """Return the tiles, as the engine numbers them, by whose discard the player may declare riichi."""
    tiles: list[int] = check_riichi_candidates(list(observation.hand))
    return tiles


def offers_ron(legal: list[Action]) -> bool:
    """Return whether a win on a tile of another player is among legal actions."""
    return any(action.action_type == ActionType.RON for action in legal)


def message_of(event: ev.Event) -> dict[str, Any]:
    """Return the message of an event in the engine's dialect, without keys of other programs.

    >>> message_of(ev.Nukidora(2))
    {'type': 'kita', 'actor': 2}
    """
    # Most events are draws and discards. The general way takes longer.
    if type(event) is ev.Draw:
        return {"type": "tsumo", "actor": event.actor, "pai": event.pai}
    if type(event) is ev.Discard:
        return {"type": "dahai", "actor": event.actor, "pai": event.pai, "tsumogiri": event.tsumogiri is True}
    message = ev.to_message(event if event.extras is UNSET else structs.replace(event, extras=UNSET))
    if type(event) is ev.Nukidora:
        message["type"] = "kita"
    return message
