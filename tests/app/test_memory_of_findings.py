"""The memory of findings: each keeps a short message and the part of its line that is shown."""

from __future__ import annotations

import mjconv
from mjconv.ir.errors import MOST_SHOWN, SHOWN, InputError, Place
from mjconv.ir.losses import Report


def test_a_finding_keeps_the_part_of_its_line_that_is_shown() -> None:
    rounds = ",".join(["[{}]"] * 2000)
    game = f'{{"title":"","player":["A","B","C","D"],"qijia":0,"log":[{rounds}]}}'
    found = mjconv.validate(game.encode(), format="majiang")
    kept = [finding.place for finding in found if finding.code == "S001" and finding.place is not None]
    assert len(kept) == 2000
    assert max(len(place.text) for place in kept) <= SHOWN + 1
    place = kept[1000]
    assert place.picture() == Place(1, place.column, game).picture()
    assert game[place.begin :].startswith(place.text)


def test_a_report_keeps_neither_long_messages_nor_tracebacks() -> None:
    report = Report(lenient=True)
    try:
        raise InputError("x" * 100_000, Place(1, 50_000, "y" * 100_000))
    except InputError as error:
        report.fault(error)
    report.warn("z" * 100_000)
    [fault], [warning] = report.faults, report.warnings
    assert fault.error.__traceback__ is None
    assert max(len(fault.error.message), len(warning.message)) == MOST_SHOWN + 1
