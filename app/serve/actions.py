"""The actions of the server: public functions of the library, which `api.json` describes with their parameters."""

import io
import os
import re
import sys
import zipfile
from collections.abc import Callable, Mapping
from itertools import chain, islice
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from mjconv.api import iter_matches, iter_records
from mjconv.batch.worker import failure_of
from mjconv.conversion import Conversion, convert
from mjconv.converters.shared.standings import ScoredGame
from mjconv.files.reading import SPREADSHEETS
from mjconv.files.storage import held
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError, MjconvError, UsageError, shortened
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.languages import translated
from mjconv.messages import json_line
from mjconv.reviewer.bot import Bot
from mjconv.reviewer.play import review
from mjconv.reviewer.rows import FILES
from mjconv.rules.house import house_of
from mjconv.score.formats import FORMATS, format_for
from mjconv.score.player_stats import stats
from mjconv.score.reading import games_of_files, score_format
from mjconv.score.score import in_order, standings
from mjconv.score.season import Season
from mjconv.score.table import Grid
from mjconv.serve.uploads import RequestFiles
from mjconv.source import source_of
from mjconv.summary import summarised
from mjconv.validation.check import Validation, Wanted
from mjconv.validation.text import Colours, output_of
from mjconv.viewer.show import evening, evening_of, view

#: The parameters of a request, by their names in `API`.
Given: TypeAlias = dict[str, Any]
#: The description of the actions and their parameters, in OpenAPI.
API: Final = catalogue(__name__, "api.json", dict[str, Any])
#: The field of a form that a script sends.
SCRIPT: Final = "script"
HTML: Final = "text/html; charset=utf-8"
PROBLEM: Final = "application/problem+json"
#: The errors that are none of the contents of a file, by their kinds.
_STATUS: Final = {"limit": 413, "format": 400, "seat": 400, "internal": 500}
_POLICY: Final = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
#: What a page in a frame may do: run its own scripts, and offer files. It is of no origin.
FRAME: Final = "allow-scripts allow-downloads"
SANDBOX: Final = f"sandbox {FRAME}; frame-ancestors 'self'"
#: Options of the command that no request has, as messages name them, and the text in their place.
_ABSENT: Final = (
    (re.compile(r"; --limit \S+ raises it"), " of this server"),
    (re.compile(r", or use --encoding"), ""),
    (re.compile(r"--encoding [^;\n]*"), "save it as UTF-8"),
    (re.compile(r"[;:] [^;:\n]*--(since|season|report)\b[^;:\n]*"), ""),
    (re.compile(r": `mjconv split`[^;\n]*"), ""),
)
_OPTION: Final = re.compile(r"--(as hk|[a-z]+)")
#: The types of tables that are text.
_TEXTS: Final = {".csv": "text/csv", ".tsv": "text/tab-separated-values", ".md": "text/markdown"}


class Response(msgspec.Struct, frozen=True):
    """The answer to a request: bytes, their type, status, and more headers. `policy` is what its page may do."""

    data: bytes
    kind: str = "application/json"
    status: int = 200
    headers: dict[str, str] = {}
    policy: str = "default-src 'none'; frame-ancestors 'none'"


def offered(text: str, labels: Mapping[str, str] | None = None) -> str:
    """Return a message of the command with what a request has in the place of options.

    `labels` are other names of parameters.

    >>> offered("is nested too deeply (the limit nesting; --limit nesting=NUMBER raises it)")
    'is nested too deeply (the limit nesting of this server)'
    >>> offered("a flower tile; --lossy hides the tiles that tenhou lacks")
    'a flower tile; lossy hides the tiles that tenhou lacks'
    """
    text = _without_options(text)
    names = {name: name for name in API["components"]["parameters"]} | {"as hk": "as=hk"} | dict(labels or {})
    return _OPTION.sub(lambda found: names.get(found[1], found[0]), text)


def _without_options(text: str) -> str:
    for absent, instead in _ABSENT:
        text = absent.sub(instead, text)
    return text


def spoken_text(text: str) -> str:
    """Return a message of the command in the current language, without the options that no request has."""
    return translated(_without_options(text))


