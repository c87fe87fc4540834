"""Rounds without a win: who is tenpai and who pays, nagashi mangan, and the draws that break a round off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.match import Rules
from mjconv.ir.plural import counted
from mjconv.ir.table import NO_RIICHI
from mjconv.ir.tiles import DRAGONS, HIDDEN, SUITS, WINDS, Tile, plain
from mjconv.referee.findings import Code
from mjconv.referee.game import Check, Game, Hooks
from mjconv.referee.payments import HONBA, NOTEN, Deltas, of_nagashi, of_tenpai
from mjconv.referee.values import countable, is_complete, waits

CODES: Final = {
    "R053": Code("the payments of a draw are not those of noten to tenpai, or of nagashi mangan"),
    "R054": Code("a player is said or paid to be tenpai, and is not"),
    "R055": Code("a player is tenpai, and is said or made to pay as noten", "warning"),
    "R056": Code("a round ends without a win or the last tile, and not as the rules allow"),
    "R057": Code("a round that is broken off moves points"),
    "R058": Code("a hand shown at a draw is not the one of the play"),
}

_ORPHANS: Final = frozenset((*(f"{rank}{suit}" for suit in SUITS for rank in (1, 9)), *WINDS, *DRAGONS))
_NINE: Final = 9
_FOUR: Final = 4
_CALLS: Final = (ev.Chi, ev.Pon, ev.Daiminkan, ev.Ankan, ev.Kakan, ev.Nukidora)
_KANS: Final = frozenset({"daiminkan", "kakan", "ankan"})
_KAN_EVENTS: Final = (ev.Daiminkan, ev.Kakan, ev.Ankan)
_TAKEN: Final = (ev.Discard, ev.Kakan, ev.Ankan, ev.Nukidora)


def _nine_terminals(game: Game) -> bool:
    """Tell whether the player to discard may break off: nine orphans at the first draw, nothing called."""
    last = _last(game)
    if not isinstance(last, ev.Draw):
        return False
    seat = last.actor
    kinds = {plain(tile) for tile in game.hand(seat)} & _ORPHANS
    early = not game.table.rivers[seat] and not any(isinstance(event, _CALLS) for event in _play(game))
    return early and (not game.knows(seat) or len(kinds) >= _NINE)


def _four_winds(game: Game) -> bool:
    """Tell whether the first discards of four are the same wind."""
    rivers = game.table.rivers
    called = any(isinstance(event, _CALLS) for event in _play(game))
    firsts = {river[0] for river in rivers if len(river) == 1}
    return len(rivers) == _FOUR and not called and all(len(river) == 1 for river in rivers) and (
        len(firsts - {HIDDEN}) <= 1 and firsts <= {*WINDS, HIDDEN}
    )  # fmt: skip


def _four_riichi(game: Game) -> bool:
    """Tell whether four are in riichi, after a discard."""
    return (
        game.seats == _FOUR
        and NO_RIICHI not in game.table.riichi
        and isinstance(_last(game), (ev.Discard, ev.RiichiAccepted))
    )


def _four_kans(game: Game) -> bool:
    """Tell whether there are four kans, not all of one player, the last with no more than its discard after it."""
    discards = 0
    for event in reversed(_play(game)):
        if isinstance(event, _KAN_EVENTS):
            break
        discards += isinstance(event, ev.Discard)
    if discards > 1:
        return False
    makers = [
        seat for seat, melds in enumerate(game.table.melds) for meld in melds if meld.kind in _KANS
    ]  # fmt: skip
    return len(makers) >= _FOUR and (len(set(makers)) > 1 or len(makers) > _FOUR)


def _three_rons(game: Game) -> bool:
    """Tell whether all three others may win on the last tile."""
    last = next((event for event in reversed(_play(game)) if not isinstance(event, ev.RiichiAccepted)), None)
    if game.seats != _FOUR or not isinstance(last, _TAKEN):
        return False
    tile = game.table.last_tile
    others = [seat for seat in range(game.seats) if seat != last.actor]
    return all(_wins_on(game, seat, tile) for seat in others)


def _wins_on(game: Game, seat: int, tile: Tile) -> bool:
    hand = [*game.hand(seat), tile]
    melds = game.table.melds[seat]
    return not game.knows(seat) or not countable(hand, melds) or is_complete(hand, melds)


def _play(game: Game) -> list[ev.Event]:
    return [event for event in game.events[: game.index] if not isinstance(event, (ev.Dora, ev.StartRound))]


def _last(game: Game) -> ev.Event | None:
    return next(reversed(_play(game)), None)


class _Reason(NamedTuple):
    """A draw that breaks a round off: how records name it, what it is called here, and whether it may be."""

    names: frozenset[str]
    called: str
    holds: Callable[[Game], bool]


BROKEN_OFF: Final = (
    _Reason(
        frozenset({"kyushu_kyuhai", "kyushukyuhai", "kyuushukyuuhai", "yao9"}), "nine terminals", _nine_terminals
    ),
    _Reason(frozenset({"sufuurenta", "sufonrenta", "suufonrenda", "kaze4"}), "four winds", _four_winds),
    _Reason(frozenset({"suucha_riichi", "suchareach", "suuchariichi", "reach4"}), "four riichi", _four_riichi),
    _Reason(frozenset({"suukansansen", "sukaikan", "suukaikan", "kan4"}), "four kans", _four_kans),
    _Reason(frozenset({"sanchaho", "sanchahou", "ron3"}), "three rons", _three_rons),
)
_PLAYED_OUT: Final = frozenset({"exhaustive_draw", "fanpai", "howanpai", "normal"})
_NAGASHI: Final = frozenset({"nagashimangan", "nagashi_mangan", "nagashi", "nm"})
_CHOMBO: Final = "chombo"


class DrawCheck(Check):
    """Looks at the end of a round that nobody wins."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._over = False

    def after(self) -> Hooks:
        """Give what to do after events."""
        return {ev.Ryukyoku: self._drawn}

    def _drawn(self, event: ev.Ryukyoku) -> None:
        if self._over:
            return
        self._over = True
        game = self.game
        deltas = event.deltas
        if deltas is not UNSET and len(deltas) != game.seats:
            return
        if deltas is not UNSET and sum(deltas) != 0:
            game.tell("R053", f"the deltas {_told(deltas)} do not add up to 0")
            return
        if not (game.riichi and game.draws) or game.index in game.told or event.reason == _CHOMBO:
            return
        self._shown(event)
        said = None if event.reason is UNSET else event.reason.lower()
        named = next((reason for reason in BROKEN_OFF if said in reason.names), None)
        if named is not None and not named.holds(game):
            game.tell("R056", f"the round is broken off for {named.called}, and that is not so")
        elif game.doubt.wall and named is None and not (deltas is not UNSET and any(deltas)):
            # Nobody knows whether it was played out.
            return
        elif named is not None or (game.left or 0) > 0:
            # Where nothing at all is said, the record may only break off; and houses have reasons of their own.
            if said in (*_PLAYED_OUT, *_NAGASHI) or named is not None or (said is None and deltas is not UNSET):
                self._broken_off(event, named is not None)
        else:
            self._exhausted(event, deltas, said in _NAGASHI)

    def _broken_off(self, event: ev.Ryukyoku, named: bool) -> None:
        game = self.game
        if not named and not any(reason.holds(game) for reason in BROKEN_OFF):
            left = counted(game.left or 0, "tile")
            game.tell("R056", f"the round is drawn with {left} left to draw, and nothing tells why")
        elif event.deltas is not UNSET and any(event.deltas):
            game.tell("R057", f"the round is broken off, and moves {_told(event.deltas)}")

    def _shown(self, event: ev.Ryukyoku) -> None:
        """Compare the hands that are shown."""
        game = self.game
        if event.tehais is UNSET:
            return
        for seat, hand in enumerate(event.tehais[: game.seats]):
            if hand and HIDDEN not in hand and game.knows(seat) and Counter(hand) != Counter(game.hand(seat)):
                game.tell("R058", "{} shows {}, and holds {}", seat, hand, tuple(game.hand(seat)), actor=seat)

    def _exhausted(self, event: ev.Ryukyoku, deltas: Deltas | UnsetType, nagashi: bool) -> None:
        game = self.game
        winners = [seat for seat in range(game.seats) if _only_orphans(game, seat)]
        if nagashi and not winners:
            game.tell("R056", "the round is said to end by nagashi mangan, and nobody has it")
            return
        if deltas is not UNSET and winners and deltas in set(_nagashi_payments(game, winners)):
            deltas = UNSET
            nagashi = True
        if deltas is not UNSET and nagashi:
            right = next(_nagashi_payments(game, winners))
            game.tell("R053", f"the deltas are {_told(deltas)}, and nagashi mangan moves {_told(right)}")
            return
        claims = event.tenpais if event.tenpais is not UNSET else None if nagashi else _paid(game, deltas)
        truth = [_tenpai(game, seat) for seat in range(game.seats)]
        if claims is not None and len(claims) == game.seats:
            self._claims(claims, truth)
        if deltas is not UNSET:
            self._payments(deltas, event, truth)

    def _claims(self, claims: tuple[bool, ...], truth: list[frozenset[bool]]) -> None:
        for seat, claim in enumerate(claims):
            if claim in truth[seat]:
                continue
            code, is_so = ("R054", "is not tenpai, and is taken to be") if claim else (
                "R055", "is tenpai, and is taken not to be",
            )  # fmt: skip
            self.game.tell(code, f"{{}} {is_so}", seat, actor=seat)

    def _payments(self, deltas: Deltas, event: ev.Ryukyoku, truth: list[frozenset[bool]]) -> None:
        """Look at what is paid, by what the record says of tenpai, or else by what may be."""
        game = self.game
        if not _noten(game):
            return
        if event.tenpais is not UNSET and len(event.tenpais) == game.seats:
            tenpai = {seat for seat, claim in enumerate(event.tenpais) if claim}
        elif any(deltas):
            tenpai = {seat for seat, moved in enumerate(deltas) if moved > 0}
        else:
            tenpai = {seat for seat, may in enumerate(truth) if False not in may}
            unsure = {seat for seat, may in enumerate(truth) if len(may) > 1}
            if not tenpai or tenpai | unsure == set(range(game.seats)):
                return
        if all(deltas != of_tenpai(tenpai, game.seats, total) for total in _noten(game)):
            right = of_tenpai(tenpai, game.seats, next(iter(_noten(game))))
            game.tell("R053", f"the deltas are {_told(deltas)}, and the tenpai of the hands moves {_told(right)}")


