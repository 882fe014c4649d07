"""The agents of learning: what they share, and a folder for each."""
