"""What the commands refuse: the status, the reason, and that nothing is printed or written."""

import gzip
import shlex
from pathlib import Path

import pytest
from given import BAD_INPUT, BROKEN, DONE, GAME, ROUND, WRONG_USAGE, Run, put_files

from batch.archives import tarred, zipped
from looped import looped

FILES: dict[str, str | bytes] = {
    **dict.fromkeys(("old.tally", "old.mjson", "mine.jmjp", "mine.html"), "mine"),
    "game.mjson": GAME,
    "round.mjson": ROUND,
    "two.mjson": GAME + ROUND,
    "four.mjson": GAME.replace('"A","B","C","D"', '"Ann","Ada","Bo","Cy"'),
    "three.mjson": GAME.replace(',"D"', ""),
    "broken.mjson": BROKEN,
    "typed.jmjp": "jmjp[1.0](mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])",
    "late.mjson": GAME + BROKEN,
    "half.mjson": ROUND[:-5],
    "wrong.json": '{"type":"nonsense"}\n',
    "open.jmjp": 'jmjp[1.0](mtp[,,,snt["x',
    "cut.mjson": gzip.compress(GAME.encode())[:-4],
    "two.club": "A B C D\n25 25 25 25\n40 30 20 10\n",
    "two.csv": "Ann,Ben,Cho,Dee\n42.3,31,18.2,8.5\n",
    "may.club": "2024-05-03\nA B C D\n25 25 25 25\n",
    "names.club": "2024-05-03\nstart 25\nAnn, Ben, Cho, Dee\n",
    "names.hk": "A B C D\n",
    "dated.hk": "A B C D\n# 2024-01-01\n",
    "club.hk": "A B C D\n1 - - -\n",
    "wide.hk": f"A B C {'d' * 40_000}\n1 - - -\n",
    "wrong.tally": "tally\nA\n!B\n",
    "none.tally": "tally\n",
    "slip.uzje": "e 1 0 4\n" + "1t 2t 3t " * 13,
    "mute.tally": "tally\nA\nunwritable\n",
    "diary.txt": "dear diary",
    "game.hk": GAME,
    "evening.xlsx": zipped({"[Content_Types].xml": b"<Types/>"}),
    "evening.docx": zipped({"docProps/app.xml": b"<Properties/>"}),
    "evening.csv": "A,B,C\n",
    "1.mjson": GAME + ROUND,
    "folder/game.mjson": GAME,
    "bare/readme.md": "",
}
ERROR = "mjconv: error: "
NOTHING = "No such file or directory, and no such command"
COLUMNS = "only batch writes columns: mjconv batch"
UNKNOWN = f"{ERROR}unknown format 'mjia', did you mean 'mjai'?; known are "
SEATS = "the seats: 0 A, 1 B, 2 C, 3 D"
DATES = "2024-2 24 2024-02-30 2024-13 20240120 2024-W03-1 ٢٠٢٤ ''"
DATE = "--until takes a date such as 2024-01-20, 2024-01 or 2024, not '{}'"
NO_DAY = "no day is from 2024-02-01 to 2024-01-20: exchange the dates"
NO_PICTURE = "view writes a page (.html), or a picture of one position (.svg, .png)"
ENCODING = f"{ERROR}unknown encoding "
MISSING = "No such file or directory\n"
REPORT = "--report must name a file that is neither an input nor an output"
UNCLEAR = "the format to write is not clear from the name "
NOT_A_PATTERN = "Is neither a folder nor a name with a number pattern such as game_%03d"
ONE_FOLDER = "is both an input and the output: name another output"
IN_PLACE = f"{ERROR}--in-place"
NO_NAME = "tally has no way to write this name\n"
NO_GAME = "no game counted: no game has a date of these days"
HOW = (" --by day", " --running", " -o x.html")
OTHER_LEVEL = "--level rules: the level order checks no"
NOT_HONG_KONG = "this is club, and its games are not by Hong Kong rules; score them apart"
NO_FILE = f"{ERROR}there is no file and no command"
PAGE = "x.html is the name of a page, which only view writes: mjconv view two.mjson"
SAME_FORMAT = f"{IN_PLACE} keeps the format of game.mjson, mjai: name another file with -o\n"
ONLY_SCORED = "is a spreadsheet, and only mjconv score reads spreadsheets"
DAY = "--since takes a date such as 2024-01-20, 2024-01 or 2024, not 'yesterday'"
STEP = "--step takes a whole number, or a round and a number (E2-0.40), not '-1'"
FOLDER = "view -o evening.html makes one page of it; mjconv info --all folder lists the files"


