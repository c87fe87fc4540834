"""A new file to type into: the names and the date in a note, and comments that explain a game."""

from typing import Final

from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared.carry import carry
from mjconv.converters.shared.sheet import Sheet
from mjconv.converters.uzje import FORMAT
from mjconv.converters.uzje.reader import read
from mjconv.converters.uzje.writer import render
from mjconv.ir.errors import UsageError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

_COMMENTS: Final = """
:A game: wind, round, repeat, players; the wall from the break on, 1t 1s 1m E S W N C F P; the turns, as in
:E 1 0 4 ... 1.5t 2.3s 3.23t,9m 4.SP,E 5.?,t
:1.5t draws and discards 5t. 23t,9m calls chow with 2t 3t, and discards 9m. SP is south's pung, K a kong.
:R is a win by discard, ?,t one by self-draw. An empty line ends the game. This text takes ASCII alone.
"""


def new_file(sheet: Sheet, like: bytes | None = None) -> bytes:
    """Return a file to type into, with the players and the event of a file `like`. Raises `UsageError`."""
    if sheet.rules is not None:
        raise UsageError("an uzje file has no rules of points: leave --rules out")
    match = Match()
    if like is not None:
        *_, last = read(like, Report())
        match = Match(players=last.match.players, tournament=last.match.tournament, place=last.match.place)
    sheet.put(match)
    usual = WriteOptions()
    head, *_ = carry(match, render(match, None, True, usual), Match(), FORMAT, usual, Report(), 0)
    return head + _COMMENTS.encode()
