"""Read members from files, folders, and zip and tar archives, compressed or not, one after another."""
