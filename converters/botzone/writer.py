"""Writes Botzone's logs: a block of lines for each hand."""

import re
from collections import defaultdict
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.botzone.reader import KEY, NO_ID, NOTE, BotzoneRoundExtras, parse
from mjconv.converters.botzone.vocabulary import SPELLING_OF, WORD_OF, read_fan, spell_fan
from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.shared.extras import read_part
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.single_hands import claim_of, named_tile, render_hands
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import WINDS, Tile

#: The ids that are written. Another id is left to the note.
_ID: Final = re.compile(r"[^\s/]{1,200}")
#: The claims that a log can name.
_CLAIMED: Final = frozenset({"chi", "pon", "daiminkan", "hora"})


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001 - as `Writer`
    """Write each round of a match as a hand, with an empty line after it."""
    return render_hands("Botzone", match, _spell, parse, options)


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a hand with a note in a line of its own before the empty line."""
    return part.text.removesuffix(b"\n") + NOTE.encode() + note + b"\n\n"


def _spell(match: Match, game_round: Round, deal: ev.StartRound, number: int) -> str:
    """Return the lines of a hand."""
    name = match.id if match.id is not UNSET and _ID.fullmatch(match.id) else NO_ID
    lines = [f"Match {name}" if number == 1 else f"Match {name}/{number}"]
    lines.append(f"Wind {WINDS.index(deal.bakaze or WINDS[0])}")
    for player, hand in enumerate(deal.tehais or ()):
        lines.append(f"Player {player} Deal {' '.join(map(_tile, hand))}")
    claims = _claims(game_round)
    last: Tile | None = None
    result: Any = None
    for index, event in enumerate(game_round.events):
        if type(event) in _SILENT:
            continue
        if result is not None:
            raise CannotHoldError("Botzone has one winner, and no act after the end")
        if isinstance(event, ev.Draw | ev.Discard | ev.Kakan):
            last = event.pai
        if isinstance(event, ev.Win | ev.Ryukyoku):
            result = event
        lines.append(_act(event, last) + claims[index])
    return "\n".join([*lines, *_end(result, game_round), "", ""])


_SILENT: Final = frozenset({ev.StartRound, ev.EndRound})


def _act(event: Any, last: Tile | None) -> str:
    """Return the line of an event. `last` is the last tile that was drawn, discarded or added."""
    if isinstance(event, ev.Ryukyoku):
        if event.reason and reason_of(event.reason) != "exhaustive_draw":
            raise CannotHoldError(f"Botzone has no word for the draw {event.reason!r}")
        return "Huang"
    if isinstance(event, ev.Draw | ev.Discard):
        return f"Player {event.actor} {'Draw' if isinstance(event, ev.Draw) else 'Play'} {_tile(event.pai)}"
    # Before the player is asked for: a kind of event without a word may be of no player.
    claim = _claim(event, last)
    return f"Player {event.actor} {claim}"


def _claim(event: Any, last: Tile | None) -> str:
    """Return the word of a call or a win, and its tile."""
    word = WORD_OF.get(ev.name_of(event))
    if word is None:
        raise CannotHoldError(f"Botzone has no word for {ev.name_of(event)}")
    tile = named_tile(event)
    return f"{word} {_tile(last if tile is UNSET else tile)}"


def _claims(game_round: Round) -> dict[int, str]:
    """Return the claims that each event overrode, as its line states them."""
    texts: dict[int, str] = defaultdict(str)
    for remark in game_round.annotations:
        event = claim_of(remark)
        if event is not None and ev.name_of(event) in _CLAIMED and event.actor == remark.seat:
            texts[remark.index] += f" Ignore Player {event.actor} {_claim(event, None)}"
    return texts


def _end(result: Any, game_round: Round) -> list[str]:
    """Return the lines after the last act."""
    lines = []
    if isinstance(result, ev.Win):
        kept = read_part(game_round, KEY, BotzoneRoundExtras).fan
        names = kept if kept and read_fan(kept) == result.yakus else spell_fan(result.yakus or ())
        lines.append(" ".join(filter(None, ("Fan", "" if result.fan is UNSET else str(result.fan), names))))
    if result is not None and result.deltas:
        lines.append(f"Score {' '.join(map(str, result.deltas))}")
    return lines


def _tile(tile: Tile | None) -> str:
    spelling = SPELLING_OF.get(tile or "")
    if spelling is None:
        raise CannotHoldError("Botzone needs the winning tile" if tile is None else f"Botzone has no tile {tile}")
    return spelling
