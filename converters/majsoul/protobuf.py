"""Decodes the protobuf of Mahjong Soul into the values that its JSON has, as far as `schema` has the fields.

The decoder is small, because it has to know three wire types and one schema. It knows the offset of each action:
so an error has a place.
"""

from __future__ import annotations

from typing import Any, Final

from mjconv.converters.majsoul import schema
from mjconv.ir import limits

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


class DecodeError(ValueError):
    """The bytes are no such message: what is wrong, and the offset."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class ProtobufDecoder:
    """Decodes a file. `offsets` are the offsets of its records or actions, after the decoding."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offsets: list[int] = []
        #: The number of actions before the last deal, and the deal.
        self.deals = 0

    def reply(self, begin: int) -> Fields:
        """Decode the reply of a server, `ServerReply` in a wrapper. Raises `DecodeError`."""
        _, at, stop = self._wrapper(begin, len(self.data))
        reply = self.message(schema.ServerReply, at, stop)
        at, stop = reply.pop("data", (0, 0))
        if stop > at:
            reply["data"] = self.details(at, stop)
        return reply

    def details(self, begin: int, end: int) -> Fields:
        """Decode `GameDetails` in a wrapper. Raises `DecodeError`."""
        name, at, stop = self._wrapper(begin, end)
        if name not in ("", _DETAILS):
            raise DecodeError(f"expected GameDetailRecords, not {name[:60]!r}", begin)
        details = self.message(schema.GameDetails, at, stop)
        if "records" in details:
            details["records"] = [self._record(*span) for span in details["records"]]
        for action in details.get("actions", ()):
            if "result" in action:
                action["result"] = self._record(*action["result"])
        return {"name": _DETAILS, "data": details}

    def _record(self, begin: int, end: int) -> Fields:
        name, at, stop = self._wrapper(begin, end)
        kind = schema.RECORDS.get(name.removeprefix(f"{_LIQI}Record"), schema.ServerMessage)
        return {"name": name, "data": self.message(kind, at, stop)}

    def _wrapper(self, begin: int, end: int) -> tuple[str, int, int]:
        """Return the name in a wrapper, and the span of the message that it wraps."""
        wrapper = self.message(schema.Wrapper, begin, end)
        at, stop = wrapper.get("data", (end, end))
        return wrapper.get("name", ""), at, stop

    def message(self, kind: type[schema.ServerMessage], begin: int, end: int) -> Fields:
        """Decode the fields that the struct of a message has. The value of a field of bytes is its span."""
        fields = schema.fields_of(kind)
        found: Fields = {}
        at = begin
        while at < end:
            key_at = at
            key, at = self._varint(at, end)
            field, wire = fields.get(key >> 3), key & 7
            if field is None and not 0 < key >> 3 <= _MOST_NUMBER:
                raise DecodeError(f"{key >> 3} is no number of a field", key_at)
            if wire == _VARINT:
                number, at = self._varint(at, end)
                if field is not None and field.kind in _NUMBERS:
                    _put(found, field, _number(field, number))
                continue
            if wire == _LENGTH:
                size, at = self._varint(at, end)
            else:
                size = _FIXED.get(wire, end)
                if at + size > end:
                    raise DecodeError(f"no field of the wire type {wire} is here", key_at)
            stop = at + size
            if stop > end:
                raise DecodeError(f"a field of {size} bytes, and {end - at} are left", key_at)
            if field is not None and wire == _LENGTH:
                if kind is schema.GameDetails:
                    self._count(at, stop)
                self._add(found, field, at, stop)
            at = stop
        return found

    def _count(self, at: int, stop: int) -> None:
        """Note the offset of an action. Raises `DecodeError` if a round has too many."""
        self.offsets.append(at)
        if self.data.find(_DEAL, at, stop) >= 0:
            self.deals = len(self.offsets)
        if len(self.offsets) - self.deals > limits.current().events:
            raise DecodeError(limits.refusal("events"), at)

    def _add(self, found: Fields, field: schema.ProtobufField, at: int, stop: int) -> None:
        """Add a field of bytes, a text, a message, or packed numbers."""
        if field.kind is str:
            try:
                _put(found, field, self.data[at:stop].decode())
            except UnicodeDecodeError:
                raise DecodeError(f"the text of {field.name} is not UTF-8", at) from None
        elif field.kind is bytes:
            _put(found, field, (at, stop))
        elif field.kind not in _NUMBERS:
            _put(found, field, self.message(field.kind, at, stop))
        elif field.repeated:
            while at < stop:
                number, at = self._varint(at, stop)
                _put(found, field, _number(field, number))
        else:
            raise DecodeError(f"{field.name} is a number, and bytes are here", at)

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        """Return a number without a sign, and the offset behind it. Raises `DecodeError`."""
        data = self.data
        if at < end and data[at] < 0x80:
            return data[at], at + 1
        value = shift = 0
        begin = at
        while at < end and shift <= _MOST_SHIFT:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & (_NEGATIVE - 1), at
            shift += 7
        raise DecodeError("a number does not end", begin)


def _number(field: schema.ProtobufField, number: int) -> int:
    """Return the value of a field of numbers. A large number is a negative one."""
    return bool(number) if field.kind is bool else number - _NEGATIVE * (number >= _SIGN)


def _put(found: Fields, field: schema.ProtobufField, value: Any) -> None:
    if field.repeated:
        found.setdefault(field.name, []).append(value)
    else:
        found[field.name] = value
