"""Write Ùzje: the short form, the long one, or the engine's commands, with notes for everything else."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import accumulate, chain, compress, pairwise, repeat
from operator import ge
from typing import Final, NamedTuple

from msgspec import UNSET, to_builtins

from mjconv.converters.interface import Part, Remark, Rendered, WriteOptions
from mjconv.converters.shared.dealers import dealers_hints, shift_of
from mjconv.converters.shared.json_values import refusing
from mjconv.converters.uzje import layout
from mjconv.converters.uzje.game import UzjeGame, numbered
from mjconv.converters.uzje.notes import UzjeMatchHints, UzjeRoundHints, place_note
from mjconv.converters.uzje.paragraphs import HEADER, MATCH, tokens_of
from mjconv.converters.uzje.round_writer import GamePlan, plan_game
from mjconv.converters.uzje.spelling import SEATS, UZJE
from mjconv.converters.uzje.words import NAMED, Word, spell_moves, spell_moves_in_full, write_commands
from mjconv.ir.events import MOST_SEATS
from mjconv.ir.match import Match, Round
from mjconv.ir.play import refusals
from mjconv.ir.tiles import RED_FIVES
from mjconv.rules import succession

__all__ = ["place_note", "render"]

_REDS: Final = frozenset(RED_FIVES)
#: The flavours of turns, the usual one first.
FLAVOURS: Final = ("", "uzje-long", "uzje-commands")


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    r"""Write a match, games as turns or, in the flavour ``uzje-commands``, as commands.

    Raises `UnsupportedError` for hidden tiles and for other than 3, 4 or 6 players, `PlayError` if the events
    cannot be played.

    >>> head, tail = render(Match(), None, True, WriteOptions()).parts
    >>> head.text
    b'Match:\n'
    """
    return _UzjeWriter(match, options, begins_file=before is None).rendered()


class _WrittenRound(NamedTuple):
    """A round as text: its part, its reading, the header of its game, and the paragraphs after it, sorted."""

    part: Part
    reading: Round
    header: Sequence[str]
    after: layout.Paragraphs


class _UzjeWriter:
    """Writes one match: each part as text, and the reading of that text."""

    def __init__(self, match: Match, options: WriteOptions, *, begins_file: bool) -> None:
        self.match = match
        self.seats = match.seats
        self.begins_file = begins_file
        self.noted = not options.plain
        self.asked = options.rounds
        self.style = options.flavour
        self.deals = succession.starts(match)
        #: The hub's seat of the player who deals the rounds of number 1.
        self.shift = shift_of(self.deals, self.seats)

    def rendered(self) -> Rendered:
        """Return the parts of the match, and its reading."""
        match = self.match
        paragraphs = layout.write_head(match, layout.match_extras(match))
        entries = layout.sort_paragraphs(paragraphs, head=True)
        if not (self.begins_file and match.rounds) and not any(map(layout.begins_match, paragraphs[:1])):
            paragraphs.insert(0, f"{MATCH}:")
        # The paragraph that begins the file has no blank line before it.
        text = self._text(paragraphs, first=self.begins_file)
        rounds: list[_WrittenRound] = []
        parts: list[Part] = []
        for index, game_round in enumerate(match.rounds):
            # The words of the head are those of the first game.
            if index and self.asked is not None and index not in self.asked:
                parts.append(Part(b""))
                continue
            rounds.append(self._round(game_round, index, first=not (text or rounds) and self.begins_file))
            parts.append(rounds[-1].part)
        end = rounds[-1].after if rounds else layout.Paragraphs((), ())
        reading = layout.match_of([written.reading for written in rounds], entries, end)
        remarks = list(_of_extras(reading, match))
        words = partial(tokens_of, rounds[0].header if rounds else ())
        head = Part(text, words, len(text), remarks=remarks, outside=entries.data)
        if self.noted:
            own = UzjeMatchHints(layout=_is_layout_of_note(reading, match))
            head.hints = dealers_hints(self.shift, self.deals, self.seats) | to_builtins(own)
        return Rendered([head, *parts, Part(b"")], lambda: reading, after=True)

    def _text(self, paragraphs: Sequence[str], *, first: bool) -> bytes:
        """Return paragraphs as text, each after a blank line, but not the `first` of the file."""
        return "".join([f"\n{text}\n" for text in paragraphs])[int(first) :].encode("ascii")

    def _round(self, game_round: Round, index: int, *, first: bool) -> _WrittenRound:
        with refusing("Ùzje", game_round, index=index):
            plan = plan_game(game_round, self.deals[index], self.seats, noted=self.noted)
        game = plan.game
        reading = plan.reading.round
        extras = layout.round_extras(game_round)
        last = index == len(self.match.rounds) - 1
        of_match = layout.comments_of(self.match, head=False) if last else None
        comments, texts = layout.write_round(game_round, plan.begins, len(game.tiles), extras, of_match)
        after = layout.sort_paragraphs(texts, last=last)
        end = extras.end if game.turns else ""
        layout.put_around_round(reading, comments, plan.reading.first_event, end, after)
        laid = lay_out(game, self.style, end)
        remarks = list(_of_extras(reading, game_round))
        text = self._text(["\n".join(lines_of(laid, comments))], first=first)
        part = Part(
            text + self._text(texts, first=False),
            partial(tokens_of, laid.words[: laid.first_turn], laid.unnumbered),
            len(text),
            remarks=remarks,
            outside=after.data,
        )
        if self.noted:
            usual = (plan.game.dealer + self.shift) % self.seats
            part.hints = to_builtins(_hints(plan, usual, layout=_is_layout_of_note(reading, game_round)))
            remarks += _of_hints(game_round, plan)
            if game.beyond_riichi or refusals(game_round, self.deals[index]):
                part.note_seats = MOST_SEATS if game.beyond_riichi else 0
        return _WrittenRound(part, reading, laid.words[:HEADER], after)


def _hints(plan: GamePlan, usual: int, *, layout: bool) -> UzjeRoundHints:
    """Return the hints of a round. `usual` is the dealer that the note of the match implies."""
    used = plan.reading.choices
    turns = (used.drawn, used.kong, used.aside, used.use_red)
    drawn, kong, aside, use_red = (tuple(sorted(chosen)) for chosen in turns)
    dealer = plan.dealer if plan.dealer != usual else UNSET
    return UzjeRoundHints(dealer, used.red, drawn, kong, aside, use_red, layout)


def _of_hints(game_round: Round, plan: GamePlan) -> Iterator[Remark]:
    """Yield remarks on the values that the hints of a note restore."""
    used = plan.reading.choices
    start = game_round.start
    if used.red:
        if start is not None and any(not _REDS.isdisjoint(hand) for hand in start.tehais or ()):
            yield Remark("start_kyoku.tehais", game_round.events.index(start))
        for place in plan.reds:
            yield Remark("tsumo.pai", place)
        if not _REDS.isdisjoint(game_round.wall or ()):
            yield Remark("round.wall")
    for turn, what, event in plan.red_uses if used.use_red else ():
        if turn in used.use_red:
            yield Remark(what, event)
    for turn in sorted(used.drawn):
        yield Remark("dahai.tsumogiri", plan.begins[turn])
    for turn in sorted(used.kong | used.aside):
        yield Remark("ankan" if turn in used.kong else "nukidora", plan.begins[turn])
    if plan.dealer != plan.game.dealer:
        # Of a derived dealer the hub finds another loss under this name, at the event.
        stated = start is not None and start.oya is not UNSET
        yield Remark("start_kyoku.oya", 0 if stated else None)


def _is_layout_of_note(reading: Match | Round, source: Match | Round) -> bool:
    """Return whether the text does not show all of Ùzje's part of the extras: only a note has it."""
    return layout.KEY in source.extras and _lacks(reading, source, layout.KEY)


