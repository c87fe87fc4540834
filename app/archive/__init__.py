"""Questions to archives: the facts of each match, the filter `where`, the digest of a play, and splits."""