def each(words: str, values: str, status: int, error: str) -> list[tuple[str, int, str]]:
    """Return a row for each of the values, in the place of ``{}``."""
    found = shlex.split(values)
    return [(words.format(shlex.quote(value)), status, error.format(value)) for value in found]


#: The words of a command, its status, and a part of the error: its begin or end, where the text shows that.
REFUSED = [
    # Conversions.
    ("game.mjson -o out.mjson --from mjia", 2, UNKNOWN),
    ("game.mjson -o out.mjson --to mjia", 2, UNKNOWN),
    ("diary.txt -o out.mjson", 2, "the format of diary.txt is not clear from its name or its contents"),
    ("game.mjson -o out.xyz", 2, f"{UNCLEAR}'out.xyz'"),
    ("game.mjson -o out", 2, f"{UNCLEAR}'out'"),
    ("game.mjson -o -", 2, f"{UNCLEAR}'-'"),
    ("game.mjson out.jmjp", 2, "did you mean: game.mjson -o out.jmjp?"),
    ("game.mjson -o out.jmjp --report ./out.jmjp", 2, REPORT),
    ("game.mjson -o out.jmjp --report game.mjson", 2, REPORT),
    ("game.mjson -o out.mjson --report out.mjson", 2, REPORT),
    ("- - --to mjai", 2, ERROR),
    ("--wrong", 2, "Usage: mjconv "),
    ("-o out.mjson", 2, "Usage: mjconv "),
    ("formats more", 2, "unknown format 'more'"),
    ("split game.mjson", 2, "Usage: mjconv "),
    ("", 2, "Usage: mjconv IN... -o OUT"),
    ("none.mjson -o out.mjson", 1, f"{ERROR}none.mjson: {MISSING}"),
    ("none.mjson --in-place", 1, f"{ERROR}none.mjson: {MISSING}"),
    ("'\x1b[2J.mjson' -o out.mjson", 1, f"{ERROR}\\x1b[2J.mjson: {MISSING}"),
    ("folder -o out.mjson", 1, f"{ERROR}folder: Is a folder, but one file was expected: mjconv batch"),
    ("none.tally -o out.mjson", 1, "none.tally:1:1: there is no match in it; expected a record in tally"),
    ("slip.uzje -o out.mjson", 1, "slip.uzje:1:1: this paragraph lists the tiles of a game"),
    ("cut.mjson -o out.mjson", 1, f"{ERROR}cut.mjson: is gzip data that ends too early\n"),
    ("none.mjson -o no/out.mjson", 1, f"{ERROR}no: The folder to write to does not exist\n"),
    ("game.mjson -o folder --to mjai", 1, f"{ERROR}folder: Is a folder, but a file name was expected\n"),
    ("mute.tally -o old.tally --report out.json", 1, f"{ERROR}mute.tally: match 2: {NO_NAME}"),
    ("wrong.tally -o out.tally", 1, f"{ERROR}wrong.tally:3:1: a name does not begin with '!'\n    !B\n    ^\n"),
    ("broken.mjson -o out.mjson", 1, '{"type":"reach","actor":"first"}'),
    ("broken.mjson -o out.mjson", 1, f"{ERROR}broken.mjson:2:"),
    ("game.mjson -o old.mjson --no-clobber", 1, "old.mjson: Exists already, and --no-clobber keeps it\n"),
    ("game.mjson -o out.mjson --report old.mjson --no-clobber", 1, "old.mjson: Exists already"),
    ("score club.hk -o old.mjson --format csv --no-clobber", 1, "old.mjson: Exists already"),
    ("view round.mjson -o mine.html --no-clobber", 1, "mine.html: Exists already"),
    ("split two.mjson -o %d.mjson --no-clobber", 1, "1.mjson: Exists already"),
    ("split 1.mjson -o %d.mjson", 2, f"1.mjson {ONE_FOLDER}"),
    ("info half.mjson", 1, "not JSON"),
    ("wrong.json -o out.jmjp", 1, "Unknown message type 'nonsense'"),
    ("info 'http://tenhou.net/0/?log=2009012011gm-0089-0000-x'", 1, "names a record on Tenhou's server"),
    ("fmt game.mjson", 2, "is mjai: fmt lays out"),
    ("fmt open.jmjp", 1, "open.jmjp:1:22: a string is not closed"),
    ("typed.jmjp --in-place --fill --verify", 2, "--verify compares the output with the input"),
    ("typed.jmjp --in-place --fill --plain", 2, "--fill keeps the text and inserts values"),
    ("typed.jmjp --in-place --fill --seat 0", 2, "jmjp holds no in-game streams"),
    ("broken.mjson --in-place", 1, f"{ERROR}broken.mjson:2:"),
    ("game.mjson -o out.mjson --in-place", 2, f"{IN_PLACE} replaces an input, but out.mjson is not an input\n"),
    ("game.mjson game.mjson --in-place", 2, f"{IN_PLACE} without -o replaces one file: name one input\n"),
    ("- --in-place", 2, f"{IN_PLACE} without -o replaces one file: name one input\n"),
    ("game.mjson --to tally --in-place", 2, SAME_FORMAT),
    *each(
        "four.mjson -t mjai --seat {}", "4 -1 centre a ''", 2, "there is no seat '{}'; the seats: 0 Ann, 1 Ada, "
    ),
    *each("game.mjson --to mjai --encoding {}", "nope zlib rot13 punycode unicode_escape '' 'a\0b'", 2, ENCODING),
    ("info game.mjson --encoding nope", 2, ENCODING),
    ("score game.mjson --encoding nope", 2, ENCODING),
    # Split and merge.
    *each("split two.mjson -o {}", "missing folder/game.mjson %d%d.mjson 50%.mjson", 1, NOT_A_PATTERN),
    ("split two.mjson -o no/%d.mjson", 1, f"{ERROR}no: The folder to write to does not exist\n"),
    ("split two.mjson -o no/new/", 1, f"{ERROR}no: The folder to write to does not exist\n"),
    ("split late.mjson -o folder", 1, f"{ERROR}late.mjson:4:"),
    ("split mute.tally -o folder", 1, f"{ERROR}mute.tally: match 1: {NO_NAME}"),
    ("split two.mjson -o x.html", 2, PAGE),
    ("two.mjson -o x.html", 2, f"{PAGE} -o x."),
    # Misspelt commands and options, and outputs of other commands.
    ("validte logs.zip", 2, f"{NO_FILE} 'validte'; did you mean: mjconv validate logs.zip\n"),
    ("VALIDATE logs.zip", 2, f"{NO_FILE} 'VALIDATE'; did you mean: mjconv validate logs.zip\n"),
    ("Info game.jmjp --json", 2, f"{NO_FILE} 'Info'; did you mean: mjconv info game.jmjp --json\n"),
    ("valid game.jmjp", 2, f"{NO_FILE} 'valid'; did you mean: mjconv validate game.jmjp\n"),
    ("bacth a -o b --to jmjp", 2, f"{NO_FILE} 'bacth'; did you mean: mjconv batch a -o b --to jmjp\n"),
    ("help", 2, f"{NO_FILE} 'help'; did you mean: mjconv --help\n"),
    ("help validate", 2, f"{NO_FILE} 'help'; did you mean: mjconv validate --help\n"),
    ("version", 2, f"{NO_FILE} 'version'; did you mean: mjconv --version\n"),
    ("check game.jmjp", 2, f"{NO_FILE} 'check'; did you mean: mjconv validate game.jmjp\n"),
    ("validte 'my logs.zip'", 2, f"{NO_FILE} 'validte'; did you mean: mjconv validate 'my logs.zip'\n"),
    ("frobnicate logs.zip", 1, f"{ERROR}frobnicate: {NOTHING}; mjconv --help lists the commands\n"),
    ("info --zzz game.mjson", 2, "Error: No such option: --zzz\n"),
    ("game.mjson -o", 2, "Error: Option '-o' requires an argument.\n"),
    *each("{} a --from", "convert info batch", 2, "Error: Option '--from' requires an argument.\n"),
    ("fleet run x --engine", 2, "Error: Option '--engine' requires an argument.\n"),
    *each("{} game.mjson --otput x", "convert validate batch", 2, "Usage: mjconv {} [OPTIONS]"),
    ("game.mjson -o x.parquet", 2, f"{ERROR}{COLUMNS} game.mjson -o x.parquet --to parquet\n"),
    ("merge game.mjson -o x.parquet", 2, f"{ERROR}{COLUMNS} game.mjson -o x.parquet --to parquet\n"),
    ("game.mjson -o x.Parquet --to parquet", 2, f"{ERROR}{COLUMNS} game.mjson -o x.Parquet --to parquet\n"),
    ("merge game.mjson -o x.Parquet --to parquet", 2, f"{COLUMNS} game.mjson -o x.Parquet --to parquet\n"),
    ("game.mjson --to parquet", 2, "mjconv batch game.mjson -o OUT.parquet --to parquet"),
    *each(
        "game.mjson -o {} --to jmjp", "x.zip x.tar x.tar.gz x.TGZ x.tar.zst", 2, "batch game.mjson -o {} --to jmjp"
    ),
    # What was meant: formats by the ending of their files, and commands.
    ("game.mjson -t tenhou6", 2, "did you mean 'tenhou-json'?"),
    ("game.mjson -t xml", 2, "did you mean 'tenhou'? Their files end in .xml"),
    *each("game.mjson -t {}", "jsonl json", 2, "did you mean one of mjai, tenhou-json, majsoul, majiang, mjx?"),
    ("formats --lang jp", 2, "did you mean ja?"),
    ("formats jmpj", 2, "did you mean 'jmjp'?"),
    ("lint game.mjson", 2, "did you mean: mjconv validate game.mjson"),
    ("game.mjson -o game.jmpj", 2, "did you mean '.jmjp'?"),
    ("evening.xlsx -t hk", 1, f"evening.xlsx: {ONLY_SCORED}"),
    ("evening.csv -t hk", 2, f"evening.csv {ONLY_SCORED}"),
    ("score evening.docx", 1, "evening.docx: is a document of an office program: save a table as .csv or .xlsx"),
    ("game.mjson -o out.txt", 2, f"{UNCLEAR}'out.txt'; --to names it, one of hk, club\n"),
    ("game.hk -t mjai", 1, "no names and no results; the contents are in mjai: --from mjai reads them"),
    ("score club.hk -o table.ods", 2, "end in .tsv, .csv, .json, .md, .xlsx, .parquet, and not in .ods"),
    ("score club.hk -o table.png", 2, "A graph of the points is drawn by: mjconv view FILE -o table.png"),
    # Info and validate.
    *each("{} bare", "score stats", 1, f"{ERROR}bare: there is no record in it\n"),
    ("info --all bare", 1, f"{ERROR}bare: there is no record in it\n"),
    ("view bare -o x.html", 1, f"{ERROR}bare: there is no record in it\n"),
    ("info none.mjson", 1, f"{ERROR}none.mjson: {MISSING}"),
    ("info game.mjson --where \"nomes = 'Z'\"", 2, "nomes"),
    ("validate - -", 2, ERROR),
    ("validate game.mjson --level all", 2, "syntax, order, rules"),
    *each("validate game.mjson --house {}", "chess reds=1 reds=x11 swap-calling=1", 2, "swap-calling"),
    ("validate game.mjson --limit events=many", 2, "events"),
    ("validate x --from chess", 2, "unknown format 'chess'"),
    ("validate game.mjson --color sometimes", 2, "auto, always, never"),
    *each("validate game.mjson {} R005,furitn", "--select --ignore", 2, "did you mean 'furiten'"),
    ("validate game.mjson --json --format sarif", 2, "--format"),
    ("validate game.mjson --format xml", 2, "text, json, github, sarif"),
    ("game.mjson -o out.jmjp --house swap-calling", 2, "--house"),
    # Scores and statistics.
    ("score none.hk", 1, "none.hk: No such file"),
    ("score folder", 1, "folder/game.mjson: no game has points at its end"),
    ("score - -", 2, ERROR),
    ("score club.hk -o no/table.tsv", 1, "no: The folder to write to does not exist"),
    ("score three.mjson", 1, "three.mjson"),
    ("score club.hk -o table.pdf", 2, ".xlsx, .parquet, and not in .pdf"),
    ("score club.hk --format xls", 2, "--format takes one of tsv, csv, json, md, xlsx, parquet: not 'xls'"),
    ("score club.hk -o club.hk --format csv", 2, f"club.hk {ONE_FOLDER}"),
    ("score wide.hk -o table.xlsx", 2, "xlsx holds at most 32767 characters in a cell, and the table has 40000"),
    ("score club.hk --sort points", 2, "not 'points': name, game_count, first"),
    ("score club.hk --sort blame_count", 2, "--sort blame_count needs --blame"),
    ("score names.club", 1, "no game is typed yet"),
    *((f"score may.club --since 2025{how}", 1, NO_GAME) for how in ("", " --by month", *HOW[1:])),
    *((f"score names.hk{how}", 1, "no game counted") for how in HOW),
    ("score dated.hk --since 2024", 1, "no game counted"),
    ("score two.club --teams", 2, "--teams needs a --season FILE"),
    ("score club.hk two.club", 2, f"two.club: {NOT_HONG_KONG}"),
    ("score two.club club.hk", 2, f"two.club: {NOT_HONG_KONG}"),
    *each("score {} --as hk", "two.club two.csv", 2, "{}: it has no winning hands that --as hk could"),
    ("score two.club -o x.html --by day", 2, "leave out --by"),
    *each("score two.club -o x.html {}", "--running --blame", 2, "leave out {}"),
    ("score club.hk --by week", 2, "--by is one of day, month, year, not 'week'"),
    ("score club.hk --as mcr", 2, "--as takes hk, not 'mcr'"),
    ("score club.hk --running --sort name", 2, "--sort has no meaning with it"),
    ("score club.hk --running --blame", 2, "--blame has no meaning with it"),
    ("score club.hk --since yesterday", 2, DAY),
    *each("score club.hk --until {}", DATES, 2, DATE),
    *((f"score club.hk --since 2024-02 --until 2024-01-20{how}", 2, NO_DAY) for how in ("", *HOW[:2])),
    ("stats game.mjson --by day", 2, "--by is one of month, room, seat, rank, team, not 'day'"),
    ("stats game.mjson --where 'player = 4'", 2, "did you mean 'players'?"),
    ("stats game.mjson -o table.doc", 2, "and not in .doc"),
    ("stats none.mjson --sort gams", 2, "did you mean 'games'?"),
    ("stats game.mjson --from mjia", 2, "did you mean"),
    ("validate game.mjson --level order --house kiriage", 2, f"--house needs {OTHER_LEVEL}"),
    (
        "game.mjson -o x.mjson --seat all --verify",
        2,
        "--verify compares whole matches, and --seat all writes several",
    ),
    ("fmt - -", 2, "standard input (-) can be read only once"),
    # View.
    ("view round.mjson --text --terminal", 2, "view needs one output"),
    ("view round.mjson --text -o x.html", 2, "view needs one output"),
    ("view round.mjson --terminal", 2, "--terminal needs a terminal; --text prints the match"),
    ("view round.mjson -o - --open", 2, "--open needs a file"),
    ("view round.mjson -o round.mjson", 2, "round.mjson is both an input and the output"),
    ("view round.mjson -o new.mjson", 2, "new.mjson is the name of a record, and view writes a page"),
    ("view round.mjson -o x.svg --font x.ttf", 2, "--font is the font of a PNG picture"),
    ("view round.mjson -o x.html --port 8000", 2, "--port needs --watch"),
    ("view round.mjson --text --lang xx", 2, "--lang takes en, ja, zh, zh-Hans, not 'xx'"),
    ("view round.mjson --text --house kiriage", 2, "--house needs --check"),
    ("view round.mjson --text --round E1-0", 2, "there is no round 'E1-0' in the match; its rounds: S3-1"),
    *each("view round.mjson -o x.html --seat {}", "centre 9", 2, f"there is no seat '{{}}'; {SEATS}"),
    *each("view round.mjson --text --seat {}", "centre 9", 2, f"there is no seat '{{}}'; {SEATS}"),
    ("view round.mjson -o x.html --step 99", 2, "there is no step 99 in the round: it has 4, counted from 0"),
    (f"view round.mjson -o x.html --step {'9' * 5000}", 2, "--step takes a whole number"),
    ("view round.mjson -o x.html --step -1", 2, STEP),
    ("view round.mjson -o x.html --step S3-1.", 2, "--step takes a whole number"),
    ("view round.mjson -o x.html --step E9-0.1", 2, "there is no round 'E9-0' in the match; its rounds: S3-1"),
    ("view round.mjson -o x.html --step S3-1.99", 2, "there is no step 99 in the round"),
    ("view round.mjson -o x.html --step S3-1.1 --round S3-1", 2, "--step S3-1.1 names the round too"),
    ("view round.mjson --text --match 0", 2, "--match takes a whole number from 1 on, not '0'"),
    ("view round.mjson --text --match 2", 2, "there is no match 2: the file holds 1 match"),
    ("view two.mjson -o x.html --step 3", 2, "leave --step out, or choose a match of one file with --match"),
    ("view broken.mjson -o x.html", 1, "broken.mjson:2:"),
    ("view round.mjson --watch --text", 2, "--watch serves the page of one file"),
    ("view - --watch", 2, "--watch serves the page of one file"),
    ("view --watch none.mjson", 1, f"none.mjson: {MISSING}"),
    ("view round.mjson --text --from jmjp", 1, ERROR),
    *each("view round.mjson -o {}", "round.jpg game.PDF", 2, NO_PICTURE),
    *each("view round.mjson --text --round {}", "e4 East3-1 x3", 2, "there is no round '{}' in the match"),
    ("view two.club -o x.html", 2, "the file holds the points of games alone: mjconv score"),
    ("view folder --text", 1, FOLDER),
    # What would name somebody.
    ("game.mjson --in-place --plain --anonymous", 2, "--in-place keeps the text of the input"),
    ("game.mjson -o b.mjson --keep-comments", 2, "--keep-comments needs --anonymous"),
    ("game.mjson -o b.mjson --anonymous-key game.mjson", 2, "32 random bytes"),
    ("game.mjson two.mjson -o b.mjson --anonymous", 2, "need --anonymous-key"),
    ("game.mjson -o b.mjson --seat Ann --anonymous", 2, "there is no seat 'Ann'"),
    ("batch game.mjson --to mjai -o out --keep-bad bad --anonymous", 2, "--keep-bad copies"),
    ("batch game.mjson --to mjai -o out --resume --anonymous", 2, "--resume needs"),
    ("batch game.mjson --to mjai -o memory://x --anonymous", 2, "names its files"),
    ("view game.mjson --watch --anonymous", 2, "--watch shows the file"),
    ("view . -o b.html --anonymous", 2, "need --anonymous-key"),
    ("review game.mjson -o b.csv --bot cat --resume --anonymous", 2, "--resume needs"),
    # New files.
    ("new out.mjson", 2, "out.mjson is no name of a file to type"),
    ("new out.jmjp --players A,B", 2, "--players takes four names with commas between them, not 2"),
    ("new out.jmjp --date 6.4.2024", 2, "--date takes a date such as 2024-04-06"),
    ("new out.jmjp --rules 25", 2, "--rules takes four points in thousands"),
    ("new out.hk --players A,B,C,A", 2, "two players are called 'A'"),
    ("new out.club --players A,B", 2, "A, B are no names of a club file: 2 names, and a game has three or four"),
    ("new out.club --players A,B,C,A", 2, "two players are called A"),
    ("stats round.mjson --player 'No One'", 2, "no player is called 'No One'"),
    ("new out.jmjp --players 'A\nB,C,D,E'", 2, "'A\\nB' has a line break or another control character"),
    ("new out.hk --players 'A,B,C,D\x1b[2J'", 2, "'D\\x1b[2J' has a line break"),
    ("new out.jmjp --tournament 'Cup\u2028'", 2, "has a line break"),
    ("new out.hk --place Club", 2, "a file of results has no tournament and no place"),
    ("new out.hk --like mine.jmjp", 2, "--like takes the same"),
    ("new mine.jmjp", 1, "new overwrites nothing"),
]


