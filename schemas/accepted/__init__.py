"""JSON Schemas of mjai as it is read, derived from those of what is written by reference."""
