"""The messages of the command on standard error, and the file of ``--report``."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from mjconv.conversion import Conversion
from mjconv.ir.errors import printable
from mjconv.ir.losses import Fate, Loss, Warn
from mjconv.ir.plural import counted
from mjconv.storage.address import redacted

#: The fates, the worst first.
FATES: Final[tuple[Fate, ...]] = ("dropped", "approximated", "assumed", "carried")
#: The most warnings, and the most kinds of losses, that are printed; the rest is counted.
SHOWN: Final = 20
#: Characters that JSON leaves as they are but a terminal acts on: controls, invisible and direction characters.
_UNSEEN: Final = re.compile("[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def print_message(text: str) -> None:
    """Print on standard error, unless its reader has ended; `text` must be safe for a terminal."""
    with suppress(BrokenPipeError):
        print(text, file=sys.stderr, flush=True)


def print_messages(conversion: Conversion, name: str, target: str) -> None:
    """Print the warnings and losses of a conversion."""
    for line in (*warning_lines(conversion.warnings, name), *loss_lines(conversion.losses, target)):
        print_message(line)


def warning_lines(warnings: Sequence[Warn], name: str) -> Iterator[str]:
    """Return a line for each of the first `SHOWN` warnings, and a line that counts the rest."""
    for warning in warnings[:SHOWN]:
        yield printable(f"mjconv: warning: {name}: {warning}")
    if len(warnings) > SHOWN:
        yield f"mjconv: … and {len(warnings) - SHOWN} more warnings"


def loss_lines(losses: Sequence[Loss], target: str) -> Iterator[str]:
    r"""Return a headline and a line for each kind of loss: fate, number, name, and place of the first.

    >>> print(*loss_lines([Loss("round.dice", "carried", match=0, round=2, label="E3-0")], "mjai"), sep="\n")
    mjconv: not expressible in mjai:
      carried         1 x round.dice, first in E3-0
    """
    kinds: dict[tuple[Fate, str], list[Loss]] = {}
    for loss in losses:
        kinds.setdefault((loss.fate, loss.what), []).append(loss)
    ordered = sorted(kinds.items(), key=lambda kind: FATES.index(kind[0][0]))
    several = any(loss.match for loss in losses)
    if ordered:
        yield f"mjconv: not expressible in {target}:"
    for (fate, what), ones in ordered[:SHOWN]:
        where = _where(ones[0], several)
        detail = f" ({ones[0].detail})" if ones[0].detail else ""
        yield printable(f"  {fate:<12} {len(ones):>4} x {what}{f', first in {where}' if where else ''}{detail}")
    if len(ordered) > SHOWN:
        more = len(ordered) - SHOWN
        yield f"  … and {counted(more, 'kind')} more; --report FILE lists all"


def _where(loss: Loss, several: bool) -> str:
    match = f"match {loss.match + 1}" if several and loss.match is not None else None
    played = loss.label or (None if loss.round is None else f"round {loss.round + 1}")
    event = None if loss.event is None else f"event {loss.event}"
    return ", ".join(part for part in (match, played, event) if part)


def report_json(inputs: Iterable[str], output: str, target: str, conversion: Conversion) -> bytes:
    """Return all losses and warnings of a conversion as JSON; matches, rounds and events count from 0."""
    document = {
        "inputs": [encodable(name) for name in inputs],
        "output": encodable(output),
        "target": target,
        "losses": conversion.losses,
        "warnings": conversion.warnings,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def json_line(value: object) -> str:
    r"""Return a value as JSON on one line, with escapes for characters that a terminal acts on.

    >>> json_line({"name": "a\u202eb"})
    '{"name":"a\\u202eb"}'
    """
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", msgspec.json.encode(value).decode())


def encodable(name: str) -> str:
    """Return a file name that JSON can hold: bytes that are not UTF-8 become question marks, secrets asterisks."""
    return redacted(name.encode("utf-8", "replace").decode())
