"""Full-text index over labels and passages (SQLite FTS5)."""

from groundwire.textindex.index import Hit, Passage, TextIndex

__all__ = ["Hit", "Passage", "TextIndex"]
