"""Times of journeys as people write them, read as moments in London."""
