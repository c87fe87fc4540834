"""Short rounds to judge: one hand is known, the others are hidden unless they are given."""

from typing import Any

from msgspec import structs

from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round
from mjconv.referee.findings import Finding
from mjconv.referee.referee import check

#: Ready for 5s and 8s, all simples: with 8s a pinfu.
READY = "2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 5s 6s 7s"
HIDDEN = ("?",) * 13
SCORES = (25000,) * 4


def tiles(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def dealt(hands: dict[int, str], *, seats: int = 4, **values: Any) -> ev.StartRound:
    """Deal a round; the hands are by seat."""
    shown = tuple(tiles(hands[seat]) if seat in hands else HIDDEN for seat in range(seats))
    usual = ev.StartRound("S", "9p", 1, 0, 0, 0, SCORES if seats == 4 else (35000,) * 3, shown)
    return structs.replace(usual, **values)


def turn(actor: int, tile: str, drawn: str | None = None) -> tuple[ev.Draw, ev.Discard]:
    """Draw and discard; the tile drawn, unless another is named."""
    drawn = tile if drawn is None else drawn
    return ev.Draw(actor, drawn), ev.Discard(actor, tile, tsumogiri=drawn == tile)


def riichi(actor: int, tile: str) -> tuple[Any, ...]:
    """Draw a tile, declare riichi, and discard it; nobody wins on it."""
    draw, discard = turn(actor, tile)
    return draw, ev.Riichi(actor), discard, ev.RiichiAccepted(actor)


def flat(*events: Any) -> list[ev.Event]:
    """Return events, of which some are in tuples and lists."""
    return [each for part in events for each in (flat(*part) if isinstance(part, tuple | list) else (part,))]


def findings(*events: Any, house: House | None = None) -> list[Finding]:
    """Judge a round of these events and its end."""
    played = Round([*flat(*events), ev.EndRound()])
    return check(Match(opening=[ev.StartGame()], rounds=[played], closing=[ev.EndGame()]), house=house)


def codes(*events: Any, house: House | None = None) -> list[str]:
    return [finding.code for finding in findings(*events, house=house)]


def errors(*events: Any, house: House | None = None) -> list[str]:
    """Return the codes, without the one of a round that breaks off."""
    return [code for code in codes(*events, house=house) if code != "O009"]


def check_cases(cases: dict[str, tuple[Any, ...]]) -> None:
    """Judge each case: the expected codes, then the events, then a house if it is not the usual one."""
    found = {}
    for name, (_, *events) in cases.items():
        house = events.pop() if isinstance(events[-1], House) else None
        found[name] = " ".join(errors(*events, house=house))
    assert found == {name: expected for name, (expected, *_) in cases.items()}
