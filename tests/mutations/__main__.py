"""Print the rates: ``python -m mutations [--times N] [--only WORD] [--show]``, from the folder ``tests``."""

import argparse
import sys
from collections import Counter
from random import Random

from mutations.game import whole_games
from mutations.rates import outcome
from mutations.table import MUTATIONS


def main() -> int:
    """Break every log; give 1 where something was missed."""
    parser = argparse.ArgumentParser(prog="mutations", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="times that each game is broken in each way")
    parser.add_argument("--only", default="", help="mutations whose names have this in them")
    parser.add_argument("--seed", default="")
    parser.add_argument("--show", action="store_true", help="show each that was not found where it should be")
    given = parser.parse_args()
    games = [game for seats in (4, 3) for game in whole_games(seats)]
    every: Counter[str] = Counter()
    print(f"{'mutation':44} {'broken':>7} {'found':>7} {'elsewhere':>9} {'legal':>7} {'missed':>7}")
    for mutation in MUTATIONS:
        if given.only not in mutation.name:
            continue
        counted: Counter[str] = Counter()
        for name, game in games:
            for time in range(given.times):
                broken = mutation.make(game, Random(f"{given.seed} {mutation.name} {name} {time}"))
                if broken is None:
                    continue
                what, reported = outcome(mutation, game, broken)
                counted[what] += 1
                if given.show and what in ("elsewhere", "missed"):
                    shown = sorted(broken.at)
                    print(f"  {what}: {name} {time}: at {shown[0]}..{shown[-1]}, reported {reported[:4]}")
        every += counted
        print(_row(mutation.name, counted))
    print(_row("all", every))
    return 1 if every["missed"] else 0


def _row(name: str, counted: Counter[str]) -> str:
    numbers = [counted["found"], counted["elsewhere"], counted["legal"], counted["missed"]]
    return f"{name:44} {sum(numbers):7} {numbers[0]:7} {numbers[1]:9} {numbers[2]:7} {numbers[3]:7}"


if __name__ == "__main__":
    sys.exit(main())
