"""A match as text: its rounds as lists of captions, with hands, results, remarks and findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from mjconv.ir.errors import visible, width
from mjconv.ir.match import Match, Player
from mjconv.ir.tiles import HIDDEN
from mjconv.referee.findings import Finding
from mjconv.referee.picture import short
from mjconv.viewer.cursor import RoundView, round_views
from mjconv.viewer.facts import facts, finding_note, note_of, player_name, round_name, title
from mjconv.viewer.results_table import ResultsTable, is_results_alone, results_table
from mjconv.viewer.spoken import Speaker
from mjconv.viewer.steps import Step
from mjconv.viewer.words import Language


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
    speaker = Speaker(language)
    yield visible(title(matches))
    for key, fact in facts(matches):
        yield visible(f"{speaker.word(f'head.{key}')}: {speaker.say(fact)}")
    if all(map(is_results_alone, matches)):
        for each in matches:
            yield from map(visible, _match_notes(each, range(len(each.rounds) + 1), speaker))
        yield from map(visible, results_lines(*results_table(matches), language))
        return
    yield from map(visible, _match_notes(match, range(1), speaker))
    names = [player_name(player) for player in match.players]
    for number, view in enumerate(round_views(match, findings)):
        if only in (None, number):
            yield ""
            yield from map(visible, _match_notes(match, range(max(1, number), number + 1), speaker))
            yield from map(visible, _round_lines(view, names, language))
    rounds = len(match.rounds)
    if rounds and only in (None, rounds - 1):
        yield from map(visible, _match_notes(match, range(rounds, rounds + 1), speaker))
    of_match = [finding_note(finding) for finding in findings if finding.round is None]
    yield from (visible(f"! {speaker.finding(note)}") for note in of_match)


def _match_notes(match: Match, places: range, speaker: Speaker) -> Iterator[str]:
    """Yield the notes about a match. `places` are the numbers of rounds before them."""

    def name(seat: int) -> str:
        known = player_name(match.players[seat]) if 0 <= seat < len(match.players) else ""
        return known or str(seat + 1)

    for annotation in match.annotations:
        if annotation.index in places:
            yield from (f"# {line}" for line in speaker.note(note_of(annotation, of_match=True), name))


def _round_lines(view: RoundView, names: Sequence[str], language: Language) -> Iterator[str]:
    """Yield the head of a round, its players, and its steps."""
    first = view.steps[0]
    speaker = Speaker(language, first.winds)
    name = speaker.say(round_name(view.record))
    yield f"{view.record.label}  {name}" if name != "?" else view.record.label
    yield from (f"  {line}" for line in aligned(list(_player_rows(first, names, speaker))))
    yield from (f"  ! {speaker.finding(finding)}" for finding in view.findings.get(None, ()))
    if first.state.dora and first.state.dora[0] is not None:
        yield f"  {speaker.say(('dora', first.state.dora[0]))}"
    for step, following in zip_longest(view.steps, view.steps[1:]):
        # The caption of a discard names the tile that was drawn.
        named_next = step.kind == "draw" and following is not None and following.kind == "discard"
        if step.step and not named_next:
            yield f"  {step.step:>3}  {speaker.say(step.sentence)}"
        for note in view.notes.get(step.step, ()):
            yield from (f"       # {line}" for line in speaker.note(note))
        yield from (f"       ! {speaker.finding(finding)}" for finding in view.findings.get(step.step, ()))
        yield from (f"       {line}" for line in speaker.result(step))


def _player_rows(first: Step, names: Sequence[str], speaker: Speaker) -> Iterator[tuple[str, ...]]:
    """Yield the wind, the name, the points and the hand of each player at the deal."""
    for seat, hand in enumerate(first.state.hands):
        points = first.state.points[seat]
        tiles = hand.split()
        yield (
            speaker.seat(seat),
            names[seat] if seat < len(names) else "",
            "" if points is None else f"{points:,}",
            short(tiles) if set(tiles) != {HIDDEN} else "",
        )


def results_lines(players: Sequence[Player], table: ResultsTable, language: Language) -> Iterator[str]:
    """Yield the games of a table of results: each with the sums of all players after it; then the comments."""
    names = [player_name(player) or str(number) for number, player in enumerate(players, 1)]
    speaker = Speaker(language)
    rows: list[tuple[str, ...]] = [("", "", "", *names)]
    day = ""
    for game in table.games:
        brief = speaker.say(game.brief, lambda seat: names[seat] if 0 <= seat < len(names) else "?")
        sums = ["" if each is None else each for each in game.sums or [""] * len(names)]
        rows.append((game.label, game.date if game.date != day else "", brief, *sums))
        day = game.date
    yield from aligned(rows)
    yield from (f"# {game.label}: {note.text}" for game in table.games for note in game.notes if note.text)


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines whose columns are aligned, safe for a terminal.

    >>> list(aligned([("a", "石"), ("bcd", "x")]))
    ['a    石', 'bcd  x']
    """
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
