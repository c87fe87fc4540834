"""A new file to type into: a sheet for an evening."""

from typing import Final

from mjconv.converters.hk.lines import BEGINNING, DatedRules, Names, Wrong, declare, parse, read_line
from mjconv.converters.hk.names import escape
from mjconv.converters.shared.sheet import Sheet, evening
from mjconv.ir.errors import UsageError

#: The usual rules, each with a comment.
_USUAL: Final = {
    "B=1": "# points of zero faan",
    "M=13": "# the most faan that count",
    "R=full": "# the discarder pays for all; half: for a half",
    "S=half": "# above 4 faan; spicy: each faan doubles",
}
_RESULTS: Final = """
# A line a game, in the order of the names: the faan of the winner, d who discarded, - the others.
# Self-drawn has no d. D and S pay for all, f is a false win, and - - - - is a draw.
"""


def new_file(sheet: Sheet, like: bytes | None = None) -> bytes:
    """Return a file for an evening, with the last rules and names of a file `like`. Raises `UsageError`."""

    def head(state: DatedRules) -> tuple[list[tuple[str, str]], str, str]:
        names = " ".join(map(escape, sheet.names()) if sheet.players else state.names) or "East South West North"
        read = parse(names)
        if not isinstance(read, Names):
            reason = read.message if isinstance(read, Wrong) else "four names are expected"
            raise UsageError(f"{names} are no four names of an HK file: {reason}")
        comments = {line[0]: comment for line, comment in _USUAL.items()}
        rules = {line[0]: line for line in (*_USUAL, *declare(BEGINNING, state._replace(date=None)))}
        return [(line, comments.get(letter, "")) for letter, line in rules.items()], names, _RESULTS

    return evening(sheet, like, BEGINNING, lambda line, state: read_line(line, state)[0], head)
