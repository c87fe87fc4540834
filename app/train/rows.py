"""Converts the decisions of matches to Arrow record batches. Loading it loads numpy, pyarrow and the engine."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mjconv.archive.facts import facts_of
from mjconv.columns.schema import facts_row
from mjconv.converters.interface import Format, Reading
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.losses import Report
from mjconv.train.answers import taken_message
from mjconv.train.features import pack_array, pack_features
from mjconv.train.layout import layout_for, schema_for
from mjconv.train.outcomes import RESULTS, GameEnd, RoundOutcome, end_of_match, outcome_of
from mjconv.train.replay import Replayed, replayed

#: The end of a message about games of other columns, by their number of players.
_OTHER_TARGETS: Final = {3: "; --to decisions-3p writes them", 4: "; --to decisions writes them"}
#: The approximate number of rows of a batch.
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
        outcomes = [outcome_of(each, players) for each in match.rounds]
        ending, facts = end_of_match(match, outcomes), facts_row(facts_of(match, form, source))
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
        self.layout = layout_for(players)
        self._clear()

    def _clear(self) -> None:
        self.length = 0
        self.values: dict[str, list[Any]] = {name: [] for name in self.schema.names}

    def add(
        self, match: int, each: Replayed, outcome: RoundOutcome | None, end: GameEnd | None, facts: dict[str, Any]
    ) -> None:
        """Add the decisions of one round."""
        answers, everyone = each.answers, range(self.layout.players)
        if not answers:
            return
        seats = [one.seat for one in answers]
        unknown: Sequence[int | None] = [None] * len(everyone)
        results = [_RESULT_CODES.get(outcome.result(seat)) for seat in everyone] if outcome else unknown
        deltas = outcome.deltas or unknown if outcome else unknown
        places = end.places if end else unknown
        observations = [one.observation for one in answers]
        features = np.frombuffer(b"".join([seen.encode() for seen in observations]), np.float32)
        legal = np.frombuffer(b"".join([seen.mask() for seen in observations]), np.uint8)
        added: dict[str, Iterable[Any]] = {
            "source": [self.source] * len(seats),
            "match": [match] * len(seats),
            "round": [each.round] * len(seats),
            "decision": range(len(seats)),
            "seat": seats,
            "taken": [taken_message(one.message) for one in answers],
            "action": [one.taken.encode() for one in answers],
            "legal": [np.packbits(legal.reshape(len(seats), -1), axis=1)],
            "features": [pack_features(features.reshape(-1, *self.layout.shape), self.layout)],
            "result": [results[seat] for seat in seats],
            "delta": [deltas[seat] for seat in seats],
            "place": [places[seat] for seat in seats],
            "facts": [facts] * len(seats),
        }
        for name, values in added.items():
            self.values[name] += values
        self.length += len(seats)

    def batch(self) -> pa.RecordBatch:
        """Return the rows that were added, and begin again."""
        arrays = [self._array(field) for field in self.schema]
        self._clear()
        return pa.record_batch(arrays, schema=self.schema)

    def _array(self, field: pa.Field) -> pa.Array:
        values = self.values[field.name]
        if pa.types.is_fixed_size_binary(field.type):
            return pack_array(np.concatenate(values))
        if field.name == "result":
            return pa.DictionaryArray.from_arrays(pa.array(values, field.type.index_type), _RESULTS)
        if pa.types.is_dictionary(field.type):
            return pa.array(values, field.type.value_type).dictionary_encode().cast(field.type)
        return pa.array(values, field.type)
