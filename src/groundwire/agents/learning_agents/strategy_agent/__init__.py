"""The agent `strategy_agent`."""
