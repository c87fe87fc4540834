"""Writes Tenhou records: mjlog XML as Tenhou does, on one line. `json_writer` writes the other flavours."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial
from math import gcd
from typing import Any, Final

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.interface import Part, Remark, Rendered, WriteOptions
from mjconv.converters.shared.completed import CompleteRound, complete
from mjconv.converters.shared.ends import final_scores, ranking
from mjconv.converters.shared.filled import shows_red
from mjconv.converters.shared.note_json import MARK, place_in_object
from mjconv.converters.tenhou.vocabulary import (
    LISTED,
    MOST_COUNT,
    MOST_FU,
    MOST_HAN,
    MOST_RESULT,
    MOST_WON,
    RANKS,
    RATE,
    type_of,
)
from mjconv.converters.tenhou.xml_round_writer import (
    XmlRoundWriter,
    element,
    joined,
    presences,
    write_presence,
    written_names,
)
from mjconv.converters.tenhou.xml_scanner import HUNDRED, ROOT, tokens_in
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.match import Match, Player, Round, Rules
from mjconv.ir.message_names import KNOWN_YAKU
from mjconv.ir.tiles import HIDDEN
from mjconv.rules.scores import places_of, sticks_left

#: The events with points or with an indicator.
_WITH_NUMBERS: Final = (ev.StartRound, ev.RiichiAccepted, ev.Dora, ev.Win, ev.Ryukyoku)
#: The points that results count from, and the uma from the first to the last, by the number of players.
_RETURNING: Final = {3: 40000, 4: 30000}
_UMA: Final = {3: (20000, 0, -20000), 4: (20000, 10000, -10000, -20000)}

#: The flavour that is tenhou.net/6 JSON.
_JSON: Final = "tenhou-json"
#: The flavour that is links.
_URL: Final = "tenhou-url"

#: The values that no field of the hub holds, and that an mjlog states.
_INVENTED: Final = (
    Remark("match.lobby", fate="assumed", detail="lobby 0, an empty seed, and sx M"),
    Remark("match.copies", fate="assumed", detail="a tile has the number of its lowest copy that is left"),
)


def render(match: Match, before: Any, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    """Write a match in the syntax of the flavour.

    Raises `UnsupportedError` if the syntax cannot hold the match, and `PlayError` for impossible play.
    """
    # Imported here: a run writes one of the syntaxes.
    if options.flavour == _JSON:
        from mjconv.converters.tenhou.json_writer import render_json

        return render_json(match, before, options)
    if options.flavour == _URL:
        from mjconv.converters.tenhou.json_writer import render_links

        return render_links(match, before)
    return _render_xml(match)


def place_note(part: Part, note: bytes) -> bytes:
    r"""Return the text of a part with a note in it. In an mjlog, it is a comment at the end of the part.

    >>> place_note(Part(b"<INIT/>"), b'{"label":"a--b"}')
    b'<INIT/><!--mjconv {"label":"a-\\u002db"}-->'
    """
    if not part.text.startswith(b"<"):
        return place_in_object(part, note)
    # A comment of XML cannot hold two hyphens in a row. In JSON they are in strings only.
    return b"%b<!--%b %b-->" % (part.text, MARK.encode(), note.replace(b"--", b"-\\u002d"))


def _render_xml(match: Match) -> Rendered:
    reds = _has_reds(match)
    rounds = complete(structs.replace(match, rounds=[_with_known_names(one) for one in match.rounds]))
    for completed, source in zip(rounds, match.rounds, strict=True):
        _check(completed, source)
    parts = [structs.replace(_part(_write_head(match, reds=reds)), remarks=_INVENTED)]
    game_ends = _ends(match, rounds)
    for completed, source in zip(rounds, match.rounds, strict=True):
        ends = game_ends if completed is rounds[-1] else None
        parts.append(_part(XmlRoundWriter(match, source, completed, ends, reds=reds).write()))
    # The records of games that broke off have a closed root too. Programs read no other XML.
    return Rendered([*parts, Part(f"</{ROOT}>".encode())])


def _ends(match: Match, rounds: Sequence[CompleteRound]) -> str | None:
    """Return the value of `owari`, or None if the match does not end with a result."""
    closing = ev.select(match.closing, ev.EndGame)
    if not closing or not rounds:
        return None
    deal, events, *_ = rounds[-1]
    results: list[ev.Win | ev.Ryukyoku] = ev.select(events, ev.Win, ev.Ryukyoku)
    if not results or results[-1].scores is UNSET:
        return None
    scores, points, seats = closing[0].scores, match.final_scores, match.seats
    if scores is UNSET or len(scores) != seats:
        scores = final_scores(results[-1].scores, sticks_left(Round(events), deal))
    if points is UNSET or len(points) != seats:
        points = points_of_places(scores, match.rules or Rules())
    for numbers, most in ((scores, MOST_POINTS), (points, MOST_RESULT)):
        if max(map(abs, numbers)) > most:
            raise UnsupportedError(f"the points at the end are {numbers}: mjlog holds at most {most}")
    pairs = [f"{score // HUNDRED},{result / 1000:.1f}" for score, result in zip(scores, points, strict=True)]
    return ",".join([*pairs, *["0,0.0"] * (LISTED - len(pairs))])


def _write_head(match: Match, *, reds: bool) -> str:
    """Return the text before the first round. `reds` says whether the game has red fives."""
    rules = match.rules or Rules()
    go_type = type_of(rules, match.seats, reds=reds, room=match.room)
    four = [*match.players, *[Player()] * (LISTED - len(match.players))][:LISTED]
    un = {f"n{seat}": name for seat, name in enumerate(written_names(match))}
    un["dan"] = joined([RANKS.index(player.rank) if player.rank in RANKS else 0 for player in four])
    un["rate"] = ",".join([_rate(player.rating) for player in four])
    un["sx"] = ",".join(["M" if seat < match.seats else "C" for seat in range(LISTED)])
    return "".join(
        (
            f'<{ROOT} ver="2.3">',
            element("SHUFFLE", {"seed": "", "ref": ""}),
            element("GO", {"type": str(go_type), "lobby": str(match.lobby or 0)}),
            element("UN", un),
            element("TAIKYOKU", {"oya": "0"}),
            *[write_presence(one, match) for one in presences(match.annotations) if one.index == 0],
        )
    )


def _rate(rating: Decimal | UnsetType) -> str:
    """Return a rating as UN spells it: 1500.00, that of a new player, if it is unknown or has too many digits.

    >>> _rate(Decimal("2104.6")), _rate(UNSET), _rate(Decimal("0.30000000000000004"))
    ('2104.6', '1500.00', '1500.00')
    """
    spelled = "" if rating is UNSET else format(rating, "f")
    return spelled if RATE.fullmatch(spelled) else "1500.00"


def points_of_places(scores: Sequence[int], rules: Rules) -> tuple[int, ...]:
    """Return the points after uma. The first player has the points that the others lose.

    >>> points_of_places((26300, 34400, 24500, 14800), Rules())
    (6300, 44400, -15500, -35200)
    """
    seats = len(scores)
    returning = _RETURNING[seats] if rules.returning is UNSET else rules.returning
    uma = places_of(rules, seats) or _UMA[seats]
    points = [0] * seats
    first, *others = ranking(scores)
    for place, seat in enumerate(others, 1):
        points[seat] = scores[seat] - returning + uma[place]
    points[first] = -sum(points)
    return tuple(points)


def _part(text: str) -> Part:
    return Part(text.encode("utf-8", "surrogatepass"), partial(tokens_in, text))


def _check(completed: CompleteRound, one: Round) -> None:
    """Raise `UnsupportedError` if mjlog cannot hold a round."""
    if completed.deal.tehais is UNSET:
        raise UnsupportedError(f"round {one.label}: mjlog states every tile, and this round has no hands")
    for event in ev.select(completed.events, *_WITH_NUMBERS):
        if getattr(event, "dora_marker", "") in (UNSET, HIDDEN):
            raise UnsupportedError(f"round {one.label}: mjlog states every dora indicator, and one is not known")
        for points in (getattr(event, "scores", ()), getattr(event, "deltas", ())):
            if points and gcd(*points) % HUNDRED:
                raise UnsupportedError(
                    f"round {one.label}: mjlog writes points in hundreds, and here are {points}"
                )
        for name, numbers, most in _bounded(event):
            number = max(numbers, key=abs, default=0)
            if abs(number) > most:
                raise UnsupportedError(f"round {one.label}: the {name} is {number}: mjlog holds at most {most}")


def _bounded(event: ev.Event) -> Iterator[tuple[str, Sequence[int], int]]:
    """Yield the numbers of an event that mjlog bounds: their name, the numbers, and the largest one allowed."""
    scores: tuple[int, ...] = getattr(event, "scores", None) or ()
    deltas: tuple[int, ...] = getattr(event, "deltas", None) or ()
    if scores:
        yield "score of a player", scores, MOST_POINTS
    if deltas:
        before = [score - delta for score, delta in zip(scores, deltas, strict=False)]
        yield "score of a player before a result", before, MOST_POINTS
        yield "gain of a player", deltas, MOST_POINTS
    if isinstance(event, ev.StartRound):
        yield "honba", [event.honba or 0], MOST_COUNT
        yield "number of riichi sticks", [event.kyotaku or 0], MOST_COUNT
    elif isinstance(event, ev.Win):
        yield "fu of a win", [event.fu or 0], MOST_FU
        yield "value of a win in points", [event.hora_points or 0], MOST_WON
        yield "value of a yaku in han", [han for _, han in event.yakus or ()], MOST_HAN


def _has_reds(match: Match) -> bool:
    """Return whether a game has red fives: its rules or its opening state it, or else one of its tiles is red."""
    if match.rules is not UNSET and match.rules.reds is not UNSET:
        return any(match.rules.reds)
    for event in match.opening:
        if isinstance(event, ev.StartGame) and event.aka_flag is not UNSET:
            return event.aka_flag
    return shows_red(match)


def _with_known_names(game_round: Round) -> Round:
    """Return a round without yaku of wins that have names of other programs: they are worked out again."""
    wins = game_round.select(ev.Win)
    other = [win for win in wins if not KNOWN_YAKU.issuperset([name for name, _ in win.yakus or ()])]
    if not other:
        return game_round
    events = [structs.replace(event, yakus=UNSET) if event in other else event for event in game_round.events]
    return structs.replace(game_round, events=events)