def _paid(game: Game, deltas: Deltas | UnsetType) -> tuple[bool, ...] | None:
    """Tell who is paid as tenpai, where that can be told."""
    if deltas is UNSET or not any(deltas):
        return None
    claims = tuple([moved > 0 for moved in deltas])
    tenpai = {seat for seat, claim in enumerate(claims) if claim}
    return claims if any(deltas == of_tenpai(tenpai, game.seats, total) for total in _noten(game)) else None


def _noten(game: Game) -> tuple[int, ...]:
    rules: Rules | UnsetType = game.match.rules if game.record.rules is UNSET else game.record.rules
    stated = () if rules is UNSET or rules.tenpai is UNSET else (rules.tenpai,)
    return stated or NOTEN.get(game.seats, ())


def _tenpai(game: Game, seat: int) -> frozenset[bool]:
    """Give what may be true of a player's tenpai: both where the hand is not known, or waits for a fifth tile."""
    hand, melds = game.hand(seat), game.table.melds[seat]
    if not game.knows(seat) or not countable(hand, melds):
        return frozenset({True, False})
    return frozenset({bool(waits(hand, melds)), bool(waits(hand, melds, fifth=True))})


def _only_orphans(game: Game, seat: int) -> bool:
    """Tell whether a player discarded only terminals and honours, and none of them was called."""
    river = game.table.rivers[seat]
    called = any(meld.target == seat for melds in game.table.melds for meld in melds)
    return bool(river) and not called and _ORPHANS.union({HIDDEN}).issuperset(river)


def _nagashi_payments(game: Game, winners: list[int]) -> Iterator[Deltas]:
    oya, honba = int(game.start.oya or 0), HONBA * int(game.start.honba or 0)
    for several in (winners, *([winner] for winner in winners)):
        yield of_nagashi(several, game.seats, oya)
        yield of_nagashi(several, game.seats, oya, honba)


def _told(points: Deltas) -> str:
    return "(" + ", ".join(map(str, points)) + ")"
