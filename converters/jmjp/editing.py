"""What an editor asks of jmjp: tokens that may follow, meanings of shorthand tokens, names of players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from mjconv.converters.jmjp.explain import continuations
from mjconv.converters.jmjp.reader import read
from mjconv.converters.jmjp.spelling import CODES, HUB, JMJP, PLACE
from mjconv.converters.jmjp.text import StrippedText, write_string
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS
from mjconv.ir.melds import is_run
from mjconv.ir.table import DISCARDED, RIICHI_ACCEPTED, Table
from mjconv.ir.tiles import plain, sorted_tiles

#: The act that is being typed: its seat, and the tile that it takes.
_ACT: Final = re.compile(r"\((?P<seat>[eswn]),(?:(?P<taken>[0-9a-z]{2}|(?:ch|pn)\[[^\]]*\]),)?[a-z0-9\[]*\Z")
#: A string of a name.
_NAME: Final = re.compile(r'(?<=s(?:nt|rm)\[")[^"]+(?=")')


def meaning(word: str) -> str | None:
    """Return the meaning of a shorthand token; None for other words.

    >>> meaning("mlg"), meaning("tg")
    ('Mリーグ / M League', None)
    """
    code = CODES.get(word)
    return None if code is None else " / ".join(filter(None, (code.native, code.roman)))


def names_in(line: str) -> list[tuple[int, int]]:
    """Return where the names of players are in a line: the strings of ``ply``."""
    begin = line.find("ply[")
    return [] if begin < 0 else [found.span() for found in _NAME.finditer(line, begin)]


def spelled_name(name: str) -> str:
    """Return a name as a string of version 1.x has it, without its quotes; an empty one if it cannot."""
    return (write_string(name, 1) or "")[1:-1]


def completions(before: str) -> list[str]:
    """Return the tokens that may follow a text: first what the player of the act can legally take or give.

    >>> completions("jmjp[1.0](mtp[,s")
    ['sun', 'sat']
    """
    try:
        source = StrippedText(before)
    except InputError:
        return []
    allowed = continuations(source)
    legal = [token for token in _legal(source, before) if any(token.startswith(each) for each in allowed)]
    return list(dict.fromkeys([*legal, *allowed]))


def _legal(source: StrippedText, before: str) -> list[str]:
    """Return what the player of the act that is being typed can legally take or give."""
    act = _ACT.search(source.stripped)
    try:
        *_, reading = read(before.encode("utf-8", "replace"), Report(lenient=True))
    except (InputError, ValueError):
        return []
    rounds = [each for each in reading.match.rounds if each.start is not None]
    if act is None or not rounds:
        return []
    table = Table.dealt(rounds[-1].start or ev.StartRound(), strict=False)
    for event in rounds[-1].events:
        table.apply(event)
    player = (PLACE[act["seat"]] + table.oya) % USUAL_SEATS
    taken = act["taken"]
    if taken is None:
        return list(_calls(table, player))
    return list(_discards(table, player, taken))


def _calls(table: Table, player: int) -> Iterator[str]:
    """Yield the calls of the last discard that a hand allows."""
    if table.phase is not DISCARDED or table.last_actor == player or table.riichi[player]:
        return
    tile, hand = table.last_tile, table.hands[player]
    if player == (table.last_actor + 1) % table.seats:
        pairs = dict.fromkeys(combinations(sorted_tiles(hand), 2))
        yield from (f"ch[{JMJP[a]}{JMJP[b]}]" for a, b in pairs if is_run((a, b, tile)))
    like = sorted_tiles([own for own in hand if plain(own) == plain(tile)])
    for count, word in ((2, "pn"), (3, "dk")):
        for own in dict.fromkeys(combinations(like, count)):
            yield f"{word}[{''.join(map(JMJP.__getitem__, own))}]"


def _discards(table: Table, player: int, taken: str) -> Iterator[str]:
    """Yield the discards and kans that a hand allows after it took a tile."""
    drawn = HUB.get(taken)
    if table.riichi[player] == RIICHI_ACCEPTED:
        yield from ("tg", "tm")
        return
    hand = Counter(table.hands[player])
    if drawn is None:
        hand.subtract(HUB[tile] for tile in re.findall("[0-9a-z]{2}", taken[3:-1]))
    else:
        yield "tg"
    yield from (JMJP[tile] for tile in sorted_tiles([tile for tile, count in hand.items() if count > 0]))
    if drawn is not None:
        hand[drawn] += 1
        for tile in dict.fromkeys(map(plain, hand)):
            own = sorted_tiles([each for each in hand.elements() if plain(each) == tile])
            if len(own) == USUAL_SEATS:
                yield f"ak[{''.join(map(JMJP.__getitem__, own))}]"
            yield from (f"kk[{JMJP[each]}]" for each in own if table.pon_of(player, each) is not None)
