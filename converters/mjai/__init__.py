"""mjai: JSON messages of mahjong AI programs, one for each event."""
