"""The elements of an mjlog before the first round: the seed, the rules, the players."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

from msgspec import UNSET, UnsetType

from mjconv.converters.tenhou.vocabulary import LISTED, NO_RED, RANKS, SOUTH, THREE, room_of, rules_of, type_of
from mjconv.converters.tenhou.wall import GameSeed, SeedError
from mjconv.converters.tenhou.xml_scanner import ROOT, Element, Scan
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.match import Annotation, AnnotationKind, Match, Name, Player, Rules, Text

#: The attributes of each element that mjconv knows. Those of event lobbies and of rooms with chips are among them.
KNOWN: Final[Mapping[str, frozenset[str]]] = {
    "SHUFFLE": frozenset({"seed", "ref"}),
    "GO": frozenset({"type", "lobby", "title", "rule", "ranking", "csrule"}),
    "UN": frozenset({"n0", "n1", "n2", "n3", "dan", "gold", "rc", "rate", "sx"}),
    "BYE": frozenset({"who"}),
    "TAIKYOKU": frozenset({"oya"}),
    "INIT": frozenset({"seed", "ten", "chip", "oya", "hai0", "hai1", "hai2", "hai3", "shuffle"}),
    "N": frozenset({"who", "m"}),
    "REACH": frozenset({"who", "ten", "step"}),
    "DORA": frozenset({"hai"}),
    "AGARI": frozenset(
        {
            *("ba", "hai", "m", "machi", "ten", "yaku", "yakuman", "chip", "doraHai", "doraHaiUra", "who"),
            *("fromWho", "paoWho", "sc", "owari", "ratio"),
        }
    ),
    "RYUUKYOKU": frozenset({"type", "ba", "sc", "hai0", "hai1", "hai2", "hai3", "owari", "ratio"}),
}
_NO_ATTRIBUTES: Final[frozenset[str]] = frozenset()
#: The elements of the head.
_OF_HEAD: Final = frozenset({"SHUFFLE", "GO", "UN", "BYE", "TAIKYOKU"})
#: The elements that end with a space before the slash.
_SPACED: Final = frozenset({"N", "DORA", "AGARI", "RYUUKYOKU", "BYE"})
_MOST_TYPE: Final = 0xFFFF
_LOBBY: Final = re.compile("[0-9]{1,9}")
_RATE: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")

#: Takes a message, an element, and the attribute that the message is about.
Warner: TypeAlias = Callable[[str, Element, str], None]


class XmlHead(NamedTuple):
    """The head of an mjlog: what it states about the match, and the values that its rounds need.

    `names` are the names of the players as UN writes them, by its attributes. `sorts` says whether the seed
    determines the walls: then the hands of the hub are sorted, because the wall has their order. `end` is the
    piece of the first element that is not of the head.
    """

    match: Match
    seats: int
    reds: bool
    names: Mapping[str, str]
    seed: GameSeed
    sorts: bool
    end: int


def read_head(scan: Scan, warn: Warner) -> XmlHead:
    """Read the elements before the first INIT. Raises `InputError` with its place."""
    elements: dict[str, Element] = {}
    names: dict[str, str] = {}
    annotations: list[Annotation] = []
    at = 2
    while at < len(scan.pieces) and not scan.is_root_end(at):
        if not scan.is_end(at):
            tag = scan.element(at)
            name = tag.name
            if name == "INIT":
                break
            if name not in _OF_HEAD or tag.tile is not None:
                raise InputError(f"the element {name} comes before the first INIT", scan.place(at))
            if name == "BYE" or (name == "UN" and name in elements):
                annotations.append(read_presence(tag, 0, names))
            elif name in elements:
                raise InputError(f"the element {name} is there twice", scan.place(at))
            else:
                elements[name] = tag
                names |= {key: tag.attributes[key] for key in _names_in(tag)}
        at += 1
    go_type = elements["GO"].number("type", 0, _MOST_TYPE) if "GO" in elements else SOUTH
    seats = 3 if go_type & THREE else 4
    reds = not go_type & NO_RED
    match = Match(
        _players(elements["UN"], seats) if "UN" in elements else [],
        rules=rules_of(go_type) if "GO" in elements else UNSET,
        opening=[ev.StartGame(kyoku_first=0 if go_type & SOUTH else 4, aka_flag=reds)],
        annotations=tuple(annotations),
        room=room_of(go_type) if "GO" in elements else UNSET,
        lobby=_lobby(elements.get("GO")),
    )
    for tag in elements.values():
        warn_of_unknown(tag, warn)
    seed = _seed(elements.get("SHUFFLE"), seats, warn)
    return XmlHead(match, seats, reds, names, seed, seed.is_known, at)


def warn_of_unknown(tag: Element, warn: Warner) -> None:
    """Warn of the attributes of an element that mjconv does not know."""
    name = tag.name
    known = KNOWN.get(name, _NO_ATTRIBUTES)
    for key in tag.attributes:
        if key not in known:
            warn(f"{name} has the unknown attribute {key}. It was kept", tag, key)


def _seed(tag: Element | None, seats: int, warn: Warner) -> GameSeed:
    if tag is not None:
        try:
            return GameSeed(tag.attributes.get("seed", ""), seats)
        except SeedError as error:
            warn(f"{error}. The walls are not known", tag, "seed")
    return GameSeed("", seats)


def _lobby(tag: Element | None) -> int | UnsetType:
    """Return the number of a private lobby. An event lobby is written as C and its number."""
    number = "" if tag is None else tag.attributes.get("lobby", "").lstrip("Cc")
    return int(number) or UNSET if _LOBBY.fullmatch(number) else UNSET


def _players(tag: Element, seats: int) -> list[Player]:
    """Return the players that UN states. Ranks and ratings that it does not state are absent."""
    names = [_name_of(tag, f"n{seat}") for seat in range(seats)]
    ranks = tag.numbers("dan") if "dan" in tag.attributes else []
    rates = _rates(tag)
    return [
        Player(
            Name(Text(name)) if name else UNSET,
            rank=rank_of(ranks[seat]) if seat < len(ranks) else UNSET,
            rating=rates[seat] if seat < len(rates) else UNSET,
        )
        for seat, name in enumerate(names)
    ]


def _name_of(tag: Element, key: str) -> str:
    """Return the name of a player, which is percent-encoded UTF-8."""
    text = tag.attributes.get(key, "")
    try:
        return unquote_to_bytes(text).decode("utf-8")
    except UnicodeDecodeError:
        raise tag.wrong(key, "a name in UTF-8, percent-encoded") from None


def read_presence(tag: Element, index: int, names: Mapping[str, str]) -> Annotation:
    """Return the annotation of BYE, or of UN with the name of one player: that player left, or came back.

    `index` is the number of events before it. `names` are the attributes of the first UN that are names.
    """
    if tag.name == "BYE":
        return Annotation(index, "left", tag.number("who", 0, LISTED - 1))
    found = [key for key in _names_in(tag) if key in names] or _names_in(tag)
    if len(found) != 1:
        raise InputError("UN in a round names one player who came back", tag.scan.place(tag.piece))
    _name_of(tag, found[0])
    return Annotation(index, "returned", int(found[0][1]))


def _names_in(tag: Element) -> list[str]:
    """Return the attributes of UN that are names of players."""
    return [key for key in ("n0", "n1", "n2", "n3") if key in tag.attributes]


def rank_of(number: int) -> str:
    """Return the name of a rank; the number itself where Tenhou has no such rank.

    >>> rank_of(16), rank_of(99)
    ('七段', '99')
    """
    return RANKS[number] if 0 <= number < len(RANKS) else str(number)


def _rates(tag: Element) -> list[Decimal]:
    text = tag.attributes.get("rate")
    parts = text.split(",") if text else []
    if not all(map(_RATE.fullmatch, parts)):
        raise tag.wrong("rate", "numbers with decimals, joined by commas")
    return [Decimal(part) for part in parts]


# Writing.


def write_head(match: Match, *, reds: bool) -> str:
    """Return the text before the first round. `reds` says whether the game has red fives."""
    rules = Rules() if match.rules is UNSET else match.rules
    four = [*match.players, *[Player()] * (LISTED - len(match.players))][:LISTED]
    un = {f"n{seat}": name for seat, name in enumerate(written_names(match))}
    un["dan"] = joined([RANKS.index(player.rank) if player.rank in RANKS else 0 for player in four])
    un["rate"] = ",".join(["1500.00" if player.rating is UNSET else format(player.rating, "f") for player in four])
    un["sx"] = ",".join(["M" if seat < match.seats else "C" for seat in range(LISTED)])
    return "".join(
        (
            f'<{ROOT} ver="2.3">',
            element("SHUFFLE", {"seed": "", "ref": ""}),
            element(
                "GO",
                {
                    "type": str(type_of(rules, match.seats, reds=reds, room=match.room)),
                    "lobby": str(match.lobby or 0),
                },
            ),
            element("UN", un),
            element("TAIKYOKU", {"oya": "0"}),
            *[write_presence(one, match) for one in presences(match.annotations) if one.index == 0],
        )
    )


def written_names(match: Match) -> list[str]:
    """Return the names of four players as UN writes them: every byte of their UTF-8 percent-encoded.

    >>> written_names(Match([Player(Name(Text("A東")))]))
    ['%41%E6%9D%B1', '', '', '']
    """
    names = [player.name.shown if player.name else "" for player in match.players[:LISTED]]
    names += [""] * (LISTED - len(names))
    return [f"%{name.encode('utf-8', 'surrogatepass').hex('%').upper()}" if name else "" for name in names]


def presences(annotations: Sequence[Annotation]) -> list[Annotation]:
    """Return the annotations that an mjlog has elements for: a player left, or came back."""
    kinds: tuple[AnnotationKind, ...] = ("left", "returned")
    return [one for one in annotations if one.kind in kinds]


def write_presence(one: Annotation, match: Match) -> str:
    """Return BYE for a player who left, or UN for one who came back."""
    seat = one.seat if isinstance(one.seat, int) and 0 <= one.seat < LISTED else 0
    if one.kind == "left":
        return element("BYE", {"who": str(seat)})
    return element("UN", {f"n{seat}": written_names(match)[seat]}, spaced=True)


def element(name: str, attributes: Mapping[str, str], *, spaced: bool = False) -> str:
    """Return an element as text, with the spaces that Tenhou writes.

    >>> element("GO", {"type": "169"}), element("DORA", {"hai": "5"})
    ('<GO type="169"/>', '<DORA hai="5" />')
    """
    text = "".join([f' {key}="{value}"' for key, value in attributes.items()])
    return f"<{name}{text}{' ' if spaced or name in _SPACED else ''}/>"


def joined(values: Sequence[int]) -> str:
    """Return numbers as a list.

    >>> joined([250, -10])
    '250,-10'
    """
    return ",".join(map(str, values))
