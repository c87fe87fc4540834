"""Random games of another engine in mjlog and in tenhou.net/6: they have the values of the engine."""

from msgspec import UNSET, structs

from engine import Deal, Length, perform, play, wins
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from mjconv.rules import scores
from test_random_games import each_game
from trips import read, write

each_syntax = looped("syntax", "tenhou", "tenhou-json")


def back(match: Match, syntax: str = "tenhou", *, plain: bool) -> Match:
    """Return a match that was written as Tenhou's record and read again."""
    return read(write([match], syntax, plain=plain).data, syntax).match


def without_points(event: ev.Event) -> ev.Event:
    """Return an event of play without points."""
    if isinstance(event, ev.Win | ev.Ryukyoku | ev.RiichiAccepted):
        return structs.replace(event, deltas=UNSET, scores=UNSET)
    return event


@each_game
def test_links_have_what_the_text_alone_has(length: Length, players: int, deal: Deal, seed: int) -> None:
    match = read(play(seed, length=length, players=players, deal=deal), "mjai").match
    links = read(write([match], "tenhou-url").data, "tenhou").matches
    assert [one.events for link in links for one in link.rounds] == [
        one.events for one in back(match, "tenhou-json", plain=True).rounds
    ]


@each_game
def test_the_play_of_a_game_is_in_the_plain_text(length: Length, players: int, deal: Deal, seed: int) -> None:
    match = read(play(seed, length=length, players=players, deal=deal), "mjai").match
    for ours, theirs in zip(back(match, plain=True).rounds, match.rounds, strict=True):
        shown = [event for event in theirs.events if not isinstance(event, ev.EndRound)]
        for event, original in zip(ours.events, shown, strict=False):
            assert type(event) is type(original)
            for key in ("actor", "target", "pai", "tsumogiri", "deltas", "dora_marker", "tehais"):
                stated = getattr(original, key, None)
                kan = isinstance(event, ev.Ankan) and key == "pai"
                assert kan or not stated or getattr(event, key) == stated


@each_syntax
@each_game
def test_fu_han_and_points_are_those_of_the_engine(
    length: Length, players: int, deal: Deal, seed: int, syntax: str
) -> None:
    """The words of a limit hand in JSON have no fu."""
    log = play(seed, length=length, players=players, deal=deal)
    match = back(read(log, "mjai").match, syntax, plain=True)
    ours = [(index, win) for index, one in enumerate(match.rounds) for win in one.select(ev.Win)]
    theirs = wins(log)
    assert len(ours) == len(theirs)
    for (index, win), engine_win in zip(ours, theirs, strict=True):
        assert (index, win.actor) == (engine_win.round, engine_win.actor)
        honba = sum(start.honba for start in match.rounds[index].select(ev.StartRound))
        # Only the first of two winners takes the honba.
        assert engine_win.points in (win.hora_points, win.hora_points + 100 * (players - 1) * honba)
        yakuman = win.fan >= 13 and all(han == 13 for _, han in win.yakus or ())
        assert win.fan == engine_win.han
        assert yakuman or win.fu == engine_win.fu or (syntax == "tenhou-json" and win.fu is UNSET)


@each_syntax
@each_game
def test_points_that_are_worked_out_are_those_of_the_engine(
    length: Length, players: int, deal: Deal, seed: int, syntax: str
) -> None:
    log = play(seed, length=length, players=players, deal=deal)
    match = read(log, "mjai").match
    rounds = [structs.replace(one, events=list(map(without_points, one.events))) for one in match.rounds]
    found = back(structs.replace(match, rounds=rounds), syntax, plain=True)
    for game_round, performed in zip(found.rounds, perform(log), strict=True):
        assert scores.scores_after(game_round, performed.start) == performed.end
