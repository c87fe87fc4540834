"""The words of the viewer: a JSON file for each language."""
