"""Edit one visible value of a record, and find the edits that are lost without a word.

A person who changes a number or a tile in a text expects another reading of it, or a message.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from fuzz.seeds import records
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.converters.shared.originals import without
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

#: The result of an edit. ``refused``: the reader raises an error. ``warned``: the reader warns. ``read``: it reads
#: another match. ``written``: it reads the same match, and the text that is written of it differs. ``original``:
#: only the original of the match holds the edit. ``silent``: the edit is lost.
Outcome: TypeAlias = Literal["refused", "warned", "read", "written", "original", "silent"]

#: A value: a number or a word.
_VALUE: Final = re.compile(r"[0-9]+|[A-Za-z][A-Za-z0-9_]*")
#: Texts without values: numbers of turns, versions and links, keys of JSON, and the notes of PMN.
_NO_VALUE: Final = re.compile(
    r'\b\d+(?=\.(?:[A-Za-z?]|\d+[a-z]))|jmjp\[[\d.]+|"version":\d+|tenhou\.net/\d|"\w+\\?":|\[mjconv "[^"]*'
)
#: The signature of a note.
_NOTE: Final = re.compile(r'mjconv"?:? ?(?=[{\[])')
#: How much of the text is shown on each side of an edit.
_AROUND: Final = 40


class Edit(NamedTuple):
    """A text with one value replaced: the old value, the new one, and the text around it."""

    text: bytes
    old: str
    new: str
    around: str


def edits(data: bytes, rng: Random, most: int) -> Iterator[Edit]:
    """Yield the text with one visible value replaced, for at most so many of its values."""
    text = data.decode("utf-8")
    values = list(_visible(text))
    words = sorted({value[0] for value in values if not value[0].isdigit()})
    for value in rng.sample(values, min(most, len(values))):
        old = value[0]
        if old.isdigit():
            new = str(max(0, int(old) + rng.choice((-1, 1, 4)))).rjust(len(old), "0")
        else:
            new = rng.choice(words)
        if new != old:
            begin, end = value.span()
            edited = f"{text[:begin]}{new}{text[end:]}".encode()
            yield Edit(edited, old, new, text[max(0, begin - _AROUND) : end + _AROUND])


def _visible(text: str) -> Iterator[re.Match[str]]:
    """Yield the values of a text outside of its notes."""
    spans = [(note.start(), json.JSONDecoder().raw_decode(text, note.end())[1]) for note in _NOTE.finditer(text)]
    spans += [part.span() for part in _NO_VALUE.finditer(text)]
    for value in _VALUE.finditer(text):
        if not any(begin <= value.start() < end for begin, end in spans):
            yield value


class Reread(NamedTuple):
    """The matches of a text, the warnings of its reader, and the text that is written of them anew."""

    matches: list[Match]
    warnings: list[str]
    rewritten: bytes


def reread(form: Format, data: bytes) -> Reread:
    """Read a text, and write it anew. Raises `MjconvError` if it cannot be read."""
    report = Report()
    matches = hub.read_matches(form, data, report)
    rewritten = b""
    if form.writes:
        try:
            rewritten = hub.written(form, map(without, matches), Report(), WriteOptions())
        except MjconvError as error:
            rewritten = error.message.encode()
    return Reread(matches, [str(warning) for warning in report.warnings], rewritten)


def outcome(form: Format, before: Reread, text: bytes) -> Outcome:
    """Return the result of the edit of a text, which was read as `before`."""
    try:
        after = reread(form, text)
    except MjconvError:
        return "refused"
    if after.warnings != before.warnings:
        return "warned"
    if after.matches != before.matches:
        return "read"
    if after.rewritten != before.rewritten:
        return "written"
    same = [match.original for match in after.matches] == [match.original for match in before.matches]
    return "silent" if same else "original"


def tried(name: str, seed: int, texts: int, most: int) -> Iterator[tuple[Outcome, bool, Edit]]:
    """Edit at most so many texts of a format in at most so many places; yield whether each text has notes."""
    form, _ = formats.find(name)
    rng = Random(seed)
    pool = records(name)
    for data in rng.sample(pool, min(texts, len(pool))):
        try:
            before = reread(form, data)
        except MjconvError:
            continue
        if not before.matches:
            continue
        for edit in edits(data, rng, most):
            yield outcome(form, before, edit.text), bool(_NOTE.search(data.decode())), edit


def report_edits(seed: int, texts: int = 60, most: int = 60) -> bool:
    """Try edits in all formats and print the results. Returns whether no edit is lost."""
    lost = 0
    for form in formats.FORMATS:
        counts: Counter[tuple[Outcome, bool]] = Counter()
        for result, noted, edit in tried(form.id, seed, texts, most):
            counts[result, noted] += 1
            if result == "silent":
                lost += 1
                print(f"{form.id}: {edit.old} -> {edit.new} is lost in {edit.around!r}")
        for noted in (False, True):
            results = ", ".join(f"{number} {each}" for (each, kind), number in counts.items() if kind is noted)
            if results:
                print(f"{form.id}, {'with' if noted else 'without'} notes: {results}")
    return not lost
