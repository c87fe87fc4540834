"""Writing of mjx: states that come back, tiles and walls that are worked out, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, structs

from corpus_files import CORPUS
from logs import FOLDER
from looped import looped
from mjconv.converters.shared.meldcode import decode
from mjconv.converters.shared.tile_numbers import WITH_REDS
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.losses import Loss
from mjconv.ir.match import Match, Name, Player, Round, Rules, Text
from moments_made import deal
from trips import read, write

from .test_mjx import PAIRS

Value = dict[str, Any]
OWN = [CORPUS / "mjx/game.json", CORPUS / "mjx/round.json", CORPUS / "mjx/hanchan.json"]
REAL: list[Path] = sorted(Path(FOLDER).glob("mjx/*.json")) if FOLDER else []
_NAMES = ["A", "B", "C", "D"]


def written(*matches: Match, losses: list[Loss] | None = None) -> list[Value]:
    """Return the states of matches, and add the losses to the list."""
    done = write(matches, "mjx")
    if losses is not None:
        losses += done.losses
    return [json.loads(line) for line in done.data.splitlines()]


def hanchan() -> Match:
    """Return a game with every call, a riichi, wins and a draw; its walls are known."""
    return read((CORPUS / "tenhou/hanchan.mjlog").read_bytes(), "tenhou").match


def small(*events: ev.Event, **fields: Any) -> Match:
    """Return a match of one round with a plain deal."""
    return Match(opening=[ev.StartGame()], rounds=[Round([deal(*HANDS, dora_marker="9s"), *events], **fields)])


HANDS = (
    "1m 2m 3m 4m 5m 6m 7m 8m 9m E E S S",
    "1m 2m 3m 4m 5mr 6m 7m 8m 9m W W N N",
    "1p 2p 3p 4p 5p 6p 7p 8p 9p P P F F",
    "1p 2p 3p 4p 5pr 6p 7p 8p 9p C C 1s 9m",
)
DRAWN_GAME = (ev.Ryukyoku("sufuurenta", deltas=(0,) * 4), ev.EndRound())


def spelled(value: Value) -> Value:
    """Return a state with tiles by their spelling, hands sorted by it, and yaku in the order of their numbers."""

    def tiles(numbers: list[int]) -> list[str]:
        return [WITH_REDS[number] for number in numbers]

    def part(key: str, found: Any) -> Any:
        if key in ("tile", "winTile"):
            return WITH_REDS[found]
        if key in ("wall", "doraIndicators", "uraDoraIndicators", "drawHistory"):
            return tiles(found)
        if key == "closedTiles":
            return sorted(tiles(found))
        if key in ("open", "opens"):
            calls = filter(None, map(decode, found if key == "opens" else [found]))
            # A concealed kan is named by any of its tiles.
            called = ((call, WITH_REDS[call.tile][: 2 + bool(call.giver)]) for call in calls)
            return [(call.kind, sorted(tiles([*call.own])), tile, call.giver) for call, tile in called]
        return within(found)

    def within(found: Any) -> Any:
        if isinstance(found, list):
            return [within(one) for one in found]
        if not isinstance(found, dict):
            return found
        whole = {key: part(key, one) for key, one in found.items()}
        if "winTile" in whole or "ten" in whole:
            whole.setdefault("winTile", WITH_REDS[0])
            pairs = sorted(zip(whole.pop("yakus", ()), whole.pop("fans", ()), strict=True))
            whole["yaku"] = pairs
        elif whole.get("type", "EVENT_TYPE_DISCARD").endswith(("DISCARD", "TSUMOGIRI", "DORA", "RON", "TSUMO")):
            whole.setdefault("tile", WITH_REDS[0])
        return whole

    return within(value)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].name)
def test_a_game_of_tenhou_has_the_states_that_mjx_has_of_it(pair: tuple[Path, Path]) -> None:
    """But for the copies of tiles, the order of yaku, and the end of a record that breaks off."""
    match = read(pair[1].read_bytes(), "tenhou").match
    theirs = [json.loads(line) for line in pair[0].read_bytes().splitlines()]
    ours = written(match)
    for mine, other in zip(ours, theirs, strict=True):
        ends = [state.get("roundTerminal", {}) for state in (mine, other)]
        if not ends[1].get("isGameOver"):
            for end in ends:
                end.pop("finalScore", None)
                end.pop("isGameOver", None)
        assert spelled(mine) == spelled(other)


def test_a_game_of_another_format_is_the_game_in_the_corpus() -> None:
    data = write([hanchan()], "mjx").data
    assert data == (CORPUS / "mjx/hanchan.json").read_bytes()


def test_unknown_fields_come_back_if_the_match_is_unchanged() -> None:
    states_ = [json.loads(line) for line in (CORPUS / "mjx/game.json").read_bytes().splitlines()]
    states_[0]["hiddenState"]["gameSeed"] = "5"
    states_[0]["publicObservation"]["gameId"] = "g"
    states_[0]["roundTerminal"]["x"] = [1]
    states_[0]["y"] = {"z": 1}
    data = b"\n".join([json.dumps(one).encode() for one in states_]) + b"\n"
    match = read(data, "mjx").match
    assert write([match], "mjx").data == data
    back = read(write([match], "mjai").data, "mjai").match
    assert write([back], "mjx").data == data
    match.players[0] = Player(Name(Text("another")))
    assert "gameSeed" not in written(match)[0]["hiddenState"]


@looped("path", *OWN, *REAL, ids=lambda path: path.name)
def test_without_originals_all_but_the_copies_of_tiles_comes_back(path: Path) -> None:
    data = path.read_bytes()
    matches = [structs.replace(match, original=None) for match in read(data, "mjx").matches]
    ours = written(*matches)
    assert [spelled(one) for one in ours] == [spelled(json.loads(line)) for line in data.splitlines()]
    back = read(write(matches, "mjx").data, "mjx").matches
    assert [one.rounds for one in back] == [one.rounds for one in matches]


def test_a_wall_that_is_not_known_has_the_unseen_tiles_in_the_order_of_their_numbers() -> None:
    losses: list[Loss] = []
    [state] = written(small(ev.Draw(0, "C"), ev.Discard(0, "C"), *DRAWN_GAME), losses=losses)
    wall = state["hiddenState"]["wall"]
    assert sorted(wall) == list(range(136))
    assert (WITH_REDS[wall[52]], WITH_REDS[wall[130]]) == ("C", "9s")
    unseen = [number for place, number in enumerate(wall[:122]) if place > 52]
    assert unseen == sorted(unseen)
    assert ("round.wall", "assumed") in [(loss.what, loss.fate) for loss in losses]


def test_a_known_wall_is_written_and_a_wall_of_another_round_is_replaced() -> None:
    match = hanchan()
    first, second = match.rounds[:2]
    assert read(write([match], "mjx").data, "mjx").match.rounds[0].wall == first.wall
    losses: list[Loss] = []
    match.rounds[0] = structs.replace(first, wall=second.wall)
    written(match, losses=losses)
    assert ("round.wall", "approximated", 0) in [(loss.what, loss.fate, loss.round) for loss in losses]


def test_names() -> None:
    match = small(*DRAWN_GAME)
    assert written(match)[0]["publicObservation"]["playerIds"] == ["player_0", "player_1", "player_2", "player_3"]
    match.players = [Player(Name(Text(name)) if name != "B" else UNSET) for name in _NAMES]
    assert written(match)[0]["publicObservation"]["playerIds"] == ["A", "player_1", "C", "D"]
    # Names come back with any characters.
    names = ['"A"', "B\\", "C\n", "\u2028 D"]
    match.players = [Player(Name(Text(name))) for name in names]
    back = read(write([match], "mjx").data, "mjx").match
    assert [player.name.shown for player in back.players if player.name] == names


def test_matches_that_mjx_cannot_hold_are_refused() -> None:
    draws = [event for seat in range(4) for event in (ev.Draw(seat, "5s"), ev.Discard(seat, "5s"))]
    moved = [ev.Ryukyoku("sufuurenta", deltas=(points, -points, 0, 0)) for points in (10**9, 1 << 70)]
    for match, message in (
        (small(ev.Draw(0, "?"), ev.Discard(0, "E"), *DRAWN_GAME), "one is hidden"),
        (with_deal(dora_marker=UNSET), "every dora indicator"),
        (with_deal(tehais=UNSET), "a hand is not known"),
        (small(*draws, *DRAWN_GAME), "mjx has 3 of 5s beside the red one"),
        (read((CORPUS / "tenhou/three.mjlog").read_bytes(), "tenhou").match, "four players"),
        (Match(rules=Rules(players=4)), "match 1: mjx holds rounds, and the match has none"),
        (with_deal(oya=2), "the dealer of round E1 is player 1"),
        (small(ev.Draw(0, "C"), ev.Win(0, 0, "C"), ev.EndRound()), "message 3: the points that the win moves"),
        *((small(ev.Draw(0, "C"), draw, ev.EndRound()), "expected a number up to") for draw in moved),
    ):
        assert message in refused(match)


def test_the_last_round_ends_the_game_and_the_leader_takes_the_sticks() -> None:
    riichi = ev.Riichi(0), ev.Discard(0, "C", tsumogiri=True), ev.RiichiAccepted(0)
    match = small(ev.Draw(0, "C"), *riichi, *DRAWN_GAME)
    assert written(match)[0]["roundTerminal"]["finalScore"] == {"riichi": 1, "tens": [24000, 25000, 25000, 25000]}
    match.closing = [ev.EndGame()]
    end = written(match)[0]["roundTerminal"]
    assert end["finalScore"] == {"tens": [24000, 26000, 25000, 25000]}
    assert end["isGameOver"] is True
    match.closing = [ev.EndGame(scores=(25000,) * 4)]
    assert written(match)[0]["roundTerminal"]["finalScore"] == {"tens": [25000] * 4}


def test_a_draw_shows_the_hands_that_mjx_shows() -> None:
    for reason, kind, shown in (
        ("kyushu_kyuhai", "ABORTIVE_DRAW_NINE_TERMINALS", [1]),
        ("suucha_riichi", "ABORTIVE_DRAW_FOUR_RIICHIS", [0, 1, 2, 3]),
        ("sanchaho", "ABORTIVE_DRAW_THREE_RONS", [0, 2, 3]),
        ("suukansansen", "ABORTIVE_DRAW_FOUR_KANS", []),
        ("sufuurenta", "ABORTIVE_DRAW_FOUR_WINDS", []),
        ("exhaustive_draw", "EXHAUSTIVE_DRAW_NORMAL", [2]),
        ("nagashimangan", "EXHAUSTIVE_DRAW_NAGASHI_MANGAN", [2]),
    ):
        tenpais = (False, False, True, False) if "EXH" in kind else UNSET
        play = ev.Draw(0, "C"), ev.Discard(0, "C", tsumogiri=True), ev.Draw(1, "C")
        draw = ev.Ryukyoku(reason, tenpais=tenpais, deltas=(0,) * 4)
        [state] = written(small(*play, draw, ev.EndRound(), blocked=(0, 2, 3) if reason == "sanchaho" else ()))
        event = state["publicObservation"]["events"][-1]
        assert event == {"type": f"EVENT_TYPE_{kind}", **({"who": 1} if shown == [1] else {})}, reason
        found = state["roundTerminal"]["noWinner"].get("tenpais", [])
        assert [one.get("who", 0) for one in found] == shown, reason
        [again] = read(json.dumps(state), "mjx").match.rounds[0].select(ev.Ryukyoku)
        assert again.reason == reason


def refused(*matches: Match) -> str:
    with pytest.raises(UnsupportedError) as caught:
        written(*matches)
    return str(caught.value)


def with_deal(**changed: Any) -> Match:
    """Return a drawn game whose deal has other values."""
    match = small(*DRAWN_GAME)
    match.rounds[0].events[0] = structs.replace(match.rounds[0].start, **changed)
    return match


def test_rounds_that_do_not_follow_each_other_are_refused() -> None:
    match = hanchan()
    match.rounds = [match.rounds[1], match.rounds[0]]
    assert "do not follow each other" in refused(match)
    match = hanchan()
    match.rounds[0] = structs.replace(match.rounds[0], events=match.rounds[0].events[:9])
    assert "do not follow each other" in refused(match)


def test_matches_follow_each_other_in_a_file_unless_they_would_be_one() -> None:
    match = hanchan()
    data = write([match, match], "mjx").data
    assert [len(one.rounds) for one in read(data, "mjx").matches] == [len(match.rounds)] * 2
    first = structs.replace(match, rounds=match.rounds[:2], closing=[])
    second = structs.replace(match, rounds=match.rounds[2:])
    assert "would continue the match before it" in refused(first, second)
