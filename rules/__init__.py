"""The rules of each game, as values: its tiles, who deals next, what hands are worth, who pays.

| module | answers |
| --- | --- |
| `rulesets` | the rule set of each game, and which game a record is of |
| `riichi_wins` | `settle`: the yaku, han, fu and points of a win, and who pays them |
| `circumstances` | riichi, ippatsu, rinshan, chankan, the last tile, the first turn, the indicators of a win |
| `riichi_values` | the value of a hand in its circumstances, its dora, and the points that each pays |
| `hands` | whether a riichi hand is complete, and its waits |
| `succession` | the deal that follows a round, and values that deals leave out |
| `scores` | the riichi sticks of a round, the scores before and after it, and the next dealer |
| `tenpai` | who is in tenpai at a draw, and who pays |
| `payments` | the points that a win and nagashi mangan move, and who is liable for a yakuman (pao) |
| `house` | the rules that differ from house to house |
| `mahjong_package` | the package `mahjong`, which no other module imports |
| `hongkong_wins` | the winning hand of a played round |
| `decomposition` | every way to read a winning hand |
| `hongkong_faan` | the faan of a hand |
| `hongkong_points` | the points of a result by Hong Kong rules |
| `mcr_hands` | whether a hand of Chinese Official is complete |
"""
