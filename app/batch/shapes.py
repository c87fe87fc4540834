"""The shapes of an output of ``mjconv batch``."""

from __future__ import annotations

from typing import Final

#: The shape of an output by the ending of its name; any other output is a folder.
SHAPES: Final = {".zip": "zip", ".tar": "tar", ".tar.gz": "tar.gz", ".tgz": "tar.gz", ".tar.zst": "tar.zst"}
FOLDER: Final = "folder"
LINES: Final = "lines"
#: A target of ``--to`` that is not a notation: one Parquet file with the columns of all events.
PARQUET: Final = "parquet"
