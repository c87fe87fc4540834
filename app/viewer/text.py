"""A match as text in one language: its rounds as lists of captions, with hands, results, remarks and findings."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from msgspec import UNSET

from mjconv.converters.shared.ends import points_at_end
from mjconv.ir.errors import visible
from mjconv.ir.match import Match, Player, Round
from mjconv.ir.tiles import HIDDEN
from mjconv.languages import Language
from mjconv.messages import aligned
from mjconv.referee.findings import Finding
from mjconv.referee.picture import short
from mjconv.viewer.facts import (
    FindingNote,
    ShownRemark,
    facts,
    finding_note,
    note_of,
    players_of,
    round_name,
    title,
)
from mjconv.viewer.results import WinResult
from mjconv.viewer.results_table import ResultsTable, is_results_alone, results_table
from mjconv.viewer.rounds import RoundView, round_views
from mjconv.viewer.state import LaidMeld, MeldTile, RiverTile
from mjconv.viewer.steps import Step
from mjconv.viewer.words import Speaker


class Reporter(Speaker):
    """Returns the texts of a view in one language: names of rounds, notes, findings and results as lines."""

    def label(self, record: Round) -> str:
        """Return the short name of a round: ``E1-0`` in English, 東1局0本場 in Japanese."""
        name = self.say(round_name(record))
        return record.label if self.language == "en" or name == "?" else name

    def note(self, note: ShownRemark) -> Iterator[str]:
        """Yield the lines of a note."""
        who = "" if note.seat is UNSET else f"{self.seat(note.seat)}: "
        text = note.text or ""
        if note.ms is not UNSET:
            text = f"{note.ms / 1000:.1f} s"
        if note.kind != "comment":
            text = f"{self.word(f'note.{note.kind}')} {text}"
        for line in text.splitlines():
            yield f"{who}{line.strip()}"

    def finding(self, finding: FindingNote) -> str:
        """Return a finding as a line."""
        name = f"{finding.code} ({finding.name}): " if finding.code else ""
        return f"{finding.severity}: {name}{finding.text}"

    def result(self, step: Step) -> Iterator[str]:
        """Yield the lines of the result of a step: hand and yaku, or who was tenpai, and the points that moved."""
        result = step.result
        if result is UNSET:
            return
        if isinstance(result, WinResult):
            melds = _melds_text(result.melds)
            won = "" if result.tile is UNSET else f"+ {short([result.tile])}"
            aside = f"({short(result.aside)})" if result.aside else ""
            yield "  ".join(filter(None, (short(result.hand.split()), won, melds, aside)))
            yaku = [f"{self.word(each.name)} {each.han or ''}".rstrip() for each in result.yaku]
            if yaku:
                yield self.word("list").join(yaku)
            if result.liable is not UNSET:
                yield self.say(("liable", result.liable))
        else:
            for seat, waited in enumerate(result.waits):
                if waited:
                    hand = (short((result.hands[seat] or "").split()), _melds_text(result.melds[seat]))
                    yield "  ".join(filter(None, (self.seat(seat), *hand, f"→ {short(waited)}")))
        gains = [f"{self.seat(seat)} {gain:+,}" for seat, gain in enumerate(step.state.gain) if gain]
        if gains:
            yield self.word("list").join(gains)


def _melds_text(melds: Iterable[LaidMeld]) -> str:
    return " ".join(f"[{meld_text(meld)}]" for meld in melds)


def meld_text(meld: LaidMeld) -> str:
    """Return the tiles of a meld in the short spelling.

    >>> from mjconv.viewer.state import MeldTile
    >>> meld_text(LaidMeld("pon", (MeldTile("5p", turned=True), MeldTile("5p"), MeldTile("5pr"))))
    '550p'
    """
    return short([each for tile in meld.tiles for each in (tile.tile, tile.on) if each])


def text_lines(
    matches: Sequence[Match], language: Language = "en", findings: Sequence[Finding] = (), only: int | None = None
) -> Iterator[str]:
    """Yield a match as lines of text, safe for a terminal. `only` is the index of the only round to print.

    Several matches are allowed if only their results are known. They become one table.

    >>> from mjconv.ir import events as ev
    >>> from mjconv.ir.match import Round
    >>> deal = ev.StartRound("E", kyoku=1, honba=0, tehais=(("?",) * 13,) * 4)
    >>> list(text_lines([Match(rounds=[Round([deal, ev.Draw(0, "4p")])])]))[-1]
    '    1  East draws 4p.'
    """
    match = matches[0]
    speaker = Reporter(language)
    yield visible(title(matches))
    for key, fact in facts(matches):
        yield visible(f"{speaker.word(f'head.{key}')}: {speaker.say(fact)}")
    if all(map(is_results_alone, matches)):
        for each in matches:
            yield from map(visible, _match_notes(each, range(len(each.rounds) + 1), language))
        yield from map(visible, results_lines(*results_table(matches), language))
        return
    yield from map(visible, _match_notes(match, range(1), language))
    if not match.rounds:
        yield from (visible(line.rstrip()) for line in aligned(_final_rows(match)))
    for number, view in enumerate(round_views(match, findings)):
        if only in (None, number):
            yield ""
            yield from map(visible, _match_notes(match, range(max(1, number), number + 1), language))
            yield from map(visible, _round_lines(view, Reporter(language, view.steps[0].winds, match.names)))
    rounds = len(match.rounds)
    if rounds and only in (None, rounds - 1):
        yield from map(visible, _match_notes(match, range(rounds, rounds + 1), language))
    of_match = [finding_note(finding) for finding in findings if finding.round is None]
    yield from (visible(f"! {speaker.finding(note)}") for note in of_match)


def _final_rows(match: Match) -> Iterator[tuple[str, ...]]:
    """Yield each player's name, points at the end, and points after oka and uma, as far as they are known."""
    names = dict(enumerate(match.names))
    for seat, points in enumerate(points_at_end(match) or ()):
        final = "" if match.final_scores is UNSET else f"{match.final_scores[seat]:+,}"
        yield names.get(seat, str(seat + 1)), f"{points:,}", final


