"""Join Parquet files of one schema to one file without rewriting: their bytes, and one footer with moved offsets.

A Parquet file is ``PAR1``, its row groups, a footer in Thrift's compact protocol, the length of the footer, and
``PAR1``. pyarrow reads a footer, and cannot change the offsets in it. This module knows no more of Thrift than it
needs for that: it reads a footer as a tree of fields, and writes the tree again.
"""

from collections.abc import Mapping
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

_MAGIC: Final = b"PAR1"
#: The types of Thrift's compact protocol. A field of a struct has its truth in its type.
_TRUE, _FALSE, _BYTE, _BINARY, _LIST, _STRUCT = 1, 2, 3, 8, 9, 12
_INTEGERS: Final = frozenset({4, 5, 6})
_MANY: Final = 15
#: The fields of the footer: of the file, of a row group, of a column chunk, and of the metadata of a chunk.
_FILE_ROWS, _FILE_GROUPS, _COLUMNS, _ORDINAL, _CHUNK_META = 3, 4, 1, 7, 3
#: The fields with offsets in the file.
_OFFSETS_OF_GROUP: Final = (5,)
_OFFSETS_OF_CHUNK: Final = (2, 4, 6)
_OFFSETS_OF_META: Final = (9, 10, 11, 14)
_MOST_ORDINAL: Final = 0x7FFF


class ThriftField(NamedTuple):
    """A field of a struct: its type, and its value; a list is its type and its values."""

    kind: int
    value: Any


#: A struct by the numbers of its fields, in ascending order.
ThriftStruct: TypeAlias = dict[int, ThriftField]


class JoinedParquet:
    """Writes a Parquet file from complete Parquet files of the same schema."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.footer: ThriftStruct | None = None
        self.groups: list[ThriftStruct] = []
        self.rows = 0
        self.offset = stream.write(_MAGIC)

    def add(self, part: bytes) -> None:
        """Write the row groups of a file."""
        length = int.from_bytes(part[-8:-4], "little")
        body = memoryview(part)[len(_MAGIC) : -8 - length]
        footer = read_footer(part[-8 - length : -8])
        for group in footer[_FILE_GROUPS].value[1]:
            _move(group, self.offset - len(_MAGIC), len(self.groups))
            self.groups.append(group)
        self.rows += footer[_FILE_ROWS].value
        self.footer = self.footer or footer
        self.stream.write(body)
        self.offset += len(body)

    def finish(self) -> None:
        """Write the footer. At least one file was added."""
        assert self.footer is not None
        self.footer[_FILE_ROWS] = self.footer[_FILE_ROWS]._replace(value=self.rows)
        self.footer[_FILE_GROUPS] = ThriftField(_LIST, (_STRUCT, self.groups))
        data = bytearray()
        _write_struct(data, self.footer)
        self.stream.write(b"%b%b%b" % (bytes(data), len(data).to_bytes(4, "little"), _MAGIC))


def _move(group: ThriftStruct, by: int, number: int) -> None:
    """Add a number of bytes to all offsets of a row group, and set its number."""
    _shift(group, _OFFSETS_OF_GROUP, by)
    if number > _MOST_ORDINAL:
        group.pop(_ORDINAL, None)
    elif _ORDINAL in group:
        group[_ORDINAL] = group[_ORDINAL]._replace(value=number)
    for chunk in group[_COLUMNS].value[1]:
        _shift(chunk, _OFFSETS_OF_CHUNK, by)
        _shift(chunk[_CHUNK_META].value, _OFFSETS_OF_META, by)


def _shift(fields: ThriftStruct, numbers: tuple[int, ...], by: int) -> None:
    for number in numbers:
        # Zero is no offset: the magic is there.
        if number in fields and fields[number].value:
            fields[number] = fields[number]._replace(value=fields[number].value + by)


def read_footer(data: bytes) -> ThriftStruct:
    """Read a footer as a tree of fields."""
    return _Reader(data).struct()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def struct(self) -> ThriftStruct:
        fields: ThriftStruct = {}
        number = 0
        while (head := self._byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            fields[number] = ThriftField(kind, None if kind in (_TRUE, _FALSE) else self._value(kind))
        return fields

    def _value(self, kind: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind == _STRUCT:
            return self.struct()
        if kind == _LIST:
            head = self._byte()
            count = head >> 4
            count = self._varint() if count == _MANY else count
            return head & 15, [self._value(head & 15) for _ in range(count)]
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._bytes(1)
        raise ValueError(f"a footer of Parquet has no type {kind}")

    def _byte(self) -> int:
        self.position += 1
        return self.data[self.position - 1]

    def _bytes(self, length: int) -> bytes:
        self.position += length
        return self.data[self.position - length : self.position]

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7

    def _integer(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)


def _write_struct(data: bytearray, fields: Mapping[int, ThriftField]) -> None:
    last = 0
    for number, (kind, value) in fields.items():
        if 0 < number - last <= _MANY:
            data.append((number - last) << 4 | kind)
        else:
            data.append(kind)
            _write_integer(data, number)
        if value is not None:
            _write_value(data, kind, value)
        last = number
    data.append(0)


def _write_value(data: bytearray, kind: int, value: Any) -> None:
    if kind in _INTEGERS:
        _write_integer(data, value)
    elif kind == _BINARY:
        _write_varint(data, len(value))
        data += value
    elif kind == _STRUCT:
        _write_struct(data, value)
    elif kind == _LIST:
        inner, values = value
        data.append(min(len(values), _MANY) << 4 | inner)
        if len(values) >= _MANY:
            _write_varint(data, len(values))
        for one in values:
            _write_value(data, inner, one)
    else:
        data += value


def _write_varint(data: bytearray, number: int) -> None:
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)


def _write_integer(data: bytearray, number: int) -> None:
    _write_varint(data, number << 1 if number >= 0 else (-number << 1) - 1)
