"""Questions to archives: the facts of each match, and the filter `where`."""
