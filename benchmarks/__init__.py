"""Measure the speed of mjconv against floors and peers: ``python -m benchmarks``."""
