"""How many broken games the referee finds, by mutation; what it misses is played on an engine that is not ours."""

import json
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from engine import IllegalMoveError, perform
from logs import lines
from mjconv import check
from mjconv.converters import hub
from mjconv.converters.formats import find
from mjconv.ir.losses import Report
from mutations.game import Broken, Game, Message, Mutation, round_of

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
