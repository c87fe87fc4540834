"""Whole archives: many files in, many files out, on every core, nothing lost."""
