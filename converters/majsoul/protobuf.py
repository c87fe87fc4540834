"""Decodes the protobuf of Mahjong Soul into the values that its JSON has.

The decoder is small, because it has to know three wire types and one schema. It keeps fields that the schema does
not have, and it knows the offset of each action: an error has a place.
"""

from __future__ import annotations

from typing import Any, Final

from mjconv.converters.majsoul.schema import Field, messages
from mjconv.ir import limits

Fields = dict[str, Any]

_VARINT: Final = 0
_FIXED: Final = {1: 8, 5: 4}
_LENGTH: Final = 2
_MOST_SHIFT: Final = 63
_SIGN: Final = 1 << 63
_NEGATIVE: Final = 1 << 64
_MOST_NUMBER: Final = (1 << 29) - 1
_DEAL: Final = b"RecordNewRound"
#: The names of wrapped messages begin so.
LIQI: Final = ".lq."


class DecodeError(ValueError):
    """The bytes are no such message: what is wrong, and the offset."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class Decoder:
    """Decodes a file. `offsets` are the offsets of its records or actions, after the decoding."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offsets: list[int] = []
        #: The number of actions before the last deal, and the deal.
        self.deals = 0

    def reply(self, begin: int) -> Fields:
        """Decode the reply of a server, ResGameRecord in a wrapper. Raises `DecodeError`."""
        inner = self._wrapper(begin, len(self.data))
        reply = self.message("ResGameRecord", *inner[1:])
        at, end = reply.pop("data", (0, 0))
        if end > at:
            reply["data"] = self.records(at, end)
        return reply

    def records(self, begin: int, end: int) -> Fields:
        """Decode GameDetailRecords in a wrapper. Raises `DecodeError`."""
        name, at, stop = self._wrapper(begin, end)
        if name not in ("", f"{LIQI}GameDetailRecords"):
            raise DecodeError(f"expected GameDetailRecords, not {name[:60]!r}", begin)
        details = self.message("GameDetailRecords", at, stop)
        spans = details.get("records", [])
        self.offsets += [span[0] for span in spans]
        if spans:
            details["records"] = [self._record(*span) for span in spans]
        for action in details.get("actions", ()):
            if "result" in action:
                action["result"] = self._record(*action["result"])
        if "bar" in details:
            details["bar"] = self.data[slice(*details["bar"])].hex()
        return {"name": f"{LIQI}GameDetailRecords", "data": details}

    def _record(self, begin: int, end: int) -> Fields:
        name, at, stop = self._wrapper(begin, end)
        kind = name.removeprefix(LIQI)
        known = kind if kind in messages() else ""
        return {"name": name, "data": self.message(known, at, stop)}

    def _wrapper(self, begin: int, end: int) -> tuple[str, int, int]:
        """Return the name in a wrapper, and the span of the message that it wraps."""
        wrapper = self.message("Wrapper", begin, end)
        at, stop = wrapper.get("data", (end, end))
        return wrapper.get("name", ""), at, stop

    def message(self, kind: str, begin: int, end: int, depth: int = 0) -> Fields:
        """Decode one message. A field of bytes is its span. Raises `DecodeError`."""
        if depth > limits.current().nesting:
            raise DecodeError(limits.refusal("nesting"), begin)
        data = self.data
        schema = messages().get(kind, {})
        found: Fields = {}
        at = begin
        is_action = kind == "GameDetailRecords"
        while at < end:
            key = data[at]
            field_begin = at
            if key < 0x80:
                at += 1
            else:
                key, at = self._varint(at, end)
            wire = key & 7
            field = schema.get(key >> 3)
            if wire == _VARINT:
                if at < end and data[at] < 0x80:
                    value: Any = data[at]
                    at += 1
                else:
                    value, at = self._varint(at, end)
                    if value >= _SIGN:
                        value -= _NEGATIVE
                if field is None or field.kind not in ("", "b"):
                    self._unknown(found, key, value, field_begin)
                elif field.repeated:
                    found.setdefault(field.name, []).append(bool(value) if field.kind else value)
                else:
                    found[field.name] = bool(value) if field.kind else value
            elif wire == _LENGTH:
                if at < end and data[at] < 0x80:
                    size = data[at]
                    at += 1
                else:
                    size, at = self._varint(at, end)
                stop = at + size
                if stop > end:
                    raise DecodeError(f"a field of {size} bytes, and {end - at} are left", field_begin)
                if field is None:
                    self._unknown(found, key, data[at:stop].hex(), field_begin)
                else:
                    if is_action and field.name == "actions":
                        self._count(at, stop)
                    self._add(found, field, at, stop, depth)
                at = stop
            else:
                count = _FIXED.get(wire)
                if count is None or at + count > end:
                    raise DecodeError(f"no field of the wire type {wire} is here", field_begin)
                self._unknown(found, key, data[at : at + count].hex(), field_begin)
                at += count
        return found

    def _count(self, at: int, stop: int) -> None:
        """Note the offset of an action. Raises `DecodeError` if a round has too many."""
        self.offsets.append(at)
        if self.data.find(_DEAL, at, stop) >= 0:
            self.deals = len(self.offsets)
        if len(self.offsets) - self.deals > limits.current().events:
            raise DecodeError(limits.refusal("events"), at)

    def _add(self, found: Fields, field: Field, at: int, stop: int, depth: int) -> None:
        """Add a field of bytes, a text, a message, or packed numbers."""
        kind = field.kind
        value: Any
        if kind == "s":
            try:
                value = self.data[at:stop].decode()
            except UnicodeDecodeError:
                raise DecodeError(f"the text of {field.name} is not UTF-8", at) from None
        elif kind == "y":
            value = at, stop
        elif kind in ("", "b"):
            numbers = found.setdefault(field.name, [])
            if not field.repeated:
                raise DecodeError(f"{field.name} is a number, and bytes are here", at)
            while at < stop:
                number, at = self._varint(at, stop)
                number -= _NEGATIVE if number >= _SIGN else 0
                numbers.append(bool(number) if kind else number)
            return
        else:
            value = self.message(kind, at, stop, depth + 1)
        if field.repeated:
            found.setdefault(field.name, []).append(value)
        else:
            found[field.name] = value

    def _unknown(self, found: Fields, key: int, value: Any, offset: int) -> None:
        """Keep a field that the schema does not have, under its number: a number, or bytes in hex."""
        number = key >> 3
        if not 0 < number <= _MOST_NUMBER:
            raise DecodeError(f"{number} is no number of a field", offset)
        name = f"#{number}"
        if name in found:
            before = found[name]
            if isinstance(before, list):
                before.append(value)
            else:
                found[name] = [before, value]
        else:
            found[name] = value

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        value = shift = 0
        begin = at
        while at < end:
            byte = self.data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & (_NEGATIVE - 1), at
            shift += 7
            if shift > _MOST_SHIFT:
                break
        raise DecodeError("a number does not end", begin)
