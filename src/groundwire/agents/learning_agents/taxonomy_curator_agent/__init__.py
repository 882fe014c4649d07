"""The agent `taxonomy_curator_agent`."""
