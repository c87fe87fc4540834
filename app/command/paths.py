"""The inputs and outputs of a command by their names: open an input, and check an output before the work."""

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from mjconv.batch.shapes import PARQUET, SHAPES, TARGETS, is_one_table
from mjconv.files.address import is_address, redacted
from mjconv.files.reading import STANDARD, hinting, read_bytes, shown_name
from mjconv.files.sites import missing
from mjconv.files.writing import check_rewritable, check_writable
from mjconv.ir.errors import UsageError
from mjconv.settings import Setting, anonymity
from mjconv.source import Source, source_of

#: Whether an output may replace a file.
clobber: Final = Setting("clobber", True)
#: The files that options name and a command reads beside its inputs, such as a key: no output replaces them.
beside: Final[Setting[tuple[str, ...]]] = Setting("beside", ())
#: How a command reads all files of a folder or archive, which is not one file.
BATCH_READS: Final = "mjconv batch {} -o OUT --to FORMAT converts all files in it"
FMT_READS: Final = "fmt takes the names of files, such as FOLDER/*.jmjp"
INFO_READS: Final = "mjconv info --all {} shows all files in it"


def open_source(path: str, source: str | None = None, archive_hint: str = BATCH_READS) -> Source:
    """Read a file, or standard input for ``-``, and find its format; raises as `read_bytes` and `source_of`.

    The error about an archive or folder ends with `archive_hint`, which has ``{}`` for the name.
    """
    with hinting(path, archive_hint):
        data = read_bytes(path)
    return source_of(data, source, shown_name(path))


def refuse_several(path: str) -> None:
    """Raise the error of `open_source` if a path is an archive or a folder."""
    if path != STANDARD:
        with suppress(FileNotFoundError, PermissionError, UsageError):
            open_source(path)


def check_output(output: str, inputs: Iterable[str] = (), *, in_place: bool | None = None) -> None:
    """Check an output before the work; standard output, devices and pipes may always be written.

    `in_place` says whether an input is to be replaced; it is None for a command that cannot. Raises `UsageError`
    if an input or a file of `beside` would be replaced, or if an input should be and is not. Raises
    `FileExistsError` for a file that exists with ``--no-clobber``, and other `OSError` as `check_writable` and
    `check_rewritable` do.
    """
    exists = output != STANDARD and _is_file(output)
    if exists and any(_same_file(path, output) for path in beside.current()):
        raise UsageError(f"{output} is both an input and the output: name another output")
    replaced = exists and any(path != STANDARD and _same_file(path, output) for path in inputs)
    if in_place and not replaced:
        raise UsageError(f"--in-place replaces an input, but {redacted(output)} is not an input")
    if in_place:
        check_rewritable(output)
    elif replaced and in_place is None:
        raise UsageError(f"{output} is both an input and the output: name another output")
    elif replaced:
        raise UsageError(f"{output} is both an input and the output: name another output, or add --in-place")
    if exists and not clobber.current():
        raise FileExistsError(errno.EEXIST, "Exists already, and --no-clobber keeps it", output)
    check_writable(output)


def check_one_anonymous(several: bool = True) -> None:
    """Raise `UsageError` if several files become one anonymous file without a key."""
    if several and (wanted := anonymity.current()) is not None and not wanted.key:
        reason = "several files need --anonymous-key FILE: without a key, Player 1 of each file is another person"
        raise UsageError(reason)


def replaced_input(inputs: Sequence[str]) -> str:
    """Return the input that ``--in-place`` replaces without ``-o``; raises an error unless it is one file."""
    if len(inputs) != 1 or inputs[0] == STANDARD:
        raise UsageError("--in-place without -o replaces one file: name one input")
    check_exists(inputs[0])
    return inputs[0]


def check_exists(path: str) -> None:
    """Raise `MissingFileError` for a path where nothing is; standard input and addresses are not looked at."""
    if path != STANDARD and not is_address(path) and not os.path.lexists(path):
        raise missing(path)


def refuse_other_output(inputs: Sequence[str], output: str | None, target: str | None) -> None:
    """Raise `UsageError` for an output that another command writes: columns, rows, an archive, or a page."""
    name = os.path.basename(output or "").lower()
    page = target is None and name.endswith((".html", ".htm"))
    columns = target in TARGETS or name.endswith(f".{PARQUET}")
    if not (page or columns or name.endswith(tuple(SHAPES))):
        return
    # Imported here: most outputs are right.
    import shlex

    words, out = shlex.join(map(redacted, inputs)), shlex.quote(output or "")
    if page:
        words = f"{shlex.quote(redacted(inputs[0]))} -o {out}"
        raise UsageError(f"{output} is the name of a page, which only view writes: mjconv view {words}")
    if columns:
        wanted = target if target in TARGETS else PARQUET
        usual = f"OUT.{PARQUET}" if is_one_table(wanted) else "OUT"
        out = out if name.endswith(f".{PARQUET}") else usual
        raise UsageError(f"only batch writes columns: mjconv batch {words} -o {out} --to {wanted}")
    words = f"{words} -o {out} --to {target or 'FORMAT'}"
    raise UsageError(f"{output} is the name of an archive, which only batch writes: mjconv batch {words}")


def _is_file(path: str) -> bool:
    """Return whether a path is a file or a link; a device, pipe or folder is none."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return os.path.lexists(path)


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other) and _is_file(one)
    except OSError:
        return False
