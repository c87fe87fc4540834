"""Rows of Kanachan: a decoder that shares no code with the writer reads events, hands and results back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from kanachan_decoder import Row, action, event, row, situation
from replays import REAL, readings, real_games
from riichienv import ActionType

import mjconv
from engine import play
from logs import lines, messages
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.table import Table
from mjconv.ir.tiles import plain
from mjconv.train.kanachan import kanachan_rows, round_results, settings_of
from mjconv.train.outcomes import RoundOutcome, end_of_match, outcome_of
from mjconv.train.replay import replayed
from trips import known

GAMES = {
    **{f"mixed {seed}": partial(play, seed) for seed in (11, 12)},
    **{f"calls {seed}": partial(play, seed, length="east", chooser="caller") for seed in (13, 14)},
    **{f"kans {seed}": partial(play, seed, length="east", chooser="kans") for seed in (15, 16)},
}
#: In a game of one round there are no north rounds, and the end of the round is the end of the game.
ROUNDS = {
    f"{deal} {seed}": partial(play, seed, length="round", deal=deal, chooser=chooser)
    for deal, chooser in (("orphans", "riichi"), ("waits", "mixed"), ("close", "riichi"), ("river", "thrower"))
    for seed in range(2)
}
each_game = pytest.mark.parametrize("game", [*GAMES, *ROUNDS])


@cache
def rows_of(data: bytes, settings: str = "grading=-7") -> list[Row]:
    return [row(line) for line in kanachan_rows(readings(data), Report(), source="game", settings=settings)]


def by_round(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield the rows of each round: they begin with the rows of the first player."""
    current, last = list[Row](), -1
    for each in rows:
        seat = situation(each.sparse).seat
        if current and seat < last:
            yield current
            current = []
        current.append(each)
        last = seat
    if current:
        yield current


def data_of(game: str) -> bytes:
    return {**GAMES, **ROUNDS}[game]()


def played(events: Sequence[mjconv.Event]) -> list[dict[str, Any]]:
    acts: list[dict[str, Any]] = []
    riichi, draws = False, 0
    for each in events:
        message = ev.to_message(each)
        draws += message["type"] == "tsumo"
        if isinstance(each, ev.Discard):
            # The first draw of the dealer is dealt.
            drawn = bool(each.tsumogiri) and draws > 1
            acts.append({"type": "dahai", "actor": each.actor, "pai": each.pai, "drawn": drawn, "riichi": riichi})
        elif isinstance(each, ev.Chi | ev.Pon):
            acts.append(message | {"consumed": sorted(each.consumed)})
        elif isinstance(each, ev.Daiminkan | ev.Kakan):
            acts.append({key: value for key, value in message.items() if key != "consumed"})
        elif isinstance(each, ev.Ankan):
            acts.append({"type": "ankan", "actor": each.actor, "kind": plain(each.consumed[0])})
        riichi = isinstance(each, ev.Riichi) or (riichi and isinstance(each, ev.Dora))
    return acts


@each_game
def test_the_play_decodes_back_to_the_events(game: str) -> None:
    [reading] = readings(data_of(game))
    rounds = [each for each in reading.match.rounds if (each.start or ev.StartRound()).bakaze != "N"]
    expected, found = [played(each.events) for each in rounds], list(by_round(rows_of(data_of(game))))
    assert len(found) == len(expected)
    for rows, acts in zip(found, expected, strict=True):
        for each in rows:
            assert each.progression[0] == 0
            assert [event(number) for number in each.progression[1:]] == acts[: len(each.progression) - 1]
        longest = max(len(each.progression) for each in rows)
        # What follows the last decision of all is forced, or a discard that nobody could claim.
        assert len(acts) - longest < 12


@each_game
def test_hands_draws_and_indicators_are_those_of_the_table(game: str) -> None:
    """The hub's table replays the events; every row is one of its moments."""
    [reading] = readings(data_of(game))
    rounds = [each for each in reading.match.rounds if each.start and each.start.bakaze != "N"]
    for game_round, rows in zip(rounds, by_round(rows_of(data_of(game))), strict=True):
        moments = list(moments_of(game_round.events))
        dealt = game_round.start or ev.StartRound()
        for each in rows:
            seen, acts = situation(each.sparse), len(each.progression) - 1
            hands = [(seat, acts, sorted(hand), drawn) for seat, acts, hand, drawn, _, _ in moments]
            assert (seen.seat, acts, sorted(seen.hand), seen.drawn) in hands
            assert (acts, tuple(seen.indicators)) in {(acts, shown) for _, acts, _, _, shown, _ in moments}
            assert (acts, seen.left) in {(acts, left) for _, acts, _, _, _, left in moments}
            assert (seen.wind, seen.dealer) == ("ESW".index(str(dealt.bakaze)), dealt.oya)


