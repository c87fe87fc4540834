"""The hub: the one representation of mahjong records that all formats are read into and written from.

No module here knows a format. Read them in this order: `tiles` (the spelling of tiles), `events` (what happens at
the table), `match` (players, rounds, rules), `table` (plays events by the rules), `patch` (compares two readings),
`losses` and `errors` (what a conversion reports).
"""
