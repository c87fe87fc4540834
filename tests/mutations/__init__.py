"""One thing broken in a real game: how, and the finding that the referee must report at which message."""
