"""What a caller asks of a writer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WriteOptions:
    """How to write.

    `flavour` is the format's variant (``jmjp-0``), empty for the usual one. `plain` leaves out the notes that
    carry what the notation has no place for. `fill` writes derived values where the source was silent.
    `lossy` hides tiles that the target does not know, where it would else refuse the match.
    """

    flavour: str = ""
    plain: bool = False
    fill: bool = False
    lossy: bool = False
