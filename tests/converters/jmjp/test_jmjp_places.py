"""The places of events in a text: their act, their tile, or the result in their frame."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_files import CORPUS, each, grammar_files
from engine import Deal, play
from logs import lines, messages
from mjconv.converters import formats, hub
from mjconv.converters.jmjp.spelling import DORA, JMJP
from mjconv.ir import events as ev
from mjconv.ir.errors import Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round
from trips import places, write
from trips import read as read_from

from .texts import HANDS, file, flow, frame, match

FORM = formats.find("jmjp")[0]
#: What a frame has between its head and its foot; a comment beside it is none of it.
FRAME = re.compile(r"frm\[.*?^,[^\n]*\]$", re.MULTILINE | re.DOTALL)
#: The order of acts does not give the places of these.
IN_THE_HEAD = (ev.StartRound, ev.Dora)


def offset(text: str, place: Place | None) -> int:
    assert place is not None
    lines = text.splitlines(keepends=True)
    assert lines[place.line - 1].rstrip("\r\n") == place.text
    return sum(map(len, lines[: place.line - 1])) + place.column - 1


def placed(text: str) -> list[tuple[Round, re.Match[str], list[int]]]:
    """Return each round with its frame and the places of its events."""
    [read_match] = hub.read_matches(FORM, text.encode(), Report())
    find = places("jmjp", text.encode())
    frames = list(FRAME.finditer(re.sub(r"//.*", lambda note: " " * len(note[0]), text)))
    assert len(frames) == len(read_match.rounds)
    return [
        (game_round, found, [offset(text, find(0, number, event)) for event in range(len(game_round.events))])
        for number, (game_round, found) in enumerate(zip(read_match.rounds, frames, strict=True))
    ]


def shown(event: ev.Event) -> str:
    """Return the text at the place of an event, as a regular expression."""
    if isinstance(event, ev.StartRound):
        return r"frm\["
    if isinstance(event, ev.Dora):
        return DORA[event.dora_marker]
    if isinstance(event, ev.Discard):
        return rf"{JMJP[event.pai]}\)|rc\[{JMJP[event.pai]}\]|" + ("tg" if event.tsumogiri else r"kg")
    if isinstance(event, (ev.Riichi, ev.RiichiAccepted)):
        return r"rc\["
    if isinstance(event, (ev.Kakan, ev.Ankan)):
        return r"kk\[|ak\["
    if isinstance(event, ev.Draw):
        return rf"\([eswn],(?:oy|{JMJP[event.pai]},|rs\[{JMJP[event.pai]}\])"
    if isinstance(event, (ev.Chi, ev.Pon, ev.Daiminkan)):
        return r"\([eswn],(?:ch\[|pn|dk)"
    if isinstance(event, ev.Win):
        return r"tm\)|\([eswn],r[no],\)"
    return r"pfe\[" if isinstance(event, ev.Ryukyoku) else r"\]"


def check(text: str) -> None:
    """Check that every event has a place in its frame, in order, at its own text."""
    for game_round, found, offsets in placed(text):
        assert found.start() == offsets[0]
        assert all(found.start() <= at < found.end() for at in offsets)
        in_order = [
            at for at, event in zip(offsets, game_round.events, strict=True) if not isinstance(event, IN_THE_HEAD)
        ]
        assert all(before <= after for before, after in pairwise(in_order))
        for at, event in zip(offsets, game_round.events, strict=True):
            assert re.compile(shown(event)).match(text, at), (event, text[at : at + 20])


@pytest.mark.parametrize("version", ["jmjp", "jmjp-0"])
@given(seed=st.integers(0, 10**6), deal=st.sampled_from(["fair", "triplets", "close", "waits"]))
@settings(max_examples=15)
def test_every_event_of_a_round_has_the_place_of_its_text(version: str, seed: int, deal: Deal) -> None:
    game = read_from(play(seed, length="round", deal=deal), "mjai").matches
    check(write(game, version, plain=True).data.decode())


def test_the_place_of_a_deal_is_the_frame_and_of_a_part_of_an_act_that_part() -> None:
    text = file(match(frame(flow("e,5m,tg", "s,9s,1m"), pfe="pfe[25.0,25.0,25.0,25.0]")))
    find = places("jmjp", text.encode())
    at = [offset(text, find(0, 0, event)) for event in range(7)]
    assert [text[here : here + 5] for here in at] == ["frm[E", "(e,5m", "tg)(s", "(s,9s", "1m)(e", "pfe[2", "])"]


def test_the_places_of_rounds_without_play_and_of_results() -> None:
    text = file(match(frame(pfe="pfe[25.0,25.0,25.0,25.0]") + "\n" + frame()))
    find = places("jmjp", text.encode())
    assert [find(0, 1, event) for event in (0, 1)] == [
        Place(2, 1, frame() + ")"),
        Place(2, len(frame()), frame() + ")"),
    ]
    text = file(match(frame(f"{HANDS}(e,5m,tg)\n{HANDS}")))
    place = places("jmjp", text.encode())(0, 0, 3)
    assert place is not None
    assert (place.line, place.column) == (2, 1)
    # Each winner of several has the place of its own act.
    text = file(match(frame(flow("e,9s,1m", "s,rn,", "w,rn,"))))
    find = places("jmjp", text.encode())
    at = [offset(text, find(0, 0, event)) for event in (3, 4)]
    assert [text[here : here + 7] for here in at] == ["(s,rn,)", "(w,rn,)"]


def test_the_place_of_dora_is_their_indicator() -> None:
    acts = ("e,1m,ak[1m1m1m1m]", "e,rs[9s],tg")
    hands = HANDS.replace("(e,hnd[1m2m3m4m0m6m1p2p3pewewwdwd", "(e,hnd[1m1m1m4m0m6m1p2p3pewewwdwd")
    text = file(match(frame(hands + "".join(f"({act})" for act in acts) + HANDS, dora="2puk9muk" + "uk" * 6)))
    [read_match] = hub.read_matches(FORM, text.encode(), Report())
    [at] = [number for number, event in enumerate(read_match.rounds[0].events) if isinstance(event, ev.Dora)]
    assert text[offset(text, places("jmjp", text.encode())(0, 0, at)) :].startswith("9muk")


def test_several_matches_are_distinguished() -> None:
    text = file(match(frame()), "\n" + match(frame(name="E1-0") + "\n" + frame(name="E2-0")))
    find = places("jmjp", text.encode())
    assert [(place.line, place.column) for place in (find(0, 0, 0), find(1, 1, 0)) if place] == [
        (1, text.index("frm[") + 1),
        (3, 1),
    ]


def test_what_is_not_there_has_no_place_but_its_frame() -> None:
    find = places("jmjp", file(match(frame(flow("e,5m,tg")))).encode())
    assert find(0, 0, -1) == find(0, 0, 99) == find(0, 0, 0)
    assert find(1, 0, 0) is find(0, 1, 0) is find(-1, 0, 0) is find(0, -1, 0) is None


def test_after_a_note_an_event_has_the_place_of_its_own_text() -> None:
    """Notes hold in-game messages and odd orders of dora: the events after them are counted on."""
    log = messages(play(11, length="round", deal="triplets"))
    asked = [[message, {"type": "none"}] if message["type"] == "dahai" else [message] for message in log]
    source = read_from(lines([message for few in asked for message in few]), "mjai").matches
    text = write(source, "jmjp").data.decode()
    assert "@mjconv" in text
    assert hub.read_matches(FORM, text.encode(), Report()) == source
    for game_round, found, offsets in placed(text):
        for at, event in zip(offsets, game_round.events, strict=True):
            assert re.compile(shown(event)).match(text, at)
            assert found.start() <= at < found.end()
        assert any(isinstance(answer.message, ev.Pass) for answer in game_round.answers)


@each([*grammar_files(), CORPUS / "sample" / "game.jmjp"])
def test_every_event_of_the_corpus_has_a_place_in_its_frame(path: Path) -> None:
    data = path.read_bytes()
    text = data.decode()
    matches: list[Match] = hub.read_matches(FORM, data, Report())
    find, lenient = places("jmjp", data), places("jmjp", data, lenient=True)
    for number, read_match in enumerate(matches):
        begins = [offset(text, find(number, index, 0)) for index in range(len(read_match.rounds))] + [len(text)]
        for index, game_round in enumerate(read_match.rounds):
            for event in range(len(game_round.events)):
                place = find(number, index, event)
                assert begins[index] <= offset(text, place) < begins[index + 1]
                assert lenient(number, index, event) == place
