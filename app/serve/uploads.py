"""The files of a request, held in memory: bytes, a form, a pasted text or link, and the records of archives."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable
from itertools import count
from typing import Final, NamedTuple, TypeVar

from mjconv.files.address import is_address
from mjconv.files.members import SpecialFile
from mjconv.files.reading import SPREADSHEETS
from mjconv.files.sites import missing, site_of
from mjconv.files.storage import held, record_in, with_scheme
from mjconv.files.walk import members
from mjconv.ir import limits
from mjconv.ir.errors import InputError, MjconvError, UsageError, shortened

T = TypeVar("T")
#: Characters that some systems allow in no name of a file.
_NOT_IN_NAMES: Final = re.compile(r'[\x00-\x1f\x7f:*?"<>|]')
_LONGEST_NAME: Final = 200
#: The name of a file that was sent without one.
_UNNAMED: Final = "upload"
#: The longest text that may be an id, or a link without its record.
_LONGEST_LINK: Final = 4096
_BOUNDARY: Final = re.compile(r'multipart/form-data;.*boundary="?([^";]{1,200})', re.IGNORECASE)
_FIELD: Final = re.compile(rb'\bname="([^"]*)"(?:.*\bfilename="([^"]*)")?', re.IGNORECASE)


class RequestFiles(NamedTuple):
    """The files of a request: the names of readable files, and the errors of the others."""

    names: list[str]
    failed: dict[str, MjconvError | OSError]

    def each(self, do: Callable[[str], T]) -> dict[str, T]:
        """Return the value of each file; an error of a file is added to `failed`. Raises the first if all fail."""
        done: dict[str, T] = {}
        for name in self.names:
            try:
                done[name] = do(name)
            except (MjconvError, OSError) as error:
                self.failed[name] = error
        if not done:
            self.whole()
        return done

    def whole(self) -> list[str]:
        """Return the names. Raises the error of a file that cannot be read: sums would be without it."""
        for error in self.failed.values():
            raise error
        return self.names

    def only(self, name: str) -> RequestFiles:
        """Return one of the files. Raises its error if it cannot be read, and `UsageError` if it was not sent."""
        if name in self.failed:
            raise self.failed[name]
        if name not in self.names:
            raise UsageError(f"there is no file {shortened(name)!r}: {', '.join(self.names)}")
        return RequestFiles([name], {})

    def keep(self, name: str, data: bytes) -> str:
        """Hold a file, and return its name: a path that leaves no folder, of no other file of the request."""
        parts = [part for part in re.split(r"[/\\]+", _NOT_IN_NAMES.sub("_", name)) if part.strip(". ")]
        kept = short = "/".join(parts)[-_LONGEST_NAME:].lstrip("-/ ") or _UNNAMED
        numbers = count(2)
        while kept in held:
            stem, ending = os.path.splitext(short)
            kept = f"{stem} ({next(numbers)}){ending}"
        held[kept] = data
        if len(held) > limits.current().archive_members:
            raise limits.LimitError("archive_members")
        if sum(map(len, held.values())) > limits.current().unpacked_bytes:
            raise limits.LimitError("unpacked_bytes", file=kept)
        self.names.append(kept)
        return kept


def hold(body: bytes, kind: str, name: str, fields: dict[str, str]) -> RequestFiles:
    """Hold the files of a request in memory; those of a form, whose other fields are put into `fields`.

    `kind` is the type of the body: a form, or anything else for the bytes of one file, of this `name`. Records of
    archives become files. Raises `InputError`, and `UsageError` for an address.
    """
    files, boundary = RequestFiles([], {}), _BOUNDARY.match(kind)
    for own, data in _form(body, boundary[1].encode(), fields) if boundary else [(name, body)]:
        try:
            data = _linked(data)
        except MjconvError as error:
            files.failed[own or _UNNAMED] = error
            continue
        kept, before = files.keep(own, data), len(files.names) + len(files.failed)
        alone = kept.lower().endswith(SPREADSHEETS)
        for member in members([] if alone else [kept]):
            if alone := member.alone:
                break
            try:
                data = b"" if isinstance(member.piece, SpecialFile) else member.read()
                if data and member.is_record(data):
                    files.keep(member.name, data)
            except (MjconvError, OSError) as error:
                files.failed[member.name] = error
        if not alone:
            # An archive itself is no file of the request.
            if len(files.names) + len(files.failed) == before:
                files.failed[kept] = InputError("there is no record in it", file=kept)
            files.names.remove(kept)
    if not files.names and not files.failed:
        raise InputError("no file was sent")
    return files


def _linked(data: bytes) -> bytes:
    """Return the record that a link holds, and other data as it is. Raises an error for a link without record."""
    text = data.decode("utf-8", "replace").strip()
    link = text if "\n" in text else with_scheme(text)
    named = len(text) < _LONGEST_LINK and site_of(text)
    if not named and ("\n" in text or not is_address(link)):
        return data
    if (record := record_in(link)) is not None:
        return record
    raise missing(link) if named else UsageError("this is an address, and the server opens none: send the file")


def _form(body: bytes, boundary: bytes, fields: dict[str, str]) -> list[tuple[str, bytes]]:
    """Return the name and the bytes of each file of a form.

    A page without a script holds the files of its last request. They count if the form has no others.
    """
    sent, again = list[tuple[str, bytes]](), list[tuple[str, bytes]]()
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary)[1:]:
        head, _, data = part.partition(b"\r\n\r\n")
        if (field := _FIELD.search(head)) is None:
            continue
        key, text = field[1].decode("utf-8", "replace"), data.decode("utf-8", "replace")
        if field[2] is not None:
            sent += [(field[2].decode("utf-8", "replace"), data)] if field[2] or data else []
        elif key in ("text", "file"):
            sent += [("pasted", text.replace("\r\n", "\n").encode())] if text.strip() else []
        elif key == "held":
            name, _, packed = text.partition(":")
            again.append((name, base64.b64decode(packed)))
        else:
            fields[key] = text
    return sent or again
