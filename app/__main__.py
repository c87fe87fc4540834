"""``python -m mjconv`` is the command ``mjconv``."""

from mjconv.cli import main

main()
