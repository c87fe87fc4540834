"""Values that other installed packages add to a table of mjconv, by entry points."""

from typing import TypeVar

T = TypeVar("T")


def added(group: str, kind: type[T], noun: str) -> tuple[T, ...]:
    """Return the values of this kind that installed packages name under `group`, an entry point group.

    A value that cannot be imported, or is of another kind, is left out with a warning. `noun` is the word for the
    kind in the warning.

    >>> added("mjconv.no-such-group", int, "number")
    ()
    """
    # Imported here: every start of the command would pay for it.
    import warnings
    from importlib.metadata import entry_points

    values: list[T] = []
    for entry in entry_points(group=group):
        try:
            value = entry.load()
            if not isinstance(value, kind):
                raise TypeError(f"expected a {kind.__name__}, not {type(value).__name__}")
            values.append(value)
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            message = f"the {noun} {entry.name!r} of an installed package is left out: {entry.value}: {reason}"
            # Without a file of this name, Python prints the warning on one line.
            warnings.warn_explicit(message, RuntimeWarning, group, 1)
    return tuple(values)
