"""Files: on disk, at addresses, in folders and archives; compressed or not, in any encoding, of limited size."""
