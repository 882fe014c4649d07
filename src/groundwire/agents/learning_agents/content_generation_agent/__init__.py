"""The agent `content_generation_agent`."""
