"""The format `tenhou`: mjlog XML, tenhou.net/6 JSON, and links that hold a record."""