def _of_extras(reading: Match | Round, source: Match | Round) -> Iterator[Remark]:
    """Yield a remark if the text lacks some of the extras: its own layout is no reason to call them different."""
    if any(_lacks(reading, source, key) for key in source.extras):
        yield Remark(f"{type(source).__name__.lower()}.extras")


def _lacks(reading: Match | Round, source: Match | Round, key: str) -> bool:
    return key not in reading.extras or reading.extras[key] != source.extras[key]


# A game as text: its words, and their lines.


#: The number of tiles in a line after the deal.
_ROW: Final = 24


class WordLayout(NamedTuple):
    """The words of a game; `begins` has the first word of each turn, `rows` the first word of each line.

    `unnumbered` are the words from the first turn on, without the numbers of turns.
    """

    words: list[str]
    first_turn: int
    begins: Sequence[int]
    rows: list[int]
    unnumbered: list[str]


def lay_out(game: UzjeGame, style: str, end: str = "") -> WordLayout:
    """Return the words of a game: the header, the tile list, the turns in this flavour, and the end indicator.

    >>> " ".join(lay_out(UzjeGame("E", 2, 0, 4, ["5m", "9p"], []), "").words)
    'E 2 0 4 5m 9t'
    """
    words = [game.wind, str(game.number), str(game.repeat), str(game.players)]
    words += map(UZJE.__getitem__, game.tiles)
    first = len(words)
    rows = list(tile_rows(game.players, first))
    seats = [turn.seat or 0 for turn in game.turns]
    begins: Sequence[int]
    if style == "uzje-commands":
        turns = list(write_commands(game.turns, game.players))
        begins = list(accumulate(map(len, turns), initial=first))[:-1]
        unnumbered = list(chain.from_iterable(turns))
        words += unnumbered
    else:
        following = (*range(1, game.players), 0)
        expected = (0, *map(following.__getitem__, seats))
        unnumbered = list(map(_turn, game.turns, expected, repeat(game.players), repeat(style)))
        words += numbered(unnumbered)
        begins = range(first, len(words))
    if begins:
        rows.append(first)
    rows += compress(begins[1:], map(ge, seats, seats[1:]))
    if end:
        words.append(end)
        unnumbered.append(end)
    return WordLayout(words, first, begins, rows, unnumbered)


