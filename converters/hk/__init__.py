"""HK scores: the text format of a scorer for Hong Kong rules."""
