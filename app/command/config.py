"""The configuration file ``mjconv.toml``: values of a person for options that a command line does not have.

It is in the person's own folder, or where ``MJCONV_CONFIG`` names it, and never taken from the working folder: the
folder of a stranger must not raise limits. It names values only, so nothing in it runs.
"""

import os
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, field

from mjconv.ir.errors import Place, UsageError
from mjconv.ir.limits import Limits, parse
from mjconv.ir.suggestion import did_you_mean
from mjconv.languages import Language, language_of
from mjconv.settings import Setting

#: The variable that names the file. If it is empty, no file is read.
VARIABLE: Final = "MJCONV_CONFIG"
#: The most bytes of the file that are read.
_MOST_BYTES: Final = 1 << 20
#: Where the messages of decoders name a place.
_AT: Final = r" \(at (?:line (\d+), column (\d+)|end of document)\)"


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the file: the language of messages, the number of workers, house rules, and limits by name."""

    language: str | None = None
    jobs: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    house: str | None = None
    limits: dict[str, str | int] = field(default_factory=dict)

    def spoken(self) -> Language | None:
        """Return the language. Raises `UsageError` for an unknown one."""
        return None if self.language is None else language_of(self.language)

    def limited(self) -> Limits:
        """Return the limits. Raises `UsageError` for a wrong one."""
        return parse(*(f"{name}={number}" for name, number in self.limits.items()))

    def fill(self, command: str, given: dict[str, Any]) -> None:
        """Set options of a command that were not given. The `jobs` of a review are bots, and no workers."""
        if self.jobs is not None and given.get("jobs") == 0 and command != "review":
            given["jobs"] = self.jobs
        checks = given.get("check", True) and given.get("level", "rules") == "rules"
        if "house" in given and given["house"] is None and checks:
            given["house"] = self.house


#: The file in force.
config: Final = Setting("config", Config())


def config_path() -> str:
    """Return the path of the file, empty if there is none."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return named
    own = os.environ.get("APPDATA" if os.name == "nt" else "XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    path = os.path.join(own, "mjconv", "mjconv.toml")
    return path if os.path.isabs(path) and os.path.isfile(path) else ""


def read_config() -> Config:
    """Read the file, if there is one. Raises `OSError`, and `UsageError` with the place of a mistake."""
    # Imported here: most starts have no file.
    from mjconv.rules.house import house_of

    path = config_path()
    if not path:
        return Config()
    with open(path, "rb") as stream:
        text = stream.read(_MOST_BYTES).decode("utf-8-sig", "replace")
    try:
        found = msgspec.toml.decode(text, type=Config)
    except msgspec.DecodeError as error:
        if (unknown := re.search(r"\bfield `([^`]+)`", str(error))) is None:
            raise _error(path, text, str(error)) from None
        key, keys = unknown[1], Config.__struct_fields__
        reason = f"there is no key {key!r}{did_you_mean(key, keys)}; the keys are {', '.join(keys)}"
        raise _error(path, text, reason, key) from None
    checks: Mapping[str, Callable[[], object]] = {
        "language": found.spoken,
        "house": lambda: house_of(found.house or ""),
        "limits": found.limited,
    }
    for key, check in checks.items():
        try:
            check()
        except UsageError as error:
            raise _error(path, text, error.message, key) from None
    return found


def _error(path: str, text: str, message: str, key: str = "") -> UsageError:
    """Return an error at the place that its message names, or else at the line of its key."""
    at, named = re.search(_AT, message), re.search(r"\$\.(\w+)", message)
    key = key or (named[1] if named else "")
    lines = text.splitlines() or [""]
    begins = (n for n, one in enumerate(lines, 1) if key and re.match(rf"[\s\[\"']*{re.escape(key)}\b", one))
    line = int(at[1] or len(lines)) if at else next(begins, 1)
    place = Place(line, int(at[2] or 1) if at else 1, lines[min(line, len(lines)) - 1])
    return UsageError(re.sub(_AT, "", message), place, path)
