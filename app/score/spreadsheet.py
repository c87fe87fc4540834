"""Read games from a spreadsheet: CSV, tab-separated values, or the first sheet of an Excel workbook.

The first row with known heads, or with three or more texts, is the head. These tables are read:

- a column for each player, with points (or the marks of HK scores) below;
- columns of a name and of points, one pair for each player of a game;
- one row for each player of a game, with a column for the game or its date.

Rows of settings (``uma 30 10``, ``B=0.5``) may be above. The rows become lines of club results or of HK scores.
"""

import csv
import io
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, timedelta
from itertools import accumulate, groupby
from typing import Final, NamedTuple
from xml.etree import ElementTree

from mjconv.converters.shared.settings import WORDS, plainly
from mjconv.files.zips import entries, read_entry
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError, Place, shortened
from mjconv.rules.scores import USUAL_START

#: The most cells of a sheet, with the empty ones before others, and the most columns.
_MOST_CELLS: Final = 1_000_000
_MOST_COLUMNS: Final = 1 << 14
_MOST_BYTES: Final = 1 << 26
#: The words of heads of columns by their kinds. Those of the kind without a name are left out.
_HEADS: Final = catalogue(__name__, "heads.json", dict[str, str])
#: What the first cell of a row of sums holds, which is no game.
_SUMS: Final = frozenset({"sum", "total", "totals", "合計", "合计", "總計", "总计"})
_KINDS: Final = {word: kind for kind, words in _HEADS.items() for word in words.split()}
_SETTING: Final = re.compile(r"[BMRSLT]=\S+")
_POINTS: Final = re.compile(r"[-+]?[\d,]+(?:\.\d+)?(?:点)?")
_MARKS: Final = frozenset("dDSf")
_DECIMAL_COMMA: Final = re.compile(r"[-+]?[0-9]+,[0-9]{1,2}")
#: What a row of games has: a number, or the sign of a player who does not play or of a game that did not end.
_PLAYED: Final = re.compile(r"[\d?-]")
_CELL: Final = re.compile(r"([A-Z]{1,3})[0-9]+")
#: The text of a cell whose formula failed.
_FAILED: Final = re.compile(r"#(?:[A-Z/0_]+[!?]|N/A)")
_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_BOOK: Final = "xl/workbook.xml"
#: Where the text of a cell and of a shared string is. Excel of Japan keeps the reading of a name beside it.
_OF_CELL: Final = (f"{_MAIN}v", f"{_MAIN}is/{_MAIN}t", f"{_MAIN}is/{_MAIN}r/{_MAIN}t")
_OF_STRING: Final = (f"{_MAIN}t", f"{_MAIN}r/{_MAIN}t")
#: The day 0 of the numbers of days of a workbook.
_DAY_0: Final = date(1899, 12, 30)
_LAST_DAY: Final = 2_958_465


class NoValue(NamedTuple):
    """A cell that has no value, and the reason."""

    reason: str


class SheetRow(NamedTuple):
    """A row: its number from 1, the texts of its cells, and why cells have none, by their columns."""

    number: int
    cells: list[str]
    unread: dict[int, str]

    def check(self, columns: Collection[int]) -> None:
        """Raise `InputError` if a cell of these columns has no value."""
        for column in columns:
            if column in self.unread:
                raise InputError(f"cell {letters(column)}{self.number} has no value: {self.unread[column]}")


class SheetLine(NamedTuple):
    """A line made of cells: its text, the number of the row, and where the text of each column begins."""

    text: str
    row: int = 0
    begins: tuple[tuple[int, int], ...] = ()


class Games(NamedTuple):
    """The lines of a spreadsheet, whether they are HK scores, and a sentence about what its columns are."""

    lines: list[SheetLine]
    hong_kong: bool
    taken: str

    def placed(self, error: InputError) -> InputError:
        """Return an error about a line with its cell."""
        place = error.place
        if place is None or not 0 < place.line <= len(self.lines):
            return error
        line = self.lines[place.line - 1]
        column = max((column for begin, column in line.begins if begin < place.column), default=0)
        cell = f"cell {letters(column)}{line.row}: " if line.row else ""
        return InputError(f"{cell}{error.message}", Place(line.row or 1, place.column, line.text))


