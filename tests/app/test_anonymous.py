"""Anonymous output: no byte of it, decoded in any way, holds what names a player."""

import base64
import binascii
import datetime
import errno
import gzip
import html
import io
import json
import re
import sys
import urllib.parse
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq
import pytest
import zstandard
from given import Run
from msgspec.structs import replace

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.conversion import convert
from mjconv.converters import formats
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError, UsageError
from mjconv.ir.losses import WITHHELD
from mjconv.ir.match import (
    Annotation,
    Answer,
    Match,
    Name,
    Original,
    Player,
    Recorder,
    Rules,
    Text,
    Tournament,
    TournamentPoints,
)
from mjconv.settings import Anonymity, anonymity

#: A name in two scripts, and with characters that JSON, HTML and URLs write in another way.
SECRET = "Zoltan <Q&\"'> 秘密太郎"
#: The parts of it that are searched for: others may be escaped in more than one way.
MARKS = ("zoltan", "秘密太郎")
KEY = bytes(byte * 89 % 256 for byte in range(40, 72))
#: Formats of the results of an evening: a match of riichi cannot be written in them.
SHEETS = ("club", "hk")


def hostile_match() -> Match:
    """Return the match of the sample with the name in every field that holds a text."""
    match = mjconv.read(SAMPLE)
    text = Text(SECRET, SECRET, "zoltan")
    vendor = ev.Extras({SECRET: SECRET, "meta": {"bot": SECRET}})
    extras = {"mjai": {"x": SECRET}, "jmjp": {"x": SECRET}, "tenhou": {"x": SECRET}, SECRET: SECRET}
    points = TournamentPoints(1, 2)
    match.players = [
        Player(Name(Text(f"{SECRET} {seat}")), text, text, points, rank=SECRET, rating=Decimal("1834.57"))
        for seat in range(4)
    ]
    match.opening = [replace(match.opening[0], uri=SECRET, extras=vendor), ev.Join(SECRET, SECRET)]
    match.closing = [*match.closing, ev.ErrorMessage(SECRET)]
    match.tournament = Tournament(text, 2024, text, 1, 2)
    match.date, match.time = datetime.date(2024, 5, 6), datetime.time(12, 34)
    match.place, match.recorders = text, [Recorder(Name(text))]
    match.rules = Rules(game="riichi", start=25000)
    match.annotations = (Annotation(0, "comment", value=SECRET),)
    match.extras, match.id, match.room, match.lobby = extras, SECRET, SECRET, 7777
    match.original = Original("tenhou", SECRET.encode())
    for game_round in match.rounds:
        game_round.comment, game_round.extras, game_round.assumed = text, extras, (SECRET, "scores")
        game_round.annotations = (
            Annotation(1, "claim", 1, json.dumps({"type": "reach", "actor": 1, "meta": SECRET})),
            *(Annotation(1, kind, value=SECRET) for kind in ("comment", "mark")),
            *(Annotation(1, kind, 1, SECRET) for kind in ("emote", "left")),
            Annotation(1, "think_time", 1, 1200),
        )
        game_round.answers = (
            Answer(1, ev.Hello(protocol=SECRET)),
            Answer(1, ev.Join(SECRET, SECRET)),
            Answer(1, ev.Pass(extras=vendor), 1),
            Answer(1, ev.ErrorMessage(SECRET)),
        )
        game_round.events = [_named(event, vendor) for event in game_round.events]
    return match


def _named(event: Any, vendor: ev.Extras) -> Any:
    if isinstance(event, ev.Ryukyoku):
        event = replace(event, reason=SECRET)
    if isinstance(event, ev.Win):
        event = replace(event, yakus=(*(event.yakus or ()), (SECRET, 1)))
    return replace(event, extras=vendor)


def decoded(data: bytes, depth: int = 4) -> Iterator[bytes]:
    """Yield the data, and all that it holds in another form."""
    yield data
    if not depth:
        return
    inner: list[bytes] = []
    unzstd, inflate = zstandard.ZstdDecompressor().decompressobj().decompress, partial(zlib.decompress, wbits=-15)
    for unpack in (gzip.decompress, zlib.decompress, unzstd, inflate, _unzip, _parquet):
        with suppress(Exception):
            inner.append(unpack(data))
    for run in set(re.findall(rb"[A-Za-z0-9+/_-]{24,}={0,2}", data)):
        bare = run.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
        with suppress(binascii.Error):
            inner.append(base64.b64decode(bare + b"=" * (-len(bare) % 4)))
    text = data.decode("utf-8", "ignore")
    inner += [
        one.encode("utf-8", "ignore") for one in (urllib.parse.unquote(text), html.unescape(text)) if one != text
    ]
    if "\\u" in text:
        inner.append(re.sub(r"\\u([0-9a-f]{4})", lambda one: chr(int(one[1], 16)), text).encode("utf-8", "ignore"))
    for one in inner:
        yield from decoded(one, depth - 1)


