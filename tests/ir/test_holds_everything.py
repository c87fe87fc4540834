"""Four matches made by hand. Together they use every part of the hub."""

import datetime
import json
import pickle
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, structs

from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import (
    FinalHand,
    Match,
    Meld,
    Name,
    Original,
    Player,
    Recorder,
    Round,
    RoundId,
    Rules,
    Text,
    Tournament,
    TournamentPoints,
)
from mjconv.ir.patch import diff
from mjconv.ir.table import OVER, WON, Table
from mjconv.ir.tiles import TILES
from mjconv.rules.succession import starts
from moments_made import turn
from trips import read, write


def named(*names: str) -> list[Player]:
    return [Player(Name(Text(name))) for name in names]


def dumped(match: Match) -> Any:
    """Return a match as JSON values."""
    return json.loads(msgspec.json.encode(match, enc_hook=dict))


def hk_session() -> Match:
    """Return a session of Hong Kong mahjong over two days, with results only."""
    house = Rules(base=Decimal("0.5"), max_faan=10, responsibility="half", growth="spicy")
    first, second = datetime.date(2023, 12, 31), datetime.date(2024, 1, 1)
    return Match(
        named("Ah Ming", "Betty", "Chan", "Daisy"),
        [
            Round([ev.Win(1, 3, fan=4)], date=first),
            Round([ev.Win(2, 2, fan=0)], date=first),
            # D: the guarantor pays for a discard. The discarder is not stated.
            Round([ev.Win(0, fan=10, tsumo=False, liable=2)], date=first),
            # S: the guarantor pays for a self-drawn win.
            Round([ev.Win(3, 3, fan=8, tsumo=True, liable=1)], date=first),
            # A false win, and a game that nobody wins.
            Round([ev.Ryukyoku("chombo", actor=2)], rules=house, date=second),
            Round([ev.Ryukyoku()], rules=house, date=second),
        ],
        rules=Rules(base=Decimal(1), max_faan=13, responsibility="full", growth="half"),
    )


def uzje_round() -> Match:
    """Return a six-player round with its whole wall. Every seat plays, and every sort of tile moves."""
    hands = [
        ["14m", "15m", "1p", "2p", "Z", "H", "H", "V", "1s", "2s", "3s", "C", "C"],
        ["16m", "16m", "16m", "10p", "11p", "12p", "H", "V", "V", "F", "F", "5s", "9s"],
        ["1f", "2m", "3m", "4m", "Z", "Z", "P", "P", "13s", "14s", "15s", "16s", "7p"],
        ["V", "V", "9m", "10m", "11m", "8p", "8p", "8p", "4s", "4s", "6s", "16p", "C"],
        ["H", "1m", "1m", "1m", "12m", "13m", "3p", "3p", "9p", "9p", "9s", "9s", "2f"],
        ["8f", "5p", "6p", "7p", "15p", "15p", "15p", "10s", "11s", "12s", "F", "P", "16p"],
    ]
    hands[2][-1] = "?"
    events: list[ev.Event] = [
        ev.StartRound("S", kyoku=6, honba=2, oya=5, tehais=tuple(map(tuple, hands))),
        # From the last seat to the first.
        *(ev.Draw(5, "16m"), ev.Discard(5, "16m", tsumogiri=True), ev.Chi(0, 5, "16m", ("14m", "15m"))),
        *(ev.Discard(0, "H", tsumogiri=False), ev.Draw(1, "16s"), ev.Discard(1, "V")),
        *(
            ev.Pon(3, 1, "V", ("V", "V")),
            ev.Discard(3, "C"),
            ev.Draw(4, "1m"),
            ev.Ankan(4, ("1m", "1m", "1m", "1m")),
        ),
        # A flower is set aside and replaced.
        *(ev.Draw(4, "3f"), ev.Nukidora(4, "3f"), ev.Draw(4, "Z"), ev.Discard(4, "Z", tsumogiri=True)),
        *(ev.Daiminkan(2, 4, "Z", ("Z", "Z", "?")), ev.Draw(2, "V"), ev.Discard(2, "V", tsumogiri=True)),
        *(ev.Win(3, 2, pai="V", deltas=(0, 0, -8, 8, 0, 0)), ev.EndRound()),
    ]
    dealt = [tile for hand in hands for tile in hand]
    wall = (*dealt, "16m", "16s", "1m", "9m", "16p", "V", "Z", "3f")
    played = Round(events, wall=wall, extras={"uzje": {"end": "=", "set": ["flowers", "abbreviated"]}})
    return Match(named(*"ESWNVH"), [played], extras={"uzje": {"comments": ["a note (1)"]}})


