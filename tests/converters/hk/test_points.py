"""Points by the rules, scales for targets that hold whole numbers, and the page with the table of faan."""

from decimal import Decimal
from fractions import Fraction
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import UNSET

from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round, Rules
from mjconv.rules import succession
from mjconv.rules.hongkong_faan import PATTERNS
from mjconv.rules.hongkong_points import gains, multiplier, with_points

#: The standard's table: faan, half-spicy, spicy-spicy.
MULTIPLIERS = [
    (0, 1, 1), (1, 2, 2), (2, 4, 4), (3, 8, 8), (4, 16, 16), (5, 24, 32), (6, 32, 64), (7, 48, 128), (8, 64, 256),
    (9, 96, 512), (10, 128, 1024), (11, 192, 2048), (12, 256, 4096), (13, 384, 8192),
]  # fmt: skip


def hk(base: str = "1", **rules: Any) -> Rules:
    return Rules(base=Decimal(base), **rules)


def points(result: ev.Win | ev.Ryukyoku, rules: Rules) -> list[int]:
    return [int(number) for number in gains(result, rules) or ()]


def test_multipliers() -> None:
    for faan, half, spicy in MULTIPLIERS:
        assert (multiplier(faan, "half"), multiplier(faan, "spicy")) == (half, spicy)


def test_who_pays_what() -> None:
    for result, responsibility, expected in (
        (ev.Ryukyoku(), "full", "0 0 0 0"),
        (ev.Ryukyoku(reason="ryuukyoku"), "half", "0 0 0 0"),
        (ev.Ryukyoku(reason="chombo", actor=1), "full", "96 -288 96 96"),
        (ev.Ryukyoku(reason="chombo", actor=1), "half", "96 -288 96 96"),
        (ev.Win(0, target=0, fan=3), "full", "24 -8 -8 -8"),
        (ev.Win(0, target=0, fan=3), "half", "24 -8 -8 -8"),
        (ev.Win(0, target=2, fan=3), "full", "16 0 -16 0"),
        (ev.Win(0, target=2, fan=3), "half", "16 -4 -8 -4"),
        (ev.Win(0, fan=3, liable=2), "half", "16 0 -16 0"),
        (ev.Win(0, fan=3, liable=2), "full", "16 0 -16 0"),
        (ev.Win(0, target=0, fan=3, liable=2), "half", "24 0 -24 0"),
        (ev.Win(0, target=0, fan=3, liable=2), "full", "24 0 -24 0"),
        # Who discarded pays, whoever else is liable; nobody is liable for their own win.
        (ev.Win(0, target=3, fan=3, liable=2), "full", "16 0 0 -16"),
        (ev.Win(0, target=0, fan=3, liable=0), "full", "24 -8 -8 -8"),
        (ev.Win(0, target=2, fan=0), "half", "2 -1/2 -1 -1/2"),
    ):
        rules = hk(responsibility=responsibility, max_faan=6)
        assert gains(result, rules) == tuple(map(Fraction, expected.split())), result


def test_what_the_rules_leave_open_is_the_usual() -> None:
    assert points(ev.Ryukyoku(reason="chombo", actor=0), hk("2")) == [-9 * 768, *[3 * 768] * 3]
    assert points(ev.Win(0, target=1, fan=5), hk("0.5")) == [24, -24, 0, 0]
    assert points(ev.Ryukyoku(reason="chombo", actor=0), hk("2", max_faan=0)) == [-18, 6, 6, 6]


@looped(
    ("result", "rules"),
    (ev.Win(0, target=0, fan=3), Rules()),
    (ev.Win(0, target=0, fan=3), Rules(start=25000)),
    (ev.Win(0, target=0), hk()),
    (ev.Win(0, target=0, fan=10**9), hk()),
    *((ev.Win(0, target=0, fan=1), hk(base)) for base in ("Infinity", "1E+999999", "1E-999999")),
    (ev.Ryukyoku(reason="chombo"), hk()),
)
def test_points_that_are_not_known_are_absent(result: ev.Win | ev.Ryukyoku, rules: Rules) -> None:
    assert gains(result, rules) is None


