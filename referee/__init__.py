"""The referee: whether a record is right, by its grammar, by the order of its messages, by the rules of play."""
