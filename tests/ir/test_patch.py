"""Patches: the differences of two readings, as data that restores one from the other."""

import datetime
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjconv.ir import events as ev
from mjconv.ir import match as ir
from mjconv.ir import patch
from mjconv.ir.match import BESIDE, Match, Text
from mjconv.ir.match import Round as Played
from mjconv.ir.patch import Difference, Edit, Patch, PatchError
from strategies import VALUES, any_text, messages

#: Few kinds and seats, so that lists of events often agree in part.
events = st.one_of(
    [messages(kind, own_keys=False) for kind in ("tsumo", "dahai", "dora", "reach", "ryukyoku")] + [messages()]
).map(ev.from_message)
alike: st.SearchStrategy[ev.Event] = st.sampled_from(
    [ev.Draw(0, "1m"), ev.Draw(1, "1m"), ev.Discard(0, "1m"), ev.Discard(0, "1m", tsumogiri=True), ev.Dora("1m")]
)
event_lists: st.SearchStrategy[list[ev.Event]] = st.lists(events, max_size=8) | st.lists(alike, max_size=40)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[ev.Event], list[ev.Event]]:
    """Return two lists of events. The second is the first with changes."""
    before = draw(event_lists)
    after = list(before)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(after)))
        after[at : at + draw(st.integers(0, 2))] = draw(st.lists(events | alike, max_size=2))
    return before, after


texts = st.builds(Text, any_text(max_size=3), code=st.just("mlg"))
#: Annotations of each kind, with a seat, a value, both or neither. Their order counts.
annotations = st.lists(
    st.builds(
        ir.Annotation,
        st.integers(0, 2),
        st.sampled_from(["comment", "mark", "left", "returned", "think_time", "emote"]),
        st.just(msgspec.UNSET) | st.integers(0, 3),
        st.just(msgspec.UNSET) | st.integers(0, 9) | any_text(max_size=3),
    ),
    max_size=2,
).map(tuple)
answers = st.lists(
    st.builds(
        ir.Answer,
        st.just(1),
        st.sampled_from([ev.Pass(), ev.Win(3, 1), ev.Ryukyoku(), ev.Join("a", "b"), ev.ErrorMessage("too late")]),
        st.just(msgspec.UNSET) | st.integers(0, 3),
    ),
    max_size=2,
).map(tuple)
rules = st.just(msgspec.UNSET) | st.builds(
    ir.Rules,
    base=st.decimals(allow_nan=False, allow_infinity=False),
    reds=st.sampled_from([msgspec.UNSET, (1, 1, 1)]),
    open_tanyao=st.just(msgspec.UNSET) | st.booleans(),
    length=st.sampled_from([msgspec.UNSET, "south"]),
    players=st.just(msgspec.UNSET) | st.integers(3, 4),
)
#: A rating keeps the digits that it was written with.
ratings = st.sampled_from([msgspec.UNSET, Decimal("2013.450"), Decimal(1500)])
ranks = st.just(msgspec.UNSET) | any_text(max_size=3)
players = st.builds(ir.Player, st.builds(ir.Name, texts), rank=ranks, rating=ratings)
PON = ir.Meld("pon", ("E", "E"), "E", 1)
rounds = st.builds(
    Played,
    events=event_lists,
    dice=st.sampled_from([msgspec.UNSET, (3, 4), (7,)]),
    comment=st.just(msgspec.UNSET) | texts,
    date=st.just(msgspec.UNSET) | st.dates(),
    wall=st.sampled_from([msgspec.UNSET, ("16m", "Z")]),
    blocked=st.sampled_from([(), (1,)]),
    dealt_fourteen=st.booleans(),
    final_hands=st.sampled_from([msgspec.UNSET, (ir.FinalHand(("1m",), "C", (PON,)),)]),
    rules=rules,
    annotations=annotations,
    answers=answers,
    extras=st.sampled_from([{}, {"jmjp": {"comments": [[0, " x"]]}}]),
)
matches = st.builds(
    Match,
    players=st.lists(players, max_size=6),
    rounds=st.lists(rounds, max_size=1),
    opening=event_lists,
    closing=event_lists,
    tournament=st.just(msgspec.UNSET) | st.builds(ir.Tournament, texts, st.integers(0, 9999)),
    time=st.just(msgspec.UNSET) | st.times(),
    recorders=st.lists(st.just(ir.Recorder(ir.Name(Text("a")), (ir.RoundId("E", 1, 0),))), max_size=2),
    final_scores=st.sampled_from([msgspec.UNSET, (1, 2, 3, -6)]),
    rules=rules,
    annotations=annotations,
    extras=st.sampled_from([{}, {"uzje": {"set": 144}}]),
)


def carried(found: Patch) -> Patch:
    """Write a patch as JSON and read it again, as a note does."""
    return msgspec.json.decode(msgspec.json.encode(found), type=Patch)


@given(edited())
@settings(max_examples=5 * settings().max_examples)
def test_a_patch_restores_any_list_of_events(lists: tuple[list[ev.Event], list[ev.Event]]) -> None:
    before, after = Played(lists[0]), Played(lists[1])
    found, differences = patch.diff(before, after)
    assert patch.apply(found, before) == after
    assert patch.apply(carried(found), before) == after
    assert bool(found) == bool(differences) == (before != after)


