"""The caption of each step: one sentence about the event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules.scores import RIICHI_STICK
from mjconv.viewer.replay import RoundReplay
from mjconv.viewer.words import Sentence


def caption(event: ev.Event, before: RoundReplay) -> Sentence:
    """Return the caption of an event of play, not of a result. `before` has played all events before the event.

    >>> from mjconv.ir.table import Table
    >>> deal = ev.StartRound(tehais=(("1m",), ("2m",), ("3m",), ("4m",)))
    >>> caption(ev.Draw(0, "9p"), RoundReplay(deal, Table.dealt(deal)))
    ('draw', 0, '9p')
    """
    return CAPTIONS[type(event)](event, before)


def _draw(event: ev.Draw, before: RoundReplay) -> Sentence:
    key = "draw.replacement" if before.replaces else "draw"
    if event.pai != HIDDEN:
        return key, event.actor, event.pai
    return ("draw.replacement_hidden" if before.replaces else "draw.hidden"), event.actor


def _discard(event: ev.Discard, before: RoundReplay) -> Sentence:
    seat, tile, drawn = event.actor, event.pai, before.table.drawn
    if drawn is None:
        return "discard", seat, tile
    if event.tsumogiri is True:
        return "discard.drawn", seat, tile
    if drawn == HIDDEN:
        return ("discard" if event.tsumogiri is UNSET else "discard.hand"), seat, tile
    return ("discard.drawn_any" if event.tsumogiri is UNSET else "discard.drawn_hand"), seat, drawn, tile


#: The caption of each kind of event that is a step of play.
CAPTIONS: Final[dict[type, Callable[[Any, RoundReplay], Sentence]]] = {
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.Chi: lambda event, _: ("chi", event.actor, event.pai, event.consumed),
    ev.Pon: lambda event, _: ("pon", event.actor, event.pai, event.target),
    ev.Daiminkan: lambda event, _: ("kan", event.actor, event.pai, event.target),
    ev.Kakan: lambda event, _: ("kakan", event.actor, event.pai),
    ev.Ankan: lambda event, _: ("ankan", event.actor, event.consumed[0]),
    ev.Nukidora: lambda event, _: ("aside", event.actor, event.pai or "N"),
    ev.Dora: lambda event, _: ("dora", event.dora_marker),
    ev.Riichi: lambda event, _: ("riichi", event.actor),
    ev.RiichiAccepted: lambda event, _: ("stick", event.actor, RIICHI_STICK),
}


def win_title(event: ev.Win, tile: Tile | None) -> Sentence:
    """Return the sentence of a win without its value: who wins, on which tile, from whom."""
    if event.target is UNSET or tile is None:
        return "win.any", event.actor
    if event.target == event.actor:
        return "win.tsumo", event.actor, tile
    return "win.ron", event.actor, event.target, tile


def with_value(title: Sentence, value: Sentence | None) -> Sentence:
    """Return the sentence of a win with its value.

    >>> with_value(("win.tsumo", 1, "5p"), ("value.points", 7700))
    ('win.tsumo_value', 1, '5p', ('value.points', 7700))
    """
    return title if value is None else (f"{title[0]}_value", *title[1:], value)


def draw_title(event: ev.Ryukyoku, tenpai: tuple[int, ...]) -> Sentence:
    """Return the sentence of a round that ends without a win. `tenpai` are the seats known to be in tenpai."""
    reason = reason_key(event)
    if reason == f"reason.{CHOMBO}" and event.actor is not UNSET:
        return "drawn.chombo", event.actor
    if tenpai:
        return "drawn.tenpai", reason, tenpai
    return ("drawn", reason) if event.reason else ("drawn.only",)


def reason_key(event: ev.Ryukyoku) -> str:
    """Return the key of the reason of a draw; the record's own word if it is not known.

    >>> reason_key(ev.Ryukyoku("kyushu_kyuhai")), reason_key(ev.Ryukyoku()), reason_key(ev.Ryukyoku("rain"))
    ('reason.nine_kinds', 'reason.none', 'rain')
    """
    if not event.reason:
        return "reason.none"
    name = reason_of(event.reason)
    return event.reason if name is None else f"reason.{name}"
