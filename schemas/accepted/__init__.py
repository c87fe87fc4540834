"""JSON Schemas of the messages that mjconv reads. They refer to the schemas of the messages that it writes."""
