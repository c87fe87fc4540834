"""A match made ready for a target: what the target cannot hold, and what the caller asks for beside the play."""

from typing import Final, NamedTuple

from msgspec import UNSET

from mjconv.converters.interface import ANSWERS_NEED_SEAT, Format, WriteOptions
from mjconv.ir.answers import check_match
from mjconv.ir.errors import UnsupportedError, UsageError, shortened
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.ir.riichi_only import as_riichi
from mjconv.rules import rulesets

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")


class Prepared(NamedTuple):
    """A match made ready, and the power of ten that its points were multiplied by."""

    match: Match
    scale: int = 1


def prepare(
    match: Match, form: Format, options: WriteOptions, number: int = 0, report: Report | None = None
) -> Prepared:
    """Make a match ready for a format.

    With `options.lossy`, tiles that the format does not know are hidden. Points of results by Hong Kong rules
    are worked out in the unit that the format writes. With `options.fill`, derived values are put where the
    source is silent, and `report` gets a warning about points that do not follow. With `options.seat`, tiles that
    the player at this seat does not see are hidden. `number` is the index of the match, for messages. Raises
    `UnsupportedError` where the format does not hold games of so many players or of these rules, no player sits
    where a dealer is, or answers do not fit their round. Raises `UsageError` if the match has no such seat, the
    format holds no in-game streams, or `options.answers` is set without a seat.

    >>> from mjconv.converters.formats import find
    >>> prepare(Match(), find("mjai")[0], WriteOptions())
    Prepared(match=<Match: 4 players, 0 rounds, 0 events>, scale=1)
    """
    _check_held(match, form, number)
    scale = 1
    if options.lossy and form.holds.tiles == "riichi":
        match = as_riichi(match)
    fill_points = rulesets.ruleset_of(match).fill_points
    if form.holds.points is not None and fill_points is not None:
        match, scale = fill_points(match, form.holds.points.step)
    if options.fill:
        # Imported here: few conversions fill, and the rules of wins take long to load.
        from mjconv.converters.shared.filled import filled

        match = filled(match, report, number)
    if options.answers and options.seat is None:
        raise UsageError(ANSWERS_NEED_SEAT)
    if options.seat is not None:
        if not form.holds.in_game:
            raise UsageError(f"{form.called} holds no in-game streams, so it has no stream of seat {options.seat}")
        # Imported here: most conversions write whole records.
        from mjconv.ir.seat_stream import seat_stream
        from mjconv.ir.seats import seat_number

        match = seat_stream(match, seat_number(match, options.seat), number, answers=options.answers)
    return Prepared(match, scale)


def _check_held(match: Match, form: Format, number: int) -> None:
    """Raise `UnsupportedError` where a format does not hold a match, whatever its options are."""
    if match.seats not in form.holds.seats:
        known = _either(form.holds.seats)
        raise UnsupportedError(
            f"{form.called} records games of {known} players, and match {number + 1} has {match.seats} players"
        )
    for rules in rulesets.rulesets_of(match):
        # A record that shows no game may be of any.
        if rules.id and not form.holds.has(rules.id):
            known = " and ".join([rulesets.by_id(game).name.english for game in form.holds.games])
            own = shortened(rules.name.english)
            raise UnsupportedError(f"{form.called} records games of {known}, and match {number + 1} is {own}")
    for game_round in match.rounds if form.writer_plays else ():
        dealer = UNSET if game_round.start is None else game_round.start.oya
        if dealer is not UNSET and dealer >= match.seats:
            raise UnsupportedError(
                f"round {game_round.label}: the dealer is player {dealer}, and the match has {match.seats} players"
            )
    check_match(match)


def _either(seats: tuple[int, ...]) -> str:
    """Return numbers of players in words.

    >>> _either((3, 4)), _either((4,)), _either((3, 4, 6))
    ('three or four', 'four', 'three, four or six')
    """
    words = [_NUMBERS[number] for number in sorted(seats)]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
