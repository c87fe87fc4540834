"""Storage in memory, emptied before each test."""

from memory_storage import memory

__all__ = ["memory"]
