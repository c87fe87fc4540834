"""Originals: an unchanged record comes back byte for byte. A changed one keeps what the hub holds."""

import base64
import json
import warnings
from pathlib import Path
from typing import Any

import pytest
import zstandard
from msgspec import structs

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.converters.shared.originals import pack
from mjconv.ir.errors import LossError, UnsupportedError
from mjconv.ir.limits import Limits, using
from mjconv.ir.losses import ORIGINAL
from mjconv.ir.match import Original
from trips import bare, known, read, write

TENHOU = (CORPUS / "tenhou" / "hanchan.mjlog").read_bytes()
MAJSOUL = (CORPUS / "majsoul" / "four.json").read_bytes()
DROPPED = [(ORIGINAL, "dropped")]


def to_mjai(data: bytes, source: str = "tenhou") -> bytes:
    return mjconv.convert(data, source=source, target="mjai").data


def back(data: bytes, target: str = "tenhou", **options: Any) -> mjconv.Conversion:
    return mjconv.convert(data, source="mjai", target=target, **options)


def named(conversion: mjconv.Conversion) -> list[tuple[str, str]]:
    return [(loss.what, loss.fate) for loss in conversion.losses if loss.what == ORIGINAL]


def with_original(data: bytes, original: Any) -> bytes:
    """Return mjai lines with another original in their note, as JSON."""
    first, rest = data.split(b"\n", 1)
    message = json.loads(first)
    held = message["mjconv"]
    [note] = [one for one in (held if isinstance(held, list) else [held]) if "match" in one]
    note["original"] = original
    return json.dumps(message, ensure_ascii=False).encode() + b"\n" + rest


def packed(data: bytes, flavour: str = "tenhou") -> dict[str, str]:
    one = known(pack(Original(flavour, data)))
    return {"flavour": one.flavour, "data": one.data}


class TestUnchanged:
    def test_a_text_with_a_note_keeps_the_first_original(self) -> None:
        over = mjconv.convert(TENHOU, source="tenhou", target="majsoul").data
        away = mjconv.convert(over, source="majsoul", target="jmjp").data
        assert read(away, "jmjp").match.original == Original("tenhou", TENHOU)
        assert mjconv.convert(away, source="jmjp", target="tenhou").data == TENHOU
        # Nothing nests: the text of Mahjong Soul is written anew.
        assert mjconv.convert(away, source="jmjp", target="majsoul").data == over

    def test_several_of_a_file_of_lines_are_lines(self) -> None:
        data = (CORPUS / "mjx" / "game.json").read_bytes()
        [match] = read(data, "mjx").matches
        assert known(match.original).data == data.rstrip(b"\n")
        assert write([match, match], "mjx").data == (data.rstrip(b"\n") + b"\n") * 2

    def test_another_flavour_of_its_format_is_rendered(self) -> None:
        written = write(read(TENHOU, "tenhou").matches, "tenhou-json")
        assert read(written.data, "tenhou-json").match.original == Original("tenhou", TENHOU)
        assert TENHOU not in written.data

    def test_without_a_wall_too(self) -> None:
        assert back(mjconv.convert(TENHOU, source="tenhou", target="mjai", wall=False).data).data == TENHOU


class TestChanged:
    def test_a_changed_match_is_written_anew(self) -> None:
        away = to_mjai(TENHOU)
        edited = away.replace(b'"names":["', b'"names":["Z', 1)
        assert edited != away
        match, conversion = read(edited, "mjai").match, back(edited)
        assert conversion.data != TENHOU
        if match.original is None:
            # The note of the head was dropped with a warning: the head was edited.
            assert conversion.warnings
        else:
            assert named(conversion) == DROPPED
        assert read(conversion.data, "tenhou").match.players == match.players

    # An edited original, that of another game, and texts that cannot be read.
    @looped(
        "original",
        *(TENHOU.replace(b"ten=", b"tan=", 1), (CORPUS / "tenhou" / "three.mjlog").read_bytes()),
        *(b"", b"no record", b"<mjloggm/>", b"\xff" * 100, TENHOU[:2000]),
    )
    def test_an_original_of_another_text_counts_as_changed(self, original: bytes) -> None:
        assert original != TENHOU
        conversion = back(with_original(to_mjai(TENHOU), packed(original)))
        assert named(conversion) == DROPPED
        assert read(conversion.data, "tenhou").match == read(TENHOU, "tenhou").match

    def test_notes_inside_an_original_are_not_read(self) -> None:
        """It would be written as it is, with a note that contradicts the match."""
        noted = write(bare(read(MAJSOUL, "majsoul").matches), "tenhou").data
        assert b"<!--mjconv" in noted
        # The second text reads as the match also without its note.
        for text in (noted, TENHOU.replace(b"</mjloggm>", b'<!--mjconv {"v":4,"round":{}}--></mjloggm>')):
            hidden = structs.replace(read(text, "tenhou").match, original=Original("tenhou", text))
            assert (ORIGINAL, "dropped") in [(loss.what, loss.fate) for loss in write([hidden], "tenhou").losses]


