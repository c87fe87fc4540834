"""How jmjp spells tiles (section 2.3.6), points (2.3.5), acts (4.2.2) and shorthand tokens (Table 1)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from mjconv.ir.catalogue import catalogue
from mjconv.ir.events import MOST_POINTS, Discard, Draw, Pass
from mjconv.ir.match import Weekday
from mjconv.ir.spelling import Spelling, by_letters, by_table
from mjconv.ir.tiles import DORA_OF, HIDDEN, INDICATOR_OF, Tile, plain

#: Hub spelling to jmjp's.
JMJP: Final[dict[Tile, str]] = {
    **{f"{rank}{suit}": f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)},
    **{f"5{suit}r": f"0{suit}" for suit in "mps"},
    "E": "ew",
    "S": "sw",
    "W": "ww",
    "N": "nw",
    "P": "wd",
    "F": "gd",
    "C": "rd",
    HIDDEN: "uk",
}
#: The spelling of a tile that is not known.
UNKNOWN: Final = JMJP[HIDDEN]
#: jmjp spelling to the hub's.
HUB: Final[dict[str, Tile]] = {spelling: tile for tile, spelling in JMJP.items()}
_OF_CHARACTERS: Final = {(spelling[0], spelling[1]): tile for spelling, tile in HUB.items()}

#: The hub's indicator to the dora that jmjp writes; and back, where a red indicator becomes a plain one.
DORA: Final[dict[Tile, str]] = {indicator: JMJP[dora] for indicator, dora in DORA_OF.items()}
INDICATOR: Final[dict[str, Tile]] = {spelling: INDICATOR_OF[plain(tile)] for spelling, tile in HUB.items()}

#: A seat's letter by its place after the dealer, and the place of a letter.
LETTERS: Final = "eswn"
PLACE: Final = {letter: place for place, letter in enumerate(LETTERS)}


#: Spells a tile for a message; a tile that jmjp does not have as the hub spells it.
spell_tile: Final = by_table(JMJP)
#: The days of the week, as `datetime.date.weekday` counts them.
WEEKDAYS: Final[tuple[Weekday, ...]] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def spell(tiles: Sequence[Tile]) -> str:
    """Spell tiles one after the other.

    >>> spell(("5mr", "E", "?"))
    '0mewuk'
    """
    return "".join(map(JMJP.__getitem__, tiles))


def split(text: str) -> tuple[Tile, ...]:
    """Read tiles that follow each other.

    >>> split("0mewuk")
    ('5mr', 'E', '?')
    """
    return tuple(map(_OF_CHARACTERS.__getitem__, zip(text[::2], text[1::2], strict=True)))


# Acts: a seat, the tile or tiles that it took, and its discard. In ``e,5m,tg`` East draws a 5m and discards it.
# The outer brackets are the frame's.

PlainTurn: TypeAlias = tuple[Draw, Discard] | tuple[Pass, Pass]


class FrameAct(NamedTuple):
    """One act: the seat's place after the dealer, how it took its tiles, and its action then.

    `taking` and `giving` are the words of the act (``ch``, ``tg``), or ``tile`` for a tile; `giving` may be empty.
    `taken` are the tile drawn, or the tiles of the hand that a call uses (none in version 0 but for a chi).
    `given` are the tile discarded or added, or the tiles of an ankan (one in version 0).
    """

    seat: int
    taking: str
    taken: tuple[Tile, ...]
    giving: str
    given: tuple[Tile, ...]


@lru_cache(maxsize=1 << 16)
def read_act(text: str) -> FrameAct:
    """Read an act that the grammar accepts.

    >>> read_act("s,ch[4m6m],ew")
    FrameAct(seat=1, taking='ch', taken=('4m', '6m'), giving='tile', given=('E',))
    """
    seat, take, give = text.split(",")
    taking, taken = ("tile", (HUB[take],)) if take in HUB else (take[:2], split(take[3:-1]))
    giving, given = ("tile", (HUB[give],)) if give in HUB else (give[:2], split(give[3:-1]))
    return FrameAct(PLACE[seat], taking, taken, giving, given)


#: The value for an act that is no plain turn: two events that are no turn either.
NO_TURN: Final = (Pass(), Pass())
#: More than the number of plain turns: four seats, 37 tiles drawn and 37 discarded.
_MOST_TURNS: Final = 1 << 13


class PlainTurns(dict[str, PlainTurn]):
    """The plain turns of one dealer, by the text of their act. `NO_TURN` for all other acts.

    A tile that is discarded by name and like the one drawn may be either tile. That depends on the hand, so it is
    no plain turn here.

    >>> PlainTurns(0)["s,9p,tg"]
    (Draw(actor=1, pai='9p'), Discard(actor=1, pai='9p', tsumogiri=True))
    """

    def __init__(self, dealer: int) -> None:
        super().__init__()
        self._dealer = dealer

    def __missing__(self, text: str) -> PlainTurn:
        if len(self) >= _MOST_TURNS:
            self.clear()
        self[text] = turn = _read_turn(text, self._dealer)
        return turn


#: The plain turns, by dealer. Most acts are one, and come again in other rounds.
TURNS: Final = tuple(PlainTurns(dealer) for dealer in range(4))


def _read_turn(text: str, dealer: int) -> PlainTurn:
    act = read_act(text)
    if act.taking != "tile" or act.taken == (HIDDEN,):
        return NO_TURN
    player = (act.seat + dealer) % 4
    drawn = act.taken[0]
    if act.giving == "tg":
        return Draw(player, drawn), Discard(player, drawn, tsumogiri=True)
    if act.giving == "tile" and act.given != act.taken:
        return Draw(player, drawn), Discard(player, act.given[0], tsumogiri=False)
    return NO_TURN


#: The points that the one decimal counts.
STEP: Final = 100
#: A number with more characters is out of range.
_LONGEST: Final = 12


@lru_cache(4096)
def read_points(text: str) -> int:
    """Return the points of a number of the form ``-?[0-9]+.[0-9]``. Raises `ValueError` if it is out of range.

    >>> read_points("25.0"), read_points("-1.5")
    (25000, -1500)
    """
    if len(text) <= _LONGEST:
        points = int(text.replace(".", "")) * STEP
        if abs(points) <= MOST_POINTS:
            return points
    raise ValueError(f"{text[:_LONGEST]} is out of range: points go to {write_points(MOST_POINTS)}")


@lru_cache(4096)
def write_points(points: int) -> str | None:
    """Spell points. Returns None if they are no multiple of 100, or out of range.

    >>> write_points(25000), write_points(-1500), write_points(1050)
    ('25.0', '-1.5', None)
    """
    if points % STEP or abs(points) > MOST_POINTS:
        return None
    whole, tenth = divmod(abs(points) // STEP, 10)
    return f"{'-' if points < 0 else ''}{whole}.{tenth}"


#: How messages spell players, tiles and points.
SPELLING: Final = Spelling(by_letters(LETTERS), spell_tile, amount=write_points, dealer_first=True)

#: The fields that have shorthand tokens, by the standard's identifiers.
Field: TypeAlias = Literal["tour_name", "tour_stage", "match_place", "plyer_team", "plyer_affil"]


class Shorthand(NamedTuple):
    """One shorthand token: the fields that may hold it, and its meaning in native script and romanised."""

    fields: tuple[Field, ...]
    native: str | None
    roman: str | None


#: Table 1. Where the table gives one script only, the other is None.
CODES: Final = catalogue(__name__, "shorthand.json", dict[str, Shorthand])


def codes_of(field: Field) -> list[str]:
    """Return the shorthand tokens of a field, in the order of Table 1.

    >>> codes_of("tour_name"), codes_of("match_place")
    (['mlg'], ['mlg-std'])
    """
    return [code for code, row in CODES.items() if field in row.fields]
