"""Checks that every format keeps the contract of `mjconv.converters.interface`."""
