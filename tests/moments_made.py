"""Rounds that tests write by hand, as events: hands, turns, calls and results in short words."""

from __future__ import annotations

from typing import Any

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Name, Player, Round, Text

#: The points of four players at the beginning.
POINTS = (25000,) * 4


def deal(*hands: str, oya: int = 0, **values: Any) -> ev.StartRound:
    """Return the deal of a first round of east: each hand is its tiles with blanks between them."""
    tehais = tuple([tuple(hand.split()) for hand in hands])
    usual = {"bakaze": "E", "kyoku": oya + 1, "honba": 0, "kyotaku": 0, "oya": oya, "dora_marker": "9p"}
    return ev.StartRound(**{**usual, "scores": POINTS[: len(hands)], "tehais": tehais, **values})


def turn(seat: int, tile: str, out: str = "") -> list[ev.Event]:
    """Return a draw and a discard: the tile drawn, or another one of the hand."""
    return [ev.Draw(seat, tile), ev.Discard(seat, out or tile, tsumogiri=not out)]


def riichi(seat: int, tile: str, out: str = "") -> list[ev.Event]:
    """Return a turn with a riichi that is accepted."""
    draw, discard = turn(seat, tile, out)
    return [draw, ev.Riichi(seat), discard, ev.RiichiAccepted(seat)]


def pon(seat: int, target: int, tile: str, out: str) -> list[ev.Event]:
    """Return a pon, and the discard after it."""
    return [ev.Pon(seat, target, tile, (tile, tile)), ev.Discard(seat, out, tsumogiri=False)]


def match_of(*rounds: list[ev.Event]) -> Match:
    """Return a match of rounds that are over."""
    [start, *_], *_ = rounds
    assert isinstance(start, ev.StartRound)
    players = [Player(Name(Text(name))) for name in "ABCD"[: len(start.scores or ())]]
    return Match(
        players=players,
        opening=[ev.StartGame()],
        rounds=[Round([*events, ev.EndRound()]) for events in rounds],
        closing=[ev.EndGame()],
    )
