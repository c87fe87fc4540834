"""The attributes of elements as Tenhou writes them, worked out from the events and the copies of tiles.

The writer writes them. The reader compares them with those of the file: only the others are kept in the extras.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from msgspec import UNSET

from mjconv.converters.shared import meldcode
from mjconv.converters.shared.winning_hands import WinningHand, hub_yaku
from mjconv.converters.tenhou.copies import BIT, Copies, listed, numbers
from mjconv.converters.tenhou.vocabulary import TYPE_BY_REASON
from mjconv.converters.tenhou.yaku import in_order, listed_yaku, yaku_by_winds
from mjconv.ir import events as ev
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import WINDS, Tile
from mjconv.rules.riichi_values import limit_of

#: The attributes of each element that mjconv knows, in the order in which Tenhou writes them. Those of event
#: lobbies and of rooms with chips are among them.
ORDER: Final[dict[str, tuple[str, ...]]] = {
    "mjloggm": ("ver",),
    "SHUFFLE": ("seed", "ref"),
    "GO": ("type", "lobby", "title", "rule", "ranking", "csrule"),
    "UN": ("n0", "n1", "n2", "n3", "dan", "gold", "rc", "rate", "sx"),
    "BYE": ("who",),
    "TAIKYOKU": ("oya",),
    "INIT": ("seed", "ten", "chip", "oya", "hai0", "hai1", "hai2", "hai3", "shuffle"),
    "N": ("who", "m"),
    "REACH": ("who", "ten", "step"),
    "DORA": ("hai",),
    "AGARI": (
        *("ba", "hai", "m", "machi", "ten", "yaku", "yakuman", "chip", "doraHai", "doraHaiUra", "who", "fromWho"),
        *("paoWho", "sc", "owari", "ratio"),
    ),
    "RYUUKYOKU": ("type", "ba", "sc", "hai0", "hai1", "hai2", "hai3", "owari"),
}
#: The same without their order, to find the attributes that mjconv does not know.
KNOWN: Final = {name: frozenset(known) for name, known in ORDER.items()}
#: The number of seats in every list of an mjlog. Where three play, the last one is empty.
LISTED: Final = 4
_HUNDRED: Final = 100
#: The texts of the most frequent numbers.
_TEXTS: Final = {number: str(number) for number in range(-999, 2000)}

#: Attributes by name; None for one that is absent.
Found = dict[str, str | None]


def differing(found: dict[str, str], expected: dict[str, str]) -> Found:
    """Return the attributes that differ from the expected ones; None for one that is missing.

    >>> differing({"who": "0", "m": "5"}, {"who": "0", "m": "7", "x": "1"})
    {'m': '5', 'x': None}
    """
    if found == expected:
        return {}
    other: Found = {name: value for name, value in found.items() if expected.get(name) != value}
    other.update((name, None) for name in expected if name not in found)
    return other


def joined(values: Sequence[int]) -> str:
    """Return numbers as a list.

    >>> joined([250, -10])
    '250,-10'
    """
    return ",".join([_TEXTS.get(value) or str(value) for value in values])


def hundreds(points: Sequence[int]) -> list[int]:
    """Return points in hundreds, of four seats.

    >>> hundreds((25000, 35000, 45000))
    [250, 350, 450, 0]
    """
    found = [each // _HUNDRED for each in points]
    return found + [0] * (LISTED - len(found))


class Standing:
    """The state of a round that results state: the copies of tiles, honba, sticks, who is in riichi, the ends.

    `deal` is the deal, `sticks` the number of riichi sticks on the table, `drawn` the tile just drawn (-1 after a
    call), `ura` the ura indicators by their numbers, if they are known. `ends` is the value of `owari` at the last
    result of a game, else None.
    """

    __slots__ = ("copies", "deal", "drawn", "ends", "riichi", "sticks", "ura", "won")

    def __init__(self, copies: Copies, deal: ev.StartRound) -> None:
        self.copies = copies
        self.deal = deal
        self.sticks = int(deal.kyotaku or 0)
        self.drawn = -1
        self.riichi = [False] * len(copies.held)
        self.ura: list[int] = []
        self.won = False
        self.ends: str | None = None

    @property
    def ba(self) -> str:
        """The value of `ba`: honba, and the sticks that are still on the table."""
        return f"{self.deal.honba or 0},{0 if self.won else self.sticks}"


def number_of(deal: ev.StartRound) -> int:
    """Return the number of a round, from 0 for the first east round.

    >>> number_of(ev.StartRound("S", kyoku=3))
    6
    """
    return WINDS.index(deal.bakaze or "E") * LISTED + int(deal.kyoku or 1) - 1


def init(
    deal: ev.StartRound, hands: Sequence[Sequence[int]], indicator: int, dice: Sequence[int]
) -> dict[str, str]:
    """Return the attributes of INIT."""
    seed = [number_of(deal), int(deal.honba or 0), int(deal.kyotaku or 0), dice[0] - 1, dice[1] - 1, indicator]
    found = {"seed": joined(seed), "ten": joined(hundreds(deal.scores or ())), "oya": str(deal.oya or 0)}
    for seat in range(LISTED):
        found[f"hai{seat}"] = joined(hands[seat]) if seat < len(hands) else ""
    return found


def reach(event: ev.Riichi | ev.RiichiAccepted) -> dict[str, str]:
    """Return the attributes of REACH: step 1 for the declaration, step 2 for its acceptance."""
    if isinstance(event, ev.Riichi):
        return {"who": str(event.actor), "step": "1"}
    if event.scores is UNSET:
        return {"who": str(event.actor), "step": "2"}
    return {"who": str(event.actor), "ten": joined(hundreds(event.scores)), "step": "2"}


def agari(win: ev.Win, standing: Standing, *, ordered: bool = False) -> dict[str, str]:
    """Return the attributes of AGARI. The win states its value and its points.

    With `ordered`, its yaku are put in Tenhou's order.
    """
    copies = standing.copies
    who, target = win.actor, win.actor if win.target is UNSET else win.target
    machi = standing.drawn if target == who else copies.last
    held = copies.held[who] | (BIT[machi] if machi >= 0 else 0)
    found = {"ba": standing.ba, "hai": listed(held)}
    if copies.melds[who]:
        found["m"] = joined(copies.melds[who])
    found["machi"] = str(machi)
    winds = standing.deal.bakaze or "E", WINDS[(who - int(standing.deal.oya or 0)) % len(copies.held)]
    yaku = yaku_by_winds(win.yakus or (), *winds, ordered=ordered)
    if yaku is None:
        hand = _hand(standing, who, held, machi, *winds)
        named = hub_yaku(win.yakus or (), hand) or []
        yaku = listed_yaku(in_order(named, hand) if ordered else named)
    fu = int(win.fu or 0)
    found["ten"] = f"{fu},{int(win.hora_points or 0)},{limit_of(yaku.han, fu, yaku.yakuman)}"
    found["yakuman" if yaku.yakuman else "yaku"] = yaku.text
    found["doraHai"] = joined(copies.indicators)
    if standing.riichi[who] and win.ura_markers is not UNSET:
        found["doraHaiUra"] = joined(standing.ura)
    found["who"] = str(who)
    found["fromWho"] = str(target)
    if win.liable is not UNSET:
        found["paoWho"] = str(win.liable)
    return found | _ends(win, standing)


def ryuukyoku(draw: ev.Ryukyoku, standing: Standing, blocked: Sequence[int]) -> dict[str, str]:
    """Return the attributes of RYUUKYOKU. The draw states its reason and its points."""
    reason = reason_of(draw.reason or "exhaustive_draw") or "exhaustive_draw"
    kind = TYPE_BY_REASON.get(reason, "")
    found = {"type": kind} if kind else {}
    found["ba"] = standing.ba
    ends = _ends(draw, standing)
    found["sc"] = ends.pop("sc")
    for seat in shown_seats(draw, reason, standing, blocked):
        found[f"hai{seat}"] = listed(standing.copies.held[seat])
    return found | ends


def shown_seats(draw: ev.Ryukyoku, reason: str, standing: Standing, blocked: Sequence[int]) -> list[int]:
    """Return the seats whose hands are shown at a draw."""
    seats = range(len(standing.copies.held))
    if reason == "four_riichi":
        return list(seats)
    if reason == "triple_ron":
        return sorted(blocked)
    if reason == "nine_kinds":
        return [seat for seat in seats if standing.drawn >= 0 and standing.copies.held[seat] & BIT[standing.drawn]]
    return [seat for seat, tenpai in enumerate(draw.tenpais or ()) if tenpai]


def _ends(event: ev.Win | ev.Ryukyoku, standing: Standing) -> dict[str, str]:
    scores, deltas = event.scores or (), event.deltas or ()
    before = [score - gain for score, gain in zip(scores, deltas, strict=False)]
    pairs = [f"{score // _HUNDRED},{gain // _HUNDRED}" for score, gain in zip_longest(before, deltas, fillvalue=0)]
    found = {"sc": ",".join(pairs + ["0,0"] * (LISTED - len(pairs)))}
    if standing.ends is not None:
        found["owari"] = standing.ends
    return found


def _hand(
    standing: Standing, seat: int, held: int, winning: int, round_wind: Tile, seat_wind: Tile
) -> WinningHand:
    """Return the hand of a winner. `held` are the concealed tiles, as bits."""
    copies = standing.copies
    spelled = copies.spelled
    calls = [meldcode.decode(code) for code in reversed(copies.melds[seat])]
    return WinningHand(
        [spelled[tile] for tile in numbers(held)],
        spelled[winning],
        [spelled[call.tile] for call in calls if call is not None],
        round_wind,
        seat_wind,
    )
