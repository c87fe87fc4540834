"""Numbers with their nouns, in the singular or the plural, for messages."""


def counted(number: int, noun: str, *, zero: str = "0", grouped: bool = False) -> str:
    """Return a number and its noun: the noun alone for 1, its plural for all other numbers.

    `zero` is written for the number 0. With `grouped`, a comma separates the thousands.

    >>> counted(1, "tile"), counted(0, "riichi stick"), counted(2, "match"), counted(3, "fu")
    ('1 tile', '0 riichi sticks', '2 matches', '3 fu')
    >>> counted(0, "tile", zero="no"), counted(1200, "member", grouped=True)
    ('no tiles', '1,200 members')
    """
    written = zero if number == 0 else f"{number:,}" if grouped else str(number)
    if number == 1 or noun in _SAME_IN_PLURAL:
        return f"{written} {noun}"
    return f"{written} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"


#: Words of the game that have no plural.
_SAME_IN_PLURAL = frozenset({"fu", "han", "faan", "honba", "dora", "riichi", "yakuman"})
