"""The agent that reads a whole request and has the others do its parts."""
