"""The embedded profiles."""
