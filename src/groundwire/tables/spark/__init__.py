"""Spark: servers over Spark Connect."""
