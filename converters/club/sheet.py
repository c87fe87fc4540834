"""A new file to type into: a sheet for an evening."""

from typing import Final

from mjconv.converters.club.lines import State, read_line, written
from mjconv.converters.shared.settings import Settings
from mjconv.converters.shared.sheet import Sheet, evening
from mjconv.ir.errors import LineError, UsageError

_USUAL: Final = Settings(25000, 30000, None, (20000, 10000, -10000, -20000), (), "share", 20000)
_COMMENTS: Final = {
    "start": "# points at the start",
    "return": "# points that count as 0; the difference is the oka of the first",
    "uma": "# points of places: with 20 10 the fourth pays 20 to the first, the third 10 to the second",
    "ties": "# equal points share; dealer: the one who is earlier in the line is higher",
    "chombo": "# the points of a chombo",
}
_RESULTS: Final = """
# A line a game, the points in the order of the names, in thousands or whole. - does not play.
# Other players: Eve 42.3, Fay 31, Gus 18.2, Hal 8.5. A chombo: 18.2 chombo.
"""


def new_file(sheet: Sheet, like: bytes | None = None) -> bytes:
    """Return a file for an evening, with the last settings and names of a file `like`. Raises `UsageError`."""

    def read(line: str, state: State) -> State:
        state, game = read_line(line, state)
        return state if game is None or state.names else state._replace(names=game.names)

    def head(state: State) -> tuple[list[tuple[str, str]], str, str]:
        names = ", ".join(map(written, sheet.players or state.names)) or "East, South, West, North"
        try:
            read_line(names, state)
        except LineError as error:
            raise UsageError(f"{names} are no names of a club file: {error.message}") from None
        return [(words, _COMMENTS.get(words.split()[0], "")) for words in state.settings.words()], names, _RESULTS

    return evening(sheet, like, State(settings=_USUAL), read, head)
