"""What formats have in common: notes, JSON, positions, walls, dora, wins."""
