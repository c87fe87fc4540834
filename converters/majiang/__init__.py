"""majiang: the JSON records of the open mahjong engine and viewer of that name."""
