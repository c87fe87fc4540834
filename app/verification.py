"""Verify an output: read it again, and compare it with the source.

With notes, each match that is read must be equal to the match of the source. Without notes, it may differ from it
only where a loss was reported.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, TypeAlias, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from mjconv.converters import hub
from mjconv.converters.interface import EVERY_SEAT, Format
from mjconv.converters.shared.carry import without_layout
from mjconv.files.reading import unpack
from mjconv.ir.errors import MjconvError, UsageError, VerifyError
from mjconv.ir.losses import ORIGINAL, Loss, Report
from mjconv.ir.match import Match, Round
from mjconv.ir.patch import Difference, PatchError, apply, diff
from mjconv.ir.plural import counted
from mjconv.rules.rulesets import without_shown_game
from mjconv.source import Source

Whole = TypeVar("Whole", Round, Match)
#: A reported loss as a difference of a match shows it: index of the round, index and list of the event, and name.
LossKey: TypeAlias = tuple[int | None, int | None, str, str]

#: The loss of a whole round: the text of the target has no part for it.
_ROUND_LEFT_OUT: Final = "match.rounds"
_AROUND: Final = frozenset({"opening", "closing"})


class Verified(NamedTuple):
    """The number of matches that were compared, and how many of them differ from the source in reported losses."""

    matches: int = 0
    differing: int = 0

    def line(self) -> str:
        """Return the result as a sentence.

        >>> Verified(3).line()
        '3 matches read again, equal to the source'
        >>> Verified(3, 1).line()
        '3 matches read again; 1 differs only in the losses reported'
        """
        read = f"{counted(self.matches, 'match')} read again"
        if not self.differing:
            return f"{read}, equal to the source"
        verb = "differs" if self.differing == 1 else "differ"
        return f"{read}; {self.differing} {verb} only in the losses reported"


def check_verifiable(form: Format, seat: int | str | None = None) -> None:
    """Raise `UsageError` if a format has no reader, or if the streams of all seats are written."""
    if seat == EVERY_SEAT:
        raise UsageError("--verify compares whole matches, and --seat all writes several streams of each")
    if not form.reads:
        raise UsageError(f"cannot verify: {form.called} is written only, and no reader reads it again")


def verify(
    source: Iterable[Match],
    form: Format,
    data: bytes,
    losses: Sequence[Loss],
    *,
    plain: bool = False,
    name: str | None = None,
    first: int = 0,
) -> Verified:
    r"""Read the bytes of an output, compressed or not, and compare its matches with those of the source.

    `losses` are the losses that were reported while `data` was written. In them, the first match of `source` has
    the index `first`. `plain` says that no notes were written. `name` is the name of the output in errors.

    Raises `VerifyError` at the first match that differs, and `UsageError` if the format has no reader.

    >>> from mjconv.converters.formats import find
    >>> [match] = hub.read_matches(find("hk")[0], b"A B C D\n- 2 d -\n", Report())
    >>> verify([match], find("hk")[0], b"A B C D\n- 2 d -\n", [])
    Verified(matches=1, differing=0)
    >>> verify([match], find("hk")[0], b"A B C D\n- 3 d -\n", [])
    Traceback (most recent call last):
    mjconv.ir.errors.VerifyError: the output does not read as the source: match 1, round ?, event 0: hora.fan
    """
    check_verifiable(form)
    named = _named(losses)
    differing = number = 0
    try:
        for number, (match, back) in enumerate(zip_longest(source, _read_again(form, data)), 1):
            if match is None or back is None:
                raise VerifyError(
                    f"the output holds {'more' if match is None else 'fewer'} matches than the source: "
                    f"{number - 1} are in both"
                )
            noted = form.notes is not None and not plain
            if noted and not _keeps_original(match, back, named[first + number - 1]):
                raise VerifyError(f"the output does not read as the source: match {first + number}, its original")
            if match != back:
                back = _without_walls_of_seed(back, match)
                # No loss names a game that the other values of the source show.
                back, match = without_shown_game(back, match), without_shown_game(match, match)
            if match != back:
                differing += 1
                unnamed = _first_unnamed(match, back, set() if noted else named[first + number - 1], form)
                if noted or unnamed is not None:
                    where = unnamed or "in a way that no loss names"
                    raise VerifyError(f"the output does not read as the source: match {first + number}, {where}")
    except MjconvError as error:
        error.file = error.file or name
        raise
    return Verified(number, differing)


def verify_parts(
    source: Source,
    form: Format,
    parts: Iterable[tuple[str, bytes]],
    losses: Sequence[Loss],
    *,
    plain: bool = False,
) -> Verified:
    """Compare outputs of one match each, by name, with the matches of a source, which is read a second time.

    The indices of the losses count the matches of the source. Raises as `verify` does.
    """
    own: defaultdict[int, list[Loss]] = defaultdict(list)
    for loss in losses:
        own[loss.match or 0].append(loss)
    total = Verified()
    for number, (reading, (name, data)) in enumerate(zip(source.readings(Report()), parts, strict=True)):
        one = verify([reading.match], form, data, own[number], plain=plain, name=name, first=number)
        total = Verified(total.matches + one.matches, total.differing + one.differing)
    return total


def _without_walls_of_seed(back: Match, match: Match) -> Match:
    """Return a match of the output without the walls of its original if the match of the source has no walls."""
    if back.original is None or any(one.wall is not UNSET for one in match.rounds):
        return back
    return replace(back, rounds=[replace(one, wall=UNSET) for one in back.rounds])


def _read_again(form: Format, data: bytes) -> Iterator[Match]:
    """Read the matches of an output. Raises `VerifyError` if the reader refuses it."""
    if not data:
        return
    try:
        for reading in hub.read(form, unpack(data), Report()):
            yield reading.match
    except MjconvError as error:
        raise VerifyError(f"the output cannot be read again: {error.message}", error.place) from error


def _keeps_original(match: Match, back: Match, named: set[LossKey]) -> bool:
    """Return whether a match that is read again has the original of the source, unless a loss names it."""
    return match.original in (None, back.original) or any(what == ORIGINAL for *_, what in named)


def _named(losses: Iterable[Loss]) -> defaultdict[int, set[LossKey]]:
    """Return the reported losses of each match."""
    named: defaultdict[int, set[LossKey]] = defaultdict(set)
    for loss in losses:
        part = loss.label if loss.round is None and loss.label in _AROUND else ""
        named[loss.match or 0].add((loss.round, loss.event, part or "", loss.what))
    return named


def _first_unnamed(source: Match, back: Match, named: set[LossKey], form: Format) -> str | None:
    """Return the place and name of the first difference that no loss names; None if losses name all of them."""
    left_out = {index for index, _, _, what in named if what == _ROUND_LEFT_OUT}
    kept = [index for index in range(len(source.rounds)) if index not in left_out]
    if len(back.rounds) != len(kept):
        return f"{counted(len(back.rounds), 'round')} instead of {len(kept)}"
    # The index of a remark between rounds is the number of rounds before it in the text.
    remarks = tuple(replace(one, index=bisect_left(kept, one.index)) for one in source.annotations)
    unnamed = _unnamed(replace(source, annotations=remarks), back, None, named, form, source.seats)
    for index, read in zip(kept, back.rounds, strict=True):
        unnamed = unnamed or _unnamed(source.rounds[index], read, index, named, form, source.seats)
    return unnamed


def _unnamed(
    source: Whole, back: Whole, index: int | None, named: set[LossKey], form: Format, seats: int
) -> str | None:
    """Return the first difference that no loss names, of a match around its rounds or of the round `index`."""
    round_name = "" if index is None or not isinstance(source, Round) else f"round {source.label}"
    for one in _differences(source, back, form, seats):
        if one is None:
            return f"{round_name or 'around the rounds'}: a difference that has no name"
        if (index, one.event, one.part, one.what) not in named:
            event = "" if one.event is None else f"event {one.event}"
            where = ", ".join(filter(None, (round_name, one.part, event)))
            return f"{where or 'around the rounds'}: {one.what}"
    return None


def _differences(source: Whole, back: Whole, form: Format, seats: int) -> Iterator[Difference | None]:
    """Yield the differences of a reading from the source; None for one that the comparison cannot name."""
    patch, differences = diff(back, source)
    yield from without_layout(differences, source, back, form)
    # The same comparison found the losses, so its result is checked: the differences restore the source.
    try:
        restored = apply(patch, back, seats=seats)
    except PatchError:
        yield None
        return
    if isinstance(source, Match) and isinstance(restored, Match):
        restored.rounds = source.rounds
    if restored != source:
        yield None
