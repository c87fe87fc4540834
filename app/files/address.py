"""Addresses such as ``s3://bucket/logs.zip``: recognise them, join them, and hide their secrets."""

import os
import re
from typing import Final

from mjconv.ir.errors import UsageError

_ADDRESS: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]+::)*[A-Za-z][A-Za-z0-9+.-]+://")
#: A user and password before a host. A password may have slashes; digits after a colon are a port.
_PASSWORD: Final = re.compile(r"(?<=://)[^/\s'\"@]*:(?!\d+(?:[/\s'\"]|$))[^\s'\"]*@")
#: A user, or a key, before a host. Addresses of Azure have a container there, which is no secret.
_USER: Final = re.compile(r"(?<=://)(?<!abfs://)(?<!abfss://)(?<!wasb://)(?<!wasbs://)[^/\s?#'\"@:]+@")
#: The parameters of an address, such as ``?X-Amz-Signature=...``. A pattern such as ``2024-0?.zip`` has none.
_PARAMETERS: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,32}://[^\s'\"?#]*)([?#])[^\s'\"]*=[^\s'\"]*")
_PATTERN: Final = re.compile(r"[*?[]")
_HIDDEN: Final = "***"


def is_address(name: str | bytes) -> bool:
    """Return whether a name is an address, and not a path on disk.

    >>> is_address("s3://logs/2024.zip"), is_address("logs/2024.zip"), is_address("C:/logs.zip")
    (True, False, False)
    """
    return _ADDRESS.match(name.decode("utf-8", "replace") if isinstance(name, bytes) else name) is not None


def check_address(address: str) -> None:
    """Raise `UsageError` for an address that mjconv does not read: a chain of protocols, or an archive of fsspec.

    mjconv reads zip and tar archives itself, with its own limits.
    """
    scheme = address.partition("://")[0].lower()
    if re.search(r"::[A-Za-z][A-Za-z0-9+.-]*://", address) or scheme in _ARCHIVES:
        reason = "is an address inside another: name the archive itself, such as s3://bucket/logs.zip"
        raise UsageError(reason, file=redacted(address))


_ARCHIVES: Final = frozenset({"zip", "tar", "libarchive", "simplecache", "filecache", "blockcache", "cached"})


def redacted(text: str) -> str:
    """Return a text in which addresses have no passwords and no parameters, for messages and reports.

    >>> redacted("ftp://me:secret@host/logs.zip"), redacted("https://host/logs.zip?token=secret")
    ('ftp://***@host/logs.zip', 'https://host/logs.zip?***')
    >>> redacted("s3://logs/2024-0?.zip"), redacted("abfs://container@account/logs")
    ('s3://logs/2024-0?.zip', 'abfs://container@account/logs')
    """
    if "://" not in text:
        return text
    return _PARAMETERS.sub(rf"\1\2{_HIDDEN}", _USER.sub(f"{_HIDDEN}@", _PASSWORD.sub(f"{_HIDDEN}@", text)))


def path_text(path: str | bytes) -> str:
    r"""Return a path as text: bytes that are not UTF-8 become escapes, and secrets of an address are hidden.

    >>> path_text(b"caf\xe9.mjson")
    'caf\\xe9.mjson'
    >>> path_text("ftp://me:secret@host/a.zip")
    'ftp://***@host/a.zip'
    """
    return redacted(os.fsencode(path).decode("utf-8", "backslashreplace"))


def has_secret(address: str) -> bool:
    """Return whether `redacted` hides a part of an address.

    >>> has_secret("ftp://me:secret@host/logs"), has_secret("s3://logs/2024")
    (True, False)
    """
    return redacted(address) != address


def joined(folder: str, name: str) -> str:
    """Return the address of a file in a folder.

    >>> joined("s3://logs/2024/", "may.zip")
    's3://logs/2024/may.zip'
    """
    return f"{folder.rstrip('/')}/{name}"


def last_part(address: str) -> str:
    """Return the name of a file or folder, without its parameters.

    >>> last_part("https://host/logs/2024.zip?token=secret"), last_part("s3://logs/2024/")
    ('2024.zip', '2024')
    """
    return _PARAMETERS.sub(r"\1", address).partition("://")[2].rstrip("/").rpartition("/")[2]


def has_pattern(address: str) -> bool:
    """Return whether an address is a pattern such as ``s3://logs/**/*.zip``.

    >>> has_pattern("s3://logs/*.zip"), has_pattern("https://host/logs.zip?token=secret")
    (True, False)
    """
    return _PATTERN.search(_PARAMETERS.sub(r"\1", address)) is not None


def is_hidden(name: str) -> bool:
    """Return whether a file, or a folder above it, has a name that begins with a dot.

    >>> is_hidden("day/.git/game.mjson"), is_hidden("../game.mjson")
    (True, False)
    """
    return any(part.startswith(".") and part.strip(".") for part in name.split("/"))
