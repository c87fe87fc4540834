"""The steps of a match: a caption for each, the table after it, and the changes from the step before."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match, Round
from mjconv.ir.table import Table
from mjconv.ir.tiles import HAND, HIDDEN
from mjconv.languages import LANGUAGES, Language
from mjconv.rules.rulesets import RuleSet, rulesets_of
from mjconv.rules.scores import RIICHI_STICK
from mjconv.rules.succession import starts
from mjconv.viewer.replay import RoundReplay
from mjconv.viewer.results import ShownResult, draw_result, gains_of, settlement, win_result
from mjconv.viewer.state import Change, TableState, changes
from mjconv.viewer.words import Sentence, Speaker

#: The winds of the seats, the dealer's first, by the number of players.
_WINDS: Final = {3: "ESW", 4: "ESWN", 5: "ESWN5", 6: "EHSVWN"}
#: The most results of a round that are shown. Each result reads its whole round. A real round has fewer.
_MOST_RESULTS: Final = 12


class Step(Struct, frozen=True, gc=False):
    """A step of a match.

    | field | value |
    | --- | --- |
    | `round`, `step` | the index of the round, and of the step in the round, from 0; step 0 is the deal |
    | `event` | the index of the event in the round, None for a deal that the record does not state |
    | `kind` | ``deal draw discard chi pon kan kakan ankan aside dora riichi stick win drawn end`` |
    | `actor` | the seat that acts, absent if none |
    | `sentence` | the caption as data |
    | `winds` | the wind of each seat: ``E S W N``; six players have ``E H S V W N`` |
    | `before`, `state` | the table before and after the step; `before` is None at the deal |
    | `result` | the result, if the step is one |
    | `trouble` | why the record cannot be played on, at a step of the kind ``end`` |

    ``drawn`` is the end of a round without a win. ``end`` is the last step of a round that cannot be played on.
    """

    round: int
    step: int
    event: int | None
    kind: str
    actor: int | UnsetType
    sentence: Sentence
    winds: tuple[str, ...]
    before: TableState | None
    state: TableState
    result: ShownResult | UnsetType = UNSET
    trouble: str = ""

    @property
    def changes(self) -> list[Change]:
        """The changes from the table before the step: paths and new JSON values. Empty at the deal."""
        return [] if self.before is None else changes(self.before, self.state)

    @property
    def captions(self) -> dict[Language, str]:
        """The caption in each language: ``en``, ``ja``, ``zh``, ``zh-Hans``. Players are called by their winds."""
        return {language: self.caption(language) for language in LANGUAGES}

    def caption(self, language: Language = "en", names: Sequence[str] = ()) -> str:
        """Return the caption. `names` are the names of the players by seat; the default is their winds."""
        return Speaker(language, self.winds, names).say(self.sentence)


def steps(match: Match) -> Iterator[Step]:
    """Yield the steps of a match, round by round: the deal, then one step for each event at the table.

    If the table refuses an event, the round ends with a step of the kind ``end``. Its `trouble` is the reason.

    >>> deal = ev.StartRound("E", kyoku=1, honba=0, oya=0, tehais=(("?",) * 13,) * 4)
    >>> play = [deal, ev.Draw(0, "4p"), ev.Discard(0, "9m", tsumogiri=False)]
    >>> [step.caption() for step in steps(Match(rounds=[Round(play)]))][-1]
    'East draws 4p and discards 9m from the hand.'
    """
    rulesets = rulesets_of(match)
    for number, deal in enumerate(starts(match)):
        yield from RoundSteps(match, number, deal, rulesets[number])


def _seated(event: Any, seats: int) -> Any:
    """Return a result without the seats that are not at the table.

    >>> _seated(ev.Win(0, target=7, liable=2), 4)
    Win(actor=0, liable=2)
    """
    names = ("target", "liable") if type(event) is ev.Win else ("actor",)
    values = {name: getattr(event, name) for name in names}
    gone = [name for name, seat in values.items() if seat is not UNSET and not 0 <= seat < seats]
    return replace(event, **dict.fromkeys(gone, UNSET)) if gone else event


def _draw(event: ev.Draw, before: RoundReplay) -> Sentence:
    key = "draw.replacement" if before.replaces else "draw"
    if event.pai != HIDDEN:
        return key, event.actor, event.pai
    return ("draw.replacement_hidden" if before.replaces else "draw.hidden"), event.actor


def _discard(event: ev.Discard, before: RoundReplay) -> Sentence:
    seat, tile, drawn = event.actor, event.pai, before.table.drawn
    if drawn is None:
        return "discard", seat, tile
    if event.tsumogiri is True:
        return "discard.drawn", seat, tile
    if drawn == HIDDEN:
        return ("discard" if event.tsumogiri is UNSET else "discard.hand"), seat, tile
    return ("discard.drawn_any" if event.tsumogiri is UNSET else "discard.drawn_hand"), seat, drawn, tile


#: The caption of each kind of event that is a step of play, from the table before the event.
CAPTIONS: Final[dict[type, Callable[[Any, RoundReplay], Sentence]]] = {
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.Chi: lambda event, _: ("chi", event.actor, event.pai, event.consumed),
    ev.Pon: lambda event, _: ("pon", event.actor, event.pai, event.target),
    ev.Daiminkan: lambda event, _: ("kan", event.actor, event.pai, event.target),
    ev.Kakan: lambda event, _: ("kakan", event.actor, event.pai),
    ev.Ankan: lambda event, _: ("ankan", event.actor, event.consumed[0]),
    ev.Nukidora: lambda event, _: ("aside", event.actor, event.tile),
    ev.Dora: lambda event, _: ("dora", event.dora_marker),
    ev.Riichi: lambda event, _: ("riichi", event.actor),
    ev.RiichiAccepted: lambda event, _: ("stick", event.actor, RIICHI_STICK),
}


class RoundSteps:
    """The steps of one round. `deal` is the deal with the values that `rules.succession.starts` completes.

    `ruleset` are the rules of the game.
    """

    def __init__(self, match: Match, number: int, deal: ev.StartRound, ruleset: RuleSet) -> None:
        self.number: Final = number
        self.record: Final[Round] = match.rounds[number]
        self.rules: Final = match.rules_of(self.record)
        self.trouble = ""
        try:
            table = Table.dealt(deal)
        except IllegalPlayError as error:
            self.trouble = str(error)
            table = Table([[HIDDEN] * HAND] * match.seats)
        seats = table.seats
        order = _WINDS.get(seats, _WINDS[6])
        self.winds: Final = tuple([order[(seat - table.oya) % seats] for seat in range(seats)])
        wall = self.record.wall
        left = ruleset.draws.get(seats)
        if left is None and wall is not UNSET:
            left = max(0, len(wall) - HAND * seats)
        self._replay: Final = RoundReplay(deal, table, ruleset, left)

    def __iter__(self) -> Iterator[Step]:
        """Play the round, once."""
        replay = self._replay
        events = self.record.events
        at = next((index for index, event in enumerate(events) if type(event) is ev.StartRound), None)
        yield self._step(0, at, ("deal", replay.table.oya))
        count = 1
        event: Any
        for index, event in enumerate(events if not self.trouble else ()):
            if type(event) not in CAPTIONS and type(event) not in ev.RESULTS:
                continue
            event = _seated(event, replay.seats) if type(event) in ev.RESULTS else event
            before = replay.state
            try:
                sentence, result = self._play(index, event)
            except IllegalPlayError as error:
                at, self.trouble = index, error.message_with(self._wind, str)
                break
            yield self._step(count, index, sentence, before, getattr(event, "actor", UNSET), result)
            count += 1
        if self.trouble:
            yield self._step(count, at, ("stopped", self.trouble), replay.state)

    def _play(self, index: int, event: Any) -> tuple[Sentence, ShownResult | UnsetType]:
        """Play an event, and return its caption and its result."""
        replay = self._replay
        if type(event) not in ev.RESULTS:
            # The caption needs the table before the event, which may refuse the event.
            found = CAPTIONS[type(event)](event, replay)
            replay.play(event)
            return found, UNSET
        checked = type(event) is ev.Win and replay.state.results < _MOST_RESULTS
        settled = settlement(replay, self.record.events, index, self.rules) if checked else None
        gains = gains_of(event, settled, replay.seats)
        replay.play(event, gains)
        if type(event) is ev.Win:
            won = win_result(event, replay, settled, gains)
            return won.title if won.value is UNSET else ("win.value", won.title[1], won.value), won
        drawn = draw_result(event, replay, gains)
        return drawn.title, drawn

    def _wind(self, seat: int) -> str:
        return Speaker("en", self.winds).seat(seat) if 0 <= seat < len(self.winds) else f"player {seat}"

    def _step(
        self,
        step: int,
        event: int | None,
        sentence: Sentence,
        before: TableState | None = None,
        actor: int | UnsetType = UNSET,
        result: ShownResult | UnsetType = UNSET,
    ) -> Step:
        # The key of a caption begins with the kind of its step, as ``draw.hidden`` does.
        kind = sentence[0].partition(".")[0]
        kind, trouble = ("end", self.trouble) if kind == "stopped" else (kind, "")
        state = self._replay.state
        return Step(self.number, step, event, kind, actor, sentence, self.winds, before, state, result, trouble)
