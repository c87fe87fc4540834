"""All mutations: importing the modules adds them."""

from mutations import play, results
from mutations.game import MUTATIONS

__all__ = ["MUTATIONS", "play", "results"]
