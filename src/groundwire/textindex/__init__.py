"""Full-text index over labels and passages (SQLite FTS5)."""

from groundwire.textindex.index import (
    PASSAGES_TABLE,
    Database,
    Hit,
    Passage,
    TextIndex,
    all_words,
    any_part,
    any_word,
    indexed,
    informative_parts,
)

__all__ = [
    "PASSAGES_TABLE",
    "Database",
    "Hit",
    "Passage",
    "TextIndex",
    "all_words",
    "any_part",
    "any_word",
    "indexed",
    "informative_parts",
]
