"""Writes the results of rounds: `hule` (a win) and `pingju` (a draw)."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.majiang.tiles import SEATS, SIGNS, SPELLING_OF, sorted_hand, write_call, write_tiles
from mjconv.converters.majiang.vocabulary import REASON_SPELLINGS, UNNAMED_SPELLINGS, YAKU_SPELLINGS
from mjconv.converters.shared.ends import shown_hands
from mjconv.converters.shared.winning_hands import hub_yaku, winning_hand
from mjconv.ir import events as ev
from mjconv.ir.message_names import YAKU_IN_MESSAGES, YAKUMAN_IN_MESSAGES, reason_of
from mjconv.ir.seats import turned
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN

#: The yakuman for which a player may be liable, by their names in messages.
_LIABLE: Final = frozenset(YAKU_IN_MESSAGES[name] for name in ("daisangen", "daisuushii", "suukantsu"))
_DRAGONS: Final = ("haku", "hatsu", "chun")
_SPELLINGS: Final = {
    **{YAKU_IN_MESSAGES.get(name, name): spelling for name, spelling in YAKU_SPELLINGS.items()},
    **UNNAMED_SPELLINGS,
}


def _spell_hand(table: Table, seat: int, won: Tile | None = None) -> str:
    """Spell a hand with its calls: the tile that was drawn or `won` is the last one before the calls.

    >>> table = Table((("1m", "2m"), ("9s", "1p"), (), ()))
    >>> _spell_hand(table, 1, won="1m"), _spell_hand(table, 0)
    ('p1s9m1', 'm12')
    """
    tiles = list(table.hands[seat])
    last = won
    if won is None and seat == table.turn and table.drawn is not None:
        last = table.drawn
        tiles.remove(last)
    text = write_tiles(sorted_hand(tiles)) + ("" if last is None else SPELLING_OF[last])
    calls = [write_call(meld, seat) for meld in table.melds[seat]]
    return ",".join([text + "*" * bool(table.riichi[seat]), *calls])


def write_win(win: ev.Win, table: Table, deal: ev.StartRound) -> dict[str, Any]:
    """Return the values of `hule`. `table` is the table before the win. Values that are not known are left out.

    >>> table = Table((("2m",), ("5p",), (), ()), strict=False)
    >>> table.apply(ev.Draw(1, "5p"))
    >>> win = ev.Win(1, 1, fu=30, fan=1, yakus=(("tanyaochu", 1),), deltas=(-500, 1100, -300, -300))
    >>> write_win(win, table, ev.StartRound(oya=0))["shoupai"]
    'p5p5'
    """
    first = int(deal.oya or 0)
    own = win.giver == win.actor
    won = None if own else (table.last_tile if win.pai is UNSET else win.pai)
    body: dict[str, Any] = {"l": (win.actor - first) % SEATS, "shoupai": _spell_hand(table, win.actor, won)}
    body["baojia"] = None if own else (win.giver - first) % SEATS
    ura = win.ura_markers if table.riichi[win.actor] or win.ura_markers else UNSET
    body["fubaopai"] = None if ura is UNSET else [SPELLING_OF[tile] for tile in ura]
    yakus = win.yakus or ()
    yakuman = sum(_stars(han) for name, han in yakus if name in YAKUMAN_IN_MESSAGES)
    if yakuman:
        body["damanguan"] = yakuman
    else:
        if win.fu is not UNSET:
            body["fu"] = win.fu
        if win.fan is not UNSET:
            body["fanshu"] = win.fan
    if win.hora_points is not UNSET:
        body["defen"] = win.hora_points
    if win.yakus is not UNSET:
        body["hupai"] = _yaku(win, table, deal)
    if win.deltas is not UNSET and len(win.deltas) == SEATS:
        body["fenpei"] = turned(list(win.deltas), first)
    return body


def _yaku(win: ev.Win, table: Table, deal: ev.StartRound) -> list[dict[str, Any]]:
    """Return the yaku of a win. A yaku without han is left out."""
    yakus = [(name, han) for name, han in win.yakus or () if han > 0]
    hand = winning_hand(table, win, deal.bakaze or WINDS[0])
    named = [name for name, _ in hub_yaku(yakus, hand) or ()] if hand.winning != HIDDEN else []
    # The dragons of a hand are listed in the order of their tiles.
    dragons = iter(sorted(filter(_DRAGONS.__contains__, named), key=_DRAGONS.index))
    written: list[dict[str, Any]] = []
    for index, (name, han) in enumerate(yakus):
        spelling = _SPELLINGS.get(name, name)
        if named:
            spelling = YAKU_SPELLINGS[next(dragons) if named[index] in _DRAGONS else named[index]]
        written.append({"name": spelling, "fanshu": "*" * _stars(han) if name in YAKUMAN_IN_MESSAGES else han})
    if win.liable is not UNSET and win.liable != win.actor and written:
        liable = [index for index, (name, _) in enumerate(yakus) if name in _LIABLE]
        written[liable[0] if liable else 0]["baojia"] = SIGNS[(win.liable - win.actor) % SEATS]
    return written


def _stars(han: int) -> int:
    return max(han // HAN_OF_YAKUMAN, 1)


def write_draw(draw: ev.Ryukyoku, table: Table, deal: ev.StartRound, blocked: Sequence[int]) -> dict[str, Any]:
    """Return the values of `pingju`. `blocked` are the seats of three rons.

    >>> draw = ev.Ryukyoku("sufuurenta", deltas=(0, 0, 0, 0))
    >>> write_draw(draw, Table.dealt(ev.StartRound()), ev.StartRound(oya=0), ())
    {'name': '四風連打', 'shoupai': ['', '', '', ''], 'fenpei': [0, 0, 0, 0]}
    """
    first = int(deal.oya or 0)
    reason = reason_of(draw.reason) if draw.reason else "exhaustive_draw"
    name = str(draw.reason) if reason is None else REASON_SPELLINGS[reason]
    drawer = None if table.drawn is None else table.turn
    shown = shown_hands(reason, draw.tenpais or (), drawer, blocked, SEATS)
    spelled = [_spell_hand(table, seat) if seat in shown else "" for seat in range(SEATS)]
    body: dict[str, Any] = {"name": name, "shoupai": turned(spelled, first)}
    if draw.deltas is not UNSET and len(draw.deltas) == SEATS:
        body["fenpei"] = turned(list(draw.deltas), first)
    return body
