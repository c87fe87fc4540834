"""What an editor asks of jmjp: tokens that may follow, meanings of shorthand tokens, names of players."""

import re
from collections.abc import Iterator
from typing import Final

from mjconv.converters.jmjp.explain import continuations
from mjconv.converters.jmjp.parser import BEFORE
from mjconv.converters.jmjp.reader import read
from mjconv.converters.jmjp.spelling import CODES, JMJP, LETTERS, PLACE, spell
from mjconv.converters.jmjp.text import StrippedText, write_string
from mjconv.converters.shared.acts import Call, Own, typed
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, House
from mjconv.rules.rulesets import RIICHI

#: The act that is being typed: its seat, its first half, and the beginning of the half that is typed.
_ACT: Final = re.compile(r"\((?P<seat>[eswn]),(?:(?P<taken>[^,()]+),)?(?P<word>[^,()]*)\Z")
_TILE: Final = "[0-9][mps]|[eswn]w|[wgr]d|uk"
#: The act that is being typed, up to its seat, its whole tile that was taken, or its whole tile that is given.
_TYPED_ACT: Final = re.compile(rf"\((?:[eswn],(?P<taken>{_TILE})(?:,(?P<given>{_TILE}|tg|kg))?)?\Z")
#: The act before one that begins, and whether it is a kan.
_LAST_ACT: Final = re.compile(r"\((?P<seat>[eswn]),(?!hnd)[^()]*?(?P<kan>(?:ak|kk|dk)\[[^()]*)?\)\(\Z")
#: The word of each call and of a closed kan, and the number of its tiles in version 0.
_WORDS: Final = {ev.Chi: ("ch", 2), ev.Pon: ("pn", 0), ev.Daiminkan: ("dk", 0), ev.Ankan: ("ak", 1)}
#: A string of a name.
_NAME: Final = re.compile(r'(?<=s(?:nt|rm)\[")[^"]+(?=")')


def meaning(word: str) -> str | None:
    """Return the meaning of a shorthand token; None for other words.

    >>> meaning("mlg"), meaning("tg")
    ('Mリーグ / M League', None)
    """
    code = CODES.get(word)
    return None if code is None else " / ".join(filter(None, (code.native, code.roman)))


def names_in(line: str) -> list[tuple[int, int]]:
    """Return where the names of players are in a line: the strings of ``ply``."""
    begin = line.find("ply[")
    return [] if begin < 0 else [name.span() for name in _NAME.finditer(line, begin)]


def spelled_name(name: str) -> str:
    """Return a name as a string of version 1.x has it, without its quotes; an empty one if it cannot."""
    return (write_string(name, 1) or "")[1:-1]


def completions(before: str) -> tuple[str, list[str]]:
    """Return the beginning of a token at the end of a text, and the tokens that may be there.

    The first ones are what the player of the act can legally take or give.

    >>> completions("jmjp[1.0](mtp[,s")
    ('s', ['sun', 'sat'])
    """
    try:
        source = StrippedText(before)
    except InputError:
        return "", []
    if source.comments and "\n" not in before[source.comments[-1].origin :]:
        return "", []
    text = source.stripped
    last = text.rfind("frm[")
    if last >= 0:
        # The rounds before the last one do not matter, nor do their errors.
        text = f"{text[: text.index(']') + 1]}{BEFORE['frm']}{text[last:]}"
    begun, allowed = continuations(text, source.major)
    legal = [token for token in _legal(text, source.major, begun) if token.startswith(tuple(allowed))]
    if text.endswith("frm["):
        legal = [_next_round(source.stripped)]
    elif text.endswith("(") and "s" in allowed:
        legal = [_next_seat(text)]
    return begun, list(dict.fromkeys([*legal, *allowed]))


def follows(before: str) -> str:
    """Return what must follow the key that was typed last, in the acts of a round; an empty text if nothing must.

    >>> [follows("(e,hnd[1m,,])" + acts) for acts in ("(e,2m,tg)(", "(s,3m", "(s,3m,sw", "(s,3m,s")]
    ['s,', ',', ')(w,', '']
    """
    act = _TYPED_ACT.search(before, max(before.rfind("("), 0))
    if act is None or "hnd[" not in before[before.rfind("frm[") + 1 :]:
        return ""
    if act["given"]:
        return f")({_next_seat(before + ')(')},"
    return "," if act["taken"] else f"{_next_seat(before)},"


def _next_seat(text: str) -> str:
    """Return the seat of the act that begins at the end of a text. After a kan the same player draws again."""
    last = _LAST_ACT.search(text, max(text.rfind("(", 0, -1), 0))
    if last is None:
        return "e"
    return last["seat"] if last["kan"] else LETTERS[(PLACE[last["seat"]] + 1) % USUAL_SEATS]


def _next_round(text: str) -> str:
    """Return the name of the round that begins at the end of a text."""
    readings = list(read(f"{text},,,,,".encode("utf-8", "replace"), Report(lenient=True)))
    return readings[-1].match.rounds[-1].label if readings and readings[-1].match.rounds else "E1-0"


def _legal(text: str, major: int, begun: str) -> Iterator[str]:
    """Yield what the player of the last act can legally take or give, from the token `begun` on."""
    act = _ACT.search(text, max(text.rfind("("), 0))
    if act is None:
        return
    # An act without its second half is one by the grammar.
    until = f"{text[: act.end('taken')]},)" if act["taken"] else text[: act.start()]
    try:
        *_, reading = read(until.encode("utf-8", "replace"), Report(lenient=True))
    except (InputError, ValueError):
        return
    moment = typed(reading.match, House(), RIICHI)
    if moment is None:
        return
    player = (PLACE[act["seat"]] + moment.table.oya) % USUAL_SEATS
    inside = act["word"].removeprefix("rc[")
    for one in moment.discards(player) if act["taken"] else moment.calls(player):
        token = _spelled(one, major)
        if token.startswith(inside):
            yield begun + token[len(inside) :]


def _spelled(act: Call | Own, major: int) -> str:
    """Spell a call, a discard or a kan: the half of an act."""
    if isinstance(act, ev.Discard):
        return "tg" if act.tsumogiri else JMJP[act.pai]
    if isinstance(act, ev.Kakan):
        return f"kk[{JMJP[act.pai]}]"
    word, tiles_before = _WORDS[type(act)]
    tiles = act.consumed if major else act.consumed[:tiles_before]
    return f"{word}[{spell(tiles)}]" if tiles else word
