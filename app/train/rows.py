"""Converts the decisions of matches to Arrow record batches. Loading this module loads pyarrow and the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from mjconv.archive.facts import facts_of
from mjconv.columns.schema import facts_row
from mjconv.converters.interface import Format, Reading
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.losses import Report
from mjconv.train.answers import taken_message
from mjconv.train.layout import layout_for, schema_for
from mjconv.train.outcomes import RESULTS, Ending, RoundOutcome, ending_of, outcome_of
from mjconv.train.replay import Replayed, replayed

#: The end of a message about games of other columns, by their number of players.
_OTHER_TARGETS: Final = {3: "; --to decisions-3p writes them", 4: "; --to decisions writes them"}
#: The approximate number of rows of a batch. A row takes some ten kilobytes.
BATCH_ROWS: Final = 1 << 11

_RESULTS: Final = pa.array(RESULTS, pa.string())
_RESULT_CODES: Final[dict[str | None, int]] = {name: code for code, name in enumerate(RESULTS)}


def decision_batches(
    readings: Iterable[Reading],
    players: int,
    report: Report,
    *,
    source: str | None = None,
    form: Format | None = None,
    rows: int = BATCH_ROWS,
) -> Iterator[pa.RecordBatch]:
    """Return the decisions of matches as record batches of about `rows` rows; a round is never divided.

    A round that the engine does not allow is a loss, with a warning that has its place. Everything beside the
    decisions is left out without a report. Raises `UnsupportedError` for a game of another number of players.
    """
    columns = _DecisionColumns(players, source)
    for number, reading in enumerate(readings):
        match = reading.match
        if match.seats != players:
            raise UnsupportedError(
                f"match {number + 1} has {match.seats} players, and these columns are for games of {players}"
                f"{_OTHER_TARGETS.get(match.seats, '')}"
            )
        outcomes = [outcome_of(each, each.events, players) for each in match.rounds]
        ending, facts = ending_of(match, outcomes), facts_row(facts_of(match, form, source))
        for each in replayed(reading):
            report_left_out(each, number, report)
            columns.add(number, each, outcomes[each.round], ending, facts)
            if columns.length >= rows:
                yield columns.batch()
    if columns.length:
        yield columns.batch()


def report_left_out(each: Replayed, number: int, report: Report) -> None:
    """Report the decisions of a round that the engine does not allow, of match `number`."""
    for error in (*each.errors, *each.unasked):
        event = error.at[2] if error.at else None
        place = error.place
        line, column = (None, None) if place is None else (place.line, place.column)
        report.warn(error.message, match=number, round=each.round, line=line, column=column, event=event)
        what = "match.rounds" if error in each.errors else "hora"
        report.lose(what, "dropped", match=number, round=each.round, event=event, detail=error.message)


class _DecisionColumns:
    """Columns under construction, for games of so many players."""

    def __init__(self, players: int, source: str | None) -> None:
        self.source = source
        self.schema = schema_for(players)
        self.actions = len(layout_for(players).actions)
        self.width = self.schema.field("features").type.list_size
        self._clear()

    def _clear(self) -> None:
        self.length = 0
        self.values: dict[str, list[Any]] = {name: [] for name in self.schema.names}

    def add(
        self,
        match: int,
        each: Replayed,
        outcome: RoundOutcome | None,
        ending: Ending | None,
        facts: dict[str, Any],
    ) -> None:
        """Add the decisions of one round."""
        values = self.values
        deltas = None if outcome is None else outcome.deltas
        for number, one in enumerate(each.answers):
            seat = one.seat
            values["seat"].append(seat)
            values["decision"].append(number)
            values["taken"].append(taken_message(one.message))
            values["action"].append(one.taken.encode())
            values["legal"].append(one.observation.mask())
            values["features"].append(one.observation.encode())
            values["result"].append(None if outcome is None else _RESULT_CODES.get(outcome.result(seat)))
            values["delta"].append(None if deltas is None else deltas[seat])
            values["place"].append(None if ending is None else ending.places[seat])
        added = len(each.answers)
        self.length += added
        values["source"] += [self.source] * added
        values["match"] += [match] * added
        values["facts"] += [facts] * added
        values["round"] += [each.round] * added

    def batch(self) -> pa.RecordBatch:
        """Return the rows that were added, and begin again."""
        arrays = [self._array(field) for field in self.schema]
        self._clear()
        return pa.record_batch(arrays, schema=self.schema)

    def _array(self, field: pa.Field) -> pa.Array:
        values = self.values[field.name]
        if pa.types.is_fixed_size_list(field.type):
            # The engine returns the bytes of the values.
            buffer = pa.py_buffer(b"".join(values))
            items = field.type.list_size * len(values)
            inner = pa.Array.from_buffers(field.type.value_type, items, [None, buffer])
            return pa.FixedSizeListArray.from_arrays(inner, type=field.type)
        if field.name == "result":
            return pa.DictionaryArray.from_arrays(pa.array(values, field.type.index_type), _RESULTS)
        if pa.types.is_dictionary(field.type):
            return pa.array(values, field.type.value_type).dictionary_encode().cast(field.type)
        return pa.array(values, field.type)
