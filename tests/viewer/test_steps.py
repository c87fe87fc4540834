"""The steps of a match: the state after each is that of the table, and the changes lead from one to the next."""

import copy
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjconv
from corpus_files import CORPUS
from logs import Log, logs
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match, Meld, Round
from mjconv.ir.table import Table
from mjconv.viewer.page import payload
from mjconv.viewer.replay import laid
from mjconv.viewer.results import DrawResult, WinResult
from mjconv.viewer.rounds import round_views
from mjconv.viewer.state import STICK_PAID, Change, RiverTile, TableState, to_json
from mjconv.viewer.steps import Step, steps
from mjconv.viewer.text import meld_text, text_lines
from moments_made import pon, turn

#: The folders of the corpus with records of play.
FOLDERS = ("sample", "grammar", "tenhou", "majiang", "majsoul", "mjx", "riichicity", "uzje", "botzone", "pmn")
SAMPLES = sorted(path for folder in FOLDERS for path in (CORPUS / folder).glob("*.*") if path.suffix != ".md")
samples = looped("path", *SAMPLES, ids=lambda path: f"{path.parent.name}-{path.name}", every=2)
pytestmark = pytest.mark.filterwarnings("ignore::mjconv.MjconvWarning")

HIDDEN = ("?",) * 13
HANDS = (
    ("1m", "2m", "3m", "1p", "2p", "3p", "1s", "2s", "3s", "E", "E", "S", "S"),
    ("4m", "5m", "6m", "4p", "5p", "6p", "4s", "5s", "6s", "W", "W", "N", "N"),
    ("7m", "7m", "7m", "7p", "8p", "9p", "7s", "8s", "9s", "P", "P", "F", "F"),
    ("8m", "8m", "1m", "9m", "9m", "9m", "1p", "9p", "1s", "9s", "C", "C", "E"),
)
DEAL = ev.StartRound("E", "1m", kyoku=1, honba=0, kyotaku=0, oya=0, scores=(25000,) * 4, tehais=HANDS)


def played(*events: ev.Event, deal: ev.StartRound = DEAL) -> list[Step]:
    return list(steps(Match(rounds=[Round([deal, *events])])))


@cache
def matches(path: Any) -> list[Match]:
    return mjconv.read_all(path)


