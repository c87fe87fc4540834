"""The plan of a run: its options in a form that workers receive and the journal stores."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from mjconv.archive.partition import keys_of
from mjconv.archive.split import splits_of
from mjconv.batch.shapes import FOLDER, KANACHAN, LINES, PARQUET, SHAPES, STREAMS, TARGETS, is_one_table
from mjconv.columns.names import EVENTS, TABLES, derived_names
from mjconv.converters import formats
from mjconv.converters.formats import FORMATS, PACKED
from mjconv.converters.interface import ANSWERS_NEED_SEAT, Format, WriteOptions
from mjconv.files.address import path_text
from mjconv.ir.errors import UsageError
from mjconv.ir.suggestion import check_word
from mjconv.options import ConvertOptions
from mjconv.packages import check_packages
from mjconv.settings import Anonymity, ReadSettings


class Plan(Struct, frozen=True, kw_only=True):
    """The inputs, the output and the options of a run: everything that the bytes of the output depend on.

    `shape` is ``folder``, ``zip``, ``tar``, ``tar.gz``, ``tar.zst``, ``parquet``, ``streams``, or ``lines``.
    For ``lines``, `shards` is the number of files. `keep_bad` is a folder for copies of members that cannot be
    converted. `options` name the target; `settings` are those in force when the run began.
    """

    inputs: tuple[str, ...]
    output: str
    shape: str = FOLDER
    shards: int = 0
    keep_bad: str | None = None
    options: ConvertOptions
    settings: ReadSettings = ReadSettings()

    @property
    def target(self) -> str:
        """The format, or the target of batch, that is written."""
        return self.options.target or ""

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits; one empty name without ``--split``."""
        return ("",) if self.options.split is None else tuple(splits_of(self.options.split))

    @property
    def in_folder(self) -> bool:
        """Whether the output is a folder of files."""
        return self.shape in (FOLDER, LINES) or (self.shape == PARQUET and _divides(self.options, self.shards))

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables of Parquet; one empty name without ``--tables``."""
        return ("",) if self.options.tables is None else tuple(dict.fromkeys(self.options.tables.split(",")))

    def public(self) -> Plan:
        """Return the plan as files hold it: of an anonymous run without names, paths and key."""
        anonymity = self.settings.anonymous
        if anonymity is None:
            return self
        sealed = replace(anonymity, key=anonymity.sealed("key").encode())
        where = None if self.options.where is None else anonymity.sealed(self.options.where)
        return replace(
            self,
            inputs=tuple(map(anonymity.sealed, self.inputs)),
            output=anonymity.sealed(self.output),
            options=replace(self.options, where=where),
            settings=replace(self.settings, anonymous=sealed),
        )

    def write_format(self) -> tuple[Format, WriteOptions]:
        """Return the format to write and the options for its writer."""
        form, flavour = formats.find(self.target)
        if self.shape == LINES and flavour not in form.files.one_match_a_line:
            flavour = form.files.one_match_a_line[0]
        return form, replace(self.options.write, flavour=flavour)

    def extension(self) -> str:
        """Return the extension of the files to write: that of ``--extension``, or the usual one of the format."""
        if self.options.extension is not None:
            return self.options.extension
        if self.target in TARGETS:
            return TARGETS[self.target].extension
        form, flavour = formats.find(self.target)
        return form.extension_for(flavour)

    def check_same(self, other: Plan) -> None:
        """Raise `UsageError` if another plan differs, with the options in which it does."""
        others = dict(_values(other))
        changed = (name for name, value in _values(self) if value != others[name])
        options = dict.fromkeys(_OPTIONS.get(name, f"--{name.replace('_', '-')}") for name in changed)
        if options:
            reason = f"the run was started with other values of {', '.join(options)}"
            raise UsageError(f"{reason}: use the same again, or start again with --force")


#: The options of the command for fields that have other names.
_OPTIONS: Final = {
    "inputs": "IN",
    "output": "-o",
    "shape": "-o",
    "source": "--from",
    "target": "--to",
    "limits": "--limit",
    "walls": "--no-wall",
    "key": "--anonymous-key",
    "comments": "--keep-comments",
}


def _values(options: Struct) -> Iterator[tuple[str, object]]:
    for name, value in asdict(options).items():
        if isinstance(value, ConvertOptions | WriteOptions | ReadSettings | Anonymity):
            yield from _values(value)
        else:
            yield name, value


def plan_of(
    names: Sequence[str], output: str, options: ConvertOptions, *, shards: int = 0, keep_bad: str | None = None
) -> Plan:
    """Return the plan of a run over these inputs, of `mjconv batch` or `mjconv fleet plan`; 0: no shards.

    Raises `UsageError` for an unknown format, rule or number of shards, and for options that do not fit together.
    """
    target = options.target or ""
    if options.kanachan is not None and target != KANACHAN:
        raise UsageError(f"--kanachan needs --to {KANACHAN}: it sets values of its rows")
    if target in TARGETS:
        _check_own_target(target, options)
    elif options.verify:
        # Imported here: most runs are not verified.
        from mjconv.verification import check_verifiable

        check_verifiable(formats.find(target)[0], options.write.seat)
    seat = options.write.seat
    if seat is not None and (target in TARGETS or not formats.find(target)[0].holds.in_game):
        raise UsageError(f"--seat needs a target that holds in-game streams, and {target} does not")
    if options.write.answers and seat is None:
        raise UsageError(ANSWERS_NEED_SEAT)
    if options.source is not None:
        formats.find(options.source)
    if target and target not in TARGETS:
        formats.find(target, TARGETS)
    options.house_rules()
    if options.where is not None:
        # Imported here: most runs keep all matches.
        from mjconv.archive.where import where_of

        where_of(options.where)
    if options.split is not None:
        splits_of(options.split)
    if options.tables is not None:
        _check_tables(options.tables, target)
    if options.extension is not None:
        _check_extension(options.extension, target, shards)
    if options.derive is not None:
        _check_derived(options.derive, options.tables, target)
    if options.partition_by is not None:
        if target != PARQUET:
            raise UsageError(f"--partition-by needs --to {PARQUET}")
        keys_of(options.partition_by)
    # No table has the walls.
    current = ReadSettings.current()
    return Plan(
        inputs=tuple(map(path_text, names)),
        output=path_text(output),
        shape=shape_of(output, shards, target, folder=_divides(options, shards)),
        shards=shards,
        keep_bad=None if keep_bad is None else path_text(keep_bad),
        options=options,
        settings=replace(current, walls=current.walls and target not in TARGETS),
    )


def _check_tables(tables: str, target: str) -> None:
    """Raise `UsageError` for tables of another target, for an unknown one, and if polars is missing."""
    if target != PARQUET:
        raise UsageError(f"--tables needs --to {PARQUET}")
    for name in tables.split(","):
        check_word("--tables", name, TABLES)
    if tables != EVENTS:
        check_packages("--tables", "polars")


def _divides(options: ConvertOptions, shards: int) -> bool:
    """Return whether Parquet is a folder of files."""
    return bool(shards) or any((options.split, options.tables, options.partition_by))


#: An extension that every system can write.
_EXTENSION: Final = re.compile(r"(\.[A-Za-z0-9]{1,16}){1,3}")


def _check_extension(extension: str, target: str, shards: int) -> None:
    """Raise `UsageError` for an extension that is none, and for a target that writes no file for each member."""
    if not _EXTENSION.fullmatch(extension):
        raise UsageError(f"--extension takes an extension such as .json.gz, not {extension!r}")
    if shards or is_one_table(target):
        raise UsageError("--extension is that of a file for each input, and --shards and columns write others")


def _check_derived(derive: str, tables: str | None, target: str) -> None:
    """Raise `UsageError` for derived columns of another target or table, and as `derived_names` does."""
    if target != PARQUET or EVENTS not in (tables or EVENTS).split(","):
        raise UsageError(f"--derive needs --to {PARQUET} and its table {EVENTS}")
    derived_names(derive)


def _check_own_target(target: str, options: ConvertOptions) -> None:
    """Raise `UsageError` if a package for the target is missing, or an option does not fit it."""
    if options.verify:
        raise UsageError(f"cannot verify: {target} is written only, and no reader reads it again")
    # Loaded here: these packages are optional, and slow to load.
    if is_one_table(target):
        from mjconv.columns import check_installed

        check_installed(f"--to {target}")
    if TARGETS[target].players is not None:
        check_packages(f"--to {target}", "riichienv", *([] if target == KANACHAN else ["numpy"]))
    if target == KANACHAN and options.kanachan:
        from mjconv.train.kanachan import settings_of

        settings_of(options.kanachan)


def shape_of(output: str, shards: int, target: str, *, folder: bool = False) -> str:
    """Return the shape of the output, from its name and from the number of shards (0: no shards).

    With `folder`, Parquet is a folder of tables. Raises `UsageError` if the target or the output does not allow
    shards, or if only one of them is Parquet.

    >>> shape_of("out.tar.zst", 0, "jmjp"), shape_of("out", 0, "jmjp"), shape_of("out", 8, "mjai")
    ('tar.zst', 'folder', 'lines')
    """
    name = os.path.basename(output).lower()
    if folder and name.endswith((f".{PARQUET}", *(SHAPES if is_one_table(target) else ()))):
        raise UsageError(
            f"--split, --tables, --partition-by and --shards write a folder, but {output!r} is the name of a file"
        )
    if not folder and is_one_table(target) != name.endswith(f".{PARQUET}"):
        wanted = target if is_one_table(target) else PARQUET
        reason = f"columns need --to {wanted} and also an output whose name ends in .{PARQUET}"
        raise UsageError(f"{reason}; --tables NAMES writes a folder" if wanted == PARQUET else reason)
    shape = PARQUET if is_one_table(target) else None
    shape = shape or next((shape for ending, shape in SHAPES.items() if name.endswith(ending)), FOLDER)
    if shape == FOLDER or (shape == PARQUET and folder):
        check_names_folder(output)
    if not shards or shape == PARQUET:
        return shape
    if target in TARGETS or not formats.find(target)[0].files.one_match_a_line:
        able = " or ".join(line_formats())
        raise UsageError(f"--shards needs a format with one match per line: --to {able}, not {target}")
    if shape != FOLDER:
        raise UsageError(f"--shards writes files into a folder, but {output!r} is the name of an archive")
    return LINES


def check_names_folder(output: str) -> None:
    """Raise `UsageError` for the name of a file, such as ``out.jsonl``, where a folder would be made.

    >>> check_names_folder("out.jsonl/"), check_names_folder("logs.2024")
    (None, None)
    """
    name = os.path.basename(output).lower()
    usual = {TARGETS[KANACHAN].extension, *(extension for form in FORMATS for extension in form.files.extensions)}
    elsewhere = next((hint for endings, hint in _ELSEWHERE.items() if name.endswith(endings)), "")
    if (elsewhere or name.endswith((*PACKED, *_ARCHIVES, *usual))) and not os.path.isdir(output):
        raise UsageError(
            f"{output} is the name of a file, and batch writes a folder, or an archive whose name ends in "
            f"{' '.join(SHAPES)}: add a / at its end for a folder of that name; "
            f"{elsewhere or 'mjconv merge writes one file of several, and --shards writes files of lines'}"
        )


def libraries_for(plan: Plan) -> dict[str, str]:
    """Return the versions of the libraries that the bytes of a part depend on. Raises `UsageError`."""
    engine = plan.target in TARGETS and TARGETS[plan.target].players is not None
    engine = engine or "shanten" in (plan.options.derive or "")
    packages = [*(["pyarrow"] if plan.shape in (PARQUET, STREAMS) else []), *(["riichienv"] if engine else [])]
    check_packages(f"--to {plan.target}", *packages)
    libraries = {"zlib": zlib.ZLIB_RUNTIME_VERSION} if plan.shape == "zip" else {}
    # Loaded here: each worker would pay for it.
    from importlib.metadata import version

    return libraries | {package: version(package) for package in packages}


#: Endings of archives that batch does not write.
_ARCHIVES: Final = (".7z", ".rar", ".txz", ".tbz2", ".tzst")
#: Endings of files that other commands write, and what writes them.
_ELSEWHERE: Final = {
    (".html", ".htm"): "mjconv view writes a page of one match",
    (".csv", ".md", ".xlsx"): "--to parquet writes columns, and mjconv score writes tables of scores",
}


def line_formats() -> list[str]:
    """Return the ids of the formats of this package that can write each match as one line."""
    # The help of the command calls this at each start. To look for formats of other packages takes too long there.
    return [form.id for form in FORMATS if form.files.one_match_a_line]
