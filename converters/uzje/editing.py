"""What an editor asks of Ùzje: the words that may follow."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mjconv.converters.shared.acts import Call, Own, Typed, typed
from mjconv.converters.shared.walls import surplus_tile
from mjconv.converters.uzje import paragraphs as parts
from mjconv.converters.uzje import words as grammar
from mjconv.converters.uzje.game import UzjeGame, parse
from mjconv.converters.uzje.round_reader import read_game
from mjconv.converters.uzje.spelling import HUB, SEATS, spell
from mjconv.converters.uzje.words import KONGS, Move, Word, WordError, readings, spell_moves
from mjconv.ir import events as ev
from mjconv.ir.errors import Lines
from mjconv.ir.losses import Report
from mjconv.ir.match import House, Match
from mjconv.ir.table import DISCARDED
from mjconv.ir.tiles import HAND, WINDS

_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n")
#: The words of a header, by their places: all that are allowed, or an example.
_HEADER: Final = ((*WINDS, f"{parts.MATCH}:", f"{parts.PLAYERS}:"), ("1",), ("0",), (*map(str, SEATS), "0"))
#: A discard: it may follow any move that does not end its turn.
_DISCARD: Final = "1t"
_KINDS: Final[dict[type, grammar.MoveKind]] = {
    ev.Chi: "chow",
    ev.Pon: "pung",
    ev.Daiminkan: "open kong",
    ev.Ankan: "kong",
    ev.Kakan: "kong",
    ev.Discard: "discard",
}


def completions(before: str) -> tuple[str, list[str]]:
    r"""Return the beginning of a word at the end of a text, and the words that may be there, legal turns first.

    >>> completions("E 1 0 "), completions("Event: a cup\n\nPl")
    (('', ['3', '4', '6', '0']), ('Pl', ['Players:']))
    """
    text = parts.decode(before.encode("utf-8", "replace"), lambda _: None)
    *_, line = text.split("\n")
    begun = text[len(text) - len(line.rpartition(" ")[2]) :]
    ended = text[: len(text) - len(begun)]
    paragraph = _BLANK_LINE.split(ended)[-1]
    words = parts.without_comments(paragraph).split()
    options: Iterator[str] = iter(())
    if line.lstrip().startswith(":"):
        pass
    elif parts.kind_of(paragraph) == "game" and len(words) >= parts.HEADER:
        *_, match = parts.group_paragraphs(Lines(ended), Report(lenient=True))
        options = _of_game(match.games[-1], begun)
    elif len(words) < parts.HEADER and WINDS.count(*words[:1] or WINDS[:1]):
        options = iter(_HEADER[len(words)])
    return begun, list(dict.fromkeys(word for word in options if word.startswith(begun) and word != begun))


def _of_game(own: parts.GameParagraphs, begun: str) -> Iterator[str]:
    """Yield the words that may be the next one of a game; none if its players are not known."""
    if own.players not in SEATS:
        return
    try:
        syntax = parse(own.text, own.players)
    except WordError:
        return
    game, words = syntax.game, own.text.words
    if not game.turns:
        for spelling, tile in HUB.items():
            if surplus_tile([*game.tiles, tile], game.counts + Counter([tile])) is None:
                yield spelling
    over = syntax.end or (game.turns and game.turns[-1].moves[-1].kind in ("ron", "win"))
    if len(game.tiles) > HAND * game.players and not over:
        turns = _Turns(game)
        commands = syntax.first_turn < len(words) and grammar.is_command(words[syntax.first_turn])
        yield from turns.commands() if commands else turns.words(begun)


class _Turns:
    """Finds the turns that may be next in a game; the turns that the hands allow come first."""

    def __init__(self, game: UzjeGame) -> None:
        self.game = game
        self.letters = SEATS[game.players]
        #: The place, after the dealer, of the player whose turn is next.
        self.next = 0
        for turn in game.turns:
            self.next = ((self.next if turn.seat is None else turn.seat) + 1) % game.players

    def words(self, begun: str) -> Iterator[str]:
        """Yield turns with their numbers, up to the next comma."""
        number, stop, body = begun.partition(".")
        *done, _ = body.split(",")
        stem = "".join([number if stop else str(len(self.game.turns) + 1), ".", *[f"{part}," for part in done]])
        place = self.next
        moves: tuple[Move, ...] = (Move("draw"),)
        if done:
            for word in readings(",".join([*done, _DISCARD]), self.game.players)[:1]:
                place, moves = self.next if word.seat is None else word.seat, word.moves[:-1]
        for move in self._own(place, moves):
            turn = spell_moves((move,) if done or move.kind not in KONGS else (*moves, move))
            named = body[:1] if body.startswith(self.letters[place]) and not done else ""
            yield stem + named + turn
        for place, move in () if done else self._calls():
            named = "" if move.kind == "chow" else self.letters[place]
            yield f"{stem}{named}{spell_moves((move,))}{'' if move.kind in KONGS else ','}"
        yield from self._allowed(stem, done)

    def _allowed(self, stem: str, done: list[str]) -> Iterator[str]:
        """Yield the moves that the notation allows after the moves of a turn."""
        for action in grammar.ACTIONS:
            tiles = [(), *[(tile,) for tile in self.game.counts]]
            for own in (each for each in tiles if len(each) == action.tiles):
                for letter in ("",) if done or own else ("", *self.letters):
                    move = letter + action.letter + spell(own, shared=True)
                    for end in ("", f",{_DISCARD}"):
                        if readings(",".join([*done, move]) + end, self.game.players):
                            yield stem + move + end[:1]
                            break

    def commands(self) -> Iterator[str]:
        """Yield commands."""
        last = self.game.turns[-1]
        place = self.next if last.seat is None else last.seat
        for seat, move in (*((place, move) for move in self._own(place, ())), *self._calls()):
            # The command of a call names the tile discarded last.
            *_, turn = grammar.write_commands([last, Word(seat, (move,))], self.game.players)
            yield turn[-1]
        letters = [letter for letter, command in grammar.COMMANDS.items() if not command.tiles]
        first = self.letters[self.next :] + self.letters[: self.next]
        yield from (seat + letter for letter in letters for seat in first)

    def _own(self, place: int, moves: tuple[Move, ...]) -> Iterator[Move]:
        """Yield the discards and kongs of a player after moves of their turn."""
        moment = self._after(Word(place, moves))
        player = (self.game.dealer + place) % self.game.players
        if moment is not None and moment.table.turn == player and moment.table.phase is not DISCARDED:
            yield from (_move(act) for act in moment.discards(player))

    def _calls(self) -> Iterator[tuple[int, Move]]:
        """Yield the calls of all players, each with the place of the player."""
        moment = self._after()
        for place in range(self.game.players):
            player = (self.game.dealer + place) % self.game.players
            yield from ((place, _move(call)) for call in (moment.calls(player) if moment else ()))

    def _after(self, *turns: Word) -> Typed | None:
        """Return the table after the turns of the game, and these."""
        game = replace(self.game, turns=[*self.game.turns, *turns])
        reading = read_game(game, game.dealer, lenient=True, cut=True)
        return typed(Match(rounds=[reading.round]), House())


def _move(act: Call | Own) -> Move:
    kind = _KINDS[type(act)]
    if isinstance(act, (ev.Discard, ev.Kakan)):
        return Move(kind, (act.pai,))
    return Move(kind, {"chow": act.consumed, "kong": act.consumed[:1]}.get(kind, ()))
