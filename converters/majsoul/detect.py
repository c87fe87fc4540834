"""Recognises Mahjong Soul records by the first bytes of a file, and their container."""

import re
from typing import Final, Literal, TypeAlias

#: The container of a file: JSON, protobuf, or protobuf as hexadecimal digits.
Container: TypeAlias = Literal["json", "bytes", "hex"]

_OPEN: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,4096}[\[{]")
_NAME: Final = re.compile(
    rb'"name"\s{0,64}:\s{0,64}"(?:\.lq\.)?(?:Record)?(?:GameDetailRecords|NewRound)"|"version"\s{0,64}:\s{0,64}210715\b'
)
#: The begin of a reply, or of a wrapper of GameDetailRecords.
_REPLY: Final = re.compile(rb"(?s)\x03..(?:\x0a\x00)?\x12")
_WRAPPED: Final = b"\x0a\x15.lq.GameDetailRecords\x12"
_HEX: Final = re.compile(rb"(?:03[0-9A-Fa-f]{4}(?:0[Aa]00)?12|0[Aa]152[Ee]6[Cc]712[Ee])[0-9A-Fa-f]*\Z")
_LIQI: Final = b".lq."


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like a Mahjong Soul record, in any container.

    >>> recognise(b'{"rounds":[[{"name":"NewRound","data":{}}]]}'), recognise(b'{"type":"start_game"}')
    (True, False)
    """
    return container_of(head) is not None


def container_of(head: bytes) -> Container | None:
    r"""Return the container of a file by its first bytes, or None where it is no Mahjong Soul record.

    >>> container_of(b'\n\x15.lq.GameDetailRecords\x12\x00'), container_of(b"0A152E6C712E47616D65")
    ('bytes', 'hex')
    """
    if _OPEN.match(head) is not None:
        return "json" if _NAME.search(head) is not None else None
    if head.startswith(_WRAPPED) or (_REPLY.match(head) is not None and _LIQI in head):
        return "bytes"
    digits = b"".join(head.split())
    return "hex" if _HEX.match(digits) is not None and b"2e6c712e" in digits.lower() else None