Moment = tuple[int, int, list[str], str | None, tuple[str, ...], int]


def moments_of(events: Sequence[mjconv.Event]) -> Iterator[Moment]:
    """Yield for each event and seat: the acts before, the hand, the draw, the indicators, and the tiles left."""
    start = events[0]
    assert isinstance(start, ev.StartRound)
    table = Table.dealt(start)
    indicators, acts, draws = [str(start.dora_marker)], 0, 0
    for each in events[1:]:
        if type(each) in ev.RESULTS:
            return
        table.apply(each)
        draws += isinstance(each, ev.Draw)
        acts += isinstance(each, ev.Discard | ev.Chi | ev.Pon | ev.Daiminkan | ev.Kakan | ev.Ankan)
        if isinstance(each, ev.Dora):
            indicators.append(each.dora_marker)
        for seat, held in enumerate(table.hands):
            hand = list(held)
            drawn = each.pai if isinstance(each, ev.Draw) and each.actor == seat else None
            if drawn is not None:
                hand.remove(drawn)
            yield seat, acts, hand, drawn, tuple(indicators), 70 - draws


@each_game
def test_the_actions_are_the_legal_ones_and_the_index_is_the_one_taken(game: str) -> None:
    [reading] = readings(data_of(game))
    rounds = [one for one in replayed(reading) if one.events[0].bakaze != "N"]  # type: ignore[union-attr]
    for each, rows in zip(rounds, by_round(rows_of(data_of(game))), strict=True):
        wins = max(1, len(ev.select(each.events, ev.Win)))
        # A riichi and its discard are one action, and forced discards in riichi are none.
        answers = [one for one in each.answers if not isinstance(each.events[one.event], ev.Riichi)]
        ordered = sorted(answers, key=lambda one: one.seat)
        forced = [one for one in ordered if one.observation.riichi_declared[one.seat] and len(one.legal) == 1]
        decisions = [one for one in ordered if one not in forced]
        assert len(rows) == wins * len(decisions)
        for one, line in zip(decisions, rows[::wins], strict=True):
            actions = [action(number, one.seat) for number in line.candidates]
            assert line.candidates == sorted(set(line.candidates))
            assert {name(each) for each in actions} == {kind(legal) for legal in one.legal}
            taken = actions[line.index]
            assert name(taken) == kind(one.taken)
            discards = {(each["pai"]) for each in actions if each["type"] == "dahai" and not each["riichi"]}
            legal = {mjconv_tile(legal) for legal in one.legal if legal.action_type == ActionType.DISCARD}
            assert discards == legal
            if taken["type"] == "dahai" and not taken["riichi"]:
                assert taken["pai"] == one.message["pai"]
            calls = [each for each in actions if each["type"] in ("chi", "pon", "daiminkan")]
            assert all(each["pai"] == each_pai(one, each) for each in calls)
            if taken["type"] in ("chi", "pon"):
                assert taken["consumed"] == sorted(one.message["consumed"])


def name(read: dict[str, Any]) -> str:
    return "reach" if read.get("riichi") else str(read["type"])


def kind(legal: Any) -> str:
    names = {
        ActionType.DISCARD: "dahai", ActionType.RIICHI: "reach", ActionType.CHI: "chi", ActionType.PON: "pon",
        ActionType.DAIMINKAN: "daiminkan", ActionType.ANKAN: "ankan", ActionType.KAKAN: "kakan",
        ActionType.TSUMO: "tsumo", ActionType.RON: "ron", ActionType.KYUSHU_KYUHAI: "ryukyoku",
        ActionType.PASS: "none",
    }  # fmt: skip
    return next(name for action_type, name in names.items() if action_type == legal.action_type)


def mjconv_tile(legal: Any) -> str:
    return str(messages(legal.to_mjai().encode())[0]["pai"])


def each_pai(one: Any, read: dict[str, Any]) -> str:
    """Return the discard that a call takes, as the engine's action states it."""
    [pai] = {mjconv_tile(legal) for legal in one.legal if kind(legal) == read["type"]}
    return pai


@each_game
def test_numbers_and_results_follow_the_record(game: str) -> None:
    [reading] = readings(data_of(game))
    match = reading.match
    outcomes = [outcome_of(each, 4) for each in match.rounds]
    ending = known(end_of_match(match, outcomes))
    both = zip(match.rounds, outcomes, strict=True)
    kept = [(one, outcome) for one, outcome in both if one.start and one.start.bakaze != "N"]
    for (game_round, outcome), rows in zip(kept, by_round(rows_of(data_of(game))), strict=True):
        start = game_round.start
        assert start
        assert outcome
        for each in rows:
            seat = situation(each.sparse).seat
            turned = [(seat + turn) % 4 for turn in range(4)]
            honba, sticks, *scores = each.numeric
            paid = [before - now for before, now in zip((start.scores or ())[seat:], scores, strict=False)]
            assert honba == start.honba
            assert sticks * 1000 + sum(scores) == int(start.kyotaku or 0) * 1000 + sum(start.scores or ())
            assert set(paid) <= {0, 1000}
            result, *rest = each.results
            assert result in round_results(outcome, seat)
            assert rest[:4] == [known(outcome.deltas)[other] for other in turned]
            assert sorted(rest[4:8]) == [0, 1, 2, 3]
            assert rest[8:] == [ending.places[seat] - 1, ending.scores[seat], -7]


