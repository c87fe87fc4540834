"""Tables of players: sums of Hong Kong games by player, period and game, and statistics of riichi."""
