"""`as_riichi`: tiles that no riichi set has are hidden, and flowers are left out."""

from pathlib import Path

import pytest
from msgspec import structs

from mjconv.ir import events as ev
from mjconv.ir.match import FinalHand, Match, Name, Player, Round, Text
from mjconv.ir.riichi_only import as_riichi
from mjconv.ir.table import Table
from mjconv.ir.tiles import FLOWERS, HIDDEN, OTHER_TILES, RIICHI_TILES
from trips import read

CORPUS = Path(__file__).parents[2] / "corpus"
HAND = ("1m", "2m", "3m", "4m", "5mr", "6p", "7p", "8p", "E", "S", "P", "F", "C")
DEAL = ev.StartRound(bakaze="E", kyoku=1, oya=0, dora_marker="9s", tehais=(HAND,) * 4)


def seen(*events: ev.Event) -> list[ev.Event]:
    """Return the events of a round after `as_riichi`."""
    return as_riichi(Match(rounds=[Round(list(events))])).rounds[0].events


def dealt(*first: str) -> ev.StartRound:
    """Return a deal in which the dealer has these tiles, filled up with others."""
    return structs.replace(DEAL, tehais=((*first, *HAND[len(first) :]), HAND, HAND, HAND))


# Tiles that no riichi set has.

#: An event of each kind that has tiles, and the event with hidden tiles.
HIDES: list[tuple[ev.Event, ev.Event]] = [
    (
        ev.StartRound(oya=1, dora_marker="10p", scores=(0, 0, 0), tehais=(("1m", "16m"), ("Z", "H"), ("V", "E"))),
        ev.StartRound(oya=1, dora_marker="?", scores=(0, 0, 0), tehais=(("1m", "?"), ("?", "?"), ("?", "E"))),
    ),
    (ev.Draw(2, "16s"), ev.Draw(2, "?")),
    (ev.Discard(1, "Z", tsumogiri=True), ev.Discard(1, "?", tsumogiri=True)),
    (ev.Chi(1, 0, "10m", ("9m", "11m")), ev.Chi(1, 0, "?", ("9m", "?"))),
    (ev.Chi(1, 0, "1p", ("Z", "2p")), ev.Chi(1, 0, "1p", ("?", "2p"))),
    (ev.Pon(3, 0, "V", ("V", "V")), ev.Pon(3, 0, "?", ("?", "?"))),
    (ev.Daiminkan(3, 0, "12s", ("12s",) * 3), ev.Daiminkan(3, 0, "?", ("?",) * 3)),
    (ev.Kakan(3, "V", ("V", "V", "V")), ev.Kakan(3, "?", ("?", "?", "?"))),
    (ev.Ankan(3, ("H",) * 4, "H"), ev.Ankan(3, ("?",) * 4, "?")),
    (ev.Nukidora(0, "16m"), ev.Nukidora(0, "?")),
    (ev.Dora("11s"), ev.Dora("?")),
    (
        ev.Win(0, 1, pai="14p", ura_markers=("9m", "15m"), hora_tehais=("1m", "13p"), fan=3),
        ev.Win(0, 1, pai="?", ura_markers=("9m", "?"), hora_tehais=("1m", "?"), fan=3),
    ),
    (
        ev.Ryukyoku("fanpai", tehais=(("16m", "1m"), ("?",), ("C",), ("Z",))),
        ev.Ryukyoku("fanpai", tehais=(("?", "1m"), ("?",), ("C",), ("?",))),
    ),
]


@pytest.mark.parametrize(("event", "hidden"), HIDES, ids=lambda event: ev.name_of(event))
def test_tiles_that_riichi_does_not_know_are_hidden(event: ev.Event, hidden: ev.Event) -> None:
    assert seen(event) == [hidden]


def test_that_is_each_kind_of_event_that_has_tiles() -> None:
    tile_keys = {"pai", "consumed", "tehais", "dora_marker", "ura_markers", "hora_tehais"}
    assert {ev.name_of(event) for event, _ in HIDES} == {
        name for name, keys in ev.KEYS.items() if tile_keys & set(keys)
    }


@pytest.mark.parametrize("tile", [tile for tile in OTHER_TILES if tile not in FLOWERS])
def test_each_of_them_is_hidden(tile: str) -> None:
    assert seen(ev.Draw(0, tile), ev.Discard(0, tile)) == [ev.Draw(0, HIDDEN), ev.Discard(0, HIDDEN)]


@pytest.mark.parametrize("tile", [*RIICHI_TILES, HIDDEN])
def test_the_tiles_of_riichi_stay(tile: str) -> None:
    match = Match(rounds=[Round([ev.Draw(0, tile), ev.Discard(0, tile)])])
    assert as_riichi(match) is match


def test_keys_that_mjai_does_not_define_stay() -> None:
    extras = ev.Extras({"meta": "16m"})
    assert seen(ev.Draw(0, "16m", extras=extras)) == [ev.Draw(0, HIDDEN, extras=extras)]


# Flowers.


