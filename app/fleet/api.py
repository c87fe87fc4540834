"""A fleet: its plan, its shards, its state and its manifest."""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from mjconv.batch.digests import sha256_in
from mjconv.batch.paths import SUMS
from mjconv.batch.plan import Plan, check_names_folder, libraries_for, line_formats, plan_of
from mjconv.batch.shapes import LINES, PARQUET, SHAPES, STREAMS, TARGETS, is_one_table
from mjconv.batch.summary import Summary
from mjconv.converters import formats
from mjconv.files.address import is_address, joined, path_text
from mjconv.files.locks import remove_abandoned, temporary_folder
from mjconv.files.storage import open_for_reading
from mjconv.fleet.engines import Engine, LocalEngine
from mjconv.fleet.joining import joinings
from mjconv.fleet.results import DamagedShard, Done, FailedShard, Manifest, damaged, results, summed
from mjconv.fleet.shards import ENDINGS, SHARD_FILES, Head, LastLine, Shard, ShardLine, shard_id
from mjconv.fleet.sources import pieces_of
from mjconv.fleet.store import COLLECTED, DONE, FAILED, FOLDERS, MANIFEST, PARTS, PLAN, Store, store_of
from mjconv.ir.errors import InputError, UsageError
from mjconv.options import ConvertOptions
from mjconv.settings import anonymity
from mjconv.source import FileName, names_in
from mjconv.version import VERSION

#: The longest line of a plan, in bytes.
_LONGEST = 1 << 28


class Status(msgspec.Struct, frozen=True):
    """The state of a fleet: numbers of shards, sums of the results, and the shards that failed or are damaged."""

    shards: int
    done: int
    entries: int
    weight: int
    complete: bool
    summary: Summary
    failed: list[FailedShard]
    damaged: list[DamagedShard]


