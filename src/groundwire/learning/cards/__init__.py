"""Cards that quote a source: what they are, how they are checked and where they are kept."""
