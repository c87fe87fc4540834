"""mjai: JSON lines, the language of mahjong AI."""
