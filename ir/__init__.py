"""The hub: what a mahjong record is, whatever notation it came from.

Nothing here knows a notation. `tiles` spells tiles, `events` is what happens at the table, `match` is
what is around it, `table` plays events by the rules, `patch` says how two readings differ, `losses` and
`errors` are how a conversion speaks of what it could not do.
"""
