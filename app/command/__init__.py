"""The command ``mjconv``: its options, its actions on files, and what it prints."""
