"""What helps people who type records: fill, new files, the watched page, and the language server."""
