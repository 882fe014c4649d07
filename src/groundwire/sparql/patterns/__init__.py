"""Questions about relations, read by pattern and answered by a query that the graph proves."""
