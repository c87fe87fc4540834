"""``python -m mjconv`` is the command ``mjconv``."""

from mjconv.start import main

main()
