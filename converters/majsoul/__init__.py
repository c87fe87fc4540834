"""Mahjong Soul records: the replies of the game server, and what programs make of them."""
