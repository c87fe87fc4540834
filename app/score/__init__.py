"""The sums of Hong Kong games: score tables by player, by period, and after each game."""
