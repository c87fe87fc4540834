"""Inputs made to hurt are refused in words: those of ``python -m fuzz bombs``, which measures them as well."""

import sys
from pathlib import Path

import pytest

import mjconv
from fuzz import bombs
from fuzz.bombs import BOMBS, Bomb, Outcome, set_off
from looped import looped

#: What each is refused for.
REASONS = {
    "gzip": "decompresses to more than 200 times its size",
    "zip of messages": "decompresses to more than 200 times its size",
    "zip of a crowd": "holds more than 10000000 members",
    "arrays": "arrays and objects are nested more than 200 deep",
    "objects": "arrays and objects are nested more than 200 deep",
    "brackets": r"found \"\(\", expected|an unmatched bracket",
    "hands in hands": r"found \"\(\", expected a tile",
    "digits": "digits|out of range|above the maximum|counts from 1|is no turn|version",
    "records": "a line is longer than 16 MiB",
    "line": "a line is longer than 16 MiB|the format of",
    "comment": "a line is longer than 16 MiB",
    "names in a line": "a line is longer than 16 MiB",
}


@pytest.mark.parametrize("bomb", BOMBS, ids=[bomb.name for bomb in BOMBS])
def test_a_bomb_is_refused_in_words(bomb: Bomb, tmp_path: Path) -> None:
    path = tmp_path / bomb.file
    bomb.write(path)
    reason = next(said for part, said in REASONS.items() if part in bomb.name)
    with pytest.raises(mjconv.MjconvError, match=reason) as caught:
        for _ in mjconv.iter_matches(path):
            pass
    assert str(caught.value).startswith((str(path), "the format of"))
    assert len(str(caught.value)) < 3000
    path.unlink()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gzip of zeros", "zip of messages", "mjai: arrays, closed", "jmjp: a line"])
def test_with_little_memory_too(name: str, tmp_path: Path) -> None:
    [bomb] = [bomb for bomb in BOMBS if bomb.name == name]
    path = tmp_path / bomb.file
    bomb.write(path)
    outcome = set_off(path, "library")
    assert outcome.refused, outcome.output
    assert outcome.memory <= bombs.MOST_MEMORY


class TestTelling:
    def test_what_is_read_is_not_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "day.hk"
        path.write_text("A B C D\n- - - -\n")
        outcome = set_off(path, "library")
        assert (outcome.status, outcome.refused, outcome.harmless) == (0, False, False)

    @looped(
        ("outcome", "refused", "harmless"),
        (Outcome(1, "x: is too large", 0.5, 10**8), True, True),
        (Outcome(1, "x: is too large", 2.5, 10**8), True, False),
        (Outcome(1, "x: is too large", 0.5, 10**9), True, False),
        (Outcome(1, "Traceback (most recent call last):\nMemoryError", 0.5, 10**8), False, False),
        (Outcome(-9, "", 0.5, 10**8), False, False),
        (Outcome(1, "", 0.5, 10**8), False, False),
    )
    def test_what_is_a_refusal(self, outcome: Outcome, refused: bool, harmless: bool) -> None:
        assert (outcome.refused, outcome.harmless) == (refused, harmless)

    @pytest.mark.slow
    def test_the_table(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(bombs, "BOMBS", [bomb for bomb in BOMBS if bomb.name == "hk: digits of faan"])
        assert bombs.run()
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[4] for line in lines[1:]] == ["library", "info", "validate", "score"]
        assert all("the faan are above the maximum" in line for line in lines[1:])
        monkeypatch.setattr(bombs, "BOMBS", [Bomb("right", "a.hk", lambda path: path.write_text("A B C D\n"))])
        monkeypatch.setattr(sys, "argv", [str(tmp_path)])
        assert not bombs.run()
        assert "<-- not refused" in capsys.readouterr().out
