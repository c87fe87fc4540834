"""A real game with one thing broken: the referee finds it, where it is, and nothing in the game before."""

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, Literal, TypeAlias

import pytest
from hypothesis import settings

from engine import IllegalMoveError, perform
from logs import lines
from mjconv import check
from mjconv.converters import hub
from mjconv.converters.formats import find
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mutations.game import Broken, Game, Message, Mutation, round_of, whole_games
from mutations.results import dealt_by_another_house
from mutations.table import MUTATIONS
from trips import read, write

#: Reported at the right message with a right code; reported otherwise; a legal game by the engine; not reported.
Outcome: TypeAlias = Literal["found", "elsewhere", "legal", "missed"]
Found: TypeAlias = tuple[str, int]


def findings(log: Sequence[Message], **options: Any) -> list[Found]:
    deals = [index for index, message in enumerate(log) if message["type"] == "start_kyoku"]
    reported: list[Found] = []
    for match in hub.read_matches(find("mjai")[0], lines(log), Report()):
        begins = {"opening": 0, "closing": len(log) - len(match.closing)}
        for finding in check(match, **options):
            begin = begins.get(finding.label or "", 0) if finding.round is None else deals[finding.round]
            reported.append((finding.code, begin + (finding.event or 0)))
    return reported


def outcome(mutation: Mutation, game: Game, broken: Broken) -> tuple[Outcome, list[Found]]:
    """Return the outcome for a broken game; findings of the game before it was broken do not count."""
    reported = findings(broken.log)
    if any(code in mutation.codes and at in broken.at for code, at in reported):
        return "found", reported
    if {code for code, _ in reported} - {code for code, _ in game_findings(game)}:
        return "elsewhere", reported
    return ("legal" if is_legal(broken) else "missed"), reported


def game_findings(game: Game) -> list[Found]:
    """Return what the referee finds in a game before it is broken."""
    if game.reported is None:
        game.reported = findings(game.log)
    return game.reported


def is_legal(broken: Broken) -> bool:
    """Play the broken round on the engine: it allows every move, and pays what the log states."""
    deals = [index for index, message in enumerate(broken.log) if message["type"] == "start_kyoku"]
    deal = broken.deal if broken.deal is not None else max(deal for deal in deals if deal <= max(broken.at))
    data = round_of(broken.log, deal)
    try:
        [performed] = perform(data)
    except (IllegalMoveError, ValueError, KeyError):
        return False
    stated = [message for message in map(json.loads, data.splitlines()) if message["type"] in ("hora", "ryukyoku")]
    paid = [message for message in performed.events if message["type"] in ("hora", "ryukyoku")]
    if not stated:
        # A record that breaks off: so far the engine went along.
        return True
    if len(stated) != len(paid) or not performed.finished:
        return False
    pairs = zip(stated, paid, strict=True)
    return all(ours.get("deltas") in (None, theirs.get("deltas")) for ours, theirs in pairs)


#: Messages of a game of more than some rounds.
_LONG = 300


def is_long(game: Game) -> bool:
    """Return whether a game is only tried in the quick profile if no shorter one can be broken."""
    return enough() < 6 and len(game.log) > _LONG


def enough() -> int:
    """Return how many broken games of a mutation are checked: 2, or 15 in the thorough profile."""
    return settings.default.max_examples // 4


@cache
def games() -> list[tuple[str, Game]]:
    return [*whole_games(4), *whole_games(3)]


def test_at_least_forty_ways_are_tried() -> None:
    assert len({mutation.make for mutation in MUTATIONS}) >= 40


@pytest.mark.slow
def test_nothing_is_found_in_games_as_they_were_played() -> None:
    # Some real logs stop in the middle of a round on purpose; some played ones pay as other houses do.
    true = ("O009", "R052")
    found = {(name, code) for name, game in games() for code, _ in game_findings(game) if code not in true}
    assert found == set()


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name.replace(" ", "-"))
def test_a_mutation_is_found_at_its_place(mutation: Mutation) -> None:
    tried = 0
    for name, game in sorted(
        games(), key=lambda named: (is_long(named[1]), Random(f"{mutation.name} {named[0]}").random())
    ):
        broken = mutation.make(game, Random(f"{name} {mutation.name}"))
        if broken is not None:
            what, reported = outcome(mutation, game, broken)
            assert what in ("found", "legal"), f"{name}: {what} at {min(broken.at)}, reported {reported}"
            tried += 1
        if tried == enough():
            break
    assert tried, "no game can be broken in this way"


@pytest.mark.slow
def test_no_house_hides_one_wrong_dealer_of_a_game() -> None:
    """Each fifth round of a game, another fifth in the next game."""
    tried = 0
    for at, (name, game) in enumerate(games()):
        for number in range(1 + at % 5, len(game.places("start_kyoku")), 5):
            broken = dealt_by_another_house(game, number)
            [place] = broken.at
            assert ("R060", place) in findings(broken.log), f"{name}: round {number}"
            tried += 1
    assert tried > 20


def all_findings(matches: list[Match]) -> list[set[tuple[str, int | None, int | None]]]:
    return [{(one.code, one.round, one.event) for one in check(match)} for match in matches]


@pytest.mark.slow
def test_broken_games_in_tenhou_records_have_the_same_findings() -> None:
    """Many broken games are refused: the writers play each round, and compute its results.

    Each mutation tries games of its own, until one is written.
    """
    written: Counter[tuple[str, str]] = Counter()
    for mutation in MUTATIONS:
        for name, game in Random(mutation.name).sample(games(), 8):
            broken = mutation.make(game, Random(f"{name} {mutation.name}"))
            if broken is None:
                continue
            matches = read(lines(broken.log), "mjai").matches
            texts = {target: text for target in ("tenhou", "tenhou-json") if (text := written_if(matches, target))}
            found = all_findings(matches) if texts else []
            for target, data in texts.items():
                assert all_findings(read(data, target).matches) == found, f"{name}: {mutation.name}"
                written[target, mutation.name] += 1
            if len(texts) == 2 and written["tenhou", mutation.name] == 1:
                break
    assert len(written) > 2 * len(MUTATIONS) // 3


def written_if(matches: list[Match], target: str) -> bytes | None:
    """Return the text of a format, or `None` if it is refused."""
    try:
        return write(matches, target).data
    except MjconvError:
        return None
