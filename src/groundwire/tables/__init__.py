"""SQL engines by URL: read-only, within limits, and behind a gate for each dialect."""
