"""Questions to archives: the facts of each match, the filter `where`, and the play that makes a match itself."""
