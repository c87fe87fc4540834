"""`mjconv score` of spreadsheets: which columns are taken for what, wrong cells, workbooks, and charts."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from itertools import chain
from pathlib import Path

import xlsxwriter
from given import Run

from batch.archives import zipped
from looped import looped

POINTS = {"Ann": "42300", "Ben": "31000", "Mei Wong": "18200", "Dee": "8500"}
NETS = [["Ann", "17.3"], ["Ben", "6"], ["Mei Wong", "-6.8"], ["Dee", "-16.5"]]
SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s</worksheet>'
DAY = datetime.date(2024, 5, 3)
A_PLAYER_A_ROW = [["2024-05-03", "1", *pair] for pair in POINTS.items()]
WIDE = [["Date", *POINTS, "Eve"], ["2024-05-03", "42.3", "31", "18.2", "8.5", ""]]


def nets(out: bytes) -> list[list[str]]:
    rows = [line.split("\t") for line in out.decode().splitlines()]
    column = rows[0].index("net_score")
    return [[row[0], row[column]] for row in rows[1:]]


def csv(rows: list[list[str]], separator: str = ",") -> bytes:
    return "".join(f"{separator.join(row)}\n" for row in rows).encode()


def workbook(rows: list[list[object]]) -> bytes:
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream)
    sheet = book.add_worksheet()
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if isinstance(cell, datetime.date):
                sheet.write_datetime(number, column, datetime.datetime.combine(cell, datetime.time()))
            elif cell != "":
                sheet.write(number, column, cell)
    book.close()
    return stream.getvalue()


@looped(
    ("name", "data", "taken"),
    (
        "a.csv",
        csv(WIDE),
        "row 1 is the head: column A: date; columns B to F: points of Ann, Ben, Mei Wong, Dee, Eve",
    ),
    ("a.tsv", csv(WIDE, "\t"), "row 1 is the head: column A: date; columns B to F"),
    (
        "a.csv",
        csv([["日付", *POINTS, "備考"], ["2024年5月3日", *POINTS.values(), "x"]]),
        "column A: date; column F: left out; columns B to E",
    ),
    (
        "a.csv",
        csv([["日期", *POINTS], ["2024/5/3", "42,3", "31", "18,2", "8,5"]], ";"),
        "column A: date; columns B to E",
    ),
    (
        "a.csv",
        csv([["No.", *("Player", "Score") * 4], ["1", *chain(*POINTS.items())]]),
        "column A: game; column B: name; column C: points; column D: name",
    ),
    (
        "a.csv",
        csv([["日期", "桌", "姓名", "得分"], *A_PLAYER_A_ROW]),
        "column A: date; column B: game; column C: name; column D: points",
    ),
    (
        "a.csv",
        csv([["日付", *POINTS], ["", *POINTS.values()], ["合計", "1"]]),
        "columns B to E: points of Ann, Ben, Mei Wong, Dee; row 3: left out",
    ),
    (
        "a.csv",
        csv([["date", *POINTS], ["", *POINTS.values(), "7"], ["uma", "30", "10", "", "", "", "", ""]]),
        "columns B to E: points of Ann, Ben, Mei Wong, Dee; column F: left out\n",
    ),
    ("a.xlsx", workbook([["Date", *POINTS], [DAY, 42.3, 31, 18.2, 8.5]]), "column A: date; columns B to E"),
)
def test_columns_are_taken_by_their_heads(run: Run, name: str, data: bytes, taken: str) -> None:
    Path(name).write_bytes(data)
    outcome = run("score", name, "--running", "--format", "csv") if name == "a.xlsx" else run("score", name)
    assert f"{name}: row 1 is the head: " in outcome.err
    assert taken in outcome.err
    if name == "a.xlsx":
        assert outcome.out.decode().splitlines()[1] == "1,2024-05-03,17.3,6,-6.8,-16.5"
    assert nets(run("score", name, "-q").out) == NETS


def test_settings_above_the_head_count(run: Run) -> None:
    Path("a.csv").write_bytes(csv([["uma", "30", "10"], *WIDE]))
    assert nets(run("score", "a.csv", "-q").out)[0] == ["Ann", "47.3"]


def test_a_title_above_the_table_hides_no_separator(run: Run) -> None:
    for separator in ";\t":
        Path("a.csv").write_bytes(b"Our club\n" + csv(WIDE, separator))
        assert nets(run("score", "a.csv", "-q").out) == NETS


def test_hong_kong_marks_make_hong_kong_games(run: Run) -> None:
    rows = [["B=0.5"], ["date", "Ann", "Mei Wong", "Cho", "Dee"], ["2024-05-03", "3", "", "d", ""]]
    Path("a.csv").write_bytes(csv([*rows, ["", "", "5", "", ""], ["", "-", "-", "-", "-"]]))
    assert nets(run("score", "a.csv", "-q").out)[:1] == [["Mei Wong", "36"]]


@looped(
    ("rows", "message"),
    ([WIDE[0], ["2024-05-03", "42.3", "31", "18.2", "8.4"]], "cell B2: the points add up to 99.9"),
    ([WIDE[0], ["2024-05-03", "42.3", "x", "18.2", "8.5"]], "cell C2: x is no points"),
    ([WIDE[0], ["2024-05-03", "42.3pt", "31", "18.2", "8.5"]], "cell B2: 42.3pt is no points"),
    ([WIDE[0], ["2024-05-03", "chombo", "31", "18.2", "8.5"]], "cell B2: chombo is no points"),
    ([WIDE[0], ["2024-05-03", "42.3", "#REF!", "31", "18.2", "8.5"]], "cell C2 has no value: #REF!"),
    ([["Date", "Ann", "#REF!", "Cho", "Dee"], WIDE[1]], "cell C1 has no value: #REF!"),
    ([["Date", "#NAME?", "Ben", "", "Dee"], WIDE[1]], "cell B1 has no value: #NAME?"),
    ([WIDE[0], ["3.5.2024", "42.3", "31", "18.2", "8.5"]], "cell A2: a date begins with the year"),
    ([["2024-05-03", "42.3"]], "no row has heads"),
    ([["date", "game", "points"], ["", "1", "2"]], "row 1 names 0 players"),
    ([["name", "name", "name"], ["A", "B", "C"]], "row 1 has 3 columns of names and 0 of points"),
    ([["Date", "1st", "2nd", "3rd"], ["2024-05-03", "A", "B", "C"]], "cell B2: A is no number of points"),
    ([["Date", "Player", "Points"], *[["", name, "1"] for name in "ABCDE"]], "rows 2 to 6 have one date"),
    ([["date", *"ABCD"], ["", "3", "d", "", ""], ["", "3", "3", "", ""]], "cell C3: two players win"),
    ([['"Mei\nWong"', *"BCD"], ["", "42.3", "31", "18.2"]], "cell A2: the points add up"),
)
def test_a_wrong_cell_is_named(run: Run, rows: list[list[str]], message: str) -> None:
    Path("a.csv").write_bytes(csv(rows))
    run("score", "a.csv").check(1, out="", err=message)


def sheet(rows: bytes, whole: bytes = SHEET) -> bytes:
    """Return a workbook of one sheet."""
    return zipped({"xl/worksheets/sheet1.xml": whole % rows})


def points_cell(cell: bytes) -> bytes:
    heads = b"".join(b"<c><v>%s</v></c>" % name for name in (b"Ann", b"Ben", b"Cho", b"Dee"))
    return sheet(b"<row>%s</row><row><c><v>40</v></c>%s<c><v>35</v></c><c><v>30</v></c></row>" % (heads, cell))


def test_the_reading_of_a_name_is_no_part_of_it(run: Run) -> None:
    reading = b'<rPh sb="0" eb="1"><t>x</t></rPh><phoneticPr fontId="1"/>'
    texts = [b"<t>A</t>", b"<r><t>B</t></r><r><t>en</t></r>", b"<t>C</t>"]
    strings = b"".join(b"<si>%s%s</si>" % (text, reading) for text in texts)
    heads = b"".join(b'<c t="s"><v>%d</v></c>' % number for number in range(3))
    rows = heads + b'<c t="inlineStr"><is><t>D</t>%s</is></c></row><row>' % reading
    points = b"".join(b"<c><v>%s</v></c>" % point for point in (b"42.3", b"31", b"18.2", b"8.5"))
    parts = {"sharedStrings": strings, "worksheets/sheet1": b"<row>%s%s</row>" % (rows, points)}
    Path("a.xlsx").write_bytes(zipped({f"xl/{name}.xml": SHEET % data for name, data in parts.items()}))
    assert [name for name, _ in nets(run("score", "a.xlsx", "-q").out)] == ["A", "Ben", "C", "D"]


@looped(
    ("data", "message"),
    (b"PK\x03\x04", "zip archive"),
    (zipped({"a.txt": b"x"}), "it has no sheet"),
    (sheet(b"<a", b"%s"), "is no XML"),
    (sheet(b'<?xml version="1.0" encoding="UTFs8"?><a/>', b"%s"), "is no XML: unknown encoding: UTFs8"),
    (sheet(b'<?xml version="1.0" encoding="shift_jis"?><a/>', b"%s"), "is no XML: multi-byte encodings"),
    (points_cell(b"<c><f>A1</f></c>"), "cell B2 has no value: a formula without a value"),
    (points_cell(b'<c t="s"><v>7</v></c>'), "cell B2 has no value: no text 7"),
    (points_cell(b'<c t="s"><v>x</v></c>'), "cell B2 has no value: no text x"),
    (points_cell(b'<c t="e"><v>#N/A</v></c>'), "cell B2 has no value: #N/A"),
    (sheet(b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', b"%s"), "defines entities"),
    (sheet(b" " * (1 << 23), b"%s"), "times its size"),
    (sheet(b'<row r="%s"><c t="s"><v>%s</v></c></row>' % (b"9" * 5000, b"9" * 5000)), "no row has heads"),
    (
        zipped({"xl/worksheets/sheet1.xml": SHEET, "xl/workbook.xml": SHEET % b'<workbookPr date1904="1"/>'}),
        "counts days from 1904",
    ),
    (sheet(b'<row r="1"><c r="ZZZ1"><v>1</v></c></row>'), "more than 1000000 cells or 16384 columns"),
)
def test_a_hostile_workbook_is_an_error(run: Run, data: bytes, message: str) -> None:
    Path("a.xlsx").write_bytes(data)
    run("score", "a.xlsx").check(1, out="", err=message)


@looped(("words", "kind"), ((), "barChart"), (("--running",), "lineChart"))
def test_a_workbook_has_a_chart(run: Run, words: tuple[str, ...], kind: str) -> None:
    Path("a.csv").write_bytes(csv(WIDE))
    run("score", "a.csv", *words, "-o", "b.xlsx", "-q").check(0)
    with zipfile.ZipFile("b.xlsx") as archive:
        chart = archive.read("xl/charts/chart1.xml").decode()
    assert f"<c:{kind}>" in chart
    assert len(re.findall("<c:ser>", chart)) == (4 if words else 1)