def _match_notes(match: Match, places: range, language: Language) -> Iterator[str]:
    """Yield the notes about a match. `places` are the numbers of rounds before them."""
    speaker = Reporter(language, names=_numbered(players_of(match)))
    for annotation in match.annotations:
        if annotation.index in places:
            yield from (f"# {line}" for line in speaker.note(note_of(annotation, of_match=True)))


def _round_lines(view: RoundView, speaker: Reporter) -> Iterator[str]:
    """Yield the head of a round, its players, and its steps."""
    first = view.steps[0]
    name = speaker.say(round_name(view.record))
    yield f"{view.record.label}  {name}" if name != "?" else view.record.label
    yield from (f"  {line.rstrip()}" for line in aligned(_player_rows(first, speaker)))
    if first.state.dora and first.state.dora[0] is not None:
        yield f"  {speaker.say(('dora.dealt', first.state.dora[0]))}"
    for step, following in zip_longest(view.steps, view.steps[1:]):
        # The caption of a discard names the tile that was drawn.
        named_next = step.kind == "draw" and following is not None and following.kind == "discard"
        if step.step and not named_next:
            yield f"  {step.step:>3}  {speaker.say(step.sentence)}"
        yield from (f"       {line}" for line in remarks(view, step, speaker))


def remarks(view: RoundView, step: Step, speaker: Reporter) -> Iterator[str]:
    """Yield the notes, answers of programs, findings and the result of a step as lines."""
    for note in view.notes.get(step.step, ()):
        yield from (f"# {line}" for line in speaker.note(note))
    answers = (opinion.line for opinion in view.opinions.get(step.step, ()))
    yield from (f"# {speaker.say(line)}" for line in answers if line is not UNSET)
    of_round = () if step.step else view.findings.get(None, ())
    for finding in (*view.findings.get(step.step, ()), *of_round):
        yield f"! {speaker.finding(finding)}"
    yield from speaker.result(step)


