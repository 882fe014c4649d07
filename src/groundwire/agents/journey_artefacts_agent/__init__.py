"""The agent that makes maps, calendar files and texts of plans."""
