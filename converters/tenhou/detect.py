"""Recognises Tenhou records by the first bytes of a file, and their syntax."""

import re
from typing import Final, Literal, TypeAlias

#: The syntax of a file: mjlog XML, a tenhou.net/6 object, or a link that holds one.
Syntax: TypeAlias = Literal["xml", "json", "url"]

_XML: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,4096}(?:<\?xml[^>]{0,200}>\s{0,4096})?(?:<!--|<mjloggm[\s>])")
_ROOT: Final = re.compile(rb"<mjloggm[\s>]")
#: A link that holds a record, or one that names a record on Tenhou's server, which the reader refuses.
_LINK: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,4096}(?i:(?:https?://)?tenhou\.net)/\d{1,2}/"
    rb"(?:\?[^\s#]{0,200})?(?:#json=|(?<=[?&])log=)"
)
_OBJECT: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,4096}(?:\[\s{0,64})?\{")
#: The begin of a round of tenhou.net/6: `"log":[[[n,n,n]`.
_LOG: Final = re.compile(rb'"log"\s{0,64}:\s{0,64}\[\s{0,64}\[\s{0,64}\[\s{0,64}-?\d')
#: A log without rounds, `"log":[]`. Other programs have other keys of the players beside it.
_NO_ROUNDS: Final = re.compile(rb'"log"\s{0,64}:\s{0,64}\[\s{0,64}\]')
_NAMES: Final = re.compile(rb'"name"\s{0,64}:\s{0,64}\[')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like a Tenhou record, in any of its syntaxes.

    >>> recognise(b'<mjloggm ver="2.3"><GO type="169"/>'), recognise(b'{"type":"start_game"}')
    (True, False)
    """
    return syntax_of(head) is not None


def syntax_of(head: bytes) -> Syntax | None:
    """Return the syntax of a file by its first bytes, or None where it is no Tenhou record.

    >>> syntax_of(b'{"title":["",""],"log":[[[0,0,0],[25000]]]}'), syntax_of(b"https://tenhou.net/6/#json=%7B")
    ('json', 'url')
    """
    if _XML.match(head) is not None and _ROOT.search(head) is not None:
        return "xml"
    if _LINK.match(head) is not None:
        return "url"
    if _OBJECT.match(head) is not None and (
        _LOG.search(head) is not None or (_NO_ROUNDS.search(head) is not None and _NAMES.search(head) is not None)
    ):
        return "json"
    return None
