"""Texts and logs whose every round has a note, and how they are read back."""

import datetime
import re

from hypothesis import strategies as st
from msgspec import UNSET

from engine import play
from handmade import LOG
from logs import Message, lines, messages
from mjconv.ir.match import (
    Annotation,
    Match,
    Name,
    Player,
    Recorder,
    RoundId,
    Rules,
    Text,
    Tournament,
    TournamentPoints,
)
from trips import Was, read, write


def noted(version: str = "jmjp", log: list[Message] = LOG) -> str:
    return write(read(lines(log), "mjai").matches, version).data.decode()


#: A whole game in which each message has a key that jmjp has no place for.
LONG = [message | {"meta": place} for place, message in enumerate(messages(play(3)))]


def back(text: str) -> tuple[list[Message], Was]:
    """Read jmjp and write it as mjai without notes: the messages, and how it was read."""
    was = read(text.encode(), "jmjp")
    return messages(write(was.matches, "mjai", plain=True).data), was


def notes_in(text: str) -> list[str]:
    return re.findall(r"//@mjconv .*\n", text)


def rounds_of(log: list[Message]) -> list[list[Message]]:
    begins = [place for place, message in enumerate(log) if message["type"] == "start_kyoku"]
    return [log[a:b] for a, b in zip(begins, [*begins[1:], len(log) - 1], strict=True)]


def full_match() -> Match:
    """Give a match with all that jmjp has and mjai has not."""
    match = read(lines(LOG), "mjai").match
    names = [Name(Text(f"姓{seat}", f"Sei{seat}"), Text(f"名{seat}")) for seat in range(4)]
    of_all = Text(code="mlg-abm"), Text(code="rmu"), TournamentPoints(100, -200)
    match.players = [Player(name, *of_all) for name in names]
    match.tournament = Tournament(Text(code="mlg"), 2018, Text(code="mlg-reg"), 1, 2)
    match.date, match.weekday = datetime.date(2018, 10, 1), "mon"
    match.time, match.place = datetime.time(19, 0), Text(code="mlg-std")
    match.recorders = [Recorder(Name(Text("記")), "all"), Recorder(rounds=(RoundId("E", 1, 0),))]
    match.rules = Rules(25000, 30000, (30000, 10000), honba=300, tenpai=3000)
    match.final_scores = (45000, 5000, -15000, -35000)
    match.points_after = tuple(TournamentPoints(seat * 100) for seat in range(4))
    for index, game_round in enumerate(match.rounds):
        game_round.dice = (index + 1, 6)
        game_round.comment = Text(f"局{index}")
    return match


FULL = full_match()


def mjai(match: Match = FULL) -> list[Message]:
    return messages(write([match], "mjai").data)


@st.composite
def annotations(draw: st.DrawFn, most: int, texts: st.SearchStrategy[str]) -> tuple[Annotation, ...]:
    """Draw annotations in order, up to the index `most`; comments and marks have these texts."""
    kinds = st.sampled_from(["comment", "comment", "mark", "left", "think_time"])
    made = st.builds(Annotation, st.integers(0, most), kinds, st.sampled_from([UNSET, 2]), texts | st.just(7))
    return tuple(sorted(draw(st.lists(made, max_size=5)), key=lambda one: one.index))
