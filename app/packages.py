"""The packages that some features need and that are not installed with mjconv."""

from importlib.util import find_spec

from mjconv.ir.errors import UsageError


def check_packages(user: str, *packages: str) -> None:
    """Raise `UsageError` if one of the packages that a feature needs is not installed."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise UsageError(f"{user} needs {' and '.join(missing)}: pip install {' '.join(missing)}")
