"""Check what a format writes: it is written at all, it reads as its source, and losses name every difference."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from msgspec import UNSET, Struct, json, structs

from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.converters.shared.carry import carry
from mjconv.converters.shared.prepare import prepare
from mjconv.ir.errors import MjconvError, PlayError, UnsupportedError
from mjconv.ir.losses import ORIGINAL, Report
from mjconv.ir.match import BESIDE, Match
from mjconv.ir.riichi_only import as_riichi
from mjconv.rules.rulesets import ruleset_of
from mjconv.testing.samples import Game, Sample, games, without_original
from mjconv.verification import verify

#: A refusal has at least so many words: it names a reason.
_FEWEST_WORDS = 5
#: How many games of the corpus are also written as one file.
_TOGETHER = 3
#: How many bytes on each side of a difference the message of a failure shows.
_BESIDE = 30
#: Matches as bytes, which show whether one was changed. The keys that no field holds are a mapping.
_ENCODER = json.Encoder(enc_hook=dict)


def flavours(form: Format) -> tuple[str, ...]:
    """Return the flavours of a format, the usual one first."""
    return ("", *form.flavours)


def read(form: Format, data: bytes) -> list[Match]:
    """Return the matches of a text. Raises `InputError`."""
    return hub.read_matches(form, data, Report())


def write(form: Format, matches: list[Match], options: WriteOptions) -> bytes | None:
    """Return matches as text, or None where the format refuses them, with a reason."""
    try:
        return hub.written(form, matches, Report(), options)
    except MjconvError as error:
        check_refusal(error)
        return None


def check_refusal(error: MjconvError) -> None:
    """Check that a format refuses a match by an error with a reason."""
    named = isinstance(error, UnsupportedError | PlayError)
    assert named, f"a writer raises UnsupportedError or PlayError, not {type(error).__name__}: {error}"
    assert len(error.message.split()) >= _FEWEST_WORDS, f"the refusal names no reason: {error}"


def written(form: Format, matches: list[Match], options: WriteOptions) -> bytes | None:
    """Return the text of matches, or None where the format refuses them, with a reason.

    Checks that the text reads as they do, and that losses are named. Where each loss is carried by notes, the text
    must read as the matches themselves. The matches must not change.
    """
    report = Report()
    before = _ENCODER.encode(matches)
    try:
        text = hub.written(form, matches, report, options)
    except MjconvError as error:
        check_refusal(error)
        return None
    finally:
        assert _ENCODER.encode(matches) == before, "the writer changes the match that it writes"
    if form.reads:
        dropped = any(loss.fate == "dropped" and loss.what != ORIGINAL for loss in report.losses)
        verify(matches, form, text, report.losses, plain=dropped or not form.writes_notes(options))
    return text


def ways(form: Format) -> list[WriteOptions]:
    """Return the ways to write a format: each flavour, with and without notes."""
    plain = (False, True) if form.notes else (False,)
    return [WriteOptions(flavour, plain=each) for flavour in flavours(form) for each in plain]


def check_text(form: Format, sample: Sample) -> None:
    """Check that the matches of a text, written and read again, are the same, in every flavour.

    They are written together, if the flavour holds several matches, and each by itself. A text without notes, read
    and written again, is the same text.
    """
    matches = [without_original(match) for match in read(form, sample.data)]
    for options in ways(form) if can_render(form) else ():
        for match in matches:
            text = written(form, [match], options)
            if text is not None and form.reads and not form.writes_notes(options):
                again = write(form, [without_original(one) for one in read(form, text)], options)
                assert text == again, f"what is read and written again is another text: {first_byte(text, again)}"
        if len(matches) > 1 and options.flavour not in form.files.one_match_a_file:
            written(form, matches, options)


def can_render(form: Format) -> bool:
    """Return whether a format writes other matches than unchanged originals."""
    return form.writes and form.original != "only"


def check_written(form: Format, samples: Sequence[Sample]) -> None:
    """Check that each flavour writes at least one sample of the format, from what the hub holds of it."""
    if not can_render(form):
        return
    matches = [without_original(match) for sample in samples for match in read(form, sample.data)]
    for options in ways(form):
        each = f"flavour {options.flavour or form.id}"
        some = any(written(form, [match], options) is not None for match in matches)
        assert some, f"{each}: no sample is written"


def check_trips(form: Format, sample: Sample) -> None:
    """Check that the matches come back from every format that holds them and has notes.

    They are written with the originals that their reader keeps, and without them.
    """
    matches = read(form, sample.data)
    bare = [without_original(match) for match in matches]
    kept = any(match.original is not None for match in matches)
    for other in formats.all_formats():
        if can_render(other) and other.reads and other.notes and other.id != form.id:
            for tried in (matches, bare) if kept else (bare,):
                for match in tried:
                    written(other, [match], WriteOptions())


def check_corpus(form: Format) -> None:
    """Run the games of the corpus into the format, in every flavour, with notes and without them.

    A game that the format declares to hold is written, or refused with a reason. Most of them must be written. The
    games of formats that keep originals are also written without their originals.
    """
    if not can_render(form):
        return
    others = [game for game in (*games(), *games(original=False)) if game.source != form.id]
    for options in ways(form):
        held = [game for game in others if holds(form, game.match)]
        done = [game for game in held if _named(form, [game], options)]
        for game in others:
            if game not in held:
                _named(form, [game], options)
        each = f"flavour {options.flavour or form.id}: {len(done)} of {len(held)}"
        assert 2 * len(done) > len(held), f"{each} games of the corpus are written"
        if options.flavour not in form.files.one_match_a_file:
            together = _named(form, done[:_TOGETHER], options)
            assert together, "games that are written one by one are not written together"


def _named(form: Format, tried: Sequence[Game], options: WriteOptions) -> bool:
    """Return whether games are written as one file; a promise that is broken names them."""
    try:
        return written(form, [game.match for game in tried], options) is not None
    except Exception as error:
        error.add_note(f"the input is {' and '.join(game.name for game in tried)}, in {options}")
        raise


def holds(form: Format, match: Match) -> bool:
    """Return whether a format declares to hold the seats, tiles and rules of a match, and the match is played.

    A match that shows no game is taken for riichi.
    """
    if not form.holds.has(ruleset_of(match).id or "riichi"):
        return False
    tiles = form.holds.tiles == "all" or as_riichi(match) == match
    played = bool(match.rounds) and all(one.is_played for one in match.rounds)
    return match.seats in form.holds.seats and tiles and played


def check_claims(form: Format, sample: Sample) -> None:
    """Check that a writer's reading is what its reader makes of the plain text and the hints in it."""
    if can_render(form) and form.reads:
        for match in read(form, sample.data):
            check_claim(form, without_original(match))


