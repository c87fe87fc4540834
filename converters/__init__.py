"""The notations: one package a format, and `formats`, the one table of them all."""
