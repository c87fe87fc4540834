"""The rows of the table of benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from benchmarks.commands import (
    archived,
    batch,
    few_archived,
    fleet,
    help_page,
    one_by_one,
    process,
    validating,
)
from benchmarks.games import Game, each, typical
from benchmarks.judging import check, messages, validate
from benchmarks.peers import (
    BARE_PYTHON,
    FLOOR,
    JSON,
    JSONSCHEMA,
    MSGSPEC,
    ORJSON_LOADS,
    READ_MJAI,
    RIICHIENV,
    split_lines,
)
from benchmarks.records import (
    FLOOR_AND_RECORD,
    PROTOBUF_DICTS,
    PROTOBUF_MESSAGES,
    READ_ROUNDS,
    RIICHIENV_ROUNDS,
    WAYS_BACK,
    convert_back,
    convert_records,
    decoded,
    records_of,
)
from benchmarks.sides import (
    Side,
    columns,
    convert,
    convert_scores,
    convert_site,
    page,
    read,
    read_file,
    read_scores,
    score,
    write,
    write_scores,
)
from benchmarks.targets import Target, at_least, at_most_ms, times
from benchmarks.training import REPLAY, TABLE, decisions
from mjconv.converters.formats import FORMATS

#: The lines of a file of HK scores for `score`, and of one to convert.
_SCORES: Final = 200_000
_FEW_SCORES: Final = 2_000
#: The games of an evening, and of a file with one sitting.
_EVENING: Final = 16
_NO_END: Final = _SCORES
#: Formats of results alone are measured on files of scores: a game is one line.
_RESULTS: Final = ("hk",)
#: A format that is only read has no writer that makes its files of the games, which are of riichi.
_PLAYED: Final = tuple(
    form.id for form in FORMATS if form.writes and form.holds.has("riichi") and form.id not in _RESULTS
)
#: Formats that cannot be written from scores of HK: they need play, or games of riichi.
_NEED_PLAY: Final = ("uzje", "tenhou", "majsoul", "majiang", "mjx", "club")
#: How many times the floor a direction may take, where it has a limit.
_LIMITS: Final = {
    ("mjai", "jmjp"): 4.5,
    ("jmjp", "mjai"): 5,
    ("mjai", "uzje"): 5.5,
    ("uzje", "mjai"): 5.5,
    ("mjai", "tenhou"): 10,
    # Files that mjconv wrote, with notes.
    ("tenhou", "mjai"): 5.4,
    ("majsoul", "mjai"): 12.8,
    ("majiang", "mjai"): 8.2,
}
#: How many times their floor records of platforms may take to mjai with notes, and from there back.
_RECORDS: Final = {
    "tenhou": (5.5, 8),
    "majsoul": (8, 10),
    "riichicity": (8, 10),
    "mleague": (14, 18),
    "majiang": (3.5, 7),
    "mjx": (4, 7),
}


@dataclass(frozen=True)
class Row:
    """Work of mjconv against a peer, on the same games; `take` chooses or joins games.

    `lines` is the number of lines of the work, if these are not the messages of the games.
    """

    ours: Side
    peer: Side
    target: Target | None = None
    take: Callable[[list[Game]], list[Game]] = each
    lines: int | None = None


def _scores(ours: Side, lines: int, games: int, target: Target | None = None) -> Row:
    return Row(ours, split_lines(lines, games), target, typical, lines)


ROWS: Final = (
    Row(read_file("mjai"), RIICHIENV, times(1)),
    *(Row(convert(*way), FLOOR, times(limit)) for way, limit in _LIMITS.items()),
    # Tenhou's own records have no notes.
    Row(convert("tenhou-json", "mjai", plain=True), FLOOR, times(5)),
    Row(convert("majiang", "mjai", plain=True), FLOOR, times(6.1)),
    Row(convert("majsoul", "mjai", plain=True), FLOOR, times(7.2)),
    # Records as platforms and simulators write them.
    *(
        Row(convert_records(form), FLOOR_AND_RECORD, times(there), records_of(form))
        for form, (there, _) in _RECORDS.items()
    ),
    *(
        Row(
            convert_back(form, original=kept),
            FLOOR_AND_RECORD,
            times(_RECORDS[form][1]) if kept or (form, True) not in WAYS_BACK else None,
            records_of(form),
        )
        for form, kept in WAYS_BACK
    ),
    Row(convert_site(wall=False), FLOOR, times(4)),
    Row(convert_site(wall=True), FLOOR, times(5.5)),
    # Four times the 85,000 lines a second of the scorer that the notation comes from.
    _scores(score(_SCORES, _EVENING), _SCORES, _EVENING, at_least(340_000)),
    Row(messages(), JSONSCHEMA, at_least(1_000_000), typical),
    Row(validate("mjai", "order"), FLOOR, at_least(1_000_000)),
    Row(page(), FLOOR, at_most_ms(100)),
    Row(decisions("mjai"), TABLE, times(1.3)),
    *(Row(decisions(form), TABLE, times(1.7)) for form in ("tenhou", "majsoul", "majiang", "jmjp")),
    Row(process("mjai", "jmjp"), BARE_PYTHON, times(9), typical),
    Row(process("jmjp", "mjai"), BARE_PYTHON, times(11), typical),
    # The other directions.
    *(
        Row(convert(source, target), FLOOR)
        for source in _PLAYED
        for target in (*_PLAYED, *_RESULTS)
        if (source, target) not in _LIMITS
    ),
    *(
        _scores(convert_scores(target, _FEW_SCORES, _EVENING), _FEW_SCORES, _EVENING)
        for target in (*_PLAYED, *_RESULTS)
        if target not in _NEED_PLAY
    ),
    # Flavours whose text is another.
    Row(convert("mjai", "jmjp-0"), FLOOR),
    Row(convert("jmjp-0", "mjai"), FLOOR),
    Row(convert("mjai", "uzje-long"), FLOOR),
    Row(convert("uzje-long", "mjai"), FLOOR),
    Row(convert("mjai", "uzje-commands"), FLOOR),
    Row(convert("uzje-commands", "mjai"), FLOOR),
    Row(convert("mjai", "tenhou-json"), FLOOR),
    Row(convert("tenhou-json", "mjai"), FLOOR),
    # Other readers of Mahjong Soul's records.
    Row(READ_ROUNDS, RIICHIENV_ROUNDS),
    Row(decoded(), PROTOBUF_DICTS),
    Row(decoded(", the peer's fields not read"), PROTOBUF_MESSAGES),
    # Reading alone, writing alone.
    *(Row(read(form), ORJSON_LOADS if form == "mjai" else FLOOR) for form in _PLAYED),
    _scores(read_scores(_FEW_SCORES, _EVENING), _FEW_SCORES, _EVENING),
    *(Row(write(form), FLOOR) for form in _PLAYED),
    _scores(write_scores(_FEW_SCORES, _EVENING), _FEW_SCORES, _EVENING),
    Row(columns(), READ_MJAI, times(3.5)),
    Row(decisions("mjai", ", all legal actions"), REPLAY),
    # Checking records.
    Row(check("order"), READ_MJAI),
    Row(check("rules"), READ_MJAI),
    Row(validate("mjai", "syntax"), FLOOR),
    *(Row(validate(form, "rules"), FLOOR) for form in _PLAYED),
    _scores(score(_SCORES, _NO_END), _SCORES, _NO_END),
    # Whole processes.
    Row(help_page(), BARE_PYTHON, take=typical),
    Row(validating(), BARE_PYTHON, take=typical),
    Row(batch("mjai", "jmjp", 1), one_by_one("mjai", "jmjp"), take=archived),
    Row(batch("mjai", "jmjp", 2), batch("mjai", "jmjp", 1), take=archived),
    Row(batch("mjai", "jmjp", 4), batch("mjai", "jmjp", 1), take=archived),
    Row(batch("mjai", "parquet", 1), batch("mjai", "jmjp", 1), take=archived),
    Row(batch("mjai", "parquet", 2), batch("mjai", "jmjp", 2), take=archived),
    Row(fleet("mjai", "jmjp", 1), batch("mjai", "jmjp", 1), take=archived),
    Row(fleet("mjai", "jmjp", 2), fleet("mjai", "jmjp", 1), take=archived),
    Row(fleet("mjai", "parquet", 2), fleet("mjai", "jmjp", 2), take=archived),
    Row(
        batch("mjai", "decisions", 2),
        batch("mjai", "decisions", 1, known="93 ms of processor time a game"),
        take=few_archived,
    ),
    # Other floors.
    Row(JSON, FLOOR),
    Row(MSGSPEC, FLOOR),
)
