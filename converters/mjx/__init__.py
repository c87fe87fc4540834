"""The states of the simulator mjx: a round on each line."""
