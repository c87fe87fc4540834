"""The places of events in a text: their act, their tile, or the result in their frame."""

from conformance.marks import marks_of
from engine import play
from logs import lines, messages
from mjconv.converters import formats
from mjconv.ir import events as ev
from mjconv.ir.errors import Place
from mjconv.testing.places import check_places
from mjconv.testing.samples import Sample
from trips import known, places, read, write

from .texts import HANDS, file, flow, frame, match

FORM = formats.find("jmjp")[0]


def offset(text: str, place: Place | None) -> int:
    assert place is not None
    every = text.splitlines(keepends=True)
    assert every[place.line - 1].rstrip("\r\n") == place.text
    return sum(map(len, every[: place.line - 1])) + place.column - 1


def test_the_place_of_a_deal_is_the_frame_and_of_a_part_of_an_act_that_part() -> None:
    text = file(match(frame(flow("e,5m,tg", "s,9s,1m"), pfe="pfe[25.0,25.0,25.0,25.0]")))
    find = places("jmjp", text.encode())
    at = [offset(text, find(0, 0, event)) for event in range(7)]
    assert [text[here : here + 5] for here in at] == ["frm[E", "(e,5m", "tg)(s", "(s,9s", "1m)(e", "pfe[2", "])"]


def test_the_places_of_rounds_without_play_and_of_results() -> None:
    text = file(match(frame(pfe="pfe[25.0,25.0,25.0,25.0]") + "\n" + frame()))
    find = places("jmjp", text.encode())
    assert [find(0, 1, event) for event in (0, 1)] == [Place(2, at, frame() + ")") for at in (1, len(frame()))]
    text = file(match(frame(f"{HANDS}(e,5m,tg)\n{HANDS}")))
    place = known(places("jmjp", text.encode())(0, 0, 3))
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
    read_match = read(text.encode(), "jmjp").match
    [at] = [number for number, event in enumerate(read_match.rounds[0].events) if isinstance(event, ev.Dora)]
    assert text[offset(text, places("jmjp", text.encode())(0, 0, at)) :].startswith("9muk")


def test_after_a_note_an_event_has_the_place_of_its_own_text() -> None:
    """Notes hold in-game messages and odd orders of dora: the events after them are counted on."""
    log = messages(play(11, length="round", deal="triplets"))
    asked = [[message, {"type": "none"}] if message["type"] == "dahai" else [message] for message in log]
    source = read(lines([message for few in asked for message in few]), "mjai").matches
    data = write(source, "jmjp").data
    assert b"@mjconv" in data
    assert read(data, "jmjp").matches == source
    assert any(isinstance(answer.message, ev.Pass) for answer in source[0].rounds[0].answers)
    check_places(FORM, Sample("a round with answers", data), marks_of(FORM, data))
