"""Messages about conversions, and values as JSON: text that is safe for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import msgspec

from mjconv.files.address import redacted
from mjconv.ir.errors import printable, visible, width
from mjconv.ir.losses import Fate, Loss, Warn, round_named
from mjconv.ir.plural import counted
from mjconv.languages import translated

if TYPE_CHECKING:
    from fractions import Fraction

#: The fates, the worst first.
FATES: Final[tuple[Fate, ...]] = ("dropped", "approximated", "assumed", "carried")
#: The most warnings, and the most kinds of losses, that are printed; the rest is counted.
SHOWN: Final = 20
#: The option that lists all losses.
REPORT: Final = "--report FILE"
#: Characters that JSON leaves as they are but a terminal acts on: controls, invisible and direction characters.
_UNSEEN: Final = "[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"


#: The first characters by which spreadsheets recognise formulas.
_FORMULA: Final = tuple("=+-@\t\r\n＝＋－＠")


def warning_lines(warnings: Sequence[Warn | str], name: str = "") -> Iterator[str]:
    """Return a line for each of the first `SHOWN` warnings, and a line that counts the rest."""
    before = f"{name}: " if name else ""
    for warning in warnings[:SHOWN]:
        yield printable(f"mjconv: warning: {before}{warning}")
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
    several = any(loss.match for loss in losses)
    ordered = sorted(kinds.items(), key=lambda kind: FATES.index(kind[0][0]))
    return kind_lines([(*kind, len(ones), _first(ones[0], several)) for kind, ones in ordered], target)


def kind_lines(kinds: Sequence[tuple[str, str, int, str]], target: str, whole: str = REPORT) -> Iterator[str]:
    """Return a headline and a line for each kind of loss: its fate, its name, its number, and a remark.

    `whole` is the file or option that lists all kinds.
    """
    if kinds:
        yield f"mjconv: not expressible in {target}:"
    for fate, what, number, remark in kinds[:SHOWN]:
        shown = translated(fate)
        yield printable(f"  {shown}{' ' * (12 - width(shown))} {number:>4} x {what}{remark}")
    if len(kinds) > SHOWN:
        yield f"  … and {counted(len(kinds) - SHOWN, 'kind', grouped=True)} more; {whole} lists all"


def _first(loss: Loss, several: bool) -> str:
    """Return the place and the detail of the first loss of a kind. `several` is true for several matches."""
    match = f"match {loss.match + 1}" if several and loss.match is not None else None
    event = None if loss.event is None else f"event {loss.event}"
    where = ", ".join(part for part in (match, round_named(loss.label, loss.round), event) if part)
    return f"{f', first in {where}' if where else ''}{f' ({translated(loss.detail)})' if loss.detail else ''}"


def losses_json(
    inputs: Iterable[str], output: str, target: str, losses: Sequence[Loss], warnings: Sequence[Warn]
) -> bytes:
    """Return all losses and warnings of a conversion as JSON; matches, rounds and events count from 0."""
    files = {"inputs": list(map(encodable, inputs)), "output": encodable(output)}
    return indented_json({**files, "target": target, "losses": losses, "warnings": warnings})


def aligned(rows: Iterable[Iterable[str]], right: Sequence[bool] = ()) -> Iterator[str]:
    """Yield rows as lines whose columns are aligned, safe for a terminal; to the right where `right` is true.

    >>> list(aligned([["seat", "1"], ["points", "25000"]], [False, True]))
    ['seat        1', 'points  25000']
    """
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        spaces = [" " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True)]
        cells = zip_longest(row, spaces, right, fillvalue=False)
        yield "  ".join(f"{space}{cell}" if to_right else f"{cell}{space}" for cell, space, to_right in cells)


def indented_json(value: object, indent: int = 2) -> bytes:
    """Return a value as JSON on several lines, with the escapes of `json_line`."""
    return msgspec.json.format(json_line(value), indent=indent).encode() + b"\n"


def spreadsheet_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with an apostrophe before it, if it would be one.

    >>> spreadsheet_text("=1+1"), spreadsheet_text("Ann")
    ("'=1+1", 'Ann')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def json_line(value: object) -> str:
    r"""Return a value as JSON on one line, with escapes for characters that a terminal acts on.

    >>> json_line({"name": "a\u202eb"})
    '{"name":"a\\u202eb"}'
    """
    return escaped(msgspec.json.encode(value).decode())


def json_number(number: Fraction) -> int | float:
    """Return a fraction as a number in JSON: whole where it is whole, or too large for a float.

    >>> from fractions import Fraction
    >>> json_number(Fraction(-904)), json_number(Fraction(1, 2))
    (-904, 0.5)
    """
    if number.denominator == 1:
        return number.numerator
    try:
        return float(number)
    except OverflowError:
        return int(number)


def escaped(text: str) -> str:
    """Return JSON with escapes for characters that a terminal acts on."""
    return re.sub(_UNSEEN, lambda unseen: f"\\u{ord(unseen[0]):04x}", text)


def json_record(value: object) -> bytes:
    """Return a value as a line of a JSON file, as `json_line` does, with its line break."""
    return json_line(value).encode() + b"\n"


def encodable(name: str) -> str:
    """Return a file name that JSON can hold: bytes that are not UTF-8 become question marks, secrets asterisks."""
    return redacted(name.encode("utf-8", "replace").decode())
