"""Random games of Ùzje, of three, four or six players, by a player of their own: the text, and what happens in it.

Shares no code with the reader or the table. Who wins, wins by chance: neither Ùzje nor the table knows hands.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

SEATS = {3: "ESW", 4: "ESWN", 6: "EHSVWN"}
RANKS = "123456789xabcdef"
FLOWERS = "hijkopqr"
Message = dict[str, Any]


@dataclass
class Played:
    """A game: its text, with omissions drawn by lot, and what happens, as messages of the hub."""

    text: str
    events: list[Message]
    hands: list[list[str]]
    wall: list[str]


def wall_of(players: int, rng: Random) -> list[str]:
    """Shuffle a set: three suits of some ranks, winds full or compressed or both, zeros, flowers or none."""
    ranks = rng.choice([RANKS[:9], RANKS[8:], RANKS if players == 6 else "123ef"])
    winds = rng.choice(["ESWN", "HV", "ESWNHV"])
    kinds = [rank + suit for suit in "tsm" for rank in ranks] + list(winds + "CFP") + ["Z"]
    wall = [tile for tile in kinds for _ in range(4)] + list(FLOWERS if rng.random() < 0.7 else "")
    rng.shuffle(wall)
    return wall


def hub(word: str) -> str:
    if word in FLOWERS:
        return f"{FLOWERS.index(word) + 1}f"
    return word if len(word) == 1 else f"{RANKS.index(word[0]) + 1}{word[1].replace('t', 'p')}"


def rank_and_suit(word: str) -> tuple[int, str]:
    return (0, "") if word == "Z" else (RANKS.index(word[0]) + 1, word[1]) if len(word) == 2 else (-9, word)


class Game:
    """Plays one game and writes it down."""

    def __init__(self, seed: int, players: int, *, whole_wall: bool = True) -> None:
        self.rng = Random(f"{seed} {players}")
        self.players = players
        self.round = self.rng.randint(1, players)
        self.dealer = self.round - 1
        self.wall = wall_of(players, self.rng)
        self.front = 13 * players
        self.back = len(self.wall)
        self.whole_wall = whole_wall
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.pungs: list[list[str]] = [[] for _ in range(players)]
        self.events: list[Message] = []
        self.turns: list[str] = []

    def play(self, most_turns: int = 60) -> Played:
        left = self.wall[: self.front]
        for take in (4, 4, 4, 1):
            for place in range(self.players):
                self.hands[place] += left[:take]
                del left[:take]
        dealt = [[hub(tile) for tile in hand] for hand in self.hands]
        for place in range(self.players):
            while flower := next((tile for tile in self.hands[place] if tile in FLOWERS), None):
                self.aside(place, flower)
                self.take(place, self.from_back())
        self.go(most_turns)
        listed = self.wall
        if not self.whole_wall:
            listed = self.wall[: self.front] + self.wall[self.back :]
        text = f"E {self.round} 0 {self.players}\n{' '.join(listed)}\n{' '.join(self.turns)}\n"
        by_player = [dealt[(seat - self.dealer) % self.players] for seat in range(self.players)]
        return Played(text, self.events, by_player, [hub(tile) for tile in listed])

    def go(self, most_turns: int) -> None:
        place, moves = 0, self.draw(0)
        while moves is not None:
            if moves[-1] == "t":
                self.turn(place, moves)
                return
            tile = self.rng.choice(self.hands[place])
            self.discard(place, tile, moves)
            self.turn(place, moves)
            caller, call = self.call(place, tile)
            if call is None:
                place = (place + 1) % self.players
                moves = self.draw(place) if len(self.turns) < most_turns else None
            elif call == ["R"]:
                self.event("hora", caller, target=self.seat(place))
                self.turn(caller, call)
                return
            else:
                place, moves = caller, call
        self.event("ryukyoku")

    # What happens.

    def seat(self, place: int) -> int:
        return (place + self.dealer) % self.players

    def event(self, kind: str, place: int | None = None, **keys: Any) -> None:
        actor = {} if place is None else {"actor": self.seat(place)}
        self.events.append({"type": kind, **actor, **keys})

    def from_back(self) -> str:
        self.back -= 1
        return self.wall[self.back]

    def aside(self, place: int, tile: str) -> None:
        self.hands[place].remove(tile)
        self.event("nukidora", place, pai=hub(tile))

    def take(self, place: int, tile: str) -> None:
        self.hands[place].append(tile)
        self.event("tsumo", place, pai=hub(tile))
        self.drawn = tile
        if tile in FLOWERS and self.turns_begun:
            self.aside(place, tile)
            self.take(place, self.from_back())

    turns_begun = False
    drawn: str | None = None

    def draw(self, place: int) -> list[str] | None:
        """Draw, and make kongs or win, as chance has it; nothing where the wall could run out."""
        self.turns_begun = True
        if self.back - self.front < 12:
            return None
        self.front += 1
        self.take(place, self.wall[self.front - 1])
        return self.after_draw(place, ["?"])

    def after_draw(self, place: int, moves: list[str]) -> list[str]:
        hand = self.hands[place]
        while True:
            four = next((tile for tile in dict.fromkeys(hand) if hand.count(tile) == 4), None)
            fourth = next((tile for tile in self.pungs[place] if tile in hand), None)
            if self.players == 3 and "N" in hand and hand.count("N") < 4 and "N" not in self.pungs[place]:
                self.aside(place, "N")
                moves.append("KN")
            elif four is not None and not (four == "N" and self.players == 3):
                self.hands[place] = hand = [tile for tile in hand if tile != four]
                self.event("ankan", place, consumed=[hub(four)] * 4)
                moves.append(f"K{four}")
            elif fourth is not None and not (fourth == "N" and self.players == 3):
                hand.remove(fourth)
                self.pungs[place].remove(fourth)
                self.event("kakan", place, pai=hub(fourth), consumed=[hub(fourth)] * 3)
                moves.append(f"K{fourth}")
            else:
                break
            self.take(place, self.from_back())
            if self.rng.random() < 0.5:
                moves.append("?")
        if self.rng.random() < 0.01:
            self.event("hora", place, target=self.seat(place))
            moves.append("t")
        return moves

    def discard(self, place: int, tile: str, moves: list[str]) -> None:
        hand = self.hands[place]
        tsumogiri = tile == self.drawn and hand.count(tile) == 1
        hand.remove(tile)
        self.event("dahai", place, pai=hub(tile), tsumogiri=tsumogiri)
        moves.append(self.rng.choice([f"0{suit}" for suit in "tsm"]) if tile == "Z" and self.chance() else tile)
        self.drawn = None

    def call(self, place: int, tile: str) -> tuple[int, list[str] | None]:
        target = self.seat(place)
        for steps in range(1, self.players):
            caller = (place + steps) % self.players
            hand = self.hands[caller]
            if self.rng.random() < 0.003:
                return caller, ["R"]
            if hand.count(tile) == 3 and self.chance() and self.back - self.front > 12:
                self.hands[caller] = [other for other in hand if other != tile]
                self.event("daiminkan", caller, target=target, pai=hub(tile), consumed=[hub(tile)] * 3)
                self.take(caller, self.from_back())
                return caller, self.after_draw(caller, ["K", "?"] if self.chance() else ["K"])
            if hand.count(tile) >= 2 and self.chance():
                hand.remove(tile)
                hand.remove(tile)
                self.pungs[caller].append(tile)
                self.event("pon", caller, target=target, pai=hub(tile), consumed=[hub(tile)] * 2)
                return caller, ["P"]
        caller = (place + 1) % self.players
        runs = self.runs(self.hands[caller], tile)
        if runs and self.chance():
            own = self.rng.choice(runs)
            for part in own:
                self.hands[caller].remove(part)
            self.event("chi", caller, target=target, pai=hub(tile), consumed=[hub(part) for part in own])
            return caller, [self.chow(own, tile)]
        return -1, None

    def chance(self) -> bool:
        return self.rng.random() < 0.5

    def runs(self, hand: list[str], tile: str) -> list[tuple[str, str]]:
        found = []
        for a in dict.fromkeys(hand):
            for b in dict.fromkeys(hand):
                three = [rank_and_suit(word) for word in (tile, a, b)]
                ranks = sorted(rank for rank, _ in three)
                suits = {suit for _, suit in three} - {""}
                if len(suits) == 1 and ranks[0] >= 0 and [rank - ranks[0] for rank in ranks] == [0, 1, 2]:
                    found.append((a, b))
        return found

    def chow(self, own: tuple[str, str], tile: str) -> str:
        [suit] = {rank_and_suit(word)[1] for word in (tile, *own)} - {""}
        a, b = ("0" if word == "Z" else word[0] for word in own)
        return ("c" if self.chance() else "") + (f"{a}{b}{suit}" if self.chance() else f"{a}{suit}{b}{suit}")

    # How it is written.

    def turn(self, place: int, moves: list[str]) -> None:
        expected = self.next_place
        self.next_place = (place + 1) % self.players
        named = moves[0] in ("P", "K", "R") or place != expected or self.chance()
        if len(moves) == 2 and moves[0] == "?" and moves[1] != "t" and moves[1][0] != "K" and self.chance():
            moves = moves[1:]
        letter = SEATS[self.players][place] if named else ""
        self.turns.append(f"{self.rng.choice([0, len(self.turns) + 1])}.{letter}{','.join(moves)}")

    next_place = 0


def random_game(seed: int, players: int, *, whole_wall: bool = True, most_turns: int = 60) -> Played:
    """Play a game, the same one for the same arguments."""
    return Game(seed, players, whole_wall=whole_wall).play(most_turns)
