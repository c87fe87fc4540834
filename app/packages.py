"""The packages that some features need and that are not installed with mjconv."""

import os
import sys
from importlib.util import find_spec

from mjconv.ir.errors import UsageError


def pip() -> str:
    """Return the command of the pip that installs into the environment of mjconv."""
    folder = os.path.dirname(sys.executable)
    if sys.prefix == sys.base_prefix or folder in os.environ.get("PATH", "").split(os.pathsep):
        return "pip"
    inside = folder.startswith(os.getcwd() + os.sep)
    return os.path.join(os.path.relpath(folder) if inside else folder, "pip")


def check_packages(user: str, *packages: str) -> None:
    """Raise `UsageError` if one of the packages that a feature needs is not installed."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise UsageError(f"{user} needs {' and '.join(missing)}: {pip()} install {' '.join(missing)}")
