"""The agent `governance_agent`."""