def letters(column: int) -> str:
    """Return the letters of a column, counted from 0.

    >>> letters(0), letters(27)
    ('A', 'AB')
    """
    return (letters(column // 26 - 1) if column >= 26 else "") + chr(ord("A") + column % 26)


def games_of(name: str, data: bytes, spell: Callable[[Sequence[str]], Sequence[str]]) -> Games:
    r"""Return the games of a spreadsheet as lines. `spell` returns names as HK scores spell them.

    Raises `InputError` if no head is found, or for a sheet that is broken or too large.

    >>> games = games_of("may.csv", b"Date,Ann,Ben,Cho\n2024-05-03,40,35,30\n", list)
    >>> [line.text for line in games.lines]
    ['"Ann", "Ben", "Cho"', '2024-05-03', '40 35 30']
    >>> games.taken
    'row 1 is the head: column A: date; columns B to D: points of Ann, Ben, Cho'
    """
    lower = name.lower()
    read = _of_xlsx(data, name) if lower.endswith(".xlsx") else _of_text(data, "\t" * lower.endswith(".tsv"), name)
    rows = [_row(number, cells) for number, cells in read]
    lines: list[SheetLine] = []
    for index, row in enumerate(rows):
        text = _text_of(row)
        heads = sum(map(_is_head, row.cells)) + len(row.unread)
        if _is_setting(text):
            lines.append(SheetLine(text, row.number, ((0, 0),)))
        elif heads >= 3 or "name" in map(_kind, row.cells):
            row.check(row.unread)
            return _games(row, rows[index + 1 :], lines, spell)
    raise InputError("no row has heads: expected a date and names of players, or names and points", file=name)


def _row(number: int, cells: Sequence[str | NoValue]) -> SheetRow:
    # A cell may have several lines.
    texts = ["" if isinstance(cell, NoValue) else " ".join(cell.split()) for cell in cells]
    unread = {column: cell.reason for column, cell in enumerate(cells) if isinstance(cell, NoValue)}
    unread |= {column: text for column, text in enumerate(texts) if _FAILED.fullmatch(text)}
    return SheetRow(number, ["" if column in unread else text for column, text in enumerate(texts)], unread)


def _is_setting(text: str) -> bool:
    first = re.match(r"[^\W\d_]*", plainly(text))
    return bool(_SETTING.match(text)) or (first is not None and first[0].casefold() in WORDS and " " in text)


def _is_head(cell: str) -> bool:
    return bool(cell) and _POINTS.fullmatch(plainly(cell)) is None


def _kind(head: str) -> str | None:
    """Return what a head names; None if it is no known word."""
    return _KINDS.get(re.sub(r"[\W\d_]", "", plainly(head)).casefold())


def _games(
    head: SheetRow,
    rows: Sequence[SheetRow],
    lines: list[SheetLine],
    spell: Callable[[Sequence[str]], Sequence[str]],
) -> Games:
    kinds = {column: _kind(cell) for column, cell in enumerate(head.cells) if cell}
    of = {kind: [column for column, each in kinds.items() if each == kind] for kind in _HEADS}
    players = [column for column, kind in kinds.items() if kind is None]
    taken = [f"column {letters(at)}: {kind or 'left out'}" for at, kind in kinds.items() if kind is not None]
    names, of_names = [head.cells[column] for column in players], list(zip(of["name"], of["points"], strict=False))
    if of["name"] and len(of["name"]) != len(of["points"]):
        reason = f"row {head.number} has {len(of['name'])} columns of names and {len(of['points'])} of points"
        raise InputError(f"{reason}: pair them, or make a column for each player and a row for each game")
    if not of_names and len(players) < min(USUAL_START):
        raise InputError(f"row {head.number} names {len(players)} players, and a game has three or four")
    sums = [f"row {row.number}: left out" for row in rows if _is_sum(row)]
    padding = [""] * (max(kinds) + 1)
    rows = [row._replace(cells=row.cells + padding[len(row.cells) :]) for row in rows if not _is_sum(row)]
    for row in rows:
        row.check([column for column, kind in kinds.items() if kind != ""])
    hong_kong = not of_names and any(row.cells[column] in _MARKS for row in rows for column in players)
    if not of_names:
        first, last = letters(players[0]), letters(players[-1])
        taken.append(f"columns {first} to {last}: points of {', '.join(names)}")
        shown = " ".join(spell(names)) if hong_kong else ", ".join(map(_quoted, names))
        lines.append(SheetLine(shown, head.number, ((0, players[0]),)))
    # A number in a column without a head may be the points of somebody.
    beside = {at for row in rows if not _is_setting(_text_of(row)) for at, cell in enumerate(row.cells) if cell}
    taken += [f"column {letters(at)}: left out" for at in sorted(beside - kinds.keys())]

    def cells_of(row: SheetRow) -> list[tuple[int, str]]:
        if of_names:
            chombo = " chombo" * sum(_times(row.cells[column]) for column in of["chombo"][:1])
            pairs = [(column, row.cells[name], row.cells[column]) for name, column in of_names]
            return [(at, f"{_quoted(name)} {points}{chombo}") for at, name, points in pairs if name and points]
        played = [column for column in players if row.cells[column]]
        if played and not (hong_kong or any(_PLAYED.search(plainly(row.cells[column])) for column in played)):
            cell = f"cell {letters(played[0])}{row.number}"
            reason = f"{cell}: {shortened(row.cells[played[0]])} is no number of points"
            raise InputError(f"{reason}; heads are the names of players, or pairs of Player and Points")
        return [(column, row.cells[column] or "-") for column in players] if played else []

    # Rows of one player are a game if they have the same number and date.
    group, alone = of["game"] + of["date"], len(of_names) == 1
    for _, each in groupby(rows, lambda row: [row.cells[at] for at in group] if alone else row.number):
        game = list(each)
        text = _text_of(game[0])
        cells = [cell for row in game for cell in cells_of(row)]
        if alone and not of["game"] and len(cells) > max(USUAL_START):
            reason = f"rows {game[0].number} to {game[-1].number} have one date, and too many players for one game"
            raise InputError(f"{reason}: add a column Game that numbers the games")
        if not of_names and _is_setting(text):
            lines.append(SheetLine(text, game[0].number, ((0, 0),)))
        elif cells:
            if not (of_names or hong_kong):
                _check_points(game[0].number, *cells[0])
            lines += [*_day(game[0], of["date"]), _line(game[0].number, cells, ", " if of_names else " ")]
    return Games(lines, hong_kong, f"row {head.number} is the head: {'; '.join(taken + sums)}")


def _check_points(row: int, column: int, cell: str) -> None:
    """Raise `InputError` if the first cell of a game begins with a word: the line would begin with a name."""
    word = cell.split()[0]
    if re.search(r"[^\W\d_]", plainly(word).removesuffix("点")):
        cell = f"cell {letters(column)}{row}"
        raise InputError(f"{cell}: {shortened(word)} is no points: write a number, or - who does not play")


def _text_of(row: SheetRow) -> str:
    return " ".join(filter(None, row.cells))


def _is_sum(row: SheetRow) -> bool:
    """Return whether the first text of a row names the sums of columns."""
    first = next(filter(None, row.cells), "")
    return re.sub(r"\W", "", first).casefold() in _SUMS


def _quoted(name: str) -> str:
    return '"' + " ".join(name.split()).replace('"', '""') + '"'


def _times(cell: str) -> int:
    return int(cell) if cell.isdecimal() and len(cell) == 1 else bool(cell)


def _day(row: SheetRow, columns: Sequence[int]) -> list[SheetLine]:
    text = row.cells[columns[0]] if columns else ""
    if re.fullmatch(r"[0-9]{5,7}(\.[0-9]+)?", text) and float(text) <= _LAST_DAY:
        text = (_DAY_0 + timedelta(days=int(float(text)))).isoformat()
    text = text[:10] if re.match(r"\d{4}-\d\d-\d\d[T ]", text) else text
    return [SheetLine(text, row.number, ((0, columns[0]),))] if text else []


def _line(number: int, cells: Sequence[tuple[int, str]], between: str) -> SheetLine:
    starts = accumulate([0, *(len(cell) + len(between) for _, cell in cells)])
    begins = tuple([(start, column) for start, (column, _) in zip(starts, cells, strict=False)])
    return SheetLine(between.join([cell for _, cell in cells]), number, begins)


def _of_text(data: bytes, separator: str, name: str) -> Iterator[tuple[int, Sequence[str]]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Imported here: only a text in another encoding needs it.
        from mjconv.encoding_guess import refuse_other

        refuse_other(data, name)
        raise InputError(f"not UTF-8: byte {error.start}; save the file as CSV UTF-8, or use --encoding") from None
    # A title above the table may have none.
    first = next((line for line in text.splitlines() if re.search("[,;\t]", line)), "")
    separator = separator or max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for number, cells in enumerate(rows, 1):
            texts = [cell.strip().removeprefix("'") for cell in cells]
            if separator != ",":
                texts = [each.replace(",", ".") if _DECIMAL_COMMA.fullmatch(each) else each for each in texts]
            if any(texts):
                yield number, texts
    except csv.Error as error:
        raise InputError(f"row {rows.line_num}: {error}") from None


def _of_xlsx(data: bytes, name: str) -> Iterator[tuple[int, Sequence[str | NoValue]]]:
    stream = io.BytesIO(data)
    parts = {each.name: each.entry for each in entries(stream) if each.trouble is None}
    sheets = [part for part in parts if part.startswith("xl/worksheets/sheet")]
    if not sheets:
        raise InputError("this is no workbook: it has no sheet", file=name)

    def tree(part: str) -> ElementTree.Element:
        text = read_entry(stream, parts[part], name) if parts[part].size <= _MOST_BYTES else b""
        if not text or len(text) > _MOST_BYTES:
            raise InputError(f"{part} has no bytes, or more than {_MOST_BYTES}", file=name)
        if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
            raise InputError(f"{part} defines entities, which no workbook needs", file=name)
        try:
            return ElementTree.fromstring(text)
        except (ElementTree.ParseError, LookupError, ValueError) as error:
            # The last two are about the encoding that its first line names.
            raise InputError(f"{part} is no XML: {error}", file=name) from None

    settings = tree(_BOOK).find(f"{_MAIN}workbookPr") if _BOOK in parts else None
    if settings is not None and settings.get("date1904") in ("1", "true"):
        raise InputError("the workbook counts days from 1904: save the sheet as CSV", file=name)
    strings = []
    if "xl/sharedStrings.xml" in parts:
        strings = [_text(item, _OF_STRING) for item in tree("xl/sharedStrings.xml")]
    count = 0
    first = min(sheets, key=lambda part: (len(part), part))
    for number, row in enumerate(tree(first).iter(f"{_MAIN}row"), 1):
        cells: list[str | NoValue] = []
        for cell in row.iter(f"{_MAIN}c"):
            column = _column(cell.get("r", "")) if cell.get("r") else len(cells)
            if column >= _MOST_COLUMNS or count > _MOST_CELLS:
                reason = f"the sheet has more than {_MOST_CELLS} cells or {_MOST_COLUMNS} columns"
                raise InputError(reason, file=name)
            cells += [""] * (column + 1 - len(cells))
            value = _text(cell, _OF_CELL)
            if cell.get("t") == "s":
                at = _whole(value)
                known = str(at) == value and at < len(strings)
                cells[column] = strings[at] if known else NoValue(f"no text {value}")
            elif not value and cell.get("t") != "str" and cell.find(f"{_MAIN}f") is not None:
                cells[column] = NoValue("a formula without a value")
            else:
                cells[column] = _rounded(value)
        count += len(cells)
        if any(cells):
            yield _whole(row.get("r", "")) or number, cells


def _text(element: ElementTree.Element, paths: Sequence[str]) -> str:
    return "".join(each.text or "" for path in paths for each in element.iterfind(path))


def _whole(text: str) -> int:
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


def _column(reference: str) -> int:
    found = _CELL.fullmatch(reference)
    column = 0
    for letter in found[1] if found else "":
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1 if found else _MOST_COLUMNS


def _rounded(value: str) -> str:
    """Return a number without the error of its binary fraction.

    >>> _rounded("42.299999999999997"), _rounded("Ann")
    ('42.3', 'Ann')
    """
    if not re.fullmatch(r"\s*-?[0-9]+\.[0-9]{5,20}(E-?[0-9]{1,2})?\s*", value):
        return value
    return f"{float(value):.3f}".rstrip("0").rstrip(".")