def problem(error: Exception, name: str = "", labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return an error as the members of problem+json.

    `shown` is the text of the command in the current language, with its line and caret. `labels` are other names
    of parameters in it.

    >>> problem(UsageError("no such format"))["title"], problem(UsageError("no such format"))["status"]
    ('format', 400)
    """
    if isinstance(error, MemoryError):
        text = "it needs more memory than the server gives to a request"
        return {"type": "about:blank", "title": "limit", "status": 413, "detail": text}
    found = failure_of(getattr(error, "file", None) or name, error)
    shown = spoken_text(str(error)) if isinstance(error, MjconvError) else ""
    place = {"file": found.member, "line": found.line, "column": found.column, "text": found.text}
    status = _STATUS.get(found.kind, 422)
    stated = {"type": "about:blank", "title": found.kind, "status": status, "detail": offered(found.error)}
    return stated | {key: value for key, value in (place | {"shown": offered(shown, labels)}).items() if value}


def json_answer(values: list[Any], files: RequestFiles) -> Response:
    """Return values as a JSON array, and behind them the errors of files that cannot be read."""
    return Response(json_line([*values, *(problem(error, name) for name, error in files.failed.items())]).encode())


def page_answer(html: str) -> Response:
    """Return a page of the viewer: its own policy is that of the answer too, in a sandbox."""
    found = _POLICY.search(html)
    return Response(html.encode(), HTML, policy=f"{found[1] if found else ''}; {SANDBOX}")


def download(data: bytes, name: str) -> Response:
    """Return bytes that a browser saves under a name."""
    named = f"attachment; filename*=UTF-8''{quote(os.path.basename(name))}"
    ending = os.path.splitext(name)[1]
    kind = f"{_TEXTS[ending]}; charset=utf-8" if ending in _TEXTS else "application/octet-stream"
    return Response(data, kind, headers={"Content-Disposition": named})


def _info(files: RequestFiles, given: Given, _: Bot | None) -> Response:
    done = files.each(lambda name: summarised(source_of(held[name], given.get("from"), name), Report()))
    return json_answer([*done.values()], files)


def findings(
    files: RequestFiles, given: Given, form: str, most: int | None = None, labels: Mapping[str, str] | None = None
) -> list[str]:
    """Return the first findings in the files, written in a format of ``validate --format``."""
    wanted = Wanted(given.get("level", "rules"), house_of(given.get("house", "")))
    validation = Validation(wanted, given.get("from"))
    read = (finding for name in files.names for finding in validation.of_path(name))
    unread = (finding for name, error in files.failed.items() for finding in validation.unread(error, name))
    found = (replace(finding, message=offered(finding.message, labels)) for finding in chain(read, unread))
    return list(output_of(form)(islice(found, most), Colours()))


def _validate(files: RequestFiles, given: Given, _: Bot | None) -> Response:
    form = given.get("format", "json")
    lines = findings(files, given, form)
    if form == "json":
        return Response(f"[{','.join(lines)}]".encode())
    return Response("".join(f"{line}\n" for line in lines).encode(), "text/plain; charset=utf-8")


def converted(files: RequestFiles, given: Given) -> dict[str, Conversion]:
    """Convert each file."""
    if "to" not in given:
        raise UsageError("name the format of the output, such as to=mjai")
    options = {key: given[key] for key in ("plain", "fill", "lossy", "strict", "check", "seat") if key in given}
    target, source = given["to"], given.get("from")
    return files.each(lambda name: convert(held[name], target=target, source=source, file=name, **options))


def _convert(files: RequestFiles, given: Given, _: Bot | None) -> Response:
    done: dict[str, Conversion] = {}
    for name, out in converted(files, given).items():
        named = f"{os.path.splitext(name)[0]}{out.extension}"
        while named in done:
            name = named = f"{name}{out.extension}"
        done[named] = out
    if len(done) == 1 and not files.failed:
        [(name, out)] = done.items()
        return download(out.data, name)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, out in done.items():
            archive.writestr(name, out.data)
        for name, error in files.failed.items():
            archive.writestr(f"{name}.error.json", json_line(problem(error, name)))
    return download(packed.getvalue(), f"{given['to']}.zip")


def _losses(files: RequestFiles, given: Given, _: Bot | None) -> Response:
    done = converted(files, given)
    reports = [{"input": name, "losses": out.losses, "warnings": out.warnings} for name, out in done.items()]
    return json_answer(reports, files)


def _match(files: RequestFiles, given: Given) -> Match:
    """Return the match of a number. Raises the error of the first file that cannot be read if there is none."""
    errors, number = [*files.failed.values()], given.get("match", 1)
    matches = iter_matches(files.names, format=given.get("from"), errors=errors.append)
    found = list(islice(matches, min(max(number, 0), sys.maxsize)))
    if len(found) == number > 0:
        return found[-1]
    if number < 1:
        raise UsageError(f"there is no match {number}: matches count from 1")
    raise errors[0] if errors else UsageError(f"there is no match {number}: {len(found)} were sent")


def _view(files: RequestFiles, given: Given, _: Bot | None) -> Response:
    options = {key: given[key] for key in ("lang", "seat", "check") if key in given}
    house = house_of(given["house"]) if "house" in given else None
    return page_answer(view(_match(files, given), house=house, **options).html)


def games(files: RequestFiles, given: Given, warn: Callable[[str], None] = lambda _: None) -> list[ScoredGame]:
    """Return the games of all files, in their order."""
    if given.get("as") not in (None, score_format().id):
        raise UsageError(f"as takes {score_format().id}, not {given['as']!r}")
    return in_order(games_of_files(files.whole(), Season(revalue="as" in given), warn))


def _table(grid: Grid, given: Given, name: str) -> Response:
    form = format_for(given.get("format", "json"), None)
    return download(FORMATS[form](grid), f"{name}.{form}")


def _score(files: RequestFiles, given: Given, _: Bot | None) -> Response:
    if "only" in given:
        files = files.only(given["only"])
    if given.get("format") == "html":
        title, lang = ", ".join(files.names[:3]), given.get("lang")
        if "as" not in given and not any(name.lower().endswith(SPREADSHEETS) for name in files.names):
            matches = list(iter_matches(files.whole()))
            if all(any(one.is_played for one in match.rounds) for match in matches):
                # Each game is a click away.
                return page_answer(evening_of(matches, title, lang=lang).html)
        return page_answer(evening(games(files, given), title, lang=lang).html)
    return _table(standings(games(files, given)).grid(), given, "score")


def _stats(files: RequestFiles, given: Given, _: Bot | None) -> Response:
    return _table(stats(iter_records(files.whole(), format=given.get("from"))), given, "stats")


def _review(files: RequestFiles, given: Given, bot: Bot | None) -> Response:
    assert bot is not None, "the server gives a review to the worker of a bot"
    ending = f".{given.get('format', 'html')}"
    found = review(_match(files, given), given.get("seat"), bot)
    # The page shows answers alone, and the rows of others have the faults too.
    shown = any(row.answered for row in found.rows) if ending == ".html" else bool(found.rows)
    if found.lost and not shown:
        raise InputError(f"seat {found.lost[0].seat}: the game is lost: {found.lost[0].reason}")
    if ending == ".html":
        return page_answer(view(found.match, seat=next(iter(found.seats), None), lang=given.get("lang")).html)
    if ending not in (".jsonl", ".csv"):
        raise UsageError(f"format takes html, jsonl or csv, not {ending[1:]!r}")
    return download(b"".join(FILES[ending][0](iter(found.rows))), f"review{ending}")


#: The actions by their names in addresses.
_ALL: Final = (_info, _validate, _convert, _losses, _view, _score, _stats, _review)
ACTIONS: Final = {action.__name__.removeprefix("_"): action for action in _ALL}
_TYPES: Final = {"boolean": bool, "integer": int, "string": str}


def parsed(action: str, address: dict[str, str], form: dict[str, str]) -> Given:
    """Return the parameters of an action, or of the page without an action, which takes all.

    A form may have fields for other actions. Raises `UsageError` for any other parameter, and for a wrong value.
    """
    known = API["components"]["parameters"]
    if others := [name for name in form if name not in known and name != SCRIPT]:
        raise UsageError(f"there is no field {shortened(others[0])!r}: {', '.join(('file', 'text', *known))}")
    if action:
        names = [each["$ref"].rpartition("/")[2] for each in API["paths"][f"/{action}"]["post"]["parameters"]]
        if others := [name for name in address if name not in names]:
            raise UsageError(f"{action} takes no {others[0]!r}; it takes {', '.join(names)}")
        known = {name: known[name] for name in names}
    given: Given = {}
    values = {name: text for name, text in (form | address).items() if text and name in known}
    for name, text in values.items():
        kind = known[name]["schema"]["type"]
        try:
            given[name] = msgspec.convert(text, _TYPES[kind], strict=False)
        except msgspec.ValidationError:
            raise UsageError(f"{name} takes a value of type {kind}, not {shortened(text)!r}") from None
    return given
