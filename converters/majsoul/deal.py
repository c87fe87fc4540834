"""The deal of a round: the hands, the dora indicators, and the wall, which is `paishan` with its hash."""

from collections.abc import Sequence
from hashlib import md5, sha256
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.converters.majsoul.schema import NewRound
from mjconv.converters.majsoul.tiles import DRAWS, ORDER, SPELLED, TILE_OF
from mjconv.converters.shared.json_values import Warn, WrongValueError
from mjconv.converters.shared.walls import WHOLE, Drawn, disagreement, undeal
from mjconv.ir import events as ev
from mjconv.ir.tiles import HAND, WINDS, Tile


class DealRead(NamedTuple):
    """The deal of a round: its events and its wall, and the dora indicators as the record spells them.

    `fourteen`: the dealer's first draw is unknown.
    """

    events: list[ev.Event]
    start: ev.StartRound
    doras: tuple[str, ...]
    wall: tuple[Tile, ...] | UnsetType
    fourteen: bool


def read_deal(record: NewRound, warn: Warn, *, walls: bool) -> DealRead:
    """Return the deal of a record, with its wall if `walls` are read. Raises `WrongValueError`."""
    seats = len(record.scores)
    if seats not in WHOLE:
        raise WrongValueError(f"there are {seats} scores: expected those of three or four players", ("scores",))
    oya = record.ju
    if oya >= seats:
        raise WrongValueError(f"ju is {oya}, and the game has {seats} players", ("ju",))
    hands = [_hand(record, seat) for seat in range(seats)]
    doras = record.doras or record.dora_indicators or tuple(filter(None, (record.dora, record.dora_marker)))
    indicators = [TILE_OF[tile] for tile in doras]
    wind, indicator = WINDS[record.chang], indicators[0] if indicators else UNSET
    honba = record.ben or record.honba
    dealt = tuple([hand[:HAND] for hand in hands])
    start = ev.StartRound(wind, indicator, oya + 1, honba, record.liqibang, oya, record.scores, dealt)
    events: list[ev.Event] = [start, *(ev.Dora(tile) for tile in indicators[1:])]
    fourteen = False
    if len(hands[oya]) > HAND:
        # Old records have the wall without the dealt tiles. They have the hands in order.
        rest = bool(record.paishan or record.md5) and len(record.paishan) != 2 * WHOLE[seats]
        fourteen = rest and _is_sorted(hands[oya])
        events.append(DRAWS[oya][getattr(record, f"tiles{oya}")[HAND]])
    wall: tuple[Tile, ...] | UnsetType = UNSET
    if record.paishan:
        _check_hash(record, warn)
        try:
            wall = read_wall(record.paishan, hands, oya) if walls else UNSET
        except WrongValueError as error:
            warn(f"{error}. The wall was left out", error.path)
    return DealRead(events, start, doras, wall, fourteen)


def _hand(record: NewRound, seat: int) -> tuple[Tile, ...]:
    name = f"tiles{seat}"
    spelling = getattr(record, name)
    if len(spelling) != HAND and not (seat == record.ju and len(spelling) == HAND + 1):
        raise WrongValueError(f"a hand has {len(spelling)} tiles: expected 13, or 14 of the dealer", (name,))
    return tuple([TILE_OF[tile] for tile in spelling])


def _is_sorted(tiles: Sequence[Tile]) -> bool:
    """Return whether tiles are in the order of a hand.

    >>> _is_sorted(("1m", "5mr", "5m", "E")), _is_sorted(("E", "1m"))
    (True, False)
    """
    places = [ORDER[tile] for tile in tiles]
    return places == sorted(places)


def _check_hash(record: NewRound, warn: Warn) -> None:
    name, expected = hash_of(record.paishan)
    stated = getattr(record, name)
    if stated and stated.lower() != expected and not record.salt:
        warn(f"the {name} of the wall is wrong: that of paishan is {expected}", (name,))


def read_wall(paishan: str, hands: Sequence[Sequence[Tile]], oya: int) -> tuple[Tile, ...]:
    """Return the whole wall of `paishan`, which has all tiles, or the tiles that are left after the deal.

    `hands` are the dealt hands by seat, with the dealer's fourteenth tile. Raises `WrongValueError`.
    """
    path = ("paishan",)
    try:
        tiles = tuple([TILE_OF[paishan[begin : begin + 2]] for begin in range(0, len(paishan), 2)])
    except KeyError as error:
        raise WrongValueError(f"the wall has {error.args[0]!r}, which is no tile", path) from None
    seats = len(hands)
    whole, rest = WHOLE[seats], WHOLE[seats] - HAND * seats - 1
    dealt = [hands[(oya + turn) % seats][:HAND] for turn in range(seats)]
    first = list(hands[oya][HAND:])
    if len(tiles) == rest and first:
        return (*undeal(dealt), *first, *tiles)
    if len(tiles) != whole:
        raise WrongValueError(f"the wall has {len(tiles)} tiles: expected {whole}, or {rest} after the deal", path)
    if disagreement(tiles, dealt, Drawn(first, []), ()) is not None:
        raise WrongValueError("the hands are not dealt from the wall", path)
    return tiles


def hash_of(paishan: str) -> tuple[str, str]:
    """Return the field and the value of the hash of a wall: md5 of what is left after the deal, sha256 of all.

    >>> hash_of("1m2m")
    ('md5', '6f52fa54715ecff3caf5994dcf2fa7c5')
    """
    text = paishan.encode()
    if len(paishan) // 2 in WHOLE.values():
        return "sha256", sha256(text).hexdigest()
    return "md5", md5(text, usedforsecurity=False).hexdigest()


def wall_fields(wall: Sequence[Tile], seats: int, *, rest: bool) -> dict[str, Any]:
    """Return `paishan` and its hash: of the whole wall, or of the `rest` after the deal."""
    tiles = wall[HAND * seats + 1 :] if rest else wall
    paishan = "".join([SPELLED[tile] for tile in tiles])
    name, value = hash_of(paishan)
    return {"paishan": paishan, name: value}
