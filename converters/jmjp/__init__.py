"""jmjp: paifu files of the Japanese Mahjong Paifu standard, versions 0 and 1.x."""
