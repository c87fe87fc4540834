"""Which parts of the grammar a text uses: every rule, with each part that it may hold or lack."""

from lark import Token, Tree

from mjconv.converters.jmjp.grammar import fine_parser
from mjconv.converters.jmjp.text import StrippedText

#: A rule, and the rule or terminal in it; None for an optional part that is absent.
Part = tuple[str, str | None]


def parts(major: int) -> set[Part]:
    """Give every part of the grammar of a version."""
    rules = fine_parser(major).rules
    inside: dict[str, set[str | None]] = {}
    for rule in rules:
        kept = {symbol.name for symbol in rule.expansion if not getattr(symbol, "filter_out", False)}
        absent = {None} if any(rule.options.empty_indices) else set()
        inside.setdefault(str(rule.origin.name), set()).update(kept | absent)
    helpers = {name: names for name, names in inside.items() if name.startswith("_")}
    found: set[Part] = set()
    for name in inside.keys() - helpers.keys():
        for child in inside[name]:
            held = helpers[child] - {child} if child in helpers else {child}
            found.update((name, each) for each in held)
    return found


def used(text: str) -> set[Part]:
    """Give the parts that a text uses."""
    source = StrippedText(text)
    found: set[Part] = set()
    for tree in fine_parser(source.major).parse(source.stripped).iter_subtrees():
        for child in tree.children:
            name = child.data if isinstance(child, Tree) else child.type if isinstance(child, Token) else None
            found.add((str(tree.data), name and str(name)))
    return found
