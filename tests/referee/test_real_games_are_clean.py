"""No finding on games as they were played: those of the engine, and real logs where there are any."""

from logs import Log, logs
from looped import looped
from mjconv.converters import formats, hub
from mjconv.ir.losses import Report
from mjconv.referee.referee import check
from trips import read, write

#: What is true of real logs: games that break off, and one that shows a swap call on purpose.
BREAKS_OFF = {"O009", "O010", "O011"}
#: And of games by rules that count some yakuman twice.
OTHER_RULES = {"R052"}
SWAP_CALL = {"mjai/original-dialect-kuikae.mjson": ["R016"]}


@looped("log", *(logs(4) + logs(3)), ids=str, every=2)
def test_a_game_that_was_played_is_right(log: Log) -> None:
    found = [finding for match in read(log.data, "mjai").matches for finding in check(match, pictures=True)]
    assert [finding.code for finding in found if finding.severity == "error"] == SWAP_CALL.get(str(log), [])
    assert {finding.code for finding in found if finding.severity == "warning"} <= BREAKS_OFF | OTHER_RULES


@looped("target", "jmjp", "uzje")
@looped("log", *logs(4)[::6], *logs(3)[:1], ids=str)
def test_a_game_stays_right_in_other_formats(log: Log, target: str) -> None:
    if target == "jmjp" and log.seats == 3:
        target = "uzje"
    form = formats.find(target)[0]
    there = write(read(log.data, "mjai").matches, target).data
    for match in hub.read_matches(form, there, Report(lenient=True)):
        assert [finding.code for finding in check(match) if finding.severity == "error"] == []
