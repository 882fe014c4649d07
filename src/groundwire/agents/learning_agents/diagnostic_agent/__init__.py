"""The agent `diagnostic_agent`."""
