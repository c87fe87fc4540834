"""``python -m mjconv`` is the command ``mjconv``."""

from mjconv.command.start import main

main()
