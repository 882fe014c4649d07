"""The agent that keeps preferences and named places."""
