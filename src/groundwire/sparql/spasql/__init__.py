"""SPARQL within SQL: each block passes the SPARQL gate, the outer query runs in DuckDB."""
