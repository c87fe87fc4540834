"""Originals: the records that matches were read from, in notes, and written back as they are.

A format with `Format.original` has records that state more than the fields of the hub hold. Its reader keeps
the bytes of each match in `Match.original`. A note carries them through other formats, compressed. A writer of the
format first reads the original: if it still is the match to be written, its bytes are written as they are.

A text of Mahjong Soul that mjconv wrote is no original, also without notes: the hub holds all that it states. Its
sign is the word `note_json.MARK`. Texts of Tenhou and mjx without a note have no sign either: they are originals.
"""

import base64
import binascii
from typing import Final

from msgspec import UNSET, structs

from mjconv.converters.interface import Format
from mjconv.converters.shared.bounds import bounded
from mjconv.ir import limits
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report
from mjconv.ir.match import Frozen, Match, Original
from mjconv.rules.rulesets import without_shown_game

#: The level of zstandard: higher levels take five times as long for notes that are a tenth shorter.
_LEVEL: Final = 3
#: The bytes that any original may have; beyond these, the limit of expansion counts.
_FREE: Final = 1 << 16


class PackedOriginal(Frozen, frozen=True):
    """An original as a note holds it: the id of its format, and its bytes compressed by zstandard, in base64."""

    flavour: str
    data: str


class OriginalError(ValueError):
    """The text of a note holds no original. The message states the reason."""


def pack(original: Original) -> PackedOriginal | None:
    """Compress an original for a note. Returns None if it is longer than the limit of a string.

    >>> unpack(pack(Original("tenhou", b"<mjloggm/>"))).data
    b'<mjloggm/>'
    """
    # Imported here: most conversions carry no original.
    import zstandard

    most = limits.current()
    if len(original.data) > most.original_bytes:
        return None
    packed = base64.b64encode(zstandard.ZstdCompressor(level=_LEVEL).compress(original.data)).decode("ascii")
    return PackedOriginal(original.flavour, packed) if len(packed) <= most.string_bytes else None


def unpack(packed: PackedOriginal) -> Original:
    """Decompress the original of a note. Raises `OriginalError` if it is damaged or beyond the limit."""
    import zstandard

    limit = limits.current()
    try:
        data = base64.b64decode(packed.data, validate=True)
        most = min(limit.original_bytes, _FREE + limit.expansion * len(data))
        # The head of the data states its size, or -1.
        stated = zstandard.frame_content_size(data)
        # Not `decompress`: it trusts the size that the data states.
        with zstandard.ZstdDecompressor().stream_reader(data) as stream:
            contents = stream.read((most if stated < 0 else min(stated, most)) + 1)
            whole = stated in (-1, len(contents)) and not stream.read(1)
    except (binascii.Error, ValueError, zstandard.ZstdError, MemoryError) as error:
        raise OriginalError(f"it cannot be decompressed: {error}") from None
    if len(contents) > most:
        raise OriginalError(limits.refusal("original_bytes" if most == limit.original_bytes else "expansion"))
    if not whole:
        raise OriginalError("it cannot be decompressed: its data is cut off")
    return Original(packed.flavour, contents)


def is_unchanged(form: Format, match: Match) -> bool:
    """Return whether the original of a match, of the format `form`, still reads as the match.

    An original that cannot be read, that holds other than one match, or that holds notes, does not.
    """
    original = match.original
    if original is None:
        return False
    report = Report(walls=any(one.wall is not UNSET for one in match.rounds), notes=False, compares=False)
    try:
        [reading] = bounded(form, original.data, report)
    except (MjconvError, ValueError, RecursionError):
        return False
    # A reader sets no original for a text with notes.
    read = without_shown_game(reading.match, match)
    return reading.match.original == original and read == without_shown_game(match, match)


def without(match: Match) -> Match:
    """Return a match without its original."""
    return match if match.original is None else structs.replace(match, original=None)
