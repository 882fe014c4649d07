"""What a caller sent as a place: a stop, a position, a landmark or options to ask about."""
