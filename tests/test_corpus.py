"""The corpus keeps its word: the grammar is all used, games are legal play, broken files give their errors."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

import engine
import mjconv
from corpus_files import CORPUS, ERROR, FORMATS, broken_files, each, error_of, grammar_files
from grammar_parts import parts, used
from looped import looped
from mjconv.converters.jmjp.grammar import fine_parser
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HIDDEN
from trips import known, read, write

GRAMMAR = grammar_files()
SAMPLE = CORPUS / "sample"
#: The rounds that can be played again: not points alone, not hidden, not broken off.
PERFORMED = {"calls": 3, "endings": 10, "layout": 1, "absent": 0, "points": 0, "league": 0}


def matches_of(path: Path) -> list[Match]:
    return read(path.read_bytes(), FORMATS[path.suffix]).matches


def stem(path: Path) -> str:
    return path.stem.removesuffix("-0")


# The sample.


@looped(("name", "written"), ("game.mjson", "game.jmjp"), ("game.jmjp", "game.mjson"))
def test_the_sample_in_jmjp_is_what_its_mjai_is_written_as_and_the_reverse(name: str, written: str) -> None:
    source, target = (FORMATS[Path(one).suffix] for one in (name, written))
    converted = mjconv.convert((SAMPLE / name).read_bytes(), source=source, target=target)
    assert converted.data.decode() == (SAMPLE / written).read_text("utf-8")
    assert not converted.real_losses


def test_the_sample_is_legal_play() -> None:
    [match] = matches_of(SAMPLE / "game.jmjp")
    assert [first_difference(game_round) for game_round in match.rounds] == [None] * 3


# The grammar.


@pytest.mark.parametrize("major", [0, 1])
def test_no_part_of_the_grammar_is_unused(major: int) -> None:
    texts = [path.read_text("utf-8-sig") for path in GRAMMAR]
    assert set().union(*(used(text) for text in texts if StrippedText(text).major == major)) == parts(major)


def test_nothing_in_it_looks_odd() -> None:
    for path in GRAMMAR:
        was = read(path.read_bytes(), "jmjp")
        assert was.warnings == [], path
        assert {loss.what for loss in was.losses} <= {"start_kyoku.kyotaku"}, path


@each(GRAMMAR)
@pytest.mark.parametrize("version", ["jmjp", "jmjp-0"])
@pytest.mark.parametrize("plain", [False, True], ids=["notes", "plain"])
def test_what_is_written_is_jmjp(path: Path, version: str, plain: bool) -> None:
    text = write(matches_of(path), version, plain=plain).data.decode()
    source = StrippedText(text)
    tree = fine_parser(source.major).parse(source.stripped)
    assert source.major == (version == "jmjp")
    assert len(list(tree.find_data("match"))) == text.count("mtp[")
    assert not source.comments or not (plain and version == "jmjp-0")
    assert not plain or "@mjconv" not in text


@each(GRAMMAR)
def test_each_game_is_legal_play(path: Path) -> None:
    rounds = [game_round for match in matches_of(path) for game_round in match.rounds if is_whole(game_round)]
    found = {game_round.label: first_difference(game_round) for game_round in rounds}
    assert set(found.values()) <= {None}, found
    assert len(rounds) == PERFORMED[stem(path)]


def test_points_go_on_from_frame_to_frame() -> None:
    for path in GRAMMAR:
        for match in matches_of(path):
            scored = [game_round for game_round in match.rounds if game_round.start and game_round.start.scores]
            for game_round in scored:
                sticks = int(known(game_round.start).kyotaku or 0)
                assert sum(scores_before(game_round)) + 1000 * sticks == 100_000, path
            for before, after in pairwise(scored):
                assert scores_after(before) == scores_before(after), path


def test_the_same_games_are_in_both_versions() -> None:
    for path in GRAMMAR:
        names = (f"{stem(path)}.jmjp", f"{stem(path)}-0.jmjp")
        matches = (matches_of(CORPUS / "grammar" / name) for name in names)
        ours, theirs = ([[one.label for one in match.rounds] for match in each] for each in matches)
        assert ours == theirs, path


def test_what_is_played_has_a_use_for_what_is_rare() -> None:
    files = [(CORPUS / "grammar" / f"{name}.jmjp").read_text("utf-8") for name in PERFORMED]
    texts = "".join(re.sub(r"//.*", "", text) for text in files)
    for rare in ("(e,oy,", ",kg)", ",kk[", ",ak[", ",dk[", ",rs[", "rn,)(n,rn,)", ",tm)", ",rc["):
        assert rare in texts
    [match] = matches_of(CORPUS / "grammar" / "endings.jmjp")
    ends = {game_round.label: [type(event) for event in game_round.events[-3:-1]] for game_round in match.rounds}
    assert (ends["E1-0"], ends["E1-3"]) == ([ev.Win, ev.Win], [ev.Kakan, ev.Win])
    blocked = {game_round.label: len(game_round.blocked) for game_round in match.rounds}
    assert {label: count for label, count in blocked.items() if count} == {"E1-2": 3, "E3-1": 1}


def test_the_readme_describes_each_file() -> None:
    readme = (CORPUS / "README.md").read_text("utf-8")
    for path in (*GRAMMAR, *SAMPLE.iterdir()):
        assert f"`{path.name.replace('-0.jmjp', '.jmjp')}`" in readme


# Broken files.


BROKEN = [path for folder in (CORPUS, CORPUS / "hk", CORPUS / "uzje") for path in broken_files(folder)]


@looped("ending", *sorted({path.suffix for path in BROKEN}))
def test_a_broken_file_gives_its_error(ending: str) -> None:
    target = {".jmjp": "mjai", ".mjson": "jmjp"}.get(ending, ending[1:])
    for path in [path for path in BROKEN if path.suffix == ending]:
        with pytest.raises(mjconv.MjconvError) as caught:
            mjconv.convert(path.read_bytes(), target=target, file=path.name)
        assert f"{caught.value}\n" == error_of(path).read_text("utf-8")


def test_no_error_is_without_its_file() -> None:
    assert set(map(error_of, BROKEN)) == set(CORPUS.rglob(f"broken/*{ERROR}"))
    assert len(BROKEN) > 180


# Play.


def is_whole(game_round: Round) -> bool:
    """Return whether a round can be played again: it has every tile, the points and the result."""
    start = game_round.start
    if start is None or UNSET in (start.tehais, start.scores, start.dora_marker, start.kyotaku):
        return False
    tiles = [tile for hand in start.tehais or () for tile in hand]
    tiles += [event.pai for event in game_round.events if isinstance(event, ev.Draw)]
    results = [event for event in game_round.events if isinstance(event, (ev.Win, ev.Ryukyoku))]
    return bool(results) and HIDDEN not in tiles and all(event.deltas is not UNSET for event in results)


def scores_before(game_round: Round) -> tuple[int, ...]:
    return tuple(known(game_round.start).scores or ())


def scores_after(game_round: Round) -> tuple[int, ...]:
    """Return the points after a round, added up from its events."""
    if game_round.scores_after:
        return game_round.scores_after
    scores = list(scores_before(game_round))
    for event in game_round.events:
        if isinstance(event, ev.RiichiAccepted):
            scores[event.actor] -= 1000
        elif isinstance(event, (ev.Win, ev.Ryukyoku)):
            scores = [score + delta for score, delta in zip(scores, event.deltas or (), strict=True)]
    return tuple(scores)


def first_difference(game_round: Round) -> tuple[Any, Any] | None:
    """Play a round again on the engine. Return the first difference, ours and its, or None."""
    log = write([Match(rounds=[Round(game_round.events)])], "mjai", plain=True).data
    [performed] = engine.perform(log)
    ours = list(in_one_order(log))
    theirs = list(in_one_order(b"\n".join(json.dumps(event).encode() for event in performed.events)))
    for our, their in zip(ours, theirs, strict=False):
        if our != {key: their.get(key) for key in our}:
            return our, their
    if len(ours) != len(theirs):
        return len(ours), len(theirs)
    after = scores_after(game_round)
    return None if after == performed.end else (after, performed.end)


def in_one_order(log: bytes) -> Iterator[dict[str, Any]]:
    """Give the messages of a round, tiles that lie together in one order."""
    for line in log.splitlines():
        message = json.loads(line)
        if message["type"] in ("start_game", "end_kyoku", "end_game"):
            continue
        if "tehais" in message:
            message["tehais"] = [sorted(hand) for hand in message["tehais"]]
        if "consumed" in message:
            message["consumed"] = sorted(message["consumed"])
        yield message
