"""One thing broken in a real game: how, and what the referee has to say of it, at which message."""
