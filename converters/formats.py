"""The one table of the formats.

To add a format, write the package ``converters/<id>/`` with its value `FORMAT`, and add the package to `FORMATS`;
`docs/adding-a-format.md` shows it. A package elsewhere adds one by an entry point of the group ``mjconv.formats``
that names its `Format` value. Nothing else names a format: neither the library, nor the command, nor another
format.
"""

import os
from collections.abc import Collection, Iterable
from functools import cache
from typing import Final

from mjconv.converters import (
    botzone,
    club,
    hk,
    jmjp,
    majiang,
    majsoul,
    mjai,
    mjx,
    mleague,
    pmn,
    riichicity,
    tenhou,
    uzje,
)
from mjconv.converters.interface import HEAD, Format
from mjconv.ir.errors import UsageError
from mjconv.ir.plugins import added

#: The endings of compressed files.
PACKED: Final = (".gz", ".zst", ".xz", ".bz2")
#: The group of the entry points by which other packages add formats.
ENTRY_POINTS: Final = "mjconv.formats"
#: The flavour that is a link for each round, which a viewer on the web opens.
LINKS: Final = "tenhou-url"
#: The format of the messages that mahjong programs exchange.
MESSAGES: Final = "mjai"


def find(name: str, others: Collection[str] = ()) -> tuple[Format, str]:
    """Find a format by its id, an alias or a flavour: the format, and the flavour (or an empty string).

    Raises `UsageError` for an unknown name, listing the known ones. `others` are names that it may propose too.

    >>> form, flavour = find("jmjp-0")
    >>> form.id, flavour
    ('jmjp', 'jmjp-0')
    """
    wanted = name.strip().lower()
    form = _named(wanted, FORMATS) or _named(wanted, _added())
    if form is not None:
        return form, wanted if wanted in form.flavours else ""
    known = ", ".join((*known_names(), *others))
    raise UsageError(f"unknown format {name!r}{_suggestion(wanted, others)}; known are {known}")


def by_id(name: str) -> Format | None:
    """Return the format with this id; None if there is none.

    >>> by_id("jmjp").id, by_id("chess") is None
    ('jmjp', True)
    """
    return next((form for form in all_formats() if form.id == name), None)


def _named(name: str, forms: Iterable[Format]) -> Format | None:
    return next((form for form in forms if name in form.names), None)


def known_names() -> list[str]:
    """List the ids and flavours of all formats, as `find` takes them.

    >>> "mjai" in known_names()
    True
    """
    return [name for form in all_formats() for name in (form.id, *form.flavours)]


def names_for(path: str) -> list[str]:
    """List the ids or flavours of the formats whose files may have such a name; those of all if none has it.

    >>> names_for("scores.txt"), names_for("scores.xyz") == known_names()
    (['hk', 'club'], True)
    """
    extension = _extension_of(path)
    having = [form for form in all_formats() if extension in form.files.extensions]
    return [form.files.extensions[extension] or form.id for form in having] or known_names()


def by_extension(path: str, *, reading: bool = False) -> list[tuple[Format, str]]:
    """List the formats whose files have such a name, each with the flavour that is written under it.

    An ending such as ``.gz`` is ignored. An extension that other kinds of files have too does not count for
    `reading`. Otherwise it counts only if no format has it for itself, and for formats that show the play. Formats
    that other packages add are asked only where no format of this package has the extension.

    >>> [(form.id, flavour) for form, flavour in by_extension("game.MJSON.gz")]
    [('mjai', '')]
    """
    extension = _extension_of(path)

    def among(forms: Iterable[Format]) -> list[tuple[Format, str]]:
        known = [(form, form.files.extensions[extension]) for form in forms if extension in form.files.extensions]
        own = [one for one in known if extension not in one[0].files.shared]
        return own if own or reading else [one for one in known if "tsumo" in one[0].shows]

    return (among(FORMATS) or among(_added())) if extension else []


def flavour_of(path: str, form: Format) -> str:
    """Return the flavour of a format that is written under such a name; empty for the usual one.

    >>> flavour_of("game.json", find("tenhou")[0]), flavour_of("game.mjlog", find("tenhou")[0])
    ('tenhou-json', '')
    """
    return form.files.extensions.get(_extension_of(path), "")


def has_extension(path: str, form: Format) -> bool:
    """Return whether files of a format may have such a name, also if files of other kinds have it too.

    >>> has_extension("scores.txt", find("hk")[0]), has_extension("scores.txt", find("mjai")[0])
    (True, False)
    """
    return _extension_of(path) in form.files.extensions


def of_file(name: str, head: bytes) -> Format | None:
    r"""Return the format of a file, from its name and its first `HEAD` bytes, decompressed; None if it is unclear.

    The name decides if one format has its extension. If other formats share the extension, the contents decide
    first.

    >>> of_file("game.mjson", b"").id, of_file("game", b"A B C D\n1 - - -\n").id
    ('mjai', 'hk')
    """
    named = [form for form, _ in by_extension(name, reading=True)]
    sharing = [form for form in FORMATS if _extension_of(name) in form.files.shared]
    if len(named) == 1 and not sharing:
        return named[0]
    recognised = recognise(head, [*named, *sharing] if named else None)
    if recognised is None and named:
        # Formats of other packages are asked last: every start of the command would pay for looking for them.
        recognised = recognise(head, _added())
    return named[0] if recognised is None and len(named) == 1 else recognised


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


#: The words for formats that people try, and the formats that they mean.
_OTHER_NAMES: Final = {"tenhou6": "tenhou-json", "tenhou/6": "tenhou-json", "tenhou.net/6": "tenhou-json"}


def _suggestion(wanted: str, others: Collection[str]) -> str:
    # Loaded here: a spelling mistake is rare, and every start of the command would pay for the import.
    from difflib import get_close_matches

    if wanted in _OTHER_NAMES:
        return f", did you mean {_OTHER_NAMES[wanted]!r}?"
    extension = f".{wanted.removeprefix('.')}"
    having = [form for form in all_formats() if extension in form.files.extensions and form.writes]
    if written := [form.files.extensions[extension] or form.id for form in having]:
        of_files = f"{written[0]!r}" if len(written) == 1 else f"one of {', '.join(written)}"
        return f", did you mean {of_files}? Their files end in {extension}"
    close = get_close_matches(wanted, [*others, *(name for form in all_formats() for name in form.names)])
    # Of names equally near an id is likelier meant than an alias.
    ids = [name for name in close if any(name == form.id for form in all_formats())]
    return f", did you mean {(ids or close)[0]!r}?" if close else ""


#: The formats of this package. An order matters only where two recognise the same bytes: the first is taken.
FORMATS: tuple[Format, ...] = tuple(
    package.FORMAT
    for package in (mjai, jmjp, uzje, tenhou, majsoul, riichicity, mleague, majiang, mjx, hk, club, botzone, pmn)
)


@cache
def _added() -> tuple[Format, ...]:
    """Return the formats that installed packages add. A value that is no format is left out, with a warning."""
    return added(ENTRY_POINTS, Format, "format")


def all_formats() -> tuple[Format, ...]:
    """Return the formats of this package, then the formats of installed packages.

    >>> [form.id for form in all_formats()][:2]
    ['mjai', 'jmjp']
    """
    return (*FORMATS, *_added())


def known_extensions() -> set[str]:
    """Return the extensions of all formats."""
    return {extension for form in all_formats() for extension in form.files.extensions}


#: The public name: `mjconv.formats`.
formats = all_formats
