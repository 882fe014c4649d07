"""Places as a caller sent them: a stop, a position, a landmark or options to ask about."""