def sanma_round() -> Match:
    """Return a three-player round in which norths are set aside."""
    hands = (
        ("1m", "9m", "1p", "1p", "1p", "2p", "3p", "N", "E", "E", "5pr", "6p", "7p"),
        ("N", "N", "1s", "2s", "3s", "4s", "5s", "5sr", "7s", "8s", "9s", "P", "P"),
        ("1m", "1m", "9m", "9m", "C", "C", "F", "F", "S", "S", "W", "W", "9p"),
    )
    played = [
        ev.StartRound("E", "9p", 1, 0, 0, 0, (35000, 35000, 35000), hands),
        *(ev.Draw(0, "9s"), ev.Nukidora(0, "N"), *turn(0, "5p")),
        *(ev.Draw(1, "6s"), ev.Nukidora(1), ev.Draw(1, "6s"), ev.Nukidora(1, "N"), ev.Draw(1, "P")),
        *(ev.Riichi(1), ev.Discard(1, "6s", tsumogiri=False), ev.RiichiAccepted(1)),
        *(*turn(2, "9p"), *turn(0, "6s")),
        *(ev.Win(1, 0, deltas=(-12000, 13000, 0), ura_markers=("E",), fan=6, fu=40), ev.EndRound()),
    ]
    return Match(named("甲", "乙", "丙"), [Round(played)], [ev.StartGame()], [ev.EndGame()])


def frames_without_flow() -> Match:
    """Return a match as jmjp holds it without play: players, date, place and points."""
    points = [(25000, 25000, 25000, 25000), (33000, 17000, 25000, 25000), (32000, 16000, 24000, 28000)]
    rounds = [
        Round([ev.StartRound("E", kyoku=1, honba=0, kyotaku=0, oya=0, scores=points[0]), ev.EndRound()],
              scores_after=points[1], dice=(3, 4)),
        Round([ev.StartRound("E", "9m", 1, 1, 0, 0, points[1]), ev.EndRound()],
              scores_after=points[2], comment=Text("流局", "ryuukyoku")),
        Round([ev.StartRound("E", kyoku=2, honba=2, kyotaku=0, oya=1, scores=points[2]), ev.EndRound()],
              dice=(7,), assumed=("kyotaku",)),
    ]  # fmt: skip
    name, team = Name(Text("石橋", "Ishibashi"), Text("伸洋", "Nobuhiro")), Text(code="mlg-prt")
    first = Player(name, team, Text(code="prorenmei"), TournamentPoints(12300, -45600))
    return Match(
        [first, Player(Name(Text(roman="Taki"))), Player(team=Text("隊", "A")), Player()],
        rounds,
        [ev.StartGame()],
        [ev.EndGame()],
        Tournament(Text(code="mlg"), 2018, Text(code="mlg-reg"), 3, 1),
        datetime.date(2018, 10, 1),
        "mon",
        datetime.time(19, 0),
        Text(code="mlg-std"),
        [Recorder(Name(Text("記")), "all"), Recorder(rounds=(RoundId("E", 1, 0), RoundId("E", 2, 1)))],
        Rules(25000, 30000, (30000, 10000), honba=300, tenpai=3000),
        (52000, 6000, -16000, -42000),
        (TournamentPoints(64300, 6400), TournamentPoints(team=0), TournamentPoints(-16000), TournamentPoints()),
    )


MATCHES = {
    "HK session": hk_session,
    "six-player Ùzje round": uzje_round,
    "sanma round": sanma_round,
    "jmjp frames without flow": frames_without_flow,
}
each_match = looped("make", *MATCHES.values(), ids=MATCHES)


