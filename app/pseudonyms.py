"""A match without what names its players: pseudonyms for names, and of the rest only what the game needs.

The table of what stays is an allowlist: a field that is not named here goes. So a field that the hub gains later
goes too, until somebody decides that it names nobody. A text stays only if it is a word of the field.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from mjconv.converters.shared.single_hands import claim, claim_of
from mjconv.ir import events as ev
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Annotation, Answer, Match, Name, Player, Round, Rules, Text
from mjconv.ir.message_names import SPELLINGS
from mjconv.ir.vocabulary import REASONS
from mjconv.rules.rulesets import all_rulesets
from mjconv.settings import Anonymity

#: The bytes of a key.
KEY_BYTES: Final = 32
#: Random bytes have more different values.
_FEWEST: Final = 16
#: The fields of a match and of a round that stay as they are. `_match` and `_round` change some others.
_OF_MATCH: Final = ("date", "weekday", "final_scores", "house")
_OF_ROUND: Final = ("wall", "date", "dice", "scores_after", "blocked", "dealt_fourteen", "final_hands")
#: The messages that a person or a program writes freely.
_FREE: Final = (ev.Hello, ev.Join, ev.ErrorMessage)
#: The ranks and the rooms of the platforms, in their spellings. Another text may be a name.
_RANK: Final = re.compile(
    "新人|[1-9１-９]級|[初二三四五六七八九十]段|天鳳位?|(?:初心|雀士|雀傑|雀豪|雀聖|魂天)[0-9]{1,2}"
)
_ROOM: Final = re.compile("ippan|joukyuu|tokujou|houou|bronze|silver|gold|jade|throne|[0-9]{1,2}")
#: The name of a yaku that no game knows.
_LOCAL: Final = "local yaku"


def anonymous(match: Match, *, key: bytes | None = None, keep_comments: bool = False) -> Match:
    """Return a match without what names its players, as ``--anonymous`` writes it.

    Players are ``Player 1`` and so on by seat. With a `key` of 32 random bytes, the pseudonym of a player is a
    keyed digest of the name: the same in all matches. The original, ids, addresses, teams, titles, places, times,
    ratings, recorders and the data of single formats are left out, and so are comments unless `keep_comments`. The
    game, ranks, rooms and dates stay. Raises `UsageError` for another key.

    >>> match = Match(players=[Player(Name(Text("Ann"))), Player(Name(Text("Ben")))], id="2024010100gm-00a9")
    >>> anonymous(match).players[1].name.shown, anonymous(match).id
    ('Player 2', UNSET)
    """
    return Pseudonyms(anonymity_of(key, keep_comments=keep_comments)).match(match)


def anonymity_of(key: bytes | None, *, keep_comments: bool) -> Anonymity:
    """Return how to make matches anonymous. Raises `UsageError` if the key is not `KEY_BYTES` random bytes.

    >>> anonymity_of(b"secret", keep_comments=False)
    Traceback (most recent call last):
    mjconv.ir.errors.UsageError: a key is exactly 32 random bytes, and no text
    """
    # Whoever guesses a key can try all names: a text is guessed.
    if key is not None and (len(key) != KEY_BYTES or key.isascii() or len(set(key)) < _FEWEST):
        raise UsageError(f"a key is exactly {KEY_BYTES} random bytes, and no text")
    return Anonymity(key or b"", keep_comments)


class Pseudonyms:
    """The pseudonyms of the players of a file. Without a key, a name has one number in all matches of the file."""

    def __init__(self, anonymity: Anonymity) -> None:
        self.anonymity = anonymity
        self._numbers: dict[str, int] = {}
        self._last = 0

    def match(self, match: Match) -> Match:
        """Return a match without what names its players."""
        names = self._names(match.names)
        players = [
            Player(Name(Text(name)) if name else UNSET, rank=_known(_RANK, player.rank))
            for player, name in zip(match.players, names, strict=True)
        ]
        return Match(
            players,
            list(map(self._round, match.rounds)),
            self._events(match.opening),
            self._events(match.closing),
            rules=_rules(match.rules),
            annotations=self._annotations(match.annotations),
            room=_known(_ROOM, match.room),
            **{name: getattr(match, name) for name in _OF_MATCH},
        )

    def _names(self, names: Iterable[str]) -> list[str]:
        """Return the pseudonyms of the players of one match. Who has no name has no pseudonym."""
        given: list[str] = []
        for name in (unicodedata.normalize("NFC", name) for name in names):
            pseudonym = self.anonymity.sealed(f"player {name}")[:12]
            if name and not pseudonym:
                number = self._numbers.get(name, 0)
                if not number or f"Player {number}" in given:
                    number = self._last = self._last + 1
                    self._numbers.setdefault(name, number)
                pseudonym = str(number)
            given.append(f"Player {pseudonym}" if name else "")
        return given

    def _round(self, game_round: Round) -> Round:
        answers = (
            Answer(answer.index, self._event(answer.message), answer.seat)
            for answer in game_round.answers
            if type(answer.message) not in _FREE
        )
        return Round(
            self._events(game_round.events),
            rules=_rules(game_round.rules),
            comment=game_round.comment if self.anonymity.comments else UNSET,
            assumed=tuple(key for key in game_round.assumed if key in ev.KEYS["start_kyoku"]),
            annotations=self._annotations(game_round.annotations),
            answers=tuple(answers),
            **{name: getattr(game_round, name) for name in _OF_ROUND},
        )

    def _events(self, events: Iterable[ev.Event]) -> list[ev.Event]:
        return [self._event(event) for event in events if type(event) not in _FREE]

    def _event(self, event: ev.Event) -> Any:
        """Return an event without the keys that its kind does not define, and with words of the field alone."""
        changes: dict[str, Any] = {} if event.extras is UNSET else {"extras": UNSET}
        if isinstance(event, ev.StartGame):
            names = event.names if event.names is UNSET else tuple(self._names(event.names))
            changes |= {"names": names, "uri": UNSET}
        elif isinstance(event, ev.Ryukyoku):
            changes["reason"] = event.reason if str(event.reason).lower() in _words() else UNSET
        elif isinstance(event, ev.Win) and event.yakus:
            words = _words()
            yakus = ((name if name.lower() in words else _LOCAL, number) for name, number in event.yakus)
            changes["yakus"] = tuple(yakus)
        return replace(event, **changes) if changes else event

    def _annotations(self, annotations: Iterable[Annotation]) -> tuple[Annotation, ...]:
        kept = []
        for one in annotations:
            claimed = claim_of(one)
            if claimed is not None:
                kept.append(claim(one.index, self._event(claimed)))
            elif one.kind in ("comment", "mark"):
                kept += [one] if self.anonymity.comments else []
            elif one.kind != "claim":
                kept.append(one if isinstance(one.value, int) else replace(one, value=UNSET))
        return tuple(kept)


def _rules(rules: Rules | UnsetType) -> Rules | UnsetType:
    if rules is UNSET or rules.game is UNSET or any(one.id == rules.game for one in all_rulesets()):
        return rules
    return replace(rules, game=UNSET)


def _known(pattern: re.Pattern[str], text: str | UnsetType) -> str | UnsetType:
    return text if text is not UNSET and pattern.fullmatch(text) else UNSET


@cache
def _words() -> frozenset[str]:
    """Return the names and the spellings of yaku and of reasons of draws, of all games."""
    return SPELLINGS.union(REASONS, *(rules.names() for rules in all_rulesets()))
