"""The guarded HTTP client that every outgoing request goes through."""
