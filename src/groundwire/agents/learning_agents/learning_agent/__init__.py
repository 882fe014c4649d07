"""The agent `learning_agent`."""
