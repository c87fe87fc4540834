"""Whether records are right: the findings of the readers and of the referee, and how they are printed."""