class Fleet:
    """A plan that was written to an output, and the results of its shards."""

    def __init__(self, output: str, head: Head) -> None:
        self.output = output
        self.head = head
        self.store: Store = store_of(output)
        #: The shards whose results were read, and the shards that join their rows.
        self._read: tuple[list[str], list[Shard]] = [], []

    @property
    def joins(self) -> bool:
        """Whether further shards join the rows of those of the plan."""
        return self.head.plan.shape == STREAMS

    def shards(self) -> Iterator[Shard]:
        """Yield the shards of the plan, in the order of the input. Raises `InputError` if the plan is damaged."""
        for line in _lines(self.output):
            if isinstance(line, ShardLine):
                yield Shard(**asdict(line), head=self.head, output=self.output)

    def pending(self, *, without_failed: bool = False) -> Iterator[Shard]:
        """Yield the shards that have no result, or whose part is damaged or gone by its size.

        If no shard of the plan is left, yield those that join rows. `without_failed` leaves out the shards of the
        plan whose last attempt failed.
        """
        left_out = {one.shard for one in self.failed()} if without_failed else set()
        done = left_out | self._ended(DONE) - {one.shard for one in self.damaged()}
        first = True
        for shard in self.shards():
            if shard.name not in done:
                first = False
                yield shard
        if first:
            yield from (shard for shard in self.joinings(left_out) if shard.name not in done)

    def joinings(self, left_out: Collection[str] | None = None) -> list[Shard]:
        """Return the shards that join the rows of the shards of the plan.

        `left_out` are shards whose rows are not joined: without it, those that failed. There are no joining shards
        if another shard has no result, or if the shards of the plan write the parts.
        """
        if not self.joins:
            return []
        known = self._ended(DONE)
        if left_out is None:
            manifest = self.manifest()
            left_out = {one.shard for one in manifest.missing} if manifest else self._ended(FAILED)
            left_out -= known
        names = [name for name in self._planned() if name not in left_out]
        if not known.issuperset(names):
            return []
        # The results of a shard are the same each time, and reading all of them takes long.
        if self._read[0] != names or not self._read[1]:
            first, done = self.size().shards, results(self.store, names)
            self._read = names, list(joinings(self.head, self.output, first, done))
        return self._read[1]

    def size(self) -> LastLine:
        """Return the numbers of shards and of files, and the size of the files in bytes."""
        for line in _lines(self.output):
            if isinstance(line, LastLine):
                return line
        raise InputError("ends too early: make the plan again", file=joined(path_text(self.output), PLAN))

    def status(self) -> Status:
        """Return the state. Other processes may convert shards at the same time.

        Of a complete run, the contents of all parts are compared, else their sizes.
        """
        size = self.size()
        names = self._with_result(self._names())
        summary, done = Summary(), 0
        for one in self._whole(names):
            summary.merge(one.summary)
            done += 1
        complete = self.store.has(MANIFEST)
        broken = self.damaged(contents=complete)
        complete = complete and not broken
        shards = size.shards + len(self.joinings())
        return Status(shards, done, size.entries, size.weight, complete, summary, self.failed(), broken)

    def failed(self) -> list[FailedShard]:
        """Return the shards that have no result and whose last attempt failed."""
        known = sorted(self._ended(FAILED).intersection(self._names()) - self._ended(DONE))
        return list(map(FailedShard.of, self.store.read_all([f"{FAILED}/{name}.json" for name in known]), known))

    def damaged(self, *, contents: bool = False) -> list[DamagedShard]:
        """Return the shards whose result is damaged, or whose part is gone or does not have the stated size.

        With `contents`, the SHA-256 of all parts and lists are compared.
        """
        joined, spared = self._joined(contents=contents)
        names = self._with_result(self._planned())
        done = results(self.store, names)
        broken = [*damaged(done, names, self.store, contents=contents, spared=spared), *joined]
        if contents and self.store.has(MANIFEST):
            manifest = self.manifest()
            own = {MANIFEST: ""}
            if manifest is not None:
                made = {MANIFEST: manifest.encoded(), SUMS: manifest.sums()}
                own = manifest.sha256 | {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}
            changed = [name for name, sha256 in own.items() if sha256_in(self.store.path(name)) != sha256]
            broken += [DamagedShard("", name) for name in changed]
        return broken

    def finish(self, *, without_failed: bool = False) -> Manifest:
        """Write the lists and then the manifest. Return the manifest.

        Raises `InputError` if a shard has no complete result; `without_failed` leaves out the shards whose last
        attempt failed.
        """
        left_out = {one.shard: one for one in self.failed()} if without_failed else {}
        names = [name for name in self._planned() if name not in left_out]
        names += [shard.name for shard in self.joinings(left_out)]
        if without := {*names} - self._ended(DONE):
            raise InputError(f"{len(without)} of {len(names)} shards have no result", file=path_text(self.output))
        if broken := self.damaged():
            raise InputError(f"{broken[0].object} is damaged", file=path_text(self.output))
        manifest, failures, renamed = summed(self.head, self._whole(names), list(left_out.values()))
        for name, parts in ((manifest.failures, failures), (manifest.renamed, renamed)):
            if name:
                self._join(name, parts)
        lists = {name: sha256_in(self.store.path(name)) for name in (manifest.failures, manifest.renamed) if name}
        manifest = replace(manifest, sha256=lists)
        self.store.write(SUMS, manifest.sums())
        self.store.write(MANIFEST, manifest.encoded())
        if self.joins:
            # Readers of folders see each file in them.
            self.clean()
        return manifest

    def manifest(self) -> Manifest | None:
        """Return the manifest; None if the run is not complete."""
        return Manifest.read(self.store)

    def clean(self) -> list[str]:
        """Remove the objects that neither the plan nor the manifest names. Return their names.

        Temporary files and folders of killed processes are removed too. A run may go on at the same time, so
        temporary files of the output that changed in the last hour are kept.
        """
        remove_abandoned()
        # The file of a lock that nobody holds is removed.
        with suppress(FileExistsError), self.store.locked():
            pass
        manifest = self.manifest()
        kept = set(self._names())
        unfinished = {name.partition("-")[0] for name in kept - self._ended(DONE)}
        # A run of an earlier plan may have ended after this plan was written.
        listed = [] if manifest is None else manifest.parts
        kept.update(part.shard for part in listed)
        parts = {part.path for part in listed}
        _, spared = self._joined()
        whole = self._whole(self._with_result(self._names()))
        parts |= {part.path for one in whole for part in one.parts if not spared(part.path)}
        unnamed = []
        for folder in FOLDERS:
            for name in self.store.sizes(folder):
                own = name.rpartition("/")[2].partition(".")[0]
                # A part appears before its result does.
                begun = folder in (PARTS, COLLECTED) and own.partition("-")[0] in unfinished
                unnamed += [] if begun or name in parts or own in kept else [name]
        unnamed += self.store.leftovers()
        self.store.remove(unnamed)
        return unnamed

    def forget(self, shards: Iterable[str]) -> None:
        """Remove the results of shards, so that they are converted again."""
        self.store.remove(f"{DONE}/{name}.json" for name in shards)

    def _joined(self, *, contents: bool = False) -> tuple[list[DamagedShard], Callable[[str], bool]]:
        """Return the damaged shards that join rows, and whether an object has rows that are joined already."""
        joining = self.joinings()
        names = self._with_result(shard.name for shard in joining)
        broken = list(damaged(results(self.store, names), names, self.store, contents=contents))
        whole = {*names} - {one.shard for one in broken}
        needed = {name for shard in joining if shard.name not in whole for name in shard.objects()}
        return broken, lambda name: bool(joining) and name.startswith(f"{COLLECTED}/") and name not in needed

    def _names(self) -> Iterator[str]:
        """Yield the names of all shards that are known."""
        yield from self._planned()
        yield from (shard.name for shard in self.joinings())

    def _planned(self) -> Iterator[str]:
        return (line.name for line in _lines(self.output) if isinstance(line, ShardLine))

    def _whole(self, names: Iterable[str]) -> Iterator[Done]:
        """Yield the results of shards that are not damaged."""
        return (one for one in results(self.store, names) if one is not None)

    def _with_result(self, names: Iterable[str]) -> list[str]:
        done = self._ended(DONE)
        return [name for name in names if name in done]

    def _ended(self, folder: str) -> set[str]:
        """Return the names of the shards that have an object in a folder."""
        return {name.removeprefix(f"{folder}/").removesuffix(".json") for name in self.store.sizes(folder)}

    def _join(self, name: str, parts: Iterable[str]) -> None:
        with temporary_folder() as folder:
            path = os.path.join(folder, "list")
            with open(path, "wb") as stream:
                for part in parts:
                    stream.write(self.store.read(part))
            self.store.put(name, path)


