"""The page of the server. The result of an upload is a part of it, so that it works without a script too."""

import base64
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, NamedTuple

from jinja2 import Environment, Template

from mjconv.api import iter_records
from mjconv.converters.formats import MESSAGES, all_formats
from mjconv.files.reading import SPREADSHEETS
from mjconv.files.storage import held
from mjconv.ir import limits
from mjconv.ir.catalogue import beside
from mjconv.ir.errors import InputError, MjconvError, UsageError
from mjconv.languages import Language, language_of, translated
from mjconv.messages import loss_lines
from mjconv.rules.rulesets import RIICHI, ruleset_of
from mjconv.score.reading import games_of_files
from mjconv.score.score import standings
from mjconv.score.season import Season
from mjconv.serve.actions import FRAME, HTML, Given, Response, converted, findings, games, offered, spoken_text
from mjconv.serve.uploads import RequestFiles
from mjconv.source import Record
from mjconv.summary import summarise
from mjconv.viewer.facts import facts
from mjconv.viewer.words import Speaker

#: The begin of data of programs, which nobody types.
_DATA: Final = re.compile(rb"\s*+[\[{<]")
#: The languages in their own words.
_LANGUAGES: Final[dict[Language, str]] = {"en": "English", "ja": "日本語", "zh": "繁體中文", "zh-Hans": "简体中文"}
#: The options that are boxes of the page. The last word is that of the label.
_BOXES: Final = ("plain", "fill", "lossy", "as hk")
#: The most matches, findings and warnings that are shown, and the bytes that a page without a script holds.
_MOST, _MOST_HELD = 50, 4 << 20


def page(languages: str, most: int, **shown: Any) -> str:
    """Return the page in the first language that is known, of tags as browsers list them.

    `most` are the bytes that the server takes, and `shown` is what the template shows of an upload.
    """
    speaker = Speaker(spoken(languages))
    return _template().render(
        word=lambda key, *values: speaker.say((f"serve.{key}", *values)),
        offered=lambda text: offered(text, labels_of(speaker)),
        language=speaker.language,
        languages=_LANGUAGES,
        most=most,
        shown_most=limits.shown("file_bytes", most),
        **shown,
    )


@cache
def _template() -> Template:
    return Environment(autoescape=True).from_string(beside(__name__, "page.html").decode())


def spoken(tags: str) -> Language:
    """Return the first language that is known, of tags as browsers list them; else English."""
    for tag in tags.split(","):
        with suppress(UsageError):
            return language_of(tag.partition(";")[0].strip())
    return "en"


def show(files: RequestFiles, given: Given, bots: Sequence[str], *, script: bool) -> Response:
    """Return the page with the files of a request: contents, findings, conversions and standings.

    Without a `script`, the page holds the files in fields of its form, and each answer opens a page of its own.
    """
    records: list[Record] = []
    sheets = [name for name in files.names if name.lower().endswith(SPREADSHEETS)]
    texts = RequestFiles([name for name in files.names if name not in sheets], files.failed)
    for name in texts.names:
        try:
            records += iter_records(name, format=given.get("from"))
        except (MjconvError, OSError) as error:
            files.failed[name] = _of_results(name) or error if type(error) is UsageError else error
    speaker = Speaker(spoken(given.get("lang", "")))
    played = [record.match for record in records if _is_played(record)]
    listed = [*_listed(records, speaker), *(_Listed(0, name, "", [], True) for name in sheets)]
    sent = files.names if not script and sum(map(len, held.values())) <= _MOST_HELD else []
    # The errors of files that have some match are findings too.
    failed = [error for name, error in files.failed.items() if not (records and name in texts.names)]
    targets = [name for form in all_formats() if form.writes for name in (form.id, *form.flavours)]
    shown: dict[str, Any] = {
        "held": [(name, base64.b64encode(held[name]).decode()) for name in sent],
        "failed": [spoken_text(str(error)) for error in failed],
        "records": listed[:_MOST],
        "more": len(listed[_MOST:]),
        "findings": findings(RequestFiles(texts.names, {}), given, "text", _MOST, labels_of(speaker))
        if records
        else [],
        "targets": targets if records else [],
        "losses": _losses(texts, given),
        "players": summarise(played[0]).players if len(played) == 1 else (),
        "played": bool(played),
        "riichi": any(ruleset_of(match).id == RIICHI.id for match in played),
        "several": len(listed) > 1 or not played,
    }
    if listed and shown["several"]:
        shown |= _standings(files, given, speaker)
    fixed = {"script": script, "given": given, "bots": bots, "frame": FRAME}
    stream = f"/convert?to={MESSAGES}&plain=1&seat="
    html = page(given.get("lang", ""), limits.current().file_bytes, stream=stream, **fixed, **shown)
    return Response(html.encode("utf-8", "replace"), HTML)


def _of_results(name: str) -> InputError | None:
    """Return the error of a file without a clear format, read as the results of an evening; None of other data."""
    if _DATA.match(held[name]) is not None:
        return None
    try:
        list(games_of_files([name], Season(), lambda _: None))
    except InputError as error:
        return error
    return None


def labels_of(speaker: Speaker) -> dict[str, str]:
    """Return the labels of the options that are boxes of the page."""
    return {option: f"“{speaker.word(f'serve.{option.split()[-1]}')}”" for option in _BOXES}


def _is_played(record: Record) -> bool:
    return any(one.is_played for one in record.match.rounds)


class _Listed(NamedTuple):
    """An entry of the list: a match, by its number from 1, or all results of a file, which are one page."""

    number: int
    name: str
    facts: str
    players: list[str]
    results: bool


def _listed(records: Sequence[Record], speaker: Speaker) -> Iterator[_Listed]:
    tables: set[str] = set()
    for number, record in enumerate(records, 1):
        played, found = _is_played(record), summarise(record.match)
        if not played and record.source in tables:
            continue
        tables.update(() if played else [record.source])
        matches = [record.match]
        if not played:
            matches = [each.match for each in records if each.source == record.source and not _is_played(each)]
        known = [record.format or "", *(speaker.say(fact) for _, fact in facts(matches))]
        if not played:
            known.append(speaker.say(("serve.games", sum(max(1, len(match.rounds)) for match in matches))))
        points = [f"{each:,}" for each in found.points] if found.points else [""] * len(found.players)
        players = [f"{name or '?'} {each}" for name, each in zip(found.players, points, strict=False) if played]
        yield _Listed(number, record.source, " · ".join(filter(None, known)), players, not played)


def _losses(files: RequestFiles, given: Given) -> str:
    if "to" not in given:
        return ""
    try:
        losses = [loss for each in converted(files, given).values() for loss in each.losses]
        return "\n".join(map(translated, loss_lines(losses, given["to"])))
    except (MjconvError, OSError) as error:
        return spoken_text(str(error))


def _standings(files: RequestFiles, given: Given, speaker: Speaker) -> dict[str, list[Any]]:
    warnings: list[str] = []
    try:
        head, *rows = standings(games(files, given, warnings.append)).grid().cells()
    except (MjconvError, OSError) as error:
        return {"warnings": [spoken_text(str(error))]}
    return {
        "rows": [[speaker.word(f"score.{cell}") for cell in head], *rows],
        "warnings": [*map(spoken_text, warnings[:_MOST])],
    }
