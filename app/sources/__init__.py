"""Where records come from: files, folders, zip and tar archives, packed or not, one member after another."""