@looped(
    ("wins", "tenpai", "results"),
    (((2, 2),), None, [[2], [1], [0], [3]]),
    (((2, 0),), None, [[8], [11], [5], [14]]),
    (((1, 3),), None, [[11], [5], [14], [8]]),
    (((0, 1), (3, 1)), None, [[4, 14], [9, 8], [13, 11], [10, 5]]),
    ((), (True, False, False, True), [[17], [16], [16], [17]]),
    ((), None, [[18], [18], [18], [18]]),
)
def test_the_result_of_a_round_by_the_seat_that_it_is_seen_from(
    wins: tuple[tuple[int, int], ...], tenpai: tuple[bool, ...] | None, results: list[list[int]]
) -> None:
    outcome = RoundOutcome(wins, tenpai, None, None)
    assert [round_results(outcome, seat) for seat in range(4)] == results


def test_settings_are_in_every_row_and_the_others_are_reported() -> None:
    game = GAMES["calls 13"]()
    for each in rows_of(game, "room=4,level=15"):
        seen = situation(each.sparse)
        assert (seen.room, seen.levels) == (4, [15] * 4)
    report = Report()
    list(kanachan_rows(readings(game), report, settings="room=4,level=15"))
    assert [(loss.what, loss.fate) for loss in report.losses] == [("kanachan.grading", "assumed")]


@looped("text", "room", "room=5", "level=16", "colour=1", "room=1,room=2", "room=١", "level=-1", ",")
def test_wrong_settings_are_refused(text: str) -> None:
    with pytest.raises(mjconv.UsageError, match="--kanachan takes room=0"):
        settings_of(text)


def test_a_game_without_an_end_and_a_round_without_a_result_have_no_rows() -> None:
    game = messages(GAMES["calls 13"]())
    report = Report()
    assert list(kanachan_rows(readings(lines(game[:-1])), report)) == []
    assert {loss.detail for loss in report.losses if loss.what == "match.rounds"} == {"the game has no end"}
    ends = [place for place, message in enumerate(game) if message["type"] in ("hora", "ryukyoku")]
    report = Report()
    assert list(kanachan_rows(readings(lines(game[: ends[0]] + game[ends[0] + 1 :])), report))
    assert "the round has no result" in {loss.detail for loss in report.losses}


@looped("name", "uzje/actions.uzje", "broken/pon-of-tiles-not-alike.mjson", "grammar/absent.jmjp")
def test_rounds_that_the_engine_does_not_allow_have_no_rows(name: str) -> None:
    report, data = Report(), (Path(__file__).parents[2] / "corpus" / name).read_bytes()
    assert list(kanachan_rows(readings(data, name), report)) == []
    assert "match.rounds" in {loss.what for loss in report.losses}


def test_a_game_of_three_is_refused() -> None:
    with pytest.raises(mjconv.UnsupportedError, match="match 1 has 3 players; Kanachan plays games of four"):
        list(kanachan_rows(readings(play(1, players=3, length="round")), Report()))


def test_the_name_of_a_game_has_no_separator() -> None:
    [first, *_] = kanachan_rows(readings(GAMES["calls 13"]()), Report(), source="a\tb\n.mjson")
    assert first.startswith("a_b_.mjson\t")
    assert first.count("\t") == 6


@looped("path", *[path for path in real_games() if "three" not in path.name], ids=str)
def test_rows_of_every_game_follow_the_layout(path: Path) -> None:
    kinds: Counter[int] = Counter()
    try:
        rows = list(kanachan_rows(readings(path.read_bytes(), path.name), Report(), source="game"))
    except mjconv.UnsupportedError:
        return
    for line in rows:
        each = row(line)
        seen = situation(each.sparse)
        assert each.sparse == sorted(set(each.sparse))
        assert len(each.sparse) <= 33
        assert len(each.progression) <= 113
        assert len(each.candidates) <= 31
        assert (len(each.numeric), len(each.results)) == (6, 12)
        assert sorted(seen.places) == [0, 1, 2, 3]
        assert all(event(number)["type"] for number in each.progression[1:])
        assert 0 <= each.index < len(each.candidates)
        kinds[each.results[0]] += 1
    assert not REAL or set(kinds) <= set(range(19))
