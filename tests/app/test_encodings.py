"""Text in other encodings than UTF-8, and text that reaches a terminal only with escapes."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from given import BAD_INPUT, DONE, GAME, ROUND, Run, put_files

import mjconv
from batch.archives import zipped
from faults import spot
from looped import looped
from mjconv import encoding, hk_score_files
from mjconv.encoding_guess import likely, refuse_other
from mjconv.ir.errors import InputError

JAPANESE = '"朝倉 春","別府 夏子","千早 秋","髙橋 さくら"'
WESTERN = '"Ümit","São Paulo","José","Zoë"'
SCORES = "R=full\n朝倉 別府 千早 堂本\nd 2 - -\n"


def named(names: str, log: str = ROUND) -> str:
    return log.replace('"A","B","C","D"', names)


@pytest.mark.parametrize(
    ("codec", "called", "advised"),
    [
        ("utf-16", "is UTF-16", "utf-16"),
        ("utf-16-le", "is UTF-16-LE", "utf-16-le"),
        ("utf-16-be", "is UTF-16-BE", "utf-16-be"),
        ("utf-32", "is UTF-32", "utf-32"),
        ("cp932", "looks like Shift-JIS", "cp932"),
    ],
)
class TestRecognised:
    """The error names the encoding, and the option that it advises reads the file."""

    @pytest.mark.slow
    def test_by_every_command(self, run: Run, codec: str, called: str, advised: str) -> None:
        Path("game.mjson").write_bytes(named(JAPANESE).encode(codec))
        Path("scores.hk").write_bytes(SCORES.encode(codec))
        for words in (
            "game.mjson -o out.mjson",
            "merge game.mjson -o out.mjson",
            "split game.mjson -o out/",
            "info game.mjson",
            "validate game.mjson",
            "batch game.mjson -o out --to jmjp --jobs 1 --force",
            "score scores.hk",
            "scores.hk --to jmjp",
        ):
            outcome = run(*words.split())
            assert outcome.status == BAD_INPUT, words
            said = outcome.err + outcome.out.decode()
            if words.startswith("batch"):
                said = json.loads(Path("out/failures.jsonl").read_text("utf-8"))["error"]
            assert f"not UTF-8: the text {called}; --encoding {advised} reads it, and iconv -f " in said, words
            words = words.replace("scores.hk --to jmjp", "scores.hk --to hk")
            run(*words.split(), "--encoding", advised).check(DONE)

    def test_the_matches_are_those_of_the_text(self, run: Run, codec: str, called: str, advised: str) -> None:
        assert called
        text = named(JAPANESE)
        Path("plain.mjson").write_text(text, "utf-8")
        Path("game.mjson").write_bytes(text.encode(codec))
        Path("packed.mjson").write_bytes(gzip.compress(text.encode(codec)))
        for name in ("game.mjson", "packed.mjson"):
            assert run(name, "--to", "mjai", "--encoding", advised).out == text.encode()
        with encoding.using(advised):
            [match] = mjconv.read_all("game.mjson")
        assert match == mjconv.read("plain.mjson")


class TestPlaces:
    def test_the_line_is_shown_as_it_is_meant(self, run: Run) -> None:
        Path("game.mjson").write_bytes(named(JAPANESE).encode("cp932"))
        message, line, caret = run("info", "game.mjson").err.splitlines()
        assert message.startswith("mjconv: error: game.mjson:1:32: ")
        assert JAPANESE in line
        assert caret.strip() == "^"

    def test_a_wrong_encoding_has_its_place(self, run: Run) -> None:
        Path("game.mjson").write_bytes(GAME.encode() + named(JAPANESE).encode("cp932"))
        outcome = run("info", "game.mjson", "--encoding", "euc_jp").check(BAD_INPUT)
        assert outcome.err.startswith("mjconv: error: game.mjson:3:32: not euc_jp: byte 0x92\n")

    def test_a_place_after_many_pieces(self) -> None:
        data = (("ä" * 20 + "\n") * 100_000).encode("utf-16") + b"\0\xd8"
        with encoding.using("utf-16"), pytest.raises(InputError) as error:
            encoding.as_utf8(data, "x")
        assert spot(error.value.place) == (100_001, 1)

    def test_characters_across_pieces(self) -> None:
        text = "a" + "朝倉\n" * 400_000
        for codec in ("cp932", "utf-16", "gb18030"):
            with encoding.using(codec):
                assert encoding.as_utf8(text.encode(codec)) == text.encode()


class TestHostileText:
    """Time grows linearly with the length, and errors stay short."""

    @looped("line", b"", b"{}", b"x" * 1000)
    def test_many_lines(self, line: bytes) -> None:
        data = (line + b"\n") * (8_000_000 // (len(line) + 1)) + "José\n".encode("latin-1")
        assert [row.called for row in likely(data)] == ["Latin-1"]
        with pytest.raises(InputError, match="looks like Latin-1"):
            refuse_other(data)

    @looped(("codec", "broken"), ("utf-16", b"\0\xd8"), ("cp932", b"\x81\x20"))
    def test_a_very_long_line(self, codec: str, broken: bytes) -> None:
        data = ("朝倉" * 4_000_000).encode(codec) + broken
        with encoding.using(codec), pytest.raises(InputError) as error:
            encoding.as_utf8(data)
        assert error.value.place
        assert error.value.place.column == 8_000_001
        assert len(str(error.value)) < 1000


def test_latin_1_is_recognised(run: Run) -> None:
    Path("game.mjson").write_bytes(named(WESTERN).encode("latin-1"))
    outcome = run("info", "game.mjson")
    assert "not UTF-8: the text looks like Latin-1; --encoding cp1252 reads it" in outcome.err
    assert WESTERN in outcome.err
    for name in ("latin-1", "Latin-1", "cp1252", "iso-8859-1"):
        assert run("game.mjson", "--to", "mjai", "--encoding", name).out == named(WESTERN).encode()


class TestNotCertain:
    """Nothing is guessed: text that can be in several encodings names them, other text names none."""

    def test_several_encodings(self, run: Run) -> None:
        Path("game.mjson").write_bytes(named('"东","南","西","北京队"').encode("gb18030"))
        said = run("info", "game.mjson").err
        assert "not UTF-8: the text may be " in said
        assert "--encoding gb18030" in said

    def test_no_encoding(self, run: Run) -> None:
        Path("game.mjson").write_bytes(named('"Иван","Олег","Анна","Яков"').encode("cp1251"))
        said = run("info", "game.mjson").err
        assert "not UTF-8: byte 0xc8" in said
        assert "; --encoding NAME reads a text in another encoding" in said
        shown = run("info", "game.mjson", "--encoding", "cp1251").out.decode().splitlines()
        assert shown[1].startswith("match 1: Иван")

    @looped(
        ("codec", "names"),
        ("gb18030", ["张三", "李小龙", "刘德华", "赵敏", "麻将之王", "天下第一", "北京队"]),
        ("big5", ["陳大文", "李小龍", "張學友", "劉德華", "台灣之光"]),
        ("euc_jp", ["朝倉 春", "別府 夏子", "千早 秋", "さくら", "アサピン"]),
        ("cp949", ["김철수", "이영희", "박지성"]),
        ("cp932", ["朝倉 春", "鈴木たろう", "アサピン", "滝沢和典", "髙橋"]),
        ("latin-1", ["Ümit", "Åse", "Peña", "François", "Müller", "É"]),
    )
    def test_a_single_answer_is_never_wrong(self, codec: str, names: list[str]) -> None:
        right = "cp1252" if codec == "latin-1" else codec
        for name in names:
            for text in (f'"{name}"', f"pn[{name},A,B,C]", f"{name} and {name}x"):
                found = [row.codec for row in likely(text.encode(codec))]
                assert len(found) != 1 or found == [right], (text, found)

    def test_one_broken_byte_is_no_encoding(self, run: Run) -> None:
        Path("game.mjson").write_bytes(named(JAPANESE).encode() + GAME.encode().replace(b"A", b"\xff"))
        assert "game.mjson:8:32: not UTF-8: byte 0xff" in run("info", "game.mjson").err

    @looped("data", b"A B \xff\xfe D", b"caf\xc3", b"\x93", b"\xe9", b"ab\x81cd", b"\xa4\xff")
    def test_broken_bytes_are_no_encoding(self, data: bytes) -> None:
        assert likely(data) == []

    @looped("data", b"\r\n \0", b"\0 " * 50, b" \0" * 50, b"\0\0" * 50, b"A\0", b"A B\0" * 9)
    def test_zero_bytes_are_no_encoding(self, data: bytes) -> None:
        refuse_other(data)

    @looped("data", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", bytes(range(256)), b"\0" * 100)
    def test_other_data_is_no_text(self, run: Run, data: bytes) -> None:
        Path("data").write_bytes(data)
        assert "is not clear from its name or its contents" in run("info", "data").err


class TestFolders:
    """A file without the extension of a format is a record if it is one in its encoding."""

    @pytest.fixture(autouse=True)
    def _logs(self) -> None:
        wide, notes = (text.encode("utf-16") for text in (SCORES, "Grüße aus Köln"))
        put_files({"logs/wide.txt": wide, "logs/notes.txt": notes, "logs/picture": b"\x89PNG\r\n\x1a\n\0\0"})

    def test_another_encoding_is_a_failure_and_not_skipped(self, run: Run) -> None:
        run("batch", "logs", "-o", "out", "--to", "mjai", "--jobs", "1").check(BAD_INPUT)
        [failure] = map(json.loads, Path("out/failures.jsonl").read_text("utf-8").splitlines())
        assert failure["member"] == "logs/wide.txt"
        assert "--encoding utf-16 reads it" in failure["error"]

    def test_the_encoding_reads_it_and_skips_the_others(self, run: Run) -> None:
        outcome = run("batch", "logs", "-o", "out", "--to", "hk", "--jobs", "1", "--encoding", "utf-16")
        outcome.check(DONE, err="2 members skipped (2 no record)")
        assert Path("out/wide.hk").read_text("utf-8") == SCORES


def test_utf_8_stays_the_usual_encoding(run: Run) -> None:
    Path("game.mjson").write_text("\ufeff" + named(JAPANESE), "utf-8")
    for words in ([], ["--encoding", "utf-8"]):
        assert run("game.mjson", "--to", "mjai", *words).out == named(JAPANESE).encode()
    assert encoding.current() is None


def test_a_sheet_and_a_season_may_have_another_encoding(run: Run) -> None:
    Path("may.csv").write_text("日付,安倍,馬場,千葉,土井\n2024-05-03,42.3,31,18.2,8.5\n", "cp932")
    Path("season.txt").write_text("team 赤 = 安倍, 千葉\n", "cp932")
    assert "may.csv:1:1: not UTF-8: the text looks like Shift-JIS; --encoding cp932" in run("score", "may.csv").err
    words = ("score", "new.csv", "--season", "season.txt", "--teams", "-q")
    Path("new.csv").write_text(Path("may.csv").read_text("cp932"), "utf-8")
    assert "season.txt:1:6: not UTF-8: the text looks like Shift-JIS; --encoding cp932" in run(*words).err
    assert run("score", "may.csv", *words[2:], "--encoding", "cp932").out.decode().splitlines()[1][:2] == "赤\t"


def test_a_layout_and_a_new_file_are_made_of_no_text_in_another_encoding(run: Run) -> None:
    Path("a.hk").write_text("A B C D\n1 - - -\n", "utf-16")
    for words in (("fmt", "a.hk"), ("fmt", "--diff", "a.hk"), ("new", "b.hk", "--like", "a.hk")):
        assert "a.hk:1:1: not UTF-8: the text is UTF-16; --encoding utf-16 reads it" in run(*words).err
    assert not Path("b.hk").exists()
    run("new", "b.hk", "--like", "a.hk", "--encoding", "utf-16").check(DONE)
    assert "\nA B C D\n" in Path("b.hk").read_text()


# Text of a file reaches a terminal only with escapes for controls and for characters that change direction.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
#: Clears the screen; sets the title; writes backward; ends a line; the same in one byte; a bell.
HARM = ["\x1b[2Ja", "\x1b]0;b\x07", "\u202ec", "d\u2028e", "\x9b2Jf", "g\x07\u2066h\u200f"]
MARKS = ["x1b[2Ja", "x1b]0;b", "u202ec", "d\\u2028e", "x9b2Jf", "g\\x07"]
HANDS = json.dumps([["?"] * 13] * 4)


def mjai(name: str) -> str:
    said = json.dumps(name)
    return (
        f'{{"type":"start_game","names":[{said},{said},"C","D"]}}\n'
        f'{{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","kyoku":1,"honba":0,"kyotaku":0,"oya":0,'
        f'"tehais":{HANDS},{said}:1}}\n'
        f'{{"type":"ryukyoku","reason":{said},"deltas":[0,0,0,0]}}\n'
        f'{{"type":"end_kyoku"}}\n{{"type":"end_game"}}\n'
    )


def jmjp(name: str) -> str:
    players = "".join(f'ply[{player},(snt["{name}"],),,,]' for player in range(4))
    return f"jmjp[1.0](mtp[,,,]{players}\nfrm[E1-0,,,,,,,])\n//{name}\n"


def hk(name: str) -> str:
    word = "".join(name.split())
    return f"{word} B C D\n- 3 - d  # {word}\n"


RIGHT = {"mjson": mjai, "jmjp": jmjp, "hk": hk}
BROKEN: dict[str, Callable[[str], str]] = {
    "mjson": lambda name: f'{{"type":"start_game"}}\n{{"type":{json.dumps(name, ensure_ascii=False)}}}\n',
    "jmjp": lambda name: f"jmjp[1.0](mtp[,,,]{name})\n",
    "hk": lambda name: f"A B C {''.join(name.split())}*\n",
    "uzje": lambda name: f"Players: 4\n\nE 1 0 4 {name}\n",
}
HARMS = pytest.mark.parametrize(("harm", "mark"), list(zip(HARM, MARKS, strict=True)), ids=range(len(HARM)))


def seen(run: Run, *words: str | Path) -> str:
    """Return the output of a command, and check that it is safe for a terminal."""
    outcome = run(*words)
    said = outcome.out.decode() + outcome.err
    assert CONTROL.search(said) is None, said
    return said


@HARMS
@pytest.mark.parametrize("ending", RIGHT)
def test_in_right_files(run: Run, harm: str, mark: str, ending: str) -> None:
    Path(f"a.{ending}").write_text(RIGHT[ending](harm), encoding="utf-8")
    assert (ending == "hk" and harm[0] == "d") or mark in seen(run, "info", f"a.{ending}")
    seen(run, "validate", f"a.{ending}", "--explain")
    target = "jmjp" if ending == "mjson" else "mjson"
    assert ending != "mjson" or mark in seen(run, f"a.{ending}", "-o", f"b.{target}")


@HARMS
@pytest.mark.parametrize("ending", BROKEN)
def test_in_errors(run: Run, harm: str, mark: str, ending: str) -> None:
    Path(f"a.{ending}").write_text(BROKEN[ending](harm), encoding="utf-8")
    for words in ((f"a.{ending}", "-o", "b.mjson"), ("info", f"a.{ending}"), ("validate", f"a.{ending}")):
        said = seen(run, *words)
        assert "error" in said
        assert ending in ("hk", "uzje") or words[0] == "validate" or mark in said


@HARMS
def test_in_scores_as_a_terminal_gets_them(harm: str, mark: str) -> None:
    Path("a.hk").write_text(hk(harm), encoding="utf-8")
    said = hk_score_files(["a.hk"]).aligned()
    assert CONTROL.search(said) is None
    assert harm[0] == "d" or mark in said


@HARMS
def test_in_json_too(run: Run, harm: str, mark: str) -> None:
    del mark
    Path("a.mjson").write_text(mjai(harm), encoding="utf-8")
    printed = seen(run, "info", "a.mjson", "--json")
    assert json.loads(printed)["matches"][0]["players"][0] == harm
    Path("b.mjson").write_text(BROKEN["mjson"](harm), encoding="utf-8")
    printed = seen(run, "validate", "b.mjson", "--json")
    assert json.loads(printed.splitlines()[0])["code"] == "S001"


@HARMS
def test_in_names_of_files_and_of_members(run: Run, harm: str, mark: str) -> None:
    name = harm.replace("/", "")
    Path(f"{name}.mjson").write_text(BROKEN["mjson"]("x"), encoding="utf-8")
    put_files({"a.zip": zipped({f"{name}.mjson": BROKEN["mjson"]("x").encode()})})
    for words in (
        ("info", f"{name}.mjson"),
        ("validate", f"{name}.mjson"),
        (f"{name}.mjson", "-o", "b.jmjp"),
        ("validate", "a.zip"),
    ):
        assert mark in seen(run, *words)


def test_file_contents_are_no_part_of_a_path(run: Run) -> None:
    Path("out").mkdir()
    Path("%d%s%n.mjson").write_text(mjai("../../../x") * 2, encoding="utf-8")
    run("split", "%d%s%n.mjson", "-o", "out").check(0)
    assert sorted(path.name for path in Path("out").iterdir()) == ["%d%s%n_001.mjson", "%d%s%n_002.mjson"]
    run("split", "%d%s%n.mjson", "-o", "out/%%s_%d_%n.jmjp", "--quiet").check(0)
    assert {"%%s_1_%n.jmjp", "%%s_2_%n.jmjp"} <= {path.name for path in Path("out").iterdir()}
