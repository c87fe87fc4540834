"""The file of a season: other names of players, teams, and the rules of points for all games.

uma 30 10 return 30      # settings as in club results: they replace those of every game of riichi
Ann = Anne, アン          # other names of a player
team Red = Ann, Ben
"""

from __future__ import annotations

import re
from collections.abc import Set
from datetime import date
from typing import Final

from msgspec import Struct, field

from mjconv.converters.shared.settings import WORDS, SettingError, Settings, plainly
from mjconv.converters.shared.standings import ScoredGame
from mjconv.ir.errors import InputError, Place
from mjconv.rules.scores import USUAL_START

_TEAM: Final = re.compile(r"(?:team|チーム|队|隊)\s+", re.IGNORECASE)


class Season(Struct):
    r"""The games, names and rules of a season. `settings` replace rules of games, by the number of players.

    Games from `since` to `until` count, both days included. Without `riichi`, games of riichi are refused, and
    with `revalue` all games count by Hong Kong rules.

    `players` maps other names to the name of their player, `teams` the name of a player to the team. With
    `by_team`, teams take the place of players, and players without a team have no row.

    >>> season = Season.of("Ann = Anne, アン\nteam Red = Ann")
    >>> season.named("アン"), season.named("Ben"), season.teams
    ('Ann', 'Ben', {'Ann': 'Red'})
    """

    settings: dict[int, Settings] = field(default_factory=dict)
    players: dict[str, str] = field(default_factory=dict)
    teams: dict[str, str] = field(default_factory=dict)
    by_team: bool = False
    since: date | None = None
    until: date | None = None
    riichi: bool = True
    revalue: bool = False

    @classmethod
    def of(cls, text: str) -> Season:
        """Read the text of a season. Raises `InputError` with the place."""
        season = cls()
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            code = line.partition("#")[0].strip()
            try:
                if code:
                    season._add(code)
            except SettingError as error:
                raise InputError(str(error), Place(number, 1, line)) from None
        return season

    def _add(self, code: str) -> None:
        first = re.match(r"[^\W\d_]*", plainly(code))
        team = _TEAM.match(code)
        if first is not None and first[0].casefold() in WORDS:
            line = Settings().after(code)
            for seats, own in zip(USUAL_START, (line.four or not line.three, line.three), strict=True):
                old = self.settings.get(seats, Settings())
                new = old.after(code)
                self.settings[seats] = new if own else old._replace(ties=new.ties, chombo=new.chombo)
                self.settings[seats].rules(seats)
            return
        name, sign, others = (code[team.end() :] if team else code).replace("＝", "=").partition("=")
        names = [each.strip() for each in re.split("[,、，;；]", others) if each.strip()]
        if not (sign and name.strip() and names):
            raise SettingError("expected a setting, or NAME = OTHER NAME, or team NAME = PLAYER, PLAYER")
        known = self.teams if team else self.players
        # The name of a player is one of the player's names: no other player has it.
        for other in names if team else [name.strip(), *names]:
            if known.get(other, name.strip()) != name.strip():
                raise SettingError(f"{other!r} belongs to {known[other]!r} already")
            known[other] = name.strip()

    def named(self, name: str) -> str | None:
        """Return the name under which the games of a player count; None if they do not count."""
        player = self.players.get(name, name)
        return self.teams.get(player) if self.by_team else player

    def renamed(self, game: ScoredGame) -> ScoredGame:
        """Return a game with the names of the season; players without a team have no points."""
        named = list(map(self.named, game.names))
        seats = [seat for seat, name in enumerate(named) if name is not None]
        units, places, chombo = ([each[seat] for seat in seats if each] for each in game[2:5])
        winners, blamed = ([new for new, seat in enumerate(seats) if seat in each] for each in game[5:])
        names = filter(None, named)
        return ScoredGame(game.day, *map(tuple, (names, units, places, chombo, winners, blamed)))  # type: ignore[arg-type]

    def missing(self, players: Set[str]) -> list[str]:
        """Return the names of the season that none of these players has, by the alphabet."""
        known = {self.players.get(name, name) for name in players}
        others = {other for other, name in self.players.items() if other != name and other not in players}
        return sorted(others | (self.teams.keys() - known))