@given(rounds, rounds)
@settings(max_examples=3 * settings().max_examples)
def test_a_patch_restores_any_round_and_changes_neither_side(before: Played, after: Played) -> None:
    copies = [msgspec.structs.replace(each, events=list(each.events)) for each in (before, after)]
    found, differences = patch.diff(before, after)
    assert patch.apply(carried(found), before) == after
    assert bool(found) == bool(differences) == (before != after)
    assert patch.diff(before, copies[0]) == (Patch(), [])
    assert [before, after] == copies


@given(matches, matches)
def test_a_patch_restores_any_match_but_for_its_rounds(before: Match, after: Match) -> None:
    found, differences = patch.diff(before, after)
    restored = patch.apply(carried(found), before)
    assert restored.rounds == before.rounds
    assert bool(differences) == (msgspec.structs.replace(before, rounds=after.rounds) != after)
    assert [str(player.rating) for player in restored.players] == [str(player.rating) for player in after.players]
    assert msgspec.structs.replace(restored, rounds=after.rounds) == after
    for name in {*Match.__struct_fields__}.difference(BESIDE):
        other = msgspec.structs.replace(before, **{name: getattr(after, name)})
        assert (other != before) == (getattr(other, name) != getattr(before, name)), name


DEAL, DRAW, DISCARD = ev.StartRound("E", "1m", 1, 0, 0, 0), ev.Draw(0, "9p"), ev.Discard(0, "9p", tsumogiri=True)
TURN = [DEAL, DRAW, DISCARD]
DORA = ev.Dora("1m")
INSERTED = ({"type": "dora", "dora_marker": "1m"},)
NOTED = [DEAL, DRAW, ev.Discard(0, "9p", True, extras=ev.Extras({"meta": {"q": 1}}))]
FROM_HAND, UNSTATED = ([DEAL, DRAW, ev.Discard(0, "9p", tsumogiri=known)] for known in (False, msgspec.UNSET))


def test_a_patch_holds_edits_and_names_the_differences() -> None:
    for name, reading, source, edits, differences in (
        (
            *("another value", TURN, FROM_HAND, [Edit(2, set={"tsumogiri": False})]),
            [("dahai.tsumogiri", "differs", 2)],
        ),
        ("a key too many", TURN, UNSTATED, [Edit(2, unset=("tsumogiri",))], [("dahai.tsumogiri", "adds", 2)]),
        ("a key of its own", TURN, NOTED, [Edit(2, set={"meta": {"q": 1}})], [("dahai.meta", "lacks", 2)]),
        ("one more", TURN, [DEAL, DORA, DRAW, DISCARD], [Edit(1, 0, INSERTED)], [("dora", "lacks", 1)]),
        ("one too many", [DEAL, DORA, DRAW, DISCARD], TURN, [Edit(1, 1)], [("dora", "adds", 1)]),
        ("an end", [*TURN, ev.EndRound()], TURN, [Edit(3, 1)], [("end_kyoku", "adds", 3)]),
        (
            *("moved", [DEAL, DORA, DRAW, DISCARD], [*TURN, DORA], [Edit(1, 1), Edit(4, 0, INSERTED)]),
            [("dora", "adds", 1), ("dora", "lacks", 3)],
        ),
    ):
        expected = [Difference(what, side, event) for what, side, event in differences]  # type: ignore[arg-type]
        assert patch.diff(Played(reading), Played(source)) == (Patch(events=tuple(edits)), expected), name


def test_differences_of_fields_have_their_names() -> None:
    reading = Match(date=datetime.date(2018, 10, 1), opening=[ev.StartGame()])
    source = Match(date=datetime.date(2018, 10, 2), place=Text(code="mlg-std"), closing=[ev.EndGame()])
    found, differences = patch.diff(reading, source)
    assert found.set == {"date": "2018-10-02", "place": {"code": "mlg-std"}}
    assert {(one.what, one.side, one.event, one.part) for one in differences} == {
        ("match.date", "differs", None, ""),
        ("match.place", "lacks", None, ""),
        ("start_game", "adds", 0, "opening"),
        ("end_game", "lacks", 0, "closing"),
    }
    found, differences = patch.diff(source, Match(closing=[ev.EndGame()]))
    assert set(found.unset) == {"date", "place"}
    assert {difference.side for difference in differences} == {"adds"}


ROUND = Played([DEAL, DRAW, DISCARD])

#: Wrong lists of annotations: no kind, an unknown kind, a text for an index, an unknown key, no list.
WRONG_MARKS = ([{"index": 0}], [{"index": 0, "kind": "shout"}], [{"index": "0", "kind": "mark"}],
               [{"index": 0, "kind": "mark", "by": 1}], {"index": 0, "kind": "mark"})  # fmt: skip


