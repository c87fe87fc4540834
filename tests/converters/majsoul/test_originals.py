"""Unchanged records come back byte for byte, in every container; changed ones keep what the hub holds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

import majsoul_made as made
import mjconv
from looped import looped
from mjconv.ir.match import Annotation, Original
from trips import read, write

CORPUS = Path(__file__).parents[3] / "corpus/majsoul"
CONTAINERS: dict[str, Callable[[Any], bytes]] = {
    "client": lambda client: orjson.dumps(client, option=orjson.OPT_INDENT_2),
    "reply": made.reply,
    "hexadecimal digits": lambda client: made.reply(client).hex(" ", 8).upper().encode() + b"\n",
    "file of data_url": made.details,
    "flat list": lambda client: orjson.dumps(made.flat(client)),
    "camel case": lambda client: orjson.dumps(made.in_camel_case(client)),
}


@looped("target", "mjai", "jmjp", "uzje")
@looped("contained", *CONTAINERS.values(), ids=CONTAINERS)
def test_every_container_comes_back_byte_for_byte(contained: Callable[[Any], bytes], target: str) -> None:
    data = contained(orjson.loads((CORPUS / "client.json").read_bytes()))
    there = mjconv.convert(data, source="majsoul", target=target)
    assert ("match.original", "carried") in {(loss.what, loss.fate) for loss in there.losses}
    assert mjconv.convert(there.data, source=target, target="majsoul").data == data


def test_fields_that_no_field_of_the_hub_holds_come_back() -> None:
    game = (CORPUS / "three.json").read_bytes()
    for number in (b"123456789012345678901234567890", b"1e-400", b"0.1000000000000000000001"):
        odd = game.replace(b'"seat":0', b'"odd":' + number + b',"seat":0', 1)
        there = mjconv.convert(odd, source="majsoul", target="mjai").data
        assert mjconv.convert(there, source="mjai", target="majsoul").data == odd
        own = mjconv.convert(odd, source="majsoul", target="majsoul").data
        assert mjconv.read(own, format="majsoul") == mjconv.read(odd, format="majsoul")


def test_a_text_with_a_note_sets_no_original() -> None:
    log = mjconv.convert((CORPUS / "four.json").read_bytes(), source="majsoul", target="jmjp", plain=True).data
    match = read(log, "jmjp").match
    match.rounds[0].annotations = (Annotation(2, "comment", value="here"),)
    text = write([match], "majsoul").data
    assert b'"mjconv"' in text
    back = read(text, "majsoul").match
    assert back.original is None
    # The text without the note has the sign of mjconv. Without it, the text is a record of its own.
    plain = write([match], "majsoul", plain=True).data
    alone = read(plain, "majsoul").match
    assert alone.original is None
    unsigned = plain.replace(b'"writer":"mjconv",', b"")
    alone = read(unsigned, "majsoul").match
    assert alone.original == Original("majsoul", unsigned)


@looped("file", "sample/game.mjson", "mjx/round.json", "")
def test_a_text_of_mjconv_is_no_original_and_comes_back_with_the_same_bytes(file: str) -> None:
    log = (CORPUS.parent / file).read_bytes() if file else b'{"type":"start_game"}\n'
    own = mjconv.convert(log, target="majsoul", plain=True).data
    there = mjconv.convert(own, source="majsoul", target="mjai").data
    assert b'"original"' not in there
    assert mjconv.convert(there, source="mjai", target="majsoul").data == own


def test_a_text_of_a_game_that_breaks_off_is_an_original() -> None:
    """Its reader leaves out the points at the end of the game."""
    match = read((CORPUS / "four.json").read_bytes(), "majsoul").match
    match.original = None
    match.rounds[-1].events = match.rounds[-1].events[:-2]
    text = write([match], "majsoul", plain=True).data
    back = read(text, "majsoul").match
    assert back.original == Original("majsoul", text)
