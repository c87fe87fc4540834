"""The kit that checks a format. `check_format` raises `AssertionError` at the first promise that is broken."""

from mjconv.testing.checks import check_format as check_format
from mjconv.testing.places import Marks as Marks
