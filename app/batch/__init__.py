"""Convert whole archives on all cores: many files in, many files out, interrupted runs continue."""
