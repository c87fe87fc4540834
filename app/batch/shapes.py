"""The shapes of an output of ``mjconv batch``."""

from typing import Final, NamedTuple

#: The shape of an output by the ending of its name; any other output is a folder.
SHAPES: Final = {".zip": "zip", ".tar": "tar", ".tar.gz": "tar.gz", ".tgz": "tar.gz", ".tar.zst": "tar.zst"}
FOLDER: Final = "folder"
LINES: Final = "lines"
#: The shape of an output that is one Parquet file, and the target of ``--to`` with the columns of all events.
PARQUET: Final = "parquet"
#: The shape of the rows that a shard of a fleet collects, and that another task of the fleet writes as Parquet.
STREAMS: Final = "streams"


class OwnTarget(NamedTuple):
    """A target of ``--to`` that is no format: the ending of its files, its description, and the number of players.

    `players` is None where games of any number are written. A target with `players` needs the engine of decisions.
    A row group of Parquet has at least `group_rows` rows, except the last one: these are in memory at a time. The
    features of 8,192 decisions take 80 MB as an array.
    """

    extension: str
    description: str
    players: int | None = None
    group_rows: int = 1 << 13


#: The rows of Kanachan.
KANACHAN: Final = "kanachan"
#: The targets that only batch writes, and that no reader reads.
TARGETS: Final = {
    PARQUET: OwnTarget(".parquet", "columns of all events, one row an event (mjconv batch)", None, 1 << 17),
    "decisions": OwnTarget(".parquet", "decisions of games of four, one row a decision (mjconv batch)", 4),
    "decisions-3p": OwnTarget(".parquet", "decisions of games of three, one row a decision (mjconv batch)", 3),
    KANACHAN: OwnTarget(".tsv", "decisions as rows of the program Kanachan (mjconv batch)", 4),
}


def is_one_table(target: str) -> bool:
    """Return whether the output of a target is one Parquet file.

    >>> is_one_table("decisions"), is_one_table("kanachan"), is_one_table("mjai")
    (True, False, False)
    """
    return target in TARGETS and TARGETS[target].extension == f".{PARQUET}"