class TestHostileNotes:
    @looped(
        ("data", "reason"),
        *((data, "cannot be decompressed") for data in (b"no zstandard", zstandard.compress(TENHOU)[:-20], b"")),
        (zstandard.compress(bytes(1 << 27)), "--limit expansion=NUMBER raises it"),
        ids=["zstandard", "truncated", "base64", "bomb"],
    )
    def test_a_damaged_original_is_a_warning_and_a_loss(self, data: bytes, reason: str) -> None:
        coded = base64.b64encode(data).decode() or "no base64!"
        conversion = back(with_original(to_mjai(TENHOU), {"flavour": "tenhou", "data": coded}))
        assert [warning for warning in conversion.warnings if reason in warning.message]
        assert named(conversion) == DROPPED
        assert read(conversion.data, "tenhou").match == read(TENHOU, "tenhou").match

    def test_an_original_of_an_unknown_format_is_carried_on_unread(self) -> None:
        data = with_original(to_mjai(TENHOU), packed(b"chess", "chess"))
        away = mjconv.convert(data, source="mjai", target="jmjp").data
        assert read(away, "jmjp").match.original == Original("chess", b"chess")

    def test_an_original_that_is_too_long_for_a_note_is_dropped(self) -> None:
        with using(Limits(string_bytes=500)):
            match = read(to_mjai(MAJSOUL, "majsoul").replace(b"mjconv", b"mjcon_"), "mjai").match
            long = structs.replace(match, original=Original("majsoul", MAJSOUL))
            losses = write([long], "jmjp").losses
        [loss] = [loss for loss in losses if loss.what == ORIGINAL]
        assert (loss.fate, loss.detail) == ("dropped", "it is too long for a note")


class TestOptions:
    @looped("option", "plain", "lossy", "fill")
    def test_a_rewriting_renders_its_own_format(self, option: str) -> None:
        options: dict[str, Any] = {option: True}
        conversion = mjconv.convert(TENHOU, source="tenhou", target="tenhou", **options)
        assert named(conversion) == DROPPED
        assert read(conversion.data, "tenhou").match.rounds

    @looped("target", "mjai", "jmjp", "mjx", "tenhou-url")
    def test_where_there_is_no_note_it_is_one_loss(self, target: str) -> None:
        plain = target in ("mjai", "jmjp")
        conversion = mjconv.convert(TENHOU, source="tenhou", target=target, plain=plain)
        assert named(conversion) == DROPPED
        assert b"original" not in conversion.data
        with pytest.raises(LossError, match=r"match\.original dropped"):
            mjconv.convert(TENHOU, source="tenhou", target=target, plain=plain, strict=True)

    def test_strict_takes_a_note_that_carries_it(self) -> None:
        away = mjconv.convert(MAJSOUL, source="majsoul", target="mjai", strict=True)
        assert named(away) == [(ORIGINAL, "carried")]


class TestLibrary:
    def test_a_changed_match_is_written_without_its_original(self, tmp_path: Path) -> None:
        match = mjconv.read(CORPUS / "tenhou" / "hanchan.mjlog")
        losses = mjconv.write(match, tmp_path / "same.mjson")
        assert [loss.fate for loss in losses if loss.what == ORIGINAL] == ["carried"]
        match.rounds = match.rounds[:2]
        losses = mjconv.write(match, tmp_path / "changed.mjson")
        assert [loss.fate for loss in losses if loss.what == ORIGINAL] == ["dropped"]
        with warnings.catch_warnings(action="ignore"):
            assert mjconv.read(tmp_path / "changed.mjson").original is None

    def test_riichi_city_writes_unchanged_records_alone(self, tmp_path: Path) -> None:
        source = CORPUS / "riichicity" / "four.json"
        match = mjconv.read(source)
        mjconv.write(match, tmp_path / "same.json", format="riichicity")
        assert (tmp_path / "same.json").read_bytes() == source.read_bytes()
        match.rounds = match.rounds[:-1]
        with pytest.raises(UnsupportedError, match="the record was changed"):
            mjconv.write(match, tmp_path / "changed.json", format="riichicity")
        with pytest.raises(UnsupportedError, match="match 1 has no such record"):
            mjconv.convert(TENHOU, source="tenhou", target="riichicity")
        options: list[dict[str, Any]] = [{"plain": True}, {"lossy": True}, {"fill": True}]
        for each in options:
            with pytest.raises(UnsupportedError, match="the record is written anew"):
                mjconv.convert(source.read_bytes(), source="riichicity", target="riichicity", **each)