@each_match
def test_matches_are_compared_by_what_they_hold(make: Any) -> None:
    match, other = make(), make()
    assert match == other
    other.rounds[-1].events[-1] = ev.Ryukyoku("other")
    assert match != other
    assert match != msgspec.structs.replace(match, players=named("x", "y", "z"))
    assert match != msgspec.structs.replace(match, extras={"x": 1})


@each_match
def test_matches_can_be_dumped_as_json(make: Any) -> None:
    match = make()
    values = dumped(match)
    assert len(values["rounds"]) == len(match.rounds)
    for written, game_round in zip(values["rounds"], match.rounds, strict=True):
        assert [event["type"] for event in written["events"]] == [ev.name_of(event) for event in game_round.events]
    assert b"null" not in msgspec.json.encode(match, enc_hook=dict), "what is not said is absent"


@each_match
def test_matches_are_played_at_the_table(make: Any) -> None:
    match = make()
    for deal, game_round in zip(starts(match), match.rounds, strict=True):
        table = Table.dealt(deal)
        for event in game_round.events:
            table.apply(event)
        assert table.phase in (OVER, WON)


def test_the_hk_session_states_liable_players_and_leaves_unknown_values_out() -> None:
    session = hk_session()
    assert session.seats == 4
    assert [game_round.start for game_round in session.rounds] == [None] * 6
    wins = [win for game_round in session.rounds for win in game_round.select(ev.Win)]
    assert [(win.target, win.liable) for win in wins] == [(3, UNSET), (2, UNSET), (UNSET, 2), (3, 1)]
    values = dumped(session)
    assert values["rounds"][2]["events"] == [{"type": "hora", "actor": 0, "tsumo": False, "fan": 10, "pao": 2}]
    assert values["rounds"][4]["events"] == [{"type": "ryukyoku", "reason": "chombo", "actor": 2}]
    assert values["rounds"][4]["rules"]["base"] == "0.5"
    assert {game_round["date"] for game_round in values["rounds"]} == {"2023-12-31", "2024-01-01"}
    assert msgspec.convert(values["rules"], Rules, strict=False) == session.rules


def test_the_hk_session_gets_round_names_where_a_target_wants_them() -> None:
    """The dealer stays after winning or a draw."""
    names = [(deal.bakaze, deal.kyoku, deal.honba) for deal in starts(hk_session())]
    assert names == [("E", 1, 0), ("E", 2, 0), ("E", 3, 0), ("E", 4, 0), ("E", 4, 1), ("E", 4, 2)]


def without_points() -> Match:
    match = frames_without_flow()
    for game_round in match.rounds:
        game_round.events[0] = structs.replace(game_round.events[0], scores=UNSET)
        game_round.scores_after = UNSET
    return match


def test_matches_go_out_and_come_back() -> None:
    for make, target, fates in (
        *((hk_session, target, {"carried", "assumed"}) for target in ("mjai", "jmjp", "jmjp-0")),
        *((sanma_round, target, set()) for target in ("mjai", "mjai-batch", "mjai-riichienv")),
        # jmjp holds frames without play, and needs no note.
        (frames_without_flow, "jmjp", set()),
        *((frames_without_flow, target, None) for target in ("mjai", "mjai-batch")),
        *((without_points, target, None) for target in ("jmjp", "jmjp-0", "mjai")),
    ):
        written = write([make()], target)
        assert read(written.data, target.split("-")[0]).match == make(), make
        assert fates is None or {loss.fate for loss in written.losses} == fates, make
        assert fates is None or fates or b"mjconv" not in written.data, make


def test_matches_that_a_format_cannot_hold_are_refused() -> None:
    four_seats = "jmjp records games of four players, and match 1 has {} players"
    for make, targets, message in (
        (uzje_round, ("mjai", "mjai-batch", "mjai-riichienv"), "mjai .*match 1"),
        (uzje_round, ("jmjp", "jmjp-0"), four_seats.format(6)),
        (sanma_round, ("jmjp", "jmjp-0"), four_seats.format(3)),
        (four_with_a_flower, ("mjai",), r"match 1, round E1-0, message 2 \(tsumo\): mjai has no tile 1f"),
        (four_with_a_flower, ("jmjp",), r"match 1, round E1-0.*jmjp has no word for 1f"),
    ):
        for target in targets:
            with pytest.raises(UnsupportedError, match=message):
                write([make()], target)


