"""PostgreSQL: one prepared SELECT in a READ ONLY transaction, over psycopg 3."""
