"""Decisions for the training of players: what a player saw, which actions were legal, and which one was taken.

The engine RiichiEnv replays the events of a record. The extra ``train`` installs it. It is loaded on first use.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, NamedTuple

from mjconv.api import OnError, check_on_error, iter_readings, treat
from mjconv.converters.interface import Reading
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match
from mjconv.packages import check_packages
from mjconv.source import FileName, Record


class Decision(NamedTuple):
    """One decision of a player.

    `source` is the path of the file or archive member, as in `Record`; it is empty for a match alone. `match` is
    the number of the match in it, `round` the number of the round in the match, both from 0. `event` is the index
    in the round of the event after which the player decides. `seat` is the player. `observation` is the engine's
    observation at this moment, `legal` are its legal actions, and `taken` is the one that the player took.
    `taken.to_mjai()` returns its whole message, and `taken.action` is the engine's own object.
    """

    source: str
    match: int
    round: int
    event: int
    seat: int
    observation: Any
    legal: list[Any]
    taken: Any


def decisions(
    source: FileName | Iterable[FileName] | Match | Record,
    *,
    format: str | None = None,  # noqa: A002 - the field's word
    errors: OnError = "raise",
    shard: tuple[int, int] = (0, 1),
    rule: Any = None,
    where: str | None = None,
) -> Generator[Decision, None, None]:
    r"""Read the decisions of a match, or of all matches of files, folders and archives, one round at a time.

    `source`, `format`, `errors`, `shard` and `where` are as in `iter_matches`. `source` may also be a match that
    is read, or its `Record`; then `format`, `shard` and `where` do not count. `rule` is a
    `riichienv.GameRule`, None for the rules of Tenhou. Values that the record does not state are derived where
    possible, as with `fill`. Only the decisions of players whose tiles the record shows are read.

    If the engine does not allow a round, the round has no decisions. `errors` then treats a `PlayError` with the
    place of the event and the finding of the referee. If `errors` is not ``"raise"``, the other rounds follow. A
    win on the tile of a kan is a warning if the engine does not offer it. Raises `UsageError` if the engine is not
    installed.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "game.mjson")
    >>> _ = log.write_text(
    ...     '{"type":"start_kyoku","bakaze":"E","dora_marker":"1p","kyoku":1,"honba":0,"kyotaku":0,"oya":0,'
    ...     '"scores":[25000,25000,25000,25000],"tehais":['
    ...     + ",".join(['["1m","4m","7m","2p","5p","8p","3s","6s","9s","E","S","W","N"]'] * 4)
    ...     + ']}\n{"type":"tsumo","actor":0,"pai":"C"}\n'
    ...     '{"type":"dahai","actor":0,"pai":"N","tsumogiri":false}\n'
    ... )
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     [one] = decisions(log)
    >>> one.round, one.event, one.seat, len(one.legal), one.taken.to_mjai()
    (0, 1, 0, 14, '{"type":"dahai","actor":0,"pai":"N","tsumogiri":false}')
    """
    check_packages("decisions", "riichienv")
    from mjconv.train.answers import TakenAction
    from mjconv.train.replay import replayed

    check_on_error(errors)

    def decisions() -> Generator[Decision, None, None]:
        readings: Iterable[tuple[Record, Reading]]
        if isinstance(source, Match | Record):
            record = source if isinstance(source, Record) else Record("", 0, source)
            readings = [(record, Reading(record.match, lambda *_: None))]
        else:
            # Decisions need the events alone.
            readings = iter_readings(lambda *both: both, source, format, errors, shard, where, wall=False)
        for record, reading in readings:
            try:
                for each in replayed(reading, rule):
                    for error in (*each.errors, *each.unasked):
                        error.file = record.source
                        treat(error, errors if error in each.errors else "skip")
                    for one in each.answers:
                        taken = TakenAction(one.taken, one.message)
                        place = record.source, record.index, each.round, one.event, one.seat
                        yield Decision(*place, one.observation, one.legal, taken)
            except UnsupportedError as error:
                error.file = record.source
                treat(error, errors)

    return decisions()
