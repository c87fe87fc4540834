"""The records whose pages are tested: three to six players, flowers, comments, double ron, liability, results."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

import mjconv
from corpus_files import SAMPLE
from mjconv import Discard, Draw, EndRound, Match, Pon, StartRound, Win
from mjconv.ir.events import Extras, to_message
from mjconv.ir.match import Answer, Name, Player, Round, Text
from mjconv.referee.decisions import decisions
from mjconv.viewer.page import data_of_results, payload
from mjconv.viewer.results_table import is_results_alone, results_table

CORPUS = Path(__file__).parents[2] / "corpus"


class Record(NamedTuple):
    name: str
    make: Callable[[], list[Match]]

    @property
    def match(self) -> Match:
        return _made(self)[0]

    @property
    def data(self) -> dict[str, Any]:
        """The data of the page, which a test may change."""
        data: dict[str, Any] = msgspec.json.decode(_data(self))
        return data


@cache
def _data(record: Record) -> bytes:
    matches = _made(record)
    if is_results_alone(matches[0]):
        return msgspec.json.encode(data_of_results(*results_table(matches), None, matches))
    return msgspec.json.encode(payload(matches[0]))


@cache
def _made(record: Record) -> list[Match]:
    return record.make()


def sample(name: str) -> Callable[[], list[Match]]:
    return lambda: mjconv.read_all(CORPUS / name)


def liable() -> list[Match]:
    """Three dragons called from one player, who is liable: the win by tsumo is paid by that player alone."""
    hand = ("1m", "2m", "3m", "9p", "9p", "5s", "5s", "P", "P", "F", "F", "C", "C")
    other = ("1m", "4m", "7m", "1p", "4p", "7p", "1s", "4s", "7s", "E", "S", "W", "N")
    start = StartRound("E", dora_marker="8s", kyoku=1, honba=0, kyotaku=0, oya=0, scores=(25000,) * 4,
                       tehais=(hand, other, other, other))  # fmt: skip
    events: list[Any] = [start, Draw(0, "1p"), Discard(0, "1p", tsumogiri=True)]
    for dragon, thrown in (("P", "9p"), ("F", "9p"), ("C", "5s")):
        events += [Draw(1, dragon), Discard(1, dragon, tsumogiri=True), Pon(0, 1, dragon, (dragon, dragon))]
        events += [Discard(0, thrown, tsumogiri=False)]
    for seat in (1, 2, 3):
        events += [Draw(seat, "9m"), Discard(seat, "9m", tsumogiri=True)]
    deltas = (48000, -48000, 0, 0)
    scores = (73000, -23000, 25000, 25000)
    yakus = (("daisangen", 13),)
    events += [Draw(0, "5s"), Win(0, 0, "5s", tsumo=True, deltas=deltas, scores=scores, yakus=yakus, liable=1)]
    players = [Player(Name(Text(name))) for name in ("朝倉 春", "別府 夏子", "千早 秋", "堂本 冬美")]
    return [Match(players=players, rounds=[Round([*events, EndRound()])])]


def valued() -> list[Match]:
    """Return the sample as Mortal writes records: each discard has values of all tiles of the hand."""
    match = mjconv.read(SAMPLE)
    states = {(step.round, step.event): step.before for step in mjconv.steps(match)}
    for number, played in enumerate(match.rounds):
        for index, event in enumerate(played.events):
            before = states.get((number, index))
            if isinstance(event, Discard) and before is not None:
                tiles = {*before.hands[event.actor].split(), *filter(None, [before.drawn[event.actor]])}
                bits = sorted(MORTAL.index(tile) for tile in tiles)
                meta = {"q_values": [bit * 0.03 for bit in bits], "mask_bits": sum(1 << bit for bit in bits)}
                played.events[index] = replace(event, extras=Extras({"meta": meta}))
    return [match]


def answered(name: str) -> list[Match]:
    """Return a record with answers of two programs at two seats, values of one, and one against the rules."""
    match = replace(mjconv.read(CORPUS / name), players=[])
    for number, played in enumerate(match.rounds):
        answers = []
        for seat, name in ((0, "Alpha"), (0, "Beta"), (2, "Alpha")):
            for count, one in enumerate(decisions(match, number, seat)):
                # Beta answers as played, but discards of each fifth turn, and Alpha the first of all choices.
                other = name == "Alpha" or count % 5 == 4
                answer: Any = one.choices[0] if other or one.taken is None else one.taken
                meta: dict[str, Any] = {"name": name}
                if name == "Alpha":
                    choices = enumerate({**to_message(choice), "actor": seat} for choice in one.choices)
                    meta["values"] = [[choice, round(1 - place / 20, 2)] for place, choice in choices]
                if name == "Beta" and (number, count) == (0, 1):
                    answer = Discard(seat, "9s" if "9s" not in played.events[0].tehais[seat] else "1m")  # type: ignore[union-attr]
                answers.append(Answer(one.index, replace(answer, extras=Extras({"meta": meta})), seat))
        played.answers = tuple(sorted(answers, key=lambda answer: answer.index))
    return [match]


#: The tiles of the bits of Mortal's mask.
MORTAL = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [*"ESWNPFC", "5mr", "5pr", "5sr"]
FOUR = Record("four", sample("sample/game.mjson"))
THREE = Record("three", sample("tenhou/three.mjlog"))
SIX = Record("six", sample("uzje/six.uzje"))
FLOWERS = Record("flowers", sample("uzje/flowers.uzje"))
COMMENTS = Record("comments-double-ron", sample("grammar/endings.jmjp"))
LIABLE = Record("liable", liable)
VALUED = Record("valued", valued)
ANSWERED = Record("answered", lambda: answered("sample/game.mjson"))
TENHOU = Record("tenhou", sample("tenhou/hanchan.mjlog"))
RESULTS = Record("results", sample("hk/evenings.hk"))

PLAYED = (FOUR, THREE, SIX, FLOWERS, COMMENTS, LIABLE, VALUED, ANSWERED, TENHOU)
RECORDS = (*PLAYED, RESULTS)
