"""Decodes the protobuf of Mahjong Soul into the values that its JSON has, as far as `schema` has the fields.

The decoder is small, because it has to know three wire types and one schema. It knows the offset of each action:
so an error has a place.
"""

from typing import Any, Final

from mjconv.converters.majsoul import schema
from mjconv.ir import limits
from mjconv.ir.errors import AtOffsetError

Fields = dict[str, Any]

_VARINT: Final = 0
_FIXED: Final = {1: 8, 5: 4}
_LENGTH: Final = 2
_NUMBERS: Final = (int, bool)
_MOST_SHIFT: Final = 63
_SIGN: Final = 1 << 63
_NEGATIVE: Final = 1 << 64
_MOST_NUMBER: Final = (1 << 29) - 1
_DEAL: Final = b"RecordNewRound"
#: The names of wrapped messages begin so.
_LIQI: Final = ".lq."
_DETAILS: Final = f"{_LIQI}GameDetailRecords"


class DecodeError(AtOffsetError):
    """The bytes are no such message: what is wrong, and the offset."""


class ProtobufDecoder:
    """Decodes a file. `offsets` are the offsets of its records or actions, after the decoding."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offsets: list[int] = []
        #: The number of actions before the last deal, and the deal.
        self.deals = 0

    def reply(self, begin: int) -> Fields:
        """Decode the reply of a server, `ServerReply` in a wrapper. Raises `DecodeError`."""
        _, offset, stop = self._wrapper(begin, len(self.data))
        reply = self.message(schema.ServerReply, offset, stop)
        offset, stop = reply.pop("data", (0, 0))
        if stop > offset:
            reply["data"] = self.details(offset, stop)
        return reply

    def details(self, begin: int, end: int) -> Fields:
        """Decode `GameDetails` in a wrapper. Raises `DecodeError`."""
        name, offset, stop = self._wrapper(begin, end)
        if name not in ("", _DETAILS):
            raise DecodeError(f"expected GameDetailRecords, not {name[:60]!r}", begin)
        details = self.message(schema.GameDetails, offset, stop)
        if "records" in details:
            details["records"] = [self._record(*span) for span in details["records"]]
        for action in details.get("actions", ()):
            if "result" in action:
                action["result"] = self._record(*action["result"])
        return {"name": _DETAILS, "data": details}

    def _record(self, begin: int, end: int) -> Fields:
        name, offset, stop = self._wrapper(begin, end)
        kind = schema.RECORDS.get(name.removeprefix(f"{_LIQI}Record"), schema.ServerMessage)
        return {"name": name, "data": self.message(kind, offset, stop)}

    def _wrapper(self, begin: int, end: int) -> tuple[str, int, int]:
        """Return the name in a wrapper, and the span of the message that it wraps."""
        wrapper = self.message(schema.Wrapper, begin, end)
        offset, stop = wrapper.get("data", (end, end))
        return wrapper.get("name", ""), offset, stop

    def message(self, kind: type[schema.ServerMessage], begin: int, end: int) -> Fields:
        """Decode the fields that the struct of a message has. The value of a field of bytes is its span."""
        fields = schema.fields_of(kind)
        values: Fields = {}
        offset = begin
        while offset < end:
            key_offset = offset
            key, offset = self._varint(offset, end)
            field, wire = fields.get(key >> 3), key & 7
            if field is None and not 0 < key >> 3 <= _MOST_NUMBER:
                raise DecodeError(f"{key >> 3} is no number of a field", key_offset)
            if wire == _VARINT:
                number, offset = self._varint(offset, end)
                if field is not None and field.kind in _NUMBERS:
                    _put(values, field, _number(field, number))
                continue
            if wire == _LENGTH:
                size, offset = self._varint(offset, end)
            else:
                size = _FIXED.get(wire, end)
                if offset + size > end:
                    raise DecodeError(f"no field of the wire type {wire} is here", key_offset)
            stop = offset + size
            if stop > end:
                raise DecodeError(f"a field of {size} bytes, and {end - offset} are left", key_offset)
            if field is not None and wire == _LENGTH:
                if kind is schema.GameDetails:
                    self._count(offset, stop)
                self._add(values, field, offset, stop)
            offset = stop
        return values

    def _count(self, offset: int, stop: int) -> None:
        """Note the offset of an action. Raises `DecodeError` if a round has too many."""
        self.offsets.append(offset)
        if self.data.find(_DEAL, offset, stop) >= 0:
            self.deals = len(self.offsets)
        if len(self.offsets) - self.deals > limits.current().events:
            raise DecodeError(limits.refusal("events"), offset)

    def _add(self, values: Fields, field: schema.ProtobufField, offset: int, stop: int) -> None:
        """Add a field of bytes, a text, a message, or packed numbers."""
        if field.kind is str:
            try:
                _put(values, field, self.data[offset:stop].decode())
            except UnicodeDecodeError:
                raise DecodeError(f"the text of {field.name} is not UTF-8", offset) from None
        elif field.kind is bytes:
            _put(values, field, (offset, stop))
        elif field.kind not in _NUMBERS:
            _put(values, field, self.message(field.kind, offset, stop))
        elif field.repeated:
            while offset < stop:
                number, offset = self._varint(offset, stop)
                _put(values, field, _number(field, number))
        else:
            raise DecodeError(f"{field.name} is a number, and bytes are here", offset)

    def _varint(self, offset: int, end: int) -> tuple[int, int]:
        """Return a number without a sign, and the offset behind it. Raises `DecodeError`."""
        data = self.data
        if offset < end and data[offset] < 0x80:
            return data[offset], offset + 1
        value = shift = 0
        begin = offset
        while offset < end and shift <= _MOST_SHIFT:
            byte = data[offset]
            offset += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & (_NEGATIVE - 1), offset
            shift += 7
        raise DecodeError("a number does not end", begin)


def _number(field: schema.ProtobufField, number: int) -> int:
    """Return the value of a field of numbers. A large number is a negative one."""
    return bool(number) if field.kind is bool else number - _NEGATIVE * (number >= _SIGN)


def _put(values: Fields, field: schema.ProtobufField, value: Any) -> None:
    if field.repeated:
        values.setdefault(field.name, []).append(value)
    else:
        values[field.name] = value
