"""What hands are worth, by riichi rules and by Hong Kong rules, on the table alone."""
