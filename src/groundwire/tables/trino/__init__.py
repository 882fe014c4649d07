"""Trino: servers over the REST protocol of its client."""
