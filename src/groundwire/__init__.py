"""Groundwire: MCP servers that keep a model honest."""