def plan(
    sources: FileName | Iterable[FileName],
    output: FileName,
    *,
    target: str,
    lines: bool = False,
    shards: int = 0,
    shard_files: int = SHARD_FILES,
    force: bool = False,
    engine: Engine | None = None,
    **options: Any,
) -> Fleet:
    """Divide sources into shards, and write the plan to an output, a folder on disk or an address.

    `sources` are those of `iter_matches`. `target` is a format, or a target of batch: ``parquet``, ``decisions``,
    ``decisions-3p`` or ``kanachan``. The parts are Parquet files, zip archives, or with `lines` files with one
    match per line. With `shards` or the options `partition_by` and `tables`, Parquet is files of tables and
    folders with rows of all shards: `shards` files, or as many as their size needs. `shard_files` is the number
    of files of a shard. `engine` reads the directories of archives; without it, this process does. Other
    `options` are those of the command: `source`, `plain`, `fill`, `lossy`, `seat`, `strict`, `check`, `house`,
    `verify`, `where`, `dedup`, `split`, `derive` and `kanachan`. Raises
    `FileExistsError` if the output has a plan, unless `force` replaces it; `UsageError`, `OSError` and
    `StorageError`.
    """
    wanted: ConvertOptions = ConvertOptions.of(target=target, **options)
    return write_plan(
        names_in(sources),
        os.fspath(output),
        wanted,
        engine or LocalEngine(1),
        lines=lines,
        shards=shards,
        shard_files=shard_files,
        force=force,
    )


