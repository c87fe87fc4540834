"""The values that no field of the hub holds: a conversion names each round and match that loses some."""

import re
from pathlib import Path

import mjconv
from corpus_files import CORPUS
from logs import FOLDER
from looped import looped
from mjconv.converters import formats, hub
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

PLATFORMS = ("majsoul", "riichicity", "majiang", "mjx")
NUMBER = re.compile(rb"[0-9]+")
TENHOU = ("mjlog", "xml", "json")
SAMPLES = [path for name in (*PLATFORMS, "tenhou") for path in sorted((CORPUS / name).iterdir())]
if FOLDER:
    SAMPLES += [path for name in PLATFORMS for path in sorted((Path(FOLDER) / name).iterdir())]
    # Every eighth file is enough here.
    SAMPLES += [path for name in TENHOU for path in sorted((Path(FOLDER) / "tenhou" / name).iterdir())[::8]]


def form_of(path: Path) -> str:
    """Return the format of a sample, by its folder."""
    return "tenhou" if path.parent.name in TENHOU else path.parent.name


def read(path: Path) -> list[Match]:
    return hub.read_matches(formats.find(form_of(path))[0], path.read_bytes(), Report(lenient=True))


@looped("path", *SAMPLES)
def test_a_plain_conversion_names_the_extras_that_it_loses(path: Path) -> None:
    matches = read(path)
    losses = mjconv.convert(path.read_bytes(), source=form_of(path), target="mjai", plain=True).losses
    lost = {(loss.match, loss.round) for loss in losses if loss.what == "round.extras"}
    places = [(at, place, one) for at, match in enumerate(matches) for place, one in enumerate(match.rounds)]
    assert lost == {(at, place) for at, place, one in places if one.extras}
    of_matches = {loss.match for loss in losses if loss.what == "match.extras"}
    assert of_matches == {at for at, match in enumerate(matches) if match.extras}
