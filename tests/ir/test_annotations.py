"""Annotations, ranks, ratings and rules are part of a match: they count for equality and pass through patches."""

from decimal import Decimal
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, structs

from looped import looped
from mjconv.ir import events as ev
from mjconv.ir import patch
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Rules, Text
from mjconv.ir.patch import Patch, PatchError

DRAW, DISCARD = ev.Draw(0, "9p"), ev.Discard(0, "9p", tsumogiri=True)

ANNOTATIONS = {
    "comment": Annotation(0, "comment", value="a risky start"),
    "comment of a player": Annotation(2, "comment", seat=3, value="何？"),
    "mark": Annotation(1, "mark", value="(a)"),
    "left": Annotation(1, "left", seat=2),
    "returned": Annotation(2, "returned", seat=2),
    "think time": Annotation(1, "think_time", seat=0, value=3500),
    "emote by number": Annotation(2, "emote", seat=1, value=17),
    "emote by name": Annotation(2, "emote", seat=1, value="clap"),
}
RULES: dict[str, Any] = {
    "reds": (1, 1, 1),
    "open_tanyao": False,
    "length": "south",
    "players": 3,
}
PLAYER: dict[str, Any] = {"rank": "七段", "rating": Decimal("2013.450")}


def through_json(note: Patch) -> Patch:
    """Return a patch as a note carries it: written as JSON and read again."""
    return msgspec.json.decode(msgspec.json.encode(note), type=Patch)


@pytest.mark.parametrize("annotation", ANNOTATIONS.values(), ids=ANNOTATIONS)
class TestAnnotations:
    def test_one_more_makes_rounds_and_matches_unequal(self, annotation: Annotation) -> None:
        assert Round([DRAW, DISCARD], annotations=(annotation,)) != Round([DRAW, DISCARD])
        assert Match(annotations=(annotation,)) != Match()
        assert Match(rounds=[Round(annotations=(annotation,))]) != Match(rounds=[Round()])
        again = Annotation(annotation.index, annotation.kind, annotation.seat, annotation.value)
        assert Round(annotations=(again,)) == Round(annotations=(annotation,))

    @pytest.mark.parametrize("field", ["index", "kind", "seat", "value"])
    def test_each_field_counts(self, annotation: Annotation, field: str) -> None:
        other = {"index": 7, "kind": "emote" if annotation.kind == "mark" else "mark", "seat": 5, "value": "else"}
        assert structs.replace(annotation, **{field: other[field]}) != annotation

    def test_a_patch_restores_it(self, annotation: Annotation) -> None:
        of_round = Round([DRAW, DISCARD], annotations=(annotation,))
        note, differences = patch.diff(Round([DRAW, DISCARD]), of_round)
        assert [one.what for one in differences] == ["round.annotations"]
        assert patch.apply(through_json(note), Round([DRAW, DISCARD])) == of_round
        of_match = Match(annotations=(annotation,))
        note, differences = patch.diff(Match(), of_match)
        assert [one.what for one in differences] == ["match.annotations"]
        assert patch.apply(through_json(note), Match()) == of_match

    def test_a_patch_removes_it(self, annotation: Annotation) -> None:
        note, [difference] = patch.diff(Round(annotations=(annotation,)), Round())
        assert (difference.what, difference.side) == ("round.annotations", "adds")
        assert patch.apply(through_json(note), Round(annotations=(annotation,))) == Round()


def test_annotations_are_restored_in_order_and_with_events() -> None:
    one, two = ANNOTATIONS["comment"], ANNOTATIONS["mark"]
    source = Round(annotations=(one, two))
    assert source != Round(annotations=(two, one))
    note, _ = patch.diff(Round(annotations=(two, one)), source)
    assert patch.apply(through_json(note), Round(annotations=(two, one))) == source
    reading = Round([DRAW, DISCARD], annotations=(ANNOTATIONS["mark"],))
    source = Round([DRAW, ev.Riichi(0), DISCARD], annotations=(Annotation(3, "comment", value="end"),))
    note, _ = patch.diff(reading, source)
    assert patch.apply(through_json(note), reading) == source


def test_a_patch_with_a_wrong_annotation_does_not_fit() -> None:
    for wrong in (
        [{"index": 0}],
        [{"index": 0, "kind": "shout"}],
        [{"index": "0", "kind": "mark"}],
        [{"index": 0, "kind": "mark", "by": 1}],
        {"index": 0, "kind": "mark"},
    ):
        with pytest.raises(PatchError, match="annotations"):
            patch.apply(Patch(set={"annotations": wrong}), Round())


@looped("field", PLAYER)
def test_a_player_s_rank_and_rating_count_and_survive_a_patch(field: str) -> None:
    named = Player(Name(Text("石橋")))
    full = structs.replace(named, **{field: PLAYER[field]})
    assert full != named
    reading, source = Match(players=[named, named]), Match(players=[named, full])
    assert reading != source
    note, [difference] = patch.diff(reading, source)
    assert difference.what == "match.players"
    restored = patch.apply(through_json(note), reading)
    assert restored == source
    # A rating keeps the digits that it was written with.
    assert str(getattr(restored.players[1], field)) == str(PLAYER[field])
    assert getattr(restored.players[0], field) is UNSET


@looped("field", RULES)
def test_rules_of_riichi_count_and_survive_a_patch(field: str) -> None:
    plain, full = Rules(start=25000), Rules(start=25000, **{field: RULES[field]})
    assert plain != full
    for reading, source in (
        (Match(rules=plain), Match(rules=full)),
        (Match(), Match(rules=full)),
        (Round(rules=plain), Round(rules=full)),
    ):
        note, [difference] = patch.diff(reading, source)
        assert difference.what == f"{type(source).__name__.lower()}.rules"
        restored = patch.apply(through_json(note), reading)
        assert restored == source
        assert isinstance(restored.rules, Rules)
        assert getattr(restored.rules, field) == RULES[field]