def check_all_claims(form: Format) -> None:
    """Check the readings that a writer states for the games of the corpus."""
    if not (can_render(form) and form.reads):
        return
    for game in games():
        if holds(form, game.match):
            try:
                check_claim(form, without_original(game.match))
            except Exception as error:
                error.add_note(f"the input is {game.name}")
                raise


def check_claim(form: Format, match: Match) -> None:
    """Check what a writer states as the reading of one match, in every flavour."""
    for options in ways(form):
        try:
            rendered = form.render(prepare(match, form, options).match, None, True, options)
            reading = rendered.reads_as() if rendered.reads_as is not None else None
        except MjconvError as error:
            check_refusal(error)
            continue
        parts = len(rendered.parts)
        assert parts == len(match.rounds) + 2, f"{parts} parts of {len(match.rounds)} rounds, a head and a tail"
        hints = any(part.hints for part in rendered.parts)
        assert reading is not None or not hints, "a writer with hints returns no reading: the hub cannot know them"
        assert not (hints and options.plain), "a writer gives hints, and no note carries them in a plain text"
        if reading is None:
            continue
        if options.plain:
            text = b"".join(part.text for part in rendered.parts)
            # A round without text is in a note alone.
            kept = [one for part, one in zip(rendered.parts[1:-1], reading.rounds, strict=True) if part.text]
        else:
            # The reading differs in nothing from itself: the notes hold the hints alone.
            text = b"".join(carry(reading, rendered, reading, form, options, Report(), 0))
            kept = reading.rounds
        [truth] = read(form, text)
        claimed = structs.replace(reading, rounds=kept)
        assert claimed == truth, f"flavour {options.flavour or form.id}: {difference(claimed, truth)}"


def difference(one: Any, other: Any, name: str = "") -> str:
    """Return the name of the first part that differs in two values, such as matches, and both of its values.

    >>> from mjconv.ir.events import StartGame
    >>> difference(Match(opening=[StartGame()]), Match(opening=[StartGame(id=1)]))
    'opening[0].id: UNSET and 1'
    """
    parts: list[tuple[str, Any, Any]] = []
    if isinstance(one, Struct) and type(one) is type(other):
        fields = [field for field in one.__struct_fields__ if field not in BESIDE]
        parts = [(f"{name}.{field}".lstrip("."), getattr(one, field), getattr(other, field)) for field in fields]
    elif isinstance(one, list | tuple) and type(one) is type(other):
        # Lists of another length differ in the first item that one of them lacks.
        pairs = enumerate(zip_longest(one, other, fillvalue=UNSET))
        parts = [(f"{name}[{index}]", *pair) for index, pair in pairs]
    for part, left, right in parts:
        if left != right:
            return difference(left, right, part)
    return f"{name}: {one!r:.300} and {other!r:.300}"


def first_byte(one: bytes | None, other: bytes | None) -> str:
    """Return the first byte that differs in two texts, with the text around it."""
    one, other = one or b"", other or b""
    pairs = enumerate(zip(one, other, strict=False))
    at = next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
    shown = slice(max(at - _BESIDE, 0), at + _BESIDE)
    return f"byte {at} differs: {one[shown]!r} and {other[shown]!r}"
