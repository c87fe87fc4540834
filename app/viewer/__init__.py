"""The viewer: a match step by step, as a page for browsers, in a terminal, and as text."""
