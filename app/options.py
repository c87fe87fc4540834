"""The options of a conversion, which the command, the library, batch and fleet share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from mjconv.converters.interface import WriteOptions
from mjconv.ir.errors import UsageError

if TYPE_CHECKING:
    from mjconv.ir.match import House


class Options(Struct, frozen=True, kw_only=True):
    """Options that may hold other options in one of their fields, which `INNER` names with its class."""

    INNER: ClassVar[tuple[str, type[Struct]] | None] = None

    @classmethod
    def of(cls, **given: Any) -> Any:
        """Make the options of keywords: those of this class, and those of the options that it holds.

        Raises `TypeError` for any other keyword.

        >>> ConvertOptions.of(target="jmjp", plain=True).write.plain
        True
        """
        own = {name: given.pop(name) for name in cls.__struct_fields__ if name in given}
        if cls.INNER is not None and given:
            field, kind = cls.INNER
            own[field] = kind.of(**given) if issubclass(kind, Options) else kind(**given)
            given = {}
        return cls(**own, **given)


class ConvertOptions(Options, frozen=True, kw_only=True):
    """How to convert.

    `source` and `target` are ids of formats or flavours; None where names of files decide. `write` is how to
    write. With `strict`, a loss that is dropped, assumed or approximated is an error. With `check`, the
    referee checks the input first, by the rules `house` (as ``--house`` takes them). With `verify`, the output
    is read again and compared with the input. Batch and fleet alone have the rest: `where` keeps the matches with
    some facts only, `dedup` keeps each play once, `split` divides the matches, as ``train=0.95,val=0.05``,
    `tables` names tables of Parquet, as ``rounds,events``, `derive` columns to add to its events, as
    ``shanten,waits``, `partition_by` facts that name its folders, as ``month,room``, `extension` is that of the
    files, as ``.json.gz``, and `kanachan` are settings of the rows of Kanachan.
    """

    INNER = ("write", WriteOptions)

    source: str | None = None
    target: str | None = None
    write: WriteOptions = WriteOptions()
    strict: bool = False
    check: bool = False
    house: str | None = None
    verify: bool = False
    kanachan: str | None = None
    where: str | None = None
    dedup: bool = False
    split: str | None = None
    tables: str | None = None
    derive: str | None = None
    extension: str | None = None
    partition_by: str | None = None

    def house_rules(self) -> House:
        """Return the rules of the check. Raises as `house_rules`."""
        return house_rules(self.house, check=self.check)


def house_rules(house: str | None, *, check: bool) -> House:
    """Return the rules that ``--house`` sets, the usual ones without the option.

    Raises `UsageError` for an unknown rule, and for the option without ``--check``.

    >>> house_rules("kiriage", check=True).kiriage
    True
    """
    # Imported here: most conversions check nothing.
    from mjconv.rules.house import house_of

    rules = house_of(house or "")
    if house is not None and not check:
        raise UsageError("--house needs --check: it sets the rules for the check")
    return rules
