"""The security gate: whether a text names an entity that is out of scope."""
