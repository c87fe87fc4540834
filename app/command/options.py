"""The table of the arguments and options of all commands, in the order in which their help shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Final, TypeAlias, get_args

import typer

from mjconv import encoding
from mjconv.batch.plan import line_formats
from mjconv.batch.shapes import TARGETS
from mjconv.command.option_names import NAMES
from mjconv.command.parameters import Parameters, argument, flag, number, value
from mjconv.converters.formats import known_names
from mjconv.ir import limits
from mjconv.referee.findings import Level
from mjconv.rules.house import RENCHAN, SWITCHES
from mjconv.settings import walls
from mjconv.validation.colours import WHEN
from mjconv.validation.outputs import OUTPUTS

Completion: TypeAlias = Callable[[str], list[str]]


def one_of(*words: str) -> Completion:
    """Return the function that completes a word of a list.

    >>> one_of("auto", "always", "never")("a")
    ['auto', 'always']
    """
    return one_of_list(lambda: words)


def one_of_list(words: Callable[[], Iterable[str]]) -> Completion:
    """Return the function that completes a word of a list, which `words` makes when it is needed."""
    return lambda incomplete: [word for word in words() if word.startswith(incomplete)]


format_names: Final = one_of_list(known_names)
batch_targets: Final = one_of_list(lambda: (*known_names(), *TARGETS))
encoding_names: Final = one_of(*encoding.COMMON)
limit_names: Final = one_of_list(lambda: (f"{name}=" for name, *_ in limits.described()))
# Imported when they are needed: only completion needs these lists.
table_formats: Final = one_of_list(lambda: import_module("mjconv.score.formats").FORMATS)
score_periods: Final = one_of_list(lambda: import_module("mjconv.score.score").PERIODS)


def house_rules(incomplete: str) -> list[str]:
    """Return the rules that a list of house rules can continue with, for completion.

    >>> house_rules("kiriage,red")
    ['kiriage,reds=']
    """
    head, comma, begun = incomplete.rpartition(",")
    words = (*SWITCHES, *(f"no-{name}" for name in SWITCHES if begun.startswith("no-")), "reds=", "honba=")
    words += tuple(f"renchan={value}" for value in RENCHAN)
    return [f"{head}{comma}{word}" for word in words if word.startswith(begun) and word not in head.split(",")]


def code_names(incomplete: str) -> list[str]:
    """Return the codes and names that a list of codes can continue with, for completion.

    >>> code_names("R042,furi")
    ['R042,furiten']
    """
    # Imported here: only completion needs the table.
    from mjconv.referee.codes import CODES

    head, comma, begun = incomplete.rpartition(",")
    words = (*(kind.name for kind in CODES.values()), *CODES)
    return [f"{head}{comma}{word}" for word in words if word.startswith(begun)]


#: The languages that ``--lang`` takes. `mjconv.viewer.words` is not loaded at every start.
LANGUAGES: Final = ("en", "ja", "zh")
#: The engines of ``fleet``, each with the package that it needs.
ENGINES: Final = {"local": "", "ray": "ray", "dask": "distributed"}


def _hold(context: typer.Context, settings: list[str] | None) -> None:
    """Apply the limits while the command runs."""
    if settings:
        context.with_resource(limits.using(limits.parse(*settings)))


def _hold_served(context: typer.Context, settings: list[str] | None) -> None:
    """Apply the limits of a server, which are lower, while the command runs."""
    served = limits.parse("file-bytes=16MiB", "unpacked-bytes=64MiB", "archive-members=1000", "faults=1000")
    context.with_resource(limits.using(limits.parse(*settings or (), base=served)))


def _read_in(context: typer.Context, name: str | None) -> None:
    """Put the encoding in force while the command runs."""
    if name is not None:
        context.with_resource(encoding.using(name))


def _without_walls(context: typer.Context, wanted: bool) -> None:
    """Skip walls while the command runs."""
    if wanted:
        context.with_resource(walls.using(False))


INPUTS: Final = argument("IN...", "Files to read, or patterns; - is standard input.", list[str], expands=True)
FORMATS: Final[Parameters] = {
    "names": argument("[NAME...]", "Formats to list; all without a name.", list[str], needed=False)
}
SCHEMA: Final[Parameters] = {
    "names": argument("[NAME...]", "Schemas to print, such as message or accepted/hora.", list[str], needed=False)
}
PATHS: Final = argument("IN...", "Files, folders, archives, patterns such as 'logs/*.zip'.", list[str])
OUTPUT: Final = value(NAMES["output"], "OUT", "File to write; - is standard output.")
SOURCE: Final = value(
    NAMES["source"],
    "FORMAT",
    "Format of the input, if its name and contents do not show it.",
    completion=format_names,
)
TARGET: Final = value(
    NAMES["target"], "FORMAT", "Format of the output, if its name does not show it.", completion=format_names
)
HOUSE: Final = value(
    "--house",
    "RULES",
    "House rules for the check, such as kiriage,honba=1500.",
    completion=house_rules,
)
WHERE: Final = value(
    "--where", "EXPRESSION", 'Only matches with these facts: "players = 4 and date >= 2023-01-01".'
)
NO_CLOBBER: Final = flag("--no-clobber", "Overwrite no existing file.")
_SEAT: Final = "a number from 0, a first wind (E, S, W, N), or the name of its player"
SEAT: Final = value(
    "--seat", "SEAT", f"Write the in-game stream that this seat receives: {_SEAT}; or all. Other tiles are ?."
)
ANSWERS: Final = flag("--answers", "With --seat: keep the answers of this player, where the input has them.")
TABLE_FORMAT: Final = value(
    "--format",
    "NAME",
    "How the table is written: tsv, csv, json, md, xlsx, parquet; default: by the name of OUT, else tsv.",
    completion=table_formats,
)
QUIET: Final = flag(NAMES["quiet"], "Print errors only.")
JOBS: Final = number("--jobs", "N", "Number of worker processes; default: one per core.")

#: Options that put a setting in force while a command runs. The command itself does not receive their values.
READ_SETTINGS: Final[Parameters] = {
    "limit": value(
        "--limit",
        "NAME=NUMBER",
        "Change an input limit, for example file-bytes=2GiB.",
        kind=list[str] | None,
        completion=limit_names,
        callback=_hold,
    ),
    "text_encoding": value(
        "--encoding",
        "NAME",
        "Read text in this encoding, for example shift_jis; usually UTF-8. Output is UTF-8.",
        completion=encoding_names,
        callback=_read_in,
    ),
}
SETTINGS: Final[Parameters] = {
    **READ_SETTINGS,
    "no_wall": flag(
        "--no-wall", "Do not work out the walls from the seeds of Tenhou records.", callback=_without_walls
    ),
}

#: How to write, for all commands that convert.
WRITE: Final[Parameters] = {
    "plain": flag(
        NAMES["plain"],
        "Write no notes. Notes keep data that the output format cannot express. They may hold the whole input, "
        "with all names and account ids.",
    ),
    "fill": flag(NAMES["fill"], "Write values that can be derived but are missing in the input."),
    "lossy": flag(
        NAMES["lossy"], "Hide tiles that the output format lacks. Without --lossy, such a match is refused."
    ),
}

CONVERT: Final[Parameters] = {
    "source": SOURCE,
    "target": TARGET,
    **WRITE,
    "strict": flag(NAMES["strict"], "Write nothing if data would be dropped, assumed or approximated (status 3)."),
    "report": value(NAMES["report"], "FILE", "Write all losses and warnings to this file, as JSON."),
    "quiet": QUIET,
    "check": flag("--check", "Check the input by the rules first; write nothing if there are errors."),
    "house": HOUSE,
    "verify": flag(
        "--verify", "Read the output again and compare it with the input; write nothing if they differ."
    ),
    **SETTINGS,
}

JOIN: Final[Parameters] = {
    "inputs": INPUTS,
    "output": OUTPUT,
    **CONVERT,
    "no_clobber": NO_CLOBBER,
    "in_place": flag("--in-place", "Let the output replace an input; without -o, replace the input."),
    "seat": SEAT,
    "answers": ANSWERS,
}

SPLIT: Final[Parameters] = {
    "file": argument("IN", "File to split; - is standard input."),
    "where": value("-o --output", "OUT", "Folder, or a pattern such as out/game_%03d.jmjp.", default=...),
    **CONVERT,
    "no_clobber": NO_CLOBBER,
}

INFO: Final[Parameters] = {
    "files": INPUTS,
    "source": SOURCE,
    "as_json": flag("--json", "Print one JSON object per file, each on one line."),
    "everything": flag("--all", "Also read folders and archives: show all records in them."),
    "where": WHERE,
    "quiet": QUIET,
    **READ_SETTINGS,
}

VALIDATE: Final[Parameters] = {
    "files": argument("FILE...", "Files, folders, archives; - is standard input.", list[str]),
    "level": value(
        "--level",
        "LEVEL",
        f"The level of the checks: {', '.join(get_args(Level))}.",
        default="rules",
        completion=one_of(*get_args(Level)),
    ),
    "pictures": flag("--explain", "Show a picture of the table at each finding."),
    "propose": flag("--propose", "Propose the value that a record likely means, where exactly one fits."),
    "fix_list": value(
        "--fix-list", "FILE", "Write a table of the findings, .csv, .tsv or .xlsx, with what --propose finds."
    ),
    "select": value(
        "--select",
        "CODES",
        "Report only these: R042, R04, furiten, with commas.",
        kind=list[str] | None,
        completion=code_names,
    ),
    "ignore": value("--ignore", "CODES", "Do not report these.", kind=list[str] | None, completion=code_names),
    "output": value(
        "--format",
        "NAME",
        f"How the findings are printed: {', '.join(OUTPUTS)}.",
        default="text",
        completion=one_of(*OUTPUTS),
    ),
    "as_json": flag("--json", "The same as --format json."),
    "color": value(
        "--color", "WHEN", f"Use colours: {', '.join(WHEN)}.", default="auto", completion=one_of(*WHEN)
    ),
    "source": SOURCE,
    "house": HOUSE,
    "where": WHERE,
    "fail_on_warnings": flag("--fail-on-warnings", "Treat warnings as errors (status 1)."),
    "quiet": QUIET,
    **READ_SETTINGS,
}

VIEW: Final[Parameters] = {
    "files": argument(
        "IN...",
        "File to show; - is standard input. Several files, folders, archives for one page.",
        list[str],
        expands=True,
    ),
    "output": value(
        "-o --output",
        "OUT",
        "Page to write, such as game.html, or x.svg or x.png for one position; - is standard output.",
    ),
    "opens": flag("--open", "Open the page in the browser; without -o it is a temporary file."),
    "terminal": flag("--terminal", "Show the match in the terminal; needs Textual. The default in a terminal."),
    "text": flag("--text", "Print the match as text. The default elsewhere."),
    "seat": value("--seat", "SEAT", f"Look from this seat: {_SEAT}."),
    "round": value("--round", "ROUND", "Begin with this round, such as S3-1, s3 or 'South 3'."),
    "step": value("--step", "STEP", "Begin with this step of the round; 0 is the deal. E2-0.40 names both."),
    "card": value("--card", "ROUND", "Draw the result of this round: with -o x.png or x.svg."),
    "font": value("--font", "FILE", "Take this font for a PNG picture, beside those of the system."),
    "match": number("--match", "N", "Show this match of the file, counted from 1.", most=None),
    "lang": value(
        "--lang", "LANG", "Language: en, ja, zh, zh-CN; default: browser's, or en.", completion=one_of(*LANGUAGES)
    ),
    "check": flag("--check", "Check the match by the rules, and mark the findings at their steps."),
    "house": HOUSE,
    "watch": flag("--watch", "Serve the page on this machine, and show each save of the file; stop with Ctrl-C."),
    "port": number("--port", "PORT", "Port of --watch; default: any free one.", most=65535),
    "no_walls": flag("--no-wall", "Show no walls, and do not work them out."),
    "no_credit": flag("--no-credit", "Leave out the line of mjconv."),
    "source": SOURCE,
    "no_clobber": NO_CLOBBER,
    "quiet": QUIET,
    **READ_SETTINGS,
}

NEW: Final[Parameters] = {
    "file": argument("FILE", "File to make: .jmjp for a match, .club or .hk for the results of an evening."),
    "players": value("--players", "A,B,C,D", "The four players from east on; a terminal asks for them."),
    "date": value("--date", "DATE", "The date, yyyy-mm-dd."),
    "tournament": value("--tournament", "NAME", "The tournament."),
    "place": value("--place", "NAME", "The place."),
    "rules": value("--rules", "POINTS", "Start, return, what the 4th and what the 3rd pay; default: 25,30,20,10."),
    "like": value("--like", "FILE", "Copy the head of this file: the same players and rules, the next match."),
}

FMT: Final[Parameters] = {
    "files": argument(
        "FILE...", "Files of jmjp, uzje, hk or club, or patterns; - is standard input.", list[str], expands=True
    ),
    "check": flag("--check", "Write nothing; status 1 if a file has another layout."),
    "diff": flag("--diff", "Write nothing; print the differences, and status 1 if there are any."),
    "source": SOURCE,
    "quiet": QUIET,
    **READ_SETTINGS,
}

SCORE: Final[Parameters] = {
    "files": INPUTS,
    "output": OUTPUT,
    "format": TABLE_FORMAT,
    "counted_as": value("--as", "RULES", "Count games by other rules too, by the rules named: hk."),
    "sort": value("--sort", "COLUMN", "Sort by this column, such as name; default: points."),
    "by": value("--by", "PERIOD", "A table for each day, month or year.", completion=score_periods),
    "running": flag("--running", "The points of each player after each game, or each period of --by."),
    "season": value("--season", "FILE", "Read other names of players, teams, and the rules of all games."),
    "teams": flag("--teams", "A row for each team of the season."),
    "min_games": number("--min-games", "N", "Leave out who has fewer games.", most=None),
    "blame": flag("--blame", "Also count the games that each player is to blame for."),
    "since": value("--since", "DATE", "Count games from this day, month or year on: 2024-02-03, 2024-02 or 2024."),
    "until": value("--until", "DATE", "Count games up to the end of this day, month or year."),
    "quiet": QUIET,
    "no_clobber": NO_CLOBBER,
    **READ_SETTINGS,
}

#: What ``stats --by`` takes. `mjconv.score.stats` needs polars, and is not loaded at every start.
STATS_BY: Final = ("month", "room", "seat", "rank", "team")
STATS: Final[Parameters] = {
    "inputs": argument("IN...", "Files, folders, archives, patterns; .parquet of batch --to parquet.", list[str]),
    "output": OUTPUT,
    "format": TABLE_FORMAT,
    "by": value("--by", "FACT", f"Rows for each of these: {', '.join(STATS_BY)}.", completion=one_of(*STATS_BY)),
    "player": value("--player", "NAME", "Rows of this player alone; may be given again.", kind=list[str]),
    "min_games": number("--min-games", "N", "Leave out who has fewer games.", most=None),
    "sort": value("--sort", "COLUMN", "Sort by this column, such as win_rate; default: games."),
    "columns": value("--columns", "NAMES", "Write these columns, with commas between them; default: all."),
    "wide": flag("--wide", "Show all columns on a terminal too, where the table has some by default."),
    "where": WHERE,
    "dedup": flag("--dedup", "Count each match once: of several records of a play, the one that states most."),
    "source": SOURCE,
    "quiet": QUIET,
    "no_clobber": NO_CLOBBER,
    **READ_SETTINGS,
}

REVIEW: Final[Parameters] = {
    "inputs": argument(
        "IN...", "Files, folders, archives, patterns; with --compare two files of rows.", list[str]
    ),
    "bot": value("--bot", "COMMAND", "Command that starts the bot, such as 'python3 bot.py {seat}'."),
    "seat": value(
        "--seat",
        "SEAT",
        f"The player whose place the bot takes: {_SEAT}; or all. Default: the one whose hand is seen, or 0.",
    ),
    "output": value(
        "-o --output",
        "OUT",
        "File to write: .html the replay, .mjson the record with the answers, .jsonl .csv .parquet rows.",
    ),
    "protocol": value(
        "--protocol",
        "NAME",
        "How the bot is asked: lines, one answer a message; batch, one answer an array of messages.",
        default="lines",
        completion=one_of("lines", "batch"),
    ),
    "listen": value("--listen", "HOST:PORT", "Wait here for the bot to connect, once a game, instead of pipes."),
    "timeout": value("--timeout", "SECONDS", "Time for an answer; the first one may take a minute. Default: 10."),
    "jobs": number("--jobs", "N", "Number of bots that run at the same time; default: 1."),
    "resume": flag("--resume", "Continue an interrupted review with the same options."),
    "compare": flag("--compare", "Compare two files of rows: where the answers of two bots differ."),
    "source": SOURCE,
    "where": WHERE,
    "no_clobber": NO_CLOBBER,
    "quiet": QUIET,
    **READ_SETTINGS,
}

SERVE: Final[Parameters] = {
    "host": value(
        "--host", "ADDRESS", "Address to serve at; 127.0.0.1 is this machine alone.", default="127.0.0.1"
    ),
    "port": number("--port", "PORT", "Port to serve at; default: 8000.", most=65535),
    "opens": flag("--open", "Open the page in the browser."),
    "jobs": JOBS,
    "bot": value("--bot", "NAME=COMMAND", "A bot for reviews; may be repeated.", kind=list[str] | None),
    "public": flag("--public", "Allow an address that other computers reach."),
    "public_host": value(
        "--public-host", "NAME", "Answer requests that name this host too; may be repeated.", kind=list[str] | None
    ),
    "limit": value(
        "--limit",
        "NAME=NUMBER",
        "Change an input limit; file-bytes is 16 MiB here, for all files of a request.",
        kind=list[str] | None,
        completion=limit_names,
        callback=_hold_served,
    ),
}

#: How batch and fleet convert.
MANY: Final[Parameters] = {
    "where": WHERE,
    "dedup": flag("--dedup", "Write each match once: of several records of a play, the one that states most."),
    "split": value("--split", "FRACTIONS", "Divide the matches by their play: train=0.95,val=0.05."),
    **WRITE,
    "seat": SEAT,
    "answers": ANSWERS,
    "strict": flag("--strict", "Refuse files whose data would be dropped, assumed or approximated."),
    "check": flag("--check", "Check each file by the rules first; refuse files with errors."),
    "house": HOUSE,
    "verify": flag("--verify", "Read each output again and compare it with the input; refuse differences."),
    "kanachan": value(
        "--kanachan",
        "SETTINGS",
        "Values that records do not state, for --to kanachan: room=0..4, level=0..15, grading=N.",
    ),
    **SETTINGS,
}
_OWN_TARGETS: Final = "parquet: columns of all events; decisions, kanachan: rows for training."

BATCH: Final[Parameters] = {
    "inputs": PATHS,
    "output": value("-o --output", "OUT", "Folder, or archive: .zip .tar .tar.gz .tar.zst .parquet", default=...),
    "target": value(
        "-t --to", "FORMAT", f"Format of the output; {_OWN_TARGETS}", default=..., completion=batch_targets
    ),
    "source": SOURCE,
    "jobs": JOBS,
    "resume": flag("--resume", "Continue an interrupted run with the same options."),
    "force": flag("--force", "Start again and overwrite existing output."),
    "keep_bad": value("--keep-bad", "FOLDER", "Put copies of the files that fail into this folder."),
    "report": value("--report", "FILE", "Write the summary of the run to this file, as JSON."),
    "tables": value(
        "--tables", "NAMES", "Write these tables of --to parquet into a folder: games,seats,rounds,events."
    ),
    "shards": number(
        "--shards", "N", f"Write N files with one match per line (--to {', '.join(line_formats())})."
    ),
    **MANY,
    "quiet": QUIET,
}

#: The engine of a fleet.
ENGINE: Final[Parameters] = {
    "engine": value(
        "--engine",
        "ENGINE",
        f"Engine that runs the shards: {', '.join(ENGINES)}.",
        default="local",
        completion=one_of(*ENGINES),
    ),
    "jobs": number("--jobs", "N", "Number of workers; default: one per core."),
    "address": value("--address", "ADDRESS", "Cluster of Ray or Dask to use; default: this machine."),
}
_FLEET: Final[Parameters] = {"output": argument("OUT", "Folder or address that fleet plan wrote to.")}
_SKIP_FAILED: Final = flag("--skip-failed", "Write the manifest without the shards that fail, and list them.")
_AS_JSON: Final = flag("--json", "Print JSON, one object a line.")

FLEET_PLAN: Final[Parameters] = {
    "inputs": PATHS,
    "output": value("-o --output", "OUT", "Folder or address for the plan, parts and manifest.", default=...),
    "target": value(
        "-t --to", "FORMAT", f"Format of the parts; {_OWN_TARGETS}", default=..., completion=batch_targets
    ),
    "source": SOURCE,
    "lines": flag("--lines", "Parts are files with one match per line, not zip archives."),
    "files": number("--files", "N", "Number of files in a shard; default: 10000."),
    **ENGINE,
    **MANY,
    "force": flag("--force", "Replace the plan of the output."),
    "as_json": _AS_JSON,
    "quiet": QUIET,
}

FLEET_RUN: Final[Parameters] = {
    **_FLEET,
    **ENGINE,
    "attempts": number("--attempts", "N", "Number of times a shard is tried; default: 3."),
    "part": value(
        "--part", "I/N", "Convert part I of N, counted from 0, and write no manifest; fleet finish does."
    ),
    "skip_failed": _SKIP_FAILED,
    "as_json": _AS_JSON,
    "quiet": QUIET,
}
FLEET_FINISH: Final[Parameters] = {**_FLEET, "skip_failed": _SKIP_FAILED, "as_json": _AS_JSON, "quiet": QUIET}
FLEET_STATUS: Final[Parameters] = {**_FLEET, "as_json": _AS_JSON}
FLEET_VERIFY: Final[Parameters] = {**_FLEET, "as_json": _AS_JSON, "quiet": QUIET}
FLEET_CLEAN: Final[Parameters] = {**_FLEET, "quiet": QUIET}
