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

from mjconv.version import VERSION as VERSION

if TYPE_CHECKING:
    # Type checkers take a name that is imported as itself for a public one.
    from mjconv.api import MjconvWarning as MjconvWarning
    from mjconv.api import facts as facts
    from mjconv.api import iter_matches as iter_matches
    from mjconv.api import iter_members as iter_members
    from mjconv.api import iter_records as iter_records
    from mjconv.api import read as read
    from mjconv.api import read_all as read_all
    from mjconv.api import write as write
    from mjconv.api import write_bytes as write_bytes
    from mjconv.archive.facts import Facts as Facts
    from mjconv.columns import to_arrow as to_arrow
    from mjconv.conversion import Conversion as Conversion
    from mjconv.conversion import convert as convert
    from mjconv.converters.formats import FORMATS as FORMATS
    from mjconv.converters.formats import formats as formats
    from mjconv.converters.interface import Format as Format
    from mjconv.files.members import Member as Member
    from mjconv.files.remote import StorageError as StorageError
    from mjconv.ir.errors import InputError as InputError
    from mjconv.ir.errors import LossError as LossError
    from mjconv.ir.errors import MissingFileError as MissingFileError
    from mjconv.ir.errors import MjconvError as MjconvError
    from mjconv.ir.errors import Place as Place
    from mjconv.ir.errors import PlayError as PlayError
    from mjconv.ir.errors import UnsupportedError as UnsupportedError
    from mjconv.ir.errors import UsageError as UsageError
    from mjconv.ir.errors import VerifyError as VerifyError
    from mjconv.ir.events import Ankan as Ankan
    from mjconv.ir.events import Chi as Chi
    from mjconv.ir.events import Daiminkan as Daiminkan
    from mjconv.ir.events import Discard as Discard
    from mjconv.ir.events import Dora as Dora
    from mjconv.ir.events import Draw as Draw
    from mjconv.ir.events import EndGame as EndGame
    from mjconv.ir.events import EndRound as EndRound
    from mjconv.ir.events import ErrorMessage as ErrorMessage
    from mjconv.ir.events import Event as Event
    from mjconv.ir.events import Hello as Hello
    from mjconv.ir.events import Join as Join
    from mjconv.ir.events import Kakan as Kakan
    from mjconv.ir.events import Nukidora as Nukidora
    from mjconv.ir.events import Pass as Pass
    from mjconv.ir.events import Pon as Pon
    from mjconv.ir.events import Riichi as Riichi
    from mjconv.ir.events import RiichiAccepted as RiichiAccepted
    from mjconv.ir.events import Ryukyoku as Ryukyoku
    from mjconv.ir.events import StartGame as StartGame
    from mjconv.ir.events import StartRound as StartRound
    from mjconv.ir.events import Win as Win
    from mjconv.ir.losses import Loss as Loss
    from mjconv.ir.losses import Report as Report
    from mjconv.ir.losses import Warn as Warn
    from mjconv.ir.match import Answer as Answer
    from mjconv.ir.match import House as House
    from mjconv.ir.match import Match as Match
    from mjconv.ir.match import Round as Round
    from mjconv.pseudonyms import anonymous as anonymous
    from mjconv.referee.findings import Finding as Finding
    from mjconv.reviewer.bot import Bot as Bot
    from mjconv.reviewer.play import Review as Review
    from mjconv.reviewer.play import review as review
    from mjconv.score.player_stats import stats as stats
    from mjconv.score.score import hk_score as hk_score
    from mjconv.score.score import hk_score_files as hk_score_files
    from mjconv.score.table import Grid as Grid
    from mjconv.score.table import Row as Row
    from mjconv.score.table import ScoreTable as ScoreTable
    from mjconv.source import Record as Record
    from mjconv.train import Decision as Decision
    from mjconv.train import decisions as decisions
    from mjconv.validation.check import RefereeError as RefereeError
    from mjconv.validation.check import check as check
    from mjconv.validation.check import validate as validate
    from mjconv.viewer.show import View as View
    from mjconv.viewer.show import view as view
    from mjconv.viewer.steps import Step as Step
    from mjconv.viewer.steps import steps as steps
else:
    #: The module of each public name, by the lines above. The first use of a name loads it: imports are slow.
    _MODULES = {
        words[-1]: words[1]
        for words in map(str.split, __spec__.loader.get_data(__file__).decode().splitlines())
        if words[:1] == ["from"] and words[4:5] == ["as"]
    }

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_MODULES[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})

    __all__ = sorted(_MODULES)

__version__ = VERSION