def lines_of(laid: WordLayout, comments: Sequence[tuple[int, str]] = ()) -> list[str]:
    """Return the lines of a game: header, deal, tiles, then a line for each round of turns; comments before words.

    >>> laid = lay_out(UzjeGame("E", 2, 0, 4, ["5m", "9p"], []), "")
    >>> lines_of(laid, [(-2, ":the wall"), (-1, "(a)")])
    ['E 2 0 4', ':the wall', '5m (a) 9t']
    """
    words = laid.words
    if not comments:
        return [" ".join(words[a:b]) for a, b in pairwise([*laid.rows, len(words)])]
    before: dict[int, list[str]] = {}
    for anchor, text in comments:
        before.setdefault(_word(laid, anchor), []).append(text)
    rows = set(laid.rows)
    lines: list[list[str]] = [[]]
    for place in range(len(words) + 1):
        for text in before.get(place, ()):
            if text.startswith(":"):
                lines += [[text], []]
            else:
                lines[-1].append(text)
        if place in rows:
            lines.append([])
        lines[-1] += words[place : place + 1]
    return [" ".join(line) for line in lines if line]


def _word(laid: WordLayout, anchor: int) -> int:
    """Return the place of the word after a comment with this anchor."""
    if anchor < 0:
        return laid.first_turn + anchor
    return laid.begins[anchor] if anchor < len(laid.begins) else len(laid.words)


@lru_cache(maxsize=512)
def tile_rows(players: int, first_turn: int) -> tuple[int, ...]:
    """Return the first words of the lines of the tile list: header, deal, then rows of tiles."""
    header = 4
    deal = [header + 4 * players * row for row in range(4)]
    rows = [0, *deal, *range(header + 13 * players, first_turn, _ROW)]
    return tuple([row for row in rows if row < first_turn])


# Many games have the same turns.
@lru_cache(maxsize=8192)
def _turn(turn: Word, expected: int, players: int, style: str) -> str:
    """Return a turn from its full stop on. In the short form it names its player only where it must."""
    place, long = turn.seat or 0, style == "uzje-long"
    named = long or place != expected or turn.moves[0].kind in NAMED
    spelled = spell_moves_in_full(turn.moves) if long else spell_moves(turn.moves)
    return f".{SEATS[players][place]}{spelled}" if named else f".{spelled}"
