"""A new file to type into, with its head."""

from msgspec import UNSET
from msgspec.structs import replace

from mjconv.converters.jmjp.head import write_info
from mjconv.converters.jmjp.reader import read
from mjconv.converters.jmjp.spelling import WEEKDAYS, read_points, write_points
from mjconv.converters.shared.sheet import Sheet
from mjconv.converters.shared.tidy import TidyLine, joined
from mjconv.ir.errors import UsageError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match, Rules

#: What the statements of a head hold, by their words.
_HEAD = {
    "tnm": "tournament, year, stage, match in the stage, match of the day",
    "mtp": "date, day of the week, time, place",
    "rec": "who types: last name, first name; the rounds",
    "ply": "id (0 is east of E1), (last name, first name), team, affiliation, points before",
    "ptr": "start, return, (4th pays 1st, 3rd pays 2nd), honba, tenpai",
}
_FRAME = """
frm[E1-0,0.0,,pfs[{points}],,  // round, riichi sticks, dice, points, ten dora
// indicators:
// Four hands of 13 tiles: (e,hnd[1m2m3m4m5m6m7m8m9m1pewewew,,]) and so on for s, w and n.
// Then an act for each draw and discard: (e,5m,tg)(s,9p,1s) ... (w,3m,rc[9m])(n,rn,)
// Close the round with ,,] and begin the next one with frm[,,,,,
)
"""


def new_file(sheet: Sheet, like: bytes | None = None) -> bytes:
    """Return a file to type into, with the head of the last match of a file `like`. Raises `UsageError`.

    >>> print(new_file(Sheet(players=("A", "B", "C", "D"))).decode().splitlines()[4])
    ply[1,(srm["B"],),,,]
    """
    match = Match(rules=_rules("25,30,20,10"))
    if like is not None:
        *_, last = read(like, Report())
        match = _next_match(last.match)
    sheet.put(match)
    if sheet.rules is not None:
        match.rules = _rules(sheet.rules)
    if sheet.date is not None:
        match.weekday = WEEKDAYS[sheet.date.weekday()]
    before, _, _ = write_info(match, 1)
    lines = [TidyLine("jmjp[1.0]"), TidyLine("(")]
    explained: set[str] = set()
    for statement in before:
        word = statement[:3]
        lines.append(TidyLine(statement, "" if word in explained else f"// {_HEAD[word]}"))
        explained.add(word)
    start = match.rules.start if match.rules is not UNSET else UNSET
    points = str(write_points(25000 if start is UNSET else start))
    return (joined(lines) + _FRAME.format(points=",".join([points] * USUAL_SEATS))).encode()


def _rules(text: str) -> Rules:
    """Return the point rules of four numbers in thousands."""
    try:
        start, returning, first, second = (read_points(f"{float(part):.1f}") for part in text.split(","))
    except ValueError:
        raise UsageError(f"--rules takes four points in thousands such as 25,30,20,10, not {text!r}") from None
    return Rules(start=start, returning=returning, uma=(first, second), honba=300, tenpai=3000)


def _next_match(like: Match) -> Match:
    """Return the head of the match that follows a match."""
    match = Match(
        players=list(like.players),
        recorders=list(like.recorders),
        rules=like.rules,
        tournament=like.tournament,
        place=like.place,
    )
    if like.points_after is not UNSET and match.players:
        pairs = zip(match.players, like.points_after, strict=True)
        match.players = [replace(player, points_before=points) for player, points in pairs]
    if match.tournament is not UNSET:
        counted = {
            name: number + 1
            for name in ("number_in_stage", "number_in_day")
            if (number := getattr(match.tournament, name)) is not UNSET
        }
        match.tournament = replace(match.tournament, **counted)
    return match
