"""The elements of an mjlog before the first round: the seed, the rules, the players."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Final
from urllib.parse import unquote_to_bytes

from msgspec import UNSET

from mjconv.converters.tenhou.attributes import LISTED, joined
from mjconv.converters.tenhou.values import Values
from mjconv.converters.tenhou.vocabulary import RANKS
from mjconv.ir.errors import InputError
from mjconv.ir.match import Name, Player, Text

_RATE: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")


def players_of(values: Values, seats: int) -> list[Player]:
    """Return the players that UN states. Ranks and ratings that it does not state are absent."""
    names = [name_of(values, f"n{seat}") for seat in range(seats)]
    ranks = values.numbers("dan") if "dan" in values.attributes else []
    rates = _rates(values)
    return [
        Player(
            Name(Text(name)) if name else UNSET,
            rank=rank_of(ranks[seat]) if seat < len(ranks) else UNSET,
            rating=rates[seat] if seat < len(rates) else UNSET,
        )
        for seat, name in enumerate(names)
    ]


def name_of(values: Values, key: str) -> str:
    """Return the name of a player, which is percent-encoded UTF-8."""
    text = values.attributes.get(key, "")
    try:
        return _decoded(text).decode("utf-8")
    except UnicodeDecodeError:
        raise values.wrong(key, "a name in UTF-8, percent-encoded") from None


def _decoded(text: str) -> bytes:
    """Return the bytes of a percent-encoded text."""
    # Where every byte is encoded, this is faster than the library.
    with suppress(ValueError):
        found = bytes.fromhex(text.replace("%", ""))
        if 3 * len(found) == len(text) and text[::3] == "%" * len(found):
            return found
    return unquote_to_bytes(text)


def returned_seat(values: Values, names: Mapping[str, str]) -> tuple[int, dict[str, str]]:
    """Return the seat of a player who came back, and the attributes of UN that state it."""
    found = [key for key in names_in(values) if key in names] or names_in(values)
    if len(found) != 1:
        raise InputError("UN in a round names one player who came back", values.scan.place(values.piece))
    name_of(values, found[0])
    return int(found[0][1]), {found[0]: names.get(found[0], "")}


def names_in(values: Values) -> list[str]:
    """Return the attributes of UN that are names of players."""
    return [key for key in ("n0", "n1", "n2", "n3") if key in values.attributes]


def rank_of(number: int) -> str:
    """Return the name of a rank; the number itself where Tenhou has no such rank.

    >>> rank_of(16), rank_of(99)
    ('七段', '99')
    """
    return RANKS[number] if 0 <= number < len(RANKS) else str(number)


def _rates(values: Values) -> list[Decimal]:
    text = values.attributes.get("rate", "")
    parts = text.split(",") if text else []
    if not all(map(_RATE.fullmatch, parts)):
        raise values.wrong("rate", "numbers with decimals, joined by commas")
    return [Decimal(part) for part in parts]


def encoded(name: str) -> str:
    """Return a name as Tenhou writes it: every byte of its UTF-8 percent-encoded.

    >>> encoded("A東")
    '%41%E6%9D%B1'
    """
    return f"%{name.encode('utf-8', 'surrogatepass').hex('%').upper()}" if name else ""


def un(players: Sequence[Player], seats: int) -> dict[str, str]:
    """Return the attributes of UN."""
    four = [*players, *[Player()] * (LISTED - len(players))][:LISTED]
    found = {f"n{seat}": encoded(player.name.shown if player.name else "") for seat, player in enumerate(four)}
    found["dan"] = joined([RANKS.index(player.rank) if player.rank in RANKS else 0 for player in four])
    found["rate"] = ",".join(
        "1500.00" if player.rating is UNSET else format(player.rating, "f") for player in four
    )
    found["sx"] = ",".join("M" if seat < seats else "C" for seat in range(LISTED))
    return found
