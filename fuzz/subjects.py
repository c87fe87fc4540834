"""What a campaign tries: how its inputs are made, and what mjconv does with each."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple, Protocol

from fuzz.archives import ArchiveTrial, broken_archive
from fuzz.breaking import broken
from fuzz.plays import broken_play
from fuzz.seeds import records
from fuzz.trial import Outcome, Trial
from mjconv.converters import formats


class Runs(Protocol):
    """A trial of one input."""

    def run(self) -> Outcome:
        """Run it; an exception is a crash."""
        ...


class Subject(NamedTuple):
    """A reader, or ``archives``, or ``plays``.

    `suffix` ends the names of saved inputs. `make` makes an input. `trial` tries one, and writes it to `targets`.
    """

    suffix: str
    make: Callable[[Random], bytes]
    trial: Callable[[bytes, tuple[str, ...]], Runs]


def subject(name: str) -> Subject:
    """Return what a name of the command line stands for."""
    if name == "archives":
        return Subject(".bin", broken_archive, lambda data, _: ArchiveTrial(data))
    form, _ = formats.find("mjai" if name == "plays" else name)
    suffix = next(iter(form.files.extensions))
    if name == "plays":
        everything = tuple(formats.known_names())
        return Subject(suffix, broken_play, lambda data, _: Trial(form, data, everything))
    return Subject(
        suffix, lambda rng: broken(records(name), rng), lambda data, targets: Trial(form, data, targets)
    )
