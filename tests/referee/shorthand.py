"""Play in a few letters, where tiles do not matter: ``t0 d0 c10`` is a draw, a discard and a chi by 1 from 0."""

from collections.abc import Callable

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round

SHOWN = (("1m",) * 13,) * 4
HIDDEN = (("?",) * 13,) * 4
TILE = "9p"

#: What a letter is, of a player and of whom they call or win from.
LETTERS: dict[str, Callable[[int, int], ev.Event]] = {
    "t": lambda actor, _: ev.Draw(actor, TILE),
    "d": lambda actor, _: ev.Discard(actor, TILE, tsumogiri=True),
    "c": lambda actor, target: ev.Chi(actor, target, TILE, ("7p", "8p")),
    "p": lambda actor, target: ev.Pon(actor, target, TILE, (TILE,) * 2),
    "m": lambda actor, target: ev.Daiminkan(actor, target, TILE, (TILE,) * 3),
    "k": lambda actor, _: ev.Kakan(actor, TILE, (TILE,) * 3),
    "n": lambda actor, _: ev.Ankan(actor, (TILE,) * 4),
    "z": lambda actor, _: ev.Nukidora(actor, "N"),
    "f": lambda actor, _: ev.Nukidora(actor, "1f"),
    "x": lambda _, __: ev.Dora("1p"),
    "r": lambda actor, _: ev.Riichi(actor),
    "a": lambda actor, _: ev.RiichiAccepted(actor),
    "w": lambda actor, target: ev.Win(actor, target),
    "y": lambda _, __: ev.Ryukyoku(),
    "e": lambda _, __: ev.EndRound(),
}


def play(letters: str) -> list[ev.Event]:
    """Return the events of a round without its deal.

    >>> play("t0 p10")
    [Draw(actor=0, pai='9p'), Pon(actor=1, target=0, pai='9p', consumed=('9p', '9p'))]
    """
    found = []
    for word in letters.split():
        seats = [int(seat) for seat in word[1:]] or [0]
        found.append(LETTERS[word[0]](seats[0], seats[-1]))
    return found


def dealt(letters: str, *, oya: int = 0, hands: tuple[tuple[str, ...], ...] = SHOWN) -> Round:
    """Return a round of this play."""
    return Round([ev.StartRound(oya=oya, dora_marker="1s", tehais=hands), *play(letters)])


def game(*rounds: Round) -> Match:
    """Return a whole game of these rounds."""
    return Match(rounds=list(rounds), opening=[ev.StartGame()], closing=[ev.EndGame()])
