"""What a conversion could not say in the target, by name and place."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from mjconv.ir import limits
from mjconv.ir.errors import MjconvError

Fate: TypeAlias = Literal["carried", "dropped", "assumed", "approximated"]

#: What `--strict` refuses: everything but what a note carries.
REAL_LOSSES: Final = frozenset({"dropped", "assumed", "approximated"})


class Loss(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that the target's own syntax does not say, or says beyond the source.

    `what` names it: an event's key (``dahai.tsumogiri``), a whole event (``dora``), or a field of the round or
    match (``round.dice``). `fate`: ``carried`` in a note, ``dropped``, ``assumed`` (the target says what the
    source did not, by a stated rule) or ``approximated``. `match`, `round` and `event` count from 0 in the
    source; `event` counts a round's events, its deal being 0. `label` is the round's name, or ``opening`` or
    ``closing`` for the events around the rounds.
    """

    what: str
    fate: Fate
    match: int | None = None
    round: int | None = None
    event: int | None = None
    label: str | None = None
    detail: str | None = None


class Warn(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Something odd in the input that did not stop the reading: what, and where.

    `line` and `column` count from 1. `event` is the first, from 0, that is not what was meant if this is an error.
    """

    message: str
    match: int | None = None
    round: int | None = None
    label: str | None = None
    line: int | None = None
    column: int | None = None
    event: int | None = None

    def __str__(self) -> str:
        match = None if self.match is None else f"match {self.match + 1}"
        named = self.label or (None if self.round is None else str(self.round + 1))
        round_ = None if named is None else f"round {named}"
        line = None if self.line is None else f"line {self.line}"
        where = ", ".join(part for part in (match, round_, line) if part)
        return f"{where}: {self.message}" if where else self.message


class Fault(NamedTuple):
    """An error that the reading went on after, and where in what was read: `event` is the first in doubt.

    Counted from 0; None where it is not known, or the error is not about one match, round or event. `label` is the
    round's name, where nothing else of the round may tell it.
    """

    error: MjconvError
    match: int | None = None
    round: int | None = None
    event: int | None = None
    label: str | None = None


class Report:
    """Collects losses and warnings while a match is read and written.

    With `lenient`, also the errors that a reader can go on after, as `faults`.

    >>> report = Report()
    >>> report.lose("round.dice", "carried", match=0, round=2)
    >>> report.summary()
    {('carried', 'round.dice'): 1}
    """

    def __init__(self, *, lenient: bool = False) -> None:
        self.lenient = lenient
        self.losses: list[Loss] = []
        self.warnings: list[Warn] = []
        self.faults: list[Fault] = []

    def lose(
        self,
        what: str,
        fate: Fate,
        *,
        match: int | None = None,
        round: int | None = None,  # noqa: A002 - the field's word
        event: int | None = None,
        label: str | None = None,
        detail: str | None = None,
    ) -> None:
        """Note a loss."""
        self.losses.append(Loss(what, fate, match, round, event, label, detail))

    def warn(
        self,
        message: str,
        *,
        match: int | None = None,
        round: int | None = None,  # noqa: A002 - the field's word
        label: str | None = None,
        line: int | None = None,
        column: int | None = None,
        event: int | None = None,
    ) -> None:
        """Note a warning."""
        self.warnings.append(Warn(message, match, round, label, line, column, event))

    def fault(
        self,
        error: MjconvError,
        *,
        match: int | None = None,
        round: int | None = None,  # noqa: A002 - the field's word
        event: int | None = None,
        label: str | None = None,
    ) -> None:
        """Take an error that the reader can go on after: raised, unless the report is lenient.

        Raises `LimitError` instead where there are too many of them.
        """
        if not self.lenient:
            raise error
        if len(self.faults) >= limits.current().faults:
            raise limits.LimitError("faults", error.place, error.file) from error
        self.faults.append(Fault(error, match, round, event, label))

    def mark(self) -> tuple[int, int, int]:
        """Return how much the report holds now, for `reset`."""
        return len(self.losses), len(self.warnings), len(self.faults)

    def reset(self, mark: tuple[int, int, int]) -> None:
        """Drop everything that was reported after `mark` was taken.

        >>> report = Report()
        >>> mark = report.mark()
        >>> report.warn("an odd name")
        >>> report.reset(mark)
        >>> report.warnings
        []
        """
        for entries, length in zip((self.losses, self.warnings, self.faults), mark, strict=True):
            del entries[length:]  # type: ignore[attr-defined]

    def summary(self) -> dict[tuple[Fate, str], int]:
        """Count the losses by fate and name."""
        counts: dict[tuple[Fate, str], int] = {}
        for loss in self.losses:
            counts[loss.fate, loss.what] = counts.get((loss.fate, loss.what), 0) + 1
        return counts