class TestOfAMatch:
    def test_points_are_scaled_by_the_smallest_power_of_ten_that_makes_them_fit(self) -> None:
        """The half of a portion that blameless players pay included."""
        for base, step, scale in (
            ("1", 1, 1),
            ("0.5", 1, 10),
            ("0.5", 100, 1000),
            ("1", 100, 100),
            ("100", 100, 1),
            ("0.125", 1, 1000),
            ("50", 100, 10),
        ):
            match = Match(rounds=[Round([ev.Win(0, target=1, fan=1)])], rules=hk(base, responsibility="half"))
            scored, found = with_points(match, step)
            [win] = scored.rounds[0].select(ev.Win)
            assert found == scale, base
            assert win.deltas == tuple(int(Fraction(base) * scale * share) for share in (4, -2, -1, -1)), base

    def test_scores_begin_at_0_and_rules_of_a_round_win(self) -> None:
        results: list[ev.Event] = [ev.Win(0, 1, fan=1), ev.Ryukyoku(), ev.Ryukyoku("chombo", actor=2)]
        match = Match(rounds=[Round([one]) for one in results], rules=hk(max_faan=0))
        scored, _ = with_points(match)
        assert [deal.scores for deal in succession.starts(scored)] == [(0,) * 4, (4, -4, 0, 0), (4, -4, 0, 0)]
        assert match.rounds[0].events == [results[0]]
        # Rules of a round win over the match s.
        match = Match(rounds=[Round([ev.Win(0, target=1, fan=0)], rules=hk("7"))], rules=hk())
        assert with_points(match)[0].rounds[0].select(ev.Win)[0].deltas == (14, -14, 0, 0)

    @looped(
        "match",
        Match(rounds=[Round([ev.Win(0, target=1, fan=3)])]),
        Match(rounds=[Round([ev.Win(0, target=1, fan=3)])], rules=Rules(start=25000)),
        Match(rounds=[Round([ev.Win(0, target=1, fan=3, deltas=(1, -1, 0, 0))])], rules=hk()),
        Match(rounds=[Round([ev.StartRound(scores=(0,) * 4), ev.Win(0, target=1, fan=3)])], rules=hk()),
        Match(rounds=[Round([])], rules=hk()),
    )
    def test_other_rounds_stay_as_they_are(self, match: Match) -> None:
        scored, scale = with_points(match)
        assert scored is match
        assert scale == 1

    def test_after_a_round_without_values_the_scores_are_not_known(self) -> None:
        won = [ev.Win(0, target=1, fan=0)]
        match = Match(rounds=[Round(list(won)), Round([ev.Win(0, target=1)]), Round(list(won))], rules=hk())
        scored, _ = with_points(match)
        starts = [game_round.start for game_round in scored.rounds]
        assert [start and start.scores for start in starts] == [(0,) * 4, None, UNSET]
        assert scored.rounds[2].select(ev.Win)[0].deltas == (2, -2, 0, 0)


class TestNumbers:
    """How rounds without a name are numbered: by HK custom."""

    def labels(self, *results: ev.Win | ev.Ryukyoku) -> list[str]:
        match = Match(rounds=[Round([one]) for one in results], rules=hk())
        return [Round([deal]).label for deal in succession.starts(match)]

    def test_rounds_are_numbered_by_the_custom_of_hong_kong(self) -> None:
        results = ev.Win(0, 0), ev.Ryukyoku(), ev.Win(1, 0), ev.Win(1, 0), ev.Win(3, 1), ev.Ryukyoku()
        assert self.labels(*results) == ["E1-0", "E1-1", "E1-2", "E2-0", "E2-1", "E3-0"]
        winners = [(dealer + 1) % 4 for _ in range(4) for dealer in range(4)]
        found = self.labels(*(ev.Win(winner, target=winner) for winner in winners), ev.Ryukyoku(), ev.Ryukyoku())
        assert found == [*(f"{wind}{number}-0" for wind in "ESWN" for number in range(1, 5)), "E1-0", "E1-1"]


def rows(heading: str) -> list[list[str]]:
    lines = (Path(__file__).parents[3] / "docs" / "hk.md").read_text("utf-8").splitlines()
    table = takewhile(lambda line: line.startswith("|"), lines[lines.index(f"| {heading} |") + 2 :])
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_table_of_faan() -> None:
    shown = {
        (name, int(faan), frozenset(filter(None, taken.split(", "))))
        for name, faan, taken in rows("Pattern | Faan | Takes in")
    }
    assert shown == {(pattern.name, pattern.faan, frozenset(pattern.includes)) for pattern in PATTERNS}
