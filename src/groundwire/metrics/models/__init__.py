"""Semantic models of warehouses: what their tables mean, and how a table query becomes SQL."""
