"""Full-text index over labels and passages (SQLite FTS5)."""
