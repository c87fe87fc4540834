"""States of mjx: the reader, the writer, trips back, and errors."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, structs

import trips
from corpus_files import CORPUS
from faults import refused_at, reported
from logs import FOLDER, lines
from looped import looped
from mjconv.converters.shared.meldcode import decode
from mjconv.converters.shared.tile_numbers import WITH_REDS
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match, Name, Original, Player, Round, Rules, Text
from mjconv.testing.json_types import replaced
from moments_made import deal
from trips import write

Value = dict[str, Any]
HANCHAN = CORPUS / "mjx/hanchan.json"
PAIRS = [(HANCHAN, CORPUS / "tenhou/hanchan.mjlog")]
if FOLDER:
    for found in sorted(Path(FOLDER).glob("mjx/*.json")):
        same = Path(FOLDER) / "tenhou/mjlog" / f"{found.stem}.mjlog"
        PAIRS += [(found, same)] * same.exists()


def read(*values: Value, report: Report | None = None) -> list[Match]:
    """Return the matches of states."""
    return trips.read(lines(values), "mjx", report).matches


def warned(*values: Value) -> tuple[Match, list[str]]:
    was = trips.read(lines(values), "mjx")
    return was.match, [warning.message for warning in was.warnings]


def game() -> list[Value]:
    """Return the states of three rounds."""
    return [json.loads(line) for line in HANCHAN.read_bytes().splitlines()[-3:]]


def bare(event: ev.Event) -> ev.Event:
    """Return an event without what mjx does not state, and with yaku in order."""
    match event:
        case ev.RiichiAccepted():
            return ev.RiichiAccepted(event.actor)
        case ev.Win():
            is_yakuman = any(han >= 13 for _, han in event.yakus or ())
            yakus = tuple(sorted(event.yakus or ()))
            return structs.replace(event, scores=UNSET, yakus=yakus, fu=UNSET if is_yakuman else event.fu)
        case ev.Ryukyoku():
            return structs.replace(event, scores=UNSET)
    return event


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].name)
def test_states_are_read_as_the_mjlog_of_the_game(pair: tuple[Path, Path]) -> None:
    match = trips.read(pair[0].read_bytes(), "mjx").match
    mjlog = trips.read(pair[1].read_bytes(), "tenhou").match
    for ours, theirs in zip(match.rounds, mjlog.rounds, strict=True):
        length = len(ours.events) if ours.events[-1] != ev.EndRound() else None
        assert list(map(bare, ours.events)) == list(map(bare, theirs.events))[:length]
        assert (ours.wall, ours.blocked) == (theirs.wall, theirs.blocked)
    assert match.players == [structs.replace(one, rank=UNSET, rating=UNSET) for one in mjlog.players]


def test_states_that_follow_each_other_are_one_game() -> None:
    first, second, third = game()
    assert [len(match.rounds) for match in read(first, second, third)] == [3]
    assert [len(match.rounds) for match in read(first, third, first)] == [1, 1, 1]
    others = {**second["publicObservation"], "playerIds": ["A", "B", "C", "D"]}
    assert [len(match.rounds) for match in read(first, {**second, "publicObservation": others})] == [1, 1]


def test_the_end_of_a_round_and_of_a_game() -> None:
    state, _, last = game()
    del state["roundTerminal"]
    match, warnings = warned(state)
    assert not match.rounds[0].select(ev.Win, ev.Ryukyoku, ev.EndRound)
    assert warnings == ["the round has no result", "the game has no end: the record breaks off"]
    # The last round ends the game with its points.
    assert read(last)[0].closing == [ev.EndGame(scores=tuple(last["roundTerminal"]["finalScore"]["tens"]))]
    # An end that is null is absent.
    assert read({**state, "roundTerminal": None}) == [match]


def test_the_lines_of_a_match_are_its_original() -> None:
    first, second, third = map(json.dumps, game())
    indented = json.dumps(game()[0], indent=1)
    whole = Original("mjx", f"{first}\n{second}\n{third}".encode())
    for data in (f"{first}\n\n{second} \r\n{third}\n", f"\ufeff[{first}, {second},\n{third}]"):
        match = trips.read(data.encode(), "mjx").match
        assert match.original == whole
    several = trips.read(f"{first}\n{third}\n{first}\n".encode(), "mjx").matches
    assert [one.original for one in several] == [Original("mjx", text.encode()) for text in (first, third, first)]
    alone = trips.read(f"{indented}\n".encode(), "mjx").match
    assert alone.original == Original("mjx", indented.encode())
    # In an array, a state of several lines is written on one line.
    match = trips.read(f"[{indented},{second}]".encode(), "mjx").match
    assert match.original is not None
    assert [json.loads(line) for line in match.original.data.splitlines()] == game()[:2]
    assert trips.read(match.original.data, "mjx").matches[0].original == match.original


def test_the_player_who_pays_alone_for_a_yakuman_is_liable() -> None:
    state = next(each for each in game() if each["roundTerminal"].get("wins"))
    [win] = state["roundTerminal"]["wins"]
    for key in ("yakus", "fans", "fu"):
        win.pop(key, None)
    changes = [0, 0, 0, 0]
    changes[win.get("who", 0)], changes[(win.get("who", 0) + 1) % 4] = 32000, -32000
    win |= {"yakumans": [39], "fromWho": win.get("who", 0), "ten": 32000, "tenChanges": changes}
    [read_win] = read(state)[0].rounds[0].select(ev.Win)
    assert (read_win.liable, read_win.fan, read_win.fu) == ((win.get("who", 0) + 1) % 4, 13, UNSET)
    assert read_win.yakus == (("daisangen", 13),)


def test_walls_that_do_not_fit_are_left_out_with_a_warning() -> None:
    first, second, _ = game()
    twice = [second["hiddenState"]["wall"][1], *second["hiddenState"]["wall"][1:]]
    for state, wall, message in (
        (first, second["hiddenState"]["wall"], "the hands differ from the wall"),
        (second, twice, "135 different tiles of 136"),
    ):
        match, warnings = warned(state | {"hiddenState": {**state["hiddenState"], "wall": wall}})
        assert match.rounds[0].wall is UNSET
        assert message in warnings[0]
    # Walls are left out on demand.
    assert all(one.wall is UNSET for one in read(*game(), report=Report(walls=False))[0].rounds)


def refused(value: Value) -> str:
    """Return the error of a state, and check that a lenient reading reports the same one."""
    return reported(json.dumps(value), "mjx").faults[0].error.message


def test_what_cannot_be_is_refused() -> None:
    pon, unlike = {"type": "EVENT_TYPE_PON", "open": 3}, {"type": "EVENT_TYPE_TSUMOGIRI", "tile": 0}
    for change, message in (
        (lambda state: state["publicObservation"].pop("initScore"), "missing required field `initScore`"),
        (lambda state: state["privateObservations"].pop(), "Expected `array` of length >= 4"),
        (lambda state: state["privateObservations"][1].update(who=0), "two observations are those of player 0"),
        (lambda state: state["privateObservations"][1].update(initHand={}), "a hand of 0 tiles is dealt"),
        (lambda state: state["privateObservations"][0].update(drawHistory=[]), "no tile for this draw"),
        (lambda state: state["publicObservation"]["events"][1].update(tile=136), "Expected `int` <= 135"),
        (lambda state: state["publicObservation"]["events"][1].update(type="EVENT_TYPE_FLY"), "mjx has no event"),
        (lambda state: state["publicObservation"]["events"][1].update(unlike), "is not the one just drawn"),
        (lambda state: state["publicObservation"]["events"].insert(2, pon), "open is 3, which is no pon"),
        (lambda state: state["publicObservation"]["events"].append({"tile": 1}), "after the result of its round"),
        (lambda state: state["publicObservation"]["events"].pop(), "its events have no result"),
        (lambda state: state["roundTerminal"]["wins"].append({}), "2 wins, and"),
        (lambda state: state["roundTerminal"]["wins"][0].update(ten=-5), "Expected `int` >= 0"),
    ):
        [state, *_] = game()
        change(state)
        assert message in refused(state), change


def test_an_error_has_its_line_and_column() -> None:
    first, second, third = game()
    second["publicObservation"]["events"][4]["type"] = "EVENT_TYPE_FLY"
    *place, _ = refused_at(lines([first, second, third]), "mjx")
    assert place == [2, json.dumps(second, ensure_ascii=False).index('"EVENT_TYPE_FLY"') + 1]


def test_a_state_of_too_many_events_is_refused() -> None:
    [state, *_] = game()
    state["publicObservation"]["events"] = [{"type": "EVENT_TYPE_RIICHI"}] * 5001
    assert "length <= 5000" in refused(state)


@looped(
    ("path", "value"),
    (("publicObservation", "events", 3, "tile"), 136),
    (("publicObservation", "events", 3, "who"), "1"),
    (("publicObservation", "initScore", "tens", 2), None),
    (("privateObservations", 2, "initHand", "closedTiles", 7), 1.5),
    (("hiddenState", "wall", 40), -1),
    (("roundTerminal", "wins", 0, "yakus", 0), []),
    (("roundTerminal", "wins", 0, "hand"), 0),
)
def test_an_error_in_a_list_has_the_place_of_its_value(path: tuple[str | int, ...], value: object) -> None:
    state = next(each for each in game() if each["roundTerminal"].get("wins"))
    text = json.dumps(replaced(state, path, "@"))
    *place, _ = refused_at(text.replace('"@"', json.dumps(value)), "mjx")
    assert place == [1, text.index('"@"') + 1]


# Writing of mjx: states that come back, tiles and walls that are worked out, and what is unwritable.
OWN = [CORPUS / "mjx/game.json", CORPUS / "mjx/round.json", CORPUS / "mjx/hanchan.json"]
REAL: list[Path] = sorted(Path(FOLDER).glob("mjx/*.json")) if FOLDER else []


def written(*matches: Match, losses: list[Loss] | None = None) -> list[Value]:
    """Return the states of matches, and add the losses to the list."""
    done = write(matches, "mjx")
    if losses is not None:
        losses += done.losses
    return [json.loads(line) for line in done.data.splitlines()]


def hanchan() -> Match:
    """Return a game with every call, a riichi, wins and a draw; its walls are known."""
    return trips.read((CORPUS / "tenhou/hanchan.mjlog").read_bytes(), "tenhou").match


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
    match = trips.read(pair[1].read_bytes(), "tenhou").match
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
    match = trips.read(data, "mjx").match
    assert write([match], "mjx").data == data
    back = trips.read(write([match], "mjai").data, "mjai").match
    assert write([back], "mjx").data == data
    match.players[0] = Player(Name(Text("another")))
    assert "gameSeed" not in written(match)[0]["hiddenState"]


@looped("path", *OWN, *REAL, ids=lambda path: path.name)
def test_without_originals_all_but_the_copies_of_tiles_comes_back(path: Path) -> None:
    data = path.read_bytes()
    matches = [structs.replace(match, original=None) for match in trips.read(data, "mjx").matches]
    ours = written(*matches)
    assert [spelled(one) for one in ours] == [spelled(json.loads(line)) for line in data.splitlines()]
    back = trips.read(write(matches, "mjx").data, "mjx").matches
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
    assert trips.read(write([match], "mjx").data, "mjx").match.rounds[0].wall == first.wall
    losses: list[Loss] = []
    match.rounds[0] = structs.replace(first, wall=second.wall)
    written(match, losses=losses)
    assert ("round.wall", "approximated", 0) in [(loss.what, loss.fate, loss.round) for loss in losses]


def test_names() -> None:
    match = small(*DRAWN_GAME)
    assert written(match)[0]["publicObservation"]["playerIds"] == ["player_0", "player_1", "player_2", "player_3"]
    match.players = [Player(Name(Text(name)) if name != "B" else UNSET) for name in "ABCD"]
    assert written(match)[0]["publicObservation"]["playerIds"] == ["A", "player_1", "C", "D"]
    # Names come back with any characters.
    names = ['"A"', "B\\", "C\n", "\u2028 D"]
    match.players = [Player(Name(Text(name))) for name in names]
    back = trips.read(write([match], "mjx").data, "mjx").match
    assert [player.name.shown for player in back.players if player.name] == names


def test_matches_that_mjx_cannot_hold_are_refused() -> None:
    draws = [event for seat in range(4) for event in (ev.Draw(seat, "5s"), ev.Discard(seat, "5s"))]
    moved = [ev.Ryukyoku("sufuurenta", deltas=(points, -points, 0, 0)) for points in (10**9, 1 << 70)]
    for match, message in (
        (small(ev.Draw(0, "?"), ev.Discard(0, "E"), *DRAWN_GAME), "one is hidden"),
        (with_deal(dora_marker=UNSET), "every dora indicator"),
        (with_deal(tehais=UNSET), "a hand is not known"),
        (small(*draws, *DRAWN_GAME), "mjx has 3 of 5s beside the red one"),
        (trips.read((CORPUS / "tenhou/three.mjlog").read_bytes(), "tenhou").match, "four players"),
        (Match(rules=Rules(players=4)), "match 1: mjx holds rounds, and the match has none"),
        (with_deal(oya=2), "the dealer of round E1 is player 1"),
        (small(ev.Draw(0, "C"), ev.Win(0, 0, "C"), ev.EndRound()), "message 3: the points that the win moves"),
        *((small(ev.Draw(0, "C"), draw, ev.EndRound()), "expected a number up to") for draw in moved),
    ):
        assert message in unwritable(match)


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
        [again] = trips.read(json.dumps(state), "mjx").match.rounds[0].select(ev.Ryukyoku)
        assert again.reason == reason


def unwritable(*matches: Match) -> str:
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
    assert "do not follow each other" in unwritable(match)
    match = hanchan()
    match.rounds[0] = structs.replace(match.rounds[0], events=match.rounds[0].events[:9])
    assert "do not follow each other" in unwritable(match)


def test_matches_follow_each_other_in_a_file_unless_they_would_be_one() -> None:
    match = hanchan()
    data = write([match, match], "mjx").data
    assert [len(one.rounds) for one in trips.read(data, "mjx").matches] == [len(match.rounds)] * 2
    first = structs.replace(match, rounds=match.rounds[:2], closing=[])
    second = structs.replace(match, rounds=match.rounds[2:])
    assert "would continue the match before it" in unwritable(first, second)
