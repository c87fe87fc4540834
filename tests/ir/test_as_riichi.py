"""`as_riichi`: tiles that no riichi set has are hidden, and flowers are left out."""

from msgspec import structs

from corpus_files import CORPUS
from mjconv.ir import events as ev
from mjconv.ir.match import FinalHand, Match, Name, Player, Round, Text
from mjconv.ir.riichi_only import as_riichi
from mjconv.ir.table import Table
from mjconv.ir.tiles import FLOWERS, HIDDEN, OTHER_TILES, RIICHI_TILES
from trips import read

HAND = ("1m", "2m", "3m", "4m", "5mr", "6p", "7p", "8p", "E", "S", "P", "F", "C")
DEAL = ev.StartRound(bakaze="E", kyoku=1, oya=0, dora_marker="9s", tehais=(HAND,) * 4)


def seen(*events: ev.Event) -> list[ev.Event]:
    """Return the events of a round after `as_riichi`."""
    return as_riichi(Match(rounds=[Round(list(events))])).rounds[0].events


def dealt(*first: str) -> ev.StartRound:
    """Return a deal in which the dealer has these tiles, filled up with others."""
    return structs.replace(DEAL, tehais=((*first, *HAND[len(first) :]), HAND, HAND, HAND))


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
    (ev.Win(0, 1, "14p", ura_markers=("9m", "15m"), fan=3), ev.Win(0, 1, "?", ura_markers=("9m", "?"), fan=3)),
    (ev.Win(0, 1, hora_tehais=("1m", "13p")), ev.Win(0, 1, hora_tehais=("1m", "?"))),
    (ev.Ryukyoku("x", tehais=(("16m", "1m"), ("Z",))), ev.Ryukyoku("x", tehais=(("?", "1m"), ("?",)))),
]


def test_tiles_that_riichi_does_not_have_are_hidden() -> None:
    for event, hidden in HIDES:
        assert seen(event) == [hidden]
    tile_keys = {"pai", "consumed", "tehais", "dora_marker", "ura_markers", "hora_tehais"}
    kinds = {name for name, keys in ev.KEYS.items() if tile_keys & set(keys)}
    assert {ev.name_of(event) for event, _ in HIDES} == kinds, "each kind of event that has tiles is among them"
    for tile in set(OTHER_TILES) - set(FLOWERS):
        assert seen(ev.Draw(0, tile), ev.Discard(0, tile)) == [ev.Draw(0, HIDDEN), ev.Discard(0, HIDDEN)]


def test_the_tiles_of_riichi_stay() -> None:
    for tile in (*RIICHI_TILES, HIDDEN):
        match = Match(rounds=[Round([ev.Draw(0, tile), ev.Discard(0, tile)])])
        assert as_riichi(match) is match


def test_keys_that_mjai_does_not_define_stay() -> None:
    extras = ev.Extras({"meta": "16m"})
    assert seen(ev.Draw(0, "16m", extras=extras)) == [ev.Draw(0, HIDDEN, extras=extras)]


def taken(*tiles: str) -> list[ev.Event]:
    """Return draws of player 0, each of which but the last one is a flower that is replaced."""
    *flowers, last = tiles
    replaced = [each for flower in flowers for each in (ev.Draw(0, flower), ev.Nukidora(0, flower))]
    return [*replaced, ev.Draw(0, last)]