def test_values_that_mjai_requires_of_the_hk_session_are_reported_as_assumed() -> None:
    written = write([hk_session()], "mjai", plain=True)
    log = [json.loads(line) for line in written.data.splitlines()]
    assert [message["type"] for message in log].count("start_kyoku") == 6
    # mjai names the liable player as the discarder, who is not known.
    assert next(message for message in log if message.get("pao") == 2)["target"] == 2
    assumed = {(loss.what, loss.round) for loss in written.losses if loss.fate == "assumed"}
    assert ("hora.target", 2) in assumed
    assert {("start_kyoku", index) for index in range(6)} <= assumed
    dropped = {loss.what for loss in written.losses if loss.fate == "dropped"}
    assert dropped >= {"round.date", "round.rules", "match.rules"}


def test_the_six_player_round_uses_every_sort_of_tile_and_every_seat() -> None:
    match = uzje_round()
    assert match.seats == 6
    [played] = match.rounds
    hands = (played.start or ev.StartRound()).tehais or ()
    tiles = {*(tile for hand in hands for tile in hand), *(played.wall or ())}
    assert tiles >= {"10p", "11m", "12s", "13m", "14s", "15p", "16m", "Z", "1f", "8f", "H", "V"}
    assert tiles <= TILES
    assert {event.actor for event in played.events if hasattr(event, "actor")} == set(range(6))


def four_with_a_flower() -> Match:
    """Return a round of four players in which one player holds a flower."""
    match = uzje_round()
    hands = tuple(tuple("1m" if tile[0] in "1ZHV" else "9p" for tile in range_) for range_ in [["Z"] * 13] * 4)
    deal = ev.StartRound("E", "1m", 1, 0, 0, 0, tehais=hands)
    match.players = named(*"ESWN")
    match.rounds = [Round([deal, ev.Draw(0, "1f"), ev.Discard(0, "1f"), ev.EndRound()])]
    return match


@looped("target", "mjai", "jmjp")
def test_a_wall_that_a_target_has_no_place_for_is_carried_whatever_its_tiles(target: str) -> None:
    match = four_with_a_flower()
    match.rounds[0].events[1:3] = [ev.Draw(0, "9m"), ev.Discard(0, "9m", tsumogiri=True)]
    match.rounds[0].wall = ("9m", "16m", "Z", "H", "V", "8f")
    match.rounds[0].final_hands = (FinalHand(("1f",), "Z", (Meld("pon", ("H", "H"), "H", 1),)),) * 4
    if target == "jmjp":
        match.rounds[0].final_hands = UNSET
    assert read(write([match], target).data, target).match == match


def test_frames_without_flow_in_version_0_carry_rules_and_dice() -> None:
    written = write([frames_without_flow()], "jmjp-0")
    assert read(written.data, "jmjp").match == frames_without_flow()
    losses = {(loss.what, loss.fate) for loss in written.losses}
    assert losses == {("match.rules", "carried"), ("round.dice", "carried")}


def test_frames_without_flow_are_hidden_hands_in_mjai_and_no_win_is_invented() -> None:
    log = [json.loads(line) for line in write([frames_without_flow()], "mjai", plain=True).data.splitlines()]
    assert [message["type"] for message in log] == ["start_game", *["start_kyoku", "end_kyoku"] * 3, "end_game"]
    deals = [message for message in log if message["type"] == "start_kyoku"]
    assert all(deal["tehais"] == [["?"] * 13] * 4 for deal in deals)
    assert [deal["dora_marker"] for deal in deals] == ["?", "9m", "?"]
    assert log[0]["names"] == ["石橋 伸洋", "Taki", "", ""]


def test_an_original_does_not_count_for_equality() -> None:
    match = Match(rounds=[Round()])
    kept = structs.replace(match, original=Original("tenhou", b"<mjloggm/>"))
    assert kept == match
    assert (kept != match) is False
    assert kept != Match()
    assert (diff(kept, match), repr(kept)) == (diff(match, match), repr(match))
    assert pickle.loads(pickle.dumps(kept)).original == kept.original
    with pytest.raises(TypeError, match="unhashable"):
        hash(match)
