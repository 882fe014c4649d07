"""Evidence as a page: claim, status, value, source, query and chain."""
