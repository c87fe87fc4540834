"""JSON Schemas of the messages that mjconv reads. They refer to the schemas of those that it writes."""
