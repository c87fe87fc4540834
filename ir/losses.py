"""Losses, warnings and faults: the data that a conversion reports beside its output."""

from typing import Final, Literal, NamedTuple, TypeAlias, TypedDict, Unpack

import msgspec

from mjconv.ir import limits
from mjconv.ir.errors import MjconvError, Place, shortened
from mjconv.ir.plural import counted

Fate: TypeAlias = Literal["carried", "dropped", "assumed", "approximated"]

#: The fates that `--strict` refuses: all but ``carried``.
REAL_LOSSES: Final = frozenset({"dropped", "assumed", "approximated"})
#: The text in the place of a message that may quote a record which becomes anonymous.
WITHHELD: Final = "not shown, for it may quote the record; convert without --anonymous to see it"
#: The name of the loss of `Match.original`.
ORIGINAL: Final = "match.original"


class Loss(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One difference between the source and the plain text of the target.

    `what` names it: a key of an event (``dahai.tsumogiri``), a whole event (``dora``), or a field of the round or
    of the match (``round.dice``).

    | `fate` | The plain text |
    | --- | --- |
    | ``carried`` | does not state the value; a note does |
    | ``dropped`` | does not state the value, and no note does |
    | ``approximated`` | states another value |
    | ``assumed`` | states a value that the source does not state, by a documented rule |

    `match`, `round` and `event` are indices in the source, from 0. `event` is an index in the events of the round,
    the deal being 0. `label` is the name of the round, or ``opening`` or ``closing`` for the events around the
    rounds. `detail` explains the loss in words.
    """

    what: str
    fate: Fate
    match: int | None = None
    round: int | None = None
    event: int | None = None
    label: str | None = None
    detail: str | None = None


def round_named(label: str | None, index: int | None) -> str | None:
    """Return a round as messages name it: by its label, or by its number from 1 if the label leaves parts open.

    >>> round_named("E3-1", 2), round_named("S?", 2), round_named("opening", None), round_named("?", None)
    ('E3-1', 'round 3', 'opening', '?')
    """
    return f"round {index + 1}" if index is not None and (not label or "?" in label) else label


class Warn(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A warning: something odd in the input that did not stop the reader.

    `match`, `round` and `event` are indices from 0, `line` and `column` count from 1. `event` is the first event
    that is doubtful because of it. `label` is the name of the round.
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
        named = round_named(self.label, self.round)
        round_ = named if named is None or named != self.label else f"round {named}"
        line = None if self.line is None else f"line {self.line}"
        where = ", ".join(part for part in (match, round_, line) if part)
        return f"{where}: {self.message}" if where else self.message


class Fault(NamedTuple):
    """An error that a lenient reader reported, and after which it read on.

    `match`, `round` and `event` are indices from 0 in the matches that were read. They are None if they are not
    known, or if the error is not about one match, round or event. `event` is the first doubtful event. `label` is
    the name of the round, present if the events of the round do not state it. `mended` is true if the reader knows
    all that follows: then nothing after the error is in doubt.
    """

    error: MjconvError
    match: int | None = None
    round: int | None = None
    event: int | None = None
    label: str | None = None
    mended: bool = False


class InRecord(TypedDict, total=False):
    """A place in a record: the indices of the match, of its round and of an event in it, and the round's name."""

    match: int | None
    round: int | None
    event: int | None
    label: str | None


class InFile(InRecord, total=False):
    """A place in a record, and the line and the column in its file."""

    line: int | None
    column: int | None


class Report(msgspec.Struct, kw_only=True, eq=False):
    """Collects losses and warnings while matches are read and written.

    If `lenient`, it also collects, in `faults`, the errors after which a reader can read on. If `mends`, it
    collects only those after which the reader knows what follows (`Fault.mended`), and play that cannot happen is
    no error.

    If `walls` is false, readers do not work a wall out from the seed of a game. If `notes` is false, readers
    ignore the contents of notes. If `compares` is false, nobody reads the warnings: a reader need not compare the
    values that a record states twice. If `played` is false, no writer replays the events: then `impossible` counts
    the events that no table allows, and `first_impossible` describes the first one. If `quotes` is false, warnings
    and details are left out: they may quote the record.

    >>> report = Report()
    >>> report.lose("round.dice", "carried", match=0, round=2)
    >>> report.summary()
    {('carried', 'round.dice'): 1}
    """

    lenient: bool = False
    mends: bool = False
    walls: bool = True
    notes: bool = True
    compares: bool = True
    played: bool = True
    quotes: bool = True
    impossible: int = 0
    first_impossible: Warn | None = None
    losses: list[Loss] = []
    warnings: list[Warn] = []
    faults: list[Fault] = []

    def lose(self, what: str, fate: Fate, *, detail: str | None = None, **where: Unpack[InRecord]) -> None:
        """Add a loss. The arguments are the fields of `Loss`."""
        self.losses.append(Loss(what, fate, detail=detail if self.quotes else None, **where))

    def warn(self, message: str, *, place: Place | None = None, **where: Unpack[InFile]) -> None:
        """Add a warning. The arguments are the fields of `Warn`; `place` has the line and the column."""
        if place is not None:
            where["line"], where["column"] = place.line, place.column
        self.warnings.append(Warn(shortened(message) if self.quotes else WITHHELD, **where))

    def fault(self, error: MjconvError, *, mended: bool = False, **where: Unpack[InRecord]) -> None:
        """Add an error after which the reader can read on. Raises the error if the report does not collect it.

        Raises `LimitError` if the report holds as many faults as the limit ``faults`` allows.
        """
        if not (self.lenient or (self.mends and mended)):
            raise error
        if len(self.faults) >= limits.current().faults:
            raise limits.LimitError("faults", error.place, error.file) from error
        # There may be thousands. A traceback keeps all that was read, and a message may be very long.
        error.__traceback__ = error.__cause__ = error.__context__ = None
        error.message = shortened(error.message)
        self.faults.append(Fault(error, mended=mended, **where))

    def warn_of_impossible(self) -> None:
        """Add one warning about the impossible events that were counted, if there are any."""
        if self.first_impossible is not None:
            message = f"{self.first_impossible.message} ({counted(self.impossible, 'impossible event')} in all)"
            self.warnings.append(msgspec.structs.replace(self.first_impossible, message=message))

    def mark(self) -> tuple[int, int, int]:
        """Return the numbers of losses, warnings and faults that the report holds now, for `reset`."""
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
