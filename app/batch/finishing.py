"""The end of a run: the output is completed, described in the manifest, and moved to its place.

If a run is interrupted here, `--resume` does each step again.
"""

import os
from contextlib import suppress
from typing import NamedTuple

from mjconv.batch.digests import sha256_in
from mjconv.batch.finished import Finished
from mjconv.batch.journal import AppendFile, Journal, replace_file, sync_paths
from mjconv.batch.outputs import ConvertAll, Entries, Output
from mjconv.batch.packing import PACKINGS
from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan, libraries_for
from mjconv.batch.summary import Summary
from mjconv.files.writing import permissions
from mjconv.ir.errors import UsageError
from mjconv.version import VERSION


class OutputFiles(NamedTuple):
    """The files of a run: the output, and the `lists` of failed and of renamed members."""

    plan: Plan
    paths: RunPaths
    output: Output
    lists: tuple[AppendFile, ...]
    durable: bool

    def sums(self) -> dict[str, str]:
        """Return the SHA-256 of the files of the output by name, except those of members."""
        own = {os.path.basename(one.path): one.path for one in self.lists}
        for _, path in self.output.files():
            above = self.paths.output if self.paths.in_folder else os.path.dirname(path)
            name = os.path.relpath(path, above).replace(os.sep, "/")
            own[name if self.paths.in_folder else os.path.basename(self.paths.output)] = path
        return {name: sha256_in(path) for name, path in own.items() if os.path.lexists(path)}


def finish(files: OutputFiles, entries: Entries, convert: ConvertAll, *, inputs: str, summary: Summary) -> None:
    """Complete the output and write its manifest. `inputs` is the state of the inputs. Raises `OSError`."""
    files.output.finish(entries, convert)
    for one in files.lists:
        one.finish()
    paths = files.paths
    folder = os.path.dirname(os.path.abspath(paths.failures))
    if files.durable:
        own = [path for _, path in files.output.files()]
        sync_paths([*files.output.written(), *own, *(one.path for one in files.lists), folder])
    done = Finished(VERSION, libraries_for(files.plan), files.plan, inputs, files.sums(), summary.without_run())
    done.write(paths, entries)
    if files.durable:
        sync_paths([paths.sums, paths.finished, folder])
    replace_file(paths.complete, b"", paths.temporary)


def remove_earlier(paths: RunPaths, journal: Journal) -> None:
    """Remove the tables and files of lines of an earlier run from a folder, and folders that become empty.

    A complete run states their SHA-256: a file that was changed stays. Files of members stay too, because several
    runs may write into one folder. Raises `OSError`.
    """
    files = []
    # If the earlier run cannot be read, nothing is known to be its own.
    with suppress(UsageError, ImportError):
        if (done := Finished.read(paths.finished)) is not None:
            whole = {os.path.join(paths.output, *name.split("/")): own for name, own in done.sums.items()}
            files += [path for path, own in whole.items() if sha256_in(path) == own]
        if (head := journal.head()) is not None:
            output = PACKINGS[head.plan.shape].output(head.plan, paths)
            for entry in journal.entries():
                output.restore(entry)
            files += [path for _, path in output.files() if os.path.isfile(path)]
    top = os.path.join(os.path.realpath(paths.output), "")
    for path in files:
        if paths.in_folder and os.path.realpath(path).startswith(top):
            os.unlink(path)
            with suppress(OSError):
                os.removedirs(os.path.dirname(path))


def move_into_place(files: OutputFiles) -> None:
    """Move a complete archive to its place and remove the work folder. Raises `OSError`."""
    paths = files.paths
    if not paths.in_folder and os.path.lexists(paths.data):
        if (mode := permissions(paths.output)) is not None:
            os.chmod(paths.data, mode)
        os.replace(paths.data, paths.output)
        if files.durable:
            sync_paths([os.path.dirname(os.path.abspath(paths.output))])
    paths.remove()
