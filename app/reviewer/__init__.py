"""Reviews of records by bots: programs that answer the messages of a game in the player's place."""
