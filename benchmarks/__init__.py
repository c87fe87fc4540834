"""How fast it is, against the peers and floors a user would pick instead: ``python -m benchmarks``."""
