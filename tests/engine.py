"""Games played and replayed on riichienv, a mahjong engine that shares no code with this project.

`play` makes a legal game, `perform` acts a log out again, `read` gives it to the engine's own log reader.
"""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Literal

from riichienv import ActionType, GameRule, MjaiReplay, Phase, RiichiEnv, calculate_shanten, calculate_shanten_3p

Event = dict[str, Any]
Length = Literal["round", "east", "half"]
Rules = Literal["tenhou", "mjsoul"]
Deal = Literal["fair", "triplets", "orphans", "river", "close", "waits", "winds"]
Chooser = Callable[[Any, Sequence[Any], Random], Any]
"""Picks one of the legal actions, given the engine's observation."""

_MODES: dict[Length, str] = {"round": "single", "east": "east", "half": "half"}
_REDS = {"5mr": 16, "5pr": 52, "5sr": 88}
_NAMES = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + list("ESWNPFC")
_ORPHANS = [0, 8, 9, 17, 18, 26, *range(27, 34)]
_WIND_KINDS = range(27, 31)
_SANMA_LACKS = range(1, 8)


@dataclass(frozen=True, slots=True)
class Style:
    """How likely a player is to take what is offered, or to discard an honour or terminal first, or at random."""

    win: float = 1.0
    riichi: float = 1.0
    kan: float = 1.0
    pon: float = 0.2
    chi: float = 0.2
    kita: float = 0.8
    nine: float = 0.5
    orphans: float = 0.2
    stray: float = 0.05

    def __call__(self, seen: Any, actions: Sequence[Any], rng: Random) -> Any:
        """Take what is offered, else discard towards a ready hand."""
        for kind, chance in (
            (ActionType.TSUMO, self.win),
            (ActionType.RON, self.win),
            (ActionType.KYUSHU_KYUHAI, self.nine),
            (ActionType.ANKAN, self.kan),
            (ActionType.KAKAN, self.kan),
            (ActionType.DAIMINKAN, self.kan),
            (ActionType.KITA, self.kita),
            (ActionType.RIICHI, self.riichi),
            (ActionType.PON, self.pon),
            (ActionType.CHI, self.chi),
        ):
            offered = [action for action in actions if action.action_type == kind]
            if offered and rng.random() < chance:
                return rng.choice(offered)
        discards = [action for action in actions if action.action_type == ActionType.DISCARD]
        if not discards:
            passes = [action for action in actions if action.action_type == ActionType.PASS]
            return passes[0] if passes else rng.choice(actions)
        if len(discards) == 1 or rng.random() < self.stray:
            return rng.choice(discards)
        orphans = [action for action in discards if action.tile // 4 in _ORPHANS]
        if orphans and rng.random() < self.orphans:
            return max(orphans, key=lambda action: action.tile // 4 in _WIND_KINDS)
        return _nearest(list(seen.hand), discards, rng, sanma=len(seen.scores) == 3)


STYLES: dict[str, Style] = {
    "riichi": Style(pon=0.02, chi=0.02, kan=0.6),
    "caller": Style(pon=0.8, chi=0.5, kan=1.0),
    "kans": Style(pon=0.9, chi=0.02, kan=1.0, win=0.5),
    "wild": Style(win=0.9, riichi=0.5, kan=0.9, pon=0.5, chi=0.4, kita=0.5, stray=0.6),
    "thrower": Style(win=0.1, riichi=0.1, pon=0.0, chi=0.0, kan=0.0, kita=0.0, nine=0.0, orphans=1.0, stray=0.0),
}


@cache
def play(
    seed: int,
    *,
    players: int = 4,
    length: Length = "half",
    rules: Rules = "tenhou",
    chooser: str | Chooser = "mixed",
    deal: Deal = "fair",
) -> bytes:
    """Play a game, the same one for the same arguments, and give its whole mjai log, all hands visible.

    `chooser` is a style's name, "mixed" (one style a seat, drawn by the seed) or a function. A "round"
    starts from a dealer, a wind, counters and scores drawn by the seed; its `deal` may be stacked: players
    full of "triplets" or of "orphans", "close" to ready, all but one with the same "waits", or all with one
    "winds" tile. In a "river" the dealer draws terminals and honours. The style "thrower" suits the last two.
    Under Tenhou's rules three rons abort the round, under Mahjong Soul's all three are paid.
    """
    rng = Random(f"{seed} {players} {length} {rules}")
    if chooser == "mixed":
        choosers: list[Chooser] = [rng.choice(list(STYLES.values())) for _ in range(players)]
    else:
        choosers = [STYLES[chooser] if isinstance(chooser, str) else chooser] * players
    env = _table(players, length, rules, seed=seed)
    if length == "round":
        seats = env.reset(
            oya=(oya := rng.randrange(players)),
            round_wind=rng.randrange(3),
            honba=rng.choice((0, 0, 1, 2, 3, 7)),
            kyotaku=rng.choice((0, 0, 1, 2)),
            scores=_scores(players, rng),
            wall=_stacked(players, oya, deal, rng),
        )
    elif deal != "fair":
        raise ValueError("only a single round can be stacked")
    else:
        seats = env.reset()
    while not env.done():
        asked = sorted(seats.items())
        seats = env.step({seat: choosers[seat](seen, seen.legal_actions(), rng) for seat, seen in asked})
    return b"".join(json.dumps(event, separators=(",", ":")).encode() + b"\n" for event in env.mjai_log)


@dataclass(frozen=True, slots=True)
class Win:
    """A win as the engine values it: `points` is the hand's worth to the winner, counters in, sticks not."""

    round: int
    actor: int
    points: int
    han: int
    fu: int
    yaku: tuple[str, ...]
    pao: int | None


@dataclass(frozen=True, slots=True)
class Performed:
    """A round as the engine reports it after the moves of the log."""

    events: tuple[Event, ...]
    start: tuple[int, ...]
    end: tuple[int, ...]
    reason: str | None
    wins: tuple[Win, ...]
    finished: bool


class IllegalMoveError(ValueError):
    """The engine does not allow the play of a log."""


@cache
def perform(log: bytes, *, rules: Rules = "tenhou") -> tuple[Performed, ...]:
    """Make a log's moves on the engine: a wall is laid so that everyone draws as in the log.

    From the log come only the first scores, counters and dealer of each round, the tiles and the moves: what
    was discarded, declared, called or won on. The engine checks that every move is legal and computes the
    rest: who may act, dora, reach_accepted, the dead wall, the result and its deltas, the scores after.
    Compare `events` with the log. Everything must be visible, and ura must be in hora, or else the engine
    turns whatever it finds there. Raises IllegalMoveError where the log and the engine part.
    """
    return tuple(_perform(index, events, rules) for index, events in enumerate(_rounds(log)))


def wins(log: bytes, *, rules: Rules = "tenhou") -> list[Win]:
    """Every win of a log, valued by the engine from the hand it was performed with."""
    return [win for performed in perform(log, rules=rules) for win in performed.wins]


@dataclass(frozen=True, slots=True)
class Read:
    """A round as the engine's log reader took it; `end` is the last scores it saw, or deltas added up."""

    start: tuple[int, ...]
    end: tuple[int, ...]
    wind: int
    dealer: int
    honba: int
    dora: tuple[str, ...]


def read(log: bytes) -> list[Read]:
    """Read a log with `MjaiReplay`: it raises ValueError for what it cannot parse.

    The reader checks the JSON, the types of the keys and which are there, and no more: no rule of the game, no
    tile (an unknown one is read as 1m), no score. All its messages of a round are an echo of the log, and the
    wins it values itself are not to be trusted: most get a last-tile yaku, a dora turned by a kan counts twice,
    and a hand with an ankan of its own never wins. It knows kita, and passes over nukidora.
    """
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(log)
        file.flush()
        rounds = list(MjaiReplay.from_jsonl(file.name).take_kyokus())
    return [
        Read(
            start=tuple(kyoku.scores),
            end=tuple(kyoku.end_scores),
            wind=kyoku.chang,
            dealer=kyoku.ju,
            honba=kyoku.ben,
            dora=tuple(_name(tile) for tile in kyoku.doras),
        )
        for kyoku in rounds
    ]


def is_far(hand: Sequence[str]) -> bool:
    """Return whether a hand of 14 tiles is two steps and more from ready, whatever is discarded."""
    left = {name: _NAMES.index(name) * 4 for name in _NAMES} | _REDS
    taken: list[int] = []
    for name in hand:
        free = (tile for tile in range(left[name], left[name] + 4) if tile not in taken)
        taken.append(left[name] if name in _REDS else next(free))
    return int(calculate_shanten(taken)) >= 2


def _table(players: int, length: Length, rules: Rules, seed: int | None = None) -> Any:
    rule = GameRule.default_tenhou() if rules == "tenhou" else GameRule.default_mjsoul()
    return RiichiEnv(game_mode=f"{players}p-red-{_MODES[length]}", rule=rule, seed=seed)


def _name(tile: int) -> str:
    return _NAMES[tile // 4] + ("r" if tile in _REDS.values() else "")


def _nearest(hand: list[int], discards: Sequence[Any], rng: Random, *, sanma: bool) -> Any:
    """Pick a discard that leaves the hand as near to ready as any does."""
    shanten = calculate_shanten_3p if sanma else calculate_shanten
    kinds: dict[int, Any] = {action.tile // 4: action for action in rng.sample(discards, len(discards))}
    left: dict[int, int] = {}
    for kind, action in kinds.items():
        rest = hand.copy()
        rest.remove(action.tile)
        left[kind] = shanten(rest)
    best = min(left.values())
    return kinds[rng.choice([kind for kind, steps in left.items() if steps == best])]


def _tiles(players: int) -> list[int]:
    return [tile for tile in range(136) if players == 4 or tile // 4 not in _SANMA_LACKS]


def _scores(players: int, rng: Random) -> list[int]:
    scores = [25000 if players == 4 else 35000] * players
    for _ in range(rng.randrange(8)):
        moved = 100 * rng.randrange(20, 80)
        giver, taker = rng.sample(range(players), 2)
        if scores[giver] >= moved:
            scores[giver] -= moved
            scores[taker] += moved
    return scores


def _stacked(players: int, oya: int, deal: Deal, rng: Random) -> list[int]:
    """Lay a wall, in the order it is dealt, that gives the players the hands asked for."""
    pool = rng.sample(tiles := _tiles(players), len(tiles))

    def take(*kinds: int) -> list[int]:
        taken = []
        for kind in kinds:
            found = [tile for tile in pool if tile // 4 == kind][:1]
            taken += found
            pool[:] = [tile for tile in pool if tile not in found]
        return taken

    def suit() -> int:
        return 9 * rng.randrange(0 if players == 4 else 1, 3)

    def runs(count: int) -> list[int]:
        return [
            tile
            for _ in range(count)
            for low in [suit() + rng.randrange(7)]
            for tile in take(low, low + 1, low + 2)
        ]

    hands: list[list[int]] = [[] for _ in range(players)]
    if deal == "triplets":
        kinds = rng.sample(sorted({tile // 4 for tile in pool}), 4 * players)
        for seat, hand in enumerate(hands):
            for kind in kinds[4 * seat :][: rng.choice((2, 3, 3, 4))]:
                hand += take(kind, kind, kind)
    elif deal == "orphans":
        for hand in hands:
            hand += take(*rng.sample(_ORPHANS, rng.randrange(8, 13)))
    elif deal == "close":
        for hand in hands:
            hand += runs(rng.choice((3, 4)))
    elif deal == "waits":
        wait, loser = suit() + rng.randrange(2, 7), rng.randrange(players)
        hands[loser] += take(wait, wait)
        partials = [(wait - 2, wait - 1), (wait - 1, wait + 1), (wait + 1, wait + 2)]
        for hand, partial in zip(hands[:loser] + hands[loser + 1 :], partials, strict=False):
            hand += take(*partial) + runs(3) + take(*[rng.choice(_ORPHANS)] * 2)
    elif deal == "winds":
        wind = rng.choice(_WIND_KINDS)
        for hand in hands:
            hand += take(wind)
        pool.sort(key=lambda tile: tile // 4 in _ORPHANS, reverse=True)
    elif deal == "river":
        pool.sort(key=lambda tile: tile // 4 in _ORPHANS)
        hands[oya] += [pool.pop() for _ in range(13)]
        pool.reverse()
    for hand in hands:
        hand += [pool.pop() for _ in range(13 - len(hand))]
    rng.shuffle(pool)
    if deal == "river":
        orphans = [tile for tile in pool if tile // 4 in _ORPHANS]
        others = [tile for tile in pool if tile not in orphans]
        draws = [(orphans if turn % players == 0 else others) for turn in range(len(pool))]
        pool = [(draw or orphans or others).pop() for draw in draws]
    return _dealt(hands, oya) + pool


def _dealt(hands: Sequence[Sequence[int]], oya: int) -> list[int]:
    """Put hands in the order they are dealt: four tiles at a time three times, then one."""
    turns = [hands[(oya + seat) % len(hands)] for seat in range(len(hands))]
    fours = [tile for start in (0, 4, 8) for hand in turns for tile in hand[start : start + 4]]
    return fours + [hand[12] for hand in turns]


def _rounds(log: bytes) -> Iterator[list[Event]]:
    current: list[Event] | None = None
    for line in log.splitlines():
        event: Event | None = json.loads(line) if line.strip() else None
        if event is None:
            continue
        if event["type"] in ("start_kyoku", "end_kyoku", "end_game") and current:
            yield current
            current = None
        if event["type"] == "start_kyoku":
            current = [event]
        elif current:
            current.append(event)
    if current:
        yield current


def _wall(events: Sequence[Event]) -> list[int]:
    """Lay a wall from which the tiles of a round are drawn in the order its log gives them."""
    start = events[0]
    players = len(start["tehais"])
    pool: dict[str, list[int]] = {}
    for tile in _tiles(players):
        pool.setdefault(_name(tile), []).append(tile)

    def take(name: str) -> int:
        if not pool.get(name):
            raise IllegalMoveError(f"a tile too many, or none known: {name}")
        return pool[name].pop()

    wall = dict(enumerate(_dealt([[take(name) for name in hand] for hand in start["tehais"]], start["oya"])))
    end = len(_tiles(players)) - 1
    markers = [start["dora_marker"]] + [event["dora_marker"] for event in events if event["type"] == "dora"]
    uras = max((one.get("ura_markers") or [] for one in events if one["type"] == "hora"), key=len, default=[])
    for first, names in ((0, markers), (1, uras)):
        for place, name in enumerate(names):
            wall[end - _REPLACEMENTS[players] - first - 2 * place] = take(name)
    replacing, drawn, replaced = False, 13 * players, 0
    for event in events:
        if event["type"] == "tsumo":
            wall[end - replaced if replacing else drawn] = take(event["pai"])
            drawn, replaced = drawn + (not replacing), replaced + replacing
        replacing = event["type"] in _REPLACED or (replacing and event["type"] == "dora")
    rest = [tile for tiles in pool.values() for tile in tiles]
    return [wall[place] if place in wall else rest.pop() for place in range(end + 1)]


_REPLACED = ("daiminkan", "ankan", "kakan", "kita", "nukidora")
_REPLACEMENTS = {4: 4, 3: 8}
_MOVES = ("dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan", "kita", "nukidora", "hora", "ryukyoku")
_TRIPLE_RON = ("sanchaho", "sanchahou", None)


def _perform(index: int, events: Sequence[Event], rules: Rules) -> Performed:
    start = events[0]
    moves = [event for event in events if event["type"] in _MOVES]
    env = _table(len(start["tehais"]), "round", rules)
    seats = env.reset(
        oya=start["oya"],
        round_wind="ESWN".index(start["bakaze"]),
        honba=start["honba"],
        kyotaku=start["kyotaku"],
        scores=start["scores"],
        wall=_wall(events),
    )
    at = 0
    while not env.done() and at < len(moves):
        answers, used = _answers(env, seats, moves[at:])
        for seat, message in answers.items():
            action = seats[seat].select_action_from_mjai(message)
            if action is None:
                raise IllegalMoveError(f"round {index}: {json.dumps(message)} is not open to {seat}")
            answers[seat] = action
        seats = env.step(answers)
        at += used
    if moves[at:] and not (env.done() and [move["type"] for move in moves[at:]] == ["ryukyoku"]):
        raise IllegalMoveError(f"round {index}: over for the engine before {json.dumps(moves[at])}")
    reported = [event for event in env.mjai_log if event["type"] not in ("start_game", "end_game", "end_kyoku")]
    return Performed(
        events=tuple(reported),
        start=tuple(start["scores"]),
        end=tuple(env.scores()),
        reason=next((event["reason"] for event in reported if event["type"] == "ryukyoku"), None),
        wins=tuple(_won(index, env, event) for event in reported if event["type"] == "hora"),
        finished=env.done(),
    )


def _answers(env: Any, seats: dict[int, Any], moves: Sequence[Event]) -> tuple[dict[int, Any], int]:
    """Return the answers of the players that are asked, by the log, and how many of its moves they are."""
    move = moves[0]
    kind = move["type"]
    if env.phase == Phase.WaitAct:
        (seat,) = seats
        if move.get("actor", seat) != seat:
            raise IllegalMoveError(f"the turn is {seat}'s: {json.dumps(move)}")
        return {seat: {**move, "type": "kita"} if kind == "nukidora" else move}, 1
    answers: dict[int, Any] = {seat: {"type": "none"} for seat in seats}
    if kind == "hora" and move["actor"] != move["target"]:
        winners = [win["actor"] for win in moves if win["type"] == "hora"]
        if not set(winners) <= set(seats):
            raise IllegalMoveError(f"cannot win: {json.dumps(move)}")
        answers.update((winner, {"type": "hora", "actor": winner}) for winner in winners)
        return answers, len(winners)
    if kind == "ryukyoku" and move.get("reason") in _TRIPLE_RON and sum(map(_may_win, seats.values())) == 3:
        return {seat: {"type": "hora", "actor": seat} for seat in seats}, 0
    if kind in ("chi", "pon", "daiminkan") and move["actor"] in seats:
        answers[move["actor"]] = move
        return answers, 1
    return answers, 0


def _may_win(seen: Any) -> bool:
    return any(action.action_type == ActionType.RON for action in seen.legal_actions())


def _won(index: int, env: Any, event: Event) -> Win:
    result = env.win_results[event["actor"]]
    if event["actor"] != event["target"]:
        points = result.ron_agari
    else:
        others = env.num_players - 1
        dealt = event["actor"] == env.oya
        points = result.tsumo_agari_ko * (others if dealt else others - 1) + (
            0 if dealt else result.tsumo_agari_oya
        )
    return Win(
        round=index,
        actor=event["actor"],
        points=points,
        han=result.han,
        fu=result.fu,
        yaku=tuple(yaku.name_en for yaku in result.yaku_list()),
        pao=result.pao_payer,
    )
