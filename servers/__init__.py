"""The servers that a host sees: one module each, declarations only."""