def contents() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.fixture
def before(run: Run) -> dict[str, bytes]:  # noqa: ARG001 - it works in the folder of the commands
    """Write the files, and return the contents of the folder."""
    put_files(FILES)
    return contents()


@looped(("words", "status", "error"), *REFUSED, ids=lambda value: str(value)[:60])
def test_a_refusal_writes_nothing(run: Run, before: dict[str, bytes], words: str, status: int, error: str) -> None:
    outcome = run(*shlex.split(words))
    assert (outcome.status, outcome.out, contents()) == (status, b"", before), outcome.err
    assert error in outcome.err
    assert outcome.err.startswith(error) or not error.startswith(("mjconv: ", "Usage: "))
    assert outcome.err.endswith(error) or not error.endswith("\n")


# What a person most likely meant: misspelt commands and options, archives, and outputs of another command.


class TestMisspeltCommands:
    def test_a_file_is_never_a_misspelt_command(self, run: Run) -> None:
        Path("validte").write_text(GAME)
        assert run("validte", "--to", "mjai").out == GAME.encode()

    @looped("name", "validte.mjson", "./validte")
    def test_a_name_with_a_dot_or_a_slash_is_a_file_that_is_missing(self, run: Run, name: str) -> None:
        Path("logs.zip").write_bytes(b"PK\x05\x06" + bytes(18))
        for words in ([name], [name, "game.jmjp"], [name, "logs.zip"], [name, "-o", "out.mjson"]):
            outcome = run(*words)
            assert (outcome.status, outcome.err) == (BAD_INPUT, f"{ERROR}{name}: {MISSING}")


