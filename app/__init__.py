r"""A converter hub for mahjong records: mjai, jmjp and more, both ways, every loss named.

>>> import pathlib, tempfile
>>> import mjconv
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> log = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
>>> _ = (folder / "game.mjson").write_text(log)
>>> match = mjconv.read(folder / "game.mjson")
>>> losses = mjconv.write(match, folder / "game.json")
>>> (folder / "game.json").read_text()
'{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mjconv.version import VERSION

if TYPE_CHECKING:
    from mjconv.api import MjconvWarning, iter_matches, iter_members, iter_records, read, read_all, write
    from mjconv.columns import to_arrow
    from mjconv.conversion import Conversion, convert
    from mjconv.converters.formats import FORMATS
    from mjconv.converters.interface import Format
    from mjconv.ir.errors import (
        InputError,
        LossError,
        MjconvError,
        Place,
        PlayError,
        UnsupportedError,
        UsageError,
        VerifyError,
    )
    from mjconv.ir.events import (
        Ankan,
        Chi,
        Daiminkan,
        Discard,
        Dora,
        Draw,
        EndGame,
        EndRound,
        ErrorMessage,
        Event,
        Hello,
        Join,
        Kakan,
        Nukidora,
        Pass,
        Pon,
        Riichi,
        RiichiAccepted,
        Ryukyoku,
        StartGame,
        StartRound,
        Win,
    )
    from mjconv.ir.losses import Loss, Report, Warn
    from mjconv.ir.match import Match, Round
    from mjconv.record import Record
    from mjconv.referee.findings import Finding
    from mjconv.rules.house import House
    from mjconv.score import hk_score, hk_score_files
    from mjconv.scoretable import Row, ScoreTable
    from mjconv.sources.members import Member
    from mjconv.storage.errors import StorageError
    from mjconv.train import Decision, decisions
    from mjconv.validation import RefereeError, check, validate
    from mjconv.viewer.show import View, view
    from mjconv.viewer.steps import Step, steps
else:
    #: The public names of each module, which is loaded at the first use of a name: imports are slow.
    _NAMES = {
        "mjconv.api": "MjconvWarning iter_matches iter_members iter_records read read_all write",
        "mjconv.columns": "to_arrow",
        "mjconv.conversion": "Conversion convert",
        "mjconv.converters.formats": "FORMATS",
        "mjconv.converters.interface": "Format",
        "mjconv.ir.errors": (
            "InputError LossError MjconvError Place PlayError UnsupportedError UsageError VerifyError"
        ),
        "mjconv.ir.events": (
            "Ankan Chi Daiminkan Discard Dora Draw EndGame EndRound ErrorMessage Event Hello "
            "Join Kakan Nukidora Pass Pon Riichi RiichiAccepted Ryukyoku StartGame StartRound "
            "Win"
        ),
        "mjconv.ir.losses": "Loss Report Warn",
        "mjconv.ir.match": "Match Round",
        "mjconv.record": "Record",
        "mjconv.referee.findings": "Finding",
        "mjconv.rules.house": "House",
        "mjconv.score": "hk_score hk_score_files",
        "mjconv.scoretable": "Row ScoreTable",
        "mjconv.sources.members": "Member",
        "mjconv.storage.errors": "StorageError",
        "mjconv.train": "Decision decisions",
        "mjconv.validation": "RefereeError check validate",
        "mjconv.viewer.show": "View view",
        "mjconv.viewer.steps": "Step steps",
    }
    _MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_MODULES[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})


__version__ = VERSION

__all__ = [
    "FORMATS",
    "VERSION",
    "Ankan",
    "Chi",
    "Conversion",
    "Daiminkan",
    "Decision",
    "Discard",
    "Dora",
    "Draw",
    "EndGame",
    "EndRound",
    "ErrorMessage",
    "Event",
    "Finding",
    "Format",
    "Hello",
    "House",
    "InputError",
    "Join",
    "Kakan",
    "Loss",
    "LossError",
    "Match",
    "Member",
    "MjconvError",
    "MjconvWarning",
    "Nukidora",
    "Pass",
    "Place",
    "PlayError",
    "Pon",
    "Record",
    "RefereeError",
    "Report",
    "Riichi",
    "RiichiAccepted",
    "Round",
    "Row",
    "Ryukyoku",
    "ScoreTable",
    "StartGame",
    "StartRound",
    "Step",
    "StorageError",
    "UnsupportedError",
    "UsageError",
    "VerifyError",
    "View",
    "Warn",
    "Win",
    "check",
    "convert",
    "decisions",
    "hk_score",
    "hk_score_files",
    "iter_matches",
    "iter_members",
    "iter_records",
    "read",
    "read_all",
    "steps",
    "to_arrow",
    "validate",
    "view",
    "write",
]
