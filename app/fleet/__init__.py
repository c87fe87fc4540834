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

from mjconv.fleet.api import Fleet, Status, open_fleet, plan
from mjconv.fleet.convert import convert_shard
from mjconv.fleet.results import Done, Manifest, Part
from mjconv.fleet.shards import Shard

__all__ = ["Done", "Fleet", "Manifest", "Part", "Shard", "Status", "convert_shard", "open_fleet", "plan"]