@looped("kind", Step, TableState, ids=lambda kind: kind.__name__)
def test_the_docstring_describes_each_field(kind: type[Step | TableState]) -> None:
    rows = [row.split("|")[1] for row in (kind.__doc__ or "").splitlines() if row.lstrip().startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", "".join(rows))) == sorted(kind.__struct_fields__)


def assign(value: Any, change: Change) -> None:
    path, new = change
    *outer, last = path.split(".")
    for key in outer:
        value = value[int(key)] if isinstance(value, list) else value[key]
    if not isinstance(value, list):
        value[last] = new
    elif int(last) == len(value):
        value.append(new)
    else:
        value[int(last)] = new


def follow_changes(match: Match) -> None:
    """Check that the changes of each step lead from one state to the next."""
    state: Any = None
    for step in steps(match):
        if step.step == 0:
            state = copy.deepcopy(to_json(step.state))
            assert step.changes == []
        for change in step.changes:
            assign(state, change)
        assert state == to_json(step.state)


@samples
def test_changes_lead_from_each_state_to_the_next(path: Any) -> None:
    for match in matches(path):
        follow_changes(match)


@samples
def test_states_are_those_of_the_table(path: Any) -> None:
    for match in matches(path):
        table = Table([["?"]])
        for step in steps(match):
            event = None if step.event is None else match.rounds[step.round].events[step.event]
            if step.step == 0:
                table = Table.dealt(event if isinstance(event, ev.StartRound) else ev.StartRound())
            elif step.kind in ("win", "drawn", "end"):
                # A result lays open hands that the record hid before.
                continue
            else:
                table.apply(event)
            for seat in range(table.seats):
                state = step.state
                drawn = [] if state.drawn[seat] is None else [state.drawn[seat]]
                assert Counter([*state.hands[seat].split(), *drawn]) == Counter(table.hands[seat])
                assert [tile.tile for tile in state.river[seat]] == table.rivers[seat]
                assert Counter(laid_tiles(step, seat)) == Counter(melded_tiles(table, seat))


def laid_tiles(step: Step, seat: int) -> list[str]:
    tiles = [tile for meld in step.state.melds[seat] for tile in meld.tiles]
    return [*(tile.tile for tile in tiles), *(tile.on for tile in tiles if tile.on), *step.state.aside[seat]]


def melded_tiles(table: Table, seat: int) -> list[str]:
    return [tile for meld in table.melds[seat] for tile in (*meld.own, meld.called, meld.added) if tile]


@looped("log", *logs(4), *logs(3), ids=str, every=2)
def test_games_are_played_to_their_end(log: Log) -> None:
    """The table allows every event, and the points after a round are those before the next."""
    [match] = mjconv.read_all(log.data, format="mjai")
    views = round_views(match)
    assert not [view for view in views if view.steps[-1].kind == "end"]
    for view, following in pairwise(views):
        points = view.steps[-1].state.points
        assert None in points or points == following.steps[0].state.points
        paid = [state == STICK_PAID for state in view.steps[-1].state.riichi]
        assert sum(paid) == len(view.record.select(ev.RiichiAccepted))


# Captions.


def test_a_turn_has_a_caption_in_each_language() -> None:
    step = played(ev.Draw(0, "4p"), ev.Discard(0, "E", tsumogiri=False))[-1]
    assert step.captions == {
        "en": "East draws 4p and discards east wind from the hand.",
        "ja": "東家 4筒ツモ、東手出し",
        "zh": "東家摸四筒，手切東",
        "zh-Hans": "东家摸四筒，手切东",
    }
    assert step.caption("en", ["Ann", "Bob", "Cy", "Di"]) == "Ann draws 4p and discards east wind from the hand."
    assert step.caption("en", ["", "Bob"]) == "East draws 4p and discards east wind from the hand."


@looped(
    ("drawn", "tsumogiri", "caption"),
    ("4p", True, "East draws and discards 4p."),
    ("4p", False, "East draws 4p and discards 4p from the hand."),
    ("4p", None, "East draws 4p and discards 4p."),
    ("?", True, "East draws and discards 4p."),
    ("?", False, "East discards 4p from the hand."),
    ("?", None, "East discards 4p."),
)
def test_a_discard_is_from_the_hand_or_as_drawn(drawn: str, tsumogiri: bool | None, caption: str) -> None:
    deal = ev.StartRound(oya=0, tehais=(("4p", *HIDDEN[1:]), *[HIDDEN] * 3))
    discard = ev.Discard(0, "4p") if tsumogiri is None else ev.Discard(0, "4p", tsumogiri=tsumogiri)
    step = played(ev.Draw(0, drawn), discard, deal=deal)[-1]
    assert step.caption() == caption
    assert to_json(step.state.river[0][0]).get("drawn") == tsumogiri


def test_calls_and_kans_have_captions() -> None:
    kan = (ev.Daiminkan(2, 0, "7m", ("7m",) * 3), ev.Draw(2, "9s"), ev.Dora("5s"))
    after = (ev.Discard(2, "9s", tsumogiri=True), ev.Draw(3, "9m"), ev.Ankan(3, ("9m",) * 4))
    found = played(*turn(0, "7m"), *kan, *after, *turn(3, "?", "1m"), *turn(0, "E", "S"))
    assert [step.caption() for step in found[3:10]] == [
        "West calls kan of 7m from East.",
        "West draws 9s as replacement.",
        "A dora indicator is turned: 5s.",
        "West draws and discards 9s.",
        "North draws 9m.",
        "North makes a concealed kan of 9m.",
        "North draws a replacement.",
    ]
    assert (found[-1].state.dora, found[-1].state.left) == (("1m", "5s", None, None, None), 65)


#: North calls a pon, and adds the last tile to it.
KAKAN = (
    *(*turn(0, "C"), *pon(3, 0, "C", "1m"), *turn(0, "9s"), *turn(1, "9s"), *turn(2, "9s")),
    *(ev.Draw(3, "C"), ev.Kakan(3, "C", ("C",) * 3)),
)


def test_a_pon_and_a_kakan_have_captions() -> None:
    found = played(*KAKAN)
    assert found[3].caption() == "North calls pon of red dragon from East."
    assert found[-1].caption() == "North adds red dragon to a pon: kan."
    [meld] = found[-1].state.melds[3]
    assert [(tile.turned, tile.on) for tile in meld.tiles] == [*[(False, msgspec.UNSET)] * 2, (True, "C")]


# Riichi.

RIICHI = (ev.Draw(0, "9p"), ev.Riichi(0), ev.Discard(0, "9p", tsumogiri=True))


def test_a_riichi_tile_lies_sideways_and_the_stick_is_paid_when_it_is_accepted() -> None:
    declared, discarded, accepted = (step.state for step in played(*RIICHI, ev.RiichiAccepted(0))[-3:])
    assert (declared.riichi[0], discarded.riichi[0], accepted.riichi[0]) == (1, 1, 2)
    assert discarded.river[0] == (RiverTile("9p", drawn=True, riichi=True),)
    assert (discarded.points[0], accepted.points[0], accepted.gain) == (25000, 24000, (-1000, 0, 0, 0))
    assert (discarded.sticks, accepted.sticks) == (0, 1)


def test_the_stick_is_paid_where_the_record_has_no_event_for_it() -> None:
    *_, discarded, drawn, after = played(*RIICHI, *turn(1, "9s"))
    assert (discarded.state.riichi[0], drawn.state.riichi[0]) == (1, 2)
    assert (drawn.state.points[0], drawn.state.gain[0], after.state.gain[0]) == (24000, -1000, 0)


def test_no_stick_is_paid_if_the_riichi_tile_is_won() -> None:
    win = ev.Win(2, target=0, deltas=(-1000, 0, 1000, 0))
    assert played(*RIICHI, win)[-1].state.points == (24000, 25000, 26000, 25000)
    assert played(*RIICHI, ev.Ryukyoku("sanchaho", deltas=(0, 0, 0, 0)))[-1].state.points == (25000,) * 4


def test_the_next_discard_lies_sideways_where_the_riichi_tile_was_called() -> None:
    declared = (ev.Draw(0, "7m"), ev.Riichi(0), ev.Discard(0, "7m", tsumogiri=True))
    found = played(*declared, *pon(2, 0, "7m", "P"), *turn(3, "1s"), *turn(0, "4s"), *turn(1, "4s"))
    assert found[-1].state.river[0] == (
        RiverTile("7m", drawn=True, riichi=True, taken=2),
        RiverTile("4s", drawn=True, riichi=True),
    )
    assert not found[-1].state.river[1][0].riichi


# The end of a round.


def test_two_wins_are_shown_one_after_the_other() -> None:
    wins = (
        ev.Win(1, target=0, deltas=(-2000, 2000, 0, 0), fan=2, fu=30, hora_points=2000),
        ev.Win(2, target=0, deltas=(-8000, 0, 8000, 0), fan=4, fu=40, hora_points=8000),
    )
    *_, first, second = played(*turn(0, "9p"), *wins)
    assert (first.state.results, second.state.results) == (1, 2)
    assert first.caption() == "South wins by ron on 9p from East: 2 han 30 fu, 2,000 points."
    assert second.caption() == "West wins by ron on 9p from East: mangan (4 han, 40 fu), 8,000 points."
    assert [step.state.open for step in (first, second)] == [
        (False, True, False, False),
        (False, True, True, False),
    ]
    assert (second.state.win, second.state.points) == ((("river", 0, 0),), (15000, 27000, 33000, 25000))


def test_a_robbed_kan_is_the_winning_tile() -> None:
    state = played(*KAKAN, ev.Win(1, target=3))[-1].state
    assert (state.win, state.melds[3][0].kind) == ((("meld", 3, 0),), "kakan")


def test_a_win_reveals_the_hand_that_the_record_hid() -> None:
    deal = ev.StartRound(oya=0, dora_marker="1m", tehais=(HIDDEN,) * 4)
    win = ev.Win(0, target=0, pai="S", hora_tehais=(*HANDS[0], "S"))
    state = played(ev.Draw(0, "?"), win, deal=deal)[-1].state
    assert (state.hands[0], state.drawn[0]) == ("1m 2m 3m 1p 2p 3p 1s 2s 3s E E S S", "S")
    assert state.win == (("drawn", 0),)


def test_a_draw_shows_who_is_tenpai_on_which_tiles() -> None:
    draw = ev.Ryukyoku("fanpai", tenpais=(True, False, False, False), deltas=(3000, -1000, -1000, -1000))
    step = played(*turn(0, "9p"), draw)[-1]
    assert step.caption() == "The round is drawn: exhaustive draw. Tenpai: East."
    assert step.state.open == (True, False, False, False)
    assert isinstance(step.result, DrawResult)
    assert step.result.waits == (("E", "S"), None, None, None)


def test_a_draw_has_the_melds_of_the_hands_that_lie_open() -> None:
    [match] = matches(CORPUS / "tenhou/hanchan.mjlog")
    drawn = [(step.state, step.result.melds) for step in steps(match) if isinstance(step.result, DrawResult)]
    assert [melds for _, melds in drawn] == [
        tuple([laid if shown else () for laid, shown in zip(state.melds, state.open, strict=True)])
        for state, _ in drawn
    ]
    texts = [[meld_text(meld) for meld in laid] for laid in drawn[0][1]]
    assert texts == [["555s", "333p"], ["333m", "NNN", "5550p"], [], []]


def test_a_false_win_names_the_player() -> None:
    assert played(ev.Draw(0, "9p"), ev.Ryukyoku("chombo", actor=0))[-1].caption() == "East makes a false win."


def test_a_reason_of_a_house_is_shown_as_it_is() -> None:
    assert played(ev.Ryukyoku("rain {s0}"))[-1].caption() == "The round is drawn: rain {s0}."


def test_points_that_are_not_known_stay_unknown() -> None:
    deal = msgspec.structs.replace(DEAL, scores=msgspec.UNSET, dora_marker=msgspec.UNSET)
    step = played(ev.Draw(0, "9p"), ev.Discard(0, "9p"), ev.Win(1, target=0), deal=deal)[-1]
    assert (step.state.points, step.state.gain) == ((None,) * 4, (0,) * 4)


# Records that cannot be played.


def test_a_round_is_shown_up_to_the_event_that_the_table_refuses() -> None:
    found = played(ev.Draw(0, "9p"), ev.Discard(0, "8p", tsumogiri=False), ev.Draw(1, "9p"))
    *_, before, last = found
    assert [step.kind for step in found] == ["deal", "draw", "end"]
    assert (last.trouble, last.event, last.state, last.changes) == ("East does not hold 8p", 2, before.state, [])


def test_a_round_without_its_dealer_is_shown_with_the_reason() -> None:
    found = played(deal=ev.StartRound(oya=7, tehais=(HIDDEN,) * 4))
    assert [step.kind for step in found] == ["deal", "end"]
    assert "the dealer is player 7" in found[-1].trouble


def made_event(random: Random) -> ev.Event:
    """Return an event of any kind, also with seats and numbers that no game has."""

    def tile() -> str:
        return random.choice(("1m", "7m", "E", "N", "?", "16s", "1f"))

    def seat() -> int:
        return random.choice((0, 0, 0, 1, 2, 3, -1, 5, 99))

    def tiles(most: int) -> tuple[str, ...]:
        return tuple(tile() for _ in range(random.randrange(most)))

    def points() -> tuple[int, ...]:
        return (random.choice((0, 1000, -1)),) * random.randrange(7)

    makers: list[Callable[[], ev.Event]] = [
        lambda: ev.Draw(seat(), tile()),
        lambda: ev.Discard(seat(), tile(), tsumogiri=random.choice((True, False, msgspec.UNSET))),
        lambda: ev.Chi(seat(), seat(), "7m", ("8m", "9m")),
        lambda: ev.Pon(seat(), seat(), tile(), (tile(), tile())),
        lambda: ev.Daiminkan(seat(), seat(), tile(), (tile(),) * 3),
        lambda: ev.Kakan(seat(), tile(), (tile(),) * 3),
        lambda: ev.Ankan(seat(), (tile(),) * 4),
        lambda: ev.Nukidora(seat(), tile()),
        lambda: ev.Dora(tile()),
        lambda: ev.Riichi(seat()),
        lambda: ev.RiichiAccepted(seat(), scores=points()),
        lambda: ev.Win(seat(), target=seat(), pai=tile(), deltas=points(), ura_markers=tiles(9), liable=seat()),
        lambda: ev.Win(seat(), yakus=((tile(), 3),), fan=random.choice((-5, 3, 10**9)), fu=10**9, hora_points=-1),
        lambda: ev.Win(seat(), target=seat(), scores=points(), hora_tehais=tiles(20)),
        lambda: ev.Ryukyoku(
            tile(), tenpais=(True,) * random.randrange(7), tehais=(tiles(15),) * 5, scores=points()
        ),
        lambda: ev.Ryukyoku("chombo", actor=seat(), deltas=points()),
    ]
    return random.choice(makers)()


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@settings(max_examples=2 * settings().max_examples)
@given(random=st.randoms(use_true_random=False))
def test_steps_follow_whatever_the_table_allows(seats: int, random: Random) -> None:
    """Whatever a record holds, the steps never raise, and their changes lead to their states."""
    hand = random.choice([HIDDEN, ("7m",) * 4 + ("1f", "E", "E", "N", "8m", "9m", "?", "16s", "1m")])
    dora, dealer = random.choice(("1m", "?", msgspec.UNSET)), random.randrange(seats)
    deal = ev.StartRound(oya=dealer, tehais=(hand,) * seats, dora_marker=dora)
    table = Table.dealt(deal)
    events: list[ev.Event] = []
    for _ in range(random.randrange(1, 150)):
        event = made_event(random)
        try:
            table.apply(event)
        except IllegalPlayError:
            continue
        events.append(event)
    match = Match(rounds=[Round([deal, *events, ev.Draw(99, "?")])])
    assert all(all(step.captions.values()) for step in steps(match))
    follow_changes(match)
    assert json.dumps(payload(match))
    assert list(text_lines([match]))


def test_seats_are_called_by_their_winds() -> None:
    for seats, winds in {3: "ESW", 4: "ESWN", 6: "EHSVWN"}.items():
        deal = ev.StartRound(oya=1, tehais=(HIDDEN,) * seats)
        assert "".join(played(deal=deal)[0].winds) == winds[-1] + winds[:-1]


def test_the_player_of_a_nagashi_mangan_is_named_and_yaku_of_no_han_are_left_out() -> None:
    deltas = (-2000, 8000, -2000, -4000)
    nagashi = played(ev.Ryukyoku("nagashimangan", deltas=deltas, tenpais=(True, False, False, False)))
    assert nagashi[-1].caption() == "The round is drawn: nagashi mangan of South."
    assert nagashi[-1].captions["ja"] == "南家の流し満貫"
    won = played(
        ev.Draw(0, "1m"),
        ev.Win(0, 0, "1m", yakus=(("riichi", 1), ("ura_dora", 0)), deltas=(4000, -2000, -1000, -1000)),
    )
    result = won[-1].result
    assert isinstance(result, WinResult)
    assert [yaku.name for yaku in result.yaku] == ["yaku.riichi"]


# Melds as they lie: the called tile sideways, where it came from.


def lying(meld: Meld, seat: int = 0, seats: int = 4) -> str:
    """Return the tiles as they lie: ``_`` is turned, ``#`` lies face down, and ``+`` has another one on it."""
    tiles = laid(meld, seat, seats).tiles
    return " ".join(tile.tile + "_" * tile.turned + "#" * bool(tile.down) + "+" * bool(tile.on) for tile in tiles)


def test_the_called_tile_lies_towards_the_player_it_came_from() -> None:
    left, middle, right = "5pr_ 5p 5p", "5p 5pr_ 5p", "5p 5p 5pr_"
    sides = {3: [right, left], 4: [right, middle, left], 6: [right, *[middle] * 3, left]}
    for seats, lies in sides.items():
        assert [lying(Meld("pon", ("5p", "5p"), "5pr", target), 0, seats) for target in range(1, seats)] == lies


@looped(
    ("meld", "lies"),
    (Meld("daiminkan", ("E", "E", "E"), "E", 3), "E_ E E E"),
    (Meld("daiminkan", ("E", "E", "E"), "E", 2), "E E_ E E"),
    (Meld("daiminkan", ("E", "E", "E"), "E", 1), "E E E E_"),
    # The tiles of the hand are sorted beside the called one.
    (Meld("chi", ("6s", "4s"), "5s", 3), "5s_ 4s 6s"),
    (Meld("ankan", ("5m", "5m", "5mr", "5m")), "5m# 5m 5m 5mr#"),
    (Meld("kakan", ("N", "N"), "N", 1, "N"), "N N N_+"),
    (Meld("pon", ("N", "N"), "N"), "N N_ N"),
)
def test_a_meld_lies_on_the_table(meld: Meld, lies: str) -> None:
    assert lying(meld) == lies