@pytest.mark.parametrize("flower", FLOWERS)
def test_of_a_flower_that_is_drawn_the_replacement_is_drawn_instead(flower: str) -> None:
    taken = (ev.Draw(0, flower), ev.Nukidora(0, flower), ev.Draw(0, "5m"))
    assert seen(DEAL, *taken, ev.Discard(0, "5m")) == [DEAL, ev.Draw(0, "5m"), ev.Discard(0, "5m")]


def test_a_flower_that_replaces_a_flower_is_gone_as_well() -> None:
    taken = (ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.Draw(0, "8f"), ev.Nukidora(0, "8f"), ev.Draw(0, "C"))
    assert seen(DEAL, *taken) == [DEAL, ev.Draw(0, "C")]


def test_a_replacement_that_riichi_does_not_know_is_hidden() -> None:
    assert seen(DEAL, ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.Draw(0, "Z")) == [DEAL, ev.Draw(0, HIDDEN)]


def test_a_flower_drawn_after_a_kan_leaves_the_kan() -> None:
    kan = ev.Ankan(0, ("1m",) * 4)
    taken = (ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.Draw(0, "9p"))
    assert seen(DEAL, kan, *taken) == [DEAL, kan, ev.Draw(0, "9p")]


def test_a_flower_that_the_record_breaks_off_after_was_never_drawn() -> None:
    assert seen(DEAL, ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.EndRound()) == [DEAL, ev.EndRound()]


def test_of_a_flower_that_was_dealt_the_replacement_was_dealt_in_its_place() -> None:
    events = (dealt("1m", "3f"), ev.Nukidora(0, "3f"), ev.Draw(0, "9p"), ev.Draw(0, "1s"))
    assert seen(*events) == [dealt("1m", "9p"), ev.Draw(0, "1s")]


def test_flowers_that_were_dealt_go_player_by_player_until_none_is_left() -> None:
    hands = (("1f", "2f", *HAND[2:]), HAND, ("8f", *HAND[1:]), HAND)
    replaced: list[ev.Event] = []
    for player, flower, tile in ((0, "1f", "3f"), (0, "2f", "E"), (0, "3f", "16p"), (2, "8f", "N")):
        replaced += [ev.Nukidora(player, flower), ev.Draw(player, tile)]
    start = structs.replace(DEAL, tehais=hands)
    without = structs.replace(DEAL, tehais=((HIDDEN, "E", *HAND[2:]), HAND, ("N", *HAND[1:]), HAND))
    assert seen(start, *replaced, ev.Draw(0, "1s")) == [without, ev.Draw(0, "1s")]


def test_a_flower_that_was_dealt_and_not_replaced_is_hidden() -> None:
    assert seen(dealt("1f"), ev.Nukidora(0, "1f"), ev.EndRound()) == [dealt("?"), ev.EndRound()]
    assert seen(dealt("1f"), ev.EndRound()) == [dealt("?"), ev.EndRound()]


def test_a_north_that_is_set_aside_stays() -> None:
    aside = (ev.Nukidora(0, "N"), ev.Draw(0, "16m"), ev.Nukidora(0))
    assert seen(*aside) == [ev.Nukidora(0, "N"), ev.Draw(0, HIDDEN), ev.Nukidora(0)]


# Rounds and matches.


def test_a_match_that_has_nothing_to_hide_is_given_as_it_is() -> None:
    final = (FinalHand(HAND),) * 4
    match = Match(rounds=[Round([DEAL, ev.Draw(0, "1s")], wall=("1s", "16m"), final_hands=final), Round()])
    assert as_riichi(match) is match
    assert as_riichi(Match()) == Match()


def test_what_was_not_played_has_no_place_in_a_round_that_is_changed() -> None:
    final = (FinalHand(("16m",)),) * 4
    changed = Round([ev.Draw(0, "16m")], wall=("16m",), final_hands=final, dice=(3, 4), comment=Text("x"))
    assert as_riichi(Match(rounds=[changed])).rounds == [
        Round([ev.Draw(0, HIDDEN)], dice=(3, 4), comment=Text("x"))
    ]


def test_the_other_rounds_and_the_match_stay_as_they_are() -> None:
    same, changed = Round([DEAL, ev.Draw(0, "1s")], wall=("1s",)), Round([ev.Draw(0, "16m")])
    match = Match(
        [Player(Name(Text("A")))], [same, changed], [ev.StartGame(id=1)], [ev.EndGame()], extras={"x": 1}
    )
    hidden = as_riichi(match)
    assert hidden.rounds[0] is same
    assert structs.replace(hidden, rounds=[]) == structs.replace(match, rounds=[])
    assert changed.events == [ev.Draw(0, "16m")]


@pytest.mark.parametrize("name", ["short", "flowers", "three", "six", "annotated", "riichi"])
def test_what_is_left_can_be_played(name: str) -> None:
    """The table plays the games of the corpus with hidden tiles. The dealt hands keep their sizes."""
    for match in read((CORPUS / "uzje" / f"{name}.uzje").read_bytes(), "uzje").matches:
        for game_round in as_riichi(match).rounds:
            start = game_round.start
            assert start is not None
            assert {len(hand) for hand in start.tehais or ()} == {13}
            table = Table.dealt(start)
            for event in game_round.events:
                table.apply(event)
            assert not game_round.select(ev.Nukidora) or match.seats == 3
