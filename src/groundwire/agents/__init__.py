"""The agent runtime and the agents' definitions."""
