"""Ùzje replay notation: the whole wall, and turns with much left out (see ``docs/uzje.md``)."""