def write_plan(
    sources: list[str],
    output: str,
    options: ConvertOptions,
    engine: Engine,
    *,
    lines: bool = False,
    shards: int = 0,
    shard_files: int = SHARD_FILES,
    force: bool,
) -> Fleet:
    """Write a plan as `plan` does. This function starts and ends `engine`."""
    shown = path_text(output)
    if any(_same_place(source, output) for source in sources):
        raise UsageError(f"{shown} is both an input and the output: name another output")
    output = output if is_address(output) else os.path.abspath(output)
    store = store_of(output)
    check_names_folder(output)
    if output.lower().endswith((*SHAPES, f".{PARQUET}")) and not os.path.isdir(output):
        raise UsageError(f"{shown} is the name of a file, and a fleet writes a folder: add a / at its end")
    plan = plan_for(sources, shown, options, lines=lines, shards=shards)
    head = Head(VERSION, libraries_for(plan), plan, shard_files)
    avoid = () if is_address(output) else (os.path.realpath(output),)
    digest = head.digest()
    number = entries = weight = 0
    with store.locked(), temporary_folder() as folder, engine:
        if not force and store.has(PLAN):
            raise FileExistsError(17, "Has a plan already; --force replaces it", shown)
        path = os.path.join(folder, PLAN)
        with open(path, "wb") as stream:
            stream.write(msgspec.json.encode(head) + b"\n")
            for piece in pieces_of(sources, shard_files, plan.settings.limits, engine, avoid):
                name = shard_id(digest, piece.source)
                line = ShardLine(number, name, piece.source, piece.entries, piece.weight)
                stream.write(msgspec.json.encode(line) + b"\n")
                number, entries, weight = number + 1, entries + piece.entries, weight + piece.weight
            stream.write(msgspec.json.encode(LastLine(number, entries, weight)) + b"\n")
        store.remove([MANIFEST])
        store.put(PLAN, path)
    return Fleet(output, head)


def _same_place(one: str, other: str) -> bool:
    if is_address(one) or is_address(other):
        return one.rstrip("/") == other.rstrip("/")
    return os.path.realpath(one) == os.path.realpath(other)


def plan_for(
    sources: list[str], output: str, options: ConvertOptions, *, lines: bool = False, shards: int = 0
) -> Plan:
    """Return the plan of a batch that writes one part, or that collects the rows of files."""
    target = options.target or ""
    joined = is_one_table(target) and bool(shards or options.tables or options.partition_by)
    if shards and not joined:
        able = ", ".join(filter(is_one_table, TARGETS))
        raise UsageError(f"--shards needs --to {able} here: a shard makes a part of other targets")
    if lines and (target in TARGETS or not formats.find(target)[0].files.one_match_a_line):
        able = " or ".join(line_formats())
        raise UsageError(f"--lines needs a format with one match per line: --to {able}, not {target}")
    shape = LINES if lines else PARQUET if is_one_table(target) else "zip"
    if anonymity.current() is not None:
        reason = "a plan of a fleet names its files: --anonymous needs mjconv batch and an output on this machine"
        raise UsageError(reason)
    part = "part" if lines or joined or (shape == PARQUET and options.split) else f"part{ENDINGS[shape]}"
    plan = plan_of(sources, part, options, shards=shards or int(lines))
    return replace(plan, output=path_text(output), shape=STREAMS if joined else plan.shape)


def open_fleet(output: FileName) -> Fleet:
    """Open a fleet whose plan was written. Raises `UsageError` if there is no plan."""
    name = os.fspath(output)
    name = name if is_address(name) else os.path.abspath(name)
    store_of(name)
    for line in _lines(name):
        if isinstance(line, Head):
            return Fleet(name, line)
    raise _no_plan(name)


def _lines(output: str) -> Iterator[Head | ShardLine | LastLine]:
    """Read the lines of a plan; raises `UsageError` if there is none, and `InputError` if it is damaged."""
    path = joined(output, PLAN) if is_address(output) else os.path.join(output, PLAN)
    number = 1
    try:
        with open_for_reading(path) as stream:
            if begin := stream.readline(_LONGEST):
                head = _head.decode(begin)
                if head.plan.shape not in ENDINGS:
                    raise msgspec.ValidationError(f"a part has no shape {head.plan.shape!r}")
                yield head
                digest = head.digest()
            for number, data in enumerate(iter(lambda: stream.readline(_LONGEST), b""), 2):
                line = _line.decode(data)
                if isinstance(line, ShardLine):
                    own = number - 2, shard_id(digest, line.source)
                    if (line.number, line.id) != own:
                        raise msgspec.ValidationError("the id or the number of the shard is not its own")
                yield line
    except FileNotFoundError:
        raise _no_plan(output) from None
    except msgspec.DecodeError as error:
        message = f"line {number} is damaged, or of another version of mjconv ({error}): make the plan again"
        raise InputError(message, file=path_text(path)) from None


def _no_plan(output: str) -> UsageError:
    return UsageError("has no plan: mjconv fleet plan IN... -o OUT makes one", file=path_text(output))


_head = msgspec.json.Decoder(Head)
_line = msgspec.json.Decoder(ShardLine | LastLine)