def test_without_a_command_the_usage_of_a_misspelt_option_is_that_of_mjconv(run: Run) -> None:
    outcome = run("game.mjson", "--otput", "x").check(WRONG_USAGE, err="--otput")
    assert outcome.err.startswith("Usage: mjconv IN... -o OUT\n")
    assert "mjconv convert" not in outcome.err
    assert "--output" in outcome.err


class TestArchives:
    @pytest.fixture(params=["logs.zip", "logs.tar", "logs.tar.gz", "my logs"])
    def several(self, request: pytest.FixtureRequest) -> str:
        """Create an archive or folder with one good record, and return its name."""
        name: str = request.param
        files = {"game.mjson": GAME.encode()}
        if name == "my logs":
            put_files({"my logs/game.mjson": GAME})
        else:
            data = zipped(files) if name == "logs.zip" else tarred(files)
            Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return name

    @pytest.mark.parametrize("rest", ["-o out.jmjp", "-o out/", "-o out", "", "--to jmjp", "-o out --to jmjp"])
    def test_convert_names_batch(self, run: Run, several: str, rest: str) -> None:
        outcome = run(several, *rest.split())
        assert (outcome.status, outcome.out) == (BAD_INPUT, b"")
        batch = f"mjconv batch {shlex.quote(several)} -o OUT --to FORMAT converts all files in it\n"
        assert outcome.err.endswith(f"one file was expected: {batch}")

    def test_commands_of_one_file_name_others(self, run: Run, several: str) -> None:
        assert "mjconv batch" in run("merge", several, "-o", "all.mjson").err
        assert "mjconv batch" in run("split", several, "-o", "parts/").err
        assert not Path("parts").exists()
        assert "view -o evening.html makes one page of it" in run("view", several, "--text").err
        assert "such as FOLDER/*.jmjp" in run("fmt", several).err

    def test_score_names_batch(self, run: Run, several: str) -> None:
        outcome = run("score", several)
        assert outcome.out == b""
        if Path(several).is_dir():
            # The records in it are scored.
            assert f"mjconv: error: {several}/" in outcome.err
            return
        outcome.check(BAD_INPUT)
        assert outcome.err.startswith(f"{ERROR}{several}: ")
        batch = f"mjconv batch {shlex.quote(several)} -o OUT --to hk converts all files in it to scores\n"
        assert outcome.err.endswith(f"one file was expected: {batch}")

    def test_info_names_all_which_shows_each_record(self, run: Run, several: str) -> None:
        run("info", several).check(BAD_INPUT, err="mjconv info --all ")
        outcome = run("info", "--all", several)
        assert (outcome.status, outcome.err) == (DONE, "")
        assert outcome.out.decode().startswith(f"{several}/game.mjson: mjai, 1 match\n")

    def test_a_member_that_cannot_be_read_hides_no_other(self, run: Run) -> None:
        logs = {"1.mjson": GAME, "2.mjson": BROKEN, "3.mjson": GAME, "notes.txt": "Tuesday"}
        put_files({f"logs/{name}": text for name, text in logs.items()})
        outcome = run("info", "--all", "logs", "--json")
        assert (outcome.status, len(outcome.out.splitlines())) == (BAD_INPUT, 2)
        assert outcome.err.startswith("mjconv: error: logs/2.mjson:2:")

    def test_an_archive_on_standard_input(self, run: Run) -> None:
        outcome = run("-", "--to", "mjai", stdin=tarred({"game.mjson": GAME.encode()}))
        assert outcome.err == "mjconv: error: <stdin>: is a tar archive, but one file was expected\n"