def test_a_patch_that_does_not_fit_is_refused() -> None:
    for bad, error in (
        (Patch(set={"players": []}), "a round has no 'players'"),
        (Patch(set={"events": []}), "a round has no 'events'"),
        (Patch(unset=("players",)), "a round has no 'players'"),
        (Patch(set={"dice": "x"}), "dice: Expected `array`, got `str`"),
        (Patch(set={"extras": []}), "extras: Expected `object`, got `array`"),
        (Patch(opening=(Edit(0, 1),)), "a round has no 'opening'"),
        *((Patch(set={"annotations": wrong}), "annotations") for wrong in WRONG_MARKS),
        (Patch(events=(Edit(4),)), "no events 4 to 4, in order, among 3"),
        (Patch(events=(Edit(2, 2),)), "no events 2 to 4, in order, among 3"),
        (Patch(events=(Edit(-1),)), "no events -1 to -1"),
        (Patch(events=(Edit(1, -1),)), "no events 1 to 0"),
        (Patch(events=(Edit(2, 1), Edit(1, 1))), "no events 1 to 2, in order"),
        (Patch(events=(Edit(3, set={"pai": "1m"}),)), "no event 3 among 3"),
        (Patch(events=(Edit(1, set={"pai": "16m"}),)), "Invalid enum value '16m'"),
        (Patch(events=(Edit(1, unset=("actor",)),)), "missing required field `actor`"),
        (Patch(events=(Edit(1, set={"type": "x"}),)), "Unknown message type 'x'"),
        (Patch(events=(Edit(1, insert=({"type": "tsumo"},)),)), "missing required field `actor`"),
        (Patch(events=(Edit(1, insert=({},)),)), "Unknown message type None"),
    ):
        with pytest.raises(PatchError, match=error):
            patch.apply(bad, ROUND)


def test_a_patch_may_change_the_kind_of_an_event() -> None:
    """An edit of keys edits the message. The resulting message must be valid."""
    bad = Patch(events=(Edit(1, set={"type": "reach"}, unset=("pai",)),))
    assert patch.apply(bad, ROUND).events == [DEAL, ev.Riichi(0), DISCARD]


@given(st.dictionaries(st.sampled_from(sorted(VALUES["hora"])), st.none() | st.integers() | any_text(max_size=3)))
def test_no_edit_makes_a_crash(keys: dict[str, Any]) -> None:
    whole = Played([ev.Win(0, 1)])
    try:
        patch.apply(Patch(events=(Edit(0, set=keys),)), whole)
    except PatchError as error:
        assert str(error)  # noqa: PT017 - either outcome is right


def test_a_result_alone_is_compared_with_the_result_of_the_source() -> None:
    play = [event for seat in (0, 1, 2, 3) * 5 for event in (ev.Draw(seat, "?"), ev.Discard(seat, "5p", True))]
    nine_kinds = ev.Ryukyoku(reason="kyushukyuhai", actor=2)
    for end, result, expected in (
        ([], ev.Ryukyoku(), []),
        ([ev.EndRound()], ev.Ryukyoku(), []),
        ([], nine_kinds, [("lacks", 40), ("adds", 41)]),
    ):
        reading = Played([ev.Ryukyoku(), *end])
        source = Played([*play, result, ev.EndRound()])
        found, differences = patch.diff(reading, source)
        assert patch.apply(found, reading) == source
        assert [(one.side, one.event) for one in differences if one.what == "ryukyoku"] == expected


few_events = st.lists(
    st.builds(ev.Draw, st.integers(0, 3), st.sampled_from(["1m", "9p"]))
    | st.builds(ev.Discard, st.integers(0, 3), st.sampled_from(["1m", "9p"]), st.booleans())
    | st.builds(ev.Riichi, st.integers(0, 3)),
    max_size=12,
)


@given(read=few_events, source=few_events)
def test_what_a_patch_keeps_is_found_where_it_was_and_order_is_kept(
    read: list[ev.Event], source: list[ev.Event]
) -> None:
    found, _ = patch.diff(Played(read), Played(source))
    patched = patch.apply(found, Played(read)).events
    origins = [patch.origin(found.events, place) for place in range(len(patched))]
    assert origins == sorted(origins)
    assert all(0 <= origin < max(len(read), 1) for origin in origins)
    kept = {id(event): place for place, event in enumerate(read)}
    for place, event in enumerate(patched):
        if id(event) in kept:
            assert read[origins[place]] is event


def test_what_takes_the_place_of_others_is_found_at_them() -> None:
    edits = [patch.Edit(2, delete=2, insert=({}, {}, {})), patch.Edit(5, delete=1)]
    assert [patch.origin(edits, place) for place in range(8)] == [0, 1, 2, 3, 3, 4, 6, 7]
    # A remark among them still follows as many of them as before.
    moved = patch.move(tuple(ir.Annotation(index, "comment") for index in range(8)), edits)
    assert [one.index for one in moved] == [0, 1, 2, 3, 5, 6, 6, 7]


def test_the_exact_numbers_of_an_answer_stay_numbers() -> None:
    meta = {"q": Decimal("0.10")}
    answer = ir.Answer(0, ev.Pass(extras=ev.Extras({"meta": meta})))
    found, _ = patch.diff(Played(), Played(answers=(answer,)))
    assert found.set["answers"] == [{"index": 0, "message": {"type": "none", "meta": meta}}]
