r"""Convert archives on many machines: a plan of shards, a pure function for each, and a manifest at the end.

>>> import pathlib, tempfile
>>> from mjconv import fleet
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> log = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
>>> _ = (folder / "1.mjson").write_text(log), (folder / "2.mjson").write_text(log * 2)
>>> run = fleet.plan(folder, folder / "run", target="jmjp")
>>> done = [fleet.convert_shard(shard) for shard in run.shards()]
>>> [(part.path == done[0].parts[0].path, part.matches) for part in run.finish().parts]
[(True, 3)]
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mjconv.fleet.api import Fleet, Status, open_fleet, plan
    from mjconv.fleet.convert import convert_shard
    from mjconv.fleet.results import Done, Manifest, Part
    from mjconv.fleet.shards import Shard
else:
    #: The module of each public name, loaded at the first use of the name, because the command needs few of them.
    _MODULES = {
        **dict.fromkeys(("Fleet", "Status", "open_fleet", "plan"), "mjconv.fleet.api"),
        **dict.fromkeys(("Done", "Manifest", "Part"), "mjconv.fleet.results"),
        "Shard": "mjconv.fleet.shards",
        "convert_shard": "mjconv.fleet.convert",
    }

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_MODULES[name]), name)
        return value


__all__ = ["Done", "Fleet", "Manifest", "Part", "Shard", "Status", "convert_shard", "open_fleet", "plan"]
