"""SQL over DuckDB, SQLite and PostgreSQL: one reading statement, by allow-list, within limits."""