def table_lines(
    view: RoundView, step: Step, speaker: Reporter, seat: int, *, hidden: bool = False
) -> Iterator[str]:
    """Yield the table after a step as lines: its centre, then each player, the viewed `seat` last.

    In a river ``'`` marks a tile discarded as drawn, ``*`` the riichi, ``>`` the last discard, and brackets a
    called tile. In a meld ``<`` marks the called tile, ``+`` the added one. With `hidden`, the hands of the others
    are face down.
    """
    state, seats = step.state, len(step.winds)
    centre = [speaker.label(view.record)]
    centre += [f"{state.sticks} × 1,000"] if state.sticks else []
    centre += [speaker.say(("page.left", state.left))] if state.left is not None else []
    for key, places in (("dora", state.dora), ("ura", state.ura)):
        if tiles := short(filter(None, places)):
            centre.append(f"{speaker.word(f'screen.{key}')} {tiles}")
    yield "   ".join(centre)
    for at in [(seat + place) % seats for place in range(1, seats + 1)]:
        points, gain = state.points[at], state.gain[at]
        head = [
            f"{'▶' if at == state.turn else ' '} {speaker.wind(at)}",
            speaker.name(at),
            "" if points is None else f"{points:,}",
            f"({gain:+,})" if gain else "",
            speaker.word("call.riichi") if state.riichi[at] else "",
        ]
        yield "  ".join(filter(None, head))
        down = hidden and at != seat and not state.open[at]
        hand, drawn = state.hands[at].split(), [tile for tile in (state.drawn[at],) if tile]
        hand, drawn = ([HIDDEN] * len(tiles) if down else tiles for tiles in (hand, drawn))
        melds = [f"[{' '.join(map(_laid, meld.tiles))}]" for meld in state.melds[at]]
        aside = f"+ {short(state.aside[at])}" if state.aside[at] else ""
        yield "    " + "  ".join(filter(None, (short(hand), short(drawn), *melds, aside)))
        river = [_discard(tile, last=state.last == (at, index)) for index, tile in enumerate(state.river[at])]
        yield f"    {' '.join(river)}".rstrip()


def _laid(tile: MeldTile) -> str:
    added = "" if tile.on is UNSET else f"+{short([tile.on])}"
    return f"{'<' if tile.turned else ''}{short([HIDDEN if tile.down else tile.tile])}{added}"


def _discard(tile: RiverTile, *, last: bool) -> str:
    word = short([tile.tile]) + "*" * tile.riichi + "'" * (tile.drawn is True)
    return ">" * last + (word if tile.taken is UNSET else f"({word})")


def _player_rows(first: Step, speaker: Reporter) -> Iterator[tuple[str, ...]]:
    """Yield the wind, the name, the points and the hand of each player at the deal."""
    for seat, hand in enumerate(first.state.hands):
        points = first.state.points[seat]
        tiles = hand.split()
        yield (
            speaker.wind(seat),
            speaker.name(seat),
            "" if points is None else f"{points:,}",
            short(tiles) if set(tiles) != {HIDDEN} else "",
        )


def _numbered(players: Sequence[Player]) -> list[str]:
    """Return the names of players, and the number of a player without a name."""
    return [player.called or str(number) for number, player in enumerate(players, 1)]


def results_lines(players: Sequence[Player], table: ResultsTable, language: Language) -> Iterator[str]:
    """Yield the games of a table of results: each with the sums of all players after it; then the comments."""
    names = _numbered(players)
    speaker = Reporter(language, names=names)
    rows: list[tuple[str, ...]] = [("", "", "", *names)]
    day = ""
    for game in table.games:
        sums = ["" if each is None else each for each in game.sums or [""] * len(names)]
        rows.append((game.label, game.date if game.date != day else "", speaker.say(game.brief), *sums))
        day = game.date
    yield from map(str.rstrip, aligned(rows))
    yield from (f"# {game.label}: {note.text}" for game in table.games for note in game.notes if note.text)
