"""Links to records on the servers of sites, and ids of records, in the place of a file: mjconv fetches none."""

import re
from typing import Final

from mjconv.files.address import redacted
from mjconv.ir.errors import MissingFileError

#: The links and the ids of the records of each site.
_RECORDS: Final = {
    "Tenhou": r"(?:https?://)?tenhou\.net/\d+/\?.*|20\d{8}gm-[0-9a-f]{4}-\d{4,6}-[0-9a-fx]{8,64}",
    "Mahjong Soul": (
        r"(?:https?://)?[\w.-]*(?:mahjongsoul|maj-soul|majsoul)[\w.-]*/.*"
        r"|\d{6}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:_a\d+)?(?:_\d)?"
    ),
    "Riichi City": r"(?:https?://)?[\w.-]*(?:mahjong-jp|riichicity)[\w.-]*/.*|(?=.*\d)[0-9a-v]{20}",
}


def missing(name: str) -> MissingFileError:
    """Return the error for an input that is no file. It explains links and ids of sites.

    >>> str(missing("2021030415gm-00a9-0000-0a1b2c3d"))[:76]
    '2021030415gm-00a9-0000-0a1b2c3d: is a record on the server of Tenhou. mjconv'
    """
    site = site_of(name)
    if site is None:
        return MissingFileError(redacted(name))
    return MissingFileError(
        redacted(name),
        f"is a record on the server of {site}. mjconv fetches nothing from there; docs/get-records.md explains "
        "how people get the file",
    )


def site_of(name: str) -> str | None:
    """Return the site that a link or an id names a record of; None for another name.

    >>> site_of("https://mahjongsoul.game.yo-star.com/?paipu=x"), site_of("s3://logs/2024.zip")
    ('Mahjong Soul', None)
    """
    return next((site for site, form in _RECORDS.items() if re.fullmatch(form, name, re.IGNORECASE)), None)
