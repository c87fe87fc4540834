"""Reads the commands of one round: its events, and the command of each."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, structs

from mjconv.converters.mleague.results import Agari, read_agari, read_draw
from mjconv.converters.mleague.vocabulary import PLAYERS, SEAT_OF, TILE_OF, spell_tile, tiles_of
from mjconv.converters.shared.json_values import Path, WrongValueError, check_number, shown
from mjconv.converters.shared.winning_hands import misnamed
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import Proposal
from mjconv.ir.illegal import fill_gaps
from mjconv.ir.match import Annotation, Round
from mjconv.ir.play import Play, keep_play
from mjconv.ir.table import DISCARDED, DRAWN, RIICHI_ACCEPTED, RIICHI_DECLARED, Table
from mjconv.ir.tiles import COPIES, DORA_OF, HAND, HIDDEN, INDICATOR_OF, WINDS, Tile, plain
from mjconv.rules.scores import RIICHI_STICK

_FOUR: Final = 4
_MOST_HONBA: Final = 9999
_MOST_STICKS: Final = 99_000
_POINTS: Final = re.compile(r"=?[+-]?[0-9]{1,7}", re.ASCII)
_RIICHI: Final = "richi"
_TSUMOGIRI: Final = "tsumogiri"
#: The points that the command of a riichi stick states.
_STAKE: Final = "-1000"
#: What a player announces. A draw, a call or a win is announced before its tiles are shown.
_WINS: Final = frozenset({"ron", "tsumo"})
_ANNOUNCED: Final = frozenset({"chi", "pon", "kan", _RIICHI, "tenpai", "noten", *_WINS})
#: The commands that follow the deal. A dora may be one, too.
_PLAY: Final = frozenset({"tsumo", "sutehai", "richi", "open", "agari", "ryukyoku"})
#: The calls of a discard, by their announcements.
_CALLS: Final[Mapping[str, Callable[..., ev.Event]]] = {"chi": ev.Chi, "pon": ev.Pon, "kan": ev.Daiminkan}
#: The index of the argument that a key of an event is about, by the kind of event.
_ARGUMENTS: Final = catalogue(__name__, "arguments.json", dict[str, dict[str, int]])


class ImpossibleError(WrongValueError):
    """Play that cannot happen, or points that do not add up: a strict reader refuses it, the referee finds it."""


class RecordCommand(msgspec.Struct, frozen=True):
    """One command of a record: all its values are texts."""

    time: str = ""
    id: str = ""
    cmd: str = ""
    args: list[str] = []


#: Reports a mistake after which the reader reads on, also if it is strict and mends: the error, the index of the
#: command, the event of the round, and the proposal to mend it.
ReportFault: TypeAlias = Callable[[WrongValueError, int, int, Proposal | None], None]


class RoundReader:
    """Reads the commands of a round one by one.

    `strict` refuses, as a wrong value, play that cannot happen, and a fifth tile of a kind.
    """

    def __init__(self, commands: Sequence[RecordCommand], fault: ReportFault, *, strict: bool) -> None:
        self.commands = commands
        self.fault = fault
        self.strict = strict
        self.start = ev.StartRound()
        self.events: list[ev.Event] = []
        #: The index of the command of each event.
        self.origins: list[int] = []
        #: The tiles dealt to each player, and the index of the last command that deals some, by seat.
        self.dealt: list[list[Tile]] = [[] for _ in PLAYERS]
        self.dealt_at: dict[int, int] = {}
        self.copies: dict[Tile, int] = {}
        self.play = Play(self.start)
        self.begin = 0
        #: The points at the deal and the changes after the result, by seat; and the index of the command of each.
        self.before: dict[int, int] = {}
        self.changes: dict[int, int] = {}
        self.before_at: dict[int, int] = {}
        self.changes_at: dict[int, int] = {}
        #: The hands that were shown, and who announced to be tenpai or noten at a draw.
        self.shown: dict[int, tuple[Tile, ...]] = {}
        self.ready: dict[int, bool] = {}
        #: Who announced a win, and by which word: ron or tsumo. Of several who announce a ron, one wins.
        self.announced: list[tuple[int, str]] = []
        self.ura: list[Tile] | None = None
        self.agari: list[tuple[int, Agari]] = []
        #: The index of the command of the last result; below zero without one.
        self.result_at = -1

    def read(self, index: int) -> None:
        """Read the command with this index. Raises `WrongValueError` for a command that cannot be read."""
        command = self.commands[index]
        read = _READERS.get(command.cmd)
        if read is None:
            raise WrongValueError(f"the command {shown(command.cmd)} is not known", ("cmd",))
        if command.cmd in _PLAY:
            self._deal_done(index)
        read(self, index, command.args)
        self.origins += [index] * (len(self.events) - len(self.origins))

    def _add(self, event: ev.Event) -> None:
        self.events.append(event)
        self.play.follow(self.events)
        for _, error in self.play.impossible if self.strict else ():
            sentence = fill_gaps(error.sentence, error.about, PLAYERS.__getitem__, spell_tile, str)
            raise ImpossibleError(sentence, ("args",))

    def _seat(self, args: Sequence[str]) -> int:
        text = args[0] if args else ""
        if text not in SEAT_OF:
            raise WrongValueError(f"expected a player from A0 to D0, not {shown(text)}", ("args", 0))
        return SEAT_OF[text]

    def _tile(self, index: int, args: Sequence[str], position: int, marked: Tile = HIDDEN) -> Tile:
        """Return the tile of an argument. One that is missing or not known is a fault, and the `marked` tile."""
        text = args[position] if position < len(args) else ""
        tile = TILE_OF.get(text)
        if tile is None:
            proposal = None if marked == HIDDEN else Proposal(text, spell_tile(marked), "the mark tsumogiri")
            self._remark(index, WrongValueError(_no_tile(text), ("args", position)), proposal)
        return tile or marked

    def _count(self, tile: Tile) -> None:
        """Count a tile of the wall. Raises `WrongValueError` for a fifth one in a strict reader."""
        kind = plain(tile)
        self.copies[kind] = self.copies.get(kind, 0) + 1
        if self.strict and tile != HIDDEN and self.copies[kind] > COPIES:
            raise ImpossibleError(f"this is a fifth {spell_tile(kind)}", ("args",))

    # The deal.

    def _round(self, index: int, args: Sequence[str]) -> None:
        self.begin = index
        if len(args) < 5:
            raise WrongValueError("expected the dealer, the honba, the sticks and the round wind", ("args",))
        oya = self._seat(args[1:])
        wind = TILE_OF.get(args[4])
        if wind not in WINDS:
            raise WrongValueError(f"the round wind is {shown(args[4])}: expected 1z to 4z", ("args", 4))
        honba = _number(args, 2, "a number of honba", _MOST_HONBA)
        sticks, rest = divmod(_number(args, 3, "the points of riichi sticks", _MOST_STICKS), RIICHI_STICK)
        if rest:
            raise WrongValueError(f"the riichi sticks are {args[3]} points: expected whole thousands", ("args", 3))
        self.start = ev.StartRound(bakaze=wind, kyoku=oya + 1, honba=honba, kyotaku=sticks, oya=oya)

    def _point(self, index: int, args: Sequence[str]) -> None:
        seat, text = self._seat(args), args[1] if len(args) > 1 else ""
        if not _POINTS.fullmatch(text):
            raise WrongValueError(f"expected points such as =25000 or +5900, not {shown(text)}", ("args", 1))
        if text.startswith("="):
            self.before[seat], self.before_at[seat] = int(text[1:]), index
        else:
            self.changes[seat], self.changes_at[seat] = int(text), index

    def _dora(self, index: int, args: Sequence[str]) -> None:
        indicator = self._indicator(index, args, "dora")
        self._count(indicator)
        if self.start.dora_marker is UNSET:
            self.start = structs.replace(self.start, dora_marker=indicator)
        else:
            self._deal_done(index)
            self._add(ev.Dora(indicator))

    def _indicator(self, index: int, args: Sequence[str], name: str) -> Tile:
        """Return the indicator of a pair of dora and indicator. Pairs that do not fit are a fault."""
        texts = [*args[:2], "", ""][:2]
        dora, indicator = map(TILE_OF.get, texts)
        if indicator is not None and dora is not None and DORA_OF[indicator] == plain(dora):
            return indicator
        proposal = None
        if indicator is None:
            position, message, reason = 1, _no_tile(texts[1]), f"the {name} is {texts[0]}"
            right = HIDDEN if dora is None else INDICATOR_OF[plain(dora)]
        else:
            position, message, reason = 0, _no_tile(texts[0]), f"the indicator is {texts[1]}"
            right = DORA_OF[indicator]
            if dora is not None:
                message = f"the {name} of the indicator {texts[1]} is {spell_tile(right)}, not {texts[0]}"
        # The dora states its indicator, but not whether that is a red five.
        if right != HIDDEN and (position == 0 or right[0] != "5"):
            proposal = Proposal(texts[position], spell_tile(right), reason)
        self._remark(index, WrongValueError(message, ("args", position)), proposal)
        return indicator or right

    def _haipai(self, index: int, args: Sequence[str]) -> None:
        seat = self._seat(args)
        text = args[1] if len(args) > 1 else ""
        if self.events:
            raise WrongValueError("tiles are dealt after the play began", ("args", 1))
        self.dealt_at[seat] = index
        for begin in range(0, len(text), 2):
            piece = text[begin : begin + 2]
            tile = TILE_OF.get(piece)
            if tile is None:
                self.fault(WrongValueError(_no_tile(piece), ("args", 1)), index, 0, None)
            else:
                self._count(tile)
            self.dealt[seat].append(tile or HIDDEN)

    def _deal_done(self, index: int) -> None:
        """Begin the play: the deal is the first event."""
        if self.events:
            return
        lacking = [name for name, seat in SEAT_OF.items() if seat not in self.before]
        if lacking:
            error = WrongValueError(f"the deal lacks the points of {', '.join(lacking)}")
            self.fault(error, self.begin, 0, None)
        for seat, tiles in enumerate(self.dealt):
            if len(tiles) != HAND:
                message = f"{PLAYERS[seat]} is dealt {len(tiles)} tiles: expected {HAND}"
                at = self.dealt_at.get(seat, index)
                self.fault(WrongValueError(message, ("args", 1)), at, 0, None)
        if self.start.dora_marker is UNSET:
            self.fault(WrongValueError("the deal lacks the dora"), self.begin, 0, None)
        self._dealt(dora_marker=self.start.dora_marker or HIDDEN, tehais=self._hands())

    def finish(self) -> None:
        """Keep the deal of a record that breaks off in it. The tiles that it lacks are hidden."""
        if any(len(tiles) > HAND for tiles in self.dealt):
            self._deal_done(self.begin)
        elif self.start.oya is not UNSET and not self.events:
            self._dealt(tehais=self._hands() if any(self.dealt) else UNSET)

    def _hands(self) -> tuple[tuple[Tile, ...], ...]:
        return tuple([(*tiles, *(HIDDEN,) * (HAND - len(tiles))) for tiles in self.dealt])

    def _dealt(self, **values: Any) -> None:
        self.start = structs.replace(self.start, **values)
        self.events.append(self.start)
        self.origins.append(self.begin)
        self.play = Play(self.start)

    # The play.

    def _draw(self, index: int, args: Sequence[str]) -> None:
        tile = self._tile(index, args, 2)
        self._count(tile)
        self._add(ev.Draw(self._seat(args), tile))

    def _discard(self, index: int, args: Sequence[str]) -> None:
        seat, marks = self._seat(args), args[2:]
        for position, mark in enumerate(marks, 2):
            if mark not in (_TSUMOGIRI, _RIICHI, ""):
                message = f"{shown(mark)} is no mark of a discard: expected tsumogiri or richi"
                self._remark(index, WrongValueError(message, ("args", position)))
        self._riichi(seat, index, marked=_RIICHI in marks)
        tsumogiri = _TSUMOGIRI in marks
        tile = self._tile(index, args, 1, (self.table.drawn if tsumogiri else None) or HIDDEN)
        self._add(ev.Discard(seat, tile, tsumogiri=tsumogiri))
        if self.table.riichi[seat] == RIICHI_DECLARED and not self._decided(index, seat):
            self._add(ev.RiichiAccepted(seat))

    def _riichi(self, seat: int, index: int, *, marked: bool) -> None:
        """Declare a riichi before a discard, by any of its three marks. A mark that is missing is a fault."""
        said = self._said(index - 1, seat) == _RIICHI
        staked = self._is(index + 1, "richi", seat)
        if not (said or marked or staked) or (self.table.riichi[seat] and not said):
            return
        self._add(ev.Riichi(seat))
        self.origins += [index - 1 if said else index] * (len(self.events) - len(self.origins))
        marks = {
            "its announcement": said,
            "the mark richi of this discard": marked,
            "its stick, the command richi": self._decided(index, seat),
        }
        missing = [name for name, there in marks.items() if not there]
        if missing:
            error = WrongValueError(f"the riichi of {PLAYERS[seat]} lacks {' and '.join(missing)}", ("args",))
            proposal = Proposal("", _RIICHI, "the other marks of this riichi") if len(missing) == 1 else None
            self._remark(index, error, proposal)

    def _decided(self, index: int, seat: int) -> bool:
        """Return whether the record states what becomes of the riichi of a discard: its stick, or a ron."""
        following = self._command(index + 1)
        return self._is(index + 1, "richi", seat) or (following.cmd == "say" and following.args[1:2] == ["ron"])

    def _is(self, index: int, cmd: str, seat: int) -> bool:
        command = self._command(index)
        return command.cmd == cmd and command.args[:1] == [PLAYERS[seat]]

    def _command(self, index: int) -> RecordCommand:
        """Return the command with an index, or an empty one."""
        return self.commands[index] if 0 <= index < len(self.commands) else RecordCommand()

    def _said(self, index: int, seat: int) -> str:
        """Return what a player announces in the command with an index; an empty text for nothing."""
        return "".join(self.commands[index].args[1:2]) if self._is(index, "say", seat) else ""

    def _stake(self, index: int, args: Sequence[str]) -> None:
        seat, paid = self._seat(args), args[1] if len(args) > 1 else _STAKE
        if paid != _STAKE:
            error = WrongValueError(f"a riichi stick moves {shown(paid)} points: expected {_STAKE}", ("args", 1))
            self._remark(index, error, Proposal(paid, _STAKE, "the points of a riichi stick"))
        if not self.table.riichi[seat]:
            raise WrongValueError(f"{PLAYERS[seat]} pays a riichi stick without a riichi", ("args",))
        self._add(ev.RiichiAccepted(seat))

    def _say(self, index: int, args: Sequence[str]) -> None:  # noqa: ARG002 - all readers take the index
        seat, word = self._seat(args), args[1] if len(args) > 1 else ""
        if word in ("tenpai", "noten"):
            self.ready[seat] = word == "tenpai"
        elif word in _WINS:
            self.announced.append((seat, word))
        elif word not in _ANNOUNCED:
            raise WrongValueError(f"{shown(word)} is no announcement of riichi mahjong", ("args", 1))

    def _open(self, index: int, args: Sequence[str]) -> None:
        seat = self._seat(args)
        said = self._said(index - 1, seat)
        if said in _CALLS:
            self._call(seat, said, index, args)
        elif len(args) < 2:
            raise WrongValueError("expected the tiles of a hand", ("args",))
        else:
            self.shown[seat] = _tiles(args, 1)

    def _call(self, seat: int, said: str, index: int, args: Sequence[str]) -> None:
        own = _tiles(args, 1)
        table, target = self.table, self.table.last_actor
        if said == "kan" and len(args) == 2:
            if len(own) != _FOUR:
                raise WrongValueError(f"a concealed kan of {len(own)} tiles: expected four", ("args", 1))
            self._add(ev.Ankan(seat, own))
            return
        expected = 3 if said == "kan" else 2
        if len(own) != expected:
            raise WrongValueError(f"a {said} with {len(own)} tiles of the hand: expected {expected}", ("args", 1))
        tile = self._tile(index, args, 2)
        if said == "kan" and table.phase is DRAWN and table.turn == seat:
            self._add(ev.Kakan(seat, tile, own))
            return
        if table.phase is not DISCARDED or target < 0:
            raise WrongValueError(f"{PLAYERS[seat]} calls {said}, and no tile was discarded", ("args",))
        self._add(_CALLS[said](seat, target, tile, own))

    # The result.

    def _uradora(self, index: int, args: Sequence[str]) -> None:
        self.ura = self.ura or []
        if any(args[:2]):
            self.ura.append(self._indicator(index, args, "ura dora"))

    def _win(self, index: int, args: Sequence[str]) -> None:
        agari = read_agari(args, self.start, lambda error, proposal=None: self._remark(index, error, proposal))
        tile = self.table.drawn if agari.tile is None else agari.tile
        target = agari.seat if agari.tile is None else self.table.last_actor
        if target < 0:
            raise WrongValueError("a win on a discard, and no tile was discarded", ("args", 0))
        win = ev.Win(
            agari.seat,
            target,
            tile or HIDDEN,
            ura_markers=tuple(self.ura) if self.ura is not None else UNSET,
            hora_tehais=self.shown.get(agari.seat, UNSET),
            yakus=agari.yakus,
            fu=agari.fu,
            fan=agari.fan,
        )
        said = agari.seat, "tsumo" if agari.tile is None else "ron"
        # Without a tile that was drawn, the tile of a ron is missing: the referee reports this win.
        if tile is not None and self.announced and said not in self.announced:
            others = ", ".join([f"{PLAYERS[seat]} {word}" for seat, word in self.announced])
            error = WrongValueError(
                f"the win is {PLAYERS[said[0]]} {said[1]}, but announced is {others}", ("args",)
            )
            self._remark(index, error)
        message = misnamed(agari.names, win, self.table, self.start.bakaze or WINDS[0])
        if message is not None:
            self._remark(index, WrongValueError(message, ("args",)))
        self._add(win)
        self.agari.append((len(self.events) - 1, agari))
        self.result_at = index

    def _remark(self, index: int, error: WrongValueError, proposal: Proposal | None = None) -> None:
        self.fault(error, index, len(self.events), proposal)

    def _drawn(self, index: int, args: Sequence[str]) -> None:  # noqa: ARG002 - all readers take the arguments
        self._add(read_draw(self.ready, self.shown, [len(hand) for hand in self.table.hands]))
        self.result_at = index

    def _end(self, index: int, args: Sequence[str]) -> None:  # noqa: ARG002 - all readers take the arguments
        if self.result_at < 0:
            raise WrongValueError("the round ends without a result: expected agari or ryukyoku", ("cmd",))
        self.events.append(ev.EndRound())

    def _pass(self, index: int, args: Sequence[str]) -> None:
        """Skip a command that states nothing of the game."""

    def round(self) -> Round:
        """Return the round, with the points that `mjconv.converters.mleague.points` settled."""
        if not self.events:
            return Round()
        if len(self.before) == len(PLAYERS):
            scores = tuple([self.before[seat] for seat in range(len(PLAYERS))])
            self.events[0] = structs.replace(self.start, scores=scores)
        comments = [Annotation(at, "comment", value=text) for at, agari in self.agari for text in agari.comments]
        return keep_play(Round(self.events, annotations=tuple(comments)), self.play)

    @property
    def table(self) -> Table:
        """The table after the events so far."""
        return self.play.end

    @property
    def accepted(self) -> list[int]:
        """The seats that paid a riichi stick in the round."""
        return [seat for seat, state in enumerate(self.table.riichi) if state == RIICHI_ACCEPTED]

    def path(self, event: int, key: str) -> Path:
        """Return the path to an event of the round, or to a key of it; to the round itself for another index."""
        if not 0 <= event < len(self.origins):
            return (self.begin,)
        index, name = self.origins[event], ev.name_of(self.events[event])
        if name == "start_kyoku" and key in ("scores", "dora_marker"):
            wanted = "point" if key == "scores" else "dora"
            near = range(index, min(index + 12, len(self.commands)))
            return (next((each for each in near if self.commands[each].cmd == wanted), index),)
        if key in ("deltas", "scores") and self.changes_at:
            return (min(self.changes_at.values()), "args", 1)
        position = _ARGUMENTS.get(name, {}).get(key)
        args = self.commands[index].args
        return (index,) if position is None or position >= len(args) else (index, "args", position)


def _tiles(args: Sequence[str], position: int) -> tuple[Tile, ...]:
    """Return the tiles of an argument, which may stand between two signs such as brackets."""
    text = args[position] if position < len(args) else ""
    if text and not text[0].isdigit():
        text = text[1:-1]
    try:
        return tiles_of(text)
    except WrongValueError as error:
        raise error.within("args", position) from None


def _no_tile(text: str) -> str:
    return f"expected a tile such as 1m or 5P, not {shown(text)}" if text else "the tile is missing"


def _number(args: Sequence[str], position: int, expected: str, most: int) -> int:
    text = args[position]
    value = int(text) if text.isdecimal() and len(text) < 9 else text
    return check_number(value, ("args", position), expected, 0, most)


_READERS: Final[Mapping[str, Callable[[RoundReader, int, Sequence[str]], None]]] = {
    "kyokustart": RoundReader._round,
    "point": RoundReader._point,
    "dice": RoundReader._pass,
    "dora": RoundReader._dora,
    "haipai": RoundReader._haipai,
    "tsumo": RoundReader._draw,
    "sutehai": RoundReader._discard,
    "say": RoundReader._say,
    "richi": RoundReader._stake,
    "open": RoundReader._open,
    "uradora": RoundReader._uradora,
    "agari": RoundReader._win,
    "ryukyoku": RoundReader._drawn,
    "kyokuend": RoundReader._end,
}
