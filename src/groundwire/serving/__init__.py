"""What every server needs from the MCP SDK."""
