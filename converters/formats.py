"""The one table of the formats.

To add a format, write the package ``converters/<id>/`` and add its value to `FORMATS`, at the end of this file;
`docs/adding-a-format.md` shows it. A package elsewhere adds one by an entry point of the group ``mjconv.formats``
that names its `Format` value. Nothing else names a format: neither the library, nor the command, nor another
format.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from types import MappingProxyType
from typing import Final

from mjconv.converters.interface import HEAD, Format, Keys, Points
from mjconv.ir.errors import UsageError
from mjconv.ir.events import KINDS

#: The endings of compressed files.
PACKED: Final = (".gz", ".zst", ".xz", ".bz2")
#: The group of the entry points by which other packages add formats.
ENTRY_POINTS: Final = "mjconv.formats"


def find(name: str) -> tuple[Format, str]:
    """Find a format by its id, an alias or a flavour: the format, and the flavour (or an empty string).

    Raises `UsageError` for an unknown name, listing the known ones.

    >>> form, flavour = find("jmjp-0")
    >>> form.id, flavour
    ('jmjp', 'jmjp-0')
    """
    wanted = name.strip().lower()
    form = _named(wanted, FORMATS) or _named(wanted, _added())
    if form is not None:
        return form, wanted if wanted in form.flavours else ""
    raise UsageError(f"unknown format {name!r}{_suggestion(wanted)}; known are {', '.join(known_names())}")


def _named(name: str, forms: Iterable[Format]) -> Format | None:
    return next((form for form in forms if name in form.names), None)


def known_names() -> list[str]:
    """List the ids and flavours of all formats, as `find` takes them.

    >>> "mjai" in known_names()
    True
    """
    return [name for form in all_formats() for name in (form.id, *form.flavours)]


def by_extension(path: str, *, reading: bool = False) -> list[tuple[Format, str]]:
    """List the formats whose files have such a name, each with the flavour that is written under it.

    An ending such as ``.gz`` is ignored. An extension that other kinds of files have too does not count for
    `reading`. Otherwise it counts only if no format has it for itself. Formats that other packages add are asked
    only where no format of this package has the extension.

    >>> [(form.id, flavour) for form, flavour in by_extension("game.MJSON.gz")]
    [('mjai', '')]
    """
    extension = _extension_of(path)

    def among(forms: Iterable[Format]) -> list[tuple[Format, str]]:
        found = [(form, form.extensions[extension]) for form in forms if extension in form.extensions]
        own = [one for one in found if extension not in one[0].shared]
        return own if own or reading else found

    return (among(FORMATS) or among(_added())) if extension else []


def of_file(name: str, head: bytes) -> Format | None:
    r"""Return the format of a file, from its name and its first `HEAD` bytes, decompressed; None if it is unclear.

    The name decides if one format has its extension. If other formats share the extension, the contents decide
    first.

    >>> of_file("game.mjson", b"").id, of_file("game", b"A B C D\n1 - - -\n").id
    ('mjai', 'hk')
    """
    named = [form for form, _ in by_extension(name, reading=True)]
    # Formats of other packages are not asked: every start of the command would pay for looking for them.
    sharing = [form for form in FORMATS if _extension_of(name) in form.shared]
    if len(named) == 1 and not sharing:
        return named[0]
    found = recognise(head, [*named, *sharing] if named else None)
    return named[0] if found is None and len(named) == 1 else found


def _extension_of(path: str) -> str:
    """Return the extension of a file name, without the ending of a compressed file."""
    stem, extension = os.path.splitext(path.lower())
    return os.path.splitext(stem)[1] if extension in PACKED else extension


def recognise(head: bytes, among: Iterable[Format] | None = None) -> Format | None:
    r"""Return the format that knows the first `HEAD` bytes of a file, decompressed; None where no format does.

    >>> recognise(b"\x00\x01") is None
    True
    """
    head = head[:HEAD]
    forms = all_formats() if among is None else among
    return next((form for form in forms if form.reads and form.recognise(head)), None)


def _suggestion(wanted: str) -> str:
    # Loaded here: a spelling mistake is rare, and every start of the command would pay for the import.
    from difflib import get_close_matches

    close = get_close_matches(wanted, [name for form in all_formats() for name in form.names])
    # Of names equally near an id is likelier meant than an alias.
    ids = [name for name in close if any(name == form.id for form in all_formats())]
    return f", did you mean {(ids or close)[0]!r}?" if close else ""


#: Keys of each kind of event that state its play.
_PLAY: Final[dict[str, Keys]] = {
    "tsumo": frozenset({"actor", "pai"}),
    "dahai": frozenset({"actor", "pai", "tsumogiri"}),
    "chi": frozenset({"actor", "target", "pai", "consumed"}),
    "pon": frozenset({"actor", "target", "pai", "consumed"}),
    "daiminkan": frozenset({"actor", "target", "pai", "consumed"}),
    "kakan": frozenset({"actor", "pai", "consumed"}),
    "ankan": frozenset({"actor", "consumed"}),
}

#: The formats of this package. An order matters only where two recognise the same bytes: the first is taken.
FORMATS: tuple[Format, ...] = (
    Format(
        "mjai",
        "JSON lines for mahjong programs, one message an event",
        extensions={".mjson": "", ".jsonl": "", ".json": ""},
        flavours={
            "mjai-riichienv": "as RiichiEnv reads it: kita for nukidora",
            "mjai-batch": "one JSON array of messages a match, a line each",
        },
        flavour_extensions={"mjai-batch": ".json"},
        aliases=("mjson",),
        seats=(3, 4),
        walls=False,
        points=Points(1, "hora.deltas"),
        one_match_a_line=("mjai-batch",),
        in_game=True,
        empty=b"",
        # Every key of a message is in its text.
        shows=MappingProxyType({**dict.fromkeys(KINDS, None), "match": frozenset({"players"})}),
    ),
    Format(
        "jmjp",
        "paifu text of the Japanese Mahjong Paifu standard, version 1.0",
        extensions={".jmjp": ""},
        flavours={"jmjp-0": "version 0 of the standard"},
        aliases=("jmjp-1",),
        walls=False,
        points=Points(100, "round.scores_after"),
        spelling_module="spelling",
        shows=MappingProxyType(
            {
                **_PLAY,
                "start_kyoku": frozenset(
                    {"bakaze", "kyoku", "honba", "kyotaku", "oya", "scores", "tehais", "dora_marker"}
                ),
                "reach": frozenset({"actor"}),
                "reach_accepted": frozenset({"actor"}),
                "dora": frozenset({"dora_marker"}),
                "hora": frozenset({"actor", "target", "deltas", "ura_markers"}),
                "ryukyoku": frozenset({"deltas"}),
                # The acts are complete: no tile is set aside between them, and play ends after the last one.
                "nukidora": frozenset(),
                "end_kyoku": frozenset(),
                "round": frozenset(
                    {"dice", "comment", "scores_after", "blocked", "dealt_fourteen", "final_hands", "assumed"}
                ),
                "match": frozenset(
                    {
                        "players",
                        "tournament",
                        "date",
                        "weekday",
                        "time",
                        "place",
                        "recorders",
                        "rules",
                        "final_scores",
                        "points_after",
                    }
                ),
            }
        ),
        # The text names the dora, which a red and a plain indicator share.
        plain_fives=frozenset({"dora_marker", "ura_markers"}),
    ),
    Format(
        "uzje",
        "Ùzje replay notation, as the UJMJ engine reads it: the whole wall, and turns",
        extensions={".uzje": ""},
        name="Ùzje",
        flavours={
            "uzje-long": "every player and draw written out",
            "uzje-commands": "the engine's command strings for turns",
        },
        aliases=("ujmj",),
        seats=(3, 4, 6),
        tiles="all",
        spelling_module="spelling",
        shows=MappingProxyType(
            {
                **_PLAY,
                # Of two like tiles the text does not show which one is discarded.
                "dahai": frozenset({"actor", "pai"}),
                # The word of a call names its player; its own tiles are like the one called.
                "pon": frozenset({"actor", "target", "pai"}),
                "daiminkan": frozenset({"actor", "target", "pai"}),
                "nukidora": frozenset({"actor", "pai"}),
                "start_kyoku": frozenset({"bakaze", "kyoku", "honba", "oya", "tehais"}),
                "hora": frozenset({"actor", "target"}),
                "round": frozenset({"wall", "annotations"}),
                "match": frozenset({"annotations"}),
            }
        ),
    ),
    Format(
        "tenhou",
        "records of Tenhou: mjlog XML, with the wall that its seed determines",
        extensions={".mjlog": "", ".xml": "", ".json": "tenhou-json"},
        name="Tenhou",
        flavours={
            "tenhou-json": "the JSON of tenhou.net/6, which Tenhou's viewer and editor open",
            "tenhou-url": "a link for each round, which opens it in Tenhou's viewer",
        },
        aliases=("mjlog",),
        one_match_a_file=("",),
        shared=(".xml", ".json"),
        seats=(3, 4),
        points=Points(100, "hora.deltas"),
        spelling_module="spelling",
        reread_module="rereading",
        shows=MappingProxyType(
            {
                **_PLAY,
                "nukidora": frozenset({"actor", "pai"}),
                "start_game": frozenset({"kyoku_first", "aka_flag"}),
                "start_kyoku": frozenset(
                    {"bakaze", "kyoku", "honba", "kyotaku", "oya", "scores", "tehais", "dora_marker"}
                ),
                "dora": frozenset({"dora_marker"}),
                "reach": frozenset({"actor"}),
                "reach_accepted": frozenset({"actor", "scores"}),
                "hora": frozenset(
                    {
                        *("actor", "target", "pai", "deltas", "scores", "ura_markers", "yakus", "fu", "fan"),
                        *("hora_points", "pao"),
                    }
                ),
                "ryukyoku": frozenset({"reason", "tenpais", "deltas", "scores"}),
                "end_kyoku": frozenset(),
                "end_game": frozenset({"scores"}),
                "round": frozenset({"wall", "dice", "blocked", "annotations", "extras"}),
                "match": frozenset({"players", "rules", "final_scores", "annotations", "extras"}),
            }
        ),
    ),
    Format(
        "majsoul",
        "records of Mahjong Soul: the replies of its server, and what programs make of them",
        extensions={".json": ""},
        name="Mahjong Soul",
        shared=(".json",),
        one_match_a_file=("",),
        seats=(3, 4),
        spelling_module="spelling",
        shows=MappingProxyType(
            {
                **_PLAY,
                "start_kyoku": frozenset(
                    {"bakaze", "kyoku", "honba", "kyotaku", "oya", "scores", "tehais", "dora_marker"}
                ),
                "nukidora": frozenset({"actor"}),
                "dora": frozenset({"dora_marker"}),
                "reach": frozenset({"actor"}),
                "reach_accepted": frozenset({"actor"}),
                "hora": frozenset(
                    {"actor", "target", "pai", "deltas", "ura_markers", "yakus", "fu", "fan", "hora_points", "pao"}
                ),
                "ryukyoku": frozenset({"reason", "tenpais", "deltas"}),
                "end_kyoku": frozenset(),
                "end_game": frozenset({"scores"}),
                "round": frozenset({"wall", "dealt_fourteen"}),
                "match": frozenset({"players", "date", "time", "rules", "final_scores"}),
            }
        ),
    ),
    Format(
        "riichicity",
        "records of Riichi City, as its server sends them, with whole walls; read only",
        extensions={".json": ""},
        name="Riichi City",
        shared=(".json",),
        seats=(3, 4),
        spelling_module="spelling",
        writes=False,
        notes=False,
    ),
    Format(
        "majiang",
        "JSON records of the open engine and viewer majiang",
        extensions={".json": ""},
        shared=(".json",),
        points=Points(1, "hora.deltas"),
        spelling_module="spelling",
        shows=MappingProxyType(
            {
                **_PLAY,
                "start_kyoku": frozenset(
                    {"bakaze", "kyoku", "honba", "kyotaku", "oya", "scores", "tehais", "dora_marker"}
                ),
                "dora": frozenset({"dora_marker"}),
                "reach": frozenset({"actor"}),
                "reach_accepted": frozenset({"actor"}),
                "hora": frozenset(
                    {
                        *("actor", "target", "pai", "deltas", "ura_markers", "yakus", "fu", "fan"),
                        *("hora_points", "pao"),
                    }
                ),
                "ryukyoku": frozenset({"reason", "tenpais", "deltas"}),
                "end_kyoku": frozenset(),
                "end_game": frozenset({"scores"}),
                "round": frozenset({"blocked", "extras"}),
                "match": frozenset({"players", "tournament", "final_scores", "extras"}),
            }
        ),
    ),
    Format(
        "mjx",
        "states of the simulator mjx, one round a line, with whole walls",
        extensions={".json": "", ".jsonl": ""},
        shared=(".json", ".jsonl"),
        notes=False,
        points=Points(1, "hora.deltas"),
        spelling_module="spelling",
    ),
    Format(
        "hk",
        "scores by Hong Kong rules, one line a game",
        extensions={".hk": "", ".txt": ""},
        name="HK scores",
        score_table="tally",
        spelling_module="names",
        shared=(".txt",),
        tiles="all",
        empty=b"",
        shows=MappingProxyType(
            {
                "hora": frozenset({"actor", "target", "fan", "pao"}),
                # A false win is a `ryukyoku`, and its actor is shown.
                "ryukyoku": frozenset({"reason", "actor"}),
                "round": frozenset({"rules", "date", "annotations"}),
                "match": frozenset({"players", "rules", "date", "annotations"}),
            }
        ),
    ),
)


@cache
def _added() -> tuple[Format, ...]:
    """Return the formats that installed packages add. A value that is no format is left out."""
    # Imported here: most names are of formats of this package, and every start of the command would pay for it.
    from importlib.metadata import entry_points

    found = [entry.load() for entry in entry_points(group=ENTRY_POINTS)]
    return tuple(form for form in found if isinstance(form, Format))


def all_formats() -> tuple[Format, ...]:
    """Return the formats of this package, then the formats of installed packages.

    >>> [form.id for form in all_formats()][:2]
    ['mjai', 'jmjp']
    """
    return (*FORMATS, *_added())
