"""Bots over records: the decisions of a player, and the answers of a bot to them."""
