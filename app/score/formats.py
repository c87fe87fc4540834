"""Write a grid of scores in a file format: tab-separated values, CSV, JSON, Markdown, Excel or Parquet."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from fractions import Fraction
from io import BytesIO
from typing import Any, Final

from mjconv.files.compression import ending_of
from mjconv.ir.errors import UsageError, width
from mjconv.messages import escaped, json_number
from mjconv.packages import check_packages
from mjconv.score.table import Cell, Grid

#: The largest whole number up to which a spreadsheet has all.
_EXACT: Final = 1 << 53
#: The most rows, columns, and characters in a cell of a workbook, and the first year of its dates.
_XLSX_ROWS: Final = 1 << 20
_XLSX_COLUMNS: Final = 1 << 14
_XLSX_CHARACTERS: Final = (1 << 15) - 1
_XLSX_YEAR: Final = 1900
#: The widest column of a workbook, in characters.
_XLSX_WIDEST: Final = 40
#: The most lines of a chart.
_MOST_LINES: Final = 255
#: The time that each workbook states as the time of its creation.
_EPOCH: Final = datetime(1980, 1, 1)
#: Characters that XML cannot hold; the library escapes the controls among them.
_NO_XML: Final = re.compile("[\ud800-\udfff\ufffe\uffff]")
#: Characters with a meaning in Markdown.
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>#|~&$^-])")


def _json(grid: Grid) -> bytes:
    lines = []
    for row in grid.rows:
        cells = list(zip(grid.columns, map(_number, row), strict=True))
        values: dict[str, Any] = dict(cells[: grid.fixed])
        if grid.fixed is not None:
            values[grid.players] = dict(cells[grid.fixed :])
        lines.append(escaped(json.dumps(values, ensure_ascii=False, allow_nan=False)))
    return _encoded("[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n")


def _number(cell: Cell) -> str | int | float | None:
    """Return the value of a cell in JSON: a number as exact as it can be, a date as text."""
    if isinstance(cell, date):
        return cell.isoformat()
    return json_number(cell) if isinstance(cell, Fraction) else cell


def _markdown(grid: Grid) -> bytes:
    header, *rows = ([_in_markdown(cell) for cell in row] for row in grid.cells())
    numeric = [any(isinstance(cell, int | Fraction) for cell in column) for column in zip(*grid.rows, strict=True)]
    rules = ["---:" if number else ":---" for number in numeric or [False] * len(header)]
    return _encoded("".join(f"| {' | '.join(cells)} |\n" for cells in (header, rules, *rows)))


def _in_markdown(text: str) -> str:
    r"""Return a text in which nothing has a meaning in Markdown, on one line.

    >>> _in_markdown("a|b*"), _in_markdown("-904"), _in_markdown("net_score")
    ('a\\|b\\*', '-904', 'net\\_score')
    """
    if re.fullmatch(r"-?[0-9.-]+", text):
        return text
    return _MARKDOWN.sub(r"\\\1", " ".join(text.splitlines()))


def _xlsx(grid: Grid) -> bytes:
    _check_fits(grid)
    from xlsxwriter import Workbook

    stream = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = Workbook(stream, {**options, "default_date_format": "yyyy-mm-dd"})
    # The same scores give the same bytes.
    book.set_properties({"created": _EPOCH})
    sheet = book.add_worksheet("scores")
    sheet.write_row(0, 0, map(_in_xml, grid.columns), book.add_format({"bold": True}))
    for column, name in enumerate(grid.columns):
        texts = (grid.text(row[column]) for row in grid.rows)
        sheet.set_column(column, column, min(max(map(width, (name, *texts))) + 2, _XLSX_WIDEST))
    for number, row in enumerate(grid.rows, 1):
        sheet.write_row(number, 0, map(_in_cell, row))
    _add_chart(book, sheet, grid)
    sheet.freeze_panes(1, 0)
    book.close()
    return stream.getvalue()


def _add_chart(book: Any, sheet: Any, grid: Grid) -> None:
    """Add the chart of the points: a line for each player, or a bar for each row."""
    if grid.fixed is not None:
        kind, names, columns = "line", grid.fixed - 1, range(grid.fixed, len(grid.columns))[:_MOST_LINES]
    elif "net_score" in grid.columns:
        kind, names, found = "bar", list(grid.columns).index("name"), list(grid.columns).index("net_score")
        columns = range(found, found + 1)
    else:
        return
    last, chart = len(grid.rows), book.add_chart({"type": kind})
    for column in columns:
        places = {"name": (0, column), "categories": (1, names, last, names), "values": (1, column, last, column)}
        chart.add_series({key: [sheet.name, *place] for key, place in places.items()})
    if last and columns:
        sheet.insert_chart(1, len(grid.columns) + 1, chart)


def _in_cell(cell: Cell) -> Cell | float:
    """Return what a workbook holds: dates before its first one, and numbers that would lose digits, are text."""
    if isinstance(cell, str) or cell is None:
        return cell and _in_xml(cell)
    if isinstance(cell, date):
        return cell if cell.year >= _XLSX_YEAR else str(cell)
    if -_EXACT <= cell <= _EXACT:
        return cell if isinstance(cell, int) else float(cell)
    return str(cell if isinstance(cell, int) else json_number(cell))


def _in_xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)


def _parquet(grid: Grid) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = BytesIO()
    try:
        columns = [
            # A column of fractions also has the whole numbers among them as floats.
            pa.array([float(cell) if isinstance(cell, Fraction) else cell for cell in column])
            for column in zip(*grid.rows, strict=True)
        ]
    except OverflowError:
        raise UsageError("parquet holds no number as large as one of the table: write it as csv") from None
    arrays = columns or [pa.nulls(0)] * len(grid.columns)
    pq.write_table(pa.table(arrays, names=list(grid.columns)), stream)
    return stream.getvalue()


def _check_fits(grid: Grid) -> None:
    longest = max(len(str(cell)) for row in (grid.columns, *grid.rows) for cell in row)
    sizes = (
        ("rows", len(grid.rows) + 1, _XLSX_ROWS),
        ("columns", len(grid.columns), _XLSX_COLUMNS),
        ("characters in a cell", longest, _XLSX_CHARACTERS),
    )
    for what, number, most in sizes:
        if number > most:
            raise UsageError(f"xlsx holds at most {most} {what}, and the table has {number}: write it as csv")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


#: The writers of the formats of `--format`.
FORMATS: Final[Mapping[str, Callable[[Grid], bytes]]] = {
    "tsv": lambda grid: _encoded(grid.separated("\t")),
    "csv": lambda grid: _encoded(grid.separated(",")),
    "json": _json,
    "md": _markdown,
    "xlsx": _xlsx,
    "parquet": _parquet,
}
#: The endings of the pictures of `mjconv view`.
_OF_VIEW: Final = frozenset({".svg", ".png"})
#: The formats that are no text, each with the package that it needs.
BINARY: Final[Mapping[str, str]] = {"xlsx": "xlsxwriter", "parquet": "pyarrow"}
#: The format of a file by the ending of its name.
ENDINGS: Final[Mapping[str, str]] = {
    **{f".{name}": name for name in FORMATS},
    **dict.fromkeys((".tab", ".txt", ""), "tsv"),
    ".markdown": "md",
}


def format_for(wanted: str | None, output: str | None) -> str:
    """Return the format to write: `wanted`, else by the name of the output; ``tsv`` without a name.

    An ending such as ``.gz`` is ignored. Raises `UsageError` for an unknown format or ending, and where the
    library for it is not installed.

    >>> format_for(None, "scores.csv.gz"), format_for("json", "scores.csv"), format_for(None, None)
    ('csv', 'json', 'tsv')
    """
    ending = ending_of(output or "")
    chosen = ENDINGS.get(ending) if wanted is None else wanted
    if wanted is None and ending in _OF_VIEW:
        raise UsageError(f"score writes tables. A graph of the points is drawn by: mjconv view FILE -o {output}")
    if chosen is None or chosen not in FORMATS:
        if wanted is None:
            endings = ", ".join(f".{known}" for known in FORMATS)
            raise UsageError(f"tables are written to files that end in {endings}, and not in {ending}")
        raise UsageError(f"--format takes one of {', '.join(FORMATS)}: not {wanted!r}")
    if chosen in BINARY:
        check_packages(chosen, BINARY[chosen])
    return chosen
