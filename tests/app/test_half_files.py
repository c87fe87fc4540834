"""A jmjp file that stops in the middle of a round: every command reads it, and says once that it is unfinished."""

from __future__ import annotations

from pathlib import Path

import pytest
from given import Run

SAMPLE = (Path(__file__).parents[2] / "corpus" / "sample" / "game.jmjp").read_text("utf-8")
HALF = SAMPLE[: SAMPLE.index("(e,1m,kg)")] + "(e,1m,kg)(s,r"
STOPS = "the text stops before the round ends"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["info", "half.jmjp"], STOPS),
        (["view", "half.jmjp", "--text"], STOPS),
        (["half.jmjp", "--to", "mjai"], STOPS),
        (["half.jmjp", "--to", "jmjp"], STOPS),
        (["validate", "half.jmjp"], "the round breaks off without a result"),
    ],
)
def test_every_command_reads_half_a_file(run: Run, words: list[str], told: str) -> None:
    Path("half.jmjp").write_text(HALF, "utf-8")
    done = run(*words)
    assert done.status == 0
    said = done.out.decode() + done.err
    assert said.count(told) == 1
    assert "error" not in done.err


def test_what_is_converted_from_half_a_file_has_no_result(run: Run) -> None:
    Path("half.jmjp").write_text(HALF, "utf-8")
    lines = run("half.jmjp", "--to", "mjai").out.decode().splitlines()
    assert '"type":"dahai","actor":0' in lines[-2]
    assert not any("hora" in line or "end_kyoku" in line for line in lines)


@pytest.mark.parametrize("typed", ["frm[,", "frm[,,,,,\n)"])
def test_the_error_of_a_round_without_a_name_has_a_remedy(run: Run, typed: str) -> None:
    Path("half.jmjp").write_text(f"{SAMPLE[: SAMPLE.index('frm[E2-0')]}{typed}", "utf-8")
    said = run("validate", "half.jmjp").out.decode()
    assert 'half.jmjp:21:5: S001 error (grammar): round 2: found ",", expected the name of a round such as' in said
    assert "this round has no name: type it, or insert it with mjconv FILE --in-place --fill" in said
    assert run("half.jmjp", "--in-place", "--fill").status == 0
    assert "frm[E2-0," in Path("half.jmjp").read_text("utf-8")
