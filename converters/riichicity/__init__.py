"""Records of Riichi City (Mahjong Ichibangai): JSON of its server, read only."""
