"""Text of a file reaches a terminal only with escapes for controls and for characters that change direction.

Names are where such things come from: of players, of messages, of keys, of files and of an archive's members.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from given import Run, put_files

from batch.archives import zipped
from mjconv import hk_score_files

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