def _unzip(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"".join(name.encode() + archive.read(name) for name in archive.namelist())


def _parquet(data: bytes) -> bytes:
    table = pq.read_table(io.BytesIO(data))
    return repr([table.to_pylist(), table.schema.metadata]).encode()


def finds(data: bytes, marks: tuple[str, ...] = MARKS) -> list[str]:
    """Return the marks that the data holds in any form."""
    texts = [one.decode("utf-8", "ignore").casefold() for one in decoded(data)]
    return [mark for mark in marks if any(mark.casefold() in text for text in texts)]


def hostile_files() -> Iterator[tuple[str, bytes]]:
    """Yield a file of each format that has the name wherever a text of the format can hold it."""
    match = hostile_match()
    plain = replace(match, original=None, opening=match.opening[:1], closing=[])
    for form in formats.FORMATS:
        if form.reads and form.writes and form.id not in SHEETS and form.original != "only":
            for one in (match, plain):
                try:
                    yield f"{form.id}{form.extension_for('')}", mjconv.write_bytes(one, form.id, lossy=True)
                except MjconvError:
                    continue
                break
    yield "names.club", f"# {SECRET}\n2024-05-06\nZoltan Ben Cho Di\n40000 30000 20000 10000\n".encode()
    yield "names.hk", f"# {SECRET}\nZoltan 秘密太郎 Cho Di\n- 2 d -\n".encode()
    for path in sorted(CORPUS.glob("*/*.json")):
        if path.parent.name not in ("broken", "crashes", "golden") and path.stat().st_size < 100_000:
            yield path.name, _with_names(path)
    mjlog = (CORPUS / "tenhou" / "hanchan.mjlog").read_bytes()
    quoted = urllib.parse.quote(SECRET).encode()
    yield (
        "a.mjlog",
        re.sub(rb'(<UN n[0-3]=)"[^"]*"', rb'\1"%s"' % quoted, re.sub(rb'n1="[^"]*"', b'n1="%s"' % quoted, mjlog)),
    )


def _with_names(path: Path) -> bytes:
    """Return a file of JSON with the name as every text, and as a key of every object, that its reader takes."""
    text = path.read_text("utf-8")
    try:
        value = [json.loads(text)]
    except json.JSONDecodeError:
        value = list(map(json.loads, text.splitlines()))
    keys = sorted({key for one in _objects(value) for key, text in one.items() if isinstance(text, str | list)})
    for key in (None, *keys):
        named = json.loads(json.dumps(value))
        for one in _objects(named):
            if key is None:
                one["vendor"] = {"name": SECRET}
            elif isinstance(one.get(key), str):
                one[key] = SECRET
            elif isinstance(one.get(key), list) and all(isinstance(text, str) for text in one[key]):
                one[key] = [SECRET] * len(one[key])
        try:
            with warnings.catch_warnings(action="ignore"):
                mjconv.read_all(_lines(named))
        except (MjconvError, UserWarning):
            continue
        value = named
    return _lines(value)


def _lines(values: list[Any]) -> bytes:
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(one)
    if isinstance(value, dict):
        yield value


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return dict(hostile_files())


def test_no_field_of_a_match_keeps_a_name() -> None:
    match = mjconv.anonymous(hostile_match())
    assert not finds(msgspec.json.encode(match, enc_hook=str))
    assert [player.name.shown for player in match.players if player.name] == [f"Player {n}" for n in (1, 2, 3, 4)]
    assert match.rounds[0].annotations[0].value == '{"type":"reach","actor":1}'
    assert [type(answer.message) for answer in match.rounds[0].answers] == [ev.Pass]
    assert match.date == datetime.date(2024, 5, 6)
    assert mjconv.write_bytes(match, "mjai") == mjconv.write_bytes(mjconv.anonymous(match), "mjai")


def test_the_game_stays_as_it_was() -> None:
    match = mjconv.read(SAMPLE)
    shown = mjconv.anonymous(match)
    assert (shown.rounds, shown.rules) == (match.rounds, match.rules)


def test_ranks_rooms_and_yaku_of_the_field_stay() -> None:
    match = mjconv.read(CORPUS / "tenhou" / "hanchan.mjlog")
    shown = mjconv.anonymous(match)
    assert [player.rank for player in shown.players] == [player.rank for player in match.players]
    assert [one.select(ev.Win) for one in shown.rounds] == [one.select(ev.Win) for one in match.rounds]
    assert (shown.room, shown.lobby) == (match.room, msgspec.UNSET)


def test_a_key_gives_a_name_one_pseudonym_everywhere_and_another_key_another_one() -> None:
    def names(order: str, key: bytes) -> list[str]:
        players = [Player(Name(Text(name))) for name in order]
        return [player.name.shown for player in mjconv.anonymous(Match(players), key=key).players if player.name]

    assert names("ABCD", KEY) == names("DCBA", KEY)[::-1]
    assert set(names("ABCD", KEY)).isdisjoint(names("ABCD", bytes(reversed(KEY))))
    # Two ways to write one character are one name.
    assert names("é", KEY) == [f"Player {Anonymity(KEY).sealed('player é')[:12]}"] == names("é", KEY)


@looped("key", b"", KEY[:31], KEY + b"!", b"0123456789abcdef" * 2, bytes([200]) * 32)
def test_a_key_is_32_random_bytes(key: bytes) -> None:
    with pytest.raises(UsageError, match="32 random bytes"):
        mjconv.anonymous(Match(), key=key)


def test_comments_stay_where_they_are_asked_for() -> None:
    kept = mjconv.anonymous(hostile_match(), keep_comments=True)
    assert [one.kind for one in kept.rounds[0].annotations] == [
        "claim", "comment", "mark", "emote", "left", "think_time"
    ]  # fmt: skip
    assert kept.rounds[0].comment == Text(SECRET, SECRET, "zoltan")


def test_all_matches_of_a_file_number_a_name_alike() -> None:
    game = "{}\n- 2 d -\n"
    names = "".join(game.format(line) for line in ("Ann Ben Cho Di", "Di Cho Eve Ann"))
    with anonymity.using(Anonymity()):
        shown = [
            [player.name.shown for player in match.players if player.name]
            for match in mjconv.read_all(names.encode(), format="hk")
        ]
    assert shown == [
        ["Player 1", "Player 2", "Player 3", "Player 4"],
        ["Player 4", "Player 3", "Player 5", "Player 1"],
    ]


def test_the_search_finds_a_name_in_every_form() -> None:
    name = SECRET.encode()
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("game.txt", b"a game of " + name)
    forms = [name, json.dumps(SECRET).encode(), urllib.parse.quote(SECRET).encode(), held.getvalue()]
    forms += [packed.compress(name) for packed in (gzip, zlib, zstandard)]
    # Behind a text, as in a page.
    forms += [b'<p data-x="' + base64.b64encode(zlib.compress(form + bytes(9))) + b'">' for form in forms]
    assert [finds(form) for form in forms] == [list(MARKS)] * len(forms)


def test_no_target_holds_a_name_of_any_input(files: dict[str, bytes]) -> None:
    assert len(files) > 20
    # An input that holds no name tests nothing.
    assert [name for name, data in files.items() if not finds(data)] == []
    flavours = ["tenhou-url", "tenhou-json", "mjai-batch", "jmjp-0"]
    # The tests of this folder add the format `tally`.
    targets = [form.id for form in formats.FORMATS if form.writes and form.id != "tally"] + flavours
    written = 0
    for name, data in files.items():
        for target in targets:
            with anonymity.using(Anonymity()), warnings.catch_warnings(action="ignore"):
                try:
                    done = convert(data, target=target, file=name, lossy=True, fill=True)
                except MjconvError:
                    continue
            reported = msgspec.json.encode([done.losses, done.warnings])
            assert not finds(done.data + reported), (name, target)
            written += 1
    assert written > 150


@pytest.fixture
def archive(files: dict[str, bytes], tmp_path: Path) -> Path:
    """Make a folder of all files whose names hold the name too, with two files that fail."""
    folder = tmp_path / "zoltan"
    folder.mkdir()
    for name, data in files.items():
        (folder / f"zoltan-{name}").write_bytes(data)
    (folder / "zoltan-broken.mjson").write_bytes(files["mjai.mjson"] + f'{{"type":"{SECRET}"}}'.encode())
    (folder / "zoltan-broken.jmjp").write_text(f"jmjp[1.0] {SECRET}", "utf-8")
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "players.key"
    path.write_bytes(KEY)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("output", "target", "keyed", "more"),
    [
        ("out", "mjai", True, ()),
        ("out.zip", "jmjp", False, ("--dedup",)),
        ("out.tar.zst", "mjai", True, ("--verify", "--where", "names like '%zoltan%' or players > 1")),
        ("out", "mjai", False, ("--shards", "3", "--split", "train=0.5,val=0.5")),
        ("out.parquet", "parquet", True, ()),
        ("out", "parquet", False, ("--tables", "games,seats,rounds,events")),
        ("out.parquet", "decisions", True, ()),
        ("out", "kanachan", False, ()),
    ],
)
def test_no_file_of_a_batch_holds_a_name(
    output: str,
    target: str,
    more: tuple[str, ...],
    keyed: bool,
    archive: Path,
    key: Path,
    run: Run,
    tmp_path: Path,
) -> None:
    words: list[str | Path] = ["--anonymous-key", key] if keyed else ["--anonymous"]
    (tmp_path / "run").mkdir()
    words += ["--report", tmp_path / "run" / "report.json", *more, "--jobs", "1", "-q"]
    run("batch", archive, "-o", tmp_path / "run" / output, "--to", target, *words).check(1)
    found = contents(tmp_path / "run")
    assert len(found) > 3
    failures = b"".join(data for name, data in found.items() if name.endswith("failures.jsonl"))
    assert WITHHELD.encode() in failures
    for name, data in found.items():
        assert not finds(data, (*MARKS, "1834.5")) + finds(name.encode()), name
        assert KEY not in b"".join(decoded(data))