def test_the_replacement_of_a_flower_is_drawn_in_its_place() -> None:
    kan, end = ev.Ankan(0, ("1m",) * 4), ev.EndRound()
    for flower in FLOWERS:
        discard = ev.Discard(0, "5m")
        assert seen(DEAL, *taken(flower, "5m"), discard) == [DEAL, ev.Draw(0, "5m"), discard]
    # A flower may replace a flower, and a tile that riichi does not have is hidden.
    assert seen(DEAL, *taken("1f", "8f", "C")) == [DEAL, ev.Draw(0, "C")]
    assert seen(DEAL, *taken("1f", "Z")) == [DEAL, ev.Draw(0, HIDDEN)]
    assert seen(DEAL, kan, *taken("1f", "9p")) == [DEAL, kan, ev.Draw(0, "9p")]
    # A record may break off after a flower.
    assert seen(DEAL, ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), end) == [DEAL, end]
    # A flower may be dealt, and without a replacement it is hidden.
    events = (dealt("1m", "3f"), ev.Nukidora(0, "3f"), ev.Draw(0, "9p"), ev.Draw(0, "1s"))
    assert seen(*events) == [dealt("1m", "9p"), ev.Draw(0, "1s")]
    assert seen(dealt("1f"), ev.Nukidora(0, "1f"), end) == seen(dealt("1f"), end) == [dealt("?"), end]


def test_flowers_that_were_dealt_go_player_by_player_until_none_is_left() -> None:
    hands = (("1f", "2f", *HAND[2:]), HAND, ("8f", *HAND[1:]), HAND)
    replaced: list[ev.Event] = []
    for player, flower, tile in ((0, "1f", "3f"), (0, "2f", "E"), (0, "3f", "16p"), (2, "8f", "N")):
        replaced += [ev.Nukidora(player, flower), ev.Draw(player, tile)]
    start = structs.replace(DEAL, tehais=hands)
    without = structs.replace(DEAL, tehais=((HIDDEN, "E", *HAND[2:]), HAND, ("N", *HAND[1:]), HAND))
    assert seen(start, *replaced, ev.Draw(0, "1s")) == [without, ev.Draw(0, "1s")]


def test_a_north_that_is_set_aside_stays() -> None:
    aside = (ev.Nukidora(0, "N"), ev.Draw(0, "16m"), ev.Nukidora(0))
    assert seen(*aside) == [ev.Nukidora(0, "N"), ev.Draw(0, HIDDEN), ev.Nukidora(0)]


def test_a_match_without_such_tiles_is_the_same_object() -> None:
    final = (FinalHand(HAND),) * 4
    match = Match(rounds=[Round([DEAL, ev.Draw(0, "1s")], wall=("1s", "16m"), final_hands=final), Round()])
    assert as_riichi(match) is match
    assert as_riichi(Match()) == Match()


def test_a_changed_round_loses_its_wall_and_leaves_the_others() -> None:
    final = (FinalHand(("16m",)),) * 4
    changed = Round([ev.Draw(0, "16m")], wall=("16m",), final_hands=final, dice=(3, 4), comment=Text("x"))
    rest = Round([ev.Draw(0, HIDDEN)], dice=(3, 4), comment=Text("x"))
    assert as_riichi(Match(rounds=[changed])).rounds == [rest]
    same, changed = Round([DEAL, ev.Draw(0, "1s")], wall=("1s",)), Round([ev.Draw(0, "16m")])
    around = [ev.StartGame(id=1)], [ev.EndGame()]
    match = Match([Player(Name(Text("A")))], [same, changed], *around, extras={"x": 1})
    hidden = as_riichi(match)
    assert hidden.rounds[0] is same
    assert structs.replace(hidden, rounds=[]) == structs.replace(match, rounds=[])
    assert changed.events == [ev.Draw(0, "16m")]


def test_the_result_can_be_played() -> None:
    """The table plays the games of the corpus with hidden tiles. The dealt hands keep their sizes."""
    for name in ("short", "flowers", "three", "six", "annotated", "riichi"):
        for match in read((CORPUS / "uzje" / f"{name}.uzje").read_bytes(), "uzje").matches:
            for game_round in as_riichi(match).rounds:
                start = game_round.start
                assert start is not None, name
                assert {len(hand) for hand in start.tehais or ()} == {13}, name
                table = Table.dealt(start)
                for event in game_round.events:
                    table.apply(event)
                assert not game_round.select(ev.Nukidora) or match.seats == 3, name
