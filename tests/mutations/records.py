"""The findings in a broken record of a platform: their exact places, on every way that the record takes."""

from typing import TypeAlias

import mjconv
from mjconv.converters import formats
from mjconv.ir.errors import InputError, PlayError, UnsupportedError
from trips import bare, read, write

#: A finding without its place: its code, its round and its event.
Finding: TypeAlias = tuple[str, int | None, int | None]


def found_in(data: bytes, form: str) -> str:
    """Return the code and the place of every finding, as ``R005@12:3``; of an error, its place."""
    try:
        found = [(finding.code, finding.place) for finding in mjconv.validate(data, format=form)]
    except InputError as error:
        found = [("error", error.place)]
    return " ".join(sorted(f"{code}@{place.line}:{place.column}" if place else code for code, place in found))


def findings_on_ways(data: bytes, source: str) -> list[set[Finding]]:
    """Return what the referee finds in a record: as it is read, through notes, and in its own format again.

    Each way is taken with the originals of its matches, and without them. A record that is refused takes no way.
    """
    form, _ = formats.find(source)
    try:
        matches = read(data, source).matches
    except InputError:
        return [set()]
    ways = [matches]
    for tried in (matches, bare(matches)):
        back = read(write(tried, "mjai").data, "mjai").matches
        ways.append(back)
        try:
            own = write(back, source).data
        except (PlayError, UnsupportedError):
            continue
        # Without notes, a record holds less than its source.
        if form.notes:
            ways.append(read(own, source).matches)
    return [{(one.code, one.round, one.event) for match in way for one in mjconv.check(match)} for way in ways]
