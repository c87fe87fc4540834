"""Hands of Chinese Official through other formats and back; also real logs, in the folder `MJCONV_REAL_LOGS`."""

import os
import re
from pathlib import Path

import pytest

import mjconv
from corpus_files import CORPUS

FOLDERS = [CORPUS, *map(Path, filter(None, [os.environ.get("MJCONV_REAL_LOGS")]))]
FILES = [
    path for folder in FOLDERS for form in ("botzone", "pmn") for path in sorted((folder / form).iterdir()) if path
]


#: Hands that a format refuses: mjai and jmjp have no flowers, and a log of Botzone has one winner.
_FLOWER = b"BuHua|R[0-3]f[1-8]"
REFUSED = {"mjai": _FLOWER, "jmjp": _FLOWER, "botzone": b"H[0-3]H[0-3]"}
ALL = [(path, via) for path in FILES for via in ("mjai", "uzje", "hk", "jmjp", "botzone", "pmn")]


def is_refused(path: Path, via: str) -> bool:
    return via in REFUSED and re.search(REFUSED[via], path.read_bytes()) is not None


def name_of(one: Path | str) -> str:
    return one if isinstance(one, str) else f"{one.parent.name}/{one.name}"


@pytest.mark.parametrize(("path", "via"), [one for one in ALL if not is_refused(*one)], ids=name_of)
def test_logs_come_back_byte_for_byte(path: Path, via: str) -> None:
    own = path.parent.name
    data = path.read_bytes()
    there = mjconv.convert(data, source=own, target=via)
    assert not {loss.what for loss in there.losses if loss.fate in ("dropped", "approximated")} - {"hora.fan"}
    back = mjconv.convert(there.data, source=via, target=own)
    assert back.data == data.replace(b"\r\n", b"\n")


@pytest.mark.parametrize(("path", "via"), [one for one in ALL if is_refused(*one)], ids=name_of)
def test_hands_that_a_format_cannot_hold_are_refused(path: Path, via: str) -> None:
    with pytest.raises(mjconv.MjconvError, match=r"one winner|no word for \df|no tile \df"):
        mjconv.convert(path.read_bytes(), source=path.parent.name, target=via)


@pytest.mark.parametrize("via", ["mjai", "jmjp"])
def test_flowers_that_are_hidden_come_back(via: str) -> None:
    data = (CORPUS / "botzone/flowers.txt").read_bytes()
    there = mjconv.convert(data, source="botzone", target=via, lossy=True)
    back = mjconv.convert(there.data, source=via, target="botzone")
    assert back.data == data.replace(b"\r\n", b"\n")
