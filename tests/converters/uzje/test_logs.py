"""Whole logs over Ùzje and back: nothing is lost, in any form, and the wall alone gives the play."""

import re

import pytest
from msgspec import UNSET, structs

from logs import FOLDER, Log, Message, alternating, logs, messages
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import plain
from trips import known, read, standard_messages, there_and_back, write

FLAVOURS = ["uzje", "uzje-long", "uzje-commands"]


def shows_all(log: Log) -> bool:
    """Return whether no tile is hidden: Ùzje holds the wall, and cannot be written from less."""
    shown = [message for message in messages(log.data) if message["type"] in ("start_kyoku", "tsumo")]
    return not any("?" in hand for message in shown for hand in message.get("tehais", [[message.get("pai")]]))


FOUR = [log for log in logs(4) if not FOLDER or shows_all(log)]
THREE = logs(3)
#: Each log in one of the flavours: the first logs and rounds of any kind are tried in all of them.
each_log = looped(("log", "flavour"), *alternating(FOUR + THREE, FLAVOURS), every=2)


@each_log
def test_mjai_over_uzje_gives_the_same_messages(log: Log, flavour: str) -> None:
    away = write(read(log.data, "mjai").matches, flavour).data
    was = read(away, "uzje")
    assert was.warnings == []
    assert was.matches == read(log.data, "mjai").matches
    assert messages(write(was.matches, "mjai").data) == standard_messages(log.data)


@looped("kind", "tsumo", "start_kyoku")
def test_hidden_tiles_are_refused_and_the_first_is_named(kind: str) -> None:
    match = read(FOUR[0].data, "mjai").match
    place, event = [(n, e) for n, e in enumerate(match.rounds[1].events) if ev.name_of(e) == kind][-1]
    if isinstance(event, ev.StartRound):
        assert event.tehais is not UNSET
        hidden: ev.Event = structs.replace(event, tehais=(event.tehais[0], ("?",) * 13, *event.tehais[2:]))
    else:
        hidden = structs.replace(event, pai="?")
    match.rounds[1].events[place] = hidden
    with pytest.raises(UnsupportedError) as error:
        write([match], "uzje")
    said = f"match 1, round {match.rounds[1].label}, message {place + 1}: a hidden tile cannot be written"
    assert error.value.message.startswith(said)


def stripped(text: str) -> str:
    """Take all notes out of a text: header, tile list and turns are left."""
    return "\n\n".join(part for part in text.split("\n\n") if not part.startswith("mjconv:"))


MOVES = (ev.Draw, ev.Discard, ev.Chi, ev.Pon, ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora)


def moves(game_round: Round) -> list[Message]:
    """Give the play of a round, red fives as fives, and who won; not which copy of a tile was discarded."""
    found: list[Message] = []
    for event in game_round.select(*MOVES):
        kept = {"type", "actor", "target", "consumed"} | (set() if isinstance(event, ev.Ankan) else {"pai"})
        message = {key: value for key, value in ev.to_message(event).items() if key in kept}
        if "consumed" in message:
            message["consumed"] = [plain(tile) for tile in message["consumed"]]
        if "pai" in message:
            message["pai"] = plain(message["pai"])
        found.append(message)
    wins = game_round.select(ev.Win)
    return [*found, *({"winner": win.actor, "from": win.target} for win in wins[:1])]


def hands(game_round: Round) -> list[list[str]]:
    return [[plain(tile) for tile in hand] for hand in known(game_round.start).tehais]  # type: ignore[union-attr]


@each_log
def test_the_wall_alone_suffices(log: Log, flavour: str) -> None:
    """Header, tile list and turns hold every draw, hand and call, with red fives as fives."""
    matches = read(log.data, "mjai").matches
    bare = stripped(write(matches, flavour).data.decode())
    assert "mjconv" not in bare
    replayed = [game_round for match in read(bare.encode(), "uzje").matches for game_round in match.rounds]
    originals = [game_round for match in matches for game_round in match.rounds]
    assert len(replayed) == len(originals)
    for got, wanted in zip(replayed, originals, strict=True):
        shift, dealt = turned(got, wanted), hands(wanted)
        assert hands(got) == [*dealt[shift:], *dealt[:shift]]
        assert moves(got) == [seated(move, -shift, len(dealt)) for move in moves(wanted)]


def turned(got: Round, wanted: Round) -> int:
    """Return by how much the seats differ: without its note the round's number gives the dealer."""
    return (int(known(wanted.start).oya or 0) - int(known(got.start).oya or 0)) % len(hands(got))


def seated(move: Message, shift: int, players: int) -> Message:
    who = ("actor", "target", "winner", "from")
    return {key: (value + shift) % players if key in who else value for key, value in move.items()}


def test_the_text_is_ascii_numbered_from_one_and_in_lines_for_people() -> None:
    text = write(read(FOUR[0].data, "mjai").matches, "uzje").data.decode("ascii")
    assert max(map(len, text.splitlines())) <= 100
    for paragraph in text.split("\n\n"):
        numbers = [int(number) for number in re.findall(r"(?:^|\s)(\d+)\.", paragraph)]
        if paragraph[0] in "ESWN":
            assert numbers == list(range(1, len(numbers) + 1))


def test_plain_text_and_notes_name_their_losses() -> None:
    written = write(read(FOUR[0].data, "mjai").matches, "uzje", plain=True)
    assert b"mjconv" not in written.data
    lost = {loss.what for loss in written.losses}
    assert {"start_kyoku.dora_marker", "start_kyoku.scores", "reach", "hora.deltas"} <= lost
    assert {loss.fate for loss in written.losses} <= {"dropped", "approximated", "assumed"}
    losses = write(read(FOUR[0].data, "mjai").matches, "uzje").losses
    assert {loss.fate for loss in losses} == {"carried"}
    names = {loss.what for loss in losses}
    assert {"tsumo.pai", "start_kyoku.tehais", "dahai.tsumogiri", "reach", "hora.deltas"} <= names
    match = read(FOUR[0].data, "mjai").match
    for loss in losses:
        if loss.what == "tsumo.pai":
            assert loss.round is not None
            assert loss.event is not None
            assert ev.to_message(match.rounds[loss.round].events[loss.event])["pai"] in ("5mr", "5pr", "5sr")


def test_several_matches_in_a_file_are_parted_by_a_tag() -> None:
    data = b"".join(log.data for log in FOUR[:3])
    text = write(read(data, "mjai").matches, "uzje").data
    assert text.count(b"\n\nMatch:\n\n") == 2
    assert messages(there_and_back(data, "uzje")) == standard_messages(data)


def test_matches_without_rounds_come_back_as_many() -> None:
    matches = [Match(opening=[ev.StartGame()], closing=[ev.EndGame()])] * 3
    assert read(write(matches, "uzje").data, "uzje").matches == matches
