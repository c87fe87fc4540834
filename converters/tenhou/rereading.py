"""Works out the match that a reader makes from an mjlog, without writing it. The check of notes uses this match.

The writer writes the values that the rules determine. If the text shows the same values, it would be written again
in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, structs

from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared.completed import CompleteRound
from mjconv.converters.tenhou.extras import KEY
from mjconv.converters.tenhou.xml_reader import read_around
from mjconv.converters.tenhou.xml_round_writer import two_dice
from mjconv.converters.tenhou.xml_writer import MatchWriter
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round


def reread(match: Match, visible: Sequence[Round], options: WriteOptions) -> Match | None:
    """Return the match that a reader makes from the text of `match`. `visible` are the rounds that the text shows.

    The result has no `annotations` and no `extras`. Returns None if a round differs from the visible one, or has
    numbers of tiles or attributes of its own: then only writing the text shows the match. Raises as the writer
    does.
    """
    if options.flavour or match.extras.get(KEY) or any(one.extras.get(KEY) for one in match.rounds):
        return None
    writer = MatchWriter(match)
    rounds: list[Round] = []
    for completed, restored, shown in zip(writer.rounds, match.rounds, visible, strict=True):
        if restored.blocked != shown.blocked or not _are_same(completed, restored, shown.events):
            return None
        rounds.append(Round(shown.events, dice=two_dice(restored.dice or ()), blocked=shown.blocked))
    return read_around(writer.head(), rounds, writer.ends(), closed=writer.is_closed)


def _are_same(completed: CompleteRound, restored: Round, shown: Sequence[ev.Event]) -> bool:
    """Return whether the writer would write the events that the text shows."""
    if len(completed.events) != len(shown):
        return False
    return all(
        event is other or event == other or _is_same_win(event, other, restored.events[origin])
        for event, other, origin in zip(completed.events, shown, completed.origins, strict=True)
    )


def _is_same_win(win: ev.Event, shown: ev.Event, stated: ev.Event) -> bool:
    """Return whether two wins differ at most in the order of yaku that the record does not state."""
    if not (isinstance(win, ev.Win) and isinstance(shown, ev.Win) and isinstance(stated, ev.Win)):
        return False
    if stated.yakus is not UNSET or sorted(win.yakus or ()) != sorted(shown.yakus or ()):
        return False
    return structs.replace(win, yakus=shown.yakus) == shown
