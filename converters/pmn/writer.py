"""Writes PMN: a block of tags for each hand."""

from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.pmn.reader import (
    KEY,
    KINDS,
    NUMBER_TAG,
    PLAYERS,
    UNKNOWN,
    USUAL,
    PmnRoundExtras,
    escaped_note,
    parse,
)
from mjconv.converters.pmn.tiles import SPELLING_OF, write_hand
from mjconv.converters.shared.extras import read_part
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.note_json import MARK
from mjconv.converters.shared.single_hands import SEATS, named_tile, render_hands
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round, Text
from mjconv.ir.mcr_fan import FAN, times_of
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import WINDS, Tile

_ACTS: Final = KINDS | {"T": "tsumo", "D": "dahai", "H": "hora"}
_LETTERS: Final = {ev.KINDS[kind]: letter for letter, kind in _ACTS.items()}
_SILENT: Final = frozenset({ev.StartRound, ev.EndRound})
#: The largest value of one fan.
_MOST_FAN: Final = 999


def render(match: Match, before: bool | None, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001 - as `Writer`
    """Write each round of a match as a hand. `before` is true if a match precedes it in the file."""
    rendered = render_hands("PMN", match, _spell, parse, options)
    for part in rendered.parts[1 if before else 2 : -1]:
        part.text = b"\n" + part.text
    return rendered


def place_note(part: Part, note: bytes) -> bytes:
    """Return the text of a hand with a note as its last tag."""
    return part.text + f'[{MARK} "{escaped_note(note.decode())}"]\n'.encode()


def _spell(match: Match, game_round: Round, deal: ev.StartRound, number: int) -> str:
    """Return the tags of a hand."""
    extras = read_part(game_round, KEY, PmnRoundExtras)
    names = match.names or [""] * SEATS
    tournament = "" if match.tournament is UNSET else _native(match.tournament.name)
    date = extras.date or UNKNOWN if match.date is UNSET else f"{match.date:%Y.%m.%d}".rjust(10, "0")
    wind = deal.bakaze or WINDS[0]
    results = [event for event in game_round.events if isinstance(event, ev.Win | ev.Ryukyoku)]
    tags = {
        "Event": _text(tournament),
        "Site": _text(_native(match.place)),
        "Date": date,
        "Board": extras.board or str(WINDS.index(wind) * SEATS + int(deal.kyoku or 1)),
        "PWind": wind,
        **{tag: _text(name) for tag, name in zip(PLAYERS, names, strict=True)},
        "Deal": " ".join(map(_hand, deal.tehais or ())),
        "Scoring": extras.scoring or USUAL["Scoring"],
        "Starting": " ".join(map(str, deal.scores or ())),
        "Result": _result(results, deal, game_round, extras),
        "Penalty": extras.penalty or USUAL["Penalty"],
        "Play": _play(game_round),
        "Fan": _fans(results),
        **extras.tags,
        **({NUMBER_TAG: str(number)} if number > 1 else {}),
    }
    return "".join([f'[{tag} "{_escaped(value)}"]\n' for tag, value in tags.items() if value])


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _native(text: Text | UnsetType) -> str:
    return "" if text is UNSET else text.native or text.roman or ""


def _text(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split()) or UNKNOWN


def _hand(tiles: tuple[Tile, ...]) -> str:
    try:
        return write_hand(tiles)
    except KeyError as error:
        raise CannotHoldError(f"PMN has no tile {error.args[0]}") from None


def _result(results: list[Any], deal: ev.StartRound, game_round: Round, extras: PmnRoundExtras) -> str:
    """Return the points that each player gains; empty if they are not known."""
    gained = [result.deltas for result in results]
    if len(gained) == 1:
        return " ".join(map(str, gained[0] or ()))
    if game_round.scores_after is not UNSET and deal.scores:
        return " ".join([str(a - b) for a, b in zip(game_round.scores_after, deal.scores, strict=True)])
    if gained and UNSET not in gained:
        return " ".join([str(sum(one)) for one in zip(*gained, strict=True)])
    return extras.result


def _play(game_round: Round) -> str:
    """Return the acts of a hand."""
    acts: list[str] = []
    drawn: Tile | None = None
    over = False
    for event in game_round.events:
        kind = type(event)
        if kind in _SILENT:
            continue
        if over and kind is not ev.Win:
            raise CannotHoldError("PMN has no act after the end of a hand")
        if isinstance(event, ev.Ryukyoku):
            if event.reason and reason_of(event.reason) != "exhaustive_draw":
                raise CannotHoldError(f"PMN has no word for the draw {event.reason!r}")
            acts.append("N0")
        else:
            acts.append(_act(event, drawn))
        drawn = event.pai if isinstance(event, ev.Draw) else None
        over = over or kind in ev.RESULTS
    return "".join(acts)


def _act(event: Any, drawn: Tile | None) -> str:
    """Return an act. `drawn` is the tile that was drawn right before."""
    letter = _LETTERS.get(type(event))
    if letter is None:
        raise CannotHoldError(f"PMN has no word for {ev.name_of(event)}")
    act = f"{letter}{event.actor}"
    if isinstance(event, ev.Win):
        return act
    if isinstance(event, ev.Discard) and event.pai == drawn and event.tsumogiri is not False:
        return f"{act}z1"
    tile = named_tile(event)
    if tile is UNSET:
        raise CannotHoldError("PMN needs the tile of each act")
    if tile not in SPELLING_OF:
        raise CannotHoldError(f"PMN has no tile {tile}")
    return act + SPELLING_OF[tile]


def _fans(results: list[Any]) -> str:
    """Return the fan of each player."""
    lists = ["None"] * SEATS
    for win in results:
        if isinstance(win, ev.Win) and win.yakus and all(map(_is_spelled, win.yakus)):
            lists[win.actor] = ".".join([_fan(name, fan) for name, fan in win.yakus])
    return " ".join(lists)


def _is_spelled(yaku: tuple[str, int]) -> bool:
    name, fan = yaku
    return name in FAN and FAN[name].number > 0 and (fan <= _MOST_FAN or times_of(name, fan) is not None)


def _fan(name: str, fan: int) -> str:
    """Return a fan: its number, its value, and how often it counts.

    >>> _fan("short_straight", 2), _fan("outside_hand", 6)
    ('71/1/2', '55/6/1')
    """
    times = times_of(name, fan)
    return f"{FAN[name].number}/{fan}/1" if times is None else f"{FAN[name].number}/{FAN[name].fan}/{times}"
