"""The index of an event before the edits, from its index after them."""

from hypothesis import given
from hypothesis import strategies as st

from mjconv.ir import events as ev
from mjconv.ir import patch
from mjconv.ir.match import Round

events = st.lists(
    st.builds(ev.Draw, st.integers(0, 3), st.sampled_from(["1m", "9p"]))
    | st.builds(ev.Discard, st.integers(0, 3), st.sampled_from(["1m", "9p"]), st.booleans())
    | st.builds(ev.Riichi, st.integers(0, 3)),
    max_size=12,
)


@given(read=events, source=events)
def test_what_a_patch_keeps_is_found_where_it_was_and_order_is_kept(
    read: list[ev.Event], source: list[ev.Event]
) -> None:
    found, _ = patch.diff(Round(read), Round(source))
    patched = patch.apply(found, Round(read)).events
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
