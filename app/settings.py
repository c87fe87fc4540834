"""The settings of reading in force: the values that readers use unless a caller sets others."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from mjconv.ir import limits
from mjconv.ir.limits import Limits
from mjconv.ir.setting import Setting as Setting


class Anonymity(Struct, frozen=True):
    """How matches are made anonymous: the `key` of the pseudonyms, empty for none, and whether comments stay."""

    key: bytes = b""
    comments: bool = False

    def sealed(self, text: str) -> str:
        """Return a digest of a text that nobody computes without the key. Without a key it is empty.

        >>> Anonymity().sealed("Ann"), len(Anonymity(bytes(32)).sealed("Ann"))
        ('', 24)
        """
        # Loaded here: few runs are anonymous.
        from hashlib import blake2b

        data = text.encode("utf-8", "surrogatepass")
        return blake2b(data, key=self.key, digest_size=12).hexdigest() if self.key else ""


#: How the matches of sources are made anonymous; None if they are read as they are.
anonymity: Final[Setting[Anonymity | None]] = Setting("anonymity", None)
#: Whether readers work out the wall of each round from the seed of a game.
walls: Final = Setting("walls", True)
#: Python's name of the encoding of texts; None is UTF-8. `mjconv.encoding` checks names before it sets them.
text_encoding: Final[Setting[str | None]] = Setting("encoding", None)


class ReadSettings(Struct, frozen=True):
    """All settings, so that another process can use the same. `encoding` is None for UTF-8."""

    limits: Limits = Limits()
    encoding: str | None = None
    walls: bool = True
    anonymous: Anonymity | None = None

    @classmethod
    def current(cls) -> ReadSettings:
        """Return the settings in force."""
        return cls(limits.current(), text_encoding.current(), walls.current(), anonymity.current())

    def install(self) -> None:
        """Put the settings in force for the whole process."""
        limits.install(self.limits)
        text_encoding.install(self.encoding)
        walls.install(self.walls)
        anonymity.install(self.anonymous)
