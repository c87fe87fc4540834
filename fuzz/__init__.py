"""Broken records by the thousand for each reader: what may come of them is an error in words, and nothing else."""
