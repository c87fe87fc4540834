"""The version of mjconv, in a module that imports nothing."""

VERSION = "0.1.0"
