"""Links that open a round in Tenhou's viewer: ``https://tenhou.net/6/#json=`` and the JSON of the round.

A link holds the whole record of its round. Nothing is fetched from the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes

from mjconv.converters.interface import Part, Reading, Rendered
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.json_file import Found, JsonText, load
from mjconv.converters.shared.json_log import LOG
from mjconv.converters.tenhou.json_head import write_head
from mjconv.converters.tenhou.json_reader import follows, match_of, read_objects
from mjconv.converters.tenhou.json_writer import After, check_apart, write_rounds
from mjconv.ir.errors import InputError, Place, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

#: The flavour of the format.
FLAVOUR: Final = "tenhou-url"
#: The begin of every link.
PREFIX: Final = b"https://tenhou.net/6/#json="
_SITE: Final = r"\s*(?i:(?:https?://)?tenhou\.net)/"
_LINK: Final = re.compile(_SITE + r"[0-9]{1,2}/(?:\?[^\s#]*+)?#json=")
#: The end of the JSON of a link, encoded or not, and what the viewer adds behind it.
_CLOSING: Final = re.compile(r"\}|%7[Dd]")
_ADDED: Final = re.compile(r"(?>&t[sw]=[0-9]*+)*+\s*+")
_ON_SERVER: Final = re.compile(_SITE + r"\S{0,80}[?&]log=")
#: The characters that JavaScript's encodeURI leaves as they are, besides letters and digits.
_SAFE: Final = ";,/?:@&=+$-_.!~*'()#"
_ENCODED: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})|(?s:.)")


def read_links(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file of links, one a line. Links that continue each other are one match.

    Raises `InputError` with its place, also for a link that only names a record on Tenhou's server.

    >>> link = b"https://tenhou.net/6/#json=%7B%22name%22:[%22A%22,%22B%22,%22C%22,%22D%22],%22log%22:[]%7D"
    >>> [reading] = read_links(link, Report())
    >>> reading.match.players[0].name.shown
    'A'
    """
    yield from read_objects(_found(data, report), report, FLAVOUR)


def _found(data: bytes, report: Report) -> Iterator[Found]:
    for number, line in enumerate(data.split(b"\n"), 1):
        text = line.decode("utf-8", "replace")
        if number == 1:
            text = text.removeprefix("\ufeff")
        if not text.strip():
            continue
        try:
            source = _source(text, number)
            found = Found(load(source), source)
        except InputError as error:
            report.fault(error)
            continue
        yield found


def _source(line: str, number: int) -> JsonText:
    """Return the JSON of a link. Its places are those of the encoded text."""
    form = _LINK.match(line)
    if form is None:
        message = "expected a link that begins with https://tenhou.net/6/#json="
        if _ON_SERVER.match(line):
            message = (
                "the link names a record on Tenhou's server, and mjconv fetches nothing from the network. "
                "Download the record, and convert the file"
            )
        raise InputError(message, Place(number, 1, line))
    begin, end = form.end(), len(line)
    closing = max((found.end() for found in _CLOSING.finditer(line, begin)), default=end)
    payload = line[begin : closing if _ADDED.fullmatch(line, closing) else end]

    @cache
    def columns() -> list[int]:
        """Return the column of each byte of the JSON, and of its end."""
        pieces = _ENCODED.finditer(payload)
        found = [piece.start() for piece in pieces for _ in (piece[0].encode() if len(piece[0]) == 1 else "%")]
        return [begin + at + 1 for at in (*found, len(payload))]

    @cache
    def sizes() -> list[int]:
        """Return the number of bytes before each character of the JSON, and before its end."""
        return list(accumulate([len(each.encode()) for each in text.decode("utf-8", "replace")], initial=0))

    def place_at(offset: int) -> Place:
        """Return the place of a character of the JSON: its number of bytes is that of encoded bytes before it."""
        before = sizes()[min(offset, len(sizes()) - 1)]
        return Place(number, columns()[min(before, len(columns()) - 1)], line)

    text = unquote_to_bytes(payload)
    return JsonText(text, number, place_at)


def render_links(match: Match, before: After | None) -> Rendered:
    """Write a match as links, one for each round.

    Raises as `json_writer.render_json` does, and `UnsupportedError` if the links would not be read as one match.
    """
    head = write_head(match)
    rounds = write_rounds(match, plain=True)
    if not rounds:
        raise UnsupportedError("there is a link for each round, and the match has no rounds")
    check_apart(before, head, rounds)
    for index, (written, last) in enumerate(zip(rounds[1:], rounds, strict=False), 1):
        if not follows(written.reading.events, last.reading.events):
            raise UnsupportedError(
                f"round {match.rounds[index].label}: it does not continue the round before it by its number and "
                "points, so links would be read as several matches. tenhou-json holds them in one object"
            )
    parts = [Part(b"")]
    for written in rounds:
        text = PREFIX + _encoded(jsontext.dumps({**head, LOG: [written.value]})) + b"\n"
        parts.append(Part(text))
    parts.append(Part(b""))
    reading = match_of(head, [(written.value, written.reading) for written in rounds], match.seats)
    return Rendered(parts, reading, After(head, rounds[-1].reading.events))


def _encoded(text: bytes) -> bytes:
    return quote_from_bytes(text, _SAFE).encode()
