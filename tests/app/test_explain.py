"""The command ``mjconv explain``: codes, losses, fates, and completion."""

from typing import get_args

from given import Run

from looped import looped
from mjconv.command.explain import FATES, explain
from mjconv.command.options import COMMANDS, WORDS
from mjconv.ir.losses import Fate
from mjconv.referee.codes import CODES


@looped(
    ("word", "text"),
    *((word, "R042 furiten (error, rules): ") for word in ("R042", "furiten")),
    ("dropped", "dropped: the plain text of the output does not state the value, and no note does"),
    ("round.dice", ": the output does not state this as the input does. `dice` are two dice, or one total."),
    ("dahai.tsumogiri", "`tsumogiri`: whether it is the tile just drawn."),
    ("dora", "A further dora indicator is turned."),
)
def test_a_word_has_its_meaning_and_a_page(word: str, text: str, run: Run) -> None:
    said = run("explain", word).out.decode()
    assert text in said
    assert "\n  docs/" in said


def test_every_code_and_fate_is_explained() -> None:
    assert set(FATES) == set(get_args(Fate))
    assert all(list(explain([code])) for code in CODES)


@looped(("word", "meant"), ("furitn", "furiten"), ("round.dise", "round.dice"), ("droped", "dropped"))
def test_an_unknown_word_names_the_nearest_one(word: str, meant: str, run: Run) -> None:
    run("explain", word).check(2, err=f"did you mean '{meant}'?")


def test_codes_complete() -> None:
    assert "R042" in WORDS[COMMANDS["explain"]["words"].words]("R04")