def _full_disk(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left")


def test_a_run_with_a_key_continues_and_repairs(
    files: dict[str, bytes], key: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "zoltan"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.mjson").write_bytes(files["mjai.mjson"])
    words = ("batch", folder, "-o", tmp_path / "out", "--to", "jmjp", "--anonymous-key", key, "--jobs", "1")
    with monkeypatch.context() as patch:
        patch.setattr("mjconv.batch.run.finish", _full_disk)
        assert "--resume" in run(*words).err
    kept = contents(tmp_path / "out")
    assert any("journal" in name for name in kept)
    assert not [name for name, data in kept.items() if finds(data) or KEY in b"".join(decoded(data))]
    assert run(*words, "--resume").status == 0
    first = contents(tmp_path / "out")
    (tmp_path / "out" / next(name for name in first if name.endswith(".jmjp"))).write_bytes(b"")
    assert "1 file damaged or gone" in run(*words, "--resume").err
    assert contents(tmp_path / "out") == first
    key.write_bytes(bytes(reversed(KEY)))
    refused = run(*words, "--resume")
    assert (refused.status, "--anonymous-key" in refused.err) == (2, True)


def test_no_output_of_convert_view_and_review_holds_a_name(
    archive: Path, key: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    (tmp_path / "bot.py").write_text(
        "for line in __import__('sys').stdin:\n"
        """    print('{"type":"none","meta":{"q_values":[1]}}', flush=True)\n"""
    )
    bot = f"{sys.executable} {tmp_path / 'bot.py'}"
    game, hk = archive / "zoltan-mjai.mjson", archive / "zoltan-names.hk"
    out = tmp_path / "made"
    out.mkdir()
    for words in (
        (game, "-o", out / "a.jmjp", "--report", out / "losses.json", "--anonymous"),
        (game, hk, "-o", out / "both.mjson", "--anonymous-key", key, "--lossy"),
        ("view", game, "-o", out / "a.html", "--anonymous", "--check"),
        ("view", game, "-o", out / "a.svg", "--anonymous", "--step", "E1-0.3"),
        ("view", game, game, "-o", out / "evening.html", "--anonymous-key", key),
        ("view", game, game, "--open", "--anonymous-key", key),
        ("view", hk, "-o", out / "hk.html", "--anonymous"),
        ("review", game, "-o", out / "rows.csv", "--bot", bot, "--anonymous"),
        ("review", game, "-o", out / "rows.parquet", "--bot", bot, "--anonymous"),
        ("review", game, "-o", out / "with.mjson", "--bot", bot, "--anonymous"),
        ("review", game, "-o", out / "page.html", "--bot", bot, "--anonymous"),
    ):
        done = run(*words, "-q")
        assert done.status in ((0, 1) if "review" in words else (0,)), done.err
    shown = {"opened": Path(urllib.parse.unquote(opened[0].removeprefix("file://"))).read_bytes()}
    for name, data in {**contents(out), **shown}.items():
        assert not finds(data), name
    assert not finds(run("view", game, "--text", "--anonymous").out)
    assert b"q_values" in (out / "rows.csv").read_bytes()
