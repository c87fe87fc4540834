"""Short rounds to judge: one hand is known, the others are hidden unless they are given."""

from __future__ import annotations

from typing import Any

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
    usual: dict[str, Any] = {
        "bakaze": "S",
        "kyoku": 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": 0,
        "dora_marker": "9p",
        "scores": SCORES if seats == 4 else (35000,) * 3,
        "tehais": tuple(tiles(hands[seat]) if seat in hands else HIDDEN for seat in range(seats)),
    }
    return ev.StartRound(**{**usual, **values})


def turn(actor: int, tile: str, drawn: str | None = None) -> tuple[ev.Draw, ev.Discard]:
    """Draw and discard; the tile drawn, unless another is named."""
    drawn = tile if drawn is None else drawn
    return ev.Draw(actor, drawn), ev.Discard(actor, tile, tsumogiri=drawn == tile)


def riichi(actor: int, tile: str) -> tuple[Any, ...]:
    """Draw a tile, declare riichi, and discard it; nobody wins on it."""
    draw, discard = turn(actor, tile)
    return draw, ev.Riichi(actor), discard, ev.RiichiAccepted(actor)


def findings(*events: Any, house: House | None = None) -> list[Finding]:
    """Judge a round of these events, and of what ends it."""
    flat = [event for part in events for event in (part if isinstance(part, tuple) else (part,))]
    played = Round([*flat, ev.EndRound()])
    return check(Match(opening=[ev.StartGame()], rounds=[played], closing=[ev.EndGame()]), house=house)


def codes(*events: Any, house: House | None = None) -> list[str]:
    return [finding.code for finding in findings(*events, house=house)]
